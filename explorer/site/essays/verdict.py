"""The essay "From a sample to a verdict": permuted labels, the meaning of p, power, and the size of differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.printing import UNBROKEN, format_number
from explorer.svg import thumbnail

from .clinic import LEVEL, all_readings, by_column, column, compared, tables
from .essay import Essay, Part, Scene, draw
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
        "mean_after": f"{few.Y.mean():.1f}{UNBROKEN}mmHg",
        "mmd2": test.statistic,
        "permuted": Labelled.of(few, 0).mmd2,
        "early": EARLY,
        "early_reach": int(early.reaching.sum()),
        "early_p": _equals(f"(1 + {early.reaching.sum()}) / (1 + {EARLY}) = {format_number(early.pvalue)}"),
        "resamples": RESAMPLES,
        "reach": int(test.reaching.sum()),
        "p": test.pvalue,
        "p_is": _equals(format_number(test.pvalue)),
        "one_in": round(1 / test.pvalue),
        "level": _percent(LEVEL),
        "limit": LEVEL,
        "tests": TESTS,
        "wrong": _percent(rate(pvalues(0.0))),
        "shift": f"{true_shift():.2f}",
        "power": _percent(power[SIZES.index(FIRST)]),
        "missed": round(100 * (1 - power[SIZES.index(FIRST)])),
        "many": SIZES[-1],
        "power_many": _percent(power[-1]),
        "half_shift": DIFFERENT[1],
        "half_power": _percent(rate(pvalues(DIFFERENT[1]))),
        "largest": DIFFERENT[-1],
        "largest_power": _percent(rate(pvalues(DIFFERENT[-1]))),
        "n": len(all_rows.X),
        "m": len(all_rows.Y),
        "p_all": _equals(format_number(all_rows.test.pvalue)),
        "median_before": pressure.before,
        "median_after": pressure.after,
        "change": pressure.shift,
        "low": low,
        "high": high,
        "unit": f"{UNBROKEN}mmHg",
        "columns": len(found.columns),
        "differing": _listed(differing),
        "count": len(differing),
        "pair": f"{pair.first} and {pair.second}",
        "pair_p": _equals(format_number(pair.adjusted)),
        "odd": odd + 1,
        "odd_value": f"{after['temperature'].iloc[odd]:g}{UNBROKEN}°C",
    }


def true_shift() -> float:
    """Return the difference of the averages of all rows, in standard deviations."""
    X, Y = readings()
    return float((Y.mean() - X.mean()) / np.sqrt((X.var(ddof=1) + Y.var(ddof=1)) / 2))


def powers() -> np.ndarray:
    """Return the power of the test against that shift at each of SIZES."""
    return np.array([rate(pvalues(true_shift(), size)) for size in SIZES])


def _percent(share):
    return f"{100 * share:.0f}{UNBROKEN}%"


def _equals(words):
    """Return p and its value on one line."""
    return f"*p* = {words}".replace(" ", UNBROKEN)


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


ESSAY = Essay(
    key="from-a-sample-to-a-verdict",
    title="From a sample to a verdict",
    question="Two samples look different. Is it more than chance, how much is it, and where?",
    cover=cover,
    prose_values=prose_values,
    lab="twosample",
    preset="A real shift",
    lesson=15,
    names=("mmd_test", "mmd2", "compare", "read_table"),
    parts=(
        Part(
            "Two samples always differ",
            r"""
A clinic has a new device for blood pressure. (The clinic is made up.) Of the first {first} patients [before the change
and after it](#two) the averages are {mean_before} and {mean_after}. Is it the device, or were these simply other
patients?

Averages can agree where the samples do not, so compare all of both samples. Put a bump on each reading, as wide as the
median distance between readings, and average the bumps. The result is a curve, the sample's *kernel mean*. The
distance between the two curves, squared, is MMD². It is estimated so that it is right on average, which lets it fall
below 0 at times. Here it is {mmd2}.

Is that much? The number alone does not tell. It depends on the bumps, on the spread, and on how many readings there
are. It needs something to be compared with.
""",
            (
                Scene(
                    "two",
                    "{first} readings before and {first} after, and both kernel means. MMD² is {mmd2}.",
                    lambda: [draw(two_labels, Labelled.of(readings(FIRST)))],
                ),
            ),
        ),
        Part(
            "What would chance do?",
            r"""
Suppose that the device changed nothing. Then "before" and "after" are labels without a meaning, and any other
assignment of the labels is as good. So [permute the labels](#permuted). The readings stay where they are and the
labels move. The first permutation gives an MMD² of {permuted}, more than the true labels do. Chance can do this much.

[Again and again](#grown): each permutation is one brick, and the bricks pile up to the *null distribution*. Count
those that are at least as large as the observed MMD². After {early} permutations there are {early_reach}, and
{early_p}. The 1 stands for the true labels, which are one of the possible assignments, so *p* is never 0. After
{resamples} permutations {reach} are as large, and {p_is}.
""",
            (
                Scene(
                    "permuted",
                    "The labels of {first} and {first} readings, permuted. The readings stay.",
                    _labels,
                ),
                Scene(
                    "grown",
                    "MMD² under {resamples} permutations of the labels, {reach} of them as large: {p_is}.",
                    _grown,
                ),
            ),
        ),
        Part(
            "What p says",
            r"""
It says: if the device changed nothing, about one permutation in {one_in} would give an MMD² this large. Decide before
you look that you will call the samples different if *p* is at most {limit}. This limit is the *level*, and it is a
promise. [If both samples come from one distribution](#level), the test will be wrong in at most {level} of all cases,
whatever that distribution is and however few readings there are. In {tests} repeated samples it was wrong in {wrong}.

It does not say that the device changed nothing with probability {p}. To look at the data, add a few readings and test
again until *p* is small breaks the promise. And a large *p* is no proof that nothing changed, as the next picture
shows.
""",
            (
                Scene(
                    "level",
                    "p in {tests} samples of equal distributions. Every value is equally likely.",
                    lambda: [draw(rejections, (pvalues(0.0), "equal distributions"))],
                ),
            ),
        ),
        Part(
            "What a test can miss",
            r"""
[Let the distributions differ](#missed), by more and more. At {half_shift} standard deviations a test of {first} and
{first} readings rejects in {half_power} of the samples, at {largest} standard deviation in {largest_power}. This share
is the *power*.

In all rows of the clinic's tables the averages are {shift} standard deviations apart. If that is the truth, a study of
{first} and {first} patients has a power of {power}. About {missed} in a hundred such studies would find nothing, and
ours was one of them. [Power grows with the samples](#sizes): {many} readings each would have given {power_many}.
Choose the size before the study, not after it.
""",
            (
                Scene(
                    "missed",
                    "p in {tests} samples whose distributions lie farther and farther apart.",
                    lambda: [
                        draw(
                            rejections,
                            (pvalues(shift), f"{shift:g} standard deviation{'' if shift == 1 else 's'} apart"),
                        )
                        for shift in DIFFERENT
                    ],
                ),
                Scene(
                    "sizes",
                    "Power by the number of readings, for distributions {shift} standard deviations apart.",
                    lambda: [draw(power_by_size, (powers(), size)) for size in SIZES],
                ),
            ),
        ),
        Part(
            "How much, and where",
            r"""
The whole tables have {n} and {m} rows. Together they give {p_all}: the pressure did change. But *p* mixes the size of
a difference with the size of the samples. A change of no importance has a small *p* if there are enough rows. So [ask
how large it is](#much). The median went from {median_before} to {median_after}{unit}, and the interval for this change
goes from {low} to {high}.

A table has many columns, and if each is tested by itself one of them will soon look different by chance. The report
corrects for their number. [Of {columns} columns](#columns) it finds {count}: {differing}. It also finds that {pair} no
longer go together ({pair_p}), though it finds no change in either. And it names the rows that are least like the other
table. Row {odd} after the change comes first: a temperature of {odd_value}.

Your own tables need one command, `explorer report before.csv after.csv`, or the page `/report`. Nothing leaves your
computer.
""",
            (
                Scene(
                    "much",
                    "All readings before and after. The median rose by {change}{unit}.",
                    lambda: [draw(all_readings, compared())],
                ),
                Scene(
                    "columns",
                    "The adjusted p of each column. {count} of {columns} lie below the level.",
                    lambda: [draw(by_column, compared())],
                ),
            ),
        ),
    ),
)
