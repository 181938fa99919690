"""Program that reads a workbook in a separate process, because only the reader knows how much memory a sheet takes.

It reads the bytes from standard input and writes one JSON object. It imports nothing of this package, so that it starts
in a few hundredths of a second.
"""

import datetime
import io
import json
import sys

LOOKED_AT = 1000  # number of first rows that decide whether a sheet may hold a table
MEMORY = 2_000_000_000  # limit of the address space in bytes; the largest workbook takes less than half of it


def text_of(cell):
    """Return the text of a cell: dates as 2026-05-31, durations as 30:02:00, whole numbers without a point."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e16 else repr(cell)
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(" ")
    if isinstance(cell, datetime.timedelta):
        return length_of(cell)
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)


def length_of(length):
    """Return a duration as hours:minutes:seconds."""
    sign, length = ("-", -length) if length < datetime.timedelta() else ("", length)
    minutes, seconds = divmod(length.days * 86_400 + length.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{length.microseconds:06d}".rstrip("0") if length.microseconds else ""
    return f"{sign}{hours}:{minutes:02d}:{seconds:02d}{fraction}"


def holds_table(rows):
    """Return whether rows of cells may be a table: two rows or more, and two columns or a cell that is not text."""
    return len(rows) > 1 and (len(rows[0]) > 1 or any(cell != "" and not isinstance(cell, str) for (cell,) in rows))


def columns_of(sheet):
    """Return the cells of each column, and for each the last row that holds something other than a duration.

    A column without durations has None in place of that row.
    """
    start = sheet.start or (0, 0)
    columns = list(zip(*sheet.to_python(), strict=True))
    last = []
    for column in columns:
        lasts = any(isinstance(cell, datetime.timedelta) for cell in column)
        other = (i for i in range(len(column) - 1, -1, -1) if not _is_length(column[i]))
        last.append(next(other, -1) if lasts else None)
    return {"first": start[0] + 1, "columns": [list(map(text_of, column)) for column in columns], "lengths": last}


def _is_length(cell):
    return isinstance(cell, datetime.timedelta) or (isinstance(cell, str) and not cell.strip())


def answer(raw, part, most):
    """Return the sheets of a workbook, and the columns of one: the requested one, or the only one that holds a table.

    `part` is the name or the position of a sheet, or None. `most` is the largest number of its cells.
    """
    from python_calamine import (
        CalamineError,
        CalamineWorkbook,
        PasswordError,
        SheetTypeEnum,
        SheetVisibleEnum,
    )

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
        known = [
            each for each in book.sheets_metadata if each.typ in (SheetTypeEnum.WorkSheet, SheetTypeEnum.MacroSheet)
        ]
        names = [each.name for each in known]
        if isinstance(part, int) and -len(names) <= part < len(names):
            part = names[part]
        if part is not None:
            reply = {"sheets": names, "usable": names}
            return reply | (sheet_of(book, part, most) if part in names else {})
        usable = [each.name for each in known if each.visible == SheetVisibleEnum.Visible]
        usable = [name for name in usable if may_be_table(book.get_sheet_by_name(name), most)]
        reply = {"sheets": names, "usable": usable}
        return reply | (sheet_of(book, usable[0], most) if len(usable) == 1 else {})
    except PasswordError:
        return {"error": "password"}
    except CalamineError as error:
        return {"error": "damaged", "why": str(error)}


def may_be_table(sheet, most):
    """Return whether a sheet may hold a table."""
    return sheet.height * sheet.width > most or holds_table(sheet.to_python(nrows=LOOKED_AT))


def sheet_of(book, name, most):
    """Return the columns of a sheet, or its size if it is too large."""
    sheet = book.get_sheet_by_name(name)
    if sheet.height * sheet.width > most:
        return {"height": sheet.height, "width": sheet.width}
    return columns_of(sheet)


def main():
    """Answer the request in the arguments about the workbook on standard input."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):  # some systems have no such limit
        pass
    request = json.loads(sys.argv[1])
    json.dump(answer(sys.stdin.buffer.read(), request["part"], request["most"]), sys.stdout)


if __name__ == "__main__":
    main()
