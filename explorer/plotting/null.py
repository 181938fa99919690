"""A test's result: its null distribution, the observed statistic and the threshold of a level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.marks.nulls import NullOfTest, OneTest

from .pictures import drawn

if TYPE_CHECKING:
    from explorer.discrepancy.results.test_result import TestResult


def of_test(result: TestResult, level: float = 0.05, bins: int | None = None) -> Any:
    """An Overlay of the null distribution's bars, those that reach the statistic, the threshold and the statistic.

    Bars are shares of all resamples, `bins` of them over all null values, and the axis is the statistic's own. A
    threshold that no value reaches, with too few resamples for the level, is not drawn, and the title says so.
    """
    return drawn(NullOfTest, OneTest.of(result, level, bins), widens=True)
