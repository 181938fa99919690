"""Which stroke is what, as one line of HTML."""

from __future__ import annotations

from html import escape


def legend(strokes, tint):
    """The strokes (words, role, dash) or (words, role, "filled" | "hollow" | "triangle" | "cross") as HTML.

    `tint` gives the colour of a role.
    """
    parts = (f"<span>{_mark(tint(role), kind)}{escape(words)}</span>" for words, role, kind in strokes)
    return f"<div class='legend'>{''.join(parts)}</div>"


def _mark(tint, kind):
    if kind in ("filled", "hollow"):
        fill = tint if kind == "filled" else "none"
        shape = f"<circle cx='6' cy='6' r='4.5' fill='{fill}' stroke='{tint}' stroke-width='2'/>"
    elif kind == "triangle":
        shape = f"<path d='M2 2 L10 2 L6 9 Z' fill='{tint}'/>"
    elif kind == "cross":
        shape = f"<path d='M2 2 L10 10 M10 2 L2 10' stroke='{tint}' stroke-width='2.5'/>"
    else:
        line = f"<line x1='0' y1='4' x2='30' y2='4' stroke='{tint}' stroke-width='3' stroke-dasharray='{kind}'/>"
        return f"<svg width='30' height='8'>{line}</svg>"
    return f"<svg width='12' height='12'>{shape}</svg>"
