"""A comparison of two tables: both samples of the columns that differ most, each in its own units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, echo, join_list
from explorer.comparison.pictures import plot_data
from explorer.marks.samples import Histograms, Levels, TwoSamples

from .pictures import drawn
from .style import holoviews

if TYPE_CHECKING:
    from explorer.comparison import Comparison


MOST, ACROSS = 6, 2  # panels, and how many side by side
HEIGHT = 250  # px


class Numbers(Histograms):
    """Histograms as high as a panel."""

    height = HEIGHT


class Categories(Levels):
    """Bars of levels as high as a panel."""

    height = HEIGHT


KINDS: dict[str, type[TwoSamples]] = {"number": Numbers, "category": Categories}


def of_comparison(comparison: Comparison, columns: Sequence[str] | None = None) -> Any:
    """A panel for each column, the least adjusted p first: at most six of all, or those of these names."""
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
