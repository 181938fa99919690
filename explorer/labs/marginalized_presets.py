"""The Marginalized lab's presets."""

from __future__ import annotations

from explorer.workbench.stories import Preset

MARGINALIZED = (
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
        {"source": "axis", "d": 3},
        "MMKME's gain beyond MKME's",
        at_least=0.15,
    ),
    Preset(
        "One σ too many",
        "8 points of a law that is alike in all directions: MMKME's second σ follows the sample's luck, and loses to"
        " MKME.",
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
        "Theorem 1 of the paper puts weights in MKME's place: as printed they lose half of it, mended they are as near"
        " as any.",
        {"bandwidth": 1.0, "sigma": 0.2, "picture": "approximation"},
        "what printed weights miss beside the plain average",
        at_least=10.0,
    ),
    Preset(
        "Your data",
        "Wines with 13 measurements stand for a table of yours: no law to compare with, so the curves are estimates.",
        {"source": "wine", "n": 100},
        "the lesser gain",
        at_least=0.1,
    ),
)
