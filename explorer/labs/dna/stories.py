"""The DNA lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

LOUD: dict[str, float | str] = {"normalized": False, "contaminated": 3}
_FREE = {"normalized": False}

PRESETS = (
    Preset(
        "Two kinds of junction",
        "50 synthetic reads around the start of introns, 50 around their end: both tests distinguish them.",
        {},
        "the lesser statistic beside its threshold",
        at_least=1.5,
    ),
    Preset(
        "Three long reads hide it",
        "Three reads of one letter, ten times as long, kernel not normalised: they blind the plain test, not MONK.",
        LOUD,
        "the plain test's p, where MONK rejects",
        at_least=0.06,
    ),
    Preset(
        "Normalised",
        "The same reads, each with k(s, s) = 1: three of a hundred have little weight, so the plain test suffices.",
        {**LOUD, "normalized": True},
        "the plain statistic beside its threshold",
        at_least=1.5,
    ),
    Preset(
        "Too few blocks",
        "Three contaminated reads, three blocks: most blocks may have one, and MONK's median is one of theirs.",
        {**LOUD, "blocks": 3, "seed": 4},
        "the lesser p",
        at_least=0.06,
    ),
    Preset(
        "The price of safety",
        "12 clean reads each, of two similar classes: the plain test finds a difference that MONK misses.",
        {"classes": "EI/N", "n": 12, "seed": 2},
        "MONK's p, where the plain test rejects",
        at_least=0.06,
    ),
    Preset(
        "A false alarm",
        "One class twice, six reads contaminated: the plain test rejects. MONK asks whether most reads differ.",
        {"compare": "first with itself", "contaminated": 6, "normalized": False, "blocks": 25},
        "MONK's p, where the plain test rejects",
        at_least=0.06,
    ),
    Preset(
        "One class, two halves",
        "Both samples are of one kind of junction: there is no difference, and neither test rejects.",
        {"compare": "first with itself"},
        "the lesser p",
        at_least=0.06,
    ),
    Preset(
        "Letters alone",
        "Subsequences of one letter: the kernel only counts letters. That is enough, as introns end in C and T.",
        {"length": 1},
        "the lesser statistic beside its threshold",
        at_least=1.2,
    ),
    Preset(
        "The real ones",
        "Reads of the UCI repository's splice junctions, if the folder of data sets has them.",
        {"source": "splice"},
        "the lesser statistic beside its threshold",
        at_least=1.2,
    ),
)

_PLAIN = Choose(lambda r: r.plain.pvalue, ("Yes", "No"), (0.05,))
_REACH = ("below its threshold", "up to 5 times", "more than 5 times")


def _rejecting(result):
    """0 for neither test, 1 for the plain one, 2 for MONK's, 3 for both."""
    return result.rejects(result.plain) + 2 * result.rejects(result.monk)


_WHICH = Choose(_rejecting, ("neither", "the plain test", "MONK", "both"), (0, 1, 2))

STORIES = (
    Story(
        "contaminated",
        "How much can a contaminated read hurt?",
        (
            Step(
                "50 reads of each kind of junction, and a kernel that is not normalised. Does the plain test"
                " distinguish them?",
                "Yes: the plain test {plain}, and MONK {monk}.",
                _FREE,
                _PLAIN,
            ),
            Step(
                "Now three reads of the second sample are contaminated: the letter A over and over, ten times as long."
                " Does the plain test still distinguish the samples?",
                "No: the plain test {plain}. A contaminated read has k(s, s) {shout} times that of a clean one, so the"
                " three decide the value in every permutation: the observed split is nothing special any more.",
                LOUD,
                _PLAIN,
            ),
            Step(
                "MONK takes the median over 11 blocks of pairs, and three reads contaminate three blocks at most. How"
                " large is its statistic, beside what it must exceed?",
                "It is {monk_reach} times what it must exceed, so MONK {monk}. The pairs stay pairs when they are"
                " swapped, so the null values have no more contaminated blocks than the data.",
                {**LOUD, "blocks": 11},
                Choose(lambda r: r.reach(r.monk), ("below it", "up to 5 times as large", "even larger"), (1.0, 5.0)),
            ),
            Step(
                "Other reads of the same kind, and three blocks only: does MONK still distinguish them?",
                "No: MONK {monk}. Three reads can contaminate two blocks of three, and then the median is one of"
                " theirs. More than twice as many blocks as contaminated reads are safe.",
                {**LOUD, "blocks": 3, "seed": 4},
                Choose(lambda r: r.monk.pvalue, ("Yes", "No"), (0.05,)),
            ),
            Step(
                "Back to the plain test, with a kernel that is normalised: every read has k(s, s) = 1. Does it"
                " distinguish the samples, three contaminated reads and all?",
                "Yes: the plain test {plain}, at {reach} times what it must exceed. A bounded kernel limits what one"
                " read can do, and that is most often the better remedy.",
                {**LOUD, "normalized": True},
                _PLAIN,
            ),
            Step(
                "Both samples are of one class, and six reads of one sample are contaminated. Which test reports a"
                " difference?",
                "The plain test {plain}: six strange reads in one sample alone are a difference of a kind. MONK with 25"
                " blocks {monk}: it asks whether most reads differ.",
                {"compare": "first with itself", "contaminated": 6, "normalized": False, "blocks": 25},
                _WHICH,
            ),
        ),
        was="spoiled",
    ),
    Story(
        "sees",
        "What does the kernel see?",
        (
            Step(
                "Subsequences of one letter: the kernel only counts letters. Can the plain test distinguish where"
                " introns begin from where they end?",
                "Yes: the plain test {plain}. The average similarity of two reads is {within} within the kinds and"
                " {across} between them: the end of an intron is rich in C and T.",
                {"length": 1},
                _PLAIN,
            ),
            Step(
                "Three letters in order. How large is the plain statistic, beside what it must exceed?",
                "It is {reach} times what it must exceed, more than with letters alone. The average similarity is"
                " {within} within the kinds and {across} between them.",
                {},
                Choose(lambda r: r.reach(r.plain), _REACH, (1.0, 5.0)),
            ),
            Step(
                "Decay 1: it does not matter how far apart the letters are. How much of the difference is left, beside"
                " what the statistic must exceed?",
                "Much: it is {reach} times what it must exceed. With no price on gaps any three letters in order count,"
                " wherever they stand.",
                {"decay": 1.0},
                Choose(lambda r: r.reach(r.plain), _REACH, (1.0, 5.0)),
            ),
            Step(
                "Six letters, and a small decay: hardly more than letters in a row count. How similar are two reads of"
                " different kinds, on average?",
                "Hardly similar: {across}, and {within} within the kinds. The few long words that they share are still"
                " enough: the plain test {plain}.",
                {"length": 6, "decay": 0.1},
                Place(lambda r: r.means[2], "average similarity", values(0.0, 1.0, 20)),
            ),
            Step(
                "Two halves of one kind. Which test reports a difference?",
                "Neither: the plain test {plain}, and MONK {monk}. There is no difference.",
                {"compare": "first with itself"},
                _WHICH,
            ),
        ),
    ),
)
