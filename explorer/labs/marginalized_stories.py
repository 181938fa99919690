"""The Marginalized lab's stories."""

from __future__ import annotations

from explorer.workbench.stories import Step, Story

_AXIS = {"source": "axis", "d": 3}

MARGINALIZED = (
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
                "Now every point is blurred by a tenth of the data's spread. Does it not spoil the estimate to spoil"
                " the data?",
                "On the contrary: MKME is {mkme} on this sample, and {average} on average. Some noise helps whatever"
                " the law is, unless it is a single point.",
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
                "One normal law, the same in all directions, and 8 points of it. Does a second σ help here?",
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
