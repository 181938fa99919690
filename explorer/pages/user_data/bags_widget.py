"""The user's bags: a table with a column that names the bag of each row, and one with classes or numbers to learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal, truncate
from explorer.datasets import read_bags, read_table
from explorer.datasets.bags import LEAST, guess_roles
from explorer.datasets.columns.column_roles import GROUPS, likely_group_column
from explorer.datasets.columns.identifiers import IDENTIFIERS

from .base_widget import Asked, Use
from .inputs.intake import Examples
from .table_widget import UserTable

CUT = "no column: cut the rows of each class"
NONE = "(choose a column)"
TRIED = 12  # most columns that are tried as labels for each candidate bag column
EACH, SMALLEST, LARGEST = 8, 2, 20  # bags that the smallest class is cut into, and the limits of their numbers of rows
MANY, FEWEST = 60, 4  # most bags that are cut, and the fewest that a lab needs
LEVELS = 100  # most classes; a column with more different values is not one of classes


class UserBags(UserTable):
    """Widget for the user's bags: `use(table, fields)` receives the BagTable and the fields that identify it.

    If no column names bags, they are cut from the rows of each class, and `use` receives a DataSet with its classes.

    Parameters
    ----------
    use : callable
        Called as `use(table, fields)` with the user's data.
    asked : callable, default dict
        Returns the lab's current fields, with which a link may have named the data.
    examples : mapping of str to callable, or None, default None
        Labels of examples, each with a function that shows the example.
    **params : dict
        Parameters of the Panel component.
    """

    categories = False
    about_it = (
        "A table of points with a column of classes: bags are cut from the rows of each class. Or a column names the"
        " bag of each row, and another has the bag's class or number. CSV, workbooks, JSON, SQLite, Parquet and others;"
        " up to 20 MB. Your data stay in this session: no link carries them."
    )

    def __init__(self, use: Use, asked: Asked = dict, examples: Examples = None, **params: Any) -> None:
        self.bag: pmui.Select = pmui.Select(label="bags are in", options=[CUT], value=CUT, size="small", width=400)
        self.label: pmui.Select = pmui.Select(
            label="classes or numbers are in", options=[NONE], value=NONE, size="small", width=260
        )
        self.roles: pn.Column = pn.Column(
            self.bag, self.label, margin=(4, 0), sizing_mode="stretch_width", visible=False
        )
        self._found = ("", None)  # a file's hash, and its most likely bag and label columns
        super().__init__(use, asked, examples, **params)
        for menu in (self.bag, self.label):
            menu.param.watch(self._arrange, "value")
        self._layout.insert(3, self.roles)

    def _read_preview(self, raw, name):
        """Read a file's preview, and guess which of its columns name bags and have labels."""
        preview = super()._read_preview(raw, name)
        bags, labels = _candidates(preview)
        found = guess_roles(raw, bags, labels, name=name, lenient=True) if bags and labels else None
        self._found = (preview.hash, found)
        return preview

    def _show_preview(self, raw: bytes, preview: Any, refusal: str) -> None:
        self.preview = preview
        names = [column.name for column in self._columns()]
        with self._without_following():
            for menu, none, value in zip((self.bag, self.label), (CUT, NONE), self._guessed(names), strict=True):
                menu.param.update(options=[none, *names], value=value)
            self.roles.visible = bool(names)
        super()._show_preview(raw, preview, refusal)

    def _guessed(self, names):
        """Return the bag and label columns that a link names, or the most likely ones."""
        asked = self._asked()
        if self.preview is None:
            return CUT, NONE
        if self._is_named_by_link(self.preview.hash) and asked["label_column"] in names:
            return asked["bag_column"] if asked["bag_column"] in names else CUT, asked["label_column"]
        digest, found = self._found
        if found and digest == self.preview.hash:
            return found
        return CUT, likely_group_column(self._columns(), self.preview.rows) or NONE

    @property
    def cuts(self) -> bool:
        """True if bags are cut from the rows of each class because no column names them."""
        return self.bag.value == CUT

    # columns

    def _roles(self):
        return [menu.value for menu in (self.bag, self.label) if menu.value not in (CUT, NONE)]

    def _selectable_names(self):
        return [name for name in super()._selectable_names() if name not in self._roles()]

    def _reader_columns(self):
        return [name for name in super()._reader_columns() if name not in self._roles()]

    def _default_columns(self):
        return [name for name in super()._default_columns() if name not in self._roles()]

    def _chosen_names(self):
        return list(self.columns.value)

    def _unchosen_columns(self):
        return [column for column in super()._unchosen_columns() if column.name not in self._roles()]

    def _arrange(self, event=None):
        """Update the columns of points after the bag or the label column has changed."""
        if self.preview is None or self._quiet:
            return
        with self._without_following():
            self.columns.param.update(options=self._selectable_names(), value=self._default_columns())
        self._follow()

    def _incomplete(self):
        return self.preview.incomplete([*self._chosen_names(), *self._roles()]) if self.preview else 0

    # using the data

    def read(self) -> Any:
        """Read the BagTable, or the table with its classes if bags are cut from it.

        Returns
        -------
        BagTable or DataSet
            The user's data.

        Raises
        ------
        Refusal
            If the label column or the columns of points are still to be chosen, or if the classes are too many or too
            small.
        """
        if self.label.value == NONE:
            raise Refusal("Choose the column that has the classes, or the classes or numbers of bags.")
        if not self.columns.value:
            raise Refusal("No column of points is chosen; choose at least one.")
        options = {
            "missing": self.missing,
            "standardise": self.scaled,
            "name": self.preview.name,
            "lenient": self.lenient,
        }
        if not self.cuts:
            return read_bags(self._bytes, self.bag.value, self.label.value, self._chosen_names(), **options)
        table = read_table(self._bytes, self._chosen_names(), target=self.label.value, **options)
        classes, sizes = np.unique(np.asarray(table.target), return_counts=True)
        if len(classes) > LEVELS or np.sum(sizes >= SMALLEST) < 2:
            raise Refusal(
                f"Column '{truncate(self.label.value)}' has {len(classes)} different values in {table.n} rows, but bags"
                f" need at most {LEVELS} classes, and at least {SMALLEST} rows in two of them; choose another column,"
                " or one that names bags."
            )
        return table

    def _fields(self, table):
        bag = "" if self.cuts else self.bag.value
        return super()._fields(table) | {"bag_column": bag, "label_column": self.label.value}

    def _are_named_data(self):
        asked = self._asked()
        bag = "" if self.cuts else self.bag.value
        return super()._are_named_data() and (asked["bag_column"], asked["label_column"]) == (bag, self.label.value)

    def _fields_of_new_data(self, table):
        anew = {"bag": 1, "label": ""}
        if not self.cuts:
            return {**anew, "bags": 100, "n": 50}
        sizes = np.unique(table.target, return_counts=True)[1]
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
