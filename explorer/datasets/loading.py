"""load: the papers' data sets by name, each checked against what the registry knows."""

from __future__ import annotations

import os
from pathlib import Path

from . import registry, text
from .bundled import BUNDLED
from .choosing import complete_rows, refuse_unknown_policy
from .dataset import DataSet


def load(name, missing="refuse"):
    """A data set of the papers as a `DataSet`: X (n, d), target (n,), names, licence.

    wine, wdbc and eckerle4 need no file; the others are read from the folder that the environment variable
    EXPLORER_DATA names. missing: "refuse", or "drop" to leave out rows with missing cells (only primary has any).
    Raises ValueError for an unknown name, missing cells, and a file whose SHA-256 or shape is not the registry's;
    FileNotFoundError where the folder or the file is not there.
    """
    refuse_unknown_policy(missing)
    entry = registry.find(name)
    facts = {"name": name, "licence": entry.licence, "source": entry.source, "note": entry.note}
    if name in BUNDLED:
        X, target, names = BUNDLED[name]()
        data = DataSet(X=X, target=target, names=names, **facts)
    else:
        data = _from_file(entry, missing, facts)
    if (data.n + data.dropped, data.d, data.left_out) != (entry.n, entry.d, entry.words):
        raise ValueError(
            f"{name} has {data.n + data.dropped} rows and {data.d} columns of numbers where {entry.n} and {entry.d} "
            "are known; the package that brings it has changed: install another version of it."
        )
    return data


def _from_file(entry, missing, facts):
    table = text.parse(_known_bytes(entry), entry.file)
    features = [column for column in table.columns[:-1] if column.name not in entry.words]
    X, kept = complete_rows(table, features, missing)
    return DataSet(
        X=X,
        target=table.columns[-1].array()[kept],
        names=tuple(column.name for column in features),
        left_out=entry.words,
        dropped=int((~kept).sum()),
        hash=table.hash,
        **facts,
    )


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
    if text.sha256(raw) != entry.sha256:
        raise ValueError(
            f"{path} has the SHA-256 {text.sha256(raw)[:12]}… where {entry.sha256[:12]}… is known; it is another "
            "version of the data, or was edited: fetch the original, or open this one with read_table."
        )
    return raw
