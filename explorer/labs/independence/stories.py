"""Presets and stories of the Independence lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import P_VALUES, values

_LINE = {"source": "line", "n": 60, "noise": 1.0, "seed": 5}
_OVERFIT = {"source": "line", "n": 60, "noise": 0.7, "seed": 7, "bandwidth": 0.25, "picture": "canonical", "eps": 1e-6}
_LUCKY = {"source": "none", "seed": 60}

PRESETS = (
    Preset(
        "A ring",
        "100 pairs near a circle are dependent but not correlated. Raise the noise until HSIC misses it.",
        {},
        "Pearson's p relative to HSIC's",
        at_least=100,
        then=("noise 0.5", {"noise": 0.5}),
    ),
    Preset(
        "Only the spread",
        "The mean of y is the same at every x, but its spread grows. Correlation misses this; HSIC finds it.",
        {"source": "fan"},
        "Pearson's p relative to HSIC's",
        at_least=100,
    ),
    Preset(
        "A weak line",
        "The dependence is a line. Pearson's r looks only for lines and finds it; HSIC looks for everything.",
        {"source": "line", "n": 60, "noise": 1.0, "seed": 5},
        "Pearson's p relative to HSIC's",
        at_most=0.2,
        then=("300 pairs", {"n": 300}),
    ),
    Preset(
        "Too many waves",
        "y is a sine of x. The kernel is too wide to separate crests from troughs, and HSIC finds nothing.",
        {"source": "sine", "waves": 5, "bandwidth": 1.0, "seed": 4},
        "p",
        at_least=0.1,
        then=("bandwidth 0.16", {"bandwidth": 0.16}),
    ),
    Preset(
        "The right bandwidth",
        "The same waves at a sixth of that bandwidth. The kernel now separates crests from troughs.",
        {"source": "sine", "waves": 5, "bandwidth": 0.16, "seed": 4},
        "p",
        at_most=0.01,
        then=("bandwidth 1", {"bandwidth": 1.0}),
    ),
    Preset(
        "No bandwidth to choose",
        "The wide kernel misses the waves again. HSICAgg tests 25 pairs of bandwidths at one level and finds them.",
        {"source": "sine", "waves": 6, "bandwidth": 1.0, "seed": 4, "picture": "bandwidths"},
        "HSIC's p relative to HSICAgg's",
        at_least=10,
        then=("independent pairs", {"source": "none"}),
    ),
    Preset(
        "Functions that overfit",
        "With hardly any smoothing, two functions correlate almost perfectly on 60 pairs, but not on pairs left out.",
        _OVERFIT,
        "the correlation lost on pairs left out",
        at_least=0.9,
        then=("auto ε", {"eps": None}),
    ),
    Preset(
        "One outlier turns the line",
        "60 pairs lie along a rising line. One outlier turns it around, unless RobustKME weighs the pairs.",
        {**_LINE, "noise": 0.4, "kernel": "LIN", "placed": "[[12, -12]]", "picture": "canonical"},
        "the correlation lost on pairs left out",
        at_least=1,
        then=("RobustKME's weights", {"robust": True}),
    ),
    Preset(
        "Strings and numbers",
        "x is a string of ten letters and y counts CG in it. Kernels compare both kinds; no coordinates are needed.",
        {"source": "strings", "noise": 0.3, "seed": 1},
        "p",
        at_most=0.01,
        then=("noise 2", {"noise": 2.0}),
    ),
    Preset(
        "Columns, one by one",
        "Which columns determine the fractal dimension together? The least useful one is removed, again and again.",
        {"source": "wdbc", "picture": "elimination"},
        "the correlation of the best columns relative to that of all",
        at_least=1.3,
    ),
    Preset(
        "Blurred to Pearson",
        "With much noise on every point, the marginalized HSIC sees only straight lines. Its p is almost Pearson's.",
        {"sigma": 5.0, "picture": "measures"},
        "the difference of the two p",
        at_most=0.05,
        then=("no noise on the points", {"sigma": 0.0}),
    ),
    Preset(
        "A lucky seed",
        "These 15 independent pairs look dependent. Of 100 fresh samples, about as many look so as the level allows.",
        {"source": "none", "n": 15, "seed": 60, "samples": 100, "picture": "power"},
        "p",
        at_most=0.05,
        then=("seed 61", {"seed": 61}),
    ),
    Preset(
        "Eckerle4",
        "Transmittance at 35 wavelengths has a clear peak but no correlation. The wavelengths are a grid, not a"
        " sample.",
        {"source": "eckerle4", "n": 35, "picture": "power"},
        "Pearson's p relative to HSIC's",
        at_least=100,
    ),
    Preset(
        "A table: wine",
        "Example: 178 wines, with all columns ranked by how much the colour depends on them. Upload your own table.",
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
                "100 pairs lie near a ring: x determines y up to its sign. How large is Pearson's correlation?",
                "r = {r}, with p = {r_p}: the left and right halves cancel. Correlation does not detect the ring.",
                {"picture": "measures"},
                Place(lambda r: r.pearson.value, "Pearson's r", values(-1.0, 1.0, 20, "{:.2f}".format)),
            ),
            Step(
                "Permute the pairing and compute HSIC again. How many permutations reach the observed HSIC?",
                "{reached}: HSIC lies {z} the mean of the permutations, and p = {p}.",
                {"picture": "gram"},
                Choose(lambda r: r.trial.reached, ("none", "a few", "more than 50"), (0, 50)),
            ),
            Step(
                "Which function of x goes with which function of y? What do the leading functions look like?",
                "f falls from both sides to the middle, and g rises. They resemble x² and −y², since x² = 1 − y² on a"
                " circle. Their correlation is {together}, and they account for {share} of HSIC.",
                {"picture": "pair"},
                Choose(lambda r: r.trial.shape.f[0] * r.trial.shape.f[-1], ("two lines", "two parabolas"), (0.0,)),
            ),
            Step(
                "Now the noise is half the ring's radius. Does HSIC still find the ring?",
                "No: p = {p}. With this much noise, 100 pairs are too few.",
                {"noise": 0.5, "picture": "pair"},
                _FOUND,
            ),
            Step(
                "Here is the first ring again, with the linear kernel. Does HSIC find it now?",
                "No: p = {p}, and Pearson's is {r_p}. With the linear kernel HSIC is the squared covariance. The kernel"
                " decides which dependence HSIC can detect.",
                {"kernel": "LIN", "picture": "pair"},
                _FOUND,
            ),
        ),
    ),
    Story(
        "blur",
        "Added noise is a wider bandwidth",
        (
            Step(
                "60 pairs contain a weak line. Which finds it, Pearson's r or HSIC at half the median bandwidth?",
                "Pearson's r: its p is {r_p}, and HSIC's is {p}. If the dependence is a line, a test for lines is"
                " best.",
                {**_LINE},
                Choose(lambda r: r.pearson.pvalue - r.pvalue, ("Pearson's r", "HSIC"), (0.0,)),
            ),
            Step(
                "The marginalized HSIC adds noise to every point, with σ equal to the median distance, and averages"
                " over it. Does this test find the line?",
                "Yes: p = {p}. But it is just the test with the RBF kernel at {times} × the median, because a constant"
                " factor changes no p-value.",
                {**_LINE, "sigma": 1.0},
                _FOUND,
            ),
            Step(
                "So try the plain HSIC at 1.5 × the median. What is its p?",
                "p = {p}: exactly the same, permutation by permutation. The apparent gain of the marginalized estimator"
                " is a choice of bandwidth.",
                {**_LINE, "bandwidth": 1.5},
                _P,
            ),
            Step(
                "Noise of five median distances blurs everything except straight lines. What is p now?",
                "p = {p}, and Pearson's is {r_p}: a kernel this wide detects only lines.",
                {**_LINE, "sigma": 5.0},
                _P,
            ),
            Step(
                "Now the ring, with the same noise on every point. Does HSIC find it?",
                "No: p = {p}, and Pearson's is {r_p}. Without the added noise (σ = 0), no permutation reached the"
                " observed HSIC. So noise can also hide a dependence.",
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
                "Here are 15 pairs with x and y independent. Does HSIC find a dependence in this sample?",
                "Yes: p = {p}, a false alarm. A p this small comes up by chance once in a while.",
                {**_LUCKY, "n": 15, "picture": "power"},
                _FOUND,
            ),
            Step(
                "Draw 100 fresh samples from the same distribution. In how many does HSIC find a dependence, at level"
                " 5 %?",
                "In {fresh} of {count}, and Pearson's r in {pearson_fresh}: about as often as the level allows, even"
                " with only 15 pairs.",
                {**_LUCKY, "n": 15, "samples": 100, "picture": "power"},
                Place(lambda r: r.fresh and r.fresh.kernel, "samples of 100", values(0.0, 50.0, 25)),
            ),
            Step(
                "Take 100 pairs instead of 15, with the same seed. Does HSIC still find a dependence?",
                "No: p = {p}, because the 100 pairs are another sample. With 100 pairs too, {fresh} of {count} fresh"
                " samples give a false alarm. More pairs make a real dependence easier to find, but false alarms as"
                " frequent as before.",
                {**_LUCKY, "n": 100, "samples": 100, "picture": "power"},
                _FOUND,
            ),
            Step(
                "A table has many columns, and one of them always looks best. Compare it with the best of 12 columns in"
                " every permutation. Does the best column of the wines still show a dependence?",
                "Yes: {column} is first, with p = {column_p} after accounting for all columns.",
                {"source": "wine", "picture": "columns"},
                Choose(lambda r: r.columns and r.columns.pvalue[0], ("Yes", "No"), (0.05,)),
            ),
        ),
    ),
    Story(
        "canonical",
        "A perfect correlation of 60 pairs",
        (
            Step(
                "60 pairs lie near a line. A function of x and a function of y may be almost arbitrarily rough. How"
                " large can their correlation on these pairs become?",
                "{canonical}: functions this rough fit almost any 60 pairs.",
                _OVERFIT,
                Place(
                    lambda r: r.canonical and r.canonical.together, "correlation", values(0.0, 1.0, 20, "{:.2f}".format)
                ),
            ),
            Step(
                "Now leave each pair out, learn both functions from the others, and look at the pair left out. What is"
                " the rank correlation of all these values?",
                "{held}: the functions have memorised 59 pairs and learnt nothing about the next one.",
                _OVERFIT,
                Place(lambda r: r.held_out, "rank correlation", values(-1.0, 1.0, 20, "{:.2f}".format)),
            ),
            Step(
                "Leave-one-out chooses how smooth the functions are. Does the correlation on these pairs rise or fall?",
                "It falls to {canonical}, but on pairs left out the rank correlation is {held}: a smaller"
                " correlation that holds for new pairs.",
                {**_OVERFIT, "eps": None},
                Choose(lambda r: r.canonical and r.canonical.together, ("falls", "rises"), (0.95,)),
            ),
        ),
    ),
)
