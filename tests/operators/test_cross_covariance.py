"""The cross-covariance operator.

Covariances by any functions, its norm and HSIC, and the functions that covary most.
"""

import copy
import pickle
import warnings

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    CrossCovariance,
    Delta,
    Embedding,
    Energy,
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
    Subsequence,
    hsic,
)
from explorer.checks import ExplorerWarning
from explorer.operators.cross_covariance import UNIT


def bowl(n=30, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, size=(n, 1))
    return x, x**2 + 0.1 * rng.normal(size=(n, 1))


def strings(n=12, seed=0):
    rng = np.random.default_rng(seed)
    x = ["".join(rng.choice(["a", "b"], 5)) for _ in range(n)]
    return x, np.char.count(x, "a").astype(float)


_ROWS = np.arange(20.0)[:, None]
_FEATURES = np.random.default_rng(5).normal(size=(20, 3))
CASES = {
    "gaussian": (*bowl(), None, None),
    "linear, rank 1": (*bowl(), Linear(), Linear()),
    "polynomial and laplacian": (*bowl(), Polynomial(2), Laplacian(1.0)),
    "energy far away": (bowl()[0] + 100, bowl()[1], Energy(), Energy()),
    "ties": (np.repeat([0.0, 1.0, 2.0], 5), np.repeat([0.0, 1.0, 0.0], 5), Gaussian(1.0), Delta()),
    "strings": (*strings(), Subsequence(2), Gaussian(1.0)),
    "precomputed of rank 3": (_ROWS, _FEATURES[:, :1] ** 2, Precomputed(_FEATURES @ _FEATURES.T), Gaussian(1.0)),
}
every_case = pytest.mark.parametrize("case", CASES)


def fitted(case, centered=True):
    X, Y, k, l = CASES[case]
    return CrossCovariance(k, l, centered).fit(X, Y), X, Y, k, l


def magnitude(C):
    """Return the size of the terms of the operator's values, for their rounding."""
    return np.sqrt(C.kernel_x_(C.X_).max() * C.kernel_y_(C.Y_).max())


# the norm and HSIC
# ------------------------------------------------------------------------------------------------------


@every_case
def test_the_squared_norm_is_the_biased_hsic(case):
    C, X, Y, k, l = fitted(case)
    assert C.norm() ** 2 == pytest.approx(hsic(X, Y, k, l), rel=1e-10, abs=1e-14 * magnitude(C) ** 2)
    assert C.norm() ** 2 == pytest.approx((C.singular_values_**2).sum(), rel=1e-14)
    assert (np.diff(C.singular_values_) <= 0).all()
    assert (C.singular_values_ > 0).all()


@every_case
def test_not_centred_it_is_the_second_moment(case):
    C, *_ = fitted(case, centered=False)
    K, L = C.kernel_x_(C.X_), C.kernel_y_(C.Y_)
    assert C.norm() ** 2 == pytest.approx((K * L).mean(), rel=1e-10)


@every_case
@pytest.mark.parametrize("centered", [True, False])
def test_singular_values_are_those_of_explicit_features(case, centered):
    """The square roots of the eigenvalues of A B / n^2 for the Gram matrices, centred where the operator is."""
    C, *_ = fitted(case, centered)
    n = len(C.X_)
    H = np.eye(n) - 1 / n if centered else np.eye(n)
    A, B = H @ C.kernel_x_(C.X_) @ H, H @ C.kernel_y_(C.Y_) @ H
    eigenvalues = np.sort(np.linalg.eigvals(A @ B).real)[::-1] / n**2
    # eigenvalues are squares: those below eps of the largest say nothing
    np.testing.assert_allclose(
        C.singular_values_**2, eigenvalues[: len(C.singular_values_)], rtol=0, atol=1e-13 * eigenvalues[0]
    )
    # what it left out are functions whose squared norm rounding, some n eps σ_0 / σ_k, leaves open by more than 1e-9;
    # how much of it there is differs from processor to processor
    least = 4 * n * np.finfo(float).eps / UNIT
    assert np.abs(eigenvalues[len(C.singular_values_) :]).max(initial=0) < least**2 * eigenvalues[0]


def test_linear_kernels_give_the_matrix_of_covariances():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    C = CrossCovariance(Linear(), Linear()).fit(X, Y)
    U, s, Vt = np.linalg.svd(np.cov(X.T, Y.T, bias=True)[:3, 3:])
    np.testing.assert_allclose(C.singular_values_, s, rtol=1e-12)
    for k in range(2):
        # a linear function is its values at the unit vectors; signs are common to both
        u, v = C.left_embedding(k)(np.eye(3)), C.right_embedding(k)(np.eye(2))
        sign = np.sign(u @ U[:, k])
        np.testing.assert_allclose(u, sign * U[:, k], rtol=0, atol=1e-12)
        np.testing.assert_allclose(v, sign * Vt[k], rtol=0, atol=1e-12)


# functions
# ----------------------------------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("centered", [True, False])
def test_singular_functions_are_orthonormal_and_diagonal(case, centered):
    C, *_ = fitted(case, centered)
    few = range(min(4, len(C.singular_values_)))
    for side in (C.left_embedding, C.right_embedding):
        gram = np.array([[side(i).inner(side(j)) for j in few] for i in few])
        np.testing.assert_allclose(gram, np.eye(len(few)), rtol=0, atol=1e-7)
    values = np.array([[C.inner(C.left_embedding(i), C.right_embedding(j)) for j in few] for i in few])
    np.testing.assert_allclose(values, np.diag(C.singular_values_[: len(few)]), rtol=0, atol=1e-9 * magnitude(C))


@every_case
def test_left_and_right_are_scores_of_mean_zero_that_covary_by_the_singular_value(case):
    C, *_ = fitted(case)
    f, g = C.left(C.X_), C.right(C.Y_)
    assert f.mean() == pytest.approx(0, abs=1e-12 * magnitude(C))
    assert np.mean(f * g) == pytest.approx(C.singular_values_[0], rel=1e-8)
    assert C.inner(C.left, C.right) == pytest.approx(C.singular_values_[0], rel=1e-8)
    again, *_ = fitted(case)
    np.testing.assert_array_equal(again.left(C.X_), f)  # the sign too
    assert C.left_coefficients_[np.abs(C.left_coefficients_[:, 0]).argmax(), 0] > 0


def test_no_unit_functions_covary_more():
    """200 random pairs of unit norm in the span, and their best is still below."""
    C, *_ = fitted("gaussian")
    rng = np.random.default_rng(0)
    K, L = C.kernel_x_(C.X_), C.kernel_y_(C.Y_)
    best = 0.0
    for _ in range(200):
        a, b = rng.normal(size=(2, 30))
        best = max(best, abs(C.inner(a / np.sqrt(a @ K @ a), b / np.sqrt(b @ L @ b))))
    assert 0.05 * C.singular_values_[0] < best < C.singular_values_[0]


def test_new_points_get_the_function_that_the_sample_gave():
    X, Y = bowl(60)
    C = CrossCovariance().fit(X, Y)
    new = np.linspace(-1, 1, 41)[:, None]
    u = C.left_embedding(0)
    np.testing.assert_allclose(C.left(new), u(new) - u(X).mean(), rtol=0, atol=1e-13)
    # y = x^2: the left function is even, a bowl or a cap, and the right one monotone where the data are
    f, g = C.left(new), C.right(np.linspace(0.1, 0.8, 20)[:, None])
    assert np.corrcoef(f, new[:, 0] ** 2)[0, 1] ** 2 > 0.9
    assert (np.diff(g) > 0).all() or (np.diff(g) < 0).all()
    assert np.corrcoef(C.left(X), C.right(Y))[0, 1] > 0.9


@pytest.mark.parametrize("centered", [True, False])
def test_inner_takes_embeddings_coefficients_and_functions(centered):
    X, Y = bowl()
    C = CrossCovariance(Gaussian(0.5), Gaussian(0.3), centered).fit(X, Y)
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 30))
    f, g = Embedding(C.kernel_x_, X, a), Embedding(C.kernel_y_, Y, b)
    expected = np.mean(f(X) * g(Y)) - (f(X).mean() * g(Y).mean() if centered else 0)
    for left in (f, a, lambda Z: f(Z), a.tolist()):
        for right in (g, b):
            assert C.inner(left, right) == pytest.approx(expected, rel=1e-10)
    # functions that no Gaussian RKHS has: the plain covariance
    plain = np.mean(X * Y) - (X.mean() * Y.mean() if centered else 0)
    assert C.inner(lambda Z: Z[:, 0], lambda Z: Z[:, 0]) == pytest.approx(plain, rel=1e-12)
    # an embedding of other points
    h = Embedding(C.kernel_x_, [[0.1], [0.9]], [1.0, -2.0])
    elsewhere = np.mean(h(X) * g(Y)) - (h(X).mean() * g(Y).mean() if centered else 0)
    assert C.inner(h, g) == pytest.approx(elsewhere, rel=1e-10)


@pytest.mark.parametrize("centered", [True, False])
def test_called_at_points_it_is_the_form_of_two_kernel_functions(centered):
    X, Y = bowl()
    C = CrossCovariance(Gaussian(0.5), Gaussian(0.3), centered).fit(X, Y)
    x, y = np.array([[0.1], [-0.7]]), np.array([[0.0], [0.5], [1.0]])
    expected = [
        [C.inner(Embedding(C.kernel_x_, p[None], [1.0]), Embedding(C.kernel_y_, q[None], [1.0])) for q in y] for p in x
    ]
    np.testing.assert_allclose(C(x, y), expected, rtol=1e-10)


# conventions
# --------------------------------------------------------------------------------------------------------------


def test_it_is_a_model_that_learns():
    C = CrossCovariance(Gaussian(1.0))
    X, Y = bowl()
    assert C.fit(X, Y) is C
    assert repr(C) == "CrossCovariance(kernel_x=Gaussian(bandwidth=1.0))"
    assert C == CrossCovariance(Gaussian(1.0))  # fitted attributes are not compared
    assert C.kernel_x is not None
    assert (C.kernel_x_, C.kernel_y_) == (Gaussian(1.0), Gaussian().select(Y))
    for again in (pickle.loads(pickle.dumps(C)), copy.deepcopy(C)):
        np.testing.assert_array_equal(again.left(X, 1), C.left(X, 1))
        assert again == C
    other = C.fit(Y, X)
    assert other is C
    np.testing.assert_array_equal(C.X_, Y)
    assert not C.singular_values_.flags.writeable
    assert not hasattr(C.replace(centered=False), "singular_values_")


def test_nothing_covaries_with_a_constant():
    C = CrossCovariance(Gaussian(1.0), Linear()).fit(np.arange(6.0), np.zeros(6))
    assert C.norm() == 0
    assert C.singular_values_.shape == (0,)
    with pytest.raises(ValueError, match=naming("k", "0")):
        C.left([0.0])
    one = CrossCovariance(Gaussian(1.0), Gaussian(1.0)).fit([0.0], [1.0])
    assert one.norm() == 0


_X = np.random.default_rng(0).normal(size=(30, 1))
_FIFTH = np.arange(30)[:, None] == 4
SIDES = {
    "constant": np.full((30, 1), 0.1),
    "constant, far away": np.full((30, 1), 1e8 + 0.1),
    "nearly constant": 0.1 + 0.05 * _X,
    "offset": 100 + _X**2,
    "duplicates": np.repeat(_X[:3], 10, axis=0),
    "one differs": np.where(_FIFTH, 0.3, 0.1),
    "one far away": np.where(_FIFTH, 1e6, _X),
    "smooth": _X**2 + 0.1 * np.roll(_X, 7),
}
KERNELS = [Gaussian(1.0), Laplacian(1.0), Energy(), Linear(), Linear(1.0), Polynomial(3)]


@pytest.mark.thorough(default=["*-Gaussian(bandwidth=1.0)-*", "constant-*-True", "constant, far away-*-*"])
@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("side", SIDES)
def test_every_function_that_is_kept_has_norm_1(side, kernel, centered):
    """Norms are 1 to 1e-8, by the embedding; a constant side has no function if centred, otherwise one constant."""
    C = CrossCovariance(Gaussian(1.0), kernel, centered).fit(_X, SIDES[side])
    norms = [f(k).norm() for f in (C.left_embedding, C.right_embedding) for k in range(len(C.singular_values_))]
    np.testing.assert_allclose(norms, 1, rtol=0, atol=1e-8)
    if side.startswith("constant"):
        assert len(C.singular_values_) == (0 if centered else 1)
        if centered:
            assert C.norm() == 0
            with pytest.raises(ValueError, match=naming("k", "0")):
                C.right(SIDES[side])
    else:
        K, L = C.kernel_x_(_X), kernel(SIDES[side])
        squared = hsic(_X, SIDES[side], Gaussian(1.0), kernel) if centered else (K * L).mean()
        assert C.norm() ** 2 == pytest.approx(squared, rel=1e-6)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("side", [0.1 + 1e-6 * _X, 1e6 + _X**2], ids=["nearly constant", "offset"])
def test_far_beyond_its_digits_it_keeps_no_function_or_one_of_norm_1(side, kernel):
    """It warns if the lost part of the operator is more than rounding."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        C = CrossCovariance(Gaussian(1.0), kernel).fit(_X, side)
    norms = [f(k).norm() for f in (C.left_embedding, C.right_embedding) for k in range(len(C.singular_values_))]
    np.testing.assert_allclose(norms, 1, rtol=0, atol=1e-8)
    whole = hsic(_X, side, Gaussian(1.0), kernel)
    assert said or C.norm() ** 2 == pytest.approx(whole, rel=2e-3)


def test_an_offset_hides_nothing_from_the_linear_kernel():
    """At 1e8 the linear kernel is 1e16, and eps of that is 2.

    Seen from a point among the data it has all its digits.
    """
    far, near = (CrossCovariance(Gaussian(1.0), Linear()).fit(_X, moved + _X**2) for moved in (1e8, 0.0))
    np.testing.assert_allclose(
        far.singular_values_, near.singular_values_, rtol=1e-7
    )  # the data at 1e8 have eight digits
    assert far.right_embedding().norm() == pytest.approx(1, abs=1e-8)


def test_what_rounding_hides_is_said():
    """A user's Gram matrix has entries of 1e12 and a variance of 1.

    Its eps is 2e-4, so norms cannot be 1 to 1e-8.
    """
    gram = Precomputed(1e12 + np.outer(_X, _X))
    with pytest.warns(ExplorerWarning, match=naming("100 %", "mean")):
        C = CrossCovariance(Gaussian(1.0), gram).fit(_X, np.arange(len(_X)))
    assert len(C.singular_values_) == 0


def test_bad_input_gets_a_sentence():
    X, Y = bowl()
    C = CrossCovariance(Gaussian(1.0), Gaussian(1.0))
    for ask in (C.norm, C.left_embedding, lambda: C.left(X), lambda: C.inner(X[:, 0], Y[:, 0]), lambda: C(X, Y)):
        with pytest.raises(ValueError, match=naming("CrossCovariance", "fit(X, Y)")):
            ask()
    with pytest.raises(ValueError, match=naming("X", "30", "Y", "29")):
        C.fit(X, Y[:29])
    C.fit(X, Y)
    with pytest.raises(ValueError, match=naming("k")):
        C.left(X, 99)
    with pytest.raises(TypeError, match=naming("k", "whole")):
        C.right(Y, 0.5)
    with pytest.raises(ValueError, match=naming("f", "Embedding", "Gaussian")):
        C.inner(Embedding(Gaussian(2.0), X, np.ones(30)), Y[:, 0])
    with pytest.raises(ValueError, match=naming("g", "(5,)")):
        C.inner(X[:, 0], np.ones(5))
    with pytest.raises(ValueError, match=naming("f", "(30, 1)", "30")):
        C.inner(lambda Z: Z, Y[:, 0])
    with pytest.raises(ValueError, match="kernel_x"):
        CrossCovariance("gaussian")


def test_the_share_and_the_correlation_of_a_pair_of_functions():
    X, Y = bowl()
    C = CrossCovariance(Gaussian(0.5), Gaussian(0.5)).fit(X, Y)
    assert C.share() == pytest.approx(C.singular_values_[0] ** 2 / hsic(X, Y, Gaussian(0.5), Gaussian(0.5)))
    for k in (0, 1, 2):
        assert C.correlation(k) == pytest.approx(np.corrcoef(C.left(X, k), C.right(Y, k))[0, 1])
    rank = len(C.singular_values_)
    assert sum(C.share(k) for k in range(rank)) == pytest.approx(1)
    assert (C.share(rank), C.correlation(rank)) == (0, 0)
