"""Axes of a picture: tick labels, grid lines and names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.marks import PlanePicture, decades, nice_ticks
from explorer.markup import joined, markup

from . import lettering
from .scales import Frame, Scale

if TYPE_CHECKING:
    from explorer.marks.axes import Axis
    from explorer.marks.picture import Picture
    from explorer.markup import Markup

    from .colours import StandaloneColours


WORDS, CALLED = 12, 13  # font sizes in px of tick labels and of an axis's name
TICK, GAP = 4, 4  # lengths in px of a tick and of the gap between a tick and its label
LONGEST = 160  # longest tick label in px
MOST = 8  # largest number of powers of ten along an axis


class Side(NamedTuple):
    """Contents of one axis of a picture.

    Attributes
    ----------
    called : str
        Its name.
    range : tuple of float
        Its ends.
    ticks : mapping of float to str
        Position -> label.
    axis : Axis
        How it is drawn.
    """

    called: str
    range: tuple[float, float]
    ticks: Mapping[float, str]
    axis: Any

    @property
    def drawn(self) -> bool:
        """True if more than grid lines is drawn."""
        return not self.axis.bare or bool(self.called)

    @property
    def words(self) -> dict[float, str]:
        """Position -> label of the visible ticks."""
        return {at: word for at, word in self.ticks.items() if word and _on(at, self.range)} if self.drawn else {}


def _on(at, ends):
    """Return whether a position is on an axis, up to rounding."""
    low, high = sorted(ends)
    slack = 1e-6 * (high - low)
    return low - slack <= at <= high + slack


def side(axis: Axis) -> Side:
    """Return the Side of an Axis."""
    ticks = axis.ticks
    if ticks is None:
        ticks = _usual(axis, axis.range) if axis.column is None else axis.column_places
    return Side(
        axis.title, axis.range, {at: lettering.fitted(str(word), WORDS, LONGEST) for at, word in ticks.items()}, axis
    )


def _usual(axis, ends):
    """Return round positions of an axis without ticks."""
    low, high = ends
    if not axis.log:
        return nice_ticks(low, high, 4) if 1e-300 < high - low < math.inf else {}
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return decades(first, last, max(1, math.ceil((last - first) / MOST)))


def framed(
    picture: Picture, x: Side, y: Side, left: float, right: float, top: float, bottom: float
) -> tuple[Frame, Side, Side]:
    """Return the frame between these edges, and both sides, which a plane widens."""
    if isinstance(picture, PlanePicture):
        x, y = _square(x, y, right - left, bottom - top)
    (west, east), (south, north) = x.range, y.range
    frame = Frame(Scale(west, east, left, right, x.axis.log), Scale(south, north, bottom, top, y.axis.log))
    return frame, x, y


def _square(x, y, wide, high):
    """Return the sides of a plane in a frame of this size in px: a unit has the same length in both directions."""
    across, up = ((side.range[1] - side.range[0]) / px for side, px in ((x, wide), (y, high)))
    unit = max(across, up)
    return tuple(side._replace(range=_about(side.range, unit / each)) for side, each in ((x, across), (y, up)))


def _about(ends, times):
    """Return ends scaled about their middle."""
    middle, half = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
    return middle - times * half, middle + times * half


def room(x: Side, y: Side) -> tuple[float, float]:
    """Return the px that the text of both sides needs: (left of the picture, below it)."""
    widest = max((lettering.width(word, WORDS) for word in y.words.values()), default=0.0)
    if y.axis.turned:
        widest = WORDS if y.words else 0
    left = 6.0 + (CALLED + 8 if y.called and y.drawn else 0) + (widest + TICK + GAP if y.words else 0)
    tallest = max((lettering.width(word, WORDS) for word in x.words.values()), default=0.0) if x.axis.turned else WORDS
    below = 8.0 + (CALLED + 6 if x.called and x.drawn else 0) + (tallest + TICK + GAP if x.words else 0)
    return left, below


def _visible_ticks(side, scale):
    """Return [(px, label)] of the ticks on the drawn part of the axis."""
    ends = side.axis.ends or side.range
    held = [(float(scale(at)), word) for at, word in side.ticks.items() if _on(at, ends)]
    return [(at, word) for at, word in held if math.isfinite(at) and scale.holds(at)]


def lines_across(frame: Frame, x: Side, y: Side, inks: StandaloneColours) -> str | Markup:
    """Return faint lines at the ticks."""
    d = ""
    if x.axis.lines:
        d += "".join(f"M{at:.1f} {frame.top:g}V{frame.bottom:g}" for at, _ in _visible_ticks(x, frame.x))
    if y.axis.lines:
        d += "".join(f"M{frame.left:g} {at:.1f}H{frame.right:g}" for at, _ in _visible_ticks(y, frame.y))
    return markup('<path d="{}" {} stroke-opacity="0.7"/>', d, inks.paint(stroke="line")) if d else ""


def beside(frame: Frame, x: Side, y: Side, size: tuple[float, float], inks: StandaloneColours) -> Markup:
    """Return both axes with ticks, labels and names, in a picture of this size."""
    return joined([_below(frame, x, size, inks), _left(frame, y, size, inks)])


def _below(frame, side, size, inks):
    """Return the x axis."""
    if not side.drawn:
        return ""
    held, foot, parts = _visible_ticks(side, frame.x), frame.bottom, []
    if not side.axis.bare:
        ends = [float(frame.x(end)) for end in side.axis.ends or side.range]
        d = f"M{ends[0]:.1f} {foot:g}H{ends[1]:.1f}" + "".join(f"M{at:.1f} {foot:g}v{TICK}" for at, _ in held)
        parts.append(markup('<path d="{}" {}/>', d, inks.paint(stroke="soft")))
    spelt = [(at, word) for at, word in held if word]
    sizes = [WORDS if side.axis.turned else lettering.width(word, WORDS) for _, word in spelt]
    # A label at an end of the axis is moved inwards if it would leave the picture.
    places = [min(max(at, wide / 2 + 2), size[0] - wide / 2 - 2) for (at, _), wide in zip(spelt, sizes, strict=True)]
    line = foot + TICK + GAP + 0.8 * WORDS
    for i in lettering.apart(places, sizes, 5):
        if side.axis.turned:
            place = markup(
                'transform="translate({} {}) rotate(-90)" text-anchor="end"', f"{places[i] + 4:.1f}", f"{foot + 8:g}"
            )
        else:
            place = markup('x="{}" y="{}" text-anchor="middle"', f"{places[i]:.1f}", f"{line:.1f}")
        parts.append(_word(spelt[i][1], place, WORDS, inks))
    if side.called:
        called, px = _name(side.called, size[0] - 8)
        wide = lettering.width(called, px)
        middle = min(max((frame.left + frame.right) / 2, wide / 2 + 4), size[0] - wide / 2 - 4)
        place = markup('x="{}" y="{}" text-anchor="middle"', f"{middle:.1f}", f"{size[1] - 8:.1f}")
        parts.append(_word(called, place, px, inks))
    return joined(parts)


def _left(frame, side, size, inks):
    """Return the y axis."""
    if not side.drawn:
        return ""
    held, edge, parts = _visible_ticks(side, frame.y), frame.left, []
    if not side.axis.bare:
        ends = [float(frame.y(end)) for end in side.axis.ends or side.range]
        d = f"M{edge:g} {ends[0]:.1f}V{ends[1]:.1f}" + "".join(f"M{edge:g} {at:.1f}h-{TICK}" for at, _ in held)
        parts.append(markup('<path d="{}" {}/>', d, inks.paint(stroke="soft")))
    spelt = [(at, word) for at, word in held if word]
    sizes = [lettering.width(word, WORDS) if side.axis.turned else WORDS for _, word in spelt]
    for i in lettering.apart([at for at, _ in spelt], sizes, 1):
        at, word = spelt[i]
        if side.axis.turned:
            place = markup(
                'transform="translate({} {}) rotate(-90)" text-anchor="middle"', f"{edge - 8:g}", f"{at:.1f}"
            )
        else:
            place = markup('x="{}" y="{}" text-anchor="end"', f"{edge - TICK - GAP:.1f}", f"{at + 0.35 * WORDS:.1f}")
        parts.append(_word(word, place, WORDS, inks))
    if side.called:
        called, px = _name(side.called, size[1] - 8)
        half = lettering.width(called, px) / 2
        middle = min(max((frame.top + frame.bottom) / 2, half + 4), size[1] - half - 4)
        place = markup('transform="translate({} {}) rotate(-90)" text-anchor="middle"', CALLED + 2, f"{middle:.1f}")
        parts.append(_word(called, place, px, inks))
    return joined(parts)


def _name(text, most):
    """Return an axis's name and font size in px: smaller if it is too long, and truncated if that is not enough."""
    px = max(10.0, min(CALLED, CALLED * most / max(lettering.width(text, CALLED), 1.0)))
    return lettering.fitted(text, px, most), px


def _word(word, place, px, inks):
    """Return a text element."""
    return markup('<text {} font-size="{:g}" {}>{}</text>', place, px, inks.paint(fill="soft"), word)
