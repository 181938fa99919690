"""The essay "What is the mean of a distribution?": bumps on points, their average, and the distance of two averages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.discrepancy import mmd2
from explorer.embeddings import risk
from explorer.estimators import KME
from explorer.kernels import Gaussian
from explorer.marks import (
    Axis,
    ReferenceLine,
    area,
    curve,
    decades,
    dots,
    segments,
    vertical_lines,
    words,
)
from explorer.marks.roles import LESS, MORE
from explorer.printing import format_number, percent
from explorer.svg import thumbnail

from .essay import Essay, draw, result_of
from .pictures import EssayPicture, EssayPlot, film

if TYPE_CHECKING:
    from collections.abc import Mapping

    from explorer.markup import Markup
    from explorer.types import Points, Vector

PRESET = "The right bandwidth"
FEW = 8  # number of points whose bumps are drawn
PLACES = np.linspace(-3.2, 3.2, 129)
ASKED = -0.75  # the place at which the average is evaluated
SMALL = 10  # number of points of a small sample
SIZES = np.unique(np.geomspace(1, 1000, 40).round().astype(int))
WIDTHS = np.geomspace(0.03, 3.0, 41)
NARROW, WIDE = WIDTHS[[4, 36]]
X = Axis("x", (-3.2, 3.2), {place: f"{place:g}".replace("-", "−") for place in (-2.0, 0.0, 2.0)})
SIMILARITY = {0: "0", 0.5: "0.5", 1: "1"}


@cache
def state() -> Any:
    """Return the state of the lab in which the essay ends: P has one mode, Q two, with equal means and variances."""
    return result_of(ESSAY.lab, **ESSAY.state.fields)


def few() -> Points:
    """Return the first points of P, of shape (FEW, 1)."""
    return state().samples.X[:FEW]


# Two samples on two lines, each with its mean and a standard deviation to either side.
strips = EssayPlot(
    height=230,
    marks=(
        dots("P", "first", size=8, fill=0.35, width=0, label="sample of P"),
        dots("Q", "second", size=8, fill=0.35, width=0, label="sample of Q"),
        segments("means", "truth", "low", "y", "high", "y", width=2.5, label="one standard deviation"),
        dots("means", "truth", marker="diamond", size=14, label="mean"),
    ),
)


# Bumps on points, and averages of them.
averages = EssayPlot(
    background=(ReferenceLine("kme", y=0, style={"width": 1}),),
    marks=(
        area("gap", MORE, high="more", fill=0.35),
        area("gap", LESS, high="less", fill=0.35),
        curve("bumps", "kme", width=1.2, alpha=0.9, label="a bump for each point"),
        curve("truth", "truth", width=2, dash="dotted", label="kernel mean of P itself"),
        curve("P", "first", width=4, label="kernel mean of the sample of P"),
        curve("Q", "second", width=4, dash="dashed", label="kernel mean of the sample of Q"),
        curve("gap", "truth", "x", "gap", width=2, label="their difference"),
        dots("points", "first", marker="dash", angle=np.pi / 2, size=12, width=1.5, height_is_decorative=True),
        dots("others", "second", marker="dash", angle=np.pi / 2, size=12, width=1.5, height_is_decorative=True),
        segments("read", "truth", "x", "low", "x", "high", width=1.5, dash="dashed"),
        dots("heights", "kme", size=9, fill=0.0, width=2),
        dots("read", "first", size=13),
        words("said", "truth", align="left", px=13, halo=True),
    ),
)


# Squared distance of two distributions by bandwidth, and the part of its estimate that is sampling noise.
signal_and_noise = EssayPlot(
    height=260,
    marks=(
        curve("over", "truth", "x", "signal", label="squared distance of P and Q"),
        curve("over", "kme", "x", "noise", dash="dashed", label="from chance alone, 100 points each"),
        vertical_lines("best", "truth", width=1.5, dash="dotted", follows_slider=False),
        words("best", "truth", dx=6, px=13, halo=True),
    ),
)


def on_axis(x: Points, y: float) -> dict[str, Vector]:
    """Return the columns of ticks for points at a height."""
    return {"x": np.ravel(x), "y": np.full(len(x), y)}


def of_values(values: Vector) -> dict[str, Vector]:
    """Return the columns of a curve over PLACES."""
    return {"x": PLACES, "y": values}


def bumps(points: Points, kernel: Gaussian) -> dict[str, Vector]:
    """Return the columns of the bump of each point, with a gap after each."""
    heights = kernel(points, PLACES[:, None])
    gap = np.full((len(points), 1), np.nan)
    return {"x": np.tile(np.append(PLACES, np.nan), len(points)), "y": np.hstack([heights, gap]).ravel()}


def heights(top: float, label: str = "similarity", low: float = -0.09) -> Axis:
    """Return the vertical axis."""
    return Axis(label, (low * top, top), {place: word for place, word in SIMILARITY.items() if place <= top})


def corner_text(text: str, top: float, x: float = -3.1) -> dict[str, Any]:
    """Return the columns of a text in the upper left corner."""
    return {"x": [x], "y": [0.93 * top], "words": [text]}


# the scenes --------------------------------------------------------------------------------------------------------


def samples() -> list[Markup]:
    """Draw both samples."""
    both = state().samples
    at = [np.ravel(each) for each in (both.X, both.Y)]
    mean, spread = (np.array([getattr(each, name)() for each in at]) for name in ("mean", "std"))
    rows = np.array([1.0, 0.0])
    means = {"x": mean, "y": rows - 0.3, "low": mean - spread, "high": mean + spread}
    numbers = {"P": on_axis(at[0], 1.0), "Q": on_axis(at[1], 0.0), "means": means}
    y = Axis("", (-0.6, 1.4), {1.0: "P", 0.0: "Q"}, lines=False)
    return [draw(strips, EssayPicture("Two samples of 100 numbers", numbers, X, y))]


def one() -> list[Markup]:
    """Draw one point and its bump."""
    point, kernel = few()[:1], state().kernel
    numbers = {"bumps": bumps(point, kernel), "points": on_axis(point, -0.04)}
    return [draw(averages, EssayPicture("One point, one bump", numbers, X, heights(1.05)))]


def _adding(count):
    """Return the sources of the first points, their bumps and the average of these."""
    points, kernel = few()[:count], state().kernel
    return {
        "bumps": bumps(points, kernel),
        "points": on_axis(points, -0.04),
        "P": of_values(KME(kernel).embed(points)(PLACES)),
    }


def adding() -> list[Markup]:
    """Draw the average of one bump, of two, and so on."""
    shown = [
        EssayPicture(
            "Average of the bumps", {**_adding(count), "said": corner_text(f"n = {count}", 1.15)}, X, heights(1.15)
        )
        for count in range(1, FEW + 1)
    ]
    return film(averages, shown)


def reading() -> list[Markup]:
    """Draw the value of the average at a place."""
    kernel, points = state().kernel, few()
    value = float(KME(kernel).embed(points)([ASKED])[0])
    seen = kernel(points, [ASKED]).ravel()
    read = {"x": [ASKED], "low": [0.0], "high": [float(seen.max())], "y": [value]}
    numbers = {
        **_adding(FEW),
        "read": read,
        "heights": {"x": np.full(FEW, ASKED), "y": seen},
        "said": {"x": [ASKED - 0.15], "y": [1.06], "words": [f"average of {FEW} heights: {format_number(value)}"]},
    }
    return [draw(averages, EssayPicture("What the curve says at one place", numbers, X, heights(1.15)))]


def many() -> list[Markup]:
    """Draw the kernel mean of more and more points, and that of the distribution."""
    law, kernel = state().laws[0], state().kernel
    points, truth = law.sample(int(SIZES[-1]), rng=0), of_values(law.embed(kernel)(PLACES))
    shown = []
    for n in SIZES.tolist():
        numbers = {
            "points": on_axis(points[: min(n, 200)], -0.04),
            "truth": truth,
            "P": of_values(KME(kernel).embed(points[:n])(PLACES)),
            "said": corner_text(f"n = {n}", 1.05),
        }
        shown.append(EssayPicture("More points, less noise", numbers, X, heights(1.05)))
    return film(averages, shown)


def _both(kernel):
    """Return the kernel means of both samples as curves."""
    both = state().samples
    return [KME(kernel).embed(each)(PLACES) for each in (both.X, both.Y)]


def two() -> list[Markup]:
    """Draw the kernel means of both samples."""
    p, q = _both(state().kernel)
    return [draw(averages, EssayPicture("Two samples, two curves", _curves(p, q, 0.5), X, heights(0.5)))]


def _curves(p, q, top):
    both = state().samples
    ticks = {"points": on_axis(both.X, -0.03 * top), "others": on_axis(both.Y, -0.065 * top)}
    return {**ticks, "P": of_values(p), "Q": of_values(q)}


def gap() -> list[Markup]:
    """Draw the difference of both kernel means."""
    gap = p_to_q()
    numbers = {"gap": {"x": PLACES, "gap": gap, "more": np.minimum(gap, 0.0), "less": np.maximum(gap, 0.0)}}
    y = Axis("Q minus P", (-0.32, 0.24), {-0.2: "−0.2", 0.0: "0", 0.2: "0.2"})
    return [draw(averages, EssayPicture("Where the curves differ", numbers, X, y))]


def at_width(width: float) -> EssayPicture:
    """Return the picture of both samples' kernel means at a bandwidth."""
    kernel = Gaussian(width)
    squared = squared_distance(kernel)
    told = corner_text(f"bandwidth {format_number(width)}, distance² {format_number(squared)}", 1.05)
    p, q = _both(kernel)
    return EssayPicture("The same samples, other bumps", {**_curves(p, q, 1.05), "said": told}, X, heights(1.05))


def widths() -> list[Markup]:
    """Draw both samples' kernel means while the bandwidth falls from wide to narrow."""
    return film(averages, [at_width(float(width)) for width in WIDTHS[::-1] if NARROW <= width <= WIDE])


def wide() -> list[Markup]:
    """Draw both samples' kernel means under a wide kernel, in one picture."""
    return [draw(averages, at_width(float(WIDE)))]


@cache
def over_widths() -> tuple[Vector, Vector, Vector]:
    """Return (bandwidths, squared distance of the distributions, mean squared distance of samples).

    The mean is over two samples of P of 100 points each.
    """
    p, q = state().laws
    kernels = [Gaussian(float(width)) for width in WIDTHS]
    signal = np.array([p.embed(kernel).distance(q.embed(kernel)) ** 2 for kernel in kernels])
    noise = np.array([2 * risk(KME(kernel), p, len(state().samples.X)) for kernel in kernels])
    return WIDTHS, signal, noise


def signal() -> list[Markup]:
    """Draw the distance next to its sampling noise."""
    at, squared, noise = over_widths()
    best = float(at[np.argmax(squared / noise)])
    numbers = {
        "over": {"x": at, "signal": squared, "noise": noise},
        "best": {"x": [best], "y": [0.113], "words": [format_number(best)]},
    }
    x = Axis("bandwidth (log scale)", (0.03, 3.0), decades(-1, 0, 1), log=True)
    y = Axis("squared distance", (0.0, 0.12), {0: "0", 0.05: "0.05", 0.1: "0.1"})
    return [draw(signal_and_noise, EssayPicture("Too narrow, right, too wide", numbers, x, y))]


def test() -> list[Markup]:
    """Draw the Two-sample lab's picture of the observed MMD² and of MMD² under permuted labels."""
    from explorer.labs.twosample.figures import null

    return [draw(null, state())]


def cover() -> Markup:
    """Draw bumps and their average."""
    return thumbnail(averages, EssayPicture("", _adding(FEW), X, heights(1.05)), "Bumps on points, and their average")


def squared_distance(kernel: Gaussian) -> float:
    """Return the squared distance of the kernel means of both samples."""
    both = state().samples
    return mmd2(both.X, both.Y, kernel, statistic="biased")


def p_to_q() -> Vector:
    """Return the kernel mean of the sample of Q minus that of P."""
    p, q = _both(state().kernel)
    return q - p


def _highest(values, where):
    """Return the place of the highest value among some, to one digit."""
    return f"{PLACES[where][np.argmax(values[where])]:.1f}".replace("-", "−")


def prose_values() -> Mapping[str, Any]:
    """Return the numbers of the essay."""
    result = state()
    kernel, both, p = result.kernel, result.samples, result.laws[0]
    value = KME(kernel).embed(few())
    errors = [risk(KME(kernel), p, n) for n in (SMALL, int(SIZES[-1]))]
    at, squared, noise = over_widths()
    best = int(np.argmax(squared / noise))
    n = len(both.X)
    return {
        "n": n,
        "few": FEW,
        "mean_p": f"{float(both.X.mean()):.2f}",
        "mean_q": f"{float(both.Y.mean()):.2f}",
        "spread_p": f"{float(both.X.std()):.2f}",
        "spread_q": f"{float(both.Y.std()):.2f}",
        "width": kernel.bandwidth,
        "near": kernel([[0.0]], [[kernel.bandwidth]])[0, 0],
        "far": kernel([[0.0]], [[3 * kernel.bandwidth]])[0, 0],
        "place": ASKED,
        "value": value([ASKED])[0],
        "small_n": SMALL,
        "most": int(SIZES[-1]),
        "small": errors[0],
        "large": errors[1],
        "times": errors[0] / errors[1],
        "left": _highest(p_to_q(), PLACES < 0),
        "right": _highest(p_to_q(), PLACES > 0),
        "squared": squared_distance(kernel),
        "distance": squared_distance(kernel) ** 0.5,
        "narrow": NARROW,
        "wide": WIDE,
        "wide_squared": squared_distance(Gaussian(float(WIDE))),
        "best": at[best],
        "ratio": squared[best] / noise[best],
        "wide_ratio": percent(float((squared / noise)[list(WIDTHS).index(WIDE)])),
        "p": result.pvalue,
        "permutations": len(result.test().null_distribution),
    }


SCENES = {
    "samples": samples,
    "one": one,
    "adding": adding,
    "reading": reading,
    "many": many,
    "two": two,
    "gap": gap,
    "widths": widths,
    "wide": wide,
    "signal": signal,
    "test": test,
}

ESSAY = Essay(
    Path(__file__).with_name("mean.md"),
    SCENES,
    cover,
    prose_values,
    lab="twosample",
    preset=PRESET,
    lesson=1,
    names=("KME", "Embedding", "Gaussian", "mmd2", "mmd_test"),
)
