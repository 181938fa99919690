"""Pictures of the Marginalized lab: loss over σ, the sample with its noise or density, and four secondary ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.estimators.marginalized.noise import cell_masses
from explorer.languages import translate
from explorer.marks import (
    KME_LINE,
    Axis,
    LazySliderColumn,
    Picture,
    SecondaryPicture,
    SliderColumn,
    Sources,
    TextLabel,
    by,
    curve,
    decades,
    dots,
    ellipses,
    field_of,
    horizontal_lines,
    words,
)
from explorer.marks.clouds import sides_of_box
from explorer.marks.geometry import ground, inside, outlines, plane
from explorer.marks.losses import LOSS, LossPicture
from explorer.workbench.numbers import format_number

from .extra_estimator.figures import LOSS_MARKS, SAMPLE_MARKS, on_the_loss, on_the_sample
from .words import missed_words, noise_words, thrown_words, units

if TYPE_CHECKING:
    from explorer.estimators.marginalized.noise import CopiesPath
    from explorer.estimators.marginalized.weights import Misses, ProjectedWeights

    from .result import MarginalizedResult, Slices


# σ = 0 is drawn left of the smallest positive σ.
SIGMA_RANGE = (0.0075, 3.3)
GAMMA_RANGE, KEPT_RANGE = (1e-4, 1e3), (-0.25, 1.75)
MISSED_RANGE, EXTRA_RANGE = (1e-4, 10.0), (1e-3, 10.0)
SIGMA_TICKS = {0.03: "0.03", 0.1: "0.1", 0.3: "0.3", 1.0: "1", 3.0: "3"}
HALVES: dict[float, str] = {0: "0", 0.5: "0.5", 1: "1"}
SIGMA = Axis("σ in data sd (log scale, 0 at its left end)", SIGMA_RANGE, {SIGMA_RANGE[0]: "0", **SIGMA_TICKS}, log=True)
LINES = (("mkme", "mkme", "solid", "triangle"), ("mmkme", "mmkme", "dashed", "inverted_triangle"))
HEIGHT = 280  # the height of a secondary picture in px
DISCS = 8  # only the first points have discs: more discs would merge into one blot
COPIED = 2000  # the largest number of points of noisy copies that are drawn
ALONG, ACROSS = 34, 20  # the number of cells of the density along both coordinates
SLICES = (("both", "mkme", "dotted", 2, "MKME, both points"), ("one", "mkme", "solid", 3, "MKME, one point"),
          ("first", "mmkme", "dashed", 2.5, "MMKME, coordinate 1"),
          ("second", "mmkme", "dotdash", 2, "MMKME, coordinate 2"))  # fmt: skip
SLICED = (("kme", "─ kernel k"), ("mkme", "─ MKME, one point"), ("mkme", "··· MKME, both points"),
          ("mmkme", "╌ MMKME, coordinate 1"), ("mmkme", "─· MMKME, coordinate 2"))  # fmt: skip
MISSED = (("kme", "kme", "solid", 2, "plain average"), ("projection", "mkme", "solid", 3, "nearest weights"),
          ("corrected", "mkme", "dashed", 3, "corrected"),
          ("printed", "harm", "dotdash", 2.5, "as printed"))  # fmt: skip
MISSING = (("harm", "as printed ─·"), ("kme", "plain average ─"), ("mkme", "corrected ╌"),
           ("mkme", "nearest weights ─"))  # fmt: skip
LARGEST_DOT = 22.0  # the size in px of a direction that holds the whole KME


def side_label(role: str, x: float, y: float, text: str, align: str = "left") -> TextLabel:
    """Return a label next to lines, in the colour of one of them."""
    return TextLabel(role, x, y, text, dx=0, px=11, align=align)


@LossPicture(
    parameter="sigma",
    x=SIGMA,
    lines=LINES,
    names=lambda result: ("MKME", "MMKME"),
    sizes=(15.0, 12.0, 8.0),
    between=(curve("curves", "truth", "sigma", "mkme_risk", width=2, dash="dotdash", label="expected loss"),),
    above=LOSS_MARKS,
    best=lambda path: (np.nan, np.nan) if path.best is None else (path.sigmas[path.best], path.height[path.best]),
)
def loss(result: MarginalizedResult) -> Sources:
    """Draw the losses of both estimators over σ, with MKME's exact risk."""
    risk = np.full(len(result.stops), np.nan) if result.risk is None else result.risk[:-1]
    # The radius of a disc at each stop of the slider. Dragging a rim picks the nearest of them.
    curves = {"mkme_risk": risk, "radius": result.mkme.deviations[:-1, 0]}
    return {"curves": curves, **on_the_loss(result, loss.at_stops(result), SIGMA_RANGE)}


def sample_title(result: MarginalizedResult) -> str:
    """Return the title, which says what the marks are."""
    ground = result.lab.ground
    if ground == "discs":
        third = result.third
        if third is not None and third.axes is not None:
            return "The sample and its noise"
        return "The sample, and σ of MKME and MMKME"
    return translate("Sample, and the density whose kernel mean is {}", ground)


def sample_words(result: MarginalizedResult) -> str:
    """Return σ of both estimators."""
    sigma, spread = format_number(float(result.mkme.deviations[result.row, 0])), noise_words(result, result.row)
    return translate(
        "MKME's σ is {}, {}. MMKME's σ is {} sd of the data in its coordinates.", sigma, units(result), spread
    )


@Picture(
    title=sample_title,
    sides=sides_of_box,
    marks=(
        field_of("density", "ground", ACROSS, "mkme", follows_slider=True, label="density"),
        dots("copies", "mkme", size=3, fill=0.3, width=0, inks=("fill",), label="noisy copies"),
        curve("law", "truth", width=2, dash="dotted", follows_slider=True, label="true distribution"),
        # Discs are in the layer of fixed marks: only there may marks end at the frame's edges.
        ellipses("discs", "mkme", angle=0.0, width=1, fill=0.1, inks=("line", "fill"), label="σ of MKME"),
        ellipses("ellipses", "mmkme", angle=0.0, width=1, dash="dashed", alpha=0.8, label="σ of MMKME"),
        dots("points", "kme", fill=0.9, width=0, inks=("fill",), follows_slider=True, label="sample"),
        *SAMPLE_MARKS,
    ),
    description=sample_words,
)
def sample(result: MarginalizedResult) -> Sources:
    """Draw the sample in the plane, above discs of the noise's size or the density that the noise makes of it.

    Discs are circles in the units of the axes, but not always in px. The title says what the marks are.
    """
    points, discs = inside(result.X, *result.box), result.lab.ground == "discs"
    count = min(DISCS, len(result.X)) if discs else 0
    centres = {name: column[:count] for name, column in points.items()}
    radius = result.mkme.deviations[:, 0]
    middles = (ends[:-1] + np.diff(ends) / 2 for ends in _edges(result))
    return {
        "points": points,
        "law": outlines(result.law),
        "discs": {
            **centres,
            **_sizes(result.mkme, count),
            "radius": SliderColumn(np.repeat(radius[:, None], count, axis=1)),
        },
        "ellipses": {**centres, **_sizes(result.mmkme, count)},
        "ground": None if discs else ground(*middles),
        "density": {"w": LazySliderColumn(lambda stops: _densities(result, stops))},
        "copies": _copies(result),
        **on_the_sample(result),
    }


@SecondaryPicture(
    "kernel",
    stage="slices",
    title="The kernel, plain and with noise",
    height=HEIGHT,
    x=Axis("distance along a coordinate, in θ", (-4, 4), {v: f"{v}".replace("-", "−") for v in range(-4, 5, 2)}),
    y=Axis("k", (-0.03, 1.08), HALVES),
    marks=(
        curve("plain", "kme", "at", "k", width=2.5, label="kernel k"),
        *(
            curve("slices", role, "at", name, width=w, dash=dash, follows_slider=True, label=called)
            for name, role, dash, w, called in SLICES
        ),
        *(side_label(role, -3.9, 1.0 - 0.13 * i, text) for i, (role, text) in enumerate(SLICED)),
    ),
)
def kernel_slices(result: MarginalizedResult, small: Slices) -> Sources:
    """Draw the kernel along a coordinate, and its expectation with noise on one point and on both."""
    blank = np.full_like(small.one, np.nan)
    rows = {name: getattr(small, name) for name, *_ in SLICES}
    rows = {name: SliderColumn(blank if values is None else values) for name, values in rows.items()}
    return {"plain": {"at": small.at, "k": small.plain}, "slices": {"at": small.at, **rows}}


def shares_kept_words(result: MarginalizedResult) -> str:
    """Return the sentence on the shares kept of the directions along which KME is longest, whose dots are largest.

    Parameters
    ----------
    result : MarginalizedResult
        A result that shows this picture.

    Returns
    -------
    str
        The shares at the slider's position.
    """
    small = result.projected
    kept = small.kept[result.row]
    longest = [i for i in np.argsort(-small.coefficients)[:3] if np.isfinite(kept[i])]
    shares = ", ".join(format_number(float(kept[i])) for i in longest)
    return translate("MKME keeps {} of the plain average along the directions in which the average is longest.", shares)


@SecondaryPicture(
    "filter",
    stage="projected",
    title="Share of each direction that MKME keeps",
    height=HEIGHT,
    x=Axis("eigenvalue γ (log scale)", GAMMA_RANGE, decades(-4, 3), log=True),
    y=Axis("share kept (line: Σβ)", (KEPT_RANGE[0] - 0.05, KEPT_RANGE[1] + 0.05), LOSS.ticks),
    background=(KME_LINE,),
    marks=(
        horizontal_lines("sum", "mkme", width=2.5, dash="dashed", follows_slider=True, label="Σβ"),
        words("sum", "mkme", 1.5 * GAMMA_RANGE[0], says="Σβ", baseline="bottom", follows_slider=True),
        dots("filter", "mkme", "gamma", "kept", marker="triangle", size=by("size"), fill=0.6, follows_slider=True,
             label="kept by MKME"),
    ),
    description=shares_kept_words,
)  # fmt: skip
def shares_kept(result: MarginalizedResult, small: ProjectedWeights) -> Sources:
    """Draw the share of each of KME's directions that MKME keeps when projected on the sample, and its weights' sum."""
    size, gamma = LARGEST_DOT * np.sqrt(small.coefficients), np.clip(small.eigenvalues, *GAMMA_RANGE)
    kept = SliderColumn(np.clip(small.kept, *KEPT_RANGE))
    return {"filter": {"gamma": gamma, "size": size, "kept": kept}, "sum": {"y": SliderColumn.of(small.sums)}}


@SecondaryPicture(
    stage="missed",
    title="Weighted points: distance to MKME",
    height=HEIGHT,
    x=Axis("σ in data sd (log scale)", SIGMA_RANGE, SIGMA_TICKS, log=True),
    y=Axis("distance / length of MKME (log scale)", MISSED_RANGE, decades(-4, 1, 1), log=True),
    marks=(
        *(
            curve("missed", role, "sigma", name, width=width, dash=dash, label=called)
            for name, role, dash, width, called in MISSED
        ),
        dots(
            "here",
            "truth",
            size=8,
            fill=0.4,
            width=1.5,
            follows_slider=True,
            label=tuple(f"{each[-1]}, here" for each in MISSED),
        ),
        *(side_label(role, 3.1, 4e-3 / 2.4**i, text, "right") for i, (role, text) in enumerate(MISSING)),
    ),
    description=missed_words,
)
def approximation(result: MarginalizedResult, small: Misses) -> Sources:
    """Draw the distance to the estimate of the best weights, the second-order weights, and those as printed."""
    # Leave out σ = 0, which has no position on two logarithmic axes.
    curves, (low, high) = {name: getattr(small, name)[1:-1] for name, *_ in MISSED}, MISSED_RANGE
    inside = {name: np.where((v >= low) & (v <= high), v, np.nan) for name, v in curves.items()}
    missed = np.column_stack([getattr(small, name) for name, *_ in MISSED])
    x = np.repeat(result.mkme.sigmas[:, None], len(MISSED), axis=1)
    here = {"x": SliderColumn(x), "y": SliderColumn(np.clip(missed, *MISSED_RANGE))}
    return {"missed": {"sigma": result.mkme.sigmas[1:-1], **inside}, "here": here}


@SecondaryPicture(
    "dice",
    stage="thrown",
    table_is_complete=False,  # the copies follow σ and are not tabulated, so the browser cannot answer the slider
    title="From the average of noisy copies to MKME",
    height=HEIGHT,
    x=Axis("number of copies (log scale)", (0.9, 56), {v: f"{v}" for v in (1, 2, 5, 10, 20, 50)}, log=True),
    y=Axis("squared distance / loss of KME (log)", EXTRA_RANGE, decades(-3, 1, 1), log=True),
    background=(KME_LINE,),
    marks=(
        curve("path", "truth", "copies", "expected", width=2, dash="dotted", follows_slider=True, label="on average"),
        curve("path", "mkme", "copies", "thrown", follows_slider=True, label="these copies"),
        side_label("kme", 50, 1.5, "loss of KME", "right"),
        side_label("mkme", 1, 4e-3, "─ these copies"),
        side_label("truth", 1, 1.9e-3, "··· on average"),
    ),
    description=thrown_words,
)
def copies(result: MarginalizedResult, small: CopiesPath) -> Sources:
    """Draw the squared distance between the average over the first copies and the estimate in closed form."""
    paths = {"thrown": small.path, "expected": small.expected}
    inside = {name: np.clip(path, *EXTRA_RANGE) for name, path in paths.items()}
    return {"path": {"copies": np.arange(1.0, len(small.path) + 1), **inside}}


PICTURES = (loss, sample, kernel_slices, shares_kept, approximation, copies)


def _sizes(path, count):
    """Return the widths and heights of `count` discs of an estimator's noise. With one coordinate the height is 0."""
    noise = path.deviations
    second = noise[:, 1] if noise.shape[1] > 1 else np.zeros(len(noise))
    sizes = {"width": 2 * noise[:, 0], "height": 2 * second}
    return {name: SliderColumn(np.repeat(size[:, None], count, axis=1)) for name, size in sizes.items()}


def _copies(result):
    """Return the points of the first noisy copies, or None if their picture is hidden."""
    if result.thrown is None:
        return None
    first = result.thrown.points[: max(1, COPIED // len(result.X))]
    x, y = plane(first.reshape(-1, result.X.shape[1]))
    return {"x": x, "y": y}


def _edges(result):
    """Return the edges of the density's cells along both coordinates."""
    (left, bottom), (right, top) = result.box
    return np.linspace(left, right, ALONG + 1), np.linspace(bottom, top, ACROSS + 1)


def _densities(result, rows):
    """Return the kernel density estimate at some rows, shape (rows, cells), in units of its peak at the chosen σ.

    The cells come line by line.
    """
    path = result.mmkme if result.lab.ground == "MMKME" else result.mkme
    deviations = np.vstack([path.deviations[rows], path.deviations[-1]])
    if result.lab.ground == "discs":
        return np.zeros((len(deviations) - 1, 0))
    points = np.column_stack(plane(result.X))
    masses = cell_masses(points, deviations[:, : points.shape[1]], *_edges(result))
    density = masses.transpose(0, 2, 1).reshape(len(deviations), -1)
    return density[:-1] / (density[-1].max() or 1.0)
