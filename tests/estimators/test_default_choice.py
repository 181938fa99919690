"""`Estimator.select`: the parameter of a user's class is chosen by leave-one-out, without code of its own.

A class that repeats an estimator of the library has to choose the same value as that one, which has a formula.
"""

import math
import warnings
from typing import Any

import numpy as np
import pytest
from helpers.naming import naming

from explorer import FKMSE, KME, SKMSE, Embedding, Estimator, Gaussian, Laplacian, mmd_test
from explorer.checks import ExplorerWarning
from explorer.estimators import choice
from explorer.parameters import LogNumber, Real, Stops, Whole


class Shrunk(Estimator):
    """S-KMSE, without its formula."""

    free = "lam"
    lam: Any = LogNumber(
        default=None, allow_None=True, bounds=(0, None), softbounds=(1e-4, 1e2), infinite=True, doc="shrinkage"
    )

    def embed(self, X):
        chosen = self.select(X)
        kernel, X = chosen._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1 / len(X) / (1 + chosen.lam)))


class Ridged(Shrunk):
    """F-KMSE, without its formula."""

    def embed(self, X):
        chosen = self.select(X)
        kernel, X, K = chosen._gram(X)
        if math.isinf(chosen.lam):
            return Embedding(kernel, X, np.zeros(len(X)))
        return Embedding(kernel, X, np.linalg.solve(K + chosen.lam * np.eye(len(X)), K.mean(axis=1)))


class Share(Estimator):
    """Average of a total weight."""

    free = "share"
    share: Any = Real(default=None, allow_None=True, bounds=(0, 1), doc="the weight")

    def embed(self, X):
        chosen = self.select(X)
        kernel, X = chosen._kernel(X)
        return Embedding(kernel, X, np.full(len(X), chosen.share / len(X)))


class Central(Estimator):
    """Average of the most central rows."""

    free = "count"
    count: Any = Whole(default=None, allow_None=True, bounds=(1, 200), doc="number of rows")

    def embed(self, X):
        chosen = self.select(X)
        kernel, X, K = chosen._gram(X)
        if chosen.count > len(X):
            raise ValueError("too many rows")
        rows = np.argsort(-K.mean(axis=1), kind="stable")[: chosen.count]
        return Embedding(kernel, X[rows], np.full(len(rows), 1 / len(rows)))


def sample(seed, n=12, d=2):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(2.0)], ids=str)
@pytest.mark.parametrize(("mine", "ours"), [(Shrunk, SKMSE), (Ridged, FKMSE)])
def test_the_choice_is_that_of_the_formula(mine, ours, kernel, seed):
    X = sample(seed)
    np.testing.assert_allclose(mine(kernel).select(X).lam, ours(kernel).select(X).lam, rtol=1e-5)


def test_an_end_of_the_bounds_may_be_chosen():
    X = np.array([[0.0], [1e3], [2e3]])  # no two points are alike, so the best estimate is 0
    assert SKMSE(Gaussian(1.0)).select(X).lam == Shrunk(Gaussian(1.0)).select(X).lam == math.inf
    assert Shrunk(Gaussian(1.0)).select(np.ones((3, 1))).lam == SKMSE(Gaussian(1.0)).select(np.ones((3, 1))).lam == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_number_is_chosen_on_a_linear_scale(seed):
    X = sample(seed)
    lam = SKMSE(Gaussian(1.0)).select(X).lam or 0.0
    np.testing.assert_allclose(Share(Gaussian(1.0)).select(X).share, 1 / (1 + lam), rtol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_embeddings(seed):
    X, kernel, made = sample(seed, 6), Gaussian(1.0), Share(Gaussian(1.0))
    distances = [
        Embedding(kernel, X[i : i + 1], [1.0]).distance(made.replace(share=0.3).embed(np.delete(X, i, axis=0)))
        for i in range(len(X))
    ]
    np.testing.assert_allclose(made.loocv(X, [0.3]), np.mean(np.square(distances)), rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_number_has_the_least_of_all_scores(seed):
    X, made = sample(seed), Central(Gaussian(1.0))
    counts = np.arange(1, len(X))  # each refit has one row less
    scores = made.loocv(X, counts)
    assert made.select(X).count == counts[scores.argmin()]


def test_a_slider_of_stops_has_the_least_of_its_scores():
    class Stopped(Share):
        share: Any = Stops(default=None, allow_None=True, stops=(0.0, 0.25, 0.5, 1.0), doc="the weight")

    X, made = sample(1), Stopped(Gaussian(1.0))
    assert made.select(X).share == Stopped.fields["share"].stops[made.loocv(X, [0.0, 0.25, 0.5, 1.0]).argmin()]


def test_the_bandwidth_is_chosen_first():
    chosen = Share().select(sample(0))
    assert chosen.kernel == Gaussian().select(sample(0))
    assert chosen == Share(chosen.kernel).select(sample(0))


def test_a_test_takes_the_estimator():
    X, Y = sample(0), sample(1) + 3
    assert mmd_test(X, Y, Gaussian(1.0), "biased", estimator=Share(), n_resamples=99, rng=0).pvalue == 0.01


def test_what_has_no_range_is_refused():
    class Open(Estimator):
        free = "lam"
        lam: Any = LogNumber(default=None, allow_None=True, bounds=(0, None), doc="shrinkage")

        def embed(self, X):
            return KME(self.kernel).embed(X)

    with pytest.raises(ValueError, match=naming("Open.lam", "softbounds", "select")):
        Open(Gaussian(1.0)).select(sample(0))
    with pytest.raises(ValueError, match=naming("1 row", "2")):
        Share(Gaussian(1.0)).select(sample(0, 1))


def test_a_refusal_of_all_values_is_passed_on():
    class Refusing(Share):
        def embed(self, X):
            raise ValueError("no weight is right")

    with pytest.raises(ValueError, match="no weight is right"):
        Refusing(Gaussian(1.0)).select(sample(0))


def test_long_work_is_warned_of(monkeypatch):
    monkeypatch.setattr(choice, "LONG", 0.0)
    with pytest.warns(ExplorerWarning, match=naming("Share.share", "leave-one-out")) as told:
        Share(Gaussian(1.0)).select(sample(0))
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Share(Gaussian(1.0), share=0.5).select(sample(0))
