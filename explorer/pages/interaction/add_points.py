"""A picture that takes points: a click where nothing is adds one, a drag moves one, a click on one chooses it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.pages.page import LabPage
from explorer.printing import echo
from explorer.workbench.user_points import number_pair, words

from .drag import dragged, listen, row_of, telling

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource


class TakesPoints(LabPage):
    """A page whose hero takes points, which its lab keeps in `placed` and `selected` and gives as `points`."""

    beside: str | None = None  # the control at which a refusal is said

    def take_points(
        self,
        free: Mapping[str, Sequence[ColumnDataSource]],
        led: Mapping[str, Sequence[ColumnDataSource]] | None = None,
        heights: tuple[float | None, float | None] = (None, None),
    ) -> None:
        """Let a hand add, move and choose points between two heights of the hero, or anywhere in it.

        `free` and `led` map a name to the sources that draw its points. `put` hears [row, x, y] under a point's name,
        where those of `free` have already moved in the picture; "added" as [[x, y], ...]; "chosen" as [name, row].
        """
        groups = {**free, **(led or {})}
        sources = [source for drawn in groups.values() for source in drawn]
        listen(
            self.view.hero,
            "adding.takePoints",
            sources=sources,
            groups=[[sources.index(source) for source in drawn] for drawn in groups.values()],
            names=list(groups),
            free=[name in free for name in groups],
            request=self.pacer.request,
            low=heights[0],
            high=heights[1],
        )

    @telling
    def on_drag(self, name: str, value: Any) -> None:
        """Points were added to the picture, or one was dragged or chosen there."""
        points = list(self.lab.points)
        if name == "added":
            points += _added(value)
            self.move(self.beside, placed=words(points), selected=len(points))
        elif name == "placed":
            row, *place = dragged(value, len(points))
            points[row] = tuple(place)
            self.move(self.beside, placed=words(points), selected=row + 1)
        elif name == "chosen" and isinstance(value, list) and len(value) == 2 and value[0] == "placed":
            self.move(self.beside, selected=row_of(value[1], len(points)) + 1)

    def remove(self) -> None:
        """Remove the chosen point, or the last that was added by hand."""
        points = list(self.lab.points)
        if points:
            points.pop((self.lab.selected or len(points)) - 1)
            self.move(self.beside, placed=words(points), selected=len(points))


def _added(value):
    """The points of [[x, y], ...] that a browser adds; Refusal where they are none."""
    try:
        return [number_pair(point) for point in value]
    except (OverflowError, TypeError, ValueError):
        raise Refusal(f"added points are [[x, y], ...], and these are {echo(value)}; click once more.") from None
