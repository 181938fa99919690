"""Refits whose weights are divided by their sum, and filters that any values may be given for, against embeddings."""

import math

import numpy as np
import pytest
from hard_samples import GRAMS, X9, agree, close, refits, score_or_nan
from helpers.naming import naming
from kernels_and_estimators import law
from spectral_filters import LAM_FILTERS, STEP_FILTERS, every_filter, free, values_for

from explorer import FKMSE, KME, Gaussian, Linear, Polynomial, Precomputed, SpectralKMSE
from explorer.estimators import refits as refits_module
from explorer.estimators.refits import Refits
from explorer.estimators.selection import least
from explorer.estimators.spectrum import Spectrum

every_case = pytest.mark.parametrize(("kernel", "X"), GRAMS.values(), ids=GRAMS)


def centred_but_one(n=8, seed=2):
    """Return points in the plane whose mean is 0 once the first one is left out."""
    Z = np.random.default_rng(seed).normal(size=(n - 1, 2))
    return np.vstack([[[0.7, 0.2]], Z - Z.mean(axis=0)])


# closed form ------------------------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("factor", [1e-3, 0.1, 1.0, 100.0])
def test_the_refit_in_closed_form_and_its_sum(kernel, X, factor):
    """n - 1 times β^(-i) is H1 - r H e_i + t e_i: 0 for the left-out point, the others' ridge solution elsewhere."""
    K = kernel(X)
    n, lam = len(K), factor * np.linalg.eigvalsh(K)[-1]
    A = np.linalg.inv(K + lam * np.eye(n))
    H = K @ A
    for i, e in enumerate(np.eye(n)):
        t = (A.sum(axis=1)[i] - A[i, i]) / A[i, i]
        beta = (H.sum(axis=1) - (1 + t) * H[i] + t * e) / (n - 1)
        rest = np.delete(np.arange(n), i)
        inner = K[np.ix_(rest, rest)]
        dense = np.linalg.solve(inner + lam * np.eye(n - 1), inner.mean(axis=1))
        # both are exact to eps over the factor, the condition number
        np.testing.assert_allclose(beta[rest], dense, rtol=0, atol=1e-11)
        assert abs(beta[i]) <= 1e-11
        total = (H.sum() - (1 + t) * H.sum(axis=1)[i] + t) / (n - 1)
        assert total == pytest.approx(dense.sum(), abs=1e-11)


@pytest.mark.thorough(default=["delta", "duplicates", "far offset", "tiny bandwidth", "two points"])
@every_case
def test_the_normalised_score_is_that_of_refits(kernel, X):
    K = kernel(X)
    lams = np.array([0.0, 1e-6, 1e-3, 0.3, 30.0, 1e12]) * np.linalg.eigvalsh(K)[-1]
    scores = Spectrum(K).leave_one_out(lams, normalised=True)
    references = [score_or_nan(FKMSE(kernel, lam, weights="sum-to-one"), X) for lam in lams]
    # K is known to n eps γ_max, which a small λ makes n eps γ_max / λ of a null direction's share: 2e-9 in the refits
    # themselves
    agree(scores, references, K, 1e-8)
    agree(scores[2:], references[2:], K, 1e-9)
    assert np.isfinite(scores).all()


@every_case
def test_the_normalised_score_for_an_infinite_lambda_is_its_limit(kernel, X):
    K = kernel(X)
    scores = Spectrum(K).leave_one_out(np.array([1e9, 1e300]) * K.diagonal().max(), normalised=True)
    limit = Spectrum(K).leave_one_out([math.inf], normalised=True)[0]
    expected = []
    for i in range(len(K)):
        rest = np.delete(np.arange(len(K)), i)
        weights = K[np.ix_(rest, rest)].sum(axis=1)
        weights /= weights.sum()
        expected.append(K[i, i] - 2 * K[i, rest] @ weights + weights @ K[np.ix_(rest, rest)] @ weights)
    assert close(limit, np.mean(expected), K, 1e-9)
    assert close(scores[1], limit, K, 1e-9)
    assert close(scores[0], limit, K, 1e-6)  # γ_max / λ is 1e-8 or so


@every_case
def test_lambda_zero_is_the_mean_whatever_is_divided(kernel, X):
    spectrum = Spectrum(kernel(X))
    assert spectrum.leave_one_out([0.0], normalised=True) == spectrum.leave_one_out([0.0])


@pytest.mark.parametrize("tiny", [1e-20, 1e-30, 1e-200, 5e-324])
def test_the_least_lambdas_are_quiet_and_tend_to_the_mean(tiny):
    """A regular K: warnings are errors here."""
    spectrum = Spectrum(Gaussian(0.5)(X9))
    for normalised in (False, True):
        mean, score = spectrum.leave_one_out([0.0, tiny], normalised)
        assert score == pytest.approx(mean, rel=1e-9)


def test_refits_without_a_sum_have_no_score():
    X = centred_but_one()
    K = Linear()(X)
    lams = np.array([0.0, 1e-6, 1e-3, 1.0, 1e6, math.inf]) * np.trace(K)
    scores = Spectrum(K).leave_one_out(lams, normalised=True)
    np.testing.assert_array_equal(np.isnan(scores), lams > 0)
    for lam in lams[1:-1]:
        assert math.isnan(score_or_nan(FKMSE(Linear(), lam, weights="sum-to-one"), X))
    # a mean that is small, yet none, has a score: of weights as large as 1 / .01
    moved = X + 0.01
    scores = Spectrum(Linear()(moved)).leave_one_out(lams[2:-1], normalised=True)
    references = [refits(FKMSE(Linear(), lam, weights="sum-to-one"), moved) for lam in lams[2:-1]]
    # 1e-2 squared is what eps of the Gram matrix is over, times 1e3 for the least λ
    np.testing.assert_allclose(scores, references, rtol=1e-7)
    assert scores.min() > 100 * KME(Linear()).loocv(moved)


def test_a_sample_that_is_zero_has_no_score_but_the_means():
    scores = Spectrum(np.zeros((4, 4))).leave_one_out([0.0, 1e-3, 1.0, math.inf], normalised=True)
    np.testing.assert_array_equal(scores, [0.0, math.nan, math.nan, math.nan])


def test_a_batch_of_normalised_scores_is_one_after_the_other():
    spectrum = Spectrum(Gaussian(1.3)(X9))
    lams = np.array([0.0, 1e-3, 0.5, 7.0, 1e5, math.inf, 0.5])
    one_by_one = [spectrum.leave_one_out(lams[i : i + 1], normalised=True)[0] for i in range(len(lams))]
    np.testing.assert_allclose(
        spectrum.leave_one_out(lams, normalised=True), one_by_one, rtol=1e-12
    )  # shapes of products
    assert spectrum.leave_one_out([], normalised=True).shape == (0,)


def test_dividing_by_the_sum_shrinks_less():
    """The free refits pass from KME's score down and up to mean k(x, x); these have a sum to stay near."""
    spectrum = Spectrum(Gaussian(1.3)(X9))
    shrunk, normalised = (spectrum.leave_one_out([1e6], n)[0] for n in (False, True))
    assert shrunk == pytest.approx(1, abs=1e-4)
    assert normalised < 0.9 * shrunk


# any filter -------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["tikhonov-*", "*-gaussian"])
@every_case
@every_filter
def test_the_normalised_score_of_any_filter_is_that_of_refits(kernel, X, filter):
    K = kernel(X)
    values, held = values_for(filter, K)[::2], SpectralKMSE(kernel, filter, weights="sum-to-one")
    scores = Refits(K).score(held.filtered, values, normalised=True)
    references = [score_or_nan(held.replace(**{free(filter): value.item()}), X) for value in values]
    # the Gram matrix of n - 1 points rounds apart from n points' own: 1e-9 as for the free weights
    agree(scores, references, K, 1e-9)
    assert np.isfinite(scores).any()


@every_case
def test_closed_form_and_refits_have_the_same_normalised_score(kernel, X):
    K = kernel(X)
    lams = np.array([0.0, 1e-3, 0.1, 1.0, 50.0]) * np.linalg.eigvalsh(K)[-1]
    slow = Refits(K).score(SpectralKMSE(kernel, "iterated-tikhonov", steps=1).filtered, lams, normalised=True)
    for score, fast in zip(slow, Spectrum(K).leave_one_out(lams, normalised=True), strict=True):
        assert close(score, fast, K, 1e-9)


def test_refits_of_any_filter_without_a_sum_have_no_score():
    X = centred_but_one()
    K = Linear()(X)
    for filter in LAM_FILTERS + STEP_FILTERS:
        values = values_for(filter, K)
        scores = Refits(K).score(SpectralKMSE(Linear(), filter).filtered, values, normalised=True)
        # only λ = 0 keeps the null directions, and the sum with them
        np.testing.assert_array_equal(np.isnan(scores), (values > 0) | (free(filter) == "steps"))


@every_filter
def test_small_batches_change_no_normalised_score(filter, monkeypatch):
    K = Gaussian(1.3)(X9)
    score, values = SpectralKMSE(Gaussian(1.3), filter).filtered, values_for(filter, K)
    at_once = Refits(K).score(score, values, normalised=True)
    monkeypatch.setattr(refits_module, "BATCH", 100)  # one left-out point at a time
    np.testing.assert_allclose(Refits(K).score(score, values, normalised=True), at_once, rtol=1e-14)


def test_a_search_passes_over_what_has_no_score():
    spectrum = Spectrum(Linear()(centred_but_one()))
    assert least(lambda lam: spectrum.leave_one_out(lam, True), 1e-6, 1e4, ends=(math.inf, 0.0)) == 0.0


# losses and sums of any filter's values ---------------------------------------------------------------------------


@pytest.mark.thorough(
    default=[
        "tikhonov-Linear()",
        "tikhonov-Polynomial(degree=3)",
        "landweber-Gaussian(bandwidth=1.3)",
        "nu-Gaussian(bandwidth=1.3)",
        "nu-Linear()",
    ]
)
@pytest.mark.parametrize("kernel", [Gaussian(1.3), Linear(), Polynomial(3)], ids=repr)
@every_filter
def test_the_loss_of_any_filter_is_the_distance(kernel, filter):
    X, mu = law().sample(12, rng=3), law().embed(kernel)
    K = kernel(X)
    spectrum, values = Spectrum(K), values_for(filter, K)[1:-1]
    plain, held = (SpectralKMSE(kernel, filter, weights=weights) for weights in ("free", "sum-to-one"))
    h = plain.filtered(spectrum.gamma[:, None], values, spectrum.gamma[-1])
    kept = ~spectrum.vanishes(h)
    for estimator, given in ((plain, h), (held, spectrum.normalised(h))):
        losses = spectrum.loss_of(given[:, kept], mu(X), mu.norm() ** 2)
        chosen = [estimator.replace(**{free(filter): value.item()}) for value in values[kept]]
        distances = [e.embed(X).distance(mu) ** 2 for e in chosen]
        np.testing.assert_allclose(losses, distances, rtol=1e-9, atol=1e-13 * np.diag(K).max())  # differences of sums


def test_a_loss_keeps_the_digits_of_a_small_difference():
    """h = 1 - δ on one direction moves the loss by 2 δ times an inner product: the difference itself is right."""
    k = Gaussian(1.3)
    X, mu = law().sample(12, rng=3), law().embed(k)
    spectrum, delta = Spectrum(k(X)), 1e-6
    h = np.ones((12, 2))
    h[-1, 1] -= delta
    mean, moved = spectrum.loss_of(h, mu(X), mu.norm() ** 2)
    assert mean == spectrum.loss(np.array([0.0]), mu(X), mu.norm() ** 2)[0]
    b = spectrum.c[-1] / 12
    slope = -2 * b * (spectrum.gamma[-1] * b - mu(X) @ spectrum.U[:, -1])
    # the next order, δ^2 γ b^2, is 4e-6 of it
    assert moved - mean == pytest.approx(delta * slope, rel=1e-5)


@pytest.mark.thorough(default=["tikhonov-*", "*-gaussian"])
@every_case
@every_filter
def test_normalised_values_are_those_of_weights_that_sum_to_one(kernel, X, filter):
    K = kernel(X)
    spectrum, values = Spectrum(K), values_for(filter, K)
    held = SpectralKMSE(kernel, filter, weights="sum-to-one")
    weights = spectrum.apply(spectrum.normalised(held.filtered(spectrum.gamma[:, None], values, spectrum.gamma[-1])))
    for value, column in zip(values, weights.T, strict=True):
        estimator = held.replace(**{free(filter): value.item()})
        if np.isnan(column).any():
            with pytest.raises(ValueError, match=naming("weights", "0")):
                estimator.embed(X)
        else:
            assert column.sum() == pytest.approx(1, abs=1e-12)
            # nine products, and null directions that λ = 0 keeps
            np.testing.assert_allclose(column, estimator.embed(X).weights, rtol=0, atol=1e-12)


def test_what_has_no_sum_has_no_normalised_values():
    K = Linear()(X9 - X9.mean(axis=0))
    spectrum = Spectrum(K)
    h = spectrum.filter([0.0, 0.5, math.inf])
    values = spectrum.normalised(h)
    np.testing.assert_allclose(values[:, 0], 1.0, rtol=1e-14)
    assert np.isnan(values[:, 1:]).all()
    np.testing.assert_array_equal(spectrum.vanishes(h), [False, True, True])
    # orthogonal points: every direction of the mean counts alike
    orthogonal = Spectrum(Precomputed(np.eye(4))(np.arange(4.0)))
    np.testing.assert_allclose(orthogonal.normalised(orthogonal.filter([0.0, 3.0])), 1.0, rtol=1e-14)
