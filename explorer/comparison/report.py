"""Report of a comparison: one HTML page without scripts that needs no network, for the screen and for paper."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from explorer.checks import ExplorerWarning
from explorer.datasets.columns.treatment import format_three_digits
from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT
from explorer.markup import Markup, embedded, joined, markup
from explorer.printing import join_list, percent, plural, short_name, truncate, value_of
from explorer.public_names.help_text import VERSION
from explorer.recipe import pasted

from .report_sections import pairs, power, robustness
from .table import Details, columns_with_rows, in_order, legend, name, no_details, table_of, unchanged
from .verdict import title_of, verdict_of

if TYPE_CHECKING:
    from .columns import ColumnChange


ROWS, WIDE = 5, 8  # number of most unlike rows of each sample, and most columns of them
LISTED = 40  # most left-out columns that are listed with their reasons
CELL = 40  # most characters of a cell
LETTERS = 2000  # most characters of a list of columns
COLOURS = {"ink": INK, "soft": SOFT, "line": LINE, "ground": ROLES["ground"]}  # (on a light, on a dark background)

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{style}</style></head><body><main>
<header><h1>{heading}</h1>{verdict}</header>
{sections}</main></body></html>
"""


def report(comparison: Any, made: Mapping[str, Markup | str] | None = None) -> Markup:
    """Return the whole page; `made` contains the bodies of sections, by title, that are ready already."""
    heading = markup("{} and {}", *map(name, comparison.names))
    verdict = markup("<p class='verdict'>{}</p>", joined(verdict_of(comparison), " "))
    if comparison.dependence:
        verdict = markup("{}<p>{}</p>", verdict, comparison.dependence)
    there, shown = made or {}, sections_of(comparison)
    bodies = {title: there[title] if title in there else body(comparison) for title, body in shown.items()}
    sections = joined(section(title, body) for title, body in bodies.items())
    return page_html(title_of(comparison), heading, verdict, sections)


def page_html(title: str, heading: Markup, verdict: Markup, sections: Markup) -> Markup:
    """Return a page with these parts."""
    return markup(PAGE, title=title, style=embedded(style()), heading=heading, verdict=verdict, sections=sections)


def style_sheet() -> str:
    """Return the style sheet without its colours.

    Returns
    -------
    str
        CSS on one line.
    """
    return " ".join(files("explorer.comparison").joinpath("report.css").read_text(encoding="utf-8").split())


def style() -> str:
    """Return the style sheet with this project's colours on light and dark backgrounds."""
    light, dark = (" ".join(f"--{role}: {pair[k]};" for role, pair in COLOURS.items()) for k in (0, 1))
    on_dark = f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f":root {{ {light} --letters: {FONT}; }} {on_dark} {style_sheet()}"


def section(title: str, body: Markup | str) -> Markup | str:
    """Return a part of the page under its title, or "" if its body is empty.

    Parameters
    ----------
    title : str
        The heading.
    body : Markup or str
        The content.

    Returns
    -------
    Markup or str
        A section element, or "".
    """
    key = title.lower().replace(" ", "-")
    return markup('<section aria-labelledby="{0}"><h2 id="{0}">{1}</h2>{2}</section>', key, title, body) if body else ""


def batches(comparison: Any, details: Details = no_details) -> Markup | str:
    """Return a row for each batch: its rows, its p adjusted for all batches, and the columns that differ.

    `details(batch)` is placed after its name.
    """
    if not comparison.batches:
        return ""
    words = f"Each batch is compared with the same reference, adjusted for all {len(comparison.batches)} batches."
    about = markup("<p>{} The reference is {}, {:,} rows.</p>", words, name(comparison.names[0]), comparison.n)
    head = ("Batch", "Rows", "Adjusted p", "Columns that differ")
    return markup(
        "{}{}", about, table("batches", head, [_batch(batch, details(batch)) for batch in comparison.batches])
    )


def _batch(batch, lead):
    """Return the cells of a batch's row."""
    badge = markup(' <b class="differs">differs</b>') if batch.differ else ""
    columns = joined((name(column.label) for column in batch.differing[:WIDE]), ", ")
    more = f" and {len(batch.differing) - WIDE} more" if len(batch.differing) > WIDE else ""
    return (
        markup("{}{}{}", name(batch.names[1]), badge, lead),
        f"{batch.m:,}",
        f"{batch.adjusted:.3g}",
        markup("{}{}", columns or "none", more),
    )


def columns(comparison: Any, details: Details = no_details) -> Markup:
    """Return the table of columns that differ, with pictures; a line unfolds the others, unless all differ.

    If there are more columns than fit, a line has their names. `details(column)` is placed below a column's name.
    """
    differing, others = columns_with_rows(comparison)
    pooled = markup("<p>Over the rows of all batches together.</p>") if comparison.batches else ""
    drawn = markup('<p class="legend">{}</p>', legend(comparison))
    order, count = in_order(comparison), len(comparison.differing)
    first = _part(comparison, differing, order[:count], details, captioned=True) if differing else ""
    if not others:
        return markup("{}{}{}", pooled, drawn, first)
    rest = _part(comparison, others, order[count:], details, captioned=not differing)
    folded = markup("<details><summary>{}</summary>{}</details>", unchanged(comparison), rest)
    return markup("{}{}{}{}", pooled, drawn, first, folded)


def _part(comparison, shown, of, details, captioned):
    """Return a table of the first of some columns, and a line with the names of the others."""
    return markup("{}{}", table_of(comparison, shown, details, captioned), _more_columns(of[len(shown) :]))


def _more_columns(rest):
    """Return a line with the names and p-values of columns without a row, or ""."""
    if not rest:
        return ""
    each = joined((markup("{} {:.3g}", name(column.label), column.adjusted) for column in rest), ", ")
    return markup('<p class="small">{}, with the adjusted p: {}.</p>', plural(len(rest), "more column"), each)


def rows(comparison: Any) -> Markup | str:
    """Return the rows of each sample that are most unlike the other; of the batch that differs most, if several."""
    one = comparison
    if comparison.batches:
        one = min(comparison.batches, key=lambda batch: batch.adjusted)
    about = markup(
        "<p>These rows need not be wrong: they lie where the other sample has few rows or none. {}{}</p>",
        _counted(one), one.outlying_sentence,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExplorerWarning)  # rows that coincide give no bandwidth, which warns
        return markup("{}{}", about, joined([_unlike(one, "a"), _unlike(one, "b")]))


def _counted(comparison):
    """Return sentences on how rows are numbered."""
    by_line = [table.by_line for table in comparison.samples.tables]
    lines = "Lines are those of the file, and its header is counted." if any(by_line) else ""
    rows = "" if all(by_line) else "Rows are counted from 0, which is the first below the header."
    return " ".join(filter(None, [lines, rows]))


def _unlike(comparison: Any, which: Literal["a", "b"]) -> Markup:
    """Return a table of the rows of one sample that are most unlike the other, or a sentence if too many tie."""
    own = 0 if which == "a" else 1
    first, second = comparison.names[own], comparison.names[1 - own]
    kept = [column for column in in_order(comparison) if column.kind != "missing"][:WIDE]
    data, numbers = comparison.samples.tables[own], comparison.samples.positions(own)
    unlike = comparison.rows(which, ROWS)
    title = markup("<h3>Rows of {} most unlike {}</h3>", name(first), name(second))
    if not unlike:
        return markup("{}<p>No row stands out: more than {} rows are equally unlike.</p>", title, ROWS)
    places = [(row, int(np.searchsorted(numbers, row))) for row in unlike]
    tables = comparison.samples.tables
    columns = [(column, tables.with_nan(data.X, data.names.index(column.name))) for column in kept]
    lines = comparison.samples.lines(own, unlike)
    called = [f"{number:,}" for number in lines or unlike]
    body = [[first, *(_value(column, x[place]) for column, x in columns)]
            for first, (_, place) in zip(called, places, strict=True)]  # fmt: skip
    left = len(comparison.columns) - len(kept)
    more = markup('<p class="small">and {}</p>', plural(left, "more column")) if left > 0 else ""
    head = ("Line" if lines else "Row", *(markup("<bdi>{}</bdi>", column.label) for column in kept))
    return markup("{}{}{}", title, table("rows", head, body, f"Rows of {truncate(first, CELL)}"), more)


def _value(column: ColumnChange, x: float) -> Markup:
    """Return a cell of a row in its own units, or the word missing."""
    if np.isnan(x):
        return markup("<i>missing</i>")
    levels = column.quantity.levels
    return markup("<bdi>{}</bdi>", truncate(levels[int(x)] if levels else value_of(column.quantity, x), CELL))


def treatment(comparison: Any) -> Markup:
    """Return a list of what was done with each column, and of columns and rows that are left out, with the reasons."""
    tables = comparison.samples.tables
    numbers = [column for column in tables.included if column.kind == "number"]
    scales = [
        f"{short_name(column.name)} by {format_three_digits(column.scale)}" for column in numbers if column.scale != 1
    ]
    levels = [
        f"{short_name(column.name)} ({plural(len(column.levels), 'level')}{', in order' if column.ordered else ''})"
        for column in tables.included
        if column.kind == "category"
    ]
    gaps = [
        f"{short_name(column.name)} ({percent(column.rate)} of all rows)" for column in tables.included if column.rate
    ]
    words = [
        f"Given columns, whose own change does not count: {comparison.given_text}" if comparison.given else "",
        f"Groups: {comparison.grouping}" if comparison.grouping else "",
        _subjects(comparison),
        *(
            f"{plural(dropped, 'row')} of {short_name(table)} with empty cells left out"
            for table, dropped in zip(comparison.names, comparison.dropped, strict=True)
            if dropped
        ),
        *(
            f"{short_name(each)} is left out: {truncate(why, 200)}"
            for each, why in list(comparison.left_out.items())[:LISTED]
        ),
        _more(len(comparison.left_out) - LISTED, "left out"),
        f"For the joint verdict numbers are divided by their scale: {join_list(scales, LETTERS)}" if scales else "",
        f"Categories: {join_list(levels, LETTERS)}" if levels else "",
        *(str(column) for column in tables.included if column.limited or column.remarks),
        f"Missing cells are compared as data: {join_list(gaps, LETTERS)}" if gaps else "",
        *(
            f"{short_name(table.name)}: {', '.join(remarks)}"
            for table, remarks in zip(tables, tables.remarks, strict=False)
            if remarks
        ),
    ]
    return markup("<ul>{}</ul>", joined(markup("<li>{}</li>", _sentence(each)) for each in words if each))


def _subjects(comparison):
    """Return text on the subjects within which rows are compared, and on those left out; "" without subjects."""
    if comparison.subjects is None:
        return ""
    found = comparison.subjects.sentence(*comparison.names)
    return f"Compared within subjects, by column {short_name(comparison.subjects.name)}: {found}"


def _more(left, what):
    """Return "3 more columns ..." or "" if there are no more."""
    return f"{plural(left, 'more column')} {what}" if left > 0 else ""


def _sentence(words: str) -> Markup:
    """Return text as a sentence that keeps its own writing direction."""
    return markup("<bdi>{}</bdi>", f"{words}.")


def repeating(comparison: Any) -> Markup:
    """Return the Python code that repeats the comparison, the software it ran on, and the methods."""
    resamples = "permutations" if comparison.columns else "draws of its limit distribution"
    resamples = "draws of the samples' labels" if comparison.given else resamples
    tests = f"{comparison.resamples:,} {resamples}, seed {comparison.seed}, level {comparison.level:g}"
    by = f"Kernel Mean Explorer {VERSION}, Python {platform.python_version()}, NumPy {np.__version__}"
    joint = comparison.joint
    stood = "" if joint is None or joint.approximation in (None, "exact") else f"; {joint.approximation}"
    under = "the same permutations" if comparison.subjects is None else "the same permutations within subjects"
    how = (
        "The joint verdict is an aggregated MMD test over ten bandwidths, the columns' own kernels and the farthest"
        f" rows; columns are adjusted by step-down maxima under {under}"
        if comparison.columns
        else "The joint verdict is an MMD test by the covariance of the sketches' features"
    )
    if comparison.given:
        how = (
            f"The joint verdict is the kernel test of all other columns given {comparison.given_text}; columns are"
            " adjusted by Holm"
        )
    return markup(
        "<pre tabindex='0'><code>{}</code></pre><p class='small'>{}. {}{}. {}. {}. {}</p>",
        pasted(comparison.python), how, tests, stood, by, date.today().isoformat(), comparison._papers(),
    )  # fmt: skip


def table(kind: str, head: Sequence[object], rows: Sequence[object] | object, label: str = "") -> Markup:
    """Return an HTML table that scrolls if it is wider than the page; the first cell of a row is its header."""
    titles = joined(markup('<th scope="col">{}</th>', each) for each in head)
    body = joined(
        markup("<tr><th scope='row'>{}</th>{}</tr>", first, joined(markup("<td>{}</td>", each) for each in rest))
        for first, *rest in rows  # type: ignore[attr-defined]
    )
    words = label or kind.capitalize()
    return markup(
        '<div class="wide" tabindex="0" role="region" aria-label="{}"><table class="{}"><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        words, kind, titles, body,
    )  # fmt: skip


# The parts of the page in their order; each returns "" if a comparison has nothing of the kind
SECTIONS: dict[str, Callable[[Any], Markup | str]] = {
    "Batches": batches,
    "Columns": columns,
    "Pairs of columns": pairs,
    "What the verdict rests on": robustness,
    "What would have been found": power,
    "Rows most unlike the other sample": rows,
    "What was done with each column": treatment,
    "How to repeat it": repeating,
}
OF_SKETCHES = {title: SECTIONS[title] for title in ("Batches", "How to repeat it")}
OF_GIVEN = {
    title: SECTIONS[title] for title in ("Batches", "Columns", "What was done with each column", "How to repeat it")
}  # the other sections ignore the given columns


def sections_of(comparison: Any) -> dict[str, Callable[[Any], Markup | str]]:
    """Return the sections of the page by title; sketches, and comparisons given columns, have only some of them."""
    if not comparison.columns:
        return OF_SKETCHES
    return OF_GIVEN if comparison.given else SECTIONS
