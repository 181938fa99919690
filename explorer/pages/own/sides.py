"""Pairs of one's own for a lab that compares their sides: two columns of a table, or rows of two samples."""

from __future__ import annotations

from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.pages.text import html

from .groups import OwnGroups
from .pairs import OwnPairs, TakesPairs

COLUMNS = "Pairs in one table: a row is a pair, and x and y are columns of it."
SAMPLES = "Two samples: P and Q are two files, or groups of one. Equally many rows are paired in their order."
# what no other data of one's own have said: fields of the other kind go back to nothing
BLANK = {"group": "", "file2": "", "rows2": 0, "hash2": "", "placed": "", "selected": 0}


class OwnSides(OwnPairs):
    """OwnPairs in the table's own units: scaled apart, x and y would no longer differ in mean and spread."""

    def __init__(self, use, asked=dict, **params):
        super().__init__(use, asked, **params)
        self.standardise.label = "divide numbers by scales common to x and y"

    def read(self):
        """The chosen columns; the lab divides x and y by one scale, or not, as its own field says."""
        table = read_table(self._bytes, self._taken(), self.missing, name=self.preview.name, lenient=self.lenient)
        if table.d < 2:
            raise Refusal(f"{table.name} has one chosen column, and a pair needs two; choose more columns.")
        return table


class TakesSides(TakesPairs):
    """A page of a lab of PairedTables; it has the parts "x", "y", "own" and "samples", and two notes on them.

    Its lab's field `laws` says where the pairs come from, and `blocks` is at most the number of pairs.
    """

    tables = ("file",)
    known = ()  # the pictures that need the truth, and the one to show in their place: (names, name)

    def part(self, name):
        """What is chosen of one's own data, and what it is for."""
        if name in ("own note", "samples note"):
            return html(f"<div class='caption'>{COLUMNS if name == 'own note' else SAMPLES}</div>")
        if name == "own":
            self.own = OwnSides(self.take_columns, self.lab.values)
            return self.own
        if name == "samples":
            self.samples = OwnGroups(self.take_samples, self.lab.values)
            return self.samples
        return super().part(name)

    def take_columns(self, table, fields):
        """Take a table whose columns are the sides; x and y stay where it is the one that the link names."""
        roles = {} if fields["hash"] == self.lab.hash else {"x": "", "y": ""}
        self.take(table, {**BLANK, **roles, **fields}, table.n)

    def take_samples(self, tables, fields):
        """Take two samples, as many rows of each as the shorter has."""
        sizes = [fields[name] for name in ("n", "m") if name in fields]
        if sizes:
            fields = {**fields, "n": min(sizes)}
        self.take(tables, {**BLANK, "x": "", "y": "", **fields}, fields.get("n", self.lab.n))

    def take(self, own, fields, rows):
        """Take data of one's own: no more blocks than pairs, and a picture that needs no truth."""
        n = min(fields.get("n", self.lab.n), rows)
        blocks = min(self.lab.blocks, n - (n + 1) % 2)
        names, other = self.known
        picture = other if self.lab.picture in names else self.lab.picture
        self.use(own, {**fields, "laws": "file", "n": n, "blocks": blocks, "picture": picture})

    def chosen(self, name, value):
        """The fields that change with a menu: one's own data are named again."""
        changes = super().chosen(name, value)
        if name == "laws" and value == "file" and self.lab.own is not None:
            names, other = self.known
            picture = {"picture": other} if self.lab.picture in names else {}
            changes = {**self.naming, **self.lab.fitting(), **picture, **changes}
        return changes
