"""Exact sign-flip test of a sum: under the null hypothesis each term has either sign with the same probability."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.types import Vector

from .permutation import SLACK

SUMS = 24  # largest number of sums: their 2^24 signs are counted as pairs of two times 2^12, in a millisecond


class SignTest(NamedTuple):
    """Share of all 2^sums changes of sign that reach the observed total, including the change of none."""

    pvalue: float
    sums: int


def sign_test(terms: Vector, magnitudes: Vector) -> SignTest:
    """Compute ``P(Σ ±|h_i| >= Σ h_i)`` over fair signs for terms h (r,).

    p is exact if each term has either sign with the same probability, given the sizes and the other signs: P(p <= α) <=
    α for any ``|h_i|``. `magnitudes` (r,) hold the sum of the magnitudes from which each term is computed. A term below
    64 eps of its own magnitude is 0, and totals that differ by less than 64 eps of all magnitudes are ties.

    Up to 24 terms, every change of sign is counted. More terms are dealt to 24 sums, the largest ``|h_i|`` first, and
    the signs of the sums are changed. These changes are chosen by the ``|h_i|`` alone, so p stays exact.
    """
    size = np.abs(terms)
    largest = np.argsort(-size, kind="stable")
    largest = largest[size[largest] > SLACK * magnitudes[largest]]
    count = min(len(largest), SUMS)
    sums = np.array([terms[largest[i::SUMS]].sum() for i in range(count)])
    left, right = _signed_totals(sums[: count // 2]), np.sort(_signed_totals(sums[count // 2 :]))
    enough = sums.sum() - SLACK * magnitudes.sum()
    reaching = len(right) - np.searchsorted(right, enough - np.sort(left))
    return SignTest(int(reaching.sum()) / 2**count, count)


def _signed_totals(values):
    """Return Σ ±v_i for every choice of signs of values (k,), shape (2^k,)."""
    totals = np.zeros(1)
    for value in values:
        totals = np.concatenate([totals + value, totals - value])
    return totals
