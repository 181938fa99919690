"""The Distributions lab's presets and stories."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "Narrow and wide",
        "Two classes of bags that differ in spread: the machine learns where one ends.",
        {},
        "the share on the right side",
        at_least=0.8,
    ),
    Preset(
        "Rings, same moments",
        "Rings and blobs with equal means and covariances: a narrow kernel distinguishes them.",
        {"source": "ring", "difference": 4.0, "n": 50, "bandwidth": 0.5},
        "the share on the right side",
        at_least=0.95,
    ),
    Preset(
        "Too wide a kernel",
        "So wide a kernel sees mean and covariance, which rings and blobs have in common.",
        {"source": "ring", "difference": 4.0, "n": 50, "bandwidth": 10.0},
        "the share on the right side",
        at_most=0.65,
    ),
    Preset(
        "Entropy of a bag",
        "A number instead of a class: the entropy of the distribution that a bag is from.",
        {"source": "entropy", "n": 50},
        "the share of the variance",
        at_least=0.9,
    ),
    Preset(
        "5 points a bag",
        "Of five points shrinking saves a third of the squared error of a kernel mean.",
        {"n": 5, "bandwidth": 0.4, "estimator": "S-KMSE", "picture": "size"},
        "the error that is saved",
        at_least=0.25,
    ),
    Preset(
        "500 points a bag",
        "Of 500 points the plain average is as good: there is nothing left to save.",
        {"n": 500, "bags": 6, "bandwidth": 0.4, "estimator": "S-KMSE", "picture": "size"},
        "the error that is saved",
        at_most=0.03,
    ),
    Preset(
        "Less error, same verdicts",
        "Less squared error in every kernel mean, and hardly a bag that changes sides.",
        {"n": 10, "bandwidth": 0.4, "estimator": "F-KMSE"},
        "what shrinking adds to the share",
        at_least=-0.05,
        at_most=0.05,
    ),
    Preset(
        "Wine in bags",
        "Bags of six wines each: is a bag of the third cultivar? Each bag is left out in turn.",
        {"source": "wine", "n": 6},
        "the share on the right side",
        at_least=0.9,
    ),
)

_RINGS, _FEW, _MANY = PRESETS[1].fields, PRESETS[4].fields, PRESETS[5].fields
_NEVER = ("No", "Yes")

STORIES = (
    Story(
        "boundary",
        "What does a machine see of a bag?",
        (
            Step(
                "Half of the bags are narrow, half are wide. The magenta bag, a narrow one, is stretched about its"
                " mean. At which spread, in medians, does the machine call it wide?",
                "At {border}. Every bag is a point, its kernel mean, and the boundary runs between the classes.",
                {},
                Place(lambda r: r.boundary, "the spread", values(0.25, 2.25, 20)),
            ),
            Step(
                "Of 100 new bags, which share is on the right side?",
                "{right} are. Twenty points are a small sample, and the spreads of the two classes overlap.",
                {},
                Place(lambda r: r.share, "the share", SHARES),
            ),
            Step(
                "Now rings against blobs, with equal means and covariances. Are more than 80 % of new bags on the"
                " right side?",
                "Yes, {right}. Under an RBF kernel a kernel mean is the whole distribution, and a narrow one shows it.",
                _RINGS,
                Choose(lambda r: r.share, _NEVER, (0.8,)),
            ),
            Step(
                "The bandwidth is twenty times as wide. Are more than 80 % still on the right side?",
                "No, {right}. So wide a kernel sees hardly more than two moments, which are equal.",
                {**_RINGS, "bandwidth": 10.0},
                Choose(lambda r: r.share, _NEVER, (0.8,)),
            ),
        ),
    ),
    Story(
        "shrinking",
        "Does shrinking help a machine?",
        (
            Step(
                "Five points a bag, under a narrow kernel. How much of the squared error of a bag's kernel mean does"
                " S-KMSE save?",
                "{saved}, with λ chosen on each bag alone.",
                _FEW,
                Place(lambda r: r.saved(), "the share saved", SHARES),
            ),
            Step(
                "Does the machine then put at least 10 of 100 new bags more on the right side?",
                "No: {right} are right, with plain averages {plain}. Shrinking moves all kernel means in much the same"
                " way, towards 0, and hardly changes who lies on which side.",
                {**_FEW, "picture": "map"},
                Choose(lambda r: r.effect_gain, _NEVER, (0.095,)),
            ),
            Step(
                "And with 500 points a bag: how much of the error does S-KMSE save now?",
                "{saved}: the plain average is as good.",
                _MANY,
                Place(lambda r: r.saved(), "the share saved", SHARES),
            ),
        ),
    ),
)
