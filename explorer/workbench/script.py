"""Lines of copied Python that labs of one sample share."""

from __future__ import annotations

import json

from .fields import BUNDLED

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


def opening_lines(lab):
    """Lines that load an `OwnTable` lab's table, and what they import."""
    if lab.source in BUNDLED:
        return [f'data = load("{lab.source}"){".standardised()" if lab.standardise else ""}'], ["load"]
    chosen = f", columns={json.loads(lab.columns)!r}" if lab.columns else ""
    missing = "" if lab.missing == "refuse" else f", missing={lab.missing!r}"
    scaled = ", standardise=True" if lab.standardise else ""
    lenient = ", lenient=True" if lab.lenient else ""
    gram = ", gram=True" if lab.gram else ""
    refusal = f"this is another {lab.file} than the one on the page"
    lines = [
        f"data = read_table({lab.file!r}{chosen}{missing}{scaled}{lenient}{gram})",
        f"if data.hash != {lab.hash!r}:",
        f"    raise ValueError({refusal!r})",
    ]
    return lines, ["read_table"]


def table_lines(lab):
    """Lines that load an `OwnTable` lab's table and draw its rows as the lab does, and what they import."""
    lines, names = opening_lines(lab)
    return [*lines, f"X = data.sample({lab.n}, rng={lab.seed})"], names


def role_lines(x, y, rows="data.X"):
    """Lines that take columns x and y of the rows of `data`, an array in code."""
    return [
        f"X = {rows}[:, [data.names.index(name) for name in {list(x)!r}]]",
        f"Y = {rows}[:, [data.names.index(name) for name in {list(y)!r}]]",
    ]


def script(names, lines):
    """The lines below one that imports these names."""
    imports = ", ".join(sorted(set(names), key=lambda name: (name.lower(), name)))
    return "\n".join([f"from explorer import {imports}", "", *lines, ""])
