"""The null distribution of a test as a histogram, with the statistic, the threshold and the pinned statistic.

`NullPicture` shows one test, or one of several that a slider chooses. A lab's picture has a fixed axis, in standard
deviations; `null_of_test` has the axis of one test, in its statistic's own numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.languages import translate
from explorer.printing import format_number
from explorer.types import Mask, Matrix, Vector

from .axes import Axis
from .mark import Mark, Marks, SliderColumn, boxes, by, dots, tipped, vertical_lines
from .picture import Picture, Sources
from .thumbnails import HEIGHT, in_words

REACHING = "at least as large (p)"
BEYOND = 14.0  # size in px of the triangle for a statistic beyond the axis
INWARDS = 0.1  # distance from the axis's end, in standard deviations, of what lies beyond it
# hatch of the bars that reach the statistic, for readers who do not distinguish the colours
HATCH = ("right_diagonal_line", 0.5, 6)
FAR, NEAR = 1e300, 1e-305  # numbers beyond FAR count as infinite, differences below NEAR as zero


def level_words(result: Any) -> str:
    """Return the test's level as text.

    Parameters
    ----------
    result : Result
        A result of a lab with the field alpha.

    Returns
    -------
    str
        The text.
    """
    return translate("level {}", format_number(result.lab.alpha))


@dataclass(frozen=True)
class NullAxis:
    """Axes of a null histogram, the same for all tests; the unit is a standard deviation of the resamples.

    Parameters
    ----------
    low, high : float
        Ends of the bars; the last bar contains everything beyond.
    bins : int
        Number of bars.
    tops : tuple of float
        Candidates for the upper end of the shares, so that it rarely changes while a slider moves.
    reach : tuple of float or None, default None
        Ends of the axis; None for those of the bars.
    in_numbers : bool, default False
        Whether the unit is that of the statistic instead.
    """

    low: float
    high: float
    bins: int
    tops: tuple[float, ...]
    reach: tuple[float, float] | None = None
    in_numbers: bool = False

    @classmethod
    def of(cls, test: Any, bins: int | None = None) -> NullAxis:
        """Return the axes of one test in its statistic's own numbers, with bars over all null values.

        Parameters
        ----------
        test : TestResult
            The test.
        bins : int or None, default None
            Number of bars; None for about the square root of the number of null values, from 5 to 50.

        Returns
        -------
        NullAxis
            The axes, which contain the statistic.
        """
        null = test.null_distribution[np.abs(test.null_distribution) < FAR]
        low, high = (float(null.min()), float(null.max())) if len(null) else (0.0, 0.0)
        bins = max(5, min(50, math.isqrt(len(null)))) if bins is None else checks.whole(bins, "bins", 1)
        if high - low <= max(1e-12 * max(abs(low), abs(high)), NEAR):  # the values differ by rounding only
            wide = 0.05 * abs(low) or 0.5
            low, high, bins = low - wide, high + wide, 1
        observed = test.statistic if abs(test.statistic) < FAR else low
        lower, upper = min(low, observed), max(high, observed)
        room = 0.03 * (upper - lower)
        axis = cls(low, high, bins, (1.0,), (lower - room, upper + room), in_numbers=True)
        return replace(axis, tops=(1.08 * axis.shares(axis.positions([test])).max(),))

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of the axis."""
        return self.reach or (self.low, self.high)

    def scale(self, test: Any) -> tuple[float, float]:
        """Return what 0 and 1 of the axis are for a test: mean and standard deviation of its null distribution.

        Parameters
        ----------
        test : TestResult
            The test.

        Returns
        -------
        zero, one : float
            The offset and the unit.
        """
        return (0.0, 1.0) if self.in_numbers else test.scale

    @property
    def edges(self) -> Vector:
        """Edges of the bars, of shape (bins + 1,)."""
        return np.linspace(self.low, self.high, self.bins + 1)

    def positions(self, tests: Sequence[Any]) -> Matrix:
        """Return the positions of each test's null values on the axis.

        Parameters
        ----------
        tests : sequence of TestResult
            The r tests.

        Returns
        -------
        ndarray of shape (r, B)
            The positions.
        """
        zero, one = np.array([self.scale(test) for test in tests]).T
        return (np.array([test.null_distribution for test in tests]) - zero[:, None]) / one[:, None]

    def position(self, test: Any, value: float) -> float:
        """Return the position of a value of a test on the axis.

        Parameters
        ----------
        test : TestResult
            The test.
        value : float
            The value.

        Returns
        -------
        float
            The position.
        """
        zero, one = self.scale(test)
        return (value - zero) / one

    def shares(self, places: Matrix, chosen: Sequence[Mask] | None = None) -> Matrix:
        """Return the share of all resamples in each bar.

        Parameters
        ----------
        places : ndarray of shape (r, B)
            The positions.
        chosen : sequence of ndarray of bool or None, default None
            Which resamples are counted; None for all.

        Returns
        -------
        ndarray of shape (r, bins)
            The shares.
        """
        within = np.clip(places, self.low, self.high)
        bar = np.minimum(((within - self.low) * (self.bins / (self.high - self.low))).astype(int), self.bins - 1)
        rows = bar if chosen is None else [b[c] for b, c in zip(bar, chosen, strict=True)]
        return np.array([np.bincount(b, minlength=self.bins) for b in rows]) / places.shape[1]

    def top(self, test: Any) -> float:
        """Return the upper end of the axis of the shares for a test.

        Parameters
        ----------
        test : TestResult
            The test.

        Returns
        -------
        float
            The end.
        """
        highest = self.shares(self.positions([test])).max()
        return next((end for end in self.tops if 1.04 * highest <= end), self.tops[-1])

    def inside(self, places: Vector) -> Vector:
        """Return positions clipped to the picture.

        Parameters
        ----------
        places : ndarray
            The positions.

        Returns
        -------
        ndarray
            The positions.
        """
        (low, high), room = self.ends, 0.0 if self.in_numbers else INWARDS
        return np.clip(places, low + room, high - room)

    def table(self, tests: Sequence[Any], level: float, top: float = math.inf) -> dict[str, Matrix]:
        """Return the drawn numbers of r tests of one size B.

        Parameters
        ----------
        tests : sequence of TestResult
            The tests.
        level : float
            The level.
        top : float, default inf
            Largest height of a bar.

        Returns
        -------
        dict of str to ndarray
            Columns: `top` and `tail`, of shape (r, bins), the shares of all resamples and of those that reach the
            statistic;
            `x` and `beyond`, of shape (r, 1), the statistic, and the size of the triangle if it lies beyond the axis;
            `limit`,
            of shape (r, 1), the smallest value at which p is at most `level`, NaN if B is too small.
        """
        places, observed = self.positions(tests), np.array([self.position(test, test.statistic) for test in tests])
        limits = [self.position(test, test.threshold(level)) for test in tests]
        return {
            "top": np.minimum(self.shares(places), top),
            "tail": np.minimum(self.shares(places, [test.reaching for test in tests]), top),
            "x": self.inside(observed)[:, None],
            "beyond": np.where(observed > self.ends[1], BEYOND, 0.0)[:, None],
            "limit": np.array([limit if math.isfinite(limit) else np.nan for limit in limits])[:, None],
        }


def null_words(test: Any, level: float, given: str) -> str:
    """Return sentences on a test's null values in its statistic's own units, and on the observed one.

    Parameters
    ----------
    test : TestResult
        The test.
    level : float
        The level.
    given : str
        What the null values come from, such as "permutations give MMD²".

    Returns
    -------
    str
        The sentences.
    """
    null, limit = test.null_distribution, test.threshold(level)
    edge = translate("p is at most {} from {} on", format_number(level), format_number(limit))
    if math.isinf(limit):
        edge = translate("that is too few for p to be at most {}", format_number(level))
    low, mean, high = (format_number(float(value)) for value in (null.min(), null.mean(), null.max()))
    observed = translate("Observed: {}, p = {}.", format_number(test.statistic), format_number(test.pvalue))
    return translate(
        "{} {} between {} and {}, on average {}; {}. {}", len(null), given, low, high, mean, edge, observed
    )


def null_bars(source: str, called: str, hatch: tuple[str, float, int] | None = None) -> tuple[Mark, Mark]:
    """Return the bars of a null histogram: the shares `top` and, in front of them, `tail`.

    Parameters
    ----------
    source : str
        Their source; bars go from `left` to `right`.
    called : str
        What the null values come from.
    hatch : tuple or None, default None
        Hatch of the front bars.

    Returns
    -------
    tuple of Mark
        Both marks.
    """
    reaching = ("fill", "hatch") if hatch else ("fill",)
    return (
        boxes(source, "kme", fill=0.55, width=0.5, alpha=0.8, inks=("fill", "line"), follows_slider=True,
              label=called),
        boxes(source, "harm", top="tail", fill=0.9, alpha=0, hatch=hatch, inks=reaching, follows_slider=True,
              is_story_answer=True, label=REACHING),
    )  # fmt: skip


def null_lines(pinned: str, limit: str, observed: str, threshold: str = "limit") -> tuple[Mark, Mark, Mark, Mark]:
    """Return the lines of a null histogram: pinned statistic (faint), threshold (dashed) and observed statistic.

    Parameters
    ----------
    pinned, limit, observed : str
        Their sources, which may be one. A statistic beyond the axis has a triangle of size `beyond` at height y.
    threshold : str, default "limit"
        Column of the threshold.

    Returns
    -------
    tuple of Mark
        The lines, and the triangle.
    """
    return (
        vertical_lines(pinned, width=6, alpha=0.3, follows_slider=False, pinned=True),
        vertical_lines(limit, "harm", threshold, width=2, dash="dashed", alpha=1.0, label=level_words),
        vertical_lines(observed, width=3, alpha=1.0, is_story_answer=True, label="observed"),
        dots(
            observed,
            "truth",
            size=by("beyond"),
            marker="triangle",
            angle=-np.pi / 2,
            follows_slider=True,
            is_story_answer=True,
        ),
    )


def null_marks(called: str) -> tuple[Mark, ...]:
    """Return the marks of a `NullPicture` that computes its own sources.

    Parameters
    ----------
    called : str
        What the null values come from.

    Returns
    -------
    tuple of Mark
        Bars and lines.
    """
    return (*null_bars("null", called, HATCH), *null_lines("observed", "threshold", "observed", "x"))


MARKS = null_marks("permuted labels")
UNIT_AXIS = NullAxis(0.0, 1.0, 1, (1.0,))
DEVIATIONS = NullAxis(-3.5, 9.0, 50, (0.2, 0.4, 0.7, 1.05))  # for statistics with mean 0 if nothing differs


def deviations_axis(statistic: str) -> Axis:
    """Return the x axis of DEVIATIONS.

    Parameters
    ----------
    statistic : str
        Its label, such as "MMD² in standard deviations".

    Returns
    -------
    Axis
        The axis.
    """
    return Axis(statistic, DEVIATIONS.ends, {-2: "−2", 0: "0", 2: "2", 4: "4", 6: "6", 8: "8"})


TESTS, TEST, LEVEL = attrgetter("tests"), methodcaller("test"), attrgetter("lab.alpha")


@dataclass(frozen=True, eq=False)
class NullPicture(Picture):
    """The null distribution of a test, or of the one that a slider chooses, with the observed statistic.

    It has its own sources, unless a function below it computes others.

    Parameters
    ----------
    axis : NullAxis
        The axes.
    tests : callable
        Takes the result and returns all tests, one for each stop of the slider. By default the result's `tests`.
    test : callable
        Takes the result and returns the test that is shown, or None. By default the result's `test()`.
    level : callable
        Takes the result and returns the level of the threshold. By default the lab's `alpha`.
    """

    name: str = "null"
    height: int = 330
    marks: Marks = MARKS
    axis: NullAxis = UNIT_AXIS
    tests: Callable[[Any], Sequence[Any]] = TESTS
    test: Callable[[Any], Any] = TEST
    level: Callable[[Any], float] = LEVEL

    def compute(self, result: Any, *value: Any) -> Sources:
        if self.sources is not None:
            return self.sources(result, *value)
        table = self.axis.table(self.tests(result), self.level(result))
        rows = {name: SliderColumn(each) for name, each in table.items()}
        bars = {"left": self.axis.edges[:-1], "right": self.axis.edges[1:], "top": rows["top"], "tail": rows["tail"]}
        observed = {"y": np.array([0.1]), "x": rows["x"], "beyond": rows["beyond"]}
        return {"null": bars, "observed": observed, "threshold": {"x": rows["limit"]}}

    def compute_pinned(self, result: Any) -> Sources:
        test = self.test(result)
        if test is None:
            return None
        return {"observed": {"x": self.axis.inside(np.array([self.axis.position(test, test.statistic)]))}}

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        test = self.test(result)
        top = self.y.range[1] if test is None else self.axis.top(test)
        return self.x, self.y._replace(range=(0, top))


class OneTest(NamedTuple):
    """A test's result, a level, and the axes of its null distribution.

    Attributes
    ----------
    test : TestResult
        The result.
    level : float
        The level.
    along : NullAxis
        The axes.
    """

    test: Any
    level: float
    along: NullAxis

    @classmethod
    def of(cls, test: Any, level: float = 0.05, bins: int | None = None) -> Self:
        """Create from a test's result.

        Parameters
        ----------
        test : TestResult
            The result.
        level : float, default 0.05
            The level.
        bins : int or None, default None
            Number of bars; None for about the square root of the number of null values.

        Returns
        -------
        OneTest
            The test.
        """
        return cls(test, level, NullAxis.of(test, bins))


_BARS, _TAIL, _THRESHOLD, _OBSERVED, _BEYOND = (mark for mark in MARKS if not mark.pinned)


def null_title(of: OneTest) -> str:
    """Return the title: p, and whether there are too few resamples for the level."""
    is_reached = math.isfinite(of.test.threshold(of.level))
    few = "" if is_reached else translate(", too few {} for level {:g}", of.test.resamples, of.level)
    return f"p = {of.test.pvalue:.3g}{few}"


def null_sides(of: OneTest) -> tuple[Axis, Axis]:
    """Return both axes."""
    x = Axis(of.test.name.removeprefix("the "), of.along.ends)
    return x, Axis(translate("share of the {}", of.test.resamples), (0.0, of.along.tops[0]))


@Picture(
    "null",
    height=330,
    title=null_title,
    sides=null_sides,
    marks=(
        tipped(replace(_BARS, label=lambda of: f"{len(of.test.null_distribution)} {of.test.resamples}")),
        tipped(
            replace(_TAIL, label=lambda of: translate("{} at least as large", np.count_nonzero(of.test.reaching))),
            "reaching",
        ),
        tipped(replace(_THRESHOLD, label=lambda of: translate("threshold at level {:g}", of.level))),
        tipped(replace(_OBSERVED, label=lambda of: translate("observed {}", in_words(of.test.statistic)))),
        tipped(_BEYOND),
    ),
    description=lambda of: null_words(of.test, of.level, translate("{} give {}", of.test.resamples, of.test.name)),
)
def null_of_test(of: OneTest) -> Sources:
    """Draw the null distribution of a OneTest, in the statistic's own numbers: the `plot` of a test's result.

    A threshold that no value reaches, because there are too few resamples for the level, is not drawn. The title says
    so.
    """
    test, axis = of.test, of.along
    at = {name: rows[0] for name, rows in axis.table([test], of.level).items()}
    top, total = at["top"], len(test.null_distribution)
    tail = np.where(at["tail"] > 0, at["tail"], np.nan)  # no bar if no value reaches the statistic
    tips = [translate("{:.0f} of {} {}", share * total, total, test.resamples) for share in top]
    reaching = [translate("{:.0f} at least as large", share * total) for share in at["tail"]]
    bars = {"left": axis.edges[:-1], "right": axis.edges[1:], "top": top, "tail": tail, "tip": tips}
    bars = {name: np.array(each)[top > 0] for name, each in {**bars, "reaching": reaching}.items()}
    height, limit = np.array([axis.tops[0] / 2]), at["limit"][np.isfinite(at["limit"])]
    tip = [translate("statistic {:.6g}", test.statistic)]
    observed = {"x": at["x"], "y": height, "beyond": at["beyond"], "tip": tip}
    tips = [translate("threshold {:.6g} at level {:g}", each, of.level) for each in limit]
    return {"null": bars, "observed": observed, "threshold": {"x": limit, "tip": tips}}


def little_null_sides(of: OneTest) -> tuple[Axis, Axis]:
    """Return both axes; their only text is the ends of the range and the statistic."""
    x, y = null_sides(of)
    ends = dict(zip(x.range, map(in_words, x.range), strict=True))
    return x._replace(label=translate("statistic {}", in_words(of.test.statistic)), ticks=ends), y


# A null distribution as a thumbnail below a sentence.
little_null = replace(null_of_test, height=HEIGHT, sides=little_null_sides)
