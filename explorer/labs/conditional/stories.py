"""Presets and stories of the conditional lab."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

PRESETS = (
    Preset(
        "A banana",
        "The estimated mean of y follows the bend, and the density of y given x is close to the exact one.",
        {},
        "the distance to the exact embedding",
        at_most=0.35,
    ),
    Preset(
        "A fork",
        "y takes either branch. Its mean lies between the branches, where no y is; its density has both humps.",
        {"source": "fork", "at": 1.5},
        "the density at the mean relative to the highest",
        at_most=0.2,
        then=("x = 0", {"at": 0.0}),
    ),
    Preset(
        "Regulariser too small",
        "With λ near 0 the estimate overfits. Large weights of both signs cancel, and the density oscillates.",
        {"source": "fan", "bandwidth": 0.25, "at": 2.0, "lam": 1e-6},
        "the distance relative to leave-one-out's",
        at_least=3.0,
        then=("λ by leave-one-out", {"lam": None}),
    ),
    Preset(
        "Bimodal prior",
        "The prior has two humps. After x is observed, only the hump that explains x remains.",
        {"picture": "bayes", "source": "gaussian", "prior_mean": 0.0, "prior_gap": 1.0, "prior_sd": 0.35, "at": 1.0},
        "the distance to the exact embedding",
        at_most=0.3,
        then=("x = −1", {"at": -1.0}),
    ),
    Preset(
        "Printed rule fails",
        "The article prints two matrices in the wrong order. The weights then have nothing to do with the posterior.",
        {"picture": "bayes", "source": "gaussian", "printed": True, "at": 1.0},
        "the printed rule's distance relative to the right one's",
        at_least=5.0,
        then=("the corrected rule", {"printed": False}),
    ),
    Preset(
        "Two wells",
        "The motion is not linear. The kernel filter learns it from the path; Kalman's filter cannot.",
        {"picture": "filter", "path": "wells", "sensor": 1.5, "n": 400},
        "the kernel filter's distance from the exact belief relative to Kalman's",
        at_most=0.8,
    ),
    Preset(
        "Nearly exact sensor",
        "The sensor is nearly exact, but λ̃ and the bandwidth blur its readings. Kalman's filter wins.",
        {"picture": "filter", "sensor": 0.02},
        "the kernel filter's error relative to Kalman's",
        at_least=2.0,
        then=("a sensor noise of 0.5", {"sensor": 0.5}),
    ),
    Preset(
        "All of it in a table",
        "With symbols instead of numbers, every kernel rule is a rule of probability. Change the counts.",
        {"picture": "table"},
        "the largest difference of rule and table",
        at_most=1e-6,
    ),
    Preset(
        "Evidence in a tree",
        "One node is observed, and all beliefs change. They come close to the exact beliefs.",
        {"picture": "tree", "n": 400, "bandwidth": 0.2, "lam": 0.5, "seed": 1},
        "the largest difference from the exact means",
        at_most=0.15,
        then=("e = −1.5 as well", {"others": '{"e":-1.5}'}),
    ),
    Preset(
        "Rare evidence",
        "Hardly any draw has the observed values of d and e. The beliefs are far from the exact beliefs.",
        {"picture": "tree", "n": 400, "bandwidth": 0.2, "lam": 0.5, "seed": 1, "others": '{"e":-1.5}'},
        "the largest difference from the exact means",
        at_least=0.3,
        then=("e = 1", {"others": '{"e":1}'}),
    ),
)

_PRINTED, _TREE = PRESETS[4].fields, PRESETS[8].fields
_MEAN = "mean of y"

STORIES = (
    Story(
        "cut",
        "What is y, given x?",
        (
            Step(
                "200 pairs lie on a banana. Given x = 1.5, what is the mean of y?",
                "The estimate is {mean}; the exact mean is {exact}. The pairs near the line carry almost all the"
                " weight.",
                {},
                Place(lambda r: r.mean, _MEAN, values(-2.0, 4.0, 24)),
            ),
            Step(
                "Near x = 2.5 there are hardly any pairs. Is the estimated mean of y too small or too large?",
                "Too small: {mean} instead of {exact}. With few pairs nearby all weights are small, and the estimate"
                " shrinks towards 0.",
                {"at": 2.5},
                Choose(lambda r: r.mean / r.exact_mean, ("too small", "exact", "too large"), (0.99, 1.01)),
            ),
            Step(
                "Now the spread of y grows with |x|, the kernel is narrow, and λ is almost 0. Is the embedding nearer"
                " to the exact one than with λ chosen by leave-one-out, or farther?",
                "Farther: the distance is {distance} instead of {chosen}. Negative weights make up {negative} of the"
                " total absolute weight.",
                PRESETS[2].fields,
                Choose(lambda r: r.effect_small, ("nearer", "farther"), (1.0,)),
            ),
        ),
    ),
    Story(
        "bayes",
        "From prior to posterior",
        (
            Step(
                "The prior puts y near 0.5, and x is 0.8 y on average. Then x = 1 is observed. What is the mean of y"
                " now?",
                "It moves from {before} to {mean}. The exact mean is {exact}.",
                {"picture": "bayes", "source": "gaussian", "at": 1.0},
                Place(lambda r: r.mean, _MEAN, values(-1.0, 2.0, 30)),
            ),
            Step(
                "The article prints the rule with two matrices in the wrong order. Does that change much?",
                "Yes. The distance to the exact posterior is {distance} with the correct rule and {printed} with the"
                " printed rule.",
                _PRINTED,
                Choose(lambda r: r.effect_printed, ("No", "Yes, a little", "Yes, much"), (1.1, 2.0)),
            ),
            Step(
                "With 800 pairs, does the printed rule recover?",
                "No. The distance is {distance} with the correct rule and {printed} with the printed rule. More data do"
                " not repair a wrong rule.",
                {**_PRINTED, "n": 800},
                Choose(lambda r: r.effect_printed, ("Yes", "No"), (1.5,)),
            ),
        ),
    ),
    Story(
        "filter",
        "Tracking a hidden state",
        (
            Step(
                "The hidden state moves on a line, where Kalman's filter is optimal. The kernel filter only learns from"
                " 200 steps. How much larger is its error?",
                "Hardly larger: its error is {kernel}, and Kalman's is {kalman}.",
                {"picture": "filter"},
                Choose(lambda r: r.effect_filters, ("less than 10 %", "10 to 50 %", "even more"), (1.1, 1.5)),
            ),
            Step(
                "Now the state is pulled into two wells. Which filter's mean is nearer to the mean of"
                " the exact belief?",
                "The kernel filter's: it is {near} away, and Kalman's is {far} away. The kernel filter has learnt the"
                " wells from the path; Kalman's filter assumes linear motion.",
                PRESETS[5].fields,
                Choose(lambda r: r.effect_exact, ("the kernel filter", "Kalman's filter"), (1.0,)),
            ),
            Step(
                "The sensor becomes nearly exact. Which filter has the smaller error now?",
                "Kalman's: its error is {kalman}, and the kernel filter's is {kernel}. λ̃ and the bandwidth blur the"
                " sensor's readings. Try smaller values of both.",
                PRESETS[6].fields,
                Choose(lambda r: r.effect_filters, ("the kernel filter", "Kalman's filter"), (1.0,)),
            ),
        ),
    ),
    Story(
        "tree",
        "What does one node tell the others?",
        (
            Step(
                "b and c depend on a, d and e on b, and neighbours have the correlation 0.8. Then d = 1.5 is observed."
                " What is the mean of a?",
                "{mean}; the exact mean is {exact}. Each edge from d to a multiplies the mean by 0.8.",
                _TREE,
                Place(lambda r: r.far_mean, "mean of a", values(-0.5, 2.0, 25)),
            ),
            Step(
                "b, which lies between d and a, is observed as well: b = 0. What is the mean of a now?",
                "{mean}; the exact mean is {exact}. Given b, a is independent of d.",
                {**_TREE, "others": '{"b":0}'},
                Place(lambda r: r.far_mean, "mean of a", values(-0.5, 2.0, 25)),
            ),
            Step(
                "Now d = 1.5 and e = −1.5 are observed, a rare pair of values. Is the mean of a within 0.2 of the exact"
                " mean?",
                "No: it is {mean}, and the exact mean is {exact}. Hardly any draw has both values.",
                PRESETS[9].fields,
                Choose(lambda r: r.far_off, ("Yes", "No"), (0.2,)),
            ),
        ),
    ),
)
