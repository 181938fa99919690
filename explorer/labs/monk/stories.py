"""The MONK lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Preset, Step, Story

_BESIDE = "MONK's error beside U's"

PRESETS = (
    Preset(
        "Five bad pairs",
        "5 of 200 pairs lie at 10 and 20: the U-statistic follows them, and of 11 blocks enough are clean to outvote"
        " them.",
        {},
        _BESIDE,
        at_most=0.25,
    ),
    Preset(
        "One outlier",
        "A single reading of 100 among 200 of Q's: the average counts every reading, the median lets the blocks vote.",
        {"planted": "Q", "outliers": 1, "distance": 100.0},
        _BESIDE,
        at_most=0.1,
    ),
    Preset(
        "Identical?!",
        "One outlier in each sample, and the U-statistic is far below 0: a program that clips it to 0 reports"
        " identical distributions.",
        {"outliers": 1, "distance": 2000.0},
        "U",
        at_most=-1e6,
    ),
    Preset(
        "Too few blocks",
        "5 contaminated pairs and 5 blocks: most blocks hold one, so the median is theirs. Move Q to 11.",
        {"blocks": 5, "distance": 2000.0},
        "MONK's error beside that of 11 blocks",
        at_least=1e3,
    ),
    Preset(
        "A bounded kernel",
        "The same pairs at 2000 and 4000 under the RBF kernel: a far point counts for no more than any other, and the"
        " plain statistic has nothing to fear.",
        {"kernel": "RBF", "distance": 2000.0},
        "U's error",
        at_most=0.15,
    ),
    Preset(
        "Price of safety",
        "Equal distributions, clean data, the RBF kernel and 41 blocks: here MONK loses. Small blocks are noisy, and"
        " the largest of the values along many directions is above 0.",
        {"kernel": "RBF", "shift": 0.0, "outliers": 0, "blocks": 41, "seed": 2},
        _BESIDE,
        at_least=1.3,
    ),
    Preset(
        "The fast way loses",
        "The paper's BCD-Fast on clean data with 21 blocks: it stalls, and stays far below the truth.",
        {"method": "bcd-fast", "outliers": 0, "blocks": 21},
        _BESIDE,
        at_least=2.0,
    ),
    Preset(
        "Pareto(3)",
        "Outliers that nobody planted: one heavy-tailed distribution twice, so the true MMD is 0. U follows the"
        " largest points.",
        {"laws": "pareto", "outliers": 0},
        _BESIDE,
        at_most=0.7,
    ),
)

_ONE = {"planted": "Q", "outliers": 1}
_FAR = {"distance": 2000.0}

STORIES = (
    Story(
        "one-outlier",
        "One outlier ruins the mean",
        (
            Step(
                "200 clean pairs of two Gaussian distributions, under the quadratic kernel. Does a vote of 11 blocks"
                " cost much, where there is nothing to outvote?",
                "No: the U-statistic estimates {u} and MONK {monk}, where the truth is {truth}. This is one sample; in"
                " others MONK is a little worse.",
                {"outliers": 0},
            ),
            Step(
                "One of Q's 200 readings is 10. By how much does each estimate move?",
                "The U-statistic now estimates {u}, MONK {monk}; the truth is still {truth}.",
                _ONE,
            ),
            Step(
                "Now it is 100, a comma forgotten. And now?",
                "The U-statistic estimates {u}: under this kernel the weight of one reading has no bound. MONK"
                " estimates {monk}: its block is outvoted, and how far away the point lies makes hardly any"
                " difference.",
                {**_ONE, "distance": 100.0},
            ),
            Step(
                "A vote needs voters. What does MONK estimate with one block?",
                "{monk}: with one block it is the biased statistic, the distance of the two plain averages, and has no"
                " more protection than they have.",
                {**_ONE, "distance": 100.0, "blocks": 1},
            ),
            Step(
                "Two more outliers by hand, one in each sample. How many does a vote of 11 blocks survive?",
                "Any 5 contaminated pairs, wherever they fall. Here MONK estimates {monk}, the U-statistic {u}. Drag"
                " the crosses, and add your own.",
                {**_ONE, "distance": 100.0, "placed": "[[20.0,1.5],[-8.0,0.5]]"},
            ),
        ),
    ),
    Story(
        "identical",
        "Identical, by the U-statistic",
        (
            Step(
                "One bad pair: 10 in P and 20 in Q. Does the U-statistic estimate more than the truth, or less?",
                "Less: it estimates {u}, and the true MMD is {truth}. U leaves out each point's similarity to itself,"
                " but not that of the two outliers to one another, and that makes the samples look alike.",
                {"outliers": 1},
            ),
            Step(
                "The same pair at 2000 and 4000. What does the U-statistic estimate now?",
                "It estimates {u}. A program that clips it to 0 would report identical distributions. MONK estimates"
                " {monk}.",
                {"outliers": 1, **_FAR},
            ),
            Step(
                "Two such pairs. Does it get worse in the same direction?",
                "In the other: U estimates {u}, as now each sample has two outliers that are alike. Its sign depends on"
                " how many there are. MONK estimates {monk}.",
                {"outliers": 2, **_FAR},
            ),
        ),
    ),
    Story(
        "too-few",
        "A vote that is lost",
        (
            Step(
                "5 contaminated pairs at 2000 and 4000, and 5 blocks. Who has the majority?",
                "The outliers. {vote}. MONK estimates {monk}, the U-statistic {u}.",
                {"blocks": 5, **_FAR},
            ),
            Step(
                "11 blocks: 5 outliers can contaminate 5 of them at most. Is MONK right now?",
                "It has survived: it estimates {monk}, the U-statistic {u}, and the truth is {truth}. But"
                " with so many contaminated blocks the median is among the largest clean ones, and too large.",
                {"blocks": 11, "seed": 2, **_FAR},
            ),
            Step(
                "And with 41 blocks?",
                "Nearer: {monk}. Four to ten times as many blocks as outliers are best; the smallest number that"
                " survives, which is also what Lepski's method chooses, has the largest bias.",
                {"blocks": 41, "seed": 2, **_FAR},
            ),
        ),
    ),
    Story(
        "loses",
        "Where MONK loses",
        (
            Step(
                "The five pairs at 2000 and 4000 once more, now under the RBF kernel. What do they do to the"
                " U-statistic?",
                "Hardly anything: it estimates {u}, the truth is {truth}, and MONK estimates {monk}. A bounded kernel"
                " is safe already: for vectors it is the first thing to try.",
                {"kernel": "RBF", **_FAR},
            ),
            Step(
                "Equal distributions, no outlier, and 41 blocks under the RBF kernel. What does safety cost?",
                "MONK {compared}: it estimates {monk}, the U-statistic {u}, and the truth is {truth}.",
                {"kernel": "RBF", "shift": 0.0, "outliers": 0, "blocks": 41, "seed": 2},
            ),
            Step(
                "The paper's fast algorithm, on clean data, with 21 blocks. Is it only faster?",
                "No: it estimates {monk} where the truth is {truth}. It compares each block with itself alone, and"
                " stalls once half of them have had their turn. Change it to BCD.",
                {"method": "bcd-fast", "outliers": 0, "blocks": 21},
            ),
        ),
    ),
    Story(
        "pareto",
        "Outliers nobody planted",
        (
            Step(
                "Pareto's distribution of shape 3, drawn twice, under the quadratic kernel. The true MMD is 0. Is U"
                " near it?",
                "It estimates {u}: the largest points are outliers of their own distribution. MONK estimates {monk}.",
                {"laws": "pareto", "outliers": 0},
            ),
            Step(
                "Another sample of the same distribution. Is U near 0 this time?",
                "It estimates {u}. Under this kernel the distribution's fourth moment counts, which is infinite, so a"
                " single large point decides. MONK estimates {monk}, and its own assumption fails as well.",
                {"laws": "pareto", "outliers": 0, "seed": 7},
            ),
            Step(
                "The same pairs under the RBF kernel?",
                "All is well: the U-statistic estimates {u} and MONK {monk}.",
                {"laws": "pareto", "outliers": 0, "seed": 7, "kernel": "RBF"},
            ),
        ),
    ),
)
