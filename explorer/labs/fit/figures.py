"""Pictures of the Fit lab: the model over the data with the Stein witness, the null distribution, p by bandwidth."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.languages import translate
from explorer.marks import (
    Axis,
    Picture,
    PlanePicture,
    ReferenceLine,
    SecondaryPicture,
    SliderColumn,
    Sources,
    area,
    by,
    curve,
    decades,
    dots,
    ellipses,
    field_of,
    rings,
    segments,
    words,
)
from explorer.marks.densities import floor
from explorer.marks.geometry import ellipses as ellipses_of
from explorer.marks.nulls import DEVIATIONS, NullPicture, deviations_axis, null_marks, null_words
from explorer.marks.pvalues import P_RANGE, P, PBySlider, level_line, p_by_stop, p_marks
from explorer.printing import format_number
from explorer.types import Matrix, Vector
from explorer.workbench.samples import WIDE

from .result import UP
from .words import rejecting_words, witness_words

if TYPE_CHECKING:
    from .result import FitResult, OtherTests


# The witness fades in from PALE standard errors, and has its full colour from FULL standard errors on.
PALE, FULL = 1.0, 5.0
FAINT = 0.55  # The strength of the witness's colour. Points and arrows remain visible on it.
HEAD = 8.0  # the size of the longest arrow's head in px
SHORT = 0.85  # the length of the longest arrow, relative to the distance between arrows
RUG = -0.07  # the height of the points, below a density on a line
ZERO, HALF = -1.15, 0.8  # the height of 0 for the witness on a line, and its largest deflection
# The range of the witness on a line in standard errors: at least LEAST, and GROWS times the root of n.
LEAST, GROWS = 4.0, 0.6
TESTS = ("KSD, sign flips", "KSD, model's samples", "FSSD", "KSDAgg")


def strengths(lengths: Matrix) -> Matrix:
    """Return the strength with which witnesses of these lengths, in standard errors, are drawn, from 0 to 1."""
    return np.clip((lengths - PALE) / (FULL - PALE), 0.0, 1.0)


def handles(result: FitResult) -> dict[str, dict[str, Vector]]:
    """Return the positions of the components' centres and of the handles of their widths. Heights on a line are 0."""
    means = result.model.means
    x, y = means[:, 0], means[:, 1] if means.shape[1] > 1 else np.zeros(len(means))
    return {"centres": {"x": x, "y": y}, "rims": {"x": x + result.lab.width * result.radii, "y": y}}


def arrows(result: FitResult) -> dict[str, Any]:
    """Return the starts and ends of the arrows, and their heads."""
    x, y = result.arrow_starts.T
    room = SHORT * min(float(np.diff(np.unique(each))[0]) for each in (x, y))
    looks = [look.arrows for look in result.shown_rows]
    strong = strengths(np.array([each.lengths for each in looks]))
    turn = np.array([np.arctan2(each.values[:, 1], each.values[:, 0]) for each in looks])
    return {
        "x": x,
        "y": y,
        "to_x": SliderColumn(x + room * strong * np.cos(turn)),
        "to_y": SliderColumn(y + room * strong * np.sin(turn)),
        "size": SliderColumn(HEAD * np.sqrt(strong)),
        "angle": SliderColumn(turn - np.pi / 2),
    }


def ellipses_of_model(result: FitResult) -> dict[str, Vector]:
    """Return the model's ellipses of one standard deviation, followed by those of two."""
    one = ellipses_of(result.model)
    two = {**one, "width": 2 * one["width"], "height": 2 * one["height"]}
    return {name: np.concatenate([one[name], two[name]]) for name in one}


@PlanePicture(
    slot="main",
    title="The model, the data and the Stein witness",
    height=390,
    wide=WIDE,
    marks=(
        field_of("image", "ground", UP, "shaped", label="length of the Stein witness"),
        ellipses("law", "truth", width=2, dash="dotted", label="true distribution"),
        dots("sample", "kme", size=5, fill=0.8, width=0, label="data"),
        segments("arrows", "shaped", "x", "y", "to_x", "to_y", width=1.5, alpha=0.9, label="Stein witness"),
        dots("arrows", "shaped", "to_x", "to_y", marker="triangle", size=by("size"), angle=by("angle"), width=0),
        ellipses("kept", "skmse", width=2, dash="dashed", alpha=0.6, pinned=True),
        ellipses("model", "skmse", width=3, label="model: 1 and 2 standard deviations"),
        dots("centres", "skmse", size=13, width=1.5),
        rings("rims", "skmse", marker="square", size=10, width=2.5),
    ),
    when=lambda result: result.lab.d == 2,
    pinned=lambda result: {"kept": ellipses_of(result.model)},
    description=witness_words,
)  # fmt: skip
def plane(result: FitResult) -> Sources:
    """Draw the points, the model's components with their handles, and the Stein witness as colour and arrows."""
    lengths = np.array([look.field.lengths for look in result.shown_rows])
    return {
        "image": {"w": SliderColumn(FAINT * strengths(lengths))},
        "ground": floor(result.axes),
        "law": ellipses_of(result.law),
        "sample": dict(zip("xy", result.X.T, strict=True)),
        "arrows": arrows(result),
        "model": ellipses_of_model(result),
        **handles(result),
    }


def top_of(result: FitResult) -> float:
    """Return the density that is drawn at height 1: the true one's peak, or the model's unless it is far higher."""
    peak = float(result.density.max())
    usual = (0.0 if result.true_density is None else float(result.true_density.max())) or peak
    return max(usual, min(peak, 2.5 * usual))


def reach_of(result: FitResult) -> float:
    """Return the number of standard errors on either side of 0. It depends on n, not on the model."""
    return max(LEAST, round(GROWS * math.sqrt(result.lab.n)))


def line_pinned(result: FitResult) -> Sources:
    """Return the sources of a pinned result."""
    return {"kept": {"x": result.places[:, 0], "y": np.minimum(result.density / top_of(result), 1.05)}}


def line_sides(result: FitResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    (cx, _, half), reach = result.frame, reach_of(result)
    ends = {ZERO - HALF: f"−{reach:g}", ZERO: "0", ZERO + HALF: f"{reach:g}"}
    y = line.y._replace(label="witness (standard errors); density above", ticks={**ends, 0: "0"})
    return line.x.along(result.quantities[0], cx - half, cx + half), y


@Picture(
    slot="main",
    title="The model's density and the Stein witness",
    height=390,
    x=Axis("x", (-1, 1)),
    y=Axis("", (ZERO - HALF - 0.1, 1.1)),
    background=(ReferenceLine("kme", y=0), ReferenceLine("kme", y=ZERO, style={"width": 1.5})),
    marks=(
        dots("sample", "kme", marker="dash", angle=np.pi / 2, size=12, label="data", height_is_decorative=True),
        area("witness", "shaped", low="zero", high="y", follows_slider=True, height_is_decorative=True),
        curve("witness", "shaped", width=2.5, follows_slider=True, height_is_decorative=True,
              label="Stein witness, in standard errors"),
        curve("kept", "skmse", width=1.5, alpha=0.6, pinned=True),
        curve("truth", "truth", width=2, dash="dotted", label="true density"),
        curve("density", "skmse", label="density of the model"),
        dots("centres", "skmse", size=13, width=1.5),
        rings("rims", "skmse", marker="square", size=10, width=2.5),
    ),
    when=lambda result: result.lab.d == 1,
    pinned=line_pinned,
    sides=line_sides,
    description=witness_words,
)  # fmt: skip
def line(result: FitResult) -> Sources:
    """Draw on a line: the model's density with its handles above, and the Stein witness below."""
    x, density, true, top = result.places[:, 0], result.density, result.true_density, top_of(result)
    (cx, _, half), unit = result.frame, HALF / reach_of(result)
    signed = np.array([np.sign(look.field.values[:, 0]) * look.field.lengths for look in result.shown_rows])
    signed = np.clip(unit * signed, -HALF, HALF)
    grips = handles(result)
    for each in grips.values():
        each["y"] = np.minimum(np.exp(result.model.logpdf(each["x"][:, None])) / top, 1.0)
    return {
        "sample": {"x": np.clip(result.X[:, 0], cx - half, cx + half), "y": np.full(len(result.X), RUG)},
        "witness": {"x": x, "zero": np.full(len(x), ZERO), "y": SliderColumn(ZERO + signed)},
        "truth": None if true is None else {"x": x, "y": true / top},
        "density": {"x": x, "y": np.where(density <= 1.05 * top, density / top, np.nan)},
        **grips,
    }


# The unbiased KSD² under flipped signs, with the observed one.
null = NullPicture(
    title="KSD² under sign flips",
    height=250,
    x=deviations_axis("KSD² in standard deviations"),
    y=Axis("share of sign flips", (0, DEVIATIONS.tops[0])),
    marks=null_marks("sign flips"),
    axis=DEVIATIONS,
    test=attrgetter("test"),
    description=lambda result: null_words(result.test, result.lab.alpha, translate("sign flips give KSD²")),
)


@PBySlider(
    title="p by bandwidth",
    height=230,
    x=Axis("bandwidth, × median distance (log scale)", (0.1, 10.0), decades(-1, 1, 1), log=True),
    marks=p_marks(
        "p",
        "p of the KSD test",
        curve("many", "fkmse", width=2.5, dash="dashed", label="p of KSDAgg"),
        pinned="kept",
    ),
    pinned=lambda result: {"kept": p_by_stop(result)},
    description=rejecting_words,
)
def bandwidths(result: FitResult) -> Sources:
    """Draw p by bandwidth, and the p of KSDAgg, which needs no bandwidth."""
    found = result.aggregated
    many = None if found is None else {"x": np.array(bandwidths.x.range), "y": np.full(2, found.pvalue)}
    return {"p": p_by_stop(result), "many": many}


@SecondaryPicture(
    title="Four tests of the same model",
    stage="others",
    table_is_complete=False,
    height=230,
    x=P,
    y=Axis("", (-0.6, 3.6), {3.0 - i: name for i, name in enumerate(TESTS)}),
    background=(level_line("x"),),
    marks=(dots("tests", "truth", size=11, label=TESTS), words("tests", "truth", dx=12)),
)
def tests(result: FitResult, others: OtherTests) -> Sources:
    """Draw the p of four tests of the fit."""
    found = (result.test, others.exact, others.finite, result.aggregated)
    p = np.array([np.nan if each is None else each.pvalue for each in found])
    said = ["" if each is None else format_number(each.pvalue) for each in found]
    return {"tests": {"x": np.clip(p, *P_RANGE), "y": 3.0 - np.arange(len(p)), "words": np.array(said)}}


PICTURES = (plane, line, null, bandwidths, tests)
