"""Presets and stories of the Marginalized lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

_AXIS = {"source": "axis", "d": 3}
_MEASURED = {"source": "measured"}

PRESETS = (
    Preset(
        "Noise helps",
        "20 points, a narrow bandwidth. Adding noise to every point, averaged exactly, lowers the squared error.",
        {},
        "the lesser gain",
        at_least=0.4,
    ),
    Preset(
        "One useless axis",
        "The first coordinate is only noise. MMKME blurs it and spares the others. MKME blurs all of them equally.",
        _AXIS,
        "MMKME's gain beyond MKME's",
        at_least=0.15,
    ),
    Preset(
        "One σ too many",
        "8 points of a distribution that is the same in all directions: MMKME fits its second σ to sampling noise.",
        {"source": "normal", "n": 8, "bandwidth": 0.5},
        "MMKME's gain beyond MKME's",
        at_most=-0.05,
    ),
    Preset(
        "The paper's figure",
        "10 points with 20 coordinates at the median bandwidth, as in figure 1: a small gain, but in most samples.",
        {"n": 10, "d": 20, "bandwidth": 1.0, "sigma": 0.5},
        "MKME's expected gain",
        at_least=0.04,
        at_most=0.1,
    ),
    Preset(
        "Too much noise",
        "100 points at the median bandwidth with σ = 0.5 sd: both estimators are worse than the plain average.",
        {"n": 100, "bandwidth": 1.0, "sigma": 0.5},
        "MKME's expected gain",
        at_most=-0.5,
        then=("σ by leave-one-out", {"sigma": None}),
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
        "50 noisy copies of the sample are drawn. Their average comes close to MKME, which needs no copies.",
        {"sigma": 0.5, "picture": "dice"},
        "what fifty copies add",
        at_most=0.02,
        then=("σ = 1", {"sigma": 1.0}),
    ),
    Preset(
        "As printed",
        "Theorem 1 approximates MKME by weights. The printed weights lose half of MKME; the corrected ones come close.",
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
    Preset(
        "An ellipse to drag",
        "Clusters are blurred along a slanted direction. Noise with a full covariance follows it. Drag its axes.",
        {**_MEASURED, "third": "full", "long": 1.4, "across": 0.2, "tilt": 35.0},
        "the third estimate's gain beyond MMKME's",
        at_least=0.05,
        then=("an ellipse across", {"tilt": 125.0}),
    ),
    Preset(
        "Known measurement error",
        "The instrument's error is known and taken as the noise. Nothing is fitted; the squared error is below"
        " MMKME's.",
        {**_MEASURED, "third": "known"},
        "the third estimate's gain beyond MMKME's",
        at_least=0.05,
        then=("8 points", {"n": 8}),
    ),
    Preset(
        "An ellipse for each point",
        "Under heavy tails lone points get wide ellipses and crowded points narrow ones. Here that beats one σ.",
        {"third": "local", "source": "student"},
        "the third estimate's gain beyond MMKME's",
        at_least=0.05,
        then=("the mixture, where it does not help", {"source": "mixture"}),
    ),
    Preset(
        "Not the Gaussian matters",
        "Uniform and Gaussian noise of the same σ give nearly the same squared error. The amount of noise decides.",
        {"third": "uniform", "sigma": 0.5},
        "how far the third estimate's gain is from MKME's",
        at_most=0.05,
        then=("Student's t noise", {"third": "t"}),
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
                "No: without noise MKME is the plain average, so it has {mkme} squared error.",
                {"sigma": 0.0},
                _HELPS,
            ),
            Step(
                "Every point gets noise with a tenth of the data's standard deviation. Does that corrupt the estimate?",
                "No: MKME has {mkme} squared error on this sample, and {average} on average. A little noise helps on"
                " average for every distribution except a single point.",
                {"sigma": 0.1},
                Choose(lambda r: -r.gain(r.mkme), ("No, it has less error", "Yes, it has more error"), (0.0,)),
            ),
            Step(
                "Now leave-one-out chooses σ. Which σ does it choose, in standard deviations of the data?",
                "It chooses σ = {chosen}, and MKME has {mkme} squared error. On average the best σ for MKME is"
                " {best_sigma}, with {best} less.",
                {},
                Place(lambda r: r.mkme.chosen, "σ by leave-one-out", values(0.0, 2.0, 20)),
            ),
            Step(
                "Does noise of one and a half standard deviations still help?",
                "No, it is too much: MKME has {mkme} squared error on this sample, and {average} on average. The"
                " estimate is smooth but has the wrong shape.",
                {"sigma": 1.5},
                _HELPS,
            ),
            Step(
                "100 points at the median bandwidth, and σ = 0.5. With more data, does more noise help?",
                "No: MKME has {mkme} squared error on this sample, and {average} on average. More data leave less error"
                " to remove: on average the best σ for MKME is {best_sigma}, with {best} less.",
                {"n": 100, "bandwidth": 1.0, "sigma": 0.5},
                Choose(lambda r: r.gain(r.mkme), ("No, it does harm", "Yes, it helps"), (0.0,)),
            ),
        ),
    ),
    Story(
        "axes",
        "Which direction to blur",
        (
            Step(
                "The first coordinate is only noise. The others have four narrow clusters. MMKME has a σ for each"
                " coordinate: which one is largest?",
                "The first: MMKME's σ are {noise} standard deviations of the data. MMKME has {mmkme} squared error, and"
                " MKME {mkme}.",
                _AXIS,
                Choose(
                    lambda r: int(r.mmkme.deviations[r.row].argmax()),
                    ("the first", "the second", "the third"),
                    (0, 1),
                ),
            ),
            Step(
                "Now MMKME may not blur the first coordinate. How much less squared error does it still have?",
                "Much of the gain is lost: MMKME has {mmkme} squared error, because the noise lies along the first"
                " coordinate.",
                {**_AXIS, "first": 0.0},
                Place(lambda r: r.gain(r.mmkme), "less squared error than the plain average, MMKME"),
            ),
            Step(
                "8 points of one Gaussian distribution that is the same in all directions. Does a second σ help?",
                "No: MMKME fits its second σ to noise in the sample. MMKME has {mmkme} squared error, and MKME"
                " {mkme}. The paper claims that MMKME always has less. Draw 100 more samples and see.",
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
                "You could draw the noise: average 50 copies of the sample, each with its own noise. What is the"
                " squared distance from that average to MKME, relative to the plain average's loss?",
                "It is {last} for all {copies} copies, and {first} for one copy. On average it falls as one over the"
                " number of copies, to {expected} for {copies}. MKME is the limit.",
                {"picture": "dice"},
                Choose(
                    lambda r: r.thrown.path[-1], ("less than 5 %", "between 5 and 20 %", "more than 20 %"), (0.05, 0.2)
                ),
            ),
            Step(
                "What does MKME do to the kernel at each point?",
                "It makes the kernel wider and lower: the peak falls to {kernel} of its height. For a two-sample"
                " test this is just another bandwidth, {seen} instead of {theta}. The plain test at {seen} has the"
                " same p-value.",
                {"picture": "kernel"},
                Choose(
                    lambda r: r.slices.one[r.row].max(),
                    ("It is wider and lower", "It is the same", "It is narrower and higher"),
                    (0.999, 1.001),
                ),
            ),
            Step(
                "Can weights on the points replace the noise? What is the sum of the weights that come nearest to"
                " MKME?",
                "Not quite: even the nearest weights miss part of MKME. They sum to {sum}, so MKME also shrinks.",
                {"picture": "filter"},
                Choose(lambda r: r.projected.sums[r.row], ("less than 1", "1", "more than 1"), (0.995, 1.005)),
            ),
            Step(
                "Theorem 1 of the paper approximates MKME by weights for small σ. Are the printed weights nearer to"
                " MKME than the plain average is?",
                "No: their distance to MKME is {missed_printed} of its length, and the plain average's only"
                " {missed_kme}. The printed formula lost half of its first term. Corrected, the distance is"
                " {missed_corrected}, and no weights come nearer than {missed_projection}.",
                {"bandwidth": 1.0, "sigma": 0.2, "picture": "approximation"},
                Choose(lambda r: r.printed_miss, ("Yes", "No"), (1.0,)),
            ),
            Step(
                "At a large σ, are the corrected weights still about as near as the nearest ones?",
                "No: their distance is {missed_corrected}, and that of the nearest weights {missed_projection}. The"
                " corrected weights are the first terms of a series in σ², which is accurate only while σ is far"
                " below θ.",
                {"bandwidth": 1.0, "sigma": 0.9, "picture": "approximation"},
                Choose(lambda r: r.missed.corrected[r.row] / r.missed.projection[r.row], ("Yes", "No"), (1.1,)),
            ),
        ),
    ),
    Story(
        "known",
        "What you know about the noise",
        (
            Step(
                "Four clusters, measured with an instrument whose error is large along one slanted direction. MMKME"
                " fits a σ for each coordinate. How much less squared error does it have?",
                "MMKME has {mmkme} squared error, and MKME {mkme}. The axes of MMKME's ellipse cannot turn into the"
                " slanted direction.",
                _MEASURED,
                Place(lambda r: r.gain(r.mmkme), "less squared error than the plain average, MMKME"),
            ),
            Step(
                "The error's covariance is known from the instrument. It is taken as the noise, with nothing fitted to"
                " the sample. Does that have less squared error than MMKME's fitted noise?",
                "Yes: the known noise gives {third} squared error, and MMKME has {mmkme}. Prior knowledge replaces a"
                " fit to 20 points.",
                {**_MEASURED, "third": "known"},
                Choose(lambda r: r.third_beyond, ("No", "Yes"), (0.0,)),
            ),
            Step(
                "Now the error is unknown. The noise has the shape of the sample's covariance, and leave-one-out"
                " chooses its size. How much less squared error does this estimate have?",
                "It has {third} squared error. The sample's covariance mixes the error with the distances between"
                " clusters. Drag the ends of the ellipse's axes to do better.",
                {**_MEASURED, "third": "full"},
                Place(lambda r: r.gain(r.third.path), "less squared error than the plain average, full covariance"),
            ),
            Step(
                "Does it matter that the noise is Gaussian? With uniform noise of the same σ, is the gain far from"
                " MKME's?",
                "No: uniform noise gives {third} squared error, and MKME has {mkme}. The amount of noise matters;"
                " its distribution hardly does.",
                {"third": "uniform", "sigma": 0.5},
                Choose(
                    lambda r: r.third_apart,
                    ("No, ≤ 5 percentage points", "Yes, > 5 percentage points"),
                    (0.05,),
                ),
            ),
        ),
    ),
)
