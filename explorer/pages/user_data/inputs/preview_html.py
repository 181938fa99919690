"""What a file holds, as HTML: how much, how it was read, what becomes of its columns, and its first rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.markup import joined, markup
from explorer.printing import join_list, short_name, truncate

if TYPE_CHECKING:
    from explorer.datasets.table_preview import TablePreview
    from explorer.markup import Markup

COLUMNS, LETTERS = 50, 60  # of a preview, and of a cell in it: a file may have many columns, and long cells
REASONS = 8  # columns of which a reason is given


def preview_html(preview: TablePreview, taken: Collection[str], more: str = "") -> Markup:
    """The first rows of a file below what it is; columns that are not `taken` are dim. `more` is a further sentence."""
    columns = preview.columns[:COLUMNS]
    looks = ["" if column.name in taken else "words" for column in columns]
    pairs = list(zip(columns, looks, strict=True))
    head = joined(markup("<th class='{}'>{}</th>", look, short_name(column.name)) for column, look in pairs)
    body = markup("")
    for i in range(max((len(column.first) for column in columns), default=0)):
        cells = (markup("<td class='{}'>{}</td>", look, truncate(column.first[i], LETTERS)) for column, look in pairs)
        body += markup("<tr>{}</tr>", joined(cells))
    gaps = sum(column.missing for column in preview.columns)
    missing = counted(gaps, "missing value") if gaps else "nothing missing"
    says = markup(
        "<b>{}</b>: {}, {}, {}",
        short_name(preview.name),
        counted(preview.rows, "row"),
        counted(len(preview.columns), "column"),
        missing,
    )
    says += f"; the first {COLUMNS} columns are shown" if len(preview.columns) > COLUMNS else ""
    read = f" Read with {join_list(preview.unusual)}." if preview.unusual else ""
    rows = markup("<table style='white-space: nowrap'><tr>{}</tr>{}</table>", head, body)
    return markup("{}.{}<div class='preview' tabindex='0'>{}</div>", says, read + more, rows)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: "1 row" or "200,000 rows"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def named(what: str, names: Sequence[str]) -> str:
    """A sentence that names columns; empty where there are none."""
    return f" {what}: {join_list(names)}." if names else ""


def left_out(columns: Iterable[Any]) -> str:
    """A sentence on the columns that are not taken, each with the reason; empty where there are none."""
    return named("Left out", [f"{column.name} ({column.why})" if column.why else column.name for column in columns])


def placeless(preview: TablePreview, chosen: Collection[str], needs: str) -> str:
    """A sentence where the chosen columns have a Gram matrix among them, and what `needs` says needs coordinates."""
    block = preview.gram or preview.block
    if not block or not set(block) <= set(chosen):
        return ""
    return (
        f"{preview.name} is a Gram matrix: {block[0]} to {block[-1]} are symmetric, a column for each row. {needs}, and"
        " a Gram matrix has none; take a table of measurements here. Shrinkage and other labs take the matrix as it is."
    )
