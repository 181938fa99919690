"""Presets and stories of the Kernel PCA lab."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "Two rings",
        "No straight line separates the rings; the first kernel principal component does.",
        {},
        "the accuracy of one threshold",
        at_least=0.95,
    ),
    Preset(
        "Linear kernel is PCA",
        "With the linear kernel, kernel PCA is ordinary PCA. Its straight components cannot separate the rings.",
        {"kernel": "LIN"},
        "the largest difference from ordinary PCA",
        at_most=1e-10,
    ),
    Preset(
        "Two moons",
        "The first component follows the moons along their length. PCA ignores groups and does not separate them.",
        {"source": "moons", "bandwidth": 0.5},
        "the accuracy of one threshold",
        at_most=0.8,
    ),
    Preset(
        "Told the groups",
        "Fisher's discriminant knows the groups of the moons and separates new points; no component does.",
        {"source": "moons", "bandwidth": 0.5, "noise": 0.2, "picture": "discriminant"},
        "the accuracy of Fisher's discriminant on new points",
        at_least=0.95,
        then=("noise 0.5", {"noise": 0.5}),
    ),
    Preset(
        "Clusters by HSIC",
        "Choosing labels that depend as strongly as possible on the points gives the clusters of kernel k-means.",
        {"source": "blobs", "n": 61, "picture": "clusters"},
        "the difference of n² HSIC from what k-means explains",
        at_most=1e-9,
        then=("clusters in a row", {"source": "curve", "clusters": 4, "between": "row"}),
    ),
    Preset(
        "Denoise a curve",
        "Each point is replaced by its pre-image from 4 components, which lies nearer to the curve.",
        {"source": "curve", "n": 100, "noise": 0.2, "bandwidth": 0.5, "picture": "denoised"},
        "the squared distance to the noise-free points, relative to before",
        at_most=0.65,
    ),
    Preset(
        "Too few components",
        "Two components cannot represent the curve. Points move away from it instead of back to it.",
        {"source": "curve", "n": 100, "noise": 0.1, "bandwidth": 0.5, "kept": 2, "picture": "denoised"},
        "the squared distance to the noise-free points, relative to before",
        at_least=1.5,
    ),
    Preset(
        "Bandwidth too narrow",
        "Each point resembles only itself, so every component explains the same small share.",
        {"bandwidth": 0.05},
        "the share of component 1",
        at_most=0.06,
        then=("bandwidth 0.4", {"bandwidth": 0.4}),
    ),
    Preset(
        "Shrinking changes nothing",
        "S-COSE multiplies the operator by a number, so its error equals that of plain kernel PCA.",
        {"source": "wine", "variant": "S-COSE", "bandwidth": 1.0, "picture": "errors"},
        "the largest difference of S-COSE's error from KPCA's",
        at_most=1e-8,
    ),
    Preset(
        "A small gain",
        "Shrinking the centre lowers the held-out error, but only by a fraction of a percent.",
        {"variant": "S-centred", "picture": "errors"},
        "the gain of shrunk centring",
        at_least=1e-4,
        at_most=1e-2,
    ),
    Preset(
        "Components that swap",
        "Components 2 and 3 of the rings explain nearly the same share, so they swap in some resamples.",
        {"component": 2, "picture": "ghosts"},
        "the share of resamples in which components 2 and 3 swap",
        at_least=0.08,
        then=("200 points", {"n": 200}),
    ),
)

_CURVE = PRESETS[5].fields
_COSE = PRESETS[8].fields

STORIES = (
    Story(
        "rings",
        "Directions that are not straight",
        (
            Step(
                "With the linear kernel, kernel PCA is ordinary PCA. How well does the best threshold on component 1"
                " separate the two rings? Even random scores reach more than 50 %.",
                "With {split} accuracy: a straight direction crosses both rings.",
                PRESETS[1].fields,
                Place(lambda r: r.split, "accuracy", SHARES),
            ),
            Step(
                "Now the RBF kernel, with a bandwidth of 0.4 medians. Does component 1 separate the rings?",
                "Yes, with {split} accuracy. The points of the inner ring are close together, so their features are"
                " alike.",
                {},
                Choose(lambda r: r.split, ("No", "Somewhat", "Yes"), (0.75, 0.9)),
            ),
            Step(
                "The bandwidth rises to 1 median. Does component 1 still separate the rings?",
                "No, the accuracy is only {split}. Component 1 now runs from one side of the plane to the other. Look"
                " at component 3.",
                {"bandwidth": 1.0},
                Choose(lambda r: r.split, ("No", "Yes"), (0.9,)),
            ),
            Step(
                "This is component 3 at the same bandwidth. Which share of the variance does it explain?",
                "It explains {share} and separates the rings with {split} accuracy. A component's share of the variance"
                " shows nothing about groups.",
                {"bandwidth": 1.0, "component": 3},
                Place(lambda r: r.share, "share", SHARES),
            ),
            Step(
                "Now a very narrow kernel, 0.05 medians. Which share of the variance does component 1 explain?",
                "{first}, hardly more than any other component: each point resembles only itself.",
                PRESETS[7].fields,
                Choose(lambda r: r.first_share, ("less than 10 %", "10 to 30 %", "more"), (0.1, 0.3)),
            ),
        ),
    ),
    Story(
        "denoise",
        "Keeping what matters",
        (
            Step(
                "100 noisy points lie near a curve. Each is replaced by its pre-image from 4 components. How much less"
                " squared distance to the noise-free points is left?",
                "{less} less. Most of the noise lies along the components that are dropped.",
                _CURVE,
                Place(lambda r: 1 - r.cleaned, "less squared distance", SHARES),
            ),
            Step(
                "With 2 components the points keep even less of the noise. Do they come nearer to the curve?",
                "No: two components cannot represent the curve, and its shape is lost with the noise.",
                {**_CURVE, "kept": 2},
                Choose(lambda r: r.cleaned, ("nearer", "no nearer"), (0.9,)),
            ),
            Step(
                "And with 12 components? How much less squared distance is left?",
                "The points hardly move: {less} less. Most of the noise is kept, too.",
                {**_CURVE, "kept": 12},
                Place(lambda r: 1 - r.cleaned, "less squared distance", SHARES),
            ),
        ),
    ),
    Story(
        "shrink",
        "Does shrinkage help?",
        (
            Step(
                "S-COSE shrinks the covariance operator of 60 wines. How does its error on other wines compare with"
                " that of plain kernel PCA?",
                "It is {scose}: a multiple of an operator has the same components. The gain in the paper's Figure 3 is"
                " an error (erratum 32).",
                _COSE,
                Choose(
                    lambda r: r.study and r.study.gain("S-COSE", r.lab.kept),
                    ("more", "the same", "less"),
                    (-1e-8, 1e-8),
                ),
            ),
            Step(
                "Shrinking the centre of 60 points of the rings helps a little. By how many percent does the error"
                " fall?",
                "The error is {centred}: a real gain, but a very small one.",
                PRESETS[9].fields,
                Place(
                    lambda r: r.study and 100 * r.study.gain("S-centred", r.lab.kept), "percent", values(0.0, 2.0, 20)
                ),
            ),
            Step(
                "F-COSE changes the points' weights, and with them the components. Does this lower the held-out error"
                " on the rings?",
                "No, the error is {fcose}. Weights that suit the operator as a whole need not suit its components.",
                {"variant": "F-COSE", "picture": "errors"},
                Choose(lambda r: r.study and -r.study.gain("F-COSE", r.lab.kept), ("Yes", "No"), (0.0,)),
            ),
            Step(
                "Here are 100 bootstrap resamples of the wines. In how many does component 1 keep its place?",
                "In {steady} of 100.",
                {"source": "wine", "picture": "ghosts"},
                Place(lambda r: r.boot and r.boot.steady(1) / r.boot.count, "share of the resamples", SHARES),
            ),
            Step(
                "And component 5? In how many resamples does it keep its place?",
                "In {steady} of 100. Trailing components belong to the sample, not to the population.",
                {"source": "wine", "picture": "ghosts", "component": 5},
                Choose(lambda r: r.boot and r.boot.steady(5) / r.boot.count, ("fewer than half", "more"), (0.5,)),
            ),
        ),
    ),
)
