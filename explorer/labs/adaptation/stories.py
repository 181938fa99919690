"""The Adaptation lab's presets and stories."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "Covariate shift",
        "The target's x lie elsewhere: weights turn the line to where it is wanted.",
        {},
        "the gain of the remedy",
        at_least=0.3,
    ),
    Preset(
        "Target shift",
        "One class is more frequent in the target: weights of the labels shift the line.",
        {"source": "target", "remedy": "weights of y", "shift": 2.0},
        "the gain of the remedy",
        at_least=0.2,
    ),
    Preset(
        "Location-scale",
        "Each class is stretched and moved: maps bring the source to the target.",
        {"source": "location-scale", "remedy": "maps", "bandwidth": 0.25},
        "the gain of the remedy",
        at_least=0.6,
    ),
    Preset(
        "No overlap",
        "No source point lies where the target does: no weights can match it.",
        {"shift": 6.0},
        "the distance left, of the target mean's norm",
        at_least=0.9,
    ),
    Preset(
        "The concept changed",
        "y given x is another one in the target: the weights match x, and the line gets worse.",
        {"source": "concept"},
        "the gain of the remedy",
        at_most=-0.3,
    ),
    Preset(
        "Several domains",
        "Components that four domains share, beside those of kernel PCA, which separate them.",
        {"picture": "domains"},
        "the variance between domains, DICA's over kernel PCA's",
        at_most=0.1,
    ),
)

_TARGET, _MAPS, _APART, _CONCEPT, _DOMAINS = (preset.fields for preset in PRESETS[1:])
_HELPS = ("It makes it worse", "It helps")

STORIES = (
    Story(
        "reweight",
        "Learn here, predict there",
        (
            Step(
                "The line is learnt from the source; the target lies to the right. Source points are reweighted until"
                " their kernel mean matches the target's. By which share does the squared error on the target fall?",
                "By {gain}: from {before} to {error}.",
                {},
                Place(lambda r: r.gain(), "the share", SHARES),
            ),
            Step(
                "Few source points lie where the target does, and they get most of the weight. How many points of equal"
                " weight would be as good as these 100?",
                "{size}: that is the price.",
                {},
                Place(lambda r: r.fit.size, "points", values(0.0, 100.0, 20)),
            ),
            Step(
                "No weight may exceed B = 3 now. Does the line still gain on the source as it is?",
                "Yes: {gain} less squared error, with an effective sample size of {size} instead.",
                {"bound": 3.0},
                Choose(lambda r: r.gain(), _HELPS, (0.0,)),
            ),
            Step(
                "The target moves to where there is no source point. Which share of the target's kernel mean stays"
                " unmatched, whatever the weights?",
                "{far}: no overlap, and no weights to be trusted.",
                _APART,
                Place(lambda r: min(r.fit.far, 1.0), "the share", SHARES),
            ),
        ),
    ),
    Story(
        "wrong",
        "Which change is it?",
        (
            Step(
                "In the target y = 1 is more frequent, x given y is the same. Weights of the labels are found without a"
                " label of the target. Do they help?",
                "Yes: {gain} less squared error. They estimate that y = 1 has {share} of the target.",
                _TARGET,
                Choose(lambda r: r.gain(), _HELPS, (0.0,)),
            ),
            Step(
                "The same change, treated as a covariate shift: weights of x, which match x well. Do they help as much,"
                " a fifth less error at least?",
                "No: the error changes by {gain}. y given x is not the same here, which weights of x take for granted.",
                {**_TARGET, "remedy": "weights of x"},
                Choose(lambda r: r.gain(), ("No", "Yes"), (0.2,)),
            ),
            Step(
                "Now y given x has turned upside down in the target. The weights of x match its x. Does the line gain?",
                "No: it has more squared error, {error} instead of {before}, and nothing in x could have shown it.",
                _CONCEPT,
                Choose(lambda r: r.gain(), _HELPS, (0.0,)),
            ),
        ),
    ),
    Story(
        "domains",
        "What do domains share?",
        (
            Step(
                "Four domains differ along one axis and are alike along the other. Which share of the variance along"
                " the first two components of kernel PCA lies between the domains?",
                "{plain}: kernel PCA finds what varies most, and that is what separates them.",
                _DOMAINS,
                Place(lambda r: r.clouds and r.clouds.plain, "the share", SHARES),
            ),
            Step(
                "And along those of DICA?",
                "{apart}: the domains lie on each other.",
                _DOMAINS,
                Choose(lambda r: r.clouds and r.clouds.apart, ("less than a tenth", "more"), (0.1,)),
            ),
            Step(
                "The kernel is a hundred times smaller now, which changes no component of kernel PCA. Does DICA still"
                " bring the domains together, to less than a tenth?",
                "No: {apart} lies between domains. The term K of DICA weighs more beside KQK, so its answer depends on"
                " the size of the kernel.",
                {**_DOMAINS, "size": 1.0},
                Choose(lambda r: r.clouds and r.clouds.apart, ("less than a tenth", "more"), (0.1,)),
            ),
        ),
    ),
)
