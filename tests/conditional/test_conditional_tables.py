"""The rules on tables: exact fractions, and the kernel rules compared with them."""

from fractions import Fraction

import numpy as np
import pytest
from helpers.naming import naming
from hypothesis import given
from hypothesis import strategies as st

from explorer.checks import Refusal
from explorer.conditional.tables import exact_rules, kernel_rules

COUNTS, PRIOR = [[3, 1, 0], [1, 3, 2]], [0.5, 0.25, 0.25]


def test_the_fractions_are_those_of_a_sheet_of_paper():
    rules = exact_rules(COUNTS, PRIOR, 1)
    assert rules.conditional.tolist() == [[0.75, 0.25, 0.0], [0.25, 0.75, 1.0]]
    assert rules.predicted.tolist() == [0.4375, 0.5625]
    assert rules.posterior == pytest.approx([float(Fraction(k, 9)) for k in (2, 3, 4)], abs=1e-15)
    assert rules.paired.sum() == pytest.approx(1.0)


@given(
    st.lists(st.lists(st.integers(1, 6), min_size=3, max_size=3), min_size=2, max_size=4),
    st.lists(st.integers(1, 9), min_size=3, max_size=3),
)
def test_kernel_rules_are_the_fractions(counts, shares):
    prior = np.array(shares) / sum(shares)
    # λ over the least count, which is 1, times numbers below 1; λ̃ over the least Q(x)², which is above 1e-3
    assert exact_rules(counts, prior, 0).largest_difference(kernel_rules(counts, prior, 0, 1e-9)) < 1e-6


def test_a_y_that_the_table_never_shows_and_an_impossible_x_are_refused():
    with pytest.raises(Refusal, match="prior"):
        exact_rules([[1, 0], [2, 0]], [0.5, 0.5], 0)
    with pytest.raises(Refusal, match=naming("x", "prior")):
        exact_rules([[0, 1], [2, 1]], [1.0, 0.0], 0)
