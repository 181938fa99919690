"""Axes of a null histogram: where a statistic lies that is far from all null values."""

import numpy as np
import pytest

from explorer import Gaussian, TestResult
from explorer.marks.nulls import NullAxis

NULL = np.linspace(1.0, 3.0, 41)


def result(statistic):
    return TestResult(statistic, NULL, "a statistic", Gaussian(1.0), n=9)


@pytest.mark.parametrize("far", [np.inf, -np.inf, 1.7e308, -1.7e308])
def test_a_statistic_that_counts_as_infinite_leaves_the_axis_to_the_null_values(far):
    axis = NullAxis.of(result(far))
    assert axis.ends == NullAxis.of(result(2.0)).ends == pytest.approx((1 - 0.03 * 2, 3 + 0.03 * 2))
    assert axis.table([result(far)], 0.05)["x"].tolist() == [[axis.ends[0 if far < 0 else 1]]]


@pytest.mark.parametrize("statistic", [5.0, -1e6, 1e299])
def test_a_finite_statistic_lies_within_the_axis(statistic):
    low, high = NullAxis.of(result(statistic)).ends
    assert low < min(statistic, 1.0) < max(statistic, 3.0) < high
