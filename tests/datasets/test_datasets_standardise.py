"""Standardising: mean 0, variance 1, and constant columns become 0."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from explorer.datasets import load, standardise

anything = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.floats(allow_nan=False, allow_infinity=False),
)


def test_it_agrees_with_the_textbook():
    X = load("wine").X
    assert np.allclose(standardise(X), (X - X.mean(axis=0)) / X.std(axis=0), rtol=0, atol=1e-12)


@given(anything)
def test_every_finite_sample_is_standardised(X):
    Z = standardise(X)
    varies = X.max(axis=0) > X.min(axis=0)
    assert np.allclose(Z.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(Z.var(axis=0), varies, atol=1e-12)
    assert np.all(Z[:, ~varies] == 0)


def test_constant_columns_become_zero():
    X = np.column_stack([np.full(7, 0.1), np.arange(7.0), np.full(7, 1e300)])  # 0.1 is where np.std rounds to 1e-17
    Z = standardise(X)
    assert np.all(Z[:, [0, 2]] == 0)
    assert Z[:, 1].std() == pytest.approx(1)


def test_one_column_one_point_and_bad_values():
    assert standardise([1.0, 3.0]).tolist() == [[-1.0], [1.0]]
    assert standardise([[4.0, 5.0]]).tolist() == [[0.0, 0.0]]
    with pytest.raises(ValueError, match="NaN or infinite"):
        standardise([[1.0], [np.nan]])


@pytest.mark.skipif(not os.environ.get("EXPLORER_DATA"), reason="EXPLORER_DATA names no folder of data sets")
@pytest.mark.parametrize(("name", "column"), [("ionosphere", "a02"), ("segment", "region_pixel_count")])
def test_sets_with_a_constant_column(name, column):
    raw = load(name)
    data = raw.standardised()
    constant = raw.names.index(column)
    expected = np.ones(data.d)
    expected[constant] = 0
    assert np.allclose(data.X.std(axis=0), expected, atol=1e-12)
    assert np.all(data.X[:, constant] == 0)
    assert (data.names, data.hash, data.target.tolist()) == (raw.names, raw.hash, raw.target.tolist())
    assert not data.X.flags.writeable
