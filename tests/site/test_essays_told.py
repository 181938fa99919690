"""Claims of three essays, by methods other than those that computed them."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

from explorer import Gaussian, Linear, Polynomial, mmd_test
from explorer.labs.monk.lab import MonkLab
from explorer.pages.report.example import example
from explorer.site.essays import blind, break_the_mean, verdict
from explorer.site.essays.clinic import LEVEL, column, compared, tables
from explorer.site.essays.essay import result_of
from explorer.site.essays.labels import BARS, Grown, Labelled, growing, readings
from explorer.site.essays.readings import (
    COUNT,
    CROWD,
    FAR,
    RANGE,
    SLID,
    STEP,
    Readings,
    clean,
    steps,
    sum_of_bumps,
)
from explorer.site.essays.repeated import SIZES, pvalues, rate
from explorer.site.essays.votes import BLOCKS, errors
from explorer.site.essays.witness_and_power import (
    ALONG,
    BANDWIDTHS,
    PAIRS,
    SIZE,
    DensityPair,
    densities,
    pair,
    power,
    two_densities,
    witness,
)
from explorer.workbench.content import content_of

ESSAYS = {essay.key: essay for essay in (break_the_mean.ESSAY, blind.ESSAY, verdict.ESSAY)}
FINE = np.linspace(-12, 12, 4001)  # grid for integrals


def gauss(x, y, width=1.0):
    """Return the Gaussian kernel, written anew."""
    return np.exp(-((np.asarray(x)[:, None] - np.asarray(y)[None, :]) ** 2) / (2 * width**2))


# all three essays ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("key", ESSAYS)
def test_drawings_of_a_scene_are_of_one_size_and_small(key):
    essay = ESSAYS[key]
    for draws in essay.scenes.values():
        drawings = [str(each) for each in draws()]
        assert len({re.findall(r'viewBox="[^"]+"', each)[0] for each in drawings}) == 1
        assert max(map(len, drawings)) < 22_000
        assert len(set(drawings)) == len(drawings)  # each stop changes something


# break the mean -----------------------------------------------------------------------------------------------------


def test_the_average_follows_one_reading_and_the_median_does_not():
    before = clean()
    for place in (*SLID, break_the_mean.FAR):
        moved = np.append(before[:-1], place)
        state = Readings([place])
        assert state.average == pytest.approx(sum(moved) / COUNT)
        assert state.changed == pytest.approx((place - before[-1]) / COUNT)
        assert state.median == sorted(before)[COUNT // 2 - 1] / 2 + sorted(before)[COUNT // 2] / 2
    end = Readings([SLID[-1]])
    assert end.average > end.kept.max()
    assert end.step == pytest.approx(STEP, rel=1e-6)  # as far as it can


def test_a_kernel_mean_takes_a_step_of_at_most_root_two_over_n():
    def length(x, y):
        return np.sqrt(gauss(x, x).mean() + gauss(y, y).mean() - 2 * gauss(x, y).mean())

    before = clean()
    for moved in ([SLID[0]], [SLID[-1]], [CROWD] * (COUNT // 2)):
        state = Readings(moved)
        after = np.concatenate([before[: COUNT - len(moved)], moved])
        assert state.step == pytest.approx(length(before, after), rel=1e-9)
        assert state.step < len(moved) * STEP + 1e-12
    average, kernel = steps()
    assert np.allclose(average, FAR / COUNT)
    assert np.all(np.diff(kernel) > -1e-12)
    assert kernel[-1] == pytest.approx(np.sqrt(2) / COUNT, rel=1e-9)
    at = np.linspace(*RANGE, 501)
    sinks = (gauss(before, at).sum(0) - gauss(np.append(before[:-1], SLID[-1]), at).sum(0)) / COUNT
    assert sinks.max() == pytest.approx(1 / COUNT, rel=1e-3)  # where the bump was
    assert -sinks.min() == pytest.approx(1 / COUNT, rel=1e-3)  # and where it arrives


def test_a_crowd_builds_a_hill_as_high_as_its_share():
    for moved in range(1, COUNT // 2 + 1):
        drawn = sum_of_bumps.data(Readings([CROWD] * moved))
        hill = drawn["mean"]["y"][np.abs(drawn["mean"]["x"] - CROWD) < 0.2]
        assert hill.max() == pytest.approx(moved / COUNT, abs=2e-3)


@pytest.mark.thorough
def test_under_the_quadratic_kernel_outliers_carry_the_u_statistic_away():
    told = break_the_mean.prose_values()
    shift = MonkLab().shift
    assert told["truth"] == pytest.approx(np.sqrt(2 * shift**2 + shift**4))  # P = N(0, 1), Q = N(shift, 1)
    for fields, name in (({}, "u"), (break_the_mean.LOST, "u_lost")):
        x, y = (each[:, 0] for each in (lambda pairs: (pairs.X, pairs.Y))(result_of("monk", **fields).pairs))
        n, quadratic = len(x), lambda a, b: (1 + np.outer(a, b)) ** 2
        within = sum((each := quadratic(z, z)).sum() - np.trace(each) for z in (x, y)) / (n * (n - 1))
        square = within - 2 * quadratic(x, y).mean()
        assert told[name] == pytest.approx(np.sqrt(square), rel=1e-9)
        assert told[name] > 4 * told["truth"]


@pytest.mark.thorough
def test_eleven_blocks_outvote_five_outliers_and_five_blocks_do_not():
    told = break_the_mean.prose_values()
    few, least = (result_of("monk", blocks=blocks) for blocks in (break_the_mean.FEW, break_the_mean.LEAST))
    assert told["few_bad"] > break_the_mean.FEW / 2
    assert least.contaminated_blocks().sum() <= told["outliers"] < break_the_mean.LEAST / 2
    assert not least.contaminated_blocks()[least.estimate.median_block]
    assert few.contaminated_blocks()[few.estimate.median_block]
    assert abs(told["monk"] - told["truth"]) < 0.2 * abs(told["u"] - told["truth"])
    assert min(told["one"], told["few"]) > told["u"]


@pytest.mark.thorough
def test_a_vote_breaks_about_where_most_blocks_may_be_contaminated():
    study = result_of("monk").cliff
    counts = np.array(study.counts)
    for blocks, longer in ((5, 1), (11, 1), (21, 4)):
        median = study.quantile(blocks, 0.5)
        jump = counts[1:][np.argmax(median[1:] / median[:-1])]
        assert blocks // 2 + 1 <= jump <= blocks // 2 + 1 + longer


@pytest.mark.thorough
def test_more_blocks_help_against_outliers_and_cost_where_nothing_differs():
    of, equal, at = errors(), errors(**break_the_mean.EQUAL), {blocks: i for i, blocks in enumerate(BLOCKS)}
    assert of.some[: at[7] + 1].min() > 5 * of.some[at[11]]
    assert np.all(np.diff(of.some[at[11] :]) < 0)
    assert abs(of.none[at[101]] / of.none[at[1]] - 1) < 0.1
    assert equal.u < equal.none[at[1]] < equal.none[at[11]] < equal.none[at[41]]


# what a kernel cannot see -------------------------------------------------------------------------------------------

KERNELS = {
    "linear": (Linear(), lambda x, y: np.outer(x, y)),
    "quadratic": (Polynomial(2), lambda x, y: (1 + np.outer(x, y)) ** 2),
    "Gaussian": (Gaussian(1.0), gauss),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_mmd_and_witness_are_those_of_sums_over_a_grid(name, kernel):
    model, of = KERNELS[kernel]
    cell = FINE[1] - FINE[0]
    apart = [np.exp(law.logpdf(FINE[:, None])) * cell for law in pair(name)]
    apart = apart[0] - apart[1]
    square, heights = apart @ of(FINE, FINE) @ apart, of(ALONG, FINE) @ apart
    assert DensityPair.of(name, model).mmd2 == pytest.approx(square, rel=1e-6, abs=1e-9)
    assert np.allclose(witness(name, model), heights, rtol=1e-6, atol=1e-9)


def test_each_kernel_sees_what_the_essay_says():
    blind_to = {"linear": ("spread", "moments"), "quadratic": ("moments",), "Gaussian": ()}
    for kernel, (model, _) in KERNELS.items():
        for name in ("shift", "spread", "moments"):
            seen = DensityPair.of(name, model)
            assert (seen.mmd2 == 0) == (name in blind_to[kernel])
            assert np.any(two_densities.data(seen)["witness"]["all"]) == (seen.mmd2 > 0)
    means, squares = ([np.trapezoid(f * ALONG**k, ALONG) for f in densities("moments")] for k in (1, 2))
    assert means == pytest.approx([0, 0], abs=1e-3)
    assert squares == pytest.approx([1, 1], abs=2e-3)
    at_zero = witness("moments", Gaussian(1.0))[np.abs(ALONG) < 1e-9]
    modes = ALONG[np.argmax(densities("moments")[1])]
    assert at_zero > 0 > witness("moments", Gaussian(1.0))[np.argmin(np.abs(ALONG - modes))]


def test_the_witness_of_two_modes_grows_and_fades_with_the_bandwidth():
    for stops, sign in ((blind.GROWS, 1), (blind.GOES_ON, -1)):
        kernels = [Gaussian(each) for each in stops]
        squares = [DensityPair.of("moments", kernel).mmd2 for kernel in kernels]
        heights = [np.abs(witness("moments", kernel)).max() for kernel in kernels]
        assert all(sign * step > 0 for each in (squares, heights) for step in np.diff(each))
        assert min(squares) > 0  # the kernel is characteristic at every bandwidth


@pytest.mark.thorough
def test_a_narrower_kernel_lets_more_of_the_difference_pass():
    state = {**PAIRS["moments"], "seed": 1, "picture": "x-ray"}
    passed, centres = [], []
    for bandwidth in blind.LETTING:
        drawn = blind.x_ray.data(result_of("twosample", **state, bandwidth=bandwidth))["xray"]
        frequencies = np.log(drawn["x"])
        passed.append(np.trapezoid(drawn["product"], frequencies))
        centres.append(np.average(frequencies, weights=drawn["window"]))
    assert np.all(np.diff(passed) > 0)
    assert passed[-1] > 3 * passed[0]
    assert np.allclose(np.diff(centres), -np.diff(np.log(blind.LETTING)), rtol=0.15)  # frequencies go with 1/θ


@pytest.mark.thorough
def test_power_by_bandwidth_is_that_of_single_tests_and_says_what_the_essay_says():
    (modes, shift), equal = (power(name) for name in ("moments", "shift")), power("equal")
    place, (P, Q) = int(np.argmax(modes.alone)), pair("moments")
    hits = 0
    for seed in range(20):
        X, Y = P.sample(SIZE, rng=2 * seed), Q.sample(SIZE, rng=2 * seed + 1)
        pooled = np.concatenate([X, Y])[:, 0]
        median = np.sqrt(np.median((pooled[:, None] - pooled)[np.triu_indices(2 * SIZE, 1)] ** 2))
        hits += mmd_test(X, Y, Gaussian(median * BANDWIDTHS[place]), n_resamples=199, rng=1000 + seed).pvalue <= LEVEL
    assert hits >= 16  # for a test that rejects in 96 % of the samples, with its own permutations
    narrow, wide = int(np.argmax(modes.alone)), int(np.argmax(shift.alone))
    assert BANDWIDTHS[narrow] < 1 < BANDWIDTHS[wide]
    assert modes.alone[wide] < 0.1  # as good as blind
    median = int(np.argmin(np.abs(BANDWIDTHS - 1)))
    assert modes.alone[median] < 0.5 < shift.alone[median]
    assert min(modes.together, shift.together) > 0.8
    assert equal.best_of > 2 * LEVEL > equal.together
    assert np.all(equal.alone < 0.13)  # the 99.9 % quantile of 100 tests at the level


@pytest.mark.thorough
def test_a_stein_test_does_not_see_the_weights_of_groups_far_apart():
    state = result_of("fit", **blind.HIDDEN)
    assert state.pvalue > 0.2
    assert blind.HIDDEN == next(each for each in content_of("fit").presets if each.name == "Wrong weights").fields


# from a sample to a verdict -----------------------------------------------------------------------------------------


def pressures(file, count=None):
    rows = csv.DictReader(io.StringIO(file.raw.decode()))
    return np.array([float(row["pressure"]) for row in rows])[:count]


@pytest.mark.thorough
def test_mmd_and_p_are_those_of_loops_over_the_readings():
    x, y = (pressures(file, 20) for file in (example().before, example().after))
    both = np.concatenate([x, y])
    width = np.sqrt(np.median((both[:, None] - both)[np.triu_indices(40, 1)] ** 2))
    K = gauss(both, both, width)

    def square(first):
        A, B, C = K[np.ix_(first, first)], K[np.ix_(~first, ~first)], K[np.ix_(first, ~first)]
        return (A.sum() - 20 + B.sum() - 20) / 380 - 2 * C.mean()

    state = readings(20)
    observed, null = square(np.arange(40) < 20), np.array([square(each) for each in state.permuted])
    test = state.test
    assert test.statistic == pytest.approx(observed, abs=1e-12)
    assert np.allclose(test.null_distribution, null, atol=1e-12)
    reaching = int((null >= observed - 1e-12).sum())
    assert test.pvalue == (1 + reaching) / 1000
    assert Labelled.of(state, 0).mmd2 == pytest.approx(null[0], abs=1e-12)
    assert null[0] > observed  # chance can do this much
    told = verdict.prose_values()
    early = (1 + int((null[:9] >= observed).sum())) / 10
    assert told["early_p"].split()[-1] == f"{early:g}"
    assert (told["reach"], told["one_in"]) == (reaching, round(1000 / (1 + reaching)))
    assert told["p"] > LEVEL >= readings().test.pvalue


@pytest.mark.parametrize("count", verdict.GROWN)
def test_bricks_are_the_permutations_and_the_observed_lies_between_them(count):
    state = Grown(readings(20).test, count)
    drawn = growing.data(state)
    bricks = {name: drawn[name] for name in ("others", "reaching")}
    assert sum((each["top"] - each["low"]).sum() for each in bricks.values()) == count
    assert (bricks["reaching"]["top"] - bricks["reaching"]["low"]).sum() == state.reaching.sum()
    observed = state.test.statistic
    assert np.all(bricks["others"]["right"] <= observed + 1e-12)
    assert np.all(bricks["reaching"]["left"] >= observed - 1e-12)
    assert BARS <= len({*bricks["others"]["left"], *bricks["reaching"]["left"]}) + 2 * BARS


@pytest.mark.thorough
def test_the_level_holds_and_power_grows_with_shift_and_size():
    tolerance = 3 * np.sqrt(LEVEL * (1 - LEVEL) / verdict.TESTS)
    assert abs(rate(pvalues(0.0)) - LEVEL) < tolerance
    counts, _ = np.histogram(pvalues(0.0), 5, (0, 1))
    assert np.all(np.abs(counts / verdict.TESTS - 0.2) < 4 * np.sqrt(0.2 * 0.8 / verdict.TESTS))  # equally likely
    rates = [rate(pvalues(shift)) for shift in (0.0, *verdict.DIFFERENT)]
    assert np.all(np.diff(rates) > 0)
    assert np.all(np.diff(verdict.powers()) > 0)
    assert verdict.powers()[-1] > 0.9
    assert SIZES[-1] < min(map(len, readings()))


@pytest.mark.thorough
def test_how_much_and_where():
    before, after = (pressures(file) for file in (example().before, example().after))
    told = verdict.prose_values()
    spread = np.sqrt((np.var(before, ddof=1) + np.var(after, ddof=1)) / 2)
    assert told["shift"] == f"{(after.mean() - before.mean()) / spread:.2f}"
    assert (told["n"], told["m"]) == (len(before), len(after))
    assert column().medians == (np.median(before), np.median(after))
    assert told["low"] < told["change"] == np.median(after) - np.median(before) < told["high"]
    assert told["low"] >= 0  # pressures are whole numbers, and 0 is the least change that these rows leave
    names = [each.name for each in compared().columns if each.adjusted <= LEVEL]
    assert told["differing"] == " and ".join([", ".join(names[:-1]), names[-1]])
    temperature = tables()[1]["temperature"].to_numpy()
    assert told["odd"] - 1 == np.argmax(np.abs(temperature - np.median(temperature)))
    first, second = told["pair"].split(" and ")
    assert not {first, second} & set(names)
    correlations = [np.corrcoef(table[first], table[second])[0, 1] for table in tables()]
    assert correlations[0] > 0.5 > abs(correlations[1]) + 0.3


def test_the_essays_end_at_presets_that_exist():
    for essay in ESSAYS.values():
        assert essay.state.name == essay.preset
