"""Normaliser of texts that other programs write: the result is UTF-8, and its delimiter is inferred from its lines."""

from __future__ import annotations

import codecs
import csv
import io
import re
from itertools import islice
from typing import Any

from explorer.checks import Refusal
from explorer.datasets.columns.number_notation import is_number

from . import encodings, limits, table_frame
from .encodings import Encoding

MARKS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars"}
LOOKED_AT = 50  # number of first lines from which the delimiter is inferred
LOOKED_FAR = 200_000  # number of first bytes that are searched for these lines: a line may be long
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")  # control characters that no text has
TOKEN = re.compile(r'"(?:[^"]|"")*"|[^\s"]\S*')  # cell between blanks, which may be quoted
SEPARATED = "blanks between cells"


def normalise_text(raw: bytes, name: str) -> tuple[bytes, str | None, list[str]]:
    """Return (text in UTF-8, delimiter, remarks on what was unusual).

    The delimiter is None if the strict reader is to infer it. Lines keep their numbers.
    """
    raw, remarks = in_utf8(raw, name)
    lines = [] if b"\0" in raw else _first_lines(raw)
    if not lines:  # the text is empty or binary; the reader refuses it
        return raw, None, remarks
    raw, commented = table_frame.strip_comments(raw, width)
    raw, drawn = table_frame.strip_rules(raw)
    if commented or drawn:
        remarks, lines = [*remarks, *commented, *drawn], _first_lines(raw)
        if not lines:
            return raw, None, remarks
    if lines[0].lower() in {f"sep={mark}" for mark in MARKS}:  # written by a spreadsheet, not a row
        head, _, rest = raw.partition(lines[0].encode())
        return head + rest, lines[0][-1], [*remarks, "a first line that names the separator"]
    if len(lines) == 1 and (numbers := _numbers(lines[0])):
        return "\n".join(numbers).encode(), "\t", [*remarks, "a line of numbers as one column"]
    mark = _mark(lines)
    if mark is None:
        mark = next((each for each in (*MARKS, " ") if table_frame.has_short_header(_cells(lines, each))), None)
        if mark:
            raw, remarks = table_frame.with_empty_name(raw, mark), [*remarks, "a first line that is one cell short"]
    if mark is None:
        above, between = table_frame.lines_above(lines, MARKS)
        if above:
            remark = f"{above} line{'s' * (above > 1)} above the table left out"
            return table_frame.blank_first_lines(raw, above), between, [*remarks, remark]
    if mark == " ":
        limits.refuse_lines(name, raw)
        return with_tabs(raw), "\t", [*remarks, SEPARATED]
    if mark == "":  # one number per line, whose commas are decimal
        return raw, "\t", [*remarks, "one number in each line"]
    return raw, mark, remarks


def with_tabs(raw: bytes) -> bytes:
    """Replace the blanks between the cells of a text by tabs."""
    lines = re.split(r"\r\n|\r|\n", raw.decode("utf-8-sig"))
    return "\n".join("\t".join(TOKEN.findall(line)) for line in lines).encode()


def reader(raw: bytes, delimiter: str, strict: bool) -> Any:
    """Return an iterator over the rows of a file. The decoded text is never stored as a whole.

    Parameters
    ----------
    raw : bytes
        The text in UTF-8.
    delimiter : str
        What separates cells.
    strict : bool
        Whether bad quotes raise csv.Error.

    Returns
    -------
    csv.reader
        The rows, as lists of cells.
    """
    lines = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig", newline="")
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=strict)


def in_utf8(raw, name):
    """Return (text in UTF-8, remarks on the encoding). Raises Refusal if the bytes are not text in any encoding."""
    encoding = encoding_of(raw)
    if encoding is None:
        return raw, []
    try:
        text = encoding.decode(raw)
    except UnicodeDecodeError:
        if encodings.requested_encoding() or encoding.codec.startswith("utf"):
            raise damaged_text_error(name, encoding.codec) from None
        encoding = encodings.fallback_encoding(raw)
        text = encoding.decode(raw)
    if CONTROL.search(text):
        raise Refusal(f"{name} is no text that can be read as a table; save it as CSV in UTF-8.")
    return text.removeprefix("\ufeff").encode(), [encoding.remark]


def damaged_text_error(name: str, codec: str) -> Refusal:
    """Return the Refusal of a file with bytes that are invalid in its encoding."""
    if encodings.requested_encoding():
        return Refusal(
            f"{name} holds bytes that are no letters in {encodings.encoding_label(codec)}; name another encoding, or"
            " none."
        )
    return Refusal(f"{name} begins as text in UTF-16 and is damaged; save it as CSV in UTF-8.")


def encoding_of(raw: bytes) -> Encoding | None:
    """Return the encoding of a text that is not in UTF-8, or None if it is, or if zero bytes show that it is not text.

    An encoding that the user has named is always used, see `encodings.use_encoding`.
    """
    if codec := encodings.requested_encoding():
        return None if codec in ("utf-8", "ascii") and _is_utf8(raw) else Encoding(codec)
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Encoding("utf-16")
    if b"\0" in raw[:LOOKED_FAR]:
        start = raw[:LOOKED_FAR]
        zeros = [start[k::2].count(0) / max(1, len(start) // 2) for k in (0, 1)]
        if max(zeros) > 0.3 and min(zeros) < 0.05:  # most characters of most tables are ASCII, with a zero byte each
            return Encoding("utf-16-le" if zeros[1] > zeros[0] else "utf-16-be")
        return None
    return None if raw.isascii() else encodings.encoding_of(raw)


def _is_utf8(raw):
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _first_lines(raw):
    """Return the first lines of a text that are not blank."""
    whole = len(raw) <= LOOKED_FAR
    text = raw[:LOOKED_FAR].decode("utf-8-sig", errors="ignore")
    lines = re.split(r"\r\n|\r|\n", text)[: None if whole else -1]
    return list(islice((line for line in lines if line.strip()), LOOKED_AT))


def _numbers(line):
    """Return the numbers of a line that holds nothing else, or [] if it holds other cells or a single number."""
    for cut in (";", r"\s+", r",\s*"):
        cells = [cell.strip() for cell in re.split(cut, line.strip()) if cell.strip()]
        if len(cells) > 1 and all(map(is_number, cells)):
            return cells
    return []


def _mark(lines):
    """Return the delimiter that gives every line the same number of cells.

    Returns "" if every line is a single number, except that the first may be a word, and None if no delimiter fits.
    """
    split = {mark: _cells(lines, mark) for mark in (*MARKS, " ")}
    even = [mark for mark, rows in split.items() if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1]
    for mark in ("\t", ";"):  # these are rare inside cells
        if mark in even:
            return mark
    if not even:
        first, *rest = lines
        alone = all(is_number(line.strip()) for line in rest) and "," in "".join(rest) and "," not in first
        return "" if alone else None
    # several marks may be even: in "1,5 2,5" commas leave the cell "5 2", and in "1, 2" blanks leave the cell "1,"
    return max(even, key=lambda mark: _share_of_numbers(split[mark]))


def width(line: str) -> int:
    """Return the number of cells of a line, by the delimiter that gives it the most."""
    return max(len(_cells([line.rstrip("\r\n")], mark)[0]) for mark in (*MARKS, " "))


def _cells(lines, mark):
    """Split each line into cells."""
    if mark == " ":
        return [TOKEN.findall(line) for line in lines]
    try:
        return list(csv.reader(lines, delimiter=mark, skipinitialspace=True)) or [[]]
    except csv.Error:  # an unclosed quote
        return [[]]


def _share_of_numbers(rows):
    cells = [cell.strip() for row in rows for cell in row]
    return sum(map(is_number, cells)) / len(cells)
