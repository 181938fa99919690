"""Rows of the user's tables on which a result is based: in its headline, and as a column of its tables of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.common_space import Tables
from explorer.datasets.dataset import DataSet
from explorer.languages import translate
from explorer.markup import joined, markup, taken_out
from explorer.printing import short_name

from .prose import in_the_end
from .two_samples import known_labels, sizes, two_groups

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.types import Labels, Rows

    from .result import Result


LINE = re.compile(r"line (\d+)$")
NAMED = 4  # largest number of groups that a sentence names


def headline_of(words: Any, result: Result[Any], row: int) -> Markup:
    """Return a result's headline at a row of its tables, with the rows of the user's tables on which it is based.

    Parameters
    ----------
    words : module
        The lab's `words`.
    result : Result
        The result.
    row : int
        The row.

    Returns
    -------
    Markup
        The headline.
    """
    headline = in_the_end(words.headline(result, row), result)
    told = rows_said(result.lab)
    begun, end = taken_out(r"</div>\s*\Z", headline)
    return joined([begun, markup(" {}", told), end]) if told and end else headline


def numbered(lab: Any, rows: Sequence[str]) -> dict[str, Labels]:
    """Return the column of a table of numbers that identifies the rows of the user's table.

    Parameters
    ----------
    lab : Lab
        The lab.
    rows : sequence of str
        Their names, such as "line 7".

    Returns
    -------
    dict of str to ndarray
        Name -> column; empty if the lab does not show a table of the user.
    """
    if not lab.shows_own:
        return {}
    found = [LINE.search(row) for row in rows]
    if all(found):
        return {"line": np.array([int(each[1]) for each in found if each])}
    return {"row": np.array(rows, dtype=object)}


def lines_of(table: DataSet, rows: Rows) -> dict[str, Labels]:
    """Return {"line" or "row": numbers}: a column that says where in their file rows are.

    Parameters
    ----------
    table : DataSet
        The table.
    rows : ndarray of int
        The rows, counted from 0.

    Returns
    -------
    dict of str to ndarray
        Name -> column.
    """
    return {"line" if table.by_line else "row": table.row_numbers[rows]}


def drawn_lines(lab: Any, clean: int | None = None) -> dict[str, Labels]:
    """Return the column of a table of numbers that says which rows of the user's table the lab has drawn, or {}.

    The lab draws its n rows by its seed, as `DataSet.sample` does.

    Parameters
    ----------
    lab : Lab
        The lab.
    clean : int or None, default None
        How many of them are still those rows, if the others have become outliers. Those are "" in the column.

    Returns
    -------
    dict of str to ndarray
        Name -> column; empty if the lab does not show a table of the user.
    """
    if not lab.shows_own:
        return {}
    table = lab.the_table()
    found = lines_of(table, table.drawn(lab.n, lab.seed))
    if clean is None or clean == lab.n:
        return found
    return {name: np.array([*values[:clean], *[""] * (lab.n - clean)], dtype=object) for name, values in found.items()}


def rows_said(lab: Any) -> str:
    """Return how many rows of the user's tables were left out for missing values, and how many of the others are drawn.

    Empty if all rows are used, or if the lab does not show a table of the user.
    """
    own = lab.own if lab.shows_own else None
    tables = [own] if isinstance(own, DataSet) else list(own) if isinstance(own, Tables) else []
    told, dropped = [], sum(table.dropped for table in tables)
    if dropped:
        whole = sum(table.n + table.dropped for table in tables)
        told.append(translate("{} of {} rows are left out for missing values.", f"{dropped:,}", f"{whole:,}"))
    if tables and "n" in (fields := type(lab).fields) and "bags" not in fields:
        counts = _counts(lab, own)
        drawn = [f"{n:,} of {there:,}" for n, there in counts]
        if any(n < there for n, there in counts):
            told.append(translate("{} rows are drawn.", translate(" and ").join(drawn)))
    if len(tables) == 1 and isinstance(own, Tables):
        told += _others(lab, tables[0])
    return " ".join(told)


def _others(lab, table):
    """Return a sentence on the groups of a table that are not compared, if it has more than two."""
    known = known_labels(table)
    compared = two_groups(_groups(lab)) or list(known)[:2]
    others = [name for name in known if name not in compared]
    if not others:
        return []
    return [
        translate(
            "Not compared: {} of {}.", translate(" and ").join(_few(others)), short_name(getattr(lab, "group", ""))
        )
    ]


def _few(names):
    """Return the first names, and how many more there are."""
    named = [short_name(name) for name in names[:NAMED]]
    return named if len(names) <= NAMED else [", ".join(named), translate("{} others", len(names) - NAMED)]


def _groups(lab):
    """Return the text of the two compared groups; empty in a lab of pairs, whose flag of that name is not text."""
    groups = getattr(lab, "groups", "")
    return groups if isinstance(groups, str) else ""


def _counts(lab, own):
    """Return (rows that the lab shows, rows that exist) for each of its tables, or for each group of one."""
    if isinstance(own, DataSet):
        return [(lab.n, own.n)]
    try:
        there = sizes(own, _groups(lab))
    except Refusal:
        return []
    return list(zip((lab.n, getattr(lab, "m", lab.n)), there, strict=True))
