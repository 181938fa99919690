"""Picture with which labs of a kernel mean open: losses of two estimators over their parameter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from explorer.types import Vector

from .axes import Axis
from .film import film, filmed
from .geometry import nothing
from .mark import (
    KME_IS_ONE,
    Grounds,
    Marks,
    Numbers,
    SliderColumn,
    TextLabel,
    area,
    by,
    curve,
    dots,
    vertical_lines,
    words,
)
from .old_form import Picture
from .roles import FONT

LOSS = Axis("", (0.0, 1.6), {0: "0", 0.5: "0.5", 1: "1", 1.5: "1.5"})
NAMED, FALLS = (1.42, 1.22), (0.6, 0.75)  # heights at which the curves are named, if they rise or fall
EDGE = 0.82  # share of the stops beyond which a name to the right would be cut off on a narrow page
SCORE = "leave-one-out score"
LETTER = 7.6  # width of a name's character in px


class LossPicture(Picture):
    """Losses over a parameter relative to KME's, with their leave-one-out scores and the bands of other samples.

    A subclass has `parameter` ("lam", whose values a path has as `lams`), its axis `x`, the `lines` (the result's
    attribute, role, dash, marker) and their `names`, or `names_of(result)`, the `sizes` of the dots for the best, the
    chosen and the current value, and `best(path)`, the position of the best one. The marks `between` lie below the
    curves, those `above` on top of everything.
    """

    name = "loss"
    upright = "line"
    scripts: ClassVar[Sequence[str]] = ("film",)
    title = "Drag the line: relative squared error"
    heading = "Squared error, relative to the plain average"
    y: ClassVar[Axis] = LOSS
    height = 340
    marks: ClassVar[Marks]
    grounds: ClassVar[Grounds]
    parameter: ClassVar[str] = ""
    lines: ClassVar[Sequence[tuple[str, str, str, str]]] = ()
    names: ClassVar[Sequence[str]] = ()
    sizes: ClassVar[Sequence[float]] = ()
    between: ClassVar[Sequence[Any]] = ()
    above: ClassVar[Sequence[Any]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        left = {"x": cls.x.range[0], "dx": 8, "baseline": "bottom", "font": FONT}
        cls.grounds = KME_IS_ONE
        told = (
            TextLabel("harm", y=LOSS.range[1], text="harm", dy=16, **left),
            TextLabel("kme", y=1, text="plain average (KME)", dy=-4, **left),
        )
        below, curves, labels, best = [], [], [], []
        for i, (name, role, dash, marker) in enumerate(cls.lines):
            each = [
                area("bands", role, cls.parameter, f"{name}_{k}", f"{name}_{3 - k}", fill=0.13, label=share)
                for k, share in enumerate(("90 % of the samples", "half of the samples"))
            ]
            below += [*each, *filmed(name, role)]
            named: Any = partial(cls._name_of, i=i)
            curves += [
                curve("curves", role, cls.parameter, f"{name}_score", width=1.5, dash="dotted", label=SCORE),
                curve("curves", role, cls.parameter, f"{name}_loss", dash=dash, is_story_answer=True, label=named),
                curve("pinned", role, cls.parameter, name, width=6, dash=dash, alpha=0.3, pinned=True),
            ]
            beside = {"dx": by("across"), "dy": by("up"), "align": "center", "px": 13, "bold": True, "font": FONT}
            labels.append(words(f"{name}_label", role, says=named, is_story_answer=True, **beside))
            look = {"marker": marker, "size": by("size"), "fill": by("fill"), "width": 2}
            look |= {"follows_slider": True, "is_story_answer": True}
            best.append(dots(name, role, **look, label=("best", "chosen by leave-one-out", "")))
        cls.marks = (*below, *cls.between, *curves, vertical_lines("line"), *labels, *best, *cls.above, *told)

    @staticmethod
    def best(path: Any) -> tuple[float, float]:
        """Return (value, loss) of the smallest loss, or NaN if the truth is unknown.

        Parameters
        ----------
        path : RegularisationPath or Along
            The estimator.

        Returns
        -------
        tuple of float
            Value and loss.
        """
        raise NotImplementedError

    @classmethod
    def at_stops(cls, result: Any) -> Vector:
        """Return the values of the slider, clipped to the axis.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        ndarray
            The values.
        """
        return np.clip(cls._values(getattr(result, cls.lines[0][0])), *cls.x.range)[:-1]

    @classmethod
    def _values(cls, path):
        return getattr(path, f"{cls.parameter}s")

    @classmethod
    def names_of(cls, result: Any) -> Sequence[str]:
        """Return the name of each line, in their order.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        sequence of str
            The names.
        """
        return cls.names

    @classmethod
    def _name_of(cls, result, i):
        return cls.names_of(result)[i]

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        stops, others = cls.at_stops(result), result.replicates
        curves, blank = {cls.parameter: stops}, np.full(len(stops), np.nan)
        drawn = {"curves": curves, "bands": cls._bands(result)}
        for (name, *_), label in zip(cls.lines, cls._labels(result), strict=True):
            path = getattr(result, name)
            curves[f"{name}_loss"] = blank if path.loss is None else path.loss[:-1]
            curves[f"{name}_score"] = path.score[:-1]
            # the best one is hollow, because it cannot be known from data
            fixed = {"size": np.array(cls.sizes), "fill": np.array([0.0, 1.0, 1.0])}
            drawn |= {name: {**cls._dots(path), **fixed}, f"{name}_label": label}
            drawn |= film(others, name, stops, LOSS.range[1])
        return drawn | {"line": {"x": SliderColumn(drawn[cls.lines[0][0]]["x"].values[:, 2:])}}

    @classmethod
    def pinned(cls, result: Any) -> Numbers:
        heights = {name: getattr(result, name).height[:-1] for name, *_ in cls.lines}
        return {"pinned": {cls.parameter: cls.at_stops(result), **heights}}

    @classmethod
    def _labels(cls, result):
        """Return the position of each curve's name: on its rise into the harm, or else on its fall.

        The leftmost name is to the left of its curve.
        """
        stops, names = cls.at_stops(result), cls.names_of(result)
        heights = [getattr(result, name).height[:-1] for name, *_ in cls.lines]
        rows = [_named_at(height, i) for i, height in enumerate(heights)]
        leftmost, labels = int(np.argmin(rows)), []
        for i, (height, row) in enumerate(zip(heights, rows, strict=True)):
            near_the_edge = row > EDGE * len(stops)
            beside = (-1 if near_the_edge or i == leftmost else 1) * (9 + LETTER / 2 * len(names[i]))
            place = {"x": stops[row], "y": min(height[row], LOSS.range[1])}
            offsets = {"across": beside, "up": -11 if row == len(stops) - 1 else 0}
            labels.append({name: np.array([float(number)]) for name, number in {**place, **offsets}.items()})
        return labels

    @classmethod
    def _bands(cls, result):
        """Return the ends of each estimator's bands over more samples; empty if there are none."""
        names = [name for name, *_ in cls.lines]
        if result.replicates is None:
            return nothing(cls.parameter, *(f"{name}_{i}" for name in names for i in range(4)))
        ends = {name: np.clip(result.replicates.band(name)[:, :-1], *LOSS.range) for name in names}
        return {cls.parameter: cls.at_stops(result), **{f"{n}_{i}": ends[n][i] for n in ends for i in range(4)}}

    @classmethod
    def _dots(cls, path):
        """Return x and y, of shape (rows, 3), of an estimator's dots: the best, the chosen and the current value."""
        height, values, best = path.height, cls._values(path), cls.best(path)
        rows = len(values)
        x = np.column_stack([np.full(rows, best[0]), np.full(rows, path.chosen), values])
        y = np.column_stack([np.full(rows, best[1]), np.full(rows, height[-1]), height])
        return {"x": SliderColumn(np.clip(x, *cls.x.range)), "y": SliderColumn(np.clip(y, *LOSS.range))}


def _named_at(height, i):
    """Return the row of the i-th curve's name: where the curve rises to NAMED[i] or, if not, falls to FALLS[i]."""
    least = int(np.argmin(height))
    rises, falls = np.flatnonzero(height[least:] >= NAMED[i]), np.flatnonzero(height <= FALLS[i])
    if len(rises):
        return least + int(rises[0])
    return int(falls[0]) if len(falls) else len(height) - 1
