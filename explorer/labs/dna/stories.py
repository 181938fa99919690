"""The DNA lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Preset, Step, Story

LOUD = {"normalized": False, "spoiled": 3}
_FREE = {"normalized": False}

PRESETS = (
    Preset(
        "Two kinds of junction",
        "50 synthetic reads around the start of an intron, 50 around its end: they share less with one another than"
        " among themselves, and both tests see it.",
        {},
        "the lesser statistic beside its threshold",
        at_least=1.5,
    ),
    Preset(
        "Three long reads hide it",
        "Three reads of one letter, ten times as long, and a kernel that is not normalised: the plain test sees nothing"
        " else. MONK still distinguishes the junctions.",
        LOUD,
        "the plain test's p, where MONK rejects",
        at_least=0.06,
    ),
    Preset(
        "Normalised",
        "The same three reads, and every read with k(s, s) = 1: three of a hundred have little weight, and the plain"
        " test is enough.",
        {**LOUD, "normalized": True},
        "the plain statistic beside its threshold",
        at_least=1.5,
    ),
    Preset(
        "Too few blocks",
        "Three contaminated reads and three blocks: most blocks may have one, and MONK's median is then one of theirs.",
        {**LOUD, "blocks": 3, "seed": 4},
        "the lesser p",
        at_least=0.06,
    ),
    Preset(
        "The price of safety",
        "12 reads each, of two classes that differ little, and none contaminated: the plain test sees the difference"
        " and MONK does not. Blocks cost power.",
        {"classes": "EI/N", "n": 12, "seed": 2},
        "MONK's p, where the plain test rejects",
        at_least=0.06,
    ),
    Preset(
        "A false alarm",
        "Both samples are of one class, and six reads of the second are contaminated: the plain test calls that a"
        " difference. MONK with 25 blocks asks whether most reads differ.",
        {"compare": "first with itself", "spoiled": 6, "normalized": False, "blocks": 25},
        "MONK's p, where the plain test rejects",
        at_least=0.06,
    ),
    Preset(
        "One class, two halves",
        "Both samples are of one kind of junction: there is nothing to find, and neither test finds it.",
        {"compare": "first with itself"},
        "the lesser p",
        at_least=0.06,
    ),
    Preset(
        "Letters alone",
        "Subsequences of one letter: the kernel only counts letters, and that is enough, since introns end in C and T.",
        {"length": 1},
        "the lesser statistic beside its threshold",
        at_least=1.2,
    ),
    Preset(
        "The real ones",
        "Reads of the UCI repository's splice junctions, where the folder of data sets has them.",
        {"source": "splice"},
        "the lesser statistic beside its threshold",
        at_least=1.2,
    ),
)

STORIES = (
    Story(
        "spoiled",
        "How much can a contaminated read hurt?",
        (
            Step(
                "50 reads of each kind of junction, and a kernel that is not normalised. Does the plain test"
                " distinguish them?",
                "The plain test {plain}, and MONK {monk}.",
                _FREE,
            ),
            Step(
                "Now three reads of the second sample are contaminated: the letter A over and over, ten times as long."
                " And now?",
                "The plain test {plain}. A contaminated read has k(s, s) {shout} times that of a clean one, and"
                " wherever a permutation puts the three they decide the value: the observed split is nothing special"
                " any more.",
                LOUD,
            ),
            Step(
                "MONK takes the median over 11 blocks of pairs, and three reads contaminate three of them at most. What"
                " does it conclude?",
                "It {monk}, at {monk_reach} times what it must exceed. The pairs stay pairs when they are swapped, so"
                " the null values have no more contaminated blocks than the data.",
                {**LOUD, "blocks": 11},
            ),
            Step(
                "The same reads and three blocks only: does the median still hold?",
                "No: MONK {monk}. Three reads can contaminate two blocks of three, and then the median is one of"
                " theirs. More than twice as many blocks as contaminated reads are safe.",
                {**LOUD, "blocks": 3, "seed": 4},
            ),
            Step(
                "Back to the plain test, with a kernel that is normalised: every read has k(s, s) = 1. Do three of them"
                " still hide anything?",
                "Nothing: the plain test {plain}, at {reach} times what it must exceed. A bounded kernel limits what"
                " one read can do, and that is most often the better remedy.",
                {**LOUD, "normalized": True},
            ),
            Step(
                "And if both samples are of one class, and six reads of one of them are contaminated: is there a"
                " difference?",
                "The plain test {plain}, since six strange reads in one sample alone are a difference of a kind. MONK"
                " with 25 blocks {monk}: it asks whether most reads differ.",
                {"compare": "first with itself", "spoiled": 6, "normalized": False, "blocks": 25},
            ),
        ),
    ),
    Story(
        "sees",
        "What does the kernel see?",
        (
            Step(
                "Subsequences of one letter: the kernel counts letters and no more. Can it distinguish where introns"
                " begin from where they end?",
                "Yes: the plain test {plain}. The average similarity of two reads is {within} within a kind and"
                " {across} across: the end of an intron is rich in C and T.",
                {"length": 1},
            ),
            Step(
                "Three letters in order. What becomes of the difference beside what chance gives?",
                "It is {reach} times what it must exceed: order shows more than letters alone. The average similarity"
                " is {within} within a kind, {across} across.",
                {},
            ),
            Step(
                "Decay 1: it does not matter how far apart the letters are. Is anything left of the difference?",
                "Much: {reach} times what it must exceed. With no price on gaps any three letters in order count,"
                " wherever they stand.",
                {"decay": 1.0},
            ),
            Step(
                "Six letters, and a small decay: nearly only letters in a row count. Are two reads still alike?",
                "Hardly: their average similarity is {within} within a kind, {across} across. The few long words that"
                " they share are still enough: the plain test {plain}.",
                {"length": 6, "decay": 0.1},
            ),
            Step(
                "And two halves of one kind?",
                "There is nothing to see, and the plain test {plain}; nor does MONK find anything: it {monk}.",
                {"compare": "first with itself"},
            ),
        ),
    ),
)
