"""A store: one netCDF file in which every cell has its place from the start, and is written there as soon as it is
known.

A number is written before the flag that says it is there, in place, by the operating system: a process that is killed
at any moment loses the cells that were running, no other. The file can be read with xarray at any time, while it grows
too. What it cannot survive is a power cut: the system writes when it likes.
"""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np

from explorer.checks import Refusal
from explorer.printing import shown

DONE = "computed"
MAGIC = b"CDF"


class Store:
    """The file of one study and one grid, locked for as long as it is open.

    Raises FileExistsError for a file that is no store, ValueError for the store of another study, version or grid,
    BlockingIOError where another sweep is writing to it, and OSError where the disk does not take it: each with a
    sentence.
    """

    def __init__(self, path, key):
        self.path, self.key, self.places = Path(path), key, None
        self.file = _locked(self.path)
        try:
            self.kept = self._read()
        except BaseException:
            self.close()
            raise

    def _read(self):
        """{name: numbers} of all cells with the flags of those that are there; None where there is no result yet."""
        start = os.pread(self.file, len(MAGIC), 0)
        if not start.strip(b"\0"):  # empty, or its making was interrupted: the first bytes are written last
            return None
        if start != MAGIC:
            raise FileExistsError(
                f"{self.path} is a file of another kind; choose another name for the store, or remove it."
            )
        from scipy.io import netcdf_file

        with netcdf_file(self.path, mmap=False) as file:
            found = {name: getattr(file, name, b"").decode() for name in self.key}
            if not found.get("study"):
                raise FileExistsError(f"{self.path} is a netCDF file, but no store; choose another name, or remove it.")
            for name, own in self.key.items():
                if found[name] != own:
                    what = _difference(name, found[name], own)
                    raise Refusal(f"{self.path} is the store of {what}; choose another name for the store.")
            self.places = _places(self.path)
            return {name: np.array(file.variables[name].data, dtype=float).ravel() for name in self.places}

    def create(self, dataset):
        """Give every number of a data set of nan its place.

        The first bytes come last: until then the file holds nothing.
        """
        data = bytes(dataset.assign_attrs(self.key).to_netcdf(engine="scipy", format="NETCDF3_64BIT"))
        try:
            os.ftruncate(self.file, 0)
            _write(self.file, data[len(MAGIC) :], len(MAGIC))
            _write(self.file, data[: len(MAGIC)], 0)
        except OSError as error:
            os.ftruncate(self.file, 0)
            raise self._refused(error, f"needs {len(data) / 1e6:.3g} MB") from error
        self.places = _places(self.path)

    def write(self, index, values):
        """Keep a cell: its numbers, then its flag."""
        try:
            for name, value in values.items():
                _write(self.file, np.array(value, dtype=">f8").tobytes(), self.places[name] + 8 * index)
            _write(self.file, b"\x01", self.places[DONE] + index)
        except OSError as error:
            raise self._refused(error, "was to grow") from error

    def _refused(self, error, why):
        said = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else error.strerror
        return OSError(
            error.errno, f"{self.path} {why}, and {said}; what was written is kept. Make room and start again"
        )

    def close(self):
        """Let another sweep have it."""
        if self.file is not None:
            os.close(self.file)
            self.file = None


def _locked(path):
    """A descriptor of a file that no other sweep writes to."""
    import fcntl  # the rest of the package runs where there is none

    if not path.parent.is_dir():
        raise FileNotFoundError(f"the store's folder {path.parent} does not exist; make it first.")
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise BlockingIOError(
            f"another sweep is writing to {path}; wait for it to end, or choose another name."
        ) from None
    return file


def _places(path):
    """Where in the file the first number of each result is, and the first flag."""
    from scipy.io import netcdf_file

    places = {}
    with netcdf_file(path, mmap=True) as file:
        for name, variable in file.variables.items():
            if name not in file.dimensions:
                mapped = variable.data  # a view of the whole file, which is its base
                places[name] = mapped.ctypes.data - mapped.base.ctypes.data
        del variable, mapped
    return places


def _write(file, data, place):
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, place)
        view, place = view[written:], place + written


def _difference(name, found, own):
    """What is not the same, in words."""
    if name == "source":
        return "the same study, but its code has changed since"
    if name != "grid":
        return f"another {name}, {shown(found)}, and this one is {shown(own)}"
    one, other = json.loads(found), json.loads(own)
    part = next(part for part in one if one[part] != other[part])
    return f"another grid: its {part} are {shown(one[part])}, and yours {shown(other[part])}"
