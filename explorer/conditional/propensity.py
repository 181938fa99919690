"""Probability of a label given covariates: logistic regression with a ridge chosen by held-out deviance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.special import expit

from explorer.discrepancy.resampling.permutation import SLACK, centred
from explorer.rng import stream
from explorer.types import Gram, Mask, Matrix, Points, Rng, Vector

RIDGES = 10.0 ** np.arange(3.0, -3.5, -0.5)  # penalties of the slopes of the design's columns, the largest first
FOLDS = 5
COMPONENTS = 20  # leading components of a kernel that replace all of them
STEPS, LONGEST, ENOUGH = 50, 3.0, 1e-10  # Newton's method: most steps, the longest step, and the step that ends it


class Propensity(NamedTuple):
    """Logistic regression of who is treated: log p/(1 - p) = a + b'x for the columns x of a design.

    Attributes
    ----------
    chance : ndarray of shape (n,)
        Probability p of each row.
    design : ndarray of shape (n, 1 + d)
        D, a column of ones and the columns x.
    slopes : ndarray of shape (1 + d,)
        (a, b).
    ridge : float
        ρ of the penalty ρ/2 |b|², which leaves a free.
    """

    chance: Vector
    design: Matrix
    slopes: Vector
    ridge: float

    def refit(self) -> tuple[Matrix, Vector, float]:
        """Return (S, s, df): treatments t drawn again have the residuals (t - p) - (t - p) D S + s after a refit.

        This is one Newton step from p: S = (D'VD + P)^-1 D'V and s = VD (D'VD + P)^-1 P (a, b), where V has the
        variances p (1 - p) and P is the penalty. df = tr (D S) are the effective degrees of freedom.

        Returns
        -------
        smoother : ndarray of shape (1 + d, n)
            S.
        pulled : ndarray of shape (n,)
            s.
        freedom : float
            df.
        """
        weighted = (self.chance * (1 - self.chance))[:, None] * self.design
        penalty = _penalty(self.design, self.ridge)
        curvature = self.design.T @ weighted + penalty
        smoother = np.asarray(np.linalg.solve(curvature, weighted.T), dtype=np.float64)
        pulled = weighted @ np.linalg.solve(curvature, penalty @ self.slopes)
        return smoother, pulled, float(np.einsum("ki,ik->", smoother, self.design))


def propensity_of(X: Points, treated: Mask, rng: Rng = None) -> Propensity:
    """Fit the Propensity of X, at the ridge of the least deviance on held-out rows.

    Five folds, or fewer if a group has fewer rows, have equal shares of both groups and are drawn by `rng`. If a group
    has one row, nothing can be held out, and the ridge is the largest.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Covariates.
    treated : ndarray of bool, shape (n,)
        Rows that are treated.
    rng : int, Generator or None, default None
        Seed or generator of the folds.

    Returns
    -------
    Propensity
        The fitted regression.
    """
    return fitted_to(design_of(X), treated, rng)


def fitted_to(design: Matrix, treated: Mask, rng: Rng = None) -> Propensity:
    """Fit the Propensity of a design (n, 1 + d) whose first column is ones, see `propensity_of`."""
    labels = treated.astype(float)
    ridge = _ridge(design, labels, _folds(treated, rng))
    (slopes,) = _logistic(design, labels, ridge, np.ones((1, len(design))), np.zeros((1, design.shape[1])))
    return Propensity(expit(slopes @ design.T), design, slopes, ridge)


def design_of(X: Points) -> Matrix:
    """Return a column of ones and the standardised columns of X, shape (n, 1 + d); a constant column is 0."""
    left, deviations = X - X.mean(axis=0), X.std(axis=0)
    varies = deviations > SLACK * np.abs(X).max(axis=0)
    return np.column_stack([np.ones(len(X)), np.where(varies, left / np.where(varies, deviations, 1.0), 0.0)])


def components_of(K: Gram) -> Matrix:
    """Return a column of ones and the 20 leading kernel principal components of K (n, n), or n/3 if those are fewer.

    A component's column is its eigenvector times the root of its eigenvalue, so that a ridge on the slopes is the ridge
    of kernel logistic regression.
    """
    n, K = len(K), centred(K)
    count = max(1, min(COMPONENTS, n // 3 - 1))
    gamma, U = scipy.linalg.eigh((K + K.T) / 2, subset_by_index=(n - count, n - 1))
    return np.column_stack([np.ones(n), U * np.sqrt(np.maximum(gamma, 0.0))])


def _folds(treated, rng):
    """Return the rows that each fold holds out, shape (f, n), or None if a group has one row."""
    count = min(FOLDS, int(treated.sum()), int((~treated).sum()))
    if count < 2:
        return None
    generator, fold = stream(rng, "folds"), np.empty(len(treated), dtype=int)
    first = treated == treated[0]  # the group of the first row, so that exchanging the groups' names changes no fold
    for rows, step in ((np.flatnonzero(first), 1), (np.flatnonzero(~first), -1)):
        fold[generator.permutation(rows)] = step * np.arange(len(rows)) % count
    return fold == np.arange(count)[:, None]


def _ridge(design, labels, held):
    """Return the ridge of the least deviance on held-out rows; the larger one if two are equal."""
    if held is None:
        return float(RIDGES[0])
    slopes, deviances = np.zeros((len(held), design.shape[1])), []
    for ridge in RIDGES:
        slopes = _logistic(design, labels, ridge, ~held, slopes)
        scores = slopes @ design.T
        deviances.append(float(((np.logaddexp(0.0, scores) - labels * scores) * held).sum()))
    return float(RIDGES[int(np.argmin(deviances))])


def _logistic(design, labels, ridge, counted, slopes):
    """Return slopes (f, 1 + d) of f regressions from initial `slopes`; the i-th counts rows by counted[i]."""
    penalty = _penalty(design, ridge)
    for _ in range(STEPS):
        chance = expit(slopes @ design.T)
        weighted = (counted * chance * (1 - chance))[:, :, None] * design
        gradient = (counted * (labels - chance)) @ design - slopes @ penalty
        step = np.linalg.solve(design.T @ weighted + penalty, gradient[:, :, None])[:, :, 0]
        slopes = slopes + np.clip(step, -LONGEST, LONGEST)
        if np.abs(step).max() < ENOUGH:
            break
    return slopes


def _penalty(design, ridge):
    penalty = ridge * np.eye(design.shape[1])
    penalty[0, 0] = 0.0
    return penalty
