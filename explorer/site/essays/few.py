"""The essay "A few points for many": herding, thinning, a point too many, and a test of few points."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels import Gaussian, median_bandwidth
from explorer.labs.few import figures
from explorer.labs.few.choices import Mean
from explorer.learning import thin
from explorer.marks import Axis, curve, decades, dots, vertical_lines, words
from explorer.printing import format_number, percent
from explorer.svg import thumbnail

from .essay import Essay, draw, result_of
from .pictures import LEVEL, EssayPicture, EssayPlot, film, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from explorer.markup import Markup
    from explorer.types import Vector

POINTS = 16
ADDED = (1, 2, 3, 4, 6, 8, 11, POINTS)  # numbers of points while the reader scrolls
COUNTS = (1, 2, 4, 8, POINTS)
HALVED = (128, 64, 32, POINTS)
WIDTHS = (0.3, 0.1, 0.03)  # × median distance
BLOBS: Mapping[str, Any] = {"source": "blobs"}
SAMPLES = 100
TEST: Mapping[str, Any] = {"picture": "test"}
PAIRS = 200  # pairs of samples without a shift that are tested


# The sample, the chosen points, and where they are too few or too many; without the lab's criticisms.
chosen = replace(
    figures.chosen,
    marks=tuple(mark for mark in figures.chosen.marks if mark.source != "critics"),
    undrawn={"critics": ("x", "y")},
)

# MMD to all points by the number of points.
by_count = EssayPlot(
    height=280,
    marks=(
        curve("over", "kme", y="random", dash="dashed", label="random points"),
        curve("over", "skmse", y="herding", label="herding"),
        vertical_lines("here"),
        dots("here", "kme", y="random", size=10),
        dots("here", "skmse", y="herding", size=10),
        words("said", "truth", px=13, halo=True),
    ),
)


@cache
def state(**fields: Any) -> Any:
    """Return a state of the lab; by default that in which the essay ends."""
    return result_of("few", **fields)


def _chosen(**fields):
    return draw(chosen, state(**fields))


def added() -> list[Markup]:
    """Draw the points that herding chooses, one after the other."""
    return [_chosen(m=count) for count in ADDED]


def rate() -> list[Markup]:
    """Draw the MMD of herding and of random points, with more and more points."""
    counts, errors = state().rivals["herding"]
    over = {"x": counts.astype(float), "herding": errors, "random": state().mean.random(counts)}
    x = Axis("points (log scale)", (0.9, 72.0), {float(2**k): str(2**k) for k in range(7)}, log=True)
    y = Axis("MMD to all points (log scale)", (0.012, 1.1), decades(-2, 0, 1), log=True)
    shown = []
    for count in COUNTS:
        (at,) = np.flatnonzero(counts == count)
        here = {name: each[at : at + 1] for name, each in over.items()}
        said = text_at(f"{count} points: {format_number(float(errors[at]))}", 1.0, 0.016)
        shown.append(EssayPicture("More points, less distance", {"over": over, "here": here, "said": said}, x, y))
    return film(by_count, shown)


def halved() -> list[Markup]:
    """Draw the points that kernel thinning leaves."""
    return [_chosen(method="thinning", m=count) for count in HALVED]


def blobs() -> list[Markup]:
    """Draw three points for three blobs."""
    return [_chosen(**BLOBS, m=count) for count in (1, 2, 3)]


def fourth() -> list[Markup]:
    """Draw a fourth point for three blobs."""
    return [_chosen(**BLOBS, m=4)]


def narrow() -> list[Markup]:
    """Draw points chosen with narrower and narrower bumps."""
    return [_chosen(bandwidth=width) for width in WIDTHS]


def test() -> list[Markup]:
    """Draw p by the number of points that a test keeps."""
    return [draw(figures.p_by_rows_kept, state(**TEST))]


@cache
def repeated() -> tuple[Vector, Vector]:
    """Return, for SAMPLES other samples, how many times as large the MMD of random points is; and that of four points.

    The second is the MMD of four points relative to that of three, in samples of three blobs.
    """
    times, fourths = [], []
    for seed in range(1000, 1000 + SAMPLES):
        mean, errors = _herded(state().lab.cloud_of(state().lab.n, seed), POINTS)
        times.append(float(mean.random(POINTS)) / errors[-1])
        _, errors = _herded(state(**BLOBS, m=3).lab.cloud_of(state().lab.n, seed), 4)
        fourths.append(errors[3] / errors[2])
    return np.array(times), np.array(fourths)


def _herded(X, most):
    """Return the kernel mean of points, and the MMD of the first 1, 2, ... that herding chooses."""
    kernel = Gaussian(WIDTHS[0] * median_bandwidth(X))
    return Mean.of(kernel, X), thin(X, most, kernel).errors


def cover() -> Markup:
    """Draw the chosen points."""
    return thumbnail(chosen, state(), "A few points for many")


def prose_values() -> Mapping[str, Any]:
    """Return the numbers of the essay."""
    here, three, four = state(), state(**BLOBS, m=3), state(**BLOBS, m=4)
    weighted, narrow_ = state(**BLOBS, m=4, method="k-means"), state(bandwidth=WIDTHS[-1])
    tested, quiet = state(**TEST), state(**TEST, shift=0.0, samples=PAIRS)
    compressed = tested.tested
    times, fourths = repeated()
    return {
        "n": here.lab.n,
        "m": POINTS,
        "mmd": here.error,
        "one": here.herded[1][0],
        "random": here.mean.random(POINTS),
        "worth": round(here.worth),
        "samples": SAMPLES,
        "times_mean": f"{times.mean():.1f}",
        "times_least": f"{times.min():.1f}",
        "left": HALVED[-1],
        "thinned": state(method="thinning", m=POINTS).error,
        "three": three.error,
        "four": four.error,
        "rises": int((fourths > 1).sum()),
        "weighted": weighted.error,
        "theta": WIDTHS[0],
        "narrow": WIDTHS[-1],
        "narrow_times": narrow_.times,
        "tested": len(compressed.X),
        "shift": tested.lab.shift,
        "kept": len(compressed.stand_for[0]),
        "cost": percent(tested.cost_share),
        "p": tested.pvalue,
        "p_all": compressed.pvalues[-1],
        "pairs": PAIRS,
        "false": quiet.again.false,
        "level": round(100 * LEVEL),
    }


SCENES: Mapping[str, Callable[[], list[Markup]]] = {
    "chosen": added,
    "rate": rate,
    "halved": halved,
    "blobs": blobs,
    "fourth": fourth,
    "narrow": narrow,
    "test": test,
}

ESSAY = Essay(
    Path(__file__).with_name("a-few-points-for-many.md"),
    SCENES,
    cover,
    prose_values,
    lab="few",
    preset="16 points for 256",
    lesson=6,
    names=("herd", "thin", "mmd_test"),
)
