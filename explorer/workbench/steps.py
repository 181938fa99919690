"""The values a slider stops at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.parameters import LogNumber, Odd, Whole

if TYPE_CHECKING:
    from explorer.parameters import Real


# Renard's series: ten factors of about 1.26 in decimals that a hand can type
R10 = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)
WHOLE_STEPS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500)


def steps_of(field: Real) -> list[float]:
    """The values that a field's slider stops at, from its soft bounds."""
    ends: Any = field.softbounds or field.bounds
    low, high = ends
    if field.step:
        kind = int if isinstance(field, Whole) else float
        return [kind(round(low + i * field.step, 10)) for i in range(round((high - low) / field.step) + 1)]
    if isinstance(field, Odd):
        return list(range(low + (low + 1) % 2, high + 1, 2))
    if isinstance(field, Whole):
        return [v for v in WHOLE_STEPS if low <= v <= high]
    if isinstance(field, LogNumber):
        return [0.0] * (field.default == 0) + log_steps(low, high)  # what begins at 0 can rest there
    raise TypeError(f"no slider for {field!r}")


def log_steps(low: float, high: float) -> list[float]:
    """The R10 numbers from low to high."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [v for e in decades for m in R10 if low * (1 - 1e-9) <= (v := float(f"{m}e{e}")) <= high * (1 + 1e-9)]


def with_value(steps: Sequence[float], value: float) -> list[float]:
    """The steps with a value of one's own in its place, so that a slider never shows a number it does not have."""
    return list(steps) if value in steps else sorted([*steps, value])
