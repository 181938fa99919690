"""Text as other programs save it, made plain: in UTF-8, and one mark between cells, which is told from its lines."""

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
LOOKED_AT = 50  # lines that say which mark stands between cells
LOOKED_FAR = 200_000  # bytes in which these lines are looked for: a line may be long
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")  # no text has them
TOKEN = re.compile(r'"(?:[^"]|"")*"|[^\s"]\S*')  # a cell between blanks, which may be quoted
SEPARATED = "blanks between cells"


def normalise_text(raw: bytes, name: str) -> tuple[bytes, str | None, list[str]]:
    """(the bytes of a text in UTF-8, the mark between its cells, remarks on what was unusual).

    The mark is None where it is for the strict reader to tell. Lines keep their numbers.
    """
    raw, remarks = in_utf8(raw, name)
    lines = [] if b"\0" in raw else _first_lines(raw)
    if not lines:  # nothing, or no text, which the reader refuses
        return raw, None, remarks
    raw, said = table_frame.strip_comments(raw, width)
    raw, drawn = table_frame.strip_rules(raw)
    if said or drawn:
        remarks, lines = [*remarks, *said, *drawn], _first_lines(raw)
        if not lines:
            return raw, None, remarks
    if lines[0].lower() in {f"sep={mark}" for mark in MARKS}:  # a spreadsheet's own line, which is none of the table
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
            said = f"{above} line{'s' * (above > 1)} above the table left out"
            return table_frame.blank_first_lines(raw, above), between, [*remarks, said]
    if mark == " ":
        limits.refuse_lines(name, raw)
        return with_tabs(raw), "\t", [*remarks, SEPARATED]
    if mark == "":  # its commas are decimal
        return raw, "\t", [*remarks, "one number in each line"]
    return raw, mark, remarks


def with_tabs(raw: bytes) -> bytes:
    """A text with tabs in the place of the blanks between its cells."""
    lines = re.split(r"\r\n|\r|\n", raw.decode("utf-8-sig"))
    return "\n".join("\t".join(TOKEN.findall(line)) for line in lines).encode()


def reader(raw: bytes, delimiter: str, strict: bool) -> Any:
    """The rows of a file, one after the other: its text is never held as a whole."""
    lines = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig", newline="")
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=strict)


def in_utf8(raw, name):
    """The bytes in UTF-8, and a remark where they were not; Refusal for what is no text in any alphabet."""
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
    """The Refusal of a file with bytes that its encoding does not have."""
    if encodings.requested_encoding():
        return Refusal(
            f"{name} holds bytes that are no letters in {encodings.encoding_label(codec)}; name another encoding, or none."
        )
    return Refusal(f"{name} begins as text in UTF-16 and is damaged; save it as CSV in UTF-8.")


def encoding_of(raw: bytes) -> Encoding | None:
    """The encoding of a text that is not in UTF-8; None where it is, or where zero bytes say that it is no text.

    One that is named is taken, see `encodings.taken_as`.
    """
    if codec := encodings.requested_encoding():
        return None if codec in ("utf-8", "ascii") and _is_utf8(raw) else Encoding(codec)
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Encoding("utf-16")
    if b"\0" in raw[:LOOKED_FAR]:
        start = raw[:LOOKED_FAR]
        zeros = [start[k::2].count(0) / max(1, len(start) // 2) for k in (0, 1)]
        if max(zeros) > 0.3 and min(zeros) < 0.05:  # most letters of most tables are ASCII, with a zero byte each
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
    """The first lines of a text that are not blank."""
    whole = len(raw) <= LOOKED_FAR
    text = raw[:LOOKED_FAR].decode("utf-8-sig", errors="ignore")
    lines = re.split(r"\r\n|\r|\n", text)[: None if whole else -1]
    return list(islice((line for line in lines if line.strip()), LOOKED_AT))


def _numbers(line):
    """The numbers of a line that has nothing else; none where that is not so, or where it has but one."""
    for cut in (";", r"\s+", r",\s*"):
        cells = [cell.strip() for cell in re.split(cut, line.strip()) if cell.strip()]
        if len(cells) > 1 and all(map(is_number, cells)):
            return cells
    return []


def _mark(lines):
    """What stands between cells: a mark that gives every line the same number of them.

    "" where every line but a first one of words is a single number, None where no mark does.
    """
    split = {mark: _cells(lines, mark) for mark in (*MARKS, " ")}
    even = [mark for mark, rows in split.items() if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1]
    for mark in ("\t", ";"):  # rare inside cells
        if mark in even:
            return mark
    if not even:
        first, *rest = lines
        alone = all(is_number(line.strip()) for line in rest) and "," in "".join(rest) and "," not in first
        return "" if alone else None
    # in 1,5 2,5 commas are even too, and leave 5 2 in a cell; in 1, 2 blanks are, and leave 1, in one
    return max(even, key=lambda mark: _share_of_numbers(split[mark]))


def width(line: str) -> int:
    """How many cells a line has, by the mark that gives it most."""
    return max(len(_cells([line.rstrip("\r\n")], mark)[0]) for mark in (*MARKS, " "))


def _cells(lines, mark):
    """The cells of each line."""
    if mark == " ":
        return [TOKEN.findall(line) for line in lines]
    try:
        return list(csv.reader(lines, delimiter=mark, skipinitialspace=True)) or [[]]
    except csv.Error:  # a cell without an end
        return [[]]


def _share_of_numbers(rows):
    cells = [cell.strip() for row in rows for cell in row]
    return sum(map(is_number, cells)) / len(cells)
