"""Series in order of time: their moments, what changes in them, and rows of a table in their order."""

import numpy as np
import pytest
from helpers.naming import naming
from scipy.stats import kstest, t

from explorer.checks import Refusal
from explorer.datasets import DRIFTS, SERIES, DataSet, drifted, load, series

MANY = 20_000


@pytest.mark.parametrize("kind", SERIES)
def test_a_longer_series_only_appends_rows(kind):
    np.testing.assert_array_equal(series(kind, 50, 7)[:20], series(kind, 20, 7))


@pytest.mark.parametrize("kind", SERIES)
def test_coordinates_have_mean_0_and_variance_1_and_do_not_correlate(kind):
    X = series(kind, MANY, 1)
    # a memory of 0.6 makes a mean as uncertain as of a quarter of the rows; t of 3 degrees has no fourth moment
    wide = 4.5 * np.sqrt(4 / MANY) if kind == "memory" else 4.5 / np.sqrt(MANY)
    assert np.abs(X.mean(axis=0)).max() < wide
    assert np.abs(X.var(axis=0) - 1).max() < (0.3 if kind == "heavy" else 0.1)
    assert abs(np.corrcoef(X.T)[0, 1]) < (0.2 if kind == "heavy" else 2 * wide)


def test_heavy_rows_are_students_t_of_variance_1():
    X = series("heavy", MANY, 2)
    for column in X.T:
        assert kstest(column * np.sqrt(3), t(3).cdf).pvalue > 1e-3


def test_a_memory_is_the_correlation_of_neighbours():
    X = series("memory", MANY, 3)
    for lag, expected in ((1, 0.6), (2, 0.36), (5, 0.6**5)):
        there = [np.corrcoef(column[:-lag], column[lag:])[0, 1] for column in X.T]
        assert there == pytest.approx([expected] * 2, abs=0.04)  # some four standard errors


@pytest.mark.parametrize("kind", DRIFTS)
@pytest.mark.parametrize("row", [0, 7, 20])
def test_a_change_is_what_it_says(kind, row):
    X, size = series("normal", 20, 5), 1.5
    before, after = drifted(X, kind, row, size)[:row], drifted(X, kind, row, size)[row:]
    rho = size / np.sqrt(1 + size**2)
    for i, x in enumerate(X):
        found = before[i] if i < row else after[i - row]
        expected = {
            "none": x,
            "shift": x + (i >= row) * np.array([size, 0]),
            "spread": x * ([1 + size, 1] if i >= row else [1, 1]),
            "dependence": [x[0], (1 if i >= row else -1) * rho * x[0] + np.sqrt(1 - rho**2) * x[1]],
            "slow": x + (i >= row) * np.array([size * (i + 1 - row) / max(20 - row, 1), 0]),
        }[kind]
        np.testing.assert_allclose(found, expected, rtol=1e-14)
    np.testing.assert_array_equal(X, series("normal", 20, 5))  # the given rows are not modified


def test_a_change_of_dependence_leaves_both_margins():
    X = drifted(series("normal", MANY, 4), "dependence", MANY // 2, 1.0)
    for part, sign in ((X[: MANY // 2], -1), (X[MANY // 2 :], 1)):
        assert np.corrcoef(part.T)[0, 1] == pytest.approx(sign * np.sqrt(0.5), abs=0.03)
        for column in part.T:
            assert kstest(column, "norm").pvalue > 1e-3


def test_what_is_refused():
    X = series("normal", 10, 0)
    with pytest.raises(Refusal, match=naming("'x'", *SERIES)):
        series("x", 10)
    with pytest.raises(Refusal, match=naming("'x'", *DRIFTS)):
        drifted(X, "x", 3, 1.0)
    with pytest.raises(Refusal, match=naming("row", 11, "10 rows")):
        drifted(X, "shift", 11, 1.0)
    with pytest.raises(Refusal, match=naming("two columns")):
        drifted(X[:, :1], "dependence", 3, 1.0)


def test_rows_of_a_table_come_in_its_order():
    data = DataSet("rows", np.arange(30.0)[:, None], ("row",))
    for n in (1, 12, 30):
        rows = data.X[data.in_order(n, 3), 0]
        assert (np.diff(rows) > 0).all()
        assert sorted(data.sample(n, 3)[:, 0]) == rows.tolist()
    assert load("wine").in_order(178, 1).tolist() == list(range(178))
    with pytest.raises(Refusal, match=naming("30 rows")):
        data.in_order(31)
