"""The exact p-value of the linear-time statistic: all changes of sign enumerated, its level from 4 points to 200."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from helpers.naming import naming
from two_samples import binomial

from explorer import Gaussian, Linear, linear_time
from explorer.discrepancy.resampling.sign_test import SUMS, sign_test


def by_fractions(terms):
    """Return the share of all changes of sign that reach the total, in exact arithmetic."""
    terms = [Fraction(float(t)) for t in terms]
    signs = list(itertools.product([1, -1], repeat=len(terms)))
    return sum(sum(s * t for s, t in zip(sign, terms, strict=True)) >= sum(terms) for sign in signs) / len(signs)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_it_is_the_enumeration(count):
    """Terms in eighths, whose sums are exact, with ties; a zero has no sign and changes no share."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        terms = rng.integers(1, 5, count) * rng.choice([-1, 1], count) / 8
        found = sign_test(terms, np.abs(terms))
        assert found == (by_fractions(terms), count)
        with_zeros = np.concatenate([terms, np.zeros(50)])
        assert sign_test(with_zeros, np.ones(count + 50)) == found
    assert sign_test(np.zeros(4), np.ones(4)) == (1.0, 0)


def test_over_all_signs_of_the_data_the_level_is_exact():
    """Each of the 2^10 changes of sign stands in for the terms once: #{p <= α} = 2^10 α at every p that is reached."""
    rng = np.random.default_rng(0)
    size, level_of = rng.exponential(size=10), []
    for signs in itertools.product([1.0, -1.0], repeat=10):
        level_of.append(sign_test(size * signs, size).pvalue)
    values, counts = np.unique(level_of, return_counts=True)
    np.testing.assert_allclose(np.cumsum(counts) / 2**10, values, rtol=1e-12)
    # thirds: sums that are equal up to rounding are ties, and no value is rarer than its p
    tied = [sign_test(np.array(s) / 3, np.ones(6)).pvalue for s in itertools.product([1.0, -1.0], repeat=6)]
    values, counts = np.unique(tied, return_counts=True)
    assert values.tolist() == (np.cumsum(counts) / 2**6).tolist()
    assert len(values) == 7


def test_many_terms_are_dealt_to_sums():
    """100 terms make 24 sums by rank: their signs are enumerated, and no other arrangement of the rows changes p."""
    rng = np.random.default_rng(1)
    terms = rng.normal(size=100)
    ranked = terms[np.argsort(-np.abs(terms))]
    sums = np.array([ranked[i::SUMS].sum() for i in range(SUMS)])
    found = sign_test(terms, np.abs(terms))
    assert found.sums == SUMS
    assert found.pvalue == sign_test(sums, np.abs(sums)).pvalue
    assert sign_test(rng.permutation(terms), np.ones(100)).pvalue == found.pvalue


# linear_time ---------------------------------------------------------------------------------------------------------


def normal(rng, n):
    return rng.normal(size=(2, n, 1)), Gaussian(1.0)


def coins(rng, n):
    return rng.integers(0, 2, size=(2, n, 1)).astype(float), Gaussian(1.0)


def mostly_equal(rng, n):
    return np.where(rng.random((2, n, 1)) < 0.1, 0.4, 0.1), Gaussian(1.0)


def heavy(rng, n):
    return rng.standard_t(1, size=(2, n, 1)), Linear()


DRAWS = {draw.__name__: draw for draw in (normal, coins, mostly_equal, heavy)}


@pytest.mark.thorough(default=["coins-4", "heavy-6"])
@pytest.mark.parametrize("n", [4, 6, 10, 20, 50, 200])
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.covered(times=2)  # p counts changes of sign, for a number of terms, and ties among them
def test_the_level_is_kept_for_any_n(draw, n):
    """Never above the level; and not far below it without ties, where 2^(-n/2) <= α."""
    rng, count = np.random.default_rng(0), 200 if n > 10 else 400
    p = []
    for _ in range(count):
        (X, Y), kernel = DRAWS[draw](rng, n)
        p.append(linear_time(X, Y, kernel).pvalue)
    for level in (0.01, 0.05, 0.2, 0.5):
        rejected = np.count_nonzero(np.array(p) <= level)
        assert rejected <= binomial(count, level)[1]
        # p is a multiple of 2^(-n/2), so it may stay that much below
        if draw == "normal":
            assert rejected >= binomial(count, max(level - 0.5 ** (n // 2), 0))[0]


def test_four_points_have_p_values_of_quarters():
    """h_1 and h_2 above 0 have p = 1/4, so no four points reject at .05: by the normal p an eighth of nulls did."""
    result = linear_time([0.0, 0.1, 0.0, 0.2], [3.0, 3.1, 2.9, 3.2], Gaussian(1.0))
    assert (result.pvalue, result.sums) == (0.25, 2)
    equal = linear_time([0.0, 0.0, 0.0, 0.0], [3.0, 3.0, 3.0, 3.0], Gaussian(1.0))
    assert (equal.pvalue, equal.standard_error) == (0.25, 0)
    assert re.search(naming("p = 0.25", "2^2 changes of sign"), str(equal))
    assert linear_time(np.ones(8), np.ones(8), Gaussian(1.0)).pvalue == 1


def test_one_far_pair_decides_half_of_all_changes():
    """One term is 1e12 times the others: p is about 1/2, while a standard error of its own size would give .16."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(2, 4000, 1))
    X[:2], Y[:2] = 1e9, -1e9
    result = linear_time(X, Y, Linear())
    assert result.sums == SUMS
    assert result.pvalue == 0.5
    assert result.statistic == pytest.approx(4e18 / 2000, rel=1e-9)


def test_huge_and_tiny_points_have_the_p_value_of_any_unit():
    """Under the linear kernel p does not depend on the unit; squares of its terms overflow or vanish at these."""
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(2, 20, 2))
    p = linear_time(X, Y, Linear()).pvalue
    for exponent in (-500, -200, 200, 500):
        result = linear_time(np.ldexp(X, exponent), np.ldexp(Y, exponent), Linear())
        assert result.pvalue == p
        assert np.isfinite(result.standard_error)
