"""The Kernel PCA lab's presets and stories."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "Two rings",
        "No line parts the rings; the first component of a narrow RBF kernel does.",
        {},
        "the accuracy of one threshold",
        at_least=0.95,
    ),
    Preset(
        "Linear kernel is PCA",
        "Under the linear kernel the components are those of ordinary PCA: straight, and blind to the rings.",
        {"kernel": "LIN"},
        "the largest difference from ordinary PCA",
        at_most=1e-10,
    ),
    Preset(
        "Two moons",
        "The first component follows the moons along their length. It does not separate them: PCA knows no groups.",
        {"source": "moons", "bandwidth": 0.5},
        "the accuracy of one threshold",
        at_most=0.8,
    ),
    Preset(
        "Denoise a curve",
        "Each point is replaced by what 4 components keep of it, which lies nearer to the curve.",
        {"source": "curve", "n": 100, "noise": 0.2, "bandwidth": 0.5, "picture": "denoised"},
        "the squared distance to the clean points, beside that before",
        at_most=0.65,
    ),
    Preset(
        "Too few components",
        "Two components cannot hold the curve: points move away from it instead of back to it.",
        {"source": "curve", "n": 100, "noise": 0.1, "bandwidth": 0.5, "kept": 2, "picture": "denoised"},
        "the squared distance to the clean points, beside that before",
        at_least=1.5,
    ),
    Preset(
        "Bandwidth too narrow",
        "Every point is like itself alone: all components have the same small share, and none means anything.",
        {"bandwidth": 0.05},
        "the share of component 1",
        at_most=0.06,
    ),
    Preset(
        "Shrinking changes nothing",
        "S-COSE multiplies the operator by a number, so its error is that of plain kernel PCA in every digit.",
        {"source": "wine", "variant": "S-COSE", "bandwidth": 1.0, "picture": "errors"},
        "the largest difference of S-COSE's error from KPCA's",
        at_most=1e-8,
    ),
    Preset(
        "A small gain",
        "Shrinking the centre does lower the error on held-out points: by a fraction of a percent.",
        {"variant": "S-centred", "picture": "errors"},
        "the gain of shrunk centring",
        at_least=1e-4,
        at_most=1e-2,
    ),
    Preset(
        "Components that swap",
        "Components 2 and 3 of the rings have nearly the same share, so resamples mix and exchange them.",
        {"component": 2, "picture": "ghosts"},
        "the share of resamples in which components 2 and 3 swap",
        at_least=0.08,
    ),
)

_CURVE = PRESETS[3].fields
_COSE = PRESETS[6].fields

STORIES = (
    Story(
        "rings",
        "Directions that are not straight",
        (
            Step(
                "Two rings, and ordinary PCA: the linear kernel. How well does one threshold on component 1"
                " separate the rings? The best threshold beats 50 % even by chance.",
                "{split}: a straight direction crosses both rings.",
                PRESETS[1].fields,
                Place(lambda r: r.split, "accuracy", SHARES),
            ),
            Step(
                "Now an RBF kernel of 0.4 medians. Does component 1 separate the rings?",
                "Yes, for {split} of the points: the inner ring is a dense spot, where features are alike.",
                {},
                Choose(lambda r: r.split, ("No", "Somewhat", "Yes"), (0.75, 0.9)),
            ),
            Step(
                "The kernel becomes wider, 1 median. Is component 1 still the one that does?",
                "No, only for {split} of the points: it runs from one side of the plane to the other. Look at component"
                " 3.",
                {"bandwidth": 1.0},
                Choose(lambda r: r.split, ("No", "Yes"), (0.9,)),
            ),
            Step(
                "Component 3, at the same bandwidth. Which share of the variance does it hold?",
                "{share}, and it separates the rings for {split} of the points: the share of the variance shows"
                " nothing about groups.",
                {"bandwidth": 1.0, "component": 3},
                Place(lambda r: r.share, "share", SHARES),
            ),
            Step(
                "A very narrow kernel, 0.05 medians. What share has component 1?",
                "{first}, hardly more than all the others: each point is like itself alone.",
                PRESETS[5].fields,
                Choose(lambda r: r.first_share, ("less than 10 %", "10 to 30 %", "more"), (0.1, 0.3)),
            ),
        ),
    ),
    Story(
        "denoise",
        "Keeping what matters",
        (
            Step(
                "100 noisy points of a curve. Each is replaced by its pre-image, which keeps 4 components. How much"
                " less squared distance to the clean points is left?",
                "{less} less. The noise lies along components that are dropped.",
                _CURVE,
                Place(lambda r: 1 - r.cleaned, "less squared distance", SHARES),
            ),
            Step(
                "With 2 components the same points keep less of the noise. Do they come nearer to the curve?",
                "No: two components cannot hold the curve, and its shape is lost with the noise.",
                {**_CURVE, "kept": 2},
                Choose(lambda r: r.cleaned, ("nearer", "no nearer"), (0.9,)),
            ),
            Step(
                "With 12 components?",
                "They stay nearly where they were, with {less} less squared distance: most of the noise is kept, too.",
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
                " plain kernel PCA's?",
                "It is {scose}, in every digit: a multiple of an operator has the same components. The paper's Figure 3"
                " shows a gain (erratum 32).",
                _COSE,
                Choose(
                    lambda r: r.study and r.study.gain("S-COSE", r.lab.kept),
                    ("more", "the same", "less"),
                    (-1e-8, 1e-8),
                ),
            ),
            Step(
                "Shrinking the centre of 60 points of the rings helps a little. How much less error, in percent?",
                "{centred}. The gain is more than luck, and very small.",
                PRESETS[7].fields,
                Place(
                    lambda r: r.study and 100 * r.study.gain("S-centred", r.lab.kept), "percent", values(0.0, 2.0, 20)
                ),
            ),
            Step(
                "F-COSE gives the points other weights, so it does turn the components. Has it less error on held-out"
                " points of the rings?",
                "No, {fcose}: the weights that are good for the operator as a whole are not better for its components.",
                {"variant": "F-COSE", "picture": "errors"},
                Choose(lambda r: r.study and -r.study.gain("F-COSE", r.lab.kept), ("Yes", "No"), (0.0,)),
            ),
            Step(
                "100 bootstrap resamples of the wines. In how many is component 1 still component 1?",
                "{steady} of 100.",
                {"source": "wine", "picture": "ghosts"},
                Place(lambda r: r.boot and r.boot.steady(1) / r.boot.count, "share of the resamples", SHARES),
            ),
            Step(
                "And component 5?",
                "{steady} of 100: trailing components are the sample's, not the population's.",
                {"source": "wine", "picture": "ghosts", "component": 5},
                Choose(lambda r: r.boot and r.boot.steady(5) / r.boot.count, ("fewer than half", "more"), (0.5,)),
            ),
        ),
    ),
)
