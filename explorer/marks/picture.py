"""What a picture is: its marks, the numbers that they draw, and its axes, whoever draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from explorer.languages import translate
from explorer.retired_names import adopt
from explorer.types import Matrix, Vector

from .axes import Axis
from .mark import LazySliderColumn, Mark, Numbers, SliderColumn

MOVING = (SliderColumn, LazySliderColumn)


class Picture:
    """A picture as data: nothing of it is drawn here, and none is ever made; its class says all.

    A subclass gives `name`, `marks`, from below to above, a Path or what is Said among them, perhaps `grounds` below
    them (Rules and Tints), the axes `x` and `y`, its `title` and `height` (px), and `numbers(result)`, source -> column
    -> array, or Rows where it moves with the lab's slider. What depends on the result: `axes(result)`, the title among
    them, and `pinned(result)`, the numbers of a pinned one; `seen(result)` says whether the state shows the picture.

    Of a picture of one `stage` of the result `numbers(result, value)` is asked for once that is there; until then its
    columns are empty, or what `nothing_yet(result)` gives, and `moving` names those that will move, as in "image w".

    place    pictures of one place stand there in turns
    heading  what it is called where its title tells a hand what to do
    upright  the source whose vertical line stands where the lab's slider does
    legend   whether the page's legend has its called marks
    late     the late stage that is drawn, if one is: until that is there the picture steps back
    answers  whether its table knows all that the slider changes in it
    left     px that stay free at its left, None for as many as its axis takes
    told     what is told of what a hand points at, a Told
    scripts  names of what else happens in it, of those scripts that whoever draws it may have

    >>> from explorer.marks import Axis, Picture, bars
    >>> from explorer.marks.description import described
    >>> from explorer.svg import drawn_alone
    >>> class Counts(Picture):
    ...     title, marks = "Votes", [bars("votes", "kme", called="votes")]
    ...     x, y = Axis("party", (0.0, 3.0), {1: "A", 2: "B"}), Axis("votes", (0.0, 6.0))
    ...     numbers = classmethod(lambda cls, result: {"votes": {"x": [1.0, 2.0], "y": [3.0, 5.0]}})
    >>> described(Counts, None)
    ['Votes.', 'Across: party, A, B.', 'Up: votes, from 0 to 6.', 'votes: 3 at A; 5 at B.']
    >>> drawn_alone(Counts, None).startswith("<svg")
    True
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
    # what a description of its marks does not say, in sentences of those who know the field: nothing
    says: ClassVar[Callable[[Any], str]] = staticmethod(lambda result: "")

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        adopt(cls, {"seen": "is_visible", "told": "hover"})

    @classmethod
    def numbers(cls, result: Any, *value: Any, **named: Any) -> Numbers:
        """source -> column -> array or Rows."""
        raise NotImplementedError

    @classmethod
    def nothing_yet(cls, result: Any) -> Numbers:
        """What is drawn while the stage is not there: nothing."""
        return {}

    @classmethod
    def pinned(cls, result: Any) -> Numbers:
        """source -> column -> array, of the marks that are `kept`."""
        return {}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        """(title, x, y), as they are for a result."""
        return cls.title, cls.x, cls.y

    @classmethod
    def axes_said(cls, result: Any) -> tuple[str, Axis, Axis]:
        """`axes` in the language that is spoken."""
        title, x, y = cls.axes(result)
        return translate(title), x.translated(), y.translated()

    @classmethod
    def called(cls, result: Any) -> str:
        """What it is called where its title tells a hand what to do."""
        return cls.heading

    @classmethod
    def is_visible(cls, result: Any) -> bool:
        """Always, unless a picture says otherwise."""
        return True

    @classmethod
    def role(cls, result: Any) -> str:
        """Which colour the marks of several have: that of the result's estimate."""
        return result.role

    @classmethod
    def drawn(cls) -> list[Mark]:
        """The marks that draw columns, and not what stays."""
        return [each for each in cls.marks if isinstance(each, Mark)]

    # what follows from these ------------------------------------------------------------------------------------------

    @classmethod
    def waits(cls, result: Any) -> bool:
        """Whether the late stage that it draws is still to be computed."""
        stage = cls.stage or cls.late
        return bool(stage) and stage in result.pending()

    @classmethod
    def why_not(cls, result: Any) -> str:
        """Return why the late stage that it draws cannot be computed at this state; empty if it was not refused."""
        stage = cls.stage or cls.late
        return result.why_not(stage) if stage else ""

    @classmethod
    def columns(cls, result: Any) -> Numbers:
        """Source -> column -> array, of what stays while the slider moves."""
        return {
            source: {name: each for name, each in columns.items() if not isinstance(each, MOVING)}
            for source, columns in cls._all(result).items()
        }

    @classmethod
    def table(cls, result: Any) -> dict[tuple[str, str], Matrix]:
        """(source, column) -> rows (r, length), of what moves with the slider."""
        return {
            (source, name): each.values
            for source, columns in cls._all(result).items()
            for name, each in columns.items()
            if isinstance(each, MOVING)
        }

    @classmethod
    def at(cls, result: Any, row: int) -> dict[tuple[str, str], Vector]:
        """One row of the table, (source, column) -> (length,)."""
        return {
            (source, name): each.at(row)
            for source, columns in cls._all(result).items()
            for name, each in columns.items()
            if isinstance(each, MOVING)
        }

    @classmethod
    def data(cls, result: Any) -> Numbers:
        """Source -> column -> array, of all that is drawn of a result."""
        return {
            source: {name: each.at(result.row) if isinstance(each, MOVING) else each for name, each in columns.items()}
            for source, columns in cls._all(result).items()
        }

    @classmethod
    def kept(cls, result: Any) -> Numbers:
        """Source -> column -> array of a pinned result, or of nothing for None."""
        empty = cls._empty(kept=True)
        return empty if result is None or not empty else cls.pinned(result)

    @classmethod
    def _all(cls, result):
        """What `numbers` gives, or empty columns while the stage is not there."""
        if not cls.stage:
            return cls.numbers(result)
        value = getattr(result, cls.stage)
        if value is not None:
            return cls.numbers(result, value)
        empty = cls._empty(kept=False)
        for source, *names in map(str.split, filter(None, cls.moving.split(";"))):
            empty.setdefault(source, {}).update({name: SliderColumn(np.zeros((1, 0))) for name in names})
        for source, columns in cls.nothing_yet(result).items():
            empty[source] = empty.get(source, {}) | columns
        return empty

    @classmethod
    def _empty(cls, kept):
        """source -> column -> nothing, of all marks."""
        empty = {}
        for mark in cls.drawn():
            if mark.pinned == kept:
                for source, name in mark.columns:
                    empty.setdefault(source, {})[name] = np.zeros(0)
        return empty


class RowwisePicture(Picture):
    """A picture whose rows take time: `moved(result, row)` makes one, and only a table for the browser needs them all.

    `numbers(result)` gives what stays while the slider moves.

    >>> import numpy as np
    >>> from explorer.marks import RowByRow, curve
    >>> class Powers(RowByRow):
    ...     marks = [curve("powers", "truth")]
    ...     numbers = classmethod(lambda cls, result: {"powers": {"x": np.array([1.0, 2.0])}})
    ...     moved = classmethod(lambda cls, result, row: {"powers": {"y": np.array([1.0, 2.0]) ** row}})
    >>> {names: values.tolist() for names, values in Powers.at(None, 3).items()}
    {('powers', 'y'): [1.0, 8.0]}
    """

    @classmethod
    def numbers(cls, result: Any, *value: Any, **named: Any) -> Numbers:
        return {}

    @classmethod
    def moved(cls, result: Any, row: int) -> Numbers:
        """source -> column -> array at a row of the slider, as long in every row."""
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
    """A picture that shares one place with others: it is there while the lab's field `picture` has its name.

    `beside` is the name of another picture where this one comes and goes with that. It explains itself by its title and
    by words beside its marks.

    >>> from types import SimpleNamespace
    >>> from explorer.marks import Small
    >>> class Ranks(Small):
    ...     name = "ranks"
    >>> [Ranks.is_visible(SimpleNamespace(lab=SimpleNamespace(picture=shown))) for shown in ("ranks", "none")]
    [True, False]
    """

    place = "small"
    beside: ClassVar[str] = ""
    legend = False

    @classmethod
    def is_visible(cls, result: Any) -> bool:
        return result.lab.picture == (cls.beside or cls.name)


def padded(values: Sequence[float] | Vector, length: int) -> Vector:
    """Values followed by nan, so many that every row of a table is as long."""
    return np.append(values, np.full(length - len(values), np.nan))


ROOM, WIDER = 1.06, 1.5  # of a square: how far its frame goes at least, and how far a wide one may go beyond it


class PlanePicture(Picture):
    """A picture of the plane of a sample's first two coordinates.

    `frame(result)` is the square that is seen, its centre and half side, `quantities(result)` the columns along it. One
    unit is as long in both directions: whoever draws it widens the range of one of its `sides`.

    >>> from explorer.datasets.columns.quantity import Quantity
    >>> from explorer.marks import OverPlane
    >>> class Plane(OverPlane):
    ...     title = "The sample"
    ...     frame = classmethod(lambda cls, result: (0.0, 0.0, 2.0))
    ...     quantities = classmethod(lambda cls, result: (Quantity("height"), Quantity("weight")))
    >>> title, x, y = Plane.axes(None)
    >>> x.range, y.range, x.full_label
    ((-2.12, 2.12), (-2.12, 2.12), 'height')
    """

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        return cls.title, *cls.sides(result)

    @classmethod
    def sides(cls, result: Any) -> tuple[Axis, Axis]:
        """(x, y), the axes about the square, under the first two of a sample's columns."""
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
        """(x, y, half side) of the square that is seen."""
        return result.frame

    @classmethod
    def quantities(cls, result: Any) -> tuple[Any, ...]:
        """The columns along both axes; none where the state does not show the picture."""
        return result.quantities
