"""Pictures of the Kernel PCA lab: a component over the plane, shares, scores, pre-images, errors, and resamples."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from explorer.kernels import Gaussian
from explorer.languages import translate
from explorer.marks import (
    KME_LINE,
    Axis,
    Band,
    Line,
    OverCounts,
    Picture,
    PlanePicture,
    SecondaryPicture,
    SliderColumn,
    Sources,
    boxes,
    by,
    curve,
    dots,
    field_of,
    nice_ticks,
    segments,
    signed_log,
    signed_value,
    vertical_lines,
)
from explorer.marks.axes import ends_of_sizes
from explorer.marks.geometry import ground, to_one, within
from explorer.types import Labels, Points, Vector
from explorer.workbench.numbers import format_number, percent
from explorer.workbench.samples import WIDE

from .lab import BARS, VARIANTS
from .resampled import TESTED
from .result import ACROSS
from .words import apart_words

if TYPE_CHECKING:
    from explorer.marks.mark import Mark

    from .resampled import Boot, Study
    from .result import KernelPCAResult


MARKERS = np.array(["circle", "triangle", "square"])  # markers of the groups
CLUSTERS = ("skmse", "monkfast", "mkme", "outlier")  # the colours of MOST_CLUSTERS clusters
CALLED = ("cluster 1", "cluster 2", "cluster 3", "cluster 4")
FARTHEST = 2.0  # largest remaining squared distance that is drawn, in units of that before; larger ones are drawn there
BAR = 0.36  # half the width of a bar
FINE = 1e-4  # relative differences of an error up to about this size lie on the linear part of their axis
BARS_AT = {"left": np.arange(1.0, BARS + 1) - BAR, "right": np.arange(1.0, BARS + 1) + BAR}
FIRST, SECOND = (Axis(f"component {k}", (-1.1, 1.1), {-1: "−1", 0: "0", 1: "1"}) for k in (1, 2))
LINES = {
    "KPCA": Line("KPCA", "kme", "solid", 4.0),
    "S-centred": Line("S-centred", "skmse"),
    "F-centred": Line("F-centred", "fkmse"),
    "S-COSE": Line("S-COSE", "skmse", "dashed", 2.0),
    "F-COSE": Line("F-COSE", "fkmse", "dashed"),
}


def placed(result: KernelPCAResult, points: Points) -> dict[str, Labels]:
    """Return points (n, d) in the plane with the markers of their groups. Points outside lie on the edge."""
    return {**within(points, result.frame, WIDE), "marker": MARKERS[result.groups]}


def on_the_plane(result: KernelPCAResult) -> dict[str, Vector]:
    """Return the position of an image over the plane."""
    return {name: np.array(values, dtype=float) for name, values in ground(result.ground.x, result.ground.y).items()}


def all_pre_images(result: KernelPCAResult) -> dict[str, dict[str, Vector] | None]:
    """Return every point's pre-image with its connecting line, and the toy sample without noise.

    Both are empty unless denoising is shown.
    """
    if result.denoised is None:
        return {}
    (start, end), outline = (within(Z, result.frame, WIDE) for Z in (result.X, result.denoised)), result.outline
    return {
        "ways": {**start, "to_x": end["x"], "to_y": end["y"]},
        "outline": None if outline is None else within(outline, result.frame, WIDE),
    }


def sample(size: int) -> Mark:
    """Return the marks of the sample's points."""
    return dots("sample", "truth", marker=by("marker"), size=size, fill=0.75, width=0.5, label="sample")


def component_words(result: KernelPCAResult) -> str:
    """Return how the pre-image is found, unless it is the exact one of a Gaussian kernel."""
    return "" if isinstance(result.kernel, Gaussian) else translate("The pre-image is found by regression.")


@PlanePicture(
    "plane",
    title="The component, the test point and its pre-image",
    height=390,
    wide=WIDE,
    marks=(
        field_of("image", "ground", ACROSS, label=lambda result: translate("component {}", result.lab.component)),
        sample(7),
        dots("outline", "truth", size=2, fill=0.6, width=0, label="sample without noise"),
        segments("ways", "outlier", "x", "y", "to_x", "to_y", follows_slider=True),
        segments("way", "outlier", "x", "y", "to_x", "to_y", width=2, follows_slider=True),
        dots("ways", "outlier", "to_x", "to_y", marker="diamond", size=9, width=0, fill=0.85, follows_slider=True,
             label="pre-images of the sample"),
        dots("probe", "outlier", marker="x", size=17, width=3, follows_slider=True, label="test point"),
        dots("back", "outlier", marker="diamond", size=17, follows_slider=True, label="its pre-image"),
    ),
    description=component_words,
)  # fmt: skip
def component(result: KernelPCAResult) -> Sources:
    """Draw the chosen component over the plane, the test point, and its pre-image."""
    probe, (looks, backs) = within(result.probe, result.frame, WIDE), zip(*result.rows, strict=True)
    x, y = map(SliderColumn.of, within(np.array(backs), result.frame, WIDE).values())
    return {
        "image": {"w": SliderColumn(to_one(np.array([look.image for look in looks])))},
        "ground": on_the_plane(result),
        "sample": placed(result, result.X),
        "probe": probe,
        "way": {**probe, "to_x": x, "to_y": y},
        "back": {"x": x, "y": y},
        **all_pre_images(result),
    }


def spectrum_pinned(result: KernelPCAResult) -> Sources:
    """Return the sources of a pinned result."""
    return {"kept": {**BARS_AT, "top": result.look.shares}}


def spectrum_words(result: KernelPCAResult) -> str:
    """Return the share that the kept components explain."""
    kept = percent(result.look.kept)
    if result.kept == 1:
        return translate("The first 1 component explains {}.", kept)
    return translate("The first {} components together explain {}.", result.kept, kept)


@Picture(
    slot="beside",
    title="Share of the variance",
    height=230,
    x=Axis("component", (0.4, BARS + 0.6), {float(k): str(k) for k in range(1, BARS + 1)}),
    y=Axis("", (0, 1.04), {0: "0", 0.5: "50 %", 1: "100 %"}),
    marks=(
        boxes(
            "bars",
            "kme",
            fill=0.35,
            alpha=0.8,
            inks=("fill", "line"),
            follows_slider=True,
            label="share of the variance",
        ),
        boxes("chosen", "kme", fill=0.9, alpha=0, follows_slider=True),
        boxes("kept", "kme", fill=0, alpha=0.6, inks=("line",), pinned=True),
        curve("sum", "kme", width=2, dash="dotted", follows_slider=True, label="cumulative share"),
        segments("spread", "truth", width=3, follows_slider=True, label="90 % of the resamples"),
        vertical_lines("line"),
    ),
    when=lambda result: result.lab.picture != "errors",
    pinned=spectrum_pinned,
    description=spectrum_words,
)
def spectrum(result: KernelPCAResult) -> Sources:
    """Draw each component's share of the variance, the cumulative share, and the shares of resamples."""
    at, chosen = np.arange(1.0, BARS + 1), float(result.lab.component)
    shares = np.array([look.shares for look, _ in result.rows])
    spread = np.full((2, len(shares), BARS), np.nan)
    if result.boot is not None:
        spread[:, result.row] = np.quantile(result.boot.shares, [0.05, 0.95], axis=0)
    return {
        "bars": {**BARS_AT, "top": SliderColumn(shares)},
        "chosen": {
            "left": np.array([chosen - BAR]),
            "right": np.array([chosen + BAR]),
            "top": SliderColumn.of(shares[:, result.lab.component - 1]),
        },
        "sum": {"x": at, "y": SliderColumn(shares.cumsum(axis=1))},
        "spread": {"x": at, "low": SliderColumn(spread[0]), "high": SliderColumn(spread[1])},
        "line": {"x": np.array([min(result.lab.kept, BARS) + 0.5])},
    }


def scores_words(result: KernelPCAResult) -> str:
    """Describe the range of each group's scores, without scaling."""
    told = []
    for component, scores in enumerate(result.look.scores.T, 1):
        groups = [scores[result.groups == group] for group in np.unique(result.groups)]
        spans = [
            translate("{} to {}", format_number(float(each.min())), format_number(float(each.max()))) for each in groups
        ]
        named = [translate("group {} {}", i, span) for i, span in enumerate(spans, 1)] if len(spans) > 1 else spans
        told.append(translate("Scores on component {}: {}.", component, ", ".join(named)))
    return " ".join(told)


@SecondaryPicture(
    title="Scores (largest = 1)",
    height=250,
    x=FIRST,
    y=SECOND,
    marks=(dots("points", "truth", marker=by("marker"), size=7, fill=0.55, follows_slider=True, label="sample"),),
    description=scores_words,
)
def scores(result: KernelPCAResult) -> Sources:
    """Draw the sample in the plane of its first two components."""
    scores = np.array([look.scores for look, _ in result.rows])
    scores = scores / np.maximum(np.abs(scores).max(axis=(1, 2), keepdims=True), 1e-300)
    x, y = (SliderColumn(scores[:, :, k]) for k in (0, 1))
    return {"points": {"marker": MARKERS[result.groups], "x": x, "y": y}}


def denoised_title(result: KernelPCAResult) -> str:
    """Return the title: what the distances are measured from."""
    if result.clean is not None:
        return "Squared distance after denoising (before: 1)"
    return "Squared distance to points (their variance: 1)"


def denoised_words(result: KernelPCAResult) -> str:
    """Return how far points are from their pre-images."""
    moved = np.linalg.norm(result.denoised - result.X, axis=1)
    middle, farthest = (format_number(float(v)) for v in (np.median(moved), moved.max()))
    told = "Half of the points are less than {} from their pre-images; the farthest is {} away."
    return translate(told, middle, farthest)


def denoised_sides(result: KernelPCAResult, cleaning: Vector) -> tuple[Axis, Axis]:
    """Return both axes; the lower end of the y axis is near the smallest distance."""
    low, _ = ends_of_sizes(np.minimum(np.append(cleaning, 1.0), FARTHEST))
    return denoised.x, denoised.y._replace(range=(low, denoised.y.range[1]))


@SecondaryPicture(
    stage="cleaning",
    table_is_complete=False,
    height=250,
    x=Axis("components kept", (0.5, 20.5), {1: "1", 5: "5", 10: "10", 15: "15", 20: "20"}),
    y=Axis("", (0, 1.03 * FARTHEST), {0: "0", 1: "1", FARTHEST: f"{FARTHEST:g} or more"}),
    background=(
        Band("harm", bottom=1),
        KME_LINE._replace(label="before denoising"),
    ),
    marks=(
        curve("curve", "outlier", label="squared distance"),
        dots("curve", "outlier"),
        vertical_lines("line"),
    ),
    title=denoised_title,
    sides=denoised_sides,
    description=denoised_words,
)
def denoised(result: KernelPCAResult, cleaning: Vector) -> Sources:
    """Draw how far pre-images are from the clean points, or from the points, by the number of components kept."""
    at = np.arange(1.0, len(cleaning) + 1)
    return {
        "curve": {"x": at, "y": np.minimum(cleaning, FARTHEST)},
        "line": {"x": np.array([float(min(result.lab.kept, len(at)))])},
    }


# curves of the five variants by the number of components
OfStudy = partial(OverCounts, stage="study", over="components kept", lines=LINES, counts=attrgetter("components"))


# The errors themselves, whose curves nearly coincide.
levels = OfStudy(
    "levels",
    choice="errors",
    slot="beside",
    title="Held-out error",
    heights=lambda value, method: value.mean(method),
    ends=lambda value: ends_of_sizes(np.concatenate([value.mean(name) for name in VARIANTS])),
    labels=lambda low, high: nice_ticks(low, high, 4),
)


def difference(value: Study, method: str) -> Vector:
    """Return a variant's mean difference from KPCA's error, on the signed logarithmic axis."""
    return signed_log(0.3 * value.differences(method).mean(axis=0) / FINE)


def errors_ends(value: Study) -> tuple[float, float]:
    """Return the ends of the axis of differences."""
    every = np.concatenate([difference(value, name) for name in VARIANTS])
    return float(min(every.min(), -1.0)) - 0.3, float(max(every.max(), 1.0)) + 0.3


def errors_labels(low: float, high: float) -> dict[float, str]:
    """Return the ticks of the axis of differences."""
    every = {0.0: "0"} | {
        float(signed_log(0.3 * sign * share / FINE)): f"{'−' if sign < 0 else ''}{100 * share:g} %"
        for share in (1e-3, 1e-2, 1e-1, 1.0, 10.0)
        for sign in (1, -1)
    }
    return {place: word for place, word in every.items() if low <= place <= high}


# Differences from KPCA's error, paired by repetition, on an axis that shows small and large ones.
errors = OfStudy(
    "errors",
    title="Held-out error relative to KPCA",
    number_at=lambda height: FINE / 0.3 * signed_value(height),
    description=apart_words,
    heights=difference,
    ends=errors_ends,
    labels=errors_labels,
)


def ghosts_words(result: KernelPCAResult) -> str:
    """Return how much of the plane has a certain sign."""
    if result.boot is None:
        return ""
    sure = percent(float((np.abs(result.boot.sign) > 0.9).mean()))
    return translate("On {} of the plane shown, more than 95 % of the resamples agree on the component's sign.", sure)


def ghosts_placeholder(result: KernelPCAResult) -> Sources:
    """Return an empty image, so that the picture has its final size from the start."""
    return {"image": {"w": np.zeros(len(result.ground.places))}, "ground": on_the_plane(result)}


@PlanePicture(
    slot="small",
    choice="ghosts",
    legend=False,
    stage="boot",
    table_is_complete=False,
    height=250,
    wide=WIDE,
    title="Do resamples agree on the sign?",
    marks=(
        field_of("image", "ground", ACROSS, label="mean sign of the component"),
        sample(4),
    ),
    description=ghosts_words,
    placeholder=ghosts_placeholder,
)
def ghosts(result: KernelPCAResult, boot: Boot) -> Sources:
    """Draw the mean sign of the component over bootstrap resamples: how certain its sign is."""
    return {"image": {"w": boot.sign}, "ground": on_the_plane(result), "sample": placed(result, result.X)}


def discriminant_map_words(result: KernelPCAResult) -> str:
    """Return how often the discriminant assigns points rightly."""
    told = result.discriminant
    if not result.tells_groups:
        return translate("A discriminant needs groups: choose the rings, the moons or the blobs.")
    if told is None:
        return ""
    line = "Assignment to the nearest group mean is right for {} of the sample and for {} of {} new points."
    return translate(line, percent(told.seen), percent(told.fresh), TESTED)


@PlanePicture(
    "discriminant",
    slot="small",
    choice="discriminant",
    legend=False,
    deferred="discriminant",
    table_is_complete=False,
    height=250,
    wide=WIDE,
    title="Fisher discriminant of the groups",
    marks=(
        field_of("image", "ground", ACROSS, label="Fisher discriminant"),
        sample(4),
    ),
    description=discriminant_map_words,
)
def discriminant_map(result: KernelPCAResult) -> Sources:
    """Draw Fisher's first discriminant over the plane, blue where it is positive."""
    told = result.discriminant
    image = np.zeros(len(result.ground.places)) if told is None else to_one(told.image[None])[0]
    return {"image": {"w": image}, "ground": on_the_plane(result), "sample": placed(result, result.X)}


def clusters_by_hsic_words(result: KernelPCAResult) -> str:
    """Return the sizes of the clusters."""
    if result.clusters is None:
        return ""
    sizes = np.bincount(result.clusters.labels, minlength=result.lab.clusters)
    return translate("The clusters have {} points.", ", ".join(map(str, sizes)))


@SecondaryPicture(
    "clusters",
    deferred="clusters",
    table_is_complete=False,
    height=250,
    title="Clusters by HSIC, in scores (largest = 1)",
    x=FIRST,
    y=SECOND,
    marks=tuple(
        dots(f"cluster{i}", role, marker=by("marker"), size=8, fill=0.75, label=called)
        for i, (role, called) in enumerate(zip(CLUSTERS, CALLED, strict=True))
    ),
    description=clusters_by_hsic_words,
)
def clusters_by_hsic(result: KernelPCAResult) -> Sources:
    """Draw the clusters that HSIC finds, in the plane of the first two components."""
    scores, found = result.look.scores, result.clusters
    scores = scores / max(float(np.abs(scores).max()), 1e-300)
    labels = np.zeros(len(scores)) if found is None else found.labels
    tables = {}
    for i in range(len(CLUSTERS)):
        rows = (labels == i) & (found is not None)
        x, y = scores[rows].T
        tables[f"cluster{i}"] = {"x": x, "y": y, "marker": MARKERS[result.groups[rows]]}
    return tables


PICTURES = (component, spectrum, levels, scores, denoised, errors, ghosts, discriminant_map, clusters_by_hsic)
