"""The rules of probability by kernels of finite rank: compared with the full rules and the stated errors."""

import pickle
import tracemalloc
from functools import cache

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS

from explorer import (
    KME,
    ConditionalEmbedding,
    Delta,
    Embedding,
    Gaussian,
    GaussianMixture,
    HMMFilter,
    KernelBayesRule,
    Laplacian,
    bayes_rule,
    chain_rule,
    sum_rule,
)
from explorer.checks import Refusal
from explorer.conditional.leave_one_out import ThinRefits
from explorer.conditional.smoother import ThinSmoother
from explorer.kernels import low_rank

pytestmark = pytest.mark.thorough  # what holds for the kernels of low rank holds for what is built on them

WAYS = ("cholesky", "nystrom", "features")
every_way = pytest.mark.parametrize("way", WAYS)
by_landmarks = pytest.mark.parametrize("way", WAYS[:2])
every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
K, L = Gaussian(1.2), Gaussian(1.0)
LAM, POSTERIOR = 0.1, 1e-3
AT = [0.5, -0.3]
SEEN = np.array([[0.3, 0.1], [1.0, -0.5], [0.2, 0.4]])
ROUNDING = 1e-6  # distances are roots of differences, at condition numbers of up to 1e4


def pairs(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.column_stack([X[:, 0] ** 2 + X[:, 1], X[:, 0]]) + 0.2 * rng.normal(size=(n, 2))


def the_prior():
    return Embedding(L, pairs(40, seed=1)[1] + 0.3, np.linspace(-0.01, 0.06, 40))


def beliefs_apart(one, other, points):
    return np.array([np.sqrt(max(w @ K(points) @ w, 0)) for w in one - other])


# method -> (what it answers with the given approximation, how far that is from the full answer)
def conditional(X, Y, *low):
    return ConditionalEmbedding(K, L, LAM, *low).fit(X, Y).embed(AT)


def summed(X, Y, *low):
    return sum_rule(X, Y, the_prior(), K, L, LAM, *low)


def summed_gaussians(X, Y, *low):
    prior = GaussianMixture([0.5, 0.5], [[0.0, 0.0], [1.0, 1.0]], 0.2).embed(L)
    return sum_rule(X, Y, prior, K, L, LAM, *low)


def bayes(X, Y, *low):
    return KernelBayesRule(K, L, LAM, POSTERIOR, *low).fit(X, Y, the_prior()).embed(AT)


def bayes_normalised(X, Y, *low):
    return bayes_rule(X, Y, the_prior(), AT, K, L, LAM, POSTERIOR, True, False, *low)


METHODS = {each.__name__: each for each in (conditional, summed, summed_gaussians, bayes, bayes_normalised)}
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@cache
def in_full(method, n):
    """Return the full answer of n pairs, with which all approximations are compared."""
    return method(*pairs(n))


@every_method
@every_way
def test_it_meets_the_full_rule_and_its_error_is_the_distance(method, way):
    X, Y = pairs()
    full = in_full(method, len(X))
    assert full.error is None
    errors = []
    for rank in (8, 40, 400):
        low = method(X, Y, way, rank)
        errors.append(low.distance(full))
        assert low.error == pytest.approx(errors[-1], rel=1e-6, abs=ROUNDING)
    assert errors[2] < errors[0]
    if way != "features":
        assert errors[2] < ROUNDING


@pytest.mark.thorough(default=["nystrom-conditional", "cholesky-summed", "features-bayes", "nystrom-bayes"])
@every_method
@every_way
@pytest.mark.thorough
def test_beyond_a_thousand_pairs_the_error_is_measured_on_some(method, way):
    X, Y = pairs(2000)
    full = in_full(method, len(X))
    for seed in (0, 1):
        low = method(X, Y, way, 30, seed)
        true = low.distance(full)
        # 1000 pairs with λ halved are the same problem, up to what pairs differ by: of 12 seeds, 0.4 to 1.6 times
        assert true < 2 * low.error
        assert low.error < 3 * true


@pytest.mark.parametrize("two_step", [False, True])
@every_way
def test_the_filter(way, two_step):
    states, observed = pairs()
    full = HMMFilter(K, L, LAM, POSTERIOR, two_step).fit(states, observed)
    assert full.error(SEEN) is None
    initial = np.linspace(0, 2, 199) / 199
    errors = []
    for rank in (30, 60, 400):
        low = HMMFilter(K, L, LAM, POSTERIOR, two_step, way, rank).fit(states, observed)
        apart = beliefs_apart(low.filter(SEEN, initial), full.filter(SEEN, initial), full.states_)
        errors.append(apart.max())
        assert low.error(SEEN, initial) == pytest.approx(apart, rel=1e-5, abs=ROUNDING)
        again = pickle.loads(pickle.dumps(low))
        assert np.array_equal(again.filter(SEEN), low.filter(SEEN))
    assert errors[2] < errors[0]
    if way != "features":
        assert errors[2] < ROUNDING


@pytest.mark.thorough
def test_a_filter_of_many_transitions_measures_on_some():
    states, observed = pairs(1501)
    models = [HMMFilter(K, L, LAM, POSTERIOR, True, *low).fit(states, observed) for low in ((), ("nystrom", 60))]
    apart = beliefs_apart(models[1].filter(SEEN), models[0].filter(SEEN), models[0].states_)
    assert (apart < 2 * models[1].error(SEEN)).all()
    assert models[1].error(SEEN, np.ones(1500)).shape == (3,)


@every_way
def test_the_chain_rule(way):
    X, Y = pairs()
    full = chain_rule(X, Y, the_prior(), K, L, LAM)
    errors = [np.abs(chain_rule(X, Y, the_prior(), K, L, LAM, way, rank) - full).max() for rank in (8, 400)]
    assert errors[1] < errors[0]
    low = chain_rule(X, Y, the_prior(), K, L, LAM, way, 12)
    assert low.sum(axis=1) == pytest.approx(summed(X, Y, way, 12).weights, abs=1e-11)


@cache
def of_kernel(row, n, *low):
    """x under the kernel, y a number: the conditional embedding and Bayes' rule; and x as the hidden side."""
    X, Y = row.data(n), np.random.default_rng(1).normal(size=(n, 1))
    k = row.kernel.select(X)
    prior = Embedding(Gaussian(1.0), [[-0.5], [0.1], [0.9]], [0.6, 0.7, -0.3])
    hidden = Embedding(k, row.data(7, seed=3), np.linspace(-0.2, 0.5, 7))
    return (
        ConditionalEmbedding(k, Gaussian(1.0), 0.3, *low).fit(X, Y).embed(X[:1]),
        KernelBayesRule(k, Gaussian(1.0), 0.3, 0.2, *low).fit(X, Y, prior).embed(X[:1]),
        sum_rule(Y, X, hidden, Gaussian(1.0), k, 0.3, *low),
    )


@pytest.mark.few(24)
@pytest.mark.thorough(default=["cholesky-*", "nystrom-gaussian", "nystrom-subsequence"])
@every_kernel
@by_landmarks
def test_every_kernel_takes_them(row, way):
    n = 18
    for full, low in zip(of_kernel(row, n), of_kernel(row, n, way, 5), strict=True):
        assert low.error == pytest.approx(low.distance(full), rel=1e-6, abs=1e-6 * max(1, full.norm()))
    for full, low in zip(of_kernel(row, n), of_kernel(row, n, way, n), strict=True):
        assert low.weights == pytest.approx(full.weights, abs=1e-7 * np.abs(full.weights).max())


@every_way
def test_weights_are_the_regression_on_the_low_rank_kernel(way):
    X, Y = pairs()
    C = ConditionalEmbedding(K, L, LAM, way, 15).fit(X, Y)
    low = low_rank(K, X, way, 15)
    exact = np.linalg.solve(low(X) + LAM * np.eye(200), low(X, X[:7]))
    assert C.weights(X[:7]) == pytest.approx(exact, abs=1e-11)
    assert C.predict(X[:7]) == pytest.approx(exact.T @ Y, abs=1e-10)
    assert C.expectation(Y[:, 0], AT) == pytest.approx(C.predict(AT)[:, 0])
    assert C.low_ == low


def test_a_small_lam_keeps_its_digits():
    """Woodbury's formula takes 1/λ times two nearly equal numbers; λ = 1e-10 leaves the weights of a projection."""
    X, _ = pairs()
    low = low_rank(K, X, "cholesky", 10)
    F = low.features(X)
    weights = ThinSmoother(low, X, 1e-10).at(X[:5])
    assert weights == pytest.approx(np.linalg.pinv(F).T @ F[:5].T, abs=1e-9)


@every_way
def test_bayes_rule_s_joint_is_the_chain_rule_s(way):
    X, Y = pairs()
    rule = KernelBayesRule(K, L, LAM, POSTERIOR, way, 12).fit(X, Y, the_prior())
    assert rule.joint_ == pytest.approx(chain_rule(X, Y, the_prior(), K, L, LAM, way, 12), abs=1e-13)
    again = pickle.loads(pickle.dumps(rule))
    assert again == rule
    assert again.embed(AT) == rule.embed(AT)
    assert again.embed(AT).error == rule.embed(AT).error
    lows = low_rank(K, X, way, 12), low_rank(L, Y, way, 12)
    A, B = (low(Z) for low, Z in zip(lows, (X, Y), strict=True))
    joint = np.linalg.solve(B + LAM * np.eye(200), lows[1](Y, the_prior().points)) * the_prior().weights
    AD = A * joint.sum(axis=1)
    exact = joint.T @ np.linalg.solve(AD @ AD + POSTERIOR * np.eye(200), AD @ lows[0](X, [AT])[:, 0])
    # a dense solve with a square of condition 1e6 and more
    assert rule.embed(AT).weights == pytest.approx(exact, abs=1e-7 * np.abs(exact).max())


@pytest.mark.parametrize(
    "fitted",
    [
        lambda X, Y: ConditionalEmbedding(K, L, LAM, "nystrom", 12).fit(X, Y),
        lambda X, Y: KernelBayesRule(K, L, LAM, POSTERIOR, "nystrom", 12).fit(X, Y, the_prior()),
    ],
    ids=["conditional", "bayes"],
)
def test_an_error_is_that_of_its_own_fit_and_x(fitted):
    """Measured late, after another fit and with the caller's arrays written over."""
    X, Y = pairs()
    expected = fitted(X, Y).embed(AT).error
    x, model = np.array(AT), fitted(X, Y)
    late = model.embed(x)
    model.fit(*pairs(50, seed=9), *((the_prior(),) if isinstance(model, KernelBayesRule) else ()))
    for array in (X, Y, x):
        array[:] = 7.0
    assert late.error == expected


# leave-one-out --------------------------------------------------------------------------------------------------------


@every_way
def test_leave_one_out_is_that_of_refits_with_the_same_landmarks(way):
    X, Y = pairs(30)
    scores = ConditionalEmbedding(K, L, None, way, 12).loocv(X, Y, [1e-3, 0.1, 5.0])
    low = low_rank(K, X, way, 12)
    of_y = low_rank(L, Y, "cholesky", 12)
    for lam, score in zip([1e-3, 0.1, 5.0], scores, strict=True):
        squares = []
        for i in range(30):
            rest = np.delete(np.arange(30), i)
            weights = ThinSmoother(low, X[rest], lam).at(X[i : i + 1])[:, 0]
            # under k̂_y, and what it leaves of k_y as independent noise
            noise = L.diagonal(Y) - of_y.diagonal(Y)
            apart = of_y.features(Y[i : i + 1])[0] - weights @ of_y.features(Y[rest])
            squares.append(apart @ apart + noise[i] + weights**2 @ noise[rest])
        assert score == pytest.approx(np.mean(squares), rel=1e-9)


@every_way
def test_scores_meet_those_of_the_full_rule(way):
    X, Y = pairs()
    lams = [1e-2, 0.1, 1.0]
    full = ConditionalEmbedding(K, L).loocv(X, Y, lams)
    errors = [
        np.abs(ConditionalEmbedding(K, L, None, way, rank).loocv(X, Y, lams) / full - 1).max() for rank in (8, 60, 200)
    ]
    assert errors[2] < errors[0] / 3
    if way != "features":
        assert errors[2] < 1e-9
        chosen = [ConditionalEmbedding(K, L, None, *low).fit(X, Y).lam_ for low in ((), (way, 200))]
        assert chosen[1] == pytest.approx(chosen[0], rel=1e-5)


def test_as_many_features_as_pairs_leave_no_negative_remainder():
    """h_i tends to 1 as λ to 0 there: what U leaves is rounding, and is not divided by less."""
    F = np.linalg.qr(np.random.default_rng(0).normal(size=(20, 20)))[0]
    scores = ThinRefits(F, F, np.ones(20)).scores([1e-12, 1.0])
    # (K + λ)^-1 = I / (1 + λ): each refit predicts 0, and errs by 1
    assert scores == pytest.approx([1.0, 1.0], rel=1e-3)


# nothing of size (n, n) -----------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_ten_thousand_pairs_have_no_square_matrix():
    X, Y = pairs(10_000)
    prior = KME(L).embed(Y[:2000])
    tracemalloc.start()
    try:
        ConditionalEmbedding(K, L, LAM, "nystrom", 50).fit(X, Y).embed(AT)
        ConditionalEmbedding(K, L, None, "nystrom", 20).fit(X, Y)
        sum_rule(X, Y, prior, K, L, LAM, "nystrom", 50)
        KernelBayesRule(K, L, LAM, POSTERIOR, "nystrom", 50).fit(X, Y, prior).embed(AT)
        HMMFilter(K, L, LAM, POSTERIOR, True, "nystrom", 50).fit(X, Y).filter(SEEN)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 150e6  # a square matrix takes 800 MB, one of pairs and the prior's points 160


# what cannot be had ---------------------------------------------------------------------------------------------------

WORDS = ["a", "b"] * 10
TWENTY = pairs(20)
REFUSED = {
    "another approximation": (lambda: ConditionalEmbedding(approximation="svd"), ("'auto'", "'svd'")),
    "of a rule": (lambda: sum_rule(*TWENTY, the_prior(), K, L, 1.0, "svd"), ("'auto'", "'svd'")),
    "of the chain rule": (
        lambda: chain_rule(*TWENTY, the_prior(), K, L, 1.0, "svd"),
        ("'auto'", "'svd'"),
    ),
    "rank 0": (lambda: HMMFilter(K, L, 1.0, 1.0, approximation="nystrom", rank=0), ("rank", "1")),
    "a rank alone": (lambda: KernelBayesRule(K, L, 1.0, 1.0, rank=9), ("rank", "approximation")),
    "a rule's rank alone": (lambda: sum_rule(*TWENTY, the_prior(), K, L, 1.0, rank=9), ("rank", "approximation")),
    "a chain's rank alone": (
        lambda: chain_rule(*TWENTY, the_prior(), K, L, 1.0, rank=9),
        ("rank", "approximation"),
    ),
    "waves of words": (
        lambda: ConditionalEmbedding(Delta(), L, 1.0, "features").fit(WORDS, TWENTY[1]),
        ("approximation='cholesky'",),
    ),
    "the printed rule": (
        lambda: bayes_rule(*TWENTY, the_prior(), AT, K, L, 1.0, 1.0, False, True, "cholesky"),
        ("approximation", "None"),
    ),
    "not fitted": (lambda: KernelBayesRule(K, L, 1.0, 1.0, "cholesky").joint_, ("fit(X, Y, prior)",)),
    "no initial belief": (
        lambda: HMMFilter(K, L, 1.0, 1.0, False, "nystrom", 5).fit(*pairs(20)).error(SEEN, [1.0]),
        ("initial", "(1,)", "19 points"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    act, parts = REFUSED[case]
    with pytest.raises(Refusal, match=naming(*parts)):
        act()


def test_categories_and_a_rough_kernel():
    x, y = np.repeat([0, 1, 2], 10), np.tile([0, 1, 1, 0, 1], 6)
    full = ConditionalEmbedding(Delta(), Delta(), 1e-9).fit(x, y)
    low = ConditionalEmbedding(Delta(), Delta(), 1e-9, "cholesky").fit(x, y)
    assert low.low_.rank == 3
    assert low.embed(1)([0, 1]) == pytest.approx(full.embed(1)([0, 1]), abs=1e-8)
    X, Y = pairs()
    rough = [ConditionalEmbedding(Laplacian(0.5), L, 0.1, *low).fit(X, Y).embed(AT) for low in ((), ("features", 40))]
    assert rough[1].error == pytest.approx(rough[1].distance(rough[0]), rel=1e-6)
