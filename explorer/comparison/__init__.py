"""Comparison of two tables: the verdict, the columns and batches that differ, and the size of each change."""

from .columns import ColumnChange
from .compare import compare
from .detectable import Detectable
from .level_check import ComparisonLevelCheck
from .pairs import PairChange
from .pairs_of_groups import GroupComparison, compare_groups
from .result import Comparison
from .robustness import MedianVerdict, RowsLeftOut, RowsWithstood

OwnLevel, Findable = ComparisonLevelCheck, Detectable  # names of earlier releases

__all__ = [
    "ColumnChange",
    "Comparison",
    "ComparisonLevelCheck",
    "Detectable",
    "GroupComparison",
    "MedianVerdict",
    "PairChange",
    "RowsLeftOut",
    "RowsWithstood",
    "compare",
    "compare_groups",
]
