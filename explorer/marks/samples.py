"""Two samples of one column on a common axis: histograms of numbers, shares of a category's levels.

The first sample is filled and the second is a line, so that they can be distinguished without colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from explorer.languages import translate
from explorer.printing import percent, truncate, value_of
from explorer.types import Vector

from .axes import Axis
from .mark import Numbers, boxes, curve, tipped, words
from .picture import ContentPicture

HEIGHT = 64  # height of a small picture in px
FEW, MANY = 6, 24  # fewest and most bins
FAR = 3.0  # how far a histogram extends beyond the middle half of all values, in lengths of that half
WHOLE = 1e12  # larger whole numbers are treated like any others
LEVELS = 10  # number of a category's levels that are drawn; the others together are one more
DWARFED = 4.0  # if the bar of the others is longer than this many times the longest other bar, it is not drawn
LEFT = 0.8  # space for the names of levels, relative to the longest bar
LETTERS = 14  # longest name of a level, in characters


class Beside(NamedTuple):
    """Contents of a picture of two samples.

    Attributes
    ----------
    numbers : dict
        Source -> column -> array.
    x, y : Axis
        The axes.
    title : str
        The title.
    names : tuple of str
        Names of both samples.
    """

    numbers: Numbers
    x: Axis
    y: Axis
    title: str
    names: tuple[str, str]


def _first(result: Beside) -> str:
    """Return the first sample's name."""
    return result.names[0]


def _second(result: Beside) -> str:
    """Return the second sample's name."""
    return result.names[1]


@ContentPicture(
    height=HEIGHT,
    marks=(
        boxes("first", "kme", fill=0.4, label=_first),
        curve("second", "truth", width=1.6, label=_second),
    ),
)
def histograms(a: Vector, b: Vector, quantity: Any, title: str = "", names: tuple[str, str] = ("a", "b")) -> Beside:
    """Draw histograms of two samples of numbers over common bins: the share of rows in each."""
    low, high, bins = _bins(a, b)
    first, second = (_shares(x, low, high, bins) for x in (a, b))
    part = np.linspace(0.0, 1.0, bins + 1)
    edges = (1 - part) * low + part * high  # not low + part * (high - low): the difference may overflow
    some = np.flatnonzero(first)
    filled = {"left": edges[some], "right": edges[some + 1], "top": first[some]}
    line = {"x": np.repeat(edges, 2), "y": np.concatenate([[0.0], np.repeat(second, 2), [0.0]])}
    top = float(max(first.max(), second.max()))
    x = Axis("", (low, high), _ends(a, b, low, high, quantity))
    return Beside({"first": filled, "second": line}, x, Axis("share of rows", (0.0, 1.05 * top)), title, names)


def _bins(a, b):
    """Return (low, high, number of bins).

    A few different whole numbers have a bin each. Otherwise far values are in the last bins.
    """
    both = np.concatenate([a, b])
    least, most = float(both.min()), float(both.max())
    if max(-least, most) < WHOLE and most - least < MANY and np.array_equal(both, np.round(both)):
        return least - 0.5, most + 0.5, round(most - least) + 1
    with np.errstate(over="ignore"):
        lower, upper = np.quantile(both, [0.25, 0.75])
        far = FAR * (upper - lower)
        low, high = float(max(least, lower - far)), float(min(most, upper + far))
    if low == high:  # for example in a column that is mostly zero
        low, high = least, most
    if low == high:
        return low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0), 1
    return low, high, int(np.clip(np.sqrt(min(len(a), len(b))), FEW, MANY))


def _shares(x, low, high, bins):
    """Return the share of x in each bin, values beyond the ends in the last ones."""
    size = max(-low, high)
    # divided first, because high - low may overflow
    places = (np.clip(x, low, high) / size - low / size) / (high / size - low / size)
    return np.histogram(places, bins, range=(0.0, 1.0))[0] / len(x)


def _ends(a, b, low, high, quantity):
    """Return the ticks at both ends of the axis, with ≤ or ≥ if values lie beyond."""
    least, most = float(min(a.min(), b.min())), float(max(a.max(), b.max()))
    places = dict.fromkeys([max(low, least), min(high, most)])
    signs = ["≤ " if least < low else "", "≥ " if most > high else ""]
    words = (value_of(quantity, float(quantity.from_file_units(np.array(place)))) for place in places)
    return {place: f"{sign}{word}" for place, sign, word in zip(places, signs, words, strict=False)}


@ContentPicture(
    height=HEIGHT,
    name="levels",
    marks=(
        words("levels", "truth", px=10, dx=-4, align="right"),
        words("rest", "truth", px=10, dx=4, align="left"),
        tipped(boxes("first", "kme", left=0, right="share", bottom="low", top="high", fill=0.4, label=_first)),
        tipped(boxes("second", "truth", left=0, right="share", bottom="low", top="high", fill=0, width=1.4,
                     inks=("line", "fill"), label=_second)),
    ),
)  # fmt: skip
def level_shares(
    shares: Sequence[tuple[str, tuple[float, float]]],
    title: str = "",
    names: tuple[str, str] = ("a", "b"),
    most: int = LEVELS,
) -> Beside:
    """Shares of a category's levels in two samples, as bars below each other."""
    alone = most if len(shares) > most + 1 else len(shares)
    drawn = [(truncate(level, LETTERS), both) for level, both in shares[:alone]]
    if rest := [both for _, both in shares[alone:]]:
        first, second = (float(sum(each)) for each in zip(*rest, strict=True))
        drawn.append((translate("{:,} others", len(rest)), (first, second)))
    count, top = len(drawn), max(max(both) for _, both in drawn[:alone]) or 1.0
    bars = count - 1 if rest and max(drawn[-1][1]) > DWARFED * top else count
    top = max(top, *(max(both) for _, both in drawn[:bars]))
    at = np.arange(count, 0, -1) - 0.5
    tips = [translate("{}: {} and {}", level, percent(p), percent(q)) for level, (p, q) in drawn]
    numbers: Numbers = {"levels": {"x": np.zeros(count), "y": at, "words": [level for level, _ in drawn]}}
    written = [translate("{} and {}", percent(p), percent(q)) for _, (p, q) in drawn[bars:]]
    numbers["rest"] = {"x": np.zeros(count - bars), "y": at[bars:], "words": written}
    for source, which, below in (("first", 0, 0.02), ("second", 1, -0.4)):
        share, low = np.array([both[which] for _, both in drawn[:bars]]), at[:bars] + below
        numbers[source] = {"share": share, "low": low, "high": low + 0.36, "tip": tips[:bars]}
    x = Axis("", (-LEFT * top, 1.02 * top), {0.0: "0", top: percent(top)})
    return Beside(numbers, x, Axis("", (0.0, float(count)), {}, bare=True), title, names)


def height_of(shown: Beside) -> int:
    """Return the height in px of a small picture, which leaves space for the name of each level.

    Parameters
    ----------
    shown : Beside
        The contents.

    Returns
    -------
    int
        The height.
    """
    levels = len(shown.numbers["levels"]["x"]) if "levels" in shown.numbers else 0
    return 30 + 16 * levels if levels else HEIGHT


def picture_of(shown: Beside) -> ContentPicture:
    """Return the picture that draws the contents.

    Parameters
    ----------
    shown : Beside
        The contents.

    Returns
    -------
    type of TwoSamples
        Levels or histograms.
    """
    return level_shares if "levels" in shown.numbers else histograms
