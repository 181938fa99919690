"""Presets and stories of the distributions lab."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "Narrow and wide",
        "Two classes of bags differ in spread. The classifier learns where narrow ends and wide begins.",
        {},
        "the share classified correctly",
        at_least=0.8,
    ),
    Preset(
        "Rings, same moments",
        "Rings and blobs have equal means and covariances. A narrow kernel still distinguishes them.",
        {"source": "ring", "difference": 4.0, "n": 50, "bandwidth": 0.5},
        "the share classified correctly",
        at_least=0.95,
    ),
    Preset(
        "Kernel too wide",
        "A wide kernel compares only means and covariances, and these are the same for rings and blobs.",
        {"source": "ring", "difference": 4.0, "n": 50, "bandwidth": 10.0},
        "the share classified correctly",
        at_most=0.65,
        then=("bandwidth 0.5", {"bandwidth": 0.5}),
        was="Too wide a kernel",
    ),
    Preset(
        "Entropy of a bag",
        "A regression predicts the entropy of the distribution that a bag was drawn from.",
        {"source": "entropy", "n": 50},
        "the share of the variance",
        at_least=0.9,
    ),
    Preset(
        "5 points per bag",
        "With five points per bag, shrinkage cuts the squared error of the kernel mean by a third.",
        {"n": 5, "bandwidth": 0.4, "estimator": "S-KMSE", "picture": "size"},
        "the error that is saved",
        at_least=0.25,
        was="5 points a bag",
    ),
    Preset(
        "500 points per bag",
        "With 500 points per bag, shrinkage gains next to nothing over the plain average.",
        {"n": 500, "bags": 6, "bandwidth": 0.4, "estimator": "S-KMSE", "picture": "size"},
        "the error that is saved",
        at_most=0.03,
        was="500 points a bag",
    ),
    Preset(
        "Less error, same classes",
        "Shrinkage lowers the error of every kernel mean, but hardly any bag changes its class.",
        {"n": 10, "bandwidth": 0.4, "estimator": "F-KMSE"},
        "what shrinking adds to the share",
        at_least=-0.05,
        at_most=0.05,
        was="Less error, same verdicts",
    ),
    Preset(
        "Wine in bags",
        "Six wines per bag: does a bag come from the third cultivar? Each bag is left out in turn.",
        {"source": "wine", "n": 6},
        "the share classified correctly",
        at_least=0.9,
    ),
    Preset(
        "Odd bags",
        "No bag has a label. The detector finds the bags that differ from the average of all.",
        {"source": "odd", "learner": "detector", "level_two": "linear", "nu": 0.2},
        "the share of odd bags found",
        at_least=0.9,
        then=("a Gaussian kernel of bags", {"level_two": "gaussian"}),
    ),
    Preset(
        "Odd bags unnoticed",
        "With a Gaussian kernel of bags each bag resembles itself most, so odd bags count as inside.",
        {"source": "odd", "learner": "detector", "nu": 0.2},
        "the share of odd bags found",
        at_most=0.4,
        then=("a linear kernel of bags", {"level_two": "linear"}),
    ),
    Preset(
        "One point that counts",
        "A bag is positive if one of its 50 points is positive. Its kernel mean hardly shows that point.",
        {"source": "one", "n": 50, "bags": 60},
        "the share classified correctly",
        at_most=0.85,
        then=("a linear kernel of bags, C = 10,000", {"level_two": "linear", "C": 1e4}),
    ),
    Preset(
        "Two outputs at once",
        "One regression predicts the mean and the spread of a bag's distribution. The mean is harder to predict.",
        {"source": "entropy", "n": 40, "picture": "outputs"},
        "the share of the variance, of the harder output",
        at_least=0.5,
        at_most=0.85,
        then=("200 points per bag", {"n": 200}),
    ),
)

_RINGS, _FEW, _MANY = PRESETS[1].fields, PRESETS[4].fields, PRESETS[5].fields
_ODD, _ONE = PRESETS[8].fields, PRESETS[10].fields
_NEVER = ("No", "Yes")

STORIES = (
    Story(
        "boundary",
        "What does a classifier see in a bag?",
        (
            Step(
                "Half of the bags are narrow and half are wide. The magenta bag, a narrow one, is stretched about its"
                " mean. At which spread does the classifier switch to wide? (The median spread is 1.)",
                "At {border}. Each bag becomes one point, its kernel mean, and the boundary separates the classes.",
                {},
                Place(lambda r: r.boundary, "the spread", values(0.25, 2.25, 20)),
            ),
            Step(
                "What share of 100 new bags does the classifier get right?",
                "{right}. Twenty points are a small sample, and the spreads of the two classes overlap.",
                {},
                Place(lambda r: r.share, "the share", SHARES),
            ),
            Step(
                "The classes are now rings and blobs with equal means and covariances. Does the classifier get more"
                " than 80 % of the new bags right?",
                "Yes, {right}. An RBF kernel mean determines the whole distribution, and with a narrow kernel rings"
                " and blobs differ clearly.",
                _RINGS,
                Choose(lambda r: r.share, _NEVER, (0.8,)),
            ),
            Step(
                "The bandwidth is now twenty times as wide. Are more than 80 % still correct?",
                "No, {right}. A very wide kernel compares little more than the first two moments, and both are equal.",
                {**_RINGS, "bandwidth": 10.0},
                Choose(lambda r: r.share, _NEVER, (0.8,)),
            ),
        ),
    ),
    Story(
        "shrinking",
        "Does shrinkage help a classifier?",
        (
            Step(
                "Each bag has five points, and the kernel is narrow. By how much does S-KMSE lower the squared error of"
                " a bag's kernel mean?",
                "By {saved}, with λ chosen on each bag alone.",
                _FEW,
                Place(lambda r: r.saved(), "the error saved", SHARES),
            ),
            Step(
                "Does the classifier then get at least 10 more of 100 new bags right?",
                "No: {right} are correct, against {plain} with plain averages. Shrinkage moves all kernel means towards"
                " 0 in much the same way, so hardly any bag changes its class.",
                {**_FEW, "picture": "map"},
                Choose(lambda r: r.effect_gain, _NEVER, (0.095,)),
            ),
            Step(
                "Each bag now has 500 points. By how much does S-KMSE lower the error?",
                "By {saved}. The plain average is practically as good.",
                _MANY,
                Place(lambda r: r.saved(), "the error saved", SHARES),
            ),
        ),
    ),
    Story(
        "odd",
        "Which bags are odd?",
        (
            Step(
                "Three of 24 bags are wider than the others. The detector knows no labels, and may put at most a"
                " share ν = 0.2 of the bags outside. Does it find all three?",
                "Yes: {found} lie outside.",
                _ODD,
                Choose(lambda r: r.effects.get("the share of odd bags found"), ("No", "Yes"), (0.99,)),
            ),
            Step(
                "Now ν = 0.5. How many bags lie outside?",
                "{outside}. ν determines how many bags lie outside, whether or not they are odd.",
                {**_ODD, "nu": 0.5},
                Choose(lambda r: int((~r.right).sum()), ("at most 5", "6 to 12", "more than 12"), (5.5, 12.5)),
            ),
            Step(
                "The kernel of bags is Gaussian now, and ν = 0.2 again. Does the detector find more than one of the"
                " three?",
                "No: {found} lie outside. Each bag resembles itself most, so an odd bag raises its own value.",
                {**_ODD, "level_two": "gaussian"},
                Choose(lambda r: r.effects.get("the share of odd bags found"), ("No", "Yes"), (0.5,)),
            ),
        ),
    ),
    Story(
        "one",
        "What if one point decides?",
        (
            Step(
                "Half of the bags contain one point far to the right: they are positive. A bag has five points. What"
                " share of new bags is classified correctly?",
                "{right}. One of five points moves the kernel mean far.",
                {**_ONE, "n": 5},
                Place(lambda r: r.share, "the share", SHARES),
            ),
            Step(
                "Now a bag has 50 points, and still one of them decides. Are more than 90 % of the new bags correct?",
                "No, {right}. In the mean that point has the weight 1/50, and the other 49 are noise.",
                _ONE,
                Choose(lambda r: r.share, _NEVER, (0.9,)),
            ),
            Step(
                "The kernel of bags is linear and C is 10,000. The classifier now learns one function of points and"
                " averages it over a bag. Are more than 90 % correct?",
                "Yes, {right}. The function is large only where the deciding point may lie.",
                {**_ONE, "level_two": "linear", "C": 1e4},
                Choose(lambda r: r.share, _NEVER, (0.9,)),
            ),
        ),
    ),
)
