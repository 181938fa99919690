"""Spectral shrinkage: Tikhonov is F-KMSE, scores are genuine refits, choices are minima."""

import math

import numpy as np
import pytest
from hard_samples import GRAMS, X9, close, refits
from kernels_and_estimators import KERNELS, drawn, vectors
from spectral_filters import LAM_FILTERS, STEP_FILTERS, every_filter, free, values_for

from explorer import FKMSE, KME, Gaussian, Precomputed, SpectralKMSE
from explorer.estimators import refits as refits_module
from explorer.estimators import spectral
from explorer.estimators.refits import Refits

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_case = pytest.mark.parametrize(("kernel", "X"), GRAMS.values(), ids=GRAMS)
AWAY = Precomputed([[1.0, -0.4, -0.4], [-0.4, 1.0, -0.4], [-0.4, -0.4, 1.0]])


# Tikhonov ---------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["gaussian", "n > d", "huge bandwidth", "an outlier", "anticorrelated"])
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
    two, unsaid = (
        SpectralKMSE(Gaussian(1.3), "iterated-tikhonov", 0.3, 2),
        SpectralKMSE(Gaussian(1.3), "iterated-tikhonov", 0.3),
    )
    assert unsaid.embed(X) == two.embed(X)
    assert unsaid.select(X) == two
    assert unsaid.replace(lam=None).select(X).steps == 2
    np.testing.assert_array_equal(unsaid.loocv(X, [0.1, 1.0]), two.loocv(X, [0.1, 1.0]))


# scores -----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["tikhonov-*", "*-gaussian"])
@every_case
@every_filter
def test_the_score_is_that_of_refits(kernel, X, filter):
    estimator, K = SpectralKMSE(kernel, filter), kernel(X)
    values = values_for(filter, K)[::2]
    for value, score in zip(values, estimator.loocv(X, values), strict=True):
        value = value.item()
        # the Gram matrix of n - 1 points rounds apart from n points' own: 1e-9 as for F-KMSE
        assert close(score, refits(estimator.replace(**{free(filter): value}), X), K, 1e-9)


def landweber_refits(K, steps, own_step):
    """Return the score by the iteration itself, with each refit's own step length or the full matrix's."""
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


@pytest.mark.thorough(default=["*-tikhonov-*", "0-*-gaussian"])
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
    # thresholds of the size of rounding would distinguish roundings
    gamma = gamma[gamma > 1e-13 * gamma.max()] if gamma.max() > 0 else gamma
    estimator = SpectralKMSE(kernel, "tsvd")
    scores = estimator.loocv(X, np.concatenate([[0.0, math.inf], gamma * (1 - 1e-9), gamma * (1 + 1e-9)]))
    at = estimator.loocv(X, [estimator.select(X).lam])[0]
    assert at <= scores.min() + 1e-12 * np.abs(scores).max()


@pytest.mark.thorough(default=["tikhonov-*", "*-gaussian"])
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


def test_the_nu_method_takes_as_many_steps_as_its_sentence_says(monkeypatch):
    monkeypatch.setattr(spectral, "LARGEST_NU", 7)
    estimator, X = SpectralKMSE(Gaussian(1.3), "nu"), vectors(9)
    assert np.isfinite(estimator.loocv(X, [7])).all()
    with pytest.raises(ValueError, match="at most 7"):
        estimator.loocv(X, [8])
