"""The parts of the report as they are computed: the verdict and the columns first, then what takes longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from explorer.comparison import Comparison, report, report_sections
from explorer.comparison.table import name
from explorer.comparison.verdict import verdict_of
from explorer.markup import Markup, joined, markup
from explorer.snippets import pasted
from explorer.workbench.safe_call import run_safely

from . import text
from .inputs import File, ReportInput
from .lab_links import LabLinks

VERDICT = ""  # the title of the part above all sections
FILE = "file"  # and of what is saved
LATER = tuple(report.SECTIONS)  # the titles of what follows the verdict: what takes longer comes later


class ReportSection(NamedTuple):
    """A part that is ready.

    title  that of its section, VERDICT or FILE
    shown  the section as the page has it, "" where there is none; of FILE the whole page that is saved
    files  of the verdict: hash -> a file for each sample, which labs may open
    python of the verdict: what repeats it
    """

    title: str
    shown: Markup | str
    files: Mapping[str, File] = MappingProxyType({})
    python: str = ""


def parts(given: ReportInput) -> Iterator[ReportSection]:
    """Each part once it is computed; what `compare` raises, before the first.

    A section that cannot be computed says why, and the others follow.
    """
    try:
        comparison = given.compared()
        leads = LabLinks(given, comparison)
    finally:
        given.let_go()
    heading = markup("<h2 class='unseen'>{} and {}</h2>", *map(name, comparison.names))
    says = markup("{}<p class='verdict'>{}</p>", heading, joined(verdict_of(comparison), " "))
    yield ReportSection(VERDICT, says + markup("<p>{}</p>", leads.verdict()), leads.files, pasted(comparison.python))
    made: dict[str, Markup | str] = {}
    for title in LATER:
        body, sentence = run_safely(partial(_body, title, comparison, leads, made), f"the report's section {title!r}")
        if sentence:
            body = made[title] = text.missing(sentence)
        yield ReportSection(title, report.section(title, body or ""))
    yield ReportSection(FILE, report.report(comparison, made))


def _body(title, comparison, leads, made):
    """A section as the page has it; what the file may have too goes into `made`."""
    if title in ON_A_PAGE:
        body = ON_A_PAGE[title](comparison, leads)
    else:
        body = made[title] = report.SECTIONS[title](comparison)
    more = LEADING_ON[title](leads) if body and title in LEADING_ON else ""
    return body + markup("<p>{}</p>", more) if more else body


# sections whose lines lead on: they are drawn once for the page and once, without links, for the file
ON_A_PAGE: dict[str, Callable[[Comparison, LabLinks], Markup | str]] = {
    "Batches": lambda comparison, leads: report.batches(comparison, leads.batch),
    "Columns": lambda comparison, leads: report.columns(comparison, leads.column),
    "Pairs of columns": lambda comparison, leads: report_sections.pairs(comparison, leads.pair),
    "What would have been found": lambda comparison, leads: report_sections.power(comparison, leads.needed),
}
# sections that lead on as a whole
LEADING_ON: dict[str, Callable[[LabLinks], Markup | str]] = {
    "Batches": LabLinks.drift,
    "What the verdict rests on": LabLinks.robustness,
    "Rows most unlike the other sample": LabLinks.rows,
}
