"""Labs of two samples that may be groups of one table of the user, or two tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from explorer.datasets import load
from explorer.parameters import Choice, Flag, Text, Whole
from explorer.snippets import NOTHING, Snippet, snippet

from .fields import BUNDLED, SecondTable, UserTableReading, absent
from .script import checked_lines
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
    columns: str = Text(default="", doc="the columns of your own table, a JSON list; empty is all that can be compared")
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


def groups_line(labels: tuple[float | str, float | str]) -> Snippet:
    """Return the line of Python that takes P and Q from one table, `data`.

    Parameters
    ----------
    labels : tuple of float or str
        Labels of the groups.

    Returns
    -------
    Snippet
        The line.
    """
    first, second = labels
    return snippet("P, Q = data.where({}), data.where({})", first, second)


def read_lines(lab: Any, labels: tuple[str, str]) -> list[Snippet]:
    """Return the lines that read one file with groups, or two files, as P and Q, and check the files' hashes.

    Parameters
    ----------
    lab : UserSamples
        The lab.
    labels : tuple of float or str
        Labels of the groups.

    Returns
    -------
    list of Snippet
        The lines.
    """
    p, q, data = snippet("P"), snippet("Q"), snippet("data")
    files = {p: (lab.file, lab.hash), q: (lab.file2, lab.hash2)} if lab.hash2 else {data: (lab.file, lab.hash)}
    options = snippet(", columns={}", json.loads(lab.columns)) if lab.columns else NOTHING
    options += NOTHING if lab.missing == "refuse" else snippet(", missing={}", lab.missing)
    options += NOTHING if lab.standardise else snippet(", scale='none'")
    options += NOTHING if lab.hash2 else snippet(", target={}", lab.group)
    options += snippet(", lenient=True") if lab.lenient else NOTHING
    options += snippet(", gram=True") if lab.gram else NOTHING
    names = snippet(", ").join(files) if lab.hash2 else snippet("(data,)")
    lines = [snippet("{} = read_tables({}{}).indicators()", names, [file for file, _ in files.values()], options)]
    for name, (file, digest) in files.items():
        lines += checked_lines(name, file, digest)
    return lines if lab.hash2 else [*lines, groups_line(labels)]
