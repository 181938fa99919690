"""The Distributions lab's pictures: values over the spread, the bags as clouds, their map and distances, bag sizes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.marks import (
    ESTIMATES,
    KME_IS_ONE,
    Axis,
    Grounds,
    Line,
    Marks,
    Picture,
    Rows,
    Small,
    cells,
    curve,
    dots,
    field_of,
    levels,
    nice_ticks,
    rings,
    uprights,
    words,
)
from explorer.marks.mark import Numbers
from explorer.marks.over_counts import apart
from explorer.marks.places import nothing
from explorer.printing import number, short
from explorer.types import Matrix, Values, Vector

from .lab import ESTIMATORS, ROLES
from .verdict import label_of, spread_of

if TYPE_CHECKING:
    from explorer.marks.mark import Mark

    from .result import DistributionsResult
    from .sizes import Sizes


ENDS = (0.22, 4.6)  # of the axis of spreads
SPREAD = Axis(
    "spread of a bag, in medians (log scale)",
    ENDS,
    {0.25: "0.25", 0.5: "0.5", 1.0: "1", 2.0: "2", 4.0: "4"},
    log=True,
)
SIZE = Axis("points in a bag (log scale)", (2.8, 1500), {v: f"{v:g}" for v in (3, 10, 30, 100, 300)}, log=True)
FRAME = 0.97  # of the room for a cell
SHOWN, CELL, WIDE = 40, 0.46, 2.4  # points of a bag that are drawn, half a cell's side, cells across beside cells up
MATRIX, GAP, STRIP = 60, 2, 6  # lines of the picture of distances: the matrix, and the stretched bag above it
HIGH = MATRIX + GAP + STRIP
LINES = {
    name: Line(name, ROLES[name], dash)
    for name, dash in zip(list(ESTIMATORS)[1:], ("solid", "dashed", "dotted"), strict=True)
}


def sides(result: DistributionsResult, x: Vector, y: Vector) -> Numbers:
    """The places of bags: those of the class that is told, the others, and those on the wrong side."""
    told, right = result.y > 0 if not result.number else np.ones(len(x), bool), result.right
    rows = {"told": told, "others": ~told, "wrong": ~right}
    return {name: {"x": x[which], "y": y[which]} for name, which in rows.items()}


def side(place: int) -> Callable[..., Any]:
    """What the bags of a side are called, a function of the result."""
    return lambda result: "bags" if result.number else result.sides[place]


def both_sides(size: int) -> tuple[Mark, Mark, Mark]:
    """Discs, triangles, and rings about what is wrong."""
    return (
        dots("told", "truth", size=size, fill=0.55, called=side(0)),
        dots("others", "truth", marker="inverted_triangle", size=size, fill=0.55, called=side(1)),
        rings("wrong", "harm", size=size + 8, width=2, called="on the wrong side"),
    )


def ring(size: int) -> Mark:
    """Where the stretched bag is."""
    return dots("ring", "outlier", size=size, fill=0.2, width=3, moves=True, called="stretched bag")


def over(axis: Axis, values: Vector, share: float, most: int) -> Axis:
    """An axis over values, with such a share of room on either side, and at most so many ticks."""
    low, high = float(values.min()), float(values.max())
    room = share * (high - low) + 1e-9
    return axis._replace(range=(low - room, high + room), ticks=nice_ticks(low - room, high + room, most))


class Boundary(Picture):
    """The machine's value of the stretched bag over its spread, and where the bags lie."""

    name = "boundary"
    upright = "line"
    heading = "The machine's value over the spread of a bag"
    height = 390
    title = "Drag the ring: a bag is stretched"
    x: ClassVar[Axis] = SPREAD
    y: ClassVar[Axis] = Axis("", (-1, 1))
    marks: ClassVar[Marks] = (
        levels("zero", "truth", dash="dashed", called="where the side changes"),
        *both_sides(10),
        curve("kept", "truth", width=1.5, alpha=0.4, kept=True),
        curve("truth", "truth", width=2, dash="dotted", called="true entropy"),
        curve("curve", ESTIMATES, answer=True, called=lambda result: f"the machine's value, {result.lab.estimator}"),
        uprights("line"),
        ring(17),
    )

    @classmethod
    def numbers(cls, result: DistributionsResult) -> Numbers:
        stops, truth = np.array(result.stops), result.true_curve
        heights = result.drawn.targets.astype(float) if result.number else result.values
        x, y = Rows.of(stops), Rows.of(result.curve)
        return {
            "curve": {"x": stops, "y": result.curve},
            "truth": nothing("x", "y") if truth is None else {"x": stops, "y": truth},
            "zero": {"y": np.zeros(0 if result.number else 1)},
            **sides(result, np.clip(result.spreads, *ENDS), heights),
            "line": {"x": x},
            "ring": {"x": x, "y": y},
        }

    @classmethod
    def pinned(cls, result: DistributionsResult) -> Numbers:
        return {"kept": {"x": np.array(result.stops), "y": result.curve}}

    @classmethod
    def axes(cls, result: DistributionsResult) -> tuple[str, Axis, Axis]:
        shown = result.drawn.targets if result.number else np.append(result.values, 0.0)
        label = f"{label_of(result)} of the bag" if result.own else "number of the bag"
        if result.true_curve is not None:
            label = "entropy, nats"
        if not result.number:
            label = f"value: above 0 it is “{result.sides[0]}”"
        y = over(cls.y._replace(label=label), np.concatenate([result.curve, shown]), 0.08, 5)
        return cls.title, cls.x, y

    @classmethod
    def says(cls, result: DistributionsResult) -> str:
        """Where the bags lie, in one's own units, and how many are on the wrong side."""
        where = f", with {spread_of(result)}" if result.own else ""
        low, high = (number(float(end)) for end in (result.spreads.min(), result.spreads.max()))
        wrong = int((~result.right).sum())
        return (
            f"{len(result.y)} bags{where}: their spreads lie between {low} and {high} medians; {wrong} are on the wrong"
            " side."
        )


def points_of(place: int) -> Callable[..., Any]:
    """What the points of bags are called, a function of the result."""
    return lambda result: f"points of {side(place)(result)}"


class Clouds(Picture):
    """The bags as small multiples, class by class, and the stretched bag in its cell."""

    legend = False
    name = "clouds"
    place = "beside"
    title = "The bags"
    height = 250
    x: ClassVar[Axis] = Axis("", (-1, 1), {}, lines=False, bare=True)
    y: ClassVar[Axis] = Axis("", (-1, 1), lines=False, bare=True)
    marks: ClassVar[Marks] = (
        *(
            cells(name, role, "x", "y", FRAME, FRAME, fill=0, line=width, alpha=alpha, inks=("line",), called=words)
            for name, role, width, alpha, words in (
                ("cells", "kme", 0.5, 0.8, "bags"),
                ("wrong", "harm", 2, 1.0, "on the wrong side"),
                ("chosen", "outlier", 2, 1.0, ""),
            )
        ),
        dots("told", "truth", size=2.5, fill=0.7, width=0, called=points_of(0)),
        dots("others", "truth", marker="inverted_triangle", size=2.5, fill=0.7, width=0, called=points_of(1)),
        dots("bag", "outlier", size=3.5, fill=0.8, width=0, moves=True, called="points of the stretched bag"),
    )

    @staticmethod
    def cells(result: DistributionsResult) -> tuple[Matrix, int, int]:
        """The centre of each bag's cell, (l, 2), and how many cells there are across and up."""
        l = len(result.y)
        across = math.ceil(math.sqrt(WIDE * l))
        order = np.empty(l, int)
        order[np.argsort(result.y, kind="stable")] = np.arange(l)
        up = math.ceil(l / across)
        return np.column_stack([order % across, up - 1 - order // across]).astype(float), across, up

    @classmethod
    def points(cls, result: DistributionsResult, bag: Values, centre: Vector) -> list[Values]:
        """Points of a bag (..., n, d) within its cell, at most SHOWN of them."""
        cx, cy, half = result.frame
        drawn = result.coordinates
        some = bag[..., :SHOWN, :]
        x = (some[..., drawn[0]] - cx) / half
        y = (some[..., drawn[1]] - cy) / half if len(drawn) > 1 else np.zeros_like(x)
        return [np.clip(CELL * each, -CELL, CELL) + c for each, c in zip((x, y), centre, strict=True)]

    @classmethod
    def numbers(cls, result: DistributionsResult) -> Numbers:
        centres, _, _ = cls.cells(result)
        told = result.y > 0 if not result.number else np.ones(len(centres), bool)
        drawn = {}
        for name, which in (("told", told), ("others", ~told)):
            rows = [i for i in np.flatnonzero(which) if i != result.chosen]
            parts = [cls.points(result, result.drawn.bags[i], centres[i]) for i in rows]
            drawn[name] = {k: np.concatenate([p[j] for p in parts] or [np.zeros(0)]) for j, k in enumerate("xy")}
        bag = cls.points(result, result.stretched, centres[result.chosen])
        return {
            **drawn,
            "cells": dict(zip("xy", centres.T, strict=True)),
            "wrong": dict(zip("xy", centres[~result.right].T, strict=True)),
            "chosen": dict(zip("xy", centres[[result.chosen]].T, strict=True)),
            "bag": dict(zip("xy", map(Rows, bag), strict=True)),
        }

    @classmethod
    def axes(cls, result: DistributionsResult) -> tuple[str, Axis, Axis]:
        _, across, up = cls.cells(result)
        whose = "in order of their numbers" if result.number else f"{result.sides[1]}, then {result.sides[0]}"
        axes = [short(each.called) for each in result.drawn_quantities]
        under = "" if result.lab.toy else ", up ".join([f"across {axes[0]}", *axes[1:]])
        x = cls.x._replace(label=under, range=(-0.55, across - 0.45))
        return f"The bags: {whose}", x, cls.y._replace(range=(-0.55, up - 0.45))


class Map(Small):
    """The bags by the first two kernel principal components of their kernel means, and the way of the stretched bag."""

    name = "map"
    title = "Map of the bags' kernel means"
    height = 250
    x: ClassVar[Axis] = Axis("component 1", (-1, 1))
    y: ClassVar[Axis] = Axis("component 2", (-1, 1))
    marks: ClassVar[Marks] = (
        curve("way", "outlier", width=1.5, alpha=0.8, called="way of the stretched bag"),
        *both_sides(9),
        ring(15),
    )

    @classmethod
    def numbers(cls, result: DistributionsResult) -> Numbers:
        places, moved = result.space.places, result.space.moved
        return {
            **sides(result, *places.T),
            "way": dict(zip("xy", moved.T, strict=True)),
            "ring": dict(zip("xy", map(Rows.of, moved.T), strict=True)),
        }

    @classmethod
    def axes(cls, result: DistributionsResult) -> tuple[str, Axis, Axis]:
        if not cls.seen(result):
            return cls.title, cls.x, cls.y
        both = np.concatenate([result.space.places, result.space.moved])
        x, y = (over(axis, values, 0.1, 4) for axis, values in zip((cls.x, cls.y), both.T, strict=True))
        return cls.title, x, y


class Distances(Small):
    """The RKHS distances of all pairs of bags, class by class, and above them those of the stretched bag."""

    name = "distances"
    title = "MMD of two bags"
    height = 250
    x: ClassVar[Axis] = Axis("bags", (0, 1), {}, lines=False)
    y: ClassVar[Axis] = Axis(
        "", (0, 1), {1 - STRIP / 2 / HIGH: "stretched bag", MATRIX / 2 / HIGH: "bags"}, lines=False
    )
    marks: ClassVar[Marks] = (field_of("image", "ground", HIGH, table=True),)

    @classmethod
    def says(cls, result: DistributionsResult) -> str:
        apart = number(float(result.space.stretched[result.row, result.chosen]))
        return f"The stretched bag is {apart} from the bag that it was."

    @classmethod
    def numbers(cls, result: DistributionsResult) -> Numbers:
        l = len(result.y)
        rows = np.argsort(result.y, kind="stable")[np.arange(MATRIX) * l // MATRIX]
        among, above = result.space.distances[np.ix_(rows, rows)], result.space.stretched[:, rows]
        size = float(among.max()) or 1.0
        matrix = np.broadcast_to(among[::-1].ravel(), (len(above), MATRIX**2))
        gap, strip = np.zeros((len(above), GAP * MATRIX)), np.tile(above, STRIP)
        w = np.minimum(np.concatenate([matrix, gap, strip], axis=1) / size, 1.0)
        return {"ground": {"x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]}, "image": {"w": Rows(w)}}

    @classmethod
    def axes(cls, result: DistributionsResult) -> tuple[str, Axis, Axis]:
        if not cls.seen(result):
            return cls.title, cls.x, cls.y
        order = "in order of their numbers" if result.number else "class by class"
        title = f"{cls.title}, up to {float(result.space.distances.max()):.3g}"
        return title, cls.x._replace(label=f"bags, {order}"), cls.y


class BagSizes(Small):
    """The squared error of the bags' kernel means over the points in a bag, relative to the plain average's."""

    name = "size"
    stage = "sizes"
    answers = False
    height = 250
    title = "Squared error, plain average = 1"
    x: ClassVar[Axis] = SIZE
    y: ClassVar[Axis] = Axis("", (0, 1.2), {0: "0", 0.5: "0.5", 1: "1"})
    grounds: ClassVar[Grounds] = KME_IS_ONE
    marks: ClassVar[Marks] = (
        *(
            mark
            for name, line in LINES.items()
            for mark in (
                curve(name, line.role, width=line.width, dash=line.dash, called=line.called),
                words(f"name_{name}", line.role, dx=6),
            )
        ),
        uprights("line"),
    )

    @classmethod
    def numbers(cls, result: DistributionsResult, sizes: Sizes) -> Numbers:
        heights = apart([float(np.clip(sizes.ratios[name][-1], 0, 1.15)) / 1.2 for name in LINES], 0.17) * 1.2
        columns = {"line": {"x": np.array([float(result.lab.n)])}}
        for (name, line), y in zip(LINES.items(), heights, strict=True):
            columns[name] = {"x": sizes.counts, "y": np.minimum(sizes.ratios[name], 1.2)}
            columns[f"name_{name}"] = {"x": sizes.counts[-1:], "y": np.array([y]), "words": np.array([line.called])}
        return columns


PICTURES = (Boundary, Clouds, Map, Distances, BagSizes)
