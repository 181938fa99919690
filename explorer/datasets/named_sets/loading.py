"""Function `load`: the papers' data sets by name, each checked against the registry."""

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
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Missing

from . import openml, registry
from .bundled import BUNDLED


@overload
def load(name: Literal["splice"], missing: Missing = "refuse", *, download: bool = True) -> StringSet: ...
@overload
def load(name: str, missing: Missing = "refuse", *, download: bool = True) -> DataSet: ...
@explain_wrong_calls
def load(name: str, missing: Missing = "refuse", *, download: bool = True) -> DataSet | StringSet:
    """Load a data set of the papers by its name.

    Use it to repeat the papers' experiments. For a file of your own use `read_table`.

    wine, wdbc and eckerle4 need no file. The other sets are looked for in three places, in this order:

    1. The folder that the environment variable EXPLORER_DATA names.
    2. The cache: the folder that EXPLORER_CACHE names, or ~/.cache/kernel-mean-explorer (or the system's equivalent).
    3. openml.org, if OpenML has the same set (an entry of `REGISTRY` with an `openml` number). The set is downloaded
       into the cache, once. Its names of columns and classes and its order of rows are then OpenML's, and `note` says
       so.

    Parameters
    ----------
    name : str
        Name of an entry of `REGISTRY`.
    missing : {"refuse", "drop"}, default "refuse"
        What to do with rows that have missing cells: refuse the set, or drop them. Only primary has any.
    download : bool, default True
        Whether the set may be downloaded. False never uses the network.

    Returns
    -------
    DataSet or StringSet
        X of shape (n, d), the target of shape (n,), names and licence. For splice a `StringSet`.

    Raises
    ------
    ValueError
        If the name is unknown, cells are missing, or a file's hash or shape is not the known one.
    FileNotFoundError
        If the folder or the file does not exist.
    ConnectionError
        If OpenML cannot be reached.

    Examples
    --------
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
            f"{name} has {plural(data.n + data.dropped, 'row')} and {plural(data.d, 'column')} of numbers where"
            f" {entry.n} and {entry.d} "
            "are known; the package that brings it has changed: install another version of it."
        )
    return data


def _from_table(entry, missing, facts, download):
    """Return the DataSet of a registry entry from a file or from OpenML."""
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
    """Return the StringSet of a registry entry from its file."""
    table = text.parse(_known_bytes(entry), entry.file)
    cells = {column.name: column.cells for column in table.columns}
    places = tuple(str(i) for i in range(1, table.rows + 1))
    X, target = np.array(cells["sequence"][:]), np.array(cells["class"][:])
    return StringSet(X=X, names=places, target=target, hash=table.hash, **facts)


def _has_file(entry):
    folder = os.environ.get("EXPLORER_DATA")
    return bool(folder) and (Path(folder) / entry.file).is_file()


def _known_bytes(entry):
    """Return the bytes of a set's file, which must have the known hash."""
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
