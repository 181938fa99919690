"""The Two-sample lab's stories."""

from __future__ import annotations

from explorer.workbench.stories import Step, Story

_HILLS = {"source": "moments", "size": 3.0, "d": 1, "seed": 1}

TWO_SAMPLE = (
    Story(
        "stray",
        "One stray value hides a real difference",
        (
            Step(
                "Q lies half a standard deviation further than P, 100 points of each, and the kernel is quadratic: it"
                " compares means and second moments. Does the test find the difference?",
                "Yes: p = {p}. {reached} shuffles of the labels reach the observed value.",
                {"kernel": "POLY2", "picture": "influence"},
            ),
            Step(
                "One of Q's points goes astray, 30 standard deviations away; 99 stay. What becomes of p?",
                "It is {p}. The stray rules MMD², and it does so in every shuffle as well, on whichever side it falls:"
                " the null distribution has become as wide as the stray is far.",
                {"kernel": "POLY2", "outliers": 1, "picture": "influence"},
            ),
            Step(
                "Which row does the answer hang on, and what would the test say without it?",
                "{row}: without it p would be {without}. But to leave out rows after looking is to choose one's answer;"
                " a test that needs no such choice is better.",
                {"kernel": "POLY2", "outliers": 1, "picture": "influence"},
            ),
            Step(
                "The same stray under the Gaussian kernel (RBF), which is bounded: to it the stray is one point among"
                " 200.",
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
                " between the laws?",
                "{truth}: to the linear kernel they are the same. On these samples p = {p}.",
                {**_HILLS, "kernel": "LIN", "picture": "x-ray"},
            ),
            Step(
                "The quadratic kernel compares second moments as well. Does that help?",
                "No: the variances are equal too, so between the laws MMD² is {truth}, and p = {p} here. No sample is"
                " large enough.",
                {**_HILLS, "kernel": "POLY2", "picture": "x-ray"},
            ),
            Step(
                "RBF at the median bandwidth hears every frequency. In the X-ray, does its window lie where the"
                " difference is?",
                "Partly: it hears mostly low frequencies, and two hills differ from one at higher ones. MMD² of the"
                " laws is {truth}, and p = {p}.",
                {**_HILLS, "picture": "x-ray"},
            ),
            Step(
                "A third of that bandwidth moves the window to frequencies three times as high. And now?",
                "The window lies on the difference: MMD² is {z} the mean of the shuffles, and p = {p}.",
                {**_HILLS, "bandwidth": 0.32, "picture": "x-ray"},
            ),
            Step(
                "And ten times the median?",
                "The window hears the lowest frequencies alone, which are the low moments, and those are equal: so wide"
                " an RBF is as blind as a polynomial. MMD² of the laws is {truth}, and p = {p}.",
                {**_HILLS, "bandwidth": 10.0, "picture": "x-ray"},
            ),
        ),
    ),
    Story(
        "shopping",
        "Shopping for a bandwidth",
        (
            Step(
                "P and Q are one law; whoever finds a difference is wrong. What does the test say at the median"
                " bandwidth?",
                "p = {p}: nothing to see.",
                {"source": "equal", "seed": 27},
            ),
            Step(
                "Look at the strip of p over all bandwidths. Is there none at which one could publish?",
                "The least p is {least}, at {least_at} × the median; {rejecting} bandwidths reject. Who tries them all"
                " and reports the best errs far more often than the level says.",
                {"source": "equal", "seed": 27, "bandwidth": 0.1},
            ),
            Step(
                "MMDAgg and MMD-FUSE (the blue lines) look at all bandwidths and pay for it. What do they say?",
                "MMDAgg says p = {agg} and MMD-FUSE p = {fuse}: they keep their level however many bandwidths they"
                " look at.",
                {"source": "equal", "seed": 27, "bandwidth": 0.05},
            ),
            Step(
                "Where there is a difference, do they still find it, though nobody told them the bandwidth? Here are"
                " two hills against one.",
                "Yes: MMDAgg says p = {agg} and MMD-FUSE p = {fuse}, where the median bandwidth alone says {p}.",
                dict(_HILLS),
            ),
        ),
    ),
)
