"""Pictures of the Shrinkage lab: loss over λ or James-Stein's risk, the sample, and shares kept per eigendirection."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from explorer.estimators import james_stein
from explorer.languages import translate, translate_plural
from explorer.marks import (
    KME_LINE,
    Axis,
    Picture,
    SecondaryPicture,
    SliderColumn,
    Sources,
    TextLabel,
    area,
    by,
    curve,
    decades,
    dots,
    ellipses,
    horizontal_lines,
    rings,
    segments,
    vertical_lines,
    words,
)
from explorer.marks.clouds import sides_of_box
from explorer.marks.error_bound import error_bound
from explorer.marks.geometry import inside, outlines
from explorer.marks.losses import LOSS, LossPicture
from explorer.marks.objectives import Objectives
from explorer.marks.roles import FONT
from explorer.printing import format_number, truncate
from explorer.types import Vector

from .extra_estimator import ROLE
from .functions.figures import PICTURES as OF_FUNCTIONS
from .functions.figures import bayes_level, bayes_numbers
from .result import FILTER_AT
from .stein import DIMENSIONS, FARTHEST, THETAS, relative_risk, risk_curve

if TYPE_CHECKING:
    from .result import ShrinkageResult
    from .stein import SteinRisk


NAME = 24  # letters of a further estimator's name in the picture
LAM_RANGE = (1e-4, 1e2)
GAMMA_RANGE, SHARE_RANGE = (1e-4, 1e3), (1e-3, 1.3)
MULTIPLES = np.array([0.01, 0.1, 1.0, 10.0])  # of the smallest eigenvalue, as in [muandet2014stein]
LAM = Axis("λ (log scale)", LAM_RANGE, decades(-4, 2), log=True)
GAMMA = Axis("eigenvalue γ / mean k(x, x) (log scale)", GAMMA_RANGE, decades(-4, 3), log=True)
KEPT = Axis("share kept, h(γ)", (-0.08, 1.12), {0: "0", 0.5: "0.5", 1: "1"})
SHARE = Axis(
    "share of the average's length (log scale)",
    SHARE_RANGE,
    {1e-3: "0.001", 1e-2: "0.01", 0.1: "0.1", 1.0: "1"},
    log=True,
)
PAIR = (("simple", "skmse", "solid", "square"), ("flexible", "fkmse", "dashed", "circle"))  # name, role, dash, marker


def names(result: ShrinkageResult) -> tuple[str, str]:
    """Return the names of both estimators."""
    return ("S-KMSE", result.flexible_name)


def flexible(result: ShrinkageResult) -> str:
    """Return the name of the filter's estimator, such as F-KMSE."""
    return result.flexible_name


def with_kernel(result: ShrinkageResult) -> bool:
    """Return whether S-KMSE and F-KMSE are shown, and not James-Stein alone."""
    return not result.lab.only_stein


WithKernel = partial(SecondaryPicture, when=with_kernel)


@LossPicture(
    slot="loss",
    parameter="lam",
    x=LAM,
    lines=PAIR,
    sizes=(13.0, 11.0, 7.0),
    between=(
        dots("gamma0", "fkmse", marker="inverted_triangle", size=7, label="λ = c γ₀", height_is_decorative=True),
        words("gamma0", "fkmse", text="c", px=11, dx=7),
    ),
    above=(
        horizontal_lines("stein", "truth", width=by("width"), dash="dotdash", is_story_answer=True,
               label=("James-Stein", "James-Stein on average")),
        words("stein", "truth", y="at", halo=True, is_story_answer=True),
        *bayes_level(),
        horizontal_lines("beside", ROLE, dash="dashdot", is_story_answer=True, label=lambda result: result.lab.beside),
        words("beside", ROLE, y="at", halo=True, font=FONT, is_story_answer=True),
    ),
    when=with_kernel,
    best=lambda path: (np.nan, np.nan) if path.best is None or path.best_loss is None else (path.best, path.best_loss),
    names=names,
)  # fmt: skip
def loss(result: ShrinkageResult) -> Sources:
    """Draw the losses of both estimators over λ, as in [muandet2014stein], and James and Stein's, which has no λ."""
    return {
        "gamma0": _gamma0(result),
        "stein": _stein(result),
        "bayes": bayes_numbers(result),
        "beside": _extra(result),
    }


def name_of_curve(d: int) -> str:
    """Return the name of a curve that is always drawn. One and two coordinates share a curve."""
    return "d = 1 and d = 2" if d == 1 else f"d = {d}"


def current_curve(result: ShrinkageResult) -> str:
    """Return the name of the curve for the state's number of coordinates."""
    return translate("James-Stein, d = {}", result.lab.d)


def stein_risk_words(result: ShrinkageResult) -> str:
    """Return the sentence on where the dot is.

    Parameters
    ----------
    result : ShrinkageResult
        A result that shows James and Stein's estimate alone.

    Returns
    -------
    str
        The distance |θ|, the number of coordinates and the relative expected squared error.
    """
    theta, risk = format_number(result.stein_risk.theta), format_number(result.stein_risk.risk)
    told = "At |θ| = {} with d = {} the expected squared error is {} of the plain average's."
    return translate(told, theta, result.lab.d, risk)


@Picture(
    "stein",
    slot="loss",
    stage="stein_risk",
    title="Expected squared error of James-Stein",
    height=340,
    x=Axis("|θ|: distance of the true mean from 0, in standard errors of the average", (-0.3, FARTHEST + 0.3)),
    y=LOSS._replace(range=(0.0, 1.2)),
    background=(KME_LINE,),
    marks=(
        *(
            curve("risks", "truth", "at", f"d{d}", width=1.5, alpha=0.6, is_story_answer=True, label=name_of_curve(d))
            for d in DIMENSIONS
        ),
        curve("risks", "truth", "at", "own", is_story_answer=True, label=current_curve),
        words(
            "named", "truth", dx=by("across"), dy=by("up"), align=by("align"), px=13, font=FONT, is_story_answer=True
        ),
        vertical_lines("theta"),
        dots("theta", "truth", size=15, follows_slider=True, is_story_answer=True, label="this distribution"),
        TextLabel("kme", 0.0, 1.0, "plain average (KME)", dx=0, dy=-4, baseline="bottom", font=FONT),
    ),
    when=lambda result: result.lab.only_stein,
    description=stein_risk_words,
)
def stein_risk(result: ShrinkageResult, risk: SteinRisk) -> Sources:
    """Draw James and Stein's expected loss over the distance of the true mean from 0, for several dimensions."""
    curves = {f"d{d}": risk_curve(d) for d in DIMENSIONS}
    return {
        "risks": {"at": THETAS, **curves, "own": risk.curve},
        "named": _names_of_curves(risk.d),
        "theta": {"x": np.array([min(risk.theta, FARTHEST)]), "y": np.array([risk.risk])},
    }


def _names_of_curves(d):
    """Return the labels of the curves: for d <= 2 at the right, above their line; for other d at the left."""
    others = [each for each in DIMENSIONS if each > 1]
    if d > 2 and d not in DIMENSIONS:
        others.append(d)
    return {
        "x": np.array([FARTHEST, *[0.0] * len(others)]),
        "y": np.array([1.0, *(relative_risk(0.0, each) for each in others)]),
        "words": np.array([translate(name_of_curve(each)) for each in (1, *others)]),
        "across": np.array([0.0, *(80.0 if each not in DIMENSIONS else 6.0 for each in others)]),
        "up": np.array([-11.0, *[13.0] * len(others)]),
        "align": np.array(["right", *["left"] * len(others)]),
    }


def weight(result: ShrinkageResult) -> str:
    """Return the legend's label of the discs, whose area is a weight."""
    return translate("weight of {}", result.flexible_name)


def ring(result: ShrinkageResult) -> str:
    """Return the legend's label of the rings around the points."""
    return "sample" if result.lab.only_stein else "weight 1/n (plain average)"


def weights_title(result: ShrinkageResult) -> str:
    """Return the title, which says what the areas are."""
    return (
        translate("Sample") if result.lab.only_stein else translate("Sample, area = weight of {}", result.flexible_name)
    )


def weights_words(result: ShrinkageResult) -> str:
    """Return the sentence on the weights, which the areas of the discs show.

    Parameters
    ----------
    result : ShrinkageResult
        The result whose weights are described at the slider's position.

    Returns
    -------
    str
        The range of the weights, or "" if James-Stein is shown alone.
    """
    if result.lab.only_stein:
        return ""
    share = len(result.X) * result.flexible_curve.weights[result.row]
    least, most = (format_number(float(end)) for end in (share.min(), share.max()))
    negative = int((share < 0).sum())
    signs = translate(", and {} of them are negative", negative) if negative else ""
    outliers = ""
    if result.lab.outliers:
        carried = format_number(float(share[result.clean :].sum() / len(share)))
        outliers = translate_plural(
            " The {} outlier carries {} of all weight.",
            " The {} outliers carry {} of all weight.",
            result.lab.outliers,
            result.lab.outliers,
            carried,
        )
    name, told = result.flexible_name, "The weights of {} go from {} to {} times 1/n{}.{}"
    return translate(told, name, least, most, signs, outliers)


@Picture(
    title=weights_title,
    sides=sides_of_box,
    name="sample",
    marks=(
        curve("law", "truth", width=2, dash="dotted", label="true distribution"),
        ellipses(
            "target", "skmse", across="width", up="width", angle=0.0, dash="dashed", follows_slider=True, label="target"
        ),
        rings("target", "skmse", marker="diamond_cross", size=16, width=2, follows_slider=True),
        rings("sample", "kme", size=by("unit"), alpha=0.8, label=ring),
        dots("weights", "fkmse", size=by("size"), fill=by("alpha"), follows_slider=True, label=weight),
        dots("average", "kme", size=13, label="plain average"),
        dots("shrunk", "truth", marker="diamond", size=15, label="James-Stein"),
        dots("touched", "outlier", marker="x", size=13, width=2, follows_slider=True, label="outlier or moved"),
    ),
    description=weights_words,
)
def weights(result: ShrinkageResult) -> Sources:
    """Draw the sample in the plane. A disc's area is a point's weight, the ring around it the plain average's weight.

    If James-Stein is shown alone, there are only the rings, the average, and the point that it is shrunk to.
    """
    points, n = inside(result.X, *result.box), len(result.X)
    drawn = {
        "sample": {**points, "unit": np.full(n, unit_size(n))},
        "weights": None,
        "average": None,
        "shrunk": None,
        "touched": {k: v[result.touched] for k, v in points.items()},
        "law": outlines(result.law),
        "target": _target(result),
    }
    if result.lab.only_stein:
        mean = result.X.mean(axis=0)
        shrunk = james_stein(mean, 1 / n, positive=True)
        return drawn | {"average": inside(mean[None], *result.box), "shrunk": inside(shrunk[None], *result.box)}
    share = n * result.flexible_curve.weights
    size, alpha = unit_size(n) * np.sqrt(np.abs(share)), np.where(share < 0, 0.0, 0.75)
    return drawn | {"weights": {**points, "size": SliderColumn(size), "alpha": SliderColumn(alpha)}}


def shares_kept_words(result: ShrinkageResult) -> str:
    """Return how many directions are kept."""
    kept = int((result.flexible_curve.filter_values[result.row] > 0.5).sum())
    told = "In {} of the {} eigendirections {} keeps more than half of the plain average."
    return translate(told, kept, len(result.X), result.flexible_name)


@WithKernel(
    "filter",
    title="Share kept along each eigendirection",
    x=GAMMA,
    y=KEPT,
    background=(KME_LINE,),
    marks=(
        horizontal_lines("level", "skmse", width=3, follows_slider=True, label="S-KMSE"),
        curve("bayes", "bayes", "gamma", "h", width=2, dash="dotdash", label="Bayesian KME"),
        curve("filter", "fkmse", "gamma", "h", dash="dashed", follows_slider=True, label=flexible),
        dots("rug", "truth", "gamma", marker="dash", angle=np.pi / 2, size=12, alpha=0.7, label="eigenvalues",
             height_is_decorative=True),
    ),
    description=shares_kept_words,
)  # fmt: skip
def shares_kept(result: ShrinkageResult) -> Sources:
    """Draw the share of each eigendirection that each estimator keeps."""
    gamma, bayes = gammas(result), result.bayes
    return {
        "level": {"y": SliderColumn.of(result.simple_curve.keeps)},
        "bayes": None if bayes is None else {"gamma": FILTER_AT, "h": bayes.filter},
        "filter": {"gamma": FILTER_AT, "h": SliderColumn(result.flexible_curve.filter)},
        "rug": {"gamma": gamma, "y": np.zeros(len(gamma))},
    }


@WithKernel(
    title="Coefficients, plain and shrunk",
    x=GAMMA,
    y=SHARE,
    marks=(
        segments("coefficients", "kme", "gamma", "before", "gamma", "flexible", alpha=0.5, follows_slider=True),
        dots("coefficients", "kme", "gamma", "before", size=8, fill=0, width=1.5, follows_slider=True, label="KME"),
        dots("coefficients", "skmse", "gamma", "simple", marker="square", fill=0.75, width=1.5, follows_slider=True,
             label="S-KMSE"),
        dots("coefficients", "fkmse", "gamma", "flexible", fill=0.75, width=1.5, follows_slider=True, label=flexible),
    ),
)  # fmt: skip
def coefficients(result: ShrinkageResult) -> Sources:
    """Draw the plain average's length along each eigendirection, before and after shrinking by each estimator."""
    plain, simple, kept = before(result), result.simple_curve.coefficients, result.flexible_curve.filter_values
    drawn = {"gamma": gammas(result), "before": np.clip(plain, *SHARE_RANGE)}
    left = {"simple": simple, "flexible": kept * plain}
    return {"coefficients": drawn | {name: SliderColumn(np.clip(rows, *SHARE_RANGE)) for name, rows in left.items()}}


@WithKernel(
    "risk",
    slider_line="line",
    title="Expected squared error of S-KMSE",
    x=LAM,
    y=LOSS._replace(label="variance and squared bias"),
    background=(KME_LINE,),
    marks=(
        area("risk", "skmse", "lam", 0, "variance", fill=0.35, label="variance"),
        area("risk", "skmse", "lam", "variance", "total", fill=0.12, hatch=("right_diagonal_line", 0.5, 8),
             label="squared bias"),
        curve("risk", "skmse", "lam", "total", label="expected loss"),
        vertical_lines("line"),
    ),
)  # fmt: skip
def expected_error(result: ShrinkageResult) -> Sources:
    """Draw S-KMSE's expected loss over λ: the remaining variance and, hatched, the squared bias."""
    drawn, parts = None, result.risk_parts()
    if parts is not None:
        total = np.minimum((parts[0] + parts[1])[:-1], 9 * LOSS.range[1])
        drawn = {"lam": slider_lams(result), "variance": parts[0][:-1], "total": total}
    return {"risk": drawn, "line": current_row(result)}


@Objectives(
    when=with_kernel,
    x=LAM,
    lines=PAIR,
    names=names,
)
def objective(result: ShrinkageResult) -> Sources:
    """Draw the loss over λ, and the quantity that leave-one-out estimates."""
    return {"line": current_row(result)}


PICTURES = (
    loss,
    stein_risk,
    weights,
    shares_kept,
    coefficients,
    expected_error,
    objective,
    replace(error_bound, when=with_kernel),
    *OF_FUNCTIONS,
)


def slider_lams(result: ShrinkageResult) -> Vector:
    """Return the slider's λ, clipped to the axis."""
    return np.clip(result.simple.lams[:-1], *LAM_RANGE)


def current_row(result: ShrinkageResult) -> dict[str, SliderColumn]:
    """Return the position of the vertical line at each row of the slider."""
    return {"x": SliderColumn.of(np.clip(result.simple.lams, *LAM_RANGE))}


def gammas(result: ShrinkageResult) -> Vector:
    """Return the eigenvalues, clipped to the axis."""
    return np.clip(result.eigenvalues, *GAMMA_RANGE)


def before(result: ShrinkageResult) -> Vector:
    """Return the plain average's coefficient along each eigendirection, as a share of its length, shape (n,)."""
    return result.spectrum.coefficients()


def unit_size(n: int) -> float:
    """Return the marker size, in px, of the weight 1/n."""
    return float(np.clip(62 / np.sqrt(n), 5, 18))


def _gamma0(result):
    """Return the multiples c γ₀ of the smallest positive eigenvalue that lie on the axis, or None if they are off."""
    if not result.lab.multiples:
        return None
    x = MULTIPLES * result.gamma0
    shown = (x >= LAM_RANGE[0]) & (x <= LAM_RANGE[1])
    return {"x": x[shown], "y": np.full(shown.sum(), 0.28), "c": MULTIPLES[shown]}


def _stein(result):
    """Return James and Stein's loss on this sample and on average, as labelled levels, or None if it is not shown."""
    if result.stein is None:
        return None
    levels = {"James-Stein": result.stein.loss, "James-Stein on average": result.stein.risk}
    known = {words: level for words, level in levels.items() if level is not None}
    y = np.clip(list(known.values()), *LOSS.range)
    parts = {"width": np.array([2.5, 1.0]), "x": np.array([6e-2, 2e-3])}  # side by side: the two may be one level
    return {
        "y": y,
        # on its line, but above that of the plain average; the whole word in the picture
        "at": np.clip(np.where(abs(y - 1) < 0.05, y + 0.05, y), 0.05, LOSS.range[1] - 0.05),
        "words": np.array(list(map(translate, known))),
        **{name: values[: len(y)] for name, values in parts.items()},
    }


def _extra(result):
    """Return the loss of the extra estimator, as a level with its name, or None if there is none."""
    beside = result.beside
    if beside is None or beside.loss is None or not np.isfinite(beside.loss):
        return None
    y = float(np.clip(beside.loss, *LOSS.range))
    at = float(np.clip(y + 0.05, 0.05, LOSS.range[1] - 0.05))
    name = truncate(result.lab.beside, NAME)
    return {"y": np.array([y]), "x": np.array([3e-3]), "at": np.array([at]), "words": np.array([name])}


def _target(result):
    """Return the blob: its centre, clipped to the frame, and two standard deviations, or None without a blob."""
    if result.blob is None:
        return None
    centre = inside(np.array([result.blob.mean]), *result.box)
    return {**centre, "width": np.array([2 * result.blob.spread])}
