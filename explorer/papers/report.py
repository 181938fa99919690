"""One HTML file for what was reproduced: of each figure the verdicts, its picture, and its tables."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from bokeh.embed import components
from bokeh.layouts import gridplot
from bokeh.resources import Resources

from explorer.printing import minus, printed

from .claim import Finding
from .entry import Cell, Entry
from .errata import ERRATA
from .erratum import PAPERS
from .pictures import number, pictures

STYLE = """
body { font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif; color:
#1b1b1b;
       max-width: 1120px; margin: 0 auto; padding: 24px 16px 64px; font-variant-numeric: tabular-nums; }
h1 { font-size: 28px; font-weight: 600; } h2 { font-size: 21px; font-weight: 600; margin-top: 56px; }
table { border-collapse: collapse; font-size: 14px; display: block; overflow-x: auto; max-width: 100%; }
th, td { padding: 4px 12px 4px 0; text-align: right; border-bottom: 1px solid #ddd; vertical-align: top; }
th:first-child, td:first-child, .claims td, .claims th { text-align: left; }
caption { text-align: left; font-size: 13px; color: #555; padding: 14px 0 2px; }
.claims, .errata { width: 100%; display: table; table-layout: fixed; }
.claims td, .errata td, .errata th { text-align: left; overflow-wrap: break-word; }
.reading, blockquote { font-size: 13px; color: #555; margin: 4px 0 0; }
h3 { font-size: 16px; font-weight: 600; margin: 20px 0 4px; }
dt { float: left; clear: left; width: 190px; } dd { margin-left: 200px; }
.word { font-weight: 700; } .fails { color: #B3261E; } .holds { color: #17693f; } .part, .undecided { color: #6b5500; }
.small { font-size: 14px; color: #555; max-width: 80ch; } nav li { margin: 2px 0; }
"""
ROWS = 20  # a longer table is folded


@printed
class Reproduced(NamedTuple):
    """An entry, the cells of each of its grids, what was found, and how long it took in seconds."""

    entry: Entry
    grids: list[list[Cell]]
    findings: list[Finding]
    seconds: float


def report(done, missing, size, version):
    """The whole page as text, in need of nothing else."""
    parts = [section(each) for each in done]
    pictures = {each.entry.name: part for each, (part, _) in zip(done, parts, strict=True) if part is not None}
    script, divs = components(pictures) if pictures else ("", {})  # an entry may be a table and nothing else
    body = "".join(
        text.replace(PICTURE, divs.get(each.entry.name, "")) for each, (_, text) in zip(done, parts, strict=True)
    )
    absent = "".join(
        f"<li>{escape(e.paper)}, {escape(e.figure)}: {escape(e.about)}: {escape(e.lacks)}.</li>" for e in missing
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The papers, reproduced</title><style>{STYLE}</style>{PLAIN.render() if divs else ""}{script}</head><body>
<h1>The papers, reproduced</h1>
<p class="small">Kernel Mean Explorer {escape(version)}, size “{escape(size)}”. Every number here was computed, and
so was every verdict: a claim is read by its own words, “all the time” as in every case, “in most cases” as in more than
half, “outperforms” as on average, and each is held against intervals of 95 %.</p>
{WORDS}{_overview(done)}{body}
{f"<h2>What is not here</h2><ul>{absent}</ul>" if absent else ""}{_errata()}</body></html>
"""


WORDS = """<dl class="small">
<dt class="word holds">holds</dt><dd>The intervals show what is claimed.</dd>
<dt class="word fails">fails</dt><dd>The intervals show the contrary; where something better is claimed, a tie is that,
too.</dd>
<dt class="word part">holds in part (k of m)</dt><dd>Of a claim on every one of m cases: shown in k, by intervals that
hold together, and not contradicted in the others.</dd>
<dt class="word undecided">undecided</dt><dd>Neither is shown. A difference that is not found is no proof that there is
none.</dd>
</dl>"""
PICTURE = "<!-- picture -->"
PLAIN = Resources(mode="inline", components=["bokeh"])  # no widgets and no tables: a third of the size


def _overview(done):
    """All verdicts, the papers' claims apart from ours."""
    tables = ""
    for source, title in (("paper", "Claims of the papers"), ("ours", "Claims of no paper: ours")):
        rows = "".join(
            f"<tr><td><a href='#{each.entry.name}'>{escape(each.entry.paper)}, {escape(each.entry.figure)}</a></td>"
            f"<td>{escape(finding.claim)}</td>{_word(finding)}</tr>"
            for each in done
            for finding in each.findings
            if finding.source == source
        )
        if rows:
            tables += (
                f"<h2>{title}</h2><table class='claims'>{_columns(40, 44, 16)}"
                f"<tr><th>where</th><th>claim</th><th>verdict</th></tr>{rows}</table>"
            )
    return tables


def _columns(*widths):
    """The widths of a table's columns in percent."""
    columns = "".join(f"<col style='width: {width}%'>" for width in widths)
    return f"<colgroup>{columns}</colgroup>"


def _word(finding):
    kind = "part" if " in part" in finding.word else finding.word
    return f"<td class='word {kind}'>{escape(finding.word)}</td>"


def _links(numbers):
    """Links to entries of the list of errata, in words."""
    return ", ".join(f"<a href='#erratum-{number}'>{number}</a>" for number in numbers)


def _breakable(names):
    """Dotted names, which a line may break behind a dot."""
    return escape(names).replace(".", ".<wbr>")


def _errata():
    """The list of errata, whole."""
    papers = "".join(f"<li>{number}: {escape(title)}</li>" for number, title in PAPERS.items())
    rows = "".join(
        f"<tr id='erratum-{e.number}'><td>{e.number}</td><td>{escape(e.paper)}, {escape(e.place)}</td>"
        f"<td>{escape(e.printed)}</td><td>{escape(e.right)}</td><td>{_breakable(e.where)}</td></tr>"
        for e in ERRATA.values()
    )
    return (
        f"<h2 id='errata'>Errata of the papers</h2><ul class='small'>{papers}</ul><table class='errata'>"
        f"{_columns(6, 15, 26, 32, 21)}"
        f"<tr><th></th><th>where</th><th>printed</th><th>right</th><th>in the code</th></tr>{rows}</table>"
    )


def section(done):
    """(picture or None, text with a place for it) of one entry."""
    entry = done.entry
    beside = "".join(f"<p class='small'>{escape(sentence)}</p>" for sentence in entry.beside)
    tables = "".join(_table(entry, grid) for grid in done.grids)
    printed = _printed(entry.printed([cell for grid in done.grids for cell in grid])) if entry.printed else ""
    errata = f"<p class='small'>Errata on this figure: {_links(entry.errata)}.</p>" if entry.errata else ""
    text = (
        f"<h2 id='{entry.name}'>{escape(entry.paper)}, {escape(entry.figure)}: {escape(entry.about)}</h2>"
        f"{_claims(done.findings, 'paper', 'What the paper claims')}{_claims(done.findings, 'ours', 'What we add')}"
        f"{PICTURE}{beside}{tables}{printed}{errata}<p class='small'>Computed in {done.seconds:.1f} s. "
        f"<code>explorer reproduce {entry.name}</code></p>"
    )
    figures = [figure for grid in done.grids for figure in pictures(entry, grid)]
    return (gridplot(figures, ncols=3 if len(figures) > 2 else 2, toolbar_location=None) if figures else None), text


def _claims(findings, source, title):
    """The claims of one source with their words, readings, verdicts and reasons."""
    rows = ""
    for each in findings:
        if each.source != source:
            continue
        quote = f"<blockquote>“{escape(each.quote)}”</blockquote>" if each.quote else ""
        errata = f" Errata: {_links(each.errata)}." if each.errata else ""
        rows += (
            f"<tr><td>{escape(each.claim)}{quote}<div class='reading'>Read as:"
            f" {escape(minus(each.reading))}.</div></td>{_word(each)}"
            f"<td>{escape(minus(each.said))}{errata}</td></tr>"
        )
    if not rows:
        return ""
    return (
        f"<h3>{title}</h3><table class='claims'>{_columns(36, 12, 52)}"
        f"<tr><th>claim</th><th>verdict</th><th>what was found</th></tr>{rows}</table>"
    )


def _table(entry, cells):
    axes = [name for name in cells[0].values if len({str(c.values[name]) for c in cells}) > 1] or list(cells[0].values)
    shown = {name: None for cell in cells for name in entry.summary(cell.table)}
    head = "".join(f"<th>{escape(name)}</th>" for name in (*axes, *shown))
    body = ""
    for cell in cells:
        points = entry.summary(cell.table)
        words = [number(cell.values[name]) for name in axes] + [number(points[name].value) for name in shown]
        body += f"<tr>{''.join(f'<td>{escape(minus(w))}</td>' for w in words)}</tr>"
    count = len(next(iter(cells[0].table.values())))
    fixed = ", ".join(f"{name} = {value}" for name, value in cells[0].values.items() if name not in axes)
    said = escape(f"Ours: {entry.unit}; replicates: {count}{'; ' + fixed if fixed else ''}.")
    if len(cells) > ROWS:
        said += f" All {len(cells)} cells"
        return f"<details><summary class='small'>{said}</summary><table><tr>{head}</tr>{body}</table></details>"
    return f"<table><caption>{said}</caption><tr>{head}</tr>{body}</table>"


def _printed(table):
    """A Comparison: the printed numbers beside ours, and what cannot be met."""
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(minus(word))}</td>' for word in row)}</tr>" for row in table.rows)
    remarks = "".join(f"<li>{escape(sentence)}</li>" for sentence in table.remarks)
    caption = f"<caption>{escape(table.caption)}</caption>"
    return f"<table>{caption}<tr>{head}</tr>{body}</table><ul class='small'>{remarks}</ul>"
