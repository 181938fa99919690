"""The essay "When did it change?": a scan over all splits, and tests that watch a series while it arrives."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import ttest_ind

from explorer.changes import Monitor, look_pvalues, scan
from explorer.kernels import Gaussian
from explorer.marks import Axis, ReferenceLine, area, boxes, curve, dots, segments, vertical_lines, words
from explorer.printing import format_number
from explorer.svg import thumbnail

from .essay import Essay, draw
from .labels import Grown, growing
from .pictures import LEVEL, EssayPicture, EssayPlot, Rates, film, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from explorer.changes import ScanResult
    from explorer.markup import Markup
    from explorer.types import Points, Vector

COUNT, BREAK, SHIFT, SEED = 120, 70, 1.0, 2  # bottles, the first changed one (from 0), its shift in sd, and the seed
SIDE = 5  # least number of bottles on either side of a split
RESAMPLES, FEWER, SAMPLES, SERIES = 999, 99, 100, 400  # SERIES: of the tests that watch
SHOWN = (1, 9, 49, 199, RESAMPLES)
SHIFTS = (2.0, 1.0, 0.5)  # standard deviations
NEAR = 5  # bottles
REFERENCE, WATCHED, EVERY = 100, 200, 10
UNTIL = 100  # the watched bottle at which the scene of the later alarms ends
LATER = 50  # the watched bottle from which on the filling changes
MEMORIES = np.array([0.0, 0.3, 0.6])  # correlation of neighbouring rows
LOW = 5.0  # how far the profile is drawn below the bottles, in their standard deviations
TALL = 3.0  # height of the profile's highest point

# Bottles in their order, the averages on both sides of a split, and below them MMD² of each split so far.
series = EssayPlot(
    height=330,
    background=(ReferenceLine("kme", y=-LOW, style={"width": 1, "alpha": 0.5}),),
    marks=(
        dots("before", "first", size=6, fill=0.6, width=0),
        dots("after", "second", size=6, fill=0.6, width=0),
        segments("means", "truth", "low", "y", "high", "y", width=3),
        area("profile", "skmse", low="floor", high="y", fill=0.2),
        curve("profile", "skmse", width=2.5),
        vertical_lines("split", "truth", width=1.5, dash="dashed"),
        words("said", "truth", px=13, halo=True),
        words("more", "truth", px=13, halo=True),
    ),
)

# In how many series the best split lies where.
histogram = EssayPlot(
    height=280,
    marks=(
        boxes("bars", "skmse", fill=0.7, width=0.5, inks=("fill", "line")),
        vertical_lines("break", "truth", width=2, dash="dashed", label="true change"),
        words("said", "truth", px=13, halo=True),
        words("more", "truth", px=13, halo=True),
    ),
)
watching = Rates.of(f"a t test every {EVERY} bottles", "betting test")
two_orders = Rates.of("any order", "circular shifts")


def bottles(shift: float = SHIFT, seed: int = SEED, count: int = COUNT, at: int = BREAK) -> Points:
    """Draw fillings in standard deviations from their target, shifted from a bottle on, shape (count, 1)."""
    X = np.random.default_rng(seed).normal(size=(count, 1))
    X[at:] += shift
    return X


def remembering(memory: float, seed: int) -> Points:
    """Draw a series in which nothing changes, and neighbouring rows have a correlation, shape (COUNT, 1)."""
    noise = np.random.default_rng(seed).normal(size=COUNT)
    x = noise.copy()
    for i in range(1, COUNT):
        x[i] = memory * x[i - 1] + np.sqrt(1 - memory**2) * noise[i]
    return x[:, None]


@cache
def scanned() -> ScanResult:
    """Return the scan of the bottles, with its test under other orders."""
    return _scan(bottles(), RESAMPLES)


def _scan(X, resamples, null: Any = "permutation", seed=SEED):
    return scan(X, Gaussian(1.0), min_size=SIDE, n_resamples=resamples, rng=seed, null=null, approximation=None)


@cache
def best_splits(shift: float) -> Vector:
    """Return the best split of each of SAMPLES series."""
    return np.array([_scan(bottles(shift, seed), 1).index for seed in range(SAMPLES)])


@cache
def naive_rejections() -> int:
    """Return in how many series without a change a t test rejects at the best split, as if it were chosen before."""
    series_ = [(bottles(0.0, seed).ravel(), int(split)) for seed, split in enumerate(best_splits(0.0))]
    tests: list[Any] = [ttest_ind(x[:split], x[split:]) for x, split in series_]
    return sum(bool(test.pvalue <= LEVEL) for test in tests)


@cache
def alarms(shift: float) -> tuple[Vector, Vector]:
    """Return the watched row of the first alarm in each series, inf for none: of the t tests and of the betting test.

    The fillings change from the watched row LATER on. Both have shape (SERIES,).
    """
    found = []
    for seed in range(SERIES):
        X = bottles(shift, seed, REFERENCE + WATCHED, REFERENCE + LATER)
        looks = look_pvalues(X[:REFERENCE], X[REFERENCE:], EVERY) <= LEVEL
        bets = Monitor(X[:REFERENCE], Gaussian(1.0), LEVEL, seed).update(X[REFERENCE:]).alarm_at
        found.append(
            (EVERY * (1.0 + np.argmax(looks)) if looks.any() else np.inf, np.inf if bets is None else bets + 1.0)
        )
    by_looks, by_bets = np.array(found).T
    return by_looks, by_bets


def raised(shift: float) -> list[Vector]:
    """Return the shares of series with an alarm so far, after every EVERY watched rows, of both tests."""
    at = np.arange(EVERY, WATCHED + 1, EVERY)
    return [np.array([(each <= row).mean() for row in at]) for each in alarms(shift)]


@cache
def false_alarms() -> tuple[Vector, Vector]:
    """Return the shares of series without a change in which a scan rejects over MEMORIES: permutations, shifts."""
    rates = [
        [
            np.mean([_scan(remembering(memory, seed), FEWER, null, seed).pvalue <= LEVEL for seed in range(SAMPLES)])
            for memory in MEMORIES.tolist()
        ]
        for null in ("permutation", "shift")
    ]
    return np.array(rates[0]), np.array(rates[1])


# the scenes --------------------------------------------------------------------------------------------------------


def at_split(split: int) -> EssayPicture:
    """Return the picture of the bottles at a split, and of MMD² of all splits up to it."""
    x, at, result = bottles().ravel(), np.arange(float(COUNT)), scanned()
    profile = np.array(result.profile)
    so_far = np.arange(SIDE, split + 1)
    heights = -LOW + TALL * profile[so_far] / np.nanmax(profile)
    numbers = {
        "before": {"x": at[:split], "y": x[:split]},
        "after": {"x": at[split:], "y": x[split:]},
        "means": {
            "low": [0.0, float(split)],
            "high": [split - 1.0, COUNT - 1.0],
            "y": [x[:split].mean(), x[split:].mean()],
        },
        "profile": {"x": so_far.astype(float), "y": heights, "floor": np.full(len(so_far), -LOW)},
        "split": {"x": [split - 0.5]},
        "said": text_at(f"{split} bottles before the split", 1.0, 4.2),
        "more": text_at(f"standardised MMD² = {format_number(float(profile[split]))}", 1.0, 3.4),
    }
    rows = Axis("bottle", (-2.0, COUNT + 1.0), {at: str(at) for at in range(0, COUNT + 1, 20)})
    return EssayPicture(f"{COUNT} bottles, and one split after the other", numbers, rows, UP)


UP = Axis("", (-LOW - 1.6, 4.9), {-LOW + 1: "MMD²", 0.5: "filling"}, lines=False, turned=True)


def split() -> list[Markup]:
    """Draw one split after the other, up to the best one."""
    stops = np.unique(np.linspace(SIDE, scanned().index, 18).round().astype(int))
    return film(series, [at_split(int(stop)) for stop in stops])


def orders() -> list[Markup]:
    """Draw the highest points of more and more other orders."""
    return [draw(growing, Grown(scanned(), count, "Highest MMD²", "bottles")) for count in SHOWN]


def where() -> list[Markup]:
    """Draw the best splits of many series, for smaller and smaller shifts."""
    edges = np.arange(0.0, COUNT + 1, 4)
    shown = []
    for shift in SHIFTS:
        found = best_splits(shift)
        bars = {"left": edges[:-1], "right": edges[1:], "top": np.histogram(found, edges)[0].astype(float)}
        numbers = {
            "bars": bars,
            "break": {"x": [float(BREAK)]},
            "said": text_at(f"shift {shift:g}", 2.0, 85.0),
            "more": text_at(f"{_near(shift)} of {SAMPLES} within {NEAR} bottles", 2.0, 77.0),
        }
        rows = Axis("best split", (0.0, float(COUNT)), {at: str(at) for at in range(0, COUNT + 1, 20)})
        shown.append(EssayPicture(f"Best splits of {SAMPLES} series", numbers, rows, Axis("series", (0.0, 92.0))))
    return film(histogram, shown)


def _near(shift):
    return int((np.abs(best_splits(shift) - BREAK) <= NEAR).sum())


def _watch(title, shift, until=WATCHED, top=1.0):
    at = np.arange(EVERY, WATCHED + 1.0, EVERY)
    x = Axis("bottles watched so far", (0.0, WATCHED + 6.0), {row: str(row) for row in range(0, WATCHED + 1, 50)})
    return watching.film(title, x, at, raised(shift), top)[: until // EVERY]


def peeking() -> list[Markup]:
    """Draw the share of series without a change that have had an alarm."""
    return _watch("Nothing changes: false alarms so far", 0.0, top=0.3)


def later() -> list[Markup]:
    """Draw the share of series that have had an alarm, if the fillings change."""
    return _watch(f"A change at bottle {LATER}: alarms so far", SHIFT, UNTIL)


def memory() -> list[Markup]:
    """Draw the false alarms of a scan by the correlation of neighbouring rows."""
    x = Axis("correlation of neighbours", (-0.04, 0.64), {float(at): f"{at:g}" for at in MEMORIES})
    return two_orders.film("Nothing changes: the scan's false alarms", x, MEMORIES, false_alarms())


def cover() -> Markup:
    """Draw the bottles at the best split."""
    picture = at_split(scanned().index)
    numbers = {name: each for name, each in picture.numbers.items() if name not in ("said", "more")}
    return thumbnail(series, picture._replace(numbers=numbers), "A series that changes, and MMD² of each split")


def prose_values() -> Mapping[str, Any]:
    """Return the numbers of the essay."""
    result = scanned()
    (looks, bets), then = raised(0.0), raised(SHIFT)
    late = [float(np.median(each)) - LATER for each in alarms(SHIFT)]
    early = [int((each <= LATER).sum()) for each in alarms(SHIFT)]
    permuted, shifted = (round(SAMPLES * float(each[-1])) for each in false_alarms())
    large, _, small = SHIFTS
    return {
        "count": COUNT,
        "break": BREAK,
        "shift": SHIFT,
        "index": result.index,
        "peak": result.statistic,
        "off": abs(result.index - BREAK),
        "resamples": RESAMPLES,
        "reach": int(result.reaching.sum()) or "None",
        "p": result.pvalue,
        "samples": SAMPLES,
        "naive": naive_rejections(),
        "shifts": COUNT - 1,
        "least": 1 / COUNT,
        "near": NEAR,
        "large": large,
        "large_near": _near(large),
        "shift_near": _near(SHIFT),
        "small": small,
        "small_near": _near(small),
        "reference": REFERENCE,
        "every": EVERY,
        "level": round(100 * LEVEL),
        "rich": round(1 / LEVEL),
        "series": SERIES,
        "watched": WATCHED,
        "looks": WATCHED // EVERY,
        "false_looks": round(SERIES * float(looks[-1])),
        "false_bets": round(SERIES * float(bets[-1])),
        "later": LATER,
        "late_looks": late[0],
        "late_bets": late[1],
        "early": early[0],
        "early_bets": early[1],
        "end": UNTIL,
        "then_looks": round(SERIES * float(then[0][UNTIL // EVERY - 1])),
        "then_bets": round(SERIES * float(then[1][UNTIL // EVERY - 1])),
        "memory": MEMORIES[-1],
        "permuted": permuted,
        "shifted": shifted,
    }


SCENES: Mapping[str, Callable[[], list[Markup]]] = {
    "split": split,
    "orders": orders,
    "where": where,
    "peeking": peeking,
    "later": later,
    "memory": memory,
}

ESSAY = Essay(
    Path(__file__).with_name("when-did-it-change.md"),
    SCENES,
    cover,
    prose_values,
    lab="drift",
    preset="A shift",
    lesson=15,
    names=("scan", "Monitor"),
)
