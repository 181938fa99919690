"""An exact test of a sum: under the null hypothesis each of its terms has either sign with the same chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.types import Vector

from .permutation import SLACK

SUMS = 24  # whose 2^24 signs are counted as pairs of two times 2^12, in a millisecond


class SignTest(NamedTuple):
    """The share of all 2^sums changes of sign that reach the observed total, with the change that changes none."""

    pvalue: float
    sums: int


def sign_test(terms: Vector, magnitudes: Vector) -> SignTest:
    """P(Σ ±|h_i| >= Σ h_i) over fair signs for terms h (r,), a SignTest.

    p is exact if each term has either sign with the same chance, given the sizes and the other signs: P(p <= α) <= α
    for any |h_i|.

    magnitudes  (r,) of what each term is summed from: a term below 64 eps of its own is 0, and totals that differ by
                less than 64 eps of all are ties

    Up to 24 terms, every change of sign is counted. More terms are dealt to 24 sums, the largest |h_i| first, and the
    signs of the sums are changed: these are some of all changes, chosen by the |h_i| alone, so p stays exact.
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
    """Σ ±v_i for every choice of signs of values (k,), (2^k,)."""
    totals = np.zeros(1)
    for value in values:
        totals = np.concatenate([totals + value, totals - value])
    return totals
