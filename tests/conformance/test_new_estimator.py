"""A new estimator is one class that embeds, and every test and HSIC takes it; it selects and scores by itself."""

import importlib

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, vectors

from explorer import FKMSE, SKMSE, Embedding, Gaussian, Laplacian, Linear, hsic, hsic_test, mmd2, mmd_test
from explorer.estimators import Estimator
from explorer.parameters import LogNumber


class Halved(Estimator):
    """Half of the empirical kernel mean."""

    equal_weights = True

    def scale(self, summary=None):
        return 0.5

    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 0.5 / len(X)))


class Solved(Halved):
    """FKMSE at a given λ, by a solver, which states nothing of itself except what a sample may choose."""

    equal_weights, scale, free = False, Estimator.scale, "lam"
    lam = LogNumber(0.3, bounds=(0, None), allow_None=True)

    def embed(self, X):
        kernel, X, K = self._gram(X)
        return Embedding(kernel, X, np.linalg.solve(K + self.lam * np.eye(len(X)), K.mean(axis=1)))


class Ridge(Solved):
    """`Solved`, with the system that its weights solve."""

    @property
    def ridge(self):
        return self.lam


MAKERS = {"halved": lambda k, f: Halved(k), "solved": lambda k, f: Solved(k), "ridge": lambda k, f: Ridge(k)}
every_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
ESTIMATORS, EDGES = (importlib.import_module(name) for name in ("estimators.test_estimators", "conformance.test_edges"))


@every_maker
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_it_keeps_what_all_estimators_keep_under_every_kernel(row, make):
    ESTIMATORS.test_small_samples_have_finite_answers(row, make)
    ESTIMATORS.test_the_order_of_the_rows_permutes_the_weights_and_nothing_else(row, make)
    EDGES.test_duplicates_weigh_alike(row, make)


@every_maker
def test_it_keeps_what_all_estimators_keep_under_kernels_with_a_length(make):
    for X in (np.zeros((4, 2)), np.repeat(np.eye(2), 3, axis=0)):
        ESTIMATORS.test_degenerate_samples_have_finite_answers(make, Linear(), X)
    ESTIMATORS.test_a_gaussian_estimate_turns_and_shifts_with_its_sample(make)
    ESTIMATORS.test_a_gaussian_estimate_knows_no_unit(make, 7.0)
    for kind in (Gaussian, Laplacian):
        EDGES.test_a_constant_column_says_nothing(kind, make, 1e8)


def test_its_score_is_that_of_refits():
    """Half of the mean is S-KMSE at λ = 1, and the solver is F-KMSE: their scores are in closed form."""
    X = vectors(9)
    assert isinstance(Halved().loocv(X), float)
    assert Halved().loocv(X) == pytest.approx(SKMSE().loocv(X, [1.0])[0], rel=1e-12)
    lams = [0.1, 0.3, 2.0]
    for kernel in (Gaussian(1.5), Laplacian(), Linear()):
        # K + λI has a condition number of some 1e3
        np.testing.assert_allclose(Solved(kernel).loocv(X, lams), FKMSE(kernel).loocv(X, lams), rtol=1e-10)
    assert Solved().loocv(X, 0.3) == pytest.approx(Solved().loocv(X, lams)[1:2], rel=1e-14)
    with pytest.raises(ValueError, match=naming("2")):
        Halved().loocv(X[:1])


def test_what_it_cannot_do_by_itself_it_refuses():
    X = vectors(9)
    assert Halved().select(X).kernel == Gaussian().select(X)
    assert Solved().select(X) == Solved(Gaussian().select(X), 0.3)
    with pytest.raises(ValueError, match=naming("Solved", "lam", "select")):
        Solved(lam=None).select(X)

    class Noisy(Halved):
        noisy = True

    with pytest.raises(ValueError, match=naming("noise", "loocv")):
        Noisy().loocv(X)


def samples():
    return vectors(12), vectors(9, seed=1) + 0.5


def test_equal_weights_have_every_statistic():
    """Half of both means: a quarter of their squared distance, and the same p-value."""
    X, Y = samples()
    for statistic in ("biased", "unbiased"):
        assert mmd2(X, Y, estimator=Halved(), statistic=statistic) == mmd2(X, Y, statistic=statistic) / 4
        plain = mmd_test(X, Y, statistic=statistic, n_resamples=99, rng=1)
        test = mmd_test(X, Y, statistic=statistic, estimator=Halved(), n_resamples=99, rng=1)
        np.testing.assert_allclose(test.null_distribution, plain.null_distribution / 4, rtol=1e-14)
        assert test.pvalue == plain.pvalue
        assert "Halved()" in str(test)
    X, Y = vectors(12), vectors(12, seed=1)
    assert hsic(X, Y, estimator=Halved()) == pytest.approx(hsic(X, Y) / 4, rel=1e-12)
    plain, test = (hsic_test(X, Y, estimator=each, n_resamples=99, rng=1) for each in (None, Halved()))
    assert test.pvalue == plain.pvalue


@pytest.mark.parametrize("make", [Solved, Ridge])
def test_weights_of_its_own_have_the_biased_statistic(make):
    """The system is solved many splits at a time if the estimator names it, otherwise split by split: to one answer."""
    X, Y = samples()
    kernel = Gaussian(1.5)
    with pytest.raises(ValueError, match=naming("statistic='biased'")):
        mmd2(X, Y, kernel, estimator=make())
    expected = make(kernel).embed(X).distance(make(kernel).embed(Y)) ** 2
    assert mmd2(X, Y, kernel, "biased", make()) == pytest.approx(expected, rel=1e-9)
    own, known = (
        mmd_test(X, Y, kernel, "biased", estimator=each, n_resamples=49, rng=2) for each in (make(), FKMSE(lam=0.3))
    )
    np.testing.assert_allclose(own.null_distribution, known.null_distribution, rtol=1e-9)
    assert own.pvalue == known.pvalue

    X, Y = vectors(10), vectors(10, seed=1)
    own, known = (
        hsic_test(X, Y, kernel, kernel, estimator=each, n_resamples=49, rng=2) for each in (make(), FKMSE(lam=0.3))
    )
    np.testing.assert_allclose(own.null_distribution, known.null_distribution, rtol=1e-8)
    assert own.pvalue == known.pvalue
