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
        "The model lies beside the data. Drag its centre onto them: the arrows go and p rises.",
        {},
        "p of the KSD test",
        at_most=0.01,
    ),
    Preset(
        "A model that fits",
        "The model is the distribution of the data. What is left of the witness is chance.",
        _HOME,
        "p of the KSD test",
        at_least=0.2,
    ),
    Preset(
        "Heavy tails",
        "The data are Student's t, the model is a Gaussian. It is too wide in the middle and too thin far out.",
        _TAILS,
        "p of the KSD test",
        at_most=0.01,
    ),
    Preset(
        "Two groups, one Gaussian",
        "A Gaussian fitted to two groups. At the median bandwidth KSD sees nothing; KSDAgg rejects.",
        _GROUPS,
        "the divergence that the test misses",
        at_least=0.1,
        then=("bandwidth 0.5", {"bandwidth": 0.5}),
    ),
    Preset(
        "Wrong weights",
        "One fifth of the data and half of the model are at the left. Near each group the score is right all the same.",
        _WEIGHTS,
        "the divergence that the test misses",
        at_least=0.15,
        then=("groups 2 apart", {"apart": 2.0}),
    ),
    Preset(
        "A mode without data",
        "Half of the model lies where there are no data. The score at the data does not know of it.",
        _HOLE,
        "the divergence that the test misses",
        at_least=0.6,
        then=("groups 3 apart", {"apart": 3.0}),
    ),
    Preset(
        "Fitted to the same data",
        "A Gaussian fitted to the very points that test it. The data are heavy-tailed, but p is too large.",
        _FITTED,
        "the divergence that the test misses",
        at_least=0.1,
        then=("a fit to other points", {"fitted_on": "other"}),
    ),
    Preset(
        "On a line",
        "One coordinate: the witness is a curve. Above 0, data there should lie farther right to fit the model.",
        {"d": 1},
        "p of the KSD test",
        at_most=0.01,
    ),
    Preset(
        "Wine",
        "A Gaussian fitted to two columns of wines does not fit them, although the same wines test it.",
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
                "Points come from one Gaussian, and the model lies beside them. Look at the arrows. Does the KSD test"
                " reject the model?",
                "Yes: KSD² = {ksd}, far above {limit}, and p = {p}. The witness is up to {longest} standard errors"
                " long.",
                {},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The model now lies where the data come from. The witness is not exactly 0. How large is p?",
                "p = {p}. The arrows that are left are as long as chance makes them.",
                _HOME,
                Place(_p, "p", P_VALUES),
            ),
            Step(
                "The centre is right, but the model is too wide: its standard deviation is 1.4 times that of the data."
                " Does the test notice?",
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
                "Now all data come from the left group, and half of the model lies where there are none. Does the test"
                " reject it?",
                "No: p = {p}, although the divergence from the truth is {off} nats per point. A test that looks at the"
                " score near the data does not know of a mode far away.",
                _HOLE,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The groups come nearer, to a distance of 3. All data still come from the left one. Does the test"
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
                "No: p = {p}. So wide a kernel sees little more than mean and covariance, and these are right.",
                _GROUPS,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "With half the bandwidth, how large is p?",
                "p = {p}. At {rejecting} of the bandwidths of the slider the test rejects.",
                {**_GROUPS, "bandwidth": 0.5},
                Place(_p, "p", P_VALUES),
            ),
            Step(
                "KSDAgg tests at ten bandwidths at once and corrects for that. How large is its p?",
                "p = {many}, and no bandwidth was chosen.",
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
                "No: p = {p}, although the divergence from the truth is {off} nats per point. The fit has taken up what"
                " the test looks for.",
                _FITTED,
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "The Gaussian is fitted to 40 other points of the same distribution, and tested on the first 40. Does"
                " the test reject it now?",
                "Yes: p = {p}. Points held out test this fitted model fairly. It is no test of the family: even if the"
                " points were Gaussian, a Gaussian fitted to 40 of them would not be the true one.",
                {**_FITTED, "fitted_on": "other"},
                Choose(_p, _YES_BELOW, _LEVEL),
            ),
            Step(
                "With 400 points, tested on the points of the fit again: how many standard errors long is the witness?",
                "{longest}, and p = {p}: with many points even the model's own data reveal the tails.",
                {**_FITTED, "n": 400},
                Place(lambda r: r.longest, "standard errors", values(0.0, 20.0, 10)),
            ),
        ),
    ),
)
