"""State of the causes lab: three variables, the arrows between them, and the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from explorer.checks import Refusal, truncate
from explorer.checks import join_list as in_a_sentence
from explorer.datasets import CAUSES
from explorer.datasets.toys.causal import ARROWS
from explorer.parameters import Choice, LogNumber, Real, Text, Whole
from explorer.printing import plural
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
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.slider_stops import log_steps

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet


BANDWIDTHS = log_steps(0.05, 2)
TABLED = 200  # largest number of rows for which every bandwidth gets a row
LEAST = 10  # smallest number of rows of a sample
COLUMNS = ("column_x", "column_y", "column_z")
USUAL = {  # table -> its default columns for x, y and z
    "wine": ("total_phenols", "proline", "flavanoids"),
    "wdbc": ("mean_texture", "mean_concave_points", "mean_concavity"),
}
SYMMETRIC = (("line", "normal"),)  # effects and distributions that do not identify the direction


class CausesLab(TestsAtLevel, UserTable):
    """Rows of x, y and z, and a question: x and y given z, all three jointly, or the direction between x and y.

    The bandwidth is in units of a variable's median distance. It is used for the regressions on z, or on x and y. In
    the joint test it is used for the kernels of all three variables.
    """

    slider = "bandwidth"
    default_stops: ClassVar[Sequence[float]] = BANDWIDTHS
    aside: ClassVar[tuple[str, ...]] = ("samples", "picture")
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(COLUMNS, ("source", "hash", "columns", "missing"))
    picture: str = picture_field("arrows", "level", level="many samples")
    asks: str = Choice(
        default="given",
        objects={"x and y given z": "given", "all three jointly": "joint", "x → y or y → x": "direction"},
        doc="the question about the variables",
        label="question",
    )
    source: str = Choice(
        default="fork",
        objects={
            **dict(
                zip(
                    (
                        "fork x ← z → y",
                        "chain x → z → y",
                        "collider x → z ← y",
                        "arrow x → y, z independent",
                        "z = sign of xy",
                        "no arrows",
                    ),
                    CAUSES,
                    strict=True,
                )
            ),
            **tables("your table"),
        },
        doc="what the rows are drawn from",
        label="rows from",
    )
    effect: str = Choice(
        default="sine",
        objects={"a line": "line", "tanh(2u)": "bend", "a square": "square", "a sine": "sine"},
        doc="how a cause enters its effect",
        label="effect of a cause",
        when=having(toy=True),
    )
    frequency: float = LogNumber(
        2.0,
        bounds=(0.1, 100),
        softbounds=(1, 12.5),
        symbol="ω",
        doc="frequency of the sine, sin(ω u)",
        label="ω of the sine",
        when=having(toy=True, effect="sine"),
    )
    noise: float = LogNumber(
        0.63,
        bounds=(0, 1e3),
        softbounds=(0.05, 2),
        symbol="noise",
        doc="standard deviation of the noise that is added to an effect",
        label="noise of an effect",
        when=having(toy=True),
    )
    direct: float = Real(
        0.0,
        bounds=(-10, 10),
        softbounds=(0, 1),
        step=0.1,
        symbol="direct",
        doc="the multiple of x that is added to y: a direct arrow",
        label="added arrow x → y",
        when=having(toy=True),
    )
    law: str = Choice(
        default="normal",
        objects={"Gaussian": "normal", "uniform": "uniform"},
        doc="the distribution of causes and noises",
        label="causes and noises",
        when=having(toy=True),
    )
    n: int = Whole(
        120, bounds=(LEAST, 1000), softbounds=(LEAST, 400), symbol="n", doc="rows of the sample", label="n rows"
    )
    bandwidth: float = bandwidth_field(0.4, softbounds=(BANDWIDTHS[0], BANDWIDTHS[-1]))
    level: str = level_field("tests: how often they may reject by chance")
    column_x: str = Text(default="", doc="the column of a table that is x; empty is the default column", label="x")
    column_y: str = Text(default="", doc="the column of a table that is y; empty is the default column", label="y")
    column_z: str = Text(default="", doc="the column of a table that is z; empty is the default column", label="z")
    seed: int = seed_field(1, "seed of the rows and of the tests")
    samples: int = samples_field("how many more samples of the same kind are tested")

    @derived
    def tabled(self) -> bool:
        """Return whether every bandwidth of the slider gets a row as a deferred stage."""
        return self.n <= TABLED

    @derived
    def arrows(self) -> tuple[str, ...] | None:
        """Return the true arrows, "zx" from z to x, or None for a table."""
        if not self.toy:
            return None
        added = ("xy",) if self.direct and self.source != "arrow" else ()
        return (*ARROWS[self.source], *added)

    @derived
    def drawn_as(self) -> dict[str, Any]:
        """Return the arguments of `causal` except the seed."""
        how = {"kind": self.source, "n": self.n, "effect": self.effect, "noise": self.noise}
        if self.effect == "sine":
            how["frequency"] = self.frequency
        if self.direct:
            how["direct"] = self.direct
        return how if self.law == "normal" else {**how, "law": self.law}

    def fitting(self) -> dict[str, Any]:
        """Return limits from the user's table: its number of rows, and the direction question if it has two columns."""
        asks = "direction" if len(self.own.names) < len(COLUMNS) else self.asks
        return {**super().fitting(), "asks": asks}

    def roles(self, table: DataSet) -> tuple[str, ...]:
        """Return the columns of a table that are x, y and z, or only x and y if z is neither needed nor available.

        Raises
        ------
        Refusal
            If the table has too few columns, lacks a chosen column, or one column is chosen twice.
        """
        names, wanted = table.names, 2 if self.asks == "direction" else 3
        if len(names) < wanted:
            raise Refusal(
                "{} has {}, and this question is about {} variables: take two or more."
                if wanted == 2
                else "{} has {}, and this question is about {} variables: take three, or ask for the direction between"
                " two.",
                table.name,
                plural(len(names), "column"),
                wanted,
            )
        asked = {role: name for role in "xyz" if (name := getattr(self, f"column_{role}"))}
        for name in asked.values():
            if name not in names:
                raise Refusal("The table has no column '{}'; it has {}.", truncate(name), in_a_sentence(names))
        if len(set(asked.values())) < len(asked):
            raise Refusal("x, y and z must be different columns: every column depends on itself.")
        free = [name for name in (*USUAL.get(self.source, ()), *names) if name in names and name not in asked.values()]
        free = list(dict.fromkeys(free))
        found = [asked[role] if role in asked else free.pop(0) for role in "xyz"[: min(3, len(names))]]
        return tuple(found)
