"""What the Sweep lab shows: the numbers of the cells that are done, over the replicates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from explorer import checks
from explorer.printing import printed
from explorer.sweeps import Grid

from .study import LabStudy
from .sweep_cost import Cost

QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class Cells:
    """The numbers of a sweep by now, each (fits,) and nan where there is none, which fits are done, and the seconds it
    took.
    """

    values: dict[str, np.ndarray]
    done: np.ndarray
    seconds: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "values", {name: checks.read_only(values) for name, values in self.values.items()})
        object.__setattr__(self, "done", checks.read_only(self.done))

    @property
    def nbytes(self):
        """Memory, for a cache."""
        return self.done.nbytes + sum(values.nbytes for values in self.values.values())


@printed
@dataclass(frozen=True)
class SweepResult:
    """A sweep as far as it is. `cells` is None before its first fit.

    `replicates`, as the chassis calls what follows at rest, is what a fit costs, or None."""

    lab: object
    study: LabStudy
    axes: tuple
    grid: Grid
    cells: Cells | None
    replicates: Cost | None
    row: int = 0

    @property
    def done(self):
        """How many fits are done."""
        return 0 if self.cells is None else int(self.cells.done.sum())

    @property
    def whole(self):
        """Whether all are."""
        return self.done == self.grid.size

    @property
    def impossible(self):
        """How many fits there cannot be, as the lab refuses their states, or has no such number there."""
        return 0 if self.cells is None else int((self.cells.done & np.isnan(self.numbers.ravel())).sum())

    @property
    def numbers(self):
        """The measure that is looked at, (values of each axis, replicates)."""
        if self.cells is None or not self.cells.values:
            return np.full(self.grid.shape, np.nan)
        return self.cells.values[self.measure].reshape(self.grid.shape)

    @cached_property
    def quartiles(self):
        """Lower quartile, median and upper quartile over the replicates that there are, (3, values of each axis)."""
        # np.nanquantile takes cell by cell what this takes at once, for a picture that is drawn anew while numbers
        # arrive
        ordered, last = np.sort(self.numbers, axis=-1), np.maximum(self.counts - 1, 0)[..., None]
        found = []
        for share in QUARTILES:
            low, high = np.floor(share * last).astype(int), np.ceil(share * last).astype(int)
            below, above = (np.take_along_axis(ordered, at, axis=-1) for at in (low, high))
            found.append((below + (above - below) * (share * last - low))[..., 0])
        return np.array(found)

    @cached_property
    def counts(self):
        """How many numbers each cell has, (values of each axis)."""
        return np.isfinite(self.numbers).sum(axis=-1)

    @property
    def measure(self):
        """The name of the measure that is looked at."""
        return self.lab.settled_fields()["measure"]

    @property
    def picked(self):
        """The places along the axes of the cell that is picked, or None."""
        size = self.counts.size
        return np.unravel_index(self.lab.picked - 1, self.counts.shape) if 0 < self.lab.picked <= size else None

    def cell(self, places):
        """A cell's values, and the lab's state there with its first replicate's seed; ValueError where it cannot be."""
        index = int(np.ravel_multi_index((*places, 0), self.grid.shape))
        cell, seed = self.grid.cell(index)
        return cell, self.study.state(seed, **cell)

    @property
    def effects(self):
        """The numbers that presets promise something about."""
        middle = self.quartiles[1]
        found = {
            "the share of steps that climb or stay": _rising(middle),
            "the last two values": float(middle[-2:].max()),
        }
        if len(self.axes) == 2 and {each.name for each in self.axes} == {"outliers", "blocks"}:
            found["errors beyond the cliff beside those before it"] = _cliff(self.axes, middle)
        return found


def _rising(middle):
    """The share of steps along all axes that fall by no more than a twentieth, as the medians of a few replicates
    may.
    """
    steps = [
        (np.diff(middle, axis=k) >= -0.05 * middle.take(range(middle.shape[k] - 1), k)).ravel()
        for k in range(middle.ndim)
    ]
    return float(np.concatenate(steps).mean())


def _cliff(axes, middle):
    """The median error where half of the blocks can be spoilt or more, beside the median where they cannot."""
    outliers, blocks = np.meshgrid(*(each.values for each in axes), indexing="ij")
    beyond = 2 * outliers > blocks
    return float(np.median(middle[beyond]) / np.median(middle[~beyond]))
