"""First page of the site: what a kernel mean is, in a picture that grows, and links to all sections."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.browser import standing
from explorer.embeddings import GaussianMixture
from explorer.estimators import KME
from explorer.exports.widget import SCRIPT, widget
from explorer.kernels import Gaussian
from explorer.marks import Axis, Picture, Sources, area, curve, dots
from explorer.markup import as_data, joined, markup, script
from explorer.pages.index import lab_thumbnails
from explorer.pages.index.home_text import questions
from explorer.printing import format_number
from explorer.svg import draw_standalone
from explorer.svg.frame_diffs import frame_diffs
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.lessons import LESSONS

from . import essays, gallery, links
from .documents import contents, document, write_file
from .frame import SECTIONS, TITLE
from .sections import line, text

if TYPE_CHECKING:
    from explorer.embeddings import Embedding
    from explorer.markup import Markup

ABOUT = "What a kernel mean is, how well it can be estimated, and what it is good for: labs, essays, lessons, library."
SHEET = markup("<link rel='stylesheet' href='_static/home.css'>")
# the picture's distribution, the seed of its sample, and how many points the sample has at each stop
LAW, SEED, BANDWIDTH = GaussianMixture([0.6, 0.4], [[-1.2], [1.3]], [[[0.2]], [[0.08]]]), 53, 0.4
SIZES = (2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 45, 70, 100)
START = SIZES.index(8)  # without a script: the reader can see these few bumps one by one
PLACES = np.linspace(-3.2, 2.8, 121)
WIDTH = 480  # in px, so that its text is readable on a phone
WIDGET = "shrinkage"  # the lab whose widget the page has
RUG = 0.035  # distance of the points below 0, as a share of the picture's height


class Grown(NamedTuple):
    """A sample, its bumps over PLACES, each scaled by its share of the average, and its distance from the truth."""

    points: np.ndarray
    bumps: np.ndarray
    distance: float

    @property
    def n(self) -> int:
        """The number of points."""
        return len(self.points)


def growing_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes."""
    top = _top()
    x = Axis("x", (PLACES[0], PLACES[-1]), {place: f"{place}".replace("-", "−") for place in (-2, 0, 2)}, lines=False)
    y = Axis("", (-2 * RUG * top, 1.04 * top), {}, bare=True, lines=False)
    return x, y


@Picture(
    height=280,
    marks=(
        area("mean", "first", fill=0.12),
        curve("bumps", "kme", width=1.2, alpha=0.8, label="a bump for each point, 1/n high"),
        curve("truth", "truth", width=2, dash="dotted", label="kernel mean of the distribution"),
        curve("mean", "first", width=4, label="their sum, the kernel mean of the sample"),
        dots("points", "first", marker="dash", angle=np.pi / 2, size=13, width=1.6, height_is_decorative=True),
    ),
    title=lambda sample: f"{sample.n} points, {sample.n} bumps, one curve",
    sides=growing_sides,
)
def growing(result: Any) -> Sources:
    """Draw bumps on points, their sum, and its limit with more and more points."""
    gap = np.full((result.n, 1), np.nan)
    return {
        "bumps": {"x": np.tile(np.append(PLACES, np.nan), result.n), "y": np.hstack([result.bumps, gap]).ravel()},
        "mean": {"x": PLACES, "y": result.bumps.sum(axis=0)},
        "truth": {"x": PLACES, "y": _truth()(PLACES[:, None])},
        "points": {"x": result.points[:, 0], "y": np.full(result.n, -RUG * _top())},
    }


def write(source: Path, fast: bool) -> None:
    """Write the page."""
    there = [each for each in SECTIONS if (source / each / "index.md").exists()]
    pictures: dict[str, Markup] = {}
    for family in lab_thumbnails.FAMILIES.values():
        pictures |= family.now()
    body = markup(
        "{}<div class='home'>{}{}{}{}</div>{}",
        SHEET, _opening(), _questions(pictures), _essays(), _widget() + _rest(), script(standing.script("turned")),
    )  # fmt: skip
    write_file(
        source, "index.md", document(TITLE, body, contents(f"{each}/index" for each in there), about=ABOUT, wide=True)
    )


# what a kernel mean is --------------------------------------------------------------------------------------------


def grown() -> list[Grown]:
    """Return the picture's sample at every stop: the first points of one sample."""
    sample, kernel = LAW.sample(SIZES[-1], rng=SEED), Gaussian(BANDWIDTH)
    return [
        Grown(points, kernel(points, PLACES[:, None]) / len(points), KME(kernel).embed(points).distance(_truth()))
        for points in (sample[:n] for n in SIZES)
    ]


@cache
def _truth() -> Embedding:
    """Return the exact kernel mean of the distribution."""
    return LAW.embed(Gaussian(BANDWIDTH))


@cache
def _top() -> float:
    """Return the height of the highest sum."""
    return max(float(each.bumps.sum(axis=0).max()) for each in grown())


def _opening():
    """Return three sentences on the project, where to begin, and the picture that grows."""
    first = essays.essays()[0]
    return markup(
        "<div class='opening'><div class='words'><p class='first'>{}</p>{}"
        "<p class='buttons'><a class='button chosen' href='essays/{}.html'>Read for five minutes</a>"
        "<a class='button' href='labs/index.html'>Move the labs</a>"
        "<a class='button' href='#start'>Install</a></p></div>{}</div>",
        line("home-first"), text("home-more"), first.key, _figure(),
    )  # fmt: skip


def _figure():
    """Return the picture at its stops: without a script it shows one of them."""
    every = grown()
    drawings = [draw_standalone(growing, each, WIDTH) for each in every]
    film = frame_diffs([*drawings[START:], *drawings[:START]])
    texts = [{"said": f"{each.n} points", "html": _values(each)} for each in every]
    return markup(
        "<figure class='turned'>{}<div class='controls' hidden><button type='button' aria-label='Play'>▶</button>"
        "<label><span class='name'>n, number of points<b aria-hidden='true'> ← drag me →</b></span>"
        "<span aria-hidden='true'>{}</span>"
        "<input type='range' min='0' max='{}' value='{}' aria-label='n, number of points' aria-valuetext='{}'>"
        "<span aria-hidden='true'>{}</span></label></div><figcaption class='told'>{}</figcaption>"
        "<script type='application/json' class='reel'>{}</script>"
        "<script type='application/json' class='texts'>{}</script></figure>",
        film.first, SIZES[0], len(every) - 1, START, texts[START]["said"], SIZES[-1], texts[START]["html"],
        film.packed, as_data({"texts": texts, "start": START}),
    )  # fmt: skip


def _values(each):
    return markup(
        "<b>n = {}</b> The distance between the sum of the bumps and the dotted kernel mean is {}.",
        each.n, format_number(each.distance),
    )  # fmt: skip


# the ways in ------------------------------------------------------------------------------------------------------


def _questions(pictures):
    """Return every lab under the question that it answers, as on the home page of the labs."""
    return markup("<h2>Four questions, and labs that answer them</h2>{}", questions(pictures, _lab, also={}))


def _lab(name):
    """Return the address of a lab from the first page."""
    return links.lab(name).file.removeprefix(links.UP)


def _essays():
    return markup(
        "<h2>Essays of five minutes</h2><ul class='covers'>{}</ul>",
        joined(
            markup(
                "<li><a href='essays/{}.html'><span class='picture' aria-hidden='true'>{}</span><b>{}</b></a>"
                "<p>{}</p></li>",
                each.key, each.cover(), each.text.title, each.text.question,
            )
            for each in essays.essays()
        ),
    )  # fmt: skip


def _widget():
    """Return a widget that moves, and links to those of the other labs."""
    lab, preset = registry.entry(WIDGET).lab, content_of(WIDGET).presets[0]
    made = widget(lab(**preset.fields), preset.name, f"widgets/{SCRIPT}", _lab(WIDGET))
    return markup(
        "<h2>Widgets for your own pages</h2><p>{} <a href='widgets/{}.html'>Copy the HTML of this one</a>, or"
        " <a href='widgets/index.html'>choose another</a>.</p>{}",
        line("home-widgets"), WIDGET, made.html,
    )  # fmt: skip


def _rest():
    """Return how to start, and links to the other sections."""
    lessons = joined((_lesson(each) for each in LESSONS), " · ")
    return markup(
        "<div class='rest'><section id='start'><h2>Start it on your machine</h2>"
        "<pre tabindex='0'>python -m pip install .\npython -m explorer serve</pre>"
        "{}</section>"
        "<section><h2><a href='lessons/index.html'>Lessons</a></h2><p>{}</p></section>"
        "<section><h2><a href='reference/index.html'>The library</a></h2>{}"
        "<h2><a href='guide/verdicts.html'>The papers, checked</a></h2>{}</section></div>",
        text("home-start"), lessons,
        text("home-library", names=len(set(links.pages().values())), plots=len(gallery.CARDS)),
        text("home-papers"),
    )  # fmt: skip


def _lesson(lesson):
    return markup("<a href='lessons/{}.html'>{}</a>", links.page_of(lesson), lesson.title)
