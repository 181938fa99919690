"""Presets and stories of the DNA lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

LOUD: dict[str, float | str] = {"normalized": False, "contaminated": 3}
_FREE = {"normalized": False}

PRESETS = (
    Preset(
        "Two kinds of junction",
        "50 synthetic reads from the start of introns and 50 from their end. Both tests distinguish them.",
        {},
        "the lesser statistic beside its threshold",
        at_least=1.5,
    ),
    Preset(
        "Three long reads hide it",
        "Three reads repeat one letter and are ten times as long. The plain test misses the difference, MONK does not.",
        LOUD,
        "the plain test's p, where MONK rejects",
        at_least=0.06,
        then=("the normalised kernel", {"normalized": True}),
    ),
    Preset(
        "Normalised",
        "The same reads, each with k(s, s) = 1. Three of a hundred have little weight, so the plain test suffices.",
        {**LOUD, "normalized": True},
        "the plain statistic beside its threshold",
        at_least=1.5,
    ),
    Preset(
        "Too few blocks",
        "Three contaminated reads can affect most of three blocks, and then MONK's median is contaminated too.",
        {**LOUD, "blocks": 3, "seed": 4},
        "the lesser p",
        at_least=0.06,
        then=("11 blocks", {"blocks": 11}),
    ),
    Preset(
        "The price of robustness",
        "12 clean reads each of two similar classes. The plain test finds a difference that MONK misses.",
        {"classes": "EI/N", "n": 12, "seed": 2},
        "MONK's p, where the plain test rejects",
        at_least=0.06,
        then=("50 reads each", {"n": 50}),
        was="The price of safety",
    ),
    Preset(
        "A false alarm",
        "One class twice, with six reads contaminated. The plain test rejects; MONK asks whether most reads differ.",
        {"compare": "first with itself", "contaminated": 6, "normalized": False, "blocks": 25},
        "MONK's p, where the plain test rejects",
        at_least=0.06,
        then=("no contamination", {"contaminated": 0}),
    ),
    Preset(
        "One class, two halves",
        "Both samples are of one kind of junction. There is no difference, and neither test rejects.",
        {"compare": "first with itself"},
        "the lesser p",
        at_least=0.06,
    ),
    Preset(
        "Letters alone",
        "With subsequences of one letter the kernel only counts letters. Introns end in C and T, so that is enough.",
        {"length": 1},
        "the lesser statistic beside its threshold",
        at_least=1.2,
        then=("subsequences of 3 letters", {"length": 3}),
    ),
    Preset(
        "Real junctions",
        "Reads of the splice junctions in the UCI repository, if the folder of data sets has them.",
        {"source": "splice"},
        "the lesser statistic beside its threshold",
        at_least=1.2,
        was="The real ones",
    ),
)

_PLAIN = Choose(lambda r: r.plain.pvalue, ("Yes", "No"), (0.05,))
_REACH = ("below its threshold", "up to 5 times", "more than 5 times")


def _rejecting(result):
    """Return 0 if neither test rejects, 1 for the plain test, 2 for MONK's, 3 for both."""
    return result.rejects(result.plain) + 2 * result.rejects(result.monk)


_WHICH = Choose(_rejecting, ("neither", "the plain test", "MONK", "both"), (0, 1, 2))

STORIES = (
    Story(
        "contaminated",
        "How much can a contaminated read hurt?",
        (
            Step(
                "50 reads of each kind of junction, with a kernel that is not normalised. Does the plain test"
                " distinguish them?",
                "Yes: the plain test {plain}, and MONK {monk}.",
                _FREE,
                _PLAIN,
            ),
            Step(
                "Now three reads of the second sample are contaminated: the letter A over and over, ten times as long."
                " Does the plain test still distinguish the samples?",
                "No: the plain test {plain}. A contaminated read has {shout} times the k(s, s) of a clean read, so the"
                " three dominate MMD² in every permutation, and the observed MMD² is not exceptional.",
                LOUD,
                _PLAIN,
            ),
            Step(
                "MONK takes the median over 11 blocks of pairs, and three reads contaminate three blocks at most. How"
                " large is its statistic relative to its threshold?",
                "It is {monk_reach} times its threshold: MONK {monk}. Swapping keeps pairs together, so the null values"
                " have no more contaminated blocks than the data.",
                {**LOUD, "blocks": 11},
                Choose(lambda r: r.reach(r.monk), ("below it", "up to 5 times as large", "even larger"), (1.0, 5.0)),
            ),
            Step(
                "Other reads of the same kind, and only three blocks. Does MONK still distinguish them?",
                "No: MONK {monk}. Three reads can contaminate two of three blocks, and then a contaminated block is the"
                " median. It is safe to have more than twice as many blocks as contaminated reads.",
                {**LOUD, "blocks": 3, "seed": 4},
                Choose(lambda r: r.monk.pvalue, ("Yes", "No"), (0.05,)),
            ),
            Step(
                "Now the kernel is normalised, so every read has k(s, s) = 1. Does the plain test distinguish the"
                " samples despite the three contaminated reads?",
                "Yes: the plain test {plain}, and its statistic is {reach} times its threshold. A bounded kernel limits"
                " the influence of one read, and is usually the better remedy.",
                {**LOUD, "normalized": True},
                _PLAIN,
            ),
            Step(
                "Both samples are of one class, and six reads of one sample are contaminated. Which test reports a"
                " difference?",
                "The plain test {plain}, because six contaminated reads in one sample are a difference. MONK with 25"
                " blocks {monk}, because it asks whether most reads differ.",
                {"compare": "first with itself", "contaminated": 6, "normalized": False, "blocks": 25},
                _WHICH,
            ),
        ),
        was="spoiled",  # the story's name in old links
    ),
    Story(
        "sees",
        "What does the kernel see?",
        (
            Step(
                "With subsequences of one letter the kernel only counts letters. Can the plain test distinguish the"
                " start of introns from their end?",
                "Yes: the plain test {plain}. The average similarity of two reads is {within} within the kinds and"
                " {across} between them. The end of an intron is rich in C and T.",
                {"length": 1},
                _PLAIN,
            ),
            Step(
                "Three letters in order. How large is the plain statistic relative to its threshold?",
                "It is {reach} times its threshold, more than with single letters. The average similarity is {within}"
                " within the kinds and {across} between them.",
                {},
                Choose(lambda r: r.reach(r.plain), _REACH, (1.0, 5.0)),
            ),
            Step(
                "With decay 1 the distance between the letters does not matter. How large is the statistic relative to"
                " its threshold?",
                "It is {reach} times its threshold. Gaps cost nothing, so any three letters in order count, wherever"
                " they are.",
                {"decay": 1.0},
                Choose(lambda r: r.reach(r.plain), _REACH, (1.0, 5.0)),
            ),
            Step(
                "With six letters and a small decay, almost only letters in a row count. How similar are two reads of"
                " different kinds on average?",
                "Hardly: {across}, compared with {within} within the kinds. The few long words that they share are"
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
