"""Measures of the claims on paper 004's Figures 1 and 2: of its errors and of its tests."""

from __future__ import annotations

import numpy as np
from scipy.special import fdtri

from explorer.papers.effect import Case, Effect, Measure
from explorer.papers.evidence import factor, mean, median_error

from .errors import BLOCKS, truth


def over_the_truth(*names: str) -> Measure:
    """Return the measure of median errors over the MMD itself, which is the error of an estimate of 0."""
    return median_error(names, lambda cell: truth(cell.values["panel"]), "the MMD itself")


def over_u(method: str, other: str = "U", rival: str = "that of U") -> Measure:
    """Return the measure of a method's median errors at each number of blocks over that of U on the same samples."""
    return median_error([f"{method} {Q}" for Q in BLOCKS], other, rival)


def gap(*names: str) -> Measure:
    """Return the measure of how far estimates are above the quantile of their null values."""
    return mean("the mean gap", lambda cell, name: cell.table[name], names)


def gap_over_u(name: str) -> Measure:
    """Return the measure of how far a method's gap falls short of U's on the same samples."""
    return mean(f"the mean gap of U minus that of {name}", lambda cell, _: cell.table["U"] - cell.table[name])


def spread_along_n(name: str) -> Measure:
    """Return the measure of a claim that an estimate spreads less at the largest n than at the smallest.

    Its number is log10 of the ratio. There is a case for each panel. The interval is that of F for the variances of two
    independent normal samples. Samples of one seed share strings, which makes the two more alike and the interval, if
    anything, too wide.
    """

    def case(panel, row):
        first, last = (row[position].table[name] for position in (0, -1))

        def effect(confidence):
            ratio = np.var(last, ddof=1) / np.var(first, ddof=1)
            ends = [fdtri(len(last) - 1, len(first) - 1, p) for p in ((1 + confidence) / 2, (1 - confidence) / 2)]
            value, low, high = 0.5 * np.log10([ratio, ratio / ends[0], ratio / ends[1]])
            return Effect(float(value), float(low), float(high))

        return Case(f"panel = {panel}", effect)

    def cases(cells):
        rows = {}
        for cell in sorted(cells, key=lambda cell: cell.values["n"]):
            rows.setdefault(cell.values["panel"], []).append(cell)
        return [case(panel, row) for panel, row in rows.items() if len(row) > 1]

    return Measure(
        f"the standard deviation of {name} at the largest n over that at the smallest",
        cases,
        lambda effect: f"The standard deviation of {name} is {factor(effect.value)} times as large",
        factor,
        "1",
    )
