"""Levels of the tests of goodness of fit: samples of the model are rejected as often as the level says."""

import numpy as np
import pytest
from fit_models import HEAVY, MIXTURE, NORMAL
from two_samples import binomial

from explorer import Gaussian, InverseMultiquadric, fssd_test, ksd_test, ksdagg_test

MODELS = {"normal": NORMAL, "mixture": MIXTURE, "t": HEAVY}
EXACT = "parametric"


def of_kernel(kernel=None, null="wild", count=99):
    return lambda X, model, rng: ksd_test(X, model, kernel, null=null, n_resamples=count, rng=rng)


def aggregated(kernels=None, null="wild", count=199):
    return lambda X, model, rng: ksdagg_test(X, model, kernels, null=null, n_resamples=count, rng=rng)


TESTS = {
    "sign flips": of_kernel(),
    "sign flips, inverse multiquadric": of_kernel(InverseMultiquadric()),
    "samples of the model": of_kernel(null=EXACT, count=19),
    "aggregated, sign flips": aggregated(),
    "aggregated, samples of the model": aggregated([Gaussian(0.5), Gaussian()], EXACT, 39),
    "at few locations": lambda X, model, rng: fssd_test(X, model, n_resamples=99, rng=rng),
}


def pvalues(test, model, n, count):
    """Return the p-values of `count` samples of the model."""
    rng = np.random.default_rng(0)
    return np.array([test(model.sample(n, rng=rng), model, rng).pvalue for _ in range(count)])


def holds(test, model, n, count):
    """Assert that both levels lie in the binomial interval. Those of aggregated tests have ties and may lie below."""
    p = pvalues(test, model, n, count)
    for level in (0.05, 0.2):
        low, high = binomial(count, level)
        rejected = np.count_nonzero(p <= level)
        assert (0 if test in AGGREGATED else low) <= rejected <= high, (level, rejected)


AGGREGATED = [test for name, test in TESTS.items() if name.startswith("aggregated")]


@pytest.mark.parametrize("name", ["sign flips", "sign flips, inverse multiquadric", "at few locations"])
def test_flipped_signs_keep_the_level_of_twenty_points(name):
    holds(TESTS[name], MIXTURE, 20, 150)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["samples of the model", "aggregated, sign flips"])
def test_the_dear_tests_keep_the_level_of_few_points(name):
    """Samples of the model are exact at any n."""
    holds(TESTS[name], HEAVY, 20 if "flips" in name else 5, 150)


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("name", ["sign flips", "sign flips, inverse multiquadric", "at few locations"])
def test_levels_of_a_thousand_samples(name, model, n):
    holds(TESTS[name], model, n, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("name", ["samples of the model", "aggregated, sign flips", "aggregated, samples of the model"])
def test_levels_of_the_dear_tests_in_a_thousand_samples(name, n):
    holds(TESTS[name], MIXTURE, n, 1000)


@pytest.mark.slow
def test_shopping_for_the_least_p_value_does_not_keep_the_level():
    rng = np.random.default_rng(0)
    least = [ksdagg_test(MIXTURE.sample(100, rng=rng), MIXTURE, n_resamples=99, rng=rng).pvalues.min()
             for _ in range(300)]  # fmt: skip
    assert np.count_nonzero(np.array(least) <= 0.05) > binomial(300, 0.05)[1]
