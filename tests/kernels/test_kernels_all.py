"""Requirements on every kernel of the catalogue."""

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import CLOSED, KERNELS, PUBLIC, D, drawn, strings

from explorer import Precomputed
from explorer.kernels import Kernel, KernelProduct, KernelSum

EPS = np.finfo(float).eps
every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_closed_form = pytest.mark.parametrize("row", CLOSED.values(), ids=CLOSED)


def scale(k, *samples):
    """Return the largest k(x, x): what rounding in a Gram matrix is relative to."""
    return max(k.diagonal(X).max() for X in samples)


def test_the_catalogue_holds_every_kernel_of_the_front_door():

    kernels = {c for c in PUBLIC.values() if isinstance(c, type) and issubclass(c, Kernel)}
    # those of finite rank stand for another kernel: test_low_rank.py; sums and products are written by + and *
    written = {Kernel, KernelSum, KernelProduct}
    assert {c for c in kernels if not c.finite_rank} - written == {
        type(row.kernel) for row in KERNELS.values()
    } - written


@every_kernel
def test_the_gram_matrix_is_the_definition(row):
    k, X = drawn(row, 9)
    Y = row.data(7, seed=1)
    reference = row.definition(k, X[:, None], Y[None])
    # a few roundings, relative to the largest possible entry
    np.testing.assert_allclose(k(X, Y), reference, rtol=0, atol=50 * EPS * scale(k, X, Y))
    np.testing.assert_allclose(k(X), row.definition(k, X[:, None], X[None]), rtol=0, atol=50 * EPS * scale(k, X))


@every_kernel
def test_gram_matrices_are_symmetric_and_positive_semi_definite(row):
    k, X = drawn(row, 30)
    K = k(X)
    np.testing.assert_allclose(K, K.T, rtol=0, atol=10 * EPS * scale(k, X))
    # eigvalsh errs by a small multiple of n eps |K|
    gamma = np.linalg.eigvalsh(K)
    assert gamma[0] > -100 * EPS * gamma[-1]


@every_kernel
def test_the_diagonal_is_the_diagonal(row):
    k, X = drawn(row, 12)
    np.testing.assert_allclose(k.diagonal(X), np.diag(k(X)), rtol=20 * EPS)


@every_kernel
def test_shape_and_type(row):
    X, Y = row.data(5), row.data(8, seed=1)
    for K, shape in ((row.kernel(X), (5, 5)), (row.kernel(X, Y), (5, 8)), (row.kernel.diagonal(X), (5,))):
        assert K.shape == shape
        assert K.dtype == np.float64


@every_kernel
def test_a_gram_matrix_of_two_samples_is_a_block_of_the_pooled_one(row):
    X, Y = row.data(5), row.data(8, seed=1)
    pooled = row.kernel(np.concatenate([X, Y]))
    # an automatic bandwidth is chosen on the pooled sample: the methods differ by rounding only
    np.testing.assert_allclose(row.kernel(X, Y), pooled[:5, 5:], rtol=0, atol=50 * EPS * np.diag(pooled).max())


@every_kernel
def test_pairs_serve_every_parameter(row):
    k, X = drawn(row, 9)
    Y = row.data(4, seed=1)
    for Z in (None, Y):
        reference = k(X, Z)
        atol = 50 * EPS * scale(k, X, Y)  # products and differences compute the same number
        np.testing.assert_allclose(k.of_pairs(k.pairs(X, Z)), reference, rtol=0, atol=atol)


def equal_pairs(a, b):
    if isinstance(a, tuple):
        return all(map(equal_pairs, a, b))
    return np.array_equal(a, b)


@every_kernel
def test_of_pairs_leaves_its_pairs_alone(row):
    k, X = drawn(row, 9)
    pairs = k.pairs(X)
    before = pairs.copy()
    k.of_pairs(pairs)
    assert equal_pairs(pairs, before)


@every_kernel
def test_select_settles_a_kernel_once(row):
    X = row.data(9)
    chosen = row.kernel.select(X)
    assert chosen.select(row.data(9, seed=1)) == chosen
    np.testing.assert_array_equal(chosen(X), row.kernel(X))


@every_kernel
def test_bounded_kernels_have_a_bounded_diagonal(row):
    k, X = drawn(row, 9)
    if isinstance(k, Precomputed):
        assert np.abs(k(X)).max() <= k.gram.diagonal().max()  # Cauchy and Schwarz
    elif k.bounded:
        top = sum(a for a, _ in k.terms) if isinstance(k, KernelSum) else 1.0  # each term's own bound is 1
        np.testing.assert_allclose(k.diagonal(X), top, rtol=EPS)
        assert (k(X) <= top * (1 + EPS)).all()


@every_kernel
def test_the_diagonal_grows_as_the_kernel_says(row):
    """k(x, x) |x|^(-g) tends to a number above 0 far away; for g = inf no power keeps up."""
    if isinstance(row.kernel, Precomputed):
        assert row.kernel.growth == 0  # rows of a table do not run away
        return
    k, X = drawn(row, 9)
    if row.data is strings:  # |x| is the number of letters; those near an end, where subsequences stop, are 1 in 100
        X = np.char.multiply(X, 200)
        ratio = k.diagonal(np.char.multiply(X, 3)) / k.diagonal(X)
        np.testing.assert_allclose(ratio, 3.0**k.growth, rtol=0.02)
        return
    if k.growth == np.inf:
        assert (k.diagonal(12 * X) > 1e4 * 12**4 * k.diagonal(X)).any()
    else:
        # the lower terms of a polynomial are 1e-6 of the highest and less
        np.testing.assert_allclose(k.diagonal(1e7 * X), 10**k.growth * k.diagonal(1e6 * X), rtol=1e-5)


@every_kernel
def test_samples_of_different_dimension_are_refused(row):
    wide = np.zeros((4, row.data(1).shape[1] + 1))
    with pytest.raises(ValueError, match=f"{naming('Y has')}|{naming('Y', 'row numbers')}"):
        row.kernel(row.data(4), wide)


@pytest.mark.parametrize(
    "row", [r for r in KERNELS.values() if not r.closed_form], ids=lambda row: type(row.kernel).__name__
)
def test_a_kernel_without_a_closed_form_says_so(row):
    k, X = drawn(row, 4)
    some = np.eye(X.shape[1])
    np.testing.assert_array_equal(k.expected(X, None, X, None), k(X, X))
    for C, D_ in ((some, None), (None, some), (some, some)):
        with pytest.raises(ValueError, match=naming("closed form", "Gaussian")):
            k.expected(X, C, X, D_)


# E k(x + u, y + v) -----------------------------------------------------------------------------------------------

FULL = np.array([[0.5, 0.2, 0.0], [0.2, 0.4, -0.1], [0.0, -0.1, 0.3]])
SINGULAR = np.outer([0.6, -0.4, 0.2], [0.6, -0.4, 0.2])  # rank 1
COVARIANCES = {
    "C": (FULL, None),
    "D": (None, FULL),
    "C and D": (FULL, 2 * SINGULAR + 0.1 * np.diag([1, 0, 0])),
    "singular C": (SINGULAR, None),
    "singular C and D": (SINGULAR, np.diag([0.0, 0.7, 0.0])),
}
N = 200_000


def noise(covariance, rng):
    if covariance is None:
        return np.zeros(D)
    gamma, U = np.linalg.eigh(covariance)
    return rng.standard_normal((N, D)) * np.sqrt(gamma.clip(0)) @ U.T


def z_score(draws, exact):
    return (draws.mean() - exact) / (draws.std() / np.sqrt(len(draws)))


@pytest.mark.thorough(default=["C-*", "*-gaussian", "*-gaussian, automatic"])
@every_closed_form
@pytest.mark.parametrize("which", COVARIANCES)
def test_expected_agrees_with_monte_carlo(row, which):
    k, X = drawn(row, 9)
    x, y = X[:1], X[1:2]
    C, D_ = COVARIANCES[which]
    rng = np.random.default_rng(7)
    draws = row.definition(k, x + noise(C, rng), y + noise(D_, rng))
    exact = k.expected(x, C, y, D_)[0, 0]
    if np.ptp(draws) <= 1e-12 * abs(exact):  # <x, .> of a noise that x does not see: no spread to measure by
        assert draws[0] == pytest.approx(exact, rel=1e-12)
    else:
        assert abs(z_score(draws, exact)) < 4.5  # P(|z| > 4.5) = 7e-6, and the seed is fixed


@pytest.mark.thorough(
    default=[
        "full-linear",
        "full-linear + .7",
        "full-gaussian",
        "full-exponential",
        "singular-polynomial 2 + 0",
        "singular-gaussian",
        "singular-laplacian, automatic",
        "singular-exponential",
    ]
)
@every_closed_form
@pytest.mark.parametrize("C", [FULL, SINGULAR], ids=["full", "singular"])
def test_expected_diagonal_agrees_with_monte_carlo(row, C):
    k, X = drawn(row, 9)
    points = X[:1] + noise(C, np.random.default_rng(8))
    draws = row.definition(k, points, points)
    exact = k.expected_diagonal(X[:1], C)[0]
    if k.bounded:
        assert exact == pytest.approx(draws[0], rel=4 * EPS)
        assert np.ptp(draws) <= 4 * EPS * exact
    else:
        assert abs(z_score(draws, exact)) < 4.5


@every_closed_form
def test_expected_is_a_matrix_of_pairs(row):
    k, X = drawn(row, 5)
    Y = row.data(4, seed=1)
    one_by_one = [[k.expected(x[None], FULL, y[None], SINGULAR)[0, 0] for y in Y] for x in X]
    atol = 50 * EPS * k.expected_diagonal(np.concatenate([X, Y]), FULL).max()
    np.testing.assert_allclose(k.expected(X, FULL, Y, SINGULAR), one_by_one, rtol=0, atol=atol)


@every_closed_form
def test_expected_is_symmetric_in_its_two_laws(row):
    k, X = drawn(row, 5)
    Y = row.data(4, seed=1)
    atol = 50 * EPS * k.expected_diagonal(np.concatenate([X, Y]), FULL).max()
    left, right = k.expected(X, FULL, Y, SINGULAR), k.expected(Y, SINGULAR, X, FULL).T
    np.testing.assert_allclose(left, right, rtol=0, atol=atol)


@every_closed_form
def test_many_scales_of_one_noise_are_each_by_itself(row):
    k, X = drawn(row)
    Y, s, t = X[:3] + 0.2, np.array([0.0, 1e-20, 0.3, 1.0, 50.0]), np.array([0.0, 2e-9, 0.0, 1.0, 7.0])
    S = FULL[: X.shape[1], : X.shape[1]]
    values = k.expected_scales(X, s, Y, t, S)
    if values is not None:  # None: one after the other is as quick
        for K, a, b in zip(values, s, t, strict=True):
            np.testing.assert_allclose(K, k.expected(X, a * S, Y, b * S), rtol=1e-11, atol=1e-13)


@every_closed_form
def test_zero_covariance_is_a_point(row):
    k, X = drawn(row, 5)
    Y, zero = row.data(4, seed=1), np.zeros((D, D))
    for C, D_ in ((None, None), (zero, None), (None, zero), (zero, zero)):
        np.testing.assert_allclose(k.expected(X, C, Y, D_), k(X, Y), rtol=0, atol=50 * EPS * scale(k, X, Y))
    for C in (None, zero):
        np.testing.assert_allclose(k.expected_diagonal(X, C), k.diagonal(X), rtol=20 * EPS)


@every_closed_form
def test_the_gram_matrix_of_gaussians_is_positive_semi_definite(row):
    k, X = drawn(row, 20)
    gamma = np.linalg.eigvalsh(k.expected(X, FULL, X, FULL))
    assert gamma[0] > -(100 * EPS + row.error) * gamma[-1]


@every_closed_form
def test_noise_has_more_norm_with_itself_than_with_an_independent_copy(row):
    k, X = drawn(row, 5)
    copies = np.diag(k.expected(X, FULL, X, FULL))
    # equality for no kernel here: every one of them has an embedding that is not constant
    assert (k.expected_diagonal(X, FULL) > copies).all()
