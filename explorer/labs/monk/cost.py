"""Cost of a result of the MONK lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import coordinates, measured

from .opening import study_at

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


# Seconds for a pair of pairs on a line, and the numbers held for it. Other kernels count as RBF.
PAIRS = {"LIN": 1e-7, "POLY2": 1e-7, "POLY3": 4e-7, "RBF": 1.4e-7}
NUMBERS = {"POLY3": 13.5, "RBF": 10.5}
ITERATED = 0.015  # seconds that an iterative method takes
COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)  # the numbers of outliers in the study of errors
SAMPLES = {"cliff": 20, "quantiles": 40}
FEWEST, WHOLE = 5, 200  # the fewest samples, for large N, and the largest N with the full number of samples
SWAPS = 199  # the number of random swaps within the user's pairs, for a test
LONGEST = 40.0  # the longest test that is run, in seconds
MEANS = (11, 21)  # the numbers of blocks of the medians of means


def cost_items(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, d, Q = lab.n, coordinates(lab), lab.blocks
    # On a line the sums over blocks need few features only. Large matrices do not stay in the processor's cache.
    each = PAIRS.get(lab.kernel, PAIRS["RBF"]) * n**2 * (1 if d == 1 else 2) * (0.4 + 1.2 * (n / 2000) ** 2)
    pairs, numbers = 4e-3 + each, NUMBERS.get(lab.kernel, NUMBERS["RBF"]) * n**2 + n * d**2
    parts = [measured("the Gram matrix of the pairs", pairs, numbers, ("n",))]
    if lab.method == "direction":
        parts.append(measured("the votes of the blocks", 4e-3 + 1.4e-6 * Q**2, 4 * n**2 + 36 * Q**2, ("blocks",)))
    else:
        parts.append(measured("the iteration", ITERATED, numbers, ("n",)))
    if is_tested(lab):
        parts.append(measured("the test", test_seconds(n, Q), 4 * n**2 + SWAPS * n, ("n", "blocks"), late=True))
    if lab.picture == "steps":
        parts.append(measured("the steps", 8e-3 + each / 2, numbers, ("n",)))
    elif lab.picture == "embedding":
        means = 3e-8 * n**2 + median_of_means_seconds(lab, d, Q) + robust_seconds(n) + geometric_seconds(n, Q)
        parts.append(measured("the median of the blocks' means", means, 4 * n**2 + 2.2 * Q**3, ("blocks", "n")))
    elif lab.picture == "estimates":
        each = 2 * (geometric_seconds(n, Q) + 2 * robust_seconds(n)) + 3e-8 * n**2
        parts.append(measured("the robust means", each, 8 * n**2 + 6 * Q**2, ("n", "blocks")))
    elif lab.picture == "cliff" and not study_at(lab):
        samples = sample_count("cliff", n) if lab.the_laws() else 1
        studied = samples * sum(m <= n for m in COUNTS) * (1.6e-3 + 0.45 * each)
        parts.append(measured("the errors in new samples", studied, numbers, ("n",), late=True))
    # The errors in the user's pairs are unknown, so that they are not studied.
    elif lab.picture == "quantiles" and lab.the_laws():
        votes = [blocks for blocks in MEANS if blocks <= n]
        each = 5e-3 + 1e-7 * n**2 + sum(median_of_means_seconds(lab, d, blocks) for blocks in votes)
        each += geometric_seconds(n, MEANS[0]) + 2 * robust_seconds(n)
        studied = 0.6 * sample_count("quantiles", n) * each
        parts.append(measured("the errors in new samples", studied, 4 * n**2 + n * d**2, ("n", "d"), late=True))
    return parts


def test_seconds(n: int, blocks: int) -> float:
    """Return the seconds of the tests by swaps of pairs, along the direction. Iterative methods take no longer."""
    return 0.02 + (3e-10 * n**2 * (blocks + 1) + 4.8e-7 * blocks**2) * SWAPS


def is_tested(lab: Any) -> bool:
    """Return whether the pairs are tested: only the user's pairs, and only if it takes at most LONGEST seconds."""
    return lab.laws == "file" and test_seconds(lab.n, lab.blocks) <= LONGEST


def median_of_means_seconds(lab: Any, d: int, blocks: int) -> float:
    """Return the seconds for the median of means, in as many coordinates as the blocks' means span."""
    smooth = d * (8 + 1.5 / lab.bandwidth)  # a narrower kernel distinguishes more coordinates
    spanned = {"LIN": d, "POLY2": comb(d + 2, 2) - 1, "POLY3": comb(d + 3, 3) - 1, "RBF": smooth}
    # A kernel with a kink spans all coordinates that there are.
    rank = min(blocks - 1, spanned.get(lab.kernel, blocks))
    return 0.01 + 5.5e-5 * blocks * rank**2 + 1.1e-7 * blocks**3


def geometric_seconds(n: int, blocks: int) -> float:
    """Return the seconds for the geometric median of blocks' means."""
    return 2e-3 + 4e-9 * n**2 + 5e-8 * blocks**2


def robust_seconds(n: int) -> float:
    """Return the seconds for one robust kernel mean, which iterates over all points."""
    return 2e-3 + 5.5e-8 * n**2


def sample_count(picture: str, n: int) -> int:
    """Return the number of new samples of a picture. It is lower for large samples, whose Gram matrices take long."""
    return max(FEWEST, round(SAMPLES[picture] * min(1.0, (WHOLE / n) ** 2)))
