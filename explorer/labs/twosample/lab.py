"""State of the Two-sample lab: two samples, a kernel, and a permutation test of P = Q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.estimators import labelled
from explorer.kernels.low_rank import Approximation
from explorer.languages import translate
from explorer.parameters import Choice, LogNumber, Text, Whole
from explorer.types import Statistic
from explorer.workbench import derived, menu_models
from explorer.workbench.conditions import Reasoned, having
from explorer.workbench.cost import affordable, seconds
from explorer.workbench.fields import (
    PermutationTests,
    dimension_field,
    distance_field,
    level_field,
    outliers_field,
    permutations_field,
    picture_field,
    samples_field,
    seed_field,
    size_field,
    tables,
)
from explorer.workbench.kernel_choice import KernelPairs
from explorer.workbench.kernels import bandwidth_field, kernel_field, kernel_is_free, no_bandwidth, refuse_beside_gram
from explorer.workbench.slider_stops import log_steps
from explorer.workbench.two_samples import dropped_rows, sizes
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_samples import UserSamples
from explorer.workbench.verdicts import chosen_columns

from .ranks import MENU

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator


# arguments of GaussianMixture: weights, means, variances
Mixture: TypeAlias = tuple[list[float], list[list[float]], list[float]]
DIFFERING = ("shift", "spread", "moments")  # distributions with a field for the size of their difference
LAWS = (*DIFFERING, "equal")
ESTIMATORS = labelled()
BANDWIDTHS = log_steps(1e-2, 1e1)
LARGEST_FITTED = 400  # limit on n + m for an estimator that is fitted anew in every permutation
AT_REST = 1000  # with more points than this in total, no deferred stage is computed
# permutations while a control moves; DRAFT of them if all would take more than INLINE products per frame
DRAFT, INLINE = 199, 6e7
MOST = 5000  # largest size of either sample
# in seconds on the typical machine: a page opens with all of the user's rows if a move takes at most this long
LIVELY = 1.0
# rows per sample to try if all rows are too many
FEWER = (4000, 3000, 2500, 2000, 1500, 1000, 800, 600, 500, 400, 300, 200)
COMMAND = 0  # the default seed of the commands
TABLED = 999  # with at most this many permutations, every bandwidth has its own row in the tables
# fields that make another sample: points that the user moved or left out were rows of the old one
SAMPLE_FIELDS = ("source", "d", "size", "seed", "groups", "group", "hash", "hash2", "columns", "missing", "standardise")


def _no_bandwidth(result):
    return no_bandwidth(result) if result.numbers else translate("No bandwidth: categories are equal or not.")


@menu_models.takes_models(kernels=("kernel", "second"), estimators={"estimator": menu_models.as_it_is})
class TwoSampleLab(PermutationTests, KernelPairs, UserSamples):
    """Two samples, a kernel, and the permutation test of P = Q by the MMD².

    Outliers replace the last rows of Q's sample. The bandwidth is in units of the median distance of the pooled sample.

    Parameters
    ----------
    lenient : bool, default False
        Whether your own table is read with decimal commas and the like.
    gram : bool, default False
        Whether your own table is a Gram matrix, whose coordinates are computed.
    file2 : str, default ""
        The name of your second table, where Q, or y, has a file of its own.
    rows2 : int, default 0
        Rows of your second table.
    hash2 : str, default ""
        SHA-256 of your second table.
    groups : str, default ""
        The two groups of a table, a JSON list; empty is the first two.
    group : str, default ""
        The column of your own table that names the groups.
    file : str, default ""
        The name of your own table; the data stay in the session.
    rows : int, default 0
        Rows of your own table.
    hash : str, default ""
        SHA-256 of your own table.
    columns : str, default ""
        The columns of your own table, a JSON list; empty is all that can be compared.
    missing : {"refuse", "drop"}, default "refuse"
        Rows with missing values.
    standardise : bool, default True
        Whether a table's numbers are scaled, those of P and Q together.
    length_1 : float, default 1.0
        Length scale along coordinate 1, in bandwidths, of the Gaussian kernel that has one for each.
    length_2 : float, default 1.0
        Length scale along coordinate 2, in bandwidths, of the Gaussian kernel that has one for each.
    length_3 : float, default 1.0
        Length scale along coordinate 3, in bandwidths, of the Gaussian kernel that has one for each.
    combined : {"alone", "sum", "product"}, default "alone"
        Whether the kernel is one, or the sum or product of two.
    second : str, default "LIN"
        The kernel that is added, or multiplied by.
    share : float, default 0.5
        Weight of the second kernel in the sum; that of the first is 1 - w.
    second_bandwidth : float, default 1.0
        Bandwidth of the second kernel, in units of the first one's.
    source : {"shift", "spread", "moments", "equal", "wine", "wdbc", "file"}, default "shift"
        What P and Q are drawn from.
    n : int, default 100
        Points of P.
    m : int, default 100
        Points of Q.
    d : int, default 2
        Coordinates of a point.
    size : float, default 0.5
        Difference of Q from P.
    kernel : str, default "RBF"
        Kernel: the similarity of two points.
    bandwidth : float, default 1.0
        Length scale: the distance at which similarity fades.
    statistic : {"unbiased", "biased", "linear time", "blocks"}, default "unbiased"
        Estimator of MMD².
    block : int, default 10
        Rows of P, and of Q, in a block.
    estimator : {"KME", "F-KMSE", "MKME", "MMKME", "robust KME", "S-KMSE"}, default "KME"
        Estimator of a sample's kernel mean.
    level : {"0.01", "0.05", "0.1"}, default "0.05"
        Level of the test: how often it may reject if P = Q.
    permutations : {"199", "999", "9999"}, default "999"
        Permutations of the labels.
    outliers : int, default 0
        Rows of Q replaced by outliers.
    distance : float, default 30.0
        Distance of the outliers from Q's mean.
    moved_p : str, default ""
        Points of P moved by hand, a JSON map from a row to its first two coordinates.
    moved_q : str, default ""
        Points of Q moved by hand, a JSON map from a row to its first two coordinates.
    dropped : str, default ""
        Rows left out, a JSON list such as ["P3", "Q10"], counted from 1.
    seed : int, default 5
        Seed of samples and permutations.
    samples : int, default 0
        Repetitions of the self-check.
    rank : int, default 20
        Rank of the kernel's approximation: its number of features.
    approximation : {"cholesky", "nystrom", "features"}, default "cholesky"
        How the kernel is approximated at low rank.
    picture : {"bandwidths", "x-ray", "power", "influence", "rate", "rank"}, default "bandwidths"
        The small picture that is shown.
    Matern_nu : float, default 1.5
        Smoothness: 1/2, 3/2 or 5/2.
    RationalQuadratic_alpha : float, default 1.0
        The power that similarity falls by; a small one mixes many length scales.
    InverseMultiquadric_exponent : float, default -0.5
        The power of squared distances that similarity falls by.
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
    d: int = dimension_field(when=lambda result: result.laws is not None)
    size: float = LogNumber(
        0.5,
        bounds=(0, 1e6),
        softbounds=(0.1, 10),
        symbol="difference",
        unit="sd",
        doc="difference of Q from P",
        label="difference of P and Q",
        when=having(source=DIFFERING),
    )
    kernel: str = kernel_field(when=lambda result: kernel_is_free(result) and result.numbers > 0)
    bandwidth: float = bandwidth_field(1.0, when=Reasoned(attrgetter("has_bandwidth"), _no_bandwidth))
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
        when=having(statistic="blocks"),
    )
    estimator: str = Choice(
        default="KME",
        objects=list(ESTIMATORS),
        doc="estimator of a sample's kernel mean",
        label="kernel mean estimator",
    )
    level: str = level_field("test: how often it may reject if P = Q")
    permutations: str = permutations_field("permutations of the labels")
    outliers: int = outliers_field("rows of Q replaced by outliers", "outliers in Q")
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
        doc="rank of the kernel's approximation: its number of features",
        label="r rank",
    )
    approximation: Approximation = Choice(
        default="cholesky", objects=MENU, doc="how the kernel is approximated at low rank", label="low rank by"
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
                "{} adds noise to coordinates, and a Gram matrix has none. Take another estimator.", self.estimator
            )
        if self.samples and self.n < 4:
            raise Refusal("The self-check splits the sample of P in two. It needs n of at least 4, not {}.", self.n)
        if self.outliers >= self.m:
            raise Refusal("{} outliers need m of at least {}, not {}.", self.outliers, self.outliers + 1, self.m)
        if not self.all_pairs:
            self._check_blocks(self.block_size)
        if not self.refitted:
            return
        if self.statistic == "unbiased":
            raise Refusal(
                "The unbiased MMD² needs equal weights, and {} weights points differently; take statistic 'biased'.",
                self.estimator,
            )
        if self.points > LARGEST_FITTED:
            raise Refusal(
                "{} is fitted again in every permutation, so n + m may be at most {}, not {}. Take fewer points.",
                self.estimator,
                LARGEST_FITTED,
                self.points,
            )

    def _check_blocks(self, size):
        """Refuse states in which rows of P and of Q cannot be compared block by block."""
        n, m = self.included
        if n != m or n < size:
            raise Refusal(
                "Blocks need as many rows of P as of Q, at least {}, and there are {} and {}; make n and m"
                " equal, or take statistic 'unbiased'.",
                size,
                n,
                m,
            )
        if self.estimator != "KME":
            raise Refusal(
                "Blocks work with plain averages only, not with {}; take estimator 'KME' or statistic 'biased'.",
                self.estimator,
            )
        if self.samples:
            raise Refusal("The self-check needs a statistic of all pairs; take statistic 'unbiased' or 'biased'.")

    def the_estimator(self, name: str | None = None) -> Estimator:
        """Return the estimator of the kernel means.

        Parameters
        ----------
        name : str or None, default None
            The label of an estimator. None takes the lab's own choice.

        Returns
        -------
        estimator : Estimator
            An estimator of the library, or the user's model of this name.

        Raises
        ------
        Refusal
            If the user's model refuses its parameters.
        """
        name = name or self.estimator
        return ESTIMATORS[name]() if name in ESTIMATORS else menu_models.estimators()[name].of(self)

    @derived
    def block_size(self) -> int | None:
        """Return the rows of each sample per block, 2 in linear time, or None if all pairs are compared."""
        return {"linear time": 2, "blocks": self.block}.get(self.statistic)

    @property
    def by_distances(self) -> bool:
        """True if the statistic is half an energy distance: plain averages of all pairs under the distance kernel."""
        return self.kernel == "distance" and self.estimator == "KME" and self.all_pairs and not self.known_by_gram

    @property
    def all_pairs(self) -> bool:
        """True if the statistic uses all pairs of rows."""
        return self.block_size is None

    @property
    def of_pairs(self) -> Statistic:
        """The statistic of all pairs: the chosen one, or the unbiased one if the lab compares blocks."""
        return "biased" if self.statistic == "biased" else "unbiased"

    def opening(self, tables: Any, groups: str = "") -> dict[str, int]:
        """Return the sizes and the seed with which a page of the user's tables opens.

        The sizes are all rows, or as many as can follow the controls. The seed is that of the commands, so the page
        reports for one kernel what `explorer test --kernel` prints for the same files.

        Parameters
        ----------
        tables : Tables
            The user's tables.
        groups : str, default ""
            The two groups of one table, as a link names them.

        Returns
        -------
        fields : dict
            Values of the fields n, m and seed.
        """
        n, m = there = sizes(tables, groups)
        for most in (MOST, *FEWER):
            n, m = (min(size, most) for size in there)
            if most == FEWER[-1] or self._lively(tables, n, m):
                break
        return {"n": n, "m": m, "seed": COMMAND}

    def _lively(self, tables, n, m):
        """Return whether the page follows the controls at these sizes of the user's tables."""
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
        """Return whether the user's tables can go to `compare`: a Gram matrix cannot, since it has no rows."""
        return self.source == "file" and bool(self.tables) and not self.gram and bool(self.tables.sources)

    @derived
    def chosen(self) -> int:
        """Return the number of columns that the user has chosen, or 0 if all that can be compared are used."""
        return len(chosen_columns(self)) if self.has_verdict else 0

    @property
    def points(self) -> int:
        """The size of both samples together, dropped points included."""
        return self.n + self.m

    @property
    def few(self) -> bool:
        """True if there are few enough points for the slow stages."""
        return self.points <= AT_REST

    @property
    def refitted(self) -> bool:
        """True if the estimator is fitted anew in every permutation, because its weights differ from point to point."""
        return not self.the_estimator().equal_weights

    @property
    def seeds(self) -> tuple[int, int]:
        """The seeds of the two samples. Different seeds of the lab never share one."""
        return 2 * self.seed, 2 * self.seed + 1

    @property
    def tabled(self) -> bool:
        """True if the tests at every bandwidth are the tests of this state."""
        return self.at_every_bandwidth and not self.refitted and self.resamples <= TABLED

    @derived
    def inline(self) -> int:
        """Return the number of permutations that are computed while a control moves."""
        return self.resamples if self.resamples * self.points**2 <= INLINE else min(DRAFT, self.resamples)

    @property
    def finished_late(self) -> bool:
        """True if the full set of permutations is deferred, and no table of all bandwidths contains it."""
        return self.inline < self.resamples and not (self.few and self.tabled)

    @derived
    def strip_resamples(self) -> int:
        """Return the number of permutations of the tests at every bandwidth."""
        return min(self.resamples, TABLED)

    @derived
    def strip_estimator(self) -> str:
        """Return the estimator at every bandwidth: KME replaces one that is fitted anew, which would take too long."""
        return "KME" if self.refitted else self.estimator

    @derived
    def included(self) -> tuple[int, int]:
        """Return the sizes of P's and Q's samples without the dropped points."""
        gone = dropped_rows(self.dropped)
        given = (("P", self.n), ("Q", self.m))
        n, m = (count - len({row for row in gone[side] if row < count}) for side, count in given)
        return n, m

    def law_arguments(self) -> tuple[Mixture, Mixture] | None:
        """Return the arguments of P and of Q for GaussianMixture, or None for a table.

        "moments" gives Q two modes, `size` of their own standard deviations from the middle, so that its mean is 0 and
        its variance 1, as for P.

        Returns
        -------
        arguments : tuple of two tuples, or None
            (weights, means, variances) of P and of Q.
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
        """Return the clean distributions of P and Q, or None for a table.

        Returns
        -------
        laws : tuple of two GaussianMixture, or None
            P and Q without outliers and without moved points.
        """
        given = self.law_arguments()
        if given is None:
            return None
        P, Q = (GaussianMixture(*arguments) for arguments in given)
        return P, Q
