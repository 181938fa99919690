"""Examples as a page shows them: the lines with what they gave, and the picture of the result."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.markup import Markup, markup

from .examples import Ran

SHEET = markup("<link rel='stylesheet' href='../_static/reference.css'>")


def examples_html(ran: list[Ran]) -> Iterator[str | Markup]:
    """The parts of a document that show examples."""
    for each in ran:
        yield f"````{{code-block}} pycon\n{each.text}\n````"
        if each.picture is not None:
            yield markup("<div class='picture'>{}</div>", each.picture)
