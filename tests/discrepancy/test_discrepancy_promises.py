"""Numbers that docstrings promise of chance, by many draws: shares, ratios of variances, biases, levels."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from explorer import Energy, Gaussian, GaussianMixture, Linear, Polynomial, hsic, mmd2, mmd2_of_laws, monk_mmd
from explorer.discrepancy import hsic_ranks, linear_time, rank_columns
from explorer.discrepancy.mmd.power import variance
from explorer.discrepancy.resampling.sign_test import sign_test

pytestmark = pytest.mark.thorough

DRAWS = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "exponential": lambda rng, n, d: rng.exponential(size=(n, d)),
    "coins": lambda rng, n, d: rng.integers(2, size=(n, d)).astype(float),
    "t of 3": lambda rng, n, d: rng.standard_t(3, size=(n, d)),
}


def normals(shift):
    return (GaussianMixture([1.0], [[mean]], 1.0) for mean in (0.0, shift))


def within(count, draws, low, high):
    """Return whether the count fits a share between low and high, with an error of one in 10 000."""
    return binom.ppf(1e-4, draws, low) <= count <= binom.ppf(1 - 1e-4, draws, high)


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize("kernel", [Gaussian(1.5), Linear(), Polynomial(2), Energy()], ids=repr)
@pytest.mark.covered(times=2)  # its sign is that of a sum with mean 0, whatever is summed
def test_the_unbiased_statistic_is_negative_in_about_half_of_the_samples(kernel, draw):
    rng = np.random.default_rng(0)
    for n, m in ((5, 5), (30, 30), (5, 50)):
        negative = sum(mmd2(draw(rng, n, 3), draw(rng, m, 3), kernel) < 0 for _ in range(250))
        assert within(negative, 250, 0.4, 0.65), (n, m, negative)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear(), Energy()], ids=repr)
def test_under_equal_distributions_the_variance_of_h1_is_about_twice_the_truth(kernel):
    rng = np.random.default_rng(1)
    samples = [(rng.normal(size=(25, 1)), rng.normal(size=(25, 1))) for _ in range(1000)]
    truth = np.var([mmd2(X, Y, kernel) for X, Y in samples])  # 1000 draws give a skew variance to an eighth
    some = samples[:200]  # averages need fewer samples
    assert np.mean([variance(X, Y, kernel) for X, Y in some]) / truth == pytest.approx(2, rel=0.25)
    assert np.mean([variance(X, Y, kernel, "H0") for X, Y in some]) / truth == pytest.approx(1, rel=0.25)


@pytest.mark.parametrize(("shift", "least", "most"), [(0.8, 1.3, 3.5), (0.0, 2.0, 8.0)])
def test_the_last_iteration_of_bcd_varies_more_and_the_largest_is_too_large(shift, least, most):
    rng, k, values = np.random.default_rng(2), Gaussian(1.0), []
    for seed in range(150):
        result = monk_mmd(rng.normal(size=(100, 1)), rng.normal(size=(100, 1)) + shift, k, 7, rng=seed)
        values.append((result.value, result.history[-1], result.history.max()))
    mean, last, largest = np.array(values).T
    assert least < last.var() / mean.var() < most  # an F ratio of 150 draws is known to a sixth
    truth = mmd2_of_laws(*normals(shift), k) ** 0.5
    assert largest.mean() - truth > 2 * abs(mean.mean() - truth)


def test_just_above_twice_the_outliers_monk_is_too_large_and_with_twice_the_blocks_less_so():
    rng, k = np.random.default_rng(3), Polynomial(2)
    truth, biases = mmd2_of_laws(*normals(0.8), k) ** 0.5, []
    for blocks in (7, 15):
        found = []
        for seed in range(25):
            X, Y = rng.normal(size=(600, 1)), rng.normal(size=(600, 1)) + 0.8
            X[:3], Y[:3] = 100.0, 200.0
            found.append(monk_mmd(X, Y, k, blocks, rng=seed).value)
        biases.append(np.mean(found) - truth)
    # each known to 0.025
    assert biases == pytest.approx([0.2, 0.1], abs=0.08)


# kernels of one coordinate, and k(x, y) of arrays
OF_NUMBERS = {
    Gaussian(1.0): lambda x, y: np.exp(-((x - y) ** 2) / 2),
    Linear(): lambda x, y: x * y,
    Polynomial(2): lambda x, y: (x * y + 1) ** 2,
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize("kernel", OF_NUMBERS, ids=repr)
@pytest.mark.covered(times=1)  # the sums of terms are near normal by their number, whatever is summed
def test_many_terms_of_the_linear_statistic_have_the_normal_level(kernel, draw):
    """2000 samples at a time, and some by `linear_time`; those whose terms do not count as many have exact p."""
    samples, terms, k = 2000, 1000, OF_NUMBERS[kernel]
    x, x2, y, y2 = draw(np.random.default_rng(4), 4 * samples, terms).reshape(4, samples, terms)
    values = np.array([k(x, x2), k(y, y2), k(x, y2), k(x2, y)])
    h, magnitudes = np.tensordot([1.0, 1, -1, -1], values, 1), np.abs(values).sum(axis=0)
    many = (h**2).sum(axis=1) ** 2 >= 200 * (h**4).sum(axis=1)
    p = ndtr(-h.mean(axis=1) / h.std(axis=1, ddof=1) * np.sqrt(terms))
    p[~many] = [sign_test(*each).pvalue for each in zip(h[~many], magnitudes[~many], strict=True)]
    for i in range(10):
        X, Y = (np.stack(pair, axis=1).reshape(-1, 1) for pair in ((x[i], x2[i]), (y[i], y2[i])))
        found = linear_time(X, Y, kernel)
        assert (found.pvalue, found.sums is None) == (pytest.approx(p[i], rel=1e-9), many[i])
    assert np.count_nonzero(p <= 0.05) <= binom.ppf(1 - 1e-4, samples, 0.0508)


@pytest.mark.parametrize("case", ["apart", "alike", "one true"])
def test_any_false_column_is_found_at_the_level_at_most(case):
    rng, false = np.random.default_rng(5), 0
    kernel = None if case == "apart" else Gaussian(1.0)  # each column's own bandwidth takes as long as all the rest
    for seed in range(250):
        X, y = rng.normal(size=(25, 4)), rng.normal(size=25)
        if case == "alike":
            X = 0.4 * X + rng.normal(size=(25, 1))
        if case == "one true":
            y = X[:, 0] + 0.3 * y
        ranking = rank_columns(X, y, kernel, kernel, n_resamples=39, rng=seed)
        found = dict(zip(ranking.names, ranking.pvalue, strict=True))
        if case == "one true":
            assert found.pop("column 1") <= 0.05
        false += min(found.values()) <= 0.05
    assert false <= binom.ppf(1 - 1e-4, 250, 0.05)


def test_what_ranks_leave_of_hsic_is_within_the_bound():
    rng = np.random.default_rng(6)
    for _ in range(60):
        n = int(rng.integers(20, 80))
        X = rng.normal(size=(n, 2))
        Y = np.sin(2 * X) + rng.random() * rng.normal(size=(n, 2))
        k, l = (Gaussian(float(10 ** rng.uniform(-0.7, 0.5))) for _ in range(2))
        ranks = hsic_ranks(X, Y, k, l)
        left = hsic(X, Y, k, l) - ranks.values
        assert (left > -1e-12).all()
        assert (left <= ranks.bound + 1e-12).all()
