"""Preview of a file as HTML: its size, how it was read, how its columns are used, and its first rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.languages import translate, translate_plural
from explorer.markup import joined, markup
from explorer.printing import join_list, short_name, truncate

if TYPE_CHECKING:
    from explorer.datasets.table_preview import TablePreview
    from explorer.markup import Markup

COLUMNS, LETTERS = 50, 60  # most columns of a preview, and most characters of a cell
REASONS = 8  # most columns whose reason is given


def preview_html(preview: TablePreview, taken: Collection[str], more: str = "") -> Markup:
    """Return the preview of a file: a description, then its first rows, where columns that are not `taken` are dim.

    `more` is a further sentence of the description.
    """
    columns = preview.columns[:COLUMNS]
    looks = ["" if column.name in taken else "words" for column in columns]
    pairs = list(zip(columns, looks, strict=True))
    head = joined(markup("<th class='{}'>{}</th>", look, short_name(column.name)) for column, look in pairs)
    body = markup("")
    for i in range(max((len(column.first) for column in columns), default=0)):
        cells = (markup("<td class='{}'>{}</td>", look, truncate(column.first[i], LETTERS)) for column, look in pairs)
        body += markup("<tr>{}</tr>", joined(cells))
    gaps = sum(column.missing for column in preview.columns)
    none = translate("nothing missing")
    missing = translate_plural("{:,} missing value", "{:,} missing values", gaps) if gaps else none
    says = markup(
        "<b>{}</b>: {}, {}, {}",
        short_name(preview.name),
        rows_of(preview.rows),
        translate_plural("{:,} column", "{:,} columns", len(preview.columns)),
        missing,
    )
    says += translate("; the first {} columns are shown", COLUMNS) if len(preview.columns) > COLUMNS else ""
    read = translate(" Read with {}.", join_list(preview.unusual)) if preview.unusual else ""
    rows = markup("<table style='white-space: nowrap'><tr>{}</tr>{}</table>", head, body)
    return markup("{}.{}<div class='preview' tabindex='0'>{}</div>", says, read + more, rows)


def rows_of(count: int) -> str:
    """Return a number of rows: "1 row" or "200,000 rows"."""
    return translate_plural("{:,} row", "{:,} rows", count)


def named(what: str, names: Sequence[str]) -> str:
    """Return a sentence that names columns, or "" if there are none."""
    return f" {what}: {join_list(names)}." if names else ""


def left_out(columns: Iterable[Any]) -> str:
    """Return a sentence on the columns that are left out, each with its reason, or "" if there are none."""
    return named("Left out", [f"{column.name} ({column.why})" if column.why else column.name for column in columns])


def placeless(preview: TablePreview, chosen: Collection[str], needs: str) -> str:
    """Return a message if the chosen columns include a Gram matrix although `needs` needs coordinates, otherwise ""."""
    block = preview.gram or preview.block
    if not block or not set(block) <= set(chosen):
        return ""
    return translate(
        "{} is a Gram matrix: {} to {} are symmetric, a column for each row. {}, and a Gram matrix has none; choose"
        " a table of measurements here. Shrinkage and other labs accept Gram matrices.",
        preview.name,
        block[0],
        block[-1],
        needs,
    )
