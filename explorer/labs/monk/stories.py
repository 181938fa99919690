"""Presets and stories of the MONK lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

_BESIDE = "MONK's error beside U's"

PRESETS = (
    Preset(
        "Five bad pairs",
        "5 of 200 pairs lie at 10 and 20. The U-statistic follows them, the median of 11 blocks does not.",
        {},
        _BESIDE,
        at_most=0.25,
    ),
    Preset(
        "One outlier",
        "One of Q's 200 readings is 100. It shifts the plain average far, and the median of 11 blocks hardly.",
        {"planted": "Q", "outliers": 1, "distance": 100.0},
        _BESIDE,
        at_most=0.1,
    ),
    Preset(
        "Identical?!",
        "One outlier in each sample pulls U far below 0. A program that clips U to 0 reports identical distributions.",
        {"outliers": 1, "distance": 2000.0},
        "U",
        at_most=-1e6,
    ),
    Preset(
        "Too few blocks",
        "With 5 contaminated pairs and 5 blocks, most blocks contain an outlier, and outliers decide the median.",
        {"blocks": 5, "distance": 2000.0},
        "MONK's error beside that of 11 blocks",
        at_least=1e3,
        then=("11 blocks", {"blocks": 11}),
    ),
    Preset(
        "A bounded kernel",
        "Outliers at 2000 and 4000 under the RBF kernel. A distant point counts no more than any other, so U is"
        " robust.",
        {"kernel": "RBF", "distance": 2000.0},
        "U's error",
        at_most=0.15,
        then=("the quadratic kernel", {"kernel": "POLY2"}),
    ),
    Preset(
        "Price of safety",
        "Equal distributions, clean data and 41 blocks. MONK has the larger error, because small blocks are noisy.",
        {"kernel": "RBF", "shift": 0.0, "outliers": 0, "blocks": 41, "seed": 2},
        _BESIDE,
        at_least=1.3,
    ),
    Preset(
        "The fast way loses",
        "The paper's BCD-Fast on clean data with 21 blocks. It stalls far below the truth.",
        {"method": "bcd-fast", "outliers": 0, "blocks": 21},
        _BESIDE,
        at_least=2.0,
        then=("the best direction", {"method": "direction"}),
    ),
    Preset(
        "Pareto(3)",
        "P and Q are the same heavy-tailed distribution, so the true MMD is 0. U follows the largest points.",
        {"laws": "pareto", "outliers": 0},
        _BESIDE,
        at_most=0.7,
    ),
)

_ONE = {"planted": "Q", "outliers": 1}
_FAR = {"distance": 2000.0}
_OF_U = Place(lambda r: r.u_mmd, "MMD by the U-statistic", values(0.0, 10.0, 20))
_OF_MONK = Place(lambda r: r.estimate.value, "MMD by MONK", values(0.0, 5.0, 20))
_NEARER = Choose(lambda r: r.monk_error - r.u_error, ("MONK's", "the U-statistic's"), (0.0,))
_SIGN = Choose(lambda r: r.U, ("far below 0", "near 0", "far above 0"), (-1000.0, 1000.0))

STORIES = (
    Story(
        "one-outlier",
        "One outlier ruins the mean",
        (
            Step(
                "200 clean pairs of two Gaussian distributions, under the quadratic kernel. Which estimate of their MMD"
                " is nearer to the truth?",
                "MONK's: the median of 11 blocks estimates {monk}, the U-statistic {u}, and the truth is {truth}."
                " In other clean samples MONK is often a little worse.",
                {"outliers": 0},
                _NEARER,
            ),
            Step(
                "One of Q's 200 readings is 10. What does the U-statistic estimate now?",
                "The U-statistic estimates {u}, MONK {monk}; the truth is still {truth}.",
                _ONE,
                _OF_U,
            ),
            Step(
                "Now that reading is 100: a decimal point was lost. What does the U-statistic estimate?",
                "The U-statistic estimates {u}: under this kernel the weight of one reading has no bound. MONK"
                " estimates {monk}: only one block contains the outlier, and the median ignores how far off that"
                " block is.",
                {**_ONE, "distance": 100.0},
                _OF_U,
            ),
            Step(
                "With one block the median is that block's mean. What does MONK estimate now?",
                "{monk}: with one block MONK is the biased statistic, the distance of the two plain averages. It is no"
                " more robust than they are.",
                {**_ONE, "distance": 100.0, "blocks": 1},
                Choose(lambda r: r.estimate.value, ("less than 2", "2 to 10", "more than 10"), (2.0, 10.0)),
            ),
            Step(
                "Two more outliers by hand, one in each sample. Does the median of 11 blocks survive all three?",
                "Yes: MONK estimates {monk}, the U-statistic {u}. A median of 11 blocks survives any 5 contaminated"
                " pairs, wherever they fall. Drag the crosses and add your own.",
                {**_ONE, "distance": 100.0, "placed": "[[20.0,1.5],[-8.0,0.5]]"},
                Choose(lambda r: r.monk_error, ("Yes", "No"), (0.3,)),
            ),
        ),
    ),
    Story(
        "identical",
        "Identical, by the U-statistic",
        (
            Step(
                "One bad pair: 10 in P and 20 in Q. Does the U-statistic estimate more than the truth, or less?",
                "Less: it estimates {u}, and the true MMD is {truth}. U leaves out the similarity of each point to"
                " itself, but it keeps the similarity of the two outliers, which makes the samples look alike.",
                {"outliers": 1},
                Choose(lambda r: r.u_mmd / r.truth, ("less", "more"), (1.0,)),
            ),
            Step(
                "The same pair at 2000 and 4000. Where is the U-statistic, which estimates MMD², now?",
                "It estimates {u}. A program that clips it to 0 would report identical distributions. MONK estimates"
                " {monk}.",
                {"outliers": 1, **_FAR},
                _SIGN,
            ),
            Step(
                "Two such pairs. Where is the U-statistic now?",
                "It estimates {u}, because each sample now has two similar outliers. The sign depends on their number."
                " MONK estimates {monk}.",
                {"outliers": 2, **_FAR},
                _SIGN,
            ),
        ),
    ),
    Story(
        "too-few",
        "Too few clean blocks",
        (
            Step(
                "5 contaminated pairs at 2000 and 4000, and 5 blocks. Are most blocks clean?",
                "No. {vote}. MONK estimates {monk}, the U-statistic {u}.",
                {"blocks": 5, **_FAR},
                Choose(lambda r: int(r.contaminated_blocks().sum()), ("Yes", "No"), (2,)),
            ),
            Step(
                "With 11 blocks, 5 outliers can contaminate at most 5 of them. What does MONK estimate now?",
                "MONK survives: it estimates {monk}, the U-statistic {u}, and the truth is {truth}. But nearly half of"
                " the blocks are contaminated, so the median is one of the largest clean blocks and too large.",
                {"blocks": 11, "seed": 2, **_FAR},
                _OF_MONK,
            ),
            Step(
                "What does MONK estimate with 41 blocks?",
                "MONK comes nearer: {monk}, and the truth is {truth}. Four to ten times as many blocks as outliers"
                " work best. The smallest number of blocks that survives has the largest bias.",
                {"blocks": 41, "seed": 2, **_FAR},
                _OF_MONK,
            ),
        ),
    ),
    Story(
        "loses",
        "Where MONK loses",
        (
            Step(
                "The five pairs at 2000 and 4000 again, now under the RBF kernel. Do they pull the U-statistic far"
                " off?",
                "No: it estimates {u}, the truth is {truth}, and MONK estimates {monk}. A bounded kernel is robust by"
                " itself. For vectors it is the first thing to try.",
                {"kernel": "RBF", **_FAR},
                Choose(lambda r: r.u_error, ("No", "Yes"), (0.2,)),
            ),
            Step(
                "Equal distributions, no outlier, and 41 blocks under the RBF kernel. Which estimate is nearer to the"
                " truth?",
                "The U-statistic's: MONK {compared}. MONK estimates {monk}, the U-statistic {u}, and the truth is"
                " {truth}.",
                {"kernel": "RBF", "shift": 0.0, "outliers": 0, "blocks": 41, "seed": 2},
                _NEARER,
            ),
            Step(
                "The paper's fast algorithm on clean data with 21 blocks. Is its estimate about right?",
                "No: it estimates {monk}, and the truth is {truth}. BCD-Fast compares each block only with itself"
                " and stalls once half of the blocks have been visited. Change the method to BCD.",
                {"method": "bcd-fast", "outliers": 0, "blocks": 21},
                Choose(lambda r: r.estimate.value / r.truth, ("No, too small", "Yes", "No, too large"), (0.8, 1.25)),
            ),
        ),
    ),
    Story(
        "pareto",
        "Outliers nobody planted",
        (
            Step(
                "Pareto's distribution of shape 3, drawn twice, under the quadratic kernel. The true MMD is 0. Which"
                " estimate is nearer?",
                "MONK's: it estimates {monk}, the U-statistic {u}. In a heavy-tailed distribution the largest points"
                " act as outliers.",
                {"laws": "pareto", "outliers": 0},
                _NEARER,
            ),
            Step(
                "Another sample of the same distribution. Is the U-statistic, which estimates MMD², within 1 of 0?",
                "No: it estimates {u}. Under this kernel the fourth moment counts, and it is infinite here, so a single"
                " large point decides. MONK estimates {monk}, although its own assumption fails as well.",
                {"laws": "pareto", "outliers": 0, "seed": 7},
                Choose(lambda r: abs(r.U), ("Yes", "No"), (1.0,)),
            ),
            Step(
                "The same pairs under the RBF kernel. Is the U-statistic's MMD within 0.1 of the truth now?",
                "Yes: it estimates {u}, and MONK estimates {monk}.",
                {"laws": "pareto", "outliers": 0, "seed": 7, "kernel": "RBF"},
                Choose(lambda r: r.u_error, ("Yes", "No"), (0.1,)),
            ),
        ),
    ),
)
