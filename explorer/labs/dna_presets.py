"""The DNA lab's presets."""

from __future__ import annotations

from explorer.workbench.stories import Preset

LOUD = {"normalized": False, "spoiled": 3}

DNA = (
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
        " else. MONK still tells the junctions apart.",
        LOUD,
        "the plain test's p, where MONK rejects",
        at_least=0.06,
    ),
    Preset(
        "Normalised",
        "The same three reads, and every read with k(s, s) = 1: three of a hundred have little to say, and plain is"
        " enough.",
        {**LOUD, "normalized": True},
        "the plain statistic beside its threshold",
        at_least=1.5,
    ),
    Preset(
        "Too few blocks",
        "Three spoiled reads and three blocks: most blocks may have one, and MONK's median is then one of theirs.",
        {**LOUD, "blocks": 3, "seed": 4},
        "the lesser p",
        at_least=0.06,
    ),
    Preset(
        "The price of safety",
        "12 reads each, of two classes that differ little, and none spoiled: the plain test sees it and MONK does not."
        " Blocks cost power.",
        {"classes": "EI/N", "n": 12, "seed": 2},
        "MONK's p, where the plain test rejects",
        at_least=0.06,
    ),
    Preset(
        "A false alarm",
        "Both samples are of one class, and six reads of the second are spoiled: the plain test calls that a"
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
