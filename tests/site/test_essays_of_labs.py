"""Claims of the essays on dependence, causes, drift, transfer and few points, by methods other than the essays' own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, pearsonr, ttest_ind

from explorer import gcm_test, hsic, hsic_test, kci_test
from explorer.datasets import causal
from explorer.kernels import Gaussian
from explorer.site.essays import causes, dependence, drift, few, transfer


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


# when did it change? ------------------------------------------------------------------------------------------------


def standardised_mmd2(x):
    """Return the unbiased MMD² of each split over its standard deviation in 4000 random orders, written anew."""
    K, n, rng = gauss(x, x, 1.0), len(x), np.random.default_rng(0)

    def squares(order):
        sums = np.cumsum(np.cumsum(K[np.ix_(order, order)], axis=0), axis=1)
        at = np.arange(5, n - 4)
        within, rows = sums[at - 1, at - 1], sums[at - 1, n - 1]
        other = sums[-1, -1] - 2 * rows + within
        return (
            (within - at) / (at * (at - 1))
            + (other - (n - at)) / ((n - at) * (n - at - 1))
            - 2 * (rows - within) / (at * (n - at))
        )

    spread = np.std([squares(rng.permutation(n)) for _ in range(4000)], axis=0)
    return squares(np.arange(n)) / spread


@pytest.mark.thorough
def test_the_profile_of_the_bottles_is_that_of_sums_and_random_orders():
    told, x = drift.prose_values(), drift.bottles().ravel()
    profile = standardised_mmd2(x)
    assert 5 + np.argmax(profile) == told["index"] == drift.scanned().index
    assert profile.max() == pytest.approx(told["peak"], rel=0.1)
    assert told["off"] == abs(told["index"] - told["break"])
    assert drift.scanned().pvalue == told["p"] == 0.001
    assert told["reach"] == "None"
    peaks = [standardised_peak(x, seed) for seed in range(200)]
    assert np.sum(np.array(peaks) >= told["peak"]) <= 2  # 200 other orders, of which the essay's 999 had none


def standardised_peak(x, seed):
    """Return the highest point of the profile of a random order of the bottles."""
    order = np.random.default_rng([9, seed]).permutation(len(x))
    return drift.scan(
        x[order], Gaussian(1.0), min_size=5, n_resamples=1, rng=0, null="permutation", approximation=None
    ).statistic


@pytest.mark.thorough
def test_the_best_split_is_near_the_change_if_the_shift_is_large():
    told = drift.prose_values()
    for shift, name in zip(drift.SHIFTS, ("large_near", "shift_near", "small_near"), strict=True):
        near = 0
        for seed in range(2000, 2200):  # by the difference of averages, in standard errors
            x = drift.bottles(shift, seed).ravel()
            at = np.arange(5, len(x) - 4)
            sums = np.cumsum(x)
            gap = (sums[-1] - sums[at - 1]) / (len(x) - at) - sums[at - 1] / at
            near += abs(at[np.argmax(np.abs(gap) / np.sqrt(1 / at + 1 / (len(x) - at)))] - drift.BREAK) <= drift.NEAR
        assert agree(told[name], near / 200)
    assert told["large_near"] > told["shift_near"] > told["small_near"]


@pytest.mark.thorough
def test_repeated_looks_raise_false_alarms_and_bets_do_not():
    told, rng = drift.prose_values(), np.random.default_rng(11)
    early = total = 0
    for _ in range(1500):
        good, new = rng.normal(size=drift.REFERENCE), rng.normal(size=drift.WATCHED)
        looks = [ttest_ind(good, new[:k], equal_var=False).pvalue <= 0.05 for k in range(10, drift.WATCHED + 1, 10)]
        total += any(looks)
        early += any(looks[: drift.LATER // drift.EVERY])
    for name, times in (("false_looks", total), ("early", early)):
        assert agree(told[name], times / 1500, told["series"])
    assert told["false_looks"] > 3 * 0.05 * told["series"]
    assert told["false_bets"] <= 0.05 * told["series"]
    assert told["early_bets"] <= 0.05 * told["series"]
    assert told["late_looks"] < told["late_bets"]
    assert told["then_looks"] > told["then_bets"]


@pytest.mark.thorough
def test_rows_that_remember_deceive_orders_and_not_shifts():
    told = drift.prose_values()
    for memory in drift.MEMORIES:
        x = np.vstack([drift.remembering(memory, seed).T for seed in range(400)])
        assert np.mean(x[:, 1:] * x[:, :-1]) == pytest.approx(memory, abs=0.03)
        assert x.var() == pytest.approx(1, abs=0.03)
    plain, shifted = drift.false_alarms()
    assert plain[0] < 0.13  # the 99.9 % quantile of 100 tests at the level
    assert np.all(np.diff(plain) > 0)
    assert np.all(shifted < 0.13)
    assert told["permuted"] == round(100 * plain[-1])
    naive = 0
    for seed in range(3000, 3200):
        x = drift.bottles(0.0, seed).ravel()
        split = int(
            drift.scan(x, Gaussian(1.0), min_size=5, n_resamples=1, rng=0, null="permutation", approximation=None).index
        )
        gap = x[split:].mean() - x[:split].mean()
        naive += abs(gap) / np.sqrt(1 / split + 1 / (len(x) - split)) > 1.97
    assert agree(told["naive"], naive / 200)


# a few points for many ----------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_herding_is_a_greedy_search_over_all_points():
    told, state = few.prose_values(), few.state()
    X = state.X
    distances = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    K = np.exp(-(distances**2) / (2 * (0.3 * np.median(distances[np.triu_indices(len(X), 1)])) ** 2))
    mean, chosen = K.mean(axis=1), []
    for _ in range(few.POINTS):

        def error(i):
            rows = [*chosen, i]
            return K[np.ix_(rows, rows)].mean() - 2 * mean[rows].mean()

        chosen.append(min((i for i in range(len(X)) if i not in chosen), key=error))
    mmd = np.sqrt(K.mean() + K[np.ix_(chosen, chosen)].mean() - 2 * mean[chosen].mean())
    assert chosen == list(state.herded[0][: few.POINTS])
    assert told["mmd"] == pytest.approx(mmd, rel=1e-6)
    rng, squares = np.random.default_rng(0), []
    for _ in range(4000):
        rows = rng.choice(len(X), few.POINTS, replace=False)
        squares.append(K.mean() + K[np.ix_(rows, rows)].mean() - 2 * mean[rows].mean())
    assert told["random"] == pytest.approx(np.sqrt(np.mean(squares)), rel=0.02)
    spread = (1 - K.mean()) * len(X) / (len(X) - 1)
    worth = 1 / (mmd**2 / spread + 1 / len(X))  # E MMD² of m rows is spread (1/m - 1/n)
    assert told["worth"] == pytest.approx(worth, abs=1)


@pytest.mark.thorough
def test_what_few_points_gain_is_as_told():
    told = few.prose_values()
    times, fourths = few.repeated()
    assert float(told["times_least"]) > 2
    assert told["times_mean"] == f"{times.mean():.1f}"
    assert told["rises"] == (fourths > 1).sum() > 90
    assert told["thinned"] < told["random"] / 3
    assert told["four"] > 2 * told["three"] > 2 * told["weighted"]
    assert 1 < told["narrow_times"] < 1.25
    low, high = binomtest(told["false"], told["pairs"]).proportion_ci(0.999, method="exact")
    assert low < 0.05 < high
    assert told["p"] <= 0.05


# learnt here, used there --------------------------------------------------------------------------------------------


def line_error(x, y, weights, z, truth):
    """Return the squared error of a weighted least squares line."""
    slope, cut = np.polyfit(x, y, 1, w=np.sqrt(weights))
    return np.mean((slope * z + cut - truth) ** 2)


@pytest.mark.thorough
def test_a_weighted_line_has_the_error_that_is_told():
    told, state = transfer.prose_values(), transfer.state()
    x, y = state.pair.X[:, 0], state.pair.y
    Z, truth = state.test
    for weights, name in ((np.ones(len(x)), "before"), (state.fit.weights, "error")):
        assert told[name] == pytest.approx(line_error(x, y, weights, Z[:, 0], truth), rel=1e-6)
    assert told["size"] == pytest.approx(state.fit.weights.sum() ** 2 / (state.fit.weights**2).sum())
    assert told["gain"] == f"{100 * (1 - told['error'] / told['before']):.0f} % less"
    assert told["gain_concept"].endswith("more")
    assert told["wins"] > 90 > told["wins_far"]
    assert told["size"] > told["size_far"] < 3
    assert told["size_bound"] > told["size"]
    K = gauss(x, np.concatenate([x, state.pair.Z[:, 0]]), state.kernel.bandwidth)
    n = len(x)
    w = state.fit.weights / n
    matched = w @ K[:, :n] @ w - 2 * w @ K[:, n:].mean(axis=1)
    plain = K[:, :n].mean() - 2 * K[:, n:].mean()
    assert matched < plain  # the weighted kernel mean is nearer to the target's


@pytest.mark.thorough
def test_a_weighted_difference_of_groups_is_near_the_truth_without_a_hidden_cause():
    told = transfer.prose_values()
    groups = transfer.state(**transfer.TREATED).groups
    gap = groups.y[groups.treated].mean() - groups.y[~groups.treated].mean()
    assert told["gap_size"] == pytest.approx(-gap)
    weighted, plain = transfer.differences().T
    assert abs(weighted.mean() - told["true"]) < 0.25 < abs(plain.mean() - told["true"])
    assert told["near"] > 50 > 10 > told["near_gap"]
    assert told["effect"] == pytest.approx(told["true"], abs=0.25)
    assert told["effect_hidden"] < 0 < told["true"]
    fits = [np.polyfit(groups.X[which, 0], groups.y[which], 1) for which in (groups.treated, ~groups.treated)]
    by_lines = np.subtract(*[np.polyval(fit, groups.X[:, 0]).mean() for fit in fits])
    assert told["effect"] == pytest.approx(by_lines, abs=0.4)  # another way to hold x fixed
