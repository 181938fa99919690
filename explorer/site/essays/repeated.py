"""Tests of repeated samples: their p-values, rejection rates, and how the rates grow with the sample size."""

from __future__ import annotations

from functools import cache

import numpy as np

from explorer.discrepancy import mmd_test
from explorer.embeddings import GaussianMixture
from explorer.kernels import Gaussian
from explorer.marks import Axis, Picture, ReferenceLine, Sources, boxes, curve, dots, vertical_lines
from explorer.marks import words as written
from explorer.marks.nulls import HATCH
from explorer.printing import format_number
from explorer.types import Vector

from .clinic import LEVEL
from .labels import FIRST

TESTS, FEWER = 400, 199  # number of repeated samples, and of permutations of each
BINS = np.linspace(0, 1, 21)
SIZES = (10, 20, 40, 80, 160)  # sizes of both samples


@cache
def pvalues(shift: float, size: int = FIRST) -> Vector:
    """Return the p-values of tests of repeated samples of two Gaussian distributions, of shape (TESTS,).

    Their means differ by `shift` standard deviations.
    """
    P, Q = (GaussianMixture([1.0], [[mean]], [1.0]) for mean in (0.0, shift))
    return np.array(
        [
            mmd_test(
                P.sample(size, rng=2 * seed), Q.sample(size, rng=2 * seed + 1), Gaussian(), n_resamples=FEWER, rng=seed
            ).pvalue
            for seed in range(TESTS)
        ]
    )


def rate(values: Vector) -> float:
    """Return the share of p-values that are at most LEVEL."""
    return float((values <= LEVEL).mean())


def rejections_words(result: tuple[Vector, str]) -> str:
    """Return the share of the tests that reject."""
    values, differs = result
    return f"{differs}: {format_number(100 * rate(values))} % of the tests reject.".capitalize()


@Picture(
    "p-values",
    title=f"p in {TESTS} repeated samples",
    height=300,
    x=Axis("p", (0.0, 1.0), {0: "0", LEVEL: f"{LEVEL:g}", 0.5: "0.5", 1: "1"}),
    y=Axis("share of samples", (0.0, 1.05), {0: "0", 0.5: "0.5", 1: "1"}),
    marks=(
        boxes("kept", "kme", fill=0.5, width=0.5, alpha=0.8, inks=("fill", "line"), label="not rejected"),
        boxes("rejected", "harm", fill=0.85, width=0.5, alpha=0.8, hatch=HATCH, inks=("fill", "line", "hatch"),
              label=f"rejected at level {LEVEL:g}"),
        written("said", "truth", 1.0, 0.95, dx=-6, align="right", bold=True),
        written("said", "truth", 1.0, 0.86, text="share", dx=-6, align="right"),
    ),
    description=rejections_words,
)  # fmt: skip
def rejections(result: tuple[Vector, str]) -> Sources:
    """Draw p-values in repeated samples; the result is (p-values, difference of the distributions)."""
    values, differs = result
    # p is a multiple of 1 / (1 + FEWER); a p on an edge belongs to the bar below
    counts, _ = np.histogram(values - 0.5 / (1 + FEWER), BINS)
    bars = {"left": BINS[:-1], "right": BINS[1:], "top": counts / len(values)}
    said = {"words": differs, "share": f"{format_number(100 * rate(values))} % of the tests reject"}
    return {
        "rejected": {name: each[:1] for name, each in bars.items()},
        "kept": {name: each[1:] for name, each in bars.items()},
        "said": {name: np.array([each], dtype=object) for name, each in said.items()},
    }


@Picture(
    "power-by-size",
    title="Power by sample size",
    height=300,
    x=Axis("readings in each sample (log scale)", (9.0, 180.0),
                             {float(n): str(n) for n in SIZES}, log=True),
    y=Axis("share of tests that reject", (0.0, 1.05), {0: "0", 0.5: "0.5", 0.8: "0.8", 1: "1"}),
    background=(
        ReferenceLine("harm", y=LEVEL, style={"width": 1.5, "dash": "dotted"}, label=f"level {LEVEL:g}"),
    ),
    marks=(
        curve("power", "truth", label="power"),
        dots("power", "truth", size=8),
        vertical_lines("here", alpha=0.6),
    ),
)  # fmt: skip
def power_by_size(result: tuple[Vector, int]) -> Sources:
    """Draw the power by the size of both samples; the result is (power at each of SIZES, the highlighted size)."""
    power, here = result
    return {"power": {"x": np.array(SIZES, dtype=float), "y": power}, "here": {"x": np.array([float(here)])}}
