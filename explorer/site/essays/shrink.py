"""The essay "Why shrink?": the plain average is too long, a little shrinkage helps, and too much of it harms."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.embeddings import oracle_alpha, risk
from explorer.estimators import KME, SKMSE
from explorer.kernels import Gaussian
from explorer.labs.shrinkage import figures
from explorer.labs.shrinkage.stein import mean_at, relative_risk
from explorer.marks import (
    KME_IS_ONE,
    Axis,
    PlanePicture,
    ReferenceLine,
    circles,
    curve,
    decades,
    dots,
    vertical_lines,
    words,
)
from explorer.printing import format_number, percent
from explorer.svg import thumbnail
from explorer.workbench.numbers import compared
from explorer.workbench.replicates import BANDS

from .essay import Essay, draw, result_of
from .pictures import EssayPicture, EssayPlot, film

if TYPE_CHECKING:
    from collections.abc import Mapping

    from explorer.markup import Markup
    from explorer.types import Vector

PRESET = "A little helps"
SAMPLES = 200  # number of samples whose averages are drawn
ALPHAS = np.linspace(0.0, 0.6, 31)  # shares that are removed
SIZES = np.unique(np.geomspace(5, 1000, 41).round().astype(int))
FAR = np.linspace(0.0, 14.5, 30)  # distances from 0, in standard errors
SOME, MANY = 3, 10  # numbers of coordinates
STEIN = {"source": "gaussian", "kernel": "LIN", "estimators": "james-stein"}


@cache
def state() -> Any:
    """Return the state of the lab in which the essay ends, with as many samples as its button adds."""
    return result_of(ESSAY.lab, **ESSAY.state.fields, samples=100)


@cache
def preset(name: str) -> Any:
    """Return the state of another preset of the lab."""
    from explorer.workbench.study import presets_of

    return result_of(ESSAY.lab, **presets_of(ESSAY.lab)[name].fields)


def kernel() -> Gaussian:
    """Return the kernel of the state; all samples share its bandwidth."""
    return state().kernel


def share(lam: float) -> float:
    """Return the share α that S-KMSE removes at λ."""
    return lam / (1 + lam)


# Averages of samples: their part along the true kernel mean and their distance from its line.
# Distances in the picture are those in the RKHS. Shrinking moves each average straight towards 0.
averages_in_plane = PlanePicture(
    "own",
    height=290,
    title=lambda content: content.title,
    sources=lambda content: content.numbers,
    x=Axis("length along the true kernel mean", (0, 1)),
    y=Axis("distance from that line", (0, 1)),
    background=(ReferenceLine("kme", y=0, style={"width": 1}),),
    marks=(
        dots("plain", "kme", size=5, fill=0.3, width=0, label="plain averages"),
        dots("shrunk", "skmse", size=6, fill=0.65, width=0, label="shrunk"),
        circles("error", "truth", width=2, dash="dashed", label="root mean squared error"),
        dots("true", "truth", marker="diamond", size=15, label="true kernel mean"),
        dots("zero", "truth", marker="x", size=13, width=2.5, label="0"),
        words("said", "truth", px=13, halo=True),
    ),
    frame=lambda result: (0.27, 0.13, 0.245),
    quantities=lambda result: (),
)


# Expected squared error relative to the plain average's, by the size of the sample.
error_over_sizes = EssayPlot(
    height=260,
    background=KME_IS_ONE,
    marks=(
        curve("over", "skmse", "n", "best", dash="dotted", label="the best λ for each n"),
        curve("over", "skmse", "n", "fixed", label="one λ for all n"),
        vertical_lines("here", "truth", width=1.5),
        dots("here", "skmse", marker="square", size=12),
        words("said", "truth", px=13, halo=True),
    ),
)


# the scenes --------------------------------------------------------------------------------------------------------


@cache
def averages() -> tuple[Vector, Vector, float]:
    """Return (part along the true kernel mean, distance from its line, length of the kernel mean).

    The first two have shape (SAMPLES,).
    """
    truth = state().law.embed(kernel())
    length = truth.norm()
    along, off = [], []
    for seed in range(SAMPLES):
        mean = KME(kernel()).embed(state().law.sample(state().lab.n, rng=seed))
        part = mean.inner(truth) / length
        along.append(part)
        off.append(np.sqrt(mean.inner(mean) - part**2))
    return np.array(along), np.array(off), length


def expected(alpha: float) -> float:
    """Return the expected squared error if a share α of the average is removed."""
    return risk(SKMSE(kernel(), lam=float(alpha / (1 - alpha))), state().law, state().lab.n)


def at_share(alpha: float) -> EssayPicture:
    """Return the picture's data of the averages after a share α of each is removed."""
    along, off, length = averages()
    ratio = expected(alpha) / expected(0.0)
    numbers = {
        "plain": {"x": along, "y": off},
        "shrunk": {"x": (1 - alpha) * along, "y": (1 - alpha) * off},
        "true": {"x": np.array([length]), "y": np.array([0.0])},
        "zero": {"x": np.array([0.0]), "y": np.array([0.0])},
        "error": {"x": np.array([length]), "y": np.array([0.0]), "radius": np.array([expected(alpha) ** 0.5])},
        "said": {
            "x": np.array([-0.12]),
            "y": np.array([0.37]),
            "words": [f"α = {percent(alpha)}: {percent(ratio)} of the squared error"],
        },
    }
    return EssayPicture(f"Averages of {SAMPLES} samples", numbers, averages_in_plane.x, averages_in_plane.y)


def cloud() -> list[Markup]:
    """Draw the plain averages."""
    shown = at_share(0.0)
    plain = {name: each for name, each in shown.numbers.items() if name not in ("shrunk", "said")}
    return [draw(averages_in_plane, shown._replace(numbers=plain))]


def pull() -> list[Markup]:
    """Draw the averages while the share α that shrinking removes grows from 0 to the one of least expected error."""
    return film(averages_in_plane, [at_share(float(alpha)) for alpha in best() * np.linspace(0, 1, 25)])


def pulled_too_far() -> list[Markup]:
    """Draw the averages, with twice the share removed that has the least expected error."""
    return [draw(averages_in_plane, at_share(2 * best()))]


def best() -> float:
    """Return the share α of the average that shrinking removes at the least expected squared error."""
    return oracle_alpha(state().law, kernel(), state().lab.n)


def over_lam(picture: Any, result: Any, low: float, high: float) -> list[Markup]:
    """Draw a picture of the lab while λ changes."""
    stops = [stop for stop in result.stops if low <= stop <= high]
    return [draw(picture, result.at(stop)) for stop in stops]


def parts() -> list[Markup]:
    """Draw variance and squared bias while λ changes."""
    return over_lam(figures.expected_error, result_of(ESSAY.lab, **ESSAY.state.fields, picture="risk"), 1e-2, 1e1)


def hurt() -> list[Markup]:
    """Draw the losses at a λ that is far too large for 100 points."""
    return [draw(figures.loss, preset("When it hurts"))]


def at_size(n: int) -> float:
    """Return the relative expected squared error with n points for the λ that is best for the state's n."""
    estimator = SKMSE(kernel(), lam=best() / (1 - best()))
    return risk(estimator, state().law, n) / risk(KME(kernel()), state().law, n)


@cache
def over_sizes() -> tuple[Vector, Vector]:
    """Return relative expected squared errors over SIZES, of the λ that is best at the state's n and of the best λ."""
    law, fixed = state().law, [at_size(n) for n in SIZES.tolist()]
    return np.array(fixed), np.array([1 - oracle_alpha(law, kernel(), n) for n in SIZES.tolist()])


def sizes() -> list[Markup]:
    """Draw the error of one λ for all n, while n changes."""
    fixed, least = over_sizes()
    x = Axis("points in the sample, n (log scale)", (5.0, 1000.0), decades(1, 3, 1), log=True)
    y = Axis("squared error, relative", (0.0, 3.2), {0: "0", 1: "1", 2: "2", 3: "3"})
    shown = []
    for n, height in zip(SIZES.tolist(), fixed.tolist(), strict=True):
        if height > y.range[1]:
            break
        numbers = {
            "over": {"n": SIZES, "fixed": fixed, "best": least},
            "here": {"x": np.array([float(n)]), "y": np.array([height])},
            "said": {"x": np.array([5.5]), "y": np.array([2.85]), "words": [f"n = {n}: {format_number(height)}"]},
        }
        shown.append(EssayPicture("A λ that was right for 20 points", numbers, x, y))
    return film(error_over_sizes, shown)


def stein() -> list[Markup]:
    """Draw the loss of James and Stein's estimate while the true mean moves away from 0."""
    means = [mean_at(float(theta), MANY, state().lab.n) for theta in FAR]
    return [draw(figures.stein_risk, result_of(ESSAY.lab, **STEIN, d=MANY, mean=mean)) for mean in means]


def line() -> list[Markup]:
    """Draw the loss of James and Stein's estimate with one coordinate."""
    return [draw(figures.stein_risk, result_of(ESSAY.lab, **STEIN, d=1))]


def filters() -> list[Markup]:
    """Draw the share of each direction that each estimator retains, while λ changes."""
    return over_lam(figures.shares_kept, result_of(ESSAY.lab, **ESSAY.state.fields, picture="filter"), 1e-2, 1e1)


def lone() -> list[Markup]:
    """Draw the weights of the points while λ changes."""
    return over_lam(figures.weights, result_of(ESSAY.lab, **ESSAY.state.fields), 1e-2, 1e1)


def loss() -> list[Markup]:
    """Draw the losses of the essay's sample at each λ from 0.01 to leave-one-out's choice, and at the state's λ."""
    result = result_of(ESSAY.lab, **ESSAY.state.fields)
    return [*over_lam(figures.loss, result, 1e-2, state().simple.chosen), draw(figures.loss, result)]


def bands() -> list[Markup]:
    """Draw the losses of the essay's sample, with bands of the losses of further samples."""
    return [draw(figures.loss, state())]


def cover() -> Markup:
    """Draw variance and squared bias."""
    result = result_of(ESSAY.lab, **ESSAY.state.fields, picture="risk")
    return thumbnail(
        figures.expected_error, result, "Expected squared error over λ, split into variance and squared bias"
    )


def stein_gain(theta: float, d: int) -> float:
    """Return the share of the squared error that James and Stein's estimate saves on average, in d coordinates.

    `theta` is the true mean's distance from 0 in standard errors.
    """
    return 1 - relative_risk(theta, d)


def prose_values() -> Mapping[str, Any]:
    """Return the numbers of the essay."""
    result, law, n = state(), state().law, state().lab.n
    truth, others = law.embed(kernel()), state().replicates
    hurt, printed = preset("When it hurts"), preset("As printed")
    genuine = printed.lab.replace(selection="leave-one-out").result(wait=True)
    alpha = best()
    return {
        "n": n,
        "delta": risk(KME(kernel()), law, n),
        "square": truth.norm() ** 2,
        "longer": risk(KME(kernel()), law, n) + truth.norm() ** 2,
        "share": percent(alpha),
        "twice": percent(2 * alpha),
        "lam": alpha / (1 - alpha),
        "breaks": next(size for size in range(n, 1000) if at_size(size) > 1),
        "large": int(SIZES[-1]),
        "at_large": at_size(int(SIZES[-1])),
        "hurt": hurt.simple_loss,
        "hurt_n": hurt.lab.n,
        "hurt_lam": hurt.lab.lam,
        "hurt_auto": compared(1 - hurt.at(None).simple_loss).share,
        "some": SOME,
        "many": MANY,
        "stein_some": compared(stein_gain(0.0, SOME)).share,
        "stein_many": compared(stein_gain(0.0, MANY)).share,
        "far": compared(stein_gain(float(FAR[-1]), MANY)).share,
        "flexible_chosen": result.flexible.chosen,
        "least": percent(float(n * result.flexible_curve.weights[-1].min())),
        "most": percent(float(n * result.flexible_curve.weights[-1].max())),
        "chosen": result.simple.chosen,
        "own_best": result.simple.best,
        "gain": compared(result.simple_gain).share,
        "flexible_gain": compared(result.flexible_gain).share,
        "count": others.count,
        "band": percent(BANDS[-1] - BANDS[0]),
        "average": compared(others.gain("simple", -1)).share,
        "wins": others.wins("simple", -1),
        "flexible_average": compared(others.gain("flexible", -1)).share,
        "flexible_wins": others.wins("flexible", -1),
        "dimensions": printed.lab.d,
        "printed": compared(1 - printed.flexible_loss).share,
        "genuine": compared(1 - genuine.flexible_loss).share,
    }


SCENES = {
    "cloud": cloud,
    "pull": pull,
    "parts": parts,
    "twice": pulled_too_far,
    "sizes": sizes,
    "hurt": hurt,
    "line": line,
    "stein": stein,
    "kept": filters,
    "lone": lone,
    "loss": loss,
    "bands": bands,
}

ESSAY = Essay(
    Path(__file__).with_name("shrink.md"),
    SCENES,
    cover,
    prose_values,
    lab="shrinkage",
    preset=PRESET,
    lesson=2,
    names=("SKMSE", "FKMSE", "james_stein", "oracle_alpha", "risk"),
)
