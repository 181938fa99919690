"""Pairs of one's own for a lab that compares their sides: two columns of a table, or rows of two samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.datasets import DataSet, read_table
from explorer.workbench.two_samples import sizes

from .base import Asked, Use
from .column_roles import TakesPairs
from .inputs.intake import Examples
from .table import UserTable
from .two_samples import UserTwoSamples

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables

COLUMNS = "two columns, x and y"
# what samples say, and columns leave at nothing
KIND: dict[str, Any] = {"group": "", "file2": "", "rows2": 0, "hash2": ""}
FRESH: dict[str, Any] = {"x": "", "y": "", "placed": "", "selected": 0}  # what is said of other pairs


class UserPairedSides(UserTwoSamples):
    """OwnGroups where a file may also have both sides: its rows are pairs then, and x and y columns of it.

    `use(own, fields)` gets the table of such pairs, or the Tables of two samples, in their own units: scaled apart, the
    sides would no longer differ in mean and spread.
    """

    about_it: str = (
        f"{UserTable.about_it} A row is a pair, and x and y are two of its columns; or P and Q are two files, or groups"
        " of one, and equally many rows are paired in their order."
    )
    categories = False

    def __init__(self, use: Use, asked: Asked = dict, examples: Examples = None, **params: Any) -> None:
        super().__init__(use, asked, examples, grams=True, **params)
        self.group.label, self.standardise.label = "P and Q are in", "divide numbers by scales common to P and Q"

    @property
    def paired(self) -> bool:
        """Whether the file's rows are pairs."""
        return self.group.value == COLUMNS

    def _by_levels(self):
        return [COLUMNS, *super()._by_levels()]

    def _grouping(self, names):
        """What a link says; else two columns of numbers are x and y, and other files have groups or a second one."""
        if self.preview and self._known(self.preview.hash):
            asked = self._asked()
            return super()._grouping(names) if asked["group"] or asked["hash2"] else COLUMNS
        numbers = [column for column in self._there() if column.use == "number" and not column.why]
        return COLUMNS if len(numbers) == 2 else super()._grouping(names)

    def _may_be_gram(self):
        """One matrix has the rows of both samples: x and y are no columns of it."""
        return not self.paired and super()._may_be_gram()

    def _whole(self):
        return UserTable._whole(self) if self.paired else super()._whole()

    def _usual(self):
        return UserTable._usual(self) if self.paired else super()._usual()

    def _taken(self):
        return UserTable._taken(self) if self.paired else super()._taken()

    @property
    def lenient(self) -> bool:
        """Whether what is chosen is only read leniently as it is shown."""
        return self._lenient_alone() if self.paired else super().lenient

    def read(self) -> Any:
        """The chosen columns of a file of pairs, or two samples; the lab scales both sides alike, or neither."""
        if not self.paired:
            return super().read()
        table = read_table(
            self._bytes, list(self.columns.value), self.missing, name=self.preview.name, lenient=self.lenient
        )
        if table.d < 2:
            raise Refusal(f"{table.name} has one chosen column, and a pair needs two; choose more columns.")
        return table

    def use(self, table: Any) -> None:
        """Hand the data over, with the fields that name them."""
        if self.paired:
            UserTable.use(self, table)
        else:
            super().use(table)


class TakesSides(TakesPairs):
    """A page of a lab of PairedTables, with the parts "x", "y" and "own".

    Its lab's field `laws` says where the pairs come from, and `blocks` is at most the number of pairs.
    """

    tables: tuple[str, ...] = ("file",)
    known: tuple[Any, ...] = ()  # the pictures that need the truth, and the one to show in their place: (names, name)

    def part(self, name: str) -> Any:
        """The data of one's own, where they are chosen."""
        if name != "own":
            return super().part(name)
        self.user_data = UserPairedSides(self.take, self.lab.values)
        return self.user_data

    def take(self, own: DataSet | Tables, fields: dict[str, Any]) -> None:
        """Take data of one's own: as many pairs as both sides have, no more blocks, and a picture without a truth.

        What the link said of these very pairs stays.
        """
        n = min(fields.get("n", self.lab.n), own.n if isinstance(own, DataSet) else min(sizes(own)))
        fresh = {**FRESH, **self._without_truth()} if "n" in fields else {}  # the link named other data, or none
        blocks = min(self.lab.blocks, n - (n + 1) % 2)
        self.use(own, {**KIND, **fresh, **fields, "laws": "file", "n": n, "blocks": blocks})

    def _without_truth(self):
        """Another picture, where the one that is shown needs the truth."""
        names, other = self.known
        return {"picture": other} if self.lab.picture in names else {}

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """The fields that change with a menu: one's own data are named again."""
        changes = super().on_choice(name, value)
        if name == "laws" and value == "file" and self.lab.own is not None:
            changes = {**self.naming, **self.lab.fitting(), **self._without_truth(), **changes}
        return changes
