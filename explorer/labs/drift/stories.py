"""The Drift lab's presets and stories."""

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
        "The mean stays and the spread doubles. The t test compares means and sees nothing.",
        {"kind": "spread"},
        "the smallest p of the looks",
        at_least=0.05,
    ),
    Preset(
        "Dependence alone",
        "Both coordinates stay as they are, and what changes is how they go together.",
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
        "Nothing changes. Who looks every ten rows still finds a p below 0.05 in the end.",
        _QUIET,
        "the smallest p of the looks",
        at_most=0.05,
    ),
    Preset(
        "Rows with a memory",
        "Nothing changes, but each row resembles the one before it. Permutations mistake that for a change.",
        _MEMORY,
        "p of the scan",
        at_most=0.05,
    ),
    Preset(
        "Circular shifts",
        "The same rows. A shift moves the end to the front, keeps neighbours together, and finds nothing.",
        {**_MEMORY, "null": "shift"},
        "p of the scan",
        at_least=0.1,
    ),
    Preset(
        "Wine, in order",
        "178 wines, one cultivar after the other: the best split is next to row 130, where the third begins.",
        {"source": "wine", "n": 178, "kind": "none"},
        "the best split",
        at_least=127,
        at_most=133,
    ),
)

_YES_BELOW = ("Yes", "No")  # p at most the level, and above
_LEVEL = (0.05,)


def _p(result):
    """p of the scan, None until it is there."""
    return result.pvalue


STORIES = (
    Story(
        "break",
        "A break to drag",
        (
            Step(
                "From row 150 on the first coordinate of 300 rows is larger by one standard deviation. How far from"
                " there does the scan put the break?",
                "At row {index}, {apart}.",
                {},
                Choose(lambda r: r.missed, ("at most 5 rows", "6 to 20 rows", "more"), (5, 20)),
                large=True,
            ),
            Step(
                "Now the break is at row 270, with only 30 rows after it. Does the scan still find it at level 0.05?",
                "Yes: p = {p}, and the best split is at row {index}. Every split is divided by its own standard"
                " deviation, so that one near the end is neither favoured nor hidden.",
                {"at": 0.9},
                Choose(_p, _YES_BELOW, _LEVEL),
                large=True,
            ),
            Step(
                "Back in the middle, but with a shift of only 0.2. Does the scan find it?",
                "No: p = {p}. The best split, at row {index}, stays below the line: {peak} against {limit}.",
                {"size": 0.2},
                Choose(_p, _YES_BELOW, _LEVEL),
                large=True,
            ),
        ),
    ),
    Story(
        "profile",
        "What is a high point?",
        (
            Step(
                "Nothing changes here, and the profile still has a highest point. Does it reach the dashed line?",
                "No: it is {peak}, and the line is at {limit}. The line is the height that the highest point of 95 %"
                " of other orders of the rows stays below.",
                {"kind": "none", "seed": 1},
                Choose(_p, ("Yes, it does", "No, it stays below"), _LEVEL),
                large=True,
            ),
            Step(
                "Again nothing changes, but each row resembles the one before it. Does the highest point reach the"
                " line of the permutations?",
                "Yes: {peak} against {limit}, and p = {p} is a false alarm. Permutations tear neighbours apart.",
                _MEMORY,
                Choose(_p, ("Yes, it does", "No, it stays below"), _LEVEL),
                large=True,
            ),
            Step(
                "The same rows against circular shifts, which move the end to the front. Is there still a change?",
                "No: p = {p}. The shifted series have the same memory, and their line is at {limit}.",
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
                " Does any of the 20 looks reject?",
                "Yes, the one at row {look}: a false alarm.",
                _QUIET,
                Choose(lambda r: r.least, _YES_BELOW, _LEVEL),
            ),
            Step(
                "That was one series. In what share of 100 series without a change does at least one look reject?",
                "{looks} of {count}. Each look keeps the level of 0.05, and all of them together do not.",
                {**_QUIET, "samples": 100},
                Place(lambda r: r.effect_looks, "the share with a false alarm", SHARES),
            ),
            Step(
                "Now somebody looks every two rows. In what share of the series does a look reject?",
                "{looks} of {count}. Who looks more often finds more, and nothing has changed in any of them.",
                {**_QUIET, "samples": 100, "every": 2},
                Place(lambda r: r.effect_looks, "the share with a false alarm", SHARES),
            ),
            Step(
                "The betting test is looked at after every single row. In what share does it raise an alarm?",
                "{betting} of {count}. The chance that the wealth ever reaches 1 / level is at most the level.",
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
                "From row 150 on the first coordinate rises in equal steps, by one standard deviation in all. Where"
                " does the scan put the break?",
                "At row {index}. A scan looks for two parts, and the best two parts of a ramp are cut within it.",
                {"kind": "slow"},
                Place(lambda r: r.split, "the row", values(100, 300, 20)),
                large=True,
            ),
            Step(
                "Does the betting test raise an alarm before the series ends?",
                "No: its largest wealth is {wealth}. It pays for being looked at all the time with rows, and a slow"
                " drift gives it few that are far out.",
                {"kind": "slow", "picture": "wealth"},
                Choose(lambda r: 0.0 if r.alarm is not None else 1.0, _YES_BELOW, (0.5,)),
            ),
            Step(
                "The drift is three times as steep. Does it raise an alarm now?",
                "Yes, at row {alarm}. The t test rejects at row {look}.",
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
                "Neither coordinate changes by itself. Their correlation does, at row 150. Does any look of the t test"
                " reject?",
                "No: the smallest p is {least}. A test of one column after the other cannot see this.",
                {**_DEPENDENCE, "picture": "looks"},
                Choose(lambda r: r.least, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The scan compares both coordinates together, under an RBF kernel. Does it find the change?",
                "Yes, at row {index}, with p = {p}: the correlation is {before} before and {after} after.",
                _DEPENDENCE,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "Under the linear kernel MMD compares means alone. Does the scan find the change now?",
                "No: p = {p}. The means do not change.",
                {**_DEPENDENCE, "kernel": "LIN"},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
        ),
    ),
)
