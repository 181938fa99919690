"""Pictures of the Sweep lab: the quartiles along the first axis, and a map of the cells."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.languages import translate
from explorer.marks import (
    Axis,
    HoverText,
    Picture,
    Sources,
    area,
    by,
    cells,
    curve,
    dots,
    horizontal_lines,
    nice_ticks,
    vertical_lines,
    words,
)
from explorer.marks.mark import Numbers
from explorer.printing import power_of_ten
from explorer.types import Labels, Vector

from .scale import scale_of, short_number
from .words import NAMED, map_words, measure_text, role

if TYPE_CHECKING:
    from explorer.workbench.axes import Axis as Swept

    from .result import SweepResult


ROLES = (*dict.fromkeys(NAMED.values()), "kme")  # the roles whose colours a measure may have
SPELT = 900  # with more cells than this no cell has space for its number
SCALES = {"relative": " (plain average: 1)", "log": " (log scale)"}  # the scale, as a title states it
ROOM = 12  # with more labels than this an axis names only some of its values
CELL = 0.97  # the width and height of a cell, relative to its space
# The colour bar at the right of the cells, in multiples of their width: its sides, the start of its labels,
# and the end of the picture.
BAR, WORDS, END = (0.03, 0.07), 0.085, 0.2
STEPS = 20  # the number of steps of the colour bar
ROOMY = (29, 14)  # a cell smaller than this, in px, has no space for its number
HATCH = ("right_diagonal_line", 0.3, 8)
TOLD = """<div style='font-size: 13px'>@x{custom}, @y{custom}<br><b>@middle{custom}</b><br>
quartiles @low{custom} to @high{custom}</div>"""
MARK = {"relative": [1.0], "p": [0.05]}  # the value with which a measure is compared, by scale


MARKED = {"relative": "plain average", "p": f"p = {MARK['p'][0]:g}"}
# The label of a cell in a measure's full colour. It is "the largest" for other scales.
FULL = {"relative": "0: no loss", "p": "0.001 or less"}
STRONGEST: dict[str, Callable[[Any], str]] = dict.fromkeys(
    ROLES, lambda result: FULL.get(result.scale, translate("the largest"))
)
STRONGEST["harm"] = lambda result: translate("2 or more: harm")


def line_pinned(result: SweepResult) -> Sources:
    """Return the sources of a pinned result."""
    middle = result.along[1]
    height = np.log10(middle) if result.scale == "log" else middle
    return {"pinned": {"x": np.arange(len(middle), dtype=float), "y": height}}


def line_sides(result: SweepResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    ends, places = heights(result)
    own = (lambda place: 10.0**place) if result.scale == "log" else None
    return over(result.axes[0]), line.y._replace(range=ends, ticks=places, number_at=own)


def line_title(result: SweepResult) -> str:
    """Return the measure and the position along the second axis."""
    where = ""
    if len(result.axes) == 2:
        second = result.axes[1]
        where = translate(" at {} = {}", second.name, second.words[result.second])
    return title(result, where, scale=len(result.axes) == 1)


def line_words(result: SweepResult) -> str:
    """Return the map's sentence if the map is hidden."""
    return "" if cell_map.is_visible(result) else map_words(result)  # if the map is visible, it has this sentence


@Picture(
    height=260,
    x=Axis("", (-0.5, 0.5)),
    y=Axis("median and quartiles", (0, 1)),
    marks=(
        horizontal_lines("mark", "truth", width=2, dash="dotted", label=lambda result: MARKED.get(result.scale, "")),
        vertical_lines("spot", "outlier", width=3, alpha=0.7, follows_slider=False, label="selected"),
        curve("pinned", "truth", width=6, alpha=0.3, pinned=True),
        *(
            mark
            for name in ROLES
            for mark in (
                area(f"line_{name}", name, low="low", high="high", fill=0.2, label="quartiles of the replicates"),
                curve(f"line_{name}", name, "x", "middle", label="median of the replicates"),
                dots(f"line_{name}", name, "x", "middle", size=7),
            )
        ),
    ),
    pinned=line_pinned,
    title=line_title,
    sides=line_sides,
    description=line_words,
)
def line(result: SweepResult) -> Sources:
    """Draw the median and the quartiles of the replicates along the first axis."""
    low, middle, high = result.along
    logarithmic, tint, spot = result.scale == "log", role(result.measure_name), result.picked
    drawn = np.isfinite(middle) & ((low > 0) if logarithmic else True)
    part = {"x": np.flatnonzero(drawn).astype(float)}
    for name, values in (("low", low), ("middle", middle), ("high", high)):
        part[name] = np.log10(values[drawn]) if logarithmic else values[drawn]
    at = [] if spot is None or not np.isfinite(middle[spot[0]]) else [float(spot[0])]
    return {
        f"line_{tint}": part,
        "mark": {"y": np.array(MARK.get(result.scale, []))},
        "spot": {"x": np.array(at)},
    }


def cell_map_sides(result: SweepResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    x, y = (over(axis)._replace(lines=False) for axis in result.axes)
    across = len(result.axes[0].values)
    return x._replace(range=(-0.5, across * (1 + END) - 0.5), ends=x.range), y


@Picture(
    "map",
    height=340,
    x=Axis("", (-0.5, 0.5), lines=False),
    y=Axis("", (-0.5, 0.5), lines=False),
    marks=(
        *(cells(f"tiles_{name}", name, fill=by("alpha"), label=STRONGEST[name]) for name in (*ROLES, "harm")),
        cells(
            "void",
            "truth",
            "x",
            "y",
            CELL,
            CELL,
            fill=0,
            alpha=0.6,
            hatch=HATCH,
            inks=("hatch", "line"),
            label="no value",
        ),
        words("words", "truth", align="center", room=ROOMY),
        words("ticks", "truth", px=11),
        cells("picked", "outlier", "x", "y", CELL, CELL, fill=0, line=3, alpha=1.0, inks=("line",), label="selected"),
    ),
    description=map_words,
    hover=HoverText("cells", TOLD, ("low", "middle", "high"), lambda result: spelt_axes(result)),
    when=lambda result: len(result.axes) == 2,
    title=lambda result: title(result),
    sides=cell_map_sides,
)  # fmt: skip
def cell_map(result: SweepResult) -> Sources:
    """Draw the cells of two axes by their colours, with hatched cells that have no value, and the selected cell."""
    middle = result.middle
    x, y = np.indices(middle.shape).astype(float)
    low, _, high = result.quartiles
    there = np.isfinite(middle)
    spelt = there & (middle.size <= SPELT)
    ring = None
    if result.picked is not None:
        ring = dict(zip("xy", np.array(result.picked, dtype=float)[:, None], strict=True))
    cells = {"x": x, "y": y, "low": low, "middle": middle, "high": high}
    return {
        **tiles_of(result),
        "cells": {name: values.ravel() for name, values in cells.items()},
        "words": {"x": x[spelt], "y": y[spelt], "words": spell(middle[spelt])},
        "ticks": ticks_of(result),
        "void": {"x": x[result.void], "y": y[result.void]},
        "picked": ring,
    }


def tiles_of(result: SweepResult) -> Numbers:
    """Return role -> the computed cells and the steps of the colour bar that have that role's colour."""
    scale, middle = scale_of(result), result.middle
    if scale is None:
        return {}
    there, (across, up) = np.isfinite(middle), middle.shape
    x, y = np.indices(middle.shape).astype(float)
    bar, high = scale.bar(STEPS), up / STEPS
    values = np.concatenate([middle[there], bar])
    roles, alpha = scale.shades(values)
    columns = {
        "x": np.concatenate([x[there], np.full(STEPS, across * (1 + sum(BAR) / 2) - 0.5)]),
        "y": np.concatenate([y[there], high * (np.arange(STEPS) + 0.5) - 0.5]),
        "width": np.concatenate([np.full(there.sum(), CELL), np.full(STEPS, across * (BAR[1] - BAR[0]))]),
        "height": np.concatenate([np.full(there.sum(), CELL), np.full(STEPS, 0.94 * high)]),
        "alpha": alpha,
    }
    return {
        f"tiles_{name}": {each: column[roles == name] for each, column in columns.items()} for name in (*ROLES, "harm")
    }


def ticks_of(result: SweepResult) -> dict[str, Labels]:
    """Return the labels of the colour bar."""
    scale, (across, up) = scale_of(result), result.middle.shape
    words = {} if scale is None else scale.ticks()
    heights = np.zeros(0) if scale is None else scale.heights(np.array(list(words)))
    # A label at an end of the bar stays next to it.
    y = np.clip(heights * up - 0.5, 0.03 * up - 0.5, 0.97 * up - 0.5)
    return {
        "x": np.full(len(words), across * (1 + WORDS) - 0.5),
        "y": y,
        "words": np.array([*words.values()], dtype=str),
    }


def spell(values: Vector) -> Labels:
    """Return numbers as text that fits into cells."""
    return np.array([short_number(value) for value in values], dtype=str)


PICTURES = (line, cell_map)


def heights(result: SweepResult) -> tuple[tuple[float, float], dict[float, str]]:
    """Return the range of the line's heights, and its ticks: position -> label."""
    low, _, high = result.along
    kind = result.scale
    finite = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
    if kind == "relative":
        top = max(1.2, 1.08 * float(finite.max())) if finite.size else 1.2
        return (0.0, top), nice_ticks(0.0, top)
    if kind == "p":
        return (-0.03, 1.03), nice_ticks(0.0, 1.0)
    if not finite.size:
        return (0.0, 1.0), nice_ticks(0.0, 1.0)
    if kind == "log":
        finite = np.log10(finite[finite > 0])
        bottom, top = math.floor(finite.min()), math.ceil(finite.max())
        return (bottom - 0.1, top + 0.1), {float(e): power_of_ten(e) for e in range(bottom, top + 1)}
    bottom, top = float(finite.min()), float(finite.max())
    room = 0.08 * (top - bottom) or 0.5 * abs(top) or 1.0
    return (bottom - room, top + room), nice_ticks(bottom - room, top + room)


def title(result: SweepResult, where: str = "", scale: bool = True) -> str:
    """Return the measure's name with a capital, the position `where`, and its scale unless another title states it."""
    words = measure_text(result.measure_name) + where
    if words[1:2].islower():
        words = words[0].upper() + words[1:]
    return words + SCALES.get(result.scale, "") if scale else words


def over(swept: Swept) -> Axis:
    """Return an axis with a tick for each value of a sweep's axis, or for as many as it has space for."""
    every = -(-len(swept.values) // ROOM)
    words = {float(i): word for i, word in enumerate(swept.words) if i % every == 0}
    return Axis(swept.called, (-0.5, len(swept.values) - 0.5), words)


def spelt_axes(result: SweepResult) -> tuple[list[str], list[str]]:
    """Return the labels of both axes' values, with the axes' names."""
    x, y = ([f"{axis.name} = {word}" for word in axis.words] for axis in result.axes)
    return x, y
