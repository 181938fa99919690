"""Pictures of functions in the Shrinkage lab: averages of f = k(., t), F-KMSE's regressions, and no λ for all means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from explorer.kernels import Exponential
from explorer.labs.shrinkage.stein import relative_risk
from explorer.languages import translate
from explorer.marks import (
    KME_IS_ONE,
    Axis,
    Marks,
    SecondaryPicture,
    SliderColumn,
    area,
    curve,
    dots,
    rings,
    segments,
    vertical_lines,
)
from explorer.marks import words as worded
from explorer.marks.losses import LOSS
from explorer.marks.mark import Mark, Numbers, horizontal_lines
from explorer.marks.picture import Picture, Sources
from explorer.types import Values as Array

from .values import COVERED, DISTANCES, distance_at, oracle_risks, risks_at
from .words import fits_words, oracle_words, values_words

if TYPE_CHECKING:
    from explorer.labs.shrinkage.result import ShrinkageResult

    from .values import Fits, Values


Lines: TypeAlias = Sequence[tuple[str, str, str, Any]]  # (name, role, side, words) of each label
LINE = 0.13  # the distance from one label to the next, as a share of the picture's height
ABOVE = 0.2  # the share of the picture's height that stays free above what is drawn


def labels(*lines: tuple[str, str, str, Any]) -> Marks:
    """Return a label for each line (name, role, side, words), in the upper corners of a picture, placed by `named`."""
    sides: dict[str, Any] = {"left": {"dx": 6, "align": "left"}, "right": {"dx": -6, "align": "right"}}
    return tuple(worded(f"named_{name}", role, says=text, px=11, **sides[side]) for name, role, side, text in lines)


def named(picture: Picture, result: ShrinkageResult, lines: Lines, lacking: Sequence[str] = ()) -> Numbers:
    """Return the sources of `labels` in a picture, from top to bottom on either side, without those in `lacking`."""
    _, x, y = picture.axes(result)
    low, high = y.range
    drawn: Numbers = {}
    for side, at in zip(("left", "right"), x.range, strict=True):
        shown = [name for name, _, where, _ in lines if where == side and name not in lacking]
        for i, name in enumerate(shown):
            drawn[f"named_{name}"] = {"x": np.array([at]), "y": np.array([high - (high - low) * LINE * (0.6 + i)])}
    return drawn


# a secondary picture of functions, hidden if James-Stein is shown alone
OfFunctions = partial(SecondaryPicture, when=lambda result: not result.lab.only_stein)


def along(result: ShrinkageResult) -> Axis:
    """Return the axis of the first coordinate."""
    (left, _), (right, _) = (corner.tolist() if len(corner) > 1 else (*corner, 0.0) for corner in result.box)
    return Axis("", (0.0, 1.0)).along(result.quantities[0], left, right)


def up(axis: Axis, *values: Any) -> Axis:
    """Return the axis of heights, which includes 0 and leaves some space for labels above the values."""
    finite = np.concatenate([np.ravel(each) for each in values if each is not None])
    low, high = min(0.0, float(finite.min())), max(0.0, float(finite.max()))
    high += ABOVE * (high - low) or 1.0
    return axis._replace(range=(low - 0.03 * (high - low), high))


def flexible(result: ShrinkageResult) -> str:
    """Return the label of the line of the filter's estimator, such as F-KMSE."""
    return f"╌ {result.flexible_name}"


AVERAGES: Lines = (
    ("exact", "truth", "left", "··· exact, E f(X)"),
    ("average", "kme", "left", "─ plain average (KME)"),
    ("simple", "skmse", "right", "─ S-KMSE"),
    ("flexible", "fkmse", "right", flexible),
    ("mean", "bayes", "left", "─ Bayesian KME ± 1.96 sd"),
)


def averages_sides(result: ShrinkageResult, values: Values) -> tuple[Axis, Axis]:
    """Return both axes."""
    ends = [] if values.mean is None else _band(values)
    blob = values.simple if result.blob is not None else None
    return along(result), up(averages.y, values.average, values.exact, blob, *ends)


def averages_title(result: ShrinkageResult) -> str:
    """Return the title. Under the exponential kernel the averages are the moment generating function."""
    is_exponential = isinstance(result.kernel, Exponential)
    return "Moment generating function" if is_exponential else "Averages of functions f = k(·, t)"


@OfFunctions(
    "values",
    stage="values",
    title=averages_title,
    y=Axis("average of f", (0.0, 1.0)),
    marks=(
        area("band", "bayes", "x", "low", "high", fill=0.22, label="± 1.96 posterior sd"),
        curve("along", "kme", "x", "average", width=2.5, label="plain average"),
        curve("band", "bayes", "x", "mean", width=1.5, label="Bayesian KME"),
        curve("along", "truth", "x", "exact", width=2, dash="dotted", label="exact"),
        curve("rows", "skmse", "x", "simple", width=2.5, follows_slider=True, label="S-KMSE"),
        curve(
            "rows",
            "fkmse",
            "x",
            "flexible",
            width=2,
            dash="dashed",
            follows_slider=True,
            label=lambda r: r.flexible_name,
        ),
        vertical_lines("probe", follows_slider=False, width=1, dash="dotted"),
        dots("here", "skmse", "x", "simple", marker="square", size=8, follows_slider=True),
        dots("here", "fkmse", "x", "flexible", size=7, follows_slider=True),
        dots("probe", "truth", size=13, label="t"),
        *labels(*AVERAGES),
    ),
    description=values_words,
    sides=averages_sides,
)
def averages(result: ShrinkageResult, values: Values) -> Sources:
    """Draw the true kernel mean and its estimates along the first coordinate: E f(X) for every f = k(., t)."""
    blank, t = np.full(len(values.at), np.nan), float(np.clip(values.centre[0], values.at[0], values.at[-1]))
    exact = blank if values.exact is None else values.exact[:-1]
    band = None
    if values.mean is not None:
        low, high = _band(values)
        band = {"x": values.at, "low": low[:-1], "high": high[:-1], "mean": values.mean[:-1]}
    lacking = [name for name in ("exact", "mean") if getattr(values, name) is None]
    at_t = values.average if values.exact is None else values.exact
    return {
        "along": {"x": values.at, "average": values.average[:-1], "exact": exact},
        "rows": {
            "x": values.at,
            "simple": SliderColumn(values.simple[:, :-1]),
            "flexible": SliderColumn(values.flexible[:, :-1]),
        },
        "band": band,
        "probe": {"x": np.array([t]), "y": at_t[-1:]},
        "here": {
            "x": np.array([t]),
            "simple": SliderColumn(values.simple[:, -1:]),
            "flexible": SliderColumn(values.flexible[:, -1:]),
        },
        **named(averages, result, AVERAGES, lacking),
    }


REGRESSIONS: Lines = (
    ("values", "kme", "left", "○ f(xⱼ), ─ their mean (KME)"),
    (
        "predicted",
        "fkmse",
        "left",
        lambda result: translate("● predicted from xⱼ, ╌ their mean ({})", result.flexible_name),
    ),
    ("exact", "truth", "left", "··· exact, E f(X)"),
)


def regressions_sides(result: ShrinkageResult, fits: Fits) -> tuple[Axis, Axis]:
    """Return both axes."""
    fits = result.fits
    if fits is None:
        return regressions.x, regressions.y
    return along(result), up(regressions.y, fits.values, fits.exact)


@OfFunctions(
    "fits",
    stage="fits",
    title="F-KMSE as an average of conditional embeddings",
    y=Axis("f = k(·, t)", (0.0, 1.0)),
    marks=(
        horizontal_lines("average", "kme", width=2, follows_slider=False, key="", label="mean of f, the plain average"),
        horizontal_lines("exact", "truth", width=2, dash="dotted", follows_slider=False, label="exact", key=""),
        horizontal_lines(
            "mean", "fkmse", width=2.5, dash="dashed", follows_slider=True, label="mean of the predictions", key=""
        ),
        segments("fits", "kme", "x", "f", "x", "predicted", alpha=0.5, follows_slider=True),
        rings("fits", "kme", "x", "f", size=8, width=1.5, label="f at the sample", key=""),
        dots("fits", "fkmse", "x", "predicted", size=7, fill=0.8, follows_slider=True, label="predicted", key=""),
        vertical_lines("probe", follows_slider=False, width=1, dash="dotted"),
        dots("probe", "truth", size=13, label="t", height_is_decorative=True),
        *labels(*REGRESSIONS),
    ),
    description=fits_words,
    sides=regressions_sides,
)
def regressions(result: ShrinkageResult, fits: Fits) -> Sources:
    """Draw f = k(., t) at the sample, and the predictions of conditional embeddings there. F-KMSE is their mean."""
    (low, *_), (high, *_) = result.box
    x, t = np.clip(result.X[:, 0], low, high), float(np.clip(fits.centre[0], low, high))
    return {
        "fits": {"x": x, "f": fits.values, "predicted": SliderColumn(fits.predicted)},
        "average": {"y": np.array([fits.values.mean()])},
        "mean": {"y": SliderColumn.of(fits.predicted.mean(axis=1))},
        "exact": {"y": np.array([] if fits.exact is None else [fits.exact])},
        "probe": {"x": np.array([t]), "y": np.zeros(1)},
        **named(regressions, result, REGRESSIONS, [] if fits.exact is not None else ["exact"]),
    }


ORACLE: Lines = (
    ("one", "skmse", "right", "─ S-KMSE, this λ"),
    ("best", "truth", "left", "··· the best λ for each (oracle)"),
    ("stein", "fkmse", "left", "╌ James-Stein"),
)


@OfFunctions(
    title="One λ for all kernel means, and the best for each",
    x=Axis("distance of μ from the target / RMSE of KME", (0.0, 5.0), {float(i): f"{i}" for i in range(6)}),
    y=LOSS._replace(label="expected squared error"),
    background=KME_IS_ONE,
    marks=(
        curve("best", "truth", width=2, dash="dotted", label="best λ for each distance"),
        curve("sampled", "fkmse", width=2.5, dash="dashed", label="James-Stein"),
        curve("one", "skmse", follows_slider=True, label="S-KMSE, this λ"),
        dots("here", "skmse", marker="square", size=11, follows_slider=True, label="this distribution"),
        *labels(*ORACLE),
    ),
    description=oracle_words,
)
def oracle(result: ShrinkageResult) -> Sources:
    """Draw S-KMSE's expected loss over the distance of the kernel mean, with one λ and with the best λ for each."""
    top, lams, rho = LOSS.range[1], result.simple.lams, result.remoteness
    part = np.linspace(0.0, 1.0, len(DISTANCES))
    x = np.array([part * min(DISTANCES[-1], distance_at(float(lam), top)) for lam in lams])
    one = np.array([risks_at(lams[[i]], each)[0] for i, each in enumerate(x)])
    here = None
    if rho is not None:
        risks = risks_at(lams, np.array([rho]))
        here = {"x": np.array([min(rho, DISTANCES[-1])]), "y": SliderColumn(np.minimum(risks, top))}
    stein = None
    if result.stein is not None and result.blob is None:  # ρ² is |θ|² / d, θ in standard errors
        risks = [relative_risk(float(each) * np.sqrt(result.lab.d), result.lab.d) for each in DISTANCES]
        stein = {"x": DISTANCES, "y": np.array(risks)}
    return {
        "one": {
            "x": SliderColumn(x),
            "y": SliderColumn(one),
        },  # the line ends at the frame: no line may end inside the layer of marks that follow the slider
        "best": {"x": DISTANCES, "y": oracle_risks()},
        "sampled": stein,
        "here": here,
        **named(oracle, result, ORACLE, [] if stein else ["stein"]),
    }


def _band(values):
    """Return both ends of the band."""
    return [values.mean + sign * COVERED * values.deviation for sign in (-1, 1)]


PICTURES = (averages, regressions, oracle)


def bayes_level() -> tuple[Mark, Mark]:
    """Return the marks of BayesianKME's loss, which has no λ: a level over λ with its name. The source is "bayes"."""
    level = horizontal_lines(
        "bayes", "bayes", width=2, dash="dotdash", follows_slider=False, is_story_answer=True, label="Bayesian KME"
    )
    name = worded("bayes", "bayes", "x", "at", says="Bayesian KME", halo=True, is_story_answer=True)
    return level, name


def bayes_numbers(result: ShrinkageResult) -> dict[str, Array] | None:
    """Return the columns of `bayes_level`, or None if it is not shown or the truth is unknown."""
    loss = None if result.bayes is None else result.bayes.loss
    if loss is None:
        return None
    y = min(loss, LOSS.range[1])
    # Place the label below the line of the plain average, and below that line's label.
    at = y - 0.06 if 0.94 < y < 1.1 else y
    return {"x": np.array([4e-4]), "y": np.array([y]), "at": np.array([at])}
