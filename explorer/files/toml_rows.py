"""Tables of texts that lie beside the code as TOML files: each table becomes a value of a class, and is checked."""

from __future__ import annotations

import tomllib
from dataclasses import is_dataclass
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from explorer.checks import Refusal
from explorer.printing import echo, join_list

Row = TypeVar("Row")


def read_rows(path: Path, kind: type[Row]) -> dict[str, Row]:
    """Read a table: the file's only array of tables.

    Parameters
    ----------
    path : Path
        The TOML file. The name of its array is free, such as ``[[erratum]]``.
    kind : type
        The class of a row, see `read_table`.

    Returns
    -------
    dict of {str: kind}
        The rows in the order of the file, by their first field.

    Raises
    ------
    Refusal
        If the file is no such table, or if a row has an unknown key, lacks one, has a value of another type, or has the
        first field of another row.
    """
    content = _read(path, path.name)
    arrays = list(content.values())
    if len(arrays) != 1 or not isinstance(arrays[0], list) or not all(isinstance(each, dict) for each in arrays[0]):
        raise Refusal(f"{path.name} must have one array of tables, not {join_list(content) or 'none'}.")
    rows: dict[str, Row] = {}
    for number, fields in enumerate(arrays[0], 1):
        place = f"{path.name}, row {number}"
        row = _row(fields, kind, place)
        key = fields[next(iter(signature(kind).parameters))]
        if key in rows:
            raise Refusal(f"{place} repeats {echo(key)}, which an earlier row has.")
        rows[key] = row
    return rows


def read_table(path: Path, kind: type[Row], name: str) -> Row:
    """Read a file as one value of a class.

    Parameters
    ----------
    path : Path
        The TOML file.
    kind : type
        The class, a NamedTuple or a dataclass. Its fields are the keys; a field with a default may be left out. A field
        is text, a number, a truth value, a table whose keys are free (dict) or are another such class, or a tuple of
        these, which is an array in the file.
    name : str
        What messages call the file.

    Returns
    -------
    kind
        The value.

    Raises
    ------
    Refusal
        If the file is not TOML, or if a table has an unknown key, lacks one, or has a value of another type.
    """
    return _row(_read(path, name), kind, name)


def _read(path, name):
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{name} is not a TOML file: {error}.") from None


def _row(fields, kind, place):
    parameters, types = _keys(kind)
    if unknown := [key for key in fields if key not in parameters]:
        raise Refusal(f"{place} has the unknown key {echo(unknown[0])}; it may have {join_list(parameters)}.")
    required = [key for key, parameter in parameters.items() if parameter.default is Parameter.empty]
    if missing := [key for key in required if key not in fields]:
        raise Refusal(f"{place} lacks {join_list(missing)}.")
    return kind(**{key: _value(value, types[key], f"{place}: {key}") for key, value in fields.items()})


@cache
def _keys(kind):
    return signature(kind).parameters, get_type_hints(kind)


def _value(value: Any, wanted: Any, place: str) -> Any:
    """Return a value of the file as the row has it: an array becomes a tuple, and a table a value of its class."""
    if get_origin(wanted) is tuple:
        if not isinstance(value, list):
            raise Refusal(f"{place} must be an array, not {echo(value)}.")
        return tuple(_value(each, get_args(wanted)[0], f"{place} {i}") for i, each in enumerate(value, 1))
    kinds = get_args(wanted) if isinstance(wanted, UnionType) else (wanted,)
    rows = [kind for kind in kinds if is_dataclass(kind) or hasattr(kind, "_fields")]
    if rows and isinstance(value, dict):
        return _row(value, rows[0], place)
    allowed = {get_origin(kind) or kind for kind in kinds}
    allowed |= {int} if float in allowed else set()
    if Any not in allowed and type(value) not in allowed:  # isinstance would take a truth value for a whole number
        called = (f"table ({kind.__name__})" if kind in rows else kind for kind in kinds if kind is not NoneType)
        names = " or ".join(getattr(kind, "__name__", str(kind)) for kind in called)
        raise Refusal(f"{place} must be of type {names}, not {echo(value)}.")
    return value
