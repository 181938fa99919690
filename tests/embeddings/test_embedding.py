"""Embeddings are vectors of an RKHS: the axioms, by brute force."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from helpers.naming import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_and_estimators import CLOSED, KERNELS, PUBLIC, drawn

from explorer import Delta, Embedding, Gaussian, Linear, Precomputed
from explorer.embeddings import forms
from explorer.embeddings.blocks import Block
from explorer.embeddings.scaled_gaussians import join_scales
from explorer.model import code
from explorer.printing import short_repr

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_closed_form = pytest.mark.parametrize("row", CLOSED.values(), ids=CLOSED)
EPS = np.finfo(float).eps
FULL = np.array([[0.5, 0.2, 0.0], [0.2, 0.4, -0.1], [0.0, -0.1, 0.3]])


def pair(row, n=6, m=5):
    """Return two signed embeddings of one kernel, and the sum of all terms' magnitudes that rounding is relative to."""
    k = row.kernel.select(row.data(n + m))
    rng = np.random.default_rng(3)
    X, Y = row.data(n + m)[:n], row.data(n + m)[n:]
    e, f = Embedding(k, X, rng.normal(size=n)), Embedding(k, Y, rng.normal(size=m))
    size = np.abs(np.concatenate([e.weights, f.weights])).sum() ** 2 * k.diagonal(row.data(n + m)).max()
    return e, f, size


@every_kernel
def test_inner_is_the_double_sum(row):
    e, f, size = pair(row)
    k = e.kernel
    double = sum(
        w * v * row.definition(k, x, y)
        for w, x in zip(e.weights, e.points, strict=True)
        for v, y in zip(f.weights, f.points, strict=True)
    )
    assert e.inner(f) == pytest.approx(double, rel=0, abs=50 * EPS * size)  # thirty terms, each rounded a few times


@every_kernel
def test_inner_is_a_symmetric_bilinear_form(row):
    e, f, size = pair(row)
    g = 0.3 * f - e
    tight = {"rel": 0, "abs": 200 * EPS * size}  # sums of some hundred terms in two orders
    assert e.inner(f) == pytest.approx(f.inner(e), **tight)
    assert (2.5 * e + f).inner(g) == pytest.approx(2.5 * e.inner(g) + f.inner(g), **tight)
    assert g.inner(g) == pytest.approx(0.09 * f.inner(f) - 0.6 * e.inner(f) + e.inner(e), **tight)


@every_kernel
def test_the_axioms_of_a_vector_space(row):
    e, f, size = pair(row)
    g = Embedding(e.kernel, row.data(3, seed=5), [1.0, -2.0, 0.5])
    zero = Embedding(e.kernel, e.points, np.zeros(len(e.weights)))
    near = size**0.5 * 1e-6  # a distance is the root of a difference of sums of size `size`: sqrt(eps) of their root
    for left, right in [
        (e + f, f + e),
        ((e + f) + g, e + (f + g)),
        (2 * (e + f), 2 * e + 2 * f),
        ((2 + 3) * e, 2 * e + 3 * e),
        (2 * (3 * e), 6 * e),
        (e + zero, e),
        (e - f, e + (-1) * f),
        (-e, -1 * e),
    ]:
        assert left.distance(right) <= near
    assert (e - f).distance(f - e) == pytest.approx(2 * e.distance(f), abs=near)


@every_kernel
def test_what_is_taken_away_is_gone_exactly(row):
    e, f, _ = pair(row)
    assert (e - e).norm() == 0 == e.distance(e)
    assert np.array_equal(((e + f) - f).weights[: len(e.weights)], e.weights)
    assert np.array_equal((3 * e - 2 * e).points, e.points)


@every_kernel
def test_norm_distance_and_their_inequalities(row):
    e, f, size = pair(row)
    slack = 100 * EPS * size
    assert e.norm() ** 2 == pytest.approx(e.inner(e), rel=1e-12, abs=slack)
    assert e.distance(f) ** 2 == pytest.approx(e.inner(e) - 2 * e.inner(f) + f.inner(f), rel=0, abs=slack)
    assert abs(e.inner(f)) <= e.norm() * f.norm() + slack  # Cauchy and Schwarz
    assert (e + f).norm() <= (e.norm() + f.norm()) * (1 + 1e-12)  # the triangle's
    assert (-3 * e).norm() == pytest.approx(3 * e.norm(), rel=1e-12)


@every_kernel
def test_the_reproducing_property(row):
    e, _, size = pair(row)
    Y = row.data(7, seed=9)
    values = [e.inner(Embedding(e.kernel, y[None], [1.0])) for y in Y]
    np.testing.assert_allclose(e(Y), values, rtol=0, atol=100 * EPS * size)
    np.testing.assert_allclose(e(Y), e.weights @ e.kernel(e.points, Y), rtol=0, atol=100 * EPS * size)
    # |e(y)| <= |e| sqrt(k(y, y))
    assert (np.abs(e(Y)) <= e.norm() * np.sqrt(e.kernel.diagonal(Y)) + 100 * EPS * size).all()


@pytest.mark.thorough(default=["variance-*", "*-gaussian"])
@every_closed_form
@pytest.mark.parametrize("covariance", [0.4, [0.4, 0.1, 0.0], FULL], ids=["variance", "variances", "matrix"])
def test_a_shared_covariance_in_each_of_its_forms(row, covariance):
    k, X = drawn(row, 5)
    w = np.array([0.5, -1.0, 0.3, 0.2, 1.1])
    C = FULL if np.ndim(covariance) == 2 else np.eye(3) * covariance
    e = Embedding(k, X, w, covariance)
    one_each = Embedding(k, X, w, np.broadcast_to(C, (5, 3, 3)))
    double = sum(w[i] * w[j] * k.expected(X[i : i + 1], C, X[j : j + 1], C)[0, 0] for i in range(5) for j in range(5))
    size = np.abs(w).sum() ** 2 * k.expected_diagonal(X, C).max()
    assert e.inner(e) == pytest.approx(double, rel=0, abs=100 * EPS * size)
    assert one_each.inner(one_each) == pytest.approx(double, rel=0, abs=100 * EPS * size)
    assert np.array_equal(e.covariance, one_each.covariance)


@every_closed_form
def test_each_point_its_own_covariance(row):
    k, X = drawn(row, 3)
    w, C = np.array([1.0, -0.5, 2.0]), np.stack([FULL, np.zeros((3, 3)), 2 * FULL])
    e = Embedding(k, X, w, C)
    point = Embedding(k, X[:1] + 1, [1.0])
    by_hand = sum(w[i] * k.expected(X[i : i + 1], C[i], X[:1] + 1, None)[0, 0] for i in range(3))
    assert e.inner(point) == pytest.approx(by_hand, rel=1e-12)  # three terms
    assert e(X[:1] + 1)[0] == pytest.approx(by_hand, rel=1e-12)
    np.testing.assert_array_equal(e.covariance, C)


def test_equal_points_with_equal_covariances_stay_two_points():
    e = Embedding(Gaussian(1.0), [[0.0], [0.0]], [1.0, 2.0], np.ones((2, 1, 1)))
    assert e.points.shape == (2, 1)
    np.testing.assert_array_equal(e.weights, [1.0, 2.0])
    assert e.norm() == pytest.approx(3 * (1 / 3) ** 0.25, rel=1e-14)  # 9 |I + 2|^(-1/2)


def test_rounding_below_zero_is_no_distance():
    """The squared distance of one mean to other points is a sum of terms of size 1, and may fall below 0."""
    X = np.random.default_rng(3).normal(size=(30, 2))
    halves = Embedding(Gaussian(1.0), np.concatenate([X, X + 1e-9]), np.full(60, 1 / 60))
    assert halves.distance(Embedding(Gaussian(1.0), X, np.full(30, 1 / 30))) < 1e-7


def test_the_linear_distance_is_the_distance_of_the_means():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(12, 3)), rng.normal(1, 2, size=(7, 3))
    e, f = Embedding(Linear(), X, np.full(12, 1 / 12)), Embedding(Linear(), Y, np.full(7, 1 / 7), 5.0)
    assert e.distance(f) == pytest.approx(np.linalg.norm(X.mean(0) - Y.mean(0)), rel=1e-12)


def test_the_delta_embedding_is_the_table_of_probabilities():
    X = ["sun", "rain", "sun", "snow", "sun"]
    e = Embedding(Delta(), X, np.full(5, 0.2))
    np.testing.assert_allclose(e(["sun", "rain", "snow", "hail"]), [0.6, 0.2, 0.2, 0.0], rtol=1e-15)
    assert e.norm() ** 2 == pytest.approx(0.6**2 + 0.2**2 + 0.2**2, rel=1e-14)


def test_two_kernels_that_differ_are_named_with_the_way_out():
    rng = np.random.default_rng(0)
    e, f = (Embedding(Gaussian(), rng.normal(size=(5, 2)), np.full(5, 0.2)) for _ in range(2))
    for act in (lambda: e + f, lambda: e - f, lambda: e.inner(f), lambda: e.distance(f)):
        with pytest.raises(ValueError, match=naming("kernels")) as refused:
            act()
        assert repr(e.kernel) in str(refused.value)
        assert repr(f.kernel) in str(refused.value)
        assert "k = k.select(np.concatenate([X, Y]))" in str(refused.value)


def test_two_dimensions_that_differ_are_refused():
    with pytest.raises(ValueError, match=naming("2", "1")):
        Embedding(Linear(), [[1.0, 2.0]], [1.0]).inner(Embedding(Linear(), [[1.0]], [1.0]))


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (TypeError, "kernel", (Gaussian, [[0.0]], [1.0])),
        (ValueError, "weights (2,)", (Linear(), [[0.0]], [1, 2])),
        (ValueError, "weights 1 NaN", (Linear(), [[0.0]], [np.nan])),
        (ValueError, "covariance -1", (Linear(), [[0.0]], [1.0], -1.0)),
        (ValueError, "covariance symmetric", (Linear(), [[0.0, 0.0]], [1.0], [[1.0, 0.5], [0.0, 1.0]])),
        (ValueError, "covariance shape", (Linear(), [[0.0, 0.0]], [1.0], [1.0, 2.0, 3.0])),
        (ValueError, "covariance 2 1", (Linear(), [[0.0]], [1.0], np.ones((2, 1, 1)))),
        (ValueError, "rows", (Linear(), [[0.0, 0.0]], [1.0], [[1.0], [1.0, 2.0]])),
    ],
)
def test_bad_arguments_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=naming(*said.split())):
        Embedding(*arguments)


def test_a_kernel_of_labels_takes_point_masses_only():
    with pytest.raises(ValueError, match=naming("Delta()", "categories")):
        Embedding(Delta(), [[0.0]], [1.0], 1.0).norm()


def test_a_gram_matrix_that_is_none_has_no_norm():
    with pytest.raises(ValueError, match=naming("-2", "semi-definite")):
        Embedding(Precomputed.trusted([[0.0, 1.0], [1.0, 0.0]]), [0, 1], [1.0, -1.0]).norm()


def test_an_embedding_does_not_change():
    X, w = np.zeros((2, 1)), np.ones(2)
    e = Embedding(Gaussian(1.0), X, w)
    before = e.key
    X[:], w[:] = 1.0, 2.0
    assert e.key == before
    for array in (e.points, e.weights, e.blocks[0].points, e.blocks[0].weights, (2 * e).blocks[0].weights):
        assert not array.flags.writeable
    with pytest.raises(TypeError, match=naming("Embedding", "new")):
        e.weights = [1.0, 1.0]
    with pytest.raises(TypeError, match=naming("Embedding", "new")):
        e.kernel = Linear()


@pytest.mark.parametrize("factor", [True, "2", 1j, np.complex128(1j), [1.0]], ids=repr)
def test_only_real_numbers_scale(factor):
    with pytest.raises(TypeError):
        Embedding(Linear(), [[1.0]], [1.0]) * factor


@pytest.mark.parametrize("factor", [np.inf, np.nan])
def test_only_finite_numbers_scale(factor):
    with pytest.raises(ValueError, match=naming("finite")):
        factor * Embedding(Linear(), [[1.0]], [1.0])


@pytest.mark.parametrize(
    "two", [2, 2.0, np.float64(2), np.float32(2), np.int32(2), Fraction(2)], ids=lambda n: type(n).__name__
)
def test_numbers_scale_from_both_sides(two):
    e = Embedding(Linear(), [[1.0], [3.0]], [1.0, -0.5])
    assert two * e == e * two == Embedding(Linear(), [[1.0], [3.0]], [2.0, -1.0])
    assert e / two == Embedding(Linear(), [[1.0], [3.0]], [0.5, -0.25])
    assert isinstance(two * e, Embedding)


def test_embeddings_add_up():
    """sum() begins with the number 0."""
    e, f = Embedding(Linear(), [[1.0]], [1.0]), Embedding(Linear(), [[3.0]], [0.5])
    assert sum([e, f]) == e + f
    assert sum([e, f]) / 2 == 0.5 * (e + f)
    assert np.float64(0) + e == e + 0 == e - 0 == e
    assert 0 - e == -e


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda e: e + 1, "Embedding 1 KME(kernel).embed(X)"),
        (lambda e: e - 1.5, "Embedding 1.5"),
        (lambda e: 1 + e, "Embedding 1"),
        (lambda e: 1 - e, "Embedding 1"),
        (lambda e: np.float64(1) + e, "Embedding"),
        (lambda e: np.ones(2) + e, "ndarray"),
        (lambda e: False + e, "False"),
        (lambda e: e + {}, "dict"),
        (lambda e: e * e, "e.inner(f)"),
        (lambda e: np.ones(2) * e, "real ndarray"),
        (lambda e: e / e, "real Embedding"),
        (lambda e: e / True, "real True"),
        (lambda e: e.inner(1), "Embedding int"),
        (lambda e: e.distance([1.0]), "list"),
    ],
)
def test_what_is_no_vector_and_no_number_is_said(act, said):
    with pytest.raises(TypeError, match=naming(*said.split())):
        act(Embedding(Linear(), [[1.0]], [1.0]))


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda e: e / 0, "0 finite"),
        (lambda e: e / np.float64(0), "0 finite"),
        (lambda e: e / np.inf, "inf 0"),
        (lambda e: 1e300 * e, "1e+300 weights"),
        (lambda e: e / 1e-300, "1e-300 weights"),
        (lambda e: 10**400 * e, "float"),
    ],
)
def test_a_number_too_large_or_zero_is_said(act, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        act(Embedding(Linear(), [[1.0]], [1e10]))


KEPT = {
    "points": Embedding(Gaussian(1.3), [[0.1, 0.2], [0.3, 0.4]], [0.5, -1 / 3]),
    "shared covariance": Embedding(Gaussian(1.3), [[0.1, 0.2], [0.3, 0.4]], [0.5, -1 / 3], [[0.5, 0.1], [0.1, 0.3]]),
    "own covariances": Embedding(Gaussian(1.3), [[0.1], [0.3]], [0.5, 2.0], [[[0.5]], [[0.25]]]),
    "points and a law": Embedding(Linear(), [[0.1], [0.3]], [0.5, 2.0]) - Embedding(Linear(), [[1.0]], [1.0], 2.0),
    "two samples": Embedding(Linear(), [[0.1], [0.3]], [0.5, 2.0]) + Embedding(Linear(), [[0.2]], [1.0]),
    "strings": Embedding(Delta(), ["sun", "rain"], [0.5, 0.5]),
}


@pytest.mark.parametrize("e", KEPT.values(), ids=KEPT)
def test_pickle_and_printed_code_rebuild_it(e):
    for again in (pickle.loads(pickle.dumps(e)), eval(code(e), dict(PUBLIC))):
        assert again == e
        assert hash(again) == hash(e)
        assert [len(b.weights) for b in again.blocks] == [len(b.weights) for b in e.blocks]


finite = st.floats(-5, 5, allow_subnormal=False)
quick = settings(deadline=None, derandomize=True, max_examples=60)


@st.composite
def embeddings(draw):
    n = draw(st.integers(1, 5))
    points = draw(st.lists(st.tuples(finite, finite), min_size=n, max_size=n))
    weights = draw(st.lists(finite, min_size=n, max_size=n))
    covariance = draw(st.sampled_from([None, 0.0, 0.7, [0.2, 0.0], [[1.0, 0.5], [0.5, 1.0]]]))
    return Embedding(Gaussian(0.9), points, weights, covariance)


@quick
@given(embeddings(), embeddings(), embeddings())
def test_distance_is_a_metric(e, f, g):
    # |weights| <= 5, five points each: squares up to 625 err by 1e-13 or so, distances by its root
    tiny = 1e-5
    assert e.distance(f) == pytest.approx(f.distance(e), abs=tiny)
    assert e.distance(g) <= e.distance(f) + f.distance(g) + tiny
    assert e.distance(e) == 0


@quick
@given(embeddings(), embeddings(), finite)
def test_parallelogram_law_and_homogeneity(e, f, a):
    left = (e + f).norm() ** 2 + (e - f).norm() ** 2
    assert left == pytest.approx(2 * e.norm() ** 2 + 2 * f.norm() ** 2, rel=1e-10, abs=1e-10)
    assert (a * e).norm() == pytest.approx(abs(a) * e.norm(), rel=1e-6, abs=1e-6)  # roots of cancelling sums


@quick
@given(embeddings())
def test_values_are_inner_products(e):
    y = np.array([[0.3, -0.2]])
    assert e(y)[0] == pytest.approx(e.inner(Embedding(e.kernel, y, [1.0])), rel=1e-12, abs=1e-12)


def test_its_code_is_printed_where_it_just_fits():
    e = Embedding(Linear(), [[1.0]], [0.5]) + Embedding(Linear(), [[1.0]], [0.25], 2.0)
    whole = code(e)
    assert short_repr(e, len(whole)) == whole
    assert short_repr(e, len(whole) - 1) != whole


def test_slopes_in_parts_are_those_of_the_values(monkeypatch):
    k, (X, Y) = Gaussian(0.8), np.random.default_rng(0).normal(size=(2, 7, 2))
    e = Embedding(k, X, np.arange(7.0) - 2) - Embedding(k, X[:3], [0.3, 0.2, 0.5], 0.4)
    step = 1e-5 * np.eye(2)
    slopes = np.stack([(e(Y + h) - e(Y - h)) / 2e-5 for h in step], axis=1)
    for most in (1, 28, 10**6):
        monkeypatch.setattr(forms, "SLOPES", most)
        np.testing.assert_allclose(forms.gradient_at(k, e.blocks, Y), slopes, atol=1e-8)


def test_two_groups_of_multiples_are_joined_and_the_others_stay_alone():
    X, C = np.zeros((2, 2)), [np.eye(2), np.diag([1.0, 2.0]), np.diag([1.0, 3.0])]
    blocks = [Block(X, np.full(2, s), s * S) for S in C for s in (1.0, 2.0)]
    joined = join_scales(blocks)
    assert [len(each.scales) for each in joined] == [2, 2, 1, 1]
    k, Y = Gaussian(0.7), np.random.default_rng(0).normal(size=(5, 2))
    expected = sum(k.expected(Y, None, X, b.covariance) @ b.weights for b in blocks)
    np.testing.assert_allclose(forms.values_at(k, blocks, Y), expected, rtol=1e-12)
