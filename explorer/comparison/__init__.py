"""What differs between two tables, in which columns, how much, and in which of several batches."""

from .columns import ColumnChange
from .compare import compare
from .each_pair import GroupComparison, compare_groups
from .findable import Findable
from .level_check import OwnLevel
from .pairs import PairChange
from .result import Comparison
from .robustness import MedianVerdict, RowsLeftOut, RowsWithstood

__all__ = [
    "ColumnChange",
    "Comparison",
    "Findable",
    "GroupComparison",
    "MedianVerdict",
    "OwnLevel",
    "PairChange",
    "RowsLeftOut",
    "RowsWithstood",
    "compare",
    "compare_groups",
]
