"""The Independence lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import P_VALUES, values

_LINE = {"source": "line", "n": 60, "noise": 1.0, "seed": 5}
_LUCKY = {"source": "none", "seed": 60}

PRESETS = (
    Preset(
        "A ring",
        "100 pairs on a circle: no correlation, but certain dependence. Raise the noise until HSIC loses it.",
        {},
        "Pearson's p beside HSIC's",
        at_least=100,
    ),
    Preset(
        "Only the spread",
        "The mean of y is the same at every x and its spread grows: nothing for a correlation, plenty for HSIC.",
        {"source": "fan"},
        "Pearson's p beside HSIC's",
        at_least=100,
    ),
    Preset(
        "A weak line",
        "Where the dependence is a line, Pearson's r looks only there and wins; HSIC looks everywhere.",
        {"source": "line", "n": 60, "noise": 1.0, "seed": 5},
        "Pearson's p beside HSIC's",
        at_most=0.2,
    ),
    Preset(
        "Too many waves",
        "y is a sine of x, but to so wide a kernel neighbours are all alike: HSIC finds nothing. Narrow it.",
        {"source": "sine", "waves": 5, "bandwidth": 1.0, "seed": 4},
        "p",
        at_least=0.1,
    ),
    Preset(
        "The right bandwidth",
        "The same waves at a sixth of that bandwidth: narrow enough to distinguish a crest from a trough.",
        {"source": "sine", "waves": 5, "bandwidth": 0.16, "seed": 4},
        "p",
        at_most=0.01,
    ),
    Preset(
        "Blurred to Pearson",
        "So much noise on every point that the marginalized HSIC sees only straight lines: its p is Pearson's.",
        {"sigma": 5.0, "picture": "measures"},
        "how far the two p lie apart",
        at_most=0.05,
    ),
    Preset(
        "A lucky seed",
        "15 independent pairs that look dependent. Of 100 fresh samples about as many do as the level allows.",
        {"source": "none", "n": 15, "seed": 60, "samples": 100, "picture": "power"},
        "p",
        at_most=0.05,
    ),
    Preset(
        "Eckerle4",
        "Light that passes at 35 wavelengths: no correlation, a clear peak. The wavelengths are a grid, no sample.",
        {"source": "eckerle4", "n": 35, "picture": "power"},
        "Pearson's p beside HSIC's",
        at_least=100,
    ),
    Preset(
        "A table: wine",
        "Example: 178 wines: every column by how much their colour depends on it. Upload your own table.",
        {"source": "wine", "picture": "columns"},
        "p",
        at_most=0.01,
    ),
)

_FOUND = Choose(lambda r: r.pvalue, ("Yes", "No"), (0.05,))
_P = Place(lambda r: r.pvalue, "p of HSIC", P_VALUES)

STORIES = (
    Story(
        "shape",
        "Correlation 0, dependence certain",
        (
            Step(
                "100 pairs on a ring: whoever knows x knows y up to its sign. How large is Pearson's correlation?",
                "r = {r}, with p = {r_p}: the left and the right half cancel each other. A correlation does not see the"
                " ring.",
                {"picture": "measures"},
                Place(lambda r: r.pearson.value, "Pearson's r", values(-1.0, 1.0, 20, "{:.2f}".format)),
            ),
            Step(
                "Permute the pairing and compute HSIC anew. How many permutations reach the value of the true pairing?",
                "{reached}: HSIC is {z} the mean of the permutations, and p = {p}.",
                {"picture": "gram"},
                Choose(lambda r: r.trial.reached, ("none", "a few", "more than 50"), (0, 50)),
            ),
            Step(
                "Which function of x goes with which function of y? What does the leading pair look like?",
                "f falls from both sides to the middle and g is turned the other way: they are near to x² and −y², as"
                " on a circle x² = 1 − y². They correlate by {together}, and have {share} of HSIC.",
                {"picture": "pair"},
                Choose(lambda r: r.trial.shape.f[0] * r.trial.shape.f[-1], ("two lines", "two parabolas"), (0.0,)),
            ),
            Step(
                "Now the noise is half the ring's radius. Does HSIC still find the ring?",
                "No: p = {p}. 100 pairs are too few for so much noise; more pairs would do.",
                {"noise": 0.5, "picture": "pair"},
                _FOUND,
            ),
            Step(
                "Back to the clean ring, under the linear kernel. Does HSIC find it now?",
                "No: p = {p}, and Pearson's is {r_p}. Under the linear kernel HSIC is the squared covariance: the"
                " kernel decides which dependence is seen.",
                {"kernel": "LIN", "picture": "pair"},
                _FOUND,
            ),
        ),
    ),
    Story(
        "blur",
        "Noise on purpose is a wider bandwidth",
        (
            Step(
                "A weak line in 60 pairs. Which finds it, Pearson's r or HSIC at half the median bandwidth?",
                "Pearson's r: its p is {r_p}, and that of HSIC {p}. Where the dependence is a line, looking for a line"
                " is best.",
                {**_LINE},
                Choose(lambda r: r.pearson.pvalue - r.pvalue, ("Pearson's r", "HSIC"), (0.0,)),
            ),
            Step(
                "The marginalized HSIC gives every point noise, with σ as large as the median distance, and averages"
                " over it. Does that test find the line?",
                "Yes: p = {p}. But it is the test of the RBF kernel at {times} × the median, because a constant factor"
                " changes no p-value.",
                {**_LINE, "sigma": 1.0},
                _FOUND,
            ),
            Step(
                "So take the plain HSIC at 1.5 × the median. What is its p?",
                "p = {p}: the very same, permutation by permutation. What looks like a gain of the marginalized"
                " estimator is a choice of the bandwidth.",
                {**_LINE, "bandwidth": 1.5},
                _P,
            ),
            Step(
                "Noise of five median distances blurs everything but straight lines. What is p then?",
                "p = {p}, and Pearson's is {r_p}: so wide a kernel compares only means.",
                {**_LINE, "sigma": 5.0},
                _P,
            ),
            Step(
                "The ring, with as much noise on every point. Does HSIC find it?",
                "No: p = {p}, and Pearson's is {r_p}. It has lost the ring, which at σ = 0 no permutation came near."
                " Noise on purpose is no gift.",
                {"sigma": 5.0},
                _FOUND,
            ),
        ),
    ),
    Story(
        "lucky",
        "Everything looks dependent at a lucky seed",
        (
            Step(
                "15 pairs, with x and y independent. Does HSIC find a dependence in this sample?",
                "Yes: p = {p}, and it is wrong. By chance alone so small a p comes up once in a while.",
                {**_LUCKY, "n": 15, "picture": "power"},
                _FOUND,
            ),
            Step(
                "Draw 100 fresh samples of the same distribution. In how many does HSIC find a dependence, at the level"
                " of 5 %?",
                "In {fresh} of {count}, and Pearson in {pearson_fresh}: about as often as the level allows, even with"
                " so few pairs.",
                {**_LUCKY, "n": 15, "samples": 100, "picture": "power"},
                Place(lambda r: r.fresh and r.fresh.kernel, "samples of 100", values(0.0, 50.0, 25)),
            ),
            Step(
                "Take 100 pairs instead of 15, with the same seed. Is the dependence still there?",
                "No: p = {p}. A dependence stays when there are more pairs, and luck does not.",
                {**_LUCKY, "n": 100, "picture": "power"},
                _FOUND,
            ),
            Step(
                "A table has many columns, and one of them always looks best. Compare it with the best of 12 columns in"
                " every permutation: does the wine's best column still show a dependence?",
                "Yes: {column} leads with p = {column_p}, all columns counted.",
                {"source": "wine", "picture": "columns"},
                Choose(lambda r: r.columns and r.columns.pvalue[0], ("Yes", "No"), (0.05,)),
            ),
        ),
    ),
)
