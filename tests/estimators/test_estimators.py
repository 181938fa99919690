"""The three estimators: weights by dense algebra, limits, losses, invariances."""

import math

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import ESTIMATORS, KERNELS, PUBLIC, drawn, law, target, vectors

from explorer import FKMSE, KME, MMKME, SKMSE, Embedding, Gaussian, Linear, Polynomial, Precomputed
from explorer.checks import ExplorerWarning
from explorer.estimators import Estimator
from explorer.estimators.spectrum import Spectrum

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_estimator = pytest.mark.parametrize("make", ESTIMATORS.values(), ids=ESTIMATORS)


def test_the_catalogue_holds_every_estimator_of_the_front_door():

    estimators = {c for c in PUBLIC.values() if isinstance(c, type) and issubclass(c, Estimator)}
    assert estimators - {Estimator} == {type(make(Linear(), None)) for make in ESTIMATORS.values()}


@every_kernel
def test_kme_is_the_mean(row):
    k, X = drawn(row)
    e = KME(row.kernel).embed(X)
    assert e.kernel == k
    np.testing.assert_array_equal(e.weights, np.full(9, 1 / 9))
    Y = row.data(4, seed=1)
    atol = 1e-14 * max(k.diagonal(X).max(), k.diagonal(Y).max())  # nine terms
    np.testing.assert_allclose(e(Y), k(X, Y).mean(0), rtol=0, atol=atol)


@every_kernel
@pytest.mark.parametrize("lam", [0, 0.1, 1.0, 25.0, math.inf])
def test_skmse_weighs_every_point_alike(row, lam):
    k, X = drawn(row)
    np.testing.assert_array_equal(SKMSE(k, lam).embed(X).weights, np.full(9, 1 / (1 + lam) / 9))


@every_kernel
@pytest.mark.parametrize("lam", [0, 0.1, 3.0, math.inf])
def test_skmse_lies_on_the_line_to_its_target(row, lam):
    k, X = drawn(row)
    f, mean = target(k, X), KME(k).embed(X)
    e = SKMSE(k, lam, f).embed(X)
    keep = 1 / (1 + lam)
    Y = row.data(4, seed=1)
    atol = 1e-13 * max(k.diagonal(X).max(), k.diagonal(Y).max())
    np.testing.assert_allclose(e(Y), keep * mean(Y) + (1 - keep) * f(Y), rtol=0, atol=atol)


@pytest.mark.parametrize("lam", [1e-3, 0.1, 1.0, 50.0])
@pytest.mark.parametrize("kernel", [Gaussian(0.8), Linear(), Polynomial(2), Precomputed(2 * np.eye(9))], ids=type)
def test_fkmse_solves_its_equation(kernel, lam):
    X = np.arange(9.0) if isinstance(kernel, Precomputed) else vectors(9)
    K = kernel(X)
    dense = np.linalg.solve(K + lam * np.eye(9), K @ np.full(9, 1 / 9))
    # condition number max γ / λ times eps
    tolerance = 100 * np.finfo(float).eps * (1 + np.linalg.eigvalsh(K)[-1] / lam)
    np.testing.assert_allclose(FKMSE(kernel, lam).embed(X).weights, dense, rtol=0, atol=tolerance)


@every_kernel
def test_fkmse_minimises_its_objective(row):
    """|μ̂ - g|^2 + λ |β|^2: the gradient K (β - 1/n) + λ β vanishes on the span of K."""
    k, X = drawn(row)
    K = k(X)
    lam = 0.1 * np.trace(K) / 9
    beta = FKMSE(k, lam).embed(X).weights
    gradient = K @ (beta - 1 / 9) + lam * beta
    np.testing.assert_allclose(gradient, 0, atol=1e-13 * np.linalg.eigvalsh(K)[-1])


@every_kernel
@pytest.mark.parametrize("make", [SKMSE, FKMSE])
def test_lambda_zero_is_the_mean_and_infinity_is_zero(row, make):
    k, X = drawn(row)
    np.testing.assert_array_equal(make(k, 0).embed(X).weights, np.full(9, 1 / 9))
    np.testing.assert_array_equal(make(k, math.inf).embed(X).weights, np.zeros(9))


@every_kernel
def test_small_and_large_lambdas_approach_the_limits(row):
    """In the RKHS: for a singular K the weights of λ -> 0 are another representation of the same mean."""
    k, X = drawn(row)
    mean, top = KME(k).embed(X), np.linalg.eigvalsh(k(X))[-1]
    gaps = [FKMSE(k, f * top).embed(X).distance(mean) for f in (1e-2, 1e-4, 1e-6)]
    assert gaps[0] > gaps[1] > gaps[2]
    # each direction errs by λ / (γ + λ); where K has full rank its least γ decides
    gamma = np.linalg.eigvalsh(k(X))
    least = gamma[gamma > 1e-9 * top].min()
    assert gaps[2] <= 1e-6 * top / least * mean.norm() + 1e-6 * mean.norm()
    assert FKMSE(k, 1e9 * top).embed(X).norm() <= 2e-9 * mean.norm()
    assert SKMSE(k, 1e9).embed(X).norm() == pytest.approx(1e-9 * mean.norm(), rel=1e-8)


def test_a_lone_point_weighs_less_than_a_crowd():
    """n β = 1/(1 + λ) for a lone point, m/(m + λ) in a cluster of m."""
    X = np.concatenate([np.zeros((4, 1)), [[100.0]]])
    weights = FKMSE(Gaussian(1.0), 0.5).embed(X).weights
    np.testing.assert_allclose(5 * weights, [4 / 4.5] * 4 + [1 / 1.5], rtol=1e-14)


def test_an_isolated_point_is_down_weighted_by_the_chosen_lambda():
    X = np.vstack([np.random.default_rng(0).normal(size=(15, 2)), [[6.0, 6.0]]])
    chosen = FKMSE(Gaussian(1.5)).select(X)
    weights = 16 * chosen.embed(X).weights
    assert weights[-1] == pytest.approx(1 / (1 + chosen.lam), rel=1e-2)  # its neighbours are alike to .003
    assert weights[-1] < weights[:-1].min()
    assert weights[-1] < 0.75 * np.median(weights)


def test_fkmse_weights_may_exceed_one_over_n():
    """Erratum 23: the papers say that all are smaller."""
    weights = 15 * FKMSE(Gaussian(1.5), 0.5).embed(vectors(15)).weights
    assert weights.max() > 1.005


# Spectrum -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Linear(), Polynomial(3)], ids=repr)
def test_the_loss_along_the_path_is_the_distance(kernel):
    X, mu = law().sample(12, rng=3), law().embed(kernel)
    K = kernel(X)
    lams = np.array([0.0, 1e-3, 0.1, 1.0, 10.0, math.inf])
    losses = Spectrum(K).loss(lams, mu(X), mu.norm() ** 2)
    distances = [FKMSE(kernel, lam).embed(X).distance(mu) ** 2 for lam in lams]
    np.testing.assert_allclose(losses, distances, rtol=1e-9, atol=1e-13 * np.diag(K).max())  # differences of sums


@every_kernel
def test_the_path_of_weights_is_the_estimator(row):
    k, X = drawn(row)
    lams = [0.0, 0.01, 2.0, math.inf]
    path = Spectrum(k(X)).weights(lams)
    for lam, weights in zip(lams, path.T, strict=True):
        np.testing.assert_allclose(FKMSE(k, lam).embed(X).weights, weights, rtol=0, atol=1e-14)  # nine products


def test_a_spectrum_keeps_nothing_of_its_gram_matrix():
    """A cache counts its bytes and shares it among threads."""
    K = Gaussian(1.3)(vectors(9))
    spectrum = Spectrum(K)
    K[:] = 0
    np.testing.assert_array_equal(spectrum.diagonal, 1.0)
    assert not np.shares_memory(spectrum.diagonal, K)


def test_a_matrix_that_is_no_gram_matrix_is_refused():
    bad = Precomputed.trusted([[0.0, 1.0], [1.0, 0.0]])
    for ask in (lambda: FKMSE(bad).embed([0, 1]), lambda: FKMSE(bad, 0.1).embed([0, 1])):
        with pytest.raises(ValueError, match=naming("-1", "1")):
            ask()


# a defined answer for every sample -------------------------------------------------------------------------------


@every_kernel
@pytest.mark.parametrize("make", [KME, lambda k: SKMSE(k, 0.3), lambda k: FKMSE(k, 0.3), lambda k: FKMSE(k, 0)])
def test_one_point_is_enough_to_embed(row, make):
    X = row.data(3)
    k = row.kernel.select(X)
    e = make(k).embed(X[:1])
    assert e.weights.shape == (1,)
    assert 0 <= e.weights[0] <= 1
    assert np.isfinite(e.norm())


@pytest.mark.parametrize("estimator", [SKMSE(Linear()), FKMSE(Linear()), KME(), SKMSE(lam=1), FKMSE(lam=1)], ids=repr)
def test_one_point_is_not_enough_to_choose(estimator):
    for choose in (estimator.embed, estimator.select):
        with pytest.raises(ValueError, match=naming("2")):
            choose([[1.0, 2.0]])


@pytest.mark.thorough(default=["*-gaussian", "KME-*", "*-gaussian, automatic", "*-linear"])
@every_kernel
@every_estimator
@pytest.mark.covered(times=6)  # an estimator gets a kernel's matrix of two or three rows
def test_small_samples_have_finite_answers(row, make):
    k = row.kernel.select(row.data(9))
    for n in (2, 3):
        e = make(k, target(k, row.data(9))).embed(row.data(9)[:n])
        assert np.isfinite(e.weights).all()
        assert np.isfinite(e.norm())


@pytest.mark.thorough(default=["*-Gaussian(bandwidth=1.3)-*", "zeros-*-KME"])
@every_estimator
@pytest.mark.parametrize("kernel", [Gaussian(1.3), Linear(), Polynomial(2, 0.0)], ids=repr)
@pytest.mark.parametrize(
    "X",
    [np.zeros((4, 2)), np.full((4, 2), 1e3), np.repeat(np.eye(2), 3, axis=0)],
    ids=["zeros", "constant", "duplicates"],
)
@pytest.mark.covered  # every two of an estimator, a kernel and a sample: three are needed by no fault seen
def test_degenerate_samples_have_finite_answers(make, kernel, X):
    e = make(kernel, target(kernel, X)).embed(X)
    assert np.isfinite(e.weights).all()
    assert np.isfinite(e(X)).all()


def test_constant_data_choose_a_bandwidth_aloud():
    with pytest.warns(ExplorerWarning, match=naming("bandwidth", "1")):
        e = FKMSE().embed(np.ones((4, 2)))
    np.testing.assert_allclose(e.weights.sum(), 1.0, rtol=1e-6)
    assert e.kernel == Gaussian(1.0)


# invariances ----------------------------------------------------------------------------------------------------


def values(make, kernel, X):
    f = target(kernel, X)
    return make(kernel, f).embed(X)(X)


def reordered(estimator, X):
    """Return a permutation of the rows, (n,): within the blocks of an estimator that takes them in blocks."""
    rng, order = np.random.default_rng(4), np.arange(len(X))
    for rows in estimator.partition(X) if hasattr(estimator, "partition") else [order.copy()]:
        order[rows] = rng.permutation(rows)
    return order


@pytest.mark.thorough(default=["*-gaussian", "KME-*", "*-gaussian, automatic", "*-linear"])
@every_kernel
@every_estimator
@pytest.mark.covered(times=4)  # a kernel knows no order of rows: what does is an estimator
def test_the_order_of_the_rows_permutes_the_weights_and_nothing_else(row, make):
    k, X = drawn(row)
    f = target(k, X)
    order = reordered(make(k, f), X)
    e, g = make(k, f).embed(X), make(k, f).embed(X[order])
    Y = row.data(5, seed=1)
    scale = max(k.diagonal(X).max(), k.diagonal(Y).max())
    # a λ found by search moves by 1e-6 or so where its score is flat; the estimate moves less
    np.testing.assert_allclose(e(Y), g(Y), rtol=0, atol=1e-6 * scale)
    np.testing.assert_allclose(np.sort(e.weights[:9]), np.sort(g.weights[:9]), rtol=0, atol=1e-6)
    if "target" not in repr(make(k, f)):
        np.testing.assert_allclose(e.weights[order], g.weights, rtol=0, atol=1e-6)


def rotation(d):
    return np.linalg.qr(np.random.default_rng(8).normal(size=(d, d)))[0]


@pytest.mark.thorough(
    default=[
        "SKMSE",
        "SKMSE, target",
        "SKMSE inf, simplex",
        "FKMSE",
        "FKMSE, theorem 4",
        "FKMSE, simplex",
        "tikhonov",
        "landweber",
        "landweber 7",
        "nu",
        "nu 7",
        "tsvd 0, sum to one",
        "MKME .3",
    ]
)
@every_estimator
def test_a_gaussian_estimate_turns_and_shifts_with_its_sample(make):
    X = vectors(12)
    # noise along the axes turns with nothing
    turn = np.eye(3) if isinstance(make(Gaussian(1.3), None), MMKME) else rotation(3)
    moved = X @ turn.T + [5.0, -3.0, 100.0]
    for kernel in (Gaussian(1.3), Gaussian()):
        before, after = kernel.select(X), kernel.select(moved)
        # distances keep 13 digits; 1e-6 for λ found by search
        np.testing.assert_allclose(values(make, before, X), values(make, after, moved), rtol=0, atol=1e-6)


@pytest.mark.thorough(default=["0.001-*", "*-KME"])
@every_estimator
@pytest.mark.parametrize("a", [1e-3, 7.0, 1e5])
def test_a_gaussian_estimate_knows_no_unit(make, a):
    X = vectors(12)
    np.testing.assert_allclose(
        values(make, Gaussian(1.3), X), values(make, Gaussian(1.3 * a), a * X), rtol=0, atol=1e-6
    )
    assert Gaussian().select(a * X).bandwidth == pytest.approx(a * Gaussian().select(X).bandwidth, rel=1e-13)


@pytest.mark.parametrize("a", [0.1, 30.0])
def test_scaling_the_kernel_scales_the_lambda_of_fkmse_and_not_that_of_skmse(a):
    """λ of F-KMSE has the units of k, λ of S-KMSE has none: erratum 31."""
    K = Gaussian(1.3)(vectors(9))
    one, other = Precomputed(K), Precomputed(a * K)
    rows = np.arange(9)
    assert FKMSE(other).select(rows).lam == pytest.approx(a * FKMSE(one).select(rows).lam, rel=1e-5)
    assert SKMSE(other).select(rows).lam == pytest.approx(SKMSE(one).select(rows).lam, rel=1e-12)


# the kernel that is asked for -------------------------------------------------------------------------------------


def test_no_kernel_means_gaussian():
    X = vectors(9)
    assert KME().embed(X) == KME(Gaussian()).embed(X)
    assert KME().embed(X).kernel == Gaussian().select(X)


def test_a_target_of_another_kernel_is_refused():
    f = Embedding(Gaussian(2.0), [[0.0, 0.0, 0.0]], [1.0])
    for estimator in (SKMSE(Gaussian(1.0), 0.1, f), SKMSE(Gaussian(1.0), None, f), SKMSE(None, None, f)):
        with pytest.raises(ValueError, match=naming("kernels")):
            estimator.embed(vectors(5))


@pytest.mark.parametrize("make", [SKMSE, FKMSE])
@pytest.mark.parametrize("bad", [-0.1, math.nan])
def test_lambda_is_at_least_zero(make, bad):
    with pytest.raises(ValueError, match=r"lam must .*\b0\b.*None"):
        make(lam=bad)


@pytest.mark.parametrize("estimator", [KME(), SKMSE(), FKMSE()], ids=repr)
def test_samples_are_checked_at_the_door(estimator):
    for bad in ([[np.nan, 1.0], [0.0, 1.0]], [], np.zeros((2, 2, 2))):
        with pytest.raises(ValueError, match=r"X has"):
            estimator.embed(bad)
