"""What the MONK lab says: its headline and its caption have the numbers and the warnings of their state."""

import math
from functools import partial

from every_lab import at_step

from explorer.labs.monk.words import caption, headline

at = partial(at_step, "monk")


def test_the_headline_says_both_estimates_and_the_truth():
    result = at("one-outlier", 2)
    said = headline(result, result.row)
    assert "1 contaminated pair of 200." in said
    for value in (result.u_mmd, result.estimate.value, result.truth):
        assert f"<b>{float(f'{value:.3g}'):g}</b>" in said
    assert "negative" not in said
    assert len({headline(result, row) for row in range(len(result.stops))}) == len(result.stops)
    assert "200 clean pairs" in headline(at("one-outlier", 0), 0)


def test_a_negative_statistic_has_its_badge_and_is_never_clipped():
    result = at("identical", 1)
    said = headline(result, result.row)
    assert "−3.2 × 10⁹" in said
    assert "<span class='badge'>negative</span>" in said
    assert result.u_mmd == -math.sqrt(-result.U)


def test_a_lost_vote_is_said():
    assert "outliers can carry the median away" in headline(at("too-few", 0), at("too-few", 0).row)
    assert "the vote holds" in headline(at("too-few", 2), at("too-few", 2).row)
    assert "no vote" in headline(at("one-outlier", 3), 0)


def test_the_caption_has_the_numbers_of_its_state():
    assert "survives 5 contaminated pairs" in caption(at("one-outlier", 0))
    assert "η = 0.96" in caption(at("one-outlier", 0))
    assert "Algorithm 2" in caption(at("loses", 2))
    assert "infinite" in caption(at("pareto", 0))
    assert "infinite" not in caption(at("pareto", 2))
