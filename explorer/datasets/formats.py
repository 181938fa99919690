"""Which format bytes are in, told by their first ones: NPY, NPZ, Parquet, and everything else is text."""

from __future__ import annotations

from . import arrays, parquet, text


def parse(raw, name):
    """The Table in the bytes of a file; `name` is the file's name in sentences. ValueError where they hold none."""
    if raw.startswith(arrays.NPY):
        return arrays.npy(raw, name)
    if raw.startswith(arrays.ZIP):
        return arrays.npz(raw, name)
    if (
        raw.startswith(parquet.MAGIC) and b"\0" in raw
    ):  # a text file may begin with a column PAR1, and has no zero bytes
        return parquet.parse(raw, name)
    return text.parse(raw, name)
