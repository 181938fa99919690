"""Pairwise testing: subsets of a product of parameters that contain all levels, or all pairs of levels."""

from __future__ import annotations

import heapq
from itertools import combinations


def pairs(cases):
    """Return a subset of cases, tuples of levels, that contains every pair of levels in any case.

    Each step takes the case with the most new pairs. The number of new pairs of a case only decreases. So a case that
    still has as many as when it came to the front of the heap has the most.
    """
    places = list(combinations(range(len(cases[0])), 2))
    of = [{(i, j, case[i], case[j]) for i, j in places} for case in cases]
    missing, chosen = set().union(*of), []
    waiting = [(-len(places), at) for at in range(len(cases))]  # in the order of a heap
    while missing:
        had, at = waiting[0]
        new = -len(of[at] & missing)
        if new > had:
            heapq.heapreplace(waiting, (new, at))
        else:
            chosen.append(cases[at])
            missing -= of[at]
    return chosen


def each(cases, times):
    """Return cases with each level at least `times` times, next to other ones each time: diagonals of the product."""
    sizes = [1 + max(levels) for levels in zip(*cases, strict=True)]
    steps = [[round_ + i * turn for i in range(len(sizes))] for turn in range(times) for round_ in range(max(sizes))]
    met = {tuple(step % size for step, size in zip(at, sizes, strict=True)) for at in steps}
    return [case for case in cases if case in met]
