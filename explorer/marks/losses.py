"""Picture with which labs of a kernel mean open: losses of two estimators over their parameter, and a film of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from explorer.types import Vector

from .axes import Axis, nice_ticks
from .geometry import nothing
from .mark import (
    KME_IS_ONE,
    Grounds,
    Mark,
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
from .picture import Picture, Sides, Sources
from .roles import FONT

LOSS = Axis("", (0.0, 1.6), {0: "0", 0.5: "0.5", 1: "1", 1.5: "1.5"})
NAMED, FALLS = (1.42, 1.22), (0.6, 0.75)  # heights at which the curves are named, if they rise or fall
EDGE = 0.82  # share of the stops beyond which a name to the right would be cut off on a narrow page
SCORE = "leave-one-out score"
LOWER = (0.9, 0.75, 0.5, 0.25, 0.0)  # lower ends of the axis of losses
NEAREST = 0.04  # smallest distance of a loss from the lower end
LETTER = 7.6  # width of a name's character in px
SHOWN = 50  # number of samples in a film: more could not be distinguished, and their curves make a message of 100 kB
SAMPLES = ("x", "y", "weight")  # columns of an estimator's source `name`_samples, which the film reads and no mark


@dataclass(frozen=True, eq=False)
class LossPicture(Picture):
    """Losses over a parameter relative to KME's, with their leave-one-out scores and the bands of other samples.

    The function below it computes further sources.

    Parameters
    ----------
    parameter : str
        "lam", whose values a path has as `lams`, or "sigma".
    lines : sequence of tuple
        (the result's attribute, role, dash, marker) of each estimator.
    names : callable
        Takes the result and returns the name of each line.
    best : callable
        Takes a path and returns (value, loss) of the smallest loss, NaN if the truth is unknown.
    sizes : sequence of float
        Sizes in px of the dots for the best, the chosen and the current value.
    between, above : sequence
        Marks below the curves, and on top of everything.
    """

    name: str = "loss"
    slider_line: str = "line"
    scripts: Sequence[str] = ("film",)
    title: str | Callable[[Any], str] = "Squared error, relative to the plain average"
    y: Axis = LOSS
    height: int = 340
    background: Grounds = KME_IS_ONE
    parameter: str = ""
    lines: Sequence[tuple[str, str, str, str]] = ()
    names: Any = None
    best: Any = None
    sizes: Sequence[float] = ()
    between: Sequence[Any] = ()
    above: Sequence[Any] = ()

    def __post_init__(self) -> None:
        left = {"x": self.x.range[0], "dx": 8, "baseline": "bottom", "font": FONT}
        told = (
            TextLabel("harm", y=LOSS.range[1], text="harm", dy=16, **left),
            TextLabel("kme", y=1, text="plain average (KME)", dy=-4, **left),
        )
        below, curves, labels, best = [], [], [], []
        for i, (name, role, dash, marker) in enumerate(self.lines):
            each = [
                area("bands", role, self.parameter, f"{name}_{k}", f"{name}_{3 - k}", fill=0.13, label=share)
                for k, share in enumerate(("90 % of the samples", "half of the samples"))
            ]
            below += [*each, *filmed(name, role)]
            named: Any = partial(_name_of, self.names, i)
            curves += [
                curve("curves", role, self.parameter, f"{name}_score", width=1.5, dash="dotted", label=SCORE),
                curve("curves", role, self.parameter, f"{name}_loss", dash=dash, is_story_answer=True, label=named),
                curve("pinned", role, self.parameter, name, width=6, dash=dash, alpha=0.3, pinned=True),
            ]
            beside = {"dx": by("across"), "dy": by("up"), "align": "center", "px": 13, "bold": True, "font": FONT}
            labels.append(words(f"{name}_label", role, says=named, is_story_answer=True, **beside))
            look = {"marker": marker, "size": by("size"), "fill": by("fill"), "width": 2}
            look |= {"follows_slider": True, "is_story_answer": True}
            best.append(dots(name, role, **look, label=("best", "chosen by leave-one-out", "")))
        marks = (*below, *self.between, *curves, vertical_lines("line"), *labels, *best, *self.above, *told)
        self._derive(marks=marks, undrawn={f"{name}_samples": SAMPLES for name, *_ in self.lines})

    def at_stops(self, result: Any) -> Vector:
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
        return np.clip(self._values(getattr(result, self.lines[0][0])), *self.x.range)[:-1]

    def _values(self, path):
        return getattr(path, f"{self.parameter}s")

    def compute(self, result: Any, *value: Any) -> Sources:
        stops, others = self.at_stops(result), result.replicates
        curves, blank = {self.parameter: stops}, np.full(len(stops), np.nan)
        drawn: dict[str, Any] = {"curves": curves, "bands": self._bands(result)}
        for (name, *_), label in zip(self.lines, self._labels(result), strict=True):
            path = getattr(result, name)
            curves[f"{name}_loss"] = blank if path.loss is None else path.loss[:-1]
            curves[f"{name}_score"] = path.score[:-1]
            # the best one is hollow, because it cannot be known from data
            fixed = {"size": np.array(self.sizes), "fill": np.array([0.0, 1.0, 1.0])}
            drawn |= {name: {**self._dots(path), **fixed}, f"{name}_label": label}
            drawn |= film(others, name, stops, LOSS.range[1])
        drawn["line"] = {"x": SliderColumn(drawn[self.lines[0][0]]["x"].values[:, 2:])}
        for source, columns in (super().compute(result) or {}).items():
            drawn[source] = columns if columns is None else drawn.get(source, {}) | columns
        return drawn

    def fit(self, result: Any, *value: Any) -> Sides:
        drawn = [result.replicates.band(name)[:, :-1] for name, *_ in self.lines] if result.replicates else []
        for name, *_ in self.lines:
            path = getattr(result, name)
            drawn += [path.height[:-1], path.score[:-1]]
        further = super().compute(result) or {}
        drawn += [columns["y"] for columns in further.values() if columns and "y" in columns]
        drawn = [each.values if isinstance(each, SliderColumn) else each for each in drawn]
        low = lowest(np.concatenate([np.ravel(np.asarray(each, dtype=float)) for each in drawn]))
        ends = low, self.y.range[1]
        return self.x, self.y._replace(range=ends, ticks=nice_ticks(*ends))

    def compute_pinned(self, result: Any) -> Sources:
        heights = {name: getattr(result, name).height[:-1] for name, *_ in self.lines}
        return {"pinned": {self.parameter: self.at_stops(result), **heights}}

    def _labels(self, result):
        """Return the position of each curve's name: on its rise into the harm, or else on its fall.

        The leftmost name is to the left of its curve.
        """
        stops, names = self.at_stops(result), self.names(result)
        heights = [getattr(result, name).height[:-1] for name, *_ in self.lines]
        rows = [_named_at(height, i) for i, height in enumerate(heights)]
        leftmost, labels = int(np.argmin(rows)), []
        for i, (height, row) in enumerate(zip(heights, rows, strict=True)):
            near_the_edge = row > EDGE * len(stops)
            beside = (-1 if near_the_edge or i == leftmost else 1) * (9 + LETTER / 2 * len(names[i]))
            place = {"x": stops[row], "y": min(height[row], LOSS.range[1])}
            offsets = {"across": beside, "up": -11 if row == len(stops) - 1 else 0}
            labels.append({name: np.array([float(number)]) for name, number in {**place, **offsets}.items()})
        return labels

    def _bands(self, result):
        """Return the ends of each estimator's bands over more samples; None if there are none."""
        if result.replicates is None:
            return None
        ends = {name: np.clip(result.replicates.band(name)[:, :-1], *LOSS.range) for name, *_ in self.lines}
        return {self.parameter: self.at_stops(result), **{f"{n}_{i}": ends[n][i] for n in ends for i in range(4)}}

    def _dots(self, path):
        """Return x and y, of shape (rows, 3), of an estimator's dots: the best, the chosen and the current value."""
        height, values, best = path.height, self._values(path), self.best(path)
        rows = len(values)
        x = np.column_stack([np.full(rows, best[0]), np.full(rows, path.chosen), values])
        y = np.column_stack([np.full(rows, best[1]), np.full(rows, height[-1]), height])
        return {"x": SliderColumn(np.clip(x, *self.x.range)), "y": SliderColumn(np.clip(y, *LOSS.range))}


def lowest(losses: Vector) -> float:
    """Return the lower end of an axis of losses: the first of LOWER below all of them.

    The step is coarse, so that the axis rarely changes while a slider moves.
    """
    least = losses.min(initial=LOWER[0], where=np.isfinite(losses)) - NEAREST
    return next((end for end in LOWER if end <= least), LOWER[-1])


def _name_of(names, i, result):
    """Return the name of the i-th line."""
    return names(result)[i]


def _named_at(height, i):
    """Return the row of the i-th curve's name: where the curve rises to NAMED[i] or, if not, falls to FALLS[i]."""
    least = int(np.argmin(height))
    rises, falls = np.flatnonzero(height[least:] >= NAMED[i]), np.flatnonzero(height <= FALLS[i])
    if len(rises):
        return least + int(rises[0])
    return int(falls[0]) if len(falls) else len(height) - 1


def film(samples: Any, name: str, stops: Vector, top: float) -> Numbers:
    """Return the sources of an estimator's film, `name`_samples, _film and _average; empty without Replicates.

    In the film of more samples their curves appear one after the other, while their average settles.

    Curves follow one another, separated by NaN. The average of a loss is relative to the average loss of the plain
    average, so a sample with a large loss counts more. Values above `top` are not drawn.
    """
    parts = {"film": nothing("x", "y"), "samples": nothing(*SAMPLES), "average": nothing("x", "y")}
    if samples is not None:
        losses, weights = samples.losses[name][:, :-1], samples.empirical
        shown, average = losses[:SHOWN], weights @ losses / weights.sum()
        gap = np.full((len(shown), 1), np.nan)
        parts["samples"] = {
            "x": np.tile(np.append(stops, np.nan), len(shown)),
            "y": np.hstack([shown, gap]).ravel(),
            "weight": np.repeat(weights[: len(shown)], len(stops) + 1),
        }
        parts["average"] = {"x": stops, "y": np.where(average > top, np.nan, average)}
    return {f"{name}_{part}": columns for part, columns in parts.items()}


def filmed(name: str, role: str) -> tuple[Mark, Mark]:
    """Return the marks of the curves so far and of their average."""
    return (
        curve(f"{name}_film", role, width=1, alpha=0.28, follows_slider=True),
        curve(f"{name}_average", role, width=6, alpha=0.35, follows_slider=True),
    )
