"""The lessons as pages: the prose, code and stored outputs of each notebook, and the notebook to download."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.markup import Markup, joined, markup
from explorer.pages.index.lessons_text import MISSING
from explorer.pages.index.notebook_reader import output, prose
from explorer.workbench import registry
from explorer.workbench.lessons import LABS, LESSONS, SOLUTION

from . import links
from .documents import contents, document, write_file
from .sections import text

NAME = "lessons"
TITLE = "Lessons"
ABOUT = "Fifteen lessons on kernel means, from the first bump to an estimator of your own."
SHEET = markup("<link rel='stylesheet' href='{}_static/lessons.css'>", links.UP)
HEADING = re.compile(r"^(##+ .+)$", re.MULTILINE)
MINUTES = re.compile(r"About (\d+) minutes")
# what a notebook says of its links, which is so beside a server
BESIDE_SERVER = re.compile(r"Links open a lab at the\s+state that the text speaks of, while `[^`]*` runs[^.]*\.")
FOLDED = "The solutions are folded: click the bar with the three dots."  # Jupyter's bar, which a page does not have
HERE = "Links open a lab at one of its examples. A number behind a link leads to the state that the text speaks of."
PICTURE = re.compile("<(?:img|svg)\\b")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
FENCE = "`" * 4


def write(source: Path, fast: bool) -> None:
    """Write a page for every lesson, the list of them, and the notebooks."""
    finished = source / "_extra" / NAME
    finished.mkdir(parents=True, exist_ok=True)
    for lesson in LESSONS:
        write_file(source / NAME, f"{links.page_of(lesson)}.md", _page(lesson))
        if lesson.path is not None:
            shutil.copyfile(lesson.path, finished / lesson.path.name)
    names = [links.page_of(lesson) for lesson in LESSONS]
    opening = text("lessons", count=len(LESSONS))
    write_file(source / NAME, "index.md", document(TITLE, SHEET + opening + _list(), contents(names), about=ABOUT))


# the list ---------------------------------------------------------------------------------------------------------


def _list():
    return markup("<ol class='lessons'>{}</ol>", joined(map(_line, LESSONS)))


def _line(lesson):
    """Return a lesson in the list: its title, its aim, its duration, and its lab."""
    minutes = _minutes(lesson)
    return markup(
        "<li><a class='title' href='{}.html'>{}</a><p>{}</p><p class='facts'>{}<a href='{}'>Lab: {}</a></p></li>",
        links.page_of(lesson),
        lesson.title,
        lesson.says,
        markup("{} minutes · ", minutes) if minutes else "",
        links.lab(lesson.lab).file,
        registry.entry(lesson.lab).title,
    )


def _cells(lesson):
    """Return the cells of a lesson's notebook, or none if it is missing."""
    return [] if lesson.path is None else json.loads(lesson.path.read_text(encoding="utf-8"))["cells"]


def _minutes(lesson):
    """Return the duration in minutes that the notebook states, or None if it does not."""
    found = (MINUTES.search("".join(cell["source"])) for cell in _cells(lesson) if cell["cell_type"] == "markdown")
    return next((int(each[1]) for each in found if each), None)


# a lesson ---------------------------------------------------------------------------------------------------------


def _page(lesson):
    """Return the document of a lesson."""
    cells = _cells(lesson)
    if not cells:
        return document(lesson.title, markup("<p role='alert'>{}</p>", MISSING), about=lesson.says)
    states = _States()
    parts = [part for cell in cells for part in _parts(cell, states)]
    if states.asked:
        parts += ["## The labs at these states", states.listed()]
    title = f"{lesson.number}. {lesson.title}"
    above, below = _ways(lesson, "Around this lesson"), _ways(lesson, "Where to go from here")
    return document(title, SHEET + above, *parts, below, about=lesson.says)


class _States:
    """Lab states that a lesson links to and the site has no file of, in the order of the links."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def leading(self, found: re.Match[str]) -> str:
        """Return a Markdown link to a lab's file, for a link of the prose to a lab at a state.

        If the file shows another state, a raised number follows. It leads to the state of this number in the list at
        the end of the page.
        """
        words, address = found.groups()
        there = links.lab(address)
        if there.exact:
            return f"[{words}]({there.file})"
        if address not in self.asked:
            self.asked.append(address)
        place = self.asked.index(address) + 1
        return f"[{words}]({there.file})[{str(place).translate(RAISED)}](#state-{place} 'State {place} of the list')"

    def listed(self) -> Markup:
        """Return the list at the end of the page: the addresses of these states on a server."""
        return markup(
            "<p>Run <code>explorer serve</code>, then open one of these addresses.</p><ol class='states'>{}</ol>",
            joined(
                markup("<li id='state-{}'><code>{}/{}</code></li>", place, LABS, address)
                for place, address in enumerate(self.asked, 1)
            ),
        )


def _parts(cell: Mapping[str, Any], states: _States) -> Iterator[str | Markup]:
    """Return a cell as parts of a document: a picture before the code that draws it, other outputs after their code.

    Headings are Markdown, so that the table of contents lists them.
    """
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        text = BESIDE_SERVER.sub(HERE, re.sub(r"\A# .*\n", "", text)).replace(FOLDED, "The solutions are folded.")
        for part in HEADING.split(text):
            if HEADING.fullmatch(part):
                yield part
            elif part.strip():
                yield prose(links.to_labs(part, LABS, states.leading))
    elif cell["cell_type"] == "code":
        code = f"{FENCE}python\n{text}\n{FENCE}"
        shown = [markup("<div class='left'>{}</div>", each) for each in map(output, cell["outputs"]) if each]
        pictures = [each for each in shown if PICTURE.search(each)]
        parts = [*pictures, code, *(each for each in shown if each not in pictures)]
        yield from _folded(parts) if SOLUTION in cell["metadata"].get("tags", ()) else parts


def _folded(parts: Sequence[str]) -> Iterator[str]:
    """Return parts that are folded."""
    yield markup("<details class='solution'><summary>Solution</summary>")
    yield from parts
    yield markup("</details>")


def _ways(lesson, label):
    """Return links to the notebook, the lab, and the lessons before and after."""
    entry = registry.entry(lesson.lab)
    ways = [(links.lab(lesson.lab).file, f"Lab: {entry.title}", "")]
    if lesson.path is not None:
        ways.insert(0, (lesson.path.name, "Download the notebook", markup(" download")))
    if lesson.number > 1:
        ways.append((_address(lesson.number - 1), f"← {LESSONS[lesson.number - 2].title}", ""))
    if lesson.number < len(LESSONS):
        ways.append((_address(lesson.number + 1), f"{LESSONS[lesson.number].title} →", ""))
    told = (markup("<a href='{}'{}>{}</a>", address, more, words) for address, words, more in ways)
    return markup("<nav class='ways' aria-label='{}'>{}</nav>", label, joined(told))


def _address(number):
    return f"{links.page_of(LESSONS[number - 1])}.html"
