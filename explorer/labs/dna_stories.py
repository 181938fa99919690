"""The DNA lab's stories."""

from __future__ import annotations

from explorer.workbench.stories import Step, Story

from .dna_presets import LOUD

_FREE = {"normalized": False}

DNA = (
    Story(
        "spoiled",
        "How much can a spoiled read hurt?",
        (
            Step(
                "50 reads of each kind of junction, and a kernel that is not normalised. Does the plain test tell them"
                " apart?",
                "The plain test {plain}, and MONK {monk}.",
                _FREE,
            ),
            Step(
                "Now three reads of the second sample are spoiled: the letter A over and over, ten times as long. And"
                " now?",
                "The plain test {plain}. A spoiled read has k(s, s) {shout} times that of a clean one, and wherever a"
                " shuffle puts the three they decide the value: the observed split is nothing special any more.",
                LOUD,
            ),
            Step(
                "MONK takes the median over 11 blocks of pairs, and three reads spoil three of them at most. What does"
                " it say?",
                "It {monk}, at {monk_reach} times what it must exceed. The pairs stay pairs when they are swapped, so"
                " the null values have no more spoiled blocks than the data.",
                {**LOUD, "blocks": 11},
            ),
            Step(
                "The same reads and three blocks only: does the median still hold?",
                "No: MONK {monk}. Three reads can spoil two blocks of three, and then the median is one of theirs. More"
                " than twice as many blocks as spoiled reads are safe.",
                {**LOUD, "blocks": 3, "seed": 4},
            ),
            Step(
                "Back to the plain test, with a kernel that is normalised: every read has k(s, s) = 1. Do three of them"
                " still hide anything?",
                "Nothing: the plain test {plain}, at {reach} times what it must exceed. A bounded kernel limits what"
                " one read can say, and that is most often the better remedy.",
                {**LOUD, "normalized": True},
            ),
            Step(
                "And if both samples are of one class, and six reads of one of them are spoiled: is there a"
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
                "Subsequences of one letter: the kernel counts letters and no more. Can it tell where introns begin"
                " from where they end?",
                "Yes: the plain test {plain}. Two reads share {within} on average within a kind and {across} across:"
                " the end of an intron is rich in C and T.",
                {"length": 1},
            ),
            Step(
                "Three letters in order. What becomes of the difference beside what chance gives?",
                "It is {reach} times what it must exceed: order tells more than letters alone. Within a kind two reads"
                " share {within}, across {across}.",
                {},
            ),
            Step(
                "Decay 1: it does not matter how far apart the letters are. Is anything left of it?",
                "Much: {reach} times what it must exceed. With no price on gaps any three letters in order count,"
                " wherever they stand.",
                {"decay": 1.0},
            ),
            Step(
                "Six letters, and a small decay: nearly only letters in a row count. Are two reads still alike?",
                "Hardly: within a kind they share {within}, across {across}. What few long words they have in common is"
                " still enough: the plain test {plain}.",
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
