"""Marks: what a picture draws, as data. A mark names columns; a picture's numbers have them.

Each function here makes one kind. `source` is the name of the columns' source, the channels that follow are names of
columns in it, or numbers that hold for all rows; `role` is what a colour stands for. What all kinds share, a `Shared`,
follows by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self, TypeAlias, TypedDict, Unpack

import numpy as np

from explorer.retired_names import options
from explorer.types import Matrix, Vector, VectorLike

# what a mark stands for: words, or a function of the result that gives them; none, and no legend has it
Words = str | Callable[[Any], str | None]


Numbers: TypeAlias = dict[str, dict[str, Any]]  # source -> column -> array, words, or Rows where it moves


RETIRED = {
    "moves": "follows_slider",
    "kept": "pinned",
    "answer": "is_story_answer",
    "flat": "height_is_decorative",
    "called": "label",
}  # keywords of marks in earlier versions


class Shared(TypedDict, total=False):
    """What marks of all kinds may be.

    moves   whether it follows the lab's slider: such marks are repainted alone, above all others
    kept    whether it shows a pinned result's numbers
    answer  whether it is what a story asks for, so that it is hidden until one has guessed
    called  what it stands for, for legend, words and tables; Words for each row in turn where they stand for several
    flat    whether its height is for the eye alone, and means nothing
    """

    follows_slider: bool
    pinned: bool
    is_story_answer: bool
    label: Words | tuple[Words, ...]
    height_is_decorative: bool


@dataclass(frozen=True)
class Mark:
    """One kind of shape for each row of a source.

    kind      "line", "area", "dot", "circle", "ellipse", "box", "cell", "bar", "bar across", "stroke", "upright",
              "level", "words", "image" or "shades"
    role      what its colour stands for, or several, of which a state shows one, its picture's `role(result)`; that of
              an image is by the numbers' signs and sizes, and it has none, but for one in the shades of a role
    channels  what the shape has of each row, by name: a column's name, or a number that all rows share
    inks      what is painted in the colour of the role: of "line", "fill", "hatch", "text"
    style     how it is drawn, in px and shares: width, dash, alpha, fill, size, marker, hatch, ...
    tip       the column that says what a row stands for, if each stands for one value: an SVG tells it to a hand

    >>> from explorer.marks import Mark, by
    >>> mark = Mark("dot", "points", {"x": by("height"), "y": 0.0}, "kme", ("fill",), {"size": 6})
    >>> mark.columns, mark.role, mark.style["size"]
    ((('points', 'height'),), 'kme', 6)
    """

    kind: str
    source: str
    channels: Mapping[str, str | float]
    role: str | tuple[str, ...]
    inks: tuple[str, ...]
    style: Mapping[str, Any] = field(default_factory=dict)
    follows_slider: bool = False
    pinned: bool = False
    is_story_answer: bool = False
    label: Words | tuple[Words, ...] = ""
    height_is_decorative: bool = False
    tip: str = ""

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """(source, column) of all that it reads, each once."""
        if self.kind == "image":
            ground = self.style["ground"]
            return ((self.source, "w"), *((ground, name) for name in ("x", "y", "dw", "dh")))
        read = [each for each in (*self.channels.values(), *self.style.values(), self.tip) if isinstance(each, by)]
        return tuple((self.source, str(name)) for name in dict.fromkeys(read))


class by(str):
    """The name of a column, where a number or a word would be one for all rows.

    >>> from explorer.marks import by, dots
    >>> dots("points", "kme", fill=0.5).columns
    (('points', 'x'), ('points', 'y'))
    >>> dots("points", "kme", fill=by("weight")).columns
    (('points', 'x'), ('points', 'y'), ('points', 'weight'))
    """

    __slots__ = ()


class SliderColumn(NamedTuple):
    """A column that moves with the lab's slider: its values (r, length) at the r stops, or (1, length) for all.

    >>> import numpy as np
    >>> from explorer.marks import Rows
    >>> heights = Rows(np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> heights.at(0).tolist(), heights.at(1).tolist(), Rows.of([5.0, 6.0]).at(1).tolist()
    ([1.0, 2.0], [3.0, 4.0], [6.0])
    """

    values: np.ndarray

    @classmethod
    def of(cls, values: VectorLike) -> Self:
        """Of one number for each stop, (r,), or of rows (r, length)."""
        values = np.asarray(values, dtype=float)
        return cls(values[:, None] if values.ndim == 1 else values)

    def at(self, row: int) -> Vector:
        """The values at a stop, (length,); at the last one where there are fewer."""
        return self.values[min(row, len(self.values) - 1)]


class LazySliderColumn(NamedTuple):
    """Rows that take time: `make(stops)` makes those of some stops, (len(stops), length), once they are asked for.

    >>> import numpy as np
    >>> from explorer.marks import SlowRows
    >>> rows = SlowRows(lambda stops: np.outer(np.arange(3)[stops], [1.0, 10.0]))
    >>> rows.at(2).tolist(), rows.values.tolist()
    ([2.0, 20.0], [[0.0, 0.0], [1.0, 10.0], [2.0, 20.0]])
    """

    make: Callable[[Any], np.ndarray]

    @property
    def values(self) -> Matrix:
        """The values at all stops, (r, length)."""
        return self.make(slice(None))

    def at(self, row: int) -> Vector:
        """The values at a stop alone, (length,)."""
        return self.make([row])[0]


Place = float | Callable[[Any], float]  # on an axis: a number, or a function of the result


class ReferenceLine(NamedTuple):
    """A line through the whole picture: at x, or at y.

    >>> from explorer.marks import Axis, Picture, Rule
    >>> from explorer.marks.description import described
    >>> class Threshold(Picture):
    ...     title, x, y = "Null distribution", Axis("MMD²", (0.0, 1.0)), Axis("count", (0.0, 9.0))
    ...     grounds = [Rule("harm", x=0.25, called="threshold")]
    ...     numbers = classmethod(lambda cls, result: {})
    >>> described(Threshold, None)[-1]
    'threshold: MMD² = 0.25.'
    """

    role: str
    x: Place | None = None
    y: Place | None = None
    style: Mapping[str, Any] = {}
    label: Words = ""


class Polyline(NamedTuple):
    """A line through places that stay.

    >>> from explorer.marks import Axis, Path, Picture
    >>> from explorer.marks.description import described
    >>> class Diagonal(Picture):
    ...     title, x, y = "As many", Axis("x", (0.0, 1.0)), Axis("y", (0.0, 1.0))
    ...     marks = [Path("truth", (0.0, 1.0), (0.0, 1.0), called="x = y")]
    ...     numbers = classmethod(lambda cls, result: {})
    >>> described(Diagonal, None)[-1]
    'x = y: x = 0, y = 0; x = 1, y = 1.'
    """

    role: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Mapping[str, Any] = {}
    label: Words = ""


class TextLabel(NamedTuple):
    """Words at a place that stays, dx px beside it and dy px below; in the drawer's font, unless one is given.

    >>> from explorer.marks import Axis, Picture, Said
    >>> from explorer.svg import drawn_alone
    >>> class Peak(Picture):
    ...     title, x, y = "A peak", Axis("x", (0.0, 1.0)), Axis("y", (0.0, 1.0))
    ...     marks = [Said("truth", 0.5, 0.9, "the mode", bold=True)]
    ...     numbers = classmethod(lambda cls, result: {})
    >>> ">the mode</text>" in drawn_alone(Peak, None)
    True
    """

    role: str
    x: float
    y: float
    text: str
    dx: float = 6.0
    px: int = 12
    dy: float = 0.0
    align: str = "left"
    baseline: str = "middle"
    font: str = ""
    bold: bool = False


class HoverText(NamedTuple):
    """The words about the row of a source that a hand points at: a cell of a table of two axes.

    html     with @x, @y and @column in it
    numbers  the columns that are numbers
    names    (result) -> the words of both axes' values

    >>> from explorer.marks import Told
    >>> told = Told("cells", "@x, @y: @share", ("share",), lambda result: (["n = 10"], ["narrow", "wide"]))
    >>> told.source, told.numbers, told.names(None)[1]
    ('cells', ('share',), ['narrow', 'wide'])
    """

    source: str
    html: str
    numbers: tuple[str, ...]
    names: Callable[[Any], tuple[list[str], list[str]]]


class Box(NamedTuple):
    """A rectangle that stays, below all else, between these edges.

    >>> from explorer.marks import Box
    >>> box = Box("harm", left=0.0, right=2.0, bottom=0.0, top=1.0, fill=0.2)
    >>> box.role, (box.right - box.left) * (box.top - box.bottom)
    ('harm', 2.0)
    """

    role: str
    left: float
    right: float
    bottom: float
    top: float
    fill: float = 0.0
    alpha: float = 0.0
    hatch: tuple[Any, ...] | None = None


class Band(NamedTuple):
    """A faint ground over part of the picture: from `bottom` up, or up to `top`.

    >>> from explorer.marks import Axis, Picture, Tint, colour
    >>> from explorer.svg import drawn_alone
    >>> class Losses(Picture):
    ...     title, x, y = "Losses", Axis("λ", (0.0, 1.0)), Axis("loss", (0.0, 2.0))
    ...     grounds = [Tint("harm", bottom=1.0)]
    ...     numbers = classmethod(lambda cls, result: {})
    >>> drawn_alone(Losses, None).count(f'fill="{colour("harm")}"')
    1
    """

    role: str
    bottom: Place | None = None
    top: Place | None = None
    alpha: float = 0.07


Marks: TypeAlias = Sequence[Mark | Polyline | TextLabel]  # of a picture, from below to above
Grounds: TypeAlias = Sequence[ReferenceLine | Band | Box]  # what lies below them

# where the plain average is, whose loss is 1, and the tint of harm above it
KME_LINE = ReferenceLine("kme", y=1, style={"width": 2}, label="plain average (KME)")
KME_IS_ONE = (Band("harm", bottom=1), KME_LINE)


def tipped(mark: Mark, column: str = "tip") -> Mark:
    """A mark of whose rows an SVG tells what a column says.

    >>> from explorer.marks import dots, tipped
    >>> mark = tipped(dots("points", "kme"), "name")
    >>> mark.tip, mark.columns[-1]
    ('name', ('points', 'name'))
    """
    return replace(mark, tip=by(column))


def _mark(kind, source, channels, role, inks, style, **shared: Unpack[Shared]):
    named = {name: by(each) if type(each) is str else each for name, each in channels.items()}
    return Mark(kind, source, named, role, inks, style, **options(shared, RETIRED))


def curve(
    source: str,
    role: str | Sequence[str],
    x: str = "x",
    y: str = "y",
    *,
    width: float = 3,
    dash: str = "solid",
    alpha: float | by = 1.0,
    **shared: Unpack[Shared],
) -> Mark:
    """A line through the points of all rows: columns x and y of the source, (n,) each; width in px.

    >>> from explorer.marks import curve
    >>> mark = curve("density", "truth", dash="dashed", called="the true density")
    >>> mark.kind, mark.columns, mark.label
    ('line', (('density', 'x'), ('density', 'y')), 'the true density')
    """
    style = {"width": width, "dash": dash, "alpha": alpha}
    return _mark("line", source, {"x": x, "y": y}, role, ("line",), style, **shared)


def area(
    source: str,
    role: str,
    x: str = "x",
    low: int | str = 0,
    high: str = "y",
    *,
    fill: float = 0.4,
    hatch: tuple[str, float, int] | None = None,
    **shared: Unpack[Shared],
) -> Mark:
    """What lies between two heights over x: columns of the source, (n,) each, or a number for all rows.

    fill   how strong, from 0 to 1
    hatch  (pattern, weight, distance in px), or None

    >>> from explorer.marks import area
    >>> mark = area("density", "truth", low=0, high="height")
    >>> mark.kind, mark.columns
    ('area', (('density', 'x'), ('density', 'height')))
    """
    inks, style = ("fill", "hatch") if hatch else ("fill",), {"fill": fill, "hatch": hatch}
    return _mark("area", source, {"x": x, "low": low, "high": high}, role, inks, style, **shared)


def dots(
    source: str,
    role: str | Sequence[str],
    x: str = "x",
    y: str = "y",
    *,
    size: float | by = 6,
    marker: str = "circle",
    fill: float | by = 1.0,
    width: float = 1,
    alpha: float = 1.0,
    angle: float | by = 0.0,
    inks: Sequence[str] = ("line", "fill"),
    **shared: Unpack[Shared],
) -> Mark:
    """A marker at each row, at columns x and y; size in px, fill from 0 to 1 and angle may be columns by `by`.

    >>> from explorer.marks import by, dots
    >>> mark = dots("points", "outlier", size=by("weight"))
    >>> mark.kind, [column for source, column in mark.columns]
    ('dot', ['x', 'y', 'weight'])
    """
    style = {"size": size, "marker": marker, "fill": fill, "width": width, "alpha": alpha, "angle": angle}
    return _mark("dot", source, {"x": x, "y": y}, role, inks, style, **shared)


def rings(source: str, role: str, x: str = "x", y: str = "y", **style: Any) -> Mark:
    """Hollow markers: `dots` whose line alone is painted.

    >>> from explorer.marks import rings
    >>> mark = rings("points", "kme", size=8)
    >>> mark.kind, mark.inks, mark.style["fill"], mark.style["size"]
    ('dot', ('line',), 0, 8)
    """
    return dots(source, role, x, y, fill=0, inks=("line",), **style)


def circles(
    source: str,
    role: str | Sequence[str],
    x: str = "x",
    y: str = "y",
    radius: str = "radius",
    *,
    width: int = 1,
    dash: str = "solid",
    alpha: float = 1.0,
    fill: float = 0.0,
    inks: Sequence[str] = ("line",),
    **shared: Unpack[Shared],
) -> Mark:
    """A circle about each row, whose radius is a length on the axes; the width of its line in px.

    >>> from explorer.marks import circles
    >>> mark = circles("points", "outlier", radius="reach")
    >>> mark.kind, [column for source, column in mark.columns]
    ('circle', ['x', 'y', 'reach'])
    """
    style = {"width": width, "dash": dash, "alpha": alpha, "fill": fill}
    return _mark("circle", source, {"x": x, "y": y, "radius": radius}, role, inks, style, **shared)


def ellipses(
    source: str,
    role: str,
    x: str = "x",
    y: str = "y",
    across: float | str = "width",
    up: float | str = "height",
    angle: str | float = "angle",
    *,
    width: int = 2,
    dash: str = "solid",
    alpha: float = 1.0,
    fill: float | by = 0.0,
    inks: Sequence[str] = ("line",),
    **shared: Unpack[Shared],
) -> Mark:
    """An ellipse about each row: its whole axes `across` and `up` in units of the picture's, turned by an angle in rad.

    >>> from explorer.marks import ellipses
    >>> mark = ellipses("components", "fkmse", angle=0.0)
    >>> mark.kind, [column for source, column in mark.columns]
    ('ellipse', ['x', 'y', 'width', 'height'])
    """
    channels = {"x": x, "y": y, "across": across, "up": up, "angle": angle}
    style = {"width": width, "dash": dash, "alpha": alpha, "fill": fill}
    return _mark("ellipse", source, channels, role, inks, style, **shared)


def boxes(
    source: str,
    role: str,
    left: int | str = "left",
    right: str = "right",
    bottom: float | str = 0,
    top: float | str = "top",
    *,
    fill: float = 0.4,
    width: float = 1,
    alpha: float = 1.0,
    hatch: Sequence[float | str] | None = None,
    inks: Sequence[str] = ("fill",),
    **shared: Unpack[Shared],
) -> Mark:
    """A rectangle at each row, by its edges on the axes, columns or numbers: the bars of a histogram.

    >>> from explorer.marks import boxes
    >>> mark = boxes("histogram", "kme", top="count", fill=0.5)
    >>> mark.kind, [column for source, column in mark.columns]
    ('box', ['left', 'right', 'count'])
    """
    channels = {"left": left, "right": right, "bottom": bottom, "top": top}
    style = {"fill": fill, "width": width, "alpha": alpha, "hatch": hatch}
    return _mark("box", source, channels, role, inks, style, **shared)


def segments(
    source: str,
    role: str,
    x: int | str = "x",
    y: int | str = "low",
    to_x: str = "x",
    to_y: int | str = "high",
    *,
    width: float = 1,
    dash: str = "solid",
    alpha: float = 1.0,
    **shared: Unpack[Shared],
) -> Mark:
    """A straight line at each row, from one place to another; upright from "low" to "high" unless said otherwise.

    >>> from explorer.marks import strokes
    >>> mark = strokes("intervals", "kme")
    >>> mark.kind, [column for source, column in mark.columns]
    ('stroke', ['x', 'low', 'high'])
    """
    channels, style = {"x": x, "y": y, "to_x": to_x, "to_y": to_y}, {"width": width, "dash": dash, "alpha": alpha}
    return _mark("stroke", source, channels, role, ("line",), style, **shared)


def _moving(shared: Any) -> Any:
    return {"follows_slider": True} | shared


def vertical_lines(
    source: str,
    role: str = "truth",
    x: str = "x",
    *,
    width: float = 1.5,
    dash: str = "solid",
    alpha: float = 0.6,
    **shared: Unpack[Shared],
) -> Mark:
    """A line from the bottom to the top of the picture at each row: by default the one that says where the slider is.

    >>> from explorer.marks import uprights
    >>> mark = uprights("slider")
    >>> mark.kind, mark.columns, mark.follows_slider
    ('upright', (('slider', 'x'),), True)
    """
    style = {"width": width, "dash": dash, "alpha": alpha}
    return _mark("upright", source, {"x": x}, role, ("line",), style, **_moving(shared))


def horizontal_lines(
    source: str,
    role: str,
    y: str = "y",
    *,
    width: float | by = 1.5,
    dash: str = "solid",
    alpha: float = 1.0,
    **shared: Unpack[Shared],
) -> Mark:
    """A line across the whole picture at the height y of each row; width in px.

    >>> from explorer.marks import levels
    >>> mark = levels("thresholds", "harm", y="threshold")
    >>> mark.kind, mark.columns
    ('level', (('thresholds', 'threshold'),))
    """
    style = {"width": width, "dash": dash, "alpha": alpha}
    return _mark("level", source, {"y": y}, role, ("line",), style, **shared)


def bars(
    source: str,
    role: str,
    x: str = "x",
    top: str = "y",
    *,
    breadth: float = 0.6,
    fill: float = 0.7,
    **shared: Unpack[Shared],
) -> Mark:
    """An upright bar at each row, from 0 to the column `top`; its breadth in units of x.

    >>> from explorer.marks import bars
    >>> mark = bars("counts", "kme", x="k", top="count")
    >>> mark.kind, mark.columns
    ('bar', (('counts', 'k'), ('counts', 'count')))
    """
    inks, style = ("fill", "line"), {"breadth": breadth, "fill": fill}
    return _mark("bar", source, {"x": x, "top": top}, role, inks, style, **shared)


def bars_across(
    source: str,
    role: str,
    y: str = "y",
    right: str = "x",
    *,
    breadth: float = 0.6,
    fill: float = 0.7,
    **shared: Unpack[Shared],
) -> Mark:
    """A bar across at each row, from 0 to the column `right`; its breadth in units of y.

    >>> from explorer.marks import bars_across
    >>> mark = bars_across("shares", "fkmse", y="place", right="share")
    >>> mark.kind, mark.columns
    ('bar across', (('shares', 'place'), ('shares', 'share')))
    """
    channels, style = {"y": y, "right": right, "breadth": breadth}, {"fill": fill, "alpha": 0}
    return _mark("bar across", source, channels, role, ("fill",), style, **shared)


def words(
    source: str,
    role: str,
    x: float | str = "x",
    y: float | str = "y",
    text: str = "words",
    *,
    says: str | Callable[..., Any] | None = None,
    px: int = 12,
    dx: int | by = 0,
    dy: int | by = 0,
    align: str | by = "left",
    angle: float | by = 0.0,
    baseline: str = "middle",
    bold: bool = False,
    alpha: float | by = 1.0,
    font: str = "",
    halo: bool = False,
    room: tuple[int, int] | None = None,
    **shared: Unpack[Shared],
) -> Mark:
    """What a column says at each row, or `says`, words or a function of the result; dx, dy px beside it.

    They are in the drawer's font, unless one is given. Those with a `halo` interrupt what they stand on. `room`
    (px, px) is how wide and high a unit of the axes has to be for them: they are left out where it is less.

    >>> from explorer.marks import words
    >>> mark = words("points", "truth", text="name", dx=6)
    >>> mark.kind, [column for source, column in mark.columns]
    ('words', ['x', 'y', 'name'])
    """
    style = {"px": px, "dx": dx, "dy": dy, "align": align, "angle": angle, "baseline": baseline, "bold": bold}
    style |= {"alpha": alpha, "font": font, "halo": halo, "says": says, "room": room}
    channels = {"x": x, "y": y, **({} if says else {"text": text})}
    return _mark("words", source, channels, role, ("text",), style, **shared)


def cells(
    source: str,
    role: str,
    x: str = "x",
    y: str = "y",
    width: float | str = "width",
    height: float | str = "height",
    *,
    fill: float | by = 0.4,
    line: float = 1,
    alpha: float = 0.0,
    hatch: tuple[str, float, int] | None = None,
    inks: Sequence[str] = ("fill",),
    **shared: Unpack[Shared],
) -> Mark:
    """A rectangle at each row, by its centre and its sizes on the axes; its line in px.

    >>> from explorer.marks import by, cells
    >>> mark = cells("table", "kme", width=1, height=1, fill=by("share"))
    >>> mark.kind, [column for source, column in mark.columns]
    ('cell', ['x', 'y', 'share'])
    """
    style = {"fill": fill, "width": line, "alpha": alpha, "hatch": hatch}
    channels = {"x": x, "y": y, "width": width, "height": height}
    return _mark("cell", source, channels, role, inks, style, **shared)


def heatmap(
    source: str,
    x: float = 0,
    y: int = 0,
    dw: float | str = 1,
    dh: float | str = 1,
    *,
    high: float = 1.0,
    gaps: bool = False,
    **shared: Unpack[Shared],
) -> Mark:
    """The column `image`, an array (lines, cells) of numbers from 0 to `high`, in shades from dark to light.

    Its lower left corner and its sizes may be columns; `gaps` says whether it has nan, through which one sees.

    >>> from explorer.marks import shades
    >>> mark = shades("gram", dw=50, dh=50)
    >>> mark.kind, mark.columns, mark.channels["dw"]
    ('shades', (('gram', 'image'),), 50)
    """
    channels = {"image": "image", "x": x, "y": y, "dw": dw, "dh": dh}
    return _mark("shades", source, channels, "", (), {"high": high, "gaps": gaps}, **shared)


def field_of(
    source: str, ground: str, lines: int, role: str = "", *, table: bool = False, **shared: Unpack[Shared]
) -> Mark:
    """A function's signs and sizes as filled contours; or, from 0 to 1, in the shades of a role.

    Its numbers in the cells of so many lines, the first below, are the column `w` of one source; where they lie another
    says, by x, y, dw and dh. A `table` has nothing between its cells, which are drawn as they are.

    >>> from explorer.marks import field_of
    >>> mark = field_of("witness", "ground", lines=40)
    >>> mark.kind, mark.columns[:3]
    ('image', (('witness', 'w'), ('ground', 'x'), ('ground', 'y')))
    """
    style = {"ground": ground, "lines": lines, "table": table}
    return Mark("image", source, {"w": by("w")}, role, (), style, **shared)
