"""Lepski's number of blocks, and why it is not the one to use."""

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import Gaussian, GaussianMixture, Linear, Polynomial, lepski, monk_mmd
from explorer.checks import ExplorerWarning
from explorer.discrepancy.monk.lepski import first_that_meets

P = GaussianMixture([1.0], [[0.35]], 0.45**2)
Q = GaussianMixture([1.0], [[0.75]], 0.85**2)
MMD = P.embed(Polynomial(2)).distance(Q.embed(Polynomial(2)))


def pair(outliers, seed, n=300):
    x, y = P.sample(n, rng=seed), Q.sample(n, rng=seed + 50)
    x[n - outliers :], y[n - outliers :] = 2e3, 4e3
    return x, y


@pytest.mark.thorough(default=["1.0-0", "1.0-1"])
@pytest.mark.parametrize("outliers", [0, 1, 2, 5])
@pytest.mark.parametrize("kappa", [0.5, 1.0, 2.0])
def test_it_takes_the_first_number_that_survives(outliers, kappa):
    for seed in (1, 2):
        chosen = lepski(*pair(outliers, seed), Polynomial(2), kappa, range(1, 22, 2), rng=0)
        assert chosen.blocks == 2 * outliers + 1
        assert chosen.advised == (1 if outliers == 0 else 4 * outliers + 3)


def test_that_one_is_biased_upwards_and_the_advised_one_less():
    """Erratum E-21: at Q = 2 Nc + 1 the median is nearly the largest of the clean blocks; 12 samples, paired."""
    errors = []
    for seed in range(12):
        x, y = pair(5, seed)
        errors.append([monk_mmd(x, y, Polynomial(2), blocks, rng=seed).value - MMD for blocks in (11, 23)])
    first, advised = np.array(errors).T
    assert first.mean() > advised.mean() + 0.05
    assert (first - advised).mean() > 4.5 * (first - advised).std() / np.sqrt(12)


def test_the_first_interval_that_meets_all_later_ones():
    """Compared with the definition, on intervals below, above and across the later ones, and on some that touch."""
    for seed in range(50):
        centre, half = np.random.default_rng(seed).normal(size=(2, 6))
        if seed % 2:
            centre, half = np.round(4 * centre), np.round(half)
        low, high = centre - np.abs(half), centre + np.abs(half)
        meets = [all(low[i] <= high[j] and low[j] <= high[i] for j in range(i + 1, 6)) for i in range(6)]
        assert first_that_meets(low, high) == meets.index(True)


def test_the_rule_by_hand():
    x, y = pair(2, 3, 120)
    result = lepski(x, y, Polynomial(2), 0.7, [1, 4, 5, 9, 40], rng=1)
    low, high = result.estimates - result.halfwidths, result.estimates + result.halfwidths
    assert result.blocks == result.candidates[first_that_meets(low, high)]
    np.testing.assert_allclose(
        result.halfwidths, 0.7 * result.spread * np.sqrt(np.array([1, 4, 5, 9, 40]) / 120), rtol=1e-14
    )
    for Q_, estimate in zip(result.candidates, result.estimates, strict=True):
        assert estimate == monk_mmd(x, y, Polynomial(2), int(Q_), rng=1).value


def test_the_spread_is_the_root_of_a_robust_trace():
    """|ψ_i - ψ_j|^2 / 2 has mean tr Σ.

    By hand, and within the median's distance from the mean of a chi^2 of many degrees.
    """
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((80, 30)), rng.standard_normal((80, 30))
    spread = lepski(X, Y, Linear(), candidates=[1], rng=0).spread
    psi = X - Y
    by_hand = np.sqrt(np.median([np.sum((psi[i] - psi[j]) ** 2) for i in range(80) for j in range(i)]) / 2)
    assert spread == pytest.approx(by_hand, rel=1e-10)
    assert spread == pytest.approx(np.sqrt(2 * 30), rel=0.03)


def mostly_equal(outliers, seed, n=120):
    """Return two levels, the second of them rare, so that most pairs have x_i = y_i."""
    x, y = np.where(np.random.default_rng(seed).random((2, n, 1)) < 0.12, 0.4, 0.1)
    x[n - outliers :], y[n - outliers :] = 2e3, 4e3
    return x, y


@pytest.mark.thorough(default=["polynomial-2"])
@pytest.mark.parametrize("outliers", [0, 1, 2, 4])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Polynomial(2)], ids=["gaussian", "polynomial"])
def test_most_pairs_may_be_equal(kernel, outliers):
    """The median |ψ_i - ψ_j| is 0 then, and no two intervals of width 0 meet. A bounded kernel has nothing far away."""
    for seed in range(3):
        found = lepski(*mostly_equal(outliers, seed), kernel, candidates=range(1, 22, 2), rng=seed)
        assert found.blocks <= 3 if kernel.bounded else found.blocks == 2 * outliers + 1


def test_the_spread_counts_ties_as_the_trace_does():
    """ψ is 0 or one function: s^2 is exactly tr Σ with the divisor n - 1, p (1 - p) n / (n - 1) |ψ|^2."""
    x, y = np.full((50, 1), 0.1), np.full((50, 1), 0.1)
    y[:9] = 0.6
    for kernel in (Linear(), Gaussian(1.0), Polynomial(3)):
        trace = 9 / 50 * 41 / 49 * (kernel(x[:1]) + kernel(y[:1]) - 2 * kernel(x[:1], y[:1]))[0, 0]
        assert lepski(x, y, kernel, candidates=[1], rng=0).spread == pytest.approx(np.sqrt(trace), rel=1e-10)


def test_pairs_that_are_all_alike_need_one_block():
    found = lepski(np.full(40, 0.1), np.full(40, 0.4), Gaussian(1.0), rng=0)
    assert (found.blocks, found.advised, found.spread) == (1, 1, 0)


def test_where_outliers_may_be_all_that_differs_a_warning_says_so():
    x, y = np.full((60, 1), 0.1), np.full((60, 1), 0.4)
    x[-2:], y[-2:] = 2e3, 4e3
    with pytest.warns(ExplorerWarning, match=naming("6.6%", "blocks")):
        lepski(x, y, Polynomial(2), rng=0)


def test_the_quick_method_takes_the_same_without_outliers():
    for outliers in (0, 1, 2):
        assert lepski(*pair(outliers, 1), Polynomial(2), method="direction", rng=4).blocks == 2 * outliers + 1
    result = lepski(*pair(0, 1, 20), Gaussian(1.0), method="direction", rng=4)
    np.testing.assert_array_equal(result.candidates, [1, 3, 5, 7, 9])


def test_it_prints_as_a_sentence():
    said = str(lepski(*pair(1, 1), Polynomial(2), candidates=range(1, 22, 2), rng=0))
    assert names_all(said, "Q = 3", 11, 21, "polynomial kernel of degree 2", "n = 300 pairs")
    assert names_all(said.split(";")[-1], "Q = 7", "advised")


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, naming("kappa", "0"), {"kappa": 0}),
        (ValueError, naming("kappa", "0"), {"kappa": True}),
        (ValueError, naming("kappa", "0", "'wide'"), {"kappa": "wide"}),
        (ValueError, naming("candidates", "blocks", "20"), {"candidates": [1, 21]}),
        (ValueError, naming("candidates"), {"candidates": [3, 3]}),
        (ValueError, naming("candidates"), {"candidates": []}),
        (TypeError, naming("candidates"), {"candidates": [1.0]}),
        (ValueError, naming("method"), {"method": "median"}),
        (ValueError, naming("X", "blocks", "1"), {"X": [1.0], "Y": [1.0]}),
    ],
)
def test_bad_arguments_get_a_sentence(error, said, arguments):
    x, y = pair(0, 1, 20)
    with pytest.raises(error, match=said):
        lepski(**{"X": x, "Y": y, "kernel": Linear(), **arguments})
