"""Texts of the MONK lab: its headline and its caption have the numbers and the warnings of their state."""

import math

import pytest
from every_lab import at_step
from helpers.lab_pictures import descriptions
from helpers.naming import one_sentence_names

from explorer.labs.monk import MonkLab
from explorer.labs.monk.words import caption, headline, story_values
from explorer.workbench.numbers import format_number


def result_at(state):
    """Return the result at a step of a story, or of fields."""
    return MonkLab(**state).result() if isinstance(state, dict) else at_step("monk", *state)


LOST = "outliers can decide the median"
BCD = {"blocks": 7, "method": "bcd"}
AVERAGED = "averaged iterations"


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (("one-outlier", 0), ["200 clean pairs.", "survives 5 contaminated pairs", "η is at least 0.96"]),
        (("one-outlier", 2), ["1 of 200 pairs is contaminated.", "<span class='name kme'>U-statistic</span>"]),
        (("one-outlier", 2), ["<span class='name monk'>MONK</span>"]),
        (("one-outlier", 3), ["With one block MONK uses the plain averages: MONK is off by "]),
        (("identical", 1), ["<b>MMD² = −3.2 × 10⁹ &lt; 0</b> (no root)"]),
        (("identical", 1), ["MMD² cannot be negative. Programs that clip it to 0 would report identical distribu"]),
        (("too-few", 0), [LOST]),
        (("too-few", 2), ["36 of the 41 blocks are clean, and outliers cannot decide the median"]),
        (("loses", 2), ["Algorithm 2"]),
        (("pareto", 0), ["E k(x, x) is infinite here"]),
        ({"blocks": 5, "distance": 2000.0}, ["Only 1 of the 5 blocks is clean"]),
        # a clean majority after the last permutation alone is not enough
        ({**BCD, "outliers": 4}, [f"of the 7 blocks are clean, and {LOST}", f"a majority in 44 of the 67 {AVERAGED}."]),
        ({**BCD, "outliers": 2}, ["outliers cannot decide the median", f"a majority in all 67 {AVERAGED}."]),
        # a missing root does not hide outliers that decide the median either
        (
            {"outliers": 2, "shift": 0.0, "blocks": 3, "method": "bcd", "kernel": "LIN"},
            ["MMD² cannot be negative. ", LOST],
        ),
    ],
    ids=str,
)
def test_headline_and_caption_say(state, says):
    result = result_at(state)
    said = headline(result, result.row) + caption(result)
    assert [each for each in says if each not in said] == []


@pytest.mark.parametrize("fields", [{}, {"blocks": 5, "distance": 2000.0}, {"blocks": 1}, {"outliers": 0}], ids=str)
def test_the_trust_line_has_how_far_off_both_estimates_are_at_every_stop(fields):
    result = MonkLab(**fields).result()
    for row in range(len(result.stops)):
        off = format_number(abs(result.estimate_at(row).value - result.truth))
        by_u = f"U-statistic by {format_number(result.u_error)}"
        assert one_sentence_names(headline(result, row), f"MONK is off by {off}", by_u)


def test_what_is_not_there_is_not_said():
    result = result_at(("one-outlier", 2))
    assert "no root" not in headline(result, result.row)
    assert "infinite" not in caption(result_at(("pareto", 2)))


def test_every_stop_of_q_has_its_own_numbers():
    result = result_at(("one-outlier", 2))
    said = [headline(result, row) for row in range(len(result.stops))]
    assert len({*said}) == len(said)
    for value in (result.u_mmd, result.estimate.value, result.truth):
        assert f"<b>{float(f'{value:.3g}'):g}</b>" in said[result.row]


@pytest.mark.parametrize(("fields", "sign"), [({}, 1), ({"outliers": 1}, 1), ({"outliers": 1, "distance": 2000.0}, -1)])
def test_every_number_is_an_mmd_and_a_square_is_called_one(fields, sign):
    """A root and a square side by side would read as one quantity on two scales."""
    result = result_at({"picture": "estimates", **fields})
    assert result.u_mmd == pytest.approx(sign * math.sqrt(sign * result.U))
    root, square = format_number(abs(result.u_mmd)), format_number(abs(result.U))
    spoken = [headline(result, result.row), caption(result), *descriptions(result), story_values(result)["u"]]
    for name in ("U-statistic", "plain average", "MONK", "geometric median", "Huber", "Hampel"):
        assert name in spoken[-2]
    if result.U < 0:
        assert all(f"MMD² = −{square}" in said for said in spoken if square in said)
        assert not any(root in said for said in spoken)
    else:
        assert root in spoken[0]
        assert not any(square in said for said in spoken)
