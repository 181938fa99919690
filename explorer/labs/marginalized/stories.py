"""The Marginalized lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Preset, Step, Story

_AXIS = {"source": "axis", "d": 3}

PRESETS = (
    Preset(
        "Noise helps",
        "20 points at a narrow bandwidth: blur every point, average over the noise exactly, and the estimate is nearer"
        " to the truth.",
        {},
        "the lesser gain",
        at_least=0.4,
    ),
    Preset(
        "One useless axis",
        "The first coordinate is noise alone: MMKME smears that one and spares the others, and MKME has to smear all"
        " alike.",
        _AXIS,
        "MMKME's gain beyond MKME's",
        at_least=0.15,
    ),
    Preset(
        "One σ too many",
        "8 points of a distribution that is alike in all directions: MMKME's second σ follows the sample's luck, and"
        " loses to MKME.",
        {"source": "normal", "n": 8, "bandwidth": 0.5},
        "MMKME's gain beyond MKME's",
        at_most=-0.05,
    ),
    Preset(
        "The paper's figure",
        "10 points in 20 coordinates at the median bandwidth, as in figure 1: a small gain, which most samples have."
        " Draw 100.",
        {"n": 10, "d": 20, "bandwidth": 1.0, "sigma": 0.5},
        "MKME's expected gain",
        at_least=0.04,
        at_most=0.1,
    ),
    Preset(
        "Too much noise",
        "100 points at the median bandwidth, and a σ of half the data's spread: both estimates lose, and on average"
        " too.",
        {"n": 100, "bandwidth": 1.0, "sigma": 0.5},
        "MKME's expected gain",
        at_most=-0.5,
    ),
    Preset(
        "Hardly anything",
        "The same points with σ by leave-one-out: on average even the best σ gains next to nothing; what you see is"
        " luck.",
        {"n": 100, "bandwidth": 1.0},
        "the best expected gain",
        at_most=0.05,
    ),
    Preset(
        "No dice needed",
        "What the noise is for, by hand: 50 noisy copies of the sample, and how far their average is from the closed"
        " form.",
        {"sigma": 0.5, "picture": "dice"},
        "what fifty copies add",
        at_most=0.02,
    ),
    Preset(
        "As printed",
        "Theorem 1 of the paper puts weights in MKME's place: as printed they lose half of it, corrected they are as"
        " near as any.",
        {"bandwidth": 1.0, "sigma": 0.2, "picture": "approximation"},
        "what printed weights miss beside the plain average",
        at_least=10.0,
    ),
    Preset(
        "Your data",
        "Wines with 13 measurements stand for a table of yours: no true distribution to compare with, so the curves are"
        " estimates.",
        {"source": "wine", "n": 100},
        "the lesser gain",
        at_least=0.1,
    ),
)

STORIES = (
    Story(
        "corrupt",
        "Corrupt on purpose",
        (
            Step(
                "20 points and no noise: σ = 0. What is MKME then?",
                "The plain average, exactly: it is {mkme}.",
                {"sigma": 0.0},
            ),
            Step(
                "Now every point is blurred by a tenth of the data's spread. Does corrupting the data not corrupt"
                " the estimate?",
                "On the contrary: MKME is {mkme} on this sample, and {average} on average. Some noise helps"
                " whatever the distribution is, unless it is a single point.",
                {"sigma": 0.1},
            ),
            Step(
                "Leave-one-out may choose σ. How far will it go?",
                "To {chosen} of the data's spread, where MKME is {mkme}. The paper does not say that it never stays at"
                " 0; its score falls there. On average the best σ is {best_sigma} and brings {best}.",
                {},
            ),
            Step(
                "And noise of one and a half times the spread?",
                "Too much: MKME is {mkme}, and {average} on average. The estimate is smooth, and of the wrong shape.",
                {"sigma": 1.5},
            ),
            Step(
                "100 points at the median bandwidth, and noise of half the spread. Do more data bear more noise?",
                "Less: MKME is {mkme}, and {average} on average. There is little left to remove; the best σ is"
                " {best_sigma} and brings {best}.",
                {"n": 100, "bandwidth": 1.0, "sigma": 0.5},
            ),
        ),
    ),
    Story(
        "axes",
        "Which way to smear",
        (
            Step(
                "Along the first coordinate there is noise alone, along the others four narrow hills. Where will MMKME,"
                " which has a σ for each coordinate, put its noise?",
                "On the first: its σ are {noise} of the data's spread. MMKME is {mmkme}, and MKME {mkme}.",
                _AXIS,
            ),
            Step(
                "Now MMKME may not touch the first coordinate. What can it still do?",
                "Far less: it is {mmkme}, for what was to be removed lies where it may not smear.",
                {**_AXIS, "first": 0.0},
            ),
            Step(
                "One normal distribution, the same in all directions, and 8 points of it. Does a second σ help here?",
                "No. It can only follow the sample's luck: MMKME is {mmkme} and MKME {mkme}. The paper says that MMKME"
                " wins all the time; draw 100 samples and see.",
                {"source": "normal", "n": 8, "bandwidth": 0.5},
            ),
        ),
    ),
    Story(
        "dice",
        "Noise without dice",
        (
            Step(
                "One could draw the noise: copies of the sample, each with noise of its own, and the average over all"
                " of them. How many copies does it take to come near MKME?",
                "One copy is {first} of the plain average's loss away, all {copies} are {last}, and {expected} on"
                " average: the squared distance falls as one over their number. MKME is where it leads to.",
                {"picture": "dice"},
            ),
            Step(
                "What has become of the kernel that sits on each point?",
                "It is wider, and lower: its peak is {kernel} of what it was. A test of two samples sees just another "
                "bandwidth, {seen} in place of {theta}, and gives the same p-value there without any noise.",
                {"picture": "kernel"},
            ),
            Step(
                "Would other weights on the points themselves do as well as noise?",
                "Not quite: the nearest ones miss part of MKME. They sum to {sum}, so MKME shrinks as well.",
                {"picture": "filter"},
            ),
            Step(
                "The paper has weights for small σ, Theorem 1. How near do they come, as printed?",
                "They are {missed_printed} of MKME's length away, and the plain average only {missed_kme}. Half of the"
                " first term is lost in print. Corrected they are {missed_corrected} away, and no weights are nearer"
                " than {missed_projection}.",
                {"bandwidth": 1.0, "sigma": 0.2, "picture": "approximation"},
            ),
            Step(
                "And the corrected weights where σ is large?",
                "There they part: {missed_corrected}, where the nearest weights are {missed_projection} away. They are"
                " the first terms of a series in σ², good as long as σ is far below θ.",
                {"bandwidth": 1.0, "sigma": 0.9, "picture": "approximation"},
            ),
        ),
    ),
)
