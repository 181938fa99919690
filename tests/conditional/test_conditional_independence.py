"""Tests of conditional independence: by their definitions and a second way, invariances, levels, power, bad input."""

import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all, naming
from scipy.special import ndtr
from scipy.stats import binom

from explorer import (
    DICA,
    ConditionalEmbedding,
    Delta,
    Gaussian,
    Linear,
    Polynomial,
    Precomputed,
    gcm_test,
    hsic,
    kci_test,
)
from explorer.conditional.covariance_measure import _shares, _studentised
from explorer.conditional.kernel_independence import eigenvalues, weighted_squares

TESTS = {"gcm": gcm_test, "kci": kci_test}
every_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)


def three(n=60, seed=0, direct=0.0):
    """x and y that z alone makes dependent, and y also on x itself where `direct` is not 0."""
    rng = np.random.default_rng(seed)
    z, a, b = rng.normal(size=(3, n))
    return z + a, np.sin(z) + direct * a + 0.5 * b, z


def left_of(C, values, z):
    """Return (I - K (K + λI)^-1) v, by the inverse."""
    K = C.kernel_x_(z)
    return values - K @ np.linalg.inv(K + C.lam_ * np.eye(len(K))) @ values


# the generalised covariance measure -----------------------------------------------------------------------------------


def test_gcm_is_its_definition():
    """T of Shah and Peters: of the products of residuals, √n times their mean over their deviation."""
    x, y, z = three()
    result = gcm_test(x, y, z, n_resamples=9, rng=0)
    residuals = []
    for v in (x, y):
        v = (v - v.mean()) / v.std()
        residuals.append(left_of(ConditionalEmbedding(None, Linear()).fit(z, v), v, z))
    R = residuals[0] * residuals[1]
    # the ridge is 1e-3 and eigenvalues reach 60: an inverse loses five of sixteen digits
    assert result.statistic == pytest.approx(np.sqrt(60) * abs(R.mean()) / R.std(), rel=1e-8)
    assert result.lam[0] == ConditionalEmbedding(None, Linear()).fit(z, (x - x.mean()) / x.std()).lam_


def test_gcm_of_several_columns_is_the_largest_of_its_pairs():
    """One ridge for all columns; the signs of a row are changed together."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=40)
    X, Y = z[:, None] + rng.normal(size=(40, 2)), z[:, None] ** 2 + rng.normal(size=(40, 3))
    result = gcm_test(X, Y, z, lam=0.5, n_resamples=30, rng=0)
    alone = [[gcm_test(X[:, j], Y[:, k], z, lam=0.5, n_resamples=30, rng=0) for k in range(3)] for j in range(2)]
    assert result.statistic == pytest.approx(max(t.statistic for row in alone for t in row), rel=1e-10)
    nulls = np.max([t.null_distribution for row in alone for t in row], axis=0)
    np.testing.assert_allclose(result.null_distribution, nulls, rtol=1e-10)


def test_the_signs_are_those_of_a_normal_distribution_for_many_rows():
    """The limit of the paper: of 4000 changes of sign of 500 products, by a Kolmogorov distance.

    1.63 / sqrt(4000) is its 1 % limit, and the normal distribution itself is off by some 1 / sqrt(500).
    """
    R = np.random.default_rng(0).normal(size=(500, 1)) ** 3
    signs = np.random.default_rng(1).choice([-1.0, 1.0], size=(4000, 500))
    drawn = np.sort(_studentised(_shares(R, signs), 500))
    distance = np.abs(2 * ndtr(drawn) - 1 - np.arange(1, 4001) / 4000).max()
    assert distance < 1.63 / np.sqrt(4000) + 0.01


def test_all_signs_of_six_rows():
    """The p-value is the share of 64 changes of sign; 4.5 standard errors of 4000 of them."""
    x, y, z = three(6, seed=3)
    result = gcm_test(x, y, z, lam=1.0, n_resamples=4000, rng=0)
    e, f = ((v - v.mean()) / v.std() for v in (x, y))
    C = ConditionalEmbedding(None, Linear(), 1.0).fit(z, e)
    R = left_of(C, e, z) * left_of(C, f, z)
    signs = 1 - 2 * ((np.arange(64)[:, None] >> np.arange(6)) & 1)
    share = np.mean(np.abs(signs @ R) >= abs(R.sum()) - 1e-12)
    assert abs(result.pvalue - share) < 4.5 * np.sqrt(share * (1 - share) / 4000) + 1e-3


def test_products_that_are_all_equal():
    """No deviation to divide by: T is infinite, and all signs alike are as large."""
    x = np.array([1.0, -1.0] * 4)
    z = np.array([[0.0], [0.0], [1.0], [1.0], [2.0], [2.0], [3.0], [3.0]])  # which says nothing of x
    result = gcm_test(x, x, z, n_resamples=999, rng=0)
    assert result.statistic == np.inf
    # 2 of 2^8 changes of sign; 4.5 standard errors
    assert abs(result.pvalue - 2 / 256) < 4.5 * np.sqrt(2 / 256 / 999) + 1e-3


def test_gcm_is_blind_to_what_has_no_covariance():
    rng = np.random.default_rng(0)
    z, a, b = rng.normal(size=(3, 200))
    x, y = z + a, np.cos(z) + (a**2 - 1) + 0.3 * b
    assert gcm_test(x, y, z, n_resamples=199, rng=0).pvalue > 0.05
    assert kci_test(x, y, z, n_resamples=199, rng=0).pvalue == 0.005


# the kernel test ------------------------------------------------------------------------------------------------------


def test_kci_is_its_definition():
    """Proposition 5 of Zhang et al. with centred Gram matrices, by inverses, and its null by the features."""
    x, y, z = three(30)
    k, l, m = Gaussian(1.0), Gaussian(0.7), Gaussian(0.9)
    result = kci_test(x, y, z, k, l, m, lam=0.2, n_resamples=4000, rng=0)
    H, R = np.eye(30) - 1 / 30, 0.2 * np.linalg.inv(m(z) + 0.2 * np.eye(30))
    A, B = (R @ H @ K @ H @ R for K in (k(x) * m(z), l(y)))
    assert result.statistic == pytest.approx(np.trace(A @ B) / 30, rel=1e-9)
    # the products of both sides' eigenvectors, scaled, at each row: w_t, and the eigenvalues of W W'
    (a, U), (b, V) = map(np.linalg.eigh, (A, B))
    W = np.einsum("ti,tj->tij", U * np.sqrt(a.clip(0)), V * np.sqrt(b.clip(0))).reshape(30, -1)
    gamma = np.linalg.eigvalsh(W @ W.T)
    np.testing.assert_allclose(eigenvalues(A * B), gamma.clip(0), atol=1e-12 * gamma[-1])
    mean, deviation = gamma.sum() / 30, np.sqrt(2 * (gamma**2).sum()) / 30
    null = result.null_distribution
    # 4.5 standard errors of 4000 draws; of a chi-squared variable's variance sqrt(14 / 4000) of it at most
    assert abs(null.mean() - mean) < 4.5 * deviation / np.sqrt(4000)
    assert abs(null.std() / deviation - 1) < 4.5 * np.sqrt(14 / 4000) / 2


def test_the_null_by_its_spectrum_is_that_of_quadratic_forms():
    """g'Mg of g ~ N(0, I), without a spectrum: two samples of 3000 draws, by the Kolmogorov-Smirnov 0.1 % limit."""
    F = np.random.default_rng(0).normal(size=(40, 6))
    M = F @ F.T
    drawn = np.sort(weighted_squares(eigenvalues(M), 3000, 1))
    g = np.random.default_rng(2).standard_normal((3000, 40))
    simulated = np.sort(np.einsum("bi,ij,bj->b", g, M, g))
    both = np.concatenate([drawn, simulated])
    apart = [np.searchsorted(each, both, side="right") / 3000 for each in (drawn, simulated)]
    assert np.abs(apart[0] - apart[1]).max() < 1.95 * np.sqrt(2 / 3000)


@pytest.mark.thorough
def test_a_central_subspace_is_all_that_y_depends_on():
    """y of x1 + x2 alone: given that it is independent of x, given DICA's estimate mostly, and given x1 it is not."""
    rejected = np.zeros(3)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(100, 3))
        y = np.tanh(np.sqrt(2) * (X[:, 0] + X[:, 1])) + 0.6 * rng.normal(size=100)
        estimate = DICA(Linear(), 1, 1e-3).fit(X, np.arange(100) % 2, y).transform(X)
        for i, Z in enumerate((X[:, 0] + X[:, 1], estimate, X[:, 0])):
            rejected[i] += kci_test(X, y, Z, n_resamples=199, rng=0).pvalue <= 0.05
    assert rejected[0] <= binom.ppf(1 - 1e-6, 12, 0.05)
    assert rejected[1] <= 6  # the direction is estimated, and what it misses is a dependence
    assert rejected[2] == 12


@pytest.mark.thorough
def test_the_null_is_that_of_independent_rows_given_z():
    """KCI of 400 samples with x and y drawn anew given z, compared with its null for one of them.

    The means agree to a tenth, since residuals are not free: R takes some degrees of freedom of either.
    """
    rng = np.random.default_rng(0)
    z = rng.normal(size=60)
    found = []
    for _ in range(400):
        x, y = z + rng.normal(size=60), np.sin(z) + rng.normal(size=60)
        result = kci_test(x, y, z, Gaussian(1.0), Gaussian(1.0), Gaussian(1.0), lam=1.0, n_resamples=50, rng=rng)
        found.append((result.statistic, result.null_distribution.mean()))
    statistic, null = np.mean(found, axis=0)
    assert statistic == pytest.approx(null, rel=0.1)


def test_with_a_ridge_so_large_that_nothing_is_predicted_kci_is_hsic():
    """λ -> ∞: R is I, and T is n times the biased HSIC of (x, z) and y, as hsic under the product kernel has it."""
    x, y, z = three(25)
    k = Gaussian(1.0)
    result = kci_test(x, y, z, k, k, k, lam=1e12, n_resamples=9, rng=0)
    rows = np.arange(25)
    both = hsic(rows, y, Precomputed(k(x) * k(z)), k)
    assert result.statistic == pytest.approx(25 * both, rel=1e-9)


# both -----------------------------------------------------------------------------------------------------------------


@every_test
def test_what_it_does_not_change_with(test):
    x, y, z = three()
    result = test(x, y, z, n_resamples=19, rng=0)
    moved = test(5 * x - 100, -0.1 * y, 1e3 + 2 * z, n_resamples=19, rng=0)
    # λ is chosen to 1e-7 of itself. T of the covariance measure has the size 1 and is near 0 here: what the error of λ
    # leaves is absolute. Distances of numbers near 1000 have three digits less
    near = 1e-7 if test is gcm_test else 0.0
    assert moved.statistic == pytest.approx(result.statistic, rel=1e-5, abs=near)
    order = np.random.default_rng(0).permutation(60)
    assert test(x[order], y[order], z[order], n_resamples=19, rng=0).statistic == pytest.approx(
        result.statistic, rel=1e-6, abs=near
    )
    assert test(x[:, None], y, z[:, None], n_resamples=19, rng=0).pvalue == result.pvalue


def test_gcm_is_symmetric():
    x, y, z = three()
    here, there = gcm_test(x, y, z, n_resamples=19, rng=0), gcm_test(y, x, z, n_resamples=19, rng=0)
    assert here.statistic == pytest.approx(there.statistic, rel=1e-12)
    assert here.lam.tolist() == there.lam[::-1].tolist()


@every_test
def test_a_constant_side_is_independent_of_the_other(test):
    x, _, z = three(30)
    kernels = {"kernel_y": Gaussian(1.0)} if test is kci_test else {}
    for constant in (0.0, 0.1):
        assert test(x, np.full(30, constant), z, **kernels, n_resamples=99, rng=0).pvalue == 1


@every_test
def test_it_finds_a_direct_dependence_and_only_that(test):
    assert test(*three(100), n_resamples=199, rng=0).pvalue > 0.05
    assert test(*three(100, direct=0.8), n_resamples=199, rng=0).pvalue <= 0.01


@every_test
def test_the_same_seed_and_a_larger_count(test):
    few, more = (test(*three(), n_resamples=B, rng=7).null_distribution for B in (9, 300))
    # a product of matrices of other shapes may round otherwise
    np.testing.assert_allclose(few, more[:9], rtol=1e-12)
    rng = np.random.default_rng(0)
    first, second = (test(*three(), n_resamples=9, rng=rng).null_distribution for _ in range(2))
    assert not np.array_equal(first, second)  # a Generator is consumed


def test_words_and_frames():
    """Categories on any side of the kernel test, columns by name."""
    rng = np.random.default_rng(0)
    city = rng.integers(3, size=90)
    x, y = city + 0.5 * rng.normal(size=90), city**2 + 0.5 * rng.normal(size=90)
    frame = pd.DataFrame({"x": x, "y": y, "city": np.array(["Oslo", "Rome", "York"])[city]})
    found = kci_test(frame[["x"]], frame[["y"]], frame[["city"]], n_resamples=99, rng=0)
    assert found.columns == (("x",), ("y",), ("city",))
    assert found.pvalue > 0.05
    assert gcm_test(frame[["x"]], frame[["y"]], frame[["city"]], n_resamples=99, rng=0).pvalue > 0.05
    words = kci_test(x, frame["city"].tolist(), y, None, Delta(), n_resamples=99, rng=0)
    assert names_all(str(words), "Gaussian kernel", "equality")


def test_the_results_are_sentences():
    x, y, z = three(20)
    result = gcm_test(x, y, z, Gaussian(2.0), n_resamples=39, rng=3)
    assert (result.n, result.m, result.seed, result.kernel) == (20, None, 3, (Gaussian(2.0),))
    numbers = f"{result.statistic:.4g}", f"p = {result.pvalue:.3g}", "bandwidth 2", "n = 20", "39 changes of sign"
    assert re.search(naming(*numbers), str(result))
    result = kci_test(x, y, z, Gaussian(1.0), Linear(), Polynomial(3), n_resamples=39, rng=3)
    assert result.kernel == (Gaussian(1.0), Linear(), Polynomial(3))
    assert re.search(naming("n = 20", "39 draws"), str(result))
    assert not result.lam.flags.writeable


# levels ---------------------------------------------------------------------------------------------------------------

FUNCTIONS = {
    "line": (lambda z: z, 1.0),
    "wave": (lambda z: np.sin(2 * z), 0.3),
    "fast wave": (lambda z: np.sin(8 * z), 0.3),
}


def rejections(test, name, n, count, **options):
    """Return how many of `count` samples are rejected at level 0.05, x and y the same function of z plus noise."""
    f, noise = FUNCTIONS[name]
    total = 0
    for seed in range(count):
        rng = np.random.default_rng(seed)
        z = rng.normal(size=n)
        x, y = (f(z) + noise * rng.normal(size=n) for _ in range(2))
        total += test(x, y, z, n_resamples=199, rng=seed, **options).pvalue <= 0.05
    return total


@pytest.mark.thorough
@every_test
def test_the_level_where_the_regression_is_good(test):
    assert rejections(test, "line", 50, 100) <= binom.isf(1e-5, 100, 0.05)


@pytest.mark.thorough
@every_test
def test_the_level_breaks_where_the_regression_is_poor(test):
    """A wave faster than the median bandwidth follows: most samples are rejected, although x and y are independent."""
    assert rejections(test, "fast wave", 50, 30) > 15


@pytest.mark.thorough
def test_a_kernel_of_z_that_follows_brings_the_level_back():
    narrow = rejections(kci_test, "wave", 50, 150, kernel_z=Gaussian(0.3))
    assert narrow <= binom.isf(1e-4, 150, 0.05)
    assert narrow < rejections(kci_test, "wave", 50, 150)
    assert rejections(gcm_test, "fast wave", 50, 30, kernel_z=Gaussian(0.1)) < 15


# percent of rejections that the docstrings give
FIGURES = {
    "gcm": {"line": {20: 6, 50: 6, 200: 6}, "wave": {20: 8, 50: 6, 200: 6}, "fast wave": {20: 81, 50: 76, 200: 79}},
    "kci": {"line": {20: 2, 50: 3, 200: 6}, "wave": {20: 12, 50: 16, 200: 24}, "fast wave": {20: 97, 50: 99, 200: 100}},
}


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("function", FUNCTIONS)
@every_test
def test_the_figures_of_the_docstrings(test, function, n):
    """Take 1000 samples, or 300 if most are rejected: 4.5 standard errors of the rate, and 0.5 % of rounding."""
    count = 300 if function == "fast wave" else 1000
    figure = FIGURES[test.__name__.partition("_")[0]][function][n] / 100
    error = np.sqrt(max(figure * (1 - figure), 0.01) / count)
    assert abs(rejections(test, function, n, count) / count - figure) < 4.5 * error + 0.005


BAD = np.arange(8.0), np.arange(8.0) ** 2, np.sin(np.arange(8.0))


@every_test
@pytest.mark.parametrize(
    ("error", "parts", "arguments"),
    [
        (ValueError, ("X", "Y", "8", "Z", "5"), {"Z": BAD[2][:5]}),
        (ValueError, ("X", "Z", "8", "Y", "7"), {"Y": BAD[1][:7]}),
        (ValueError, ("Z", "equal", "hsic_test"), {"Z": np.ones(8)}),
        (ValueError, ("Y", "1", "NaN"), {"Y": [*BAD[1][:7], np.nan]}),
        (ValueError, ("Z", "1", "NaN"), {"Z": [*BAD[1][:7], np.nan]}),
        (TypeError, ("kernel_z", "Gaussian()"), {"kernel_z": "rbf"}),
        (ValueError, ("ConditionalEmbedding.lam", "0"), {"lam": 0.0}),
        (ValueError, ("n_resamples", "1"), {"n_resamples": 0}),
        (TypeError, ("rng",), {"rng": "seed"}),
    ],
)
def test_bad_input_is_refused(test, error, parts, arguments):
    with pytest.raises(error, match=naming(*parts)):
        test(**{**dict(zip("XYZ", BAD, strict=True)), **arguments})


@every_test
def test_few_rows_are_refused(test):
    for n, named in ((0, "rows"), (1, "row"), (2, "Z"), (5, "Z")):
        with pytest.raises(ValueError, match=naming(named)):
            test(*(z[:n] for z in BAD))
    test(*(z[:6] for z in BAD), n_resamples=9)


@every_test
def test_many_rows_are_refused(test, monkeypatch):
    monkeypatch.setattr("explorer.conditional.conditioning.LARGE", 7)
    with pytest.raises(ValueError, match=naming("8", "7")):
        test(*BAD)
    monkeypatch.setattr("explorer.conditional.conditioning.LARGE", 8)
    assert test(*BAD, n_resamples=9, rng=0).n == 8


def test_values_that_overflow_are_refused():
    x, y, z = three(20)
    with pytest.raises(ValueError, match=naming("kernels", 20, "rows")):
        kci_test(1e100 * x, 1e100 * y, z, Linear(), Linear())
    # the other test has no units
    assert gcm_test(1e200 * x, y, z, rng=0).pvalue == gcm_test(x, y, z, rng=0).pvalue
