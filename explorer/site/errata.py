"""Page of the guide with the errata of the papers: what is printed, what is right, and where the site shows it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.markup import joined, markup
from explorer.papers.catalogue import ENTRIES
from explorer.papers.errata import ERRATA
from explorer.papers.erratum import PAPERS
from explorer.printing import minus
from explorer.workbench import registry
from explorer.workbench.lessons import LESSONS

from . import links
from .documents import document, write_file
from .sections import text

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.papers.erratum import Erratum

PAGE = "errata"
TITLE = "Errata of the papers"
ABOUT = "What the papers print, what is right, and where to see it."
SHEET = markup("<link rel='stylesheet' href='{}_static/papers.css'>", links.UP)


def write(source: Path, fast: bool) -> None:
    """Write the page into the section guide."""
    parts = [SHEET + text("errata", count=len(ERRATA))]
    for paper, title in PAPERS.items():
        of_it = [each for each in ERRATA.values() if each.paper.startswith(paper)]
        if of_it:
            parts += [f"## Paper {paper}: {title}", joined(map(_article, of_it))]
    write_file(source / "guide", f"{PAGE}.md", document(TITLE, *parts, about=ABOUT))


def anchor(number: str) -> str:
    """Return the anchor of an erratum on the page."""
    return f"erratum-{number.lower()}"


def erratum_links(numbers: tuple[str, ...]) -> Markup:
    """Return links to errata by their numbers, from a page of the same section."""
    return joined((markup("<a href='{}.html#{}'>{}</a>", PAGE, anchor(each), each) for each in numbers), ", ")


def _article(erratum: Erratum) -> Markup:
    """Return one erratum: the printed formula next to the right one."""
    return markup(
        "<article class='erratum' id='{}'><p class='number'><a href='#{}'>{}</a> <span>{}, {}</span></p>"
        "<dl><div class='printed'><dt>Printed</dt><dd>{}</dd></div>"
        "<div class='right'><dt>Right</dt><dd>{}</dd></div></dl>"
        "<p class='seen'>Seen in: {}.</p></article>",
        anchor(erratum.number), anchor(erratum.number), f"Erratum {erratum.number}",
        erratum.paper, erratum.place,
        minus(erratum.printed), _with_errata(minus(erratum.right)),
        joined(map(_place, erratum.shown_in), ", "),
    )  # fmt: skip


def _with_errata(words):
    """Link the other errata that a text names."""
    parts = re.split(r"\b(erratum (?:E-)?\d+)\b", words)
    return joined(
        markup("<a href='#{}'>{}</a>", anchor(part.removeprefix("erratum ")), part) if i % 2 else part
        for i, part in enumerate(parts)
    )


def _place(where):
    """Return where an erratum can be seen, as a link if the site has the place."""
    kind, _, rest = where.partition(" ")
    if kind == "lab":
        name = rest.removeprefix("/").partition("?")[0]
        return markup("<a href='{}'>the lab {}</a>", links.lab(rest.removeprefix("/")).file, registry.entry(name).title)
    if kind == "lesson":
        number = int(rest)
        return markup("<a href='{}'>lesson {}, {}</a>", links.lesson(number), number, LESSONS[number - 1].title)
    if kind == "reproduce":
        entry = ENTRIES[rest]
        return markup("<a href='verdicts.html#{}'>{}, {}</a>", rest, entry.figure, entry.about)
    if address := links.reference(where):
        return markup("<a href='{}'><code>{}</code></a>", address, _breakable(where.removeprefix("explorer.")))
    return markup("<code>{}</code>", _breakable(where))


def _breakable(name):
    """Allow line breaks after the dots of a name."""
    return joined(name.split("."), markup(".<wbr>"))
