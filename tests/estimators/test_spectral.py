"""Spectral shrinkage: Tikhonov is F-KMSE, scores are genuine refits, choices are minima, every sample has an answer."""

import math

import numpy as np
import pytest
from catalogue import KERNELS, drawn, vectors
from hard_samples import CASES, X9, close, refits

from explorer import FKMSE, KME, Gaussian, Linear, Polynomial, Precomputed, SpectralKMSE
from explorer.estimators import refits as refits_module
from explorer.estimators.refits import Refits

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_case = pytest.mark.parametrize(("kernel", "X"), CASES.values(), ids=CASES)
LAM_FILTERS, STEP_FILTERS = ["tikhonov", "iterated-tikhonov", "tsvd"], ["landweber", "nu"]
FILTERS = LAM_FILTERS + STEP_FILTERS
every_filter = pytest.mark.parametrize("filter", FILTERS)
AWAY = Precomputed([[1.0, -0.4, -0.4], [-0.4, 1.0, -0.4], [-0.4, -0.4, 1.0]])


def free(filter):
    return "lam" if filter in LAM_FILTERS else "steps"


def values_for(filter, K):
    """Both ends and between, off the eigenvalues of any refit."""
    if filter in STEP_FILTERS:
        return np.array([0, 1, 2, 3, 10, 100, 1000])
    return np.array([0.0, 1.234e-6, 1.234e-3, 0.1234, 0.7654, 12.34, math.inf]) * np.linalg.eigvalsh(K)[-1]


# Tikhonov ---------------------------------------------------------------------------------------------------------


@every_case
def test_tikhonov_is_fkmse_to_the_bit(kernel, X):
    assert SpectralKMSE(kernel).select(X).lam == FKMSE(kernel).select(X).lam
    assert SpectralKMSE(kernel).embed(X) == FKMSE(kernel).embed(X)
    for lam in (0, 1e-3, 0.3, 50.0, math.inf):
        assert SpectralKMSE(kernel, "tikhonov", lam).embed(X) == FKMSE(kernel, lam).embed(X)
    lams = values_for("tikhonov", kernel(X))
    np.testing.assert_array_equal(SpectralKMSE(kernel).loocv(X, lams), FKMSE(kernel).loocv(X, lams))


@every_case
def test_one_step_of_iterated_tikhonov_is_tikhonov(kernel, X):
    K = kernel(X)
    one, plain = SpectralKMSE(kernel, "iterated-tikhonov", steps=1), FKMSE(kernel)
    lams = values_for("tikhonov", K)
    for lam in lams:
        weights = plain.replace(lam=lam).embed(X).weights
        np.testing.assert_allclose(one.replace(lam=lam).embed(X).weights, weights, rtol=0, atol=1e-14)  # two forms of h
    for score, fast in zip(one.loocv(X, lams), plain.loocv(X, lams), strict=True):
        assert close(score, fast, K, 1e-9)  # the closed form against refits: as for F-KMSE's own


def test_iterated_tikhonov_takes_two_steps_unless_told():
    X = vectors(9)
    two, unsaid = SpectralKMSE(Gaussian(1.3), "iterated-tikhonov", 0.3, 2), SpectralKMSE(Gaussian(1.3), "iterated-tikhonov", 0.3)
    assert unsaid.embed(X) == two.embed(X)
    assert unsaid.select(X) == two
    assert unsaid.replace(lam=None).select(X).steps == 2
    np.testing.assert_array_equal(unsaid.loocv(X, [0.1, 1.0]), two.loocv(X, [0.1, 1.0]))


# scores -----------------------------------------------------------------------------------------------------------


@every_case
@every_filter
def test_the_score_is_that_of_refits(kernel, X, filter):
    estimator, K = SpectralKMSE(kernel, filter), kernel(X)
    values = values_for(filter, K)
    for value, score in zip(values, estimator.loocv(X, values), strict=True):
        value = value.item()
        # the Gram matrix of n - 1 points rounds apart from n points' own: 1e-9 as for F-KMSE
        assert close(score, refits(estimator.replace(**{free(filter): value}), X), K, 1e-9)


def landweber_refits(K, steps, own_step):
    """By the iteration itself, with each refit's own step length or the full matrix's."""
    n, scores = len(K), []
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        inner = K[np.ix_(rest, rest)]
        eta, b = 1 / np.linalg.eigvalsh(inner if own_step else K)[-1], np.zeros(n - 1)
        for _ in range(steps):
            b = b + eta * (inner.mean(axis=1) - inner @ b)
        scores.append(K[i, i] - 2 * K[i, rest] @ b + b @ inner @ b)
    return np.mean(scores)


@pytest.mark.parametrize("steps", [1, 5, 30])
def test_a_refit_steps_by_its_own_largest_eigenvalue(steps):
    K = Gaussian(1.3)(X9)
    score = SpectralKMSE(Gaussian(1.3), "landweber").loocv(X9, [steps])[0]
    assert close(score, landweber_refits(K, steps, own_step=True), K, 1e-13 * steps)  # each step rounds
    assert not close(score, landweber_refits(K, steps, own_step=False), K, 1e-5)


@every_case
def test_filters_agree_at_their_ends(kernel, X):
    K, plain = kernel(X), KME(kernel).loocv(X)
    for filter in LAM_FILTERS:
        nothing, everything = SpectralKMSE(kernel, filter).loocv(X, [0.0, math.inf])
        assert close(nothing, plain, K, 1e-9)
        assert close(everything, np.mean(np.diag(K)), K)
    for filter in STEP_FILTERS:
        assert close(SpectralKMSE(kernel, filter).loocv(X, [0])[0], np.mean(np.diag(K)), K)


@every_filter
def test_small_batches_change_nothing(filter, monkeypatch):
    estimator = SpectralKMSE(Gaussian(1.3), filter)
    values = values_for(filter, Gaussian(1.3)(X9))
    at_once = estimator.loocv(X9, values)
    monkeypatch.setattr(refits_module, "BATCH", 100)  # one left-out point at a time
    np.testing.assert_allclose(estimator.loocv(X9, values), at_once, rtol=1e-14)


# choices ----------------------------------------------------------------------------------------------------------


@every_kernel
@every_filter
@pytest.mark.parametrize("seed", range(2))
def test_the_choice_has_the_least_score(row, filter, seed):
    k, X = drawn(row, 8, seed)
    estimator, top = SpectralKMSE(k, filter), np.linalg.eigvalsh(k(X))[-1]
    if filter in LAM_FILTERS:
        grid = np.concatenate([[0.0, math.inf], np.geomspace(1e-6 * top, 1e4 * top, 800)])
    else:
        most = {"landweber": 10**6, "nu": 10**3}[filter]
        grid = np.unique(np.concatenate([np.arange(301), np.geomspace(300, most, 300).astype(int)]))
    chosen = estimator.select(X)
    scores = estimator.loocv(X, grid)
    at = estimator.loocv(X, [getattr(chosen, free(filter))])[0]
    # ties by rounding go to the earlier candidate: 1e-12 of the scores' size
    assert at <= scores.min() + 1e-12 * np.abs(scores).max()


@every_case
def test_no_threshold_beats_the_chosen_one(kernel, X):
    """Every set of directions that some threshold keeps is tried: next to each eigenvalue of each refit."""
    K = kernel(X)
    gamma = Refits(K).gamma.ravel()
    # thresholds of the size of rounding would tell rounding apart
    gamma = gamma[gamma > 1e-13 * gamma.max()] if gamma.max() > 0 else gamma
    estimator = SpectralKMSE(kernel, "tsvd")
    scores = estimator.loocv(X, np.concatenate([[0.0, math.inf], gamma * (1 - 1e-9), gamma * (1 + 1e-9)]))
    at = estimator.loocv(X, [estimator.select(X).lam])[0]
    assert at <= scores.min() + 1e-12 * np.abs(scores).max()


@every_kernel
@every_filter
def test_what_a_filter_chooses_is_what_embed_uses(row, filter):
    k, X = drawn(row, 8)
    estimator = SpectralKMSE(row.kernel, filter)
    chosen = estimator.select(X)
    assert chosen.kernel == k
    assert getattr(chosen, free(filter)) is not None
    assert chosen.select(X) == chosen
    assert chosen.embed(X) == estimator.embed(X)


@pytest.mark.parametrize("a", [0.1, 30.0])
@every_filter
def test_scaling_the_kernel_scales_lambda_and_leaves_steps(filter, a):
    K = Gaussian(1.3)(X9)
    one, other = (SpectralKMSE(Precomputed(s * K), filter).select(np.arange(9)) for s in (1.0, a))
    if filter in LAM_FILTERS:
        assert other.lam == pytest.approx(a * one.lam, rel=1e-5)  # found by search, to 1e-7 in log λ
    else:
        assert other.steps == one.steps > 0


@every_filter
def test_points_that_point_away_from_each_other_are_given_up(filter):
    chosen = SpectralKMSE(AWAY, filter).select([0, 1, 2])
    assert getattr(chosen, free(filter)) == (math.inf if filter in LAM_FILTERS else 0)
    np.testing.assert_array_equal(chosen.embed([0, 1, 2]).weights, 0.0)


# a defined answer for every sample ----------------------------------------------------------------------------------


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
    # equal points have equal weights, but for directions of eigenvalue 0, which carry none
    np.testing.assert_allclose(crowd.weights, alone.weights[0] / 4, rtol=0, atol=1e-12)


@every_filter
def test_one_point_is_not_enough_to_choose(filter):
    estimator = SpectralKMSE(Linear(), filter)
    for ask in (estimator.embed, estimator.select, lambda X: estimator.loocv(X, [1])):
        with pytest.raises(ValueError, match="1 row; at least 2 are needed"):
            ask([[1.0, 2.0]])


@every_filter
def test_a_matrix_with_a_negative_eigenvalue_is_refused(filter):
    bad = SpectralKMSE(Precomputed([[0.0, 1.0], [1.0, 0.0]]), filter)
    for ask in (bad.embed, bad.select, lambda X: bad.loocv(X, [1]), bad.replace(**{free(filter): 1}).embed):
        with pytest.raises(ValueError, match="eigenvalue -1 beside its largest, 1"):
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
        ("tikhonov", {"steps": 3}, "'tikhonov' has no steps, and steps=3 was given; leave it None, or take one that has: 'iter"),
        ("tsvd", {"steps": 3}, "'tsvd' has no steps"),
        ("landweber", {"lam": 0.1}, "'landweber' has no λ, and lam=0.1 was given"),
        ("nu", {"lam": math.inf}, "'nu' has no λ"),
        ("nu", {"steps": 10**5 + 1}, "100001 are asked for; give at most 100000"),
        ("nu", {"steps": -1}, "steps must be a whole number of at least 0"),
        ("landweber", {"steps": 10**16}, "at most 1000000000000000"),
        ("tsvd", {"lam": -1.0}, "lam must be a number of at least 0"),
        ("tikhonov", {"weights": "simplex"}, "has no weights='simplex': a filter minimises no objective"),
    ],
)
def test_a_parameter_that_does_not_fit_is_refused_in_a_sentence(filter, given, said):
    with pytest.raises(ValueError, match=said):
        SpectralKMSE(Linear(), filter, **given)


@pytest.mark.parametrize("filter", STEP_FILTERS)
@pytest.mark.parametrize(("error", "bad"), [(TypeError, [1.0]), (TypeError, ["a"]), (ValueError, [-1]), (TypeError, [True])])
def test_steps_are_whole_numbers_of_at_least_zero(filter, error, bad):
    with pytest.raises(error, match="values holds"):
        SpectralKMSE(Linear(), filter).loocv(X9, bad)


def test_a_score_of_too_many_steps_is_refused():
    with pytest.raises(ValueError, match="one by one, and 1000000 are asked for"):
        SpectralKMSE(Linear(), "nu").loocv(X9, [10**6])


@pytest.mark.parametrize("filter", LAM_FILTERS)
@pytest.mark.parametrize(
    ("error", "bad"), [(ValueError, [-1.0]), (ValueError, [math.nan]), (ValueError, [-math.inf]), (TypeError, ["a"])]
)
def test_lambdas_of_a_filter_are_numbers_of_at_least_zero(filter, error, bad):
    with pytest.raises(error, match="values h"):
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
    with pytest.raises(ValueError, match=r"yet to choose steps on a sample; take select\(X\) first"):
        SpectralKMSE(filter="nu").filter_at([1.0])
    with pytest.raises(ValueError, match="gamma holds -1; a Gram matrix has no eigenvalue below 0"):
        SpectralKMSE(filter="nu", steps=3).filter_at([1.0, -1.0])
