"""Pictures of the DNA lab: both tests with their null values, the Gram matrix, and the letters by place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate
from explorer.marks import (
    Axis,
    Picture,
    PlanePicture,
    Polyline,
    ReferenceLine,
    Sources,
    boxes,
    by,
    dots,
    heatmap,
    rings,
    segments,
    words,
)
from explorer.types import Rows, Vector
from explorer.workbench.numbers import format_number

from .words import gram_words, nulls_words, profile_words

if TYPE_CHECKING:
    from explorer.marks.mark import Mark

    from .result import DnaResult


CALLED = {"plain": "plain test", "monk": "MONK"}
REACH_RANGE = (-1.0, 4.0)  # range of both statistics, in units of their thresholds
REACH = Axis("statistic / threshold", REACH_RANGE, {-1: "−1", 0: "0", 1: "1", 2: "2", 3: "3", 4: "4"})
COUNT = Axis("relative frequency", (0.0, 1.32), {0: "0", 0.5: "0.5", 1: "1"})
EDGES = np.linspace(*REACH_RANGE, 51)
TESTS = (("plain", "kme", "solid"), ("monk", "monk", "dashed"))  # name, role, dash
HATCH = ("right_diagonal_line", 0.7, 7)
HEIGHTS = {"plain": 1.2, "monk": 1.08}  # the height of each statistic's mark
SEEN = (("ground", 5), ("truth", 2))  # role and width of the two strokes of a frame that is visible on any colour
GAP = 1  # rows between the two samples' profiles
BOX = (0.16, -0.055, 1.03)  # centre and half side of the square that contains the Gram matrix with its titles
BAR, WIDE = 1.1, 0.06  # left end of the colour bar, right of the matrix, and its width
BARE = Axis("", (-1.1, 1.1), lines=False, bare=True)  # the names of the samples label rows and columns instead
UNIT = 1.25  # position of the label of the colours, between their values


def mark_of(name: str, role: str, dash: str) -> tuple[Mark, Mark, Mark, Mark]:
    """Return the marks of a test's statistic, and of the statistic of the pinned state A."""
    at = f"{name}_mark"
    return (
        segments("pinned", role, name, 0, name, 1, width=9, alpha=0.3, pinned=True),
        segments(
            at,
            role,
            "x",
            "foot",
            "x",
            "y",
            width=3,
            dash=dash,
            follows_slider=True,
            label=CALLED[name],
            height_is_decorative=True,
        ),
        dots(at, role, marker="triangle", size=12, angle=by("angle"), follows_slider=True),
        words(at, role, px=13, dx=by("shift"), align=by("align"), bold=True, follows_slider=True),
    )


def tests_pinned(result: DnaResult) -> Sources:
    """Return the sources of a pinned result."""
    reaches = {name: [result.reach(getattr(result, name))] for name, *_ in TESTS}
    return {"pinned": {name: np.clip(reach, *REACH_RANGE) for name, reach in reaches.items()}}


@Picture(
    title="Both tests and their null values",
    x=REACH,
    y=COUNT,
    height=250,
    background=(ReferenceLine("truth", x=1, style={"width": 2, "dash": "dotted"}, label="threshold"),),
    marks=(
        boxes("plain", "kme", alpha=0.8, inks=("fill", "line"), label="plain test, permuted"),
        boxes("monk", "monk", fill=0, alpha=0.8, hatch=HATCH, inks=("fill", "line", "hatch"),
              label="MONK, swapped"),
        *(mark for test in TESTS for mark in mark_of(*test)),
    ),
    description=nulls_words,
    pinned=tests_pinned,
)  # fmt: skip
def tests(result: DnaResult) -> Sources:
    """Draw both statistics and their null values, in units of their thresholds."""
    columns = {}
    for name, *_ in TESTS:
        test = getattr(result, name)
        values = np.clip(test.null_distribution / result.unit(test), *REACH_RANGE)
        counts = np.histogram(values, EDGES)[0]
        columns[name] = {"left": EDGES[:-1], "right": EDGES[1:], "top": counts / counts.max()}
        columns[f"{name}_mark"] = _mark(name, result.reach(test))
    return columns


@PlanePicture(
    title="Similarity of every two reads",
    height=480,
    x=BARE,
    y=BARE,
    marks=(
        heatmap("gram", -1, -1, 2, 2, high=255),
        Polyline("ground", (0, 0), (-1, 1), {"width": 2}),
        Polyline("ground", (-1, 1), (0, 0), {"width": 2}),
        heatmap("bar", BAR, -1, WIDE, 2, high=255),
        words("values", "truth", BAR + WIDE, "y", px=12, dx=6),
        words("titles", "truth", px=13, align="center", angle=by("angle")),
        dots("contaminated", "outlier", marker="x", size=8, width=2, label="contaminated"),
        *(rings("cell", role, marker="square", size=13, width=width, follows_slider=True) for role, width in SEEN),
    ),
    description=gram_words,
    frame=lambda result: BOX,
    quantities=lambda result: (),  # the axes of a matrix are rows, not quantities
)
def gram(result: DnaResult) -> Sources:
    """Draw the Gram matrix of the reads, sorted by sample, with crosses at contaminated reads and a colour bar."""
    K, low, high = result.square
    span = (high - low) or abs(low) or 1.0  # if all reads are equally similar, they have one colour
    shades = np.clip((K[::-1] - low) / span, 0, 1)  # one byte selects one of the palette's 256 colours
    return {
        "gram": {"image": [np.rint(255 * shades).astype(np.uint8)]},
        "bar": {"image": [np.arange(256, dtype=np.uint8)[:, None]]},
        "values": _values(low, high),
        "titles": _titles(result),
        "cell": _cell(result),
        "contaminated": _contaminated(result),
    }


def profile_sides(result: DnaResult) -> tuple[Axis, Axis]:
    """Return the axis of places, and that of rows, one per letter."""
    letters, length = result.profile.letters, result.profile.first.shape[1]
    count = len(letters)
    rows = {count - 1 - i + 0.5: letter for i, letter in enumerate(letters)}
    rows |= {count + GAP + y: letter for y, letter in rows.items()}
    x, y = profile.x._replace(range=(0.5, length + 0.5)), profile.y._replace(range=(0, 2 * count + GAP), ticks=rows)
    return x, y


@Picture(
    height=230,
    x=Axis("position in the read", (0.5, 60.5), lines=False),
    y=Axis("letter", (0, 9), lines=False),
    marks=(heatmap("profile", 0.5, 0, "dw", "dh", gaps=True),),
    description=profile_words,
    title=lambda result: translate("Letter frequencies: {} above, {} below", *result.titles),
    sides=profile_sides,
)
def profile(result: DnaResult) -> Sources:
    """Draw the frequency of each letter at each place, the first sample above the second."""
    first, second = result.profile.first, result.profile.second
    blank = np.full((GAP, first.shape[1]), np.nan)
    image = np.vstack([second[::-1], blank, first[::-1]]).astype(np.float32)  # Bokeh draws the last row at the top
    high, wide = image.shape
    return {"profile": {"image": [image], "dw": np.array([float(wide)]), "dh": np.array([float(high)])}}


PICTURES = (tests, gram, profile)


def place(index: int | Rows, count: int) -> float | Vector:
    """Return the middle of a row of the Gram matrix on the axes, which run from -1 to 1."""
    return (2 * np.asarray(index) + 1) / count - 1


def _mark(name, reach):
    """Return a statistic's mark and its number. Beyond the axis the mark is a triangle that points there."""
    x = float(np.clip(reach, *REACH_RANGE))
    angle = np.pi  # this angle points down, at the axis
    if x != reach:
        angle = -np.pi / 2 if reach > 0 else np.pi / 2
    # put the numbers on different sides of close marks, and inside the picture
    left = x > 3.4 or (name == "monk" and x > -0.4)
    return {
        "x": np.array([x]),
        "y": np.array([HEIGHTS[name]]),
        "foot": np.zeros(1),
        "angle": np.array([angle]),
        "words": np.array([format_number(reach)]),
        "align": np.array(["right" if left else "left"]),
        "shift": np.array([-11.0 if left else 11.0]),
    }


def _titles(result):
    """Return the samples' names at their rows and columns, and the label of the colour bar."""
    shown = len(result.drawn) // 2
    reads = translate("{} reads", result.n) if shown == result.n else translate("{} of {} reads", shown, result.n)
    unit = translate("similarity k, centred") if result.lab.picture == "centred" else translate("similarity k")
    return {
        "x": np.array([-1.09, -1.09, -0.5, 0.5, UNIT]),
        "y": np.array([0.5, -0.5, -1.1, -1.1, 0.0]),
        "words": np.array([*[f"{title} ({reads})" for title in result.titles] * 2, unit]),
        "angle": np.array([np.pi / 2] * 2 + [0.0] * 2 + [np.pi / 2]),
    }


def _values(low, high):
    """Return the values at both ends of the colour bar. Values beyond them have the last colour."""
    return {"y": np.array([-0.96, 0.96]), "words": np.array([f"≤ {format_number(low)}", f"≥ {format_number(high)}"])}


def _cell(result):
    """Return the selected pair and its mirror image, or no points if they are not drawn."""
    rows = [np.flatnonzero(result.drawn == row) for row in result.pair]
    if not all(map(len, rows)):
        return None
    i, j = (float(place(row[0], len(result.drawn))) for row in rows)
    return {"x": np.array([j, i]), "y": np.array([-i, -j])}


def _contaminated(result):
    """Return the positions x and y of crosses next to every contaminated row and below every contaminated column."""
    middles = np.atleast_1d(place(np.flatnonzero(result.contaminated), len(result.drawn)))
    edge = np.full(len(middles), 1.035)
    return {"x": np.concatenate([edge, middles]), "y": np.concatenate([-middles, -edge])}
