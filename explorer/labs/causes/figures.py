"""Pictures of the causes lab: three scatter plots, p over the bandwidth, allowed arrows, many samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.conditional.conditioning import standardise
from explorer.languages import translate
from explorer.marks import (
    Axis,
    Picture,
    SecondaryPicture,
    SliderColumn,
    Sources,
    boxes,
    by,
    curve,
    dots,
    rings,
    segments,
    vertical_lines,
    words,
)
from explorer.marks.mark import Numbers
from explorer.marks.pvalues import level_line
from explorer.printing import truncate
from explorer.types import Matrix, Vector

from .arrows import PAIRS, Allowed
from .result import GRID, Look
from .words import arrows_words, by_name, clouds_words, pvalues_words, study_words, variable_names

if TYPE_CHECKING:
    from .result import CausesResult, Study


LEFT, RIGHT, BELOW, ABOVE = 0.05, 0.97, 0.1, 0.88  # ends of a cloud's frame, as shares of the unit cell that it fills
ROOM = 0.05  # margin around the points, as a share of the frame
EDGE = 0.005  # share of a variable's values beyond either end of its frame
NAME = 22  # largest number of characters of a column's name at a frame
SLOTS = ("skmse", "monkfast", "kme", "mkme")  # colour roles of a question's tests
DASHES = ("solid", "dashed", "dotted", "dashdot")
MARKERS = ("circle", "square", "diamond", "triangle")
AXES = {  # question -> variables along each cloud's axes: 0, 1, 2 are x, y, z; 3 and 4 are residuals
    "given": ((2, 0), (2, 1), (3, 4)),
    "joint": ((0, 1), (0, 2), (1, 2)),
    "direction": ((0, 1), (0, 3), (1, 4)),
}
TITLES = {
    "given": ("x over z", "y over z", "Residuals given z"),
    "joint": ("y over x", "z over x", "z over y"),
    "direction": ("Both fits", "Residuals of x → y", "Residuals of y → x"),
}
SHOWN = {
    "given": "Both regressions on z, and their residuals",
    "joint": "Two variables at a time",
    "direction": "Both regressions, and their residuals",
}
NODE = 12  # largest number of characters of a variable's name among the arrows
PLACES = {"x": (0.0, 0.0), "y": (1.0, 0.0), "z": (0.5, 1.0)}  # positions of the variables in a triangle of arrows
# distance between both triangles, gap between a variable and its arrow, length of an arrow's head
APART, SHORT, HEAD = 1.75, 0.23, 0.13
TRUTH, TESTED = 0.0, APART
ROUND = 49  # number of points of the ring around all three variables
MEANING = {  # whether a test's null hypothesis holds for the samples -> the meaning of its rejections
    True: ": every rejection is a false alarm",
    False: ": every rejection is correct",
    None: "",
}
P_TICKS = {0.002: "0.002", 0.01: "0.01", 0.05: "0.05", 0.2: "0.2", 1.0: "1"}
WIDTHS = {0.05: "0.05", 0.1: "0.1", 0.2: "0.2", 0.5: "0.5", 1.0: "1", 2.0: "2"}


def test_called(slot: int) -> Callable[..., Any]:
    """Return a function of the result that labels the test of a slot; the label is None if there is no such test."""

    def words(result):
        return by_name(result.names[slot], variable_names(result)) if slot < len(result.names) else None

    return words


def regression_called(given: str, direction: str) -> Callable[..., Any]:
    """Return a function of the result that labels a regression for either question; the label is None for others."""

    def words(result):
        which = {"given": given, "direction": direction}.get(result.lab.asks)
        return which and by_name(translate("regression of {}", which), variable_names(result))

    return words


def framed(values: Matrix, ends: tuple[float, float], low: float, high: float) -> Matrix:
    """Map values to positions in a frame from low to high. Values beyond the frame's ends lie at its edge."""
    a, b = ends
    inner = (high - low) * ROOM
    share = (np.clip(values, a, b) - a) / ((b - a) or 1.0)
    return low + inner + share * (high - low - 2 * inner)


def ends_of(values: Matrix) -> tuple[float, float]:
    """Return the range of all values except a share EDGE at either end."""
    low, high = np.quantile(values, [EDGE, 1 - EDGE])
    return float(low), float(high)


def frame_ends(result: CausesResult, X: Matrix) -> dict[int, tuple[float, float]]:
    """Return the ends of the frames of each variable and of its residuals, equal at every bandwidth."""
    found = {j: ends_of(X[:, j]) for j in range(X.shape[1])}
    if result.lab.asks == "joint":
        return found
    for j in (0, 1):
        reach = max(max(map(abs, ends_of(each.left[j]))) for each in result.table_rows)
        found[3 + j] = (-reach, reach)
    return found


def laid(values: Matrix, ends: tuple[float, float], k: int, upright: int) -> Matrix:
    """Return values as positions along an axis of the k-th cloud."""
    return framed(values, ends, BELOW, ABOVE) if upright else framed(values, ends, k + LEFT, k + RIGHT)


def laid_rows(X: Matrix, left: list[Matrix], j: int, ends: Any, k: int, upright: int) -> Matrix:
    """Return the positions of a variable or of its residuals at every stop, shape (r, n)."""
    values = np.array([each[j - 3] for each in left]) if j >= 3 else np.tile(X[:, j], (len(left), 1))
    return laid(values, ends[j], k, upright)


def by_third(X: Matrix, axes: Any, ends: Any) -> tuple[dict[str, Vector], dict[str, Vector]]:
    """Return the points of three clouds, split at the median of the variable that is not in the cloud."""
    sides: list[dict[str, Any]] = [{"x": [], "y": []}, {"x": [], "y": []}]
    for k, each in enumerate(axes):
        (lacks,) = {0, 1, 2} - set(each)
        high = X[:, lacks] > np.median(X[:, lacks])
        for side, which in zip(sides, (high, ~high), strict=True):
            for i, name in enumerate("xy"):
                side[name].append(laid(X[which, each[i]], ends[each[i]], k, i))
    high, low = ({name: np.concatenate(parts) for name, parts in side.items()} for side in sides)
    return high, low


def zero_of(k: int, axes: Any, ends: Any) -> tuple[float, float, float]:
    """Return the zero line of a cloud of residuals."""
    return k + LEFT, float(laid(np.zeros(1), ends[axes[1]], k, 1)[0]), k + RIGHT


def curves(result: CausesResult, X: Matrix, ends: Any) -> Numbers:
    """Return both regressions: each in its cloud, or both in the first cloud, the second with swapped axes."""
    if result.lab.asks == "joint":
        return {}
    given = result.lab.asks == "given"
    found = {}
    for i, name in enumerate(("one", "two")):
        cause, k = (2, i) if given else (i, 0)
        along = np.linspace(X[:, cause].min(), X[:, cause].max(), GRID)
        effect = np.array([each.curves[i] for each in result.table_rows])
        low, high = ends[i] if given else ends[1 - i]
        effect = np.where((effect < low) | (effect > high), np.nan, effect)
        along = np.where((along < ends[cause][0]) | (along > ends[cause][1]), np.nan, along)
        upright = 1 if given or i == 0 else 0
        rows = SliderColumn(laid(effect, (low, high), k, upright))
        still = laid(along, ends[cause], k, 1 - upright)
        found[name] = {"x": still, "y": rows} if upright else {"x": rows, "y": still}
    return found


def named(result: CausesResult) -> Numbers:
    """Return the titles of the clouds and the labels of their axes."""
    asks, k = result.lab.asks, np.arange(3.0)
    own = [truncate(each.name, NAME) for each in result.quantities]
    left = [translate("residual of {}", role) for role in {"given": "xy", "direction": "yx"}.get(asks, "")]
    names = {role: truncate(name, NAME) for role, name in variable_names(result).items()}
    axes = dict(enumerate(own)) | {3 + j: by_name(each, names) for j, each in enumerate(left)}
    across, up = ([axes[each[i]] for each in AXES[asks]] for i in (0, 1))
    at = {"x": k + LEFT, "y": np.full(3, ABOVE - 0.035)}
    return {
        "titles": {
            "x": k + (LEFT + RIGHT) / 2,
            "y": np.full(3, 0.95),
            "words": np.array([by_name(each, names) for each in TITLES[asks]], dtype=object),
        },
        "across": {
            "x": k + RIGHT,
            "y": np.full(3, 0.045),
            "words": np.array([f"{each} →" for each in across], dtype=object),
        },
        "up": {**at, "words": np.array([f" ↑ {each}" for each in up], dtype=object)},
    }


@Picture(
    height=380,
    x=Axis("", (0.0, 3.0), {}, lines=False, bare=True),
    y=Axis("", (0.0, 1.0), {}, lines=False, bare=True),
    marks=(
        boxes("frames", "kme", "left", "right", BELOW, "top", fill=0.07, height_is_decorative=True),
        segments("zero", "kme", "x", "y", "to", "y", width=1, dash="dotted", alpha=0.8),
        dots("points", "kme", size=5, fill=0.8, width=0, label=lambda r: None if r.lab.asks == "joint" else "rows"),
        dots("high", "truth", size=6, fill=0.75, width=0,
             label=lambda r: "third variable above its median" if r.lab.asks == "joint" else None),
        rings("low", "kme", size=6, width=1.3,
              label=lambda r: "third variable below its median" if r.lab.asks == "joint" else None),
        dots("left", "truth", size=5, fill=0.6, width=0, follows_slider=True,
             label=lambda r: None if r.lab.asks == "joint" else "residuals"),
        curve("one", "fkmse", width=3.5, follows_slider=True,
              label=regression_called("x on z", "y on x")),
        curve("two", "shaped", width=3.5, dash="dashed", follows_slider=True,
              label=regression_called("y on z", "x on y")),
        words("titles", "truth", align="center", px=13, bold=True),
        words("across", "kme", align="right", px=12),
        words("up", "kme", px=12),
    ),
    title=lambda result: SHOWN[result.lab.asks],
    description=clouds_words,
)  # fmt: skip
def clouds(result: CausesResult) -> Sources:
    """Draw three clouds of the question, with the regressions and their residuals."""
    asks, X = result.lab.asks, standardise(result.drawn.X)
    data = {}
    left = [each.left for each in result.table_rows]
    axes = AXES[asks]
    ends = frame_ends(result, X)
    if asks == "joint":
        data["high"], data["low"] = by_third(X, axes, ends)
    else:
        plain = [(k, each) for k, each in enumerate(axes) if max(each) < 3]
        at = [[laid(X[:, each[i]], ends[each[i]], k, i) for k, each in plain] for i in (0, 1)]
        data["points"] = {"x": np.concatenate(at[0]), "y": np.concatenate(at[1])}
    over = [(k, each) for k, each in enumerate(axes) if max(each) >= 3]
    rest = [[laid_rows(X, left, each[i], ends, k, i) for k, each in over] for i in (0, 1)]
    moved = {name: SliderColumn(np.concatenate(part, axis=1) if part else np.zeros((1, 0)))
             for name, part in zip("xy", rest, strict=True)}  # fmt: skip
    zero = [zero_of(k, each, ends) for k, each in over]
    x, y, to = np.array(zero).T if zero else np.zeros((3, 0))
    k = np.arange(3.0)
    return {
        **data,
        "frames": {"left": k + LEFT, "right": k + RIGHT, "top": np.full(3, ABOVE)},
        "left": moved,
        "zero": {"x": x, "y": y, "to": to},
        **curves(result, X, ends),
        **named(result),
    }


def p_by_bandwidth_pinned(result: CausesResult) -> Sources:
    """Return the curve of the first test."""
    return {"pinned": p_by_bandwidth.data(result)["test0"]}


@Picture(
    "pvalues",
    slider_line="line",
    title="p of the tests, by bandwidth",
    height=250,
    x=Axis("bandwidth × median (log scale)", (0.045, 2.2), WIDTHS, log=True),
    y=Axis("p (log scale)", (0.0015, 1.3), P_TICKS, log=True),
    background=(level_line("y", 2),),
    marks=(
        vertical_lines("line", width=3, alpha=0.8),
        *(curve(f"test{i}", role, width=2.5, dash=dash, is_story_answer=True, label=test_called(i))
          for i, (role, dash) in enumerate(zip(SLOTS, DASHES, strict=True))),
        *(dots(f"now{i}", role, size=9, marker=marker, follows_slider=True, is_story_answer=True)
          for i, (role, marker) in enumerate(zip(SLOTS, MARKERS, strict=True))),
        curve("pinned", SLOTS[0], width=6, alpha=0.25, pinned=True),
    ),
    pinned=p_by_bandwidth_pinned,
    description=pvalues_words,
)  # fmt: skip
def p_by_bandwidth(result: CausesResult) -> Sources:
    """Draw the p-value of every test over the bandwidth."""
    stops = np.array(result.stops if result.answers else [result.lab.bandwidth], float)
    inside = np.clip(stops, *p_by_bandwidth.x.range)
    pvalues = np.array([each.pvalues for each in result.table_rows])
    data: Numbers = {"line": {"x": SliderColumn.of(inside)}}
    for i in range(min(len(SLOTS), len(result.names))):
        data[f"test{i}"] = {"x": inside, "y": pvalues[:, i]}
        data[f"now{i}"] = {"x": SliderColumn.of(inside), "y": SliderColumn.of(pvalues[:, i])}
    return data


def corner_of(result: CausesResult, side: float) -> tuple[float, float]:
    """Return the position of x. It is in the middle if only x and y are shown."""
    return side, 0.5 if result.lab.asks == "direction" else 0.0


def arrow(pair: str, corner: tuple[float, float], head: bool = True) -> Matrix:
    """Return the strokes of an arrow from a pair's first variable to its second, (3, 4), or of a line, (1, 4)."""
    start, end = (np.array(PLACES[each]) for each in pair)
    way = (end - start) / np.linalg.norm(end - start)
    a, b = start + SHORT * way, end - SHORT * way
    shaft, moved = [*a, *b], np.array(2 * corner)
    if not head:
        return np.array([shaft]) + moved
    across = np.array([-way[1], way[0]])
    sides = [[*(b - HEAD * way + turn * 0.6 * HEAD * across), *b] for turn in (1, -1)]
    return np.array([shaft, *sides]) + moved


def tested_of(result: CausesResult, look: Look) -> Matrix:
    """Return the strokes of everything that a Look allows, shape (9, 4), padded with nan."""
    found, corner = result.allowed(look) or Allowed(), corner_of(result, TESTED)
    parts = [arrow(each, corner) for each in found.arrows]
    parts += [arrow(each, corner, head=False) for each in found.lines]
    strokes_there = np.concatenate([np.zeros((0, 4)), *parts])
    return np.concatenate([strokes_there, np.full((3 * len(PAIRS) - len(strokes_there), 4), np.nan)])


def ring(result: CausesResult, look: Look) -> Matrix:
    """Return a ring around all three variables if they are jointly dependent, shape (2, ROUND), else nan."""
    if result.lab.asks != "joint" or look.pvalues[0] > result.lab.alpha:
        return np.full((2, ROUND), np.nan)
    turn = np.linspace(0, 2 * np.pi, ROUND)
    return np.array([TESTED + 0.5 + 0.85 * np.cos(turn), 0.42 + 0.85 * np.sin(turn)])


@SecondaryPicture(
    title="The arrows",
    height=235,
    x=Axis("", (-0.45, APART + 1.45), {}, lines=False, bare=True),
    y=Axis("", (-0.5, 1.8), {}, lines=False, bare=True),
    marks=(
        segments("drawn", "kme", "x", "y", "to_x", "to_y", width=3, is_story_answer=True, label="true arrows"),
        segments("joined", "truth", "x", "y", "to_x", "to_y", width=3, follows_slider=True, is_story_answer=True,
                label="allowed by the tests"),
        curve("ring", "truth", width=2, dash="dashed", follows_slider=True, is_story_answer=True,
              label=lambda r: "dependent jointly" if r.lab.asks == "joint" else None),
        rings("nodes", "truth", size=28, width=1.5),
        words("nodes", "truth", align="center", px=15, bold=True),
        words("titles", "truth", align="center", px=12),
    ),
    description=arrows_words,
)  # fmt: skip
def arrows(result: CausesResult) -> Sources:
    """Draw the true arrows, if they are known, and the arrows that the tests allow."""
    roles = "xy" if result.lab.asks == "direction" else "xyz"
    sides = [TESTED] if result.lab.arrows is None else [TRUTH, TESTED]
    nodes = [(*np.add(corner_of(result, side), PLACES[role]), role) for side in sides for role in roles]
    x, y, names = zip(*nodes, strict=True)
    drawn = [arrow(each, corner_of(result, TRUTH)) for each in result.lab.arrows or () if set(each) <= set(roles)]
    columns, named = ("x", "y", "to_x", "to_y"), {r: truncate(n, NODE) for r, n in variable_names(result).items()}
    tested = np.array([tested_of(result, each).ravel() for each in result.table_rows]).reshape(
        len(result.table_rows), -1, 4
    )
    round_all = np.array([ring(result, each) for each in result.table_rows])
    titles = ["true arrows"] * (len(sides) - 1) + ["allowed by the tests"]
    return {
        "nodes": {
            "x": np.array(x),
            "y": np.array(y),
            "words": np.array([by_name(each, named) for each in names], dtype=object),
        },
        "titles": {
            "x": np.array(sides) + 0.5,
            "y": np.full(len(sides), 1.55),
            "words": np.array(titles, dtype=object),
        },
        "drawn": dict(zip(columns, np.concatenate([np.zeros((0, 4)), *drawn]).T, strict=True)),
        "joined": {name: SliderColumn(tested[:, :, i]) for i, name in enumerate(columns)},
        "ring": {"x": SliderColumn(round_all[:, 0]), "y": SliderColumn(round_all[:, 1])},
    }


def rejections_sides(result: CausesResult, study: Study) -> tuple[Axis, Axis]:
    """Return both axes, with one row per test."""
    return rejections.x, rejections.y._replace(range=(0.6, len(result.names) + 0.8))


@SecondaryPicture(
    "level",
    stage="study",
    title="How often each test rejects",
    height=235,
    x=Axis(
        "share of more samples with p ≤ level", (0.0, 1.02), {0: "0", 0.25: "0.25", 0.5: "0.5", 0.75: "0.75", 1: "1"}
    ),
    y=Axis("", (0.6, 4.8), {}, bare=True, lines=False),
    background=(level_line("x", 2),),
    marks=(
        segments("level", "kme", "low", "y", "high", "y", width=3, is_story_answer=True, label="95 % interval"),
        dots("level", "truth", size=11, fill=by("fill"), width=2, is_story_answer=True,
             label="share of the samples"),
        words("level", "truth", 0.13, "above", px=12),
    ),
    sides=rejections_sides,
    description=study_words,
)  # fmt: skip
def rejections(result: CausesResult, study: Study) -> Sources:
    """Draw the rejection rate of each test in many samples."""
    at = len(result.names) - np.arange(float(len(result.names)))
    low, high = study.intervals.T
    supposed = [result.holds(name) for name in result.names]
    said = [f"{name}{MEANING[true]}" for name, true in zip(result.names, supposed, strict=True)]
    return {
        "level": {
            "x": study.shares,
            "y": at,
            "low": low,
            "high": high,
            "fill": np.array([1.0 if true else 0.0 for true in supposed]),
            "above": at + 0.45,
            "words": np.array(said, dtype=object),
        }
    }


PICTURES = (clouds, p_by_bandwidth, arrows, rejections)
