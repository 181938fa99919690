"""The MONK lab's stories."""

from __future__ import annotations

from explorer.workbench.stories import Step, Story

_ONE = {"planted": "Q", "outliers": 1}
_FAR = {"distance": 2000.0}

MONK = (
    Story(
        "one-outlier",
        "One outlier ruins the mean",
        (
            Step(
                "200 clean pairs of two normal laws, under the quadratic kernel. Does a vote of 11 blocks cost much,"
                " where there is nothing to outvote?",
                "No: the U-statistic says {u} and MONK {monk}, where the truth is {truth}. This is one sample; in"
                " others MONK is a little worse.",
                {"outliers": 0},
            ),
            Step(
                "One of Q's 200 readings is 10. By how much does each estimate move?",
                "The U-statistic now says {u}, MONK {monk}; the truth is still {truth}.",
                _ONE,
            ),
            Step(
                "Now it is 100, a comma forgotten. And now?",
                "The U-statistic says {u}: under this kernel one reading may count as much as one likes. MONK says"
                " {monk}: its block is outvoted, and how far away the point lies makes hardly a difference.",
                {**_ONE, "distance": 100.0},
            ),
            Step(
                "A vote needs voters. What does MONK say with one block?",
                "{monk}: with one block it is the biased statistic, the distance of the two plain averages, and as"
                " helpless.",
                {**_ONE, "distance": 100.0, "blocks": 1},
            ),
            Step(
                "Two more outliers by hand, one in each sample. How many does a vote of 11 blocks bear?",
                "Any 5 spoilt pairs, wherever they fall. Here MONK says {monk}, the U-statistic {u}. Drag the crosses, "
                "and add your own.",
                {**_ONE, "distance": 100.0, "placed": "[[20.0,1.5],[-8.0,0.5]]"},
            ),
        ),
    ),
    Story(
        "identical",
        "Identical, says the U-statistic",
        (
            Step(
                "One bad pair: 10 in P and 20 in Q. Does the U-statistic say more than the truth, or less?",
                "Less: it says {u}, and the truth is {truth}. U leaves out each point's likeness to itself, but not"
                " that of the two outliers to one another, and that makes the samples look alike.",
                {"outliers": 1},
            ),
            Step(
                "The same pair at 2000 and 4000. What is U, the estimate of a square?",
                "{U}. A program that takes the root of max(U, 0) reports an MMD of exactly 0: identical. MONK says"
                " {monk}.",
                {"outliers": 1, **_FAR},
            ),
            Step(
                "Two such pairs. Does it get worse in the same direction?",
                "In the other: U says {u}, as now each sample has two outliers that are alike. Its sign depends on how"
                " many there are. MONK says {monk}.",
                {"outliers": 2, **_FAR},
            ),
        ),
    ),
    Story(
        "too-few",
        "A vote that is lost",
        (
            Step(
                "5 spoilt pairs at 2000 and 4000, and 5 blocks. Who has the majority?",
                "The outliers. {vote}, and MONK says {monk}, the U-statistic {u}.",
                {"blocks": 5, **_FAR},
            ),
            Step(
                "11 blocks: 5 outliers can spoil 5 of them at most. Is MONK right now?",
                "It has survived: it says {monk}, where the U-statistic says {u} and the truth is {truth}. But with so"
                " many spoilt blocks the median is among the largest clean ones, and too large.",
                {"blocks": 11, "seed": 2, **_FAR},
            ),
            Step(
                "And with 41 blocks?",
                "Nearer: {monk}. Four to ten times as many blocks as outliers are best; the smallest number that"
                " survives, which is also what Lepski's method finds, has the largest bias.",
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
                "Hardly anything: it says {u}, the truth is {truth}, and MONK says {monk}. A bounded kernel is safe"
                " already: for vectors it is the first thing to take.",
                {"kernel": "RBF", **_FAR},
            ),
            Step(
                "Equal laws, no outlier, and 41 blocks under the RBF kernel. What is safety's price?",
                "MONK is {compared}: it says {monk}, the U-statistic {u}, and the truth is {truth}.",
                {"kernel": "RBF", "shift": 0.0, "outliers": 0, "blocks": 41, "seed": 2},
            ),
            Step(
                "The paper's fast algorithm, on clean data, with 21 blocks. Is it only faster?",
                "No: it says {monk} where the truth is {truth}. It compares each block with itself alone, and stalls"
                " once half of them have had their turn. Change it to BCD.",
                {"method": "bcd-fast", "outliers": 0, "blocks": 21},
            ),
        ),
    ),
    Story(
        "pareto",
        "Outliers nobody planted",
        (
            Step(
                "Pareto's law of shape 3, drawn twice, under the quadratic kernel. The true MMD is 0. Does U come"
                " near?",
                "It is {U}, so the MMD that it says is {u}: the largest points are outliers of their own law. MONK says"
                " {monk}.",
                {"laws": "pareto", "outliers": 0},
            ),
            Step(
                "Another sample of the same law. Is U near 0 this time?",
                "It is {U}. Under this kernel the law's fourth moment counts, which is infinite, so a single large"
                " point decides. MONK says {monk}, and its own assumption fails as well.",
                {"laws": "pareto", "outliers": 0, "seed": 7},
            ),
            Step(
                "The same pairs under the RBF kernel?",
                "All is well: the U-statistic says {u} and MONK {monk}.",
                {"laws": "pareto", "outliers": 0, "seed": 7, "kernel": "RBF"},
            ),
        ),
    ),
)
