"""A density made of components, in the plane or on a line: draggable components, the sample and the truth.

The result has `path`, a FitPath at the slider's stops; `density`, of shape (r, g), at `places`, of shape (g, d), which
in the plane are all pairs of its `axes`; `true_density`; the `X` and the `frame` of its sample; and a `role`, the
colour of the estimate that the components match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.languages import translate, translate_plural
from explorer.printing import format_number, length_of, short_name, value_of
from explorer.types import Matrix, Vector

from .axes import Axis, file_unit_ticks
from .geometry import ellipses as spread_of
from .geometry import ground
from .mark import (
    Mark,
    ReferenceLine,
    SliderColumn,
    by,
    circles,
    curve,
    dots,
    ellipses,
    field_of,
)
from .picture import Picture, PlanePicture, Sources
from .roles import ESTIMATES

MOST = 10  # most components, each a row of every table, so that a source keeps its length
SMALLEST, AREA = 5.0, 34.0  # diameter in px of a centre's disc: SMALLEST plus AREA times the root of its weight
HIGHEST = 2.5  # largest height relative to everything else: the peak of a narrow component continues above the picture
RUG = -0.05  # height of the sample below a density on a line, relative to the axis
TITLE = "The density of the mixture, and the sample"


def filled(values: Matrix) -> SliderColumn:
    """Return rows of numbers of components as rows of length MOST, with NaN for missing components.

    Parameters
    ----------
    values : ndarray of shape (r, m)
        The numbers.

    Returns
    -------
    SliderColumn
        Rows of length MOST.
    """
    return SliderColumn(np.pad(values, ((0, 0), (0, MOST - values.shape[1])), constant_values=np.nan))


def centres(result: Any) -> dict[str, SliderColumn]:
    """Return the components at each stop, as rows of length MOST: x, y, radius, and the disc's size by weight."""
    path = result.path
    columns = {
        "x": path.means[:, :, 0],
        "y": path.means[:, :, 1] if path.means.shape[2] > 1 else np.zeros_like(path.weights),
        "radius": np.sqrt(path.variances),
        "size": SMALLEST + AREA * np.sqrt(path.weights),
    }
    return {name: filled(values) for name, values in columns.items()}


def floor(axes: tuple[Sequence[float] | Vector, Sequence[float] | Vector]) -> dict[str, Vector]:
    """Return the position of an image with cells at these centres.

    Parameters
    ----------
    axes : tuple
        Centres along x and along y.

    Returns
    -------
    dict of str to ndarray
        See `geometry.ground`.
    """
    return {name: np.array(values, dtype=float) for name, values in ground(*axes).items()}


def blobs_called(result: Any) -> str:
    """Return the components' label in a legend."""
    return translate("fitted components ({})", result.lab.estimator)


def mixture_called(result: Any) -> str:
    """Return their density's label in a legend."""
    return translate("fitted mixture ({})", result.lab.estimator)


def blobs_words(result: Any) -> str:
    """Return sentences on the heaviest component, and on the components' widths.

    Parameters
    ----------
    result : Result
        The result.

    Returns
    -------
    str
        The sentences.
    """
    path, row, first = result.path, result.row, result.quantities[0]
    heavy, sd = int(np.argmax(path.weights[row])), np.sqrt(path.variances[row])
    along = translate(" along {}", short_name(first.name)) if first.is_scaled else ""
    place = ", ".join(map(value_of, result.quantities, path.means[row, heavy]))
    return translate(
        "{} after step {}: the heaviest, of weight {}, is centred at ({}); standard deviations{} go from {} to {}.",
        translate_plural("{} component", "{} components", len(sd)),
        int(result.steps[row]),
        format_number(float(path.weights[row, heavy])),
        place,
        along,
        length_of(first, sd.min()),
        length_of(first, sd.max()),
    )


def centred(size: int | by, called: str = "") -> Mark:
    """Return discs at the components' centres, in the estimate's colour; those outside the frame are not drawn.

    Parameters
    ----------
    size : int or by
        Diameter in px, or its column.
    called : str, default ""
        Label in the legend.

    Returns
    -------
    Mark
        The discs.
    """
    return dots("blobs", ESTIMATES, size=size, fill=0.45, width=1.5, label=called)


def top_of(result: Any) -> float:
    """Return the end of the axis of densities, which shows start and truth, and the last fit unless it is far higher.

    Parameters
    ----------
    result : Result
        The result.

    Returns
    -------
    float
        The end.
    """
    start, end = (float(result.density[i].max()) for i in (0, -1))
    even = start if result.true_density is None else max(start, float(result.true_density.max()))
    return 1.1 * min(max(even, end), HIGHEST * even)


def plane_pinned(result: Any) -> Sources:
    """Return the components of a pinned result."""
    return {"kept": {name: centres(result)[name].at(result.row) for name in ("x", "y", "radius")}}


def blobs_plane(lines: int, wide: float) -> PlanePicture:
    """Return the picture of two dimensions: the density as bands, components as discs, and the sample.

    Parameters
    ----------
    lines : int
        The image's number of lines.
    wide : float
        Half width of what is visible, in half sides of the frame.

    Returns
    -------
    PlanePicture
        The picture.
    """

    @PlanePicture(
        slot="main",
        title=TITLE,
        height=340,
        wide=wide,
        when=lambda result: result.lab.d == 2,
        marks=(
            field_of("image", "ground", lines, label="density of the mixture"),
            ellipses("law", "truth", width=2, dash="dotted", label="true components"),
            dots("sample", "kme", size=5, fill=0.8, width=0, label="sample"),
            circles("kept", "kme", dash="dashed", alpha=0.6, pinned=True),
            circles("blobs", ESTIMATES, width=2, label=blobs_called),
            centred(by("size")),
        ),
        pinned=plane_pinned,
        description=blobs_words,
    )
    def plane(result: Any) -> Sources:
        peak = result.density.max(axis=1, keepdims=True)
        return {
            "image": {"w": SliderColumn(result.density / np.where(peak > 0, peak, 1.0))},
            "ground": floor(result.axes),
            "law": spread_of(result.law),
            "sample": dict(zip("xy", result.X.T, strict=True)),
            "blobs": centres(result),
        }

    return plane


def line_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes, around the sample."""
    (cx, _, half), end, of = result.frame, top_of(result), result.quantities[0]
    y = Axis("density", (2 * RUG * end, 1.02 * end), file_unit_ticks(0.0, end, of.density))
    return blobs_line.x.along(of, cx - half, cx + half), y


@Picture(
    "line",
    slot="main",
    title=TITLE,
    height=340,
    x=Axis("x", (-1, 1)),
    y=Axis("density", (-0.1, 1)),
    sides=line_sides,
    when=lambda result: result.lab.d == 1,
    background=(ReferenceLine("kme", y=0),),
    marks=(
        dots("sample", "kme", marker="dash", angle=np.pi / 2, size=12, label="sample", height_is_decorative=True),
        curve("kept", "kme", width=1.5, alpha=0.6, pinned=True),
        curve("truth", "truth", width=2, dash="dotted", label="true density"),
        curve("curve", ESTIMATES, follows_slider=True, label=mixture_called),
        centred(by("size")),
    ),
    pinned=lambda result: {"kept": {"x": result.places[:, 0], "y": result.density[result.row]}},
    description=blobs_words,
)
def blobs_line(result: Any) -> Sources:
    """Draw, in one dimension, the fitted density, the true one, each component's part, and the sample below."""
    x, truth, end, blobs = result.places[:, 0], result.true_density, top_of(result), centres(result)
    peaks = result.path.weights / np.sqrt(2 * np.pi * result.path.variances)
    cx, _, half = result.frame
    return {
        "curve": {"x": x, "y": SliderColumn(np.where(result.density <= 1.02 * end, result.density, np.nan))},
        "truth": None if truth is None else {"x": x, "y": truth},
        "sample": {"x": np.clip(result.X[:, 0], cx - half, cx + half), "y": np.full(len(result.X), RUG * end)},
        "blobs": {"x": blobs["x"], "y": filled(np.minimum(peaks, end)), "size": blobs["size"]},
    }
