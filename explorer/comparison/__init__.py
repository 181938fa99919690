"""What differs between two tables, in which columns, how much, and in which of several batches."""

from .columns import ColumnChange
from .compare import compare
from .findable import Findable
from .level_check import OwnLevel
from .pairs import PairChange
from .result import Comparison
from .robustness import MedianVerdict, RowsLeftOut, RowsWithstood

__all__ = [
    "ColumnChange",
    "Comparison",
    "Findable",
    "MedianVerdict",
    "OwnLevel",
    "PairChange",
    "RowsLeftOut",
    "RowsWithstood",
    "compare",
]
