"""Many tests that share their resamples: one p for each, adjusted so that their level holds over all together."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Vector

TIES = 1e-9  # relative: statistics of two splits that differ by less differ by rounding alone; counted as ties


def pvalues(statistics: Matrix) -> Vector:
    """The p of each of d tests, (d,), from statistics (B + 1, d), not below 0, the observed first: ties count."""
    return np.mean(statistics >= statistics[0] * (1 - TIES), axis=0)


def adjusted_pvalues(statistics: Matrix) -> Vector:
    """Step-down p-values (d,) of d tests from statistics (B + 1, d), not below 0, the observed first.

    Westfall and Young 1993 (Resampling-Based Multiple Testing, algorithm 4.1): the largest statistic is compared with
    the maximum of all in each resample, the next with the maximum of the others, and so on, and no p is below one
    before it. Where all hypotheses hold, P(any adjusted p <= level) <= level for every B, whatever the tests have in
    common. To weigh the tests alike, a statistic is first standardised: its cube root, which is about normal for a sum
    of squares (Wilson and Hilferty 1931), less its mean and over its deviation in all B + 1. The observed split is one
    of them, so that they stay exchangeable.
    """
    z = standardised(statistics)
    order = np.argsort(-z[0], kind="stable")
    reached, adjusted = np.full(len(z), -np.inf), np.empty(len(order))
    for j in order[::-1]:
        np.maximum(reached, z[:, j], out=reached)
        adjusted[j] = np.mean(reached >= z[0, j] - TIES)
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    return adjusted


def thresholds(statistics: Matrix, level: float) -> Vector:
    """The statistics (d,) from which on a column, as the first of all, has an adjusted p of at most the level.

    The least maximum of a resample that has it: of ties, the next value above those that have not. inf where no p can
    be as small, and of what is constant.
    """
    z, roots = standardised(statistics), np.cbrt(statistics)
    most = np.sort(z[1:].max(axis=1))[::-1]
    allowed = int(level * len(z) * (1 + TIES))  # splits that reach it, the observed one included
    if allowed < 1 or np.isneginf(z).all():
        return np.full(len(z.T), np.inf)
    above = most[most > most[allowed - 1]]
    least = above[-1] if len(above) else most[allowed - 1]
    found = (roots.mean(axis=0) + least * roots.std(axis=0)) ** 3
    return np.where(np.isneginf(z[0]), np.inf, found)


def standardised(statistics: Matrix) -> Matrix:
    """Cube roots less their mean and over their deviation, column by column; -inf where all are equal."""
    roots = np.cbrt(statistics)
    mean, spread = roots.mean(axis=0), roots.std(axis=0)
    varies = spread > TIES * mean
    return np.divide(roots - mean, spread, out=np.full_like(roots, -np.inf), where=varies)


def holm(pvalues: Vector) -> Vector:
    """p-values (k,) of tests with resamples of their own, adjusted for all k as Holm 1979 (Scand. J. Stat. 6, 65) does.

    The least p times k, the next times k - 1, and so on, at most 1 and never below one before it: whatever the tests
    have in common, P(some adjusted p of a true hypothesis <= level) <= level.
    """
    order = np.argsort(pvalues, kind="stable")
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.maximum.accumulate(np.arange(len(order), 0, -1) * pvalues[order]), 1.0)
    return adjusted
