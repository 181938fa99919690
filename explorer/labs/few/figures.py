"""Pictures of the Few lab: the chosen points, their MMD by their number, what they miss, the tests, the flow."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.marks import (
    Axis,
    Line,
    Mark,
    Picture,
    PlanePicture,
    ReferenceLine,
    SecondaryPicture,
    SliderColumn,
    Sources,
    by,
    curve,
    decades,
    dots,
    field_of,
    rings,
    segments,
    vertical_lines,
)
from explorer.marks.curves_over_counts import apart, name_marks, named_end
from explorer.marks.geometry import ground, plane, to_one, within
from explorer.marks.picture import padded
from explorer.marks.steps import STEP_TICKS, across, steps_at
from explorer.types import Matrix, Points, Vector
from explorer.workbench.samples import WIDE

from .comparing import LEVEL
from .flow import PARTICLES
from .lab import METHODS, STEPS
from .result import ACROSS
from .words import critic_words, flow_words, rate_words, test_words

if TYPE_CHECKING:
    from .comparing import Compressed
    from .flow import Flow
    from .result import FewResult


SIZE = 10  # the size in px of a chosen point with weight 1/m
LINES = {
    "herding": Line("herding", "skmse"),
    "thinning": Line("kernel thinning", "fkmse", "dashed"),
    "k-means": Line("kernel k-means, weighted", "mkme", "dotdash"),
    "random": Line("random rows, one draw", "kme", "solid", 1.5),
}
ROLES = tuple(LINES[name].role for name in METHODS)
SMALLEST = 1e-3  # The smallest p on the axis. Smaller ones are drawn there.
COUNT_TICKS = {float(2**k): str(2**k) for k in range(12)}
NOTHING = 1e-7  # kernel means at this distance or less are equal up to rounding
NAMES, LEADER = 12.0, 1.3  # factors of the last count: the end of an axis with names, and the position of a name
NEAREST = 0.13  # smallest distance of two names, relative to the axis
EDGE = 1.12  # the factor by which a logarithmic axis extends past what is drawn
P_TICKS = {0.001: "≤ 0.001", 0.01: "0.01", 0.05: "0.05", 0.2: "0.2", 1.0: "1"}


def on_the_plane(result: FewResult) -> dict[str, Vector]:
    """Return the position of an image over the plane."""
    return {name: np.array(at, dtype=float) for name, at in ground(result.ground.x, result.ground.y).items()}


def padded_points(result: FewResult, points: list[Points], length: int) -> dict[str, SliderColumn]:
    """Return each row's points in the plane, padded to `length`. Points outside the frame are drawn at its edge."""
    each = [within(Z, result.frame, WIDE) for Z in points]
    return {name: SliderColumn(np.array([padded(at[name], length) for at in each])) for name in ("x", "y")}


def upward(low: float, high: float) -> Axis:
    """Return a logarithmic axis of distances."""
    low, high = max(low, 1e-6 * high), max(high, 1e-300)
    ends = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = decades(*ends, 1)
    if high < 2e3 * low:
        between = (1, 2, 5) if high < 100 * low else (1, 3)
        ticks = {float(f"{k}e{e}"): f"{k * 10.0**e:g}" for e in range(ends[0], ends[1] + 1) for k in between}
    return Axis("MMD (log scale)", (low / EDGE, high * EDGE), ticks, log=True)


def in_plane(points: Points) -> dict[str, Vector]:
    """Return points in the plane, also those outside the frame."""
    return dict(zip("xy", plane(points), strict=True))


@PlanePicture(
    "plane",
    slot="main",
    title="The sample, the chosen points and the witness",
    height=390,
    wide=WIDE,
    marks=(
        field_of(
            "image",
            "ground",
            ACROSS,
            key="witness",
            label="witness: blue where points are missing, orange where too many",
        ),
        dots("sample", "truth", size=4, fill=0.45, width=0, label="sample"),
        rings("critics", "harm", size=15, width=2, follows_slider=True, is_story_answer=True, label="criticisms"),
        dots("chosen", ROLES, size=by("size"), width=1.5, follows_slider=True, label="chosen points"),
    ),
    choice="criticisms",
    role=lambda result: LINES[result.lab.method].role,
)
def chosen(result: FewResult) -> Sources:
    """Draw the sample, the chosen points, the criticisms, and the witness of both over the plane."""
    looks = result.shown_looks
    long = max(len(look.points) for look in looks)
    critics = max(len(look.rows) for look in looks)
    weights = [np.sqrt(look.chosen.weights * len(look.points)) for look in looks]
    return {
        "image": {"w": SliderColumn(to_one(np.array([look.image for look in looks])))},
        "ground": on_the_plane(result),
        "sample": within(result.X, result.frame, WIDE),
        "critics": padded_points(result, [result.X[look.rows] for look in looks], critics),
        "chosen": {
            **padded_points(result, [look.points for look in looks], long),
            "size": SliderColumn(np.array([padded(SIZE * each, long) for each in weights])),
        },
    }


@PlanePicture(
    slot="main",
    title="The particles, their paths and the witness",
    height=390,
    wide=WIDE,
    table_is_complete=False,
    marks=(
        field_of("image", "ground", ACROSS, key="witness", label="witness: particles climb towards blue"),
        dots("sample", "truth", size=4, fill=0.45, width=0, label="sample"),
        curve("paths", "skmse", width=1, alpha=0.9, label="paths", key=""),
        rings("start", "kme", size=6, width=1, label="start"),
        dots("particles", "skmse", size=7, label="particles"),
    ),
    when=lambda result: result.lab.picture == "flow",
    description=flow_words,
)
def stream(result: FewResult) -> Sources:
    """Draw particles that flow into the sample, their paths, and the witness that drives them."""
    drawn = {
        "image": {"w": to_one(result.field[None])[0]},
        "ground": on_the_plane(result),
        "sample": within(result.X, result.frame, WIDE),
    }
    if result.flow is None:
        return drawn
    stops = [stop for stop in result.lab.stops_of("steps") if stop < result.lab.steps]
    way = result.flow.positions[[*stops, result.lab.steps]]
    gaps = np.full((1, *way.shape[1:]), np.nan)
    paths = np.concatenate([way, gaps]).transpose(1, 0, 2).reshape(-1, way.shape[2])
    return drawn | {
        "paths": in_plane(paths),
        "start": in_plane(result.flow.positions[0]),
        "particles": in_plane(result.particles),
    }


@PlanePicture(
    slot="main",
    stage="tested",
    title="The two samples and the rows kept of each",
    height=390,
    wide=WIDE,
    table_is_complete=False,
    marks=(
        dots("first", "first", size=4, fill=0.65, width=0, label="first sample"),
        dots("second", "second", marker="square", size=4, fill=0.65, width=0, label="second sample, shifted"),
        dots("few_first", "first", size=9, label="rows kept of the first"),
        dots("few_second", "second", marker="square", size=9, label="rows kept of the second"),
    ),
    choice="test",
    description=test_words,
)
def pair(result: FewResult, tested: Compressed | tuple[()]) -> Sources:
    """Draw the two samples of the test, and the rows that represent each."""
    if not tested:
        return None
    of_x, of_y = tested.stand_for
    return {
        "first": in_plane(tested.X),
        "second": in_plane(tested.Y),
        "few_first": in_plane(tested.X[of_x]),
        "few_second": in_plane(tested.Y[of_y]),
    }


def rate_pinned(result: FewResult) -> Sources:
    """Return the sources of a pinned result."""
    counts = np.array([len(look.points) for look in result.shown_looks], float)
    return {"pinned": {"x": counts, "y": above(np.array([look.error for look in result.shown_looks]))}}


def rate_sides(result: FewResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    most = max(64, result.lab.most)
    ticks = {at: word for at, word in COUNT_TICKS.items() if at <= most}
    x = rate.x._replace(range=(1 / EDGE, most * NAMES), ticks=ticks)
    heights = [columns["y"] for columns in (rate.compute(result) or {}).values() if columns and "y" in columns]
    values = np.concatenate([np.ravel(y.values if isinstance(y, SliderColumn) else y) for y in heights])
    values = values[np.isfinite(values)]
    return x, upward(float(values.min(initial=1.0)), float(values.max(initial=1e-3)))


def named_curve(name: str, line: Line) -> tuple[Mark, ...]:
    """Return a method's curve and its name."""
    answer = name != "random"
    called = curve(name, line.role, width=line.width, dash=line.dash, label=line.called, is_story_answer=answer)
    return called, *name_marks(name, line, is_story_answer=answer)


@Picture(
    slot="beside",
    slider_line="line",
    title="MMD to the sample",
    height=258,
    x=Axis("m points chosen (log scale)", (1 / EDGE, 64 * EDGE), COUNT_TICKS, log=True),
    y=Axis("MMD (log scale)", (0.01, 1.0), log=True),
    marks=(
        curve("root", "truth", width=1.5, dash="dotted", label="m^(−1/2)"),
        curve("expected", "kme", width=3, dash="dashed", label="random rows, root mean square"),
        *(mark for name, line in LINES.items() for mark in named_curve(name, line)),
        curve("pinned", "truth", width=2, alpha=0.35, pinned=True),
        vertical_lines("line"),
        dots("here", "truth", size=9, follows_slider=True, label="the chosen points"),
    ),
    choice="criticisms",
    pinned=rate_pinned,
    sides=rate_sides,
    description=rate_words,
)
def rate(result: FewResult) -> Sources:
    """Draw the MMD of each method's points by their number, with that of random rows and its m^(-1/2)."""
    counts = np.array([len(look.points) for look in result.shown_looks], float)
    errors = np.array([look.error for look in result.shown_looks])
    every = np.unique(np.minimum(result.lab.stops, result.lab.n)).astype(float)
    drawn: dict[str, Any] = {
        "root": {"x": every, "y": np.sqrt(result.mean.spread / every)},
        "expected": {"x": every, "y": above(result.mean.random(every))},
        "line": {"x": SliderColumn.of(counts)},
        "here": {"x": SliderColumn.of(counts), "y": SliderColumn.of(above(errors))},
    }
    for name in METHODS:
        rival = None if result.rivals is None else result.rivals[name]
        drawn[name] = rival and {"x": rival.counts.astype(float), "y": above(rival.errors)}
    return drawn | named_ends({name: drawn[name] for name in METHODS if drawn[name]})


def named_ends(curves: Mapping[str, Mapping[str, Vector]]) -> dict[str, Any]:
    """Return the sources of the methods' names, at the last heights that a logarithmic axis can show."""
    ends = {}
    for name, columns in curves.items():
        last = np.flatnonzero(np.isfinite(columns["y"]))[-1:]
        if len(last):
            ends[name] = float(columns["x"][last[0]]), float(columns["y"][last[0]])
    if not ends:
        return {}
    drawn = np.concatenate([columns["y"] for columns in curves.values()])
    low, high = np.log(np.nanmin(drawn)), np.log(np.nanmax(drawn)) + 1e-9
    levels = low + (high - low) * apart([(np.log(y) - low) / (high - low) for _, y in ends.values()], NEAREST)
    return {
        f"name_{name}": named_end(LINES[name].called, end, (LEADER * end[0], float(np.exp(level))))
        for (name, end), level in zip(ends.items(), levels, strict=True)
    }


def above(values: Vector) -> Vector:
    """Return the distances that a logarithmic axis can show. Those within rounding are nan."""
    return np.where(values > NOTHING, values, np.nan)


def row_numbers(result: FewResult) -> Vector:
    """Return the number of each row, shape (n,)."""
    return result.numbers.astype(float)


def witness_by_row_sides(result: FewResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    rows = row_numbers(result)
    own = [result.look, *(look for look in result.shown_looks if len(look.points) >= len(result.look.points))]
    low, high = (float(end([0.0, *(end(look.witness) for look in own)])) for end in (np.min, np.max))
    label = {"row": "row" if result.lab.toy else "row of the table", "line": "line of the file"}[result.row_word]
    room = 0.08 * (high - low) + 1e-12
    return Axis(label, (float(rows[0]) - 1, float(rows[-1]) + 1)), Axis("witness", (low - room, high + room))


@SecondaryPicture(
    "criticisms",
    title="Witness at each row",
    height=190,
    marks=(
        segments("rows", "truth", "x", 0, "x", "y", width=1, alpha=0.6, follows_slider=True, label="witness"),
        rings("critics", "harm", size=10, width=2, follows_slider=True, is_story_answer=True, label="criticisms"),
    ),
    background=(ReferenceLine("kme", y=0, style={"width": 1}),),
    sides=witness_by_row_sides,
    description=critic_words,
)
def witness_by_row(result: FewResult) -> Sources:
    """Draw the witness at each row of the sample, and the criticisms."""
    looks, x = result.shown_looks, row_numbers(result)
    long = max(len(look.rows) for look in looks)
    return {
        "rows": {"x": x, "y": SliderColumn(np.array([look.witness for look in looks]))},
        "critics": {
            "x": SliderColumn(np.array([padded(x[look.rows], long) for look in looks])),
            "y": SliderColumn(np.array([padded(look.witness[look.rows], long) for look in looks])),
        },
    }


def p_by_rows_kept_sides(result: FewResult, tested: Compressed | tuple[()]) -> tuple[Axis, Axis]:
    """Return both axes."""
    x, y = p_by_rows_kept.x, p_by_rows_kept.y
    return (x._replace(range=(tested.sizes[0] / 1.3, tested.sizes[-1] * 1.3)) if tested else x), y


@SecondaryPicture(
    "test",
    slot="beside",
    stage="tested",
    table_is_complete=False,
    title="p of the compressed test",
    height=250,
    x=Axis("rows kept of each sample (log scale)", (10.0, 1200.0), COUNT_TICKS, log=True),
    y=Axis("p (log scale)", (SMALLEST / 1.3, 1.3), P_TICKS, log=True),
    background=(ReferenceLine("harm", y=LEVEL, style={"width": 2, "dash": "dashed"}, label=f"level = {LEVEL:g}"),),
    marks=(
        curve("kept", "skmse", width=1.5),
        dots("kept", "skmse", size=8, label="compressed test"),
        rings("all", "truth", size=13, width=2.5, label="test of all rows"),
    ),
    sides=p_by_rows_kept_sides,
    description=test_words,
)
def p_by_rows_kept(result: FewResult, tested: Compressed | tuple[()]) -> Sources:
    """Draw p of the compressed test by the number of rows kept of each sample."""
    if not tested:
        return None
    p = np.maximum(tested.pvalues, SMALLEST)
    return {"kept": {"x": tested.sizes[:-1], "y": p[:-1]}, "all": {"x": tested.sizes[-1:], "y": p[-1:]}}


ROOM = 0.06


def fall_sides(result: FewResult, flow: Flow) -> tuple[Axis, Axis]:
    """Return both axes."""
    values = np.concatenate([flow.errors, flow.plain, [result.mean.drawn(PARTICLES)]])
    values: Matrix = values[values > NOTHING]
    return fall.x, upward(float(values.min(initial=1.0)), float(values.max(initial=1e-3)))


@SecondaryPicture(
    "flow",
    slot="beside",
    stage="flow",
    table_is_complete=False,
    slider_line="line",
    title="MMD of the particles to the sample",
    height=300,
    x=Axis(
        "steps of the flow (log scale)", (-ROOM, float(across(STEPS)) + ROOM), STEP_TICKS, number_at=steps_at
    ),
    y=Axis("MMD (log scale)", (0.01, 1.0), log=True),
    background=(
        ReferenceLine("kme", y=lambda r: max(r.mean.drawn(PARTICLES), NOTHING), style={"width": 2, "dash": "dashed"},
             label=f"{PARTICLES} random rows, root mean square"),
    ),
    marks=(
        curve("plain", "fkmse", width=2, dash="dashed", label="without noise"),
        curve("fall", "skmse", label="this flow", is_story_answer=True),
        vertical_lines("line", follows_slider=False),
        dots("here", "truth", size=9),
    ),
    sides=fall_sides,
    description=flow_words,
)  # fmt: skip
def fall(result: FewResult, flow: Flow) -> Sources:
    """Draw the MMD of the particles over the steps of the flow, with noise and without."""
    x, at = across(np.arange(STEPS + 1.0)), result.lab.steps
    place = np.array([float(across(at))])
    return {
        "plain": {"x": x, "y": above(flow.plain)} if result.lab.spread else None,
        "fall": {"x": x, "y": above(flow.errors)},
        "line": {"x": place},
        "here": {"x": place, "y": above(flow.errors[[at]])},
    }


PICTURES = (chosen, stream, pair, rate, witness_by_row, p_by_rows_kept, fall)
