"""Memory limits: whether a matrix of all pairs of points fits, checked before it is created.

Many systems promise more memory than they have, and end the process when it is used: no MemoryError is ever raised.
"""

from __future__ import annotations

import math
import os
from functools import cache
from pathlib import Path

import numpy as np

from explorer.checks import Refusal

SMALL = 2**26  # bytes, 64 MB: smaller matrices are not checked, so that many small ones cost nothing
CONTAINER = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # cgroups 2 and 1
WITHOUT = (
    "take some thousand of the points at random, or what makes no such matrix: approximation='auto' in KME, mmd2,"
    " mmd_test, hsic and others, or a Sketch"
)


@cache
def total_bytes() -> float:
    """Return the bytes of memory that this machine or its container has; infinite if the system does not tell."""
    try:
        pages = os.sysconf("SC_PHYS_PAGES")
        limits = [pages * float(os.sysconf("SC_PAGE_SIZE"))] if pages > 0 else []
    except (AttributeError, OSError, ValueError):  # Windows has no sysconf, and other systems lack these names
        limits = []
    for file in CONTAINER:
        try:
            limits.append(float(Path(file).read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such container, or one whose limit is "max"
            continue
    return min(limits, default=math.inf)


def refuse_large_gram(n: int, m: int | None = None) -> None:
    """Refuse the kernel matrix of n points, or of n and m points, if it does not fit in memory."""
    if (size := 8 * n * (n if m is None else m)) >= SMALL and not _holds(size):
        points = f"{n:,} points" if m is None else f"{n:,} and {m:,} points"
        raise Refusal(f"the kernel matrix of {points} takes {_describe(size)}; {WITHOUT}.")


def refuse_many_distances(n: int) -> None:
    """Refuse the distances of all pairs of n points, (n(n-1)/2,), if they do not fit in memory."""
    if (size := 4 * n * (n - 1)) >= SMALL and not _holds(size):
        raise Refusal(
            f"the distances of all pairs of {n:,} points take {_describe(size)}; {WITHOUT}. A bandwidth alone"
            f" can be chosen on some of the points: kernel.select(X[::{math.ceil(n / 5000)}])."
        )


def _holds(size):
    """Return whether the system allocates this many bytes, and has them."""
    if size > total_bytes():
        return False
    try:
        np.empty(size, np.uint8)  # reserves only addresses, as nothing is written
    except MemoryError:
        return False
    return True


def _describe(size):
    has = total_bytes()
    there_is = f"this machine has {_gigabytes(has)}" if size > has else "the system does not give as much"
    return f"{_gigabytes(size)} of memory, and {there_is}"


def _gigabytes(size):
    return f"{size / 1e9:,.0f} GB" if size >= 1e10 else f"{size / 1e9:.2g} GB"
