"""The parts of the report as they are computed: the verdict and the columns first, then what takes longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from explorer.comparison import further, report
from explorer.comparison.table import name
from explorer.comparison.verdict import verdict_of
from explorer.markup import Markup, joined, markup

from .given import File, Given
from .leads import Leads

VERDICT = ""  # the title of the part above all sections
FILE = "file"  # and of what is saved
LATER = tuple(report.SECTIONS)  # the titles of what follows the verdict: what takes longer comes later


class Part(NamedTuple):
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


def parts(given: Given) -> Iterator[Part]:
    """Each part once it is computed; what `compare` raises, before the first."""
    comparison = given.compared()
    leads = Leads(given, comparison)
    heading = markup("<h2 class='unseen'>{} and {}</h2>", *map(name, comparison.names))
    says = markup("{}<p class='verdict'>{}</p>", heading, joined(verdict_of(comparison), " "))
    shown = says + markup("<p>{}</p>", leads.verdict())
    yield Part(VERDICT, shown, leads.files, comparison.python)
    made: dict[str, Markup | str] = {}
    bodies = {
        "Batches": lambda: report.batches(comparison, leads.batch),
        "Columns": lambda: report.columns(comparison, leads.column),
        "Pairs of columns": lambda: further.pairs(comparison, leads.pair),
        "What would have been found": lambda: further.power(comparison, leads.needed),
    }
    after = {"What the verdict rests on": leads.robustness, "Rows most unlike the other sample": leads.rows}
    for title in LATER:
        if title in bodies:
            body = bodies[title]()
        else:
            body = made[title] = report.SECTIONS[title](comparison)
        if body and title in after:
            body += markup("<p>{}</p>", after[title]())
        yield Part(title, report.section(title, body))
    yield Part(FILE, report.report(comparison, made))
