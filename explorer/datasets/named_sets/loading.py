"""load: the papers' data sets by name, each checked against what the registry knows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.column_selection import complete_rows, points, refuse_unknown_policy
from explorer.datasets.columns.table import sha256
from explorer.datasets.dataset import DataSet
from explorer.datasets.files import text
from explorer.datasets.strings import StringSet
from explorer.synonyms import explain_wrong_calls
from explorer.types import Missing

from . import openml, registry
from .bundled import BUNDLED


@overload
def load(name: Literal["splice"], missing: Missing = "refuse", *, download: bool = True) -> StringSet: ...
@overload
def load(name: str, missing: Missing = "refuse", *, download: bool = True) -> DataSet: ...
@explain_wrong_calls
def load(name: str, missing: Missing = "refuse", *, download: bool = True) -> DataSet | StringSet:
    """A data set of the papers as a `DataSet`: X (n, d), target (n,), names, licence; splice as a `StringSet`.

    wine, wdbc and eckerle4 need no file. The others are read from the folder that the environment variable
    EXPLORER_DATA names; what it does not hold is looked for in the cache, the folder that EXPLORER_CACHE names, else
    ~/.cache/kernel-mean-explorer or what the system has in its place. What neither holds is downloaded from openml.org
    into the cache, once, where OpenML has the same set (an entry of `REGISTRY` with an `openml` number); its names of
    columns and classes and its order of rows are then OpenML's, and `note` says so.
    missing: "refuse", or "drop" to leave out rows with missing cells (only primary has any).
    download: False never asks the network.
    Raises ValueError for an unknown name, missing cells, and a file whose hash or shape is not the known one;
    FileNotFoundError where the folder or the file is not there; ConnectionError where OpenML cannot be reached.

    >>> from explorer import load
    >>> wine = load("wine")
    >>> wine.n, wine.d, wine.names[:2]
    (178, 13, ('alcohol', 'malic_acid'))
    """
    refuse_unknown_policy(missing)
    entry = registry.find_entry(name)
    facts: dict[str, Any] = {"name": name, "licence": entry.licence, "source": entry.source, "note": entry.note}
    if not entry.vectors:
        return _strings(entry, facts)
    if name in BUNDLED:
        X, target, names = BUNDLED[name]()
        data = DataSet(X=X, target=target, names=names, **facts)
    else:
        data = _from_table(entry, missing, facts, download)
    if (data.n + data.dropped, data.d, data.left_out) != (entry.n, entry.d, entry.words):
        raise Refusal(
            f"{name} has {data.n + data.dropped} rows and {data.d} columns of numbers where {entry.n} and {entry.d} "
            "are known; the package that brings it has changed: install another version of it."
        )
    return data


def _from_table(entry, missing, facts, download):
    table = None if _has_file(entry) or entry.openml is None else openml.load_table(entry, download)
    if table is None:
        table = text.parse(_known_bytes(entry), entry.file)
    else:
        facts["source"] += f"; OpenML data set {entry.openml}"
        copy = "This copy is OpenML's: its columns and classes may have other names, and its rows another order."
        facts["note"] = f"{entry.note} {copy}".strip()
    features = [column for column in table.columns[:-1] if column.name not in entry.words]
    kept = complete_rows(table, features, missing)
    return DataSet(
        X=points(features, kept),
        target=table.columns[-1].array()[kept],
        names=tuple(column.name for column in features),
        left_out=entry.words,
        dropped=int((~kept).sum()),
        hash=table.hash,
        **facts,
    )


def _strings(entry, facts):
    table = text.parse(_known_bytes(entry), entry.file)
    cells = {column.name: column.cells for column in table.columns}
    places = tuple(str(i) for i in range(1, table.rows + 1))
    X, target = np.array(cells["sequence"][:]), np.array(cells["class"][:])
    return StringSet(X=X, names=places, target=target, hash=table.hash, **facts)


def _has_file(entry):
    folder = os.environ.get("EXPLORER_DATA")
    return bool(folder) and (Path(folder) / entry.file).is_file()


def _known_bytes(entry):
    folder = os.environ.get("EXPLORER_DATA")
    if not folder:
        raise FileNotFoundError(
            f"{entry.name} is read from a folder, and the environment variable EXPLORER_DATA names none; set it to the "
            f"folder that holds {entry.file}, or load one that needs no file: {', '.join(sorted(BUNDLED))}."
        )
    path = Path(folder) / entry.file
    if not path.is_file():
        raise FileNotFoundError(
            f"There is no file {path}; put {entry.file} there (SHA-256 {entry.sha256[:12]}…), or set the environment "
            "variable EXPLORER_DATA to the folder that holds it."
        )
    raw = path.read_bytes()
    if sha256(raw) != entry.sha256:
        else_open = ", or open this one with read_table" if entry.vectors else ""
        raise Refusal(
            f"{path} has the SHA-256 {sha256(raw)[:12]}… where {entry.sha256[:12]}… is known; it is another "
            f"version of the data, or was edited: fetch the original{else_open}."
        )
    return raw
