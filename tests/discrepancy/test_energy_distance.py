"""The energy distance: twice MMD² under Energy, by sums written out, and scipy's of one dimension."""

import numpy as np
import pytest
import scipy.stats
from helpers.naming import names_all

from explorer import Energy, mmd2
from explorer.discrepancy import energy_distance
from explorer.discrepancy.mmd import energy_distance as energy
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.words import caption
from explorer.markup import text_of

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(13, 3)), RNG.normal(size=(9, 3)) + 0.7


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
def test_it_is_twice_mmd2_under_the_energy_kernel(statistic, monkeypatch):
    twice = 2 * mmd2(X, Y, Energy(), statistic)
    assert energy_distance(X, Y, statistic) == pytest.approx(twice, rel=1e-12)
    monkeypatch.setattr(energy, "TILE", 20)  # several tiles
    assert energy_distance(X, Y, statistic) == pytest.approx(twice, rel=1e-12)


def test_the_sums_written_out():
    def mean(A, B, same):
        d = [np.linalg.norm(a - b) for i, a in enumerate(A) for j, b in enumerate(B) if not (same and i == j)]
        return np.mean(d)

    assert energy_distance(X, Y) == pytest.approx(2 * mean(X, Y, False) - mean(X, X, True) - mean(Y, Y, True))
    # scipy gives the root of the biased one over its own factor
    assert energy_distance(X[:, 0], Y[:, 0], "biased") == pytest.approx(
        scipy.stats.energy_distance(X[:, 0], Y[:, 0]) ** 2
    )


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: energy_distance(X, Y[:, :1]), "column"),
        (lambda: energy_distance(X[:1], Y), "at least 2"),
        (lambda: energy_distance(X, Y, "other"), "unbiased"),
    ],
    ids=["columns", "one point", "statistic"],
)
def test_what_does_not_go_together_is_a_sentence(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
def test_the_two_samples_page_says_both_numbers(statistic):
    lab = {"n": 20, "m": 15, "permutations": "199"}
    result = TwoSampleLab(**lab, kernel="distance", statistic=statistic).result()
    assert result.energy == pytest.approx(2 * result.statistic, rel=1e-9)
    assert names_all(text_of(caption(result)), "energy distance")
    for other in ({"kernel": "RBF"}, {"kernel": "distance", "statistic": "linear time"}):
        assert TwoSampleLab(**lab | {"m": 20}, **other).result().energy is None
