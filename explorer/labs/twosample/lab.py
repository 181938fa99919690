"""The Two-sample lab's state: two samples, a kernel, and a permutation test of P = Q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.estimators import labelled
from explorer.kernels.low_rank import Approximation
from explorer.parameters import Choice, LogNumber, Text, Whole
from explorer.types import Statistic
from explorer.workbench import derived, menu_models
from explorer.workbench.cost import affordable, seconds
from explorer.workbench.fields import (
    dimension_field,
    distance_field,
    picture_field,
    samples_field,
    seed_field,
    size_field,
    tables,
)
from explorer.workbench.kernel_choice import KernelPairs
from explorer.workbench.kernels import bandwidth_field, kernel_field, refuse_beside_gram
from explorer.workbench.steps import log_steps
from explorer.workbench.two_samples import dropped_rows, sizes
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_samples import UserSamples
from explorer.workbench.verdicts import chosen_columns

from .cost import works
from .ranks import MENU

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator
    from explorer.workbench.cost import CostItem


Mixture: TypeAlias = tuple[list[float], list[list[float]], list[float]]  # weights, means, variances
DIFFERING = ("shift", "spread", "moments")  # distributions whose difference has a size
LAWS = (*DIFFERING, "equal")
ESTIMATORS = labelled()
BANDWIDTHS = log_steps(1e-2, 1e1)
LARGEST_FITTED = 400  # points together, of an estimator that is fitted anew in every permutation
AT_REST = 1000  # points together beyond which nothing follows at rest
DRAFT, INLINE = 199, 6e7  # permutations while a control moves, where all would take more than so many products a frame
MOST = 5000  # points of either sample
LIVELY = 1.0  # s, of the usual machine: as long may a move take where all rows of one's own are drawn
FEWER = (4000, 3000, 2500, 2000, 1500, 1000, 800, 600, 500, 400, 300, 200)  # rows of each, where all are too many
COMMAND = 0  # the seed of the commands where none is given
TABLED = 999  # permutations up to which every bandwidth has a row of its own
# the fields that make it another sample: rows moved or left out by hand were rows of the old one
SAMPLE_FIELDS = ("source", "d", "size", "seed", "groups", "group", "hash", "hash2", "columns", "missing", "standardise")


@menu_models.takes_models(kernels=("kernel", "second"), estimators={"estimator": menu_models.as_it_is})
class TwoSampleLab(KernelPairs, UserSamples):
    """Two samples, a kernel, and the permutation test of P = Q by the MMD^2.

    Outliers replace the last rows of Q's sample. The bandwidth counts in medians of the pooled sample's distances.
    """

    slider = "bandwidth"
    default_stops: ClassVar[Sequence[float]] = BANDWIDTHS
    aside: ClassVar[tuple[str, ...]] = ("samples", "picture")
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(("moved_p", "moved_q", "dropped"), SAMPLE_FIELDS)
    chosen_anew: ClassVar[tuple[str, ...]] = ("n", "m", "source", "outliers", "groups", "seed")
    source: str = Choice(
        default="shift",
        objects={
            "a shift": "shift",
            "a different spread": "spread",
            "two modes, equal moments": "moments",
            "no difference": "equal",
            **tables("your data"),
        },
        doc="what P and Q are drawn from",
        label="P and Q",
    )
    n: int = size_field(100, MOST, "points of P", least=3, label="n points of P")
    m: int = size_field(100, MOST, "points of Q", least=3, symbol="m", label="m points of Q")
    d: int = dimension_field()
    size: float = LogNumber(
        0.5,
        bounds=(0, 1e6),
        softbounds=(0.1, 10),
        symbol="difference",
        unit="sd",
        doc="difference of Q from P",
        label="difference of P and Q",
    )
    kernel: str = kernel_field()
    bandwidth: float = bandwidth_field(1.0)
    statistic: str = Choice(
        default="unbiased",
        objects={"unbiased": "unbiased", "biased": "biased", "linear time": "linear time", "in blocks": "blocks"},
        doc="estimator of MMD²",
        label="MMD²",
    )
    block: int = Whole(
        10,
        bounds=(2, 1000),
        softbounds=(2, 100),
        symbol="block",
        doc="rows of P, and of Q, in a block",
        label="rows per block",
    )
    estimator: str = Choice(
        default="KME",
        objects=list(ESTIMATORS),
        doc="estimator of a sample's kernel mean",
        label="kernel mean estimator",
    )
    level: str = Choice(
        default="0.05",
        objects=["0.01", "0.05", "0.1"],
        doc="level of the test: how often it may reject where P = Q",
        label="level",
    )
    permutations: str = Choice(
        default="999", objects=["199", "999", "9999"], doc="permutations of the labels", label="permutations"
    )
    outliers: int = Whole(
        0,
        bounds=(0, 1000),
        softbounds=(0, 30),
        symbol="outliers",
        doc="rows of Q replaced by outliers",
        label="outliers in Q",
    )
    distance: float = distance_field(30.0, "distance of the outliers from Q's mean", label="distance of outliers, sd")
    moved_p: str = Text(default="", doc="points of P moved by hand, a JSON map from a row to its first two coordinates")
    moved_q: str = Text(default="", doc="points of Q moved by hand, a JSON map from a row to its first two coordinates")
    dropped: str = Text(default="", doc='rows left out, a JSON list such as ["P3", "Q10"], counted from 1')
    seed: int = seed_field(5, "seed of samples and permutations")
    samples: int = samples_field("repetitions of the self-check")
    rank: int = Whole(
        20,
        bounds=(1, 1000),
        softbounds=(2, 200),
        symbol="r",
        doc="features of the kernel of low rank that stands for the kernel",
        label="r rank",
    )
    approximation: Approximation = Choice(
        default="cholesky", objects=MENU, doc="what stands for the kernel at a low rank", label="low rank by"
    )
    picture: str = picture_field(
        "bandwidths",
        "x-ray",
        "power",
        "influence",
        "rate",
        "rank",
        bandwidths="all bandwidths",
        power="power by n",
        influence="influential rows",
        rate="error by n",
        rank="low rank",
        **{"x-ray": "frequencies"},
    )

    def _check(self):
        super()._check()
        moved_points(self.moved_p)
        moved_points(self.moved_q)
        dropped_rows(self.dropped)
        refuse_beside_gram(self)
        self.refuse_second_beside_gram()
        self.refuse_kernels()
        if self.known_by_gram and self.the_estimator().noisy:
            raise Refusal(
                f"{self.estimator} adds noise to coordinates, and a Gram matrix has none. Take another estimator."
            )
        if self.samples and self.n < 4:
            raise Refusal(f"The self-check splits the sample of P in two. It needs n of at least 4, not {self.n}.")
        if self.outliers >= self.m:
            raise Refusal(f"{self.outliers} outliers need m of at least {self.outliers + 1}, not {self.m}.")
        if not self.all_pairs:
            self._check_blocks(self.block_size)
        if not self.refitted:
            return
        if self.statistic == "unbiased":
            raise Refusal(
                f"The unbiased MMD² needs equal weights, and {self.estimator} weights points differently; take"
                " statistic 'biased'."
            )
        if self.points > LARGEST_FITTED:
            raise Refusal(
                f"{self.estimator} is fitted again in every permutation, so n + m may be at most {LARGEST_FITTED}, not"
                f" {self.points}. Take fewer points."
            )

    def _check_blocks(self, size):
        """Where rows of P and of Q are compared block by block."""
        n, m = self.kept
        if n != m or n < size:
            raise Refusal(
                f"Blocks need as many rows of P as of Q, at least {size}, and there are {n} and {m}; make n and m"
                " equal, or take statistic 'unbiased'."
            )
        if self.estimator != "KME":
            raise Refusal(
                f"Blocks work with plain averages only, not with {self.estimator}; take estimator 'KME' or statistic"
                " 'biased'."
            )
        if self.samples:
            raise Refusal("The self-check needs a statistic of all pairs; take statistic 'unbiased' or 'biased'.")

    def the_estimator(self, name: str | None = None) -> Estimator:
        """What estimates the kernel means, or the estimator of a name; a Refusal where it has no such parameters."""
        name = name or self.estimator
        return ESTIMATORS[name]() if name in ESTIMATORS else menu_models.estimators()[name].of(self)

    @derived
    def block_size(self) -> int | None:
        """Rows of each sample in a block: 2 of the linear-time statistic; None where all pairs are compared."""
        return {"linear time": 2, "blocks": self.block}.get(self.statistic)

    @property
    def by_distances(self) -> bool:
        """Whether the statistic is half of an energy distance: plain averages of all pairs under their distance."""
        return self.kernel == "distance" and self.estimator == "KME" and self.all_pairs and not self.known_by_gram

    @property
    def all_pairs(self) -> bool:
        """Whether the statistic is of all pairs of rows."""
        return self.block_size is None

    @property
    def of_pairs(self) -> Statistic:
        """The statistic of all pairs: the lab's own, or the unbiased one where that compares blocks."""
        return "biased" if self.statistic == "biased" else "unbiased"

    def opening(self, tables: Any, groups: str = "") -> dict[str, int]:
        """All rows of one's own, or as many as still follow a hand, and the seed with which the commands test them.

        What the page then says of one kernel is what `explorer test --kernel` prints for the same files.
        """
        n, m = there = sizes(tables, groups)
        for most in (MOST, *FEWER):
            n, m = (min(size, most) for size in there)
            if most == FEWER[-1] or self._lively(tables, n, m):
                break
        return {"n": n, "m": m, "seed": COMMAND}

    def _lively(self, tables, n, m):
        """Whether the controls follow a hand at so many rows of these tables."""
        try:
            lab = type(self)(
                source="file",
                n=n,
                m=m,
                kernel=self.kernel,
                estimator=self.estimator,
                statistic=self.statistic,
                permutations=self.permutations,
                samples=self.samples,
            )
        except Refusal:
            return False
        lab.own = tables
        return seconds(lab.cost) <= LIVELY and affordable(lab.cost)

    @derived
    def has_verdict(self) -> bool:
        """Whether there are tables of one's own that `compare` can take: of a Gram matrix it knows no rows."""
        return self.source == "file" and bool(self.tables) and not self.gram and bool(self.tables.sources)

    @derived
    def chosen(self) -> int:
        """How many columns of one's own are named; 0 of all that can be compared."""
        return len(chosen_columns(self)) if self.has_verdict else 0

    @property
    def points(self) -> int:
        """How many points there are together, dropped ones too."""
        return self.n + self.m

    @property
    def few(self) -> bool:
        """Whether there are few enough points for what takes long."""
        return self.points <= AT_REST

    @property
    def refitted(self) -> bool:
        """Whether the estimator is fitted anew in every permutation, as its weights differ from point to point."""
        return not self.the_estimator().equal_weights

    @property
    def alpha(self) -> float:
        """The level as a number."""
        return float(self.level)

    @property
    def resamples(self) -> int:
        """The permutations as a number."""
        return int(self.permutations)

    @property
    def cost(self) -> list[CostItem]:
        """What a result takes, a Work each, from the fields alone."""
        return works(self)

    @property
    def seeds(self) -> tuple[int, int]:
        """The seeds of the two samples: no seed of a lab shares one with another."""
        return 2 * self.seed, 2 * self.seed + 1

    @property
    def tabled(self) -> bool:
        """Whether the tests at every bandwidth are those of this state."""
        return self.at_every_bandwidth and not self.refitted and self.resamples <= TABLED

    @derived
    def inline(self) -> int:
        """How many permutations there is time for while a hand moves."""
        return self.resamples if self.resamples * self.points**2 <= INLINE else min(DRAFT, self.resamples)

    @property
    def finished_late(self) -> bool:
        """Whether all permutations wait until the hand rests, and no table of all bandwidths has them."""
        return self.inline < self.resamples and not (self.few and self.tabled)

    @derived
    def strip_resamples(self) -> int:
        """How many permutations the tests at every bandwidth take."""
        return min(self.resamples, TABLED)

    @derived
    def strip_estimator(self) -> str:
        """What estimates kernel means at every bandwidth: one that is fitted anew would take too long."""
        return "KME" if self.refitted else self.estimator

    @derived
    def kept(self) -> tuple[int, int]:
        """How many points of P and of Q are not dropped."""
        gone = dropped_rows(self.dropped)
        given = (("P", self.n), ("Q", self.m))
        n, m = (count - len({row for row in gone[side] if row < count}) for side, count in given)
        return n, m

    def law_arguments(self) -> tuple[Mixture, Mixture] | None:
        """(weights, means, variances) of P and of Q, of GaussianMixture; None for a table.

        "moments" gives Q two hills, `size` of their own standard deviations from the middle: mean 0 and variance 1, as
        P has.
        """
        if self.source not in LAWS:
            return None
        zero, ones = [0.0] * self.d, [1.0] * self.d
        P = ([1.0], [zero], ones)
        if self.source == "shift":
            return P, ([1.0], [[self.size, *zero[1:]]], ones)
        if self.source == "spread":
            return P, ([1.0], [zero], [(1 + self.size) ** 2] * self.d)
        if self.source == "moments":
            within = 1 / (1 + self.size**2)
            a = self.size * within**0.5
            return P, ([0.5, 0.5], [[-a, *zero[1:]], [a, *zero[1:]]], [within, *ones[1:]])
        return P, P

    def the_laws(self) -> tuple[GaussianMixture, GaussianMixture] | None:
        """The clean distributions P and Q, or None for a table."""
        given = self.law_arguments()
        if given is None:
            return None
        P, Q = (GaussianMixture(*arguments) for arguments in given)
        return P, Q
