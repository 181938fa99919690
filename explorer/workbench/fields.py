"""Fields that several labs have, declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.datasets import load
from explorer.parameters import Choice, Flag, LogNumber, Text, Whole
from explorer.printing import short_name

from .lab import Lab
from .stages import derived

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet

    from .result import Result


BUNDLED = ("wine", "wdbc")  # tables that come with the package


def tables(own: str) -> dict[str, str]:
    """The words of a menu for the bundled tables, and for one of one's own."""
    return {**dict(zip(BUNDLED, BUNDLED, strict=True)), own: "file"}


def seed_field(default: int = 1, doc: str = "seed of the sample; one seed is one sample", **options: str) -> int:
    """The seed of a lab's sample, or of what else has a symbol."""
    if "symbol" not in options:
        options = {"symbol": "seed", "label": "seed", **options}
    return Whole(default, bounds=(0, 2**32 - 1), doc=doc, **options)


def size_field(default: int, most: int, doc: str, least: int = 2, symbol: str = "n", label: str = "n points") -> int:
    """How many points or pairs a sample has; its slider goes from 5 to 400."""
    return Whole(default, bounds=(least, most), softbounds=(5, 400), symbol=symbol, label=label, doc=doc)


def dimension_field() -> int:
    """How many coordinates a point has."""
    return Whole(
        2, bounds=(1, 100), softbounds=(1, 100), symbol="d", label="d coordinates", doc="coordinates of a point"
    )


def df_field() -> float:
    """The degrees of freedom of a t distribution."""
    return LogNumber(
        3.0,
        bounds=(0.1, 1e3),
        softbounds=(1, 100),
        symbol="ν",
        label="ν degrees of freedom",
        doc="degrees of freedom of Student's t: the fewer, the heavier its tails",
    )


def samples_field(doc: str = "more samples of the distribution, for the bands and the win rate") -> int:
    """How many more samples are drawn once the controls rest; no preset speaks of it."""
    return Whole(0, bounds=(0, 1000), doc=doc)


def distance_field(default: float, doc: str, label: str) -> float:
    """How far away outliers lie, in standard deviations."""
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
    """Which of the pictures that share one place is shown; some are called otherwise than a link calls them."""
    words = {called.get(name, name): name for name in pictures}
    return Choice(default=pictures[0], objects=words, label="picture", doc="the small picture that is shown")


class UserTableReading(Lab):
    """A lab whose own tables may be read as `read_table` reads them where it is asked to."""

    if TYPE_CHECKING:

        def _declared(self) -> None:  # fields that labs with such data have, each with limits of its own
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
    gram: bool = Flag(default=False, doc="whether your own table is a Gram matrix, of which coordinates are taken")

    @derived
    def known_by_gram(self) -> bool:
        """Whether points are known by a Gram matrix of one's own alone."""
        return self.gram and getattr(self, self.taken_from) == "file"


class SecondTable(Lab):
    """A lab that may take a second table of one's own: that of Q, or y's Gram matrix."""

    file2: str = Text(default="", doc="the name of your second table, where Q, or y, has a file of its own")
    rows2: int = Whole(0, bounds=(0, None), doc="rows of your second table")
    hash2: str = Text(default="", doc="SHA-256 of your second table")


def draws(result: Result[Any]) -> bool:
    """Whether another seed draws another sample."""
    return not result.lab.whole


def absent(lab: Any) -> Refusal:
    """The Refusal of a state whose own tables the session does not have."""
    asked = f"the table {short_name(lab.file)} ({lab.rows} rows)" if lab.file else "a table of your own"
    if getattr(lab, "hash2", ""):
        asked += f" and {short_name(lab.file2)} ({lab.rows2} rows)"
    return Refusal(f"This page shows {asked}, which stays with its owner: choose the file under Your data.")


class UserTable(UserTableReading):
    """A lab whose sample may be rows of a bundled table, or of a table of one's own that stays in the session."""

    file: str = Text(default="", doc="name of your own table; the data stay in the session")
    rows: int = Whole(0, bounds=(0, None), doc="rows of your own table")
    hash: str = Text(default="", doc="SHA-256 of your own table")
    columns: str = Text(default="", doc="the columns taken of your own table, a JSON list; empty is all numeric ones")
    missing: str = Choice(default="refuse", objects=["refuse", "drop"], doc="rows with missing values")
    standardise: bool = Flag(default=True, doc="whether a table's columns are scaled to mean 0 and variance 1")

    taken_as = "columns"  # the argument of `read_table` that takes what `columns` names

    @property
    def table(self) -> None:
        """The table of one's own, or None."""
        return self.own

    @table.setter
    def table(self, table: DataSet) -> None:
        self.own = table

    @derived
    def named(self) -> tuple[Any, ...]:
        """The fields that name a table of one's own: other columns of one file are another table."""
        return self.hash, self.columns, self.missing, self.standardise, self.lenient, self.gram

    @property
    def table_name(self) -> str:
        """The name of the table that the source names: that of a bundled one, or of the user's file."""
        return self.file if self.source == "file" else self.source

    @property
    def whole(self) -> bool:
        """Whether all rows of one's own table are drawn, so that another seed draws the same ones."""
        return getattr(self, self.taken_from) == "file" and self.own is not None and self.n == self.own.n

    def fitting(self) -> dict[str, Any]:
        """No more points than one's own table has."""
        return {"n": min(self.n, self.own.n)}

    def rows_there(self) -> dict[str, int]:
        """How many rows the source's table has."""
        return {"n": self.the_table().n}

    def the_table(self) -> DataSet:
        """The table that the source names: a bundled one, or one's own where its hash is the field's."""
        if self.source in BUNDLED:
            data = load(self.source)
            return data.standardised() if self.standardise else data
        table, (asked, *_) = self.own, self.named
        if table is None or table.hash != asked:
            raise absent(self)
        return table
