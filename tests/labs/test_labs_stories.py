"""Stories: each step is a state that can be shown, and what its answer claims is so."""

import pytest

from explorer import SKMSE, risk
from explorer.labs.presets import SHRINKAGE as PRESETS
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage_stories import SHRINKAGE
from explorer.labs.shrinkage_words import told
from explorer.labs.stories import find

STEPS = [(story.key, i, step) for story in SHRINKAGE for i, step in enumerate(story.steps)]
RESULTS = {(key, i): ShrinkageLab(**step.fields).result() for key, i, step in STEPS}

# what the answers claim, beyond the numbers that are put into them
CLAIMS = {
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


@pytest.mark.parametrize(("key", "step", "said"), [("stein", "1", "stories are"), ("harm", "9", "steps 1 to 3"),
                                                   ("harm", "0", "steps 1 to 3"), ("harm", "x", "steps 1 to 3")])  # fmt: skip
def test_what_is_no_story_is_a_sentence(key, step, said):
    with pytest.raises(ValueError, match=said):
        find(SHRINKAGE, key, step)


def test_titles_and_names_are_apart():
    names = [story.title for story in SHRINKAGE] + [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)
