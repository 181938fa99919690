"""Pictures of the Fit lab: the model over the data with the Stein witness, the null distribution, p by bandwidth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.marks import (
    Axis,
    Band,
    Grounds,
    Marks,
    ReferenceLine,
    SliderColumn,
    area,
    by,
    curve,
    decades,
    dots,
    ellipses,
    field_of,
    rings,
    segments,
    vertical_lines,
    words,
)
from explorer.marks.geometry import ellipses as ellipses_of
from explorer.marks.geometry import ground, nothing
from explorer.marks.mark import Numbers
from explorer.marks.nulls import HATCH, NullAxis, OldNullPicture, level_words, null_bars, null_lines, null_words
from explorer.marks.old_form import Picture, PlanePicture, SecondaryPicture
from explorer.printing import format_number
from explorer.types import Matrix, Vector

from .cost import UP
from .words import witness_words

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
P_RANGE = (5e-4, 1.6)
P_TICKS = {0.001: "0.001", 0.01: "0.01", 0.05: "0.05", 0.2: "0.2", 1.0: "1"}
TESTS = ("KSD, sign flips", "KSD, model's samples", "FSSD", "KSDAgg")
DEVIATIONS = NullAxis(-3.5, 9.0, 50, (0.2, 0.4, 0.7, 1.05))


def alpha(result: FitResult) -> float:
    """Return the tests' level."""
    return result.lab.alpha


def law_called(result: FitResult) -> str | None:
    """Return the label of the true distribution, or None if it is unknown."""
    return None if result.law is None else "true distribution"


def strengths(lengths: Matrix) -> Matrix:
    """Return the strength with which witnesses of these lengths, in standard errors, are drawn, from 0 to 1."""
    return np.clip((lengths - PALE) / (FULL - PALE), 0.0, 1.0)


def handles(result: FitResult) -> dict[str, dict[str, Vector]]:
    """Return the positions of the components' centres and of the handles of their widths. Heights on a line are 0."""
    means = result.model.means
    x, y = means[:, 0], means[:, 1] if means.shape[1] > 1 else np.zeros(len(means))
    return {"centres": {"x": x, "y": y}, "rims": {"x": x + result.lab.width * result.radii, "y": y}}


class Plane(PlanePicture):
    """The points, the model's components with their handles, and the Stein witness as colour and arrows."""

    name = "plane"
    place = "main"
    heading = "The model, the data and the Stein witness"
    title = "Drag the model's centre or its edge"
    height = 390
    marks: ClassVar[Marks] = (
        field_of("image", "ground", UP, "harm", label="length of the Stein witness"),
        ellipses("law", "truth", width=2, dash="dotted", label=law_called),
        dots("sample", "kme", size=5, fill=0.8, width=0, label="data"),
        segments("arrows", "harm", "x", "y", "to_x", "to_y", width=1.5, alpha=0.9, label="Stein witness"),
        dots("arrows", "harm", "to_x", "to_y", marker="triangle", size=by("size"), angle=by("angle"), width=0),
        ellipses("kept", "skmse", width=2, dash="dashed", alpha=0.6, pinned=True),
        ellipses("model", "skmse", width=3, label="model: 1 and 2 standard deviations"),
        dots("centres", "skmse", size=13, width=1.5),
        rings("rims", "skmse", marker="square", size=10, width=2.5),
    )  # fmt: skip

    @classmethod
    def is_visible(cls, result: FitResult) -> bool:
        return result.lab.d == 2

    @classmethod
    def quantities(cls, result: FitResult) -> tuple[Any, ...]:
        return result.quantities if cls.is_visible(result) else ()

    @classmethod
    def numbers(cls, result: FitResult) -> Numbers:
        if not cls.is_visible(result):
            none = {name: np.zeros((1, 0)) for name in ("to_x", "to_y", "size", "angle")}
            return {
                "image": {"w": SliderColumn(np.zeros((1, 0)))},
                "ground": nothing("x", "y", "dw", "dh"),
                **{name: ellipses_of(None) for name in ("law", "model")},
                "sample": nothing("x", "y"),
                "arrows": {**nothing("x", "y"), **{name: SliderColumn(each) for name, each in none.items()}},
                "centres": nothing("x", "y"),
                "rims": nothing("x", "y"),
            }
        lengths = np.array([look.field.lengths for look in result.shown_looks])
        return {
            "image": {"w": SliderColumn(FAINT * strengths(lengths))},
            "ground": {name: np.array(each) for name, each in ground(*result.axes).items()},
            "law": ellipses_of(result.law),
            "sample": dict(zip("xy", result.X.T, strict=True)),
            "arrows": cls.arrows(result),
            "model": cls.model(result),
            **handles(result),
        }

    @classmethod
    def arrows(cls, result: FitResult) -> dict[str, Any]:
        """Return the starts and ends of the arrows, and their heads."""
        x, y = result.arrow_starts.T
        room = SHORT * min(float(np.diff(np.unique(each))[0]) for each in (x, y))
        looks = [look.arrows for look in result.shown_looks]
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

    @staticmethod
    def model(result: FitResult) -> dict[str, Vector]:
        """Return the model's ellipses of one standard deviation, followed by those of two."""
        one = ellipses_of(result.model)
        two = {**one, "width": 2 * one["width"], "height": 2 * one["height"]}
        return {name: np.concatenate([one[name], two[name]]) for name in one}

    @classmethod
    def pinned(cls, result: FitResult) -> Numbers:
        return {"kept": ellipses_of(result.model if cls.is_visible(result) else None)}

    @classmethod
    def says(cls, result: FitResult) -> str:
        return witness_words(result)


class OnLine(Picture):
    """On a line: the model's density with its handles above, and the Stein witness below."""

    name = "line"
    place = "main"
    heading = "The model, the data and the Stein witness"
    title = "Drag the density's centre or its edge"
    height = 390
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("", (ZERO - HALF - 0.1, 1.1))
    grounds: ClassVar[Grounds] = (ReferenceLine("kme", y=0), ReferenceLine("kme", y=ZERO, style={"width": 1.5}))
    marks: ClassVar[Marks] = (
        dots("sample", "kme", marker="dash", angle=np.pi / 2, size=12, label="data", height_is_decorative=True),
        area("witness", "harm", low="zero", high="y", follows_slider=True, height_is_decorative=True),
        curve(
            "witness",
            "harm",
            width=2.5,
            follows_slider=True,
            height_is_decorative=True,
            label="Stein witness, in standard errors",
        ),
        curve("kept", "skmse", width=1.5, alpha=0.6, pinned=True),
        curve("truth", "truth", width=2, dash="dotted", label="true density"),
        curve("density", "skmse", label="density of the model"),
        dots("centres", "skmse", size=13, width=1.5),
        rings("rims", "skmse", marker="square", size=10, width=2.5),
    )

    @classmethod
    def is_visible(cls, result: FitResult) -> bool:
        return result.lab.d == 1

    @classmethod
    def numbers(cls, result: FitResult) -> Numbers:
        if not cls.is_visible(result):
            still = {name: nothing("x", "y") for name in ("sample", "truth", "density", "centres", "rims")}
            return {**still, "witness": {**nothing("x", "zero"), "y": SliderColumn(np.zeros((1, 0)))}}
        x, (density, true), top = result.witness_points[:, 0], result.densities, cls.top(result)
        (cx, _, half), unit = result.frame, HALF / cls.reach(result)
        signed = np.array([np.sign(look.field.values[:, 0]) * look.field.lengths for look in result.shown_looks])
        signed = np.clip(unit * signed, -HALF, HALF)
        grips = handles(result)
        for each in grips.values():
            each["y"] = np.minimum(np.exp(result.model.logpdf(each["x"][:, None])) / top, 1.0)
        return {
            "sample": {"x": np.clip(result.X[:, 0], cx - half, cx + half), "y": np.full(len(result.X), RUG)},
            "witness": {"x": x, "zero": np.full(len(x), ZERO), "y": SliderColumn(ZERO + signed)},
            "truth": nothing("x", "y") if true is None else {"x": x, "y": true / top},
            "density": {"x": x, "y": np.where(density <= 1.05 * top, density / top, np.nan)},
            **grips,
        }

    @staticmethod
    def top(result: FitResult) -> float:
        """Return the density that is drawn at height 1: the true one's peak, or the model's unless it is far higher."""
        density, true = (np.zeros(1) if each is None else each for each in result.densities)
        usual = float(true.max()) or float(density.max())
        return max(usual, min(float(density.max()), 2.5 * usual))

    @staticmethod
    def reach(result: FitResult) -> float:
        """Return the number of standard errors on either side of 0. It depends on n, not on the model."""
        return max(LEAST, round(GROWS * math.sqrt(result.lab.n)))

    @classmethod
    def pinned(cls, result: FitResult) -> Numbers:
        if not cls.is_visible(result):
            return {"kept": nothing("x", "y")}
        density = result.densities[0] / cls.top(result)
        return {"kept": {"x": result.witness_points[:, 0], "y": np.minimum(density, 1.05)}}

    @classmethod
    def axes(cls, result: FitResult) -> tuple[str, Axis, Axis]:
        if not cls.is_visible(result):
            return cls.title, cls.x, cls.y
        (cx, _, half), reach = result.frame, cls.reach(result)
        ends = {ZERO - HALF: f"−{reach:g}", ZERO: "0", ZERO + HALF: f"{reach:g}"}
        y = cls.y._replace(label="witness (standard errors); density above", ticks={**ends, 0: "0"})
        return cls.title, cls.x.along(result.quantities[0], cx - half, cx + half), y

    @classmethod
    def says(cls, result: FitResult) -> str:
        return witness_words(result)


class Null(OldNullPicture):
    """The unbiased KSD² under flipped signs, with the observed one."""

    title = "KSD² under sign flips"
    height = 250
    x: ClassVar[Axis] = Axis(
        "KSD² in standard deviations",
        (DEVIATIONS.low, DEVIATIONS.high),
        {-2: "−2", 0: "0", 2: "2", 4: "4", 6: "6", 8: "8"},
    )
    y: ClassVar[Axis] = Axis("share of sign flips", (0, DEVIATIONS.tops[0]))
    marks: ClassVar[Marks] = (
        *null_bars("null", "sign flips", HATCH),
        *null_lines("observed", "threshold", "observed", "x"),
    )

    @classmethod
    def axis(cls, result: FitResult) -> NullAxis:
        return DEVIATIONS

    @classmethod
    def test(cls, result: FitResult) -> Any:
        return result.test

    @classmethod
    def tests(cls, result: FitResult) -> list[Any]:
        return [look.test for look in result.shown_looks]

    @classmethod
    def says(cls, result: FitResult) -> str:
        return null_words(result.test, result.lab.alpha, "sign flips give KSD²")


class Bandwidths(SecondaryPicture):
    """p by bandwidth, and the p of KSDAgg, which needs no bandwidth."""

    name = "bandwidths"
    title = "p by bandwidth"
    upright = "here"
    height = 230
    x: ClassVar[Axis] = Axis("bandwidth, × median distance (log scale)", (0.1, 10.0), decades(-1, 1, 1), log=True)
    y: ClassVar[Axis] = Axis("p (log scale)", P_RANGE, P_TICKS, log=True)
    grounds: ClassVar[Grounds] = (
        Band("harm", top=alpha),
        ReferenceLine("harm", y=alpha, style={"width": 1.5, "dash": "dashed"}, label=level_words),
    )
    marks: ClassVar[Marks] = (
        curve("kept", "kme", width=6, alpha=0.3, pinned=True),
        curve("p", "kme", width=2, label="p of the KSD test"),
        dots("p", "kme", size=5),
        curve("many", "skmse", width=2.5, dash="dashed", label="p of KSDAgg"),
        vertical_lines("here"),
        dots("here", "truth", size=11, follows_slider=True),
    )

    @classmethod
    def numbers(cls, result: FitResult) -> Numbers:
        found, p = result.aggregated, cls.pvalues(result)
        x = np.array(result.stops if result.answers else [result.lab.bandwidth], float)
        many = nothing("x", "y") if found is None else {"x": np.array(cls.x.range), "y": np.full(2, found.pvalue)}
        return {"p": {"x": x, "y": p}, "many": many, "here": {"x": SliderColumn.of(x), "y": SliderColumn.of(p)}}

    @staticmethod
    def pvalues(result: FitResult) -> Vector:
        """Return the p at each bandwidth that is computed."""
        return np.clip([look.test.pvalue for look in result.shown_looks], *P_RANGE)

    @classmethod
    def pinned(cls, result: FitResult) -> Numbers:
        x = result.stops if result.answers else [result.lab.bandwidth]
        return {"kept": {"x": np.array(x, float), "y": cls.pvalues(result)}}

    @classmethod
    def says(cls, result: FitResult) -> str:
        if not result.answers:
            return ""
        rejecting = sum(look.test.pvalue <= result.lab.alpha for look in result.shown_looks)
        return f"{rejecting} of {len(result.shown_looks)} bandwidths reject the model."


class Tests(SecondaryPicture):
    """The p of four tests of the fit."""

    name = "tests"
    title = "Four tests of the same model"
    stage = "others"
    answers = False
    height = 230
    x: ClassVar[Axis] = Axis("p (log scale)", P_RANGE, P_TICKS, log=True)
    y: ClassVar[Axis] = Axis("", (-0.6, 3.6), {3.0 - i: name for i, name in enumerate(TESTS)})
    grounds: ClassVar[Grounds] = (
        ReferenceLine("harm", x=alpha, style={"width": 1.5, "dash": "dashed"}, label=level_words),
    )
    marks: ClassVar[Marks] = (
        dots("tests", "truth", size=11, label=TESTS),
        words("tests", "truth", dx=12),
    )

    @classmethod
    def numbers(cls, result: FitResult, others: OtherTests) -> Numbers:
        found = (result.test, others.exact, others.finite, result.aggregated)
        p = np.array([np.nan if each is None else each.pvalue for each in found])
        said = ["" if each is None else format_number(each.pvalue) for each in found]
        return {"tests": {"x": np.clip(p, *P_RANGE), "y": 3.0 - np.arange(len(p)), "words": np.array(said)}}


PICTURES = (Plane, OnLine, Null, Bandwidths, Tests)
