"""The Density lab's presets and stories."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "A good fit",
        "Four blobs find the four Gaussians, and score new points better than k-means.",
        {},
        "the gain over the start",
        at_least=0.05,
    ),
    Preset(
        "The start is better",
        "The RKHS distance falls with every step, and the density becomes worse.",
        {"seed": 2},
        "the gain over the start",
        at_most=-0.08,
    ),
    Preset(
        "Too wide a bandwidth",
        "Under so wide a kernel the start matches already: any blobs of one mean and variance look alike.",
        {"d": 1, "bandwidth": 10.0},
        "the start's distance to the estimate",
        at_most=1e-3,
    ),
    Preset(
        "The dust bin",
        "S-KMSE's weights sum to less than one; what is missing goes into blobs as wide as they may be.",
        {"estimator": "S-KMSE", "bandwidth": 0.1, "picture": "blobs"},
        "the weight at the bound",
        at_least=0.3,
    ),
    Preset(
        "MKME with 15 points",
        "The noise that MKME puts on the points keeps the blobs from shrinking onto them.",
        {"estimator": "MKME", "n": 15},
        "the gain over the plain average's fit",
        at_least=0.3,
    ),
    Preset(
        "A start by hand",
        "Four blobs begun in one place end farther from the estimate than from k-means: the optimiser only goes down.",
        {"begin": "by hand", "moved": '{"0":[1,1],"1":[1.1,1],"2":[1,1.1],"3":[1.1,1.1]}'},
        "the distance beside that from k-means",
        at_least=2.0,
    ),
    Preset(
        "Most even density",
        "The most even density within ε of the estimate, from 20 points on a line.",
        {"picture": "entropy", "d": 1, "n": 20},
        "the most even density's gain",
        at_least=0.05,
    ),
)

_LOSES, _DUST = PRESETS[1].fields, PRESETS[3].fields
_BETTER = ("No", "Yes")

STORIES = (
    Story(
        "fit",
        "Nearer, but better?",
        (
            Step(
                "The optimiser moves the blobs of k-means until their kernel mean is nearest to the sample's. Does"
                " their density score new points better, too?",
                "Yes: the RKHS distance falls from {before} to {distance}, and the blobs are {gain} nats a point better"
                " than their start.",
                {},
                Choose(lambda r: r.gain(), _BETTER, (0.0,)),
            ),
            Step(
                "Another 60 points of the same distribution. Again the RKHS distance falls. Do the blobs beat their"
                " start again?",
                "No: the distance falls from {before} to {distance}, and the blobs are {gain} nats a point worse. A"
                " small distance of kernel means is not a good likelihood: a narrow blob costs little distance and much"
                " likelihood.",
                _LOSES,
                Choose(lambda r: r.gain(), _BETTER, (0.0,)),
            ),
            Step(
                "The blobs now match MKME's estimate, which puts noise on the points. How many nats a point does that"
                " gain over the fit to the plain average?",
                "{plain}: noise on the points keeps blobs from becoming too narrow.",
                {**_LOSES, "estimator": "MKME"},
                Place(lambda r: r.effect_plain, "nats a point", values(0.0, 0.5, 10)),
            ),
            Step(
                "Back to the plain average, with 1,000 points instead of 60. Do the blobs beat their start now?",
                "Yes: {nll} against {start} of the start. With many points the estimate is near the truth, and so is"
                " what matches it.",
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
                "S-KMSE shrinks all weights, so that they sum to less than one; a mixture's sum to one. Which share of"
                " the weight goes into blobs as wide as the fit may make them?",
                "{share}: so wide a blob has a kernel mean of nearly 0, and stands for the weight that is missing.",
                _DUST,
                Place(lambda r: r.at_bound, "the share", SHARES),
            ),
            Step(
                "Seen as a density, does it beat k-means on new points?",
                "No: it is {gain} nats a point worse. Shrinking improves the estimate of the kernel mean, not the"
                " density that is read from it.",
                {**_DUST, "picture": "progress"},
                Choose(lambda r: r.gain(), _BETTER, (0.0,)),
            ),
            Step(
                "With 200 points S-KMSE shrinks less. Is there still a dust bin?",
                "No: {share} of the weight lies at the bound, and the blobs score {nll}, their start {start}.",
                {**_DUST, "n": 200},
                Choose(lambda r: r.at_bound, _BETTER, (0.001,)),
            ),
        ),
    ),
)
