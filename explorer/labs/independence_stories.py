"""The Independence lab's stories."""

from __future__ import annotations

from explorer.workbench.stories import Step, Story

_LINE = {"source": "line", "n": 60, "noise": 1.0, "seed": 5}
_LUCKY = {"source": "none", "seed": 60}

INDEPENDENCE = (
    Story(
        "shape",
        "Correlation 0, dependence certain",
        (
            Step(
                "100 pairs on a ring: whoever knows x knows y up to its sign. How large is Pearson's correlation?",
                "r = {r}, and {r_p} is its p: left and right of the middle cancel each other. To a correlation the ring"
                " does not exist.",
                {"picture": "measures"},
            ),
            Step(
                "Shuffle the pairing, and compute HSIC anew. How many of the shuffles come as far as the true pairing?",
                "{reached}: HSIC is {z} the mean of the shuffles, and p = {p}.",
                {"picture": "gram"},
            ),
            Step(
                "Which function of x goes with which function of y? Look at the leading pair.",
                "f falls from both sides to the middle and g is turned the other way: they are near to x² and −y², as"
                " on a circle x² = 1 − y². They correlate by {together}, and have {share} of HSIC.",
                {"picture": "pair"},
            ),
            Step(
                "Now the noise is half the ring's radius. Does HSIC still find the ring?",
                "No: p = {p}. 100 pairs are too few for so much noise; more pairs would do.",
                {"noise": 0.5, "picture": "pair"},
            ),
            Step(
                "Back to the clean ring, under the linear kernel. What does HSIC say now?",
                "p = {p}, and Pearson's is {r_p}: under the linear kernel HSIC is the squared covariance. Which"
                " dependence is seen is the kernel's affair.",
                {"kernel": "LIN", "picture": "pair"},
            ),
        ),
    ),
    Story(
        "blur",
        "Noise on purpose is a wider bandwidth",
        (
            Step(
                "A weak line in 60 pairs. Which of the two finds it, Pearson's r or HSIC at half the median bandwidth?",
                "Pearson: its p is {r_p}, and that of HSIC {p}. Where there is a line, to look for a line is best.",
                {**_LINE},
            ),
            Step(
                "The marginalized HSIC gives every point noise, σ as large as the median distance, and takes the mean"
                " over it. Is that a better test?",
                "p = {p}: yes, here. But it is the RBF kernel at {times} × the median in place of 0.5 ×, times a"
                " constant.",
                {**_LINE, "sigma": 1.0},
            ),
            Step(
                "So take the plain HSIC at 1.5 × the median. What is p?",
                "{p}: the very same, shuffle by shuffle. What looks like a gain of the marginalized estimator is a"
                " choice of the bandwidth.",
                {**_LINE, "bandwidth": 1.5},
            ),
            Step(
                "Five median distances of noise blur everything but straight lines. What does HSIC say then?",
                "p = {p}, and Pearson's is {r_p}: so wide a kernel compares nothing but means.",
                {**_LINE, "sigma": 5.0},
            ),
            Step(
                "And of the ring, with as much noise?",
                "p = {p}, as Pearson's {r_p}: it has lost the ring, which at σ = 0 no shuffle came near. Noise on"
                " purpose is no gift.",
                {"sigma": 5.0},
            ),
        ),
    ),
    Story(
        "lucky",
        "Everything looks dependent at a lucky seed",
        (
            Step(
                "15 pairs, x and y independent. What does HSIC say of this sample?",
                "p = {p}: dependent, it says, and it is wrong. A p as small comes up once in a while by chance alone.",
                {**_LUCKY, "n": 15, "picture": "power"},
            ),
            Step(
                "Draw 100 fresh samples of the same law. In how many will HSIC find a dependence at the 5 % level?",
                "In {fresh} of {count}, and Pearson in {pearson_fresh}: about as often as the level says, however few"
                " the pairs.",
                {**_LUCKY, "n": 15, "samples": 100, "picture": "power"},
            ),
            Step(
                "Take 100 pairs in place of 15, with the same seed. Is the dependence still there?",
                "No: p = {p}. What is there stays with more pairs, and luck does not.",
                {**_LUCKY, "n": 100, "picture": "power"},
            ),
            Step(
                "A table has many columns, and one of them is always the luckiest. How can the best of 12 have an"
                " honest p?",
                "By comparing it with the best of 12 in every shuffle: {column} leads with p = {column_p}, all columns"
                " counted.",
                {"source": "wine", "picture": "columns"},
            ),
        ),
    ),
)
