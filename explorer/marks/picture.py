"""Pictures: marks, the numbers that they draw, and axes, independent of the backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from operator import attrgetter
from typing import Any, Self, TypeAlias

import numpy as np

from explorer.languages import translate
from explorer.printing import join_list
from explorer.types import Matrix, Vector

from .axes import Axis
from .mark import Grounds, HoverText, LazySliderColumn, Mark, Numbers, SliderColumn

MOVING = (SliderColumn, LazySliderColumn)
# source -> column -> array or SliderColumn; a source that is None or left out is empty, and None has no source at all
Sources: TypeAlias = Mapping[str, Mapping[str, Any] | None] | None
Sides: TypeAlias = tuple[Axis, Axis]
UNIT = Axis("", (0.0, 1.0))
SUBCLASS = (
    "{} is a subclass of Picture, but a picture is a value now. Write @Picture(title=..., x=..., y=..., marks=(...))"
    " above a function of the result that returns what the method numbers returned; CHANGELOG.md lists the names."
)
UNREAD = (
    "The picture {} has the source {}, which nothing reads; it reads {}. Correct the name, or list the source and its"
    " columns in undrawn=, if a script or a drag handle reads it."
)
MISSHAPEN = (
    "The picture {} has a SliderColumn of shape {} as the column {} of its source {}; it must have two dimensions, with"
    " a row for each of the {} stops of the slider (and one for an automatic value), or one row for all."
    " SliderColumn.of makes it of one number for each stop."
)
LACKING = "The picture {} has no column {} in its source {}, which {} reads; the source has {}. Correct the name."


@dataclass(frozen=True, eq=False)
class Picture:
    """Declarative description of a picture: its marks and axes, and the function that computes its sources.

    A picture with these options is written above that function, as a decorator. Its name is then the function's.
    Marks draw the columns of sources. A column is an array, or a `SliderColumn` if it changes with the lab's slider.
    A source that the function leaves out or that is None is empty, and so are all of them if it returns None. A source
    that nothing reads, or one without a column that is read, is a ValueError once the picture has numbers.

    Parameters
    ----------
    name : str, default ""
        Its name in the layout of a page and in links.
    marks : sequence
        The marks, the lowest first, Polylines and TextLabels among them.
    background : sequence
        What lies below the marks: ReferenceLines and Bands.
    sources : callable or None, default None
        Takes the result and returns source -> column -> array. Of a picture with a stage it also takes the stage's
        value.
    at_row : callable or None, default None
        Takes the result and a row of the slider and returns the columns at that row, equally long in every row. It is
        for rows that take long to compute: only the browser's table needs all of them.
    pinned : callable or None, default None
        Takes a pinned result and returns the sources of the marks that are `pinned`.
    undrawn : mapping of str to sequence of str
        The columns of each source that no mark draws, but that scripts or a page's drag handles read.
    title : str or callable, default ""
        The title, or a function of the result that returns it.
    x, y : Axis
        The axes; those of the whole picture if `sides` is None.
    sides : callable or None, default None
        Takes the result (and the stage's value) and returns both axes. It is called only if there is something to draw.
    when : callable or None, default None
        Takes the result and returns whether its state has something to draw. If not, the picture is hidden, and all
        its sources are empty. None if every state has.
    choice : str or sequence of str, default ()
        The values of the lab's field `picture` for which it is visible. By default all.
    slot : str, default ""
        Place in the layout; of the pictures in one slot one is visible. By default its name.
    stage : str, default ""
        The stage of the result that the picture is drawn of. Until its value is available all sources are empty.
    placeholder : callable or None, default None
        Takes the result and returns the sources until the stage is available.
    deferred : str, default ""
        A deferred stage that is a part of what is drawn; until it is available, the picture is dimmed.
    height : int, default 300
        Height in px.
    left_margin : int or None, default None
        Width in px left free at its left; None for as much as its axis needs.
    legend : bool, default True
        Whether the page shows its legend.
    slider_line : str, default ""
        The source of the vertical line at the slider's position.
    table_is_complete : bool, default True
        Whether the browser's table contains everything that the slider changes in it.
    role : callable or None, default None
        Takes the result and returns the role of marks with several roles; None for that of the result's estimate.
    description : callable or None, default None
        Takes the result and returns sentences that need knowledge of the field, which a description of the marks does
        not contain.
    hover : HoverText or None, default None
        Text on what is under the pointer.
    scripts : sequence of str, default ()
        Names of further behaviour, of the scripts that a backend may have.

    Examples
    --------
    >>> from explorer.marks import Axis, Picture, bars
    >>> from explorer.marks.description import describe_picture
    >>> from explorer.svg import draw_standalone
    >>> @Picture(
    ...     title="Votes",
    ...     x=Axis("party", (0.0, 3.0), {1: "A", 2: "B"}),
    ...     y=Axis("votes", (0.0, 6.0)),
    ...     marks=(bars("votes", "kme", label="votes"),),
    ... )
    ... def counts(result):
    ...     return {"votes": {"x": [1.0, 2.0], "y": [3.0, 5.0]}}
    >>> counts.name, describe_picture(counts, None)
    ('counts', ['Votes.', 'Across: party, A, B.', 'Up: votes, from 0 to 6.', 'votes: 3 at A; 5 at B.'])
    >>> draw_standalone(counts, None).startswith("<svg")
    True
    """

    name: str = ""
    _: KW_ONLY
    marks: Sequence[Any] = ()
    background: Grounds = ()
    sources: Callable[..., Sources] | None = None
    at_row: Callable[[Any, int], Sources] | None = None
    pinned: Callable[[Any], Sources] | None = None
    undrawn: Mapping[str, Sequence[str]] = field(default_factory=dict)
    title: str | Callable[[Any], str] = ""
    x: Axis = UNIT
    y: Axis = UNIT
    sides: Callable[..., Sides] | None = None
    when: Callable[[Any], bool] | None = None
    choice: str | Sequence[str] = ()
    slot: str = ""
    stage: str = ""
    placeholder: Callable[[Any], Sources] | None = None
    deferred: str = ""
    height: int = 300
    left_margin: int | None = None
    legend: bool = True
    slider_line: str = ""
    table_is_complete: bool = True
    role: Callable[[Any], str] | None = None
    description: Callable[[Any], str] | None = None
    hover: HoverText | None = None
    scripts: Sequence[str] = ()

    def _derive(self, **values: Any) -> None:
        """Set fields that follow from others, in `__post_init__` of a kind of pictures."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "numbers" in vars(cls):
            raise TypeError(SUBCLASS.format(cls.__name__))

    def __call__(self, sources: Callable[..., Sources]) -> Self:
        """Return the picture of the sources that a function computes, with the function's name unless it has one.

        Parameters
        ----------
        sources : callable
            The function.

        Returns
        -------
        Picture
            The picture.
        """
        return replace(self, name=self.name or sources.__name__, sources=sources)

    # What a kind of pictures may compute in another way ---------------------------------------------------------------

    def compute(self, result: Any, *value: Any) -> Sources:
        """Return the sources, of a result that has something to draw.

        Parameters
        ----------
        result : Result
            The result.
        *value : Any
            The value of the stage, if the picture has one.

        Returns
        -------
        dict or None
            Source -> column -> array or SliderColumn.
        """
        return self.sources(result, *value) if self.sources else None

    def compute_pinned(self, result: Any) -> Sources:
        """Return the sources of the marks that are `pinned`, of a pinned result.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict or None
            Source -> column -> array.
        """
        return self.pinned(result) if self.pinned else None

    def fit(self, result: Any, *value: Any) -> Sides:
        """Return the axes x and y, of a result that has something to draw.

        Parameters
        ----------
        result : Result
            The result.
        *value : Any
            The value of the stage, if the picture has one.

        Returns
        -------
        tuple of Axis
            The axes.
        """
        return self.sides(result, *value) if self.sides else (self.x, self.y)

    def title_of(self, result: Any) -> str:
        """Return the title, of a result that has something to draw.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        str
            The title.
        """
        return _text(self.title, result)

    def is_selected(self, result: Any) -> bool:
        """Return whether the lab's field `picture` selects the picture.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if it does, or if the picture has no `choice`.
        """
        return not self.choice or result.lab.picture in self.choices

    # What follows from these ------------------------------------------------------------------------------------------

    @property
    def choices(self) -> Sequence[str]:
        """The values of the lab's field `picture` for which it is visible."""
        if isinstance(self.choice, str):
            return (self.choice,) if self.choice else ()
        return self.choice

    def data_marks(self) -> list[Mark]:
        """Return the marks that draw columns, without those that do not change.

        Returns
        -------
        list of Mark
            The marks.
        """
        return [each for each in self.marks if isinstance(each, Mark)]

    def has_content(self, result: Any) -> bool:
        """Return whether the state has something to draw.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if it does, or if the picture has no `when`.
        """
        return self.when is None or self.when(result)

    def is_visible(self, result: Any) -> bool:
        """Return whether the state shows the picture.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if it is selected and has something to draw.
        """
        return self.is_selected(result) and self.has_content(result)

    def axes(self, result: Any) -> tuple[str, Axis, Axis]:
        """Return (title, x, y) for a result.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple
            The title and both axes.
        """
        if not self.has_content(result):
            return self.title if isinstance(self.title, str) else "", self.x, self.y
        value = self._value(result)
        sides = (self.x, self.y) if value is None else self.fit(result, *value)
        return self.title_of(result), *sides

    def translated_axes(self, result: Any) -> tuple[str, Axis, Axis]:
        """Return `axes` in the current language.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple
            The title and both axes.
        """
        title, x, y = self.axes(result)
        return translate(title), x.translated(), y.translated()

    def role_of(self, result: Any) -> str:
        """Return the role of marks with several roles.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        str
            The role.
        """
        return self.role(result) if self.role else result.role

    def description_of(self, result: Any) -> str:
        """Return sentences that need knowledge of the field.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        str
            The sentences, or "" if there are none.
        """
        return self.description(result) if self.description else ""

    def waits(self, result: Any) -> bool:
        """Return whether the deferred stage that it draws is still to be computed.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if it is pending.
        """
        stage = self.stage or self.deferred
        return bool(stage) and stage in result.pending()

    def why_not(self, result: Any) -> str:
        """Return why the deferred stage that it draws cannot be computed at this state.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        str
            Empty if it was not refused.
        """
        stage = self.stage or self.deferred
        return result.why_not(stage) if stage else ""

    def columns(self, result: Any) -> Numbers:
        """Return source -> column -> array of what does not change with the slider.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict
            The numbers.
        """
        return {
            source: {name: each for name, each in columns.items() if not isinstance(each, MOVING)}
            for source, columns in self._numbers(result).items()
        }

    def table(self, result: Any) -> dict[tuple[str, str], Matrix]:
        """Return (source, column) -> rows of what changes with the slider.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict of tuple to ndarray of shape (r, length)
            The rows.
        """
        if self.at_row and self.has_content(result):
            rows = [self.at(result, row) for row in range(len(result.stops))]
            return {key: np.array([row[key] for row in rows]) for key in rows[0]}
        return {key: each.values for key, each in self._moving(result)}

    def at(self, result: Any, row: int) -> dict[tuple[str, str], Vector]:
        """Return one row of the table.

        Parameters
        ----------
        result : Result
            The result.
        row : int
            The row.

        Returns
        -------
        dict of tuple to ndarray of shape (length,)
            (source, column) -> values.
        """
        if self.at_row and self.has_content(result):
            moved = self.at_row(result, row) or {}
            return {(source, name): each for source, columns in moved.items() for name, each in (columns or {}).items()}
        return {key: each.at(row) for key, each in self._moving(result)}

    def data(self, result: Any) -> Numbers:
        """Return source -> column -> array of everything that is drawn of a result.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict
            The numbers.
        """
        if self.at_row and self.has_content(result):
            found: dict[str, Any] = dict(self.compute(result) or {})
            for (source, name), each in self.at(result, result.row).items():
                found[source] = {**(found.get(source) or {}), name: each}
            return self._filled(found)
        return {
            source: {name: each.at(result.row) if isinstance(each, MOVING) else each for name, each in columns.items()}
            for source, columns in self._numbers(result).items()
        }

    def slider_columns(self, result: Any) -> list[tuple[str, str]]:
        """Return (source, column) of what may change with the slider: all columns of sources that are empty so far.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        list of tuple
            The columns.
        """
        found = {} if self.at_row and self.has_content(result) else self._numbers(result)
        empty = {
            (source, name): None
            for source, columns in found.items()
            if not any(isinstance(each, MOVING) or len(each) for each in columns.values())
            for name in columns
        }
        return list(dict.fromkeys(self.at(result, result.row)) | empty)

    def pinned_data(self, result: Any) -> Numbers:
        """Return source -> column -> array of a pinned result, or empty columns for None.

        Parameters
        ----------
        result : Result or None
            The pinned result.

        Returns
        -------
        dict
            The numbers.
        """
        there = result is not None and self.has_content(result) and self._value(result) is not None
        return self._filled(self.compute_pinned(result) if there else None, pinned=True)

    def _value(self, result):
        """Return the arguments after the result: none or the stage's value; or None while that is not available."""
        if not self.stage:
            return ()
        value = getattr(result, self.stage)
        return None if value is None else (value,)

    def _numbers(self, result):
        """Return source -> column -> array or SliderColumn; empty columns of what there is not."""
        found = None
        if self.has_content(result):
            value = self._value(result)
            if value is not None:
                found = self.compute(result, *value)
            elif self.placeholder:
                found = self.placeholder(result)
        self._check_rows(result, found or {})
        return self._filled(found, complete=not self.at_row)

    def _check_rows(self, result, sources):
        """Raise a ValueError if a SliderColumn has neither one row nor one for each stop and for an automatic value."""
        stops = len(getattr(result, "stops", ())) or 1
        for source, columns in sources.items():
            for name, each in (columns or {}).items():
                if isinstance(each, SliderColumn):
                    shape = np.shape(each.values)
                    if len(shape) != 2 or shape[0] not in (1, stops, stops + 1):
                        raise ValueError(MISSHAPEN.format(self.name, shape, repr(name), repr(source), stops))

    def _moving(self, result):
        """Return ((source, column), SliderColumn) of what changes with the slider."""
        return [
            ((source, name), each)
            for source, columns in self._numbers(result).items()
            for name, each in columns.items()
            if isinstance(each, MOVING)
        ]

    def _filled(self, found, pinned=False, complete=True):
        """Return sources with empty columns for those that are None or left out.

        Raises
        ------
        ValueError
            If nothing reads a source or, if sources are `complete`, one lacks a column that is read.
        """
        readers: dict[str, dict[str, str]] = {}  # source -> column -> what reads it
        for mark in self.data_marks():
            if mark.pinned == pinned:
                for source, name in mark.columns:
                    readers.setdefault(source, {}).setdefault(name, f"the mark {mark.kind!r}")
        if not pinned:
            for source, names in self.undrawn.items():
                readers.setdefault(source, {}).update(dict.fromkeys(names, "undrawn="))
            if self.hover:
                names = dict.fromkeys(("x", "y", *self.hover.numbers), "the hover text")
                readers[self.hover.source] = names | readers.get(self.hover.source, {})
        filled = dict(found or {})
        for source, columns in filled.items():
            if source not in readers:
                raise ValueError(UNREAD.format(self.name, repr(source), _quoted(readers)))
            if columns is None or not complete:
                continue
            for name, reader in readers[source].items():
                if name not in columns:
                    raise ValueError(LACKING.format(self.name, repr(name), repr(source), reader, _quoted(columns)))
        for source, names in readers.items():
            if filled.get(source) is None:
                filled[source] = dict.fromkeys(names, np.zeros(0))
        return filled


def _quoted(names):
    """Return names as a list for a sentence."""
    return join_list(map(repr, names)) or "none"


def _text(text, result):
    """Return a text, or what a function of the result returns."""
    return text(result) if callable(text) else text


@dataclass(frozen=True, eq=False)
class SecondaryPicture(Picture):
    """A picture that shares a slot with others: it is visible while the lab's field `picture` is its `choice`.

    By default its choice is its name.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from explorer.marks import SecondaryPicture
    >>> ranks = SecondaryPicture("ranks")
    >>> [ranks.is_visible(SimpleNamespace(lab=SimpleNamespace(picture=name))) for name in ("ranks", "none")]
    [True, False]
    """

    slot: str = "small"

    def is_selected(self, result: Any) -> bool:
        return result.lab.picture in (self.choices or (self.name,))


@dataclass(frozen=True, eq=False)
class ContentPicture(Picture):
    """A picture whose result has its content: `numbers`, the axes `x` and `y`, and perhaps a `title`.

    The function below it makes the content, and not the sources.

    Parameters
    ----------
    of : callable or None, default None
        The function.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from explorer.marks import Axis, curve
    >>> from explorer.marks.picture import ContentPicture
    >>> @ContentPicture(marks=(curve("line", "truth"),))
    ... def line(length):
    ...     axis = Axis("", (0.0, length))
    ...     return SimpleNamespace(numbers={"line": {"x": [0.0, length], "y": [0.0, length]}}, x=axis, y=axis)
    >>> line.data(line.of(2.0))["line"]["x"]
    [0.0, 2.0]
    """

    of: Any = None

    def __call__(self, sources: Callable[..., Any]) -> Self:
        return replace(self, name=self.name or sources.__name__, of=sources)

    def compute(self, result: Any, *value: Any) -> Sources:
        return result.numbers

    def fit(self, result: Any, *value: Any) -> Sides:
        return result.x, result.y

    def title_of(self, result: Any) -> str:
        return getattr(result, "title", "")


def padded(values: Sequence[float] | Vector, length: int) -> Vector:
    """Return values followed by NaN up to a length, so that all rows of a table are equally long.

    Parameters
    ----------
    values : array_like
        The values.
    length : int
        The length.

    Returns
    -------
    ndarray of shape (length,)
        The values.
    """
    return np.append(values, np.full(length - len(values), np.nan))


# half side of the frame at least, and how far ticks of a wide frame go beyond it, relative to a square
ROOM, WIDER = 1.06, 1.5
FRAME, QUANTITIES = attrgetter("frame"), attrgetter("quantities")


@dataclass(frozen=True, eq=False)
class PlanePicture(Picture):
    """A picture of the plane of a sample's first two coordinates.

    A unit has the same length in both directions: the backend widens the range of one of its sides.

    Parameters
    ----------
    frame : callable
        Takes the result and returns the square that is visible: its centre (x, y) and half side. By default the
        result's `frame`.
    wide : float, default 1
        Half width of what is visible, in half sides of the square, which may be wider than high.
    quantities : callable
        Takes the result and returns the columns along the axes. By default the result's `quantities`.

    Examples
    --------
    >>> from explorer.datasets.columns.quantity import Quantity
    >>> from explorer.marks import PlanePicture
    >>> plane = PlanePicture(
    ...     title="The sample",
    ...     frame=lambda result: (0.0, 0.0, 2.0),
    ...     quantities=lambda result: (Quantity("height"), Quantity("weight")),
    ... )
    >>> title, x, y = plane.axes(None)
    >>> x.range, y.range, x.full_label
    ((-2.12, 2.12), (-2.12, 2.12), 'height')
    """

    frame: Callable[[Any], tuple[float, float, float]] = FRAME
    wide: float = 1.0
    quantities: Callable[[Any], Sequence[Any]] = QUANTITIES

    def fit(self, result: Any, *value: Any) -> Sides:
        cx, cy, half = self.frame(result)
        quantities = self.quantities(result)
        sides = []
        for place, (axis, centre, reach, most) in enumerate(((self.x, cx, self.wide, 3), (self.y, cy, 1.0, 4))):
            ends = centre - ROOM * reach * half, centre + ROOM * reach * half
            axis = axis._replace(range=ends, most=most, beyond=WIDER)
            if place < len(quantities):
                axis = axis._replace(column=quantities[place], inner=(centre - half, centre + half))
            elif quantities:
                axis = axis._replace(label="(one coordinate only)")
            sides.append(axis)
        x, y = sides
        return x, y
