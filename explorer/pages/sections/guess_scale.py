"""Scale of a story's question, with the user's guess and the true value drawn over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate
from explorer.markup import markup

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.stories import Place

WIDE, EDGE = 340, 24  # width and margin of the scale, in units of its viewBox


def bar(place: Place, guess: int, truth: float) -> Markup:
    """Return an SVG of the scale: a ring where the user placed the guess, a dot at the true value."""
    scale = place.scale
    placed, there = (EDGE + (WIDE - 2 * EDGE) * scale.part(value) for value in (scale.stops[guess], truth))
    words = translate(
        "{}: your guess {}, true value {}", translate(place.name), scale.write(scale.stops[guess]), scale.write(truth)
    )
    mark = markup(
        "<circle cy='26' r='6' fill='currentColor' stroke='currentColor' stroke-width='2' cx='{:.1f}'/>", there
    )
    return markup(
        "<svg viewBox='0 0 {} 52' role='img' aria-label='{}'><line x1='{}' x2='{}' y1='26' y2='26'"
        " stroke='currentColor' stroke-opacity='0.3'/><line x1='{:.1f}' x2='{:.1f}' y1='26' y2='26'"
        " stroke='currentColor' stroke-width='3'/>{}<circle cy='26' r='9' fill='none'"
        " stroke='currentColor' stroke-width='2' cx='{:.1f}'/>{}{}</svg>",
        WIDE,
        words,
        EDGE,
        WIDE - EDGE,
        placed,
        there,
        mark,
        placed,
        _label(placed, 11, translate("your guess")),
        _label(there, 48, scale.write(truth)),
    )


def _label(x, y, words):
    """Return a label above or below a mark, shifted to stay inside the picture."""
    x = min(max(x, 2.2 * EDGE), WIDE - 2.2 * EDGE)
    return markup(
        "<text x='{:.1f}' y='{}' text-anchor='middle' font-size='12' fill='currentColor'>{}</text>", x, y, words
    )
