"""Difference of two distributions under a kernel: their exact witness, and the power of its test by bandwidth."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from explorer.discrepancy import bandwidth_sweep, mmd2_of_laws, mmdagg_test
from explorer.embeddings import GaussianMixture
from explorer.kernels import Gaussian, Kernel, median_bandwidth
from explorer.labs.twosample.lab import TwoSampleLab
from explorer.marks import (
    Axis,
    Picture,
    ReferenceLine,
    Sources,
    area,
    curve,
    decades,
    dots,
    vertical_lines,
    words,
)
from explorer.printing import format_number
from explorer.types import Vector

PAIRS = {
    "shift": {"source": "shift", "size": 0.8, "d": 1},
    "spread": {"source": "spread", "size": 0.6, "d": 1},
    "moments": {"source": "moments", "size": 3.0, "d": 1},
    "equal": {"source": "equal", "d": 1},
}  # states of the lab, by the difference of P and Q
ALONG = np.linspace(-4, 4, 241)
FLOOR = 1.25  # height of the densities' baseline, above the witness
TALLEST = 1.1  # height of the highest density above the baseline
STRIPS = {0: "witness", FLOOR + TALLEST / 2: "density"}
LEVEL, SAMPLES, SIZE, RESAMPLES = 0.05, 100, 50, 199
BANDWIDTHS = np.geomspace(1e-3, 10, 13)  # × the median distance


def pair(name: str, share: float = 1.0) -> tuple[GaussianMixture, GaussianMixture]:
    """Return P and Q of one of PAIRS, or with a share of their difference."""
    state = TwoSampleLab(**PAIRS[name])
    state.size *= share
    laws: Any = state.the_laws()
    return laws


def densities(name: str, share: float = 1.0) -> tuple[Vector, Vector]:
    """Return the densities of P and Q over ALONG."""
    P, Q = (np.exp(law.logpdf(ALONG[:, None])) for law in pair(name, share))
    return P, Q


def witness(name: str, kernel: Kernel, share: float = 1.0) -> Vector:
    """Return μ_P - μ_Q over ALONG, exact; rounding errors of a zero difference are set to 0."""
    P, Q = (law.embed(kernel)(ALONG[:, None]) for law in pair(name, share))
    return np.where(np.abs(P - Q) < 1e-12 * np.abs(P).max(), 0.0, P - Q)


class DensityPair(NamedTuple):
    """P and Q of one of PAIRS, perhaps with a share of their difference, and a kernel.

    `full` is the height at which the witness fills the picture.
    """

    pair: str
    kernel: Kernel
    full: float
    share: float = 1.0

    @classmethod
    def of(cls, name: str, kernel: Kernel, share: float = 1.0) -> DensityPair:
        """Return the scene in which the witness is as high as the highest of all PAIRS under this kernel."""
        return cls(name, kernel, max(np.abs(witness(each, kernel)).max() for each in PAIRS), share)

    @property
    def mmd2(self) -> float:
        """The exact MMD² of P and Q; rounding errors of a zero difference are set to 0."""
        exact = mmd2_of_laws(*pair(self.pair, self.share), self.kernel)
        return 0.0 if abs(exact) < 1e-12 else exact


def two_densities_words(result: DensityPair) -> str:
    """Return the lowest and the highest point of the witness, and MMD²."""
    heights = witness(result.pair, result.kernel, result.share)
    if not heights.any():
        return "The witness is 0 everywhere, and MMD² = 0."
    least, most = (f"{format_number(float(heights[at]))} at {format_number(float(ALONG[at]))}" for at in
                   (np.argmin(heights), np.argmax(heights)))  # fmt: skip
    return f"The witness is lowest, {least}, and highest, {most}. MMD² = {format_number(result.mmd2)}."


@Picture(
    "seen",
    title="P and Q, and what the kernel sees of them",
    height=330,
    x=Axis("x", (float(ALONG[0]), float(ALONG[-1]))),
    y=Axis("", (-1.15, FLOOR + 1.25), {0: "witness", FLOOR + 0.55: "density"}, lines=False, turned=True),
    background=(
        ReferenceLine("truth", y=0, style={"width": 1, "alpha": 0.4}),
        ReferenceLine("truth", y=FLOOR, style={"width": 1, "alpha": 0.4}),
    ),
    marks=(
        area("laws", "first", low="floor", high="P", fill=0.18, label="density of P", height_is_decorative=True),
        curve("laws", "first", y="P", width=2),
        curve("laws", "second", y="Q", width=2.5, dash="dashed", label="density of Q", height_is_decorative=True),
        area("witness", "first", high="more", fill=0.45),
        area("witness", "second", high="less", fill=0.45),
        curve("witness", "truth", y="all", width=2.5, label="witness", height_is_decorative=True),
        words("said", "truth", float(ALONG[-1]), 1.0, dx=-8, align="right", bold=True),
    ),
    description=two_densities_words,
)
def two_densities(result: DensityPair) -> Sources:
    """Draw two densities, and below them the witness: what a kernel sees of their difference."""
    tallest = max(each.max() for each in densities(result.pair))
    P, Q = (FLOOR + TALLEST * each / tallest for each in densities(result.pair, result.share))
    heights = witness(result.pair, result.kernel, result.share) / result.full
    said = np.array([f"MMD² = {format_number(result.mmd2)}"], dtype=object)
    return {
        "laws": {"x": ALONG, "floor": np.full(len(ALONG), FLOOR), "P": P, "Q": Q},
        "witness": {"x": ALONG, "all": heights, "more": np.maximum(heights, 0), "less": np.minimum(heights, 0)},
        "said": {"words": said},
    }


class Power(NamedTuple):
    """Rejection rates of tests at level LEVEL, in SAMPLES repeated samples of SIZE points each.

    Attributes
    ----------
    alone : ndarray of shape (b,)
        The rate of the test at each of BANDWIDTHS.
    best_of : float
        The share of samples in which the test rejects at one of the bandwidths at least.
    together : float
        The rate of MMDAgg, which combines many bandwidths.
    """

    alone: Vector
    best_of: float
    together: float


@cache
def power(name: str) -> Power:
    """Return the Power against one of PAIRS."""
    P, Q = pair(name)
    rejected, together = [], []
    for seed in range(SAMPLES):
        X, Y = P.sample(SIZE, rng=2 * seed), Q.sample(SIZE, rng=2 * seed + 1)
        median = median_bandwidth(np.vstack([X, Y]))
        kernels = [Gaussian(median * each) for each in BANDWIDTHS]
        sweep: Any = bandwidth_sweep(X, Y, kernels, n_resamples=RESAMPLES, rng=seed)
        rejected.append(sweep.pvalues <= LEVEL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            together.append(mmdagg_test(X, Y, n_resamples=499, rng=seed).pvalue <= LEVEL)
    alone = np.array(rejected)
    return Power(alone.mean(axis=0), float(alone.any(axis=1).mean()), float(np.mean(together)))


@Picture(
    "by-bandwidth",
    title=f"Power by bandwidth, {SIZE} points in each sample",
    height=320,
    x=Axis("bandwidth, × median distance (log scale)", (8e-4, 12.0), decades(-3, 1, 1), log=True),
    y=Axis("share of tests that reject", (0, 1.05), {0: "0", 0.5: "0.5", 1: "1"}),
    background=(ReferenceLine("harm", y=LEVEL, style={"width": 1.5, "dash": "dotted"}, label=f"level {LEVEL:g}"),),
    marks=(
        curve("together", "skmse", y="moments", width=2),
        curve("together", "skmse", y="shift", width=2, dash="dashed"),
        curve("power", "truth", y="moments", label="two modes"),
        curve("power", "truth", y="shift", dash="dashed", label="a shift"),
        words("said", "skmse", BANDWIDTHS[0], says="MMDAgg", dy=10),
        vertical_lines("here"),
        *(dots("here", "truth", y=name, size=10, follows_slider=True) for name in ("moments", "shift")),
    ),
)
def by_bandwidth(result: tuple[dict[str, Power], int]) -> Sources:
    """Draw the power by bandwidth against a shift and against two modes, and that of the test over many bandwidths.

    The result is ({name of one of PAIRS: Power}, index of the highlighted bandwidth in BANDWIDTHS).
    """
    of_pairs, here = result
    alone = {name: of.alone for name, of in of_pairs.items()}
    return {
        "power": {"x": BANDWIDTHS, **alone},
        "here": {name: each[here : here + 1] for name, each in {"x": BANDWIDTHS, **alone}.items()},
        "together": {
            "x": np.array(by_bandwidth.x.range),
            **{name: np.full(2, of.together) for name, of in of_pairs.items()},
        },
        "said": {"y": np.array([min(of.together for of in of_pairs.values())])},
    }
