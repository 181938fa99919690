"""Contribution of each letter to a value of the subsequence kernel, against counting the subsequences one by one."""

from itertools import combinations

import numpy as np
import pytest

from explorer import Subsequence
from explorer.kernels.subsequence import letter_shares, shares


def counted(s, t, p, decay):
    """Return the shares by brute force: every pair of places that spell the same."""
    left, right, total = np.zeros(len(s)), np.zeros(len(t)), 0.0
    for i in combinations(range(len(s)), p):
        for j in combinations(range(len(t)), p):
            if [s[a] for a in i] == [t[b] for b in j]:
                weight = decay ** (i[-1] - i[0] + 1 + j[-1] - j[0] + 1)
                total += weight
                left[list(i)] += weight
                right[list(j)] += weight
    return left / total, right / total


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize(
    ("s", "t", "p", "decay"),
    [("car", "cat", 2, 0.5), ("ACGTAC", "CATGCA", 1, 0.3), ("ACGTACG", "GTACCA", 3, 0.7), ("AAAA", "AAA", 2, 1.0)],
)
def test_shares_are_those_of_the_subsequences(s, t, p, decay, normalized):
    for found, expected in zip(
        letter_shares(Subsequence(p, decay, normalized), s, t), counted(s, t, p, decay), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-12)
        assert found.sum() == pytest.approx(p)


def test_nothing_shared_and_only_the_first_letters():
    for found in letter_shares(Subsequence(2), "AAAA", "CCC"):
        assert not found.any()
    for found in letter_shares(Subsequence(1), "", "CCC"):
        assert not found.any()
    all_of_it, first = (letter_shares(Subsequence(2), "ACGTAC", "CATGCA", most) for most in (None, 3))
    for whole, part in zip(all_of_it, first, strict=True):
        np.testing.assert_array_equal(part, whole[:3])


@pytest.mark.parametrize(("p", "decay"), [(1, 0.5), (3, 0.5), (4, 1.0), (6, 0.1)])
def test_both_ways_to_the_shares_agree(p, decay, monkeypatch):
    letters = np.random.default_rng(1).choice(list("ACGT"), 60)
    s, t = "".join(letters[:33]), "".join(letters[33:])
    tables = letter_shares(Subsequence(p, decay), s, t, 20)
    monkeypatch.setattr(shares, "PAIRS", 0)
    for found, expected in zip(tables, letter_shares(Subsequence(p, decay), s, t, 20), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-12)
