"""Tables of texts that lie beside the code as TOML files: each row becomes a value of a class, and is checked."""

from __future__ import annotations

import tomllib
from inspect import Parameter, signature
from pathlib import Path
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
        The class of a row, a NamedTuple or a dataclass. Its fields are the keys; a field with a default may be left
        out. A field is text, a whole number, a truth value, or a tuple of these or of rows of another class, which is
        an array in the file.

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
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path.name} is not a TOML file: {error}.") from None
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


def _row(fields, kind, place):
    parameters, types = signature(kind).parameters, get_type_hints(kind)
    if unknown := [key for key in fields if key not in parameters]:
        raise Refusal(f"{place} has the unknown key {echo(unknown[0])}; a row has {join_list(parameters)}.")
    required = [key for key, parameter in parameters.items() if parameter.default is Parameter.empty]
    if missing := [key for key in required if key not in fields]:
        raise Refusal(f"{place} lacks {join_list(missing)}.")
    return kind(**{key: _value(value, types[key], f"{place}: {key}") for key, value in fields.items()})


def _value(value: Any, wanted: Any, place: str) -> Any:
    """Return a value of the file as the row has it: an array becomes a tuple."""
    if get_origin(wanted) is tuple:
        if not isinstance(value, list):
            raise Refusal(f"{place} must be an array, not {echo(value)}.")
        kind = get_args(wanted)[0]
        return tuple(_value(each, kind, f"{place} {number}") for number, each in enumerate(value, 1))
    if isinstance(value, dict) and hasattr(wanted, "__annotations__"):
        return _row(value, wanted, place)
    if type(value) not in (wanted, *get_args(wanted)):  # isinstance would take a truth value for a whole number
        raise Refusal(f"{place} must be of type {getattr(wanted, '__name__', wanted)}, not {echo(value)}.")
    return value
