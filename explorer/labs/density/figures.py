"""Pictures of the density lab: components and their density, progress of the fit, more samples, maximum entropy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.marks import (
    Axis,
    Line,
    Marks,
    curve,
    dots,
    field_of,
    file_unit_ticks,
    horizontal_lines,
    nice_ticks,
    vertical_lines,
    words,
)
from explorer.marks.densities import HEADING, MOST, BlobsLine, BlobsPlane, centred, filled, floor, top_of
from explorer.marks.gain_by_sample import Gains
from explorer.marks.geometry import nothing
from explorer.marks.mark import Numbers
from explorer.marks.old_form import SecondaryPicture
from explorer.marks.steps import OverSteps
from explorer.printing import format_number
from explorer.types import Matrix, Vector

from .grids import ACROSS, CELLS, UP
from .lab import ESTIMATORS, FROM_K_MEANS, OWN, OWN_ROLE, ROLES

if TYPE_CHECKING:
    from explorer.learning.maximum_entropy import MaximumEntropy

    from .course import Course, Endings
    from .entropy import OverEps
    from .result import DensityResult


DASHES = ("solid", "dashed", "dotdash", "dotted", "dashdot")
LINES = {name: Line(f"fit to {name}", ROLES[name], dash) for name, dash in zip(ESTIMATORS, DASHES, strict=True)}
LINES[OWN] = Line(lambda result: f"fit to {result.lab.estimator}", OWN_ROLE, "solid")
LINES[FROM_K_MEANS] = Line("fit from k-means", "truth", "dashed")


class Plane(BlobsPlane):
    """The components in two dimensions."""

    name = "plane"
    place = "main"
    heading = HEADING
    lines = UP
    cells = ACROSS * UP


class OnLine(BlobsLine):
    """The components in one dimension."""

    name = "line"
    place = "main"
    heading = HEADING


class Likelihood(OverSteps):
    """Negative log-likelihood of new points under the mixture."""

    name = "likelihood"
    beside = "progress"
    title = "Negative log-likelihood (lower is better)"
    lines: ClassVar[Mapping[str, Line]] = LINES

    @staticmethod
    def of(found: Course | DensityResult) -> Vector:
        """Return the negative log-likelihood at each stop, from a Course or the result."""
        return found.nll

    @staticmethod
    def span(every: Sequence[Vector]) -> tuple[float, float]:
        """Return the range of the axis: it includes all of the displayed fit and most of the others."""
        low, high = min(v.min() for v in every), max(every[0].max(), *(np.quantile(v, 0.9) for v in every))
        room = max(0.15 * (high - low), 0.01)
        return float(low - room), float(high + room)


class Distance(OverSteps):
    """RKHS distance between the mixture's kernel mean and the estimate."""

    name = "distance"
    place = "below"
    title = "RKHS distance to the estimate"
    lines: ClassVar[Mapping[str, Line]] = LINES

    @classmethod
    def is_visible(cls, result: DensityResult) -> bool:
        """Return whether the picture of the progress or of the components is selected."""
        return result.lab.picture in ("progress", "blobs")

    @staticmethod
    def of(found: Course | DensityResult) -> Vector:
        """Return the distance at each stop, from a Course or the result."""
        return found.distance

    @staticmethod
    def span(every: Sequence[Vector]) -> tuple[float, float]:
        """Return the range of the axis."""
        return 0.0, 1.08 * max(float(v.max()) for v in every) + 1e-9


class Blobs(SecondaryPicture):
    """Weights and standard deviations of the components between their bounds, with the dust bin marked."""

    name = "blobs"
    title = "Weight and width of each component"
    height = 280
    x: ClassVar[Axis] = Axis("standard deviation (log scale)", (1e-3, 10), log=True)
    y: ClassVar[Axis] = Axis("weight", (-0.05, 1.05), {0: "0", 0.5: "0.5", 1: "1"})
    marks: ClassVar[Marks] = (
        vertical_lines(
            "bounds", "harm", width=2, dash="dashed", alpha=1.0, follows_slider=False, label="bounds of the width"
        ),
        centred(12, "components"),
        words("dust", "harm", align="right", dx=-10, follows_slider=True),
    )

    @classmethod
    def numbers(cls, result: DensityResult) -> Numbers:
        """Return the bounds, the components, and the labels of those at the upper bound."""
        sd, weight = np.sqrt(result.path.variances), result.path.weights
        dust = np.where(result.path.variances >= 0.999 * result.fit.bounds_[1], weight, np.nan)
        return {
            "bounds": {"x": np.sqrt(result.fit.bounds_)},
            "blobs": {"x": filled(sd), "y": filled(weight)},
            "dust": {"x": filled(sd), "y": filled(dust), "words": np.repeat("dust bin", MOST)},
        }

    @classmethod
    def axes(cls, result: DensityResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes; the x axis extends beyond the bounds of the width."""
        if not cls.is_visible(result):
            return cls.title, cls.x, cls.y
        low, high = (float(v) for v in np.sqrt(result.fit.bounds_))
        powers = range(int(np.ceil(np.log10(low))), int(np.floor(np.log10(1.5 * high))) + 1)
        ticks = {10.0**e: f"{10.0**e:g}" for e in powers}
        return cls.title, cls.x._replace(range=(low / 1.5, 1.5 * high), ticks=ticks), cls.y


class OverStart(Gains):
    """Gain of each estimator's fit over the start, in additional samples."""

    name = "gains"
    beside = "samples"
    stage = "endings"
    rows: ClassVar[Sequence[str]] = tuple(ESTIMATORS)
    title = "Gain over k-means in 20 more samples"
    unit = "nats per point (right is better)"

    @staticmethod
    def gains(value: Endings) -> Matrix:
        """Return the gains, shape (estimators, samples)."""
        return np.array([value.differences(name)[0] for name in value.ends])

    @classmethod
    def axes(cls, result: DensityResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes, with one row per compared estimator."""
        title, x, y = super().axes(result)
        return title, x, y if result.endings is None else cls.row_axis(list(result.endings.ends))


class OverPlain(OverStart):
    """Gain of each estimator's fit over the plain average's fit, in the same samples."""

    name = "beside"
    place = "below"
    title = "Gain over the fit to KME, same samples"

    @staticmethod
    def gains(value: Endings) -> Matrix:
        """Return the gains, shape (estimators, samples)."""
        return np.array([value.differences(name)[1] for name in value.ends])


def entropy_words(result: DensityResult) -> str:
    """Return a sentence with the entropy of the maximum-entropy density."""
    return f"Its entropy is {format_number(result.even.entropy_)}."


class EvenLine(SecondaryPicture):
    """The maximum-entropy density on a line, with the fitted mixture and the true density."""

    name = "even"
    beside = "entropy"
    stage = "even"
    answers = False
    height = 280
    title = "Maximum-entropy density within ε"
    x: ClassVar[Axis] = Axis("x", (-1, 1))
    y: ClassVar[Axis] = Axis("density", (0, 1))
    legend = True
    says: ClassVar[Callable[[Any], str]] = staticmethod(entropy_words)
    marks: ClassVar[Marks] = (
        curve("truth", "truth", width=2, dash="dotted", label="true density"),
        curve("fit", "kme", width=1.5, dash="dashed", label="mixture after the last step"),
        curve("even", "monkfast", label="maximum-entropy density"),
    )

    @classmethod
    def is_visible(cls, result: DensityResult) -> bool:
        """Return whether the picture is selected and the data have one dimension."""
        return super().is_visible(result) and result.lab.d == 1

    @classmethod
    def numbers(cls, result: DensityResult, even: MaximumEntropy) -> Numbers:
        """Return the three densities along the line."""
        if result.lab.d != 1:
            return {name: nothing("x", "y") for name in ("even", "fit", "truth")}
        x, truth = result.places[:, 0], result.true_density
        return {
            "even": {"x": even.grid_[:, 0], "y": even.density_},
            "fit": {"x": x, "y": result.density[-1]},
            "truth": nothing("x", "y") if truth is None else {"x": x, "y": truth},
        }

    @classmethod
    def axes(cls, result: DensityResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes about the sample."""
        if not cls.is_visible(result):
            return cls.title, cls.x, cls.y
        (cx, _, half), of = result.frame, result.quantities[0]
        end = max(top_of(result), 1.1 * float(result.even.density_.max()))
        y = Axis("density", (0.0, end), file_unit_ticks(0.0, end, of.density, 3))
        return cls.title, cls.x.along(of, cx - half, cx + half), y


class EvenPlane(SecondaryPicture):
    """The maximum-entropy density in the plane, and the sample."""

    name = "evenplane"
    beside = "entropy"
    stage = "even"
    answers = False
    height = 280
    title = "Maximum-entropy density within ε"
    x: ClassVar[Axis] = Axis("", (-1, 1))
    y: ClassVar[Axis] = Axis("", (-1, 1))
    marks: ClassVar[Marks] = (
        field_of("even", "ground", CELLS[2], label="maximum-entropy density"),
        dots("sample", "kme", size=4, fill=0.8, width=0, label="sample"),
    )
    says: ClassVar[Callable[[Any], str]] = staticmethod(entropy_words)

    @classmethod
    def is_visible(cls, result: DensityResult) -> bool:
        """Return whether the picture is selected and the data have two dimensions."""
        return super().is_visible(result) and result.lab.d == 2

    @classmethod
    def nothing_yet(cls, result: DensityResult) -> Numbers:
        """Return an empty image: an image has its final size before its numbers are computed."""
        return {"even": {"w": np.zeros(CELLS[2] ** 2)}, "ground": floor((np.arange(2.0), np.arange(2.0)))}

    @classmethod
    def numbers(cls, result: DensityResult, even: MaximumEntropy) -> Numbers:
        """Return the density on its grid, relative to its maximum, and the sample."""
        if result.lab.d != 2:
            return {**cls.nothing_yet(result), "sample": nothing("x", "y")}
        x, y = (np.unique(column) for column in even.grid_.T)
        sample = dict(zip("xy", result.X.T, strict=True))
        return {"even": {"w": even.density_ / even.density_.max()}, "ground": floor((x, y)), "sample": sample}

    @classmethod
    def axes(cls, result: DensityResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes along the grid."""
        if not cls.is_visible(result):
            return cls.title, cls.x, cls.y
        sides = zip((cls.x, cls.y), result.grid.T, result.quantities, strict=True)
        x, y = (axis.along(of, float(at.min()), float(at.max())) for axis, at, of in sides)
        return cls.title, x, y


class Entropies(SecondaryPicture):
    """Entropy and negative log-likelihood of the maximum-entropy density over ε, with the mixture's likelihood."""

    name = "entropies"
    place = "below"
    beside = "entropy"
    stage = "over_eps"
    answers = False
    height = 280
    title = "Entropy (solid), −log-likelihood (dashed)"
    x: ClassVar[Axis] = Axis("ε, in errors of μ̂ (log scale)", (0.22, 9), {v: f"{v:g}" for v in (0.25, 1, 4)}, log=True)
    y: ClassVar[Axis] = Axis("nats", (0, 1))
    marks: ClassVar[Marks] = (
        horizontal_lines("fit", "kme", dash="dashed", label="negative log-likelihood of the fitted mixture"),
        curve("curves", "monkfast", y="entropy", label="entropy"),
        curve("curves", "monkfast", y="nll", dash="dashed", label="negative log-likelihood"),
        vertical_lines("line"),
    )

    @classmethod
    def numbers(cls, result: DensityResult, over: OverEps) -> Numbers:
        """Return both curves over ε, the current ε, and the mixture's negative log-likelihood."""
        finite = np.where(np.isfinite(over.nll), over.nll, np.nan)
        return {
            "curves": {"x": over.eps, "entropy": over.entropy, "nll": finite},
            "line": {"x": np.array([result.lab.eps])},
            "fit": {"y": result.nll[-1:]},
        }

    @classmethod
    def axes(cls, result: DensityResult) -> tuple[str, Axis, Axis]:
        """Return the title and the axes; the y axis fits all finite values."""
        if (over := result.over_eps) is None:
            return cls.title, cls.x, cls.y
        values = np.concatenate([over.entropy, over.nll, result.nll[-1:]])
        values = values[np.isfinite(values)]
        low, high = float(values.min()), float(values.max())
        room = 0.08 * (high - low) + 1e-6
        return cls.title, cls.x, Axis("nats", (low - room, high + room), nice_ticks(low - room, high + room, 4))


PICTURES = (Plane, OnLine, Likelihood, Distance, Blobs, OverStart, OverPlain, EvenLine, EvenPlane, Entropies)
