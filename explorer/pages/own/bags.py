"""Bags of one's own: a table with a column that names the bag of each row, and one of classes or numbers to learn."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import read_bags
from explorer.datasets.purpose import grouping

from .table import OwnData

FEWEST = 4  # bags
NONE = "(choose a column)"


class OwnBags(OwnData):
    """OwnData for bags: `use(table, fields)` gets the BagTable and the fields that name it."""

    categories = False
    about_it = (
        "A table of points, with a column that names the bag of each row and one with the bag's class or number. CSV,"
        " TSV, NPY, NPZ or Parquet; up to 20 MB. Your data stay in this session: no link carries them."
    )

    def __init__(self, use, asked=dict, examples=None, **params):
        self.bag, self.label = (
            pmui.Select(label=word, options=[NONE], value=NONE, size="small", width=260)
            for word in ("bags are in", "classes or numbers are in")
        )
        self.roles = pn.Column(self.bag, self.label, margin=(4, 0), sizing_mode="stretch_width", visible=False)
        super().__init__(use, asked, examples, **params)
        for menu in (self.bag, self.label):
            menu.param.watch(self._arrange, "value")
        self._layout.insert(3, self.roles)

    def _shown(self, raw, preview, refusal):
        self.preview = preview
        names = [column.name for column in self._there()]
        with self._without_following():
            for menu, value in zip((self.bag, self.label), self._guessed(names), strict=True):
                menu.param.update(options=[NONE, *names], value=value)
            self.roles.visible = bool(names)
        super()._shown(raw, preview, refusal)

    def _guessed(self, names):
        """The columns that a link names, or those that most likely are the two."""
        asked = self._asked()
        if self.preview and self._known(self.preview.hash) and asked["bag_column"] in names:
            return asked["bag_column"], asked["label_column"]
        there = [column for column in self._there() if FEWEST <= column.levels <= (self.preview.rows or 0) // 2]
        called = [column.name for column in there if "bag" in column.name.lower()]
        bag = next(iter(called or [column.name for column in there if not column.numeric or column.codes]), NONE)
        rest = [column for column in self._there() if column.name != bag]
        label = (grouping(rest, self.preview.rows) if rest else "") or (rest[-1].name if rest else NONE)
        return bag, label

    # its columns

    def _roles(self):
        return [menu.value for menu in (self.bag, self.label)]

    def _offered(self):
        return [name for name in super()._offered() if name not in self._roles()]

    def _whole(self):
        return [name for name in super()._whole() if name not in self._roles()]

    def _usual(self):
        return [name for name in super()._usual() if name not in self._roles()]

    def _taken(self):
        return list(self.columns.value)

    def _arrange(self, event=None):
        """Take other columns as points where the two have changed."""
        if self.preview is None or self._quiet:
            return
        with self._without_following():
            self.columns.param.update(options=self._offered(), value=self._usual())
        self._follow()

    def _incomplete(self):
        taken = [*self._taken(), *(name for name in self._roles() if name != NONE)]
        return self.preview.incomplete(taken) if self.preview else 0

    # using them

    def read(self):
        """The BagTable; Refusal where a column is still to be chosen."""
        if NONE in self._roles():
            raise Refusal("Choose the column that names the bags, and the one with their classes or numbers.")
        if not self.columns.value:
            raise Refusal("No column of points is chosen; choose at least one.")
        return read_bags(
            self._bytes,
            self.bag.value,
            self.label.value,
            self._taken(),
            missing=self.missing,
            standardise=self.scaled,
            name=self.preview.name,
            lenient=self.lenient,
        )

    def _fields(self, table):
        return super()._fields(table) | {"bag_column": self.bag.value, "label_column": self.label.value}

    def _same(self):
        asked = self._asked()
        return super()._same() and [asked["bag_column"], asked["label_column"]] == self._roles()

    def _fresh(self, table):
        return {"bag": 1, "label": "", "bags": 100, "n": 50}
