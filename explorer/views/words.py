"""Text descriptions of pictures, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explorer.markup import Markup, joined, markup


def in_words(pictures: Iterable[Sequence[str]]) -> Markup:
    """Return the sentences of pictures as HTML: a title, and a list of what it shows.

    Parameters
    ----------
    pictures : iterable of sequence of str
        Sentences of each picture, the title first.

    Returns
    -------
    Markup
        The HTML.
    """
    return joined(_picture(*sentences) for sentences in pictures)


def _picture(title, *sentences):
    """Return the HTML of one picture."""
    items = joined(markup("<li>{}</li>", each) for each in sentences)
    return markup("<p><b>{}</b></p><ul>{}</ul>", title, items)
