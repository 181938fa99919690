"""Reader of NPY and NPZ files. Nothing is unpickled, and no memory is allocated for what only a header promises."""

from __future__ import annotations

import io
import math
import zipfile

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns import unreadable_kinds
from explorer.datasets.columns.table import (
    Table,
    column_names,
    duration_column,
    number_column,
    opaque_column,
    parse_column,
    sha256,
    word_column,
)
from explorer.printing import echo, join_list, plural

from . import contents, limits
from .contents import reading

NPY, ZIP = b"\x93NUMPY", (b"PK\x03\x04", b"PK\x05\x06")  # the latter of an archive with members, and of an empty one
ENTRY = b"PK\x01\x02"  # first bytes of each member's entry in an archive's directory
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other methods unpack a whole member, however little is read


def npy(raw: bytes, name: str) -> Table:
    """Return the Table in the bytes of an NPY file: an array (n,), (n, d), or (n,) of named fields."""
    return _table([("", _array(raw, name))], raw, name)


def npz(raw: bytes, name: str) -> Table:
    """Return the Table in the bytes of an NPZ file: one array as in an NPY file, or several (n,), each a column.

    The columns are named after the keys of the arrays.
    """
    members = _members(raw, name)
    arrays = [(key, _array(member, f"{name}, array {echo(key)}")) for key, member in members]
    shapes = {array.shape for _, array in arrays}
    if len(arrays) > 1 and (len(shapes) > 1 or any(array.ndim != 1 or array.dtype.names for _, array in arrays)):
        shapes = join_list([f"{echo(key)} {array.shape}" for key, array in arrays])
        raise Refusal(
            f"{name} holds {len(arrays)} arrays, and which of them make the table is unclear: {shapes}; save one array "
            "(n, d), or arrays (n,) of one length, a column each."
        )
    return _table(arrays, raw, name)


def _members(raw, name):
    """Return (name, bytes) of each member of an archive.

    No more is unpacked than its directory announces, and that is limited.
    """
    if raw.count(ENTRY) > limits.MEMBERS:  # zipfile would create an object for each
        raise Refusal(
            f"{name} holds more than {limits.MEMBERS:,} arrays, the limit; save the columns as one array (n, d)."
        )
    again = "it was cut short or altered, or is an archive of another kind; save the table again, as NPZ or as CSV text"
    with reading(name, "NPZ", again):
        archive = zipfile.ZipFile(io.BytesIO(raw))
    infos = archive.infolist()
    others = [info.filename for info in infos if not info.filename.endswith(".npy")]
    if others or not infos:
        raise Refusal(
            f"{name} is a zip archive with {echo(others[0]) if others else 'nothing'} in it, where NPZ holds NPY"
            " arrays only; save the table as CSV (a spreadsheet is such an archive too)."
        )
    contents.refuse_unpacked(name, sum(info.file_size for info in infos))
    if any(info.compress_type not in BOUNDED for info in infos):
        raise Refusal(
            f"{name} is packed in a way that numpy never packs, and how much comes out of it cannot be limited; save"
            " the table again, as NPZ or as CSV text."
        )
    members = []
    for info in infos:
        with reading(name, "NPZ", again), archive.open(info) as member:
            content = member.read(info.file_size + 1)  # if there is more, the checksum is wrong
        members.append((info.filename.removesuffix(".npy"), content))
    return members


def _array(raw, name):
    """Return the array in the bytes of an NPY file. Its header is checked before the values are read."""
    stream = io.BytesIO(raw)
    with reading(name, "NPY"):
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(stream)  # version 3 differs from 2 only in the alphabet of its names
    if dtype.hasobject:
        raise Refusal(
            f"{name} holds Python objects, and to restore them is to run code from the file; save an array of numbers."
        )
    _refuse_shape(name, shape, dtype)
    promised, available = math.prod(shape) * dtype.itemsize, len(raw) - stream.tell()
    if promised != available:
        raise Refusal(
            f"{name} has {available} bytes of values, but its shape {shape} takes {promised}; it was cut short, or"
            " holds more than one array: save the table again."
        )
    contents.refuse_unpacked(name, 8 * math.prod(shape) * len(dtype.names or " "))
    with reading(name, "NPY"):
        return np.load(io.BytesIO(raw), allow_pickle=False)


def _refuse_shape(name, shape, dtype):
    """Refuse the shape that a header announces if it is that of a table and exceeds the limits."""
    fields = len(dtype.names or " ")
    if len(shape) == 1:
        limits.refuse_shape(name, shape[0], fields)
    elif len(shape) == 2:
        limits.refuse_shape(name, shape[0], shape[1] * fields)


def _table(arrays, raw, name):
    parts = [part for key, array in arrays for part in _parts(array, key, name)]
    if not parts or not len(parts[0][1]):
        raise Refusal(
            f"{name} has {plural(len(parts), 'column')} and no rows of numbers; give an array with rows and columns."
        )
    limits.refuse_shape(name, len(parts[0][1]), len(parts))
    names = column_names((title for title, _ in parts), name)
    columns = (_column(title, values, name) for title, (_, values) in zip(names, parts, strict=True))
    return Table(name, tuple(columns), sha256(raw))


def _parts(array, key, name):
    """Return (name, values) of each column of an array. The name is "" if the column has none."""
    if array.ndim == 1 and array.dtype.names:
        return [(field, array[field]) for field in array.dtype.names]
    if array.ndim == 1:
        return [(key, array)]
    if array.ndim == 2 and not array.dtype.names:
        return [("", column) for column in array.T]
    raise Refusal(
        f"{name} has an array of shape {array.shape}; a table is (n,) or (n, d), a row for each point: reshape it."
    )


def _column(title, values, name):
    kind = values.dtype.kind
    if values.ndim > 1 or kind == "V":  # the field holds arrays or fields
        return opaque_column(
            title, unreadable_kinds.LISTS if values.ndim > 1 else unreadable_kinds.RECORDS, len(values)
        )
    if kind == "c":
        return opaque_column(title, unreadable_kinds.COMPLEX, len(values))
    if kind in "iuf":
        return number_column(title, values)
    if kind == "m":
        return duration_column(title, np.where(np.isnat(values), np.nan, values / np.timedelta64(1, "s")))
    if kind == "U":
        return parse_column(title, _letters(values, name))
    if kind == "S":
        return parse_column(title, (cell.decode("utf-8", "backslashreplace").strip() for cell in values.tolist()))
    return word_column(title, ("" if cell == "NaT" else cell for cell in map(str, values)))  # truth values, dates


def _letters(values, name):
    """Return the cells of an array of text. Raises Refusal if a code point is invalid, as numpy would accept it."""
    native = np.array(values, dtype=values.dtype.newbyteorder("="))
    letters = native.view(np.uint32) if native.itemsize else np.zeros(1, np.uint32)
    if np.any((letters > 0x10FFFF) | ((0xD7FF < letters) & (letters < 0xE000))):
        raise Refusal(f"{name} holds text with letters that do not exist; it was altered: save the table again.")
    return (cell.strip() for cell in native.tolist())
