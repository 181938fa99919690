"""State of the Drift lab: a series, the change in it and its place, a kernel, and the interval between looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from explorer.datasets import DRIFTS
from explorer.parameters import Choice, Flag, LogNumber, Real, Text, Whole
from explorer.workbench import derived
from explorer.workbench.conditions import having
from explorer.workbench.fields import (
    TestsAtLevel,
    UserTable,
    level_field,
    picture_field,
    samples_field,
    seed_field,
    tables,
)
from explorer.workbench.kernels import bandwidth_field, has_bandwidth, kernel_field

if TYPE_CHECKING:
    from explorer.changes.scanning import Null


KERNELS = ("RBF", "LAP", "LIN", "POLY2", "distance")
LEAST = 20  # the fewest rows of a series
STEP = 0.025  # share of the series from one stop of the break to the next
BREAKS = [round(i * STEP, 10) for i in range(41)]
TABLED = 400  # up to this many rows, every stop of the break has a row in the tables
SIDE = 5  # the fewest rows on either side of a split
PART = 3  # the reference is the first of this many parts of the series


class DriftLab(TestsAtLevel, UserTable):
    """Rows in order of time with a change, the scan that looks for it, and two watchers of the stream.

    `at` is the share of the rows before the break. The first third of the rows is the reference. Both watchers see the
    rows
    after it one by one.
    """

    slider = "at"
    default_stops: ClassVar[Sequence[float]] = BREAKS
    aside: ClassVar[tuple[str, ...]] = ("samples", "picture", "several")
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    picture: str = picture_field(
        "looks", "wealth", "plane", looks="repeated t tests", wealth="betting test", plane="before and after"
    )
    source: str = Choice(
        default="normal",
        objects={
            "independent Gaussian rows": "normal",
            "rows with heavy tails": "heavy",
            "autocorrelated rows": "memory",
            **tables("your table"),
        },
        doc="what the rows are drawn from",
        label="rows from",
    )
    n: int = Whole(
        300, bounds=(LEAST, 2000), softbounds=(LEAST, 400), symbol="n", doc="rows of the series", label="n rows"
    )
    at: float = Real(
        0.5,
        bounds=(0, 1),
        softbounds=(0, 1),
        step=STEP,
        symbol="break",
        doc="the share of the rows before the break",
        label="break at (share of rows)",
        when=having(changes=True),
    )
    kind: str = Choice(
        default="shift",
        objects=dict(
            zip(("nothing", "a shift", "a wider spread", "dependence alone", "a slow drift"), DRIFTS, strict=True)
        ),
        doc="what changes",
        label="what changes",
    )
    size: float = LogNumber(
        1.0,
        bounds=(1e-3, 100),
        softbounds=(0.1, 5),
        symbol="size",
        doc="size of the change, in standard deviations of the first column",
        label="size of the change",
        when=having(changes=True),
    )
    kernel: str = kernel_field("kernel: the similarity of two rows", KERNELS)
    bandwidth: float = bandwidth_field(1.0, when=has_bandwidth)
    null: Null = Choice(
        default="permutation",
        objects={"permutations": "permutation", "circular shifts": "shift", "what the rows need": "auto"},
        doc="how the rows are reordered: in any order, with the end moved to the front, or by days or blocks if"
        " neighbouring rows are alike",
        label="reorder rows by",
    )
    level: str = level_field("tests: how often they may raise a false alarm")
    every: int = Whole(
        10,
        bounds=(2, 1000),
        softbounds=(2, 60),
        symbol="rows per t test",
        doc="rows from one t test to the next",
        label="rows per t test",
    )
    seed: int = seed_field(3, "seed of the series and of the tests")
    time: str = Text(
        default="", doc="the column of your own table whose dates order its rows; empty is the file's order"
    )
    several: bool = Flag(
        default=False, doc="whether the scan searches for several breaks, if nothing is made to change"
    )
    samples: int = samples_field("the number of series without a change that are watched too")

    @derived
    def named(self) -> tuple[Any, ...]:
        """Return the fields that identify a table of the user's: rows in another order are another table."""
        return self.hash, self.columns, self.missing, self.standardise, self.lenient, self.gram, self.time

    @derived
    def changes(self) -> bool:
        """Return whether anything is made to change."""
        return self.kind != "none"

    @derived
    def tabled(self) -> bool:
        """Return whether every stop of the break gets a row, once the page is idle."""
        return self.changes and self.n <= TABLED

    @derived
    def start(self) -> int:
        """Return the first watched row: those before it are the reference."""
        return self.n // PART

    def row_at(self, at: float) -> int:
        """Return the first row after a break, counted from 0."""
        return round(at * self.n)

    def fitting(self) -> dict[str, Any]:
        """Return fields that fit the user's table: at most its rows, at least LEAST, and no change made in them."""
        fields = super().fitting()
        return {**fields, "n": max(LEAST, fields["n"]), "kind": "none"}
