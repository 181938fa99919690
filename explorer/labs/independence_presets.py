"""The Independence lab's presets."""

from __future__ import annotations

from explorer.workbench.stories import Preset

INDEPENDENCE = (
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
        "Wines stand for a table of yours, which you may open below: colour by flavanoids, and every other column by"
        " its dependence on the colour.",
        {"source": "wine", "picture": "columns"},
        "p",
        at_most=0.01,
    ),
)
