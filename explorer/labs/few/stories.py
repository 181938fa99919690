"""Presets and stories of the Few lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES

_TIMES = "the MMD of random rows over that of the chosen points"
_LEFT = "the MMD of the particles over that of as many random rows"
_BLOBS = {"source": "blobs", "m": 3}
_FLOW = {"source": "blobs", "picture": "flow"}

PRESETS = (
    Preset(
        "16 points for 256",
        "Herding chooses 16 points that represent all 256. Drag one of them and watch the MMD.",
        {},
        _TIMES,
        at_least=2.5,
        then=("kernel thinning", {"method": "thinning"}),
    ),
    Preset(
        "Kernel thinning",
        "The sample is halved four times. Each half keeps nearly the same kernel mean.",
        {"method": "thinning"},
        _TIMES,
        at_least=3.5,
        then=("64 points", {"m": 64}),
    ),
    Preset(
        "One for each blob",
        "Three points represent three blobs. A fourth point makes the MMD larger.",
        _BLOBS,
        _TIMES,
        at_least=6,
        then=("a fourth point", {"m": 4}),
    ),
    Preset(
        "Bandwidth too narrow",
        "Each point resembles only itself, so the chosen points are hardly better than random rows.",
        {"bandwidth": 0.03},
        _TIMES,
        at_most=1.25,
        then=("bandwidth 0.3", {"bandwidth": 0.3}),
    ),
    Preset(
        "Only the mean",
        "The linear kernel compares only means. The chosen points match the mean and miss the moons' shape.",
        {"kernel": "LIN"},
        _TIMES,
        at_least=10,
        then=("the RBF kernel", {"kernel": "RBF"}),
    ),
    Preset(
        "What a bad point costs",
        "One chosen point was moved far away. There it represents no rows, and its old neighbours lack a point.",
        {"moved": '{"0":[3,-2]}'},
        "the MMD over that before a point was moved",
        at_least=1.3,
        then=("the point back", {"moved": ""}),
    ),
    Preset(
        "Criticisms of wine",
        "16 wines represent 178. The list shows which wines they represent worst.",
        {"source": "wine", "n": 178, "bandwidth": 1.0},
        "the size of the largest criticism",
        at_least=0.01,
        then=("64 wines", {"m": 64}),
    ),
    Preset(
        "Test few rows",
        "128 of 1,024 rows of each sample are enough to find a shift of 0.2.",
        {"picture": "test"},
        "p of the compressed test",
        at_most=0.05,
        then=("no shift", {"shift": 0.0}),
    ),
    Preset(
        "Particles reach the blobs",
        "With a wide kernel the particles flow into the blobs. Their MMD ends far below that of random rows.",
        {**_FLOW, "bandwidth": 1.0},
        _LEFT,
        at_most=0.5,
        then=("bandwidth 0.3", {"bandwidth": 0.3}),
        was="A cloud pours in",
    ),
    Preset(
        "A flow that gets stuck",
        "With a narrow kernel some particles are pushed away and stop, as the gradient there is almost 0.",
        _FLOW,
        _LEFT,
        at_least=2,
        then=("noise of 2 θ", {"spread": 2.0}),
    ),
    Preset(
        "Freed by noise",
        "Noise moves the point at which the gradient is taken. More particles reach the blobs, and the MMD halves.",
        {**_FLOW, "spread": 2.0},
        _LEFT,
        at_most=2,
        then=("no noise", {"spread": 0.0}),
    ),
)

_FALLS = ("faster than m^(−0.75)", "slower than m^(−0.75)")
_RANDOM = ("below that of 60 random rows", "above it")

STORIES = (
    Story(
        "few",
        "How few are enough?",
        (
            Step(
                "Herding chooses 16 of 256 points. How many random rows have as small an MMD to the sample?",
                "About {worth}. Here the MMD is {mmd}; 16 random rows have {random}, {times} times as much.",
                {},
                Choose(lambda r: r.worth, ("fewer than 32", "32 to 80", "more than 80"), (32, 80)),
                large=True,
            ),
            Step(
                "The MMD of random rows falls like m^(−0.5). How fast does it fall with herding?",
                "Like m^({rate of herding}) from 4 to 64 points, and with kernel thinning like m^({rate of thinning}).",
                {"m": 32},
                Choose(lambda r: r.slope("herding"), _FALLS, (-0.75,)),
                large=True,
            ),
            Step(
                "Now the kernel is ten times narrower. Do 16 herded points still have less than half the MMD of 16"
                " random rows?",
                "No: random rows have only {times} times as much. Each point resembles only itself, so it represents"
                " no other.",
                {"bandwidth": 0.03},
                Choose(lambda r: r.times, ("No", "Yes"), (2,)),
                large=True,
            ),
        ),
    ),
    Story(
        "fourth",
        "A point too many",
        (
            Step(
                "Herding chooses three points, one in each blob. How much larger is the MMD of three random rows?",
                "{times} times as large: {random} instead of {mmd}.",
                _BLOBS,
                Choose(lambda r: r.times, ("less than twice", "2 to 5 times", "more than 5 times"), (2, 5)),
                large=True,
            ),
            Step(
                "Herding adds a fourth point. Does the MMD fall below 0.05?",
                "No: it rises to {mmd}. With equal weights one blob now has half of the weight, the others a"
                " quarter each.",
                {**_BLOBS, "m": 4},
                Choose(lambda r: r.error, ("Yes", "No, it rises"), (0.05,)),
                large=True,
            ),
            Step(
                "Kernel k-means also takes four points, but gives each its cluster's weight. Is the MMD below 0.1?",
                "Yes: it is {mmd}. The two points in one blob share its weight.",
                {**_BLOBS, "m": 4, "method": "k-means"},
                Choose(lambda r: r.error, ("Yes", "No"), (0.1,)),
                large=True,
            ),
        ),
    ),
    Story(
        "compress",
        "Test an eighth of the rows",
        (
            Step(
                "Two samples of 1,024 points differ by a shift of 0.2. The test keeps 128 rows of each. Does it"
                " reject at level 0.05?",
                "Yes: p = {p}. With all rows p = {all}.",
                {"picture": "test"},
                Choose(lambda r: r.pvalue, ("Yes", "No"), (0.05,)),
            ),
            Step(
                "What share of the kernel values does the compressed test need, including those for thinning?",
                "{cost}. Most of these kernel values compare rows within a bin.",
                {"picture": "test", "seed": 2},
                Choose(lambda r: r.cost_share, ("less than 10 %", "10 to 30 %", "more than 30 %"), (0.1, 0.3)),
            ),
            Step(
                "Without a shift both samples have one distribution. In what share of 200 pairs does the test reject at"
                " level 0.05?",
                "In {false} of {count}. It permutes whole bins, so its level is exact, however few rows are kept.",
                {"picture": "test", "shift": 0.0, "samples": 200},
                Place(lambda r: r.effect_false, "the share of pairs in which it rejects", SHARES),
            ),
        ),
    ),
    Story(
        "flow",
        "Particles that get stuck",
        (
            Step(
                "With a wide kernel, 60 particles flow down the MMD into three blobs. Where does their MMD end?",
                "At {left}, {stuck} times that of 60 random rows. The particles represent the sample better than random"
                " rows do.",
                {**_FLOW, "bandwidth": 1.0},
                Choose(lambda r: r.stuck, _RANDOM, (1,)),
            ),
            Step(
                "The bandwidth is now 0.3. Where does the MMD of the particles end?",
                "At {left}, {stuck} times that of 60 random rows. The first particles fill the nearest blobs. Later"
                " particles are pushed back and do not reach the blobs behind.",
                _FLOW,
                Choose(lambda r: r.stuck, _RANDOM, (1,)),
            ),
            Step(
                "The gradient is now taken at a random place near each particle, and the noise falls to 0. Does this"
                " lower the final MMD?",
                "Yes: from {without} to {left}. Noise carries particles to where the gradient leads to the other"
                " blobs.",
                {**_FLOW, "spread": 2.0},
                Choose(lambda r: r.gained, ("Yes", "No"), (1,)),
            ),
        ),
    ),
)
