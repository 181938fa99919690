"""Claims of paper 004 on Figure 1's errors and Figure 2's tests, and ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import fdtri

from explorer.papers.claim import Claim
from explorer.papers.effect import Case, Effect, Measure
from explorer.papers.evidence import factor, mean, median_error
from explorer.papers.quantifier import Every, Some
from explorer.papers.standard import Less, More, Near

from .errors import BLOCKS, truth

SAME_ORDER = 0.5  # powers of ten on either side, a factor of 3.2: one order of magnitude in total
COMPARABLE = math.log10(2)  # from half to twice as large
RUINED = 2.0  # powers of ten: an error of a hundred times the estimated number
ENOUGH = (11, 21)  # those of BLOCKS that are more than twice the 5 outliers of either sample

ORDER = "in the outlier-free case [...] the accuracy is of the same order for both kernels"
RUIN = "even a small number of outliers can completely ruin traditional MMD estimators for unbounded features"
ROBUST = "the MONK estimators are naturally robust to outliers with suitable choice of Q"
BOUNDED = "In case of bounded kernels [...], by construction, traditional MMD estimators are resistant to outliers"
FAST = "the MONK BCD-Fast method achieves comparable performance"
PARETO = (
    "again MONK estimators are more robust with respect to corruption than the one relying on U-statistics in the"
    " case of polynomial kernel"
)
SOLVE = "all 3 techniques are able to solve the task, both in the inter-class [...] and the intra-class experiment"
STABLE = "they converge to a good and stable performance as a function of the sample number"


def names(method: str, blocks: Sequence[int] = BLOCKS) -> tuple[str, ...]:
    """Return the names of a method's estimates, one for each number of blocks, or its own name if it has no blocks."""
    return tuple(f"{method} {Q}" for Q in blocks) if blocks else (method,)


def over_the_truth(method: str, blocks: Sequence[int] = BLOCKS) -> Measure:
    """Return the measure of median errors over the MMD itself, which is the error of an estimate of 0."""
    return median_error(names(method, blocks), lambda cell: truth(cell.values["panel"]), "the MMD itself")


def over_u(method: str, other: str = "U", rival: str = "that of U") -> Measure:
    """Return the measure of median errors over that of U on the same samples."""
    return median_error(names(method), other, rival)


def panel(*wanted: str) -> Callable[..., Any]:
    """Return a function that tests whether a cell is in one of the panels."""
    return lambda values: values["panel"] in wanted


FIGURE_1_CLAIMS = (
    Claim(
        "On clean data the error of MONK BCD is of the same order as that of U",
        Every,
        Near(SAME_ORDER),
        over_u("BCD"),
        ORDER,
        where=panel("a", "d"),
    ),
    Claim(
        "On clean data the error of MONK BCD-Fast is of the same order as that of U",
        Every,
        Near(SAME_ORDER),
        over_u("Fast"),
        ORDER,
        errata=("E-17", "E-18"),
        where=panel("a", "d"),
    ),
    Claim(
        "Five outliers can ruin U under the quadratic kernel",
        Some,
        More(RUINED),
        over_the_truth("U", ()),
        RUIN,
        where=panel("b"),
    ),
    Claim(
        "With suitable Q (11 and 21, more than 2 Nc) MONK BCD is robust to them",
        Every,
        Less(),
        over_the_truth("BCD", ENOUGH),
        ROBUST,
        errata=("E-21",),
        where=panel("b"),
    ),
    Claim(
        "With suitable Q (11 and 21, more than 2 Nc) MONK BCD-Fast is robust to them",
        Every,
        Less(),
        over_the_truth("Fast", ENOUGH),
        ROBUST,
        errata=("E-17", "E-21"),
        where=panel("b"),
    ),
    Claim(
        "Under the RBF kernel, which is bounded, U is resistant to outliers",
        Every,
        Less(),
        over_the_truth("U", ()),
        BOUNDED,
        where=panel("e"),
    ),
    Claim(
        "There MONK BCD-Fast is comparable with U", Every, Near(COMPARABLE), over_u("Fast"), FAST, ("E-17",), panel("e")
    ),
    Claim(
        "On the Pareto distribution, quadratic kernel, MONK BCD is more robust than U, taken as sqrt|U|",
        Every,
        Less(),
        over_u("BCD", "U", "that of sqrt|U|"),
        PARETO,
        errata=("E-16", "E-23"),
        where=panel("c"),
    ),
    Claim(
        "On the Pareto distribution MONK BCD is more robust than U, taken as sqrt(max(U, 0))",
        Every,
        Less(),
        over_u("BCD", "U, clipped", "that of sqrt(max(U, 0))"),
        PARETO,
        errata=("E-16", "E-23"),
        where=panel("c"),
    ),
    Claim(
        "MONK BCD with Q = 5, no more blocks than outliers, is ruined by them, too",
        Every,
        More(RUINED),
        over_the_truth("BCD", (5,)),
        where=panel("b"),
    ),
)

ESTIMATES = ("U", "BCD", "Fast")


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


FIGURE_2_CLAIMS = (
    Claim(
        "All three tests distinguish EI from IE: the estimate is above the quantile",
        Every,
        More(),
        mean("the mean gap", lambda cell, name: cell.table[name], ESTIMATES),
        SOLVE,
        errata=("E-20",),
        where=panel("EI-IE"),
    ),
    Claim(
        "None distinguishes two samples of one class: the estimate is below the quantile",
        Every,
        Less(),
        mean("the mean gap", lambda cell, name: cell.table[name], ESTIMATES),
        SOLVE,
        errata=("E-20",),
        where=panel("EI-EI", "IE-IE"),
    ),
    *(
        Claim(
            f"{name} becomes stable: it spreads less at the largest n than at the smallest",
            Every,
            Less(),
            spread_along_n(name),
            STABLE,
        )
        for name in ESTIMATES
    ),
    Claim(
        "MONK BCD-Fast is less far above the quantile than U",
        Every,
        More(),
        gap_over_u("Fast"),
        errata=("E-17",),
        where=panel("EI-IE"),
    ),
)
