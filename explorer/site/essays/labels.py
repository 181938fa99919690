"""Pictures of two samples with permuted labels, and of the MMD² of each permutation."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.discrepancy import mmd2, mmd_test
from explorer.discrepancy.resampling.permutation import splits
from explorer.estimators import KME
from explorer.kernels import Gaussian
from explorer.marks import (
    Axis,
    Picture,
    ReferenceLine,
    Sources,
    area,
    boxes,
    curve,
    dots,
    nice_ticks,
    rings,
    vertical_lines,
)
from explorer.marks import words as written
from explorer.marks.nulls import HATCH
from explorer.printing import format_number
from explorer.types import Mask, Vector

from .clinic import COLUMN, SEED, tables

if TYPE_CHECKING:
    from explorer.discrepancy.results.test_result import TestResult

FIRST, RESAMPLES = 20, 999  # number of readings of each table in the first test, and of permutations
ROOM = 8.0  # space at both ends of the readings, in mmHg
BARS = 30


class Both(NamedTuple):
    """The readings of both samples, of shapes (n,) and (m,)."""

    X: Vector
    Y: Vector

    @property
    def pooled(self) -> Vector:
        """All readings, those of X first."""
        return np.concatenate(self)

    @property
    def kernel(self) -> Gaussian:
        """Gaussian kernel with the median distance of all readings as bandwidth; no permutation changes it."""
        kernel: Any = Gaussian().select(self.pooled[:, None])
        return kernel

    @property
    def test(self) -> TestResult:
        """The permutation test of both samples."""
        return mmd_test(self.X, self.Y, self.kernel, n_resamples=RESAMPLES, rng=SEED)

    @property
    def permuted(self) -> Mask:
        """Which readings are in the first sample in each permutation of the test, of shape (RESAMPLES, n + m)."""
        return splits(len(self.pooled), len(self.X), RESAMPLES, SEED)


@cache
def readings(count: int | None = None) -> Both:
    """Return the first readings of the column in both tables, or all of them."""
    before, after = (table[COLUMN].to_numpy(dtype=float)[:count] for table in tables())
    return Both(before, after)


class Labelled(NamedTuple):
    """Readings, and which of them are labelled as the first sample."""

    both: Both
    first: Mask

    @classmethod
    def of(cls, both: Both, permutation: int | None = None) -> Labelled:
        """Return the readings with their own labels, or with those of a permutation, counted from 0."""
        own = np.arange(len(both.pooled)) < len(both.X)
        return cls(both, own if permutation is None else both.permuted[permutation])

    @property
    def halves(self) -> tuple[Vector, Vector]:
        """The readings of each label."""
        return self.both.pooled[self.first], self.both.pooled[~self.first]

    @property
    def mmd2(self) -> float:
        """MMD² between the labels."""
        return mmd2(*self.halves, self.both.kernel)


def two_labels_sides(result: Labelled) -> tuple[Axis, Axis]:
    """Return both axes."""
    return Axis("pressure, mmHg", ends(result.both)), two_labels.y


@Picture(
    "labels",
    title="Blood pressure, and both kernel means",
    height=300,
    y=Axis("", (-0.32, 1.0), {0: "0"}, lines=False),
    background=(ReferenceLine("truth", y=0, style={"width": 1, "alpha": 0.4}),),
    marks=(
        area("means", "kme", low="second", high="first", fill=0.25, label="their difference"),
        curve("means", "first", y="first", width=2.5),
        curve("means", "second", y="second", width=2.5, dash="dashed"),
        dots("P", "first", size=8, fill=0.85, width=0.5, label="labelled before", height_is_decorative=True),
        rings("Q", "second", size=8, width=2, label="labelled after", height_is_decorative=True),
        written("said", "truth", dx=-6, align="right", bold=True),
    ),
    description=lambda result: f"MMD² between the labels is {format_number(result.mmd2)}.",
    sides=two_labels_sides,
)
def two_labels(result: Labelled) -> Sources:
    """Draw the kernel means of two labels over a line, and below them the readings, which do not move."""
    pooled, (low, high) = result.both.pooled, ends(result.both)
    along, kernel = np.linspace(low, high, 161), result.both.kernel
    first, second = (KME(kernel).embed(half[:, None])(along[:, None]) for half in result.halves)
    heights = -0.05 - 0.22 * ((np.arange(len(pooled)) * 0.618) % 1)
    own = result.first
    said = np.array([f"MMD² = {format_number(result.mmd2)}"], dtype=object)
    return {
        "means": {"x": along, "first": first, "second": second},
        "P": {"x": pooled[own], "y": heights[own]},
        "Q": {"x": pooled[~own], "y": heights[~own]},
        "said": {"x": np.array([high]), "y": np.array([0.93]), "words": said},
    }


def ends(both: Both) -> tuple[float, float]:
    """Return the ends of the line on which the readings are drawn."""
    return float(both.pooled.min()) - ROOM, float(both.pooled.max()) + ROOM


class Grown(NamedTuple):
    """The first `many` permutations of a test, and the names of its statistic and of what is permuted."""

    test: TestResult
    many: int
    statistic: str = "MMD²"
    permuted: str = "labels"

    @property
    def null(self) -> Vector:
        """MMD² under each permutation, of shape (many,)."""
        return self.test.null_distribution[: self.many]

    @property
    def reaching(self) -> Mask:
        """Which of the permutations reach the observed MMD², of shape (many,)."""
        return self.test.reaching[: self.many]

    @property
    def pvalue(self) -> float:
        """The p-value (1 + number that reach the observed MMD²) / (1 + many)."""
        return float((1 + self.reaching.sum()) / (1 + self.many))


def growing_words(result: Grown) -> str:
    """Return how many permutations are as large, and p."""
    return f"{result.reaching.sum()} of {result.many} permutations are as large: p = {format_number(result.pvalue)}."


def growing_sides(result: Grown) -> tuple[Axis, Axis]:
    """Return both axes."""
    edges, top = edges_of(result.test), top_of(result)
    x = Axis(result.statistic, (float(edges[0]), float(edges[-1])))
    return x, Axis("permutations", (0.0, top), {at: s for at, s in nice_ticks(0, top, 4).items()})


@Picture(
    title=lambda result: f"{result.statistic} under permuted {result.permuted}",
    height=300,
    marks=(
        boxes("others", "kme", bottom="low", fill=0.5, width=0.5, alpha=0.8, inks=("fill", "line"),
              label="permutation"),
        boxes("reaching", "harm", bottom="low", fill=0.85, width=0.5, alpha=0.8, hatch=HATCH,
              inks=("fill", "line", "hatch"), label="as large as observed"),
        vertical_lines("observed", width=3, alpha=1.0, label="observed"),
        written("said", "truth", dx=-6, align="right", bold=True),
        written("said", "truth", y="lower", text="p", dx=-6, align="right"),
    ),
    description=growing_words,
    sides=growing_sides,
)  # fmt: skip
def growing(result: Grown) -> Sources:
    """Draw MMD² under the first permutations, each a brick, and the observed MMD²."""
    edges = edges_of(result.test)
    # ties with the observed MMD² are put into its bar, in spite of rounding errors
    null = np.where(result.reaching, np.maximum(result.null, result.test.statistic), result.null)
    places = np.clip(np.searchsorted(edges, null, side="right") - 1, 0, len(edges) - 2)
    reaching, top = result.reaching, top_of(result)
    # one brick for each permutation while there are few; later the bricks of a bar are drawn as one
    order = np.lexsort((np.arange(len(places)), reaching))
    columns = {name: {"left": [], "right": [], "low": [], "top": []} for name in ("others", "reaching")}
    filled = np.zeros(len(edges), dtype=int)
    for name, rows in (("others", order[~reaching[order]]), ("reaching", order[reaching[order]])):
        for bar, many in zip(*np.unique(places[rows], return_counts=True), strict=True):
            each = 1 if result.many < 100 else int(many)
            for _ in range(0, int(many), each):
                brick = (edges[bar], edges[bar + 1], filled[bar], filled[bar] + each)
                for column, at in zip(columns[name].values(), brick, strict=True):
                    column.append(float(at))
                filled[bar] += each
    count, hits = result.many, int(reaching.sum())
    said = f"{count} permutation{'' if count == 1 else 's'}, {hits or 'none'} as large"
    p = f"p = (1 + {hits}) / (1 + {count}) = {format_number(result.pvalue)}"
    return {
        **{name: {key: np.array(each) for key, each in of.items()} for name, of in columns.items()},
        "observed": {"x": np.array([result.test.statistic])},
        "said": {
            "x": edges[-1:], "y": np.array([0.93 * top]), "lower": np.array([0.84 * top]),
            "words": np.array([said], dtype=object), "p": np.array([p], dtype=object),
        },
    }  # fmt: skip


def edges_of(test: TestResult) -> Vector:
    """Return the edges of the bars, which all permutations share; the observed MMD² is one of them."""
    low, high = float(test.null_distribution.min()), float(max(test.null_distribution.max(), test.statistic))
    wide = (high - low) / BARS
    first, last = np.floor((low - test.statistic) / wide), np.ceil((high - test.statistic) / wide) + 1
    return test.statistic + wide * np.arange(first, last)


def top_of(result: Grown) -> float:
    """Return the end of the axis of the bricks: twice the highest pile, and space for text."""
    counts, _ = np.histogram(np.clip(result.null, *edges_of(result.test)[[0, -1]]), edges_of(result.test))
    return max(6.0, 1.45 * float(counts.max()))
