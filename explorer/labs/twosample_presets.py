"""The Two-sample lab's presets."""

from __future__ import annotations

from explorer.workbench.stories import Preset

MASKED = {"outliers": 1}

TWO_SAMPLE = (
    Preset(
        "A real shift",
        "100 points of each, Q half a standard deviation further: hardly a shuffle of the labels puts the samples as"
        " far apart.",
        {},
        "p",
        at_most=0.01,
    ),
    Preset(
        "Masked by one stray",
        "The same samples, and one of Q's 100 points astray: the quadratic kernel sees nothing else. Look under"
        " influence.",
        {"kernel": "POLY2", "picture": "influence", **MASKED},
        "p",
        at_least=0.3,
    ),
    Preset(
        "RBF does not care",
        "The same stray, but under a bounded kernel no single point counts for more than any other.",
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
        "Q has two hills, with P's mean and variance: between the laws the quadratic kernel's MMD² is exactly 0, so no "
        "sample is large enough. Press RBF.",
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
        "P and Q are one law. The test must stay silent, but for the level's share of all samples.",
        {"source": "equal", "picture": "power", "seed": 1},
        "p",
        at_least=0.1,
    ),
    Preset(
        "A crowd of strays",
        "The bulks are equal and 5 of Q's 100 points are strays: the quadratic kernel finds a difference, which is"
        " theirs.",
        {"source": "equal", "kernel": "POLY2", "outliers": 5, "picture": "influence", "seed": 6},
        "p",
        at_most=0.05,
    ),
    Preset(
        "Your data",
        "Two kinds of wine stand for two groups of yours, which you may open below: two files, or one with a column of"
        " groups.",
        {"source": "wine", "n": 20, "m": 20, "picture": "influence"},
        "p",
        at_most=0.01,
    ),
)
