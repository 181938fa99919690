"""The level of every test of the library on tied data and on continuous data, from 2 points on.

A row of `TESTS` is a test; each meets all data at all sizes. Ties count against rejection, so P(p <= α) <= α has no
lower bound there; on continuous data a permutation test of B + 1 a multiple of 20 rejects at .05, .2 and .5 exactly as
often.
"""

import numpy as np
import pytest
from two_samples import binomial

from explorer import (
    FKMSE,
    MKME,
    SKMSE,
    Delta,
    Energy,
    Gaussian,
    Linear,
    Polynomial,
    SpectralKMSE,
    bandwidth_curve,
    hsic_test,
    linear_time,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    monk_test,
)
from explorer.discrepancy import hsic_gamma, rank_columns

B, LEVELS = 19, (0.05, 0.2, 0.5)
WIDTHS = [Gaussian(0.1), Gaussian(1.0), Gaussian(10.0)]


# data: two samples of one distribution, or n independent pairs, (2, n, 2) --------------------------------------------


def coins(rng, n):
    """Return two values that no float has, with differences that no float has either."""
    return rng.integers(0, 2, (2, n, 1)) * np.array([0.3, 0.0]) + 0.1


def levels(rng, n):
    return rng.integers(0, 3, (2, n, 2)) / 3


def rare(rng, n):
    """Draw samples whose points, and pairs, are mostly equal."""
    return np.where(rng.random((2, n, 1)) < 0.12, 0.7, 0.1)


def equal(rng, n):
    return np.full((2, n, 1), 0.1)


def normal(rng, n):
    return rng.normal(size=(2, n, 2))


TIED, CONTINUOUS = {f.__name__: f for f in (coins, levels, rare, equal)}, {"normal": normal}


# tests: p of X and Y (n, d) ------------------------------------------------------------------------------------------


def mmd(kernel, statistic="unbiased", estimator=None):
    return lambda X, Y, rng: mmd_test(X, Y, kernel, statistic, estimator, B, rng).pvalue


def hsic(kernel, statistic="biased", estimator=None):
    return lambda X, Y, rng: hsic_test(X, Y, kernel, kernel, statistic, estimator, B, rng).pvalue


def monk(method, null, blocks=2):
    def test(X, Y, rng):
        return monk_test(X, Y, Gaussian(1.0), blocks, method, null=null, n_resamples=B, iterations=6, rng=rng).pvalue

    return test


def curve(X, Y, rng):
    """Return the p-value at one of three bandwidths, since the least of many is not a p-value."""
    return bandwidth_curve(X, Y, [0.2, 1.0, 5.0], n_resamples=B, rng=rng, bins=64).pvalue[1]


def ranks(X, Y, rng):
    """Return the least p of a table's columns, which are corrected for one another."""
    table = np.column_stack([X, np.roll(X, 1, axis=0)])
    return rank_columns(table, Y, Gaussian(1.0), Gaussian(1.0), n_resamples=B, rng=rng).pvalue.min()


TESTS = {
    "mmd": mmd(Gaussian(1.0)),
    "mmd, biased": mmd(Gaussian(1.0), "biased"),
    "mmd, linear": mmd(Linear()),
    "mmd, polynomial": mmd(Polynomial(3), "biased"),
    "mmd, energy": mmd(Energy()),
    "mmd, delta": mmd(Delta()),
    "mmd of SKMSE": mmd(Gaussian(1.0), "unbiased", SKMSE(lam=0.3)),
    "mmd of MKME": mmd(Gaussian(1.0), "unbiased", MKME(sigma=0.5)),
    "mmd of FKMSE": mmd(Gaussian(1.0), "biased", FKMSE(lam=0.1)),
    "mmd of landweber": mmd(Gaussian(1.0), "biased", SpectralKMSE(filter="landweber", steps=3)),
    "mmdagg": lambda X, Y, rng: mmdagg_test(X, Y, WIDTHS, n_resamples=B, rng=rng).pvalue,
    "mmdfuse": lambda X, Y, rng: mmdfuse_test(X, Y, WIDTHS, n_resamples=B, rng=rng).pvalue,
    "bandwidth curve": curve,
    "linear time": lambda X, Y, rng: linear_time(X, Y, Gaussian(1.0)).pvalue,
    **{
        f"monk {method}, {null}": monk(method, null)
        for method in ("bcd", "bcd-fast", "direction")
        for null in ("flip", "pool")
    },
    "monk, one block": monk("bcd", "flip", 1),
    "hsic": hsic(Gaussian(1.0)),
    "hsic, unbiased": hsic(Gaussian(1.0), "unbiased"),
    "hsic, linear": hsic(Linear()),
    "hsic, energy": hsic(Energy()),
    "hsic, delta": hsic(Delta()),
    "hsic of SKMSE": hsic(Gaussian(1.0), "biased", SKMSE(lam=0.3)),
    "hsic of MKME": hsic(Gaussian(1.0), "biased", MKME(sigma=0.5)),
    "hsic of FKMSE": hsic(Gaussian(1.0), "biased", FKMSE(lam=0.1)),
    "rank of columns": ranks,
}
LEAST = {"linear time": 4, "hsic, unbiased": 4, "rank of columns": 4}
every_test = pytest.mark.parametrize("name", TESTS)
every_size = pytest.mark.parametrize("n", [2, 5, 12])
SLOW = ("mmd of landweber", "monk")
ATOMS = ("mmdagg", "monk", "rank", "linear", "mmd, delta", "hsic, delta")  # whose own values tie on any data


def rejections(name, draw, n, count):
    """Return the number of `count` p-values up to each of LEVELS."""
    rng = np.random.default_rng([n, count])
    p = np.array([TESTS[name](*draw(rng, n), rng) for _ in range(count)])
    assert ((p > 0) & (p <= 1)).all()
    return [np.count_nonzero(p <= level) for level in LEVELS]


@pytest.mark.few(50)
@pytest.mark.thorough(
    default=[
        "mmd-coins-2",
        "mmd, delta-levels-5",
        "mmdagg-coins-5",
        "mmdfuse-coins-2",
        "linear time-rare-12",
        "monk bcd-fast, pool-equal-2",
        "monk direction, flip-levels-12",
        "monk direction, flip-equal-2",
        "hsic of SKMSE-equal-5",
        "rank of columns-equal-12",
    ]
)
@every_size
@pytest.mark.parametrize("data", TIED)
@every_test
@pytest.mark.covered  # a test has its ties on some data, and its fewest points, whatever they hold
def test_ties_never_raise_the_level(name, data, n):
    count = 10 if data == "equal" else 20 if name.startswith(SLOW) else 40
    found = rejections(name, TIED[data], max(n, LEAST.get(name, 2)), count)
    for level, rejected in zip(LEVELS, found, strict=True):
        assert rejected <= binomial(count, level)[1]
    if data == "equal":
        assert found == [0, 0, 0]


@pytest.mark.slow
@every_size
@pytest.mark.parametrize("data", TIED)
@every_test
def test_ties_never_raise_the_level_in_a_thousand_samples(name, data, n):
    for level, rejected in zip(LEVELS, rejections(name, TIED[data], max(n, LEAST.get(name, 2)), 1000), strict=True):
        assert rejected <= binomial(1000, level)[1]


@pytest.mark.few(24)
@pytest.mark.thorough(default=["mmd, delta-2", "linear time-2", "monk bcd, pool-2"])
@pytest.mark.parametrize("n", [2, 12])
@every_test
def test_the_level_on_continuous_data(name, n):
    """At n = 12 the rate is not lower either, unless values tie: ranks, medians of blocks, signs, a blind kernel."""
    count = 20 if name.startswith(SLOW) else 40 if n == 2 else 120
    found = rejections(name, normal, max(n, LEAST.get(name, 2)), count)
    for level, rejected in zip(LEVELS, found, strict=True):
        low, high = binomial(count, level)
        assert rejected <= high
        if n == 12 and not name.startswith(ATOMS):
            assert rejected >= low


@pytest.mark.thorough
@pytest.mark.parametrize("data", [*TIED, *CONTINUOUS])
def test_the_gamma_approximation_is_near_its_level(data):
    """The test is not exact: it rejects up to 7 of 100 samples of 30 pairs at .05, and p = 1 if a side is constant."""
    rng = np.random.default_rng(0)
    p = [hsic_gamma(*({**TIED, **CONTINUOUS}[data](rng, 30)), Gaussian(1.0), Gaussian(1.0)).pvalue for _ in range(400)]
    assert np.count_nonzero(np.array(p) <= 0.05) <= binomial(400, 0.07)[1]
    if data == "equal":
        assert min(p) == 1
