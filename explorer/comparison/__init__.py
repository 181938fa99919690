"""What differs between two tables, in which columns, how much, and since which batch."""

from .columns import ColumnChange
from .compare import compare
from .result import Comparison

__all__ = ["ColumnChange", "Comparison", "compare"]
