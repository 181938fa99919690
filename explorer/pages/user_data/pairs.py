"""The user's pairs: two columns of a table, a Gram matrix and further columns of its file, or two Gram matrices."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.languages import translate
from explorer.workbench.gram_pairs import both_by_gram

from .columns import Columns, names_of
from .inputs.preview_html import left_out, named
from .reading import Reading
from .second_file import SecondFile
from .slot import Slot

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet

BESIDE, SECOND = "other columns", "a second Gram matrix"
PASTED = "pasted for y.csv"  # file name of a pasted text that is the second file


def ends(names: Sequence[str]) -> Sequence[str]:
    """Return the default columns of x and y: the first and the last name."""
    return [*names[:1], *names[-1:]]


def pairs() -> tuple[Slot, ...]:
    """Return the slots of pairs, whose x and y are columns of one table. Texts are used only if the user chooses them.

    Returns
    -------
    tuple of Slot
        The slots.
    """
    return Pairs(), SecondFile("For y"), Columns(grams=True, beside=True, categories=False, shows=ends)


class Pairs(Reading):
    """Slot of pairs. It reads a Gram matrix of x, with y in other columns of its file or in a second file's matrix."""

    def build(self) -> dict[str, Any]:
        self.place_of_y: pmui.Select = pmui.Select(
            label="y is in", options=[SECOND], value=SECOND, size="small", width=260
        )
        self.of_y: pn.Column = pn.Column(
            self.place_of_y, self.panel.zones[1], margin=(4, 0), sizing_mode="stretch_width", visible=False
        )
        self.columns.gram.label = "x is given by a Gram matrix, k(row, column)"
        for menu in (self.columns.gram, self.place_of_y):
            self.panel.watch(menu, self._arrange)
        return {"place": self.place_of_y}

    def rows(self) -> Sequence[Any]:
        return [self.of_y]

    @property
    def is_beside(self) -> bool:
        """True if y is in further columns of the file of a Gram matrix."""
        return self.columns.gram.value and self.place_of_y.value == BESIDE

    @property
    def has_two_files(self) -> bool:
        """True if y has a Gram matrix, in a second file."""
        return self.columns.gram.value and self.place_of_y.value == SECOND

    # a file

    def show(self, asked: dict[str, Any]) -> None:
        self.panel.second_file.forget()
        self.columns.gram.value = False  # until the columns of the new file are known

    def settle(self, asked: dict[str, Any]) -> None:
        self._offer_places(asked, anew=self.columns.may_be_gram)

    def pasted_second(self) -> str:
        return PASTED if self.panel.zones[1].visible else ""

    def _arrange(self, event):
        """Offer the columns next to a Gram matrix, or a second file, if x is a Gram matrix."""
        self._offer_places(self.panel.named_fields(), anew=event.obj is self.columns.gram)

    def _offer_places(self, asked, anew):
        columns = self.columns
        if anew:
            names = columns.selectable
            places = [BESIDE, SECOND] if names else [SECOND]
            self.place_of_y.param.update(options=places, value=SECOND if asked and asked["hash2"] else places[0])
            chosen = names_of(asked["columns"], names) if asked and not self.has_two_files else []
            columns.menu.param.update(options=names, value=chosen or self.panel.reader.usual())
        columns.menu.label = "other columns" if columns.gram.value else "columns"
        self.of_y.visible, self.panel.zones[1].visible = columns.gram.value, self.has_two_files

    # columns

    def reads(self) -> bool:
        return self.columns.gram.value

    def reserved(self) -> Sequence[str]:
        """Return the columns of x's Gram matrix, empty if x is not a Gram matrix."""
        return self.columns.matrix if self.columns.gram.value else ()

    def usual(self) -> list[str]:
        return super().usual() or self.columns.selectable

    def chosen(self) -> list[str]:
        return [*self.reserved(), *(self.columns.menu.value if self.is_choosing() else [])]

    def is_choosing(self) -> bool:
        return self.is_beside and bool(self.columns.menu.options)

    def describe(self) -> str:
        block, symmetric = self.reserved(), "symmetric, " * bool(self.panel.preview.block)
        chosen = self.chosen()
        words = [column.name for column in self.columns.previews if not column.numeric and column.name in chosen]
        return translate(
            " {} to {} are {}a column for each row: read as x's Gram matrix, drawn along its principal axes.{}{}",
            block[0],
            block[-1],
            symmetric,
            named("Taken as categories", words),
            left_out(self.columns.unchosen),
        )

    def needs_lenient(self) -> bool:
        """Return whether either file needs the lenient reader."""
        return any(preview.unusual for preview in self.panel.second_file.compared_files())

    # using the data

    def read(self) -> DataSet:
        if self.has_two_files:
            return self._both()
        if self.is_beside and not self.columns.menu.value:
            raise Refusal(
                "{} is x's Gram matrix, and no column is chosen for y; choose another column.", self.panel.preview.name
            )
        how = self.columns.how | {"columns": list(self.reserved()), "beside": self.columns.menu.value}
        return read_table(self.panel.files[0], **how)

    def _both(self):
        second = self.panel.second_file
        if second.file is None:
            none = "" if self.columns.menu.options else " without any other column, so there is no y"
            raise Refusal(
                "{} is x's Gram matrix{}; choose a second file, with y's Gram matrix, as well.",
                self.panel.preview.name,
                none,
            )
        how: dict[str, Any] = {"lenient": self.panel.lenient, "gram": True}
        first = read_table(self.panel.files[0], list(self.reserved()), **how)
        return both_by_gram(first, read_table(second.file, **how))

    def accept(self, data: Any) -> None:
        if not self.has_two_files and data.d < 2:
            raise Refusal("{} has one chosen column, and a dependence needs two; choose more columns.", data.name)

    def is_scaled(self) -> bool:
        return self.columns.standardise.value and self.is_choosing()

    def named_columns(self) -> str:
        """Return the field `columns`: next to a Gram matrix these are y's columns, which the reader has to know."""
        return json.dumps(self.columns.menu.value) if self.is_beside else super().named_columns()

    def is_named(self, asked: dict[str, Any], data: Any) -> bool:
        second = self.panel.second_file.named(self.has_two_files)
        here = second["hash2"], self.columns.gram.value
        return super().is_named(asked, data) and (asked["hash2"], asked["gram"]) == here

    def fields(self, data: Any) -> dict[str, Any]:
        return self.panel.second_file.named(self.has_two_files)
