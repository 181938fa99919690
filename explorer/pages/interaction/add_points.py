"""Pictures with the user's points: a click on an empty place adds one, a drag moves one, a click on one selects it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import message
from explorer.pages.page import LabPage
from explorer.printing import echo
from explorer.workbench.user_points import number_pair, words

from .drag import check_row, listen, parse_drag, show_refusals

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource


ADDING = message(("← drag me, or click to add", "drag me, or click to add →"))


class TakesPoints(LabPage):
    """Base class of pages whose main picture accepts points.

    The lab stores them in the fields `placed` and `selected`, and returns them as `points`.

    Parameters
    ----------
    words : mapping of str to str or None, default None
        The query parameters of a link.
    **fields
        Values of the lab's fields, see `LabPage`.
    """

    beside: str | None = None  # the control that shows refusals

    def take_points(
        self,
        free: Mapping[str, Sequence[ColumnDataSource]],
        led: Mapping[str, Sequence[ColumnDataSource]] | None = None,
        heights: tuple[float | None, float | None] = (None, None),
    ) -> None:
        """Enable adding, moving and selecting points in the main picture.

        `on_drag` is called with [row, x, y] under the name of a moved point's group, with "added" and [[x, y], ...],
        and with "chosen" and [name, row].

        Parameters
        ----------
        free : mapping of str to sequence of ColumnDataSource
            Name of a group -> the sources that draw its points. The browser moves these points in the picture itself.
        led : mapping or None, default None
            Groups whose points only the server moves.
        heights : tuple of (float or None, float or None), default (None, None)
            The lower and upper limit of the points' heights; None takes the end of the figure's axis.
        """
        groups = {**free, **(led or {})}
        sources = [source for drawn in groups.values() for source in drawn]
        listen(
            self.view.hero,
            "adding.takePoints",
            hint=ADDING,
            sources=sources,
            groups=[[sources.index(source) for source in drawn] for drawn in groups.values()],
            names=list(groups),
            free=[name in free for name in groups],
            request=self.pacer.request,
            low=heights[0],
            high=heights[1],
        )

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Update the lab after points were added, or one was moved or selected.

        Parameters
        ----------
        name : str
            "added", "placed" or "chosen".
        value : object
            What the browser sent, which is not validated.
        """
        points = list(self.lab.points)
        if name == "added":
            points += _added(value)
            self.move(self.beside, placed=words(points), selected=len(points))
        elif name == "placed":
            row, *place = parse_drag(value, len(points))
            points[row] = tuple(place)
            self.move(self.beside, placed=words(points), selected=row + 1)
        elif name == "chosen" and isinstance(value, list) and len(value) == 2 and value[0] == "placed":
            self.move(self.beside, selected=check_row(value[1], len(points)) + 1)

    def remove(self) -> None:
        """Remove the selected point, or the last one that the user added."""
        points = list(self.lab.points)
        if points:
            points.pop((self.lab.selected or len(points)) - 1)
            self.move(self.beside, placed=words(points), selected=len(points))


def _added(value):
    """Return the points in [[x, y], ...], as a browser sends added points.

    Raises
    ------
    Refusal
        If the value is not a list of points.
    """
    try:
        return [number_pair(point) for point in value]
    except (OverflowError, TypeError, ValueError):
        raise Refusal("added points are [[x, y], ...], and these are {}; click once more.", echo(value)) from None
