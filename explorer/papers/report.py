"""One HTML file for the reproduced entries: for each figure the verdicts, its pictures, and its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bokeh.embed import components
from bokeh.layouts import gridplot
from bokeh.resources import Resources

from explorer.browser import sheet
from explorer.markup import embedded, from_library, joined, markup
from explorer.printing import minus, printed

from .claim import Finding
from .entry import Cell, Entry
from .errata import ERRATA
from .erratum import PAPERS
from .pictures import format_table_number, pictures
from .quantifier import FAILS, HOLDS, NOT_SEEN, UNDECIDED

if TYPE_CHECKING:
    from bokeh.models.plots import GridPlot

    from explorer.markup import Markup


ROWS = 20  # a longer table is collapsed
# the beginning of a verdict -> its CSS class
KINDS = {f"{HOLDS} in part": "part", HOLDS: "holds", FAILS: "fails", NOT_SEEN: "undecided", UNDECIDED: "undecided"}


@printed
class Reproduced(NamedTuple):
    """A computed entry with its findings.

    Attributes
    ----------
    entry : Entry
        The entry of the catalogue.
    grids : list of list of Cell
        The cells of each of its grids.
    findings : list of Finding
        One for each claim.
    seconds : float
        How long the computation took.
    """

    entry: Entry
    grids: list[list[Cell]]
    findings: list[Finding]
    seconds: float


def report(done: Sequence[Reproduced], missing: Sequence[Entry], size: str, version: str) -> Markup:
    """Return the whole page as one self-contained HTML document.

    Parameters
    ----------
    done : sequence of Reproduced
        The computed entries, in order.
    missing : sequence of Entry
        Entries that cannot be reproduced; each states the reason.
    size : str
        Name of the size, such as "fast".
    version : str
        Version of the package.

    Returns
    -------
    Markup
        The document with style sheet and scripts.
    """
    parts = [section(each) for each in done]
    pictures: dict[str, Any] = {
        each.entry.name: part for each, (part, _) in zip(done, parts, strict=True) if part is not None
    }
    script, divs = components(pictures) if pictures else ("", {})  # an entry may have only a table
    body = joined(
        text(picture=from_library(divs.get(each.entry.name, ""))) for each, (_, text) in zip(done, parts, strict=True)
    )
    absent = joined(markup("<li>{}, {}: {}: {}.</li>", e.paper, e.figure, e.about, e.lacks) for e in missing)
    return markup(
        PAGE,
        style=embedded(sheet("report")),
        scripts=from_library((PLAIN.render() if divs else "") + script),
        version=version,
        size=size,
        words=WORDS,
        overview=_overview(done),
        body=body,
        absent=markup("<h2>Left out</h2><ul>{}</ul>", absent) if absent else "",
        errata=_errata(),
    )


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The papers, reproduced</title><style>{style}</style>{scripts}</head><body>
<h1>The papers, reproduced</h1>
<p class="small">Kernel Mean Explorer {version}, size “{size}”. Every number here was computed, and so was every
verdict. A claim is taken at its word: “all the time” means in every case, “in most cases” in more than half of the
cases, and “outperforms” on average. Each claim is compared with 95 % intervals. Intervals of ratios of mean losses
allow for skewed losses. If the loss of one sample in a hundred is many times the others', they cover the truth less
often.</p>
{words}{overview}{body}
{absent}{errata}</body></html>
"""
WORDS = markup("""<dl class="small">
<dt class="word holds">holds</dt><dd>The intervals show what is claimed.</dd>
<dt class="word fails">fails</dt><dd>The intervals show the contrary. If a method is claimed to be better, a tie is the
contrary, too.</dd>
<dt class="word part">holds in part (k of m)</dt><dd>The claim is about every one of m cases. Simultaneous intervals
show it in k cases and contradict it in none.</dd>
<dt class="word undecided">not seen up to n = m</dt><dd>The claim is about n → ∞, such as a rate, so no size refutes it.
Over the sizes here the intervals show the contrary, or a growth that is less than the claimed bound by a whole order:
other costs dominate, and the claim could not fail.</dd>
<dt class="word undecided">undecided</dt><dd>The intervals show neither. A difference that is not found may still
exist.</dd>
</dl>""")
PLAIN = Resources(mode="inline", components=["bokeh"])  # without widgets and tables: a third of the size


def _overview(done):
    """Return all verdicts as tables, the papers' claims separate from ours."""
    tables = []
    for source, title in (("paper", "Claims of the papers"), ("ours", "Our own claims")):
        rows = joined(
            markup("<tr><td>{}</td><td>{}</td>{}</tr>", _place(each.entry), finding.claim, _word(finding))
            for each in done
            for finding in each.findings
            if finding.source == source
        )
        if rows:
            head = markup("<tr><th>figure</th><th>claim</th><th>verdict</th></tr>")
            table = markup("<table class='claims'>{}{}{}</table>", _columns(40, 44, 16), head, rows)
            tables.append(markup("<h2>{}</h2>{}", title, table))
    return joined(tables)


def _place(entry):
    """Return a link to an entry's part of the page."""
    return markup("<a href='#{}'>{}, {}</a>", entry.name, entry.paper, entry.figure)


def _columns(*widths):
    """Return the widths of a table's columns, given in percent."""
    columns = joined(markup("<col style='width: {}%'>", width) for width in widths)
    return markup("<colgroup>{}</colgroup>", columns)


def _word(finding):
    kind = next(kind for kind in KINDS if finding.word.startswith(kind))
    return markup("<td class='word {}'>{}</td>", KINDS[kind], finding.word)


def _links(numbers):
    """Return links to entries of the list of errata, separated by commas."""
    return joined((markup("<a href='#erratum-{0}'>{0}</a>", number) for number in numbers), ", ")


def _breakable(names):
    """Return dotted names that a line may break after a dot."""
    return joined(names.split("."), markup(".<wbr>"))


def _errata():
    """Return the whole list of errata."""
    papers = joined(markup("<li>{}: {}</li>", number, title) for number, title in PAPERS.items())
    head = markup("<tr><th></th><th>place</th><th>as printed</th><th>correct</th><th>in the code</th></tr>")
    rows = joined(map(_erratum, ERRATA.values()))
    table = markup("<table class='errata'>{}{}{}</table>", _columns(6, 15, 26, 32, 21), head, rows)
    return markup("<h2 id='errata'>Errata of the papers</h2><ul class='small'>{}</ul>{}", papers, table)


def _erratum(e):
    words = joined(markup("<td>{}</td>", each) for each in (e.printed, e.right, _breakable(e.where)))
    where = markup("<td>{}, {}</td>", e.paper, e.place)
    return markup("<tr id='erratum-{0}'><td>{0}</td>{1}{2}</tr>", e.number, where, words)


def section(done: Reproduced) -> tuple[GridPlot | None, Callable[..., Any]]:
    """Return (picture or None, a function that returns the HTML around it) for one entry."""
    entry = done.entry
    remarks = joined(markup("<p class='small'>{}</p>", sentence) for sentence in entry.remarks)
    tables = joined(_table(entry, grid) for grid in done.grids)
    printed = _printed(entry.printed([cell for grid in done.grids for cell in grid])) if entry.printed else ""
    errata = markup("<p class='small'>Errata on this figure: {}.</p>", _links(entry.errata)) if entry.errata else ""
    claims = _claims(done.findings, "paper", "What the paper claims") + _claims(done.findings, "ours", "What we add")
    head = markup("<h2 id='{}'>{}, {}: {}</h2>", entry.name, entry.paper, entry.figure, entry.about)
    took = markup("Computed in {:.1f} s. <code>explorer reproduce {}</code>", done.seconds, entry.name)
    below = joined([remarks, tables, printed, errata, markup("<p class='small'>{}</p>", took)])
    text = partial(markup, "{head}{claims}{picture}{below}", head=head, claims=claims, below=below)
    figures: list[Any] = [figure for grid in done.grids for figure in pictures(entry, grid)]
    return (gridplot(figures, ncols=3 if len(figures) > 2 else 2, toolbar_location=None) if figures else None), text


def _claims(findings, source, title):
    """Return the claims of one source with their words, readings, verdicts and reasons."""
    rows = joined(_claim(each) for each in findings if each.source == source)
    if not rows:
        return rows
    head = markup("<tr><th>claim</th><th>verdict</th><th>reason</th></tr>")
    table = markup("<table class='claims'>{}{}{}</table>", _columns(36, 12, 52), head, rows)
    return markup("<h3>{}</h3>{}", title, table)


def _claim(each):
    """Return a claim as a row: with its words, its reading, its verdict and the reason."""
    quote = markup("<blockquote>“{}”</blockquote>", each.quote) if each.quote else ""
    reading = markup("<div class='reading'>Read as: {}.</div>", minus(each.reading))
    errata = markup(" Errata: {}.", _links(each.errata)) if each.errata else ""
    found = markup("<td>{}{}</td>", minus(each.explanation), errata)
    return markup("<tr><td>{}{}{}</td>{}{}</tr>", each.claim, quote, reading, _word(each), found)


def _table(entry, cells):
    axes = [name for name in cells[0].values if len({str(c.values[name]) for c in cells}) > 1] or list(cells[0].values)
    shown = {name: None for cell in cells for name in entry.summary(cell.table)}
    head = _row("th", (*axes, *shown))
    rows = []
    for cell in cells:
        points = entry.summary(cell.table)
        words = [format_table_number(cell.values[name]) for name in axes] + [
            format_table_number(points[name].value) for name in shown
        ]
        rows.append(_row("td", map(minus, words)))
    count = len(next(iter(cells[0].table.values())))
    fixed = ", ".join(f"{name} = {value}" for name, value in cells[0].values.items() if name not in axes)
    said = f"Ours: {entry.unit}; replicates: {count}{'; ' + fixed if fixed else ''}."
    table = joined([head, *rows])
    if len(cells) > ROWS:
        summary = markup("<summary class='small'>{} All {} cells</summary>", said, len(cells))
        return markup("<details>{}<table>{}</table></details>", summary, table)
    return markup("<table><caption>{}</caption>{}</table>", said, table)


def _row(kind, words):
    return markup("<tr>{}</tr>", joined(markup("<{0}>{1}</{0}>", kind, each) for each in words))


def _printed(table):
    """Return a `TableComparison` as HTML: the printed numbers next to ours, and remarks on what cannot be matched."""
    body = joined(_row("td", map(minus, row)) for row in table.rows)
    remarks = joined(markup("<li>{}</li>", sentence) for sentence in table.remarks)
    head = markup("<caption>{}</caption>{}", table.caption, _row("th", table.columns))
    return markup("<table>{}{}</table><ul class='small'>{}</ul>", head, body, remarks)
