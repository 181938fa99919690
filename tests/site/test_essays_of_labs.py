"""Claims of the essays on dependence, causes, drift, transfer and few points, by methods other than the essays' own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, pearsonr

from explorer import gcm_test, hsic, hsic_test, kci_test
from explorer.datasets import causal
from explorer.kernels import Gaussian
from explorer.site.essays import causes, dependence


def gauss(x, y, width):
    """Return the Gaussian kernel of numbers, written anew."""
    return np.exp(-((np.ravel(x)[:, None] - np.ravel(y)[None, :]) ** 2) / (2 * width**2))


def middle_distance(x):
    """Return the median distance of numbers, written anew."""
    x = np.ravel(x)
    return np.median(np.abs(x[:, None] - x)[np.triu_indices(len(x), 1)])


def agree(times, share, count=100):
    """Return whether a share of as many other samples is within the 99.9 % intervals of a number of hits."""
    low, high = binomtest(int(times), count).proportion_ci(0.999, method="exact")
    return low - 0.05 <= share <= high + 0.05


# correlation is blind to a circle -----------------------------------------------------------------------------------


def test_a_line_that_bends_into_a_ring_loses_its_correlation_and_nothing_else():
    t = np.linspace(-0.5, 0.5, 200_001)
    for angle in dependence.BENDS[1:]:
        along, across = np.sin(angle * t), np.cos(angle * t)
        exact = (along.var() - across.var()) / (along.var() + across.var())  # turned by 45 degrees
        pairs = np.vstack([dependence.bent(angle, 0.0, seed) for seed in range(60)])
        assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(exact, abs=0.03)
        assert pairs.var(axis=0).sum() == pytest.approx(1, abs=0.03)
    assert exact == pytest.approx(0, abs=1e-4)
    ring = dependence.bent(dependence.RING, 0.0)
    assert np.allclose(np.hypot(*ring.T), 1)
    r = [dependence.correlation(dependence.bent(angle)) for angle in dependence.BENDS]
    assert np.all(np.diff(r) < 0)
    assert all(dependence.test_at(float(angle)).pvalue == 0.001 for angle in dependence.BENDS)


@pytest.mark.thorough
def test_hsic_and_its_p_are_those_of_sums_over_all_pairs():
    told, (x, y) = dependence.prose_values(), dependence.bent(dependence.RING).T
    K, L = (gauss(each, each, 0.5 * middle_distance(each)) for each in (x, y))
    joint, means, cross = (K * L).mean(), K.mean() * L.mean(), (K.mean(1) * L.mean(1)).mean()
    assert told["hsic"] == pytest.approx(joint + means - 2 * cross, rel=1e-6)
    order = dependence.order(0)
    again = L[np.ix_(order, order)]
    assert told["first"] == pytest.approx((K * again).mean() + means - 2 * (K.mean(1) * again.mean(1)).mean(), rel=1e-6)
    kernels = [Gaussian(0.5 * middle_distance(each)) for each in (x, y)]
    assert hsic_test(x, y, *kernels, n_resamples=999, rng=77).pvalue == told["p"] == 0.001
    assert told["reach"] == "None"
    assert told["r_p"] == pytest.approx(pearsonr(x, y).pvalue, abs=0.05)
    assert hsic(x, y, *kernels) == pytest.approx(told["hsic"], rel=1e-6)


@pytest.mark.thorough
def test_the_leading_functions_of_a_ring_are_squares_and_make_a_line_of_it():
    told, (x, y) = dependence.prose_values(), dependence.bent(dependence.RING).T
    n, kernels = len(x), [gauss(each, each, 0.5 * middle_distance(each)) for each in (x, y)]
    H = np.eye(n) - 1 / n
    roots = []
    for K in kernels:
        values, vectors = np.linalg.eigh(H @ K @ H)
        roots.append(vectors * np.sqrt(np.maximum(values, 0)))
    left, sizes, right = np.linalg.svd(roots[0].T @ roots[1] / n)
    f, g = roots[0] @ left[:, 0], roots[1] @ right[0]
    assert told["r_through"] == pytest.approx(np.corrcoef(f, g)[0, 1], rel=1e-6)
    assert told["share"] == f"{100 * sizes[0] ** 2 / (sizes**2).sum():.0f} %"
    drawn = dependence.functions()
    assert abs(np.corrcoef(drawn[:, 0], x**2)[0, 1]) > 0.9
    assert abs(np.corrcoef(drawn[:, 1], y**2)[0, 1]) > 0.9


@pytest.mark.thorough
def test_shares_of_samples_in_which_a_dependence_is_found_hold_in_other_samples():
    told, fresh = dependence.prose_values(), range(1000, 1060)

    def shares(angle, noise):
        pairs = [dependence.bent(angle, noise, seed) for seed in fresh]
        by_hsic = [
            hsic_test(*each.T, *dependence.kernels(each), n_resamples=199, rng=0).pvalue <= 0.05 for each in pairs
        ]
        return np.mean(by_hsic), np.mean([pearsonr(*each.T).pvalue <= 0.05 for each in pairs])

    for name, angle in (("ring", dependence.RING), ("line", dependence.LINE)):
        by_hsic, by_r = shares(angle, told[f"{name}_noise"])
        assert agree(told[f"{name}_hsic"], by_hsic)
        assert agree(told[f"{name}_pearson"], by_r)
    assert told["ring_pearson"] < 10 < told["ring_hsic"]
    assert told["line_pearson"] > told["line_hsic"] + 15
    assert told["wide_rate"] < 50 < 95 < told["narrow_rate"]
    t = np.linspace(-1, 1, 200_001)
    tilt = np.corrcoef(t, np.sin(told["waves"] * np.pi * t))[0, 1]
    assert 0.1 < tilt < 0.2  # the tilt of the whole, which a wide kernel sees


# a common cause -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_heat_explains_what_ice_cream_and_sunburn_share():
    told, (ice, burn, heat) = causes.prose_values(), causes.diary()
    assert told["r"] == pytest.approx(pearsonr(ice, burn).statistic)
    assert told["p"] == hsic_test(ice, burn, n_resamples=999, rng=77).pvalue == 0.001
    left = [each - np.polyval(np.polyfit(heat, each, 5), heat) for each in (ice, burn)]
    assert told["r_left"] == pytest.approx(np.corrcoef(*left)[0, 1], abs=0.08)
    assert abs(told["r_left"]) < 0.1
    assert kci_test(ice, burn, heat, n_resamples=999, rng=77).pvalue == pytest.approx(told["kci"], abs=0.06)
    assert min(told["kci"], gcm_test(ice, burn, heat, rng=0).pvalue) > 0.1
    days = np.abs(heat - causes.WINDOWS[-1]) < causes.REACH
    assert told["in_last"] == days.sum()
    assert told["r_last"] == pytest.approx(pearsonr(ice[days], burn[days]).statistic)
    assert told["least"] <= told["r_last"] <= told["most"]
    assert max(-told["least"], told["most"]) < 2 / np.sqrt(told["in_last"])  # as much as chance does


@pytest.mark.thorough
def test_shares_of_tables_in_which_kci_rejects_hold_in_other_tables():
    told, fresh = causes.prose_values(), range(1000, 1040)

    def share(tables, width=1.0):
        found = [
            kci_test(x, y, z, kernel_z=Gaussian(width * middle_distance(z)), n_resamples=199, rng=0)
            for x, y, z in tables
        ]
        return np.mean([each.pvalue <= 0.05 for each in found])

    for name, arrow in (("false", 0.0), ("found", told["arrow"])):
        assert agree(told[name], share(causes.diary(arrow, causes.FEW, seed) for seed in fresh))
    for name, width in (("stiff", told["wide"]), ("fits", told["narrow"])):
        assert agree(told[name], share((causal(**causes.WAVES, rng=seed).T for seed in fresh), width))
    assert max(told["false"], told["fits"]) < 13  # the 99.9 % quantile of 100 tests at the level
    assert told["found"] > 60
    assert told["stiff"] > 90


def test_a_selection_by_the_sum_ties_independent_causes_together():
    talent, looks = np.random.default_rng(5).normal(size=(2, 400_000))
    chosen = talent + looks >= causes.BARS[-1]
    exact = np.corrcoef(talent[chosen], looks[chosen])[0, 1]
    some = causes.on_stage(causes.BARS[-1])
    r = causes.correlation(*(each[some] for each in causes.people()))
    assert abs(np.arctanh(r) - np.arctanh(exact)) < 2.5 / np.sqrt(some.sum() - 3)
    assert exact < -0.5
    assert abs(causes.correlation(*causes.people())) < 0.05


@pytest.mark.thorough
def test_a_lot_leaves_only_what_an_arrow_does():
    told, found = causes.prose_values(), {}
    for arrow in (0.0, told["strong"]):
        days = [causes.diary(arrow, seed=seed, lot=True) for seed in range(1000, 1060)]
        found[arrow] = np.mean([pearsonr(each.ice, each.burn).pvalue <= 0.05 for each in days])
    assert found[0.0] < 0.2 < 0.9 < found[told["strong"]]
    assert told["p_lot"] > 0.1 > 0.01 > told["p_strong"]
    assert sorted(causes.diary(lot=True).ice) == sorted(causes.diary().ice)
    assert np.array_equal(causes.diary(lot=True).burn, causes.diary().burn)
