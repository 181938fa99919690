"""Gallery: the plots of the library, each with the lines that make it, and the pictures of every lab."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from docutils.nodes import make_id

from explorer.markup import Markup, joined, markup
from explorer.site import links
from explorer.site.documents import FINISHED, contents, document, write_file
from explorer.site.labs import QUESTIONS
from explorer.site.sections import text
from explorer.workbench import registry

from .cards import CARDS
from .drawing import draw_code, highlight, in_files
from .of_labs import LabPictures, pictures_of

if TYPE_CHECKING:
    from .cards import Card

NAME = "gallery"
TITLE = "Gallery of plots"
ABOUT = "Every plot that the library makes, with the Python that makes it, and the pictures of every lab."
SHEET = markup("<link rel='stylesheet' href='{}_static/gallery.css'>", links.UP)


def write(source: Path, fast: bool) -> None:
    """Write the gallery of the library's plots, and a page of labs' pictures for every question.

    `fast` leaves out the pictures of a lab that its first preset does not show.
    """
    finished = source / FINISHED / NAME
    labs = {key: [pictures_of(name, fast) for name in registry.family(key)] for key in QUESTIONS}
    for key, pictured in labs.items():
        write_file(source / NAME, f"{key}.md", _page_of_labs(key, pictured, finished))
    counts = {key: sum(len(each.pictures) for each in pictured) for key, pictured in labs.items()}
    write_file(source / NAME, "index.md", _index(counts, finished))


def _index(counts, finished):
    """Return the page of the library's plots under their questions; their drawings are finished files."""
    parts: list[str | Markup] = [SHEET + _intro()]
    for key, question in QUESTIONS.items():
        cards = [card for card in CARDS if card.question == key]
        more = markup(
            "<p class='more'><a href='{}.html'>{} pictures of the labs on this question</a></p>", key, counts[key]
        )
        shown = joined(_card(card, finished) for card in cards)
        parts += [f"## {question}", markup("<div class='cards'>{}</div>{}", shown, more)]
    return document(TITLE, *parts, contents(counts), about=ABOUT, wide=True)


def _intro():
    """Return the introduction, with the names of all plots, and a filter of the questions."""
    counts = {question: _count(key) for key, question in QUESTIONS.items() if _count(key)}
    return text("gallery") + _choice() + _filter("Questions", counts)


def _choice():
    """Return which plot shows what: the names of the plots, each a link to its card, under their questions."""
    rows = joined(
        markup("<dt>{}</dt><dd>{}</dd>", question, joined(map(_link, [c for c in CARDS if c.question == key]), " · "))
        for key, question in QUESTIONS.items()
        if _count(key)
    )
    return markup("<h2 class='which'>Which plot for what</h2><dl class='which'>{}</dl>", rows)


def _link(card):
    return markup("<a href='#{}' title='{}'>{}</a>", make_id(card.title), card.says, card.title)


def _filter(label, counts):
    """Return a filter that needs no script: links to the headings with their counts; only the target is visible."""
    chosen = joined(
        markup("<a href='#{}'>{} <span>{}</span></a>", make_id(each), each, n) for each, n in counts.items()
    )
    return markup(
        "<nav class='filter' aria-label='{}'><a href='#all' id='all'>All <span>{}</span></a>{}</nav>",
        label,
        sum(counts.values()),
        chosen,
    )


def _count(question):
    return sum(card.question == question for card in CARDS)


def _card(card: Card, finished: Path) -> Markup:
    """Return the card of a plot: its picture, its name, a sentence, the lines that make it, and links."""
    ways = [
        markup("<a href='{}'><code>{}</code></a>", links.reference(f"explorer.{name}"), name) for name in card.names
    ]
    if card.lab:
        lab = links.lab(card.lab).file
        ways.append(markup("<a href='{}'>Lab: {}</a>", lab, registry.entry(card.lab).title))
    key = make_id(card.title)
    picture = in_files(draw_code(card.code), finished, key)
    return _shown(key, card.title, card.says, picture, card.code, joined(ways, " · "))


def _shown(key, title, says, picture, code, ways):
    return markup(
        "<article class='plot' id='{}'><div class='picture'>{}</div><h3>{}</h3><p>{}</p>"
        "<details><summary>Python</summary>{}</details><p class='ways'>{}</p></article>",
        key, picture, title, says, highlight(code), ways,
    )  # fmt: skip


# the pictures of labs ---------------------------------------------------------------------------------------------


def _page_of_labs(key, pictured, finished):
    """Return the page with the pictures of the labs that answer a question."""
    others = (markup("<a href='{}.html'>{}</a>", *each) for each in QUESTIONS.items() if each[0] != key)
    counts = {each.title: len(each.pictures) for each in pictured}
    head = markup(
        "{}{}{}<p class='others'><a href='index.html'>The plots of the library</a> · {}</p>",
        SHEET, text("gallery-labs"), _filter("Labs", counts), joined(others, " · "),
    )  # fmt: skip
    parts: list[str | Markup] = [head]
    for each in pictured:
        parts += [f"## {each.title}", _lab(each, finished)]
    question = QUESTIONS[key]
    about = f"The pictures of the labs that answer the question: {question}"
    return document(f"Pictures of labs: {question}", *parts, about=about, wide=True)


def _lab(each: LabPictures, finished: Path) -> Markup:
    """Return a lab's question, links to it, its pictures, and the Python that its page copies."""
    cards = joined(
        _shown(key, picture.title, picture.says, in_files(picture.svg, finished, key), picture.code, picture.state)
        for picture in each.pictures
        for key in [f"{each.name}-{picture.name}"]
    )
    script = markup("<details><summary>The Python that computes these numbers without the lab</summary>{}</details>",
                    highlight(each.script)) if each.script else ""  # fmt: skip
    return markup(
        "<p>{} <a href='{}'>Open the lab</a> at its first example.</p><div class='cards'>{}</div>{}",
        each.question, links.lab(each.name).file, cards, script,
    )  # fmt: skip
