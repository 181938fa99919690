"""Widgets: the picture of each lab with its main slider, to paste into slides, a course, a notebook or a blog."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from explorer.browser import standing
from explorer.exports.lab_state import exportable
from explorer.exports.widget import MOST, SCRIPT, Widget, shared_script, widget
from explorer.markup import Markup, joined, markup, meant, script
from explorer.site import links
from explorer.site.documents import FINISHED, contents, document, write_file
from explorer.site.sections import text
from explorer.svg import thumbnail
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.links import address

if TYPE_CHECKING:
    from explorer.workbench.registry import Entry
    from explorer.workbench.stories import Preset

NAME = "widgets"
TITLE = "Widgets"
ABOUT = "A picture and its slider as one element, to paste into slides, a course, a notebook or a blog."
SHEET = markup("<link rel='stylesheet' href='{}_static/widgets.css'>", links.UP)
PASTE = "<p>Paste it at the place of the widget, and put <a href='{0}' download>{0}</a> into the page's folder.</p>"
FRAMED = "<p>For a course that removes scripts from text. <a href='{}'>The framed page</a> opens alone, too.</p>"
FRAME = '<iframe src="{}" title="{}" width="100%" height="620" style="border:0"></iframe>'
USES = Path(__file__).with_name("uses.md")


class WidgetPicture(NamedTuple):
    """A lab, the preset of its widget, and the picture and widget that the site shows."""

    name: str
    entry: Entry
    preset: Preset
    made: Widget
    small: Markup


def write(source: Path, fast: bool) -> None:
    """Write a page for each lab's widget, the list of them, the widgets as separate files, and their script."""
    finished = source / FINISHED / NAME
    write_file(finished, SCRIPT, shared_script())
    every = [_widget_picture(name) for name in exportable()]
    for each in every:
        write_file(finished, _file(each), meant(each.made.html))
        write_file(source / NAME, f"{each.name}.md", _page(each))
    names = [each.name for each in every]
    write_file(
        source / NAME, "index.md", document(TITLE, _list(every), _uses(every[0].name), contents(names), about=ABOUT)
    )


def _widget_picture(name):
    entry, preset = registry.entry(name), content_of(name).presets[0]
    lab = entry.lab(**preset.fields)
    made = widget(lab, preset.name, source=links.lab(address(name, lab)).file)
    result = lab.result(wait=True)
    return WidgetPicture(
        name, entry, preset, made, thumbnail(registry.visible_pictures(name, result)[0], result, entry.title)
    )


def _file(each):
    """Return the widget as a separate page."""
    return f"{each.name}-alone.html"


# the list ---------------------------------------------------------------------------------------------------------


def _list(every):
    largest = max(each.made.size for each in every)
    intro = text("widgets", largest=round(largest / 1e3), script=round(len(shared_script()) / 1e3))
    lines = joined(map(_line, every))
    return markup("{}{}{}<ul class='widgets'>{}</ul>{}", SHEET, intro, every[0].made.html, lines, _begin())


def _line(each):
    """Return a lab in the list: its picture, its title, its question, and the size of its widget."""
    facts = markup("<span>{}</span><span>{} kB</span>", each.entry.question, f"{each.made.size / 1e3:.0f}")
    return markup("<li><a href='{}.html'>{}<b>{}</b>{}</a></li>", each.name, each.small, each.entry.title, facts)


def _uses(name):
    """Return how to use a widget, in Markdown, with a lab of this name as the example."""
    return Template(USES.read_text(encoding="utf-8")).substitute(NAME=name, SCRIPT=SCRIPT, MOST=f"{MOST / 1e3:.0f}")


# one lab's --------------------------------------------------------------------------------------------------------


def _page(each):
    """Return the page of a widget: itself, its HTML, a frame, and the command that writes it."""
    frame = markup(FRAME, _file(each), each.entry.title)
    return document(
        each.entry.title,
        markup("{}{}", SHEET, each.made.html),
        "## Its HTML",
        markup(PASTE, SCRIPT),
        _copied("html", each.made.html, "HTML of the widget", 6),
        "## In a frame",
        markup(FRAMED, _file(each)),
        _copied("frame", frame, "HTML of a frame", 2),
        f"## By the command\n\nIt takes any preset, link or story of the lab.\n\n```console\n{_command(each)}\n```",
        _begin(),
        about=f"{each.entry.question} {ABOUT}",
    )


def _command(each):
    return f'explorer export {each.name} --widget --preset "{each.preset.name}" -o {each.name}.html'


def _copied(name, text, called, rows):
    """Return a text in a box, and a button that copies it."""
    return markup(
        "<div class='copied'><textarea id='{0}' readonly rows='{1}' aria-label='{2}' spellcheck='false'>{3}</textarea>"
        "<button type='button' data-copies='{0}' hidden>Copy the HTML</button></div>",
        name, rows, called, str(text),
    )  # fmt: skip


def _begin():
    return script(standing.script("shelf"))
