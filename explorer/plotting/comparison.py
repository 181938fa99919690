"""A comparison of two tables: both samples of the columns that differ most, each in its own units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.checks import Refusal, echo, join_list
from explorer.comparison.pictures import plot_data
from explorer.marks.samples import histograms, level_shares

from .drawings import Drawing, Panels

if TYPE_CHECKING:
    from explorer.comparison import Comparison


MOST, ACROSS = 6, 2  # the largest number of panels, and the number side by side
HEIGHT = 250  # height of a panel in px


KINDS = {"number": replace(histograms, height=HEIGHT), "category": replace(level_shares, height=HEIGHT)}


def of_comparison(comparison: Comparison, columns: Sequence[str] | None = None) -> Panels:
    """Draw a panel per column, by increasing adjusted p: at most six of all columns, or the named ones.

    Parameters
    ----------
    comparison : Comparison
        The result of `compare`.
    columns : sequence of str or None, default None
        Names of columns.

    Returns
    -------
    panels : Panels
        The panels.

    Raises
    ------
    Refusal
        If the comparison has no columns, as a comparison of sketches, or `columns` names none of them.
    """
    if not comparison.columns:
        raise Refusal("sketches keep no rows, so there are no columns to draw; plot(comparison.joint) draws the test.")
    order = sorted(comparison.columns, key=lambda column: column.adjusted)
    names = [column.name for column in order]
    if unknown := [name for name in columns or () if name not in names]:
        raise Refusal(f"column {echo(unknown[0])} is not compared; take some of {join_list(map(echo, names))}.")
    chosen = order[:MOST] if columns is None else [column for column in order if column.name in columns]
    if not chosen:
        raise Refusal("columns names none; leave it out, or name one.")
    return Panels([Drawing(KINDS[each.kind], plot_data(comparison, each)) for each in chosen], ACROSS)
