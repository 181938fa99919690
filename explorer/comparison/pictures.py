"""Pictures of a column in both samples, for a table, a notebook and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.marks.samples import Beside, height_of, histograms, level_shares, picture_of
from explorer.printing import percent, short_name, value_of
from explorer.svg import draw_for_notebook

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .columns import ColumnChange

WIDTH = 220  # width of a small picture, in px
STEPS = 24  # most steps of an ordered scale that are drawn


def thumbnail(comparison: Any, column: ColumnChange) -> Markup:
    """Return a small SVG of a column in both samples, with a description."""
    shown = plot_data(comparison, column)
    return draw_for_notebook(picture_of(shown), shown, describe_picture(comparison, column), WIDTH, height_of(shown))


def plot_data(comparison: Any, column: ColumnChange) -> Beside:
    """Return the data of a picture of a column.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    column : ColumnChange
        One of its columns.

    Returns
    -------
    Beside
        Histograms of numbers, or shares of levels, of both samples.
    """
    names = short_name(comparison.names[0]), short_name(comparison.names[1])
    if column.shares is not None:
        if column.ordered:
            return level_shares.of(list(column.shares.items()), column.label, names, STEPS)
        return level_shares.of(column.levels, column.label, names)
    a, b = comparison.values(column.name)
    return histograms.of(a, b, column.quantity, column.label, names)


def describe_picture(comparison: Any, column: ColumnChange) -> str:
    """Return the content of a column's picture as text, for users who cannot see it."""
    first, second = (short_name(name) for name in comparison.names)
    begin = f"{column.label}, {first} filled, {second} as a line"
    if column.quartiles is None:
        each = "; ".join(f"{short_name(level)} {percent(p)} and {percent(q)}" for level, (p, q) in column.levels[:5])
        return f"Shares of {begin}: {each}."
    halves = " and ".join(
        f"{_format_value(column, low)} to {_format_value(column, high)}" for low, high in column.quartiles
    )
    return f"Histograms of {begin}: medians {column.before} and {column.after}; half of the values {halves}."


def _format_value(column, own):
    """Format a value that is in the column's own units."""
    return value_of(column.quantity, float(column.quantity.from_file_units(own)))
