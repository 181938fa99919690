"""Cost of the cells of a sweep. The most expensive ones are at the ends of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.workbench.axes import counted
from explorer.workbench.cost import most_bytes, seconds, timed

if TYPE_CHECKING:
    from explorer.workbench.axes import Axis
    from explorer.workbench.cost import CostItem
    from explorer.workbench.fields import UserTableReading


TWICE = 2  # the first timed cell is computed twice, because what is loaded for it is loaded only once
ENDS = ("x_to", "y_to")  # the fields that set the ends of the axes


def cost_items(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    study, axes = lab.study, lab.axes
    taken, held = most_expensive_cell(study.lab, tuple(sorted(study.fields.items())), axes, study.model)
    return [
        timed("the picture", 2e-3 + 3e-7 * lab.size, 8.0 * lab.size, ("replicates",)),
        timed("the most expensive cell", TWICE * taken, held / 8, ENDS[: len(axes)], late=True),
    ]


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
