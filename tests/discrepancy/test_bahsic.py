"""Backward elimination by HSIC: removals computed in a second way, and columns kept that matter only jointly."""

import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer import Delta, Gaussian, Linear, hsic, median_bandwidth
from explorer.discrepancy import bahsic, rank_columns


def greedy(X, y):
    """Compute BAHSIC by tr(KHLH) of each set, written out."""
    n = len(X)
    H = np.eye(n) - 1 / n

    def value(columns):
        K, L = (Gaussian(median_bandwidth(Z))(Z) for Z in (X[:, columns], y))
        return np.trace(K @ H @ L @ H) / n**2

    left, gone, values = list(range(X.shape[1])), [], []
    while left:
        values.append(value(left))
        if len(left) == 1:
            break
        worst = max(left, key=lambda j: value([i for i in left if i != j]))
        left.remove(worst)
        gone.append(worst)
    return [left[0], *gone[::-1]], values[::-1]


@pytest.mark.parametrize("seed", range(3))
def test_each_removal_leaves_the_largest_hsic(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 5))
    y = X[:, [0]] ** 2 + X[:, [3]] + 0.3 * rng.normal(size=(40, 1))
    found, (order, values) = bahsic(X, y), greedy(X, y)
    assert found.names == tuple(f"column {j + 1}" for j in order)
    np.testing.assert_allclose(found.statistic, values, rtol=1e-9)
    assert found.statistic[-1] == pytest.approx(hsic(X, y))
    assert ((found.correlation > 0) & (found.correlation <= 1)).all()


def test_the_correlation_is_the_cosine_of_centred_gram_matrices():
    X = np.random.default_rng(4).normal(size=(12, 3))
    y = X[:, 1] ** 2
    found = bahsic(X, y, Gaussian(1.5), Gaussian(0.6))

    def centred(kernel, Z):
        K = kernel(Z)
        return (K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()).ravel()

    L = centred(Gaussian(0.6), y[:, None])
    for k in (1, 2, 3):
        K = centred(Gaussian(1.5), X[:, [int(name.removeprefix("column ")) - 1 for name in found.names[:k]]])
        cosine = K @ L / (np.linalg.norm(K) * np.linalg.norm(L))
        assert found.correlation[k - 1] == pytest.approx(cosine, rel=1e-12)  # rounding of sums of 144 terms


def test_columns_that_mean_something_only_together_stay_together():
    X = np.random.default_rng(0).normal(size=(150, 6))
    y = np.sign(X[:, 1] * X[:, 4])
    assert set(bahsic(X, y, kernel_y=Delta()).names[:2]) == {"column 2", "column 5"}
    assert rank_columns(X, y, kernel_y=Delta(), n_resamples=199, rng=0).pvalue.min() > 0.05


def test_of_two_columns_that_say_the_same_one_leaves_early():
    rng = np.random.default_rng(1)
    x, z, rest = rng.normal(size=(3, 100))
    table = {"x": x, "copy": x + 1e-3 * rng.normal(size=100), "z": z, "noise": rest}
    names = bahsic(table, np.sin(2 * x) + z).names
    assert {"z"} < set(names[:2]) < {"x", "copy", "z"}


def test_kernels_by_a_function_of_the_columns_left_and_names_of_a_table():
    X, y = np.random.default_rng(2).normal(size=(2, 30, 3))
    seen = []

    def of_set(Z):
        seen.append(Z.shape[1])
        return Gaussian(2.0)

    found = bahsic(pd.DataFrame(X, columns=list("abc")), y, of_set, Linear())
    np.testing.assert_array_equal(found.statistic, bahsic(X, y, Gaussian(2.0), Linear(), names=list("abc")).statistic)
    assert seen == [3, 2, 2, 2, 1, 1]
    assert re.search(naming(found.names[0], "3 columns"), str(found))
    assert bahsic(X[:, :1], y).names == ("column 1",)


def test_columns_that_tie_leave_from_the_last_one_on():
    x = np.arange(12.0)
    assert bahsic(np.column_stack([x, x, x]), x).names == ("column 1", "column 2", "column 3")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda X: bahsic({}, X), "no columns"),
        (lambda X: bahsic(X, X[:4]), "equally many"),
        (lambda X: bahsic(X, X, names=["a", "a"]), "each its own"),
        (lambda X: bahsic(pd.DataFrame(X), X, names=["a", "b"]), "given twice"),
        (lambda X: bahsic({"a": X[:, 0], "b": X[:3, 0]}, X), "equally long"),
        (lambda X: bahsic(X, X, kernel_x=3), naming("kernel_x", "function")),
    ],
)
def test_what_does_not_go_together_is_a_sentence(call, says):
    with pytest.raises((ValueError, TypeError), match=says):
        call(np.random.default_rng(3).normal(size=(8, 2)))


def test_a_column_is_rejected_at_its_own_p():
    X = np.random.default_rng(0).normal(size=(20, 2))
    ranking = rank_columns(X, X[:, 0], n_resamples=19, rng=0)
    assert ranking.pvalue.min() == 0.05
    assert ranking.rejected(0.05).sum() == (ranking.pvalue == 0.05).sum()
    assert not ranking.rejected(0.049).any()
