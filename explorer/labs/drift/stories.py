"""Presets and stories of the Drift lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

_QUIET = {"kind": "none", "seed": 14}
_MEMORY = {"source": "memory", "kind": "none", "seed": 1, "picture": "looks"}
_DEPENDENCE = {"kind": "dependence", "picture": "plane"}

PRESETS = (
    Preset(
        "A shift",
        "The first coordinate rises by one standard deviation. Drag the break: the best split follows.",
        {},
        "the rows from the break to the best split",
        at_most=5,
    ),
    Preset(
        "A wider spread",
        "The mean stays and the spread doubles. The t test compares means and misses the change.",
        {"kind": "spread"},
        "the smallest p of the looks",
        at_least=0.05,
    ),
    Preset(
        "Dependence alone",
        "Neither coordinate changes by itself; only their correlation does.",
        _DEPENDENCE,
        "the rows from the break to the best split",
        at_most=5,
    ),
    Preset(
        "A ramp, row by row",
        "The first coordinate rises row by row. There is no break, and the best split lies well after the start.",
        {"kind": "slow"},
        "the best split",
        at_least=170,
    ),
    Preset(
        "A false alarm",
        "Nothing changes, but a t test every ten rows still rejects sooner or later.",
        _QUIET,
        "the smallest p of the looks",
        at_most=0.05,
    ),
    Preset(
        "Autocorrelated rows",
        "Nothing changes, but each row resembles the one before it. Permutations mistake this for a change.",
        _MEMORY,
        "p of the scan",
        at_most=0.05,
        then=("circular shifts", {"null": "shift"}),
        was="Rows with a memory",
    ),
    Preset(
        "Circular shifts",
        "The same rows. A circular shift moves the end to the front and keeps neighbours together. It finds no change.",
        {**_MEMORY, "null": "shift"},
        "p of the scan",
        at_least=0.1,
    ),
    Preset(
        "Wine, in order",
        "178 wines, sorted by cultivar. The best split is next to row 130, where the third cultivar begins.",
        {"source": "wine", "n": 178, "kind": "none"},
        "the best split",
        at_least=127,
        at_most=133,
    ),
)

_YES_BELOW = ("Yes", "No")  # choices for p at most the level, and above
_LEVEL = (0.05,)


def _p(result):
    """Return p of the scan, or None until it is computed."""
    return result.pvalue


STORIES = (
    Story(
        "break",
        "A break to drag",
        (
            Step(
                "In 300 rows the first coordinate rises by one standard deviation at row 150. How far from this row"
                " does the scan put the break?",
                "At row {index}, {apart}.",
                {},
                Choose(lambda r: r.missed, ("at most 5 rows", "6 to 20 rows", "more"), (5, 20)),
                large=True,
            ),
            Step(
                "Now the break is at row 270, with only 30 rows after it. Does the scan still find it at level 0.05?",
                "Yes: p = {p}, and the best split is at row {index}. The MMD² of every split is divided by its own"
                " standard deviation, so a split near the end is not favoured by chance. With few rows after it, a"
                " break is still harder to find.",
                {"at": 0.9},
                Choose(_p, _YES_BELOW, _LEVEL),
                large=True,
            ),
            Step(
                "The break is back in the middle, but the shift is only 0.2. Does the scan find it?",
                "No: p = {p}. At the best split, row {index}, the profile reaches {peak} and stays below the line at"
                " {limit}.",
                {"size": 0.2},
                Choose(_p, _YES_BELOW, _LEVEL),
                large=True,
            ),
        ),
    ),
    Story(
        "profile",
        "When is a peak high?",
        (
            Step(
                "Nothing changes here, but the profile still has a highest point. Does it reach the dashed line?",
                "No: it is {peak}, and the line is at {limit}. In 95 % of other orders of the rows the highest point"
                " stays below the line.",
                {"kind": "none", "seed": 1},
                Choose(_p, ("Yes, it does", "No, it stays below"), _LEVEL),
                large=True,
            ),
            Step(
                "Again nothing changes, but each row resembles the one before it. Does the highest point reach the"
                " line of the permutations?",
                "Yes: it is {peak}, above {limit}, and p = {p} is a false alarm. Permutations"
                " separate similar neighbours, so their highest points are lower.",
                _MEMORY,
                Choose(_p, ("Yes, it does", "No, it stays below"), _LEVEL),
                large=True,
            ),
            Step(
                "Now circular shifts, which move the end to the front, replace permutations. Does the scan still find"
                " a change?",
                "No: p = {p}. Circular shifts keep the correlation of neighbours. With them the line is at {limit}.",
                {**_MEMORY, "null": "shift"},
                Choose(_p, _YES_BELOW, _LEVEL),
                large=True,
            ),
        ),
    ),
    Story(
        "peeking",
        "How peeking cheats",
        (
            Step(
                "Nothing changes. Every ten rows a t test compares the rows so far with the reference, at level 0.05."
                " Does any of the 20 tests reject?",
                "Yes, the test at row {look}: a false alarm.",
                _QUIET,
                Choose(lambda r: r.least, _YES_BELOW, _LEVEL),
            ),
            Step(
                "That was one series. In what share of 100 series without a change does at least one t test reject?",
                "In {looks} of {count}. Each test keeps the level of 0.05; all of them together do not.",
                {**_QUIET, "samples": 100},
                Place(lambda r: r.effect_looks, "the share with a false alarm", SHARES),
            ),
            Step(
                "Now a t test runs every two rows. In what share of the series does at least one reject?",
                "In {looks} of {count}. More tests give more false alarms: nothing changes in any of these series.",
                {**_QUIET, "samples": 100, "every": 2},
                Place(lambda r: r.effect_looks, "the share with a false alarm", SHARES),
            ),
            Step(
                "The betting test is checked after every single row. In what share of the series does it raise an"
                " alarm?",
                "In {betting} of {count}. The probability that the wealth ever reaches 1 / level is at most the level.",
                {**_QUIET, "samples": 100, "every": 2, "picture": "wealth"},
                Place(lambda r: r.effect_betting, "the share with a false alarm", SHARES),
            ),
        ),
    ),
    Story(
        "slow",
        "A slow drift",
        (
            Step(
                "From row 150 on the first coordinate rises in equal steps, by one standard deviation in total. Where"
                " does the scan put the break?",
                "At row {index}. The scan splits the series in two, and the best split of a ramp lies within it.",
                {"kind": "slow"},
                Place(lambda r: r.split, "the row", values(100, 300, 20)),
                large=True,
            ),
            Step(
                "Does the betting test raise an alarm before the series ends?",
                "No: its largest wealth is {wealth}. A test that may be checked at any time needs more rows, and in a"
                " slow drift few rows are unusual.",
                {"kind": "slow", "picture": "wealth"},
                Choose(lambda r: 0.0 if r.alarm is not None else 1.0, _YES_BELOW, (0.5,)),
            ),
            Step(
                "The drift is three times as steep. Does the betting test raise an alarm now?",
                "Yes, at row {alarm}. The first t test that rejects is at row {look}.",
                {"kind": "slow", "size": 3.0, "picture": "wealth"},
                Choose(lambda r: 0.0 if r.alarm is not None else 1.0, _YES_BELOW, (0.5,)),
            ),
        ),
    ),
    Story(
        "dependence",
        "A change that no column shows",
        (
            Step(
                "Neither coordinate changes by itself, but their correlation does, at row 150. Does any of the t tests"
                " reject?",
                "No: the smallest p is {least}. A test of single columns cannot detect this.",
                {**_DEPENDENCE, "picture": "looks"},
                Choose(lambda r: r.least, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The scan compares both coordinates jointly, with an RBF kernel. Does it find the change?",
                "Yes, at row {index}, with p = {p}. The correlation is {before} before and {after} after.",
                _DEPENDENCE,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "With the linear kernel MMD compares only means. Does the scan find the change now?",
                "No: p = {p}. The means do not change.",
                {**_DEPENDENCE, "kernel": "LIN"},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
        ),
    ),
)
