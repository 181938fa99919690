"""Tests under several kernels at once, and power over sizes: each by the functions for one kernel and one size."""

import numpy as np
import pytest
from helpers.naming import names_all, naming
from scipy.stats import norm

from explorer import FKMSE, MKME, SKMSE, Gaussian, Linear, mmd_test, witness
from explorer.discrepancy import bandwidth_sweep, power, power_curve
from explorer.discrepancy.resampling.permutation import splits

RNG = np.random.default_rng(1)
X, Y = RNG.normal(size=(12, 2)), RNG.normal(size=(9, 2)) + 0.6
KERNELS = [Gaussian(0.3), Gaussian(1.0), Linear(), Gaussian()]


@pytest.mark.parametrize("estimator", [None, SKMSE(), MKME(sigma=0.4), FKMSE()], ids=repr)
def test_each_row_is_the_test_under_its_kernel(estimator):
    sweep = bandwidth_sweep(X, Y, KERNELS, "biased", estimator, n_resamples=99, rng=3)
    for row, kernel in enumerate(KERNELS):
        alone = mmd_test(X, Y, kernel, "biased", estimator, n_resamples=99, rng=3)
        together = sweep.test(row)
        assert (together.statistic, together.pvalue, together.kernel) == (alone.statistic, alone.pvalue, alone.kernel)
        assert np.array_equal(together.null_distribution, alone.null_distribution)
        assert sweep.pvalues[row] == alone.pvalue
    assert sweep.witness is None


def test_one_split_is_enough():
    X, Y = np.random.default_rng(0).normal(size=(2, 8, 1))
    sweep = bandwidth_sweep(X, Y, [Gaussian(1.0)], n_resamples=1, rng=0)
    assert sweep.pvalues.tolist() == [mmd_test(X, Y, Gaussian(1.0), n_resamples=1, rng=0).pvalue]


def test_splits_may_be_prepared():
    S = splits(21, 12, 99, 3)
    found = bandwidth_sweep(X, Y, KERNELS, n_resamples=99, rng=3, prepared=S)
    assert np.array_equal(found.null, bandwidth_sweep(X, Y, KERNELS, n_resamples=99, rng=3).null)


def test_the_witness_is_that_of_each_kernel():
    at = RNG.normal(size=(5, 2))
    sweep = bandwidth_sweep(X, Y, KERNELS, n_resamples=9, rng=3, points=at)
    for row, kernel in enumerate(KERNELS):
        f = witness(X, Y, kernel)
        assert sweep.witness[row] == pytest.approx(f(at))
        assert sweep.heights[row] == pytest.approx(f(np.concatenate([X, Y])))
    estimator, k = FKMSE(lam=0.5), Gaussian(1.0)
    sweep = bandwidth_sweep(X, Y, [k], "biased", estimator, n_resamples=9, rng=3, points=at)
    f = estimator.replace(kernel=k).embed(X) - estimator.replace(kernel=k).embed(Y)
    assert sweep.witness[0] == pytest.approx(f(at))


def test_a_sweep_is_given_up_and_an_empty_one_refused():
    asked = iter([False, True])
    assert bandwidth_sweep(X, Y, KERNELS, n_resamples=9, stopped=lambda: next(asked)) is None
    with pytest.raises(ValueError, match=naming("kernels")):
        bandwidth_sweep(X, Y, [])


def test_power_over_sizes_is_the_power_at_each_and_the_least_that_is_enough():
    kernel, options = Gaussian(1.0), {"n_resamples": 199, "rng": 2}
    curve = power_curve(X, Y, kernel, **options)
    at = [0, 40, 300]
    sizes = curve.sizes[at]
    assert curve.power[at] == pytest.approx(power(X, Y, kernel, sizes, np.round(0.75 * sizes), **options))
    assert curve.power[curve.sizes == curve.needed] >= 0.8 > curve.power[curve.sizes < curve.needed].max()
    assert curve.at(curve.sizes[40]) == curve.power[40]
    low = power_curve(X, Y, kernel, sizes=[5, 6], aim=0.99, **options)
    assert low.needed is None
    assert names_all(low._sentence(), "No size", 6)


@pytest.mark.slow
def test_the_needed_size_has_about_the_power_that_it_says():
    """The plan is made of large samples. The rate of 400 samples of its size is within 0.1, which is 5 deviations."""
    rng = np.random.default_rng(5)
    plan = power_curve(rng.normal(size=2000), rng.normal(size=2000) + 0.7, Gaussian(1.0), n_resamples=199, rng=0)
    n, rejected = plan.needed, 0
    for i in range(400):
        rejected += (
            mmd_test(rng.normal(size=n), rng.normal(size=n) + 0.7, Gaussian(1.0), n_resamples=199, rng=i).pvalue <= 0.05
        )
    assert abs(rejected / 400 - 0.8) < 0.1
    assert norm.sf(0.1 / np.sqrt(0.16 / 400)) < 1e-6
