"""Stories: each step is a state that can be shown, and what its answer claims is so."""

import numpy as np
import pytest

from explorer import SKMSE, james_stein, james_stein_risk, risk
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.stories import PRESETS
from explorer.labs.shrinkage.stories import STORIES as SHRINKAGE
from explorer.labs.shrinkage.words import told
from explorer.workbench.stories import find

STEPS = [(story.key, i, step) for story in SHRINKAGE for i, step in enumerate(story.steps)]
RESULTS = {(key, i): ShrinkageLab(**step.fields).result() for key, i, step in STEPS}


def stein(d, mean, n=20):
    """What James and Stein's positive part gains on average."""
    return 1 - james_stein_risk(d * mean**2, d, variance=1 / n, positive=True) / (d / n)


def distance_to_blob(result):
    return np.linalg.norm(result.law.mean - result.blob.mean)


# what the answers claim, beyond the numbers that are put into them
CLAIMS = {
    ("stein", 0): lambda r: stein(1, 0.0) == 0 and told(r)["stein"] == "no closer",
    ("stein", 1): lambda r: stein(2, 0.0) == 0 and told(r)["stein"] == "no closer",
    ("stein", 2): lambda r: min(stein(3, mean) for mean in (0.0, 0.1, 1.0, 3.0)) > 0,
    ("stein", 3): lambda r: stein(10, 0.0) > stein(5, 0.0) > stein(3, 0.0) and stein(3, 0.0) < 0.5,
    ("stein", 4): lambda r: r.lab.mean**2 == pytest.approx(1 / r.lab.n) and r.gain(r.simple) > 0,
    ("stein", 5): lambda r: 0 < stein(10, 1.0) < 0.1,
    ("stein", 6): lambda r: 0 < r.expected_gain < RESULTS["stein", 5].expected_gain and distance_to_blob(r) > 10**0.5,
    ("weights", 0): lambda r: (
        min(r.gain(r.simple), r.gain(r.flexible)) > 0.2 and (r.simple_curve.weights.sum(axis=1)[:-1] < 1).all()
    ),
    ("weights", 1): lambda r: told(r)["simple"] == "no closer" and r.gain(r.flexible) < 0,
    ("weights", 2): lambda r: (
        r.gain(r.flexible) == 0 and np.ptp(r.flexible_curve.weights) == 0 and r.gain(r.simple) > 0
    ),
    ("bandwidth", 0): lambda r: r.expected_gain < 0.1,
    ("bandwidth", 1): lambda r: r.expected_gain > 3 * RESULTS["bandwidth", 0].expected_gain and r.gain(r.simple) > 0,
    ("bandwidth", 2): lambda r: r.expected_gain > 0.5 and r.simple.best > 10 * RESULTS["bandwidth", 0].simple.best,
    ("bandwidth", 3): lambda r: 0.1 < r.expected_gain < RESULTS["bandwidth", 2].expected_gain,
    ("harm", 0): lambda r: r.gain(r.simple) < 0 and 2 * r.expected_gain < 0.32 / 1.32,
    ("harm", 1): lambda r: r.gain(r.simple) < RESULTS["harm", 0].gain(RESULTS["harm", 0].simple),
    ("harm", 2): lambda r: r.gain(r.simple) > 0 and r.simple.chosen < 0.05,
    ("leave-one-out", 0): lambda r: 0.5 < r.simple.chosen / r.simple.best < 2,
    ("leave-one-out", 1): lambda r: abs(r.simple.chosen / r.simple.best - 1) > 0.25 and r.gain(r.simple) > 0,
    ("leave-one-out", 2): lambda r: r.flexible.chosen > r.flexible.best and r.gain(r.flexible) < 0,
    ("leave-one-out", 3): lambda r: r.law is None and min(r.gain(r.simple), r.gain(r.flexible)) > 0,
}


def test_every_step_has_its_claim():
    assert CLAIMS.keys() == RESULTS.keys()


@pytest.mark.parametrize("place", RESULTS, ids=str)
def test_the_answer_is_true(place):
    assert CLAIMS[place](RESULTS[place])


@pytest.mark.parametrize(("key", "i", "step"), STEPS, ids=lambda v: str(v) if isinstance(v, (str, int)) else "")
def test_the_answer_can_be_told_and_the_question_gives_no_number_away(key, i, step):
    answer = step.says.format(**told(RESULTS[key, i]))
    assert "{" not in answer
    assert answer.count(".") >= 1
    assert step.asks.endswith("?")
    assert find(SHRINKAGE, key, str(i + 1)) == (next(s for s in SHRINKAGE if s.key == key), i)


def test_the_told_average_is_the_exact_risk():
    result = RESULTS["harm", 0]
    plain, shrunk = (risk(SKMSE(result.kernel, lam), result.law, 20) for lam in (0.0, 0.32))
    assert told(result)["average"] == f"{100 * (shrunk / plain - 1):.0f} % further"


def test_the_told_gain_of_james_and_stein_is_that_of_their_estimates():
    """Drawn many times: the story's figure for three coordinates around 0 and for ten a little off."""
    rng = np.random.default_rng(0)
    for i, d, mean in ((2, 3, 0.0), (4, 10, RESULTS["stein", 4].lab.mean)):
        x = mean + rng.standard_normal((100_000, d)) / 20**0.5
        losses = ((james_stein(x, variance=1 / 20, positive=True) - mean) ** 2).sum(axis=1)
        gain = 1 - losses.mean() / (d / 20)
        # a standard error of 100,000 losses is 0.3 % of the plain average's, and the words have whole percents
        assert float(told(RESULTS["stein", i])["stein"].split()[0]) == pytest.approx(100 * gain, abs=0.5 + 1.4)


@pytest.mark.parametrize(
    ("key", "step", "said"),
    [
        ("tale", "1", "stories are"),
        ("harm", "9", "steps 1 to 3"),
        ("harm", "0", "steps 1 to 3"),
        ("harm", "x", "steps 1 to 3"),
    ],
)
def test_what_is_no_story_is_a_sentence(key, step, said):
    with pytest.raises(ValueError, match=said):
        find(SHRINKAGE, key, step)


def test_titles_and_names_are_apart():
    names = [story.title for story in SHRINKAGE] + [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)
