"""Readings of a thermometer with outliers: their average, and their kernel mean as a sum of bumps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from explorer.embeddings import Embedding, GaussianMixture
from explorer.estimators import KME
from explorer.kernels import Gaussian
from explorer.marks import Axis, Picture, Sources, area, curve, decades, dots, vertical_lines, words
from explorer.printing import format_number
from explorer.types import Vector

COUNT, SEED = 10, 3
PLACE = 20.0  # mean of the readings in °C; their standard deviation is 1
KERNEL = Gaussian(1.0)  # the bandwidth is the standard deviation of the readings
STEP = np.sqrt(2) / COUNT  # no reading moves their kernel mean farther: |φ(x) - φ(y)| <= √2 for 0 <= k <= 1
RANGE = (13.0, 43.0)
ALONG = np.linspace(*RANGE, 256)
SLID = (21.5, 23.0, 25.0, 28.0, 32.0, 36.0, 41.0)  # values of the reading that becomes an outlier, in °C
CROWD = 30.0  # in °C, the place to which several outliers move
FAR = np.geomspace(0.1, 1e4, 61)  # distances that it may move, in °C


def clean() -> Vector:
    """Return the readings before one moves, of shape (COUNT,)."""
    return GaussianMixture([1.0], [[PLACE]], [1.0]).sample(COUNT, rng=SEED)[:, 0]


class Readings:
    """Readings with the last ones moved to `moved`."""

    def __init__(self, moved: Sequence[float] = ()) -> None:
        self.before = clean()
        self.kept = self.before[: COUNT - len(moved)]
        self.moved = np.array(moved, dtype=float)

    @cached_property
    def all(self) -> Vector:
        """All readings, of shape (COUNT,)."""
        return np.concatenate([self.kept, self.moved])

    @property
    def average(self) -> float:
        """The average of all readings."""
        return float(self.all.mean())

    @property
    def median(self) -> float:
        """The median of all readings."""
        return float(np.median(self.all))

    @cached_property
    def mean(self) -> Embedding:
        """The kernel mean of all readings."""
        return KME(KERNEL).embed(self.all[:, None])

    @cached_property
    def mean_before(self) -> Embedding:
        """The kernel mean before a reading moved."""
        return KME(KERNEL).embed(self.before[:, None])

    @property
    def step(self) -> float:
        """The distance that the kernel mean moved."""
        return self.mean.distance(self.mean_before)

    @property
    def changed(self) -> float:
        """The distance that the average moved, in °C."""
        return abs(self.average - float(self.before.mean()))


def steps() -> tuple[Vector, Vector]:
    """Return how far the average and the kernel mean move when the last reading moves by FAR."""
    moved = [Readings([clean()[-1] + far]) for far in FAR]
    return np.array([each.changed for each in moved]), np.array([each.step for each in moved])


def bumps(points: Vector) -> dict[str, Vector]:
    """Return the bump of each point over ALONG as one line with gaps: its share of the kernel mean."""
    heights = KERNEL(points[:, None], ALONG[:, None]) / COUNT
    gap = np.full((len(points), 1), np.nan)
    x = np.hstack([np.tile(ALONG, (len(points), 1)), gap]).ravel()
    return {"x": x, "y": np.hstack([heights, gap]).ravel()}


@Picture(
    "readings",
    title="Ten readings of a thermometer",
    height=250,
    x=Axis("temperature, °C", RANGE),
    y=Axis("", (0, 1), {}),
    marks=(
        vertical_lines("average", "kme", width=3, alpha=1.0, label="average"),
        vertical_lines("median", "monk", width=3, dash="dashed", alpha=1.0, label="median"),
        words("average", "kme", text="said", dx=6, y=0.9, bold=True),
        words("median", "monk", text="said", dx=-6, y=0.12, align="right", bold=True),
        dots("kept", "truth", size=9, fill=0.55, label="reading", height_is_decorative=True),
        dots("moved", "outlier", marker="x", size=13, width=3, label="reading that moves", height_is_decorative=True),
    ),
)
def on_the_line(result: Readings) -> Sources:
    """Draw readings on a line, with their average and their median."""
    heights = 0.3 + 0.4 * ((np.arange(COUNT) * 0.618) % 1)
    kept = len(result.kept)
    return {
        "kept": {"x": result.kept, "y": heights[:kept]},
        "moved": {"x": result.moved, "y": heights[kept:]},
        **{
            name: {"x": np.array([value]), "said": np.array([f"{name} {value:.1f}"], dtype=object)}
            for name, value in (("average", result.average), ("median", result.median))
        },
    }


def sum_of_bumps_words(result: Readings) -> str:
    """Return how far the kernel mean moved."""
    most = max(len(result.moved), 1) * STEP
    return f"The kernel mean moved by {format_number(result.step)}, of at most {format_number(most)}."


@Picture(
    "bumps",
    title="Kernel mean of ten readings",
    height=300,
    x=Axis("temperature, °C", RANGE),
    y=Axis("height", (0, 0.92)),
    marks=(
        curve("kept", "kme", width=1, alpha=0.6),
        area("away", "outlier", fill=0.35, label="bump that moves"),
        curve("before", "truth", width=2, dash="dotted", label="kernel mean before"),
        curve("mean", "kme", width=3, label="kernel mean now"),
        dots("kept_at", "truth", size=6, fill=0.55, height_is_decorative=True),
        dots("moved_at", "outlier", marker="x", size=11, width=3, height_is_decorative=True),
        words("said", "kme", RANGE[1], 0.85, dx=-6, align="right", bold=True),
        words("said", "kme", RANGE[1], 0.77, text="most", dx=-6, align="right"),
    ),
    description=sum_of_bumps_words,
)
def sum_of_bumps(result: Readings) -> Sources:
    """Draw the kernel mean of readings: the sum of their bumps, each 1 / COUNT of the kernel's height."""
    at = ALONG[:, None]
    away = KERNEL(result.moved[:, None], at).sum(axis=0) / COUNT if len(result.moved) else np.zeros(len(ALONG))
    count = max(len(result.moved), 1)
    said = {"words": f"moved by {result.step:.3f}", "most": f"at most {format_number(count * STEP)}"}
    return {
        "kept": bumps(result.kept),
        "away": {"x": ALONG, "y": away},
        "before": {"x": ALONG, "y": result.mean_before(at)},
        "mean": {"x": ALONG, "y": result.mean(at)},
        "kept_at": {"x": result.kept, "y": np.zeros(len(result.kept))},
        "moved_at": {"x": result.moved, "y": np.zeros(len(result.moved))},
        "said": {name: np.array([each], dtype=object) for name, each in said.items()},
    }


@Picture(
    "steps",
    title="How far one reading moves a mean of ten",
    height=300,
    x=Axis("how far the reading goes, °C (log scale)", (0.1, 1e4),
                             decades(-1, 4, 1), log=True),
    y=Axis("how far the mean moves (log scale)", (5e-3, 2e3),
                             decades(-2, 3, 1), log=True),
    marks=(
        curve("steps", "truth", "x", "average", dash="dashed", label="average, °C"),
        curve("steps", "kme", "x", "kernel", label="kernel mean"),
        curve("most", "truth", width=1.5, dash="dotted", label="largest step"),
        vertical_lines("here", "outlier", width=2, alpha=1.0),
        dots("here", "truth", y="average", size=11),
        dots("here", "kme", y="kernel", size=11),
    ),
)  # fmt: skip
def step_lengths(result: float) -> Sources:
    """Draw the distances that both means move with one reading; the result is the distance of the reading in °C."""
    average, kernel = steps()
    here = Readings([clean()[-1] + result])
    return {
        "steps": {"x": FAR, "average": average, "kernel": kernel},
        "most": {"x": np.array(step_lengths.x.range), "y": np.full(2, STEP)},
        "here": {name: np.array([each]) for name, each in
                 (("x", result), ("average", here.changed), ("kernel", here.step))},
    }  # fmt: skip
