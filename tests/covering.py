"""Coverings of a product of parameters: cases by which all levels are met, where all cases would say little more."""

from __future__ import annotations

from itertools import combinations


def pairs(cases):
    """Cases, tuples of levels, with every two levels that any case has together: the one with most new ones, again."""
    places = list(combinations(range(len(cases[0])), 2))
    of = {case: {(i, j, case[i], case[j]) for i, j in places} for case in cases}
    missing, chosen = set().union(*of.values()), []
    while missing:
        chosen.append(max(cases, key=lambda case: len(of[case] & missing)))
        missing -= of[chosen[-1]]
    return chosen


def each(cases, times):
    """Cases with each level `times` times at least, beside other ones each time: diagonals of the product."""
    sizes = [1 + max(levels) for levels in zip(*cases, strict=True)]
    steps = [[round_ + i * turn for i in range(len(sizes))] for turn in range(times) for round_ in range(max(sizes))]
    met = {tuple(step % size for step, size in zip(at, sizes, strict=True)) for at in steps}
    return [case for case in cases if case in met]
