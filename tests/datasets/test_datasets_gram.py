"""A table that is a Gram matrix: its coordinates have its inner products, and every answer is that of the matrix."""

import io
from time import perf_counter

import numpy as np
import pytest
from helpers.naming import naming

from explorer import FKMSE, SKMSE, Laplacian, Linear, Precomputed, mmd2
from explorer.checks import Refusal
from explorer.datasets import preview_table, read_table, read_tables

RNG = np.random.default_rng(3)
K = Laplacian(1.0)(RNG.normal(size=(12, 2)))


def written(matrix, groups=None):
    names = [f"k{j}" for j in range(len(matrix))]
    rows = [[repr(value) for value in row] for row in matrix.tolist()]
    if groups is not None:
        names, rows = [*names, "group"], [[*row, group] for row, group in zip(rows, groups, strict=True)]
    return "\n".join(map(",".join, [names, *rows])).encode()


def test_inner_products_are_the_files():
    data = read_table(written(K), gram=True)
    assert data.names[:2] == ("axis 1", "axis 2")
    assert np.abs(data.X @ data.X.T - K).max() < 1e-13  # rounding of 12 products about 1
    lengths = np.linalg.norm(data.X, axis=0)
    assert (np.diff(lengths) <= 1e-12).all()
    low_rank = read_table(written(np.outer([1.0, 2, 3], [1, 2, 3])), gram=True)
    assert low_rank.X.ravel() == pytest.approx([1, 2, 3], rel=1e-14)


def test_estimators_and_tests_are_those_of_the_matrix():
    X, rows = read_table(written(K), gram=True).X, np.arange(12)
    for made in (SKMSE, FKMSE):
        pairs = [(made(kernel, lam=0.3), points) for kernel, points in ((Linear(), X), (Precomputed(K), rows))]
        scores, weights = zip(
            *((each.loocv(points, [0.1, 1.0]), each.embed(points).weights) for each, points in pairs), strict=True
        )
        assert scores[0] == pytest.approx(scores[1], rel=1e-12)  # rounding of 12 sums
        assert weights[0] == pytest.approx(weights[1], rel=1e-12)
    assert mmd2(X[:5], X[5:], Linear()) == pytest.approx(mmd2(rows[:5], rows[5:], Precomputed(K)), abs=1e-13)


def test_a_column_of_groups_stands_beside_it():
    raw = written(K, "ab" * 6)
    seen = preview_table(raw)
    assert seen.gram == tuple(f"k{j}" for j in range(12))
    (table,) = read_tables([raw], target="group", scale="none", gram=True)
    assert np.abs(table.X @ table.X.T - K).max() < 1e-13
    assert table.target.tolist() == ["a", "b"] * 6


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (K[:5], naming("5 rows", "12")),
        (K + np.triu(np.ones((12, 12)), 1), r"row \d+ of column \d+ is"),
        (-K, "eigenvalue -"),
        (np.zeros((4, 4)), "zeros"),
    ],
)
def test_what_is_no_gram_matrix_is_refused(matrix, said):
    file = io.BytesIO()
    np.save(file, matrix)
    with pytest.raises(Refusal, match=said):
        read_table(file.getvalue(), gram=True)
    assert preview_table(file.getvalue()).gram == ()


def test_two_files_are_none():
    with pytest.raises(Refusal, match=naming("2")):
        read_tables([written(K)] * 2, gram=True)


# columns next to the matrix

AGE, SEX = RNG.normal(40, 9, size=12), np.array(list("mf" * 6))


def with_columns(matrix, before=None, ages=AGE, sexes=SEX):
    """Return a file of a matrix with a column before it and two after."""
    n = len(matrix)
    rows = zip(range(n) if before is None else before, matrix.tolist(), ages, sexes, strict=True)
    lines = [",".join(["visit", *(f"k{j}" for j in range(n)), "age", "sex"])]
    return "\n".join([*lines, *(",".join([str(v), *map(repr, row), str(a), s]) for v, row, a, s in rows)]).encode()


def test_columns_beside_a_matrix_that_is_found_by_its_symmetry():
    raw = with_columns(K)
    assert preview_table(raw).block == tuple(f"k{j}" for j in range(12))
    data = read_table(raw, gram=True, beside=["age"])
    assert (data.axes, data.names[-1], data.d) == (12, "age", 13)
    assert data.left_out == ("visit", "sex")
    assert np.abs(data.X[:, :12] @ data.X[:, :12].T - K).max() < 1e-13  # rounding of 12 products about 1
    assert np.array_equal(data.X[:, 12], AGE)
    scaled = read_table(raw, gram=True, beside=["age", "sex"], standardise=True, lenient=True)
    assert scaled.names[12:] == ("age", "sex=f", "sex=m")
    assert np.array_equal(scaled.X[:, :12], data.X[:, :12])  # inner products stay
    assert (scaled.X[:, 12].mean(), scaled.X[:, 12].std()) == pytest.approx((0, 1), abs=1e-12)


def test_a_row_without_a_column_beside_is_dropped_with_its_column_of_the_matrix():
    raw = with_columns(K, ages=["", *AGE[1:]])
    with pytest.raises(Refusal, match=naming("1 cell", 'missing="drop"')):
        read_table(raw, gram=True, beside=["age"])
    data = read_table(raw, gram=True, beside=["age"], missing="drop")
    assert (data.n, data.dropped, data.X[0, -1]) == (11, 1, AGE[1])
    coordinates = data.X[:, : data.axes]
    assert np.abs(coordinates @ coordinates.T - K[1:, 1:]).max() < 1e-13


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"beside": ["age"]}, "pass gram=True"),
        ({"gram": True, "beside": ["k3"]}, naming("'k3'")),
        ({"gram": True, "beside": "sex"}, naming("'sex'")),
        ({"gram": True, "beside": ["height"]}, naming("'height'")),
    ],
)
def test_columns_that_cannot_stand_beside_it(options, said):
    with pytest.raises(Refusal, match=said):
        read_table(with_columns(K), **options)


def test_scale_changes_no_answer():
    for scale in (1e-8, 1.0, 1e8):
        data = read_table(with_columns(scale * K), gram=True, beside="age")
        assert np.abs(data.X[:, :12] @ data.X[:, :12].T / scale - K).max() < 1e-13


def test_a_matrix_with_a_negative_eigenvalue_names_file_and_both():
    bent = K.copy()
    bent[0, 1] = bent[1, 0] = 3.0
    with pytest.raises(Refusal, match=naming("t.csv", "-2.19", "4.87")):
        read_table(written(bent), gram=True, name="t.csv")


def test_points_of_equal_rows_coincide_to_the_last_digit():
    rows = np.repeat(np.arange(4), 3)
    X = read_table(written(K[np.ix_(rows, rows)]), gram=True).X
    assert np.array_equal(X, X[::3][rows])
    assert np.ptp(read_table(written(np.ones((5, 5))), gram=True).X) == 0


def test_a_search_among_columns_of_zeros_ends():
    """A wide table of zeros has a run of columns at each of 500 places that looks symmetric from its edges."""
    zeros = np.zeros((500, 1000))
    zeros[250, ::3] = 1.0
    file = io.BytesIO()
    np.save(file, zeros)
    start = perf_counter()
    assert preview_table(file.getvalue()).block == ()
    assert perf_counter() - start < 5  # seconds; all runs would take some ten times as long
