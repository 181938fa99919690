"""The estimate that a learner starts from: rows that count several times are as many rows."""

import numpy as np
import pytest

from explorer import KME, SKMSE, Gaussian, Laplacian
from explorer.learning.estimates import counted_rows, estimate, kernel_of

X = np.random.default_rng(4).normal(size=(6, 2))
COUNTS = np.array([2.0, 0.0, 1.0, 3.0, 0.0, 1.0])


def test_rows_that_count_nothing_go():
    rows, counts = counted_rows(X, COUNTS)
    assert rows.tolist() == X[[0, 2, 3, 5]].tolist()
    assert counts.tolist() == [2.0, 1.0, 3.0, 1.0]


def test_without_weights_all_rows_stay():
    rows, counts = counted_rows(X, None)
    assert rows is X
    assert counts is None


@pytest.mark.parametrize("estimator", [None, KME(), SKMSE(lam=0.5)])
@pytest.mark.parametrize("kernel", [None, Gaussian(0.7)])
def test_a_row_that_counts_three_times_is_three_rows(kernel, estimator):
    by_counts = estimate(kernel, estimator, *counted_rows(X, COUNTS))
    repeated = estimate(kernel, estimator, np.repeat(X, COUNTS.astype(int), axis=0))
    assert by_counts.kernel.bandwidth == pytest.approx(repeated.kernel.bandwidth, rel=1e-12)
    assert by_counts.embedding.distance(repeated.embedding) < 1e-7  # the root of a square's rounding
    assert by_counts.embedding.weights.sum() == pytest.approx(repeated.embedding.weights.sum())


def test_the_kernel_is_the_one_given_or_else_the_estimator_s():
    mine, theirs = Laplacian(2.0), Gaussian(0.3)
    assert kernel_of(mine, KME(theirs)) is mine
    assert kernel_of(None, KME(theirs)) is theirs
    assert kernel_of(None, KME()) == kernel_of(None, None) == Gaussian()
