"""The energy kernel: digits far from the origin, and E|z| at every scale."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from helpers.naming import naming
from scipy.special import ellipe, erf, gammaln, hyp1f1

from explorer import Embedding, Energy, GaussianMixture
from explorer.kernels.energy import _to_origin, mean_norm_gain

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(7, 3)), rng.normal(1, 2, size=(5, 3))
C = np.array([[0.8, 0.3, 0.0], [0.3, 0.5, -0.1], [0.0, -0.1, 0.4]])
SCALES = 10.0 ** np.arange(-6, 7)
EPS = np.finfo(float).eps


def mean_norm(M, S):
    """E|z|, z ~ N(m, S)."""
    M = np.atleast_2d(np.asarray(M, dtype=float))
    return np.linalg.norm(M, axis=1) + mean_norm_gain(M, np.asarray(S, dtype=float))


# the kernel ---------------------------------------------------------------------------------------------------------


def test_on_the_line_it_is_the_covariance_of_brownian_motion():
    """min(|x|, |y|) on one side of zero, 0 across it: one motion to the right and another to the left."""
    x = np.array([-3.0, -0.7, 0.0, 1e-9, 0.2, 5.0, 1e9])[:, None]
    motion = np.where(x * x.T > 0, np.minimum(np.abs(x), np.abs(x.T)), 0.0)
    np.testing.assert_allclose(Energy()(x), motion, rtol=2 * EPS, atol=0)
    np.testing.assert_allclose(Energy()(x, x), motion, rtol=2 * EPS, atol=0)


def exact(x, y):
    """k(x, y) in rational arithmetic, to forty digits."""

    def norm(v):
        square = sum(Fraction(c) ** 2 for c in v) * 10**100
        return Fraction(isqrt(int(square)), 10**50)

    x, y = ([Fraction(float(c)) for c in v] for v in (x, y))
    return (norm(x) + norm(y) - norm([a - b for a, b in zip(x, y, strict=True)])) / 2


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1.0, 2.0], [3e10, 1e10]),
        ([1e-8, 2e-8], [1.0, -0.3]),
        ([1e8, 1e8], [1e8, 1e8 + 1.0]),
        ([1e8, 1e8], [1e8, 1e8 + 1e-7]),
        ([0.3, 0.1], [0.3, 0.1 + 1e-14]),
        ([1e8, 1.0], [-1e8, 1.0]),
        ([1e-12, 1.0], [1e12, 0.0]),
    ],
)
def test_no_digit_is_lost_to_the_other_point_s_norm(x, y):
    value, reference = Energy()([x], [y])[0, 0], exact(x, y)
    # the inner product and the norms round by a few eps of min(|x|, |y|); |x| + |y| - |x - y| would by eps max(|x|,
    # |y|)
    assert abs(Fraction(float(value)) - reference) <= 4 * EPS * min(np.linalg.norm(x), np.linalg.norm(y))


def test_half_of_the_energy_distance_is_the_squared_mmd():
    e, f = Embedding(Energy(), X, np.full(7, 1 / 7)), Embedding(Energy(), Y, np.full(5, 1 / 5))

    def apart(A, B):
        return np.mean([[np.linalg.norm(a - b) for b in B] for a in A])

    assert 2 * e.distance(f) ** 2 == pytest.approx(2 * apart(X, Y) - apart(X, X) - apart(Y, Y), rel=1e-12)


def test_distances_of_laws_forget_where_the_origin_is():
    def distance(shift):
        e = Embedding(Energy(), X + shift, np.full(7, 1 / 7), C)
        return e.distance(Embedding(Energy(), Y + shift, np.full(5, 1 / 5)))

    assert distance(np.array([30.0, -20.0, 5.0])) == pytest.approx(distance(0.0), rel=1e-11)  # norms of 36 against 1
    # and a point mass at the origin is as far from the others as anywhere
    point = Embedding(Energy(), [[0.0, 0.0, 0.0]], [1.0])
    assert point.norm() == 0
    assert point.distance(Embedding(Energy(), [[3.0, 4.0, 0.0]], [1.0])) ** 2 == pytest.approx(5, rel=1e-15)


def test_it_grows_with_the_unit():
    a = 1e3
    np.testing.assert_allclose(Energy()(a * X, a * Y), a * Energy()(X, Y), rtol=1e-12)
    np.testing.assert_allclose(
        Energy().expected(a * X, a**2 * C, a * Y, None), a * Energy().expected(X, C, Y, None), rtol=1e-12
    )


def test_points_that_are_too_large_get_a_sentence():
    for ask in (lambda k, x: k(x), lambda k, x: k(x, x), lambda k, x: k.expected(x, np.eye(2), x, None)):
        with pytest.raises(ValueError, match=naming("Energy()", "rescale")):
            ask(Energy(), np.full((1, 2), 1e160))


# E|z| ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flat", [False, True], ids=["line", "plane"])
def test_the_folded_normal_law(flat):
    """E|z| = s √(2/π) e^(-q^2/2) + |m| erf(q/√2).

    In the plane the other eigenvalue is zero and the quadrature does it.
    """
    for s in SCALES:
        q = SCALES / s
        folded = s * np.sqrt(2 / np.pi) * np.exp(-(q**2) / 2) + SCALES * erf(q / np.sqrt(2))
        if flat:
            value = mean_norm(np.outer(SCALES, [0.6, -0.8]), s**2 * np.outer([0.6, -0.8], [0.6, -0.8]))
        else:
            value = mean_norm(SCALES[:, None], [[s**2]])
        np.testing.assert_allclose(value, folded, rtol=1e-14)  # measured: 1e-15


@pytest.mark.parametrize("d", [1, 2, 3, 10, 100])
def test_the_isotropic_law(d):
    """E|z| = s √2 Γ((d+1)/2) / Γ(d/2) 1F1(-1/2; d/2; -|m|^2 / (2 s^2))."""
    direction = np.random.default_rng(d).normal(size=d)
    direction /= np.linalg.norm(direction)
    for s in SCALES:
        close = SCALES[SCALES / s <= 30]  # scipy's 1F1 keeps its digits to an argument of some hundreds
        exact = (
            s
            * np.sqrt(2)
            * np.exp(gammaln((d + 1) / 2) - gammaln(d / 2))
            * hyp1f1(-0.5, d / 2, -((close / s) ** 2) / 2)
        )
        np.testing.assert_allclose(mean_norm(np.outer(close, direction), s**2 * np.eye(d)), exact, rtol=1e-12)


@pytest.mark.parametrize("ratio", [1.0, 0.3, 1e-2, 1e-4, 1e-8, 1e-12, 0.0])
def test_two_variances_give_an_elliptic_integral(ratio):
    """E √(a ε^2 + b η^2) = √(2a/π) E(1 - b/a), the complete elliptic integral of the second kind."""
    for a in (1e-12, 1.0, 1e12):
        value = mean_norm([[0.0, 0.0]], np.diag([a, ratio * a]))[0]
        assert value == pytest.approx(np.sqrt(2 * a / np.pi) * ellipe(1 - ratio), rel=1e-13)


def test_all_scales_in_one_call():
    """One set of nodes serves all rows and eigenvalues; each row alone has its own."""
    S = np.diag([1e-12, 1e-6, 1.0, 1e6])
    M = np.concatenate([np.zeros((1, 4)), np.kron(np.eye(4), SCALES[:, None])])
    together = mean_norm(M, S)
    np.testing.assert_allclose(together, [mean_norm(m, S)[0] for m in M], rtol=1e-14)
    # Jensen from both sides
    assert (together >= np.linalg.norm(M, axis=1)).all()
    assert (together <= np.sqrt((M**2).sum(1) + np.trace(S)) * (1 + 1e-14)).all()


@pytest.mark.parametrize("far", [1e4, 1e7, 1e8, 1.0001e8, 1e12, 1e150])
def test_the_gain_keeps_its_digits_far_from_the_origin(far):
    """(tr S - m'Sm / |m|^2) / (2 |m|) + O(|m|^-3); |m| + gain has lost it at 1e8."""
    m = np.array([[0.6, 0.0, 0.8]])
    first = (np.trace(C) - (m @ C @ m.T)[0, 0]) / 2
    assert far * mean_norm_gain(far * m, C)[0] == pytest.approx(first, rel=max(10 / far**2, 1e-13))


@pytest.mark.parametrize("far", [1e2, 1e3, 1e4])
def test_the_gain_s_second_term(far):
    """|m| + 1/(2|m|) + 1/(8|m|^3) + O(|m|^-5) for N(m, I) in the plane, the mean of a Rice law."""
    second = 2 * far * mean_norm_gain(np.array([[far, 0.0]]), np.eye(2))[0] - 1
    assert second == pytest.approx(1 / (4 * far**2), rel=1e-3, abs=1e-14)  # the third term is 1e-4 of it at 1e2


def test_many_rows_join_without_a_seam():
    M = np.random.default_rng(0).normal(size=(3000, 2))
    S = np.array([[1.0, 0.5], [0.5, 2.0]])
    np.testing.assert_allclose(
        mean_norm_gain(M, S)[::500], [mean_norm_gain(m[None], S)[0] for m in M[::500]], rtol=1e-13
    )


def test_no_covariance_is_the_plain_kernel_to_the_last_digit():
    zero = np.zeros((3, 3))
    for S, T in ((zero, None), (None, zero), (zero, zero)):
        np.testing.assert_array_equal(Energy().expected(X, S, Y, T), Energy()(X, Y))
    np.testing.assert_array_equal(Energy().expected_diagonal(X, zero), Energy().diagonal(X))


def test_points_and_gaussians_have_one_gram_matrix():
    """Positive semi-definite over blocks of different covariances, not only within one."""
    k, parts = Energy(), [(X, None), (Y, C), (X, np.diag([1.0, 0.0, 3.0]))]
    K = np.block([[k.expected(A, S, B, T) for B, T in parts] for A, S in parts])
    np.testing.assert_allclose(K, K.T, rtol=0, atol=1e-14 * K.max())
    gamma = np.linalg.eigvalsh(K)
    assert gamma[0] > -1e-14 * gamma[-1]


def test_the_distance_of_two_normal_laws_with_one_mean():
    """2 E|x - y| - E|x - x'| - E|y - y'| on the line: √(2/π) (2 √(s^2 + t^2) - √2 s - √2 t)."""
    s, t = 1.0, 2.5
    e, f = (GaussianMixture([1.0], [[7.0]], v**2).embed(Energy()) for v in (s, t))
    exact = np.sqrt(2 / np.pi) * (2 * np.hypot(s, t) - np.sqrt(2) * (s + t))
    assert 2 * e.distance(f) ** 2 == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("d", [1, 3])
def test_a_far_wider_noise_leaves_half_the_other_s_mean_norm(d):
    """E k(x + u, z) tends to E|z| / 2 as u grows, in a difference of numbers 1e12 and more times as large."""
    k, x, y = Energy(), np.full((1, d), 0.7), np.full((1, d), -1.3)
    wide, narrow = np.eye(d) * 1e40, np.eye(d) * 0.2
    assert k.expected(x, wide, y, None)[0, 0] == pytest.approx(k.diagonal(y)[0] / 2, rel=1e-8)
    assert k.expected(x, narrow, y, wide)[0, 0] == pytest.approx(k.expected_diagonal(x, narrow)[0] / 2, rel=1e-8)
    near = np.eye(d) * 1e13  # just before: the difference itself, whose next term is of the order |y|^2 / √c
    assert k.expected(x, near, y, None)[0, 0] == pytest.approx(k.diagonal(y)[0] / 2, rel=1e-6)


def test_noises_of_two_shapes_at_once_are_each_by_itself():
    k, rng = Energy(), np.random.default_rng(0)
    X, Y, A, B = (rng.normal(size=(n, 3)) for n in (3, 2, 3, 3))
    S, T = A @ A.T, B @ B.T
    s, t = np.array([1e-9, 0.3, 1.0, 7.0, 1e20, 1e-22]), np.array([2.0, 1e-30, 1.0, 1e10, 3.0, 1e-22])
    for K, a, b in zip(k.expected_unlike(X, s, S, Y, t, T), s, t, strict=True):
        np.testing.assert_allclose(K, k.expected(X, a * S, Y, b * T), rtol=1e-10)  # ratios of 1e10 cost digits
    far = np.full((1, 3), 1e10)  # beyond 1e8 deviations
    one, other = np.ones(1), 1e-3 * np.ones(1)
    unlike = k.expected_unlike(far, one, S, Y, other, T)[0]
    np.testing.assert_allclose(unlike, k.expected(far, S, Y, 1e-3 * T), rtol=1e-12)


def test_increments_from_an_origin_are_differences_of_the_kernel():
    k = Energy()
    for o in ([3.0, -4.0], [0.0, 0.0]):
        z, o = np.array([[0.0, 0.0], [1.0, 2.0], [-3.0, 4.0], [-5.0, 0.5]]), np.array(o)
        expected = k(o + z, o[None])[:, 0] - k(o[None])[0, 0]
        assert _to_origin(z, o) == pytest.approx(expected, rel=1e-14, abs=1e-15)
