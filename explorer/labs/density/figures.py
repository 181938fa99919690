"""Pictures of the density lab: components and their density, progress of the fit, more samples, maximum entropy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate
from explorer.marks import (
    Axis,
    Line,
    SecondaryPicture,
    Sources,
    curve,
    dots,
    field_of,
    file_unit_ticks,
    horizontal_lines,
    nice_ticks,
    vertical_lines,
    words,
)
from explorer.marks.axes import ends_of_sizes
from explorer.marks.densities import MOST, blobs_line, blobs_plane, centred, filled, floor, top_of
from explorer.marks.gain_by_sample import Gains
from explorer.marks.steps import OverSteps
from explorer.printing import format_number
from explorer.types import Vector
from explorer.workbench.samples import WIDE

from .grids import CELLS, UP
from .lab import ESTIMATORS, FROM_K_MEANS, OWN, OWN_ROLE, ROLES

if TYPE_CHECKING:
    from explorer.learning.maximum_entropy import MaximumEntropy

    from .entropy import OverEps
    from .result import DensityResult


DASHES = ("solid", "dashed", "dotdash", "dotted", "dashdot")
LINES = {
    name: Line(lambda result, name=name: translate("fit to {}", name), ROLES[name], dash)
    for name, dash in zip(ESTIMATORS, DASHES, strict=True)
}
LINES[OWN] = Line(lambda result: translate("fit to {}", result.lab.estimator), OWN_ROLE, "solid")
LINES[FROM_K_MEANS] = Line("fit from k-means", "truth", "dashed")


def likelihood_span(every: Sequence[Vector]) -> tuple[float, float]:
    """Return the range of the axis: it includes all of the displayed fit and most of the others."""
    low, high = min(v.min() for v in every), max(every[0].max(), *(np.quantile(v, 0.9) for v in every))
    room = max(0.15 * (high - low), 0.01)
    return float(low - room), float(high + room)


# Negative log-likelihood of new points under the mixture.
likelihood = OverSteps(
    "likelihood",
    choice="progress",
    title="Negative log-likelihood (lower is better)",
    lines=LINES,
    of=attrgetter("nll"),
    span=likelihood_span,
)


# RKHS distance between the mixture's kernel mean and the estimate.
distance = OverSteps(
    "distance",
    slot="below",
    title="RKHS distance to the estimate",
    lines=LINES,
    choice=("progress", "blobs"),
    of=attrgetter("distance"),
    span=lambda every: ends_of_sizes(np.concatenate(every)),
)


def weight_and_width_sides(result: DensityResult) -> tuple[Axis, Axis]:
    """Return both axes; the x axis extends beyond the bounds of the width."""
    low, high = (float(v) for v in np.sqrt(result.fit.bounds_))
    powers = range(int(np.ceil(np.log10(low))), int(np.floor(np.log10(1.5 * high))) + 1)
    ticks = {10.0**e: f"{10.0**e:g}" for e in powers}
    return weight_and_width.x._replace(range=(low / 1.5, 1.5 * high), ticks=ticks), weight_and_width.y


@SecondaryPicture(
    "blobs",
    title="Weight and width of each component",
    height=280,
    x=Axis("standard deviation (log scale)", (1e-3, 10), log=True),
    y=Axis("weight", (-0.05, 1.05), {0: "0", 0.5: "0.5", 1: "1"}),
    marks=(
        vertical_lines(
            "bounds", "harm", width=2, dash="dashed", alpha=1.0, follows_slider=False, label="bounds of the width"
        ),
        centred(12, "components"),
        words("dust", "harm", align="right", dx=-10, follows_slider=True),
    ),
    sides=weight_and_width_sides,
)
def weight_and_width(result: DensityResult) -> Sources:
    """Draw the weights and standard deviations of the components between their bounds, with the dust bin marked."""
    sd, weight = np.sqrt(result.path.variances), result.path.weights
    dust = np.where(result.path.variances >= 0.999 * result.fit.bounds_[1], weight, np.nan)
    return {
        "bounds": {"x": np.sqrt(result.fit.bounds_)},
        "blobs": {"x": filled(sd), "y": filled(weight)},
        "dust": {"x": filled(sd), "y": filled(dust), "words": np.repeat(translate("dust bin"), MOST)},
    }


# Gain of each estimator's fit over the start, in additional samples.
gains = Gains(
    "gains",
    choice="samples",
    stage="endings",
    rows=tuple(ESTIMATORS),
    rows_of=lambda value: list(value.ends),
    title="Gain over k-means in 20 more samples",
    unit="nats per point (right is better)",
    gains=lambda value: np.array([value.differences(name)[0] for name in value.ends]),
)


# Gain of each estimator's fit over the plain average's fit, in the same samples.
gains_over_plain = replace(
    gains,
    name="beside",
    slot="below",
    title="Gain over the fit to KME, same samples",
    gains=lambda value: np.array([value.differences(name)[1] for name in value.ends]),
)


def entropy_words(result: DensityResult) -> str:
    """Return a sentence with the entropy of the maximum-entropy density."""
    return translate("Its entropy is {}.", format_number(result.even.entropy_))


def even_line_sides(result: DensityResult, even: MaximumEntropy) -> tuple[Axis, Axis]:
    """Return both axes about the sample."""
    (cx, _, half), of = result.frame, result.quantities[0]
    end = max(top_of(result), 1.1 * float(even.density_.max()))
    y = Axis("density", (0.0, end), file_unit_ticks(0.0, end, of.density, 3))
    return even_line.x.along(of, cx - half, cx + half), y


@SecondaryPicture(
    "even",
    choice="entropy",
    stage="even",
    table_is_complete=False,
    height=280,
    title="Maximum-entropy density within ε",
    x=Axis("x", (-1, 1)),
    y=Axis("density", (0, 1)),
    description=entropy_words,
    marks=(
        curve("truth", "truth", width=2, dash="dotted", label="true density"),
        curve("fit", "kme", width=1.5, dash="dashed", label="mixture after the last step"),
        curve("even", "monkfast", label="maximum-entropy density"),
    ),
    when=lambda result: result.lab.d == 1,
    sides=even_line_sides,
)
def even_line(result: DensityResult, even: MaximumEntropy) -> Sources:
    """Draw the maximum-entropy density on a line, with the fitted mixture and the true density."""
    x, truth = result.places[:, 0], result.true_density
    return {
        "even": {"x": even.grid_[:, 0], "y": even.density_},
        "fit": {"x": x, "y": result.density[-1]},
        "truth": None if truth is None else {"x": x, "y": truth},
    }


def even_plane_placeholder(result: DensityResult) -> Sources:
    """Return an empty image: an image has its final size before its numbers are computed."""
    return {"even": {"w": np.zeros(CELLS[2] ** 2)}, "ground": floor((np.arange(2.0), np.arange(2.0)))}


def even_plane_sides(result: DensityResult, even: MaximumEntropy) -> tuple[Axis, Axis]:
    """Return both axes along the grid."""
    sides = zip((even_plane.x, even_plane.y), result.grid.T, result.quantities, strict=True)
    x, y = (axis.along(of, float(at.min()), float(at.max())) for axis, at, of in sides)
    return x, y


@SecondaryPicture(
    "evenplane",
    choice="entropy",
    stage="even",
    table_is_complete=False,
    height=280,
    title="Maximum-entropy density within ε",
    x=Axis("", (-1, 1)),
    y=Axis("", (-1, 1)),
    marks=(
        field_of("even", "ground", CELLS[2], label="maximum-entropy density"),
        dots("sample", "kme", size=4, fill=0.8, width=0, label="sample"),
    ),
    description=entropy_words,
    when=lambda result: result.lab.d == 2,
    placeholder=even_plane_placeholder,
    sides=even_plane_sides,
)
def even_plane(result: DensityResult, even: MaximumEntropy) -> Sources:
    """Draw the maximum-entropy density in the plane, and the sample."""
    x, y = (np.unique(column) for column in even.grid_.T)
    sample = dict(zip("xy", result.X.T, strict=True))
    return {"even": {"w": even.density_ / even.density_.max()}, "ground": floor((x, y)), "sample": sample}


def entropies_sides(result: DensityResult, over: OverEps) -> tuple[Axis, Axis]:
    """Return both axes; the y axis fits all finite values."""
    values = np.concatenate([over.entropy, over.nll, result.nll[-1:]])
    values = values[np.isfinite(values)]
    low, high = float(values.min()), float(values.max())
    room = 0.08 * (high - low) + 1e-6
    return entropies.x, Axis("nats", (low - room, high + room), nice_ticks(low - room, high + room, 4))


@SecondaryPicture(
    slot="below",
    choice="entropy",
    stage="over_eps",
    table_is_complete=False,
    height=280,
    title="Entropy and negative log-likelihood by ε",
    x=Axis("ε, in errors of μ̂ (log scale)", (0.22, 9), {v: f"{v:g}" for v in (0.25, 1, 4)}, log=True),
    y=Axis("nats", (0, 1)),
    marks=(
        horizontal_lines("fit", "kme", dash="dashed", label="negative log-likelihood of the fitted mixture"),
        curve("curves", "monkfast", y="entropy", label="entropy"),
        curve("curves", "monkfast", y="nll", dash="dashed", label="negative log-likelihood"),
        vertical_lines("line"),
    ),
    sides=entropies_sides,
)
def entropies(result: DensityResult, over: OverEps) -> Sources:
    """Draw entropy and negative log-likelihood of the maximum-entropy density over ε, with the mixture's."""
    finite = np.where(np.isfinite(over.nll), over.nll, np.nan)
    return {
        "curves": {"x": over.eps, "entropy": over.entropy, "nll": finite},
        "line": {"x": np.array([result.lab.eps])},
        "fit": {"y": result.nll[-1:]},
    }


PICTURES = (
    blobs_plane(UP, WIDE), blobs_line, likelihood, distance, weight_and_width, gains, gains_over_plain, even_line,
    even_plane, entropies,
)  # fmt: skip
