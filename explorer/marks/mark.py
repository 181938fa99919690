"""Marks: the shapes of a picture, as data. A mark names columns, and a picture's numbers contain them.

Each function here creates one kind of mark. `source` is the name of the columns' source. The channels that follow are
names of its columns, or numbers that hold for all rows. `role` is what a colour stands for. Options of all kinds, see
`Shared`, are keyword arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypedDict, Unpack

import numpy as np

from explorer.public_names.retired_names import options
from explorer.types import Matrix, Vector, VectorLike

if TYPE_CHECKING:
    from .axes import Axis

# A mark's label: text, or a function of the result that returns it; a mark without one is in no legend.
Words = str | Callable[[Any], str | None]


# source -> column -> array, text, or a SliderColumn if it changes with the slider
Numbers: TypeAlias = dict[str, dict[str, Any]]


RETIRED = {
    "moves": "follows_slider",
    "kept": "pinned",
    "answer": "is_story_answer",
    "flat": "height_is_decorative",
    "called": "label",
}  # keywords of marks in earlier versions


class Shared(TypedDict, total=False):
    """Options of all kinds of marks.

    Attributes
    ----------
    follows_slider : bool
        Whether it changes with the lab's slider. Such marks are drawn separately, above all others.
    pinned : bool
        Whether it shows a pinned result's numbers.
    is_story_answer : bool
        Whether it answers a story's question, so that it is hidden until the reader has guessed.
    label : str, callable or tuple
        What it stands for, for legend, text description and table; a tuple has one for each row.
    key : str, callable or None
        Its words in the legend, if they are not the label: marks that share them share an entry, and "" has none.
    height_is_decorative : bool
        Whether its height has no meaning.
    hover : mapping of str to str, or None
        Further columns, and their names, that HoloViews shows under the pointer next to the position; None for nothing.
    """

    follows_slider: bool
    pinned: bool
    is_story_answer: bool
    label: Words | tuple[Words, ...]
    key: Words | None
    height_is_decorative: bool
    hover: Mapping[str, str] | None


@dataclass(frozen=True)
class Mark:
    """One kind of shape for each row of a source.

    Parameters
    ----------
    kind : str
        "line", "area", "dot", "circle", "ellipse", "box", "cell", "bar", "bar across", "stroke", "upright", "level",
        "words", "image", "shades" or "mesh".
    source : str
        Name of the source.
    channels : mapping
        Position and size of each row's shape, by name: a column's name, or a number that all rows share.
    role : str or tuple of str
        What its colour stands for. Of several roles a state shows one, its picture's `role(result)`. An image has none,
        because its colours are signs and sizes, unless it is in the shades of a role.
    inks : tuple of str
        What is drawn in the colour of the role, of "line", "fill", "hatch" and "text".
    style : mapping
        How it is drawn, in px and shares: width, dash, alpha, fill, size, marker, hatch, ...
    follows_slider, pinned, is_story_answer, label, key, height_is_decorative, hover : Any
        See `Shared`.
    tip : str, default ""
        The column with the text of each row, which an SVG shows under the pointer.

    Examples
    --------
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
    key: Words | None = None
    height_is_decorative: bool = False
    hover: Mapping[str, str] | None = None
    tip: str = ""

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """All (source, column) that it reads, each once."""
        if self.kind == "image":
            ground = self.style["ground"]
            return ((self.source, "w"), *((ground, name) for name in ("x", "y", "dw", "dh")))
        read = [each for each in (*self.channels.values(), *self.style.values(), self.tip) if isinstance(each, by)]
        return tuple((self.source, str(name)) for name in dict.fromkeys(read))


class by(str):
    """Name of a column, for an argument that would otherwise be one value for all rows.

    Examples
    --------
    >>> from explorer.marks import by, dots
    >>> dots("points", "kme", fill=0.5).columns
    (('points', 'x'), ('points', 'y'))
    >>> dots("points", "kme", fill=by("weight")).columns
    (('points', 'x'), ('points', 'y'), ('points', 'weight'))
    """

    __slots__ = ()


class SliderColumn(NamedTuple):
    """A column that changes with the lab's slider.

    Attributes
    ----------
    values : ndarray of shape (r, length)
        The values at the r stops; a single row holds for all stops.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.marks import SliderColumn
    >>> heights = SliderColumn(np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> heights.at(0).tolist(), heights.at(1).tolist(), SliderColumn.of([5.0, 6.0]).at(1).tolist()
    ([1.0, 2.0], [3.0, 4.0], [6.0])
    """

    values: np.ndarray

    @classmethod
    def of(cls, values: VectorLike) -> Self:
        """Create from one number for each stop, or from rows.

        Parameters
        ----------
        values : array_like of shape (r,) or (r, length)
            The values.

        Returns
        -------
        SliderColumn
            The column.
        """
        values = np.asarray(values, dtype=float)
        return cls(values[:, None] if values.ndim == 1 else values)

    def at(self, row: int) -> Vector:
        """Return the values at a stop, or at the last one if there are fewer.

        Parameters
        ----------
        row : int
            The stop.

        Returns
        -------
        ndarray of shape (length,)
            The values.
        """
        return self.values[min(row, len(self.values) - 1)]


class LazySliderColumn(NamedTuple):
    """A SliderColumn whose rows take long to compute, and are computed on demand.

    Attributes
    ----------
    make : callable
        Takes stops and returns their rows, of shape (len(stops), length).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.marks import LazySliderColumn
    >>> rows = LazySliderColumn(lambda stops: np.outer(np.arange(3)[stops], [1.0, 10.0]))
    >>> rows.at(2).tolist(), rows.values.tolist()
    ([2.0, 20.0], [[0.0, 0.0], [1.0, 10.0], [2.0, 20.0]])
    """

    make: Callable[[Any], np.ndarray]

    @property
    def values(self) -> Matrix:
        """The values at all stops, of shape (r, length)."""
        return self.make(slice(None))

    def at(self, row: int) -> Vector:
        """Return the values at one stop.

        Parameters
        ----------
        row : int
            The stop.

        Returns
        -------
        ndarray of shape (length,)
            The values.
        """
        return self.make([row])[0]


Place = float | Callable[[Any], float]  # a position on an axis: a number, or a function of the result


class ReferenceLine(NamedTuple):
    """A line through the whole picture, at x or at y.

    Attributes
    ----------
    role : str
        The role that gives its colour.
    x, y : float, callable or None
        Its position, one of both.
    style : mapping
        How it is drawn.
    label : str or callable
        What it stands for.

    Examples
    --------
    >>> from explorer.marks import Axis, Picture, ReferenceLine
    >>> from explorer.marks.description import describe_picture
    >>> threshold = ReferenceLine("harm", x=0.25, label="threshold")
    >>> x, y = Axis("MMD²", (0.0, 1.0)), Axis("count", (0.0, 9.0))
    >>> describe_picture(Picture(title="Null distribution", x=x, y=y, background=[threshold]), None)[-1]
    'threshold: MMD² = 0.25.'
    """

    role: str
    x: Place | None = None
    y: Place | None = None
    style: Mapping[str, Any] = {}
    label: Words = ""


class Polyline(NamedTuple):
    """A line through points that do not change.

    Attributes
    ----------
    role : str
        The role that gives its colour.
    x, y : tuple of float
        The points.
    style : mapping
        How it is drawn.
    label : str or callable
        What it stands for.

    Examples
    --------
    >>> from explorer.marks import Axis, Polyline, Picture
    >>> from explorer.marks.description import describe_picture
    >>> diagonal = Polyline("truth", (0.0, 1.0), (0.0, 1.0), label="x = y")
    >>> x, y = Axis("x", (0.0, 1.0)), Axis("y", (0.0, 1.0))
    >>> describe_picture(Picture(title="As many", x=x, y=y, marks=[diagonal]), None)[-1]
    'x = y: x = 0, y = 0; x = 1, y = 1.'
    """

    role: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Mapping[str, Any] = {}
    label: Words = ""


class TextLabel(NamedTuple):
    """Text at a position that does not change.

    Attributes
    ----------
    role : str
        The role that gives its colour.
    x, y : float
        The position.
    text : str
        The text.
    dx, dy : float
        Offset in px to the right and downwards.
    px : int
        Font size in px.
    align, baseline : str
        Which part of the text is at the position.
    font : str
        The font; empty for the backend's default.
    bold : bool
        Whether it is bold.

    Examples
    --------
    >>> from explorer.marks import Axis, Picture, TextLabel
    >>> from explorer.svg import draw_standalone
    >>> mode = TextLabel("truth", 0.5, 0.9, "the mode", bold=True)
    >>> x, y = Axis("x", (0.0, 1.0)), Axis("y", (0.0, 1.0))
    >>> ">the mode</text>" in draw_standalone(Picture(title="A peak", x=x, y=y, marks=[mode]), None)
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
    """Text on the row of a source under the pointer, for the cells of a table with two axes.

    Attributes
    ----------
    source : str
        Name of the source.
    html : str
        The text, with @x, @y and @column for values.
    numbers : tuple of str
        The columns that are numbers.
    names : callable
        Takes the result and returns the names of the values along both axes.

    Examples
    --------
    >>> from explorer.marks import HoverText
    >>> text = HoverText("cells", "@x, @y: @share", ("share",), lambda result: (["n = 10"], ["narrow", "wide"]))
    >>> text.source, text.numbers, text.names(None)[1]
    ('cells', ('share',), ['narrow', 'wide'])
    """

    source: str
    html: str
    numbers: tuple[str, ...]
    names: Callable[[Any], tuple[list[str], list[str]]]


class Box(NamedTuple):
    """A rectangle that does not change, below everything else.

    Attributes
    ----------
    role : str
        The role that gives its colour.
    left, right, bottom, top : float
        Its edges.
    fill, alpha : float
        Opacity of its area and of its outline.
    hatch : tuple or None
        Pattern, weight and distance in px, or None.

    Examples
    --------
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
    """A faint background of a part of the picture, above `bottom` or below `top`.

    Attributes
    ----------
    role : str
        The role that gives its colour.
    bottom, top : float, callable or None
        Its edge, one of both.
    alpha : float
        Its opacity.

    Examples
    --------
    >>> from explorer.marks import Axis, Picture, Band, colour
    >>> from explorer.svg import draw_standalone
    >>> x, y = Axis("λ", (0.0, 1.0)), Axis("loss", (0.0, 2.0))
    >>> losses = Picture(title="Losses", x=x, y=y, background=[Band("harm", bottom=1.0)])
    >>> draw_standalone(losses, None).count(f'fill="{colour("harm")}"')
    1
    """

    role: str
    bottom: Place | None = None
    top: Place | None = None
    alpha: float = 0.07


Marks: TypeAlias = Sequence[Mark | Polyline | TextLabel | Box]  # marks of a picture, the lowest first
Grounds: TypeAlias = Sequence[ReferenceLine | Band]  # backgrounds, below the marks

# The plain average, whose loss is 1, and the band of harm above it.
KME_LINE = ReferenceLine("kme", y=1, style={"width": 2}, label="plain average (KME)")
KME_IS_ONE = (Band("harm", bottom=1), KME_LINE)


def tipped(mark: Mark, column: str = "tip") -> Mark:
    """Return a mark whose rows show a column's text under the pointer in an SVG.

    Parameters
    ----------
    mark : Mark
        The mark.
    column : str, default "tip"
        The column.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import dots, tipped
    >>> mark = tipped(dots("points", "kme"), "name")
    >>> mark.tip, mark.columns[-1]
    ('name', ('points', 'name'))
    """
    return replace(mark, tip=by(column))


def _mark(kind, source, channels, role, inks, style, **shared: Unpack[Shared]):
    """Return a Mark; a channel given as a string is the name of a column, and a number is the same for all rows."""
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
    """Return a line through the points of all rows.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str or sequence of str
        The role that gives its colour.
    x, y : str
        Columns of shape (n,).
    width : float, default 3
        Width in px.
    dash : str, default "solid"
        Dash.
    alpha : float or by, default 1
        Opacity.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import curve
    >>> mark = curve("density", "truth", dash="dashed", label="the true density")
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
    half: str = "",
    **shared: Unpack[Shared],
) -> Mark:
    """Return the area between two heights over x.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    x : str
        Column of shape (n,).
    low, high : float or str
        Numbers, or columns of shape (n,).
    fill : float, default 0.4
        Opacity.
    hatch : tuple or None, default None
        Pattern, weight and distance in px.
    half : str, default ""
        Column of half the height, if the column `y` has the middle: it is then a Spread in HoloViews.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import area
    >>> mark = area("density", "truth", low=0, high="height")
    >>> mark.kind, mark.columns
    ('area', (('density', 'x'), ('density', 'height')))
    """
    inks, style = ("fill", "hatch") if hatch else ("fill",), {"fill": fill, "hatch": hatch, **_about(half)}
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
    """Return a marker at each row.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str or sequence of str
        The role that gives its colour.
    x, y : str
        Columns of the positions.
    size : float or by, default 6
        Size in px, or its column.
    marker : str, default "circle"
        The marker.
    fill : float or by, default 1
        Opacity of its area, or its column.
    width : float, default 1
        Width of its outline in px.
    alpha : float, default 1
        Opacity of its outline.
    angle : float or by, default 0
        Rotation in rad, or its column.
    inks : sequence of str
        What is drawn in the role's colour.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import by, dots
    >>> mark = dots("points", "outlier", size=by("weight"))
    >>> mark.kind, [column for source, column in mark.columns]
    ('dot', ['x', 'y', 'weight'])
    """
    style = {"size": size, "marker": marker, "fill": fill, "width": width, "alpha": alpha, "angle": angle}
    return _mark("dot", source, {"x": x, "y": y}, role, inks, style, **shared)


def rings(source: str, role: str, x: str = "x", y: str = "y", **style: Any) -> Mark:
    """Return a hollow marker at each row: `dots` with an outline only.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    x, y : str
        Columns of the positions.
    **style : Any
        Other arguments of `dots`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    """Return a circle about each row, whose radius is a length on the axes.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str or sequence of str
        The role that gives its colour.
    x, y, radius : str
        Columns of the centres and radii.
    width : int, default 1
        Width of its line in px.
    dash : str, default "solid"
        Dash.
    alpha : float, default 1
        Opacity of its line.
    fill : float, default 0
        Opacity of its area.
    inks : sequence of str
        What is drawn in the role's colour.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    """Return an ellipse about each row.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    x, y : str
        Columns of the centres.
    across, up : float or str
        Whole axes, in units of the picture's axes, or their columns.
    angle : float or str
        Rotation in rad, or its column.
    width : int, default 2
        Width of its line in px.
    dash : str, default "solid"
        Dash.
    alpha : float, default 1
        Opacity of its line.
    fill : float or by, default 0
        Opacity of its area, or its column.
    inks : sequence of str
        What is drawn in the role's colour.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    """Return a rectangle at each row by its edges, such as the bars of a histogram.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    left, right, bottom, top : float or str
        Edges on the axes, or their columns.
    fill : float, default 0.4
        Opacity of its area.
    width : float, default 1
        Width of its outline in px.
    alpha : float, default 1
        Opacity of its outline.
    hatch : sequence or None, default None
        Pattern, weight and distance in px.
    inks : sequence of str
        What is drawn in the role's colour.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    half: str = "",
    **shared: Unpack[Shared],
) -> Mark:
    """Return a straight line at each row from one point to another; by default vertical, from "low" to "high".

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    x, y, to_x, to_y : float or str
        Positions of both ends, or their columns.
    width : float, default 1
        Width in px.
    dash : str, default "solid"
        Dash.
    alpha : float, default 1
        Opacity.
    half : str, default ""
        Column of half the height, if the column `y` has the middle: they are then ErrorBars in HoloViews.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import segments
    >>> mark = segments("intervals", "kme")
    >>> mark.kind, [column for source, column in mark.columns]
    ('stroke', ['x', 'low', 'high'])
    """
    channels = {"x": x, "y": y, "to_x": to_x, "to_y": to_y}
    style = {"width": width, "dash": dash, "alpha": alpha, **_about(half)}
    return _mark("stroke", source, channels, role, ("line",), style, **shared)


def _about(half: str) -> dict[str, by]:
    """Return the style of an interval about the column `y`."""
    return {"middle": by("y"), "half": by(half)} if half else {}


def _moving(shared: Any) -> Any:
    """Return the options of a mark that follows the slider by default."""
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
    """Return a vertical line through the picture at each row; by default it marks the slider's position.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str, default "truth"
        The role that gives its colour.
    x : str
        Column of the positions.
    width : float, default 1.5
        Width in px.
    dash : str, default "solid"
        Dash.
    alpha : float, default 0.6
        Opacity.
    **shared : Any
        See `Shared`; follows the slider unless stated otherwise.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import vertical_lines
    >>> mark = vertical_lines("slider")
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
    """Return a horizontal line through the picture at each row.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    y : str
        Column of the heights.
    width : float or by, default 1.5
        Width in px.
    dash : str, default "solid"
        Dash.
    alpha : float, default 1
        Opacity.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import horizontal_lines
    >>> mark = horizontal_lines("thresholds", "harm", y="threshold")
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
    """Return a vertical bar at each row, from 0 to the column `top`.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    x, top : str
        Columns of the positions and heights.
    breadth : float, default 0.6
        Breadth in units of x.
    fill : float, default 0.7
        Opacity of its area.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    """Return a horizontal bar at each row, from 0 to the column `right`.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    y, right : str
        Columns of the positions and lengths.
    breadth : float, default 0.6
        Breadth in units of y.
    fill : float, default 0.7
        Opacity of its area.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    """Return a text at each row.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    x, y : float or str
        Positions, or their columns.
    text : str, default "words"
        Column of the text.
    says : str, callable or None, default None
        A text for all rows, or a function of the result that returns it.
    px : int, default 12
        Font size in px.
    dx, dy : int or by, default 0
        Offset in px.
    align : str or by, default "left"
        Which part of the text is at the position.
    angle : float or by, default 0
        Rotation in rad.
    baseline : str, default "middle"
        Which part of the text is at the height of the position.
    bold : bool, default False
        Whether it is bold.
    alpha : float or by, default 1
        Opacity.
    font : str, default ""
        The font; empty for the backend's default.
    halo : bool, default False
        Whether the text interrupts what is below it.
    room : tuple of int or None, default None
        Least width and height in px of a unit of the axes; the text is left out if a unit is smaller.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    """Return a rectangle at each row by its centre and sizes on the axes.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role that gives its colour.
    x, y : str
        Columns of the centres.
    width, height : float or str
        Sizes, or their columns.
    fill : float or by, default 0.4
        Opacity of its area.
    line : float, default 1
        Width of its outline in px.
    alpha : float, default 0
        Opacity of its outline.
    hatch : tuple or None, default None
        Pattern, weight and distance in px.
    inks : sequence of str
        What is drawn in the role's colour.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
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
    """Return the column `image`, an array (lines, cells) of numbers, in shades from dark to light.

    Parameters
    ----------
    source : str
        Name of the source.
    x, y : float or str
        Lower left corner, or its column.
    dw, dh : float or str
        Sizes, or their columns.
    high : float, default 1
        The number with the lightest shade; 0 has the darkest.
    gaps : bool, default False
        Whether the image has NaN, which is transparent.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import heatmap
    >>> mark = heatmap("gram", dw=50, dh=50)
    >>> mark.kind, mark.columns, mark.channels["dw"]
    ('shades', (('gram', 'image'),), 50)
    """
    channels = {"image": "image", "x": x, "y": y, "dw": dw, "dh": dh}
    return _mark("shades", source, channels, "", (), {"high": high, "gaps": gaps}, **shared)


def mesh(source: str, role: str, bar: Axis, **shared: Unpack[Shared]) -> Mark:
    """Return the cells of a table in shades of a role, by their edges left, right, bottom and top.

    The column `w` has the values, the lowest line first and its leftmost cell first, and x and y the places of the
    cells.

    Parameters
    ----------
    source : str
        Name of the source.
    role : str
        The role of the shades.
    bar : Axis
        The axis of the shades, from the palest to the darkest.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import Axis, mesh
    >>> mark = mesh("losses", "kme", Axis("loss", (0.0, 2.0)))
    >>> mark.kind, [column for source, column in mark.columns]
    ('mesh', ['left', 'right', 'bottom', 'top', 'w', 'x', 'y'])
    """
    channels = {name: name for name in ("left", "right", "bottom", "top", "w", "x", "y")}
    return _mark("mesh", source, channels, role, ("fill",), {"bar": bar}, **shared)


def field_of(
    source: str,
    ground: str,
    lines: int,
    role: str = "",
    *,
    table: bool = False,
    bar: Axis | None = None,
    **shared: Unpack[Shared],
) -> Mark:
    """Return a function's signs and sizes as filled contours, or values from 0 to 1 in the shades of a role.

    Parameters
    ----------
    source : str
        Source of the column `w`, the values in the cells, the lowest line first.
    ground : str
        Source of the position, the columns x, y, dw and dh.
    lines : int
        Number of lines of cells.
    role : str, default ""
        The role of the shades; empty for signs and sizes.
    table : bool, default False
        Whether there is nothing between the cells, so that they are drawn without contours.
    bar : Axis or None, default None
        The axis of the values, if these are not shares of the largest magnitude, which is its upper end. HoloViews then
        draws an image with a colour bar.
    **shared : Any
        See `Shared`.

    Returns
    -------
    Mark
        The mark.

    Examples
    --------
    >>> from explorer.marks import field_of
    >>> mark = field_of("witness", "ground", lines=40)
    >>> mark.kind, mark.columns[:3]
    ('image', (('witness', 'w'), ('ground', 'x'), ('ground', 'y')))
    """
    style = {"ground": ground, "lines": lines, "table": table, "bar": bar}
    return _mark("image", source, {"w": "w"}, role, (), style, **shared)
