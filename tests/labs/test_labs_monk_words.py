"""What the MONK lab says: its headline and its caption have the numbers and the warnings of their state."""

import math
from functools import partial

from every_lab import at_step
from picturing import in_words

from explorer.labs.monk import MonkLab
from explorer.labs.monk.words import caption, headline, told
from explorer.workbench.numbers import number

at = partial(at_step, "monk")


def test_the_headline_says_both_estimates_and_the_truth():
    result = at("one-outlier", 2)
    said = headline(result, result.row)
    assert "1 contaminated pair of 200." in said
    for value in (result.u_mmd, result.estimate.value, result.truth):
        assert f"<b>{float(f'{value:.3g}'):g}</b>" in said
    assert "no root" not in said
    assert "<span class='name kme'>U-statistic</span>" in said
    assert "<span class='name monk'>MONK</span>" in said
    assert len({headline(result, row) for row in range(len(result.stops))}) == len(result.stops)
    assert "200 clean pairs" in headline(at("one-outlier", 0), 0)


def test_a_negative_statistic_has_its_badge_and_is_never_clipped():
    result = at("identical", 1)
    said = headline(result, result.row)
    assert "<b>MMD² = −3.2 × 10⁹ &lt; 0 <span class='badge'>no root</span></b>" in said
    assert "MMD² cannot be negative. Programs that clip it to 0 would report identical distributions." in said
    assert result.u_mmd == -math.sqrt(-result.U)


def test_every_number_is_an_mmd_and_a_square_is_called_one():
    """A root and a square side by side would read as one quantity on two scales."""
    for outliers in (5, 1):
        result = MonkLab(outliers=outliers, picture="estimates").result()
        root, square = number(abs(result.u_mmd)), number(abs(result.U))
        spoken = [headline(result, result.row), caption(result), *in_words(result), told(result)["u"]]
        if result.U < 0:
            assert all(f"MMD² = −{square}" in said for said in spoken if square in said)
            assert not any(root in said for said in spoken)
        else:
            assert root in spoken[0]
            assert not any(square in said for said in spoken)


def test_the_picture_of_the_estimates_is_told():
    said = in_words(MonkLab(picture="estimates").result())[-1]
    for name in ("U-statistic", "plain average", "MONK", "geometric median", "Huber", "Hampel"):
        assert name in said


def test_a_single_clean_block_is_one():
    result = MonkLab(blocks=5, distance=2000.0).result()
    assert (~result.contaminated_blocks()).sum() == 1
    assert "Only 1 of the 5 blocks is clean" in headline(result, result.row)


def test_a_lost_vote_is_said():
    assert "outliers can carry the median away" in headline(at("too-few", 0), at("too-few", 0).row)
    assert "the vote holds" in headline(at("too-few", 2), at("too-few", 2).row)
    assert "no vote" in headline(at("one-outlier", 3), 0)


def test_a_clean_majority_at_the_end_alone_reassures_nobody():
    """BCD averages iterations, each with blocks of its own: one lost vote among them can spoil the mean."""
    result = MonkLab(outliers=4, blocks=7, method="bcd").result()
    assert 2 * result.contaminated_blocks().sum() < 7  # after the last permutation the clean ones are a majority
    assert result.estimate.value > 3 * result.truth
    lost = (
        "in 44 of the 67 iterations that are averaged clean blocks are a majority: outliers can carry the median away"
    )
    assert lost in headline(result, result.row)
    held = MonkLab(outliers=2, blocks=7, method="bcd").result()
    kept = "in all 67 iterations that are averaged clean blocks are a majority: the vote holds"
    assert kept in headline(held, held.row)
    assert held.estimate.value < 2 * held.truth


def test_a_root_that_is_none_does_not_hide_a_lost_vote():
    result = MonkLab(outliers=2, shift=0.0, distance=10.0, blocks=3, method="bcd", kernel="LIN").result()
    assert result.U < 0
    assert not result.vote_holds(result.row)
    said = headline(result, result.row)
    assert "MMD² cannot be negative." in said
    assert "outliers can carry the median away" in said


def test_the_caption_has_the_numbers_of_its_state():
    assert "survives 5 contaminated pairs" in caption(at("one-outlier", 0))
    assert "η = 0.96" in caption(at("one-outlier", 0))
    assert "Algorithm 2" in caption(at("loses", 2))
    assert "infinite" in caption(at("pareto", 0))
    assert "infinite" not in caption(at("pareto", 2))
