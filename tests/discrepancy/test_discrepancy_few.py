"""Tests of few rows: counts against listings, the shift against the power of the z-test."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

from explorer import mmd2
from explorer.discrepancy import detectable_shift, least_pvalue, relabellings


@pytest.mark.parametrize(("n", "m"), [(3, 3), (3, 4), (2, 5), (4, 4)])
def test_the_least_p_is_that_of_the_most_extreme_of_all_relabellings(n, m):
    X = np.random.default_rng(0).normal(size=(n + m, 2))
    splits = list(combinations(range(n + m), n))
    values = [mmd2(X[list(rows)], np.delete(X, rows, axis=0)) for rows in splits]
    assert len(splits) == relabellings(n, m)
    assert np.mean(np.array(values) >= max(values) - 1e-12) == pytest.approx(least_pvalue(n, m))


def test_the_shift_has_its_power():
    shift = detectable_shift(12, 30, level=0.01, power=0.9)
    z = shift / np.sqrt(1 / 12 + 1 / 30)
    assert norm.sf(norm.isf(0.005) - z) == pytest.approx(0.9)
