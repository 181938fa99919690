"""Pairs of one's own whose two sides are compared: columns of one table, or rows of two groups or two files."""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
import param

from explorer.checks import Refusal
from explorer.datasets import DataSet
from explorer.datasets.scales import robust_scale
from explorer.printing import listed, short

from .fields import absent
from .kernels import gram_words
from .pairs import RolesOfTable
from .script import checked_lines, role_lines
from .stages import derived
from .two_samples import known_labels, label_word, labels_of, sizes


class Sides(NamedTuple):
    """X and Y (n, d), row i of one beside row i of the other.

    names    what the first coordinate of each is called
    called   the pairs, in words
    matched  how their rows came to be pairs, a sentence
    columns  the names of x's and of y's columns; none where the sides are samples
    scales   what those columns were divided by; empty where by nothing
    labels   of the groups of a table that the sides are, if they are
    in_order whether the rows of two samples are paired in their order
    """

    X: np.ndarray
    Y: np.ndarray
    names: tuple[str, str]
    called: str
    matched: str
    columns: tuple[list[str], list[str]] = ([], [])
    scales: tuple[float, ...] = ()
    labels: tuple = ()
    in_order: bool = True


class PairedTables(RolesOfTable):
    """A lab of pairs (x, y) of equal dimension that may be one's own.

    They are columns x and y of one table, or row with row two groups of one table, or two tables, P's and Q's.
    """

    taken_from = "laws"
    groups = True  # y may be several columns, as many as x
    group = param.String(default="", doc="the column of your own table that names the groups P and Q")
    takes_gram = False  # of one side: a Gram matrix of both samples has all their coordinates

    @derived
    def named(self):
        """The fields that name the tables of one's own: other columns of one file are another table."""
        reading = self.columns, self.missing, self.standardise, self.lenient, self.gram
        return self.hash, self.hash2, self.group, *reading

    @property
    def sampled(self):
        """Whether the sides are two samples, and no columns of one table."""
        return bool(self.hash2 or self.group)

    def the_table(self):
        """The table whose columns are the sides."""
        if self.sampled or not isinstance(self.own, DataSet) or self.own.hash != self.named[0]:
            raise absent(self)
        return self.own

    def the_tables(self):
        """The tables that the two samples come from."""
        first, second, group, *_ = self.named
        own = self.own
        there = own is not None and not isinstance(own, DataSet)
        if not there or own[0].hash != first or own[-1].hash != (second or first) or bool(group) != (len(own) == 1):
            raise absent(self)
        return own

    @property
    def whole(self):
        """Whether all pairs of one's own are drawn, in their order; rows that are paired by chance are drawn anew."""
        if self.laws != "file" or self.own is None:
            return False
        return {self.n} == ({self.own.n} if isinstance(self.own, DataSet) else set(sizes(self.own)))

    def fitting(self):
        """No more pairs than one's own tables have."""
        rows = self.own.n if isinstance(self.own, DataSet) else min(sizes(self.own))
        return {"n": min(self.n, rows)}

    def the_sides(self):
        """The Sides that the fields name: n pairs of one's own."""
        return self._of_samples() if self.sampled else self._of_columns()

    def _of_columns(self):
        table = self.the_table()
        x, y = self.roles(table)
        if len(x) != len(y):
            raise Refusal(
                f"x has {len(x)} column{'' if len(x) == 1 else 's'} and y has {len(y)}; x and y are compared column by"
                " column, so take as many for one as for the other."
            )
        pairs = self.pairs_of_table()
        scales = ()
        if self.standardise:
            both = np.concatenate([[table.X[:, table.names.index(name)] for name in names] for names in (x, y)], axis=1)
            scales = tuple(map(robust_scale, both))
        X, Y = (side / np.array(scales) if scales else side for side in (pairs.X, pairs.Y))
        matched = f"Each row of {short(table.name)} is a pair{self._drawn(table.n)}."
        words = f"{listed(map(short, x))} and {listed(map(short, y))} of {short(table.name)}"
        return Sides(X, Y, (short(x[0]), short(y[0])), words, matched, (x, y), scales)

    def _of_samples(self):
        tables = self.the_tables()
        treated = (tables.in_common_scales() if self.standardise else tables).indicators()
        labels = labels_of(treated[0], "", self.group) if self.group else ()
        P, Q = tuple(treated[0].where(label) for label in labels) or treated
        called = [f"{short(self.group)} = {short(label_word(label))}" for label in labels]
        called = called or [short(P.name), short(Q.name)]
        if self.n > min(P.n, Q.n):
            few = called[int(Q.n < P.n)]
            raise Refusal(f"n = {self.n} is more than the {min(P.n, Q.n)} rows of {few}; take n of at most that many.")
        X, Y = (side.sample(self.n, seed) for side, seed in zip((P, Q), self.seeds(P.n == Q.n), strict=True))
        where = f" in {short(P.name)}" if labels else ""
        matched = self._matched(P.n, Q.n)
        if (groups := len(known_labels(treated[0]))) > 2:
            matched += f" They are the first two of the {groups} groups."
        if self.gram:
            matched += gram_words(self)
        words = f"{called[0]} and {called[1]}{where}"
        return Sides(X, Y, tuple(called), words, matched, labels=labels, in_order=P.n == Q.n)

    def seeds(self, equal):
        """The seeds that draw the rows of both sides: one seed pairs the rows of equally many in their order."""
        return (self.seed, self.seed) if equal else (2 * self.seed, 2 * self.seed + 1)

    def _matched(self, p, q):
        if p == q:
            return f"Row i of P is paired with row i of Q{self._drawn(p)}."
        unused = [f"{size - self.n} of {side}'s" for side, size in (("P", p), ("Q", q)) if size > self.n]
        return (
            f"P has {p} rows and Q has {q}, so no row belongs to another: {self.n} of each are paired by chance, and"
            f" {' and '.join(unused)} are not used."
        )

    def _drawn(self, rows):
        return "" if self.n == rows else f", and {self.n} of the {rows} pairs were drawn by chance"


def sides_lines(lab, sides):
    """What is imported for the Sides of a lab, and lines that read them as X and Y and check that they are these."""
    options = f", columns={json.loads(lab.columns)!r}" if lab.columns else ""
    options += "" if lab.missing == "refuse" else f", missing={lab.missing!r}"
    options += ", lenient=True" if lab.lenient else ""
    if not lab.sampled:
        lines = [f"data = read_table({lab.file!r}{options})", *checked_lines("data", lab.file, lab.hash)]
        lines += [f"rows = data.sample({lab.n}, rng={lab.seed})", *role_lines(*sides.columns, "rows")]
        if sides.scales:
            lines.append(f"X, Y = X / {list(sides.scales)}, Y / {list(sides.scales)}  # one scale for x and y")
        return ["read_table"], lines
    files = [("P", lab.file, lab.hash), ("Q", lab.file2, lab.hash2)] if lab.hash2 else [("data", lab.file, lab.hash)]
    options += "" if lab.standardise else ", scale='none'"
    options += "" if lab.hash2 else f", target={lab.group!r}"
    options += ", gram=True" if lab.gram else ""
    given = ", ".join(name for name, *_ in files) + ("" if lab.hash2 else ",")
    lines = [f"{given} = read_tables({[file for _, file, _ in files]!r}{options}).indicators()"]
    lines += [line for each in files for line in checked_lines(*each)]
    if sides.labels:
        first, second = sides.labels
        lines.append(f"P, Q = data.where({first!r}), data.where({second!r})")
    p, q = lab.seeds(sides.in_order)
    return ["read_tables"], [*lines, f"X, Y = P.sample({lab.n}, rng={p}), Q.sample({lab.n}, rng={q})"]
