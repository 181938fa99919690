"""Store: one netCDF file in which every cell has its place from the start and is written as soon as it is computed.

A cell's numbers are written first, then a checksum of them, then the flag that the cell is complete; each in place, by
the operating system. A process that is killed at any moment loses only the cells that were running. The file can be
read with xarray at any time, even while it grows. A cell that has changed since it was written, on a failing disk, by a
power cut or by another program, does not fit its checksum, and is computed again.
"""

from __future__ import annotations

import errno
import json
import os
import struct
from collections.abc import Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal, warn
from explorer.printing import echo, truncate

from .checksums import CHECKSUM, DONE, FRAME, blank_frame, cells_of, frame_of, pack, read
from .header import VERSION, Damaged, header_of
from .sources import changes

if TYPE_CHECKING:
    from xarray import Dataset


DEPENDS = "depends"  # attribute with the sources of the study, as JSON
MIXED = "mixed"  # attribute that is "1" if cells were computed after a source had changed
MAGIC = VERSION[:3]
UNFINISHED = b"\0\0\0" + VERSION[3:] + b"\0\0\0\0" + b"\0\0\0\x0a"  # a file whose first bytes are not yet written
KEY = ("study", "source", "version", "grid")  # attributes that every store has
NAN = struct.pack(">d", float("nan"))
LIMITS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your quota on the disk is used up",
    errno.EFBIG: "no file may be so large here",
}


class Store:
    """File of one study and one grid, locked while it is open.

    Parameters
    ----------
    path : str or path
        The file.
    key : dict
        Texts that identify the study, the grid and the sources.
    reuse : bool, default False
        Whether numbers are kept although the study's sources have changed.

    Attributes
    ----------
    contents : dict or None
        {name: numbers} of all cells and the flags of the complete ones, or None if there is no result yet.

    Raises
    ------
    FileExistsError
        If the file is not a store.
    ValueError
        If the store is damaged, belongs to another study or grid, or has numbers of other sources.
    BlockingIOError
        If another sweep is writing to it.
    OSError
        If the system does not allow reading or writing it.

    Warns
    -----
    ExplorerWarning
        If cells are damaged: they count as missing. If numbers of other or unknown sources are kept.
    """

    path: Path
    changes: str  # what is different from the sources that the file records
    key: Mapping[str, str]
    contents: dict[str, np.ndarray] | None
    offsets: dict[str, int]
    names: list[str]
    file: int  # the file's descriptor, -1 after it is closed

    def __init__(self, path: str | PathLike[str], key: Mapping[str, str], reuse: bool = False) -> None:
        self.path, self.key, self.offsets, self.names = Path(path), key, {}, []
        self.reuse, self.changes = reuse, ""
        self.file = _open_locked(self.path)
        try:
            self.contents = self._read()
        except BaseException as error:
            self.close()
            if isinstance(error, OSError) and error.strerror:  # the system's message does not name the file
                raise _with_text(error, f"{self.path} cannot be read: {error.strerror}.") from error
            raise

    def _read(self):
        start = os.pread(self.file, len(UNFINISHED), 0)
        if start in (b"", UNFINISHED):
            return None
        if not start.startswith(MAGIC):
            raise FileExistsError(
                f"{self.path} is a file of another kind; choose another name for the store, or remove it."
            )
        if len(start) > len(MAGIC) and not start.startswith(VERSION):
            raise FileExistsError(f"{self.path} is a netCDF file, but no store; choose another name, or remove it.")
        try:
            header = header_of(self.file)
            self._compare(header)
        except Damaged as error:
            raise Refusal(
                f"{self.path} is damaged or cut off ({error}), so nothing in it can be believed; remove it, or choose "
                "another name for the store."
            ) from error
        return self._read_cells(header)

    def _compare(self, header):
        """Refuse a file that is not a store, is incomplete, or belongs to another sweep."""
        if not header.attributes.keys() & {"study", "source", "grid"}:
            raise FileExistsError(f"{self.path} is a netCDF file, but no store; choose another name, or remove it.")
        if FRAME not in header.attributes:
            raise Refusal(
                f"{self.path} has no checksums, so it cannot be told whether it is whole; an earlier version wrote it,"
                " or it is damaged. Remove it, or choose another name for the store."
            )
        end = max((area.start + area.size for area in header.variables.values()), default=0)
        if end > header.length:
            raise Damaged(f"it has {header.length} bytes of {end}")
        if read(self.file, header.attributes[FRAME]) != frame_of(self.file, header):
            raise Damaged("its header or its axes have changed")
        attributes = {name: header.attributes[name] for name in (*KEY, DEPENDS, MIXED) if name in header.attributes}
        stored = {name: read(self.file, area).decode() for name, area in attributes.items()}
        if missing := [name for name in KEY if name not in stored]:
            raise Damaged(f"it does not say its {missing[0]}")
        for name in ("study", "grid"):
            if stored[name] != self.key[name]:
                what = _difference(name, stored[name], self.key[name])
                raise Refusal(f"{self.path} is the store of {what}; choose another name for the store.")
        self._compare_sources(stored)

    def _compare_sources(self, stored):
        """Refuse numbers of other sources, or keep them with a warning."""
        if DEPENDS in stored:
            self.changes = changes(json.loads(stored[DEPENDS]), json.loads(self.key[DEPENDS]))
        else:
            parts = [
                "the study's code changed" * (stored["source"] != self.key["source"]),
                f"its version {stored['version']} became {self.key['version']}"
                * (stored["version"] != self.key["version"]),
            ]
            self.changes = f"{', '.join(filter(None, parts))} since the store was written" if any(parts) else ""
        reason = self.changes
        if not reason and stored.get(MIXED) == "1":
            reason = "its cells were computed by several versions of code"
        if reason:
            if not self.reuse:
                raise Refusal(
                    f"{self.path} has numbers of other code: {reason}. Choose another name for the store, or keep its"
                    " numbers by reuse=True (--reuse on the command line)."
                )
            warn(f"the numbers in {self.path} are reused although {reason}.")
        elif DEPENDS not in stored:
            warn(
                f"{self.path} was written by an earlier version, which recorded the study's own code alone: whether"
                " anything that it calls has changed since is unknown."
            )

    def _read_cells(self, header):
        """Return the contents of the cells, empty the damaged ones, and set the missing flag of complete ones."""
        self._lay_out(header)
        self._header = header
        values, complete, damaged, unflagged = cells_of(self.file, header, self.names)
        for index in damaged:
            self._put(b"\0", DONE, index)
            for name in self.names:
                self._put(NAN, name, index)
        for index in unflagged:  # the process may have been killed between the checksum and the flag
            self._put(b"\x01", DONE, index)
        if len(damaged):
            cells = "1 damaged cell" if len(damaged) == 1 else f"{len(damaged)} damaged cells"
            warn(
                f"{self.path} has {cells} of {len(complete)} (numbers that do not fit their checksum); only what is"
                " damaged or missing is computed now."
            )
        return {**values, DONE: complete}

    def _lay_out(self, header):
        cells = header.variables[DONE].dims
        self.offsets = {name: area.start for name, area in header.variables.items() if area.dims == cells}
        self.names = sorted(self.offsets.keys() - {DONE, CHECKSUM})

    def create(self, dataset: Dataset) -> None:
        """Write the file for a data set of nan, so that every number has its place.

        The first bytes are written last: until then the file counts as empty.
        """
        try:
            labelled = dataset.assign_attrs({**self.key, FRAME: blank_frame()})
            data = bytes(labelled.to_netcdf(engine="scipy", format="NETCDF3_64BIT"))
        except (ValueError, TypeError, KeyError, OverflowError) as error:  # netCDF does not allow a name or a value
            raise Refusal(
                f"{self.path} cannot hold this sweep as netCDF ({truncate(str(error))}); name its axes and numbers by"
                " plain letters, or leave out the store."
            ) from error
        try:
            os.ftruncate(self.file, 0)
            _write(self.file, data[len(MAGIC) :], len(MAGIC))
            header = header_of(self.file)
            _write(self.file, frame_of(self.file, header), header.attributes[FRAME].start)
            _write(self.file, MAGIC, 0)
        except OSError as error:
            with suppress(OSError):  # without its first bytes the file counts as empty in any case
                os.ftruncate(self.file, 0)
            raise self._disk_error(
                error, f"needs {len(data) / 1e6:.3g} MB", "nothing is kept, and the file is empty"
            ) from error
        self._lay_out(header)

    def write(self, index: int, values: Mapping[str, float]) -> None:
        """Write a cell: its numbers, their checksum, then its flag."""
        if self.changes:
            self._mark_mixed()
        row = pack(index, [values[name] for name in self.names])
        for i, name in enumerate(self.names, 1):
            self._put(row[8 * i : 8 * i + 8], name, index)
        self._put(row[-4:], CHECKSUM, index)
        self._put(b"\x01", DONE, index)

    def _mark_mixed(self):
        """Record, once, that cells of other code follow; the mark and the checksum after it are one write."""
        self.changes = ""
        if (mark := self._header.attributes.get(MIXED)) is None:
            return
        end = self._header.attributes[FRAME]
        between = os.pread(self.file, end.start - mark.start, mark.start)
        _write(self.file, b"1" + between[1:] + frame_of(self.file, self._header, mark.start), mark.start)

    def _put(self, data, name, index):
        try:
            _write(self.file, data, self.offsets[name] + len(data) * int(index))
        except OSError as error:
            raise self._disk_error(error, "was to get a cell", "what was written is kept") from error

    def _disk_error(self, error, why, kept):
        """Return the system's error with a message that says what happened to the store."""
        reason, advice = error.strerror, "Start again when it can be written"
        if error.errno in LIMITS:
            reason, advice = LIMITS[error.errno], "Make room and start again"
        return _with_text(error, f"{self.path} {why}, and {reason}; {kept}. {advice}.")

    def close(self) -> None:
        """Close the file and release its lock."""
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


def _with_text(error, text):
    """Return a copy of a system error with another text; its type and number stay."""
    copy = type(error)(text)
    copy.errno = error.errno
    return copy


def _open_locked(path):
    """Open a file that no other sweep writes to, and return its descriptor."""
    import fcntl  # the rest of the package runs on systems without it

    if not path.parent.is_dir():
        raise FileNotFoundError(f"the store's folder {path.parent} does not exist; make it first.")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file for the store, such as {path / 'sweep.nc'}.")
    if path.exists() and not path.is_file():
        raise FileExistsError(f"{path} is not an ordinary file; choose another name for the store.")
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise _with_text(
            error, f"{path} cannot be opened to be read and written: {error.strerror}; choose another name."
        ) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        if not isinstance(error, BlockingIOError):
            raise _with_text(error, f"{path} cannot be locked: {error.strerror}; choose another folder.") from error
        raise BlockingIOError(
            f"another sweep is writing to {path}; wait for it to end, or choose another name."
        ) from None
    return file


def _write(file, data, place):
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, place)
        view, place = view[written:], place + written


def _difference(name, stored, own):
    """Describe the difference of two keys of a store."""
    if name != "grid":
        return f"another {name}, {echo(stored)}, and this one is {echo(own)}"
    one, other = json.loads(stored), json.loads(own)
    part = next(part for part in one if one[part] != other[part])
    return f"another grid: its {part} are {echo(one[part])}, and yours {echo(other[part])}"
