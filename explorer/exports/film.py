"""Film of a lab: the frames of Play, one picture at every stop of the main slider.

    film = Film.of(ShrinkageLab())
    Path("shrinkage.gif").write_bytes(gif(film))

Each picture is drawn by `explorer.svg`, with the slider, its value and the headline of that stop below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.execution.cancellation import check_cancelled
from explorer.languages import translate
from explorer.markup import Markup, joined, markup
from explorer.printing import echo, join_list
from explorer.svg import draw_standalone, lettering
from explorer.svg.colours import StandaloneColours
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much, seconds
from explorer.workbench.numbers import WAITING
from explorer.workbench.prose import finding
from explorer.workbench.slider_stops import with_value

from .lab_state import distinct
from .paper import foot
from .raster import images_of

if TYPE_CHECKING:
    from PIL import Image

    from explorer.marks.picture import Picture
    from explorer.types import Vector
    from explorer.workbench.lab import Lab

# Seconds from one stop to the next, most seconds for all stops, and seconds at the last stop before the film repeats.
PACE, LONG, REST = 0.15, 9.0, 1.5
FASTEST, SHORTEST, LONGEST = 0.03, 1.0, 60.0  # seconds: least of a stop (browsers slow faster ones), limits of a film
WIDTH, NARROWEST, WIDEST = 720, 320, 1600  # default and limits of a film's width in px
DEAREST = 120.0  # most seconds that the results of all stops may take
PICTURE = 0.1  # seconds, about, that drawing one picture takes

# Sizes in px of a picture's SVG.
WIDE, EDGE = 560, 16
SLIDER, SAYS, FOOT = 34, 20, 24  # heights of the slider, of a line of the headline, and of the footer
BIG, MIDDLE, SMALL = 16, 14, 11  # font sizes
MOST = 3  # most lines of a headline
SIZE = re.compile(r'width="([\d.e+]+)" height="([\d.e+]+)"')


class Scene(NamedTuple):
    """One stop: the drawing as SVG and its height, the slider's value as text, and the lines of the headline."""

    drawing: Markup
    high: float
    value: str
    headline: list[str]


class Film:
    """Scenes of a film, the footer of all of them, and the size in px; pictures are drawn when they are needed.

    Parameters
    ----------
    scenes : sequence of Scene
        The stops.
    footer : str
        Text below all pictures.
    width : int, default 720
        Width in px, 320 to 1600.
    dark : bool, default False
        Whether the ground is dark.

    Raises
    ------
    Refusal
        If the width is outside its limits.
    """

    def __init__(self, scenes: Sequence[Scene], footer: str, width: int = WIDTH, dark: bool = False) -> None:
        if not NARROWEST <= width <= WIDEST:
            raise Refusal(f"a film is {NARROWEST} to {WIDEST} px wide, not {echo(width)}.")
        self.scenes = scenes
        self.footer = footer
        self.dark = dark
        self.top: float = max(scene.high for scene in scenes)
        high = self.top + SLIDER + max(len(scene.headline) for scene in scenes) * SAYS + FOOT
        self.size: tuple[int, int] = _even(width), _even(high * width / WIDE)  # a video needs even sizes

    @classmethod
    def of(cls, lab: Lab, width: int = WIDTH, dark: bool = False) -> Film:
        """Return the film of a state of a lab, with a scene for every stop of the slider that Play moves.

        Parameters
        ----------
        lab : Lab
            The state.
        width : int, default 720
            Width in px.
        dark : bool, default False
            Whether the ground is dark.

        Returns
        -------
        Film
            The film.

        Raises
        ------
        Refusal
            If the lab has no slider that plays, or if all stops together take too long.
        """
        name, field = registry.name_of(type(lab)), lab.played
        if not field:
            playing = [each for each, entry in registry.entries().items() if entry.lab().played]
            raise Refusal(
                f"{registry.entry(name).title} has no slider that plays, so there is nothing to film; these labs have"
                f" one: {join_list(playing)}."
            )
        states = list(_states(lab, field))
        pictures = _pictures(name, states)
        symbol = type(lab).fields[field].symbol
        values = distinct([getattr(state.lab, field) for state in states])
        scenes = [_scene(pictures, *each, symbol) for each in zip(states, values, strict=True)]
        return cls(scenes, f"{translate(registry.entry(name).title)} · {foot(lab, field)}", width, dark)

    def __len__(self) -> int:
        return len(self.scenes)

    def pictures(self, stops: Iterable[int] | None = None) -> Iterator[Image.Image]:
        """Return an iterator over the pictures at some stops, or at all, one after the other.

        Parameters
        ----------
        stops : iterable of int or None, default None
            Numbers of the stops. None is all.

        Returns
        -------
        Iterator of Image
            The pictures.
        """
        drawings = map(self._drawing, range(len(self)) if stops is None else stops)
        return images_of(drawings, *self.size, self.dark)

    def times(self, whole: float | None = None) -> Vector:
        """Return the duration of each stop in seconds, to two decimals; the last one is longest.

        Parameters
        ----------
        whole : float or None, default None
            Duration of the film in seconds.

        Returns
        -------
        ndarray
            One duration for each stop.

        Raises
        ------
        Refusal
            If the duration is outside its limits.
        """
        count = len(self)
        whole = min(count * PACE, LONG) + REST if whole is None else whole
        least = max(count * FASTEST, SHORTEST)
        if not least <= whole <= LONGEST:
            raise Refusal(f"a film of {count} stops takes {least:.3g} to {LONGEST:.0f} seconds, not {echo(whole)}.")
        rest = min(REST, whole / 4, whole - count * FASTEST)
        ends = np.append(np.linspace(0, whole - rest, count + 1)[:-1], whole)
        return np.diff(np.round(ends, 2))

    def _drawing(self, stop):
        """Return the whole picture of a stop as SVG."""
        check_cancelled()
        scene, inks, (wide, high) = self.scenes[stop], StandaloneColours(str), self.size
        times, below = wide / WIDE, self.top + SLIDER
        foot = high / times
        parts = [
            markup('<rect width="{}" height="{:.1f}" {}/>', WIDE, foot, inks.paint(fill="ground")),
            markup('<g transform="translate(0 {:.1f})">{}</g>', self.top - scene.high, scene.drawing),
            self._slider(stop, inks),
            *(_text(line, below + SAYS * (i + 0.7), MIDDLE, inks, "ink") for i, line in enumerate(scene.headline)),
            _text(self.footer, foot - 9, SMALL, inks, "soft"),
        ]
        return markup(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}"><g transform="scale({:.5f})">{}</g></svg>',
            wide, high, times, joined(parts),
        )  # fmt: skip

    def _slider(self, stop, inks):
        """Return the slider at its position, with its value."""
        y, right = self.top + SLIDER / 2, WIDE - 2 * EDGE
        left = 2 * EDGE + max(lettering.width(scene.value, BIG, bold=True) for scene in self.scenes)
        at = left + (right - left) * stop / max(len(self) - 1, 1)
        knob = markup('<circle cx="{:.1f}" cy="{:.1f}" r="7" {}/>', at, y, inks.paint(fill="ink"))
        value = _text(self.scenes[stop].value, y + 0.35 * BIG, BIG, inks, "ink", bold=True)
        return joined([value, _track(left, right, y, inks, "line"), _track(left, at, y, inks, "soft"), knob])


def film_seconds(lab: Lab) -> float:
    """Return about how many seconds a film of a state takes to make.

    Parameters
    ----------
    lab : Lab
        The state.

    Returns
    -------
    float
        Time in seconds.
    """
    return len(lab.stops_of(lab.played)) * (seconds(lab.cost) + PICTURE)


def _states(lab, field) -> Iterator[Any]:
    """Yield the results at all stops of a field, with the deferred stages that their picture and headline need."""
    refuse_too_much(lab.cost)
    result = lab.result(wait=True)
    if field == lab.slider and result.answers:
        yield from (result.at(stop) for stop in result.stops)
        return
    stops = with_value(lab.stops_of(field), getattr(lab, field))
    if (whole := seconds(lab.cost) * len(stops)) > DEAREST:
        raise Refusal(
            f"a film of this state would take about {whole:.0f} s, and may take {DEAREST:.0f}; take fewer points."
        )
    moving = lab.copy_with(result)
    for stop in stops:
        check_cancelled()
        moving.move(**{field: stop})
        state = moving.result()
        yield moving.result(wait=True) if _waits(state) else state


def _waits(state):
    """Return whether the picture or the headline of a state lacks a deferred stage."""
    name = registry.name_of(type(state.lab))
    return registry.visible_pictures(name, state)[0].waits(state) or WAITING in _headline(state)


def _headline(state):
    words = registry.role(registry.name_of(type(state.lab)), "words")
    return finding(words.headline(state, state.row))


def _pictures(name, states) -> list[Picture]:
    """Return the large picture and, if the slider does not move that, the first one that it moves."""
    first, last = states[0], states[-1]
    large, *others = registry.visible_pictures(name, first)
    moving = (each for each in (large, *others) if _marks(each, first) != _marks(each, last))
    return list(dict.fromkeys([large, next(moving, large)]))


def _marks(picture, state):
    """Return a picture without its text description, which may change even if the marks do not."""
    return draw_standalone(picture, state).partition("</desc>")[2]


def _scene(pictures, state, value, symbol):
    check_cancelled()
    parts, high = [], 0.0
    for picture in pictures:
        drawing = draw_standalone(picture, state, WIDE)
        parts.append(markup('<g transform="translate(0 {:.1f})">{}</g>', high, drawing))
        match = SIZE.search(drawing)
        high += float(match.group(2)) if match else picture.height
    # The font is narrower than the one by which `lettering` breaks lines, hence the factor 1.08.
    headline = lettering.lines(_headline(state), MIDDLE, 1.08 * (WIDE - 2 * EDGE), most=MOST)
    return Scene(joined(parts), high, f"{symbol} = {value}", headline)


def _track(left, right, y, inks, role):
    d = f"M{left:.1f} {y:.1f}H{right:.1f}"
    return markup('<path d="{}" {} stroke-width="4"/>', d, inks.paint(stroke=role))


def _text(text, y, px, inks, role, bold=False):
    weight = markup(' font-weight="bold"') if bold else ""
    place = markup('x="{}" y="{:.1f}" font-size="{}"', EDGE, y, px)
    return markup("<text {}{} {}>{}</text>", place, weight, inks.paint(fill=role), text)


def _even(px):
    return 2 * round(px / 2)
