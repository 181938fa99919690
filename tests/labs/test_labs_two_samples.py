"""Columns that differ most, in all labs of two samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ks_2samp

from explorer import load
from explorer.workbench.two_samples import most_different


def test_the_column_that_differs_most_is_first():
    X = np.array([[0.0, 5.0, 1.0], [1.0, 5.0, 2.0], [2.0, 5.0, 3.0]])
    Y = np.array([[1.0, 5.0, 11.0], [2.0, 5.0, 12.0]])
    assert most_different(X, Y) == [2, 0, 1]  # distances 1, 1/3 and 0


def test_columns_that_differ_as_much_keep_their_order():
    X, Y = np.zeros((3, 4)), np.ones((7, 4))
    assert most_different(X, Y) == [0, 1, 2, 3]
    assert most_different(X, X) == [0, 1, 2, 3]


def test_the_distances_are_those_of_scipy():
    wine = load("wine")
    X, Y = (wine.where(label).X for label in (1, 2))
    distances = np.array([ks_2samp(x, y, method="asymp").statistic for x, y in zip(X.T, Y.T, strict=True)])
    ordered = distances[most_different(X, Y)]
    assert np.all(np.diff(ordered) <= 1e-12)  # shares of two counts, summed by scipy in floats
    assert wine.names[most_different(X, Y)[0]] == "proline"


WHOLE = st.integers(-5, 5)


@given(arrays(int, (6, 3), elements=WHOLE), arrays(int, (4, 3), elements=WHOLE))
def test_neither_units_nor_which_sample_is_called_x_change_the_order(X, Y):
    first = most_different(X, Y)
    assert most_different(Y, X) == first
    assert most_different(np.exp(X) * 1e3, np.exp(Y) * 1e3) == first
    assert sorted(first) == [0, 1, 2]


@pytest.mark.parametrize("far", [10.0, 1e300])
def test_an_outlier_moves_no_distance_by_more_than_its_own_share(far):
    X = np.linspace(0, 1, 20)[:, None] + np.array([0.0, 0.2])
    Y = np.linspace(0, 1, 20)[:, None] + np.array([0.0, 0.0])
    Y[0, 0] = far
    assert most_different(X, Y) == [1, 0]
