"""What differs between two tables, in which columns, how much, and in which of several batches."""

from .columns import ColumnChange
from .compare import compare
from .detectable import Findable
from .level_check import OwnLevel
from .pairs import PairChange
from .pairs_of_groups import GroupComparison, compare_groups
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
