"""The essay "Correlation is blind to a circle": dependence without correlation, and how HSIC finds it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import shape
from explorer.discrepancy import hsic, hsic_test, pearson_test
from explorer.discrepancy.resampling.permutation import permutations
from explorer.kernels import Gaussian, median_bandwidth
from explorer.marks import Axis, dots, words
from explorer.operators.dependence_shape import DependenceShape
from explorer.printing import format_number, percent
from explorer.svg import thumbnail

from .essay import Essay, draw
from .labels import Grown, growing
from .pictures import LEVEL, EssayPicture, EssayPlot, Rates, film, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from explorer.discrepancy.results.test_result import TestResult
    from explorer.markup import Markup
    from explorer.types import Matrix, Rows, Vector

COUNT, NOISE, SEED = 100, 0.1, 3  # pairs, the standard deviation of their noise, and their seed
NARROW = 0.5  # bandwidth × median distance, on both sides
BENDS = np.linspace(0.0, 2 * np.pi, 17)  # angle through which the line is bent; 2π makes it a ring
RESAMPLES, FEWER, SAMPLES = 999, 199, 100  # permutations, those of each of many samples, and the samples
PERMUTED = 6  # number of permutations whose pairs are shown
GROWN = (1, 9, 49, 199, RESAMPLES)
MOVES = np.linspace(0.0, 1.0, 13)  # from the pairs to their functions
RING_NOISE = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
LINE_NOISE = np.array([0.5, 0.75, 1.0, 1.25, 1.5])
RING_END, LINE_END = 3, 2  # the places of the noises at which the scenes end
WAVES = 5
WIDTHS = np.array([0.1, 0.16, 0.25, 0.4, 0.63, 1.0, 1.6])  # × median distance
LINE, RING = BENDS[[0, -1]]
TICKS = {-1: "−1", 0: "0", 1: "1"}
ACROSS, UP = Axis("x", (-2.4, 2.4), TICKS), Axis("y", (-1.75, 1.75), TICKS)  # a ring looks round

# Pairs of numbers in a square.
cloud = EssayPlot(
    height=330,
    marks=(
        dots("pairs", "first", size=7, fill=0.5, width=0),
        words("said", "truth", px=13, halo=True),
        words("more", "truth", px=13, halo=True),
    ),
)
ring_and_line = Rates.of("HSIC", "Pearson's r")
one_rate = Rates.of("HSIC")


def bent(angle: float, noise: float = NOISE, seed: int = SEED) -> Matrix:
    """Draw pairs near a rising line that is bent through an angle, shape (COUNT, 2).

    The curve has a constant curvature, and its two variances sum to 1, so that the ring has radius 1.
    """
    rng = np.random.default_rng(seed)
    t, off = rng.uniform(-0.5, 0.5, COUNT), noise * rng.normal(size=(COUNT, 2))
    if angle == 0:
        curve = np.column_stack([t * np.sqrt(12), np.zeros(COUNT)])
    else:
        middle = 2 * np.sin(angle / 2) / angle
        along = 0.5 - np.sin(angle) / (2 * angle)
        across = 0.5 + np.sin(angle) / (2 * angle) - middle**2
        curve = np.column_stack([np.sin(angle * t), middle - np.cos(angle * t)]) / np.sqrt(along + across)
    return (curve + off) @ np.array([[1, 1], [-1, 1]]) / np.sqrt(2)


def kernels(pairs: Matrix, width: float = NARROW) -> tuple[Gaussian, Gaussian]:
    """Return Gaussian kernels of both sides, with a bandwidth in units of the side's median distance."""
    x, y = (Gaussian(width * median_bandwidth(side)) for side in sides(pairs))
    return x, y


def sides(pairs: Matrix) -> tuple[Matrix, Matrix]:
    """Return x and y as points, of shape (n, 1) each."""
    return pairs[:, :1], pairs[:, 1:]


def correlation(pairs: Matrix) -> float:
    """Return Pearson's r."""
    return float(np.corrcoef(*pairs.T)[0][1])


@cache
def test_at(angle: float) -> TestResult:
    """Return the permutation test by HSIC of the pairs near a bent line."""
    pairs = bent(angle)
    return hsic_test(*sides(pairs), *kernels(pairs), n_resamples=RESAMPLES, rng=SEED)


def order(permutation: int) -> Rows:
    """Return the order of y in a permutation of the ring's test, counted from 0."""
    orders: Any = np.concatenate(list(permutations(COUNT, permutation + 1, SEED)))
    return orders[permutation]


@cache
def leading() -> DependenceShape:
    """Return the leading pair of functions of the ring, at its x and y."""
    x, y = sides(bent(RING))
    return DependenceShape.of(x, y, kernels(bent(RING)), x, y)


def functions() -> Matrix:
    """Return f(x) and g(y) of the ring's pairs, in units of their largest value."""
    return np.column_stack([each / np.abs(each).max() for each in (leading().f, leading().g)])


@cache
def rates(kind: str) -> tuple[Vector, Vector]:
    """Return the shares of samples in which HSIC and Pearson's r reject: "ring" and "line" by noise, "sine" by width.

    The last one has no shares of Pearson's r.
    """
    settings, of = {
        "ring": (RING_NOISE, lambda noise, seed: bent(RING, noise, seed)),
        "line": (LINE_NOISE, lambda noise, seed: bent(LINE, noise, seed)),
        "sine": (WIDTHS, lambda width, seed: np.hstack(shape("sine", COUNT, NOISE, WAVES, seed))),
    }[kind]
    found = [
        [_rejects(of(at, seed), at if kind == "sine" else NARROW, seed, kind) for seed in range(SAMPLES)]
        for at in settings.tolist()
    ]
    hsic_rates, pearson_rates = np.moveaxis(np.mean(found, axis=1), 1, 0)
    return hsic_rates, pearson_rates


def _rejects(pairs, width, seed, kind):
    """Return whether the test by HSIC rejects, and whether that by Pearson's r does."""
    by_hsic = hsic_test(*sides(pairs), *kernels(pairs, width), n_resamples=FEWER, rng=seed)
    by_r = None if kind == "sine" else pearson_test(*sides(pairs), n_resamples=FEWER, rng=seed)
    return [each is not None and each.pvalue <= LEVEL for each in (by_hsic, by_r)]


# the scenes --------------------------------------------------------------------------------------------------------


def _cloud(title, pairs, *said, axes=("x", "y")):
    lines = {name: text_at(text, -2.3, at) for name, text, at in zip(("said", "more"), said, (1.55, 1.3), strict=False)}
    x, y = (axis._replace(label=name) for axis, name in zip((ACROSS, UP), axes, strict=True))
    return EssayPicture(title, {"pairs": {"x": pairs[:, 0], "y": pairs[:, 1]}, **lines}, x, y)


def _at(angle):
    r = f"r = {format_number(correlation(bent(angle)))}"
    return _cloud(f"{COUNT} pairs near a curve", bent(angle), r, f"HSIC: p = {format_number(test_at(angle).pvalue)}")


def bend() -> list[Markup]:
    """Draw the pairs while the line is bent into a ring."""
    return film(cloud, [_at(float(angle)) for angle in BENDS])


def permuted() -> list[Markup]:
    """Draw some permutations of the pairing; the first one, which the prose describes, is the last drawing."""
    pairs, shown = bent(RING), []
    for which in reversed(range(PERMUTED)):
        again = np.column_stack([pairs[:, 0], pairs[order(which), 1]])
        shown.append(_cloud("The same x and y, paired at random", again, f"HSIC = {format_number(_hsic(again))}"))
    return film(cloud, shown)


def _hsic(pairs):
    return float(hsic(*sides(pairs), *kernels(bent(RING))))


def grown() -> list[Markup]:
    """Draw HSIC of more and more permutations."""
    return [draw(growing, Grown(test_at(RING), count, "HSIC", "pairs")) for count in GROWN]


def unbent() -> list[Markup]:
    """Draw the ring's pairs on their way to the values of the leading functions."""
    pairs, ends, shown = bent(RING), functions(), []
    for far in MOVES.tolist():
        here = (1 - far) * pairs + far * ends
        axes = ("x", "y") if far == 0 else ("f(x)", "g(y)") if far == 1 else ("", "")
        shown.append(
            _cloud("The pairs, seen through f and g", here, f"r = {format_number(correlation(here))}", axes=axes)
        )
    return film(cloud, shown)


def noise() -> list[Markup]:
    """Draw how often both tests find the ring, by its noise."""
    return ring_and_line.film(
        f"Rings of {COUNT} pairs", _axis("noise of a ring of radius 1", RING_NOISE), RING_NOISE, rates("ring")
    )[: RING_END + 1]


def line() -> list[Markup]:
    """Draw how often both tests find the line, by its noise."""
    return ring_and_line.film(
        f"Lines of {COUNT} pairs", _axis("noise of a line", LINE_NOISE), LINE_NOISE, rates("line")
    )[: LINE_END + 1]


def _axis(label, at):
    room = 0.08 * (at[-1] - at[0])
    return Axis(label, (float(at[0] - room), float(at[-1] + room)), {float(x): f"{x:g}" for x in at})


def waves() -> list[Markup]:
    """Draw how often HSIC finds waves, from a wide kernel to a narrow one."""
    at, found = WIDTHS[::-1], rates("sine")[0][::-1]
    x = Axis("bandwidth, × median distance (log scale)", (0.085, 1.9), {0.1: "0.1", 0.4: "0.4", 1.6: "1.6"}, log=True)
    return one_rate.film(f"{COUNT} pairs on a sine of {WAVES} waves", x, at, [found])[: int(np.argmax(found)) + 1]


def cover() -> Markup:
    """Draw the ring."""
    return thumbnail(cloud, _cloud("", bent(RING)), "Pairs near a ring")


def prose_values() -> Mapping[str, Any]:
    """Return the numbers of the essay."""
    ring, test = bent(RING), test_at(RING)
    (ring_hsic, ring_r), (line_hsic, line_r), (sine, _) = (_counts(name) for name in ("ring", "line", "sine"))
    at_ring, at_line, narrow, wide = RING_END, LINE_END, len(WIDTHS) - 1 - int(np.argmax(sine[::-1])), len(WIDTHS) - 1
    return {
        "count": COUNT,
        "samples": SAMPLES,
        "resamples": RESAMPLES,
        "r_line": correlation(bent(LINE)),
        "r_ring": correlation(ring),
        "r_p": pearson_test(*sides(ring), n_resamples=RESAMPLES, rng=SEED).pvalue,
        "p": test.pvalue,
        "hsic": test.statistic,
        "first": test.null_distribution[0],
        "reach": int(test.reaching.sum()) or "None",
        "share": percent(leading().share),
        "r_through": correlation(functions()),
        "ring_noise": RING_NOISE[at_ring],
        "ring_hsic": ring_hsic[at_ring],
        "ring_pearson": ring_r[at_ring],
        "line_noise": LINE_NOISE[at_line],
        "line_hsic": line_hsic[at_line],
        "line_pearson": line_r[at_line],
        "waves": WAVES,
        "width": NARROW,
        "wide": WIDTHS[wide],
        "wide_rate": sine[wide],
        "narrow": WIDTHS[narrow],
        "narrow_rate": sine[narrow],
    }


def _counts(kind):
    """Return the numbers of samples in which HSIC and Pearson's r reject."""
    return [np.round(SAMPLES * each).astype(int) for each in rates(kind)]


SCENES: Mapping[str, Callable[[], list[Markup]]] = {
    "bend": bend,
    "permuted": permuted,
    "grown": grown,
    "unbent": unbent,
    "noise": noise,
    "line": line,
    "waves": waves,
}

ESSAY = Essay(
    Path(__file__).with_name("blind-to-a-circle.md"),
    SCENES,
    cover,
    prose_values,
    lab="independence",
    preset="A ring",
    lesson=7,
    names=("hsic", "hsic_test", "hsicagg_test", "pearson_test"),
)
