"""Lines of copied Python that labs of one sample share."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from explorer.model import code

from . import offers
from .fields import BUNDLED

if TYPE_CHECKING:
    from explorer.model import Model

    from .fields import OwnTable
    from .pairs import RolesOfTable


Lines: TypeAlias = tuple[list[str], list[str]]  # of code, and the names that they import
LOSSES = (
    "truth = law.embed(kernel)",
    "losses = {name: e.embed(X).distance(truth) ** 2 for name, e in estimators.items()}",
    'losses = {name: loss / losses["KME"] for name, loss in losses.items()}',
    "print(losses)",
)
ESTIMATED_LOSSES = (
    "# leave-one-out estimates of loss / loss of KME: KME's score is n times its estimated loss",
    'losses = {name: 1 + len(X) * (s / scores["KME"] - 1) if scores["KME"] else 1.0 for name, s in scores.items()}',
    "print(losses)",
)


def opening_lines(lab: OwnTable) -> Lines:
    """Lines that load an `OwnTable` lab's table, and what they import."""
    if lab.source in BUNDLED:
        return [f'data = load("{lab.source}"){".standardised()" if lab.standardise else ""}'], ["load"]
    chosen = f", {lab.taken_as}={json.loads(lab.columns)!r}" if lab.columns else ""
    missing = "" if lab.missing == "refuse" else f", missing={lab.missing!r}"
    scaled = ", standardise=True" if lab.standardise else ""
    lenient = ", lenient=True" if lab.lenient else ""
    gram = ", gram=True" if lab.gram else ""
    when = getattr(lab, "time", "")  # of a series the column of its dates; of other labs a number, or none
    time = f", time={when!r}" if when and isinstance(when, str) else ""
    read = f"data = read_table({lab.file!r}{chosen}{missing}{scaled}{lenient}{gram}{time})"
    return [read, *checked_lines("data", lab.file, lab.hash)], ["read_table"]


def checked_lines(name: str, file: str, digest: str) -> list[str]:
    """Lines that refuse another file than the one on the page."""
    refusal = f"this is another {file} than the one on the page"
    return [f"if {name}.hash != {digest!r}:", f"    raise ValueError({refusal!r})"]


def table_lines(lab: OwnTable) -> Lines:
    """Lines that load an `OwnTable` lab's table and draw its rows as the lab does, and what they import."""
    lines, names = opening_lines(lab)
    return [*lines, f"X = data.sample({lab.n}, rng={lab.seed})"], names


def role_lines(x: Sequence[str], y: Sequence[str], rows: str = "data.X") -> list[str]:
    """Lines that take columns x and y of the rows of `data`, an array in code."""
    return [
        f"X = {rows}[:, [data.names.index(name) for name in {list(x)!r}]]",
        f"Y = {rows}[:, [data.names.index(name) for name in {list(y)!r}]]",
    ]


def pair_lines(lab: RolesOfTable, rows: str, opening: Lines | None = None) -> Lines:
    """Lines that take X and Y from rows of a `RolesOfTable` lab's table, and what they import.

    rows: code for rows of a table called "{}", such as "{}.X[:50]"; opening: other lines that make `data`, and what
    they import.
    """
    lines, names = opening or opening_lines(lab)
    x, y = lab.roles(lab.the_table())
    if lab.by_gram[1]:
        lenient = ", lenient=True" if lab.lenient else ""
        lines += [
            f"other = read_table({lab.file2!r}{lenient}, gram=True)",
            *checked_lines("other", lab.file2, lab.hash2),
            f"X, Y = {rows.format('data')}, {rows.format('other')}  # coordinates: their inner products are the files'",
        ]
        return lines, names
    lines.append(f"rows = {rows.format('data')}")
    taken = role_lines(x, y, "rows")
    if lab.by_gram[0]:
        taken[0] = "X = rows[:, : data.axes]  # coordinates: their inner products are the Gram matrix"
    return [*lines, *taken], names


CLASSES = re.compile(r"\b[^\W\d_]\w*(?=\()")  # what the code of a model calls


def models_called(*models: Model) -> Lines:
    """Lines that import the classes of models of one's own, and the names of those that the package has."""
    called = [name for model in models for name in CLASSES.findall(code(model))]
    own = {each.kind.__name__: each.kind.__module__ for each in offers.own()}
    lines = sorted({f"from {own[name]} import {name}" for name in called if name in own})
    return lines, sorted({name for name in called if name not in own and name[0].isupper()})


def script(names: Sequence[str], lines: Sequence[str]) -> str:
    """The lines below one that imports these names."""
    imports = ", ".join(sorted(set(names), key=lambda name: (name.lower(), name)))
    return "\n".join([f"from explorer import {imports}", "", *lines, ""])
