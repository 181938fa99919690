"""Drag handles in a page's pictures: lines, points, and what else a lab defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from panel.links import Callback

from explorer.browser import EVENT, REACH, code
from explorer.checks import Refusal
from explorer.languages import message, translate
from explorer.printing import echo
from explorer.workbench.user_points import number_pair

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

    from explorer.pages.layout.declarations import Handles
    from explorer.views.view import View

    from .request_pacing import Pacer


HINT = message(("← drag me", "drag me →"))  # right and left of a handle
Put = TypeVar("Put", bound=Callable[..., None])


def drag_line(figure: figure, line: ColumnDataSource, slider: Any, stops: ColumnDataSource, column: str) -> None:
    """Make a vertical line draggable along the stops of a slider.

    Parameters
    ----------
    figure : figure
        The figure of the line.
    line : ColumnDataSource
        The source that draws the line.
    slider : Widget
        The slider that the line moves.
    stops : ColumnDataSource
        The source with the slider's stops.
    column : str
        The column of the stops.
    """
    listen(figure, "grips.line", line=line, slider=slider, stops=stops, column=column)


def drag_point(figure: figure, point: ColumnDataSource, slider: Any, stops: ColumnDataSource, column: str) -> None:
    """Make a point draggable along the stops of a slider. The drag must begin on the point.

    Parameters
    ----------
    figure : figure
        The figure of the point.
    point : ColumnDataSource
        The source that draws the point, and no other.
    slider : Widget
        The slider that the point moves.
    stops : ColumnDataSource
        The source with the slider's stops.
    column : str
        The column of the stops.
    """
    listen(figure, "grips.point", point=point, slider=slider, stops=stops, column=column)


def drag_points(figure: figure, points: Mapping[str, Sequence[ColumnDataSource]], pacer: Pacer) -> None:
    """Make points draggable. The nearest point within reach is taken, and the last one of equally near points.

    Parameters
    ----------
    figure : figure
        The figure of the points.
    points : mapping of str to sequence of ColumnDataSource
        Name -> the sources that draw its points. The pacer gets [row, x, y] under this name.
    pacer : Pacer
        Receives the positions from the browser.
    """
    sources = [source for drawn in points.values() for source in drawn]
    groups = [[sources.index(source) for source in drawn] for drawn in points.values()]
    listen(figure, "grips.points", sources=sources, groups=groups, names=list(points), request=pacer.request)


def connect_handles(handles: Mapping[str, Handles], view: View, pacer: Pacer) -> None:
    """Make the declared points of a page's pictures draggable.

    Parameters
    ----------
    handles : mapping of str to Handles
        The points. The pacer gets [row, x, y] under their name.
    view : View
        The pictures.
    pacer : Pacer
        Receives the positions from the browser.
    """
    drawn: dict[str, dict[str, list[ColumnDataSource]]] = {}
    for name, each in handles.items():
        for source in each.sources:
            picture = drawn.setdefault(source.partition(".")[0], {})
            picture.setdefault(name, []).append(view.sources[source])
    for picture, points in drawn.items():
        drag_points(view.figures[picture], points, pacer)


def show_refusals(put: Put) -> Put:
    """Decorate a page's `on_drag`: a Refusal is shown at the control, or above the pictures, which stay unchanged.

    Parameters
    ----------
    put : callable
        The method.

    Returns
    -------
    callable
        The method, which does not raise a Refusal.
    """

    @wraps(put)
    def told(page, name, value):
        try:
            put(page, name, value)
        except Refusal as refusal:
            page.refuse(name, str(refusal))

    answer: Any = told  # it has the signature of `put`
    return answer


def parse_drag(value: Any, count: int) -> tuple[int, float, float]:
    """Read the row and the position of a dragged point from the browser's value.

    Parameters
    ----------
    value : object
        What the browser sent, which is not validated.
    count : int
        The number of points.

    Returns
    -------
    row : int
        The point's row.
    x, y : float
        Its position.

    Raises
    ------
    Refusal
        If the value is not [row, x, y], or there is no such row.
    """
    try:
        row, *place = value
        x, y = number_pair(place)
    except (OverflowError, TypeError, ValueError):
        raise Refusal("a dragged point is [row, x, y], and this is {}; drag it once more.", echo(value)) from None
    return check_row(row, count), x, y


def check_row(row: Any, count: int) -> int:
    """Check a row that a browser names, one of `count`, and return it.

    Raises
    ------
    Refusal
        If there is no such row: the picture may have changed since.
    """
    if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < count:
        raise Refusal("there is no point {} here, of {} counted from 0; drag one that is drawn.", echo(row), count)
    return row


def listen(figure: figure, name: str, /, hint: tuple[str, str] = HINT, **args: Any) -> None:
    """Connect a figure's pointer input with a function in the browser. A figure has at most one.

    The first handle of a page has a hint, until something is dragged.

    Parameters
    ----------
    figure : figure
        The figure.
    name : str
        The function, as "module.function" of explorer/browser.
    hint : tuple of str
        The hint, right and left of a handle.
    **args
        Further arguments of the function.
    """
    when_sized(figure, name, reach=REACH, hint=[translate(each) for each in hint], **args)


def when_sized(figure: figure, name: str, /, **args: Any) -> None:
    """Call a function in the browser whenever a figure gets a new size, which is after it is drawn."""
    model: Any = figure  # Panel accepts its own components and Bokeh models
    Callback(model, code={"inner_width": code(name, *EVENT, *args)}, args=args)
