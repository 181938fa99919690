"""Numbers that often stand for a missing value, such as -9999: seen where they lie far from all others."""

from __future__ import annotations

import re

import numpy as np

from explorer.types import Vector

NINES = re.compile(r"-?9{2,}(\.0*)?|-?9{2,}\.9+")
AWAY = 2.0  # of what the other values span: how far from them
LEAST = 2  # so often at least


def stand_ins(values: Vector) -> str:
    """What is said of the least or largest of values (n,) where it may stand for a missing one; "" elsewhere.

    >>> stand_ins([70.1, -9999.0, 68.0, -9999.0, 75.5])
    'with -9999 in 2 rows, far from all others (missing?)'
    """
    values = np.asarray(values, dtype=float)
    values = values[np.isfinite(values)]
    for far in {values.min(), values.max()} if len(values) else ():
        others = values[values != far]
        if not NINES.fullmatch(f"{far:.12g}") or len(values) - len(others) < LEAST or not len(others):
            continue
        low, high = others.min(), others.max()
        if max(low - far, far - high) > AWAY * (high - low) and max(abs(low), abs(high)) < abs(far):
            count = len(values) - len(others)
            return f"with {far:.12g} in {count} rows, far from all others (missing?)"
    return ""
