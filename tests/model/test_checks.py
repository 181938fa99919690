"""Every refusal is a sentence: what was given, the limit, what to do."""

import numpy as np
import pandas as pd
import pytest
import xarray
from scipy.sparse import csr_array, csr_matrix

from explorer import KME, Delta, Gaussian, Precomputed, Subsequence, checks, mmd2, mmd_test

NUMBERS = [
    (ValueError, [1.0, np.nan, np.inf], r"X has 2 values that are NaN or infinite, the first at index \(1,\); drop or"),
    (ValueError, [[0.0, -np.inf]], r"X has 1 value that is NaN or infinite, at index \(0, 1\); drop or fill that row"),
    (TypeError, ["a", "b"], r"X holds str\d+ values; give numbers only"),
    (TypeError, ["1", "2"], r"X holds str\d+ values"),
    (TypeError, [b"1"], r"X holds bytes\d+ values"),
    (TypeError, [True, False], r"X holds bool values"),
    (TypeError, [1j], r"X holds complex128 values"),
    (TypeError, np.array(["2020-01-01"], dtype="datetime64[D]"), r"X holds datetime64\[D\] values"),
    (TypeError, [1.0, "a", {}], r"X holds"),
    (TypeError, [{}, 1.0], r"X holds values that are not numbers"),
    (TypeError, np.array(["1.5", 2.0], dtype=object), r"X holds values that are not numbers"),
    (TypeError, np.array([True, 2.0], dtype=object), r"X holds values that are not numbers"),
    (TypeError, object(), r"X is of type object; give a list, an array or a table"),
    (ValueError, np.array([1.0, None], dtype=object), r"X has 1 value that is NaN"),
    (ValueError, [[1.0], [1.0, 2.0]], r"X has rows of different lengths; give every row the same number of columns"),
    (ValueError, [10**400], r"X holds|X has"),
    (ValueError, np.ma.masked_array([1.0, 2.0], mask=[False, True]), r"X has masked values, the first at index \(1,\)"),
    (TypeError, None, r"X is None; give a list, an array or a table"),
    (TypeError, "hello", r"X holds one text, 'hello'; give numbers, or a list of words where words are taken"),
    (
        TypeError,
        {"a": [1.0], "b": [1.0, 2.0]},
        r"X is of type dict; give it columns of one length",
    ),
    (TypeError, {1.0}, r"X is of type set; it has no order: give sorted\(X\)"),
    (TypeError, iter([1.0]), r"X is of type list_iterator; give list\(X\)"),
    (TypeError, (x for x in [1.0]), r"X is of type generator; give list\(X\)"),
    (TypeError, {"a": 1.0}.values(), r"X is of type dict_values; give list\(X\)"),
    (TypeError, csr_array(np.eye(2)), r"X is of type csr_array; a sparse matrix: give X\.toarray\(\)"),
    (TypeError, csr_matrix(np.eye(2)), r"X is of type csr_matrix; a sparse matrix: give X\.toarray\(\)"),
    (
        TypeError,
        pd.DataFrame({"a": [1], "b": ["x"], "c": [True]}),
        r"X has columns that hold no numbers: b, c; leave them out, as in X\[\['a'\]\]",
    ),
    (TypeError, Gaussian(), r"X is of type Gaussian; give a list, an array or a table"),
]


@pytest.mark.parametrize(("error", "bad", "said"), NUMBERS, ids=[said for _, _, said in NUMBERS])
def test_what_is_no_array_of_numbers(error, bad, said):
    for check in (checks.numbers, checks.sample):
        with pytest.raises(error, match=said):
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
        (None, "X is None; give"),
        (csr_array(np.eye(2)), r"give X\.toarray\(\)"),
        ({"a": [1.0], "b": [1.0, 2.0]}, "X is of type dict; give"),
    ],
    ids=["none", "sparse", "dict"],
)
def test_every_door_says_what_it_was_given(door, bad, said):
    with pytest.raises(TypeError, match=said):
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
        (TypeError, ["a", None], "X holds None, which is no category; give words, numbers or truth values"),
        (TypeError, pd.Series(["a", np.nan], dtype=object), "X holds nan, which is no category"),
        (ValueError, [True, np.nan], r"X has 1 value that is NaN or infinite, at index \(1,\)"),
        (ValueError, np.ma.masked_array([1, 2], mask=[False, True]), r"X has masked values, the first at index \(1,\)"),
        (ValueError, np.ma.masked_array(["a", "b"], mask=[False, True]), r"X has masked values"),
        (TypeError, [{}, True], "X holds values that are not numbers"),
        (TypeError, "rain", "X holds one text, 'rain'"),
    ],
)
def test_what_is_no_category(error, bad, said):
    with pytest.raises(error, match=said):
        checks.labels(bad)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([], "X has no rows; at least 1 is needed here"),
        (np.zeros((0, 3)), "X has no rows"),
        (np.zeros((3, 0)), "X has no columns; give at least one coordinate"),
        (1.0, r"X is one number, 1; give points as rows of an \(n, d\) array"),
        (np.zeros((2, 2, 2)), "X has 3 dimensions"),
    ],
)
def test_what_is_no_sample(bad, said):
    with pytest.raises(ValueError, match=said):
        checks.sample(bad, "X")


def test_too_few_rows_are_counted():
    with pytest.raises(ValueError, match="Z has 1 row; at least 2 are needed here"):
        checks.sample([[1.0, 2.0]], "Z", at_least=2)
    with pytest.raises(ValueError, match="Z has 3 rows; at least 4 are needed here"):
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
    with pytest.raises(ValueError, match="A has 2 columns and B has 3; both need the same coordinates"):
        checks.same_dimension(np.zeros((1, 2)), np.zeros((1, 3)), ("A", "B"))


def test_weights_are_one_for_each_point():
    np.testing.assert_array_equal(checks.weights([1, -2], 2), [1.0, -2.0])
    for bad in ([1.0], [[1.0, 2.0]], 1.0):
        with pytest.raises(ValueError, match="give one number for each of the 2 points"):
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
        (-1.0, "C has the eigenvalue -1; a covariance has none below 0"),
        ([1.0, -1e-3], "C has the eigenvalue -0.001"),
        ([1e12, -1.0], "C has the variance -1; a covariance has none below 0"),
        ([[0.0, 1.0], [1.0, 0.0]], "C has the eigenvalue -1"),
        ([[1.0, 0.1], [0.0, 1.0]], "C is not symmetric"),
        ([1.0, 2.0, 3.0], r"C has shape \(3,\); give a variance, 2 variances or a \(2, 2\) matrix"),
        (np.nan, "C has 1 value that is NaN"),
    ],
)
def test_what_is_no_covariance(bad, said):
    with pytest.raises(ValueError, match=said):
        checks.covariance(bad, 2, "C")


def test_singular_covariances_pass_for_all_their_rounding():
    for seed in range(20):
        G = np.random.default_rng(seed).normal(size=(20, 7)) * 1e3
        S = checks.covariance(G @ G.T, 20)
        assert np.array_equal(S, S.T)


@pytest.mark.parametrize("bad", [True, np.True_, 1.0, "1", None])
def test_a_count_is_a_whole_number(bad):
    with pytest.raises(TypeError, match="count must be a whole number, not"):
        checks.whole(bad, "count")


def test_a_count_has_a_least_value():
    assert type(checks.whole(np.int64(3), "count")) is int
    with pytest.raises(ValueError, match="count must be at least 2, not 1"):
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
    with pytest.raises(ValueError, match=r"missing values, the first in row 2 .* column 'a'.*X.dropna\(\)"):
        checks.sample(frame)
    assert checks.sample(frame.dropna()).tolist() == [[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]


def test_fields_of_a_structured_array_are_columns():
    array = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", int), ("b", float)])
    assert checks.sample(array).tolist() == [[1.0, 2.5], [3.0, 4.5]]
    worded = np.array([(1, "u"), (3, "v")], dtype=[("a", int), ("w", "U1")])
    with pytest.raises(TypeError, match=r"fields that hold no numbers: w; give the others, as in X\[\['a'\]\]"):
        checks.sample(worded)
    assert checks.sample(worded[["a"]]).tolist() == [[1.0], [3.0]]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_whole_numbers_that_no_float_holds_are_refused_and_others_kept(dtype):
    large = np.arange(4, dtype=dtype) + 2**60
    with pytest.raises(ValueError, match=r"beyond 2\^53.*subtract the same constant"):
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
