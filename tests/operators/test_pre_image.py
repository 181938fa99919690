"""Pre-images: the nearest k(x, .) by a dense search and by scipy, limits, denoising, and regression from scores."""

import math

import numpy as np
import pytest
import scipy.optimize
from helpers.naming import naming

from explorer import (
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    Delta,
    Embedding,
    Gaussian,
    KernelPCA,
    Laplacian,
    Linear,
    Precomputed,
)
from explorer.operators.pre_image import nearest_points
from explorer.operators.score_regression import LAMBDAS, ScoreRegression

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(40, 2)) @ np.diag([2.0, 1.0]), RNG.normal(size=(6, 2))
TARGET = Embedding(Gaussian(1.0), X[:3] + 0.1, [0.4, 0.3, 0.2])
CENTERINGS = {
    "plain": None,
    "S": SKMSE(),
    "none": SKMSE(lam=math.inf),
    "noisy": MKME(sigma=0.5),
    "noisy, each": MMKME(sigma=[0.7, 0.2]),
    "target": SKMSE(lam=0.5, target=TARGET),
}


def fitted(centering=None, r=5, kernel=None):
    return KernelPCA(kernel or Gaussian(1.0), r, centering).fit(X)


# the nearest point ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("centering", CENTERINGS.values(), ids=CENTERINGS)
def test_no_point_of_a_grid_and_no_climb_of_scipy_s_is_nearer(centering):
    pca = fitted(centering)
    x = pca.pre_image(Z)
    grid = np.stack(np.meshgrid(np.linspace(-7, 7, 71), np.linspace(-4, 4, 41)), axis=-1).reshape(-1, 2)
    for z, scores in zip(x, pca.transform(Z), strict=True):
        f = pca.reconstruction(scores)
        best = f(z[None])[0]
        values = f(grid)
        climbed = scipy.optimize.minimize(lambda p, f=f: -f(p[None])[0], grid[values.argmax()], tol=1e-12)
        assert best >= -climbed.fun - 1e-10
        assert best >= f(X).max()
        # and it stands still: the slope by central differences, which err by their step squared
        slope = [(f((z + h)[None])[0] - f((z - h)[None])[0]) / 2e-5 for h in 1e-5 * np.eye(2)]
        np.testing.assert_allclose(slope, 0, rtol=0, atol=1e-8)


@pytest.mark.parametrize("centering", CENTERINGS.values(), ids=CENTERINGS)
def test_scores_of_points_give_their_pre_images(centering):
    pca = fitted(centering)
    by_points, by_scores = pca.pre_image(Z), pca.pre_image(scores=pca.transform(Z))
    for scores, a, b in zip(pca.transform(Z), by_points, by_scores, strict=True):
        f = pca.reconstruction(scores)
        assert f(a[None])[0] >= f(b[None])[0] - 1e-10  # points are starts too


def test_all_components_give_a_point_of_the_sample_back():
    pca = KernelPCA(Gaussian(0.7), 39).fit(X)
    np.testing.assert_allclose(pca.pre_image(X), X, rtol=0, atol=1e-7)
    np.testing.assert_allclose(pca.pre_image(scores=pca.transform(X)), X, rtol=0, atol=1e-7)


def test_a_centre_that_is_shrunk_counts_with_what_is_left_of_it():
    """1 - Σ a times the centre: with none at all the reconstruction is the combination alone."""
    pca = fitted(SKMSE(lam=math.inf), 40, Gaussian(0.5))
    f = pca.reconstruction(pca.transform(X[:1]))
    assert f.distance(Embedding(Gaussian(0.5), X[:1], [1.0])) < 1e-6
    np.testing.assert_allclose(pca.pre_image(X[:1]), X[:1], rtol=0, atol=1e-6)


@pytest.mark.parametrize(("theta", "near"), [(1e2, 2e-3), (1e4, 2e-7), (1e8, 1e-12)])
def test_a_wide_bandwidth_projects_on_lines(theta, near):
    """KernelPCA tends to linear PCA, and its pre-images to the projections, by the order of 1/θ²."""
    pca = KernelPCA(Gaussian(theta), 1).fit(X)
    u = np.linalg.svd(X - X.mean(axis=0))[2][:1]
    projected = X.mean(axis=0) + (Z - X.mean(axis=0)) @ u.T @ u
    np.testing.assert_allclose(pca.pre_image(Z), projected, rtol=0, atol=near)


def test_a_narrow_bandwidth_and_a_far_point_give_points_of_the_sample():
    narrow = KernelPCA(Gaussian(1e-6), 3).fit(X)
    assert all((np.abs(X - x).max(axis=1) < 1e-5).any() for x in narrow.pre_image(X[:4]))
    far = fitted().pre_image(Z + 1e5)
    assert np.isfinite(far).all()
    assert np.abs(far).max() < 10


@pytest.mark.parametrize(("a", "b"), [(1e-8, 0.0), (1e8, 0.0), (1.0, 1e6), (1e-8, 1e-2)])
def test_unit_and_place(a, b):
    near = KernelPCA(n_components=3).fit(X)
    moved = KernelPCA(n_components=3).fit(a * X + b)
    np.testing.assert_allclose((moved.pre_image(a * Z + b) - b) / a, near.pre_image(Z), rtol=0, atol=1e-6)


def test_a_noisy_circle_is_cleaned():
    """Points near a circle of radius 1; their pre-images are nearer to it on average."""
    rng = np.random.default_rng(0)
    turn = rng.uniform(0, 2 * np.pi, 150)
    noisy = np.column_stack([np.cos(turn), np.sin(turn)]) + 0.15 * rng.normal(size=(150, 2))
    pca = KernelPCA(Gaussian(0.7), 4).fit(noisy)
    before = np.abs(np.linalg.norm(noisy, axis=1) - 1)
    after = np.abs(np.linalg.norm(pca.pre_image(noisy), axis=1) - 1)
    assert after.mean() < 0.75 * before.mean()
    # few scores distinguish points of the plane, so a regression on them brings the noise back
    found = pca.pre_image(noisy, method="regression")
    assert np.abs(found - noisy).mean() < 0.05


@pytest.mark.parametrize("d", [1, 30])
def test_one_and_thirty_dimensions_and_two_points(d):
    points = RNG.normal(size=(25, d))
    pca = KernelPCA(n_components=4).fit(points)
    x = pca.pre_image(points[:3])
    for row, scores in zip(x, pca.transform(points[:3]), strict=True):
        assert pca.reconstruction(scores)(row[None])[0] >= pca.reconstruction(scores)(points).max()
    two = KernelPCA(n_components=1).fit(points[:2])
    np.testing.assert_allclose(two.pre_image(points[:2]), points[:2], rtol=0, atol=1e-7)


def test_scores_beyond_all_data_and_duplicates():
    pca = fitted()
    assert np.isfinite(pca.pre_image(scores=[[1e3] * 5, [0.0] * 5, [-1e-300] * 5])).all()
    twice = KernelPCA(Gaussian(1.0), 3).fit(np.repeat(X[:6], 3, axis=0))
    assert np.isfinite(twice.pre_image(Z)).all()


# regression ----------------------------------------------------------------------------------------------------------


def test_its_lambda_has_the_least_error_of_refits():
    """n refits, point by point, with the mean held; each coordinate in units of its variance."""
    scores = fitted(r=3).transform(X)
    model = ScoreRegression.of(scores, X)
    K, moved = model.kernel(scores), X - X.mean(axis=0)
    top = np.linalg.eigvalsh(K)[-1]
    losses = []
    for lam in LAMBDAS[20:] * top:
        loss = 0.0
        for i in range(len(X)):
            rest = np.delete(np.arange(len(X)), i)
            c = np.linalg.solve(K[np.ix_(rest, rest)] + lam * np.eye(len(rest)), moved[rest])
            loss += (((K[i, rest] @ c - moved[i]) / X.std(axis=0)) ** 2).sum()
        losses.append(loss)
    lam = LAMBDAS[20 + int(np.argmin(losses))] * top
    expected = np.linalg.solve(K + lam * np.eye(len(X)), moved)
    np.testing.assert_allclose(model.coefficients, expected, rtol=0, atol=1e-7 * np.abs(expected).max())


def test_regression_takes_any_kernel_on_numbers():
    for kernel in (Linear(), Laplacian(1.0), Gaussian(1.0)):
        pca = KernelPCA(kernel, 2).fit(X)
        found = pca.pre_image(X, method="regression")
        assert np.abs(found - X).mean() < np.abs(X - X.mean(axis=0)).mean()
        np.testing.assert_allclose(found, pca.pre_image(scores=pca.transform(X), method="regression"), rtol=1e-12)
    linear = KernelPCA(Linear(), 2).fit(X)  # two components of two: nothing is lost
    np.testing.assert_allclose(linear.pre_image(X, method="regression"), X, rtol=0, atol=0.01)


@pytest.mark.parametrize(("a", "b"), [(1e-8, 0.0), (1e8, 0.0), (1.0, 1e6)])
def test_regression_in_any_unit(a, b):
    near, moved = (KernelPCA(n_components=3).fit(P) for P in (X, a * X + b))
    found = (moved.pre_image(a * Z + b, method="regression") - b) / a
    np.testing.assert_allclose(found, near.pre_image(Z, method="regression"), rtol=0, atol=1e-4)


# conventions ---------------------------------------------------------------------------------------------------------


def test_shapes_and_kinds():
    one = KernelPCA(n_components=1).fit([1, 2, 3, 5])
    assert one.pre_image([1, 2]).shape == (2,)  # as the sample was
    assert one.pre_image(scores=[0.1, 0.2, 0.3]).shape == (3,)
    assert KernelPCA(n_components=1).fit([[1], [2], [3], [5]]).pre_image([1, 2]).shape == (2, 1)
    assert fitted().pre_image(scores=np.zeros((4, 5), dtype=int)).shape == (4, 2)
    constant = KernelPCA(n_components=2).fit(np.column_stack([X, np.full(40, 7.0)]))
    for method in ("fixed-point", "regression"):
        found = constant.pre_image(np.column_stack([Z, np.full(6, 7.0)]), method=method)
        np.testing.assert_allclose(found[:, 2], 7, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: fitted().pre_image(), "one of them and not both"),
        (lambda: fitted().pre_image(Z, np.zeros((1, 5))), "one of them and not both"),
        (lambda: fitted().pre_image(scores=np.zeros((2, 3))), naming("scores", "3", "5")),
        (lambda: fitted().pre_image(scores=[0.1, 0.2]), naming("scores", "1")),
        (lambda: fitted().pre_image(Z, method="newton"), naming("method", "'fixed-point'", "'regression'", "'newton'")),
        (lambda: fitted(kernel=Linear(), r=1).pre_image(Z), naming("method='regression'")),
        (lambda: KernelPCA(Delta(), 1).fit(["a", "b"]).pre_image(["a"]), naming("Delta", "categories", "numbers")),
        (lambda: KernelPCA(Precomputed(X @ X.T), 1).fit([0, 1, 2]).pre_image([0], method="regression"), "no points"),
        (lambda: KernelPCA().pre_image(Z), naming("fit(X)")),
        (lambda: fitted().pre_image(Z[:, :1]), naming("Z", "1", "2")),
        (lambda: fitted().reconstruction([0.1]), naming("scores", "1")),
        (lambda: fitted().reconstruction(np.zeros((2, 5))), naming("scores", "2")),
    ],
)
def test_bad_input_gets_a_sentence(act, said):
    with pytest.raises(ValueError, match=said):
        act()


def test_estimated_covariances_change_scores_and_not_the_road():
    for covariance in (FKMSE(), KME()):
        pca = KernelPCA(Gaussian(1.0), 4, FKMSE(), covariance).fit(X)
        for z, scores in zip(pca.pre_image(Z), pca.transform(Z), strict=True):
            assert pca.reconstruction(scores)(z[None])[0] >= pca.reconstruction(scores)(X).max()


def test_pre_images_move_with_the_data():
    a = np.random.default_rng(1).dirichlet(np.ones(len(X)), 3)
    here, there = (nearest_points(Gaussian(1.0), P, KME(Gaussian(1.0)).embed(P), a) for P in (X, X + 1024.0))
    np.testing.assert_allclose(there, here + 1024.0, atol=1e-9)
