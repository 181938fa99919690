"""Sections of the report in the order of computation: the verdict and the columns first, then what takes longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from explorer.comparison import Comparison, report, report_sections
from explorer.comparison.table import name
from explorer.comparison.verdict import verdict_of
from explorer.markup import Markup, joined, markup
from explorer.recipe import pasted
from explorer.workbench.safe_call import run_safely

from . import text
from .comparison_request import File, ReportInput
from .lab_links import LabLinks

VERDICT = ""  # the title of the part above all sections
FILE = "file"  # the title of the part that is saved
LATER = tuple(report.SECTIONS)  # titles of the parts after the verdict; those that take longer come later


class ReportSection(NamedTuple):
    """A part of the report that is computed.

    Attributes
    ----------
    title : str
        The title of its section, VERDICT or FILE.
    shown : Markup or str
        The section as the page shows it, "" if there is none; for FILE the whole page that is saved.
    files : mapping of str to File
        Of the verdict: hash -> a file for each sample, which labs may open.
    python : str
        Of the verdict: the Python that repeats the comparison.
    """

    title: str
    shown: Markup | str
    files: Mapping[str, File] = MappingProxyType({})
    python: str = ""


def parts(given: ReportInput) -> Iterator[ReportSection]:
    """Yield each part once it is computed.

    A section that cannot be computed says why, and the others follow. Exceptions of `compare` are raised before the
    first part.
    """
    try:
        comparison = given.compared()
        leads = LabLinks(given, comparison)
    finally:
        given.release()
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
    """Return a section as the page shows it, and store in `made` what the saved file shows too."""
    if title in ON_A_PAGE:
        body = ON_A_PAGE[title](comparison, leads)
    else:
        body = made[title] = report.SECTIONS[title](comparison)
    more = LEADING_ON[title](leads) if body and title in LEADING_ON else ""
    return body + markup("<p>{}</p>", more) if more else body


# Sections whose lines have links: they are made once for the page and once, without links, for the file.
ON_A_PAGE: dict[str, Callable[[Comparison, LabLinks], Markup | str]] = {
    "Batches": lambda comparison, leads: report.batches(comparison, leads.batch),
    "Columns": lambda comparison, leads: report.columns(comparison, leads.column),
    "Pairs of columns": lambda comparison, leads: report_sections.pairs(comparison, leads.pair),
    "What would have been found": lambda comparison, leads: report_sections.power(comparison, leads.needed),
}
# sections with one link for the whole
LEADING_ON: dict[str, Callable[[LabLinks], Markup | str]] = {
    "Batches": LabLinks.drift,
    "What the verdict rests on": LabLinks.robustness,
    "Rows most unlike the other sample": LabLinks.rows,
}
