"""The covariance operator: by explicit features, by brute force, and the shrinkage of paper 002."""

import copy
import math
import pickle

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import (
    FKMSE,
    KME,
    MKME,
    SKMSE,
    CovarianceOperator,
    CrossCovariance,
    Delta,
    Embedding,
    Gaussian,
    Laplacian,
    Linear,
    MedianOfMeans,
    Polynomial,
    Precomputed,
    RobustKME,
    SpectralKMSE,
    Subsequence,
    hsic,
)

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 3)) @ np.diag([2.0, 1.0, 0.3]), 0.5 + RNG.normal(size=(14, 3))


def quadratic(x):
    """Return features of (xy + 1)² in one dimension."""
    return np.column_stack([np.ones(len(x)), math.sqrt(2) * x[:, 0], x[:, 0] ** 2])


# explicit features ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["lin-S-*", "poly-plain-*", "*-none-F"])
@pytest.mark.parametrize(
    "estimator",
    [None, SKMSE(lam=0.3), FKMSE(lam=0.5), RobustKME(), MedianOfMeans(blocks=3)],
    ids=["plain", "S", "F", "robust", "blocks"],
)
@pytest.mark.parametrize(
    "centering",
    [None, SKMSE(lam=0.5), SKMSE(lam=math.inf), FKMSE(lam=2.0)],
    ids=["plain", "S", "none", "F"],
)
@pytest.mark.parametrize(
    ("kernel", "phi", "X"), [(Linear(), np.asarray, X), (Polynomial(2), quadratic, X[:, :1])], ids=["lin", "poly"]
)
def test_with_explicit_features_it_is_a_matrix(kernel, phi, X, centering, estimator):
    """The features' own centre and weights: of the mean by the estimator, of the outer products as long vectors."""
    C = CovarianceOperator(kernel, estimator, centering).fit(X)
    features = phi(X)
    centre = (centering or KME()).replace(kernel=Linear()).embed(features)
    centred = features - centre.weights @ centre.points
    outer = np.einsum("ni,nj->nij", centred, centred).reshape(len(X), -1)
    tensor = (estimator or KME()).replace(kernel=Linear()).embed(outer)
    matrix = (tensor.weights @ tensor.points).reshape(features.shape[1], -1)
    size = np.linalg.norm(matrix)
    assert C.norm() == pytest.approx(size, rel=1e-9)
    # weights of a search and of an eigendecomposition with other rounding
    np.testing.assert_allclose(C.weights_, tensor.weights, rtol=0, atol=1e-8)
    found = C.principal(20)
    gamma = np.linalg.eigvalsh(matrix)[::-1]
    r = len(found.eigenvalues)
    np.testing.assert_allclose(found.eigenvalues, gamma[:r], rtol=1e-8)
    assert (gamma[r:] < 1e-10 * gamma[0]).all()
    functions = found.coefficients.T @ centred
    np.testing.assert_allclose(functions @ functions.T, np.eye(r), rtol=0, atol=1e-8)
    np.testing.assert_allclose(functions @ matrix, found.eigenvalues[:, None] * functions, rtol=0, atol=1e-8 * size)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_tensors_of_every_order(order):
    """Inner products of operators of two samples, each with a centre of its own, entry by entry of the tensors."""

    def tensor(X):
        centred = X - X.mean(axis=0)
        rows = np.ones((len(X), 1))
        for _ in range(order):
            rows = np.einsum("ni,nj->nij", rows, centred).reshape(len(X), -1)
        return rows.mean(axis=0)

    C, D = (CovarianceOperator(Linear(), order=order).fit(Z) for Z in (X, Y))
    c, d = tensor(X), tensor(Y)
    unit = (np.abs(X - X.mean(0)).max() * 3) ** order  # what the sums are rounded against
    assert C.inner(D) == pytest.approx(c @ d, abs=1e-13 * unit**2)
    assert C.norm() == pytest.approx(np.linalg.norm(c), abs=1e-7 * unit)
    assert C.distance(D) == pytest.approx(np.linalg.norm(c - d), abs=1e-7 * unit)
    functions = [lambda x: x[:, 0], lambda x: x[:, 1], lambda x: x[:, 0] + x[:, 2], lambda x: x[:, 2]][:order]
    vectors = [np.eye(3)[0], np.eye(3)[1], np.array([1.0, 0, 1]), np.eye(3)[2]][:order]
    expected = c.reshape((3,) * order)
    for v in vectors:
        expected = np.tensordot(expected, v, axes=(0, 0))
    assert C.form(*functions) == pytest.approx(float(expected), abs=1e-13 * unit)


# other methods -------------------------------------------------------------------------------------------------------


def test_its_norm_is_hsic_of_a_sample_with_itself():
    for k in (Gaussian(1.0), Laplacian(2.0), Polynomial(2)):
        assert CovarianceOperator(k).fit(X).norm() ** 2 == pytest.approx(hsic(X, X, k, k), rel=1e-10)
    shrunk = CovarianceOperator(Gaussian(1.0), SKMSE()).fit(X)
    assert shrunk.norm() ** 2 == pytest.approx(hsic(X, X, Gaussian(1.0), Gaussian(1.0), estimator=SKMSE()), rel=1e-10)


def test_its_eigenfunctions_are_the_singular_functions_of_a_sample_with_itself():
    found = CovarianceOperator(Gaussian(1.0)).fit(X).principal(5)
    both = CrossCovariance(Gaussian(1.0), Gaussian(1.0)).fit(X, X)
    np.testing.assert_allclose(found.eigenvalues, both.singular_values_[:5], rtol=1e-10)
    same = np.abs(np.einsum("ik,ij,jk->k", found.coefficients, Gaussian(1.0)(X), both.left_coefficients_[:, :5]))
    np.testing.assert_allclose(same, 1, rtol=0, atol=1e-8)


def test_forms_of_embeddings_are_covariances_of_functions():
    k = Gaussian(1.0)
    f, g = Embedding(k, Y[:3], [1.0, -2.0, 0.5]), Embedding(k, Y[3:5], [0.3, 1.0])
    C = CovarianceOperator(k).fit(X)
    expected = np.mean((f(X) - f(X).mean()) * (g(X) - g(X).mean()))
    assert C.form(f, g) == pytest.approx(expected, rel=1e-12)
    assert C.form(f, lambda x: g(x)) == pytest.approx(expected, rel=1e-12)
    uncentred = CovarianceOperator(k, centering=SKMSE(lam=math.inf)).fit(X)
    assert uncentred.form(f, g) == pytest.approx(np.mean(f(X) * g(X)), rel=1e-12)
    noisy = CovarianceOperator(k, centering=MKME(sigma=0.4)).fit(X)
    m = MKME(k, 0.4).embed(X)
    assert noisy.form(f, g) == pytest.approx(np.mean((f(X) - f.inner(m)) * (g(X) - g.inner(m))), rel=1e-12)


def test_distances_at_one_centre_and_at_two():
    """One sample under two estimators shares its centre, and the distance keeps its digits."""
    C, D = (CovarianceOperator(Gaussian(1.0), SKMSE(lam=lam)).fit(X) for lam in (0.1, 0.1 + 1e-9))
    assert C.distance(D) == pytest.approx((1 / 1.1 - 1 / (1.1 + 1e-9)) * 1.1 * C.norm(), rel=1e-6)
    E = CovarianceOperator(Gaussian(1.0), centering=SKMSE(lam=0.1)).fit(X)
    square = C.norm() ** 2 - 2 * C.inner(E) + E.norm() ** 2
    assert C.distance(E) == pytest.approx(math.sqrt(square), rel=1e-9)
    assert C.inner(E) == pytest.approx(E.inner(C), rel=1e-12)
    assert abs(C.inner(E)) <= C.norm() * E.norm()


# shrinkage -----------------------------------------------------------------------------------------------------------


def test_cose_chooses_by_the_score_of_the_tensors():
    for estimator in (SKMSE(), FKMSE(), SpectralKMSE(filter="landweber")):
        C = CovarianceOperator(Gaussian(1.0), estimator).fit(X)
        values = [getattr(C.estimator_, estimator.free)]
        free = estimator.free
        others = [1, 2, 4, 8, 32] if free == "steps" else np.geomspace(1e-6, 1e3, 30)
        assert C.loocv(X, values)[0] <= C.loocv(X, others).min() * (1 + 1e-9)


def test_the_score_is_that_of_refits():
    """Tensors as long vectors, left out one by one; the centre stays."""
    C = CovarianceOperator(Linear(), FKMSE(lam=0.7)).fit(X)
    centred = X - X.mean(axis=0)
    outer = np.einsum("ni,nj->nij", centred, centred).reshape(len(X), -1)
    losses = []
    for i in range(len(X)):
        e = FKMSE(Linear(), 0.7).embed(np.delete(outer, i, axis=0))
        losses.append(((e.weights @ e.points - outer[i]) ** 2).sum())
    assert C.loocv(X, [0.7])[0] == pytest.approx(np.mean(losses), rel=1e-9)
    assert isinstance(CovarianceOperator(Linear()).loocv(X), float)


def test_s_cose_is_a_multiple_of_the_empirical_operator():
    plain, shrunk = (CovarianceOperator(Gaussian(1.0), estimator).fit(X) for estimator in (None, SKMSE()))
    keep = 1 / (1 + shrunk.estimator_.lam)
    assert keep < 0.99
    np.testing.assert_allclose(shrunk.weights_, keep * plain.weights_, rtol=1e-14)
    a, b = plain.principal(8), shrunk.principal(8)
    np.testing.assert_allclose(b.eigenvalues, keep * a.eigenvalues, rtol=1e-12)
    np.testing.assert_allclose(b.coefficients, a.coefficients, rtol=0, atol=1e-9)


def test_shrunk_operators_are_nearer_to_the_truth_on_average():
    """N(0, I) in 10 dimensions has the unit matrix as its operator under the linear kernel; 40 samples of 12."""
    rng = np.random.default_rng(3)
    losses = []
    for _ in range(40):
        Z = rng.normal(size=(12, 10))
        row = []
        for estimator in (None, SKMSE(), FKMSE()):
            C = CovarianceOperator(Linear(), estimator, centering=SKMSE(lam=math.inf)).fit(Z)
            matrix = (Z.T * C.weights_) @ Z
            row.append(((matrix - np.eye(10)) ** 2).sum())
        losses.append(row)
    plain, simple, flexible = np.transpose(losses)
    for shrunk in (simple, flexible):
        difference = shrunk - plain
        # four standard errors
        assert difference.mean() + 4 * difference.std(ddof=1) / math.sqrt(40) < 0


# conventions ---------------------------------------------------------------------------------------------------------


def test_it_is_a_model_that_learns():
    C = CovarianceOperator(Gaussian(1.0), SKMSE())
    assert C.fit(X) is C
    assert C == CovarianceOperator(Gaussian(1.0), SKMSE())
    for again in (pickle.loads(pickle.dumps(C)), copy.deepcopy(C)):
        assert again.norm() == C.norm()
        assert again.inner(C) == pytest.approx(C.norm() ** 2, rel=1e-12)
    assert not C.weights_.flags.writeable
    assert C.embedding_.norm() == C.norm()
    np.testing.assert_allclose(C.embedding_(X[:2]), C.embedding_.kernel(X[:2], X) @ C.weights_, rtol=1e-12)
    assert names_all(C._sentence(), "covariance operator", "20 points")


def test_points_of_any_kind():
    words = ["abc", "abd", "bbc", "cab"]
    for kernel, points in ((Subsequence(2), words), (Delta(), words), (Precomputed(X @ X.T), np.arange(20))):
        assert CovarianceOperator(kernel).fit(points).norm() > 0
    table = CovarianceOperator(Delta()).fit(["a", "b", "a", "b"])
    assert table.norm() == pytest.approx(0.5)  # diag(p) - pp' for p = (½, ½) has the eigenvalue ½


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: CovarianceOperator().fit(X[:1]), "X has 1 row, and a covariance operator needs at least 2"),
        (lambda: CovarianceOperator().fit(np.ones((5, 2))), "all 5 points of X are equal"),
        (lambda: CovarianceOperator(Delta()).fit(["a", "a"]), "all 2 points of X are equal"),
        (lambda: CovarianceOperator().norm(), "has seen no data yet"),
        (lambda: CovarianceOperator(estimator=MKME()).fit(X), "point masses only"),
        (lambda: CovarianceOperator(estimator=MKME(sigma=0.3)).fit(X), "point masses only"),
        (
            lambda: CovarianceOperator(Gaussian(1.0), SKMSE(target=Embedding(Gaussian(1.0), X[:1], [1.0]))).fit(X),
            "target is no operator",
        ),
        (
            lambda: CovarianceOperator(Gaussian(1.0), SKMSE(Gaussian(2.0))).fit(X),
            "leave the estimator's kernel at None",
        ),
        (lambda: CovarianceOperator(Gaussian(1.0)).fit(X).inner(3), "a CovarianceOperator is needed, not 3"),
        (
            lambda: CovarianceOperator(Gaussian(1.0)).fit(X).inner(CovarianceOperator(Gaussian(2.0)).fit(X)),
            "give both the same",
        ),
        (
            lambda: CovarianceOperator(Linear()).fit(X).distance(CovarianceOperator(Linear(), order=3).fit(X)),
            naming("3"),
        ),
        (lambda: CovarianceOperator(Linear()).fit(X).inner(CovarianceOperator(Linear()).fit(X[:, :2])), "columns"),
        (lambda: CovarianceOperator(Linear()).fit(X).form(lambda x: x[:, 0]), naming("1")),
        (lambda: CovarianceOperator(Linear()).fit(X).form(1, 2), naming("Embedding")),
        (lambda: CovarianceOperator(Linear()).fit(X).form(lambda x: x, lambda x: x), "one each is needed"),
        (
            lambda: CovarianceOperator(Gaussian(1.0), centering=MKME(sigma=0.3)).fit(X).form(sum, sum),
            "the centre has Gaussian points",
        ),
        (lambda: CovarianceOperator(Linear(), order=3).fit(X).principal(2), naming("order=2")),
        (lambda: CovarianceOperator(order=0), naming("CovarianceOperator.order", "1")),
        (
            lambda: CovarianceOperator(Gaussian(1.0), centering=KME(None, "features", rank=10)).fit(X),
            "another kernel than",
        ),
    ],
)
def test_bad_input_gets_a_sentence(act, said):
    with pytest.raises(ValueError, match=said):
        act()


def test_a_marginalized_estimator_without_noise_is_plain():
    assert CovarianceOperator(Gaussian(1.0), MKME(sigma=0)).fit(X).norm() == pytest.approx(
        CovarianceOperator(Gaussian(1.0)).fit(X).norm(), rel=1e-12
    )


def test_rows_that_count_zero_times_are_no_rows():
    counts = np.arange(len(X)) % 3
    repeated = CovarianceOperator(Gaussian(1.0)).fit(np.repeat(X, counts, axis=0))
    counted = CovarianceOperator(Gaussian(1.0)).fit(X, weights=counts)
    assert counted.embedding_.norm() == pytest.approx(repeated.embedding_.norm(), rel=1e-12)
