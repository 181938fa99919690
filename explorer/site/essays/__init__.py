"""Essays: each explains one idea in five minutes, next to a picture that changes while the reader scrolls.

An essay is a module of this folder that has an `ESSAY`, and a Markdown file with its text.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from explorer.markup import joined, markup
from explorer.site.documents import contents, document, write_file

from .essay_page import SHEET, body

if TYPE_CHECKING:
    from pathlib import Path

    from explorer.markup import Markup

    from .essay import Essay

NAME = "essays"
TITLE = "Essays"
ABOUT = "Five minutes each: read, and the picture beside the text follows you."
# the modules, in reading order
ORDER = (
    "mean", "shrink", "break_the_mean", "blind", "verdict",
    "dependence", "causes", "drift", "transfer", "few",
)  # fmt: skip


def essays() -> list[Essay]:
    """Return all essays in their order."""
    there = (name for name in ORDER if find_spec(f"{__name__}.{name}"))
    return [import_module(f"{__name__}.{name}").ESSAY for name in there]


def write(source: Path, fast: bool) -> None:
    """Write each essay, and a page that lists them."""
    folder, every = source / NAME, essays()
    for essay in every:
        text = document(essay.text.title, body(essay), about=essay.text.question, wide=True)
        write_file(folder, f"{essay.key}.md", text)
    cards = markup('{}<ul class="essays">{}</ul>', SHEET, joined(map(_card, every)))
    write_file(folder, "index.md", document(TITLE, ABOUT, cards, contents(each.key for each in every), wide=True))


def _card(essay: Essay) -> Markup:
    text = essay.text
    return markup(
        '<li><a href="{}.html">{}<b>{}</b><p>{}</p></a></li>', essay.key, essay.cover(), text.title, text.question
    )
