"""The essay "From a sample to a verdict": permuted labels, the meaning of p, power, and the size of differences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.printing import UNBROKEN, format_number, percent
from explorer.svg import thumbnail

from .clinic import LEVEL, all_readings, by_column, column, compared, tables
from .essay import Essay, draw
from .labels import FIRST, RESAMPLES, Grown, Labelled, growing, readings, two_labels
from .repeated import SIZES, TESTS, power_by_size, pvalues, rate, rejections

if TYPE_CHECKING:
    from explorer.markup import Markup

GROWN = (1, 3, 9, 19, 49, 99, 299, RESAMPLES)  # numbers of permutations while the reader scrolls
SHOWN = 6  # number of permutations whose labels are shown
EARLY = 9
DIFFERENT = (0.25, 0.5, 0.75, 1.0)  # shifts, in standard deviations


def prose_values() -> Mapping[str, Any]:
    """Return the values that the prose names."""
    few, all_rows, found = readings(FIRST), readings(), compared()
    test, early = few.test, Grown(few.test, EARLY)
    pressure, after = column(), tables()[1]
    low, high = pressure.interval or (np.nan, np.nan)
    power = powers()
    differing = [each.name for each in found.columns if each.adjusted <= LEVEL]
    pair = min(found.pairs, key=lambda each: each.adjusted)
    odd = found.rows("b", k=1)[0]
    return {
        "first": FIRST,
        "mean_before": f"{few.X.mean():.1f}",
        "mean_after": f"{few.Y.mean():.1f}",
        "mmd2": test.statistic,
        "permuted": Labelled.of(few, 0).mmd2,
        "early": EARLY,
        "early_reach": int(early.reaching.sum()),
        "early_p": f"(1 + {early.reaching.sum()}) / (1 + {EARLY}) = {format_number(early.pvalue)}".replace(
            " ", UNBROKEN
        ),
        "resamples": RESAMPLES,
        "reach": int(test.reaching.sum()),
        "p": test.pvalue,
        "one_in": round(1 / test.pvalue),
        "level": percent(LEVEL),
        "limit": LEVEL,
        "tests": TESTS,
        "wrong": percent(rate(pvalues(0.0))),
        "shift": f"{true_shift():.2f}",
        "power": percent(power[SIZES.index(FIRST)]),
        "missed": round(100 * (1 - power[SIZES.index(FIRST)])),
        "many": SIZES[-1],
        "power_many": percent(power[-1]),
        "half_shift": DIFFERENT[1],
        "half_power": percent(rate(pvalues(DIFFERENT[1]))),
        "largest": DIFFERENT[-1],
        "largest_power": percent(rate(pvalues(DIFFERENT[-1]))),
        "n": len(all_rows.X),
        "m": len(all_rows.Y),
        "p_all": all_rows.test.pvalue,
        "median_before": pressure.before,
        "median_after": pressure.after,
        "change": pressure.shift,
        "sure": percent(1 - LEVEL),
        "low": low,
        "high": high,
        "columns": len(found.columns),
        "differing": _listed(differing),
        "count": len(differing),
        "pair": f"{pair.first} and {pair.second}",
        "pair_p": pair.adjusted,
        "odd": odd + 1,
        "odd_value": after["temperature"].iloc[odd],
    }


def true_shift() -> float:
    """Return the difference of the averages of all rows, in standard deviations."""
    X, Y = readings()
    return float((Y.mean() - X.mean()) / np.sqrt((X.var(ddof=1) + Y.var(ddof=1)) / 2))


def powers() -> np.ndarray:
    """Return the power of the test against that shift at each of SIZES."""
    return np.array([rate(pvalues(true_shift(), size)) for size in SIZES])


def _listed(names):
    *others, last = names
    return f"{', '.join(others)} and {last}"


def _labels():
    """Draw some permutations of the labels; the first one, which the prose describes, is printed on paper."""
    return [draw(two_labels, Labelled.of(readings(FIRST), which)) for which in reversed(range(SHOWN))]


def _grown():
    test = readings(FIRST).test
    return [draw(growing, Grown(test, count)) for count in GROWN]


def cover() -> Markup:
    """Draw MMD² under permuted labels."""
    return thumbnail(growing, Grown(readings(FIRST).test, 99), "Permutations of labels, and the observed MMD²")


SCENES = {
    "two": lambda: [draw(two_labels, Labelled.of(readings(FIRST)))],
    "permuted": _labels,
    "grown": _grown,
    "level": lambda: [draw(rejections, (pvalues(0.0), "equal distributions"))],
    "missed": lambda: [
        draw(
            rejections,
            (pvalues(shift), f"{shift:g} standard deviation{'' if shift == 1 else 's'} apart"),
        )
        for shift in DIFFERENT
    ],
    "sizes": lambda: [draw(power_by_size, (powers(), size)) for size in SIZES],
    "much": lambda: [draw(all_readings, compared())],
    "columns": lambda: [draw(by_column, compared())],
}

ESSAY = Essay(
    Path(__file__).with_name("from-a-sample-to-a-verdict.md"),
    SCENES,
    cover,
    prose_values,
    lab="twosample",
    preset="A real shift",
    lesson=15,
    names=("mmd_test", "mmd2", "compare", "read_table"),
)
