"""Pictures: marks, the numbers that they draw, and axes, independent of the backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from explorer.languages import translate
from explorer.types import Matrix, Vector

from .axes import Axis
from .mark import LazySliderColumn, Mark, Numbers, SliderColumn

MOVING = (SliderColumn, LazySliderColumn)


class _NewNames(type):
    """The names of values for pictures that are classes."""

    background: Any = property(lambda cls: cls.grounds)
    slot: Any = property(lambda cls: cls.place)
    deferred: Any = property(lambda cls: cls.late)
    slider_line: Any = property(lambda cls: cls.upright)
    table_is_complete: Any = property(lambda cls: cls.answers)
    left_margin: Any = property(lambda cls: cls.left)
    description_of: Any = property(lambda cls: cls.says)
    role_of: Any = property(lambda cls: cls.role)
    choices: Any = property(lambda cls: (getattr(cls, "beside", ""),))
    translated_axes: Any = property(lambda cls: cls.axes_said)
    heading_of: Any = property(lambda cls: lambda result: translate(cls.called(result)))
    has_content: Any = property(lambda cls: lambda result: True)
    data_marks: Any = property(lambda cls: cls.drawn)
    slider_columns: Any = property(lambda cls: lambda result: list(cls.at(result, result.row)))


class Picture(metaclass=_NewNames):
    """Declarative description of a picture. It is never instantiated: the class attributes say everything.

    A subclass has `name`; `marks`, the lowest first, Polylines and TextLabels among them; perhaps `grounds` below them
    (ReferenceLines and Bands); the axes `x` and `y`; `title`; `height` in px; and `numbers(result)`, source -> column
    -> array, or SliderColumn if it changes with the lab's slider. What depends on the result: `axes(result)`, with the
    title, and `pinned(result)`, the numbers of a pinned one; `is_visible(result)` says whether the state shows the
    picture.

    A picture of one `stage` of the result gets `numbers(result, value)` once the stage is available. Until then its
    columns are empty, or those of `nothing_yet(result)`, and `moving` names those that will change, as in "image w".

    Attributes
    ----------
    place : str
        Slot: of the pictures in one slot one is shown.
    heading : str
        Title of a picture that cannot be dragged, if `title` says what to drag.
    upright : str
        The source of the vertical line at the slider's position.
    legend : bool
        Whether the page's legend has its labelled marks.
    late : str
        The deferred stage that is drawn, if any; until it is available the picture is dimmed.
    answers : bool
        Whether its table contains everything that the slider changes in it.
    left : int or None
        Width in px left free at its left; None for as much as its axis needs.
    hover : HoverText or None
        Text on what is under the pointer.
    scripts : sequence of str
        Names of further behaviour, of the scripts that a backend may have.
    """

    name: ClassVar[str] = ""
    place: ClassVar[str] = ""
    heading: ClassVar[str] = ""
    upright: ClassVar[str] = ""
    late: ClassVar[str] = ""
    stage: ClassVar[str] = ""
    moving: ClassVar[str] = ""
    title: ClassVar[str] = ""
    legend: ClassVar[bool] = True
    answers: ClassVar[bool] = True
    marks: ClassVar[Sequence[Any]] = ()
    grounds: ClassVar[Sequence[Any]] = ()
    scripts: ClassVar[Sequence[str]] = ()
    height: ClassVar[int] = 300
    left: ClassVar[int | None] = None
    hover: ClassVar[Any] = None
    x: ClassVar[Axis] = Axis("", (0.0, 1.0))
    y: ClassVar[Axis] = Axis("", (0.0, 1.0))
    # Sentences that need knowledge of the field, which a description of the marks does not contain.
    says: ClassVar[Callable[[Any], str]] = staticmethod(lambda result: "")

    @classmethod
    def numbers(cls, result: Any, *value: Any, **named: Any) -> Numbers:
        """Return source -> column -> array or SliderColumn.

        Parameters
        ----------
        result : Result
            The result.
        *value : Any
            The value of the stage, if the picture has one.
        **named : Any
            Options of a subclass.

        Returns
        -------
        dict
            The numbers.
        """
        raise NotImplementedError

    @classmethod
    def nothing_yet(cls, result: Any) -> Numbers:
        """Return what is drawn while the stage is not available.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict
            The numbers; empty by default.
        """
        return {}

    @classmethod
    def pinned(cls, result: Any) -> Numbers:
        """Return source -> column -> array of the marks that are `pinned`.

        Parameters
        ----------
        result : Result
            The pinned result.

        Returns
        -------
        dict
            The numbers.
        """
        return {}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
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
        return cls.title, cls.x, cls.y

    @classmethod
    def axes_said(cls, result: Any) -> tuple[str, Axis, Axis]:
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
        title, x, y = cls.axes(result)
        return translate(title), x.translated(), y.translated()

    @classmethod
    def called(cls, result: Any) -> str:
        """Return the title of the picture where it cannot be dragged.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        str
            The title.
        """
        return cls.heading

    @classmethod
    def is_visible(cls, result: Any) -> bool:
        """Return whether the state shows the picture; by default always.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if it does.
        """
        return True

    @classmethod
    def role(cls, result: Any) -> str:
        """Return the role of marks with several roles: that of the result's estimate.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        str
            The role.
        """
        return result.role

    @classmethod
    def drawn(cls) -> list[Mark]:
        """Return the marks that draw columns, without those that do not change.

        Returns
        -------
        list of Mark
            The marks.
        """
        return [each for each in cls.marks if isinstance(each, Mark)]

    # What follows from these ------------------------------------------------------------------------------------------

    @classmethod
    def waits(cls, result: Any) -> bool:
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
        stage = cls.stage or cls.late
        return bool(stage) and stage in result.pending()

    @classmethod
    def why_not(cls, result: Any) -> str:
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
        stage = cls.stage or cls.late
        return result.why_not(stage) if stage else ""

    @classmethod
    def columns(cls, result: Any) -> Numbers:
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
            for source, columns in cls._all(result).items()
        }

    @classmethod
    def table(cls, result: Any) -> dict[tuple[str, str], Matrix]:
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
        return {
            (source, name): each.values
            for source, columns in cls._all(result).items()
            for name, each in columns.items()
            if isinstance(each, MOVING)
        }

    @classmethod
    def at(cls, result: Any, row: int) -> dict[tuple[str, str], Vector]:
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
        return {
            (source, name): each.at(row)
            for source, columns in cls._all(result).items()
            for name, each in columns.items()
            if isinstance(each, MOVING)
        }

    @classmethod
    def data(cls, result: Any) -> Numbers:
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
        return {
            source: {name: each.at(result.row) if isinstance(each, MOVING) else each for name, each in columns.items()}
            for source, columns in cls._all(result).items()
        }

    @classmethod
    def pinned_data(cls, result: Any) -> Numbers:
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
        empty = cls._empty(pinned=True)
        return empty if result is None or not empty else cls.pinned(result)

    @classmethod
    def _all(cls, result):
        """Return `numbers`, or empty columns while the stage is not available."""
        if not cls.stage:
            return cls.numbers(result)
        value = getattr(result, cls.stage)
        if value is not None:
            return cls.numbers(result, value)
        empty = cls._empty(pinned=False)
        for source, *names in map(str.split, filter(None, cls.moving.split(";"))):
            empty.setdefault(source, {}).update({name: SliderColumn(np.zeros((1, 0))) for name in names})
        for source, columns in cls.nothing_yet(result).items():
            empty[source] = empty.get(source, {}) | columns
        return empty

    @classmethod
    def _empty(cls, pinned):
        """Return source -> column -> empty array of all marks."""
        empty = {}
        for mark in cls.drawn():
            if mark.pinned == pinned:
                for source, name in mark.columns:
                    empty.setdefault(source, {})[name] = np.zeros(0)
        return empty


class RowwisePicture(Picture):
    """A picture whose rows take long to compute: `moved(result, row)` computes one, only the browser's table needs all.

    `numbers(result)` returns what does not change with the slider.
    """

    @classmethod
    def numbers(cls, result: Any, *value: Any, **named: Any) -> Numbers:
        """Return what does not change with the slider; nothing by default.

        Parameters
        ----------
        result : Result
            The result.
        *value : Any
            The value of the stage, if the picture has one.
        **named : Any
            Options of a subclass.

        Returns
        -------
        dict
            Source -> column -> array.
        """
        return {}

    @classmethod
    def moved(cls, result: Any, row: int) -> Numbers:
        """Return source -> column -> array at a row of the slider, equally long in every row.

        Parameters
        ----------
        result : Result
            The result.
        row : int
            The row.

        Returns
        -------
        dict
            The numbers.
        """
        raise NotImplementedError

    @classmethod
    def at(cls, result: Any, row: int) -> dict[tuple[str, str], Vector]:
        moved = cls.moved(result, row)
        return {(source, name): each for source, columns in moved.items() for name, each in columns.items()}

    @classmethod
    def table(cls, result: Any) -> dict[tuple[str, str], Matrix]:
        rows = [cls.at(result, row) for row in range(len(result.stops))]
        return {key: np.array([row[key] for row in rows]) for key in rows[0]}

    @classmethod
    def data(cls, result: Any) -> Numbers:
        data = {source: dict(columns) for source, columns in cls.numbers(result).items()}
        for source, columns in cls.moved(result, result.row).items():
            data[source] = data.get(source, {}) | columns
        return data


class SecondaryPicture(Picture):
    """A picture that shares a slot with others: it is visible while the lab's field `picture` has its name.

    `beside` is the name of another picture, if this one appears together with that one. Its title and text next to its
    marks explain it, so it has no legend.
    """

    place = "small"
    beside: ClassVar[str] = ""
    legend = False

    @classmethod
    def is_visible(cls, result: Any) -> bool:
        return result.lab.picture == (cls.beside or cls.name)


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


class PlanePicture(Picture):
    """A picture of the plane of a sample's first two coordinates.

    `frame(result)` is the square that is visible, its centre and half side; `quantities(result)` are the columns along
    it. A unit has the same length in both directions: the backend widens the range of one of its `sides`.
    """

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        return cls.title, *cls.sides(result)

    @classmethod
    def sides(cls, result: Any) -> tuple[Axis, Axis]:
        """Return the axes around the square, for the first two columns of a sample.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple of Axis
            x and y.
        """
        cx, cy, half = cls.frame(result)
        quantities = cls.quantities(result)
        sides = []
        for place, (axis, centre, most) in enumerate(((cls.x, cx, 3), (cls.y, cy, 4))):
            axis = axis._replace(range=(centre - ROOM * half, centre + ROOM * half), most=most, beyond=WIDER)
            if place < len(quantities):
                axis = axis._replace(column=quantities[place], inner=(centre - half, centre + half))
            elif quantities:
                axis = axis._replace(label="(one coordinate only)")
            sides.append(axis)
        return tuple(sides)

    @classmethod
    def frame(cls, result: Any) -> tuple[float, float, float]:
        """Return centre (x, y) and half side of the visible square.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple of float
            The square.
        """
        return result.frame

    @classmethod
    def quantities(cls, result: Any) -> tuple[Any, ...]:
        """Return the columns along both axes; none if the state does not show the picture.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple of Quantity
            The columns.
        """
        return result.quantities
