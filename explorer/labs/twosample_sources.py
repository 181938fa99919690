"""Where the Two-sample lab's samples come from: two laws that are known, two classes of a table, or two tables."""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.datasets import DataSet, load, standardise
from explorer.embeddings import GaussianMixture, contaminate
from explorer.workbench.moved import apply
from explorer.workbench.numbers import number

LAWS, BUNDLED = ("shift", "spread", "moments", "equal"), ("wine", "wdbc")
SOURCES = (*LAWS, *BUNDLED, "file")
STRAYS = "far cluster"  # what a stray looks like, in `contaminate`'s words
# of a lab: which points there are, and with what has become of them
SAMPLE_FIELDS = ("source", "d", "size", "seed", "groups", "group", "hash", "hash2", "columns", "missing", "standardise")
DATA_FIELDS = (*SAMPLE_FIELDS, "n", "m", "outliers", "distance", "moved_p", "moved_q", "dropped")


class Samples(NamedTuple):
    """X (n, d) and Y (m, d) with the coordinates' names, what their rows are called, which rows of the draw they are,
    which of them are strays or were moved by hand, what P and Q are in words, the labels of a table that they are, none
    without,
    their clean laws where these are known, and what was done with the columns of a file, "" without one."""

    X: np.ndarray
    Y: np.ndarray
    names: tuple[str, ...]
    rows: tuple[str, ...]
    drawn: tuple[np.ndarray, np.ndarray]
    touched: np.ndarray
    called: tuple[str, str]
    labels: tuple
    laws: tuple[GaussianMixture, GaussianMixture] | None
    treatment: str

    @property
    def pooled(self):
        """X and Y, (n + m, d)."""
        return np.concatenate([self.X, self.Y])


def seeds(lab):
    """The seeds of the two samples: no seed of a lab shares one with another."""
    return 2 * lab.seed, 2 * lab.seed + 1


def law_arguments(lab):
    """(weights, means, variances) of P and of Q, of GaussianMixture; None for a table.

    "moments" gives Q two hills, `size` of their own standard deviations from the middle: mean 0 and variance 1, as P
    has.
    """
    if lab.source not in LAWS:
        return None
    zero, ones = [0.0] * lab.d, [1.0] * lab.d
    first = [lab.size, *zero[1:]]
    P = ([1.0], [zero], ones)
    if lab.source == "shift":
        return P, ([1.0], [first], ones)
    if lab.source == "spread":
        return P, ([1.0], [zero], [(1 + lab.size) ** 2] * lab.d)
    if lab.source == "moments":
        within = 1 / (1 + lab.size**2)
        a = lab.size * within**0.5
        return P, ([0.5, 0.5], [[-a, *zero[1:]], [a, *zero[1:]]], [within, *ones[1:]])
    return P, P


def the_laws(lab):
    """The clean laws P and Q of a lab, or None for a table."""
    given = law_arguments(lab)
    return given and tuple(GaussianMixture(*arguments) for arguments in given)


def label_word(label):
    """What a class is called."""
    return number(float(label)) if isinstance(label, (float, np.floating, int, np.integer)) else str(label)


def known_labels(table):
    """word -> label of a table's classes, in their order; empty where it has none."""
    return {} if table.target is None else {label_word(label): label for label in np.unique(table.target).tolist()}


def sizes(tables, groups=""):
    """How many rows there are for P and for Q.

    Of two tables, or of two groups of one, the first two where none are named.
    """
    if len(tables) > 1:
        return tables[0].n, tables[1].n
    known = known_labels(tables[0])
    words = json.loads(groups) if groups else list(known)[:2]
    return tuple(int((tables[0].target == known[word]).sum()) for word in words)


def the_table(lab, tables):
    """The first table to draw from: a bundled one, or the session's own; ValueError where that is not there."""
    if lab.source in BUNDLED:
        return load(lab.source)
    if not tables or tables[0].hash != lab.hash or (lab.hash2 and tables[-1].hash != lab.hash2):
        asked = f"the table {lab.file} ({lab.rows} rows)" if lab.file else "a table of your own"
        if lab.hash2:
            asked += f" and {lab.file2} ({lab.rows2} rows)"
        raise Refusal(f"This page shows {asked}, which stays with its owner: choose the file under Your data.")
    return tables[0]


def the_labels(lab, table):
    """The two classes, of the table's own, that P and Q are."""
    known = known_labels(table)
    if len(known) < 2:
        raise Refusal(
            f"{table.name} has {len(known)} group{'' if len(known) == 1 else 's'} in column '{lab.group}', and a"
            " comparison needs two; choose another column, or a second file."
        )
    words = json.loads(lab.groups) if lab.groups else list(known)[:2]
    unknown = [word for word in words if word not in known]
    if unknown:
        raise Refusal(f"{table.name} has no group '{unknown[0]}'; its groups are {', '.join(list(known)[:20])}.")
    return known[words[0]], known[words[1]]


def treated(lab, tables):
    """The session's own Tables as the lab compares them: their numbers over common scales where it asks for that."""
    return tables.in_common_scales() if lab.standardise else tables


def the_parts(lab, tables):
    """The two tables to draw from, with the rows they are of the file, and what they are called."""
    table = the_table(lab, tables)
    if lab.source == "file":
        table, *others = treated(lab, tables).indicators()
        if lab.hash2:
            return [(one, np.arange(one.n), one.name) for one in (table, *others)]
    return [
        (table.where(label), np.flatnonzero(table.target == label), f"group {label_word(label)} of {table.name}")
        for label in the_labels(lab, table)
    ]


def dropped_rows(text):
    """{"P": rows, "Q": rows}, from 0, of the words ["P3", "Q10"], which count from 1.

    ValueError where they are none.
    """
    found = {"P": [], "Q": []}
    try:
        for word in json.loads(text) if text else []:
            if int(word[1:]) < 1:
                raise Refusal(word)
            found[word[0]].append(int(word[1:]) - 1)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise Refusal(
            f'dropped must be like ["P3", "Q10"], rows of the two samples from 1, not {text[:60]!r}.'
        ) from None
    return found


def the_samples(lab, tables):
    """The samples of a lab, strays included and dropped rows left out; a larger n keeps the rows that were there."""
    laws, given = the_laws(lab), (lab.n, lab.m)
    if laws:
        parts = [law.sample(n, seed) for law, n, seed in zip(laws, given, seeds(lab), strict=True)]
        names = tuple(f"coordinate {j + 1}" for j in range(lab.d))
        called, rows = ("P", "Q"), [[f"{side} {i + 1}" for i in range(n)] for side, n in zip("PQ", given, strict=True)]
        labels, treatment = (), ""
    else:
        parts, rows, called, names = _of_tables(lab, tables)
        labels = () if lab.source == "file" and lab.hash2 else the_labels(lab, the_table(lab, tables))
        treatment = str(treated(lab, tables)) if lab.source == "file" else ""
    if lab.outliers:
        parts[1] = contaminate(parts[1], lab.outliers, STRAYS, lab.distance, lab.seed)
    parts = [apply(part, text) for part, text in zip(parts, (lab.moved_p, lab.moved_q), strict=True)]
    gone, moved = dropped_rows(lab.dropped), (_rows(lab.moved_p), _rows(lab.moved_q))
    kept = [np.setdiff1d(np.arange(len(part)), gone[side]) for part, side in zip(parts, "PQ", strict=True)]
    for part, side, call in zip(kept, "PQ", called, strict=True):
        checks.rows(part, f"{side} ({call}), the dropped rows left out,", 3)
    touched = [np.isin(kept[0], moved[0]), np.isin(kept[1], moved[1]) | (kept[1] >= given[1] - lab.outliers)]
    return Samples(
        parts[0][kept[0]],
        parts[1][kept[1]],
        names,
        tuple(rows[k][i] for k in (0, 1) for i in kept[k]),
        tuple(kept),
        np.concatenate(touched),
        called,
        labels,
        laws,
        treatment,
    )


def _of_tables(lab, tables):
    found, rows = [], []
    parts = the_parts(lab, tables)
    for (table, places, call), size, seed, side in zip(parts, (lab.n, lab.m), seeds(lab), "nm", strict=True):
        if size > table.n:
            raise Refusal(
                f"{side} = {size} is more than the {table.n} rows of {call}; take {side} of at most {table.n}."
            )
        found.append(table.sample(size, seed))
        order = DataSet(call, places[:, None], ("row",)).sample(size, seed)[:, 0].astype(int)
        rows.append([f"{call} row {i + 1}" if lab.hash2 and lab.source == "file" else f"row {i + 1}" for i in order])
    if lab.standardise and lab.source in BUNDLED:
        scaled = standardise(np.concatenate(found))
        found = [scaled[: lab.n], scaled[lab.n :]]
    return found, rows, tuple(call for _, _, call in parts), parts[0][0].names


def _rows(text):
    return [int(row) for row in json.loads(text)] if text else []
