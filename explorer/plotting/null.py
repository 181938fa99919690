"""A test's result: its null distribution, the observed statistic and the threshold of a level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.marks.nulls import OneTest, null_of_test

from .drawings import Drawing

if TYPE_CHECKING:
    from explorer.discrepancy.results.test_result import TestResult


def of_test(result: TestResult, level: float = 0.05, bins: int | None = None) -> Drawing:
    """Draw the null distribution, the values that reach the statistic, the threshold and the statistic.

    Parameters
    ----------
    result : TestResult
        The result of a test.
    level : float, default 0.05
        The level of the threshold.
    bins : int or None, default None
        The number of bars over all null values.

    Returns
    -------
    drawing : Drawing
        Bars are shares of all resamples, and the axis has the statistic's own units. A threshold that no value reaches,
        with
        too few resamples for the level, is not drawn, and the title says so.
    """
    return Drawing(null_of_test, OneTest.of(result, level, bins), widens=True)
