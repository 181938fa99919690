"""The user's pairs: two columns of a table, a Gram matrix and further columns of its file, or two Gram matrices."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.languages import translate
from explorer.workbench.gram_pairs import both_by_gram

from .base_widget import Asked, Use
from .inputs.intake import Examples
from .inputs.preview_html import left_out, named
from .inputs.second_file import TakesSecond
from .table_widget import names_of

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet

BESIDE, SECOND = "other columns", "a second Gram matrix"


class UserPairs(TakesSecond):
    """Widget for the user's pairs: x and y are columns of one table. Text columns are used only if chosen.

    A Gram matrix in the file belongs to x. Then y is one of the file's other columns, or the Gram matrix in a second
    file.
    """

    categories = False
    pasted_second: str = "pasted for y.csv"
    stands_for: str = "For y"

    def __init__(self, use: Use, asked: Asked = dict, examples: Examples = None, **params: Any) -> None:
        self.place: pmui.Select = pmui.Select(label="y is in", options=[SECOND], value=SECOND, size="small", width=260)
        super().__init__(use, asked, examples, grams=True, **params)
        self.gram.label = "x is given by a Gram matrix, k(row, column)"
        self.of_y: pn.Column = pn.Column(
            self.place, self.second, margin=(4, 0), sizing_mode="stretch_width", visible=False
        )
        for menu in (self.gram, self.place):
            menu.param.watch(self._arrange, "value")
        self._layout.insert(3, self.of_y)

    @property
    def beside(self) -> bool:
        """True if y is in further columns of the file of a Gram matrix."""
        return self.gram.value and self.place.value == BESIDE

    @property
    def two(self) -> bool:
        """True if y has a Gram matrix, in a second file."""
        return self.gram.value and self.place.value == SECOND

    def _show_preview(self, raw, preview, refusal):
        with self._without_following():
            self._forget_second()
            self.gram.value = False  # until the columns of the new file are known
        super()._show_preview(raw, preview, refusal)
        if self._may_be_gram():
            self._arrange()

    def _arrange(self, event=None):
        """Offer the columns next to a Gram matrix, or a second file, if x is a Gram matrix."""
        if self.preview is None or self._quiet:
            return
        known = self._is_named_by_link(self.preview.hash)
        with self._without_following():
            names = self._selectable_names()
            if event is None or event.obj is self.gram:
                places = [BESIDE, SECOND] if names else [SECOND]
                asked = SECOND if known and self._asked()["hash2"] else places[0]
                self.place.param.update(options=places, value=asked)
                chosen = names_of(self._asked()["columns"], names) if known and not self.two else []
                self.columns.param.update(options=names, value=chosen or self._default_columns())
            self.columns.label = "other columns" if self.gram.value else "columns"
            self.of_y.visible, self.second.visible = self.gram.value, self.two
        self._follow()

    # columns

    def _may_be_gram(self):
        return bool(self.preview and (self.preview.block or self.preview.square))

    def _seems_gram(self):
        return bool(self.preview.block)

    def _block(self):
        """Return the columns of x's Gram matrix, empty if x is not a Gram matrix."""
        return list(self.preview.block or self.preview.square) if self.preview and self.gram.value else []

    def _selectable_names(self):
        block = self._block()
        return [name for name in super()._selectable_names() if name not in block]

    def _default_columns(self):
        block = self._block()
        return [name for name in super()._default_columns() if name not in block] or self._selectable_names()

    def _chosen_names(self):
        return self._block() + (list(self.columns.value) if self._choosing() else [])

    def _choosing(self):
        return not self.two and not (self.gram.value and not self.columns.options)

    def _remark(self):
        if not self.gram.value:
            return super()._remark()
        block, symmetric = self._block(), "symmetric, " * bool(self.preview.block)
        words = [c.name for c in self._columns() if not c.numeric and c.name in self._chosen_names()]
        return translate(
            " {} to {} are {}a column for each row: read as x's Gram matrix, drawn along its principal axes.{}{}",
            block[0],
            block[-1],
            symmetric,
            named("Taken as categories", words),
            left_out(self._unchosen_columns()),
        )

    # using the data

    @property
    def lenient(self) -> bool:
        """True if the chosen data need the lenient reader, in either file."""
        return super().lenient or any(preview.unusual for preview in self._previews())

    @property
    def scaled(self) -> bool:
        """True if columns are scaled. The inner products of a Gram matrix are not."""
        return self.standardise.value and self._choosing()

    def read(self) -> DataSet:
        """Read the chosen table, or both Gram matrices as one table.

        Raises
        ------
        Refusal
            If the chosen columns do not make pairs, or if the second Gram matrix is missing.
        """
        if self.two:
            return self._both()
        if self.beside and not self.columns.value:
            raise Refusal(
                f"{self.preview.name} is x's Gram matrix, and no column is chosen for y; choose another column."
            )
        table = self._table() if self.gram.value else super().read()
        if table.d < 2:
            raise Refusal(f"{table.name} has one chosen column, and a dependence needs two; choose more columns.")
        return table

    def _table(self):
        return read_table(
            self._bytes,
            columns=self._block(),
            missing=self.missing,
            standardise=self.scaled,
            name=self.preview.name,
            lenient=self.lenient,
            gram=True,
            beside=self.columns.value,
        )

    def _both(self):
        if self._second_bytes is None or self.second_preview is None:
            none = "" if self.columns.options else " without any other column, so there is no y"
            raise Refusal(
                f"{self.preview.name} is x's Gram matrix{none}; choose a second file, with y's Gram matrix, as well."
            )
        read = partial(read_table, lenient=self.lenient, gram=True)
        first = read(self._bytes, self._block(), name=self.preview.name)
        return both_by_gram(first, read(self._second_bytes, name=self.second_preview.name))

    def _are_named_data(self):
        second = self.second_preview.hash if self.two else ""
        asked = self._asked()
        return super()._are_named_data() and (asked["hash2"], asked["gram"]) == (second, self.gram.value)

    def _columns_field(self):
        """Return the field `columns`: next to a Gram matrix these are y's columns, which the reader has to know."""
        return json.dumps(self.columns.value) if self.beside else super()._columns_field()

    def _fields(self, table):
        second = self.second_preview if self.two else None
        of_second = {"file2": second.name, "rows2": second.rows, "hash2": second.hash} if second else {}
        return super()._fields(table) | {"file2": "", "rows2": 0, "hash2": ""} | of_second

    def _kernel(self):
        return {}  # the menu sets the kernel of y
