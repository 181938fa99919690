"""Every kernel and estimator of the catalogue at the edges.

Far points, any scale and place, narrow bandwidths, two points.
"""

import numpy as np
import pytest
from kernels_and_estimators import ESTIMATORS, KERNELS, drawn, target, vectors

from explorer import MMKME, Energy, Gaussian, Laplacian, Linear, Polynomial, Precomputed
from explorer.checks import ExplorerWarning

every_estimator = pytest.mark.parametrize("make", ESTIMATORS.values(), ids=ESTIMATORS)
LENGTHS = {"gaussian": Gaussian, "laplacian": Laplacian}  # kernels of x - y and a length
every_length = pytest.mark.parametrize("kind", LENGTHS.values(), ids=LENGTHS)
VECTORS = {name: row for name, row in KERNELS.items() if row.data is vectors}
# a λ or σ that a search finds moves by 1e-6 where its score is flat to rounding, and weights move with it
SEARCHED = 1e-6


def without_noise(make):
    """Return whether an estimator's points carry no noise, so that its weights describe it completely."""
    return make(Gaussian(1.3), None).embed(vectors(6)).covariance is None


NOISELESS = {name: make for name, make in ESTIMATORS.items() if "target" not in name and without_noise(make)}
every_noiseless = pytest.mark.parametrize("make", NOISELESS.values(), ids=NOISELESS)


def scores(estimator, X):
    """Return the leave-one-out score at some values of the estimator's own parameter, or its one score."""
    name, d = type(estimator).__name__, X.shape[1]
    if name in ("KME", "RobustKME"):
        return estimator.loocv(X)
    if name == "MMKME":
        return estimator.loocv(X, [np.full(d, 0.2), np.full(d, 1.0)])
    whole = name == "MedianOfMeans" or getattr(estimator, "filter", "") in ("landweber", "nu")
    return estimator.loocv(X, [1] if whole else [0.2, 1.0])


# one far point ----------------------------------------------------------------------------------------------------


@pytest.mark.thorough(
    default=[
        "1e+150-gaussian-tikhonov",
        "1e+150-gaussian-landweber 7",
        "1e+150-gaussian-nu 7",
        "1e+150-gaussian-MedianOfMeans 1",
        "1e+150-laplacian-FKMSE",
        "1e+150-laplacian-nu",
        "1e+154-gaussian-SKMSE, target",
        "1e+154-gaussian-SKMSE .3, sum to one",
        "1e+154-gaussian-landweber 7",
        "1e+154-gaussian-MedianOfMeans 2, geometric",
        "1e+154-laplacian-FKMSE",
        "1e+154-laplacian-tikhonov .3",
        "1e+154-laplacian-RobustKME",
        "1e+300-gaussian-SKMSE .3, target",
        "1e+300-gaussian-nu",
        "1e+300-gaussian-tsvd",
        "1e+300-gaussian-RobustKME",
        "1e+300-gaussian-RobustKME, hampel",
        "1e+300-laplacian-SKMSE .3, sum to one",
        "1e+300-laplacian-SKMSE .3, target, sum to one",
        "1e+300-laplacian-FKMSE, simplex",
        "1e+300-laplacian-tikhonov",
        "1.7e+308-gaussian-SKMSE .3",
        "1.7e+308-gaussian-SKMSE .3, target",
        "1.7e+308-laplacian-SKMSE .3, sum to one",
    ]
)
@pytest.mark.covered  # every two of a kernel, an estimator and a distance, and those at which there was a fault
@every_estimator
@every_length
@pytest.mark.parametrize("far", [1e150, 1e154, 1e300, 1.7e308])
def test_how_far_a_far_point_lies_does_not_matter(kind, make, far):
    """Beyond some dozen bandwidths its kernel with the others is 0, and nothing that overflows may say otherwise."""
    X, away = vectors(8), np.array([[1.0, -1.0, 0.5]])
    k = kind(1.3)
    estimator = make(k, target(k, X))
    near, farther = (np.vstack([X, length * away]) for length in (1e5, far))
    e, f = estimator.embed(near), estimator.embed(farther)
    np.testing.assert_allclose(f.weights, e.weights, rtol=0, atol=SEARCHED)
    np.testing.assert_allclose(f(X), e(X), rtol=0, atol=SEARCHED)
    assert f.norm() == pytest.approx(e.norm(), abs=SEARCHED)
    np.testing.assert_allclose(scores(estimator, farther), scores(estimator, near), rtol=0, atol=SEARCHED)
    assert estimator.select(farther).kernel == k


@pytest.mark.few(180)
@pytest.mark.thorough(
    default=[
        "100000000.0-Linear()-MMKME .3 to .15",
        "100000000.0-Linear(offset=0.7)-iterated Tikhonov",
        "100000000.0-Linear(offset=0.7)-MedianOfMeans 2, geometric",
        "100000000.0-Polynomial()-SKMSE inf",
        "100000000.0-Polynomial(offset=0.0)-SKMSE .3, sum to one",
        "100000000.0-Polynomial(degree=3)-FKMSE, simplex",
        "100000000.0-Energy()-FKMSE inf",
        "100000000.0-Energy()-MKME",
        "1e+100-Linear()-FKMSE",
        "1e+100-Linear(offset=0.7)-MedianOfMeans 2",
        "1e+100-Polynomial()-MMKME .3 to .15",
        "1e+100-Polynomial(offset=0.0)-landweber 7",
        "1e+153-Polynomial(offset=0.0)-MMKME .3 to .15",
        "1e+153-Polynomial(degree=3)-FKMSE .3",
        "1e+153-Polynomial(degree=3)-iterated Tikhonov .3",
        "1e+153-Polynomial(degree=4)-tikhonov",
        "1e+153-Polynomial(degree=4)-MedianOfMeans 1",
        "1e+300-Linear()-FKMSE, theorem 4",
        "1e+300-Linear(offset=0.7)-SKMSE inf",
        "1e+300-Linear(offset=0.7)-FKMSE 0, sum to one",
        "1e+300-Polynomial(offset=0.0)-tikhonov",
        "1e+300-Polynomial(offset=0.0)-MedianOfMeans 1",
        "1e+300-Polynomial(degree=4)-KME",
        "1e+300-Exponential(scale=12.0)-tsvd 0, sum to one",
        "1e+300-Exponential(scale=12.0)-MedianOfMeans 2",
    ]
)
@pytest.mark.covered  # every two of a kernel, an estimator and a distance, and those at which there was a fault
@every_estimator
@pytest.mark.parametrize(
    "row", [row for row in VECTORS.values() if not row.kernel.bounded], ids=lambda row: repr(row.kernel)
)
@pytest.mark.parametrize("far", [1e8, 1e100, 1e153, 1e300])
def test_a_point_beyond_an_unbounded_kernel_is_a_sentence(row, make, far):
    X = np.vstack([vectors(8), [[far, -far, far / 2]]])
    kernel = row.kernel.select(X[:8])  # a sum may have a bandwidth to choose
    estimator = make(kernel, target(kernel, X[:8]))
    for act in (lambda: estimator.embed(X).norm(), lambda: estimator.embed(X).weights, lambda: scores(estimator, X)):
        try:
            found = act()
        except ValueError as refusal:
            if "points are too large" not in str(refusal) and "has no closed form" not in str(refusal):
                raise
        else:
            # scores of normalised weights are nan, with a warning, if a refit's weights sum to 0 next to a far point
            assert np.isfinite(found).all() or "sum-to-one" in repr(estimator)


# any scale, any place ---------------------------------------------------------------------------------------------


@pytest.mark.thorough(
    default=[
        "-490-laplacian-FKMSE, theorem 4",
        "-490-laplacian-tikhonov",
        "-490-laplacian-landweber",
        "-490-laplacian-MMKME .3 to .15",
        "-490-laplacian-MedianOfMeans 2, geometric",
        "-200-gaussian-SKMSE",
        "-200-gaussian-FKMSE .3",
        "-200-gaussian-FKMSE, simplex",
        "-200-gaussian-MMKME .3 to .15",
        "-200-gaussian-MedianOfMeans 2",
        "-200-laplacian-FKMSE 0, sum to one",
        "-200-laplacian-nu 7",
        "200-gaussian-SKMSE .3, simplex",
        "200-gaussian-tikhonov .3",
        "200-laplacian-SKMSE .3, sum to one",
        "200-laplacian-landweber",
        "200-laplacian-nu",
        "490-gaussian-KME",
        "490-gaussian-SKMSE, simplex",
        "490-laplacian-FKMSE, simplex",
        "490-laplacian-tikhonov .3",
        "490-laplacian-tsvd",
        "490-laplacian-MMKME",
        "490-laplacian-MMKME .3 to .15",
        "490-laplacian-MedianOfMeans 2",
    ]
)
@pytest.mark.covered  # every two of a kernel, an estimator and a unit, and those at which there was a fault
@every_estimator
@every_length
@pytest.mark.parametrize("exponent", [-490, -200, 200, 490])
def test_a_unit_changes_nothing(kind, make, exponent):
    """A power of two rounds nothing: 2^490 is 3e147."""
    X, a = vectors(8), 2.0**exponent
    k, scaled = kind(1.3), kind(1.3 * a)
    e, f = make(k, target(k, X)).embed(X), make(scaled, target(scaled, a * X)).embed(a * X)
    np.testing.assert_allclose(f.weights, e.weights, rtol=0, atol=SEARCHED)
    np.testing.assert_allclose(f(a * X), e(X), rtol=0, atol=SEARCHED)
    assert kind().select(a * X).bandwidth == pytest.approx(a * kind().select(X).bandwidth, rel=1e-15)


# estimators that choose all they use, so that a multiple of the kernel changes no weight
CHOOSING = {
    name: make
    for name, make in NOISELESS.items()
    if name in ("KME", "SKMSE", "FKMSE", "FKMSE, theorem 4", "tikhonov", "iterated Tikhonov", "landweber", "nu", "tsvd")
    or name.startswith(("MedianOfMeans", "RobustKME"))
    or name in ("BayesianKME", "BayesianKME 0", "BayesianKME inf")
}


@pytest.mark.thorough(default=["*-*-KME", "-200-Linear()-*"])
@pytest.mark.parametrize("make", CHOOSING.values(), ids=CHOOSING)
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 0.0), Energy()], ids=repr)
@pytest.mark.parametrize("exponent", [-200, 200])
def test_a_multiple_of_the_kernel_changes_no_weight(kernel, make, exponent):
    """k(ax, ay) is a power of a times k(x, y): up to 2^800, 7e240."""
    X, a = vectors(8), 2.0**exponent
    e, f = make(kernel, None).embed(X), make(kernel, None).embed(a * X)
    np.testing.assert_allclose(f.weights, e.weights, rtol=0, atol=SEARCHED)


@pytest.mark.thorough(
    default=[
        "gaussian-KME",
        "gaussian-SKMSE",
        "gaussian-SKMSE, target",
        "gaussian-FKMSE inf",
        "gaussian-landweber 7",
        "gaussian-nu",
        "gaussian-RobustKME, hampel",
        "laplacian-KME",
        "laplacian-SKMSE inf, simplex",
        "laplacian-iterated Tikhonov .3",
        "laplacian-landweber",
        "laplacian-nu 7",
        "laplacian-tsvd 0, sum to one",
        "laplacian-MKME .3",
        "laplacian-RobustKME, hampel",
    ]
)
@every_estimator
@every_length
def test_a_place_far_away_changes_nothing(kind, make):
    """Multiples of 2^-20, moved by 2^27: the data keep all their digits, and so does what is made of differences."""
    X = np.round(np.ldexp(vectors(8), 20)) / 2**20
    k, moved = kind(1.3), X + 2.0**27
    e, f = make(k, target(k, X)).embed(X), make(k, target(k, moved)).embed(moved)
    np.testing.assert_allclose(f.weights, e.weights, rtol=0, atol=SEARCHED)
    np.testing.assert_allclose(f(moved), e(X), rtol=0, atol=SEARCHED)
    assert kind().select(moved) == kind().select(X)


# narrow bandwidths ------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["gaussian-*", "*-KME"])
@every_noiseless
@every_length
def test_a_bandwidth_that_tells_all_points_apart_is_the_identity(kind, make):
    X, rows = vectors(7), np.arange(7.0)[:, None]
    narrow, table = make(kind(1e-100), None), make(Precomputed(np.eye(7)), None)
    np.testing.assert_array_equal(narrow.embed(X).weights, table.embed(rows).weights)
    np.testing.assert_array_equal(scores(narrow, X), scores(table, rows))


@pytest.mark.thorough(default=["MMKME-gaussian", "MMKME-laplacian", "MKME .3-laplacian"])
@every_length
@pytest.mark.parametrize("name", ["MKME", "MMKME", "MKME .3", "MMKME .3 to .15"])
def test_noise_of_a_narrow_bandwidth_is_finite(kind, name):
    X = vectors(7)
    estimator = ESTIMATORS[name](kind(1e-100), target(kind(1e-100), X))
    e = estimator.embed(X)
    assert np.isfinite(e(X)).all()
    assert 0 <= e.norm() <= 1
    assert np.isfinite(scores(estimator, X)).all()


# duplicates and constant columns ------------------------------------------------------------------------------------


@pytest.mark.thorough(
    default=[
        "linear + .7-SKMSE inf",
        "polynomial 2-FKMSE",
        "polynomial 2-FKMSE 0",
        "polynomial 2-MedianOfMeans 2",
        "polynomial 2 + 0-nu 7",
        "polynomial 4-SKMSE inf",
        "polynomial 4-tsvd .3",
        "gaussian-SKMSE",
        "gaussian, automatic-SKMSE, simplex",
        "laplacian-FKMSE 0, sum to one",
        "laplacian, automatic-MedianOfMeans 2",
        "energy-FKMSE 0, sum to one",
        "energy-tsvd",
        "energy-RobustKME, hampel",
        "delta-tsvd 0, sum to one",
        "product-SKMSE inf",
        "product-iterated Tikhonov",
        "product-nu",
        "product, mixed-SKMSE .3, sum to one",
        "product, mixed-iterated Tikhonov .3, 5",
        "subsequence-MedianOfMeans 2",
        "precomputed-FKMSE 0",
        "precomputed-FKMSE, simplex",
        "precomputed-landweber",
        "precomputed-landweber 7",
    ]
)
@pytest.mark.covered(times=4)  # an estimator sees of a kernel its Gram matrix alone
@every_noiseless
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_duplicates_weigh_alike(row, make):
    """Every point twice: what depends on the Gram matrix alone cannot distinguish one copy from the other."""
    k, X = drawn(row, 5)
    twice = np.concatenate([X, X])
    estimator = make(k, None)
    if hasattr(estimator, "partition"):
        return  # blocks in order of the rows distinguish them
    e = estimator.embed(twice)
    assert np.isfinite(e.weights).all()
    # eigenvectors of a repeated point's null direction are as exact as the eigenvalues next to them: 1e-8 at worst
    np.testing.assert_allclose(e.weights[:5], e.weights[5:], rtol=0, atol=1e-8)
    K = k(twice)
    assert e.norm() ** 2 == pytest.approx(e.weights @ K @ e.weights, abs=1e-10 * K.diagonal().max())


@pytest.mark.thorough(
    default=[
        "0.0-gaussian-KME",
        "0.0-gaussian-landweber",
        "0.0-gaussian-landweber 7",
        "0.0-laplacian-SKMSE .3",
        "0.0-laplacian-MedianOfMeans 2",
        "100000000.0-gaussian-tsvd",
        "100000000.0-gaussian-RobustKME, hampel",
        "100000000.0-laplacian-FKMSE, simplex",
        "1e+300-gaussian-FKMSE 0, sum to one",
        "1e+300-gaussian-landweber",
        "1e+300-gaussian-landweber 7",
        "1e+300-gaussian-MedianOfMeans 2, geometric",
        "1e+300-laplacian-SKMSE .3",
        "1e+300-laplacian-FKMSE, theorem 4",
        "1e+300-laplacian-iterated Tikhonov .3",
    ]
)
@pytest.mark.covered  # every two of a kernel, an estimator and a value, and those at which there was a fault
@every_noiseless
@every_length
@pytest.mark.parametrize("value", [0.0, 1e8, 1e300])
def test_a_constant_column_says_nothing(kind, make, value):
    X = vectors(7)
    wide = np.column_stack([X, np.full(7, value)])
    e, f = (make(kind(1.3), None).embed(Z) for Z in (X, wide))
    np.testing.assert_allclose(f.weights, e.weights, rtol=0, atol=SEARCHED)
    assert kind().select(wide) == kind().select(X)


@pytest.mark.parametrize("name", ["MKME", "MMKME"])
@every_length
def test_a_constant_column_takes_no_noise(kind, name):
    """A coordinate that is known exactly is best left alone, and MMKME leaves it alone."""
    wide = np.column_stack([vectors(12), np.full(12, 5.0)])
    estimator = ESTIMATORS[name](kind(1.3), target(kind(1.3), wide)).select(wide)
    if isinstance(estimator, MMKME):
        assert estimator.sigma[-1] < 1e-2 * estimator.sigma[:-1].max()
    assert np.isfinite(estimator.embed(wide).norm())


# two points ---------------------------------------------------------------------------------------------------------


def refits(estimator, X):
    """Return (1/n) sum_i |k(x_i, .) - the estimate from the others|^2, by n embeddings."""
    found = []
    for i in range(len(X)):
        e = estimator.embed(np.delete(X, i, axis=0))
        own = e.kernel.diagonal(X[i : i + 1])[0]
        found.append(own - 2 * e(X[i : i + 1])[0] + e.inner(e))
    return np.mean(found)


FIXED = [
    "KME",
    "SKMSE .3",
    "SKMSE inf",
    "FKMSE .3",
    "FKMSE 0",
    "tikhonov .3",
    "iterated Tikhonov .3",
    "landweber 7",
    "nu 7",
    "tsvd .3",
    "MKME .3",
    "RobustKME",
    "BayesianKME .3",
]


def own_score(estimator, X):
    """Return the leave-one-out score at the estimator's own parameter."""
    name = type(estimator).__name__
    if name in ("KME", "RobustKME"):
        return estimator.loocv(X)
    field = estimator.free or "lam"
    return estimator.loocv(X, [getattr(estimator, field)])[0]


@pytest.mark.thorough(default=["*-KME", "gaussian-*", "gaussian, automatic-*"])
@pytest.mark.covered(times=3)  # an estimator sees of a kernel its Gram matrix alone
@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_the_score_of_two_points_is_that_of_two_refits(row, name):
    k = row.kernel.select(row.data(9))
    X = row.data(2)
    estimator = ESTIMATORS[name](k, None)
    if name == "MKME .3" and estimator.sigma == 0:
        estimator = ESTIMATORS["KME"](k, None)
    # sums of a few terms of the size of k(x, x)
    assert own_score(estimator, X) == pytest.approx(refits(estimator, X), abs=1e-12 * k.diagonal(X).max())


@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_two_points_solve_by_hand(row):
    """The solution of (K + λ) β = K 1/2 by Cramer's rule."""
    k = row.kernel.select(row.data(9))
    X = row.data(2)
    (a, b), (_, c) = k(X) + 0.3 * np.eye(2)
    right = k(X).mean(axis=1)
    by_hand = np.array([c * right[0] - b * right[1], a * right[1] - b * right[0]]) / (a * c - b * b)
    np.testing.assert_allclose(ESTIMATORS["FKMSE .3"](k, None).embed(X).weights, by_hand, rtol=1e-10, atol=1e-12)


@pytest.mark.thorough(
    default=[
        "gaussian-SKMSE .3, simplex",
        "gaussian-FKMSE, theorem 4",
        "gaussian-FKMSE inf",
        "gaussian-FKMSE, simplex",
        "gaussian-FKMSE 0, sum to one",
        "gaussian-tikhonov",
        "gaussian-tikhonov .3",
        "gaussian-landweber",
        "gaussian-nu",
        "gaussian-nu 7",
        "gaussian-MKME .3",
        "gaussian-MedianOfMeans 1",
        "laplacian-SKMSE",
        "laplacian-SKMSE .3",
        "laplacian-SKMSE .3, target",
        "laplacian-SKMSE .3, simplex",
        "laplacian-FKMSE",
        "laplacian-FKMSE 0, sum to one",
        "laplacian-tikhonov .3",
        "laplacian-landweber",
        "laplacian-tsvd",
        "laplacian-MKME",
        "laplacian-MMKME .3 to .15",
        "laplacian-MedianOfMeans 1",
        "laplacian-MedianOfMeans 2",
    ]
)
@every_estimator
@every_length
def test_two_equal_points_are_one(kind, make):
    """Their estimate is a multiple of their one feature; a warning says that the bandwidth is taken as 1."""
    X = np.full((2, 3), 0.7)
    with pytest.warns(ExplorerWarning, match="bandwidth 1"):
        k = kind().select(X)
    e = make(k, target(k, np.vstack([X, X[:1]]))).embed(X)
    assert np.isfinite(e.weights).all()
    assert e.norm() <= (2 if "nu" in repr(make(k, None)) else 1 + 1e-12)  # the ν-method may overshoot, to twice at most
