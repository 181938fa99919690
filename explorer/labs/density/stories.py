"""Presets and stories of the density lab."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "A good fit",
        "Four components find the four Gaussians and fit new points better than k-means.",
        {},
        "the gain over the start",
        at_least=0.05,
    ),
    Preset(
        "The start is better",
        "The RKHS distance falls with every step, but the density gets worse.",
        {"seed": 2},
        "the gain over the start",
        at_most=-0.08,
        then=("another sample", {"seed": 3}),
    ),
    Preset(
        "Bandwidth too wide",
        "A very wide kernel compares only mean and variance, and k-means already matches both.",
        {"d": 1, "bandwidth": 10.0},
        "the start's distance to the estimate",
        at_most=1e-3,
        then=("bandwidth 1", {"bandwidth": 1.0}),
        was="Too wide a bandwidth",
    ),
    Preset(
        "The dust bin",
        "The weights of S-KMSE sum to less than one. The rest goes into the widest components allowed.",
        {"estimator": "S-KMSE", "bandwidth": 0.1, "picture": "blobs"},
        "the weight at the bound",
        at_least=0.3,
        then=("the plain average", {"estimator": "KME"}),
    ),
    Preset(
        "MKME with 15 points",
        "MKME adds noise to the points, which keeps components from collapsing onto them.",
        {"estimator": "MKME", "n": 15},
        "the gain over the plain average's fit",
        at_least=0.3,
        then=("the plain average", {"estimator": "KME"}),
    ),
    Preset(
        "A start by hand",
        "Four components that start close together end at a larger distance, in another local minimum.",
        {"begin": "by hand", "moved": '{"0":[1,1],"1":[1.1,1],"2":[1,1.1],"3":[1.1,1.1]}'},
        "the distance over that from k-means",
        at_least=2.0,
    ),
    Preset(
        "Largest entropy",
        "The density of largest entropy within ε of the estimate, from 20 points on a line.",
        {"picture": "entropy", "d": 1, "n": 20},
        "the gain of the maximum-entropy density",
        at_least=0.05,
        was="Most even density",
    ),
)

_LOSES, _DUST = PRESETS[1].fields, PRESETS[3].fields
_BETTER = ("No", "Yes")

STORIES = (
    Story(
        "fit",
        "Nearer, but also better?",
        (
            Step(
                "The mixture starts at the clusters of k-means. Play the fit: its components move until the mixture's"
                " kernel mean is close to the sample's. Then come back to this step. How much of the RKHS distance is"
                " left in the end?",
                "The distance falls from {before} to {end}.",
                {"iteration": 0},
                Place(lambda r: r.left, "the share left", SHARES),
            ),
            Step(
                "The RKHS distance falls. Does the mixture also fit new points better than k-means?",
                "Yes: the distance falls from {before} to {distance}, and the typical density of new points is"
                " {density}.",
                {},
                Choose(lambda r: r.gain(), _BETTER, (0.0,)),
            ),
            Step(
                "Here are another 60 points of the same distribution. Again the RKHS distance falls. Does the mixture"
                " beat k-means again?",
                "No: the distance falls from {before} to {distance}, and the typical density of new points is"
                " {density}. Kernel means can be close while the likelihood is poor: an overly narrow component hardly"
                " changes the distance but is heavily penalised by the likelihood.",
                _LOSES,
                Choose(lambda r: r.gain(), _BETTER, (0.0,)),
            ),
            Step(
                "The mixture now matches MKME's estimate, which adds noise to the points. By how many nats per point"
                " does it beat the fit to the plain average?",
                "By {plain}: noise on the points keeps components from becoming too narrow.",
                {**_LOSES, "estimator": "MKME"},
                Place(lambda r: r.effect_plain, "nats per point", values(0.0, 0.5, 10)),
            ),
            Step(
                "Back to the plain average, with 1,000 points instead of 60. Does the mixture beat k-means now?",
                "Yes: the typical density of new points is {density}. With many points the estimate is close to the"
                " true kernel mean, and so is a mixture that matches it.",
                {**_LOSES, "n": 1000},
                Choose(lambda r: r.gain(), _BETTER, (0.0,)),
            ),
        ),
    ),
    Story(
        "dust",
        "Where does the missing weight go?",
        (
            Step(
                "S-KMSE shrinks all weights, so they sum to less than one; the weights of a mixture sum to one. What"
                " share of the weight goes into the widest components that the fit allows?",
                "{share} goes into this dust bin. A very wide component has a kernel mean of nearly 0, so it absorbs"
                " the missing weight.",
                _DUST,
                Place(lambda r: r.at_bound, "the share", SHARES),
            ),
            Step(
                "Does this mixture fit new points better than k-means?",
                "No: the typical density of new points is {density}. Shrinkage improves the estimate of the kernel"
                " mean, not the density that is fitted to it.",
                {**_DUST, "picture": "progress"},
                Choose(lambda r: r.gain(), _BETTER, (0.0,)),
            ),
            Step(
                "With 200 points S-KMSE shrinks less. Is there still a dust bin?",
                "No: {share} of the weight goes into it, and the log-likelihood per new point is {likelihood}"
                " nats, against {start} for k-means.",
                {**_DUST, "n": 200},
                Choose(lambda r: r.at_bound, _BETTER, (0.001,)),
            ),
        ),
    ),
)
