"""Result of the Sweep lab: the numbers of the finished cells, over the replicates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.types import Mask, Matrix, Rows, Values
from explorer.workbench import Result, deferred, effect, measure, stage
from explorer.workbench.axes import counted
from explorer.workbench.cost import SLOWER, costs, most_bytes, seconds

from .lab import SweepLab
from .running import cost_of

if TYPE_CHECKING:
    from explorer.labs.shrinkage.lab import ShrinkageLab
    from explorer.sweeps.grid import Grid
    from explorer.workbench.axes import Axis
    from explorer.workbench.fields import UserTableReading
    from explorer.workbench.study import LabStudy

    from .running import Cells, Cost


QUARTILES = (0.25, 0.5, 0.75)
TWICE = 2  # the first timed cell is computed twice, because what is loaded for it is loaded only once
ENDS = ("x_to", "y_to")  # the fields that set the ends of the axes
DECADES = 2  # a measure that spans more decades than this is drawn on a logarithmic scale


def _cell(lab):
    """Return (seconds, numbers) of the most expensive cell, which is at an end of the axes."""
    study = lab.study
    taken, held = most_expensive_cell(study.lab, tuple(sorted(study.fields.items())), lab.axes, study.model)
    return TWICE * taken / SLOWER, held / 8


@lru_cache(64)
def most_expensive_cell(
    name: str, fields: Sequence[Any], axes: Sequence[Axis], model: type[UserTableReading]
) -> tuple[float, float]:
    """Return (seconds, bytes) of the most expensive cell among the axes' ends and all choices of a menu."""
    taken = held = 0.0
    ends = [(each.values[0], each.values[-1]) if counted(name, each.name) else each.values for each in axes]
    for values in product(*ends):
        cell = {each.name: value for each, value in zip(axes, values, strict=True)}
        try:
            parts = [part for part in model(**{**dict(fields), **cell}).cost if not part.late]
        except Refusal:
            continue  # a cell that the lab refuses is empty and costs nothing
        taken, held = max(taken, seconds(parts)), max(held, most_bytes(parts))
    return taken, held


class SweepResult(Result[SweepLab]):
    """A sweep so far. `cells` is None before its first fit. `cost` is the cost of a fit, timed in an idle moment."""

    @stage
    def study(self) -> LabStudy:
        """The study that is computed in every cell."""
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
        """The cells computed so far, or None."""
        return self.lab.cells

    @stage
    def measure_name(self) -> str:
        """The name of the measure that is shown."""
        return self.lab.chosen_measure

    @stage
    def numbers(self) -> Values:
        """The measure that is shown, shape (values of each axis, replicates)."""
        if self.cells is None or not self.cells.values:
            return np.full(self.grid.shape, np.nan)
        return self.cells.values[self.measure_name].reshape(self.grid.shape)

    @stage
    def counts(self) -> Rows:
        """The number of finite values in each cell, shape (values of each axis)."""
        return np.isfinite(self.numbers).sum(axis=-1)

    @stage
    @costs("the picture", lambda lab: (2e-3 + 3e-7 * lab.size) / SLOWER, lambda lab: 8.0 * lab.size, "replicates")
    def quartiles(self) -> Values:
        """The lower quartile, median and upper quartile over the replicates so far, shape (3, values of each axis)."""
        # np.nanquantile works cell by cell. This takes all cells at once, because the picture is redrawn while
        # numbers arrive.
        finite = np.where(np.isfinite(self.numbers), self.numbers, np.nan)  # a chosen λ may be infinite
        ordered, last = np.sort(finite, axis=-1), np.maximum(self.counts - 1, 0)[..., None]
        parts = []
        for share in QUARTILES:
            low, high = np.floor(share * last).astype(int), np.ceil(share * last).astype(int)
            below, above = (np.take_along_axis(ordered, at, axis=-1) for at in (low, high))
            parts.append((below + (above - below) * (share * last - low))[..., 0])
        return np.array(parts)

    @deferred(lambda result: result.cells is None)
    @costs(
        "the most expensive cell",
        lambda lab: _cell(lab)[0],
        lambda lab: _cell(lab)[1],
        lambda lab: ENDS[: len(lab.axes)],
    )
    def cost(self, stopped: Callable[[], bool]) -> Cost | None:
        """The cost of a fit, from a few fits that are timed."""
        return cost_of(self.study, self.axes, stopped)

    @property
    def middle(self) -> Values:
        """The medians, shape (values of each axis)."""
        return self.quartiles[1]

    @property
    def done(self) -> int:
        """The number of finished fits."""
        return 0 if self.cells is None else int(self.cells.done.sum())

    @property
    def whole(self) -> bool:
        """True if all fits are finished."""
        return self.done == self.grid.size

    @property
    def impossible(self) -> int:
        """The number of fits without this measure: the lab refuses their states, or the measure is unknown there."""
        return 0 if self.cells is None else int((self.cells.done & np.isnan(self.numbers.ravel())).sum())

    @property
    def void(self) -> Mask:
        """The mask of the finished cells that have no number, shape (values of each axis)."""
        if self.cells is None:
            return np.zeros(self.counts.shape, bool)
        return np.isnan(self.middle) & self.cells.done.reshape(self.grid.shape).all(axis=-1)

    @property
    def scale(self) -> str:
        """The measure's scale.

        It is 'relative' to the plain average, 'p', or 'linear' or 'log' from its least to its largest value.
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
        """The index of the selected cell along the axes, or None."""
        picked, shape = self.lab.picked, self.counts.shape
        return np.unravel_index(picked - 1, shape) if 0 < picked <= self.counts.size else None

    @property
    def second(self) -> int:
        """The index of the second axis at which the line is drawn: the selected one, otherwise the first."""
        return 0 if self.picked is None else self.picked[1]

    @property
    def along(self) -> Matrix:
        """The quartiles along the first axis, shape (3, values)."""
        return self.quartiles if len(self.axes) == 1 else self.quartiles[:, :, self.second]

    def state(self, place: tuple[int, int]) -> ShrinkageLab:
        """Return the lab in a cell, with the seed of its first replicate.

        Raises
        ------
        Refusal
            If the lab cannot be in that state.
        """
        cell, seed = self.grid.cell(int(np.ravel_multi_index((*place, 0), self.grid.shape)))
        return self.study.state(seed, **cell)

    fits: measure[int] = measure("fits", of="done")
    lowest: measure[float | None] = measure(
        "the lowest median", compute=lambda r: float(np.nanmin(r.middle)) if r.counts.any() else None
    )
    highest: measure[float | None] = measure(
        "the highest median", compute=lambda r: float(np.nanmax(r.middle)) if r.counts.any() else None
    )

    @effect("the share of steps that climb or stay")
    def rising(self) -> float | None:
        """The share of steps along all axes that fall by at most 5 %, as the medians of a few replicates may."""
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
