"""Joint independence: dHSIC by its definitions, what it does not change with, its exact null, its level, bad input."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from paired_samples import side
from two_samples import binomial

from explorer import Delta, Energy, Gaussian, Laplacian, Linear, Precomputed, dhsic, dhsic_test, hsic, hsic_test, mmd2
from explorer.discrepancy.dependence import joint_independence
from explorer.discrepancy.dependence.joint_independence import JointSample, second_order

CASES = {
    "gaussian": ("gaussian, automatic",) * 3,
    "two": ("gaussian", "laplacian, automatic"),
    "linear and energy": ("linear + .7", "energy", "linear"),
    "strings, categories, vectors": ("subsequence", "words", "polynomial 2"),
    "a Gram matrix": ("precomputed", "delta", "exponential"),
    "four": ("gaussian", "words", "energy", "gaussian"),
}
every_case = pytest.mark.parametrize("case", CASES)


def drawn(case, n):
    """Return kernels, samples and Gram matrices, one entry at a time by the kernels' definitions."""
    sides = [side(name, n, seed) for seed, name in enumerate(CASES[case])]
    return tuple(zip(*sides, strict=True))


def by_tuples(grams):
    """Return the estimator of Pfister et al. 2018: sums over all tuples of 2, d + 1 and 2d indices, one at a time."""
    n, d = len(grams[0]), len(grams)
    every = range(n)

    def product(rows, columns):
        return np.prod([K[i, j] for K, i, j in zip(grams, rows, columns, strict=True)])

    joint_independence = sum(product([i] * d, [j] * d) for i in every for j in every) / n**2
    apart = sum(product(t[:d], t[d:]) for t in itertools.product(every, repeat=2 * d)) / n ** (2 * d)
    between = sum(product([i] * d, t) for i in every for t in itertools.product(every, repeat=d)) / n ** (d + 1)
    return joint_independence + apart - 2 * between


def size(grams):
    return np.prod([np.abs(K).max() for K in grams])


@every_case
def test_it_is_its_definition(case):
    n = 3 if case == "four" else 5  # four samples of five rows have 390,625 tuples
    kernels, samples, grams = drawn(case, n)
    # some thousand products, added one after the other
    assert dhsic(samples, kernels) == pytest.approx(by_tuples(grams), abs=1e-12 * size(grams))


@every_case
def test_it_is_the_squared_mmd_of_the_rows_and_all_combinations(case):
    """Under the product kernel, between the n rows and the n^d rows that combine any of them: the V-statistic."""
    n = 3 if case == "four" else 4
    kernels, samples, grams = drawn(case, n)
    every = [np.arange(n), *np.array(list(itertools.product(range(n), repeat=len(grams)))).T]
    which = [np.concatenate([every[0], rows]) for rows in every[1:]]
    gram = Precomputed(np.prod([K[np.ix_(rows, rows)] for K, rows in zip(grams, which, strict=True)], axis=0))
    rows = np.arange(len(which[0]))
    expected = mmd2(rows[:n], rows[n:], gram, "biased")
    assert dhsic(samples, kernels) == pytest.approx(expected, abs=1e-12 * size(grams))


def three(n=30, seed=0):
    """Return three samples, pairwise independent and not jointly: the last has the sign of the product."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, n))
    return x, y, np.sign(x * y) * np.abs(rng.normal(size=n))


@pytest.mark.parametrize("bandwidth", [None, 0.5, 30.0, 1e4])
def test_of_two_samples_it_is_hsic(bandwidth):
    """At large bandwidths both kernels are nearly constant: their variation, 1e-16, is lost in sums of all entries."""
    x, y, _ = three()
    k = Gaussian(bandwidth)
    # the entries of the Gram matrices are floats near 1, which vary by bandwidth^-2
    close = 1e-12 + 1e-15 * (bandwidth or 1.0) ** 2
    assert dhsic([x, y], k) == pytest.approx(hsic(x, y, k, k), rel=close)
    here, there = dhsic_test([x, y], k, n_resamples=300, rng=4), hsic_test(x, y, k, k, n_resamples=300, rng=4)
    near = close * there.null_distribution.max()  # small values are differences of larger sums
    np.testing.assert_allclose(here.null_distribution, there.null_distribution, rtol=0, atol=near)
    assert here.pvalue == there.pvalue


def test_linear_kernels_compare_the_mean_product_with_the_product_of_means():
    samples = np.random.default_rng(0).normal(size=(4, 40)) + 0.5
    expected = (samples.prod(axis=0).mean() - samples.mean(axis=1).prod()) ** 2
    assert dhsic(list(samples), Linear()) == pytest.approx(expected, rel=1e-10)  # four digits cancel


def test_categories_give_the_distance_of_the_table_from_the_product_of_its_margins():
    rng = np.random.default_rng(0)
    a, b = rng.integers(3, size=50), rng.integers(2, size=50)
    c = (a + b + rng.integers(2, size=50)) % 4
    table = np.zeros((3, 2, 4))
    np.add.at(table, (a, b, c), 1 / 50)
    margins = [table.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))]
    expected = ((table - np.einsum("a,b,c->abc", *margins)) ** 2).sum()
    assert dhsic([a, b, np.array(list("wxyz"))[c]], Delta()) == pytest.approx(expected, rel=1e-12)


def test_what_it_does_not_change_with():
    x, y, z = three()
    value, order = dhsic([x, y, z]), np.random.default_rng(1).permutation(30)
    assert dhsic([z, x, y]) == pytest.approx(value, rel=1e-12)
    assert dhsic([x[order], y[order], z[order]]) == pytest.approx(value, rel=1e-12)
    # median bandwidths: shifts and scales of a sample, 1e3 away some digits
    assert dhsic([3 * x + 1e3, -0.1 * y, z]) == pytest.approx(value, rel=1e-9)
    # a sample that never varies says nothing
    assert dhsic([x, y, np.full(30, 2.0)], [None, None, Gaussian(1.0)]) == pytest.approx(dhsic([x, y]), rel=1e-12)
    # 10 k counts ten times
    assert dhsic([x, y, z], [10.0 * Gaussian(1.0), None, Energy()]) == pytest.approx(
        10 * dhsic([x, y, z], [Gaussian(1.0), None, Energy()]), rel=1e-12
    )


def test_what_varies_in_second_order_alone():
    """Compared with its definition, Π(b + u) - Π b - Σ_k u_k Π_{l≠k} b_l."""
    u, b = np.random.default_rng(0).normal(size=(2, 5))
    first = sum(u[k] * np.delete(b, k).prod() for k in range(5))
    assert second_order(list(u), list(b)) == pytest.approx((b + u).prod() - b.prod() - first, rel=1e-12)


def test_strips_of_rows_sum_to_the_whole(monkeypatch):
    samples = three(23)
    expected = dhsic_test(samples, n_resamples=7, rng=0)
    monkeypatch.setattr(joint_independence, "STRIP", 5)
    found = dhsic_test(samples, n_resamples=7, rng=0)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    np.testing.assert_allclose(found.null_distribution, expected.null_distribution, rtol=1e-12)


# the test -------------------------------------------------------------------------------------------------------------


def test_the_null_is_that_of_reordered_samples():
    """Every resample once more, by dHSIC of samples that were put in those orders."""
    samples = three(12)
    result = dhsic_test(samples, n_resamples=20, rng=3)
    sample = JointSample(samples, None)
    orders = np.concatenate(list(sample._orders(20, 3)))
    assert orders.shape == (20, 2, 12)
    again = [dhsic([samples[0], *(z[p] for z, p in zip(samples[1:], each, strict=True))]) for each in orders]
    np.testing.assert_allclose(result.null_distribution, again, rtol=1e-10)
    assert result.pvalue == (1 + np.count_nonzero(np.array(again) >= result.statistic)) / 21


def test_the_p_value_is_the_share_of_all_orders():
    """Three samples of four rows have 576 orders; the tolerance is 4.5 standard errors of 2000 resamples."""
    samples = three(4)
    orders = [list(p) for p in itertools.permutations(range(4))]
    values = np.array([dhsic([samples[0], samples[1][p], samples[2][q]]) for p in orders for q in orders])
    share = np.mean(values + 1e-12 >= dhsic(samples))
    assert 0.05 < share < 0.95
    p = dhsic_test(samples, n_resamples=2000, rng=0).pvalue
    assert abs(p - share) < 4.5 * np.sqrt(share * (1 - share) / 2000) + 1 / 2001


def test_the_same_seed_and_a_larger_count_and_one_more_sample():
    samples = three()
    few, more = (dhsic_test(samples, n_resamples=B, rng=7).null_distribution for B in (9, 150))
    np.testing.assert_array_equal(few, more[:9])
    constant = [*samples, np.zeros(30)]
    kernels = [None, None, None, Gaussian(1.0)]
    np.testing.assert_allclose(dhsic_test(constant, kernels, n_resamples=9, rng=7).null_distribution, few, rtol=1e-10)
    rng = np.random.default_rng(0)
    first, second = (dhsic_test(samples, n_resamples=9, rng=rng).null_distribution for _ in range(2))
    assert not np.array_equal(first, second)  # a Generator is consumed


def test_it_sees_three_that_are_independent_in_pairs():
    x, y, z = three(100)
    assert min(hsic_test(a, b, n_resamples=199, rng=0).pvalue for a, b in ((x, y), (x, z), (y, z))) > 0.05
    assert dhsic_test([x, y, z], n_resamples=199, rng=0).pvalue == 0.005
    assert dhsic_test([x, y, np.random.default_rng(1).permutation(z)], n_resamples=199, rng=0).pvalue > 0.05


def test_constants_are_independent_of_all():
    x, y, _ = three(10)
    assert dhsic_test([x, np.ones(10), np.ones(10)], Gaussian(1.0), n_resamples=99, rng=0).pvalue == 1
    assert dhsic_test([1e6 + x, np.full(10, 0.1), y[:1].repeat(10)], Energy(), n_resamples=99, rng=0).pvalue == 1


def rejections(draw, n, count, level, resamples=39, kernels=None):
    rng = np.random.default_rng(0)
    found = [dhsic_test(draw(rng, n), kernels, n_resamples=resamples, rng=rng).pvalue for _ in range(count)]
    return np.count_nonzero(np.array(found) <= level)


def apart(rng, n):
    return [rng.normal(size=n), rng.exponential(size=n), rng.standard_t(2, size=(n, 2))]


def tied(rng, n):
    return [rng.integers(0, 2, size=n), rng.integers(0, 3, size=n), rng.normal(size=n).round()]


@pytest.mark.thorough(default=["0.2"])
@pytest.mark.parametrize("level", [0.05, 0.2])
def test_the_level_is_exact(level):
    """2 and 8 of 40 places: P(p <= level) is the level, ties of continuous data aside."""
    low, high = binomial(200, level)
    assert low <= rejections(apart, 12, 200, level) <= high


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50, 200])
def test_the_level_by_a_thousand_samples(n):
    low, high = binomial(1000, 0.05)
    assert low <= rejections(apart, n, 1000, 0.05, 99) <= high


@pytest.mark.thorough
def test_ties_never_raise_the_level():
    kernels = [Delta(), Delta(), Gaussian(1.0)]
    assert 10 < rejections(tied, 8, 250, 0.2, kernels=kernels) <= binomial(250, 0.2)[1]


# what it returns, and bad input ---------------------------------------------------------------------------------------


def test_the_result_is_what_the_function_returns_and_a_sentence():
    x, y, z = three()
    kernels = [Gaussian(1.0), Laplacian(2.0), Linear()]
    result = dhsic_test([x, y, z], kernels, n_resamples=39, rng=3)
    assert result.statistic == dhsic([x, y, z], kernels)
    assert (result.n, result.m, result.seed, result.kernel) == (30, None, 3, tuple(kernels))
    kernels = "Gaussian kernel of bandwidth 1", "Laplacian kernel of bandwidth 2", "linear kernel"
    numbers = f"{result.statistic:.4g}", f"p = {result.pvalue:.3g}", "3 samples", "n = 30 rows", "39 permutations"
    assert re.search(naming("dHSIC", *kernels, *numbers), str(result))


def test_columns_are_named():
    x, y, z = three()
    frame = pd.DataFrame({"height": x, "weight": y, "city": np.where(z > 0, "Rome", "Oslo")})
    result = dhsic_test([frame[["height"]], frame[["weight"]], frame[["city"]]], n_resamples=19, rng=0)
    assert result.columns == (("height",), ("weight",), ("city",))
    assert "over height, a Gaussian kernel" in str(result)
    assert result.statistic == pytest.approx(
        dhsic([x, y, np.where(z > 0, 0.0, 1.0)], [None, None, result.kernel[2]]), rel=1e-12
    )


FIVE = np.arange(5.0)


@pytest.mark.parametrize("call", [dhsic, dhsic_test])
@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, naming("samples", "1"), ([FIVE],)),
        (ValueError, naming("samples", "0"), ([],)),
        (TypeError, naming("samples", "5", "2", "list(samples.T)"), (np.ones((5, 2)),)),
        (TypeError, naming("samples", "dict"), ({"a": FIVE},)),
        (ValueError, naming("sample", "1", "5", "3", "4"), ([FIVE, FIVE, FIVE[:4]],)),
        (ValueError, naming("sample", "2", "1", "NaN"), ([FIVE, [0.0, 1.0, np.nan, 2.0, 3.0]],)),
        (ValueError, naming("kernels", "2", "3", "samples"), ([FIVE] * 3, [None, Linear()])),
        (TypeError, naming("kernel", "Gaussian(1.0)"), ([FIVE] * 3, "rbf")),
        (TypeError, naming("kernel"), ([FIVE] * 2, [None, 2.0])),
        (ValueError, "overflow", ([1e100 * FIVE] * 2, Linear())),
    ],
)
def test_bad_input_gets_a_sentence(call, error, said, arguments):
    with pytest.raises(error, match=said):
        call(*arguments)


def test_few_rows_get_a_sentence():
    with pytest.raises(ValueError, match=naming("2", "3", "samples", "4")):
        dhsic_test([[0.0, 1.0]] * 3)
    with pytest.raises(ValueError, match=naming("1", "2", "samples")):
        dhsic_test([[0.0]] * 2, Linear())
    assert dhsic_test([[0.0, 1.0, 2.0]] * 3, n_resamples=99, rng=0).pvalue < 0.2  # 36 ways, and 4 of them alike
    assert dhsic([[0.0, 1.0]] * 2, Linear()) == pytest.approx(1 / 16, rel=1e-14)  # as for hsic


def test_many_rows_get_a_sentence(monkeypatch):
    monkeypatch.setattr(joint_independence, "LARGE", 4)
    with pytest.raises(ValueError, match=naming("5", "sample", "4")):
        dhsic([FIVE, FIVE])
    monkeypatch.setattr(joint_independence, "LARGE", 5)
    assert dhsic([FIVE, FIVE]) > 0
