"""The user's pairs for a lab that compares their two sides: two columns of a table, or rows of two samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.datasets import DataSet, read_table
from explorer.workbench.two_samples import sizes

from .base_widget import Asked, Use
from .column_roles import TakesPairs
from .inputs.intake import Examples
from .table_widget import UserTable
from .two_samples_widget import UserTwoSamples

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables

COLUMNS = "two columns, x and y"
# fields that two samples set, and columns leave empty
KIND: dict[str, Any] = {"group": "", "file2": "", "rows2": 0, "hash2": ""}
FRESH: dict[str, Any] = {"x": "", "y": "", "placed": "", "selected": 0}  # fields that are reset for other pairs


class UserPairedSides(UserTwoSamples):
    """Variant of UserTwoSamples whose file may also have both sides: its rows are pairs, and x and y are its columns.

    `use(own, fields)` receives the table of such pairs, or the Tables of two samples, in their own units. If the sides
    were scaled separately, they would no longer differ in mean and spread.
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
        """True if the rows of the file are pairs."""
        return self.group.value == COLUMNS

    def _by_levels(self):
        return [COLUMNS, *super()._by_levels()]

    def _grouping(self, names):
        """Return what a link names, or a guess.

        A file with exactly two numeric columns has x and y; others have groups or a second file.
        """
        if self.preview and self._is_named_by_link(self.preview.hash):
            asked = self._asked()
            return super()._grouping(names) if asked["group"] or asked["hash2"] else COLUMNS
        numbers = [column for column in self._columns() if column.use == "number" and not column.why]
        return COLUMNS if len(numbers) == 2 else super()._grouping(names)

    def _may_be_gram(self):
        """Return whether one Gram matrix may hold the rows of both samples; x and y are not columns of it."""
        return not self.paired and super()._may_be_gram()

    def _reader_columns(self):
        return UserTable._reader_columns(self) if self.paired else super()._reader_columns()

    def _default_columns(self):
        return UserTable._default_columns(self) if self.paired else super()._default_columns()

    def _chosen_names(self):
        return UserTable._chosen_names(self) if self.paired else super()._chosen_names()

    @property
    def lenient(self) -> bool:
        """True if the chosen data need the lenient reader."""
        return self._lenient_alone() if self.paired else super().lenient

    def read(self) -> Any:
        """Read the chosen columns of a file of pairs, or two samples. The lab scales both sides alike, or neither.

        Raises
        ------
        Refusal
            If a file of pairs has fewer than two chosen columns, or if the files do not make two samples.
        """
        if not self.paired:
            return super().read()
        table = read_table(
            self._bytes, list(self.columns.value), self.missing, name=self.preview.name, lenient=self.lenient
        )
        if table.d < 2:
            raise Refusal(f"{table.name} has one chosen column, and a pair needs two; choose more columns.")
        return table

    def use(self, table: Any) -> None:
        """Pass the data on, with the fields that identify them."""
        if self.paired:
            UserTable.use(self, table)
        else:
            super().use(table)


class TakesSides(TakesPairs):
    """Page of a lab of PairedTables, with the parts "x", "y" and "own".

    The field `laws` of its lab says where the pairs come from, and `blocks` is at most the number of pairs.

    Parameters
    ----------
    words : mapping of str to str, or None, default None
        Query parameters of the link that opens the page.
    **fields : dict
        Fields of the lab, in a notebook.

    Attributes
    ----------
    tables : tuple of str
        The sources that are tables.
    known : tuple
        (names, name): the pictures that need the true distributions, and the picture that replaces them for other data.
    """

    tables: tuple[str, ...] = ("file",)
    known: tuple[Any, ...] = ()  # (pictures that need the truth, their replacement)

    def part(self, name: str) -> Any:
        """Return a part of the page: a menu of columns, or the widget for the user's data.

        Parameters
        ----------
        name : str
            "x", "y", "own", or a part of another page.

        Returns
        -------
        object
            The Panel component.
        """
        if name != "own":
            return super().part(name)
        self.user_data = UserPairedSides(self.take, self.lab.values)
        return self.user_data

    def take(self, own: DataSet | Tables, fields: dict[str, Any]) -> None:
        """Use the user's data: set the number of pairs, no more blocks than pairs, and a picture that needs no truth.

        Fields that the link set for these very pairs are kept. n is at most the number of rows that both sides have.

        Parameters
        ----------
        own : DataSet or Tables
            A table of pairs, or two samples.
        fields : dict
            The fields that identify them.
        """
        n = min(fields.get("n", self.lab.n), own.n if isinstance(own, DataSet) else min(sizes(own)))
        fresh = {**FRESH, **self._without_truth()} if "n" in fields else {}  # otherwise the link named these data
        blocks = min(self.lab.blocks, n - (n + 1) % 2)
        self.use(own, {**KIND, **fresh, **fields, "laws": "file", "n": n, "blocks": blocks})

    def _without_truth(self):
        """Return the change of the picture if the visible one needs the true distributions."""
        names, other = self.known
        return {"picture": other} if self.lab.picture in names else {}

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu; the user's data are identified again.

        Parameters
        ----------
        name : str
            The field of the menu.
        value : object
            Its new value.

        Returns
        -------
        dict
            The changed fields, with `name`.
        """
        changes = super().on_choice(name, value)
        if name == "laws" and value == "file" and self.lab.own is not None:
            changes = {**self.naming, **self.lab.fitting(), **self._without_truth(), **changes}
        return changes
