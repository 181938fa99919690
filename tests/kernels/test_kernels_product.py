"""The product kernel: columns of several kinds, noise that couples factors or does not, and tables with words."""

import pickle
import warnings

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    Delta,
    Embedding,
    Energy,
    Gaussian,
    Laplacian,
    Linear,
    Precomputed,
    Product,
    Subsequence,
    median_bandwidth,
    mmd2,
    mmd_test,
)
from explorer.kernels import bandwidth_selection
from explorer.printing import model_text

EPS = np.finfo(float).eps
MIXED = Product({(0, 2): Gaussian(1.3), 1: Delta(), 3: Laplacian(0.7)})
N = 200_000


def table(n, seed=0):
    """Return two measurements, a category between them, and one more measurement."""
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.normal(size=n), rng.integers(3, size=n), rng.normal(size=n), rng.normal(size=n)])


def words(X):
    """Return the table with its category as words, as an array of objects."""
    rows = np.array(X, dtype=object)
    rows[:, 1] = np.array(["Bonn", "Ulm", "Kiel"])[X[:, 1].astype(int)]
    return rows


def test_it_is_the_product_of_its_factors_on_their_columns():
    X, Y = table(6), table(5, seed=1)
    by_hand = (
        Gaussian(1.3)(X[:, [0, 2]], Y[:, [0, 2]]) * Delta()(X[:, [1]], Y[:, [1]]) * Laplacian(0.7)(X[:, [3]], Y[:, [3]])
    )
    np.testing.assert_array_equal(MIXED(X, Y), by_hand)


def test_gaussian_factors_of_one_bandwidth_are_one_gaussian():
    X, k = table(7), Product({0: Gaussian(1.3), (1, 2): Gaussian(1.3), 3: Gaussian(1.3)})
    np.testing.assert_allclose(k(X), Gaussian(1.3)(X), rtol=0, atol=10 * EPS)


def test_columns_that_no_factor_names_are_not_compared():
    X, k = table(6), Product({2: Gaussian(0.8)})
    np.testing.assert_array_equal(k(X), Gaussian(0.8)(X[:, [2]]))


def test_each_factor_chooses_its_bandwidth_on_its_own_columns_of_both_samples():
    X, Y = table(8), table(9, seed=1)
    chosen = Product({(0, 2): Gaussian(), 1: Delta(), 3: Laplacian()}).select(np.vstack([X, Y]))
    both = np.vstack([X, Y])
    widths = median_bandwidth(both[:, [0, 2]]), median_bandwidth(both[:, [3]], "cityblock")
    assert chosen == Product({(0, 2): Gaussian(widths[0]), 1: Delta(), 3: Laplacian(widths[1])})
    assert (
        mmd_test(X, Y, Product({(0, 2): Gaussian(), 1: Delta(), 3: Laplacian()}), n_resamples=9, rng=0).kernel == chosen
    )


def test_more_points_than_memory_for_their_distances_choose_a_bandwidth_on_some(monkeypatch):
    monkeypatch.setattr(bandwidth_selection, "LARGE", 40)
    with pytest.warns(UserWarning, match=naming("40", "60")):
        bandwidth_selection.select(Product({0: Gaussian(), 1: Delta()}), table(60))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bandwidth_selection.select(MIXED, table(60)) == MIXED


# a table with words


def test_words_are_categories_wherever_their_codes_are():
    X, Y = table(12), table(10, seed=1)
    for k in (MIXED, Product({(0, 2): Gaussian(), 1: Delta(), 3: Laplacian()})):
        np.testing.assert_array_equal(k(words(X), words(Y)), k(X, Y))
        coded, worded = (mmd_test(A, B, k, n_resamples=49, rng=0) for A, B in ((X, Y), (words(X), words(Y))))
        assert (coded.statistic, coded.pvalue) == (worded.statistic, worded.pvalue)


def test_a_table_as_text_keeps_every_digit_and_is_a_value():
    points = MIXED.points(words(table(9)))
    assert points.dtype.kind == "U"
    np.testing.assert_array_equal(points[:, 0].astype(float), table(9)[:, 0])
    np.testing.assert_array_equal(MIXED.points(points), points)
    e, f = (Embedding(MIXED, words(table(9)), np.full(9, 1 / 9)) for _ in range(2))
    assert e == f
    assert pickle.loads(pickle.dumps(e)) == e
    assert (e - f).norm() == 0


def test_strings_and_rows_of_a_matrix_are_factors_too():
    X = np.array([["exon", 0, 1.5], ["intron", 2, 0.5], ["exons", 1, 0.0]], dtype=object)
    gram = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]])
    k = Product({0: Subsequence(2), 1: Precomputed(gram), 2: Linear(1.0)})
    numbers = X[:, 1:].astype(float)
    by_hand = Subsequence(2)(X[:, 0].astype(str)) * gram[np.ix_([0, 2, 1], [0, 2, 1])] * Linear(1.0)(numbers[:, 1])
    np.testing.assert_array_equal(k(X), by_hand)
    assert Product({0: Product({0: Subsequence(2)}), (1, 2): Delta()}).points(X).shape == (3, 3)


# noise


def loops(k, X, C, Y, D, seed=0):
    """E k(x + u, y + v) by Monte Carlo, and its standard error; only the columns of numbers have noise."""
    rng, d = np.random.default_rng(seed), len(C)
    u, v = rng.multivariate_normal(np.zeros(d), C, N), rng.multivariate_normal(np.zeros(d), D, N)
    x, y = X + u, Y + v
    value = np.ones(N)
    for columns, factor in k.factors:
        a, b = x[:, list(columns)], y[:, list(columns)]
        if isinstance(factor, Gaussian):
            value *= np.exp(-((a - b) ** 2).sum(axis=1) / (2 * factor.bandwidth**2))
        elif isinstance(factor, Laplacian):
            value *= np.exp(-np.abs(a - b).sum(axis=1) / factor.bandwidth)
        else:
            value *= (a == b).all(axis=1)
    return value.mean(), value.std() / np.sqrt(N)


def blocks():
    """Return noise of the columns 0 and 2 together, and of 3 by itself; none of the category."""
    C = np.zeros((4, 4))
    C[np.ix_([0, 2], [0, 2])] = [[0.5, 0.3], [0.3, 0.4]]
    C[3, 3] = 0.6
    return C


def test_independent_noise_of_the_factors_is_exact():
    C, X, Y = blocks(), table(3), table(3, seed=1)
    X[:, 1] = Y[:, 1] = [0, 1, 2]
    exact = MIXED.expected(X, C, Y, 0.5 * C)
    for i in range(3):
        mean, error = loops(MIXED, X[i], C, Y[i], 0.5 * C, seed=i)
        assert abs(mean - exact[i, i]) < 4.5 * error  # P(|z| > 4.5) = 7e-6, and the seeds are fixed
    np.testing.assert_array_equal(exact == 0, ~np.eye(3, dtype=bool))  # categories that differ
    np.testing.assert_allclose(MIXED.expected_diagonal(X, C), 1.0, rtol=0, atol=EPS)


def test_coupled_gaussian_factors_are_one_gaussian_of_scaled_coordinates():
    """E Π is not Π E here; Monte Carlo, and the Gaussian kernel of all coordinates where the bandwidths are equal."""
    C = np.array([[0.5, 0.4, 0.1], [0.4, 0.6, -0.2], [0.1, -0.2, 0.3]])
    X, Y = table(2)[:, [0, 2, 3]], table(2, seed=1)[:, [0, 2, 3]]
    k = Product({0: Gaussian(0.6), 1: Gaussian(1.1), 2: Gaussian(0.9)})
    mean, error = loops(k, X[0], C, Y[0], np.zeros((3, 3)))
    assert abs(mean - k.expected(X, C, Y, None)[0, 0]) < 4.5 * error
    single = [Gaussian(t).expected(X[:, [j]], C[[j]][:, [j]], Y[:, [j]], None) for j, t in enumerate((0.6, 1.1, 0.9))]
    apart = np.prod([K[0, 0] for K in single])
    assert abs(mean - apart) > 20 * error  # the product of expectations is another number
    same = Product({0: Gaussian(0.8), (2, 1): Gaussian(0.8)})
    np.testing.assert_allclose(same.expected(X, C, Y, C), Gaussian(0.8).expected(X, C, Y, C), rtol=1e-13)


def test_noise_without_a_closed_form_is_a_sentence():
    X, zero = table(3), np.zeros((4, 4))
    coupled = blocks()
    coupled[0, 3] = coupled[3, 0] = 0.1
    with pytest.raises(ValueError, match=naming("column", "3", "blocks")):
        MIXED.expected(X, coupled, X, None)
    with pytest.raises(ValueError, match=naming("blocks")):
        MIXED.expected_diagonal(X, coupled)
    with pytest.raises(ValueError, match=naming("Delta()")):
        MIXED.expected(X, np.diag([0.0, 0.1, 0.0, 0.0]), X, None)
    with pytest.raises(ValueError, match=naming("bandwidth", "Gaussian()")):
        Product({0: Gaussian(), 1: Delta()}).expected(X[:, :2], np.diag([1.0, 0.0]), X[:, :2], None)
    np.testing.assert_allclose(MIXED.expected(X, zero, X, zero), MIXED(X), rtol=0, atol=10 * EPS)


def test_an_embedding_takes_noise_on_its_measurements():
    X, C = table(5), blocks()
    e = Embedding(MIXED, X, np.full(5, 0.2), C)
    assert 0 < e.norm() < Embedding(MIXED, X, np.full(5, 0.2)).norm()  # noise widens a distribution


# properties and refusals


def test_characteristic_factors_do_not_suffice():
    """Under Energy x Energy all distributions on the first axis embed as 0, though Energy is characteristic."""
    k = Product({0: Energy(), 1: Energy()})
    axis = np.column_stack([np.arange(1.0, 5.0), np.zeros(4)])
    assert Embedding(k, axis, [1.0, -2.0, 0.5, 0.5]).norm() == 0
    assert not k.characteristic
    assert Product({1: Energy()}).characteristic


def test_the_order_of_the_dict_is_no_part_of_the_kernel():
    assert Product({1: Delta(), 0: Gaussian(1.0)}) == Product({0: Gaussian(1.0), 1: Delta()})
    assert Product({np.int64(0): Delta()}) == Product({(0,): Delta()})
    assert (
        repr(Product({0: Delta(), (2, 1): Gaussian(1.0)}))
        == "Product(factors={0: Delta(), (2, 1): Gaussian(bandwidth=1.0)})"
    )


def test_growth_adds_up():
    assert Product({0: Linear(), 1: Linear(), 2: Gaussian()}).growth == 4
    assert Product({0: Gaussian(), 1: Delta()}).growth == 0


@pytest.mark.parametrize(
    ("factors", "error", "said"),
    [
        ({}, TypeError, "factors dict"),
        (None, TypeError, "factors dict"),
        ({0: "gaussian"}, TypeError, "0 kernel 'gaussian'"),
        ({0: Delta(), (0, 1): Gaussian()}, ValueError, "0 factor"),
        ({(1, 1): Gaussian()}, ValueError, "1 factor"),
        ({-1: Delta()}, TypeError, "column 0"),
        ({"age": Delta()}, TypeError, "column 0"),
        ({True: Delta()}, TypeError, "column 0"),
        ({(): Delta()}, ValueError, "factor column"),
    ],
)
def test_what_makes_no_product_is_a_sentence(factors, error, said):
    with pytest.raises(error, match=naming(*said.split())):
        Product(factors)


@pytest.mark.parametrize(
    ("X", "error", "said"),
    [
        ([[1.0], [2.0]], ValueError, "X 1"),
        (
            [["a", "b"], ["1.5", "b"]],
            TypeError,
            "0 X 'a' Gaussian() Delta()",
        ),
        (np.array([[np.nan, "b"]], dtype=object), ValueError, "X nan"),
        (np.array([[1.0, "b"], [True, "b"]], dtype=object), TypeError, "X True"),
        (np.array([[1.0, "b"], [None, "b"]], dtype=object), TypeError, "X None"),
        ([[np.inf, 1.0]], ValueError, "X NaN"),
        (np.empty((0, 2)), ValueError, "X rows"),
    ],
)
def test_what_is_no_table_of_its_columns_is_a_sentence(X, error, said):
    with pytest.raises(error, match=naming(*said.split())):
        Product({0: Gaussian(), 1: Delta()})(X)


def test_a_sentence_names_its_factors_in_four_digits():
    k = Product({0: Gaussian(1.23456), 1: Delta()})
    assert model_text(k) == "Product(factors={0: Gaussian(bandwidth=1.235), 1: Delta()})"
    assert model_text(Product({j: Delta() for j in range(9)})) == "Product(factors=9 factors)"


def test_a_product_sees_a_difference_in_dependence_alone():
    """Equal marginals; in one sample alone the category depends on the measurement's sign."""
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 400))
    X, Y = np.column_stack([x, x > 0]).astype(float), np.column_stack([y, rng.permutation(y > 0)]).astype(float)
    assert mmd_test(X, Y, Product({0: Gaussian(), 1: Delta()}), n_resamples=199, rng=0).pvalue == 1 / 200
    assert mmd2(X[:, [1]], Y[:, [1]], Delta()) < 0.01
