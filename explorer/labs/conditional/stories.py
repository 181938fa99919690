"""The Conditional lab's presets and stories."""

from explorer.workbench import Preset, Step, Story

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
        "y goes either way: its mean is where no y is, and the embedding has both humps.",
        {"source": "fork", "at": 1.5},
        "the density at the mean beside the highest",
        at_most=0.2,
    ),
    Preset(
        "Regulariser too small",
        "λ near 0 follows every pair: weights of both signs cancel, and the density swings.",
        {"source": "fan", "bandwidth": 0.25, "at": 2.0, "lam": 1e-6},
        "the distance beside leave-one-out's",
        at_least=3.0,
    ),
    Preset(
        "Bimodal prior",
        "Two humps go in, and seeing x leaves the one that explains it.",
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
        "Where the motion is no straight line, the kernel filter has learnt it, and Kalman's cannot.",
        {"picture": "filter", "path": "wells", "sensor": 1.5, "n": 400},
        "the kernel filter's distance from the exact belief beside Kalman's",
        at_most=0.8,
    ),
    Preset(
        "Nearly exact sensor",
        "The sensor says it all, but λ̃ and the bandwidth blur what it says: Kalman's filter wins.",
        {"picture": "filter", "sensor": 0.02},
        "the kernel filter's error beside Kalman's",
        at_least=2.0,
    ),
    Preset(
        "All of it in a table",
        "Symbols instead of numbers: every rule is the rule of probability. Change the counts.",
        {"picture": "table"},
        "the largest difference of rule and table",
        at_most=1e-6,
    ),
)

_PRINTED = PRESETS[4].fields
STORIES = (
    Story(
        "cut",
        "What is y where x is known?",
        (
            Step(
                "200 pairs on a banana. Where x = 1.5, what will y be on average?",
                "{mean}; exactly it is {exact}. The pairs near the line have the weights.",
                {},
            ),
            Step(
                "And far out, at x = 2.5, where there are hardly any pairs?",
                "{mean}, exactly {exact}. With few pairs near, all weights are small, and the estimate is drawn to 0.",
                {"at": 2.5},
            ),
            Step(
                "y is a fan now, the kernel is narrow, and λ next to 0. Is the embedding nearer to the truth than with"
                " λ by leave-one-out, or farther?",
                "Farther: {distance} away in place of {chosen}, and {negative} of the weights' size is negative.",
                PRESETS[2].fields,
            ),
        ),
    ),
    Story(
        "bayes",
        "From prior to posterior",
        (
            Step(
                "y is about 0.5 by the prior. Then x = 1 is seen, and x tends to be 0.8 y. Where does y go?",
                "From {before} to {mean}, exactly {exact}.",
                {"picture": "bayes", "source": "gaussian", "at": 1.0},
            ),
            Step(
                "The article prints the rule with two matrices the other way round. Does it matter?",
                "The right rule is {distance} away from the exact posterior, the printed one {printed}.",
                _PRINTED,
            ),
            Step(
                "More pairs: does the printed rule recover?",
                "No: with 800 pairs the right rule is {distance} away, the printed one {printed}. It is another rule.",
                {**_PRINTED, "n": 800},
            ),
        ),
    ),
    Story(
        "filter",
        "Following what one does not see",
        (
            Step(
                "A path on a line, for which Kalman's filter is the best there is. How much worse is a filter that has"
                " only seen 200 steps?",
                "It misses by {kernel}, Kalman's by {kalman}.",
                {"picture": "filter"},
            ),
            Step(
                "Now the state is pulled into two wells. Which filter is nearer to the belief of one who knows them?",
                "The kernel filter, {near} away beside {far}: it has learnt the wells from the path, and Kalman's fits"
                " a line.",
                PRESETS[5].fields,
            ),
            Step(
                "The sensor becomes nearly exact. Which filter gains more?",
                "Kalman's: {kalman} beside {kernel}. λ̃ and the bandwidth blur what the sensor says: make both smaller.",
                PRESETS[6].fields,
            ),
        ),
    ),
)
