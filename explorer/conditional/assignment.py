"""Labels of two groups drawn anew given covariates, and the statistic of residuals of labels and outcomes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.discrepancy.permutation import BATCH
from explorer.rng import stream
from explorer.stopping import check_cancelled
from explorer.types import Gram, Mask, Matrix, Rng, Vector

from .embedding import ConditionalEmbedding
from .leave_one_out import Refits

STEPS = 30  # of a chain, after which labels have forgotten where they began


def draw_labels(chance: Vector, count: int, rng: Rng) -> Iterator[Mask]:
    """Who is treated, (BATCH, n) at a time, `count` draws or more, p_i (n,) given that both groups have rows.

    Samples in which a group is empty are refused, so no draw may have one. A larger count only appends, to the last
    bit: products of batches of one size are rounded alike.
    """
    generator = stream(rng, "treatment")
    # the probability that a control, and that a treated row, comes after each row
    with np.errstate(divide="ignore"):  # an estimated probability may be 0 or 1 but for rounding
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
    """Labels with as many ones as `marked` (n,) has and P(g) ∝ Π o_i^(g_i), (BATCH, n) at a time, `count` or more.

    The pairwise sampler of Berrett, Wang, Barber, Samworth 2020 (J. R. Stat. Soc. B 82, 175; algorithm 1): a step pairs
    ones and zeros at random, min(n_0, n_1) pairs, and exchanges the labels of a one at i and a zero at j with
    probability o_j / (o_i + o_j). 30 steps lead from the labels to a hub, and 30 from the hub to each draw. The steps
    are reversible, so labels and draws are exchangeable at any number of steps if the odds are right.
    """
    generator = stream(rng, "odds")
    hub = _walked(odds, marked[None], generator)
    for _ in range(0, count, BATCH):
        check_cancelled()
        yield _walked(odds, np.repeat(hub, BATCH, axis=0), generator)


def _walked(odds, labels, generator):
    """Labels (b, n) after STEPS steps of the chains that begin at these."""
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
    """|1/n Σ_i r_i f_i|² for rows of residuals r (b, n), and products <f_i, f_j> (n, n), (b,)."""
    return np.maximum(np.einsum("bi,bi->b", residuals @ products, residuals), 0.0) / len(products) ** 2


def residual_products(
    K: Gram, L: Gram, lam: float | None, decomposed: tuple[Vector, Matrix] | None = None
) -> tuple[Matrix, float]:
    """Return the products (n, n) of the residuals k_y(y_i, .) - μ̂(x_i), and λ of the regression.

    K and L (n, n) are the Gram matrices of x and y, μ̂ is the `ConditionalEmbedding` of all rows, and None takes the λ
    of its least leave-one-out score. `decomposed` holds K's eigenvalues and eigenvectors if several y share it.
    """
    lam = ConditionalEmbedding(lam=lam).lam  # which refuses what is no λ
    regression = Refits(K, L, decomposed=decomposed)
    lam = regression.best() if lam is None else lam
    return regression.residual_products(lam), lam
