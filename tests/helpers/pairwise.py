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


def covering(sizes, allowed=lambda case: True):
    """Return cases, parameter -> level, that contain every allowed pair of levels, of parameters with so many levels.

    Unlike `pairs` it does not need the product. `allowed` takes a case, in which parameters may be missing. Each case
    begins with a missing pair, and with a third level if the pair alone is not allowed. Each further parameter takes
    the level with the most missing pairs of those that are allowed, and none if none is.
    """
    places = range(len(sizes))
    missing = {(i, a, j, b) for i, j in combinations(places, 2) for a in range(sizes[i]) for b in range(sizes[j])}
    chosen = []
    while missing:
        i, a, j, b = pair = min(missing)
        third = [{k: level} for k in places if k not in (i, j) for level in range(sizes[k])]
        case = next((case for more in ({}, *third) if allowed(case := {i: a, j: b} | more)), None)
        if case is None:
            missing.remove(pair)
            continue
        for k in sorted(set(places) - set(case), key=lambda k: -sizes[k]):
            levels = sorted(range(sizes[k]), key=lambda level, k=k: -len(_pairs_of({**case, k: level}) & missing))
            case |= next(({k: level} for level in levels if allowed({**case, k: level})), {})
        missing -= _pairs_of(case)
        chosen.append(case)
    return chosen


def _pairs_of(case):
    """Return the pairs of levels in a case."""
    return {(i, a, j, b) for (i, a), (j, b) in combinations(sorted(case.items()), 2)}
