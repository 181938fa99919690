"""Multiple tests that share their resamples: p-values adjusted so that the level holds over all tests together."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Vector

TIES = 1e-9  # relative difference below which the statistics of two splits are ties: they differ by rounding alone


def pvalues(statistics: Matrix) -> Vector:
    """Compute the p-value of each of d tests. Ties count.

    Parameters
    ----------
    statistics : ndarray of shape (B + 1, d)
        Statistics that are not below 0, the observed ones first.

    Returns
    -------
    ndarray of shape (d,)
        The p-values.
    """
    return np.mean(statistics >= statistics[0] * (1 - TIES), axis=0)


def adjusted_pvalues(statistics: Matrix) -> Vector:
    """Compute step-down p-values of d tests.

    The largest statistic is compared with the maximum of all statistics in each resample, the next with the maximum of
    the others, and so on. No p is below one before it. If all hypotheses hold, P(any adjusted p <= level) <= level for
    every B, however the tests depend on one another.

    Parameters
    ----------
    statistics : ndarray of shape (B + 1, d)
        Statistics that are not below 0, the observed ones first.

    Returns
    -------
    ndarray of shape (d,)
        The adjusted p-values.

    Notes
    -----
    To weigh the tests alike, a statistic is first standardised: its cube root, which is about normal for a sum of
    squares (Wilson and Hilferty 1931), minus its mean and over its deviation in all B + 1. The observed split is one of
    them, so that they stay exchangeable.

    References
    ----------
    Westfall and Young 1993 (Resampling-Based Multiple Testing, algorithm 4.1).
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
    """Compute the statistic from which on each column, as the largest of all, has an adjusted p of at most the level.

    It is the least maximum of a resample that has such a p. If maxima tie, it is the next value above those that do
    not.

    Parameters
    ----------
    statistics : ndarray of shape (B + 1, d)
        Statistics that are not below 0, the observed ones first.
    level : float
        Level over all tests together.

    Returns
    -------
    ndarray of shape (d,)
        The thresholds; inf if no p can be this small, and for a constant column.
    """
    z, roots = standardised(statistics), np.cbrt(statistics)
    most = np.sort(z[1:].max(axis=1))[::-1]
    allowed = int(level * len(z) * (1 + TIES))  # number of splits that may reach it, including the observed one
    if allowed < 1 or np.isneginf(z).all():
        return np.full(len(z.T), np.inf)
    above = most[most > most[allowed - 1]]
    least = above[-1] if len(above) else most[allowed - 1]
    found = (roots.mean(axis=0) + least * roots.std(axis=0)) ** 3
    return np.where(np.isneginf(z[0]), np.inf, found)


def standardised(statistics: Matrix) -> Matrix:
    """Return cube roots minus their mean and over their deviation, column by column.

    Parameters
    ----------
    statistics : ndarray of shape (B + 1, d)
        Statistics that are not below 0, the observed ones first.

    Returns
    -------
    ndarray of shape (B + 1, d)
        The standardised statistics; -inf in a column whose values are all equal.
    """
    roots = np.cbrt(statistics)
    mean, spread = roots.mean(axis=0), roots.std(axis=0)
    varies = spread > TIES * mean
    return np.divide(roots - mean, spread, out=np.full_like(roots, -np.inf), where=varies)


def holm(pvalues: Vector) -> Vector:
    """Adjust the p-values of k tests, each with resamples of its own, by Holm's method.

    The least p is multiplied by k, the next by k - 1, and so on, with at most 1 and never less than one before it.
    However the tests depend on one another, P(some adjusted p of a true hypothesis <= level) <= level.

    Parameters
    ----------
    pvalues : ndarray of shape (k,)
        The p-values.

    Returns
    -------
    ndarray of shape (k,)
        The adjusted p-values.

    References
    ----------
    Holm 1979 (Scand. J. Stat. 6, 65).
    """
    order = np.argsort(pvalues, kind="stable")
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.maximum.accumulate(np.arange(len(order), 0, -1) * pvalues[order]), 1.0)
    return adjusted
