"""Number of splits that a p-value needs: which p are open, what more splits decide, and what that adds to the level."""

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from explorer import compare
from explorer.comparison.precision import CONFIDENCE, MOST, is_undecided, repeat_until_decided


@pytest.mark.parametrize("count", [99, 199, 999])
def test_open_p_values_are_those_whose_interval_holds_the_level(count):
    """Checked by another computation: neither count of splits would have tail probability .01 at the level."""
    tail = (1 - CONFIDENCE) / 2
    for reached in range(count + 1):
        inside = min(binom.cdf(reached, count, 0.05), binom.sf(reached - 1, count, 0.05)) >= tail
        assert is_undecided((1 + reached) / (1 + count), 0.05, count) == inside


def test_splits_are_added_until_p_is_no_longer_open():
    asked = []

    def again(count):
        asked.append(count)
        return count

    assert repeat_until_decided(99, 99, again, lambda found, count: count < 5000) == (9_999, 9_999)
    assert asked == [999, 9_999]
    assert repeat_until_decided(99, 99, again, lambda found, count: count < 500) == (999, 999)
    assert repeat_until_decided(20_000, 20_000, again, lambda found, count: True) == (20_000, 20_000)
    assert repeat_until_decided(99, 99, again, lambda found, count: False) == (99, 99)


def test_more_splits_add_less_than_a_ten_thousandth_to_the_level():
    """R of 9,999 exchangeable splits reach the observed one, R uniform on 0, ..., 9,999; 999 are drawn first.

    Additional wrong rejections are those that 999 splits decide, though 9,999 would not reach the level.
    """
    first = 999
    R = np.arange(MOST + 1)
    reached = np.array([k for k in range(first + 1) if (1 + k) / (1 + first) <= 0.05])
    sure = [k for k in reached if not is_undecided((1 + k) / (1 + first), 0.05, first)]
    above = (1 + R) / (1 + MOST) > 0.05
    added = hypergeom.cdf(max(sure), MOST, R[above], first).sum() / len(R)
    assert 0 < added < 1e-4


def test_a_verdict_near_the_level_has_more_splits_and_one_far_from_it_has_not():
    a = np.random.default_rng(0).normal(size=(20, 1))
    near, far = compare(a, a[::-1] + 0.8, n_resamples=99, rng=0), compare(a, a + 5.0, n_resamples=99, rng=0)
    assert near.resamples in (999, MOST)
    assert near.pvalue * (1 + near.resamples) == pytest.approx(round(near.pvalue * (1 + near.resamples)))
    assert (far.resamples, far.pvalue) == (99, 0.01)
