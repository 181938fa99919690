"""Labels of two groups drawn again given covariates, and the statistic of the residuals of labels and outcomes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.discrepancy.resampling.permutation import BATCH, check_cancelled
from explorer.rng import stream
from explorer.types import Gram, Mask, Matrix, Rng, Vector

from .embedding import ConditionalEmbedding
from .leave_one_out import Refits

STEPS = 30  # steps of a chain, enough for its labels to be independent of the initial ones


def draw_labels(chance: Vector, count: int, rng: Rng) -> Iterator[Mask]:
    """Yield labels of who is treated, shape (BATCH, n), with probabilities p_i, given that both groups have rows.

    Samples with an empty group are refused, so no draw may have one. A larger count only appends, to the last bit,
    because products of batches of one size are rounded alike.

    Parameters
    ----------
    chance : ndarray of shape (n,)
        Probability p_i that row i is treated.
    count : int
        Least number of draws.
    rng : int, Generator or None
        Seed or generator.

    Yields
    ------
    ndarray of bool, shape (BATCH, n)
        One draw in each row.
    """
    generator = stream(rng, "treatment")
    # Probability that at least one control, and at least one treated row, comes after each row.
    with np.errstate(divide="ignore"):  # an estimated probability may be rounded to 0 or 1
        logs = np.log(chance), np.log1p(-chance)
    control, other = (-np.expm1(np.append(np.cumsum(log[:0:-1])[::-1], 0.0)) for log in logs)
    for _ in range(0, count, BATCH):
        check_cancelled()
        uniform = generator.random((BATCH, len(chance)))
        drawn = np.empty(uniform.shape, dtype=bool)
        treated, untreated = np.zeros((2, len(drawn)), dtype=bool)  # whether there is a row of each so far
        for i, p in enumerate(chance):
            one = p * np.where(untreated, 1.0, control[i])
            none = (1 - p) * np.where(treated, 1.0, other[i])
            drawn[:, i] = uniform[:, i] * (one + none) < one
            treated |= drawn[:, i]
            untreated |= ~drawn[:, i]
        yield drawn


def draw_labels_by_odds(odds: Vector, marked: Mask, count: int, rng: Rng) -> Iterator[Mask]:
    """Yield labels with as many ones as `marked` and P(g) ∝ Π o_i^(g_i), shape (BATCH, n), `count` draws or more.

    This is the pairwise sampler of Berrett, Wang, Barber, Samworth 2020 (J. R. Stat. Soc. B 82, 175; algorithm 1). A
    step pairs ones and zeros at random, min(n_0, n_1) pairs, and exchanges the labels of a one at i and a zero at j
    with probability o_j / (o_i + o_j). 30 steps lead from the labels to a hub, and 30 from the hub to each draw. The
    steps are reversible, so labels and draws are exchangeable at any number of steps if the odds are right.
    """
    generator = stream(rng, "odds")
    hub = _walked(odds, marked[None], generator)
    for _ in range(0, count, BATCH):
        check_cancelled()
        yield _walked(odds, np.repeat(hub, BATCH, axis=0), generator)


def _walked(odds, labels, generator):
    """Return labels (b, n) after STEPS steps of the chains that begin at the given labels."""
    rows = np.arange(len(labels))[:, None]
    ones, zeros = (np.nonzero(each)[1].reshape(len(labels), -1) for each in (labels, ~labels))
    pairs = min(ones.shape[1], zeros.shape[1])
    for _ in range(STEPS):
        longer = ones if ones.shape[1] > pairs else zeros
        generator.permuted(longer, axis=1, out=longer)
        i, j = ones[:, :pairs], zeros[:, :pairs]
        exchanged = generator.random(i.shape) * (odds[i] + odds[j]) < odds[j]
        ones[:, :pairs], zeros[:, :pairs] = np.where(exchanged, j, i), np.where(exchanged, i, j)
    drawn = np.zeros_like(labels)
    drawn[rows, ones] = True
    return drawn


def squared_norms(residuals: Matrix, products: Matrix) -> Vector:
    """Return the squared norms of 1/n Σ_i r_i f_i, shape (b,), for rows of residuals r and inner products of the f_i.

    Parameters
    ----------
    residuals : ndarray of shape (b, n)
        Residuals r of the labels, one draw in each row.
    products : ndarray of shape (n, n)
        Inner products <f_i, f_j>.

    Returns
    -------
    ndarray of shape (b,)
        One squared norm for each row of residuals, at least 0.
    """
    return np.maximum(np.einsum("bi,bi->b", residuals @ products, residuals), 0.0) / len(products) ** 2


def residual_products(
    K: Gram, L: Gram, lam: float | None, decomposed: tuple[Vector, Matrix] | None = None
) -> tuple[Matrix, float]:
    """Return the inner products (n, n) of the residuals k_y(y_i, .) - μ̂(x_i), and λ of the regression.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix of x.
    L : ndarray of shape (n, n)
        Gram matrix of y.
    lam : float or None
        Regulariser λ of the `ConditionalEmbedding` μ̂ of all rows. None takes the λ with the least leave-one-out score.
    decomposed : tuple of (ndarray, ndarray) or None, default None
        Eigenvalues and eigenvectors of K, if several y share it.

    Returns
    -------
    products : ndarray of shape (n, n)
        Inner products of the residuals.
    lam : float
        The regulariser that was used.
    """
    lam = ConditionalEmbedding(lam=lam).lam  # refuses invalid values of λ
    regression = Refits(K, L, decomposed=decomposed)
    lam = regression.best() if lam is None else lam
    return regression.residual_products(lam), lam
