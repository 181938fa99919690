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
CROSS = "M2 -4L10 4M10 -4L2 4"
SOLIDS = {"triangle": "M1 4L11 4L6 -4Z", "inverted_triangle": "M1 -4L11 -4L6 4Z", "diamond": "M6 -5.5L10 0L6 5.5L2 0Z"}
SPOTS = ("filled", "hollow", "band", "cross", *SOLIDS)


def drawn(keys: Sequence[Key], width: float, top: float, inks: StandaloneColours) -> tuple[Markup, float]:
    """Return the legend from `top` on, in as many lines as it needs, and its height."""
    parts, x, y = [], 8.0, float(top)
    for words, role, sign in keys:
        long = 12 if sign in SPOTS else LONG
        words = lettering.fitted(words, PX, width - long - GAP - 16)
        wide = long + GAP + lettering.width(words, PX)
        if x > 8 and x + wide > width - 8:
            x, y = 8.0, y + HIGH
        shape = markup('<g transform="translate({} {})">{}</g>', f"{x:.1f}", f"{y:.1f}", _shape(role, sign, inks))
        place = markup('x="{}" y="{}" font-size="{}"', f"{x + long + GAP:.1f}", f"{y + 0.35 * PX:.1f}", PX)
        parts.append(shape + markup("<text {} {}>{}</text>", place, inks.paint(fill="soft"), words))
        x += wide + AFTER
    return joined(parts), (y - top + HIGH if keys else 0.0)


def _shape(role, sign, inks):
    """Return a sign."""
    if sign in ("filled", "hollow"):
        ink = inks.paint(role, role if sign == "filled" else None)
        return markup('<circle cx="6" cy="0" r="4.5" {} stroke-width="2"/>', ink)
    if sign == "band":
        return markup('<path d="M0 -4H12V4H0Z" {} fill-opacity="0.35"/>', inks.paint(fill=role))
    if sign in SOLIDS:
        return markup('<path d="{}" {}/>', SOLIDS[sign], inks.paint(fill=role))
    if sign == "cross":
        return markup('<path d="{}" {} stroke-width="2.5"/>', CROSS, inks.paint(stroke=role))
    dash = markup(' stroke-dasharray="{}"', sign) if sign else ""
    return markup('<path d="M0 0H{}" {} stroke-width="3"{}/>', LONG, inks.paint(stroke=role), dash)
