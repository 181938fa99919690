"""The Independence lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Preset, Step, Story

_LINE = {"source": "line", "n": 60, "noise": 1.0, "seed": 5}
_LUCKY = {"source": "none", "seed": 60}

PRESETS = (
    Preset(
        "A ring",
        "100 pairs on a circle: the correlation is 0 and the dependence certain. Drag the noise, and watch HSIC"
        " lose it.",
        {},
        "Pearson's p beside HSIC's",
        at_least=100,
    ),
    Preset(
        "Only the spread",
        "The mean of y is the same everywhere, its spread grows with x: nothing for a correlation, plenty for HSIC.",
        {"source": "fan"},
        "Pearson's p beside HSIC's",
        at_least=100,
    ),
    Preset(
        "A weak line",
        "Where the dependence is a line, Pearson's r looks in the right place only and wins; HSIC pays for looking"
        " everywhere.",
        {"source": "line", "n": 60, "noise": 1.0, "seed": 5},
        "Pearson's p beside HSIC's",
        at_most=0.2,
    ),
    Preset(
        "Too many waves",
        "y is a sine of x, but to so wide a kernel neighbours are all alike: HSIC finds nothing. Move the bandwidth"
        " down.",
        {"source": "sine", "waves": 5, "bandwidth": 1.0, "seed": 4},
        "p",
        at_least=0.1,
    ),
    Preset(
        "The right bandwidth",
        "The same waves at a sixth of that bandwidth: narrow enough to tell a crest from a trough.",
        {"source": "sine", "waves": 5, "bandwidth": 0.16, "seed": 4},
        "p",
        at_most=0.01,
    ),
    Preset(
        "Blurred to Pearson",
        "So much noise on every point of the ring that the marginalized HSIC sees straight lines alone: its p is"
        " Pearson's.",
        {"sigma": 5.0, "picture": "measures"},
        "how far the two p lie apart",
        at_most=0.05,
    ),
    Preset(
        "A lucky seed",
        "15 independent pairs that look dependent. Of 100 fresh samples hardly more do than the level says: try other"
        " seeds.",
        {"source": "none", "n": 15, "seed": 60, "samples": 100, "picture": "power"},
        "p",
        at_most=0.05,
    ),
    Preset(
        "Eckerle4",
        "35 measurements of how much light passes at each wavelength, no correlation, a clear peak. The wavelengths"
        " were chosen by hand, so these are pairs of a grid and no sample.",
        {"source": "eckerle4", "n": 35, "picture": "power"},
        "Pearson's p beside HSIC's",
        at_least=100,
    ),
    Preset(
        "Your data",
        "Example: 178 wines, their colour by flavanoids, and every other column by its dependence on the colour. Upload"
        " your own table below.",
        {"source": "wine", "picture": "columns"},
        "p",
        at_most=0.01,
    ),
)

STORIES = (
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
                "Permute the pairing, and compute HSIC anew. How many of the permutations reach the value of the true"
                " pairing?",
                "{reached}: HSIC is {z} the mean of the permutations, and p = {p}.",
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
                "{p}: the very same, permutation by permutation. What looks like a gain of the marginalized estimator"
                " is a choice of the bandwidth.",
                {**_LINE, "bandwidth": 1.5},
            ),
            Step(
                "Five median distances of noise blur everything but straight lines. What does HSIC say then?",
                "p = {p}, and Pearson's is {r_p}: so wide a kernel compares nothing but means.",
                {**_LINE, "sigma": 5.0},
            ),
            Step(
                "And of the ring, with as much noise?",
                "p = {p}, as Pearson's {r_p}: it has lost the ring, which at σ = 0 no permutation came near. Noise on"
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
                "Draw 100 fresh samples of the same distribution. In how many will HSIC find a dependence at the 5 %"
                " level?",
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
                "By comparing it with the best of 12 in every permutation: {column} leads with p = {column_p}, all"
                " columns counted.",
                {"source": "wine", "picture": "columns"},
            ),
        ),
    ),
)
