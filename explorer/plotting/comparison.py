"""A comparison of two tables: both samples of the columns that differ most, each in its own units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, echo, join_list
from explorer.comparison.pictures import plot_data
from explorer.marks.samples import histograms, level_shares

from .pictures import drawn
from .style import holoviews

if TYPE_CHECKING:
    from explorer.comparison import Comparison


MOST, ACROSS = 6, 2  # the largest number of panels, and the number side by side
HEIGHT = 250  # height of a panel in px


KINDS = {"number": replace(histograms, height=HEIGHT), "category": replace(level_shares, height=HEIGHT)}


def of_comparison(comparison: Comparison, columns: Sequence[str] | None = None) -> Any:
    """Draw a panel per column, by increasing adjusted p: at most six of all columns, or the named ones.

    Parameters
    ----------
    comparison : Comparison
        The result of `compare`.
    columns : sequence of str or None, default None
        Names of columns.

    Returns
    -------
    layout : holoviews.Layout or holoviews.Overlay
        Several panels, or one.

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
    panels = [drawn(KINDS[column.kind], plot_data(comparison, column)) for column in chosen]
    if len(panels) == 1:
        return panels[0]
    return holoviews().Layout(panels).cols(ACROSS).opts(shared_axes=False, backend="bokeh")
