"""Pictures of the Drift lab: the series, the scan's profile, the p of every look, the wealth, before and after."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.languages import translate
from explorer.marks import (
    Axis,
    Picture,
    ReferenceLine,
    SecondaryPicture,
    SliderColumn,
    Sources,
    curve,
    decades,
    dots,
    horizontal_lines,
    rings,
    segments,
    vertical_lines,
)
from explorer.marks.nulls import level_words
from explorer.marks.picture import padded
from explorer.marks.pvalues import level_line
from explorer.printing import short_name
from explorer.types import Matrix, Vector

from .words import scan_words, split_words, watchers_words

if TYPE_CHECKING:
    from .result import DriftResult


ROOM, EDGE = 0.06, 0.005  # margin of an axis around its data, and the share of a column beyond either end of its axis
# space in px left of the row axis in all pictures next to the series, so that a row is at one place in all of them
LEFT = 92
TICKED = 2  # the number of a table's rows that get a tick
SMALLEST = 1e-6  # the smallest p that is drawn; smaller ones are drawn at this height
FLOOR, CEILING = 1e-3, 1e12  # range of the wealth that is drawn
TICKS = {1e-6: "≤ 1e−6", 1e-4: "1e−4", 0.01: "0.01", 0.1: "0.1", 1.0: "1"}


def place(row: float | None) -> Vector:
    """Return a coordinate as an array of one, nan for None."""
    return np.array([np.nan if row is None else float(row)])


class FileRows(NamedTuple):
    """The rows of a table along an axis, with the methods of a Quantity: positions in the series become lines.

    Attributes
    ----------
    name : str
        "line", or "row" for a file without lines.
    called : str
        The label of the axis.
    numbers : ndarray of shape (n,)
        The line of each row of the series.
    words : tuple of str
        The line of each row with its date, n of them.
    """

    name: str
    label: str
    numbers: Vector
    words: tuple[str, ...]
    unit: str = ""
    size: float = 1.0
    is_scaled: bool = True
    dates: bool = False

    def at(self, place: float) -> int:
        """Return the row that is nearest to a position."""
        return int(np.clip(round(float(place)), 0, len(self.words) - 1))

    def format(self, place: float) -> str:
        """Return the line of the row at a position, with its date."""
        return self.words[self.at(place)]

    def to_file_units(self, places: Vector) -> Vector:
        """Return the lines of the rows at several positions, nan for nan."""
        there = np.isfinite(places)
        return np.array([self.numbers[self.at(x)] if known else np.nan for x, known in zip(places, there, strict=True)])

    def from_file_units(self, lines: Vector) -> Vector:
        """Return the positions of lines, interpolated between the rows of the series, which follow the file's order."""
        return np.interp(lines, self.numbers, np.arange(len(self.numbers)))


def along(result: DriftResult, label: str = "row") -> Axis:
    """Return the axis of the rows, which ends where the slider ends. For a table its ticks are lines or dates."""
    n = result.lab.n
    if result.lab.toy:
        return Axis(label, (0.0, float(n)))
    kinds, words = zip(*(result.place(row).split(" ", 1) for row in range(n)), strict=True)
    numbers = np.array([float(word.split(", ")[0].replace(",", "")) for word in words])
    called = label.replace("row", kinds[0], 1) if label.startswith("row") else label
    called += translate(", by {}", short_name(result.lab.time)) if result.lab.time and result.times is not None else ""
    some = np.unique(np.linspace(0, n - 1, TICKED + 2).round().astype(int)[1:-1]).tolist()
    dated = result.times is not None
    ticks = {row: result.dates[row].split(" ")[0] if dated else words[row] for row in some}
    return Axis("", (0.0, float(n)), ticks, column=FileRows(kinds[0], called, numbers, words), inner=(0.0, n - 1.0))


def over(values: Vector) -> tuple[float, float]:
    """Return the range of an axis over values."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = ROOM * (high - low) or 1.0
    return low - room, high + room


def breaks(result: DriftResult) -> SliderColumn:
    """Return the break for each stop of the slider, or no points if nothing is made to change."""
    there = result.lab.changes
    return SliderColumn(np.array([place(each.watch.row if there else None) for each in result.slider_rows]))


def splits(result: DriftResult) -> SliderColumn:
    """Return the split of the series at which MMD² is largest, for each stop of the slider."""
    return SliderColumn(np.array([place(each.watch.split) for each in result.slider_rows]))


def break_called(result: DriftResult) -> str | None:
    """Return the label of the line at the break, or None without a break."""
    if not result.lab.changes:
        return None
    return "start of the drift" if result.lab.kind == "slow" else "break"


def several(result: DriftResult) -> str:
    """Return the label of the lines at several breaks."""
    return "one of several breaks" if result.breaks and len(result.breaks) > 1 else "break found by the search"


def column(result: DriftResult) -> str:
    """Return the name of the drawn column."""
    return short_name(result.drawn_quantities[0].name)


def best(result: DriftResult) -> str:
    """Return the label of the line at the split at which MMD² is largest."""
    return "best split"


def ends(result: DriftResult) -> tuple[float, float]:
    """Return the range of the drawn column: most of its values, for every position of the break."""
    column = result.drawn_columns[0]
    values = np.concatenate([each.watch.X[:, column] for each in result.slider_rows])
    low, high = over(np.quantile(values, [EDGE, 1 - EDGE]))
    return low - 0.15 * (high - low), high  # leave space for the alarms below the rows


def series_sides(result: DriftResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    low, high = ends(result)
    return along(result), Axis("", (low, high), column=result.drawn_quantities[0], inner=(low, high))


@Picture(
    slider_line="line",
    title=lambda r: "The series and the break" if r.lab.changes else "The series and the scan's best split",
    height=390,
    marks=(
        segments("stops", "kme", "x", "y", "x", "top", alpha=0.5, height_is_decorative=True),
        dots("series", "kme", size=5, fill=0.75, width=0, follows_slider=True, label=column, key=""),
        vertical_lines("line", width=3, alpha=0.8, label=break_called),
        vertical_lines("breaks", "harm", width=2, alpha=0.7, label=several),
        vertical_lines("split", "shaped", width=2, dash="dashed", alpha=1.0, is_story_answer=True, label=best),
        dots("look", "monkfast", marker="triangle", size=13, follows_slider=True, height_is_decorative=True,
             is_story_answer=True, label=lambda r: translate("first t test with p ≤ {}", r.lab.level)),
        dots("alarm", "skmse", marker="diamond", size=13, follows_slider=True, height_is_decorative=True,
             is_story_answer=True, label="alarm of the betting test"),
    ),
    background=(
        ReferenceLine(
            "kme", x=lambda r: r.lab.start - 0.5, style={"width": 1.5, "dash": "dotted"}, label="end of the reference"
        ),
    ),
    sides=series_sides,
    description=watchers_words,
)  # fmt: skip
def series(result: DriftResult) -> Sources:
    """Draw the column that changes most, the break to drag, the split of largest MMD², and the alarms of both tests."""
    n, watches = result.lab.n, [each.watch for each in result.slider_rows]
    low, high = ends(result)
    column = result.drawn_columns[0]
    stops = np.array([float(result.lab.row_at(at)) for at in result.lab.stops])
    at = np.full(len(stops), low)
    looks, alarms = (
        SliderColumn(np.array([place(row) for row in rows]))
        for rows in ([result.first_look(each) for each in watches], [each.alarm for each in watches])
    )
    return {
        "stops": {"x": stops, "y": at, "top": at + 0.02 * (high - low)},
        "series": {
            "x": np.arange(float(n)),
            "y": SliderColumn(np.array([np.clip(w.X[:, column], low, high) for w in watches])),
        },
        "line": {"x": breaks(result)},
        "breaks": {"x": np.array(result.breaks or (), float)},
        "split": {"x": splits(result)},
        "look": {"x": looks, "y": np.array([low + 0.05 * (high - low)])},
        "alarm": {"x": alarms, "y": np.array([low + 0.11 * (high - low)])},
    }


def profile_pinned(result: DriftResult) -> Sources:
    """Return the sources of a pinned result."""
    return {"pinned": {"x": np.arange(float(result.lab.n)), "y": result.watch.profile}}


def profile_sides(result: DriftResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    rows = profile.table(result)
    seen = np.concatenate([rows["profile", "y"].ravel(), rows["limit", "y"].ravel()])
    return along(result, translate("first row after the split")), Axis("standardised MMD²", over(seen))


@Picture(
    title="The scan: MMD² at every split",
    height=258,
    left_margin=LEFT,
    marks=(
        curve("profile", "kme", width=2.5, follows_slider=True, label="standardised MMD²"),
        curve("pinned", "kme", width=2, alpha=0.4, pinned=True),
        horizontal_lines("limit", "harm", dash="dashed", width=2, follows_slider=True, label=level_words),
        vertical_lines("line", width=3, alpha=0.8, label=break_called),
        vertical_lines("split", "shaped", width=2, dash="dashed", alpha=1.0, label=best),
    ),
    pinned=profile_pinned,
    sides=profile_sides,
    description=scan_words,
)
def profile(result: DriftResult) -> Sources:
    """Draw the standardised MMD² of the rows before and after every split, and its threshold."""
    profiles = np.array([each.watch.profile for each in result.slider_rows])
    limits = [None if each.test is None else each.test.threshold(result.lab.alpha) for each in result.slider_rows]
    limits = [None if each is None or math.isinf(each) else each for each in limits]
    return {
        "profile": {"x": np.arange(float(result.lab.n)), "y": SliderColumn(profiles)},
        "limit": {"y": SliderColumn(np.array([place(each) for each in limits]))},
        "line": {"x": breaks(result)},
        "split": {"x": splits(result)},
    }


def looks_sides(result: DriftResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    return along(result, translate("last row tested")), looks.y


@SecondaryPicture(
    title="Peeking: p of repeated t tests",
    height=250,
    left_margin=LEFT,
    y=Axis("p (log scale)", (SMALLEST / 2, 2.0), TICKS, log=True),
    background=(level_line("y", 2),),
    marks=(
        vertical_lines("line", width=3, alpha=0.8, label=break_called),
        curve("looks", "kme", width=1.5, follows_slider=True),
        dots("looks", "kme", size=5, follows_slider=True, label="p of the t test"),
        rings("first", "monkfast", size=15, width=3, follows_slider=True, label="first t test that rejects"),
    ),
    sides=looks_sides,
)
def looks(result: DriftResult) -> Sources:
    """Draw the p of the t test at every look, with the level and the first look that rejects."""
    watches = [each.watch for each in result.slider_rows]
    pvalues, looks = np.maximum([each.pvalues for each in watches], SMALLEST), result.looks.astype(float)
    firsts = [result.first_look(each) for each in watches]
    heights = [None if row is None else p[looks == row][0] for row, p in zip(firsts, pvalues, strict=True)]
    return {
        "looks": {"x": looks, "y": SliderColumn(pvalues)},
        "first": {
            name: SliderColumn(np.array(list(map(place, each)))) for name, each in (("x", firsts), ("y", heights))
        },
        "line": {"x": breaks(result)},
    }


def rows(result: DriftResult) -> Vector:
    """Return the row before the first watched one, and each watched row."""
    return np.arange(result.lab.start - 1.0, result.lab.n)


def paths_of(result: DriftResult) -> Matrix:
    """Return the wealth of the betting test for each stop of the slider, clipped to the range that is drawn."""
    return np.clip([each.watch.path for each in result.slider_rows], FLOOR, CEILING)


def wealth_sides(result: DriftResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    paths = paths_of(result)
    ends = np.log10([paths.min(), paths.max(), 1.0, 1 / result.lab.alpha])
    low, high = math.floor(ends.min() - 0.1), math.ceil(ends.max() + 0.1)
    step = max(1, (high - low) // 4)
    y = Axis("wealth (log scale)", (10.0**low, 10.0**high), decades(low, high, step), log=True)
    return along(result), y


@SecondaryPicture(
    title="Betting: wealth after every row",
    height=250,
    left_margin=LEFT,
    background=(
        ReferenceLine("harm", y=lambda r: 1 / r.lab.alpha, style={"width": 2, "dash": "dashed"},
             label=lambda r: translate("1 / level = {:g}", 1 / r.lab.alpha)),
    ),
    marks=(
        vertical_lines("line", width=3, alpha=0.8, label=break_called),
        curve("wealth", "skmse", width=2.5, follows_slider=True, label="wealth"),
        vertical_lines("alarm", "skmse", width=2, dash="dashed", alpha=1.0, label="alarm"),
    ),
    sides=wealth_sides,
)  # fmt: skip
def wealth(result: DriftResult) -> Sources:
    """Draw the wealth of the betting test, with 1 / level and the alarm."""
    watches = [each.watch for each in result.slider_rows]
    return {
        "wealth": {"x": rows(result), "y": SliderColumn(paths_of(result))},
        "alarm": {"x": SliderColumn(np.array([place(each.alarm) for each in watches]))},
        "line": {"x": breaks(result)},
    }


def points(result: DriftResult, X: Matrix) -> Matrix:
    """Return the rows in the plane of the drawn columns. A single column is drawn at height 0."""
    X = X[:, list(result.drawn_columns)]
    return X if X.shape[1] > 1 else np.column_stack([X[:, 0], np.zeros(len(X))])


def plane_sides(result: DriftResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    X = np.concatenate([points(result, each.watch.X) for each in result.slider_rows])
    sides: list[Any] = [Axis("", (0, 1)), Axis("(one column only)", (-1, 1), {})]
    for j, quantity in enumerate(result.drawn_quantities):
        low, high = over(np.quantile(X[:, j], [EDGE, 1 - EDGE]))
        sides[j] = Axis("", (low, high), column=quantity, inner=(low, high))
    x, y = sides
    return x, y


@SecondaryPicture(
    title="The rows before and after the best split",
    height=250,
    marks=(
        rings("before", "kme", size=6, width=1.2, follows_slider=True, label="before"),
        dots("after", "fkmse", size=5, fill=0.7, width=0, follows_slider=True, label="after"),
    ),
    sides=plane_sides,
    description=split_words,
)
def plane(result: DriftResult) -> Sources:
    """Draw the two columns that differ most, before the best split and after it."""
    n, sides = result.lab.n, {"before": ([], []), "after": ([], [])}
    for each in result.slider_rows:
        X, t = points(result, each.watch.X), each.watch.split
        for name, part in (("before", X[:t]), ("after", X[t:])):
            for j in (0, 1):
                sides[name][j].append(padded(part[:, j], n))
    return {name: {"x": SliderColumn(np.array(x)), "y": SliderColumn(np.array(y))} for name, (x, y) in sides.items()}


PICTURES = (series, profile, looks, wealth, plane)
