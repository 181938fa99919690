"""The user's bags: a table with a column that names the bag of each row, and one with classes or numbers to learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal, truncate
from explorer.datasets import read_bags, read_table
from explorer.datasets.bags import LEAST, guess_roles
from explorer.datasets.columns.column_roles import GROUPS, likely_group_column
from explorer.datasets.columns.identifiers import IDENTIFIERS
from explorer.datasets.read_table import parse
from explorer.languages import message

from .reading import Reading

if TYPE_CHECKING:
    from explorer.datasets.files.parsed_file import ParsedFile
    from explorer.datasets.table_preview import TablePreview

CUT = "no column: cut the rows of each class"
NONE = "(choose a column)"
TRIED = 12  # most columns that are tried as labels for each candidate bag column
EACH, SMALLEST, LARGEST = 8, 2, 20  # bags that the smallest class is cut into, and the limits of their numbers of rows
MANY, FEWEST = 60, 4  # most bags that are cut, and the fewest that a lab needs
LEVELS = 100  # most classes; a column with more different values is not one of classes


class BagColumns(Reading):
    """Slot of the columns that name the bag and the label of each row. It reads a `BagTable`.

    If no column names bags, they are cut from the rows of each class, and it reads a `DataSet` with its classes.
    """

    about = message(
        "A table of points with a column of classes: bags are cut from the rows of each class. Or a column names the"
        " bag of each row, and another has the bag's class or number. CSV, workbooks, JSON, SQLite, Parquet and others;"
        " up to 20 MB. Your data stay in this session: no link carries them."
    )

    def build(self) -> dict[str, Any]:
        self.bag: pmui.Select = pmui.Select(label="bags are in", options=[CUT], value=CUT, size="small", width=400)
        self.label: pmui.Select = pmui.Select(
            label="classes or numbers are in", options=[NONE], value=NONE, size="small", width=260
        )
        self.menus: pn.Column = pn.Column(
            self.bag, self.label, margin=(4, 0), sizing_mode="stretch_width", visible=False
        )
        for menu in (self.bag, self.label):
            self.panel.watch(menu, lambda event: self.columns.offer())
        return {"bag": self.bag, "label": self.label}

    def rows(self) -> Sequence[Any]:
        return [self.menus]

    # a file

    def look(self, file: ParsedFile, preview: TablePreview) -> None:
        bags, labels = _candidates(preview)
        found = guess_roles(parse(file, lenient=True), bags, labels) if bags and labels else None
        file.notes["bags"] = found

    def show(self, asked: dict[str, Any]) -> None:
        names = [column.name for column in self.columns.previews]
        for menu, none, value in zip((self.bag, self.label), (CUT, NONE), self._guessed(asked, names), strict=True):
            menu.param.update(options=[none, *names], value=value)
        self.menus.visible = bool(names)

    def _guessed(self, asked, names):
        """Return the bag and label columns that a link names, or the most likely ones."""
        preview = self.panel.preview
        if preview is None:
            return CUT, NONE
        if asked and asked["label_column"] in names:
            return asked["bag_column"] if asked["bag_column"] in names else CUT, asked["label_column"]
        likely = CUT, likely_group_column(preview.columns, preview.rows) or NONE
        return self.panel.files[0].notes["bags"] or likely

    @property
    def cuts(self) -> bool:
        """True if bags are cut from the rows of each class because no column names them."""
        return self.bag.value == CUT

    # columns

    def reserved(self) -> Sequence[str]:
        return [menu.value for menu in (self.bag, self.label) if menu.value not in (CUT, NONE)]

    def unasked(self) -> list[str]:
        return [name for name in super().unasked() if name not in self.reserved()]

    # using the data

    def read(self) -> Any:
        if self.label.value == NONE:
            raise Refusal("Choose the column that has the classes, or the classes or numbers of bags.")
        if not self.columns.menu.value:
            raise Refusal("No column of points is chosen; choose at least one.")
        file: Any = self.panel.files[0]
        how = self.columns.how
        if not self.cuts:
            return read_bags(file, self.bag.value, self.label.value, **how)
        table = read_table(file, target=self.label.value, **how)
        classes, sizes = np.unique(np.asarray(table.target), return_counts=True)
        if len(classes) > LEVELS or np.sum(sizes >= SMALLEST) < 2:
            raise Refusal(
                "Column '{}' has {} different values in {} rows, but bags need at most {} classes, and at least"
                " {} rows in two of them; choose another column, or one that names bags.",
                truncate(self.label.value),
                len(classes),
                table.n,
                LEVELS,
                SMALLEST,
            )
        return table

    def _named(self):
        return {"bag_column": "" if self.cuts else self.bag.value, "label_column": self.label.value}

    def fields(self, data: Any) -> dict[str, Any]:
        return self._named()

    def is_named(self, asked: dict[str, Any], data: Any) -> bool:
        return super().is_named(asked, data) and all(asked[name] == value for name, value in self._named().items())

    def opening(self, data: Any) -> dict[str, Any]:
        anew = {"bag": 1, "label": ""}
        if not self.cuts:
            return {**anew, "bags": 100, "n": 50}
        sizes = np.unique(data.target, return_counts=True)[1]
        n = min(max(int(min(sizes[sizes >= SMALLEST])) // EACH, SMALLEST), LARGEST)
        return {**anew, "bags": max(min(int(np.sum(sizes // n)), MANY), FEWEST), "n": n}


def _candidates(preview):
    """Return the names of columns that may name bags, and of those that may label them, the likeliest first."""
    several = [each for each in preview.columns if LEAST <= each.levels <= preview.rows // 2 and not each.dates]
    bags = [each for each in several if not each.numeric or each.codes or _named(each.name)]
    bags.sort(key=lambda each: (not _named(each.name), each.numeric))
    labels = [each for each in preview.columns if each.levels > 1 and not each.dates and each.use]
    labels.sort(key=lambda each: (not GROUPS.fullmatch(each.name), each.numeric))
    return [each.name for each in bags], [each.name for each in labels[:TRIED]]


def _named(name):
    """Return whether a name suggests bags: it contains "bag", or is typical of an identifier."""
    return "bag" in name.lower() or bool(IDENTIFIERS.fullmatch(name))
