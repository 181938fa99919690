"""Table of columns as HTML: their values in both samples, how much they differ, p, and a picture of both samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from explorer.markup import Markup, joined, markup
from explorer.printing import plural, short_name, truncate

from .columns import about_intervals
from .pictures import thumbnail

if TYPE_CHECKING:
    from .columns import ColumnChange


Details: TypeAlias = Callable[[Any], "Markup | str"]  # what a page adds to the line of a column, a pair or a batch

DIFFERING, OTHERS = 100, 40  # most columns with a row and a picture: of those that differ, and of the others
IN_A_NOTEBOOK = 12
NAMED = 20  # most names in the line on columns that do not differ
CELL = 60  # most characters of a cell
HEAD = 30  # most characters of a sample's name above its column
SWATCHES = """<svg role="img" aria-label="filled" width="22" height="12"><rect width="22" height="12"
fill="currentColor" fill-opacity=".4"/></svg> {first}, <svg role="img" aria-label="as a line" width="22" height="12">
<path d="M1 11V4H8V1H14V7H21V11" fill="none" stroke="currentColor" stroke-width="1.6"/></svg> {second}"""


def no_details(line: Any) -> str:
    """Return no addition to a line: a report in a file has no page to link to.

    Parameters
    ----------
    line : object
        A column, a pair or a batch.

    Returns
    -------
    str
        "".
    """
    return ""


def counted(comparison: Any) -> str:
    """Return what p-values are adjusted for: "7 columns", or "7 columns and the missing cells of 3".

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        Text.
    """
    gaps = len(comparison.gaps)
    return plural(len(comparison.columns), "column") + (f" and the missing cells of {gaps}" if gaps else "")


def name(words: str) -> Markup:
    """Return a name from a table as markup: shortened, and isolated from the writing direction of its surroundings.

    Parameters
    ----------
    words : str
        The name.

    Returns
    -------
    Markup
        The name.
    """
    return markup("<bdi>{}</bdi>", short_name(words))


def in_order(comparison: Any) -> list[ColumnChange]:
    """Return the columns and missing cells that differ, least adjusted p first, then the others in table order."""
    differing = comparison.differing
    return [*differing, *(column for column in (*comparison.columns, *comparison.gaps) if column not in differing)]


def columns_with_rows(
    comparison: Any, differing: int = DIFFERING, others: int = OTHERS
) -> tuple[list[ColumnChange], list[ColumnChange]]:
    """Return the columns that have a row, in order: those that differ, and the others."""
    order, count = in_order(comparison), len(comparison.differing)
    return order[: min(count, differing)], order[count : count + others]


def unchanged(comparison: Any) -> Markup:
    """Return the line on the columns without a difference: their number, the least adjusted p, and their names."""
    rest = in_order(comparison)[len(comparison.differing) :]
    named = joined((name(column.label) for column in rest[:NAMED]), ", ")
    more = f" and {len(rest) - NAMED} more" if len(rest) > NAMED else ""
    return markup("{}: {}{}", how_many_unchanged(rest), named, more)


def how_many_unchanged(columns: Sequence[ColumnChange]) -> str:
    """Return the number of columns without a difference, such as "7 columns without a difference (least p = 0.2)"."""
    gaps = sum(column.kind == "missing" for column in columns)
    count = len(columns) - gaps
    each = [plural(count, "column")] if count else []
    each += [f"the missing cells of {gaps}"] if gaps else []
    least = min(column.adjusted for column in columns)
    return f"{' and '.join(each)} without a difference (least adjusted p = {least:.3g})"


def legend(comparison: Any) -> Markup:
    """Return a legend of how the pictures draw both samples."""
    first, second = map(name, comparison.names)
    return markup(SWATCHES, first=first, second=second)


def table_of(
    comparison: Any, columns: Sequence[ColumnChange], details: Details = no_details, captioned: bool = True
) -> Markup:
    """Return a table with a row for each of these columns; `details(column)` is placed below its name."""
    above = markup("<caption>{}</caption>", caption(comparison)) if captioned else ""
    head = joined(markup('<th scope="col" role="columnheader">{}</th>', title) for title in _titles(comparison))
    rows = joined(_row(comparison, column, details(column)) for column in columns)
    return markup(
        '<table class="columns" role="table">{}<thead role="rowgroup"><tr role="row">{}</tr></thead>'
        '<tbody role="rowgroup">{}</tbody></table>',
        above, head, rows,
    )  # fmt: skip


def caption(comparison: Any) -> Markup:
    """Return sentences on the numbers of the table."""
    level, kinds = comparison.level, {column.kind for column in (*comparison.columns, *comparison.gaps)}
    change = "their difference" if comparison.subjects is None else "the typical change of a subject"
    numbers = f"Numbers: medians, and {change} with its {_percent(1 - level)} interval. "
    categories = "Categories: the share that differs most, in percentage points. "
    alike = ""
    if comparison.given:
        alike = f"Medians and shares are those of rows weighted to be alike in {comparison.given_text}. "
        interval = f"its {_percent(1 - level)} interval"
        numbers = f"Numbers: medians, and the mean difference given {comparison.given_text} with {interval}. "
    scales = "Ordered scales: the median level, if it moves, and the share that differs most. "
    gaps = "Missing: the share of empty cells; the values of a column are compared over its other cells. "
    said = (("number", numbers), ("category", categories), ("missing", gaps))
    words = [alike, *(text for kind, text in said if kind in kinds)]
    words += [scales] if any(column.ordered for column in comparison.columns) else []
    many = "" if len(comparison.columns) + len(comparison.gaps) == 1 else f", adjusted for all {counted(comparison)},"
    apart = about_intervals((*comparison.columns, *comparison.gaps), level)
    return markup("{}A column differs if its p{} is at most {:g}.{}", "".join(words), many, level,
                  f" {apart}" if apart else "")  # fmt: skip


def table_in_a_notebook(comparison: Any) -> Markup:
    """Return the table for a notebook's cell: the first columns, and the number of the others."""
    order = in_order(comparison)
    left = len(order) - IN_A_NOTEBOOK
    more = markup("<p>and {}</p>", plural(left, "more column")) if left > 0 else ""
    drawn = markup("<p>{}</p>", legend(comparison))
    return markup("{}{}{}", drawn, table_of(comparison, order[:IN_A_NOTEBOOK]), more)


def _titles(comparison) -> list[Any]:
    """Return the column heads of the table."""
    samples = [markup("<bdi>{}</bdi>", truncate(each, HEAD)) for each in comparison.names]
    return ["Column", *samples, "Change", "Adjusted p", "Both samples"]


def _row(comparison, column, details):
    """Return the row of a column."""
    differs = column.adjusted <= comparison.level
    badge = markup(' <b class="differs">differs</b>') if differs else ""
    beyond = markup('<br><span class="small">{}</span>', column.beyond) if differs and column.beyond else ""
    change = markup("<span>{}{}</span>", truncate(column.change, CELL), beyond)
    contents = (column.before, column.after, change, f"{column.adjusted:.3g}", thumbnail(comparison, column))
    labels = (*(truncate(each, HEAD) for each in comparison.names), "Change", "Adjusted p", "")
    cells = joined(
        markup('<td role="cell" data-label="{}">{}</td>', label, each if hasattr(each, "__html__") else _cell(each))
        for label, each in zip(labels, contents, strict=True)
    )
    head = markup('<th scope="row" role="rowheader"><bdi>{}</bdi>{}{}</th>', column.label, badge, details)
    return markup('<tr role="row"{}>{}{}</tr>', markup(' class="is-different"') if differs else "", head, cells)


def _cell(words):
    """Return text as a cell, isolated and truncated."""
    return markup("<bdi>{}</bdi>", truncate(words, CELL))


def _percent(share):
    """Return a share as a percentage with three significant digits."""
    return f"{100 * share:.3g} %"
