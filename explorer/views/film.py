"""Film of more samples: their curves appear one after the other, while their average settles.

It runs in the browser, once when the samples arrive. At its end the bands replace the curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.browser import call

if TYPE_CHECKING:
    from bokeh.models import GlyphRenderer

    from explorer.marks import Mark

    from .glyphs import Sources

PACE = 70  # milliseconds from one sample to the next


def roll(picture: Any, sources: Sources, inked: Sequence[tuple[Mark, GlyphRenderer[Any]]]) -> None:
    """Start the film of each line of a picture of losses when its samples arrive; its bands appear at its end."""
    for name, role, *_ in picture.lines:
        samples, film, average = (sources[f"{name}_{part}"] for part in ("samples", "film", "average"))
        bands = [renderer for mark, renderer in inked if (mark.source, mark.role) == ("bands", role)]
        args = {"samples": samples, "film": film, "average": average, "bands": bands}
        args |= {"pace": PACE, "top": picture.y.range[1]}
        samples.js_on_change("data", call("film.roll", **args))
