"""Presets and stories of the Fit lab."""

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import P_VALUES, values

_HOME = {"moved": '{"0":[0,0]}'}
_GROUPS = {"source": "two", "family": "fitted"}
_WEIGHTS = {"source": "two", "family": "two", "apart": 10.0, "share": 0.2}
_HOLE = {**_WEIGHTS, "share": 1.0}
_TAILS = {"source": "student", "width": 1.5, "n": 300, "bandwidth": 0.5, **_HOME}
_FITTED = {"source": "student", "family": "fitted", "n": 40, "seed": 3}

PRESETS = (
    Preset(
        "A shifted model",
        "The model is shifted from the data. Drag its centre onto the data: the arrows vanish and p rises.",
        {},
        "p of the KSD test",
        at_most=0.01,
    ),
    Preset(
        "A model that fits",
        "The model is the distribution of the data. The remaining witness is due to chance.",
        _HOME,
        "p of the KSD test",
        at_least=0.2,
    ),
    Preset(
        "Heavy tails",
        "The data are Student's t. The Gaussian model is too wide in the middle and has too thin tails.",
        _TAILS,
        "p of the KSD test",
        at_most=0.01,
    ),
    Preset(
        "Two groups, one Gaussian",
        "A Gaussian is fitted to two groups. KSD at the median bandwidth does not reject it; KSDAgg does.",
        _GROUPS,
        "the divergence that the test misses",
        at_least=0.1,
        then=("bandwidth 0.5", {"bandwidth": 0.5}),
    ),
    Preset(
        "Wrong weights",
        "The left group has one fifth of the data and half of the model. Near each group the score is still right.",
        _WEIGHTS,
        "the divergence that the test misses",
        at_least=0.15,
        then=("groups 2 apart", {"apart": 2.0}),
    ),
    Preset(
        "A mode without data",
        "Half of the model lies where there are no data. The score at the data does not reveal this.",
        _HOLE,
        "the divergence that the test misses",
        at_least=0.6,
        then=("groups 3 apart", {"apart": 3.0}),
    ),
    Preset(
        "Fitted to the same data",
        "A Gaussian is fitted to the tested points. The data are heavy-tailed, but p is too large to reject it.",
        _FITTED,
        "the divergence that the test misses",
        at_least=0.1,
        then=("a fit to other points", {"fitted_on": "other"}),
    ),
    Preset(
        "On a line",
        "With one coordinate the witness is a curve. If it is above 0, data there lie too far left for the model.",
        {"d": 1},
        "p of the KSD test",
        at_most=0.01,
    ),
    Preset(
        "Wine",
        "A Gaussian fitted to two columns of wines is rejected, although it is tested on the same wines.",
        {"source": "wine", "family": "fitted", "bandwidth": 0.4},
        "p of the KSD test",
        at_most=0.02,
    ),
)

_YES_BELOW = ("Yes", "No")  # the answers if p is at most the level, and if it is above
_LEVEL = (0.05,)


def _p(result):
    return result.pvalue


STORIES = (
    Story(
        "fit",
        "Where does the model miss?",
        (
            Step(
                "Points come from one Gaussian, and the model is shifted from them. Look at the arrows. Does the KSD"
                " test reject the model?",
                "Yes: KSD² = {ksd}, far above {limit}, and p = {p}. The witness is up to {longest} standard errors"
                " long.",
                {},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The model now lies where the data come from. The witness is not exactly 0. How large is p?",
                "p = {p}. The remaining arrows are due to chance.",
                _HOME,
                Place(_p, "p", P_VALUES),
            ),
            Step(
                "The centre is right, but the model is too wide: its standard deviation is 1.4 times that of the data."
                " Does the test detect this?",
                "Yes: p = {p}. All arrows point outwards: the data would have to spread to fit the model.",
                {**_HOME, "width": 1.4},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
        ),
    ),
    Story(
        "blind",
        "What the score cannot see",
        (
            Step(
                "One fifth of the data comes from the left group. The model gives each group one half. Does the KSD"
                " test reject it?",
                "No: p = {p}. Near either group the score of the model is right, whatever the weights are.",
                _WEIGHTS,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "Now all data come from the left group, and half of the model lies where there are no data. Does the"
                " test reject it?",
                "No: p = {p}, although the divergence from the truth is {off} nats per point. The score near the data"
                " does not depend on a mode far away.",
                _HOLE,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The distance of the groups is reduced to 3. All data still come from the left group. Does the test"
                " reject the model now?",
                "Yes: p = {p}. Where the groups overlap the score depends on the weights.",
                {**_HOLE, "apart": 3.0},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
        ),
    ),
    Story(
        "bandwidth",
        "No bandwidth to choose",
        (
            Step(
                "The data are two groups, the model is one Gaussian with their mean and covariance. Does the KSD test"
                " at the median bandwidth reject it?",
                "No: p = {p}. A kernel this wide compares little more than mean and covariance, and the model has both"
                " right.",
                _GROUPS,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "With half the bandwidth, how large is p?",
                "p = {p}. The test rejects at {rejecting} of the slider's bandwidths.",
                {**_GROUPS, "bandwidth": 0.5},
                Place(_p, "p", P_VALUES),
            ),
            Step(
                "KSDAgg tests at ten bandwidths at once and corrects for that. How large is its p?",
                "p = {many}, without a choice of bandwidth.",
                _GROUPS,
                Place(lambda r: r.p_aggregated, "p of KSDAgg", P_VALUES),
            ),
        ),
    ),
    Story(
        "fitted",
        "Fitted to the data that test it",
        (
            Step(
                "40 points of a heavy-tailed distribution. A Gaussian is fitted to them and tested on them. Does the"
                " KSD test reject it?",
                "No: p = {p}, although the divergence from the truth is {off} nats per point. The fit has adapted"
                " the model to the points that test it.",
                _FITTED,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The Gaussian is fitted to 40 other points of the same distribution, and tested on the first 40. Does"
                " the test reject it now?",
                "Yes: p = {p}. Held-out points test this fitted model fairly. They do not test whether the points are"
                " Gaussian: even then a Gaussian fitted to 40 points would not be the true distribution.",
                {**_FITTED, "fitted_on": "other"},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "With 400 points, tested on the points of the fit again: how many standard errors long is the witness?",
                "{longest}, and p = {p}: with many points, even the points of the fit reveal the heavy tails.",
                {**_FITTED, "n": 400},
                Place(lambda r: r.longest, "standard errors", values(0.0, 20.0, 10)),
            ),
        ),
    ),
)
