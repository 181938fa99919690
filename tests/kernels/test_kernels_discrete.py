"""Kernels on labels and on row numbers."""

import itertools
import pickle

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Delta, Energy, Precomputed, hsic, mmd2

GRAM = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 1.0]])


def test_delta_is_equality():
    np.testing.assert_array_equal(Delta()([1, 2, 1]), [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    np.testing.assert_array_equal(Delta()(["rain", "sun"], ["sun", "snow", "rain"]), [[0, 0, 1], [1, 0, 0]])


def test_delta_compares_whole_rows():
    X = [["a", "x"], ["a", "y"], ["a", "x"]]
    np.testing.assert_array_equal(Delta()(X), [[1, 0, 1], [0, 1, 0], [1, 0, 1]])


def test_strings_in_an_object_column_are_categories_too():
    """pandas passes such arrays."""
    X = np.array(["rain", "sun", "rain"], dtype=object)
    np.testing.assert_array_equal(Delta()(X), Delta()(["rain", "sun", "rain"]))


def test_truth_values_are_categories():
    np.testing.assert_array_equal(Delta()([True, False, True]), [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    np.testing.assert_array_equal(Delta()([True, False], [1, 0]), np.eye(2))
    np.testing.assert_array_equal(Delta()([["a", True], ["a", False]], [["a", True]]), [[1.0], [0.0]])


def test_a_number_beside_words_is_one_category_however_it_is_written():
    np.testing.assert_array_equal(Delta()([["a", 1], ["b", 2]], [["a", 1.0], ["b", 1]]), [[1, 0], [0, 0]])


def test_a_word_is_no_number():
    np.testing.assert_array_equal(Delta()(["1", "2"], [1, 2]), np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("bad", "wrong"), [(np.full((2, 2, 2), "a"), ("dimensions", "categories")), ([], ("no rows",))]
)
def test_delta_refuses_what_is_no_list_of_labels(bad, wrong):
    with pytest.raises(ValueError, match=naming(*wrong)):
        Delta()(bad)


def test_precomputed_picks_rows():
    k = Precomputed(GRAM)
    np.testing.assert_array_equal(k([0, 1, 2]), GRAM)
    np.testing.assert_array_equal(k([2, 0], [1]), [[-1.0], [1.0]])
    np.testing.assert_array_equal(k.diagonal([1, 1, 2]), [3.0, 3.0, 1.0])


@pytest.mark.parametrize("rows", [[3], [-1], [0.5], [[0, 1]]])
def test_row_numbers_are_row_numbers(rows):
    with pytest.raises(ValueError, match=naming("X", "0", "2")):
        Precomputed(GRAM)(rows)


@pytest.mark.parametrize(
    ("gram", "said"),
    [
        (GRAM[:2], "square"),
        (np.zeros((0, 0)), "square"),
        (GRAM + np.triu(GRAM, 1), "symmetric"),
        ([[1.0, np.nan], [0.0, 1.0]], "NaN"),
    ],
)
def test_a_gram_matrix_is_square_symmetric_and_finite(gram, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        Precomputed(gram)


@pytest.mark.parametrize(
    ("gram", "said"),
    [
        (
            [[1.0, 2.0], [2.0, 1.0]],
            "-1 3 eigenvalue",
        ),
        (-np.eye(3), "eigenvalue -1"),
        (GRAM - 0.6 * np.eye(3), "Precomputed.gram -0.132 3.28"),
        (np.eye(50) - 1.000001 / 50, "-1e-06 1"),
    ],
)
def test_a_matrix_that_no_kernel_has_is_refused(gram, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        Precomputed(gram)


def test_singular_gram_matrices_pass_for_all_their_rounding():
    for seed, rank in itertools.product(range(5), (1, 3, 40)):
        F = np.random.default_rng(seed).normal(size=(60, rank)) * np.geomspace(1e-8, 1e8, 60)[:, None]
        Precomputed(F @ F.T)
    Precomputed(np.zeros((3, 3)))
    Precomputed(np.ones((200, 200)))


def test_no_test_works_on_a_matrix_that_no_kernel_has():
    """On one the HSIC was .54 and its correlation of ranks .94, whatever that is."""
    rows = np.arange(8)
    bad = np.random.default_rng(0).normal(size=(8, 8))
    for statistic in (hsic, mmd2):
        with pytest.raises(ValueError, match=naming("Precomputed.gram", "eigenvalue")):
            statistic(rows, rows, Precomputed(bad + bad.T), Precomputed(np.eye(8)))


def test_a_trusted_matrix_is_the_same_value():
    k = Precomputed.trusted(GRAM)
    assert k == Precomputed(GRAM) == pickle.loads(pickle.dumps(k)) == k.replace()
    assert Precomputed.trusted(-GRAM)([0]) == [[-2.0]]  # its maker answers for it
    with pytest.raises(ValueError, match=naming("symmetric")):
        Precomputed.trusted([[1.0, 2.0], [0.0, 1.0]])


def test_precomputed_keeps_its_own_copy():
    gram = GRAM.copy()
    k = Precomputed(gram)
    gram[:] = 0
    np.testing.assert_array_equal(k([0, 1, 2]), GRAM)
    k([0, 1, 2])[:] = 0
    np.testing.assert_array_equal(k([0, 1, 2]), GRAM)


def test_a_matrix_of_distances_is_told_from_a_kernels_and_compares_as_energy_does():
    x = np.random.default_rng(0).normal(size=(14, 1))
    D = np.abs(x - x.T)
    with pytest.raises(ValueError, match=naming("distances", "Precomputed.of_distances(gram)")):
        Precomputed(D)
    kernel, rows = Precomputed.of_distances(D), np.arange(14)
    for statistic in ("biased", "unbiased"):
        right = mmd2(x[:6], x[6:], Energy(), statistic)
        assert mmd2(rows[:6], rows[6:], kernel, statistic) == pytest.approx(right, abs=1e-13)  # rounding of sums near 1
    assert not Precomputed(np.zeros((3, 3))).gram.any()  # all points are one: no distances


@pytest.mark.parametrize(
    ("distances", "said"),
    [
        ([[0.0, 1.0], [2.0, 0.0]], "symmetric"),
        ([[0.0, 1.0]], "symmetric"),
        ([[1.0, 1.0], [1.0, 0.0]], "0 itself"),
        ([[0.0, -1.0], [-1.0, 0.0]], "0 below"),
        # not a triangle: 3 > 1 + 1, also not as squares of distances
        ([[0.0, 1.0, 9.0], [1.0, 0.0, 1.0], [9.0, 1.0, 0.0]], "eigenvalue"),
    ],
)
def test_what_is_no_matrix_of_distances_is_a_sentence(distances, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        Precomputed.of_distances(distances)
