"""Spectral shrinkage has an answer for every sample, a sentence for what makes no sense, and a filter that can be
drawn.
"""

import math

import numpy as np
import pytest
from hard_samples import X9
from helpers.naming import naming
from kernels_and_estimators import KERNELS, vectors
from spectral_filters import LAM_FILTERS, STEP_FILTERS, every_filter, free

from explorer import KME, Gaussian, Linear, Polynomial, Precomputed, SpectralKMSE

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)


# a defined answer for every sample ----------------------------------------------------------------------------------


@pytest.mark.thorough(default=["*-Gaussian(bandwidth=0.7)-2", "tikhonov-*-*", "iterated-tikhonov-*-2"])
@pytest.mark.parametrize("n", [2, 5, 30])
@pytest.mark.parametrize("kernel", [Gaussian(0.7), Linear(), Polynomial(2)], ids=repr)
@every_filter
def test_constant_data_are_not_shrunk_by_any_filter(filter, kernel, n):
    X = np.full((n, 2), 3.7)
    mean = KME(kernel).embed(X)
    assert SpectralKMSE(kernel, filter).embed(X).distance(mean) <= 1e-6 * mean.norm()


@every_filter
def test_a_sample_that_is_zero_has_the_zero_estimate(filter):
    X = np.zeros((4, 2))
    for estimator in (SpectralKMSE(Linear(), filter), SpectralKMSE(Linear(), filter, **{free(filter): 3})):
        assert estimator.embed(X).norm() == 0
        assert np.isfinite(estimator.embed(X).weights).all()
    np.testing.assert_array_equal(SpectralKMSE(Linear(), filter).loocv(X, [0, 1, 5]), 0.0)


@every_kernel
@every_filter
def test_one_point_and_its_repeats(row, filter):
    """One point has one direction: K = k(x, x), h(γ) = h(k(x, x)) for one or n copies with λ n times as large."""
    X = row.data(9)
    kernel = row.kernel.select(X)
    given = {"lam": 0.3 * kernel.diagonal(X[:1])[0]} if filter in LAM_FILTERS else {"steps": 2}
    alone = SpectralKMSE(kernel, filter, **given).embed(X[:1])
    if filter in LAM_FILTERS:
        given["lam"] *= 4
    crowd = SpectralKMSE(kernel, filter, **given).embed(np.repeat(X[:1], 4, axis=0))
    # equal points have equal weights, apart from directions of eigenvalue 0, which carry none
    np.testing.assert_allclose(crowd.weights, alone.weights[0] / 4, rtol=0, atol=1e-12)


@every_filter
def test_one_point_is_not_enough_to_choose(filter):
    estimator = SpectralKMSE(Linear(), filter)
    for ask in (estimator.embed, estimator.select, lambda X: estimator.loocv(X, [1])):
        with pytest.raises(ValueError, match=naming("1", "2")):
            ask([[1.0, 2.0]])


@every_filter
def test_a_matrix_with_a_negative_eigenvalue_is_refused(filter):
    bad = SpectralKMSE(Precomputed.trusted([[0.0, 1.0], [1.0, 0.0]]), filter)
    for ask in (bad.embed, bad.select, lambda X: bad.loocv(X, [1]), bad.replace(**{free(filter): 1}).embed):
        with pytest.raises(ValueError, match=naming("-1", "1")):
            ask([0, 1])


def test_many_steps_reach_the_mean():
    X = vectors(9)
    mean = KME(Gaussian(0.5)).embed(X)
    # least eigenvalue over largest is .08: (1 - .08)^500 and the ν-method's 3 / (4 t^2 * .08)
    assert SpectralKMSE(Gaussian(0.5), "landweber", steps=500).embed(X).distance(mean) < 1e-10
    assert SpectralKMSE(Gaussian(0.5), "nu", steps=1000).embed(X).distance(mean) < 1e-4
    assert SpectralKMSE(Gaussian(0.5), "iterated-tikhonov", 1.0, 100).embed(X).distance(mean) < 1e-10


# what is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filter", "given", "said"),
    [
        (
            "tikhonov",
            {"steps": 3},
            naming("'tikhonov'", "steps=3", "None", "'iterated-tikhonov'"),
        ),
        ("tsvd", {"steps": 3}, naming("'tsvd'", "steps")),
        ("landweber", {"lam": 0.1}, naming("'landweber'", "lam=0.1")),
        ("nu", {"lam": math.inf}, naming("'nu'", "λ")),
        ("nu", {"steps": 10**5 + 1}, naming("100001", "100000")),
        ("nu", {"steps": -1}, naming("SpectralKMSE.steps", "0")),
        ("landweber", {"steps": 10**16}, naming("1000000000000000")),
        ("tsvd", {"lam": -1.0}, naming("SpectralKMSE.lam", "0")),
        ("tikhonov", {"weights": "simplex"}, naming("weights='simplex'", "FKMSE")),
    ],
)
def test_a_parameter_that_does_not_fit_is_refused_in_a_sentence(filter, given, said):
    with pytest.raises(ValueError, match=said):
        SpectralKMSE(Linear(), filter, **given)


@pytest.mark.parametrize("filter", STEP_FILTERS)
@pytest.mark.parametrize(
    ("error", "bad"), [(TypeError, [1.0]), (TypeError, ["a"]), (ValueError, [-1]), (TypeError, [True])]
)
def test_steps_are_whole_numbers_of_at_least_zero(filter, error, bad):
    with pytest.raises(error, match=naming("values")):
        SpectralKMSE(Linear(), filter).loocv(X9, bad)


def test_a_score_of_too_many_steps_is_refused():
    with pytest.raises(ValueError, match=naming("1000000", "100000")):
        SpectralKMSE(Linear(), "nu").loocv(X9, [10**6])


@pytest.mark.parametrize("filter", LAM_FILTERS)
@pytest.mark.parametrize(
    ("error", "bad"), [(ValueError, [-1.0]), (ValueError, [math.nan]), (ValueError, [-math.inf]), (TypeError, ["a"])]
)
def test_lambdas_of_a_filter_are_numbers_of_at_least_zero(filter, error, bad):
    with pytest.raises(error, match=naming("values")):
        SpectralKMSE(Linear(), filter).loocv(X9, bad)


# the filter of an estimator ---------------------------------------------------------------------------------------


@every_filter
def test_the_filter_of_an_estimator_can_be_drawn(filter):
    k, X = Gaussian(1.3), X9
    estimator = SpectralKMSE(k, filter).select(X)
    gamma, U = np.linalg.eigh(k(X))
    h = estimator.filter_at(gamma)
    assert h.shape == (9,)
    # nine products of numbers below 1
    np.testing.assert_allclose(U @ (h * U.mean(axis=0)), estimator.embed(X).weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(estimator.filter_at(gamma[3:6], gamma[-1]), h[3:6], rtol=1e-15)


def test_a_filter_without_its_parameter_cannot_be_drawn():
    with pytest.raises(ValueError, match=naming("steps", "select(X)")):
        SpectralKMSE(filter="nu").filter_at([1.0])
    with pytest.raises(ValueError, match=naming("gamma", "-1", "0")):
        SpectralKMSE(filter="nu", steps=3).filter_at([1.0, -1.0])
