"""Presets and stories of the adaptation lab."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES, values

PRESETS = (
    Preset(
        "Covariate shift",
        "The target has other values of x. Weights make the source resemble the target.",
        {},
        "the gain of the remedy",
        at_least=0.3,
    ),
    Preset(
        "Target shift",
        "One class is more frequent in the target. Weights of the classes correct for that.",
        {"source": "target", "remedy": "weights of y", "shift": 2.0},
        "the gain of the remedy",
        at_least=0.2,
    ),
    Preset(
        "Location-scale",
        "Each class is stretched and moved. Maps move the source onto the target.",
        {"source": "location-scale", "remedy": "maps", "bandwidth": 0.25},
        "the gain of the remedy",
        at_least=0.6,
    ),
    Preset(
        "No overlap",
        "No source point lies near the target, so no weights can match it.",
        {"shift": 6.0},
        "the unmatched share of the target's mean",
        at_least=0.9,
    ),
    Preset(
        "The concept changed",
        "y given x differs in the target. The weights match x, and the line gets worse.",
        {"source": "concept"},
        "the gain of the remedy",
        at_most=-0.3,
        then=("covariate shift", {"source": "covariate"}),
    ),
    Preset(
        "Several domains",
        "DICA finds components that four domains share; kernel PCA's components separate the domains.",
        {"picture": "domains"},
        "DICA's variance between domains over kernel PCA's",
        at_most=0.1,
    ),
    Preset(
        "TCA is DICA's limit",
        "With two domains and a large kernel, DICA and transfer component analysis have the same leading ratio.",
        {"picture": "domains", "domains": 2, "size": 1e6},
        "DICA's ratio over that of transfer component analysis",
        at_least=0.99,
        at_most=1.01,
        then=("size 1", {"size": 1.0}),
    ),
    Preset(
        "A treatment's effect",
        "The treated do worse than the controls, because the ill are treated. After reweighting they do better.",
        {"picture": "treatment", "shift": 1.5, "bandwidth": 1.0},
        "the bias left of the groups' difference",
        at_most=0.25,
        then=("an unmeasured confounder", {"hidden": 1.5}),
    ),
    Preset(
        "An unmeasured confounder",
        "An unmeasured variable affects both treatment and outcome. Reweighting by x does not correct for it.",
        {"picture": "treatment", "shift": 1.5, "bandwidth": 1.0, "hidden": 1.5},
        "the bias left of the groups' difference",
        at_least=0.4,
        then=("no unmeasured confounder", {"hidden": 0.0}),
        was="An unmeasured cause",
    ),
    Preset(
        "No comparable people",
        "Treated and controls do not overlap in x, so the effect of the treatment cannot be estimated.",
        {"picture": "treatment", "shift": 6.0, "bandwidth": 1.0},
        "the effective share of the smaller arm",
        at_most=0.05,
        then=("shift 1", {"shift": 1.0}),
        was="Nobody alike",
    ),
)

_TARGET, _MAPS, _APART, _CONCEPT, _DOMAINS, _, _TREATED, _HIDDEN, _ = (preset.fields for preset in PRESETS[1:])
_HELPS = ("It makes it worse", "It helps")

STORIES = (
    Story(
        "reweight",
        "Learn here, predict there",
        (
            Step(
                "A line is learnt from the source, and the target lies to the right. The source points are reweighted"
                " until their kernel mean matches the target's. By how much does the squared error on the target fall?",
                "By {gain}: from {before} to {error}.",
                {},
                Place(lambda r: r.gain(), "the share", SHARES),
            ),
            Step(
                "The few source points near the target get most of the weight. How many points of equal weight would be"
                " as good as these 100?",
                "{size}. The weights lower the error, but also the effective sample size.",
                {},
                Place(lambda r: r.fit.size, "points", values(0.0, 100.0, 20)),
            ),
            Step(
                "No weight may exceed B = 3 now. Does the weighted line still beat the unweighted one?",
                "Yes: it has {gain} less squared error, and the effective sample size grows to {size}.",
                {"bound": 3.0, "picture": "bound"},
                Choose(lambda r: r.gain(), _HELPS, (0.0,)),
            ),
            Step(
                "The target moves beyond all source points. What share of the target's kernel mean stays unmatched,"
                " whatever the weights?",
                "{far}. Without overlap no weights can be trusted.",
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
                "In the target y = 1 is more frequent, and x given y is the same. The classes are reweighted without a"
                " single label of the target. Does that help?",
                "Yes: the line has {gain} less squared error. The weights estimate that {share} of the target has"
                " y = 1.",
                _TARGET,
                Choose(lambda r: r.gain(), _HELPS, (0.0,)),
            ),
            Step(
                "The same change is now treated as a covariate shift, and the weights of x match x well. Do they lower"
                " the error by at least 20 %?",
                "No: the error rises from {before} to {error}. Weights of x assume that y given x is the same, and here"
                " it is not.",
                {**_TARGET, "remedy": "weights of x"},
                Choose(lambda r: r.gain(), ("No", "Yes"), (0.2,)),
            ),
            Step(
                "In the target the mean of y given x now has the opposite sign. The weights match x. Does the"
                " line improve?",
                "No: its squared error rises from {before} to {error}, and nothing in x could reveal it.",
                _CONCEPT,
                Choose(lambda r: r.gain(), _HELPS, (0.0,)),
            ),
        ),
    ),
    Story(
        "domains",
        "What do domains have in common?",
        (
            Step(
                "Four domains differ along one axis and agree along the other. What share of the variance along the"
                " first two components of kernel PCA lies between the domains?",
                "{plain}. Kernel PCA finds what varies most, and here that is the difference between domains.",
                _DOMAINS,
                Place(lambda r: r.clouds and r.clouds.plain, "the share", SHARES),
            ),
            Step(
                "How large is that share along the components of DICA?",
                "{apart}: the domains lie on top of each other.",
                _DOMAINS,
                Choose(lambda r: r.clouds and r.clouds.apart, ("less than a tenth", "more"), (0.1,)),
            ),
            Step(
                "The kernel is a hundred times smaller now, which changes no component of kernel PCA. How large is the"
                " share along the components of DICA now?",
                "{apart}. With a small kernel DICA's term K outweighs KQK, so the size of the kernel matters.",
                {**_DOMAINS, "size": 1.0},
                Choose(lambda r: r.clouds and r.clouds.apart, ("less than a tenth", "more"), (0.1,)),
            ),
        ),
    ),
    Story(
        "treatment",
        "Does the treatment help?",
        (
            Step(
                "x measures how ill a person is. The more ill are treated more often, and have a lower outcome y. Is"
                " the mean outcome of the treated above that of the controls?",
                "No: the difference is {gap}. It mixes the effect of the treatment with the effect of being ill.",
                _TREATED,
                Choose(lambda r: r.outcomes and r.outcomes.gap, ("No", "Yes"), (0.0,)),
            ),
            Step(
                "Each group is reweighted to everybody's x. By how much does the reweighted mean of the treated exceed"
                " that of the controls?",
                "By {effect}; the true effect is {true}. The test of no effect gives p = {p}.",
                _TREATED,
                Place(lambda r: r.outcomes and r.outcomes.effect, "the difference", values(-1.0, 2.0, 30)),
            ),
            Step(
                "Now the treatment leaves the mean unchanged but makes outcomes more variable. Does the test detect"
                " this?",
                "Yes: p = {p}. The reweighted means differ by {effect}, and the RKHS distance of the two distributions"
                " is {far_apart}. A kernel mean represents the whole distribution.",
                {**_TREATED, "effect": "spread"},
                Choose(lambda r: r.outcomes and r.pvalue, ("Yes, p is at most 0.05", "No"), (0.05,)),
            ),
            Step(
                "An unmeasured confounder makes treatment more likely and lowers y. Is the reweighted difference still"
                " above 0.5?",
                "No: it is {effect}; the true effect is {true}. Nothing in x could reveal this.",
                _HIDDEN,
                Choose(lambda r: r.outcomes and r.outcomes.effect, ("No", "Yes"), (0.5,)),
            ),
        ),
    ),
)
