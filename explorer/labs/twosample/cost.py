"""Costs of a result of the Two-sample lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import TABLES, coordinates, measured
from explorer.workbench.two_samples import sizes

from .ranks import RANKS

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


# the number of rows whose influence is tested, and the permutations per repetition of the self-check
LEFT_OUT, CHECK = 5, 199
MOST_PAIRED = 600  # the X-ray is computed for at most this many points in both samples together
RATE_SAMPLES = 40  # the number of fresh pairs of samples that estimate the error of the MMD
LOOKED_AT = 10  # the time of the X-ray grows with the coordinates up to this many
HELD = {"POLY3": 3.3, "LIN": 3.3, "distance": 4.4}  # numbers stored per pair of points; 2.2 for the other kernels
# seconds per pair of samples at the largest size
RATE = {"POLY3": 0.1, "distance": 0.07, "LIN": 0.035, "POLY2": 0.035, "LAP": 0.02}
HELD_OF_ALL = 1.2e7  # peak of `compare`, in numbers: sums of 700 features over 8192 blocks of rows, twice
ALL_PAIRS = 8000  # with more rows in both tables together, `compare` uses landmarks
NOISY = ("MKME", "MMKME")  # estimators that first search for the best noise


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, d, count = lab.points, coordinates(lab), lab.resamples
    larger, smaller = ("n", "m") if lab.n >= lab.m else ("m", "n")
    held = HELD.get(lab.kernel, 2.2)
    if lab.estimator in NOISY:
        held = 13.4 if lab.kernel == "LAP" else max(held, 3.3)
    lower, numbers = (larger, smaller), max(held * n**2, 1.1 * max(lab.n, lab.m) * d**2)
    splits, often = n * count / 8, (*lower, "permutations") if count > CHECK else lower
    chosen = 5e-3 + 2.5e-7 * n**2 if lab.estimator in NOISY else 0.0
    once = 0.006 + rows_of(lab) + chosen
    parts = [measured("the kernel of the pooled points", once, numbers + splits, (*lower, "d"))]
    parts.append(measured("the permutations", tested(n, lab.inline), numbers + splits, often))
    if lab.refitted:
        refits = lab.inline * refit(lab)
        parts.append(measured("the refits in every permutation", refits, numbers, often))

    def late(name, seconds, *lower, held=0.0):
        parts.append(measured(name, seconds, 1.5 * numbers + splits + held, lower, late=True))

    if lab.finished_late:
        late("the test with all permutations", rows_of(lab) + tested(n, count) + refit(lab) * count, *often)
    if lab.picture == "rate" and lab.source not in TABLES:
        late("the errors of the MMD at other sizes", RATE_SAMPLES * RATE.get(lab.kernel, 0.01))
    if lab.picture == "rank" and lab.all_pairs:
        each = 4e-3 + 5e-5 * n + 2e-8 * min(n, 3000) ** 2 + (0.07 if lab.approximation == "features" else 0.0)
        late("the MMD² by kernels of low rank", (len(RANKS) + 2) * each, *lower)
    if lab.has_verdict:
        asked = 2 if lab.chosen in (1, 2) else 1
        late("the verdict on all rows and columns", asked * compared(lab), held=HELD_OF_ALL)
    if lab.few:
        rows = 9e-4 + n**2 * (1.3e-8 + 4e-10 * d + 1.5e-8 * categories(lab)) + chosen / 4
        each = rows + tested(n, lab.strip_resamples)
        late("the tests at every bandwidth", 1.1 * (len(lab.stops) + 12) * each, *often)
        late("the tests without the rows that count most", (LEFT_OUT + 1) * each if not lab.refitted else 0.0, *often)
        late("the power at other sizes", 4e-3 + 8e-8 * n**2, *often)
        xray = 4e-7 * n**2 * min(d, LOOKED_AT) if d > 1 else 0.01
        late("the X-ray", xray if n <= MOST_PAIRED else 0.0, *lower)
        if lab.samples:
            each = 4e-4 + lab.n**2 * 2.5e-8 + tested(lab.n, CHECK)
            if lab.source not in TABLES:
                each += 1.9e-3 + rows_of(lab) + tested(n, CHECK)
            late("the self-check", lab.samples * each, "samples", *lower)
    return parts


def compared(lab: Any) -> float:
    """Return the seconds that `compare` takes for the verdict on all rows of the user's tables."""
    rows = sum(sizes(lab.tables, lab.groups))
    return 5e-4 * (0.6 + 0.1 * lab.tables[0].d) * (min(rows, ALL_PAIRS) + 0.05 * rows)


def rows_of(lab: Any) -> float:
    """Return the seconds for the kernel's values of all pairs."""
    pairs, d = lab.points**2, coordinates(lab)
    return pairs * (2.5e-8 + 7e-10 * d + 1.5e-8 * categories(lab) + (1.5e-7 if lab.kernel == "POLY3" else 0.0))


def categories(lab: Any) -> int:
    """Return the number of categorical columns in the user's tables.

    Each of them has a kernel of its own, whose values multiply the others'.
    """
    return len(lab.tables.levels) if lab.source == "file" and lab.tables else 0


def tested(n: int, count: int) -> float:
    """Return the seconds for the MMD² of `count` splits of n points."""
    return 7e-11 * count * n**2


def refit(lab: Any) -> float:
    """Return the seconds for both samples' estimates in one permutation, or 0 if they keep their weights."""
    return sum(5e-5 + 2.5e-6 * size + 1e-8 * size**2 for size in (lab.n, lab.m)) if lab.refitted else 0.0
