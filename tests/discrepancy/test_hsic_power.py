"""Power against the fraction of pairs: which parts are drawn, the shares and their intervals."""

import numpy as np
import pytest
from helpers.naming import naming
from paired_samples import dependent
from scipy.special import betaincinv

from explorer import FKMSE, MKME, Gaussian, hsic_test
from explorer.discrepancy import power_by_fraction
from explorer.discrepancy.dependence import power as hsic_power


def test_each_part_is_tested_by_itself_and_smaller_ones_lie_in_larger(monkeypatch):
    X, Y = dependent(40)
    seen = []

    def watched(X, Y, *arguments):
        seen.append((X, Y, arguments))
        return hsic_test(X, Y, *arguments)

    monkeypatch.setattr(hsic_power, "hsic_test", watched)
    found = power_by_fraction(X, Y, None, Gaussian(1.0), [0.2, 0.5, 1.0], repetitions=3, n_resamples=19, rng=0)
    assert found.sizes.tolist() == [8, 20, 40]
    assert found.pvalues.shape == (3, 3)
    assert len(seen) == 9
    for small, middle, whole in (seen[0:3], seen[3:6], seen[6:9]):
        np.testing.assert_array_equal(middle[0][:8], small[0])
        np.testing.assert_array_equal(whole[1][:20], middle[1])
        rows = {tuple(row) for row in np.hstack([X, Y])}
        assert {tuple(row) for row in np.hstack(whole[:2])} == rows
        assert small[2][:4] == (None, Gaussian(1.0), "biased", None)
    assert not np.array_equal(seen[0][0], seen[3][0])


def test_power_rises_and_a_seed_repeats_it():
    X, Y = dependent(60, noise=0.3)
    found = power_by_fraction(X, Y, fractions=(0.1, 0.3, 0.6), repetitions=40, n_resamples=39, rng=5)
    power = found.power()
    assert power[0] < 0.4 < 0.8 < power[2]
    again = power_by_fraction(X, Y, fractions=(0.1, 0.3, 0.6), repetitions=40, n_resamples=39, rng=5)
    np.testing.assert_array_equal(found.pvalues, again.pvalues)
    assert (found.power(0.2) >= power).all()


def test_the_interval_is_clopper_and_pearsons():
    X, Y = dependent(30)
    found = power_by_fraction(X, Y, fractions=(0.2, 0.5, 1.0), repetitions=20, n_resamples=19, rng=1)
    low, high = found.interval(0.05)
    for power, a, b in zip(found.power(0.05), low, high, strict=True):
        k = round(20 * power)
        assert a == pytest.approx(betaincinv(k, 21 - k, 0.025) if k else 0, rel=1e-10)
        assert b == pytest.approx(betaincinv(k + 1, 20 - k, 0.975) if k < 20 else 1, rel=1e-10)
    none = power_by_fraction(X, np.ones(30), Gaussian(1.0), Gaussian(1.0), [0.5], repetitions=5, n_resamples=19, rng=0)
    assert none.power() == 0
    assert none.interval()[0] == 0
    assert none.interval()[1] == pytest.approx(1 - 0.025**0.2, rel=1e-10)


def test_other_estimates_and_the_unbiased_statistic():
    X, Y = dependent(24)
    for arguments in ({"estimator": MKME(sigma=0.3)}, {"estimator": FKMSE(lam=0.1)}, {"statistic": "unbiased"}):
        found = power_by_fraction(X, Y, fractions=[0.5], repetitions=3, n_resamples=9, rng=0, **arguments)
        assert ((found.pvalues > 0) & (found.pvalues <= 1)).all()


def test_halves_round_up():
    """35 pairs: 3.5 and 10.5 of them are 4 and 11."""
    X, Y = dependent(35)
    found = power_by_fraction(X, Y, fractions=(0.1, 0.15, 0.2, 0.25, 0.3), repetitions=1, n_resamples=1, rng=0)
    assert found.sizes.tolist() == [4, 5, 7, 9, 11]


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        (naming("fractions", "0", "1"), {"fractions": [0.5, 1.5]}),
        (naming("fractions"), {"fractions": []}),
        (naming("fractions", "0"), {"fractions": 0}),
        (naming("0.05", "1", "20", "2"), {"fractions": [0.05, 0.5]}),
        (naming("0.15", "3", "20", "4"), {"fractions": 0.15, "statistic": "unbiased"}),
        (naming("repetitions", "1"), {"repetitions": 0}),
        (naming("X", "20", "Y", "19"), {"Y": np.arange(19.0)}),
    ],
)
def test_bad_input_gets_a_sentence(said, arguments):
    X, Y = dependent(20)
    with pytest.raises(ValueError, match=said):
        power_by_fraction(**{"X": X, "Y": Y, **arguments})
