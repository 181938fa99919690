"""Pictures of a column in both samples, for a table, a notebook and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.marks.samples import Beside, Histograms, Levels, height_of, picture_of
from explorer.printing import percent, short_name, value_of
from explorer.svg import drawn_plain

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .columns import ColumnChange

WIDTH = 220  # px
STEPS = 24  # of an ordered scale that are drawn, in order


def small(comparison: Any, column: ColumnChange) -> Markup:
    """A small SVG of a column in both samples, whose description says what is seen."""
    shown = beside(comparison, column)
    return drawn_plain(picture_of(shown), shown, described(comparison, column), WIDTH, height_of(shown))


def beside(comparison: Any, column: ColumnChange) -> Beside:
    """What a picture of a column draws."""
    names = short_name(comparison.names[0]), short_name(comparison.names[1])
    if column.shares is not None:
        if column.ordered:
            return Levels.of(list(column.shares.items()), column.called, names, STEPS)
        return Levels.of(column.levels, column.called, names)
    a, b = comparison.values(column.name)
    return Histograms.of(a, b, column.quantity, column.called, names)


def described(comparison: Any, column: ColumnChange) -> str:
    """A column's picture in words, for those who do not see it."""
    first, second = (short_name(name) for name in comparison.names)
    begin = f"{column.called}, {first} filled, {second} as a line"
    if column.quartiles is None:
        each = "; ".join(f"{short_name(level)} {percent(p)} and {percent(q)}" for level, (p, q) in column.levels[:5])
        return f"Shares of {begin}: {each}."
    halves = " and ".join(f"{_said(column, low)} to {_said(column, high)}" for low, high in column.quartiles)
    return f"Histograms of {begin}: medians {column.before} and {column.after}; half of the values {halves}."


def _said(column, own):
    return value_of(column.quantity, float(column.quantity.from_file_units(own)))
