"""Legend of a standalone picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.markup import joined, markup

from . import lettering

if TYPE_CHECKING:
    from explorer.marks.legend import Key
    from explorer.markup import Markup

    from .colours import StandaloneColours


# sizes in px: of the font, a line, a stroke, and the gaps after a sign and an entry
PX, HIGH, LONG, GAP, AFTER = 12, 18, 26, 6, 16


def drawn(keys: Sequence[Key], width: float, top: float, inks: StandaloneColours) -> tuple[Markup, float]:
    """Return the legend from `top` on, in as many lines as it needs, and its height."""
    parts, x, y = [], 8.0, float(top)
    for key in keys:
        long = 12 if key.strokes else LONG
        words = lettering.fitted(key.words, PX, width - long - GAP - 16)
        wide = long + GAP + lettering.width(words, PX)
        if x > 8 and x + wide > width - 8:
            x, y = 8.0, y + HIGH
        shape = markup('<g transform="translate({} {})">{}</g>', f"{x:.1f}", f"{y:.1f}", _shape(key, inks))
        place = markup('x="{}" y="{}" font-size="{}"', f"{x + long + GAP:.1f}", f"{y + 0.35 * PX:.1f}", PX)
        parts.append(shape + markup("<text {} {}>{}</text>", place, inks.paint(fill="soft"), words))
        x += wide + AFTER
    return joined(parts), (y - top + HIGH if keys else 0.0)


def _shape(key, inks):
    """Return a sign."""
    if key.strokes:
        line = key.role if key.opacity in (0, 1) else None
        ink = inks.paint(line, key.role if key.opacity else None)
        pale = markup(' fill-opacity="{}"', f"{key.opacity:g}") if 0 < key.opacity < 1 else ""
        return markup('<path d="{}" transform="translate(6 0)" {} stroke-width="2"{}/>', key.path, ink, pale)
    dash = markup(' stroke-dasharray="{}"', key.sign) if key.sign else ""
    return markup('<path d="M0 0H{}" {} stroke-width="3"{}/>', LONG, inks.paint(stroke=key.role), dash)
