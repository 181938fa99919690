"""Verdict of `compare` on the user's tables, equal to that of the commands and the report on the same files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, echo, join_list
from explorer.comparison import Comparison, compare
from explorer.comparison.calls import arguments
from explorer.comparison.inputs import CompareOptions, samples_of
from explorer.datasets.read_table import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.datasets.columns.table import Table

SEED = 0  # the commands' seed


def chosen_columns(lab: Any) -> list[str]:
    """Return the columns that a lab of the user's tables names; empty if it takes all that can be compared.

    Parameters
    ----------
    lab : UserSamples
        The lab.

    Returns
    -------
    list of str
        The columns.
    """
    return json.loads(lab.columns) if lab.columns else []


def verdict_on(lab: Any, labels: Sequence[Any]) -> Comparison:
    """Compare all rows of a lab's tables, or of two groups of one, on the columns that it names.

    If these are the columns that are compared by default, it is the Comparison of all. Raises what `compare` raises.

    Parameters
    ----------
    lab : UserSamples
        The lab.
    labels : sequence of float or str
        Labels of the groups.

    Returns
    -------
    Comparison
        The verdict.
    """
    given, how = _tables(lab), _groups(lab, labels)
    return compare(*given, columns=_columns(lab, given, how), **how, rng=SEED)


def verdict_on_all(lab: Any, labels: Sequence[Any]) -> Comparison:
    """Compare all columns, whichever the lab names, as the report does: its p-values are adjusted for all columns.

    Parameters
    ----------
    lab : UserSamples
        The lab.
    labels : sequence of float or str
        Labels of the groups.

    Returns
    -------
    Comparison
        The verdict.
    """
    return compare(*_tables(lab), **_groups(lab, labels), rng=SEED)


def arguments_of(lab: Any, labels: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of `compare` that repeat `verdict_on`, with the names of the files.

    Parameters
    ----------
    lab : UserSamples
        The lab.
    labels : sequence of float or str
        Labels of the groups.

    Returns
    -------
    given : list
        The files.
    options : dict of str to object
        The options that are not the defaults.
    """
    given, how = _tables(lab), _groups(lab, labels)
    columns = _columns(lab, given, how)
    return arguments(compare, lab.file, lab.file2 if lab.hash2 else None, columns=columns, **how, rng=SEED)


def _tables(lab) -> list[Table]:
    """Return the unprocessed tables, with all their columns and rows."""
    return [parse(source, name, lenient=True) for source, name in lab.own.sources]


def _groups(lab, labels) -> dict[str, Any]:
    """Return the arguments of `compare` for the two groups: the cells that have their labels."""
    if lab.hash2:
        return {}
    column = _tables(lab)[0].by_name[lab.group]
    values = column.cells if column.numbers is None else column.numbers
    groups = []
    for label in labels:
        words = {str(cell) for cell, value in zip(column.cells, values, strict=True) if value == label}
        if len(words) > 1:
            raise Refusal(
                "column {} writes one group in several ways, {}; write it in one.",
                echo(lab.group),
                join_list(sorted(words)),
            )
        groups += words
    return {"by": lab.group, "groups": groups}


def _columns(lab, given, how) -> list[str] | None:
    """Return the columns that the lab names, or None if these are compared by default."""
    chosen = chosen_columns(lab)
    if not chosen:
        return None
    first, second = [*given, None][:2]
    samples = samples_of(first, second, CompareOptions(**how))
    unasked = {column.name for column in samples.tables.included if column.kind != "missing"}
    return None if unasked == set(chosen) else chosen
