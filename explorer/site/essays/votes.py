"""Gains and costs of a vote of blocks: errors of MONK's estimate by the number of blocks, in repeated samples."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from explorer.discrepancy import errors_beside_outliers, mmd_of_laws
from explorer.discrepancy.monk.error_study import ErrorStudy
from explorer.kernels.named import NAMED
from explorer.labs.monk.lab import MonkLab, with_outliers
from explorer.marks import Axis, Picture, Sources, curve, dots, vertical_lines
from explorer.types import Vector

BLOCKS = (1, 3, 5, 7, 9, 11, 15, 21, 31, 41, 61, 81, 101)
SAMPLES = 20
OUTLIERS = 5


class Errors(NamedTuple):
    """Root mean squared errors over repeated samples.

    Attributes
    ----------
    none, some : ndarray of shape (b,)
        The errors of MONK's estimate without outliers and with OUTLIERS of them, for each of BLOCKS.
    u : float
        The error of the root of the U-statistic without outliers.
    """

    none: Vector
    some: Vector
    u: float


@cache
def errors(**fields: Any) -> Errors:
    """Return the Errors in the samples that follow the sample of a state of the MONK lab."""
    lab = MonkLab(**fields)
    P, Q = lab.the_laws()
    kernel = NAMED[lab.kernel]
    kernel = kernel.with_bandwidth(lab.bandwidth) if kernel.has_bandwidth else kernel
    seeds = range(lab.seed + 1, lab.seed + 1 + SAMPLES)
    draws = ((P.sample(lab.n, rng=2 * seed), Q.sample(lab.n, rng=2 * seed + 1)) for seed in seeds)
    contaminate = partial(with_outliers, planted=lab.planted, distance=lab.distance, points=())
    counts, truth = (0, OUTLIERS), mmd_of_laws(P, Q, kernel)
    study: Any = errors_beside_outliers(draws, contaminate, truth, kernel, counts, BLOCKS, lab.partition)
    of = {name: np.sqrt((each**2).mean(axis=0)) for name, each in study.errors.items()}
    none, some = np.array([of[Q] for Q in BLOCKS]).T
    return Errors(none, some, float(of["U"][0]))


@Picture(
    "over-blocks",
    title="Error by the number of blocks, 200 pairs",
    height=320,
    x=Axis("blocks Q (log scale)", (0.9, 112.0),
                             {float(Q): str(Q) for Q in (1, 3, 5, 11, 21, 41, 101)}, log=True),
    y=Axis("error of the MMD (log scale)", (0.04, 20.0),
                             {0.05: "0.05", 0.1: "0.1", 0.5: "0.5", 1: "1", 5: "5", 10: "10"}, log=True),
    marks=(
        curve("errors", "outlier", y="some", dash="dashed", label=f"with {OUTLIERS} outliers"),
        dots("errors", "outlier", y="some", size=7, marker="x", width=2),
        curve("errors", "monk", y="none", label="without outliers"),
        dots("errors", "monk", y="none", size=7, marker="hex"),
        vertical_lines("here", alpha=0.8),
    ),
)  # fmt: skip
def over_blocks(result: tuple[Errors, int]) -> Sources:
    """Draw the errors by the number of blocks; the result is (Errors, highlighted number)."""
    of, blocks = result
    return {
        "errors": {"x": np.array(BLOCKS, dtype=float), "some": of.some, "none": of.none},
        "here": {"x": np.array([float(blocks)])},
    }


@Picture(
    "over-outliers",
    title="Error by outliers, for votes of 5, 11 and 21",
    height=320,
    x=Axis("pairs with an outlier, of 200", (-0.5, 20.5), {at: str(at) for at in range(0, 21, 5)}),
    y=over_blocks.y._replace(range=(0.05, 60.0)),
    marks=(
        curve("errors", "kme", y="U", label="U-statistic"),
        *(
            curve("errors", "monk", y=str(blocks), dash=dash, label=f"{blocks} blocks")
            for blocks, dash in ((5, "dotted"), (11, "solid"), (21, "dashed"))
        ),
        vertical_lines("here", alpha=0.8),
    ),
)
def over_outliers(result: tuple[ErrorStudy, int]) -> Sources:
    """Draw the errors by the number of outliers; the result is (the lab's ErrorStudy, highlighted number)."""
    study, outliers = result
    medians = {str(name): study.quantile(name, 0.5) for name in study.errors}
    return {
        "errors": {"x": np.array(study.counts, dtype=float), **medians},
        "here": {"x": np.array([float(outliers)])},
    }


@Picture(
    height=320,
    x=over_blocks.x,
    title="The price: P = Q, clean data, Gaussian kernel",
    y=Axis("error of the MMD", (0.0, 0.12), {0: "0", 0.05: "0.05", 0.1: "0.1"}),
    marks=(
        curve("u", "kme", dash="dashed", label="U-statistic"),
        curve("errors", "monk", y="none", label="vote of Q blocks"),
        dots("errors", "monk", y="none", size=7, marker="hex"),
        vertical_lines("here", alpha=0.8),
    ),
)
def price(result: tuple[Errors, int]) -> Sources:
    """Draw the errors without outliers if P = Q under a bounded kernel, next to that of the plain average."""
    of, _ = result
    return {**over_blocks.data(result), "u": {"x": np.array(price.x.range), "y": np.full(2, of.u)}}
