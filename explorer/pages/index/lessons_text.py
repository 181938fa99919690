"""Texts of the lessons' page: the list of lessons, and the navigation around a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.markup import joined, markup
from explorer.workbench import registry
from explorer.workbench.lessons import LESSONS

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.lessons import Lesson

INTRO = (
    "Read them here, or run them in Jupyter: they are in the folder notebooks. Each takes about an hour and has"
    " exercises with solutions."
)
MISSING = "This lesson's notebook is missing here. Install the package again, or look in its repository."
UNKNOWN = "There is no lesson {}. Here are all {}."


def every_lesson(unknown: str = "") -> Markup:
    """Return the list of all lessons; `unknown` is a lesson that a link names and that does not exist."""
    notice = markup("<p role='alert'>{}</p>", UNKNOWN.format(unknown, len(LESSONS))) if unknown else markup("")
    return markup(
        "<h1>Lessons</h1><p class='intro'>{}</p>{}<ol class='lessons'>{}</ol>",
        INTRO,
        notice,
        joined(map(_line, LESSONS)),
    )


def _line(lesson):
    """Return a lesson's entry in the list: its title, what it teaches, and its lab."""
    return markup(
        "<li><a class='title' href='{}'>{}</a><p>{}</p><a class='lab' href='{}'>Lab: {}</a></li>",
        lesson.address,
        lesson.title,
        lesson.says,
        lesson.lab,
        registry.entry(lesson.lab).title,
    )


def around(lesson: Lesson, read: Markup) -> Markup:
    """Return a lesson with links to its neighbours, the list and its lab, above and below it."""
    ways = _ways(lesson)
    return markup(
        "<nav class='ways' aria-label='Lessons'>{}</nav><article class='lesson'>{}</article>"
        "<nav class='ways' aria-label='More lessons'>{}</nav>",
        ways,
        read,
        ways,
    )


def _ways(lesson):
    links = [("lessons", "All lessons"), (lesson.lab, f"Lab: {registry.entry(lesson.lab).title}")]
    if lesson.number > 1:
        before = LESSONS[lesson.number - 2]
        links.append((before.address, f"← {before.number}. {before.title}"))
    if lesson.number < len(LESSONS):
        after = LESSONS[lesson.number]
        links.append((after.address, f"{after.number}. {after.title} →"))
    return joined(markup("<a href='{}'>{}</a>", *link) for link in links)
