"""HSIC of other estimates: noise on the points, weights on the pairs, and what is chosen when."""

import math
import re

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import ESTIMATORS
from paired_samples import dependent, paired

from explorer import (
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    Delta,
    Embedding,
    Energy,
    Gaussian,
    Laplacian,
    Linear,
    Precomputed,
    SpectralKMSE,
    hsic,
    hsic_test,
)
from explorer.discrepancy.dependence import mean_estimators as hsic_estimators
from explorer.discrepancy.dependence.mean_estimators import ScaledByEstimator, WeightedByEstimator
from explorer.discrepancy.dependence.pairing import Pairing
from explorer.discrepancy.resampling.permutation import permutations

JOINT = {name: make for name, make in ESTIMATORS.items() if "target" not in name and "MKME" not in name}
every_weighing = pytest.mark.parametrize("name", JOINT)


def centred(M):
    H = np.eye(len(M)) - 1 / len(M)
    return H @ M @ H


def cose(estimator, K, L):
    """|Σ β_i φ~(x_i) ⊗ ψ~(y_i)|^2 = β'(HKH ∘ HLH)β with β as the estimator gives it on that Gram matrix."""
    gram = centred(K) * centred(L)
    gram = (gram + gram.T) / 2
    embedding = estimator.replace(kernel=Precomputed(gram)).embed(np.arange(len(K), dtype=float)[:, None])
    return embedding.norm() ** 2


# weights of pairs
# -------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(
    default=[
        "SKMSE",
        "SKMSE inf",
        "SKMSE .3, sum to one",
        "SKMSE, simplex",
        "FKMSE .3",
        "FKMSE 0",
        "FKMSE, simplex",
        "tikhonov",
        "iterated Tikhonov .3",
        "landweber 7",
        "RobustKME, hampel",
    ]
)
@every_weighing
def test_an_estimator_with_weights_shrinks_the_cross_covariance_operator(name):
    (k, X, _), (l, Y, _) = paired("gaussian", 12)
    estimator = JOINT[name](None, None)
    expected = cose(estimator, k(X), l(Y))
    # estimators solve to about 1e-10 of their Gram matrix
    assert hsic(X, Y, k, l, estimator=estimator) == pytest.approx(expected, abs=1e-10)


@pytest.mark.thorough(
    default=[
        "SKMSE, simplex",
        "FKMSE",
        "FKMSE, theorem 4",
        "FKMSE inf",
        "iterated Tikhonov .3",
        "landweber 7",
        "tsvd",
        "MedianOfMeans 2, geometric",
    ]
)
@every_weighing
def test_every_order_is_weighed_anew_with_what_it_chooses_itself(name):
    (k, X, _), (l, Y, _) = paired("gaussian", 9)
    estimator = JOINT[name](None, None)
    result = hsic_test(X, Y, k, l, estimator=estimator, n_resamples=6, rng=4)
    orders = np.concatenate(list(permutations(9, 6, rng=4)))
    expected = [cose(estimator, k(X), l(Y[p])) for p in orders]
    # a λ that is chosen is found to 1e-7 of itself
    np.testing.assert_allclose(result.null_distribution, expected, rtol=0, atol=result.tolerance)
    assert result.tolerance < 1e-6
    assert result.statistic == hsic(X, Y, k, l, estimator=estimator)


def test_explicit_features_of_the_operator():
    """Linear kernels: the operator is a matrix, and the shrunk one its weighted sum.

    F-KMSE by a solve in pairs' space.
    """
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(15, 2)), rng.normal(size=(15, 3))
    X[:, 0] += Y[:, 0]
    features = np.einsum("ni,nj->nij", X - X.mean(0), Y - Y.mean(0)).reshape(15, 6)
    gram = features @ features.T
    beta = np.linalg.solve(gram + 0.7 * np.eye(15), gram.mean(axis=1))
    flexible = hsic(X, Y, Linear(), Linear(), estimator=FKMSE(lam=0.7))
    assert flexible == pytest.approx(np.square(beta @ features).sum(), rel=1e-10)
    simple = hsic(X, Y, Linear(), Linear(), estimator=SKMSE(lam=0.25))
    assert simple == pytest.approx(np.square(features.mean(0)).sum() / 1.25**2, rel=1e-12)


def test_the_lambda_of_simple_shrinkage_is_that_of_the_pairs():
    X, Y = dependent(20)
    k, l = Gaussian().select(X), Gaussian().select(Y)
    gram = centred(k(X)) * centred(l(Y))
    lam = SKMSE(Precomputed((gram + gram.T) / 2)).select(np.arange(20.0)[:, None]).lam
    assert 0 < lam < math.inf
    assert hsic(X, Y, estimator=SKMSE()) == pytest.approx(hsic(X, Y) / (1 + lam) ** 2, rel=1e-12)
    plain, shrunk = (hsic(X, Y, statistic="unbiased", estimator=e) for e in (None, SKMSE()))
    assert shrunk == pytest.approx(plain / (1 + lam) ** 2, rel=1e-12)
    plain, held = (hsic_test(X, Y, estimator=e, n_resamples=99, rng=0) for e in (None, SKMSE(lam=3.0)))
    assert plain.pvalue == held.pvalue  # one λ for all orders is one factor


def test_simple_shrinkage_of_independent_pairs_is_often_complete():
    """u <= 0 gives λ = inf: the statistic is 0, as for many permutations, and p is 1."""
    rng = np.random.default_rng(3)
    found = [
        hsic_test(rng.normal(size=12), rng.normal(size=12), estimator=SKMSE(), n_resamples=19, rng=0) for _ in range(20)
    ]
    gone = [result.pvalue for result in found if result.statistic == 0]
    assert 4 <= len(gone) <= 18
    assert set(gone) == {1.0}


def test_the_slack_of_simple_shrinkage_covers_how_much_faster_its_value_moves():
    """d value / d whole by differences over n, ϱ and u, at fixed ϱ: at most `slack` / n^2."""
    worst = 0.0
    for n in (2, 3, 5, 20, 500):
        for rho in (1e-3, 1.0):
            u = np.linspace(-rho / max(n - 1, 1), rho * (1 - 1e-9), 4001)
            whole, diagonal = n * (n - 1) * u + n * rho, n * rho
            value = ScaledByEstimator(SKMSE()).factor(whole, np.full(len(u), diagonal), n) * whole
            worst = max(worst, np.abs(np.diff(value) / np.diff(whole)).max())
    assert 1 < worst <= ScaledByEstimator.slack


@pytest.mark.parametrize("lam", [1e-2, 1e-6, 1e-12])
def test_the_batched_solve_and_the_eigendecomposition_agree(lam):
    X, Y = dependent(25)
    pairing = Pairing(X, Y, Gaussian(1.0), Gaussian(1.0), "biased", FKMSE(lam=lam))
    weighing = pairing.hsic.weighing
    assert (weighing.lam is None) == (lam == 1e-12)
    orders = np.concatenate(list(permutations(25, 8, rng=0)))
    H = [pairing.x.A * pairing.y.A[p][:, p] for p in orders]
    beta = np.array([FKMSE(lam=lam).on_gram(each) for each in H])
    np.testing.assert_allclose(
        weighing.values(orders), np.einsum("bi,bij,bj->b", beta, H, beta), rtol=0, atol=1e-14 / math.sqrt(lam)
    )


def test_units_do_not_matter_to_what_a_solve_may_lose():
    """In units c the inner products of pairs are c^4 times as large, and so is a λ that shrinks as much."""
    X, Y = dependent(12)
    slack = [
        Pairing(c * X, c * Y, Linear(), Linear(), "biased", FKMSE(lam=1e-4 * c**4)).hsic.weighing.slack
        for c in (2.0**-20, 1.0, 2.0**20)
    ]
    assert slack[0] == slack[1] == slack[2] < 1e-10


def test_weights_that_sum_to_one_and_batches(monkeypatch):
    X, Y = dependent(11)
    estimator = FKMSE(lam=0.01, weights="sum-to-one")
    expected = hsic_test(X, Y, estimator=estimator, n_resamples=10, rng=0).null_distribution
    monkeypatch.setattr(hsic_estimators, "ENTRIES", 3 * 121)
    found = hsic_test(X, Y, estimator=estimator, n_resamples=10, rng=0).null_distribution
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.thorough(default=["FKMSE"])
@pytest.mark.parametrize("name", ["FKMSE .3", "FKMSE", "SKMSE", "MedianOfMeans 2"])
def test_orders_that_change_nothing_are_ties_for_every_estimator(name):
    """Equal x in blocks of two: an order that swaps within the blocks gives the same pairs, in other places."""
    x, y = np.repeat([0.0, 1.0, 2.5], 2)[:, None], np.array([0, 1, 0, 0, 1, 1.0])[:, None]
    k = Gaussian(1.0)
    result = hsic_test(x, y, k, k, estimator=ESTIMATORS[name](None, None), n_resamples=200, rng=0)
    orders = np.concatenate(list(permutations(6, 200, rng=0)))
    if name.startswith("Median"):  # its blocks are of rows in order: only the same rows are the same
        same = (y[orders][:, :, 0] == y[:, 0]).all(axis=1)
    else:
        same = (np.sort(y[orders].reshape(200, 3, 2), axis=2) == np.sort(y.reshape(3, 2), axis=1)).all(axis=(1, 2))
    assert sum(same) >= 5
    assert (np.abs(result.null_distribution[same] - result.statistic) <= result.tolerance).all()


# noise on points
# --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statistic", ["biased", "unbiased"])
@pytest.mark.parametrize(
    "estimator", [MKME(), MKME(sigma=0.4), MMKME(), (MKME(sigma=0.3), None), (None, MMKME())], ids=repr
)
def test_a_marginalized_estimator_lends_its_noise(estimator, statistic):
    """(34): the Gram matrices between noisy points, independent copies on the diagonal too (erratum 9)."""
    X, Y = dependent(14)
    k, l = Gaussian().select(X), Gaussian().select(Y)
    pair = estimator if isinstance(estimator, tuple) else (estimator, estimator)
    grams = []
    for each, kernel, Z in zip(pair, (k, l), (X, Y), strict=True):
        if each is None:
            grams.append(kernel(Z))
            continue
        embedding = each.replace(kernel=kernel).select(Z).embed(Z)
        C = embedding.blocks[0].covariance
        grams.append(kernel.expected(Z, C, Z, C))
    rows = np.arange(14.0)[:, None]
    expected = hsic(rows, rows, *(Precomputed(G) for G in grams), statistic)
    assert hsic(X, Y, statistic=statistic, estimator=estimator) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("statistic", ["biased", "unbiased"])
@pytest.mark.parametrize("seed", range(3))
def test_marginalized_hsic_is_hsic_at_wider_bandwidths(seed, statistic):
    """k~ at σ is k at sqrt(θ^2 + 2σ^2), times (θ^2 / (θ^2 + 2σ^2))^(d/2).

    So p-values are equal, whatever σ each side chose.
    """
    X, Y = dependent(25, seed, noise=2.0)
    k, l = Gaussian().select(X), Gaussian().select(Y)
    chosen = [MKME(kernel).select(Z) for kernel, Z in ((k, X), (l, Y))]
    wide = [Gaussian(math.sqrt(each.kernel.bandwidth**2 + 2 * each.sigma**2)) for each in chosen]
    factor = np.prod([(k.bandwidth / w.bandwidth) ** d for k, w, d in zip((k, l), wide, (2, 1), strict=True)])
    noisy = hsic_test(X, Y, statistic=statistic, estimator=MKME(), n_resamples=199, rng=0)
    plain = hsic_test(X, Y, *wide, statistic, n_resamples=199, rng=0)
    assert noisy.pvalue == plain.pvalue
    np.testing.assert_allclose(noisy.null_distribution, factor * plain.null_distribution, rtol=0, atol=1e-12)
    assert noisy.statistic == pytest.approx(factor * plain.statistic, rel=1e-10)


def test_of_many_sigmas_each_coordinate_has_a_bandwidth_of_its_own():
    """MMKME at (σ_1, σ_2) is the plain test of coordinates divided by sqrt(θ^2 + 2σ_l^2).

    Of one coordinate it is MKME.
    """
    X, Y = dependent(25)
    sigma, theta = np.array([0.2, 1.5]), 0.8
    noisy = hsic_test(X, Y, Gaussian(theta), Gaussian(1.0), estimator=(MMKME(sigma=sigma), None), n_resamples=99, rng=0)
    plain = hsic_test(X / np.sqrt(theta**2 + 2 * sigma**2), Y, Gaussian(1.0), Gaussian(1.0), n_resamples=99, rng=0)
    assert noisy.pvalue == plain.pvalue
    one = [hsic_test(X[:, 0], Y, estimator=e, n_resamples=99, rng=0) for e in (MKME(sigma=0.3), MMKME(sigma=[0.3]))]
    np.testing.assert_array_equal(one[0].null_distribution, one[1].null_distribution)


def test_sigma_is_chosen_on_each_side_alone():
    """So no order of the other side changes it: the same σ for any pairing."""
    X, Y = dependent(20)
    order = np.random.default_rng(0).permutation(20)
    a, b = (Pairing(X, Z, None, None, "biased", MKME()).estimators for Z in (Y, Y[order]))
    # the leave-one-out score is summed in another order
    assert [e.sigma for e in a.sides] == pytest.approx([e.sigma for e in b.sides], rel=1e-5)
    said = str(hsic_test(X, Y, estimator=MKME(), n_resamples=9, rng=0))
    assert re.search(naming("biased HSIC", *(f"MKME(sigma={side.sigma:.4g})" for side in a.sides)), said)
    assert re.search(naming("biased HSIC", "FKMSE()"), str(hsic_test(X, Y, estimator=FKMSE(), n_resamples=2, rng=0)))


def test_noise_needs_a_kernel_that_takes_it():
    X, Y = dependent(10)
    with pytest.raises(ValueError, match=naming("closed form", "Gaussian")):
        hsic(X, np.repeat(["a", "b"], 5), Gaussian(1.0), Delta(), estimator=MKME(sigma=0.3))
    assert hsic(X, np.repeat(["a", "b"], 5), Gaussian(1.0), Delta(), estimator=(MKME(sigma=0.3), None)) > 0
    assert hsic(X, Y, Energy(), Energy(), estimator=MKME(sigma=0.3)) > 0
    with pytest.raises(ValueError, match=naming("2", "1")):
        hsic(X, Y, estimator=MMKME(sigma=[0.1, 0.2]))


# what goes together
# -------------------------------------------------------------------------------------------------------


def test_one_serves_both_sides_and_a_pair_gives_each_its_own():
    X, Y = dependent(15)
    one = hsic(X, Y, estimator=MKME(sigma=0.5))
    assert (
        one == hsic(X, Y, estimator=(MKME(sigma=0.5), MKME(sigma=0.5))) == hsic(X, Y, estimator=[MKME(sigma=0.5)] * 2)
    )
    assert (
        len({one, hsic(X, Y, estimator=(MKME(sigma=0.5), KME())), hsic(X, Y, estimator=(KME(), MKME(sigma=0.5)))}) == 3
    )
    assert hsic(X, Y, estimator=KME()) == hsic(X, Y, estimator=(None, None)) == hsic(X, Y)
    assert hsic(X, Y, estimator=(FKMSE(lam=0.1), FKMSE(lam=0.1))) == hsic(X, Y, estimator=FKMSE(lam=0.1))


def test_a_kernel_is_the_estimators_or_the_functions():
    X, Y = dependent(15)
    k = Gaussian(1.0)
    values = {
        hsic(X, Y, *given, estimator=FKMSE(own, 0.1))
        for given, own in (((k, k), None), ((None, None), k), ((k, None), k))
    }
    assert len(values) == 1
    own, none = (hsic(X, Y, None, k, estimator=(MKME(kernel, 0.3), None)) for kernel in (Laplacian(1.0), None))
    assert own != none
    with pytest.raises(ValueError, match=naming("estimator", "kernel")):
        hsic(X, Y, k, Gaussian(2.0), estimator=KME(k))


@pytest.mark.parametrize(
    ("error", "said", "estimator"),
    [
        (TypeError, naming("estimator", "kernel"), "MKME"),
        (ValueError, naming("estimator", "3"), (KME(), KME(), KME())),
        (ValueError, naming("FKMSE"), (FKMSE(), MKME())),
        (ValueError, naming("SKMSE"), (KME(), SKMSE())),
        (
            ValueError,
            naming("SKMSE"),
            SKMSE(target=Embedding(Gaussian(1.0), [[0.0, 0.0]], [1.0])),
        ),
    ],
)
def test_what_does_not_go_together_gets_a_sentence(error, said, estimator):
    X, Y = dependent(10)
    for call in (hsic, hsic_test):
        with pytest.raises(error, match=said):
            call(X, Y, estimator=estimator)


@every_weighing
def test_the_unbiased_statistic_is_for_equal_weights(name):
    X, Y = dependent(10)
    estimator = JOINT[name](None, None)
    if estimator.equal_weights:
        assert isinstance(hsic(X, Y, statistic="unbiased", estimator=estimator), float)
        return
    with pytest.raises(ValueError, match=naming("'unbiased'", "statistic", "'biased'")):
        hsic(X, Y, statistic="unbiased", estimator=estimator)


def test_two_pairs_to_choose_on_and_infinite_shrinkage():
    with pytest.raises(ValueError, match=naming("X", "score", "SKMSE", "1")):
        hsic([1.0], [1.0], Gaussian(1.0), Gaussian(1.0), estimator=SKMSE())
    X, Y = dependent(10)
    assert hsic(X, Y, estimator=SKMSE(lam=math.inf)) == 0
    assert hsic_test(X, Y, estimator=SKMSE(lam=math.inf), n_resamples=9, rng=0).pvalue == 1
    with pytest.raises(ValueError, match="sum to 0"):
        hsic(X, Y, estimator=SKMSE(lam=math.inf, weights="sum-to-one"))
    assert isinstance(Pairing(X, Y, None, None, "biased", SpectralKMSE()).hsic.weighing, WeightedByEstimator)


def test_many_pairs_get_a_sentence_from_those_that_store(monkeypatch):
    X, Y = dependent(30)
    k = Gaussian(1.0)
    from explorer.discrepancy.dependence import centred_grams as hsic_sides
    from explorer.discrepancy.resampling import tiled_gram

    for module in (tiled_gram, hsic_sides, hsic_estimators):
        monkeypatch.setattr(module, "LARGE", 20)
    for estimator in (FKMSE(), FKMSE(lam=0.1)):
        with pytest.raises(ValueError, match=naming("FKMSE", "30")):
            hsic(X, Y, k, k, estimator=estimator)
    with pytest.raises(ValueError, match=naming("MKME", "30")):
        hsic(X, Y, k, k, estimator=MKME())
    assert hsic(X, Y, k, k, estimator=MKME(sigma=0.5)) > 0
    assert hsic(X, Y, k, k, estimator=SKMSE()) < hsic(X, Y, k, k)


def test_a_pairing_that_comes_again_is_weighed_once(monkeypatch):
    """Four pairs have 24 pairings, and 200 shuffles meet each of them many times."""
    asked, on_gram = [], FKMSE.on_gram
    monkeypatch.setattr(FKMSE, "on_gram", lambda self, H: asked.append(H) or on_gram(self, H))
    x, y = np.random.default_rng(3).normal(size=(2, 4))
    pairing = Pairing(x, y, None, None, "biased", FKMSE())
    null = pairing.test(200, 0).null_distribution
    assert len(asked) <= 24 + 1
    orders = np.concatenate(list(permutations(4, 200, 0)))
    singly = [pairing.hsic.weighing.values(order[None])[0] for order in orders]
    assert null == pytest.approx(np.array(singly), rel=1e-12)
