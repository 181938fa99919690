"""The Two-sample lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Preset, Step, Story

MASKED = {"outliers": 1}

PRESETS = (
    Preset(
        "A real shift",
        "100 points of each, Q half a standard deviation further: hardly a permutation of the labels puts the"
        " samples as far apart.",
        {},
        "p",
        at_most=0.01,
    ),
    Preset(
        "Masked by one stray",
        "The same samples, and one of Q's 100 points is an outlier, which outweighs all others under the quadratic"
        " kernel. Look under influence.",
        {"kernel": "POLY2", "picture": "influence", **MASKED},
        "p",
        at_least=0.3,
    ),
    Preset(
        "RBF does not care",
        "The same outlier, but under a bounded kernel no single point counts for more than any other.",
        {"picture": "influence", **MASKED},
        "p",
        at_most=0.01,
    ),
    Preset(
        "Wider, not further",
        "Q has P's mean and is wider: the linear kernel compares means, so it cannot tell. Press POLY2.",
        {"source": "spread", "size": 0.4, "kernel": "LIN", "picture": "x-ray", "seed": 4},
        "p",
        at_least=0.2,
    ),
    Preset(
        "Two equal moments",
        "Q has two hills, with P's mean and variance: between the distributions the quadratic kernel's MMD² is exactly"
        " 0, so no sample is large enough. Press RBF.",
        {"source": "moments", "size": 3.0, "d": 1, "kernel": "POLY2", "picture": "x-ray", "seed": 1},
        "MMD² of the laws",
        at_least=-1e-12,
        at_most=1e-12,
    ),
    Preset(
        "The right bandwidth",
        "The same two hills under RBF at a third of the median: narrow enough to see the gap between them.",
        {"source": "moments", "size": 3.0, "d": 1, "bandwidth": 0.32, "picture": "x-ray", "seed": 1},
        "p",
        at_most=0.01,
    ),
    Preset(
        "No difference",
        "P and Q are one distribution. The test must stay silent, but for the level's share of all samples.",
        {"source": "equal", "picture": "power", "seed": 1},
        "p",
        at_least=0.1,
    ),
    Preset(
        "A crowd of strays",
        "P and Q are one distribution, but 5 of Q's 100 points are outliers: the quadratic kernel finds a"
        " difference, which is theirs.",
        {"source": "equal", "kernel": "POLY2", "outliers": 5, "picture": "influence", "seed": 6},
        "p",
        at_most=0.05,
    ),
    Preset(
        "Your data",
        "Example: two kinds of wine. Upload two files of your own below, or one with a column of groups.",
        {"source": "wine", "n": 20, "m": 20, "picture": "influence"},
        "p",
        at_most=0.01,
    ),
)

_HILLS = {"source": "moments", "size": 3.0, "d": 1, "seed": 1}

STORIES = (
    Story(
        "stray",
        "One outlier hides a real difference",
        (
            Step(
                "Q lies half a standard deviation further than P, 100 points of each, and the kernel is quadratic: it"
                " compares means and second moments. Does the test find the difference?",
                "Yes: p = {p}. {reached} permutations of the labels reach the observed value.",
                {"kernel": "POLY2", "picture": "influence"},
            ),
            Step(
                "One of Q's points becomes an outlier, 30 standard deviations away; 99 stay. What becomes of p?",
                "It is {p}. The outlier dominates MMD², in every permutation as well, whichever sample it falls into:"
                " the null distribution has become as wide as the outlier is far.",
                {"kernel": "POLY2", "outliers": 1, "picture": "influence"},
            ),
            Step(
                "Which row does the answer depend on most, and what is p without it?",
                "{row}: leaving it out, p = {without}. But to leave out rows after looking is to choose one's answer;"
                " a test that needs no such choice is better.",
                {"kernel": "POLY2", "outliers": 1, "picture": "influence"},
            ),
            Step(
                "The same outlier under the Gaussian kernel (RBF), which is bounded: the outlier counts as one point"
                " among 200. Does the test find the difference now?",
                "p = {p}, and without {row}, the row of most influence, {without}. A bounded kernel is the first"
                " remedy.",
                {"outliers": 1, "picture": "influence"},
            ),
        ),
    ),
    Story(
        "blind",
        "What a kernel cannot see",
        (
            Step(
                "P has one hill and Q two, with the same mean. The linear kernel compares means. How large is MMD²"
                " between the distributions?",
                "{truth}: to the linear kernel they are the same. On these samples p = {p}.",
                {**_HILLS, "kernel": "LIN", "picture": "x-ray"},
            ),
            Step(
                "The quadratic kernel compares second moments as well. Does that help?",
                "No: the variances are equal too, so between the distributions MMD² is {truth}, and p = {p} here. No"
                " sample is large enough.",
                {**_HILLS, "kernel": "POLY2", "picture": "x-ray"},
            ),
            Step(
                "RBF at the median bandwidth responds to every frequency. In the X-ray, does its window lie where the"
                " difference is?",
                "Partly: it responds mostly to low frequencies, and two hills differ from one at higher ones. MMD² of"
                " the distributions is {truth}, and p = {p}.",
                {**_HILLS, "picture": "x-ray"},
            ),
            Step(
                "A third of that bandwidth moves the window to frequencies three times as high. And now?",
                "The window lies on the difference: MMD² is {z} the mean of the permutations, and p = {p}.",
                {**_HILLS, "bandwidth": 0.32, "picture": "x-ray"},
            ),
            Step(
                "And ten times the median?",
                "The window holds the lowest frequencies alone, which are the low moments, and those are equal: so wide"
                " an RBF is as blind as a polynomial. MMD² of the distributions is {truth}, and p = {p}.",
                {**_HILLS, "bandwidth": 10.0, "picture": "x-ray"},
            ),
        ),
    ),
    Story(
        "shopping",
        "Shopping for a bandwidth",
        (
            Step(
                "P and Q are one distribution; whoever finds a difference is wrong. What is p at the median bandwidth?",
                "p = {p}: nothing to see.",
                {"source": "equal", "seed": 27},
            ),
            Step(
                "Look at the strip of p over all bandwidths. Is there none at which one could publish?",
                "The least p is {least}, at {least_at} × the median; {rejecting} bandwidths reject. Who tries them all"
                " and reports the best errs far more often than the level allows.",
                {"source": "equal", "seed": 27, "bandwidth": 0.1},
            ),
            Step(
                "MMDAgg and MMD-FUSE (the blue lines) look at all bandwidths and pay for it. What do they give?",
                "MMDAgg gives p = {agg} and MMD-FUSE p = {fuse}: they keep their level however many bandwidths they"
                " look at.",
                {"source": "equal", "seed": 27, "bandwidth": 0.05},
            ),
            Step(
                "Where there is a difference, do they still find it, though nobody told them the bandwidth? Here are"
                " two hills against one.",
                "Yes: MMDAgg gives p = {agg} and MMD-FUSE p = {fuse}, where the median bandwidth alone gives {p}.",
                dict(_HILLS),
            ),
        ),
    ),
)
