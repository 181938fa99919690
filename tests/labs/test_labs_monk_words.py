"""The MONK lab's stories: each step is a state that can be shown, and what its answer claims is so."""

import math

import pytest

from explorer import mmd2
from explorer.labs.monk import MonkLab
from explorer.labs.monk.stories import PRESETS, STORIES
from explorer.labs.monk.words import caption, headline, told
from explorer.workbench.stories import find

STEPS = [(story.key, i, step) for story in STORIES for i, step in enumerate(story.steps)]
RESULTS = {(key, i): MonkLab(**step.fields).result() for key, i, step in STEPS}


def off(result, by="monk"):
    return result.error(result.estimate.value if by == "monk" else result.u_mmd)


def said_at(place):
    """What MONK says at another step."""
    return RESULTS[place].estimate.value


# what the answers claim, beyond the numbers that are put into them
CLAIMS = {
    ("one-outlier", 0): lambda r: off(r) < 0.3 and off(r, "u") < 0.3 and not r.contaminated_blocks().any(),
    ("one-outlier", 1): lambda r: (
        r.u_mmd > RESULTS["one-outlier", 0].u_mmd and r.truth == RESULTS["one-outlier", 0].truth
    ),
    ("one-outlier", 2): lambda r: (
        r.u_mmd > 5 and r.estimate.value == pytest.approx(said_at(("one-outlier", 1)), rel=0.01)
    ),
    ("one-outlier", 3): lambda r: (
        r.estimate.value > 10
        and r.estimate.value**2 == pytest.approx(mmd2(r.pairs.X, r.pairs.Y, r.pairs.kernel, "biased"))
    ),
    ("one-outlier", 4): lambda r: r.outliers == 3 and off(r) < 0.3 and off(r, "u") > 5,
    ("identical", 0): lambda r: 0 < r.u_mmd < r.truth,
    ("identical", 1): lambda r: r.U < -1e6 and max(r.U, 0) == 0 and off(r) < 0.3,
    ("identical", 2): lambda r: r.U > 1e6 and off(r) < 0.5,
    ("too-few", 0): lambda r: 2 * r.contaminated_blocks().sum() > 5 and r.estimate.value > 1e4 and r.u_mmd > 1e4,
    ("too-few", 1): lambda r: r.truth < r.estimate.value < 3 and r.u_mmd > 1e4,
    ("too-few", 2): lambda r: off(r) < off(RESULTS["too-few", 1]),
    ("loses", 0): lambda r: off(r, "u") < 0.15 and r.lab.distance == 2000,
    ("loses", 1): lambda r: off(r) > off(r, "u") and r.truth == 0 and "times as far" in told(r)["compared"],
    ("loses", 2): lambda r: r.estimate.value < 0.6 * r.truth and off(r) > 2 * off(r, "u"),
    ("pareto", 0): lambda r: r.truth == 0 and r.U < 0 and off(r) < off(r, "u"),
    ("pareto", 1): lambda r: abs(r.U) > 5 and off(r) < off(r, "u"),
    ("pareto", 2): lambda r: abs(r.u_mmd) < 0.1 and off(r) < 0.1,
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
    assert find(STORIES, key, str(i + 1)) == (next(s for s in STORIES if s.key == key), i)


def test_titles_and_names_are_apart():
    names = [story.title for story in STORIES] + [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)


# sentences


def test_the_headline_says_both_estimates_and_the_truth():
    result = RESULTS["one-outlier", 2]
    said = headline(result, result.row)
    assert "1 contaminated pair of 200." in said
    for value in (result.u_mmd, result.estimate.value, result.truth):
        assert f"<b>{float(f'{value:.3g}'):g}</b>" in said
    assert "negative" not in said
    assert len({headline(result, row) for row in range(len(result.stops))}) == len(result.stops)
    assert "200 clean pairs" in headline(RESULTS["one-outlier", 0], 0)


def test_a_negative_statistic_has_its_badge_and_is_never_clipped():
    result = RESULTS["identical", 1]
    said = headline(result, result.row)
    assert "−3.2e+09" in said
    assert "<span class='badge'>negative</span>" in said
    assert result.u_mmd == -math.sqrt(-result.U)


def test_a_lost_vote_is_said():
    assert "outliers can carry the median away" in headline(RESULTS["too-few", 0], RESULTS["too-few", 0].row)
    assert "the vote holds" in headline(RESULTS["too-few", 2], RESULTS["too-few", 2].row)
    assert "no vote" in headline(RESULTS["one-outlier", 3], 0)


def test_the_caption_has_the_numbers_of_its_state():
    assert "survives 5 contaminated pairs" in caption(RESULTS["one-outlier", 0])
    assert "η = 0.96" in caption(RESULTS["one-outlier", 0])
    assert "Algorithm 2" in caption(RESULTS["loses", 2])
    assert "infinite" in caption(RESULTS["pareto", 0])
    assert "infinite" not in caption(RESULTS["pareto", 2])
