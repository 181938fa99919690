"""Kernel PCA: explicit features, the generalised problem, other implementations, shrinkage, edges."""

import copy
import math
import pickle
import re
import warnings

import numpy as np
import pytest
import scipy.linalg
from helpers.naming import naming

from explorer import (
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    CovarianceOperator,
    Delta,
    Embedding,
    Gaussian,
    KernelPCA,
    Laplacian,
    Linear,
    MedianOfMeans,
    Polynomial,
    Precomputed,
    RobustKME,
    SpectralKMSE,
    Subsequence,
    low_rank,
)
from explorer.checks import ExplorerWarning
from explorer.operators.centring import Centre

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(40, 3)) @ np.diag([2.0, 1.0, 0.3]), RNG.normal(size=(6, 3))
TARGET = Embedding(Gaussian(1.0), X[:3] + 0.1, [0.4, 0.3, 0.2])
CENTERINGS = {
    "plain": None,
    "S": SKMSE(),
    "F": FKMSE(),
    "none": SKMSE(lam=math.inf),
    "noisy": MKME(sigma=0.5),
    "noisy, each": MMKME(sigma=[0.5, 0.2, 0.1]),
    "target": SKMSE(lam=0.5, target=TARGET),
    "robust": RobustKME(),
}
COVARIANCES = {
    "plain": None,
    "S": SKMSE(),
    "F": FKMSE(),
    "landweber": SpectralKMSE(filter="landweber", steps=5),
    "blocks": MedianOfMeans(blocks=5),
    "robust": RobustKME(),
}


class Signed(SKMSE):
    """Weights of both signs, as no shipped estimator gives by itself."""

    equal_weights = False

    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.cos(np.arange(len(X))) / len(X))

    def select(self, X):
        return self.replace(kernel=self._kernel(X)[0], lam=1.0)


# explicit features ---------------------------------------------------------------------------------------------------


def quadratic(x):
    """Return features of (<x, y> + 1)² in three dimensions."""
    i, j = np.triu_indices(3)
    mixed = np.where(i == j, 1.0, math.sqrt(2)) * x[:, i] * x[:, j]
    return np.column_stack([np.ones(len(x)), math.sqrt(2) * x, mixed])


@pytest.mark.parametrize("covariance", [None, SKMSE(), FKMSE(lam=0.5), Signed()], ids=["plain", "S", "F", "signed"])
@pytest.mark.parametrize("centering", [None, SKMSE(), FKMSE(), SKMSE(lam=math.inf)], ids=["plain", "S", "F", "none"])
@pytest.mark.parametrize(("kernel", "phi"), [(Linear(), np.asarray), (Polynomial(2), quadratic)], ids=["lin", "poly"])
def test_explicit_features_give_the_same(kernel, phi, centering, covariance):
    """Components as functions, scores and errors, from the matrix Σ β_i φ~_i φ~_i' of the features themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExplorerWarning)  # fewer components than 20
        pca = KernelPCA(kernel, 20, centering, covariance).fit(X)
        features, others = phi(X), phi(Z)
        m = (centering or KME()).replace(kernel=Linear()).embed(features)
        centre = m.weights @ m.points
        V = (features - centre).T @ pca.components_
    matrix = ((features - centre).T * pca.weights_) @ (features - centre)
    gamma = np.linalg.eigvalsh(matrix)[::-1]
    r = len(pca.eigenvalues_)
    np.testing.assert_allclose(pca.eigenvalues_, gamma[:r], rtol=1e-9)
    assert (gamma[r:] < 1e-11 * gamma[0]).all()  # those below 0, of weights below 0, are not taken
    np.testing.assert_allclose(V.T @ V, np.eye(r), rtol=0, atol=1e-8)
    np.testing.assert_allclose(matrix @ V, pca.eigenvalues_ * V, rtol=0, atol=1e-9 * gamma[0])
    centred = others - centre
    size = (centred**2).sum(axis=1)
    np.testing.assert_allclose(pca.transform(Z), centred @ V, rtol=0, atol=1e-8 * np.sqrt(size.max()))
    left = size - ((centred @ V) ** 2).sum(axis=1)
    np.testing.assert_allclose(pca.reconstruction_error(Z), np.maximum(left, 0), rtol=0, atol=1e-8 * size.max())


# the RKHS ------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["S-plain", "plain-*", "noisy-F", "target-F"])
@pytest.mark.parametrize("covariance", COVARIANCES.values(), ids=COVARIANCES)
@pytest.mark.parametrize("centering", CENTERINGS.values(), ids=CENTERINGS)
def test_components_are_orthonormal_and_errors_are_distances(centering, covariance):
    """Embeddings show it one by one; the generalised problem K_c B K_c a = d K_c a of paper 002."""
    pca = KernelPCA(Gaussian(1.0), 6, centering, covariance).fit(X)
    V = [pca.component(k) for k in range(6)]
    np.testing.assert_allclose([[u.inner(v) for u in V] for v in V], np.eye(6), rtol=0, atol=1e-9)
    m = (centering or KME()).replace(kernel=Gaussian(1.0)).embed(X)
    assert pca.centre_ == m
    for z in Z[:3]:
        centred = Embedding(Gaussian(1.0), [z], [1.0]) - m
        scores = np.array([centred.inner(v) for v in V])
        np.testing.assert_allclose(pca.transform(z[None])[0], scores, rtol=0, atol=1e-9)
        projected = pca.reconstruction(scores)
        left = Embedding(Gaussian(1.0), [z], [1.0]).distance(projected) ** 2
        assert pca.reconstruction_error(z[None])[0] == pytest.approx(left, rel=1e-9)
    Kc = pca.operator_.embedding_.kernel.replace(order=1)(X)
    a, d = pca.components_, pca.eigenvalues_
    assert (np.diff(d) <= 0).all()
    assert d[-1] > 0
    np.testing.assert_allclose(Kc @ (pca.weights_[:, None] * (Kc @ a)), Kc @ a * d, rtol=0, atol=1e-9 * d[0])
    # no unit function has a larger variance: a hundred of them
    directions = np.random.default_rng(1).normal(size=(40, 100))
    directions /= np.sqrt(np.einsum("ik,ij,jk->k", directions, Kc, directions))
    assert np.einsum("ik,i,ik->k", Kc @ directions, pca.weights_, Kc @ directions).max() <= d[0] * (1 + 1e-9)


def test_scikit_learn_gives_the_same_scores():
    from sklearn.decomposition import KernelPCA as Other

    pca = KernelPCA(Gaussian(1.3), 8).fit(X)
    other = Other(8, kernel="rbf", gamma=1 / (2 * 1.3**2), eigen_solver="dense").fit(X)
    np.testing.assert_allclose(40 * pca.eigenvalues_, other.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(np.abs(pca.transform(Z)), np.abs(other.transform(Z)), rtol=0, atol=1e-9)


def test_scipy_solves_the_same_generalised_problem_where_it_can():
    """Uncentred, so that K is regular; weights of F-COSE."""
    pca = KernelPCA(Gaussian(0.5), 5, SKMSE(lam=math.inf), FKMSE()).fit(X)
    K = Gaussian(0.5)(X)
    d = scipy.linalg.eigh(K @ (pca.weights_[:, None] * K), K, eigvals_only=True)[::-1]
    np.testing.assert_allclose(pca.eigenvalues_, d[:5], rtol=1e-8)


def test_all_components_leave_nothing_of_the_sample():
    for covariance in (None, FKMSE()):
        pca = KernelPCA(Gaussian(0.5), 39, None, covariance).fit(X)
        assert pca.reconstruction_error(X).max() < 1e-12
        assert (pca.reconstruction_error(Z) > 1e-3).any()


def test_the_sample_s_mean_error_is_the_sum_of_the_other_eigenvalues():
    full = np.linalg.eigvalsh(CovarianceOperator(Gaussian(1.0)).fit(X).embedding_.kernel.replace(order=1)(X)) / 40
    for r in (1, 5, 12):
        pca = KernelPCA(Gaussian(1.0), r).fit(X)
        assert pca.reconstruction_error(X).mean() == pytest.approx(full[::-1][r:].sum(), rel=1e-9)


# shrinkage -----------------------------------------------------------------------------------------------------------


def test_s_cose_reconstructs_exactly_as_the_plain_one():
    """Erratum 32: the same components and errors, for any λ."""
    plain = KernelPCA(n_components=10).fit(X)
    for lam in (None, 0.01, 1.0, 100.0):
        shrunk = KernelPCA(n_components=10, covariance=SKMSE(lam=lam)).fit(X)
        np.testing.assert_allclose(shrunk.reconstruction_error(Z), plain.reconstruction_error(Z), rtol=0, atol=1e-8)
        np.testing.assert_allclose(shrunk.components_, plain.components_, rtol=0, atol=1e-8)


def test_kme_and_none_are_one():
    a, b = KernelPCA(n_components=5).fit(X), KernelPCA(None, 5, KME(), KME()).fit(X)
    np.testing.assert_array_equal(a.components_, b.components_)


def test_limits_of_lambda():
    """λ -> 0 is the plain one, on both sides; λ -> ∞ of F-KMSE has weights in proportion to K 1."""
    plain = KernelPCA(n_components=5).fit(X)
    for other in (KernelPCA(None, 5, FKMSE(lam=0), None), KernelPCA(None, 5, None, FKMSE(lam=1e-13))):
        np.testing.assert_allclose(other.fit(X).reconstruction_error(Z), plain.reconstruction_error(Z), rtol=1e-9)
    far = KernelPCA(None, 5, None, FKMSE(lam=1e9)).fit(X)
    H = CovarianceOperator().fit(X).embedding_.kernel(X)
    np.testing.assert_allclose(far.weights_ / far.weights_.sum(), H.sum(axis=0) / H.sum(), rtol=1e-7)


def test_negative_weights_are_kept():
    pca = KernelPCA(Gaussian(1.0), 5, covariance=Signed()).fit(X)
    assert (pca.weights_ < 0).any()
    np.testing.assert_allclose(pca.weights_, np.cos(np.arange(40)) / 40)
    Kc = pca.operator_.embedding_.kernel.replace(order=1)(X)
    every = np.sort(np.linalg.eigvals(pca.weights_[:, None] * Kc).real)[::-1]  # those of C, not symmetric this way
    np.testing.assert_allclose(pca.eigenvalues_, every[:5], rtol=1e-9)
    assert every[-1] < -0.01


# invariances ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("covariance", "centering"), [(None, None), (FKMSE(), SKMSE()), (SKMSE(), FKMSE())])
def test_nothing_depends_on_unit_place_rotation_and_order(covariance, centering):
    pca = KernelPCA(None, 6, centering, covariance).fit(X)
    errors, d = pca.reconstruction_error(Z), pca.eigenvalues_
    R = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    rows = RNG.permutation(40)
    # what a search finds moves by 1e-7 where its score is flat
    for move in (lambda x: 1e-8 * x, lambda x: 1e8 * x, lambda x: x + 1e6, lambda x: x @ R):
        moved = KernelPCA(None, 6, centering, covariance).fit(move(X))
        np.testing.assert_allclose(moved.eigenvalues_, d, rtol=1e-6)
        np.testing.assert_allclose(moved.reconstruction_error(move(Z)), errors, rtol=0, atol=1e-7)
    permuted = KernelPCA(None, 6, centering, covariance).fit(X[rows])
    np.testing.assert_allclose(permuted.eigenvalues_, d, rtol=1e-6)
    np.testing.assert_allclose(np.abs(permuted.components_), np.abs(pca.components_[rows]), rtol=0, atol=1e-5)


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
def test_linear_components_far_from_zero(offset):
    grid = np.round(np.ldexp(X, 15)) / 2**15
    pca = KernelPCA(Linear(), 3).fit(grid + offset)
    np.testing.assert_allclose(pca.eigenvalues_, np.linalg.eigvalsh(np.cov(grid.T, bias=True))[::-1], rtol=1e-12)
    assert pca.reconstruction_error(grid + offset).max() < 1e-12


def test_a_constant_column_and_a_wide_bandwidth():
    wide = np.column_stack([X, np.full(40, 7.0)])
    np.testing.assert_allclose(
        KernelPCA(n_components=5).fit(wide).eigenvalues_, KernelPCA(n_components=5).fit(X).eigenvalues_
    )
    d = np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1]
    np.testing.assert_allclose(1e16 * KernelPCA(Gaussian(1e8), 3).fit(X).eigenvalues_, d, rtol=1e-10)


def test_duplicates_count_twice():
    twice = np.concatenate([X[:10], X[:10]])
    a, b = KernelPCA(Gaussian(1.0), 9).fit(X[:10]), KernelPCA(Gaussian(1.0), 9).fit(twice)
    np.testing.assert_allclose(b.eigenvalues_, a.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(b.reconstruction_error(Z), a.reconstruction_error(Z), rtol=1e-8)
    assert np.isfinite(KernelPCA(Gaussian(1.0), 5, FKMSE(), FKMSE()).fit(twice).components_).all()


# many points ---------------------------------------------------------------------------------------------------------


def test_few_components_of_many_points_are_those_of_all():
    """600 points use the Krylov method; all eigenvalues LAPACK's."""
    many = np.random.default_rng(2).normal(size=(600, 4))
    pca = KernelPCA(n_components=20).fit(many)
    Kc = pca.operator_.embedding_.kernel.replace(order=1)(many)
    np.testing.assert_allclose(pca.eigenvalues_, np.linalg.eigvalsh(Kc)[::-1][:20] / 600, rtol=1e-9)
    np.testing.assert_allclose(pca.components_.T @ Kc @ pca.components_, np.eye(20), rtol=0, atol=1e-9)
    assert pca.reconstruction_error(many).mean() == pytest.approx(
        (np.trace(Kc) / 600) - pca.eigenvalues_.sum(), rel=1e-9
    )


@pytest.mark.parametrize("approximation", ["cholesky", "features"])
@pytest.mark.parametrize("covariance", [None, FKMSE(lam=0.1), Signed()], ids=["plain", "F", "signed"])
def test_a_kernel_of_finite_rank_is_its_gram_matrix(approximation, covariance):
    """The results by its features are those by the Gram matrix of sample and new points, given by the user."""
    kernel = low_rank(Gaussian(1.0), X, approximation, 12)
    pca = KernelPCA(kernel, 4, SKMSE(), covariance).fit(X)
    table = Precomputed.trusted(kernel(np.concatenate([X, Z])))
    other = KernelPCA(table, 4, SKMSE(), covariance).fit(np.arange(40))
    np.testing.assert_allclose(pca.eigenvalues_, other.eigenvalues_, rtol=1e-9)
    rows = np.arange(40, 46)
    np.testing.assert_allclose(pca.transform(Z), other.transform(rows), rtol=0, atol=1e-9)
    np.testing.assert_allclose(pca.reconstruction_error(Z), other.reconstruction_error(rows), rtol=0, atol=1e-10)
    np.testing.assert_allclose(pca.component(1).norm(), 1, rtol=1e-9)


@pytest.mark.thorough
def test_a_hundred_thousand_points_by_a_kernel_of_finite_rank():
    """No array of size (n, n) is made, which would take 80 GB."""
    many = np.random.default_rng(0).normal(size=(100_000, 2))
    pca = KernelPCA(low_rank(Gaussian(2.0), many[:500], "nystrom", 40), 5).fit(many)
    few = KernelPCA(Gaussian(2.0), 5).fit(many[:1000])
    np.testing.assert_allclose(pca.eigenvalues_, few.eigenvalues_, rtol=0.2)  # `few` has 1000 of the points
    assert pca.transform(many).shape == (100_000, 5)
    assert pca.reconstruction_error(many).mean() < 0.1


# conventions ---------------------------------------------------------------------------------------------------------


def test_it_is_a_model_that_learns():
    pca = KernelPCA(n_components=3)
    assert pca.fit(X) is pca
    assert repr(pca) == "KernelPCA(n_components=3)"
    assert pca == KernelPCA(n_components=3)
    np.testing.assert_array_equal(KernelPCA(n_components=3).fit_transform(X), pca.transform(X))
    for again in (pickle.loads(pickle.dumps(pca)), copy.deepcopy(pca)):
        np.testing.assert_array_equal(again.transform(Z), pca.transform(Z))
    assert not hasattr(pca.replace(n_components=2), "components_")
    for learnt in (pca.components_, pca.eigenvalues_, pca.weights_):
        assert not learnt.flags.writeable
    assert (np.abs(pca.components_).argmax(axis=0) == pca.components_.argmax(axis=0)).all()
    assert re.search(naming("KernelPCA(n_components=3)", "n = 40 points"), pca._repr_html_())
    assert pca.transform(X[:1]).shape == (1, 3)


def test_lists_integers_and_single_columns():
    pca = KernelPCA(n_components=2).fit([1, 2, 3, 5])
    assert pca.transform([1, 2]).shape == (2, 2)
    np.testing.assert_array_equal(pca.transform([1, 2]), pca.transform([[1.0], [2.0]]))
    assert KernelPCA(n_components=1).fit(X[:2]).eigenvalues_.shape == (1,)


def test_points_of_any_kind():
    words = ["abc", "abd", "bbc", "cab"]
    for kernel, points in ((Subsequence(2), words), (Delta(), words), (Precomputed(X @ X.T), np.arange(40))):
        pca = KernelPCA(kernel, 2).fit(points)
        assert pca.transform(points[:3]).shape == (3, 2)
        assert (pca.reconstruction_error(points) >= 0).all()


@pytest.mark.parametrize(
    ("kernel", "points", "rank"),
    [
        (Linear(), X, 3),
        (Gaussian(1.0), X[:2], 1),
        (Gaussian(1.0), np.repeat(X[:5], 6, axis=0), 4),
        (Delta(), [1, 1, 2, 3], 2),
        (Polynomial(2), X[:, :1], 2),
    ],
)
@pytest.mark.parametrize("estimator", [None, FKMSE(lam=0.1)])
def test_more_components_than_rank_are_as_many_as_there_are(kernel, points, rank, estimator):
    with pytest.warns(ExplorerWarning, match=naming("n_components=20", f"{rank}")):
        pca = KernelPCA(kernel, covariance=estimator).fit(points)
    assert pca.components_.shape == (len(points), rank)
    assert pca.eigenvalues_.shape == (rank,)
    assert np.isfinite(pca.components_).all()


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: KernelPCA().fit(X[:1]), naming("X", "1", "2")),
        (lambda: KernelPCA().fit(np.ones((5, 2))), naming("5", "X", "equal")),
        (lambda: KernelPCA(centering=SKMSE(lam=1.0)).fit(np.ones((5, 2))), naming("5", "X", "equal")),
        (lambda: KernelPCA(Linear(), covariance=SKMSE(lam=math.inf)).fit(X), naming("eigenvalue", "0")),
        (lambda: KernelPCA(Subsequence(9)).fit(["abc", "abd"]), naming("eigenvalue", "0")),
        (lambda: KernelPCA().transform(X), naming("KernelPCA()", "fit(X)")),
        (lambda: KernelPCA(n_components=2).fit(X).transform(X[:, :2]), naming("Z", "2", "3")),
        (lambda: KernelPCA(n_components=2).fit(X * np.nan), "NaN"),
        (lambda: KernelPCA(n_components=0), naming("KernelPCA.n_components", "1")),
        (lambda: KernelPCA(covariance=MKME()).fit(X), "point masses only"),
        (lambda: KernelPCA(covariance=SKMSE(target=TARGET)).fit(X), "target is no operator"),
        (lambda: KernelPCA(Laplacian(1.0), centering=SKMSE(Gaussian(2.0))).fit(X), naming("kernel", "Laplacian")),
        (lambda: KernelPCA(Gaussian(2.0), centering=SKMSE(target=TARGET)).fit(X), naming("kernels")),
        (lambda: KernelPCA(Gaussian(2.0), covariance=SKMSE(Gaussian(1.0))).fit(X), naming("covariance", "Gaussian")),
        (lambda: KernelPCA(n_components=2).fit(X).component(2), naming("k", "2")),
        (lambda: KernelPCA(centering="mean"), "centering"),
    ],
)
def test_bad_input_gets_a_sentence(act, said):
    with pytest.raises(ValueError, match=said):
        act()


def test_the_caller_s_array_is_no_part_of_it():
    mine = X.copy()
    pca = KernelPCA(n_components=3).fit(mine)
    before = pca.transform(Z)
    mine[:] = 0
    np.testing.assert_array_equal(pca.transform(Z), before)


def test_a_refused_fit_leaves_what_was_learnt():
    for model in (KernelPCA(Gaussian(1.0), 2), CovarianceOperator(Gaussian(1.0))):
        model.fit(X)
        for bad in (X[:1], np.ones((5, 3)), X * np.nan):
            with pytest.raises(ValueError, match=r"1 row|are equal|NaN"):
                model.fit(bad)
        assert len(model.X_) == len(model.weights_) == 40
    fresh = CovarianceOperator(Gaussian(1.0), RobustKME(), MedianOfMeans(blocks=99))
    with pytest.raises(ValueError, match="blocks"):
        fresh.fit(X)
    with pytest.raises(ValueError, match=naming("fit(X)")):
        fresh.norm()


def test_the_kernel_may_be_an_estimator_s():
    assert KernelPCA(None, 2, SKMSE(Gaussian(2.0))).fit(X).kernel_ == Gaussian(2.0)
    assert KernelPCA(Gaussian(2.0), 2, SKMSE(Gaussian(2.0)), FKMSE(Gaussian(2.0))).fit(X).kernel_ == Gaussian(2.0)


# the share of the variance -------------------------------------------------------------------------------------------


def test_all_components_have_all_of_the_variance():
    for kernel in (Gaussian(1.5), Linear(), Gaussian(1.5) + 0.1 * Linear()):
        every = KernelPCA(kernel, n_components=None).fit(X)
        assert every.explained_variance_ratio_.sum() == pytest.approx(1, abs=1e-10)
        few = KernelPCA(kernel, n_components=2).fit(X)
        # the total is the trace, so that few components need no others
        np.testing.assert_allclose(few.explained_variance_ratio_, every.explained_variance_ratio_[:2], rtol=1e-9)
        K = kernel(X)
        H = np.eye(len(X)) - 1 / len(X)
        np.testing.assert_allclose(few.explained_variance_ratio_, few.eigenvalues_ / (np.trace(H @ K @ H) / len(X)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # as many as there are were asked for
        assert KernelPCA(Linear(), n_components=None).fit(X).transform(X).shape == (len(X), X.shape[1])


def test_linear_shares_are_those_of_scikit_learn():
    from sklearn.decomposition import PCA

    ours, theirs = KernelPCA(Linear(), n_components=1).fit(X), PCA(1).fit(X)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-12)


def test_shares_of_weights_and_finite_rank():
    low = KernelPCA(low_rank(Gaussian(1.5), X, "cholesky", 12), n_components=None).fit(X)
    assert low.explained_variance_ratio_.sum() == pytest.approx(1, abs=1e-10)
    shrunk = KernelPCA(Gaussian(1.5), None, covariance=FKMSE(lam=0.1)).fit(X)
    total = shrunk.weights_ @ Centre(shrunk.centre_).diagonal(X)
    np.testing.assert_allclose(shrunk.explained_variance_ratio_, shrunk.eigenvalues_ / total, rtol=1e-10)
