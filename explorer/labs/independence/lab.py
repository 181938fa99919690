"""State of the Independence lab: pairs of a shape, of a table or drawn by hand, and a kernel on each side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import SHAPES, DataSet, load, shape, strings_and_numbers
from explorer.datasets.columns.quantity import quantities_named
from explorer.datasets.gram import coordinates
from explorer.estimators import MKME
from explorer.kernels import Subsequence
from explorer.parameters import Choice, Flag, LogNumber, Whole
from explorer.workbench import copied, derived
from explorer.workbench.conditions import having
from explorer.workbench.fields import (
    BUNDLED,
    PermutationTests,
    level_field,
    permutations_field,
    picture_field,
    samples_field,
    seed_field,
    size_field,
    tables,
)
from explorer.workbench.kernels import bandwidth_field, has_bandwidth, kernel_at, kernel_field
from explorer.workbench.pairs import LEAST, LabOfPairs, PairedSample
from explorer.workbench.slider_stops import log_steps

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


TABLES = ("eckerle4", *BUNDLED, "file")
STRINGS = "strings"
DRAWN = (*SHAPES, STRINGS)  # sources that are distributions, with fresh samples and noise
SOURCES = (*DRAWN, "drawn", *TABLES)
LETTERS = Subsequence(2)  # kernel of the strings
KERNELS = ("LIN", "POLY2", "RBF", "LAP", "distance", "EXP")
PICTURES = (
    "pair", "gram", "measures", "ranks", "power", "columns", "bandwidths", "canonical", "elimination",
)  # fmt: skip
SIGMAS = [0.0, *log_steps(0.1, 10)]  # noise of the marginalized estimators, in medians
# permutations while a control moves; DRAFT of them if all would gather more than INLINE entries
DRAFT, INLINE = 199, 1.2e7
ALL_SIGMAS, TABLED = 600, 999  # up to this many pairs and permutations, every σ has a row in the tables
CANVAS = 1.6  # half side of an empty canvas
SQUARE = 1.4  # half side of a shape's picture; more noise multiplies it by powers of √2
SIDEWAYS = 1.1  # half the width of the picture of a shape whose x is uniform
EDGE = 2.0  # the picture extends beyond a shape by this many standard deviations of its noise
SOURCE_FIELDS = ("source", "x", "y", "hash", "hash2", "gram")
SAMPLE_FIELDS = (*SOURCE_FIELDS, "noise", "waves", "seed", "columns", "missing", "standardise")
CALLED = {
    "ring": "Pairs on a circle",
    "cross": "Pairs on two crossing lines",
    "sine": "Pairs on a sine with {waves} waves",
    "fan": "Pairs whose spread in y grows with x at a constant mean",
    "line": "Pairs on a line",
    "none": "Independent pairs, x uniform and y uniform",
}


class IndependenceLab(PermutationTests, LabOfPairs):
    """Pairs (x, y), a kernel on each side, and the permutation test of independence by the biased HSIC.

    Pairs added by hand come after those of the source. Bandwidth and σ are in units of each side's own median distance.
    σ
    is the noise of a marginalized estimator; None chooses it by leave-one-out on each side.
    """

    slider = "sigma"
    default_stops: ClassVar[Sequence[float]] = SIGMAS
    usual: ClassVar[Mapping[str, tuple[str, str]]] = {  # default x and y of a table
        "wine": ("flavanoids", "color_intensity"),
        "wdbc": ("mean_smoothness", "mean_fractal_dimension"),
    }
    aside: ClassVar[tuple[str, ...]] = (
        "samples", "picture", "rank", "shuffle", "peer", "selected", "eps", "robust",
    )  # fmt: skip
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "moved": SAMPLE_FIELDS,
        "shuffle": SAMPLE_FIELDS,
        "placed": SOURCE_FIELDS,
        "selected": SOURCE_FIELDS,
    }
    source: str = Choice(
        default="ring",
        objects={
            "a ring": "ring",
            "two crossing lines": "cross",
            "a sine": "sine",
            "a fan": "fan",
            "a line": "line",
            "independent": "none",
            "strings and numbers": "strings",
            "drawn by hand": "drawn",
            "Eckerle4": "eckerle4",
            **tables("your data"),
        },
        doc="what the pairs are drawn from",
        label="pairs from",
    )
    n: int = size_field(
        100, 2000, "pairs of the source", least=LEAST, label="n pairs", when=lambda result: result.lab.source != "drawn"
    )
    noise: float = LogNumber(
        0.1,
        bounds=(0, 1e3),
        softbounds=(0.02, 5),
        symbol="noise",
        doc="noise of a shape's points, a standard deviation",
        label="noise of the shape",
        when=having(source=DRAWN),
    )
    waves: int = Whole(
        2,
        bounds=(1, 50),
        softbounds=(1, 12),
        symbol="waves",
        doc="waves of the sine",
        label="waves of the sine",
        when=having(source="sine"),
    )
    kernel: str = kernel_field(
        "kernel: the similarity of two values, in x and in y", KERNELS, when=lambda result: not result.lab.by_gram[1]
    )
    bandwidth: float = bandwidth_field(0.5, when=lambda result: has_bandwidth(result) and not result.lab.by_gram[1])
    sigma: float | None = copied(
        MKME,
        "sigma",
        default=0.0,
        softbounds=(0.1, 10),
        unit="× median θ",
        label="σ × median",
        when=having(takes_noise=True),
    )
    operator: str = Choice(
        default="centred",
        objects=["centred", "uncentred"],
        doc="whether the background is the centred or the uncentred operator",
        label="background operator",
    )
    level: str = level_field("tests: how often they may reject by chance")
    permutations: str = permutations_field("permutations of the pairing")
    seed: int = seed_field(3, "seed of the pairs and the permutations")
    samples: int = samples_field("fresh samples to test, and as many samples of independent pairs")
    picture: str = picture_field(
        *PICTURES,
        pair="both functions",
        gram="Gram matrices",
        measures="coefficients",
        ranks="low-rank kernels",
        bandwidths="all bandwidths (HSICAgg)",
        canonical="canonical functions",
        elimination="columns, one by one",
    )
    rank: int = Whole(
        8,
        bounds=(1, 50),
        softbounds=(1, 50),
        symbol="rank",
        doc="rank of the kernels' approximations",
        label="rank of the kernels",
    )
    shuffle: int = Whole(0, bounds=(0, DRAFT), doc="the permutation that is drawn; 0 is none")
    eps: float | None = LogNumber(
        0.01,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(1e-6, 10),
        allow_None=True,
        symbol="ε",
        unit="× variance of the features",
        doc="smoothness of the canonical functions: λ divided by n times the larger variance of the features",
        label="ε of f and g",
    )
    robust: bool = Flag(default=False, doc="whether RobustKME weighs the pairs of the canonical functions")
    peer: bool = Flag(default=False, doc="whether the library dcor computes the distance covariance too")

    @derived
    def by_gram(self) -> tuple[bool, bool]:
        """Return whether x, and whether y, is given by a Gram matrix: of strings under their kernel, or the user's."""
        own = self.takes_gram and self.gram and self.source == "file"
        return own or self.source == STRINGS, own and bool(self.hash2)

    @property
    def gram_in_words(self) -> str:
        """How the sides that Gram matrices give are compared and drawn, or "" if there are none."""
        if self.source != STRINGS:
            return super().gram_in_words
        return (
            "Strings are compared by the subsequence kernel of length 2. The first principal axis of its Gram matrix"
            " is drawn, with the others at their medians."
        )

    def _check(self):
        super()._check()
        if self.sigma != 0 and self.by_gram[0]:
            raise Refusal("σ is noise added to points, and a Gram matrix has no points. Set σ to 0.")
        if self.sigma != 0 and not self.takes_noise:
            raise Refusal("σ belongs to the marginalized RBF kernel, and the kernel is {}. Set σ to 0.", self.kernel)

    @derived
    def size(self) -> int:
        """Return the number of pairs."""
        return (0 if self.source == "drawn" else self.n) + len(self.points)

    @derived
    def enough(self) -> bool:
        """Return whether there are enough pairs for a test."""
        return self.size >= LEAST

    @derived
    def draft(self) -> int:
        """Return the number of permutations that are computed while a control moves."""
        return self.resamples if self.resamples * self.size**2 <= INLINE else min(DRAFT, self.resamples)

    @derived
    def tabled(self) -> bool:
        """Return whether every σ of the slider gets a row, once the page is idle."""
        quick = self.size <= ALL_SIGMAS and self.resamples <= TABLED
        return self.enough and quick and self.takes_noise

    @property
    def takes_noise(self) -> bool:
        """True if σ may be above 0: with noise RBF stays RBF, at another bandwidth, and no other kernel does so."""
        return self.kernel == "RBF" and not self.by_gram[0]

    @derived
    def some_drawn(self) -> bool:
        """Return whether only some rows of the user's table are drawn, so that a test of all rows adds something."""
        return self.source == "file" and self.own is not None and not self.gram and not self.whole

    @derived
    def tells_columns(self) -> bool:
        """Return whether there is a table whose columns can be compared."""
        return self.source in TABLES and not self.by_gram[0]

    @derived
    def centred(self) -> bool:
        """Return whether the drawn operator is the covariance, and not the second moment."""
        return self.operator == "centred"

    @property
    def played(self) -> str:
        """The noise of the sample."""
        return "noise"

    def kernels(self, medians: tuple[float, float]) -> tuple[Kernel, Kernel]:
        """Return the kernels of both sides, without σ's noise; a side given by a Gram matrix is compared by it."""
        return self.compared(kernel_at(self.kernel, self.bandwidth, median) for median in medians)

    def estimators(self, sigma: float | None, medians: tuple[float, float]) -> tuple[MKME, ...] | None:
        """Return the estimators of both sides' kernel means at a σ, or None for the plain means."""
        if sigma == 0:
            return None
        return tuple(MKME() if sigma is None else MKME(sigma=sigma * median) for median in medians)

    def the_table(self) -> DataSet:
        """Return the table of the source, with a numeric target among its columns."""
        if self.source != "eckerle4":
            return LabOfPairs.the_table(self)
        data = load("eckerle4")
        pairs = DataSet(data.name, np.column_stack([data.X, np.asarray(data.target)]), (*data.names, "transmittance"))
        return pairs.standardised() if self.standardise else pairs

    def drawn_pairs(self) -> PairedSample:
        """Draw the pairs of a shape or of a table, or none if all are drawn by hand."""
        if self.source == STRINGS:
            return self._strings()
        if self.source not in SHAPES:
            return self.pairs_of_table() if self.source in TABLES else PairedSample.none((0.0, 0.0, CANVAS, CANVAS))
        waves = self.waves if self.source == "sine" else 2
        X, Y = shape(self.source, self.n, self.noise, waves, self.seed)
        reach = 1 + EDGE * self.noise
        half = SQUARE * math.sqrt(2) ** max(0, math.ceil(2 * math.log2(reach / SQUARE)))
        rows = tuple(f"pair {i + 1}" for i in range(self.n))
        frame = (0.0, 0.0, half if self.source == "ring" else SIDEWAYS, half)
        return PairedSample(X, Y, quantities_named("xy"), rows, CALLED[self.source].format(waves=waves), frame)

    def _strings(self) -> PairedSample:
        """Draw pairs of a string and a number; x has the coordinates of the strings' Gram matrix."""
        words, Y = strings_and_numbers(self.n, self.noise, self.seed)
        X = coordinates(LETTERS(words), "the strings")
        low, high = np.min(np.column_stack([X[:, 0], Y]), axis=0), np.max(np.column_stack([X[:, 0], Y]), axis=0)
        (cx, cy), (wide, tall) = (low + high) / 2, 0.55 * (high - low) + 1e-9
        names = [*(f"axis {j + 1} of x" for j in range(X.shape[1])), "y"]
        called = "Strings of ten letters and how often CG occurs in them"
        return PairedSample(X, Y, quantities_named(names), tuple(map(str, words)), called, (cx, cy, wide, tall))
