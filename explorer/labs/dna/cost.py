"""Costs of a result of the DNA lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from explorer.discrepancy.monk.estimates import PARTITIONS
from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


ITERATIONS = 100
# the largest counts of numbers that the features, and the copies of a test, store at a time
FEATURES, COPIES = 8e6, 1.3e7
LETTERS, LONGEST = 4, 60  # alphabet size and longest read of the data sets that come with the package


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, flips, Q = lab.n, lab.flips, lab.blocks
    kernel, plain, monk = gram(lab), 3e-4 + 7e-11 * lab.shuffles * (2 * n) ** 2, voted(lab)
    letters, _ = reads(lab)
    numbers = 4 * (2 * n) ** 2
    features, copies = min(2.0 * n * letters**lab.length, FEATURES), min(3.0 * flips * Q * n, COPIES)
    slower = ("n", "length", "longer") if lab.contaminated else ("n", "length")
    parts = [
        measured("the subsequence kernel", 3e-3 + kernel, numbers + 1.5 * features, slower),
        measured("the permutation test", plain, numbers + lab.shuffles * n / 2, ("n", "shuffles")),
        measured("MONK's test", monk, numbers + copies + 3 * flips * n, ("flips", "blocks", "n")),
    ]
    if lab.samples:
        each = kernel + plain + monk
        numbers += features + copies
        parts.append(measured("the repeated draws of reads", lab.samples * each, numbers, ("samples", "n"), late=True))
    return parts


def gram(lab: Any) -> float:
    """Return the seconds for the Gram matrix: by one feature per string of p letters, or pair by pair."""
    letters, longest = reads(lab)
    padded = longest * (lab.longer if lab.contaminated else 1)  # all reads are padded to the length of the longest
    read, p = 2 * lab.n * padded, lab.length
    by_features = 8e-10 * read * letters ** (p - 1) + 2e-11 * (2 * lab.n) ** 2 * letters**p
    by_pairs = 7e-10 * p * read**2
    return 5e-4 + (4e-8 * p - 3e-8) * read + min(by_features, by_pairs)


def voted(lab: Any) -> float:
    """Return the seconds for MONK's test, where every flip of signs makes another sample."""
    n, flips, Q = lab.n, lab.flips, lab.blocks
    if lab.method == "direction":
        return PARTITIONS * flips * (3e-7 + 8e-11 * Q * n**2 + 1.7e-8 * Q**2) + 1e-3
    if lab.method == "bcd":
        return ITERATIONS * (6e-5 + 4e-6 * Q + 3e-9 * n**2 + flips * (5e-9 * n + 4e-8 * Q + 8e-11 * n**2 / Q))
    return 1.2e-3 + 10 * (1e-8 * n**2 + flips * 1.2e-10 * n**2 / Q) + ITERATIONS * flips * Q * 2e-8


def reads(lab: Any) -> tuple[int, int]:
    """Return the size of the alphabet and the length of the longest read."""
    return _alphabet(lab.own) if lab.source == "file" and lab.own is not None else (LETTERS, LONGEST)


@lru_cache(8)
def _alphabet(strings):
    return len(strings.alphabet), strings.longest
