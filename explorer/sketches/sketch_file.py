"""Sketches in files: an NPZ archive of plain numbers, whose every part is checked before it is used."""

from __future__ import annotations

import os
import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.files.contents import refuse_special
from explorer.datasets.files.limits import COLUMNS, TITLE
from explorer.embeddings.feature_sums import FINE, MOST, FeatureSums
from explorer.files.whole_files import written
from explorer.kernels import Gaussian, Laplacian
from explorer.kernels.low_rank import FourierFeatures
from explorer.printing import echo

from .members import PLAIN, Members

FORMAT = 1
KERNELS = {"Gaussian": Gaussian, "Laplacian": Laplacian}
WHOLE = {"format", "features", "rng", "n"}
NAMES = 4 * COLUMNS * TITLE  # most bytes of the names of columns
LARGEST = 20_000  # most features of a file that is read: 3 GB of products
AnySketch = TypeVar("AnySketch", bound=FeatureSums)


def save(sketch: FeatureSums, path: str | PathLike[str]) -> None:
    """Write a sketch's file, whole or not at all."""
    with written(path) as file:
        write_to(file, sketch)


def write_to(file: IO[bytes], sketch: FeatureSums) -> None:
    """Write a sketch into an open file.

    Parameters
    ----------
    file : file
        A binary file.
    sketch : FeatureSums
        The sketch.
    """
    parts: dict[str, Any] = {
        "format": FORMAT,
        "kernel": type(sketch.kernel).__name__,
        "bandwidth": sketch.kernel.length_scale,
        "features": sketch.features,
        "rng": sketch.rng,
        "n": sketch.n,
    }
    if sketch.columns is not None:
        parts["columns"] = np.array(sketch.columns, dtype=str)
    if sketch.low is not None:
        above = np.triu_indices(sketch.features)  # the products are symmetric
        parts |= {
            "frequencies": sketch.low.frequencies,
            "sums": sketch.sums,
            "products": sketch.products[above],
        }
    np.savez_compressed(file, **parts)


def load(cls: type[AnySketch], path: str | PathLike[str]) -> AnySketch:
    """Return the sketch of a file; raise Refusal with the reason if something is wrong with it.

    Each array is measured before it is unpacked, so that a small file takes little memory, whatever its headers claim.
    """
    refuse_special(path, "a sketch that save wrote")
    path = Path(path)
    try:
        with path.open("rb") as file:
            members = Members(file)
            if "format" not in members.names:
                raise Refusal(f"{path.name} is not a sketch; give a file that Sketch.save or `explorer sketch` wrote.")
            _refuse_other_format(members.scalar("format"), path.name)
            return _loaded(cls, members)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, MemoryError) as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal(f"{path.name} is damaged or not a sketch; write it again from its rows.") from error


def _refuse_other_format(form, name):
    """Raise Refusal if the format is that of a later version, or no format."""
    if form.dtype.kind not in "iu" or form < 1:
        raise Refusal(f"{name} is damaged: its format is {echo(form.item())}, and formats are 1, 2 and so on.")
    if form > FORMAT:
        raise Refusal(
            f"{name} was written in format {int(form)} by a later version, and this one reads {FORMAT};"
            " update the package."
        )


def _loaded(cls, members: Members):
    """Return the sketch in the arrays of a file; raise BadZipFile if their kind, shape or size is wrong."""
    parts = {name: members.scalar(name) for name in (*sorted(WHOLE), "kernel", "bandwidth")}
    features, n = int(parts["features"]), int(parts["n"])
    _refuse(
        not all(parts[name].dtype.kind in "iu" for name in WHOLE)
        or parts["bandwidth"].dtype.kind != "f"
        or not (2 <= features <= LARGEST and features % 2 == 0 and int(parts["rng"]) >= 0 and 0 <= n <= MOST)
        or str(parts["kernel"]) not in KERNELS
        or not 0 < float(parts["bandwidth"]) < np.inf
    )
    sketch = cls(KERNELS[str(parts["kernel"])](float(parts["bandwidth"])), features, int(parts["rng"]))
    filled = {"frequencies", "sums", "products"}
    there = members.names - {*parts, "columns"}
    _refuse(there != filled and not (not there and n == 0))
    if "columns" in members.names:
        columns = members.array("columns", (None,), NAMES)
        _refuse(columns.dtype.kind != "U")
        sketch.columns = tuple(columns.tolist())
    if not there:
        return sketch
    waves = members.array("frequencies", (features // 2, None), PLAIN)
    sums = members.array("sums", (features,), 8 * features)
    _refuse(
        waves.dtype != np.float64
        or not waves.size
        or not np.isfinite(waves).all()
        or sums.dtype != np.int64
        or (np.abs(sums) > FINE * n).any()  # no cosine is above 1
    )
    sketch.low = FourierFeatures(sketch.kernel, waves.copy())
    sketch.n, sketch.sums, sketch.products = n, sums.copy(), _products(members, features)
    return sketch


def _products(members, features):
    """Return the products (features, features); the file contains the upper triangle, row by row."""
    with members.opened("products") as (header, member):
        _refuse((header.shape, header.dtype) != ((features * (features + 1) // 2,), np.dtype(np.int64)))
        products = np.empty((features, features), np.int64)
        for i in range(features):
            row = np.frombuffer(member.read(8 * (features - i)), np.int64)
            products[i, i:] = products[i:, i] = row
    return products


def _refuse(wrong):
    """Raise BadZipFile if something is wrong."""
    if wrong:
        raise zipfile.BadZipFile("what it holds is not that of a sketch")


def is_sketch(path: str | PathLike[str]) -> bool:
    """Return whether a file is an archive that claims to be a sketch's, of any format and even if damaged inside.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    bool
        True if it has the names of a sketch's arrays.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from explorer import Gaussian, Sketch
    >>> from explorer.sketches import is_sketch
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Sketch(Gaussian(1.0)).update([[0.0], [1.0]]).save(Path(folder, "two.npz"))
    ...     size = Path(folder, "notes.txt").write_text("no sketch")
    ...     is_sketch(Path(folder, "two.npz")), is_sketch(Path(folder, "notes.txt"))
    (True, False)
    """
    if not os.path.isfile(path):  # reading from a pipe would consume it
        return False
    try:
        with open(path, "rb") as file:
            return {"format", "features", "bandwidth"} <= Members(file).names
    except (zipfile.BadZipFile, OSError, ValueError):
        return False
