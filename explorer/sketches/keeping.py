"""Sketches in files: an NPZ archive of plain numbers, whose every part is looked at before it is believed."""

from __future__ import annotations

import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings.feature_sums import FINE, MOST, FeatureSums
from explorer.kernels import Gaussian, Laplacian
from explorer.kernels.low_rank import FourierFeatures
from explorer.whole_files import written

FORMAT = 1
KERNELS = {"Gaussian": Gaussian, "Laplacian": Laplacian}
WHOLE = {"format", "features", "rng", "n"}
LARGEST = 20_000  # features of a file that is read: 3 GB of products
AnySketch = TypeVar("AnySketch", bound=FeatureSums)


def save(sketch: FeatureSums, path: str | PathLike[str]) -> None:
    """Write a sketch's file, whole or not at all."""
    with written(path) as file:
        write_to(file, sketch)


def write_to(file: IO[bytes], sketch: FeatureSums) -> None:
    """Write a sketch into an open file."""
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
    np.savez_compressed(file, allow_pickle=False, **parts)


def load(cls: type[AnySketch], path: str | PathLike[str]) -> AnySketch:
    """The sketch of a file; each thing that is wrong with it in a sentence."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {str(path)[:100]!r}; give the path of a sketch that save wrote.")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile) or "format" not in archive:
                raise Refusal(f"{path.name} is no sketch; give a file that Sketch.save or `explorer sketch` wrote.")
            form = archive["format"]
            if form.shape == () and form.dtype.kind in "iu" and int(form) > FORMAT:
                raise Refusal(
                    f"{path.name} was written in format {int(form)} by a later version, and this one reads {FORMAT};"
                    " update the package."
                )
            parts = {name: archive[name] for name in archive.files}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, MemoryError) as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal(f"{path.name} is damaged or no sketch; write it again from its rows.") from error
    if not _is_whole(parts):
        raise Refusal(f"{path.name} is damaged: what it holds is not that of a sketch; write it again from its rows.")
    sketch = cls(KERNELS[str(parts["kernel"])](float(parts["bandwidth"])), int(parts["features"]), int(parts["rng"]))
    if "columns" in parts:
        sketch.columns = tuple(parts["columns"].tolist())
    if "sums" in parts:
        sketch.low = FourierFeatures(sketch.kernel, parts["frequencies"])
        products = np.zeros((sketch.features, sketch.features), np.int64)
        products[np.triu_indices(sketch.features)] = parts["products"]
        sketch.n, sketch.sums = int(parts["n"]), parts["sums"]
        sketch.products = np.triu(products) + np.triu(products, 1).T
    return sketch


def is_sketch(path: str | PathLike[str]) -> bool:
    """Whether a file is an archive that says it is a sketch's, of whatever format and however damaged inside.

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
    try:
        with zipfile.ZipFile(path) as archive:
            return {"format.npy", "features.npy", "bandwidth.npy"} <= set(archive.namelist())
    except (zipfile.BadZipFile, OSError):
        return False


def _is_whole(parts):
    """Whether the parts of a file are those of a sketch, in kind, shape and size."""
    needed = WHOLE | {"kernel", "bandwidth"}
    if not needed <= set(parts) or not all(parts[name].shape == () for name in needed):
        return False
    if not all(parts[name].dtype.kind in "iu" for name in WHOLE) or parts["bandwidth"].dtype.kind != "f":
        return False
    features, n = int(parts["features"]), int(parts["n"])
    if not (2 <= features <= LARGEST and features % 2 == 0 and int(parts["rng"]) >= 0 and 0 <= n <= MOST):
        return False
    if str(parts["kernel"]) not in KERNELS or not 0 < float(parts["bandwidth"]) < np.inf:
        return False
    if "columns" in parts and (parts["columns"].dtype.kind != "U" or parts["columns"].ndim != 1):
        return False
    filled = {"frequencies", "sums", "products"} & set(parts)
    if len(filled) < 3:
        return not filled and n == 0
    waves, sums, products = parts["frequencies"], parts["sums"], parts["products"]
    return (
        waves.ndim == 2
        and waves.dtype == np.float64
        and waves.shape[0] == features // 2
        and waves.shape[1] > 0
        and bool(np.isfinite(waves).all())
        and (sums.shape, sums.dtype) == ((features,), np.int64)
        and (products.shape, products.dtype) == ((features * (features + 1) // 2,), np.int64)
        and bool((np.abs(sums) <= FINE * n).all())  # no cosine is above 1
    )
