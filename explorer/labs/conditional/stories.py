"""The Conditional lab's presets and stories."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

PRESETS = (
    Preset(
        "A banana",
        "The mean of y follows the bend, and the density of y at x is near the exact one.",
        {},
        "the distance to the exact embedding",
        at_most=0.35,
    ),
    Preset(
        "A fork",
        "y goes either way: its mean lies where no y is, and the embedding has both humps.",
        {"source": "fork", "at": 1.5},
        "the density at the mean beside the highest",
        at_most=0.2,
    ),
    Preset(
        "Regulariser too small",
        "With λ near 0 the estimate follows every pair: weights of both signs cancel, and the density oscillates.",
        {"source": "fan", "bandwidth": 0.25, "at": 2.0, "lam": 1e-6},
        "the distance beside leave-one-out's",
        at_least=3.0,
    ),
    Preset(
        "Bimodal prior",
        "The prior has two humps; once x is seen, only the hump that explains it is left.",
        {"picture": "bayes", "source": "gaussian", "prior_mean": 0.0, "prior_gap": 1.0, "prior_sd": 0.35, "at": 1.0},
        "the distance to the exact embedding",
        at_most=0.3,
    ),
    Preset(
        "Printed rule fails",
        "The article's order of two matrices gives weights that have nothing to do with the posterior.",
        {"picture": "bayes", "source": "gaussian", "printed": True, "at": 1.0},
        "the printed rule's distance beside the right one's",
        at_least=5.0,
    ),
    Preset(
        "Two wells",
        "Where the motion is not linear, the kernel filter has learnt it, and Kalman's cannot.",
        {"picture": "filter", "path": "wells", "sensor": 1.5, "n": 400},
        "the kernel filter's distance from the exact belief beside Kalman's",
        at_most=0.8,
    ),
    Preset(
        "Nearly exact sensor",
        "The sensor is nearly exact, but λ̃ and the bandwidth blur its readings: Kalman's filter wins.",
        {"picture": "filter", "sensor": 0.02},
        "the kernel filter's error beside Kalman's",
        at_least=2.0,
    ),
    Preset(
        "All of it in a table",
        "Symbols instead of numbers: every rule is a rule of probability. Change the counts.",
        {"picture": "table"},
        "the largest difference of rule and table",
        at_most=1e-6,
    ),
)

_PRINTED = PRESETS[4].fields
_MEAN = "mean of y"

STORIES = (
    Story(
        "cut",
        "What is y where x is known?",
        (
            Step(
                "200 pairs on a banana. Where x = 1.5, what is y on average?",
                "{mean}; exactly it is {exact}. The pairs near the line have the weights.",
                {},
                Place(lambda r: r.mean, _MEAN, values(-2.0, 4.0, 24)),
            ),
            Step(
                "Far out, at x = 2.5, there are hardly any pairs. Is the estimated mean of y too small or too large?",
                "It is too small: {mean}, where {exact} is exact. With few pairs near, all weights are small, and the"
                " estimate shrinks towards 0.",
                {"at": 2.5},
                Choose(lambda r: r.mean / r.exact_mean, ("too small", "exact", "too large"), (0.99, 1.01)),
            ),
            Step(
                "y is a fan now, the kernel is narrow, and λ is next to 0. Is the embedding nearer to the truth than"
                " with λ by leave-one-out, or farther?",
                "Farther: {distance} away instead of {chosen}, and {negative} of the weights' size is negative.",
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
                "By the prior y is about 0.5. Then x = 1 is seen, and x tends to be 0.8 y. What is the mean of y now?",
                "It moves from {before} to {mean}; exactly it is {exact}.",
                {"picture": "bayes", "source": "gaussian", "at": 1.0},
                Place(lambda r: r.mean, _MEAN, values(-1.0, 2.0, 30)),
            ),
            Step(
                "The article prints the rule with two matrices the other way round. Does that change much?",
                "Yes: the right rule is {distance} away from the exact posterior, the printed one {printed}.",
                _PRINTED,
                Choose(lambda r: r.effect_printed, ("No", "Yes, a little", "Yes, much"), (1.1, 2.0)),
            ),
            Step(
                "With 800 pairs, does the printed rule recover?",
                "No: the right rule is {distance} away, the printed one {printed}. It is another rule.",
                {**_PRINTED, "n": 800},
                Choose(lambda r: r.effect_printed, ("Yes", "No"), (1.5,)),
            ),
        ),
    ),
    Story(
        "filter",
        "Following what one does not see",
        (
            Step(
                "A path on a line, for which Kalman's filter is the best there is. How much larger is the error of a"
                " filter that has only seen 200 steps?",
                "Hardly larger: it misses the state by {kernel}, Kalman's by {kalman}.",
                {"picture": "filter"},
                Choose(lambda r: r.effect_filters, ("less than 10 %", "10 to 50 %", "even more"), (1.1, 1.5)),
            ),
            Step(
                "Now the state is pulled into two wells. Which filter is nearer to the belief of one who knows them?",
                "The kernel filter, {near} away; Kalman's is {far} away. It has learnt the wells from the path, and"
                " Kalman's fits a line.",
                PRESETS[5].fields,
                Choose(lambda r: r.effect_exact, ("the kernel filter", "Kalman's filter"), (1.0,)),
            ),
            Step(
                "The sensor becomes nearly exact. Which filter has the smaller error now?",
                "Kalman's: it misses by {kalman}, the kernel filter by {kernel}. λ̃ and the bandwidth blur the"
                " sensor's readings: make both smaller.",
                PRESETS[6].fields,
                Choose(lambda r: r.effect_filters, ("the kernel filter", "Kalman's filter"), (1.0,)),
            ),
        ),
    ),
)
