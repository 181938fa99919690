"""Levels of the tests of goodness of fit: samples of the model are rejected as often as the level says, or less."""

import numpy as np
from fitting import HEAVY, MIXTURE, NORMAL

from explorer import InverseMultiquadric, fssd_test, ksd_test, ksdagg_test

LEVELS = (0.05, 0.2)
TESTS = {
    "wild": lambda X, model, rng: ksd_test(X, model, n_resamples=99, rng=rng),
    "wild, inverse multiquadric": lambda X, model, rng: ksd_test(
        X, model, InverseMultiquadric(), n_resamples=99, rng=rng
    ),
    "parametric": lambda X, model, rng: ksd_test(X, model, null="parametric", n_resamples=19, rng=rng),
    "aggregated": lambda X, model, rng: ksdagg_test(X, model, n_resamples=199, rng=rng),
    "aggregated, parametric": lambda X, model, rng: ksdagg_test(X, model, null="parametric", n_resamples=19, rng=rng),
    "finite set": lambda X, model, rng: fssd_test(X, model, n_resamples=99, rng=rng),
}
MODELS = {"normal": NORMAL, "mixture": MIXTURE, "t": HEAVY}


def pvalues(test, model, n, count):
    """p of `count` samples of the model."""
    rng = np.random.default_rng(0)
    return np.array([test(model.sample(n, rng=rng), model, rng).pvalue for _ in range(count)])
