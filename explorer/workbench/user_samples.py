"""Labs of two samples that may be groups of one table of the user, or two tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from explorer.datasets import load, read_tables
from explorer.parameters import Choice, Flag, Text, Whole
from explorer.recipe import Recipe, recipe

from .fields import BUNDLED, Names, SecondTable, UserTableReading, absent
from .stages import derived
from .two_samples import sizes, two_groups

LIVE = 100  # number of points of each sample with which a bundled table opens
OPEN = 200  # number of rows of each sample of the user with which a page opens
# Stops of the sliders of n and m for the user's tables.
STOPS = (
    3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200,
    1500, 2000, 2500, 3000, 4000, 5000,
)  # fmt: skip


class UserSamples(SecondTable, UserTableReading):
    """A lab with `source`, n and m whose two samples may come from tables.

    Parameters
    ----------
    lenient, gram : bool, default False
        See `UserTableReading`.
    file2, rows2, hash2 : Any
        See `SecondTable`.
    groups : str, default ""
        The two groups of a table, a JSON list; empty for the first two.
    group : str, default ""
        The column of the user's table that names the groups.
    file : str, default ""
        Name of the user's file.
    rows : int, default 0
        Its number of rows.
    hash : str, default ""
        Its SHA-256.
    columns : str, default ""
        JSON list of the columns; empty for all that can be compared.
    missing : {"refuse", "drop"}, default "refuse"
        Treatment of rows with missing values.
    standardise : bool, default True
        Whether numbers are scaled, those of P and Q together.
    """

    groups: str = Text(default="", doc="the two groups of a table, a JSON list; empty is the first two")
    group: str = Text(default="", doc="the column of your own table that names the groups")
    file: str = Text(default="", doc="the name of your own table; the data stay in the session")
    rows: int = Whole(0, bounds=(0, None), doc="rows of your own table")
    hash: str = Text(default="", doc="SHA-256 of your own table")
    columns: str = Names(
        default="", doc="the columns of your own table, a JSON list; empty is all that can be compared"
    )
    missing: str = Choice(default="refuse", objects=["refuse", "drop"], doc="rows with missing values")
    standardise: bool = Flag(default=True, doc="whether a table's numbers are scaled, those of P and Q together")

    def _check(self):
        two_groups(self.groups)

    @property
    def tables(self) -> Any:
        """The user's tables: one with a column of groups, or two; empty at first."""
        return () if self.own is None else self.own

    @tables.setter
    def tables(self, tables: Any) -> None:
        self.own = tables

    @derived
    def named(self) -> tuple[Any, ...]:
        """Identity of the user's tables: hashes and the fields that determine how the files are read."""
        return self.hash, self.hash2, self.group, self.columns, self.missing, self.lenient, self.gram

    def the_tables(self) -> Any:
        """Return the tables to draw from: a bundled one, or the user's.

        Returns
        -------
        Tables or tuple of DataSet
            The tables.

        Raises
        ------
        Refusal
            If this session does not have them.
        """
        if self.source in BUNDLED:
            return (load(self.source),)
        tables, (first, second, *_) = self.tables, self.named
        if not tables or tables[0].hash != first or (second and tables[-1].hash != second):
            raise absent(self)
        return tables

    def tables_there(self) -> Any:
        """Return the tables of this source that the session has; none for distributions.

        Returns
        -------
        Tables or tuple of DataSet
            The tables.
        """
        if self.source in BUNDLED:
            return (load(self.source),)
        return self.tables if self.source == "file" else ()

    def rows_there(self) -> dict[str, int]:
        """Return the numbers of rows of the source's two samples, if they come from tables.

        Returns
        -------
        dict of str to int
            Numbers for n and m.
        """
        tables = self.tables_there()
        return dict(zip("nm", sizes(tables, self.groups), strict=True)) if tables else {}

    def opening(self, tables: Any, groups: str = "") -> dict[str, int]:
        """Return the fields with which a page opens on the user's tables.

        Parameters
        ----------
        tables : Tables
            The tables.
        groups : str, default ""
            The two groups.

        Returns
        -------
        dict of str to int
            The fields n and m.
        """
        n, m = (min(size, OPEN) for size in sizes(tables, groups))
        return {"n": n, "m": m}

    @property
    def whole(self) -> bool:
        """True if all rows of both of the user's samples are drawn, so that another seed draws the same ones."""
        return self.source == "file" and bool(self.tables) and (self.n, self.m) == sizes(self.tables, self.groups)

    @derived
    def some_drawn(self) -> bool:
        """True if only some rows of the user's tables are drawn, so that a result for all rows would add something."""
        return self.source == "file" and bool(self.tables) and not self.gram and not self.whole

    def stops_of(self, name: str) -> Sequence[Any]:
        """Return the values at which the slider of a field stops; n and m go up to the rows of the user's tables.

        Parameters
        ----------
        name : str
            The field.

        Returns
        -------
        sequence
            The values.
        """
        if name not in ("n", "m") or self.source != "file" or not self.tables:
            return super().stops_of(name)
        there = sizes(self.tables, self.groups)["nm".index(name)]
        field: Any = type(self).fields[name]
        least, most = field.bounds
        return [stop for stop in STOPS if least <= stop < min(there, most)] + [min(there, most)]

    def fitting(self) -> dict[str, Any]:
        """Return the fields that the user's tables limit: n and m are at most their numbers of rows.

        Returns
        -------
        dict of str to Any
            The fields.
        """
        return self.fitted(self.tables)

    def fitted(self, tables: Any, groups: str = "") -> dict[str, Any]:
        """Return the fields that change with other tables or groups: at most as many points as these have.

        Parameters
        ----------
        tables : Tables
            The tables.
        groups : str, default ""
            The two groups.

        Returns
        -------
        dict of str to Any
            The groups, n and m.
        """
        if self.whole and tables is self.tables:
            opening = self.opening(tables, groups)
            return {"groups": groups, "n": opening["n"], "m": opening["m"]}
        now = (LIVE, LIVE) if self.source not in (*BUNDLED, "file") else (self.n, self.m)
        n, m = sizes(tables, groups)
        return {"groups": groups, "n": min(n, now[0]), "m": min(m, now[1])}


def reading(lab: Any, labels: Sequence[Any]) -> Recipe[[], Any]:
    """Return the steps that read one file with groups, or two files, as P and Q, and refuse other files.

    Parameters
    ----------
    lab : UserSamples
        The lab.
    labels : sequence of float or str
        Labels of the groups.

    Returns
    -------
    Recipe
        The steps, which return P and Q.
    """
    options: Any = {
        "columns": json.loads(lab.columns) if lab.columns else None,
        "missing": None if lab.missing == "refuse" else lab.missing,
        "scale": None if lab.standardise else "none",
        "target": None if lab.hash2 else lab.group,
        "lenient": lab.lenient,
        "gram": lab.gram,
    }
    options = {name: value for name, value in options.items() if value}

    @recipe
    def steps():
        if lab.hash2:
            P, Q = read_tables([lab.file, lab.file2], **options).indicators()
            if P.hash != lab.hash:
                raise ValueError(f"this is another {lab.file} than the one on the page")
            if Q.hash != lab.hash2:
                raise ValueError(f"this is another {lab.file2} than the one on the page")
        else:
            (data,) = read_tables([lab.file], **options).indicators()
            if data.hash != lab.hash:
                raise ValueError(f"this is another {lab.file} than the one on the page")
            P, Q = data.where(labels[0]), data.where(labels[1])
        return P, Q

    return steps
