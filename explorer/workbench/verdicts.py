"""The verdict of `compare` on the user's own tables, which the commands and the report give on the same files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, echo, join_list
from explorer.comparison import Comparison, compare
from explorer.comparison.calls import parts_of
from explorer.comparison.inputs import CompareOptions, samples_of
from explorer.datasets.read_table import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.datasets.columns.table import Table
    from explorer.snippets import Snippet

SEED = 0  # that of the commands


def chosen_columns(lab: Any) -> list[str]:
    """The columns that a lab of the user's tables names; none where it takes all that can be compared."""
    return json.loads(lab.columns) if lab.columns else []


def verdict_on(lab: Any, labels: Sequence[Any]) -> Comparison:
    """The Comparison of all rows of the tables of a lab, or of two groups of one, and of the columns that it names.

    Where these are those that are compared unasked, it is the Comparison of all. Raises what `compare` raises.
    """
    given, how = _tables(lab), _groups(lab, labels)
    return compare(*given, columns=_columns(lab, given, how), **how, rng=SEED)


def verdict_on_all(lab: Any, labels: Sequence[Any]) -> Comparison:
    """The Comparison of all columns, whichever the lab names: that of the report, by whose p each is adjusted."""
    return compare(*_tables(lab), **_groups(lab, labels), rng=SEED)


def python_of(lab: Any, labels: Sequence[Any]) -> Snippet:
    """The call that repeats `verdict_on`, with the files by their names."""
    given, how = _tables(lab), _groups(lab, labels)
    columns = _columns(lab, given, how)
    _, call = parts_of(compare, lab.file, lab.file2 if lab.hash2 else None, columns=columns, **how, rng=SEED)
    return call


def _tables(lab) -> list[Table]:
    """The tables as they were read, all their columns and rows."""
    return [parse(source, name, lenient=True) for source, name in lab.own.sources]


def _groups(lab, labels) -> dict[str, Any]:
    """What `compare` calls the two groups: by the cells that have their labels."""
    if lab.hash2:
        return {}
    column = _tables(lab)[0].by_name[lab.group]
    values = column.cells if column.numbers is None else column.numbers
    groups = []
    for label in labels:
        words = {str(cell) for cell, value in zip(column.cells, values, strict=True) if value == label}
        if len(words) > 1:
            raise Refusal(
                f"column {echo(lab.group)} writes one group in several ways, {join_list(sorted(words))}; write it in one."
            )
        groups += words
    return {"by": lab.group, "groups": groups}


def _columns(lab, given, how) -> list[str] | None:
    """The columns that the lab names; None where these are compared unasked."""
    chosen = chosen_columns(lab)
    if not chosen:
        return None
    first, second = [*given, None][:2]
    samples = samples_of(first, second, CompareOptions(**how))
    unasked = {column.name for column in samples.tables.included if column.kind != "missing"}
    return None if unasked == set(chosen) else chosen
