"""The probability of a label given covariates: logistic regression with a ridge chosen by held-out deviance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.special import expit

from explorer.discrepancy.resampling.permutation import SLACK, centred
from explorer.rng import stream
from explorer.types import Gram, Mask, Matrix, Points, Rng, Vector

RIDGES = 10.0 ** np.arange(3.0, -3.5, -0.5)  # of the slopes of the design's columns, the largest first
FOLDS = 5
COMPONENTS = 20  # of a kernel, which stand for all of them
STEPS, LONGEST, ENOUGH = 50, 3.0, 1e-10  # of Newton's method: how many, how long one is at most, and which ends it


class Propensity(NamedTuple):
    """A logistic regression of who is treated: log p/(1 - p) = a + b'x of the columns x of a design.

    chance  p (n,)
    design  D (n, 1 + d), a column of ones and the columns
    slopes  (a, b), (1 + d,)
    ridge   ρ of the penalty ρ/2 |b|², which leaves a free
    """

    chance: Vector
    design: Matrix
    slopes: Vector
    ridge: float

    def refit(self) -> tuple[Matrix, Vector, float]:
        """(S, s, df): of treatments t drawn anew, the residuals t - p are (t - p) - (t - p) D S + s after a refit.

        That is one Newton step from p: S = (D'VD + P)^-1 D'V and s = VD (D'VD + P)^-1 P (a, b), of V the variances
        p (1 - p) and P the penalty, and df = tr (D S) the effective degrees of freedom.
        """
        weighted = (self.chance * (1 - self.chance))[:, None] * self.design
        penalty = _penalty(self.design, self.ridge)
        curvature = self.design.T @ weighted + penalty
        smoother = np.asarray(np.linalg.solve(curvature, weighted.T), dtype=np.float64)
        pulled = weighted @ np.linalg.solve(curvature, penalty @ self.slopes)
        return smoother, pulled, float(np.einsum("ki,ik->", smoother, self.design))


def propensity_of(X: Points, treated: Mask, rng: Rng = None) -> Propensity:
    """Fit the Propensity of X (n, d), at the ridge of least deviance on rows held out.

    Five folds, or fewer if a group has fewer rows, hold equal shares of both groups, drawn by `rng`. If a group has one
    row, nothing can be held out, and the ridge is the largest.
    """
    return fitted_to(design_of(X), treated, rng)


def fitted_to(design: Matrix, treated: Mask, rng: Rng = None) -> Propensity:
    """Fit the Propensity of a design (n, 1 + d) whose first column is ones, see `propensity_of`."""
    labels = treated.astype(float)
    ridge = _ridge(design, labels, _folds(treated, rng))
    (slopes,) = _logistic(design, labels, ridge, np.ones((1, len(design))), np.zeros((1, design.shape[1])))
    return Propensity(expit(slopes @ design.T), design, slopes, ridge)


def design_of(X: Points) -> Matrix:
    """A column of ones and the standardised columns of X, (n, 1 + d); a constant one is 0."""
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
    """Which rows each fold holds out, (f, n), or None if a group has one row."""
    count = min(FOLDS, int(treated.sum()), int((~treated).sum()))
    if count < 2:
        return None
    generator, fold = stream(rng, "folds"), np.empty(len(treated), dtype=int)
    first = treated == treated[0]  # whatever this group is called: exchanging the names changes no fold
    for rows, step in ((np.flatnonzero(first), 1), (np.flatnonzero(~first), -1)):
        fold[generator.permutation(rows)] = step * np.arange(len(rows)) % count
    return fold == np.arange(count)[:, None]


def _ridge(design, labels, held):
    """The ridge of least deviance on held-out rows; the larger one of two that are equal."""
    if held is None:
        return float(RIDGES[0])
    slopes, deviances = np.zeros((len(held), design.shape[1])), []
    for ridge in RIDGES:
        slopes = _logistic(design, labels, ridge, ~held, slopes)
        scores = slopes @ design.T
        deviances.append(float(((np.logaddexp(0.0, scores) - labels * scores) * held).sum()))
    return float(RIDGES[int(np.argmin(deviances))])


def _logistic(design, labels, ridge, counted, slopes):
    """Slopes (f, 1 + d) of f regressions, the i-th of which counts rows by counted[i]; `slopes` are where to begin."""
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
