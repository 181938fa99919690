"""What the Sweep lab shows: the numbers of the cells that are done, over the replicates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.types import Mask, Matrix, Rows, Values
from explorer.workbench import Result, deferred, effect, measure, stage

from .lab import SweepLab
from .running import cost_of

if TYPE_CHECKING:
    from explorer.labs.shrinkage.lab import ShrinkageLab
    from explorer.sweeps.grid import Grid
    from explorer.workbench.axes import Axis
    from explorer.workbench.study import LabStudy

    from .running import Cells, Cost


QUARTILES = (0.25, 0.5, 0.75)
DECADES = 2  # beyond so many a measure is drawn on a logarithmic scale


class SweepResult(Result[SweepLab]):
    """A sweep as far as it is. `cells` is None before its first fit; what a fit costs is `cost`, timed at rest."""

    @stage
    def study(self) -> LabStudy:
        """What is computed in every cell, a LabStudy."""
        return self.lab.study

    @stage
    def axes(self) -> tuple[Axis, ...]:
        """The one or two axes."""
        return self.lab.axes

    @stage
    def grid(self) -> Grid:
        """The cells, with their seeds."""
        return self.lab.grid

    @stage
    def cells(self) -> Cells | None:
        """The Cells that are there by now, or None."""
        return self.lab.cells

    @stage
    def measure_name(self) -> str:
        """The name of the number that is shown."""
        return self.lab.chosen_measure

    @stage
    def numbers(self) -> Values:
        """The measure that is shown, (values of each axis, replicates)."""
        if self.cells is None or not self.cells.values:
            return np.full(self.grid.shape, np.nan)
        return self.cells.values[self.measure_name].reshape(self.grid.shape)

    @stage
    def counts(self) -> Rows:
        """How many numbers each cell has, (values of each axis)."""
        return np.isfinite(self.numbers).sum(axis=-1)

    @stage
    def quartiles(self) -> Values:
        """Lower quartile, median and upper quartile over the replicates that there are, (3, values of each axis)."""
        # np.nanquantile takes cell by cell what this takes at once, for a picture that is drawn anew while numbers
        # arrive
        finite = np.where(np.isfinite(self.numbers), self.numbers, np.nan)  # a chosen λ may be infinite
        ordered, last = np.sort(finite, axis=-1), np.maximum(self.counts - 1, 0)[..., None]
        parts = []
        for share in QUARTILES:
            low, high = np.floor(share * last).astype(int), np.ceil(share * last).astype(int)
            below, above = (np.take_along_axis(ordered, at, axis=-1) for at in (low, high))
            parts.append((below + (above - below) * (share * last - low))[..., 0])
        return np.array(parts)

    @deferred(lambda result: result.cells is None)
    def cost(self, stopped: Callable[[], bool]) -> Cost | None:
        """What a fit costs, from a few that are timed; a Cost."""
        return cost_of(self.study, self.axes, stopped)

    @property
    def middle(self) -> Values:
        """The medians, (values of each axis)."""
        return self.quartiles[1]

    @property
    def done(self) -> int:
        """How many fits are done."""
        return 0 if self.cells is None else int(self.cells.done.sum())

    @property
    def whole(self) -> bool:
        """Whether all are."""
        return self.done == self.grid.size

    @property
    def impossible(self) -> int:
        """How many fits have no such number: the lab refuses their states, or does not know it there."""
        return 0 if self.cells is None else int((self.cells.done & np.isnan(self.numbers.ravel())).sum())

    @property
    def void(self) -> Mask:
        """Which cells are done and have no number, (values of each axis)."""
        if self.cells is None:
            return np.zeros(self.counts.shape, bool)
        return np.isnan(self.middle) & self.cells.done.reshape(self.grid.shape).all(axis=-1)

    @property
    def scale(self) -> str:
        """How the measure is drawn: 'relative' to the plain average, as 'p', or from its least to its largest, 'linear'
        or 'log'.
        """
        if "relative to" in self.measure_name:
            return "relative"
        if self.measure_name == "p" or self.measure_name.startswith("p "):
            return "p"
        medians = self.middle[np.isfinite(self.middle)]
        many = medians.size and medians.min() > 0 and medians.max() > 10**DECADES * medians.min()
        return "log" if many else "linear"

    @property
    def picked(self) -> Any:
        """Where the cell that is picked lies along the axes, or None."""
        picked, shape = self.lab.picked, self.counts.shape
        return np.unravel_index(picked - 1, shape) if 0 < picked <= self.counts.size else None

    @property
    def second(self) -> int:
        """Which value of the second axis the line is drawn at: the one that is picked, else the first."""
        return 0 if self.picked is None else self.picked[1]

    @property
    def along(self) -> Matrix:
        """The quartiles along the first axis, (3, values)."""
        return self.quartiles if len(self.axes) == 1 else self.quartiles[:, :, self.second]

    def state(self, place: tuple[int, int]) -> ShrinkageLab:
        """The lab in a cell, with its first replicate's seed; Refusal where it cannot be there."""
        cell, seed = self.grid.cell(int(np.ravel_multi_index((*place, 0), self.grid.shape)))
        return self.study.state(seed, **cell)

    fits: measure[int] = measure("fits", compute=lambda r: r.done)
    lowest: measure[float | None] = measure(
        "the lowest median", compute=lambda r: float(np.nanmin(r.middle)) if r.counts.any() else None
    )
    highest: measure[float | None] = measure(
        "the highest median", compute=lambda r: float(np.nanmax(r.middle)) if r.counts.any() else None
    )

    @effect("the share of steps that climb or stay")
    def rising(self) -> float | None:
        """The share of steps along all axes that fall by no more than a twentieth, as the medians of a few replicates
        may.
        """
        if not self.whole:
            return None
        steps = [
            (np.diff(self.middle, axis=k) >= -0.05 * self.middle.take(range(length - 1), k)).ravel()
            for k, length in enumerate(self.middle.shape)
        ]
        return float(np.concatenate(steps).mean())

    @effect("the last two values")
    def last(self) -> float | None:
        """The larger median of the last two values."""
        return float(self.middle[-2:].max()) if self.whole else None

    @effect("errors beyond the breakdown point relative to those before it")
    def breakdown(self) -> float | None:
        """The median error where half of the blocks or more can be contaminated, over the median where they cannot."""
        if not self.whole or {each.name for each in self.axes} != {"outliers", "blocks"}:
            return None
        outliers, blocks = np.meshgrid(*(each.values for each in self.axes), indexing="ij")
        beyond = 2 * outliers > blocks
        return float(np.median(self.middle[beyond]) / np.median(self.middle[~beyond]))
