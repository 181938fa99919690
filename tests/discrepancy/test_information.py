"""Mutual information by nearest neighbours: a second estimate, Gaussian pairs, and the test's level."""

import math

import numpy as np
import pytest
from scipy.special import digamma
from scipy.stats import binom

from explorer import hsic_test
from explorer.discrepancy import information_correlation, information_test, mutual_information


def literal(x, y, k):
    """Compute equation (8) of Kraskov, Stögbauer and Grassberger, written out."""
    dx, dy = (np.abs(np.subtract.outer(z / z.std(), z / z.std())) for z in (x, y))
    apart = np.maximum(dx, dy)
    np.fill_diagonal(apart, np.inf)
    radius = np.sort(apart, axis=1)[:, k - 1]
    counts = [(d < radius[:, None]).sum(axis=1) for d in (dx, dy)]  # the point itself among them: n_x + 1
    return max(0.0, digamma(k) + digamma(len(x)) - np.mean(digamma(counts[0]) + digamma(counts[1])))


@pytest.mark.parametrize("k", [1, 3, 7])
def test_the_estimate_written_out(k):
    x, e = np.random.default_rng(k).normal(size=(2, 60))
    assert mutual_information(x, x**2 + e, k) == pytest.approx(literal(x, x**2 + e, k), abs=1e-9)


def test_gaussian_pairs_have_the_information_of_their_correlation():
    """-log(1 - r²)/2, within five standard errors of ten samples."""
    r, rng = 0.8, np.random.default_rng(0)
    found = []
    for _ in range(10):
        x, e = rng.normal(size=(2, 400))
        found.append(mutual_information(x, r * x + math.sqrt(1 - r**2) * e))
    truth = -math.log(1 - r**2) / 2
    assert abs(np.mean(found) - truth) < 5 * np.std(found) / math.sqrt(10)
    assert information_correlation(truth) == pytest.approx(r)
    assert information_correlation(-1.0) == 0.0


def test_the_test_has_the_orders_of_hsic():
    x, e = np.random.default_rng(1).normal(size=(2, 40))
    y = x**2 + 0.3 * e
    test = information_test(x, y, n_resamples=39, rng=5)
    assert test.pvalue == 1 / 40
    assert test.statistic == mutual_information(x, y)
    assert test.correlation > test.limit(0.05)
    from explorer.discrepancy import permutations

    first = next(iter(permutations(40, 39, 5)))[0]
    assert test.null_distribution[0] == mutual_information(x, y[first])
    assert len(hsic_test(x, y, n_resamples=39, rng=5).null_distribution) == 39
    assert str(test).startswith("Mutual information is ")
    assert information_test(x, y, n_resamples=39, rng=5, stopped=lambda: True) is None


def test_columns_of_few_values_and_constants_do_not_fail():
    x = np.repeat([0.0, 1.0], 20)
    assert mutual_information(x, x) > mutual_information(x, np.tile([0.0, 1.0], 20))
    assert information_test(x, np.zeros(40), n_resamples=19, rng=0).pvalue > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50, 200])
def test_level(n):
    """1,000 nulls inside the binomial interval of 1 - 1e-6."""
    rng, rejected = np.random.default_rng(n), 0
    for i in range(1000):
        x, y = rng.normal(size=(2, n))
        rejected += information_test(x, y, n_resamples=19, rng=i).pvalue <= 0.05
    low, high = binom.interval(1 - 1e-6, 1000, 0.05)
    assert low <= rejected <= high


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda x: mutual_information(np.ones((9, 2)), x), "x has 2 columns"),
        (lambda x: mutual_information(x, x[:5]), "equally many"),
        (lambda x: mutual_information(x[:3], x[:3]), "no 3 neighbours"),
        (lambda x: mutual_information(x, x, 0), "at least 1"),
    ],
)
def test_what_does_not_go_together_is_a_sentence(call, says):
    with pytest.raises(ValueError, match=says):
        call(np.arange(9.0))
