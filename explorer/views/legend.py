"""Legend as one line of HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from explorer.markup import Markup, joined, markup

if TYPE_CHECKING:
    from explorer.marks.legend import Key


SOLIDS = {
    "triangle": "M1.5 10H10.5L6 2Z",
    "inverted_triangle": "M1.5 2H10.5L6 10Z",
    "diamond": "M6 0.5L10 6L6 11.5L2 6Z",
}


def legend(keys: Sequence[Key], tint: Callable[[str], str]) -> Markup:
    """Return the legend as HTML.

    Parameters
    ----------
    keys : sequence of Key
        The entries.
    tint : callable
        Takes a role and returns its colour.

    Returns
    -------
    Markup
        The legend.
    """
    parts = (markup("<span>{}{}</span>", _mark(tint(role), sign), words) for words, role, sign in keys)
    return markup("<div class='legend'>{}</div>", joined(parts))


def _mark(tint, sign):
    """Return a sign as SVG."""
    if sign in ("filled", "hollow"):
        fill = tint if sign == "filled" else "none"
        shape = markup("<circle cx='6' cy='6' r='4.5' fill='{}' stroke='{}' stroke-width='2'/>", fill, tint)
    elif sign in SOLIDS:
        shape = markup("<path d='{}' fill='{}'/>", SOLIDS[sign], tint)
    elif sign == "band":
        shape = markup("<path d='M0 2H12V10H0Z' fill='{}' fill-opacity='0.35'/>", tint)
    elif sign == "cross":
        shape = markup("<path d='M2 2 L10 10 M10 2 L2 10' stroke='{}' stroke-width='2.5'/>", tint)
    else:
        line = markup(
            "<line x1='0' y1='4' x2='30' y2='4' stroke='{}' stroke-width='3' stroke-dasharray='{}'/>", tint, sign
        )
        return markup("<svg width='30' height='8'>{}</svg>", line)
    return markup("<svg width='12' height='12'>{}</svg>", shape)
