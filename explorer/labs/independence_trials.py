"""The Independence lab's tests.

Of one pairing by HSIC under one kernel, with what shows the shape of the dependence.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.discrepancy import DependenceTest, GammaResult, Pairing, TestResult, permutations
from explorer.discrepancy.permutation import SLACK
from explorer.estimators import MKME
from explorer.kernels import Energy, Gaussian, Kernel, Linear, Polynomial
from explorer.model import frozen
from explorer.operators import CrossCovariance
from explorer.workbench.steps import log_steps, with_value

from .independence_sources import DATA_FIELDS, placed

KERNELS = {"LIN": Linear(), "POLY2": Polynomial(2), "RBF": None, "distance": Energy()}
SIGMAS = [0.0, *log_steps(0.1, 10)]  # of the marginalized estimators, in medians
DRAFT, INLINE = 199, 1.2e7  # shuffles while a hand moves, where all would gather more than so many entries
TABLED = 999  # shuffles up to which every σ has a row of its own
LEAST = 4  # pairs that a test needs
ALONG, ACROSS = 40, 28  # places of the plane where the pairs' density is compared with that of independence
CELLS = 36  # of the Gram matrices' picture, along one side; fewer pairs have cells of more than one
WIDE = 1.06  # of a half side: how far a picture goes


class Trial(NamedTuple):
    """One test, and its shape. test and gamma are the library's, σ in units of x and of y; correlation is HSIC(x, y) /
    sqrt(HSIC(x, x) HSIC(y, y)), limit the one from which p is at most the level; share the part of HSIC that the
    leading pair of functions has, together how they correlate, f (ALONG,) and g (ACROSS,) the pair at the picture's
    places, field (ACROSS *
    ALONG,) the cross-covariance there, row by row from below; cells as the function of that name."""

    test: TestResult
    gamma: GammaResult
    sigmas: tuple[float, float]
    correlation: float
    limit: float
    share: float
    together: float
    f: np.ndarray
    g: np.ndarray
    field: np.ndarray
    cells: np.ndarray


def size(lab):
    """How many pairs there are."""
    return (0 if lab.source == "drawn" else lab.n) + len(placed(lab.placed))


def data_key(lab):
    """The fields that the pairs depend on."""
    return tuple(frozen(getattr(lab, field)) for field in DATA_FIELDS)


def draft(lab):
    """How many shuffles there is time for while a hand moves."""
    return lab.shuffles if lab.shuffles * size(lab) ** 2 <= INLINE else min(DRAFT, lab.shuffles)


def trial_key(lab, count):
    """Under which key a lab's cache has its trial with so many shuffles."""
    rbf = lab.kernel == "RBF"
    return "trial", data_key(lab), lab.kernel, lab.level, count, (lab.bandwidth, lab.sigma) if rbf else None


def stops(lab):
    """The σ that the slider stops at."""
    return SIGMAS if lab.sigma is None else with_value(SIGMAS, lab.sigma)


def kernels(lab, medians) -> tuple[Kernel, Kernel]:
    """The kernels of both sides, without σ's noise."""
    if lab.kernel != "RBF":
        return KERNELS[lab.kernel], KERNELS[lab.kernel]
    return tuple(Gaussian(lab.bandwidth * median) for median in medians)


def estimators(sigma, medians):
    """What stands for each side's kernel mean; None for the plain means."""
    if sigma == 0:
        return None
    return tuple(MKME() if sigma is None else MKME(sigma=sigma * median) for median in medians)


def orders(n, count, seed, cached):
    """The orders of n pairs that every test of them uses, in batches."""
    return cached(("orders", n, count, seed), lambda: tuple(permutations(n, count, seed)))


def wider(kernel, sigma):
    """The RBF kernel that is, but for a factor, the mean of this one between points with noise σ: θ² + 2σ² for θ²."""
    return kernel.widened(2 * sigma**2, 1)[0] if sigma else kernel


def trial(lab, pairs, medians, sigma, count, cached):
    """The Trial of the lab's pairs under its kernels at a σ, with `count` shuffles.

    The same ones for every kernel and σ.
    """
    pairing = Pairing(pairs.X, pairs.Y, *kernels(lab, medians), "biased", estimators(sigma, medians))
    own = DependenceTest.of(pairing, count, lab.seed, orders(pairs.n, count, lab.seed, cached))
    test, gamma, sigmas = own.test, own.gamma, own.sigmas
    if math.isinf(gamma.shape):  # HSIC is the same in every order: a side of equal values, which goes with nothing
        return Trial(test, gamma, sigmas, 0.0, 1.0, *_no_shape(), cells(pairing, pairs.X[:, 0]))
    shape = _shape(pairs, tuple(map(wider, pairing.kernels, sigmas)))
    coefficients = own.correlation.value, own.correlation.limit(lab.alpha)
    return Trial(test, gamma, sigmas, *coefficients, *shape, cells(pairing, pairs.X[:, 0]))


def grid(pairs):
    """Where the pictures of functions are drawn: x (ALONG,) and y (ACROSS,)."""
    cx, cy, half, high = pairs.frame
    return (
        np.linspace(cx - WIDE * half, cx + WIDE * half, ALONG),
        np.linspace(cy - WIDE * high, cy + WIDE * high, ACROSS),
    )


def places(pairs):
    """The same as points of x's space (ALONG, d), the other columns at their medians, and of y's (ACROSS, 1)."""
    x, y = grid(pairs)
    rows = np.tile(np.median(pairs.X, axis=0), (ALONG, 1))
    rows[:, 0] = x
    return rows, y[:, None]


def _no_shape():
    return 0.0, 0.0, np.zeros(ALONG), np.zeros(ACROSS), np.zeros(ALONG * ACROSS)


def _shape(pairs, both):
    """share, together, f, g and field of a Trial."""
    operator = CrossCovariance(*both).fit(pairs.X, pairs.Y)
    x, y = places(pairs)
    f, g = operator.left(x), operator.right(y)
    sign = 1.0 if f[-ALONG // 4 :].sum() >= 0 else -1.0  # a pair has no sign of its own: f rises at the right end
    return operator.share(), operator.correlation(), sign * f, sign * g, operator(x, y).T.ravel()


def cells(pairing, x):
    """The centred Gram matrices in the order of x, (CELLS * CELLS,) row by row.

    That of x below the diagonal, that of y above it, the root of each entry by the largest, with its sign; means of the
    entries where there are more pairs than cells.
    """
    order = np.argsort(x, kind="stable")
    A, B = (_tinted(_resized(side.A[np.ix_(order, order)]), SLACK * side.size) for side in (pairing.x, pairing.y))
    return np.where(np.tri(CELLS, k=-1, dtype=bool), A, B).ravel()


def _tinted(M, rounding):
    """The root of each entry but the diagonal's by the largest, with its sign; 0 where all are rounding."""
    M = np.where(np.eye(CELLS, dtype=bool), 0.0, M)
    largest = np.abs(M).max()
    return np.sign(M) * np.sqrt(np.abs(M) / largest) if largest > rounding else np.zeros_like(M)


def _resized(M):
    starts = (np.arange(CELLS) * len(M)) // CELLS
    if len(M) <= CELLS:
        return M[np.ix_(starts, starts)]
    sizes = np.diff([*starts, len(M)])
    return np.add.reduceat(np.add.reduceat(M, starts, axis=0), starts, axis=1) / np.outer(sizes, sizes)
