"""Pictures in words, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explorer.markup import Markup, joined, markup


def in_words(pictures: Iterable[Sequence[str]]) -> Markup:
    """The sentences of each picture: its title, and a list of what it shows."""
    return joined(_picture(*sentences) for sentences in pictures)


def _picture(title, *sentences):
    items = joined(markup("<li>{}</li>", each) for each in sentences)
    return markup("<p><b>{}</b></p><ul>{}</ul>", title, items)
