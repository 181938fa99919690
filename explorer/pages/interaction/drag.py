"""What a hand may take hold of in a page's pictures: lines, points, and what else a lab has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from panel.links import Callback

from explorer.browser import EVENT, REACH, code
from explorer.checks import Refusal
from explorer.printing import echo
from explorer.workbench.user_points import number_pair

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

    from .request_pacing import Pacer


Put = TypeVar("Put", bound=Callable[..., None])


def drag_line(figure: figure, line: ColumnDataSource, slider: Any, stops: ColumnDataSource, column: str) -> None:
    """Let a hand drag the vertical line of the source `line` along the slider's stops, a column of the source
    `stops`.
    """
    listen(figure, "grips.line", line=line, slider=slider, stops=stops, column=column)


def drag_point(figure: figure, point: ColumnDataSource, slider: Any, stops: ColumnDataSource, column: str) -> None:
    """Let a hand drag the one point of the source `point` as `drag_line` does a line: only by taking hold of it."""
    listen(figure, "grips.point", point=point, slider=slider, stops=stops, column=column)


def drag_points(figure: figure, points: Mapping[str, Sequence[ColumnDataSource]], pacer: Pacer) -> None:
    """Let a hand drag points: `points` maps a name, under which the pacer hears [row, x, y], to the sources that
    draw them.

    Where two are within reach the nearest is taken, and of equally near ones the last.
    """
    sources = [source for drawn in points.values() for source in drawn]
    groups = [[sources.index(source) for source in drawn] for drawn in points.values()]
    listen(figure, "grips.points", sources=sources, groups=groups, names=list(points), request=pacer.request)


def telling(put: Put) -> Put:
    """A page's `put` whose refusals are said at the control, or above the pictures, which stay as they are."""

    @wraps(put)
    def told(page, name, value):
        try:
            put(page, name, value)
        except Refusal as refusal:
            page.refuse(name, str(refusal))

    answer: Any = told  # as `put` is called
    return answer


def dragged(value: Any, count: int) -> tuple[int, float, float]:
    """(row, x, y) of what a browser says of a dragged point, one of `count`; Refusal where there is no such point."""
    try:
        row, *place = value
        x, y = number_pair(place)
    except (OverflowError, TypeError, ValueError):
        raise Refusal(f"a dragged point is [row, x, y], and this is {echo(value)}; drag it once more.") from None
    return row_of(row, count), x, y


def row_of(row: Any, count: int) -> int:
    """A row that a browser names, one of `count`; Refusal where there is none: the picture may have changed."""
    if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < count:
        raise Refusal(f"there is no point {echo(row)} here, of {count} counted from 0; drag one that is drawn.")
    return row


def listen(figure: figure, name: str, /, **args: Any) -> None:
    """Let a figure take a hand by a function of the browser's half; one a figure."""
    when_sized(figure, name, reach=REACH, **args)


def when_sized(figure: figure, name: str, /, **args: Any) -> None:
    """Let a figure call a function of the browser's half whenever it has learnt its size: then it is drawn."""
    model: Any = figure  # Panel takes a part of its own or a model of Bokeh
    Callback(model, code={"inner_width": code(name, *EVENT, *args)}, args=args)
