"""Legend as one line of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.markup import Markup, joined, markup

if TYPE_CHECKING:
    from explorer.marks.legend import Key


def css_colour(role: str) -> str:
    """Return the CSS variable of a role, which follows the page's theme; a colour is returned as it is."""
    return role if role.startswith("#") else f"var(--{role})"


def legend(keys: Sequence[Key]) -> Markup:
    """Return the legend as HTML, in the CSS variables of the roles.

    Parameters
    ----------
    keys : sequence of Key
        The entries.

    Returns
    -------
    Markup
        The legend; empty if there are no entries.
    """
    parts = [markup("<span>{}{}</span>", _sign(key), key.words) for key in keys]
    return markup("<div class='legend'>{}</div>", joined(parts)) if parts else joined(parts)


def _sign(key):
    """Return a sign as SVG."""
    tint = css_colour(key.role)
    if not key.strokes:
        line = markup("<path d='M0 4H30' stroke='{}' stroke-width='3' stroke-dasharray='{}'/>", tint, key.sign)
        return markup("<svg width='30' height='8' aria-hidden='true'>{}</svg>", line)
    stroke = markup("stroke='{}' stroke-width='2'", tint) if key.opacity in (0, 1) else ""
    ink = markup("fill='{}' fill-opacity='{}' {}", tint, f"{key.opacity:g}", stroke)
    shape = markup("<path d='{}' {} transform='translate(7 7)'/>", key.path, ink)
    return markup("<svg width='14' height='14' aria-hidden='true'>{}</svg>", shape)
