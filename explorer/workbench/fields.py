"""Fields that several labs share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.datasets import load
from explorer.languages import message, translate, translate_plural
from explorer.parameters import Choice, Flag, LogNumber, Text, Whole
from explorer.printing import short_name

from .lab import Lab
from .stages import derived

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet

    from .result import Result


BUNDLED = message(("wine", "wdbc"))  # tables that come with the package
TABLES = (*BUNDLED, "file")  # sources that are tables, without a known true distribution


def tables(own: str) -> dict[str, str]:
    """Return the choices of a menu of tables: the bundled ones, then the user's own.

    Parameters
    ----------
    own : str
        Label of the user's table.

    Returns
    -------
    dict of str to str
        The field's value by label.
    """
    return {**dict(zip(BUNDLED, BUNDLED, strict=True)), own: "file"}


def seed_field(default: int = 1, doc: str = "seed of the sample; one seed is one sample", **options: Any) -> int:
    """Return the field of a lab's random seed.

    Parameters
    ----------
    default : int, default 1
        Its default.
    doc : str
        Its documentation.
    **options : Any
        Other slots of the parameter, such as another `symbol` and `label`.

    Returns
    -------
    Whole
        The field, from 0 to 2**32 - 1.
    """
    if "symbol" not in options:
        options = {"symbol": "seed", "label": "seed", **options}
    return Whole(default, bounds=(0, 2**32 - 1), doc=doc, **options)


def level_field(doc: str) -> str:
    """Return the field of the level of a lab's tests.

    Parameters
    ----------
    doc : str
        What the level bounds, such as "how often they may reject by chance".

    Returns
    -------
    Choice
        The field; `TestsAtLevel.alpha` is its number.
    """
    return Choice(default="0.05", objects=["0.01", "0.05", "0.1"], doc=f"level of the {doc}", label="level")


def size_field(
    default: int, most: int, doc: str, least: int = 2, symbol: str = "n", label: str = "n points", **options: Any
) -> int:
    """Return the field of a sample's number of points or pairs; its slider goes from 5 to 400.

    Parameters
    ----------
    default : int
        Its default.
    most : int
        Upper bound.
    doc : str
        Its documentation.
    least : int, default 2
        Lower bound.
    symbol : str, default "n"
        Its symbol in messages.
    label : str, default "n points"
        Label of its control.
    **options : Any
        Other slots of the parameter, such as `when`.

    Returns
    -------
    Whole
        The field.
    """
    return Whole(default, bounds=(least, most), softbounds=(5, 400), symbol=symbol, label=label, doc=doc, **options)


def dimension_field(default: int = 2, most: int = 100, **options: Any) -> int:
    """Return the field of a point's number of coordinates.

    Parameters
    ----------
    default : int, default 2
        Its default.
    most : int, default 100
        Upper bound.
    **options : Any
        Other slots of the parameter, such as `step`.

    Returns
    -------
    Whole
        The field, from 1 on.
    """
    limits = {"bounds": (1, most), "softbounds": (1, most)}
    return Whole(default, symbol="d", label="d coordinates", doc="coordinates of a point", **limits, **options)


def df_field(when: Callable[[Any], object] | None = None) -> float:
    """Return the field of a t distribution's degrees of freedom.

    Parameters
    ----------
    when : callable or None, default None
        Called with a result; returns whether the field has an effect.

    Returns
    -------
    LogNumber
        The field, from 0.1 to 1000.
    """
    return LogNumber(
        3.0,
        bounds=(0.1, 1e3),
        softbounds=(1, 100),
        symbol="ν",
        label="ν degrees of freedom",
        doc="degrees of freedom of Student's t: the fewer, the heavier its tails",
        when=when,
    )


def samples_field(doc: str = "more samples of the distribution, for the bands and the win rate") -> int:
    """Return the field of the number of additional samples, which are drawn when the user pauses.

    Presets do not set this field.

    Parameters
    ----------
    doc : str
        Its documentation.

    Returns
    -------
    Whole
        The field, from 0 to 1000.
    """
    return Whole(0, bounds=(0, 1000), doc=doc)


def outliers_field(doc: str, label: str, default: int = 0, most: int = 30) -> int:
    """Return the field of the number of outliers.

    Parameters
    ----------
    doc : str
        Its documentation.
    label : str
        Label of its control.
    default : int, default 0
        Its default.
    most : int, default 30
        Largest number on its slider.

    Returns
    -------
    Whole
        The field, from 0 to 1000.
    """
    return Whole(default, bounds=(0, 1000), softbounds=(0, most), symbol="outliers", doc=doc, label=label)


def permutations_field(doc: str) -> str:
    """Return the field of the number of permutations of a test.

    Parameters
    ----------
    doc : str
        Its documentation.

    Returns
    -------
    Choice
        The field; `PermutationTests.resamples` is its number.
    """
    return Choice(default="999", objects=["199", "999", "9999"], doc=doc, label="permutations")


def distance_field(default: float, doc: str, label: str) -> float:
    """Return the field of the outliers' distance, in standard deviations.

    Parameters
    ----------
    default : float
        Its default.
    doc : str
        Its documentation.
    label : str
        Label of its control.

    Returns
    -------
    LogNumber
        The field.
    """
    return LogNumber(
        default,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(2, 2000),
        unit="sd",
        symbol="distance",
        label=label,
        doc=doc,
    )


def picture_field(*pictures: str, **called: str) -> str:
    """Return the field that selects one of the pictures that share a slot.

    Parameters
    ----------
    *pictures : str
        Their names in links, the default first.
    **called : str
        Labels of those whose label differs from the name.

    Returns
    -------
    Choice
        The field.
    """
    words = {called.get(name, name): name for name in pictures}
    return Choice(default=pictures[0], objects=words, label="picture", doc="the small picture that is shown")


class TestsAtLevel(Lab):
    """A lab with a `level_field`."""

    if TYPE_CHECKING:

        def _declared(self) -> None:  # each subclass has this field with its own text
            self.level: str

    @property
    def alpha(self) -> float:
        """The level as a number."""
        return float(self.level)


class PermutationTests(TestsAtLevel):
    """A lab with a `level_field` and a `permutations_field`."""

    if TYPE_CHECKING:

        def _permuted(self) -> None:  # each subclass has this field with its own text
            self.permutations: str

    @property
    def resamples(self) -> int:
        """The number of permutations as an integer."""
        return int(self.permutations)


class UserTableReading(Lab):
    """A lab whose user tables may be read leniently or as a Gram matrix, as `read_table` does on request.

    Parameters
    ----------
    lenient : bool, default False
        Whether the table is read with decimal commas and the like.
    gram : bool, default False
        Whether the table is a Gram matrix, whose coordinates are computed.
    """

    if TYPE_CHECKING:

        def _declared(self) -> None:  # fields that labs with such data have, each with its own limits
            self.source: str
            self.laws: str
            self.kernel: str
            self.n: int
            self.m: int
            self.seed: int
            self.bandwidth: float
            self.x: str

        def the_law(self) -> Any: ...

    lenient: bool = Flag(default=False, doc="whether your own table is read with decimal commas and the like")
    gram: bool = Flag(default=False, doc="whether your own table is a Gram matrix, whose coordinates are computed")

    @derived
    def known_by_gram(self) -> bool:
        """True if points are known only by the user's Gram matrix."""
        return self.gram and getattr(self, self.taken_from) == "file"


class SecondTable(Lab):
    """A lab that may take a second table of the user: that of Q, or y's Gram matrix.

    Parameters
    ----------
    file2 : str, default ""
        Name of the second file.
    rows2 : int, default 0
        Its number of rows.
    hash2 : str, default ""
        Its SHA-256.
    """

    file2: str = Text(default="", doc="the name of your second table, where Q, or y, has a file of its own")
    rows2: int = Whole(0, bounds=(0, None), doc="rows of your second table")
    hash2: str = Text(default="", doc="SHA-256 of your second table")


def draws(result: Result[Any]) -> bool:
    """Return whether another seed draws another sample.

    Parameters
    ----------
    result : Result
        A result of the lab.

    Returns
    -------
    bool
        False if the sample is a whole table.
    """
    return not result.lab.whole


def absent(lab: Any) -> Refusal:
    """Return the Refusal of a state whose user tables this session does not have.

    Parameters
    ----------
    lab : Lab
        The lab at that state.

    Returns
    -------
    Refusal
        Names the file and asks the user to choose it.
    """
    asked = (
        translate_plural("the table {} ({} row)", "the table {} ({} rows)", lab.rows, short_name(lab.file), lab.rows)
        if lab.file
        else translate("a table of your own")
    )
    if getattr(lab, "hash2", ""):
        asked += translate_plural(" and {} ({} row)", " and {} ({} rows)", lab.rows2, short_name(lab.file2), lab.rows2)
    return Refusal("This page shows {}, which stays with its owner: choose the file under Your data.", asked)


def listed(text: str, name: str = "x") -> list[str]:
    """Parse the names of columns in a field.

    Parameters
    ----------
    text : str
        A JSON list; empty for no names.
    name : str, default "x"
        Name of the field in the message.

    Returns
    -------
    list of str
        The names.

    Raises
    ------
    Refusal
        If the text is not a list of different names.
    """
    try:
        names = json.loads(text) if text else []
        good = isinstance(names, list) and all(isinstance(n, str) for n in names) and len(set(names)) == len(names)
    except ValueError:
        names, good = [], False
    if not good:
        raise Refusal('{} must be like ["height", "weight"], names of different columns, not {!r}.', name, text[:60])
    return names


class Names(Text):
    """A field with the names of columns, a JSON list; a text that is none is refused."""

    __slots__ = []

    def _validate(self, val):
        super()._validate(val)
        listed(val, str(self.name))


class UserTable(UserTableReading):
    """A lab whose sample may be rows of a bundled table, or of a table of the user that stays in the session.

    Parameters
    ----------
    lenient : bool, default False
        Whether the table is read with decimal commas and the like.
    gram : bool, default False
        Whether the table is a Gram matrix, whose coordinates are computed.
    file : str, default ""
        Name of the user's file.
    rows : int, default 0
        Its number of rows.
    hash : str, default ""
        Its SHA-256.
    columns : str, default ""
        JSON list of the columns that are used; empty for all numeric ones.
    missing : {"refuse", "drop"}, default "refuse"
        Treatment of rows with missing values.
    standardise : bool, default True
        Whether columns are scaled to mean 0 and variance 1.
    """

    file: str = Text(default="", doc="name of your own table; the data stay in the session")
    rows: int = Whole(0, bounds=(0, None), doc="rows of your own table")
    hash: str = Text(default="", doc="SHA-256 of your own table")
    columns: str = Names(default="", doc="the columns taken of your own table, a JSON list; empty is all numeric ones")
    missing: str = Choice(default="refuse", objects=["refuse", "drop"], doc="rows with missing values")
    standardise: bool = Flag(default=True, doc="whether a table's columns are scaled to mean 0 and variance 1")

    taken_as = "columns"  # the argument of `read_table` that `columns` sets

    @property
    def table(self) -> None:
        """The user's table, or None."""
        return self.own

    @table.setter
    def table(self, table: DataSet) -> None:
        self.own = table

    @derived
    def toy(self) -> str | None:
        """Name of the source whose distribution is known, or None for a table."""
        return None if self.source in TABLES else self.source

    @derived
    def named(self) -> tuple[Any, ...]:
        """Identity of the user's table: its hash and the fields that determine how the file is read."""
        return self.hash, self.columns, self.missing, self.standardise, self.lenient, self.gram

    @property
    def table_name(self) -> str:
        """Name of the table that the source names: a bundled one, or the user's file."""
        return self.file if self.source == "file" else self.source

    @property
    def whole(self) -> bool:
        """True if all rows of the user's table are drawn, so that another seed draws the same ones."""
        return getattr(self, self.taken_from) == "file" and self.own is not None and self.n == self.own.n

    def fitting(self) -> dict[str, Any]:
        """Return the fields that the user's table limits: n is at most its number of rows.

        Returns
        -------
        dict of str to Any
            The field n.
        """
        return {"n": min(self.n, self.own.n)}

    def rows_there(self) -> dict[str, int]:
        """Return the number of rows of the source's table, by the field that it limits.

        Returns
        -------
        dict of str to int
            The number of rows for n.
        """
        return {"n": self.the_table().n}

    def the_table(self) -> DataSet:
        """Return the table that the source names: a bundled one, or the user's if its hash is that of the field.

        Returns
        -------
        DataSet
            The table.

        Raises
        ------
        Refusal
            If this session does not have the user's table.
        """
        if self.source in BUNDLED:
            data = load(self.source)
            return data.standardised() if self.standardise else data
        table, (asked, *_) = self.own, self.named
        if table is None or table.hash != asked:
            raise absent(self)
        return table
