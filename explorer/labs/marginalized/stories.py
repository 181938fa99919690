"""The Marginalized lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

_AXIS = {"source": "axis", "d": 3}

PRESETS = (
    Preset(
        "Noise helps",
        "20 points, a narrow bandwidth. Blurring every point, averaged exactly, lowers the squared error.",
        {},
        "the lesser gain",
        at_least=0.4,
    ),
    Preset(
        "One useless axis",
        "The first coordinate is noise alone. MMKME smears it and spares the others; MKME smears all alike.",
        _AXIS,
        "MMKME's gain beyond MKME's",
        at_least=0.15,
    ),
    Preset(
        "One σ too many",
        "8 points, a distribution alike in all directions: MMKME's second σ follows luck, and it loses to MKME.",
        {"source": "normal", "n": 8, "bandwidth": 0.5},
        "MMKME's gain beyond MKME's",
        at_most=-0.05,
    ),
    Preset(
        "The paper's figure",
        "10 points in 20 coordinates, median bandwidth, as in figure 1: a small gain, but in most samples.",
        {"n": 10, "d": 20, "bandwidth": 1.0, "sigma": 0.5},
        "MKME's expected gain",
        at_least=0.04,
        at_most=0.1,
    ),
    Preset(
        "Too much noise",
        "100 points, median bandwidth, σ half the data's spread: both estimators lose, also on average.",
        {"n": 100, "bandwidth": 1.0, "sigma": 0.5},
        "MKME's expected gain",
        at_most=-0.5,
    ),
    Preset(
        "Hardly anything",
        "The same points with σ by leave-one-out: on average even the best σ gains next to nothing.",
        {"n": 100, "bandwidth": 1.0},
        "the best expected gain",
        at_most=0.05,
    ),
    Preset(
        "No dice needed",
        "The noise drawn by hand: 50 noisy copies of the sample, and how far their average is from the closed form.",
        {"sigma": 0.5, "picture": "dice"},
        "what fifty copies add",
        at_most=0.02,
    ),
    Preset(
        "As printed",
        "Theorem 1 gives weights in place of MKME. As printed they lose half of it; corrected they come close.",
        {"bandwidth": 1.0, "sigma": 0.2, "picture": "approximation"},
        "what printed weights miss beside the plain average",
        at_least=10.0,
    ),
    Preset(
        "A table: wine",
        "Example: wines with 13 measurements. The truth is unknown, so the curves are leave-one-out estimates.",
        {"source": "wine", "n": 100},
        "the lesser gain",
        at_least=0.1,
    ),
)

_HELPS = Choose(lambda r: r.gain(r.mkme), ("No", "Yes"), (5e-4,))

STORIES = (
    Story(
        "corrupt",
        "Corrupt on purpose",
        (
            Step(
                "20 points and no noise: σ = 0. Does MKME have less squared error than the plain average?",
                "No: it is the plain average, so MKME has {mkme} squared error.",
                {"sigma": 0.0},
                _HELPS,
            ),
            Step(
                "Now every point is blurred by a tenth of the data's spread. Does that corrupt the estimate?",
                "No: MKME has {mkme} squared error on this sample, and {average} on average. Some noise helps whatever"
                " the distribution is, unless it is a single point.",
                {"sigma": 0.1},
                Choose(lambda r: -r.gain(r.mkme), ("No, it has less error", "Yes, it has more error"), (0.0,)),
            ),
            Step(
                "Leave-one-out may choose σ. How much noise will it take, in units of the data's spread?",
                "σ = {chosen}, where MKME has {mkme} squared error. Its score falls at 0, so it never stays there. On"
                " average the best σ is {best_sigma}, with {best} less.",
                {},
                Place(lambda r: r.mkme.chosen, "σ by leave-one-out", values(0.0, 2.0, 20)),
            ),
            Step(
                "And noise of one and a half times the spread: does it still help?",
                "No, it is too much: MKME has {mkme} squared error, and {average} on average. The estimate is smooth,"
                " but has the wrong shape.",
                {"sigma": 1.5},
                _HELPS,
            ),
            Step(
                "100 points at the median bandwidth, and noise of half the spread. Do more data bear more noise?",
                "No, less: MKME has {mkme} squared error, and {average} on average. There is little noise left to"
                " remove: the best σ is {best_sigma}, with {best} less.",
                {"n": 100, "bandwidth": 1.0, "sigma": 0.5},
                Choose(lambda r: r.gain(r.mkme), ("No, it does harm", "Yes, it helps"), (0.0,)),
            ),
        ),
    ),
    Story(
        "axes",
        "Which way to smear",
        (
            Step(
                "The first coordinate is noise alone, along the others there are four narrow hills. MMKME has a σ for"
                " each coordinate: where does it put most noise?",
                "On the first: its σ are {noise} times the data's spread. MMKME has {mmkme} squared error, and MKME"
                " {mkme}.",
                _AXIS,
                Choose(
                    lambda r: int(r.mmkme.deviations[r.row].argmax()),
                    ("on the first", "on the second", "on the third"),
                    (0, 1),
                ),
            ),
            Step(
                "Now MMKME may put no noise on the first coordinate. How much less squared error does it still have?",
                "Far less is left: MMKME has {mmkme} squared error, because what was to be removed lies where it may"
                " not smear.",
                {**_AXIS, "first": 0.0},
                Place(lambda r: r.gain(r.mmkme), "less squared error than the plain average, MMKME"),
            ),
            Step(
                "One Gaussian distribution, the same in all directions, and 8 points of it. Does a second σ help?",
                "No, it can only follow the sample's luck: MMKME has {mmkme} squared error, and MKME {mkme}. The paper"
                " claims that MMKME always wins; draw 100 samples and see.",
                {"source": "normal", "n": 8, "bandwidth": 0.5},
                Choose(lambda r: r.beyond, ("No", "Yes"), (0.0,)),
            ),
        ),
    ),
    Story(
        "dice",
        "Noise without dice",
        (
            Step(
                "One could draw the noise: average 50 copies of the sample, each with noise of its own. How far from"
                " MKME is that average, as a share of the plain average's loss?",
                "All {copies} copies are {last} away, one copy {first}, and on average it is {expected}: the squared"
                " distance falls as one over their number. MKME is the limit.",
                {"picture": "dice"},
                Choose(
                    lambda r: r.thrown.path[-1], ("less than 5 %", "between 5 and 20 %", "more than 20 %"), (0.05, 0.2)
                ),
            ),
            Step(
                "What has become of the kernel that sits on each point?",
                "It is wider and lower: its peak is {kernel} of what it was. A two-sample test sees just another"
                " bandwidth, {seen} instead of {theta}, and gives the same p-value there without any noise.",
                {"picture": "kernel"},
                Choose(
                    lambda r: r.slices.one[r.row].max(),
                    ("It is wider and lower", "It is the same", "It is narrower and higher"),
                    (0.999, 1.001),
                ),
            ),
            Step(
                "Could other weights on the points do what the noise does? What is the sum of the nearest ones?",
                "Not quite: the nearest weights miss part of MKME. They sum to {sum}, so MKME shrinks as well.",
                {"picture": "filter"},
                Choose(lambda r: r.projected.sums[r.row], ("less than 1", "1", "more than 1"), (0.995, 1.005)),
            ),
            Step(
                "The paper has weights for small σ, Theorem 1. Are they nearer to MKME, as printed, than the plain"
                " average is?",
                "No: they are {missed_printed} of MKME's length away, and the plain average only {missed_kme}, because"
                " half of the first term is lost in print. Corrected they are {missed_corrected} away, and no weights"
                " are nearer than {missed_projection}.",
                {"bandwidth": 1.0, "sigma": 0.2, "picture": "approximation"},
                Choose(lambda r: r.printed_miss, ("Yes", "No"), (1.0,)),
            ),
            Step(
                "And where σ is large: are the corrected weights still about as near as any?",
                "No: they are {missed_corrected} away, and the nearest weights {missed_projection}. They are the first"
                " terms of a series in σ², which is good as long as σ is far below θ.",
                {"bandwidth": 1.0, "sigma": 0.9, "picture": "approximation"},
                Choose(lambda r: r.missed.corrected[r.row] / r.missed.projection[r.row], ("Yes", "No"), (1.1,)),
            ),
        ),
    ),
)
