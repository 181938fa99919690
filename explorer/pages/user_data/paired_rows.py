"""The user's pairs for a lab that compares their two sides: two columns of a table, or rows of two samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.languages import message

from .columns import ABOUT, Columns
from .group_column import SIDES, GroupColumn, describe_compared
from .reading import Reading
from .second_file import SecondFile
from .slot import Slot

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet

COLUMNS = "two columns, x and y"


def paired_sides() -> tuple[Slot, ...]:
    """Return the slots of pairs whose sides are columns of one file or two samples, in their own units.

    If the sides were scaled separately, they would no longer differ in mean and spread.

    Returns
    -------
    tuple of Slot
        The slots.
    """
    second = SecondFile("After (Q)", SIDES)
    scaling = message("divide numbers by scales common to P and Q")
    columns = Columns(grams=True, categories=False, scaling=scaling)
    return PairedRows(), GroupColumn("P and Q are in", pairs=COLUMNS), second, columns


class PairedRows(Reading):
    """Slot of a file whose rows are pairs: x and y are columns of it. The lab scales both sides alike, or neither."""

    about = ABOUT
    more = message(
        " A row is a pair, and x and y are two of its columns; or P and Q are two files, or groups"
        " of one, and equally many rows are paired in their order."
    )

    def reads(self) -> bool:
        return self.panel.group.value == COLUMNS

    def describe(self) -> str:
        return describe_compared(self.columns)

    def read(self) -> DataSet:
        how: dict[str, Any] = self.columns.how | {"standardise": False}
        table = read_table(self.panel.files[0], **how)
        if table.d < 2:
            raise Refusal("{} has one chosen column, and a pair needs two; choose more columns.", table.name)
        return table
