"""KSD² by its definition, by quadrature and by closed forms; what it is blind to; its tests, and what they refuse."""

import re

import numpy as np
import pandas as pd
import pytest
from fit_models import HEAVY, KERNELS, MIXTURE, MODELS, NORMAL, table
from helpers.naming import naming
from two_samples import binomial

from explorer import (
    Delta,
    Energy,
    Gaussian,
    GaussianMixture,
    InverseMultiquadric,
    Laplacian,
    Linear,
    Matern,
    MixtureDensity,
    Pareto,
    StudentT,
    ksd,
    ksd_test,
    mmd_test,
)
from explorer.discrepancy.fit import stein_kernel as room
from explorer.discrepancy.fit.stein_kernel import stein_kernel

every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def normal(mean, variance=1.0):
    return GaussianMixture([1.0], [[mean]], [[variance]])


# the number ----------------------------------------------------------------------------------------------------------


@every_kernel
@every_model
def test_it_is_the_mean_of_the_stein_kernel_over_pairs(kernel, model):
    X = model.sample(7, rng=0)
    h = table(kernel, X, model)
    apart = h.sum() - np.trace(h)
    # some tens of operations on terms of the size of the diagonal's
    slack = 1e-13 * np.abs(h).max()
    assert ksd(X, model, kernel) == pytest.approx(apart / 42, rel=1e-12, abs=slack)
    assert ksd(X, model, kernel, "biased") == pytest.approx(h.sum() / 49, rel=1e-12, abs=slack)
    scores = model.score(X)
    np.testing.assert_allclose(stein_kernel(kernel, X, scores, X, scores), h, rtol=1e-12, atol=slack)


SMOOTH = [NORMAL, GaussianMixture([0.3, 0.7], [[-2.0], [1.0]], [[[1.0]], [[0.5]]]), StudentT(3.0, [0.5], 2.0)]


@pytest.mark.parametrize("model", SMOOTH, ids=["normal", "mixture", "t"])
@every_kernel
def test_its_expectation_under_the_model_is_zero(kernel, model):
    """∫ h(x, y) p(x) dx = 0 for every y, by x = sinh t: the trapezoidal rule, whose ends are spent."""
    t = np.linspace(-30.0, 30.0, 12_001)
    x, y = np.sinh(t)[:, None], np.array([[-1.0], [0.2], [2.5]])
    h = stein_kernel(kernel, x, model.score(x), y, model.score(y))
    weights = np.exp(model.logpdf(x)) * np.cosh(t) * (t[1] - t[0])
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(weights @ h, 0.0, atol=1e-12 * (weights @ np.abs(h)).max())


@pytest.mark.parametrize("shift", [0.0, 0.7])
def test_of_two_gaussians_it_is_the_closed_form(shift):
    """KSD² = E <s_p - s_q, s_p - s_q> k over the data's q (Liu, Lee and Jordan 2016, definition 3.2): for N(μ, 1)
    under the model N(0, 1) the difference of scores is -μ, and E k = (1 + 2/θ²)^(-1/2)."""
    theta, n, count = 1.3, 30, 300
    exact = shift**2 / np.sqrt(1 + 2 / theta**2)
    X = normal(shift).sample(n * count, rng=1).reshape(count, n, 1)
    unbiased, biased = ([ksd(x, NORMAL, Gaussian(theta), how) for x in X] for how in ("unbiased", "biased"))
    assert abs(np.mean(unbiased) - exact) < 4.5 * np.std(unbiased) / np.sqrt(count)
    # h(x, x) = s(x)² + 1/θ² of k(x, x) = 1: E is 1 + μ² + 1/θ²
    excess = (1 + shift**2 + 1 / theta**2 - exact) / n
    assert abs(np.mean(biased) - exact - excess) < 4.5 * np.std(biased) / np.sqrt(count)
    assert min(biased) >= 0


def test_of_another_model_it_is_the_double_integral():
    """E of the differences of scores, over a grid of all pairs, for data of a t distribution under a mixture."""
    data, model = StudentT(5.0, [0.5], 1.0), GaussianMixture([0.3, 0.7], [[-2.0], [1.0]], [[[1.0]], [[0.5]]])
    kernel, t = InverseMultiquadric(0.9), np.linspace(-9.0, 9.0, 901)
    x = np.sinh(t)[:, None]
    q = np.exp(data.logpdf(x)) * np.cosh(t) * (t[1] - t[0])
    gap = q * (model.score(x) - data.score(x))[:, 0]
    exact = gap @ kernel(x) @ gap
    values = [ksd(data.sample(40, rng=i), model, kernel) for i in range(300)]
    assert abs(np.mean(values) - exact) < 4.5 * np.std(values) / np.sqrt(len(values))


def test_strips_are_sums_of_all(monkeypatch):
    X = HEAVY.sample(23, rng=0)
    whole = [ksd(X, MIXTURE), *ksd_test(X, MIXTURE, n_resamples=300, rng=0).null_distribution]
    monkeypatch.setattr(room, "ENTRIES", 100)
    parts = [ksd(X, MIXTURE), *ksd_test(X, MIXTURE, n_resamples=300, rng=0).null_distribution]
    np.testing.assert_allclose(parts, whole, rtol=0, atol=1e-13 * np.abs(whole).max() * 23)  # sums in another order


@every_kernel
def test_moved_turned_and_rescaled_points_with_their_model(kernel):
    X = HEAVY.sample(20, rng=0)
    value = ksd(X, MIXTURE, kernel)
    turn, shift = np.array([[0.6, -0.8], [0.8, 0.6]]), np.array([1e6, -3.0])
    turned = GaussianMixture(MIXTURE.weights, MIXTURE.means @ turn.T + shift, turn @ MIXTURE.covariances @ turn.T)
    # the points themselves lose eps 1e6 when they are moved
    assert ksd(X @ turn.T + shift, turned, kernel) == pytest.approx(value, rel=1e-8)
    wide = GaussianMixture(MIXTURE.weights, 100 * MIXTURE.means, 1e4 * MIXTURE.covariances)
    unit = 100.0 ** (2 * kernel.exponent) if isinstance(kernel, InverseMultiquadric) else 1.0
    wider = kernel.with_bandwidth(100 * kernel.bandwidth)
    assert ksd(100 * X, wide, wider) == pytest.approx(unit * value / 1e4, rel=1e-11)  # 1 / squared units of X


START = GaussianMixture([0.5, 0.5], [[-1.0, 0.0], [1.0, 1.0]], np.eye(2))


def test_a_model_is_a_law_a_function_a_fit_or_anything_with_a_score():
    X = MIXTURE.sample(30, rng=0)

    class Unnormalised:
        def score(self, X):
            return MIXTURE.score(X)

    value = ksd(X, MIXTURE)
    assert ksd(X, MIXTURE.score) == ksd(X, Unnormalised()) == ksd(X, lambda X: MIXTURE.score(X).tolist()) == value
    assert ksd(X[:, 0], lambda X: -X) == ksd(X[:, 0], lambda X: -X[:, 0]) == ksd(X[:, :1], normal(0.0))
    fit = MixtureDensity(Gaussian(1.0), n_components=2, iterations=9).fit(X, start=START)
    assert ksd(X, fit) == ksd(X, fit.mixture_)


def test_a_function_that_writes_into_its_argument_changes_nothing():
    X = MIXTURE.sample(9, rng=0)
    before = X.copy()

    def score(X):
        X *= -1
        return X

    assert ksd(X, score) == ksd(before, lambda X: -X)
    np.testing.assert_array_equal(X, before)


def test_an_automatic_bandwidth_is_the_sample_s_median():
    X = MIXTURE.sample(12, rng=0)
    assert ksd(X, MIXTURE) == ksd(X, MIXTURE, Gaussian().select(X))
    assert ksd(X, MIXTURE, InverseMultiquadric()) == ksd(X, MIXTURE, InverseMultiquadric().select(X))


# what it sees --------------------------------------------------------------------------------------------------------


def far_modes(weights):
    return GaussianMixture(weights, [[-15.0], [15.0]], [[[1.0]], [[1.0]]])


@pytest.mark.parametrize("kernel", [Gaussian(), Gaussian(1.0), InverseMultiquadric(1.0)], ids=repr)
def test_it_is_blind_to_the_weights_of_far_modes(kernel):
    """Half of the data in either mode, a tenth of the model's mass in one: the score is that of the right weights."""
    data, model = far_modes([0.5, 0.5]), far_modes([0.1, 0.9])
    rejected = 0
    for seed in range(30):
        X = data.sample(60, rng=seed)
        wrong, right = (ksd_test(X, each, kernel, n_resamples=39, rng=seed) for each in (model, data))
        assert wrong.statistic == pytest.approx(right.statistic, rel=1e-9)  # e^-(30²/8) of one mode at the other
        assert wrong.pvalue == right.pvalue
        rejected += wrong.rejected()
    assert rejected <= binomial(30, 0.05)[1]
    assert mmd_test(X, model.sample(60, rng=99), n_resamples=199, rng=0).pvalue == 1 / 200


def test_weights_of_modes_that_meet_are_seen():
    near, wrong = (
        GaussianMixture(weights, [[-1.5], [1.5]], [[[1.0]], [[1.0]]]) for weights in ([0.5, 0.5], [0.1, 0.9])
    )
    assert ksd_test(near.sample(200, rng=0), wrong, n_resamples=199, rng=0).pvalue == 1 / 200


def test_it_is_blind_to_a_mode_that_no_point_visits():
    X = normal(-15.0).sample(100, rng=0)
    assert ksd(X, far_modes([0.5, 0.5])) == pytest.approx(ksd(X, normal(-15.0)), rel=1e-9)


@pytest.mark.parametrize("null", ["wild", "parametric"])
@pytest.mark.parametrize(
    "data", [normal(0.6), normal(0.0, 3.0), StudentT(1.0, [0.0], 1.0)], ids=["mean", "spread", "tail"]
)
def test_a_model_that_does_not_fit_is_found(data, null):
    assert ksd_test(data.sample(100, rng=0), NORMAL, null=null, n_resamples=99, rng=0).pvalue == 0.01


# the test ------------------------------------------------------------------------------------------------------------


@every_kernel
def test_flipped_signs_are_by_hand(kernel):
    X = MIXTURE.sample(6, rng=0)
    result = ksd_test(X, MIXTURE, kernel, n_resamples=40, rng=3)
    scores = MIXTURE.score(X)
    h = stein_kernel(kernel, X, scores, X, scores)
    np.fill_diagonal(h, 0.0)
    flips = np.array([[i >> j & 1 for j in range(6)] for i in range(64)]) * 2.0 - 1
    every = np.einsum("bi,ij,bj->b", flips, h, flips) / 30
    gaps = np.abs(result.null_distribution[:, None] - every).min(axis=1)
    assert gaps.max() < 1e-13 * np.abs(every).max()
    assert result.statistic == ksd(X, MIXTURE, kernel)
    assert (result.n, result.m, result.counted, result.seed) == (6, None, "points", 3)
    assert result.pvalue == (1 + np.count_nonzero(result.null_distribution + result.tolerance >= result.statistic)) / 41


def test_samples_of_the_model_are_by_hand():
    X = MIXTURE.sample(8, rng=0)
    result = ksd_test(X, MIXTURE, null="parametric", n_resamples=9, rng=np.random.default_rng(5))
    rng = np.random.default_rng(5)
    assert result.null_distribution.tolist() == [ksd(MIXTURE.sample(8, rng=rng), MIXTURE) for _ in range(9)]


@pytest.mark.parametrize("null", ["wild", "parametric"])
def test_a_seed_gives_the_same_and_more_resamples_only_append(null):
    X = MIXTURE.sample(10, rng=0)
    few, many = (ksd_test(X, MIXTURE, null=null, n_resamples=count, rng=4) for count in (20, 50))
    np.testing.assert_array_equal(few.null_distribution, many.null_distribution[:20])
    assert ksd_test(X, MIXTURE, null=null, n_resamples=20, rng=4).pvalue == few.pvalue


def test_two_points_have_ties_and_no_small_p():
    """ε_1 ε_2 h_12 is ±h_12: half of the flips tie with the sample, or all reach it."""
    result = ksd_test([[0.3], [2.0]], NORMAL, n_resamples=99, rng=0)
    assert set(np.round(result.null_distribution / result.statistic)) == {-1.0, 1.0}
    assert result.pvalue > 0.3


def test_the_answer_in_words():
    X = NORMAL.sample(20, rng=0)
    said = str(ksd_test(X, NORMAL, Gaussian(1.0), n_resamples=19, rng=0))
    assert re.search(naming("bandwidth 1", "n = 20 points", "19 sign flips"), said)
    said = str(ksd_test(X, NORMAL, InverseMultiquadric(1.0), null="parametric", n_resamples=19, rng=0))
    assert re.search(naming("unbiased KSD²", "scale 1", "n = 20 points", "19 samples of the model"), said)


def test_columns_are_named():
    table = pd.DataFrame(MIXTURE.sample(9, rng=0), columns=["height", "weight"])
    result = ksd_test(table, MIXTURE, Gaussian(1.0), n_resamples=9, rng=0)
    assert result.statistic == ksd(table.to_numpy(), MIXTURE, Gaussian(1.0))
    assert re.search(naming("bandwidth 1 over height, weight", "n = 9 points"), str(result))


# refusals ------------------------------------------------------------------------------------------------------------

X = MIXTURE.sample(9, rng=0)
REFUSED = {
    "a row too few": (
        lambda: ksd(X, lambda X: X[:-1]),
        naming("score", "(8, 2)", "(9, 2)"),
    ),
    "a column too few": (lambda: ksd(X, lambda X: X[:, :1]), naming("score", "(9, 1)")),
    "one number each": (lambda: ksd(X, lambda X: X[:, 0]), naming("score", "(9,)")),
    "a number": (lambda: ksd(X, lambda X: 0.5), naming("score", "()", "gradient of the log density")),
    "no number": (lambda: ksd(X, lambda X: X * np.nan), naming("score", 18, "NaN")),
    "words": (lambda: ksd(X, lambda X: X.astype(str)), naming("score")),
    "no model": (lambda: ksd(X, 3), naming("score(X)", "GaussianMixture", "StudentT", 3)),
    "a class": (lambda: ksd(X, GaussianMixture), naming("model", "score(X)")),
    "a sample": (lambda: ksd(X, X), naming("model", "score(X)")),
    "a law without a score": (lambda: ksd(X, Pareto(3.0)), naming("model", "score(X)", "Pareto(shape=3.0)")),
    "a fit without data": (lambda: ksd(X, MixtureDensity()), naming("MixtureDensity()")),
    "another dimension": (lambda: ksd(X, NORMAL), naming("X", 2, 1)),
    "no density": (lambda: ksd(X, StudentT(3.0, [0.0, 0.0], 0.0)), naming("singular", "density")),
    "one point": (lambda: ksd(X[:1], MIXTURE, Gaussian(1.0)), naming("X", "unbiased", "1 row", 2)),
    "one point to test": (lambda: ksd_test(X[:1], MIXTURE, Gaussian(1.0)), naming("1 row", 2)),
    "one point without a bandwidth": (lambda: ksd(X[:1], MIXTURE, None, "biased"), naming("X", "bandwidth", 1)),
    "no points": (lambda: ksd(X[:0], MIXTURE, Gaussian(1.0), "biased"), naming("X", "no rows")),
    "a gap": (lambda: ksd([0.0, np.nan], NORMAL), naming("X", 1, "NaN")),
    "another statistic": (lambda: ksd(X, MIXTURE, statistic="V"), naming("statistic", "'unbiased'", "'biased'", "'V'")),
    "another null": (lambda: ksd_test(X, MIXTURE, null="exact"), naming("null", "'wild'", "'parametric'", "'exact'")),
    "no resamples": (lambda: ksd_test(X, MIXTURE, n_resamples=0), naming("n_resamples", 1)),
    "nothing to draw from": (
        lambda: ksd_test(X, MIXTURE.score, null="parametric"),
        naming("null='parametric'", "sample(n, rng)", "null='wild'"),
    ),
    "no kernel": (lambda: ksd(X, MIXTURE, 1.0), naming("kernel", "Gaussian")),
    "scores too large": (lambda: ksd(X, lambda X: X * 1e153), r"scores .*\d\.\d+e\+153"),
    "points too small": (
        lambda: ksd(X * 1e-200, lambda X: -X * 1e200, Gaussian(1e-149)),
        naming("overflows", "points"),
    ),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()


@pytest.mark.parametrize(
    "kernel", [Laplacian(1.0), Energy(), Delta(), Linear(), Matern(1.0), Gaussian(1.0) + Gaussian(2.0)], ids=repr
)
def test_a_kernel_without_a_stein_kernel(kernel):
    with pytest.raises(ValueError, match=naming("kernel", "Gaussian()", "InverseMultiquadric()")):
        ksd(X, MIXTURE, kernel)


def test_one_point_has_a_biased_value():
    """h(x, x) = |s|² k(x, x) + d/θ²."""
    expected = (MIXTURE.score(X[:1]) ** 2).sum() + 2 / 1.3**2
    assert ksd(X[:1], MIXTURE, Gaussian(1.3), "biased") == pytest.approx(expected, rel=1e-14)
