"""State of the conditional lab: pairs and the observed x, a prior, a hidden path, a table of counts, a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.conditional import ConditionalEmbedding
from explorer.datasets import JOINTS, MOTIONS, NODES, joint, motion
from explorer.datasets.columns.quantity import Quantity, quantities_named
from explorer.embeddings import GaussianMixture
from explorer.parameters import Choice, Flag, LogNumber, Real, Text, Whole
from explorer.printing import join_list, short_name
from explorer.types import Rows, Vector
from explorer.workbench import copied, derived
from explorer.workbench.fields import TABLES, picture_field, seed_field, size_field, tables
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.pairs import PairedSample, RolesOfTable
from explorer.workbench.slider_stops import log_steps
from explorer.workbench.user_points import finite, numbers_of, read

SOURCES = (*JOINTS, *TABLES)
PATHS = (*MOTIONS, "rows")
PICTURES = ("cut", "bayes", "filter", "table", "tree")
LAMS = log_steps(1e-6, 1e2)
TABLED = 600  # largest number of pairs for which every λ gets a row
FOLLOWED = 60  # number of times that the filter follows the path
LEAST, LEFT = 5, 10  # a sample has at least LEAST pairs, and at least LEFT rows of a table are left to follow
SIDES, MOST_COUNT = (2, 5), 99  # range of the table's numbers of rows and columns; largest count in a cell
FARTHEST = 20  # largest absolute value in the tree
FRAMES = {  # centre (x, y) and half sides (x, y) of the frame of a joint distribution
    "gaussian": (0.0, 0.0, 2.9, 2.9),
    "banana": (0.0, 1.8, 2.9, 4.2),
    "fork": (0.0, 0.0, 2.9, 4.0),
    "fan": (0.0, 0.0, 2.9, 3.4),
}
CALLED = {
    "gaussian": "Pairs of two correlated Gaussians",
    "banana": "Pairs on a banana",
    "fork": "Pairs whose y takes either of two branches",
    "fan": "Pairs whose spread in y grows with |x|",
}


class Course(NamedTuple):
    """A path with known states, and its continuation, which a filter follows.

    Attributes
    ----------
    states : ndarray of shape (T + 1, d)
        Known states.
    observations : ndarray of shape (T + 1, e)
        Observations of the known states.
    hidden : ndarray of shape (t, d)
        States of the continuation.
    hidden_observations : ndarray of shape (t, e)
        Observations of the continuation.
    description : str
        Description of the path, for sentences.
    quantity : Quantity
        Quantity of the state's first column.
    """

    states: np.ndarray
    observations: np.ndarray
    hidden: np.ndarray
    hidden_observations: np.ndarray
    description: str
    quantity: Quantity


def on_motion(result: Any) -> bool:
    """Return whether the filter follows a motion, and not the rows of a table."""
    return result.lab.path != "rows"


def from_pairs(result: Any) -> bool:
    """Return whether the main picture is computed from the pairs."""
    return result.lab.picture in ("cut", "bayes") or (result.lab.picture == "filter" and not on_motion(result))


class ConditionalLab(RolesOfTable):
    """One picture of five: y given x, Bayes' rule under a prior, a filter along a path, a table of counts, a tree.

    Bandwidths are in units of each side's median distance. x and the prior are in standard deviations from the mean.
    """

    slider = "lam"
    default_stops: ClassVar[Sequence[float]] = LAMS
    groups = True
    usual: ClassVar[Mapping[str, tuple[str, str]]] = {  # table -> its default columns for x and y
        "wine": ("flavanoids", "color_intensity"),
        "wdbc": ("mean_radius", "mean_compactness"),
    }
    aside: ClassVar[tuple[str, ...]] = ("time",)
    picture: str = picture_field(
        *PICTURES, cut="Given x", bayes="Bayes' rule", filter="Filter", table="Table", tree="Tree"
    )
    source: str = Choice(
        default="banana",
        objects={
            "a banana": "banana",
            "a fork": "fork",
            "a fan": "fan",
            "two Gaussians": "gaussian",
            **tables("your data"),
        },
        doc="what the pairs are drawn from",
        label="pairs from",
    )
    n: int = size_field(200, 2000, "pairs, or times of the path whose states are known", least=LEAST, label="n pairs")
    at: float = Real(
        1.5,
        bounds=(-20, 20),
        softbounds=(-2.5, 2.5),
        step=0.05,
        symbol="x",
        doc="the observed x",
        label="observed x",
    )
    bandwidth: float = bandwidth_field(0.5, when=lambda result: not (result.lab.by_gram[1] and from_pairs(result)))
    lam: float | None = copied(ConditionalEmbedding, "lam", bounds=(1e-9, 1e9), softbounds=(1e-6, 1e2), label="λ")
    lam_posterior: float = LogNumber(
        1e-3,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(1e-8, 1),
        symbol="λ̃",
        doc="λ̃ of the conditioning, in Bayes' rule and in the filter",
        label="λ̃ in Bayes' rule",
    )
    prior_mean: float = Real(
        0.5,
        bounds=(-20, 20),
        softbounds=(-3, 3),
        step=0.1,
        symbol="mean",
        doc="mean of the prior of y",
        label="prior's mean",
    )
    prior_sd: float = LogNumber(
        0.5,
        bounds=(0.01, 20),
        softbounds=(0.1, 3),
        symbol="sd",
        doc="standard deviation of the prior of y, or of each of its humps",
        label="prior's sd",
    )
    prior_gap: float = Real(
        0.0,
        bounds=(0, 20),
        softbounds=(0, 3),
        step=0.1,
        symbol="humps",
        doc="half the distance between the prior's two humps",
        label="prior's humps at ±",
    )
    printed: bool = Flag(
        default=False, doc="whether to draw Bayes' rule as the article prints it, too", label="show the rule as printed"
    )
    path: str = Choice(
        default="line",
        objects={"a line": "line", "two wells": "wells", "rows of the table": "rows"},
        doc="motion of the hidden state",
        label="hidden path",
    )
    sensor: float = LogNumber(
        0.5,
        bounds=(1e-3, 1e2),
        softbounds=(0.01, 3),
        symbol="sensor",
        doc="standard deviation of the noise of the sensor",
        label="sensor noise",
        when=on_motion,
    )
    prediction: str = Choice(
        default="carried",
        objects={"carried": "carried", "sum rule": "sum rule"},
        doc="the filter's step from one time to the next",
        label="prediction",
    )
    time: int = Whole(
        FOLLOWED,
        bounds=(1, FOLLOWED),
        softbounds=(1, FOLLOWED),
        step=1,
        symbol="time",
        doc="the last time shown",
        label="time",
    )
    counts: str = Text(default="[[3,1,0],[1,3,2]]", doc="the table: how often each x (row) occurs with each y (column)")
    chances: str = Text(default="[2,1,1]", doc="the prior of the table's y, up to a factor")
    seen: int = Whole(
        1, bounds=(1, SIDES[1]), symbol="x seen", doc="the observed row x of the table, from 1", label="observed row x"
    )
    node: str = Choice(
        default="d", objects=list(NODES), doc="the node of the tree whose value the slider sets", label="observed node"
    )
    value: float = Real(
        1.5,
        bounds=(-20, 20),
        softbounds=(-2.5, 2.5),
        step=0.05,
        symbol="value",
        doc="the value observed at that node",
        label="observed value",
    )
    others: str = Text(default="", doc='values observed at other nodes of the tree, as in {"c": -1}')
    link: float = Real(
        0.8,
        bounds=(-0.99, 0.99),
        softbounds=(0, 0.95),
        step=0.05,
        symbol="link",
        doc="the correlation of neighbours in the tree",
        label="correlation of neighbours",
    )
    seed: int = seed_field(3, "seed of the pairs, the prior's points and the path")

    def _check(self):
        super()._check()
        if self.by_gram[1] and (self.picture == "bayes" or (self.picture == "filter" and self.path == "rows")):
            what = {"bayes": "Bayes' rule needs a prior of y", "filter": "The filter draws the density of y"}
            raise Refusal(
                "{}, so y must be numeric. Here y is a Gram matrix: choose the picture 'Given x', or columns for y.",
                what[self.picture],
            )
        table, prior = self.table_counts, self.table_prior
        if len(prior) != table.shape[1]:
            raise Refusal(
                "The prior has {} probabilities and the table {} columns. Give one for each column.",
                len(prior),
                table.shape[1],
            )
        if self.seen > len(table):
            raise Refusal("x = {} is not in the table, which has {} rows. Choose one of them.", self.seen, len(table))
        if self.evidence is None:
            raise Refusal(
                'others must be like {{"c": -1}}, nodes of {} and numbers up to {}.', ", ".join(NODES), FARTHEST
            )

    @derived
    def evidence(self) -> Any:
        """Return {node: value} of the tree in the order of its nodes, or None if the text `others` is invalid."""
        try:
            told = {node: finite(value) for node, value in read(self.others, {}).items()} | {self.node: self.value}
        except (AttributeError, ValueError):
            return None
        if not told.keys() <= set(NODES) or max(map(abs, told.values())) > FARTHEST:
            return None
        return {node: told[node] for node in NODES if node in told}

    @derived
    def table_counts(self) -> Rows:
        """Return the table of counts, whole numbers of shape (p, q): a row for each x, a column for each y.

        Raises
        ------
        Refusal
            If the text `counts` is not a table.
        """
        like = f"[[3, 1, 0], [1, 3, 2]], rows of whole numbers up to {MOST_COUNT}"
        return numbers_of(self.counts, "counts", like, SIDES, SIDES, whole_up_to=MOST_COUNT)

    @derived
    def table_prior(self) -> Vector:
        """Return the prior of y that belongs to the table of counts, from the field `chances`; shape (q,), sum 1."""
        prior = numbers_of(self.chances, "chances", "[2, 1, 1], numbers of at least 0", SIDES)
        return prior / prior.sum()

    @property
    def played(self) -> str:
        """Name of the main slider, which depends on the picture."""
        return {"filter": "time", "table": "seen", "tree": "value"}.get(self.picture, "at")

    @derived
    def enough(self) -> bool:
        """Return whether the picture is about pairs."""
        return self.picture in ("cut", "bayes")

    @derived
    def joint(self) -> str | None:
        """Return the name of the joint distribution, or None for a table."""
        return self.source if self.source in JOINTS else None

    def the_pairs(self) -> PairedSample:
        """Return the PairedSample. A larger n keeps the existing pairs."""
        if not self.enough:
            return PairedSample.none((0.0, 0.0, 1.0, 1.0))
        if self.joint is None:
            return self.pairs_of_table()
        X, Y = joint(self.joint).sample(self.n, self.seed)
        rows = tuple(f"pair {i + 1}" for i in range(self.n))
        return PairedSample(X, Y, quantities_named("xy"), rows, CALLED[self.joint], FRAMES[self.joint])

    def the_prior(self, mean: float, sd: float) -> GaussianMixture:
        """Return the prior of y, a GaussianMixture, given y's mean and standard deviation."""
        middle, gap, variance = mean + sd * self.prior_mean, sd * self.prior_gap, [[(sd * self.prior_sd) ** 2]]
        if gap == 0:
            return GaussianMixture([1.0], [[middle]], variance)
        return GaussianMixture([0.5, 0.5], [[middle - gap], [middle + gap]], variance)

    def the_course(self) -> Course:
        """Return a path with known states and its continuation: of a motion, or rows of a table in their order."""
        if self.path != "rows":
            quantity = Quantity("state")
            states, seen = motion(self.path).sequence(self.n + 1 + FOLLOWED, self.sensor, self.seed)
            called = {"line": "a path on a line", "wells": "a path between two wells"}[self.path]
        else:
            if self.source not in TABLES:
                raise Refusal("A path along rows needs a table. Choose a table for the pairs, or upload your own.")
            table = self.the_table()
            x, y = self.roles(table)
            quantity = table.quantities_of(y)[0]
            most = table.n - 1 - LEFT
            if self.n > most:
                way = f"Take n of at most {most}" if most >= LEAST else "A path needs a longer table"
                raise Refusal(
                    "n = {} leaves fewer than {} of the {} rows of {} to follow. {}.",
                    self.n,
                    LEFT,
                    table.n,
                    table.name,
                    way,
                )
            seen, states = (table.X[: self.n + 1 + FOLLOWED, [table.names.index(c) for c in names]] for names in (x, y))
            through = "a Gram matrix" if self.by_gram[0] else join_list(map(short_name, x))
            called = f"{join_list(map(short_name, y))} of {short_name(table.name)}, observed through {through}"
        n = self.n + 1
        return Course(states[:n], seen[:n], states[n:], seen[n:], called, quantity)
