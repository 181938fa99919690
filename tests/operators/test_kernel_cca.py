"""Kernel canonical correlation: ridge CCA by explicit features, limits, refits, invariances."""

import copy
import math
import pickle
import re

import numpy as np
import pytest
import scipy.linalg
import scipy.stats
from helpers.naming import naming

from explorer import (
    KME,
    MKME,
    CrossCovariance,
    Delta,
    Gaussian,
    KernelCCA,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
    RobustKME,
    Subsequence,
)
from explorer.checks import ExplorerWarning
from explorer.operators.canonical_refits import _rank_correlation

RNG = np.random.default_rng(0)
N = 30
X = RNG.normal(size=(N, 3))
Y = np.column_stack([X[:, 0] + 0.5 * RNG.normal(size=N), X[:, 1] ** 2 + 0.3 * RNG.normal(size=N)])
NEW = RNG.normal(size=(5, 3)), RNG.normal(size=(5, 2))


def quadratic(x):
    """Return features of (<x, y> + 1)², their constant left out: it is centred away."""
    i, j = np.triu_indices(x.shape[1])
    return np.column_stack([math.sqrt(2) * x, np.where(i == j, 1.0, math.sqrt(2)) * x[:, i] * x[:, j]])


@pytest.mark.parametrize("lam", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize(("kernel", "phi"), [(Linear(), np.asarray), (Polynomial(2), quadratic)], ids=["lin", "poly"])
def test_with_explicit_features_it_is_ridge_cca(kernel, phi, lam):
    """The reference is the generalised problem of the features' own covariances.

    It has the eigenvectors of (C_xx + λ/n)^-1 C_xy (C_yy + λ/n)^-1 C_yx.
    """
    cca = KernelCCA(kernel, kernel, 2, lam).fit(X, Y)
    A, B = (phi(Z) - phi(Z).mean(axis=0) for Z in (X, Y))
    Sx, Sy, S = A.T @ A / N + lam / N * np.eye(A.shape[1]), B.T @ B / N + lam / N * np.eye(B.shape[1]), A.T @ B / N
    left = np.block([[np.zeros((len(S), len(S))), S], [S.T, np.zeros((S.shape[1], S.shape[1]))]])
    rho, W = scipy.linalg.eigh(left, scipy.linalg.block_diag(Sx, Sy))
    np.testing.assert_allclose(cca.correlations_, rho[::-1][:2], rtol=1e-8)
    for k in range(2):
        u = (phi(NEW[0]) - phi(X).mean(axis=0)) @ W[: len(S), -1 - k]
        v = (phi(NEW[1]) - phi(Y).mean(axis=0)) @ W[len(S) :, -1 - k]
        sign = np.sign(u @ cca.left(NEW[0], k)) * math.sqrt(2)  # scipy's pairs have length 1 together
        np.testing.assert_allclose(cca.left(NEW[0], k), sign * u, rtol=0, atol=1e-7 * np.abs(u).max())
        np.testing.assert_allclose(cca.right(NEW[1], k), sign * v, rtol=0, atol=1e-7 * np.abs(v).max())


@pytest.mark.parametrize("lam", [0.01, 1.0])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(2.0)], ids=repr)
def test_pairs_have_the_variances_and_covariances_that_define_them(kernel, lam):
    """Var u + (λ/n) |u|² = 1, as Embeddings; covariances ρ_k within a pair, and 0 between."""
    cca = KernelCCA(kernel, kernel, 3, lam).fit(X, Y)
    U, V = cca.transform(X, Y)
    np.testing.assert_allclose(U.mean(axis=0), 0, atol=1e-10)
    np.testing.assert_allclose(U.T @ V / N, np.diag(cca.correlations_), rtol=0, atol=1e-8)
    for values, side in ((U, cca.left_embedding), (V, cca.right_embedding)):
        gram = np.array([[side(i).inner(side(j)) for j in range(3)] for i in range(3)])
        np.testing.assert_allclose(values.T @ values / N + lam / N * gram, np.eye(3), rtol=0, atol=1e-8)
    assert cca.correlation(0) == pytest.approx(np.corrcoef(U[:, 0], V[:, 0])[0, 1])
    assert cca.correlation(0) > cca.correlations_[0]
    assert (np.diff(cca.correlations_) <= 0).all()


def test_a_large_lambda_gives_the_functions_that_covary_most():
    """u / |u| tends to the singular functions of CrossCovariance, and ρ λ / n to its singular values."""
    coco, cca = CrossCovariance(Gaussian(1.0), Gaussian(1.0)).fit(X, Y), KernelCCA(Gaussian(1.0), Gaussian(1.0), 2, 1e7)
    cca.fit(X, Y)
    np.testing.assert_allclose(cca.correlations_ * 1e7 / N, coco.singular_values_[:2], rtol=1e-5)
    for k in range(2):
        u = cca.left_embedding(k)
        assert abs(u.inner(coco.left_embedding(k))) / u.norm() == pytest.approx(1, abs=1e-8)


def test_a_small_lambda_correlates_anything():
    noise = np.random.default_rng(1).normal(size=(2, 20))
    assert KernelCCA(Gaussian(0.5), Gaussian(0.5), 1, 1e-8).fit(*noise).correlations_[0] > 0.999
    assert KernelCCA(Gaussian(0.5), Gaussian(0.5), 1, 10.0).fit(*noise).correlations_[0] < 0.3


@pytest.mark.thorough(default=["1.0-kernel1"])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.5)])
@pytest.mark.parametrize("lam", [0.1, 1.0, 10.0])
def test_the_score_is_that_of_refits(kernel, lam):
    """n fits of n - 1 pairs; a pair of functions has no sign, and takes that of the pair of all."""
    whole, u, v = KernelCCA(kernel, kernel, 1, lam).fit(X, Y), np.empty(N), np.empty(N)
    for i in range(N):
        rest = np.delete(np.arange(N), i)
        part = KernelCCA(kernel, kernel, 1, lam).fit(X[rest], Y[rest])
        sign = np.sign(part.left(X[rest]) @ whole.left(X[rest]))
        u[i], v[i] = sign * part.left(X[[i]])[0], sign * part.right(Y[[i]])[0]
    found = whole._whitened(kernel, X, kernel, Y).held_out(lam)
    sign = np.sign(found[0] @ u)
    # the alternation ends where a step moves values by 1e-9 of their size, some factor before its limit
    for ours, theirs in zip(found, (u, v), strict=True):
        np.testing.assert_allclose(sign * ours, theirs, rtol=0, atol=1e-6 * np.abs(theirs).max())
    expected = 1 - scipy.stats.spearmanr(u, v).statistic
    assert KernelCCA(kernel, kernel).loocv(X, Y, [lam])[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("whole", [True, False])
def test_the_score_of_weights_is_that_of_refits_without_a_copy(whole):
    """If a pair counts less than once, all of it is left out."""
    w = np.random.default_rng(3).integers(1, 4, N) if whole else np.random.default_rng(3).random(N) + 0.2
    kernel, lam = Gaussian(1.5), 1.0
    every, u, v = KernelCCA(kernel, kernel, 1, lam).fit(X, Y, weights=w), np.empty(N), np.empty(N)
    for i in range(N):
        less = w.astype(float)
        less[i] -= min(w[i], 1)
        part = KernelCCA(kernel, kernel, 1, lam).fit(X, Y, weights=less)
        sign = np.sign((less * part.left(X)) @ every.left(X))
        u[i], v[i] = sign * part.left(X[[i]])[0], sign * part.right(Y[[i]])[0]
    found = every._whitened(kernel, X, kernel, Y, w.astype(float)).held_out(lam)
    sign = np.sign(found[0] @ u)
    for ours, theirs in zip(found, (u, v), strict=True):  # to where the alternation ends, as above
        np.testing.assert_allclose(sign * ours, theirs, rtol=0, atol=1e-6 * np.abs(theirs).max())
    if whole:
        expected = scipy.stats.spearmanr(np.repeat(u, w), np.repeat(v, w)).statistic
        assert _rank_correlation(u, v, w.astype(float)) == pytest.approx(expected, abs=1e-9)


def test_the_chosen_lambda_has_the_least_score():
    cca = KernelCCA(n_components=1).fit(X, Y)
    lams = cca.lam_ * np.array([1e-3, 1e-2, 0.1, 1, 10, 100])
    scores = KernelCCA().loocv(X, Y, lams)
    assert scores[3] == scores.min()
    assert scores[4] > scores[3]  # the largest λ of a tie is taken
    assert KernelCCA(cca.kernel_x_, cca.kernel_y_, 1, cca.lam_).fit(X, Y).correlations_ == cca.correlations_


def test_it_finds_the_bowl():
    """y = x² + noise: u is the square, up to a line, and new points correlate."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = x**2 + 0.3 * rng.normal(size=200)
    cca = KernelCCA(n_components=1).fit(x[:100], y[:100])
    inside = np.abs(x[100:]) < 2
    assert np.corrcoef(cca.left(x[100:][inside]), x[100:][inside] ** 2)[0, 1] ** 2 > 0.9
    assert np.corrcoef(cca.left(x[100:][inside]), cca.right(y[100:][inside]))[0, 1] > 0.85


@pytest.mark.parametrize(("a", "b"), [(1e-8, 0.0), (1e8, 0.0), (1.0, 1e6)])
def test_unit_and_place(a, b):
    near, moved = KernelCCA(lam=1.0).fit(X, Y), KernelCCA(lam=1.0).fit(a * X + b, a * Y + b)
    np.testing.assert_allclose(moved.correlations_, near.correlations_, rtol=1e-9)
    np.testing.assert_allclose(moved.left(a * X + b), near.left(X), rtol=0, atol=1e-7)
    with np.errstate(under="ignore"):
        chosen = KernelCCA(Linear(), Linear(), 1).fit(a * X + b, a * Y + b)
    assert chosen.lam_ == pytest.approx(a**2 * KernelCCA(Linear(), Linear(), 1).fit(X, Y).lam_, rel=1e-6)


def test_order_of_pairs_and_of_sides():
    rows = RNG.permutation(N)
    cca, other = KernelCCA(lam=0.5).fit(X, Y), KernelCCA(lam=0.5).fit(X[rows], Y[rows])
    np.testing.assert_allclose(other.correlations_, cca.correlations_, rtol=1e-9)
    np.testing.assert_allclose(np.abs(other.left(NEW[0])), np.abs(cca.left(NEW[0])), rtol=0, atol=1e-7)
    np.testing.assert_allclose(KernelCCA(lam=0.5).fit(Y, X).correlations_, cca.correlations_, rtol=1e-9)


def test_points_of_any_kind():
    words = ["aab", "abb", "bbb", "aaa", "bab", "abab"]
    cca = KernelCCA(Subsequence(2), Delta(), 1).fit(words, [w.startswith("a") for w in words])
    assert 0 < cca.correlations_[0] < 1
    gram = X @ X.T
    rows = KernelCCA(Precomputed(gram), Linear(), 2, 1.0).fit(np.arange(N), Y)
    np.testing.assert_allclose(rows.correlations_, KernelCCA(Linear(), Linear(), 2, 1.0).fit(X, Y).correlations_)


def test_it_is_a_model_that_learns():
    cca = KernelCCA(lam=1.0)
    assert cca.fit(X, Y) is cca
    assert repr(cca) == "KernelCCA(lam=1.0)"
    for again in (pickle.loads(pickle.dumps(cca)), copy.deepcopy(cca)):
        np.testing.assert_array_equal(again.left(X, 1), cca.left(X, 1))
    assert not cca.correlations_.flags.writeable
    assert re.search(naming("canonical correlations", "KernelCCA(lam=1.0)", "n = 30 pairs"), cca._repr_html_())
    assert cca.transform(X).shape == (N, 2)
    assert cca.transform(Y=Y).shape == (N, 2)


@pytest.mark.parametrize(
    ("kernel", "points", "r"), [(Linear(), X[:, :1], 1), (Delta(), X[:, 0] > 0, 1), (Gaussian(1.0), X, 5)]
)
def test_more_components_than_rank_are_as_many_as_there_are(kernel, points, r):
    with pytest.warns(ExplorerWarning, match=naming("components", "0")):
        cca = KernelCCA(kernel, Polynomial(2), 50, 1.0).fit(points, Y)
    assert cca.correlations_.shape == (r,)
    assert cca.transform(points).shape == (N, r)


def test_nothing_correlates_with_what_is_orthogonal_to_it():
    with pytest.warns(ExplorerWarning, match=naming("4", "0")):
        cca = KernelCCA(Linear(), Linear(), 1, 1.0).fit([0, 0, 1, 1], [0, 1, 0, 1])
    assert cca.transform([0, 1]).shape == (2, 0)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: KernelCCA(lam=1.0).fit(X, Y[:5]), "rows are pairs"),
        (lambda: KernelCCA(lam=1.0).fit(X, np.ones(N)), naming("30", "Y", "equal")),
        (lambda: KernelCCA(lam=1.0).fit([0.0], [1.0]), naming("2")),
        (lambda: KernelCCA().fit([0.0, 1.0], [1.0, 2.0]), naming("λ", "2", "3")),
        (lambda: KernelCCA(Subsequence(9), lam=1.0).fit(["ab", "ba"], [0, 1]), naming("X")),
        (lambda: KernelCCA(lam=0.0), naming("KernelCCA.lam", "0")),
        (lambda: KernelCCA(lam=math.inf), naming("KernelCCA.lam", "0")),
        (lambda: KernelCCA(n_components=0), naming("KernelCCA.n_components", "1")),
        (lambda: KernelCCA().transform(X), naming("fit(X, Y)")),
        (lambda: KernelCCA(lam=1.0).fit(X, Y).transform(), naming("X", "Y")),
        (lambda: KernelCCA(lam=1.0).fit(X, Y).left(X, 7), naming("k", "2")),
        (lambda: KernelCCA().loocv(X, Y, [1.0, 0.0]), naming("λ", "0")),
    ],
)
def test_bad_input_gets_a_sentence(act, said):
    with pytest.raises(ValueError, match=said):
        act()


# robust weights of the pairs


def test_an_estimator_weighs_the_pairs_as_weights_would():
    rng = np.random.default_rng(4)
    x = rng.normal(size=30)
    y = x + 0.5 * rng.normal(size=30)
    k, l = Gaussian(1.0), Gaussian(0.8)
    robust = KernelCCA(k, l, lam=0.3, estimator=RobustKME()).fit(x, y)
    by_weights = KernelCCA(k, l, lam=0.3).fit(x, y, weights=robust.counts_)
    np.testing.assert_allclose(robust.correlations_, by_weights.correlations_, rtol=1e-12)
    np.testing.assert_allclose(robust.transform(x), by_weights.transform(x), rtol=1e-9, atol=1e-12)
    # the weights are those of the tensors' kernel mean, features less the robust centre of each side
    product = np.ones((30, 30))
    for kernel, z in ((k, x), (l, y)):
        K, w = kernel(z), RobustKME().on_gram(kernel(z))
        product *= K - (K @ w)[:, None] - K @ w + w @ K @ w
    np.testing.assert_allclose(robust.counts_, 30 * RobustKME().on_gram(product), rtol=1e-7)
    plain, same = KernelCCA(k, l, lam=0.3).fit(x, y), KernelCCA(k, l, lam=0.3, estimator=KME()).fit(x, y)
    np.testing.assert_allclose(plain.correlations_, same.correlations_, rtol=1e-12)


def test_one_outlier_takes_the_plain_one_and_not_the_robust_one():
    rng = np.random.default_rng(1)
    x = rng.normal(size=61)
    y = x + 0.5 * rng.normal(size=61)
    fresh = rng.normal(size=500)
    x[-1], y[-1] = 10.0, -10.0
    found = {}
    for name, estimator in (("plain", None), ("robust", RobustKME())):
        cca = KernelCCA(Linear(), Linear(), 1, 0.01, estimator).fit(x, y)
        found[name] = np.corrcoef(cca.left(fresh), cca.right(fresh))[0, 1]  # on pairs with y = x
    assert found["plain"] == pytest.approx(-1)
    assert found["robust"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("estimator", "weights", "says"),
    [
        (RobustKME(), np.ones(9), naming("weights", "estimator")),
        (MKME(sigma=0.1), None, naming("estimator")),
        (KME(Gaussian(1.0)), None, naming("estimator")),
    ],
    ids=str,
)
def test_an_estimator_that_weighs_no_pairs_is_refused(estimator, weights, says):
    with pytest.raises(ValueError, match=says):
        KernelCCA(lam=1.0, estimator=estimator).fit(np.arange(9.0), np.arange(9.0) ** 2, weights=weights)
