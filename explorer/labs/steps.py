"""The values a slider stops at."""

from __future__ import annotations

import math

# Renard's series: ten factors of about 1.26 in decimals that a hand can type
R10 = (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)


def log_steps(low, high):
    """The R10 numbers from low to high."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [v for e in decades for m in R10 if low * (1 - 1e-9) <= (v := float(f"{m}e{e}")) <= high * (1 + 1e-9)]


def with_value(steps, value):
    """The steps with a value of one's own in its place, so that a slider never shows a number it does not have."""
    return list(steps) if value in steps else sorted([*steps, value])
