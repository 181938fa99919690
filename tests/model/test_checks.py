"""Every refusal is a sentence: what was given, the limit, what to do."""

import numpy as np
import pandas as pd
import pytest
import xarray
from helpers.naming import naming
from scipy.sparse import csr_array, csr_matrix

from explorer import KME, Delta, Gaussian, Precomputed, Subsequence, checks, mmd2, mmd_test

NUMBERS = [
    (ValueError, [1.0, np.nan, np.inf], "X 2 NaN (1,)"),
    (ValueError, [[0.0, -np.inf]], "X 1 NaN (0, 1)"),
    (TypeError, ["a", "b"], "X numbers"),
    (TypeError, ["1", "2"], "X numbers"),
    (TypeError, [b"1"], "X numbers"),
    (TypeError, [True, False], "X bool"),
    (TypeError, [1j], "X complex128"),
    (TypeError, np.array(["2020-01-01"], dtype="datetime64[D]"), "X datetime64[D]"),
    (TypeError, [1.0, "a", {}], "X"),
    (TypeError, [{}, 1.0], "X"),
    (TypeError, np.array(["1.5", 2.0], dtype=object), "X"),
    (TypeError, np.array([True, 2.0], dtype=object), "X"),
    (TypeError, object(), "X object"),
    (ValueError, np.array([1.0, None], dtype=object), "X 1 NaN"),
    (ValueError, [[1.0], [1.0, 2.0]], "X rows lengths"),
    (ValueError, [10**400], r"X float rescale"),
    (ValueError, np.ma.masked_array([1.0, 2.0], mask=[False, True]), "X masked (1,)"),
    (TypeError, None, "X None"),
    (TypeError, "hello", "X 'hello'"),
    (
        TypeError,
        {"a": [1.0], "b": [1.0, 2.0]},
        "X dict",
    ),
    (TypeError, {1.0}, "X set sorted(X)"),
    (TypeError, iter([1.0]), "X list_iterator list(X)"),
    (TypeError, (x for x in [1.0]), "X generator list(X)"),
    (TypeError, {"a": 1.0}.values(), "X dict_values list(X)"),
    (TypeError, csr_array(np.eye(2)), "X csr_array X.toarray()"),
    (TypeError, csr_matrix(np.eye(2)), "X csr_matrix X.toarray()"),
    (
        TypeError,
        pd.DataFrame({"a": [1], "b": ["x"], "c": [True]}),
        "X b c X[['a']]",
    ),
    (TypeError, Gaussian(), "X Gaussian"),
]


@pytest.mark.parametrize(("error", "bad", "said"), NUMBERS, ids=[said for _, _, said in NUMBERS])
def test_what_is_no_array_of_numbers(error, bad, said):
    for check in (checks.numbers, checks.sample):
        with pytest.raises(error, match=naming(*said.split())):
            check(bad, "X")


DOORS = {
    "a kernel": lambda X: Gaussian(1.0)(X),
    "an estimate": lambda X: KME(Delta()).embed(X),
    "row numbers": lambda X: Precomputed(np.eye(2)).diagonal(X),
    "strings": lambda X: Subsequence()(X),
    "two samples": lambda X: mmd2(X, [1.0, 2.0], Gaussian(1.0)),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (None, "X None"),
        (csr_array(np.eye(2)), "X X.toarray()"),
        ({"a": [1.0], "b": [1.0, 2.0]}, "X dict"),
    ],
    ids=["none", "sparse", "dict"],
)
def test_every_door_says_what_it_was_given(door, bad, said):
    with pytest.raises(TypeError, match=naming(*said.split())):
        door(bad)


@pytest.mark.parametrize(
    ("given", "labels"),
    [
        ([True, False], [[1.0], [0.0]]),
        (np.array([[True, False]]), [[1.0, 0.0]]),
        ([True, 2.0], [[1.0], [2.0]]),
        (np.array([True, 2], dtype=object), [[1.0], [2.0]]),
        ([["a", 1], ["b", 1.0]], [["a", "1.0"], ["b", "1.0"]]),
        (pd.DataFrame({"word": ["a", "b"], "flag": [True, False]}), [["a", "True"], ["b", "False"]]),
        (pd.DataFrame({"flag": [True, False]}), [[1.0], [0.0]]),
        (pd.Series(["a", "b"], dtype="category"), [["a"], ["b"]]),
        (np.array(["a", "b"]), [["a"], ["b"]]),
    ],
)
def test_categories_are_numbers_or_words(given, labels):
    assert checks.labels(given).tolist() == labels


@pytest.mark.parametrize(
    ("error", "bad", "said"),
    [
        (TypeError, ["a", None], "X None"),
        (TypeError, pd.Series(["a", np.nan], dtype=object), "X nan"),
        (ValueError, [True, np.nan], "X 1 NaN (1,)"),
        (ValueError, np.ma.masked_array([1, 2], mask=[False, True]), "X masked (1,)"),
        (ValueError, np.ma.masked_array(["a", "b"], mask=[False, True]), "X masked"),
        (TypeError, [{}, True], "X"),
        (TypeError, "rain", "X 'rain'"),
    ],
)
def test_what_is_no_category(error, bad, said):
    with pytest.raises(error, match=naming(*said.split())):
        checks.labels(bad)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([], "X rows 1"),
        (np.zeros((0, 3)), "X rows"),
        (np.zeros((3, 0)), "X columns"),
        (1.0, "X 1 (n, d)"),
        (np.zeros((2, 2, 2)), "X 3 dimensions"),
    ],
)
def test_what_is_no_sample(bad, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        checks.sample(bad, "X")


def test_too_few_rows_are_counted():
    with pytest.raises(ValueError, match=naming("Z", "1", "2")):
        checks.sample([[1.0, 2.0]], "Z", at_least=2)
    with pytest.raises(ValueError, match=naming("Z", "3", "4")):
        checks.sample([1.0, 2.0, 3.0], "Z", at_least=4)


@pytest.mark.parametrize(
    "good",
    [
        pd.DataFrame({"a": [1, 2.0]}, dtype=object),
        [1, 2],
        (1.0, 2.0),
        np.array([1, 2], np.uint8),
        np.array([1, 2.0], object),
        np.float32([1, 2]),
        range(1, 3),
    ],
    ids=repr,
)
def test_whatever_holds_numbers_becomes_one_column_of_float64(good):
    X = checks.sample(good)
    assert X.dtype == np.float64
    np.testing.assert_array_equal(X, [[1.0], [2.0]])


def test_a_table_of_numbers_kept_as_objects_is_one_of_numbers():
    table = pd.DataFrame({"a": [1, 2.0], "b": [3, 4]}, dtype=object)
    np.testing.assert_array_equal(checks.sample(table), [[1.0, 3.0], [2.0, 4.0]])


def test_different_dimensions_are_counted():
    with pytest.raises(ValueError, match=naming("A", "2", "B", "3")):
        checks.same_dimension(np.zeros((1, 2)), np.zeros((1, 3)), ("A", "B"))


def test_weights_are_one_for_each_point():
    np.testing.assert_array_equal(checks.weights([1, -2], 2), [1.0, -2.0])
    for bad in ([1.0], [[1.0, 2.0]], 1.0):
        with pytest.raises(ValueError, match=naming("2")):
            checks.weights(bad, 2)


@pytest.mark.parametrize(
    ("given", "matrix"),
    [
        (2.0, [[2, 0], [0, 2]]),
        ([1.0, 3.0], [[1, 0], [0, 3]]),
        ([[1.0, 1.0], [1.0, 1.0]], [[1, 1], [1, 1]]),
        (0.0, [[0, 0], [0, 0]]),
    ],
)
def test_a_covariance_in_its_forms(given, matrix):
    np.testing.assert_array_equal(checks.covariance(given, 2), matrix)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (-1.0, "C -1 0"),
        ([1.0, -1e-3], "C -0.001"),
        ([1e12, -1.0], "C variance -1"),
        ([[0.0, 1.0], [1.0, 0.0]], "C eigenvalue -1"),
        ([[1.0, 0.1], [0.0, 1.0]], "C symmetric"),
        ([1.0, 2.0, 3.0], "C (3,) (2, 2)"),
        (np.nan, "C 1 NaN"),
    ],
)
def test_what_is_no_covariance(bad, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        checks.covariance(bad, 2, "C")


def test_singular_covariances_pass_for_all_their_rounding():
    for seed in range(20):
        G = np.random.default_rng(seed).normal(size=(20, 7)) * 1e3
        S = checks.covariance(G @ G.T, 20)
        assert np.array_equal(S, S.T)


@pytest.mark.parametrize("bad", [True, np.True_, 1.0, "1", None])
def test_a_count_is_a_whole_number(bad):
    with pytest.raises(TypeError, match=naming("count", "whole")):
        checks.whole(bad, "count")


def test_a_count_has_a_least_value():
    assert type(checks.whole(np.int64(3), "count")) is int
    with pytest.raises(ValueError, match=naming("count", "2", "1")):
        checks.whole(1, "count", 2)


def test_read_only_is_a_copy():
    a = np.zeros(3)
    b = checks.read_only(a)
    a[:] = 1
    np.testing.assert_array_equal(b, 0)
    assert not b.flags.writeable


def test_our_warning_is_a_user_warning():
    assert issubclass(checks.ExplorerWarning, UserWarning)


def test_a_gap_of_a_nullable_column_is_named_and_the_advice_helps():
    frame = pd.DataFrame({"a": pd.array([1, 2, None, 4], dtype="Int64"), "b": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(ValueError, match=naming("2", "'a'", "X.dropna()")):
        checks.sample(frame)
    assert checks.sample(frame.dropna()).tolist() == [[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]


def test_fields_of_a_structured_array_are_columns():
    array = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", int), ("b", float)])
    assert checks.sample(array).tolist() == [[1.0, 2.5], [3.0, 4.5]]
    worded = np.array([(1, "u"), (3, "v")], dtype=[("a", int), ("w", "U1")])
    with pytest.raises(TypeError, match=naming("w", "X[['a']]")):
        checks.sample(worded)
    assert checks.sample(worded[["a"]]).tolist() == [[1.0], [3.0]]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_whole_numbers_that_no_float_holds_are_refused_and_others_kept(dtype):
    large = np.arange(4, dtype=dtype) + 2**60
    with pytest.raises(ValueError, match=naming("2^53", "subtract")):
        checks.sample(large)
    assert checks.sample(large - dtype(2**60)).ravel().tolist() == [0.0, 1.0, 2.0, 3.0]
    assert checks.sample(dtype(2) ** np.arange(54, 62, dtype=dtype)).shape == (8, 1)  # each of them is a float


@pytest.mark.parametrize("make", [np.array, lambda value: xarray.DataArray(value), lambda value: np.array(value)[()]])
def test_a_number_in_an_array_without_dimensions_is_the_number(make):
    assert Gaussian(make(1.5)).bandwidth == 1.5
    assert checks.whole(make(3), "n") == 3
    X = np.arange(8.0)
    assert mmd_test(X, X + 1, rng=make(0), n_resamples=19).pvalue == mmd_test(X, X + 1, rng=0, n_resamples=19).pvalue
    with pytest.raises(TypeError):
        Gaussian(np.array([1.5]))
    with pytest.raises(TypeError):
        checks.whole(make(True), "n")
