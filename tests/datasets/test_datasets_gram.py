"""A table that is a Gram matrix: its coordinates have its inner products, and every answer is that of the matrix."""

import io

import numpy as np
import pytest

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
        (K[:5], "5 rows and 12 chosen columns"),
        (K + np.triu(np.ones((12, 12)), 1), r"row \d+ of column \d+ is .*; a kernel is symmetric"),
        (-K, "eigenvalue -"),
        (np.zeros((4, 4)), "nothing but zeros"),
    ],
)
def test_what_is_no_gram_matrix_is_refused(matrix, said):
    file = io.BytesIO()
    np.save(file, matrix)
    with pytest.raises(Refusal, match=said):
        read_table(file.getvalue(), gram=True)
    assert preview_table(file.getvalue()).gram == ()


def test_two_files_are_none():
    with pytest.raises(Refusal, match="another file"):
        read_tables([written(K)] * 2, gram=True)
