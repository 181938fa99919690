"""Columns ranked by HSIC: each column's own numbers, the common orders, and how often anything is found where nothing
is.
"""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from helpers.naming import names_all, naming
from two_samples import binomial

from explorer import Delta, Gaussian, Linear, hsic, hsic_test
from explorer.checks import ExplorerWarning
from explorer.discrepancy import hsic_gamma, rank_columns


def table(n=40, seed=0):
    """Return five columns and y, which depends on the third and weakly on the first."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X, X[:, 2] ** 2 + 0.4 * X[:, 0] + 0.5 * rng.normal(size=n)


def test_each_column_has_the_numbers_of_its_own_test():
    X, y = table()
    found = rank_columns(X, y, n_resamples=99, rng=3)
    assert found.names[:2] == ("column 3", "column 1")
    l = Gaussian().select(y)
    for i, name in enumerate(found.names):
        x = X[:, int(name[-1]) - 1]
        k = Gaussian().select(x)
        test, law = hsic_test(x, y, n_resamples=99, rng=3), hsic_gamma(x, y)
        assert found.statistic[i] == pytest.approx(test.statistic, rel=1e-12)
        assert found.alone[i] == test.pvalue
        assert found.z[i] == pytest.approx((test.statistic - law.mean) / math.sqrt(law.variance), rel=1e-10)
        assert found.correlation[i] == pytest.approx(hsic(x, y) / math.sqrt(hsic(x, x) * hsic(y, y)), rel=1e-10)
        assert found.kernels[i] == (k, l)
    assert (np.diff(found.z) <= 0).all()
    assert (0 <= found.correlation).all()
    assert (found.correlation <= 1).all()


def test_p_counts_the_best_of_all_columns_in_every_order():
    X, y = table()
    found = rank_columns(X, y, n_resamples=199, rng=3)
    nulls, laws = [], []
    for name in found.names:
        x = X[:, int(name[-1]) - 1]
        nulls.append(hsic_test(x, y, n_resamples=199, rng=3).null_distribution)
        laws.append(hsic_gamma(x, y))
    best = np.max([(null - law.mean) / math.sqrt(law.variance) for null, law in zip(nulls, laws, strict=True)], axis=0)
    np.testing.assert_allclose(found.pvalue, [(1 + np.sum(best >= z)) / 200 for z in found.z], rtol=1e-14)
    assert (found.pvalue >= found.alone).all()
    assert (np.diff(found.pvalue) >= 0).all()


def test_a_mapping_of_columns_of_many_kinds():
    X, y = table(60)
    columns = {"length": X[:, 0], "kind": np.where(X[:, 2] ** 2 > 1, "far", "near"), "place": X[:, 3:5]}
    found = rank_columns(columns, y, {"kind": Delta()}, n_resamples=99, rng=0)
    assert found.names[0] == "kind"
    assert dict(zip(found.names, found.kernels, strict=True))["kind"][0] == Delta()
    assert found.statistic[found.names.index("place")] == pytest.approx(hsic(X[:, 3:5], y), rel=1e-12)
    said = str(found)
    assert names_all(said, f"{np.sum(found.pvalue <= 0.05)} of 3 columns", "n = 60 rows", 99)
    assert names_all(said, "kind leads", f"HSIC {found.statistic[0]:.4g}", f"p = {found.pvalue[0]:.3g}")
    one = rank_columns(X, y, Linear(), Linear(), names="abcde", n_resamples=9, rng=0)
    assert one.kernels[0] == (Linear(), Linear())
    assert set(one.names) == set("abcde")


def test_a_constant_column_is_last_and_has_p_1():
    X, y = table()
    X[:, 2] = 7.0
    with pytest.warns(ExplorerWarning, match=naming("bandwidth", 0, 1)):
        found = rank_columns(X, y, n_resamples=99, rng=0)
    where = found.names.index("column 3")
    assert (found.z[where], found.pvalue[where], found.alone[where], found.correlation[where]) == (0, 1, 1, 0)
    with pytest.warns(ExplorerWarning, match="coincide"):
        none = rank_columns(X, np.ones(40), n_resamples=19, rng=0)
    assert set(none.pvalue) == {1.0}
    assert none.names == tuple(f"column {i}" for i in range(1, 6))


@pytest.mark.thorough
def test_nothing_is_found_among_many_columns_more_often_than_the_level_says():
    """12 columns that depend on one another, none on y: the least p of the table is <= .2 in at most 20 of 100 tables.

    The least of the columns' own p-values is so in most tables. And where two columns do depend on y, no other is found
    more often than that either.
    """
    rng = np.random.default_rng(0)
    least, shopped, false = [], [], []
    for _ in range(60):
        X = rng.normal(size=(12, 12)) + rng.normal(size=(12, 1))
        found = rank_columns(X, rng.exponential(size=12), Gaussian(1.0), Gaussian(1.0), n_resamples=19, rng=rng)
        least.append(found.pvalue.min())
        shopped.append(found.alone.min())
        y = X[:, 0] * 3
        independent = np.c_[X[:, :2], rng.normal(size=(12, 6))]
        found = rank_columns(independent, y, Gaussian(1.0), Gaussian(1.0), n_resamples=19, rng=rng)
        others = [p for name, p in zip(found.names, found.pvalue, strict=True) if name not in ("column 1", "column 2")]
        false.append(min(others))
    for values in (least, false):
        assert np.count_nonzero(np.array(values) <= 0.2) <= binomial(60, 0.2)[1]
    assert np.count_nonzero(np.array(least) <= 0.2) >= binomial(60, 0.2)[0]
    assert np.mean(np.array(shopped) <= 0.2) > 0.6


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, naming("names", "2", "5"), {"names": ["a", "b"]}),
        (ValueError, naming("names", "1", "5"), {"names": ["a"] * 5}),
        (ValueError, naming("names", "twice"), {"X": {"a": np.arange(40.0)}, "names": ["a"]}),
        (ValueError, naming("X", "no columns"), {"X": {}}),
        (
            ValueError,
            naming("kernel_x", "kernels", "'b'", "X"),
            {"X": {"a": np.arange(40.0)}, "kernel_x": {"b": Delta()}},
        ),
        (TypeError, naming("kernel_x", "kernel"), {"kernel_x": 1.0}),
        (TypeError, naming("'a'", "X"), {"X": {"a": list("x" * 40)}}),
        (ValueError, naming("'column 1'", "X", "40", "Y", "39"), {"y": np.arange(39.0)}),
        (ValueError, naming("n_resamples", "1"), {"n_resamples": 0}),
        (ValueError, naming("'column 1'", "X", "3"), {"X": np.eye(3), "y": np.arange(3.0)}),
    ],
)
def test_bad_input_gets_a_sentence(error, said, arguments):
    X, y = table()
    with pytest.raises(error, match=said):
        rank_columns(**{"X": X, "y": y, **arguments})


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_data_frame_has_its_own_names_and_columns_of_words(kind):
    rng = np.random.default_rng(3)
    columns = {"q": rng.normal(size=20), "p": rng.normal(size=20), "word": np.array(["u", "v"] * 10)}
    target = columns["p"] ** 2
    found = rank_columns(kind(columns), target, {"word": Delta()}, n_resamples=49, rng=0)
    right = rank_columns(columns, target, {"word": Delta()}, n_resamples=49, rng=0)
    assert found.names == right.names
    assert np.array_equal(found.pvalue, right.pvalue)


def test_two_columns_of_one_name_are_a_sentence():
    frame = pd.DataFrame(np.eye(4), columns=["a", "b", "a", "c"])
    with pytest.raises(ValueError, match=naming("'a'")):
        rank_columns(frame, np.arange(4.0))
