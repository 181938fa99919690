"""Rate at which tests reject random splits of a table's own rows: one keeps its level, and one does not."""

import re

import numpy as np
import pytest
from helpers.naming import naming
from scipy.stats import binom

from explorer.comparison.level_check import ComparisonLevelCheck, check_level
from explorer.comparison.resamples import Resamples
from explorer.discrepancy.columns.scores import number_scores
from explorer.discrepancy.columns.step_down import pvalues
from explorer.discrepancy.columns.ties import Ties

ROWS = np.random.default_rng(3).poisson(0.3, size=30).astype(float)  # the column is mostly zeros, with ties
SCORES = number_scores(Ties.of(ROWS).ranks())


def statistics(a, b, rng):
    return np.square(Resamples(len(a), len(b), 199, rng).differences(SCORES[np.r_[a, b]])).sum(axis=1)


def column_test(a, b, rng):
    return float(pvalues(statistics(a, b, rng)[:, None])[0])


def without_ties(a, b, rng):
    """Return a p that does not count ties with the observed statistic, and so is too small."""
    found = statistics(a, b, rng)
    return (1 + np.count_nonzero(found[1:] > found[0] * (1 + 1e-9))) / 200


def test_a_columns_test_keeps_its_level_on_ties():
    check = check_level(column_test, 14, 16, rng=1)
    assert check.rejected <= binom.isf(1e-5, 200, 0.05)
    assert check.holds_level


def test_a_test_that_counts_no_ties_is_found_out():
    check = check_level(without_ties, 14, 16, rng=1)
    assert not check.holds_level
    assert check.interval()[0] > 0.05


def test_the_splits_are_random_and_of_these_sizes():
    splits = []

    def pvalue(a, b, rng):
        splits.append((a, b, rng.random()))
        return 0.05 if len(splits) < 4 else 0.2

    check = check_level(pvalue, 5, 8, 60, 0.05, rng=2)
    assert all(len(a) == 5 and sorted(np.r_[a, b]) == list(range(13)) for a, b, _ in splits)
    assert len({tuple(a) for a, *_ in splits}) > 50  # out of 1287 splits
    assert len({draw for *_, draw in splits}) == 60
    assert np.bincount(np.concatenate([a for a, *_ in splits])).min() > 5  # each of 60 rows is in a 23 times
    assert (check.rejected, check.count, check.rate) == (3, 60, 0.05)
    assert re.search(naming("3 of 60", "level 0.05", "5 %", "95 %", "1 %", "14 %"), str(check))


def test_a_seed_repeats_it():
    first, again = (check_level(column_test, 14, 16, 10, rng=7) for _ in range(2))
    assert (first.pvalues == again.pvalues).all()
    assert isinstance(first, ComparisonLevelCheck)
    with pytest.raises(ValueError, match=naming("level", "0", "1")):
        check_level(column_test, 14, 16, level=5)
    with pytest.raises(ValueError, match="repetitions"):
        check_level(column_test, 14, 16, repetitions=0)
