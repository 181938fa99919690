"""Reader of JSON: lines of objects, arrays of objects or rows, columns by name. Nested objects become columns a.b."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, echo
from explorer.datasets.columns.table import sha256
from explorer.datasets.columns.unreadable_kinds import LISTS

from . import contents, limits, text

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

START = re.compile(r'\s*(\{\s*["}]|\[\s*[\[{"\]]|\[\s*-?\d.*\]\s*\Z)', re.DOTALL)
BLANK = re.compile(r"\s*")
AT_ONCE = 50_000  # rows of a batch
LOOKED_AT = 1000  # number of first and of last bytes that distinguish JSON from other text

SPLIT = {"columns", "data"}  # keys of a table in two parts, as pandas writes it


class Nested(list):
    """List in a cell."""


def is_json(raw: bytes) -> bool:
    """Return whether a text looks like JSON, from its first and last bytes."""
    start, end = raw[:LOOKED_AT].removeprefix(codecs.BOM_UTF8), raw[LOOKED_AT:][-LOOKED_AT:]
    code = json.detect_encoding(raw[:4])
    return START.match(start.decode(code, "replace") + end.decode(code, "replace")) is not None


def parse(raw: bytes, name: str, lenient: bool = False) -> Table:
    """Return the Table in the bytes of a JSON file. Numbers keep their digits; true and false are words.

    Raises Refusal, with the line, if the JSON is damaged, and if it does not hold a table.
    """
    try:
        whole = _decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(f"{name} is no UTF-8 text (byte {error.start + 1}); save it as JSON in UTF-8.") from error
    values = list(_values(whole, name))
    lines: list[int] = []
    if len(values) > 1:
        lines = [line for line, _ in values]
        rows = [value for _, value in values]
        if not all(isinstance(row, dict) for row in rows):
            odd = next(line for line, row in values if not isinstance(row, dict))
            raise Refusal(f"{name}: line {odd} is not an object; give each line of the file one, {{...}}.")
        columns = _of_objects(rows, name)
    else:
        columns = _columns(values[0][1] if values else [], name)
    if not columns or not len(next(iter(columns.values()))):
        raise Refusal(f"{name} has no row; give a table with at least one.")
    limits.refuse_shape(name, len(next(iter(columns.values()))), len(columns))
    return _table(columns, lines, name, sha256(raw), lenient)


def _decoded(raw):
    """Decode bytes in UTF-8, UTF-16 or UTF-32, as JSON allows."""
    return raw.removeprefix(codecs.BOM_UTF8).decode(json.detect_encoding(raw))


def _values(whole: str, name: str) -> Iterator[tuple[int, Any]]:
    """Yield (line on which it begins, value) for each value of a text."""
    decoder = _decoder()
    place = _after_blanks(whole, 0)
    line, counted = 1, 0
    while place < len(whole):
        line, counted = line + whole.count("\n", counted, place), place
        try:
            value, end = decoder.raw_decode(whole, place)
        except json.JSONDecodeError as error:
            raise Refusal(
                f"{name} is no sound JSON: {error.msg} in line {error.lineno}, letter {error.colno}; it was cut short,"
                " or altered there: save it again."
            ) from error
        except Refusal as error:
            raise Refusal(f"{name}: {error}") from error
        yield line, value
        place = _after_blanks(whole, end)
        if whole.startswith(",", place):  # some programs write commas between lines
            place = _after_blanks(whole, place + 1)


def _decoder():
    """Return a decoder that keeps numbers as text."""
    return json.JSONDecoder(object_pairs_hook=_distinct, parse_float=str, parse_int=str, parse_constant=str)


def _after_blanks(whole, place):
    blanks = BLANK.match(whole, place)
    return blanks.end() if blanks else place


def _distinct(pairs):
    """Return the dict of an object's pairs. Raises Refusal if two names are equal."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Refusal(f"an object has the name {echo(twice)} twice; give each value a name of its own.")
    return values


def _columns(value: Any, name: str) -> dict[str, list[Any]]:
    """Return name -> cells for the single value of a file."""
    if isinstance(value, list):
        return _of_array(value, name)
    if not isinstance(value, dict):
        raise Refusal(f"{name} holds {echo(value)}, and no table; give an array of objects, or columns by name.")
    if value.keys() >= SPLIT and all(isinstance(value[key], list) for key in SPLIT):
        return _of_split(value, name)
    inner = list(value.values())
    if inner and all(isinstance(each, list) for each in inner) and not any(_of_rows(each) for each in inner):
        return _of_lists(value, name)
    if inner and all(isinstance(each, dict) for each in inner):
        return _of_mappings(value, name)
    tables = [key for key, each in value.items() if _of_rows(each)]
    if len(tables) == 1:
        return _of_array(value[tables[0]], name)
    if tables:
        raise Refusal(f"{name} holds {len(tables)} arrays of objects, {', '.join(map(echo, tables))}; give one table.")
    return _of_objects([value], name)


def _of_rows(value):
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _of_array(values: list[Any], name: str) -> dict[str, list[Any]]:
    """Return the columns of an array of objects or of rows."""
    if all(isinstance(each, dict) for each in values):
        return _of_objects(values, name)
    if all(isinstance(each, list) for each in values):
        return _of_split({"columns": [], "data": values}, name)
    raise Refusal(f"{name} is an array of values that are no objects; give an array of objects, or columns by name.")


def _of_split(value: dict[str, Any], name: str) -> dict[str, list[Any]]:
    """Return the columns of a table whose names and rows are separate."""
    rows, titles = value["data"], [str(each) for each in value["columns"]]
    if not all(isinstance(row, list) for row in rows):
        raise Refusal(f"{name} has rows that are no arrays under 'data'; give each row an array.")
    widths = {len(row) for row in rows} | ({len(titles)} if titles else set())
    if len(widths) > 1:
        raise Refusal(f"{name} has rows of {min(widths)} to {max(widths)} cells; give each row the same number.")
    width = max(widths, default=0)
    titles = titles or [f"x{j}" for j in range(1, width + 1)]
    return _of_lists(dict(zip(titles, map(list, zip(*rows, strict=True)), strict=True)), name) if rows else {}


def _of_lists(value: dict[str, list[Any]], name: str) -> dict[str, list[Any]]:
    """Return the columns of arrays by name."""
    lengths = {key: len(each) for key, each in value.items()}
    if len(set(lengths.values())) > 1:
        first, *others = lengths.items()
        other = next(each for each in others if each[1] != first[1])
        raise Refusal(
            f"{name} has columns of different lengths: {echo(first[0])} has {first[1]} cells and {echo(other[0])}"
            f" {other[1]}; give them one length."
        )
    if not any(isinstance(cell, dict) for each in value.values() for cell in each):
        return {key: [_cell(cell) for cell in each] for key, each in value.items()}
    return _of_objects([dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)], name)


def _of_mappings(value: dict[str, dict[str, Any]], name: str) -> dict[str, list[Any]]:
    """Return the columns of objects by name: cells by row number, as pandas writes them, or rows by their names."""
    labels = list(dict.fromkeys(key for each in value.values() for key in each))
    if labels == [str(i) for i in range(len(labels))]:
        return _of_lists({key: [each.get(label) for label in labels] for key, each in value.items()}, name)
    return _of_objects(list(value.values()), name)


def _of_objects(rows: list[dict[str, Any]], name: str) -> dict[str, list[Any]]:
    """Return the columns of objects. An object may lack names that others have."""
    columns: dict[str, list[Any]] = {}
    order: list[str] = []
    for i, row in enumerate(rows):
        before = ""
        for key, value in _flat(row):
            cells = columns.get(key)
            if cells is None:
                cells = columns[key] = []
                _insert(order, key, before)
                limits.refuse_shape(name, len(rows), len(columns))
            before = key
            if len(cells) > i:
                raise Refusal(f"{name} has two values for {echo(key)} in one object; give them different names.")
            if len(cells) < i:
                cells.extend([""] * (i - len(cells)))
            cells.append(value)
    for cells in columns.values():
        cells.extend([""] * (len(rows) - len(cells)))
    return {key: columns[key] for key in order}


def _insert(order, key, before):
    """Insert a name after the one that precedes it in the first object that has it."""
    order.insert(order.index(before) + 1 if before in order else 0, key)


def _flat(row, above=""):
    """Yield (name, cell) of the values of an object and of the objects in it."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield above + key, _cell(value)


def _cell(value):
    """Return the text of a value. A list becomes Nested."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    return Nested(value) if isinstance(value, list) else value


def _table(columns, lines, name, digest, lenient) -> Table:
    """Return the Table of columns. Those with lists in their cells are left out."""
    nested = {key for key, cells in columns.items() if any(isinstance(cell, Nested) for cell in cells)}
    for key, cells in columns.items():
        if key in nested:
            columns[key] = [LISTS if isinstance(cell, Nested) else cell for cell in cells]
        elif max(map(len, cells), default=0) > limits.LETTERS:
            raise Refusal(f"{name} has a cell of more than {limits.LETTERS:,} letters, the limit; shorten it.")
    table = text.of_columns(list(columns), list(columns.values()), name, digest, lenient, lines)
    return table.with_opaque(dict.fromkeys(nested, LISTS)) if nested else table


def are_lines(path: Path) -> bool:
    """Return whether the first line of a file is a JSON object by itself.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    bool
        True for JSON lines.
    """
    with contents.open_unpacked(path) as file:
        first = next((line for line in file if line.strip()), b"")
    try:
        return isinstance(json.loads(first), dict)
    except ValueError:
        return False


def names_of_lines(path: Path, name: str) -> tuple[list[str], dict[str, str]]:
    """Return (names of all objects of a file of JSON lines, what the columns that are left out hold, by name).

    Parameters
    ----------
    path : Path
        The file.
    name : str
        The file's name in messages.

    Returns
    -------
    tuple of (list of str, dict of str to str)
        The names, and the contents of the columns that are left out.

    Raises
    ------
    Refusal
        If a line is not a JSON object, or if there are too many columns.
    """
    known: set[str] = set()
    names: list[str] = []
    nested: dict[str, str] = {}
    for _, row in _lines(path, name):
        before = ""
        for key, cell in _flat(row):
            if key not in known:
                known.add(key)
                _insert(names, key, before)
                limits.refuse_shape(name, 0, len(names))
            if isinstance(cell, Nested):
                nested[key] = LISTS
            before = key
    return names, nested


def batches(path: Path, name: str, names: Sequence[str]) -> Iterator[tuple[list[int], list[list[str]]]]:
    """Yield (line numbers of some rows, cells of each column) of a file of JSON lines.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        The file's name in messages.
    names : sequence of str
        The names of the columns.

    Yields
    ------
    tuple of (list of int, list of list of str)
        The line numbers and the cells.

    Raises
    ------
    Refusal
        If a line is not a JSON object.
    """
    rows = _lines(path, name)
    while some := list(islice(rows, AT_ONCE)):
        columns = _of_objects([dict(_flat_cells(row)) for _, row in some], name)
        blank = [""] * len(some)
        yield [line for line, _ in some], [columns.get(each, blank) for each in names]


def _flat_cells(row):
    return ((key, LISTS if isinstance(cell, Nested) else cell) for key, cell in _flat(row))


def _lines(path, name):
    """Yield (line number, object) of a file of JSON lines."""
    decoder = _decoder()
    with contents.open_unpacked(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = decoder.decode(line.decode("utf-8-sig" if number == 1 else "utf-8").strip().rstrip(","))
            except ValueError as error:
                raise Refusal(f"{name}: line {number} is no JSON object ({error}); save it again.") from error
            if not isinstance(row, dict):
                raise Refusal(f"{name}: line {number} is not an object; give each line of the file one, {{...}}.")
            yield number, row
