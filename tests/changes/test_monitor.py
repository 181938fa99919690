"""`Monitor`: its wealth by a slow reading of its docstring, batches of any sizes, alarms, and what it refuses."""

import inspect
import math
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from scipy.signal import lfilter
from scipy.stats import kstest

import explorer
from explorer import (
    KME,
    ARDGaussian,
    Delta,
    Energy,
    Exponential,
    Gaussian,
    InverseMultiquadric,
    KernelPCA,
    Laplacian,
    Linear,
    Matern,
    Monitor,
    Polynomial,
    RationalQuadratic,
    Sketch,
)
from explorer.changes.betting import DEPTH, EACH, LIFE, TAIL, Bets
from explorer.changes.scores import Ranks, Scores
from explorer.checks import Refusal, WrongType

RNG = np.random.default_rng(0)
REFERENCE, STREAM = RNG.normal(size=(40, 2)), RNG.normal(size=(150, 2))


def test_the_front_door():
    def bare(of):
        parameters = inspect.signature(of).parameters.values()
        return str(inspect.Signature([each.replace(annotation=inspect.Parameter.empty) for each in parameters]))

    assert bare(explorer.Monitor) == "(reference, kernel=None, level=0.05, rng=None)"
    assert bare(explorer.Monitor.update) == "(self, batch)"


def test_it_starts_with_wealth_1_and_no_alarm():
    monitor = Monitor(REFERENCE, rng=0)
    assert (monitor.wealth, monitor.alarm, monitor.n, monitor.alarm_at) == (1.0, False, 0, None)
    assert monitor.update(STREAM) is monitor
    assert monitor.n == 150
    assert len(monitor.path) == 151
    assert monitor.path[-1] == monitor.wealth


def literal_pvalues(scores, calibration, random):
    """p of each row by counting, one function."""
    bag, found = list(calibration), []
    for s, theta in zip(scores, random, strict=True):
        bag.append(s)
        found.append((sum(b > s for b in bag) + theta * sum(b == s for b in bag)) / len(bag))
    return np.array(found)


def literal_wealth(p):
    """Return the wealth after each row, with one bettor for each start and depth, who counts its own halves."""
    starts, found = [], []
    for n, each in enumerate(p):
        if n % EACH == 0:
            j = n // EACH
            share = (1 / math.sqrt(j + 1) - 1 / math.sqrt(j + 2)) / (DEPTH + 1)
            end = math.inf if j == 0 else n + EACH * LIFE * (j & -j)
            starts += [{"depth": depth, "end": end, "has": share, "met": {}} for depth in range(DEPTH + 1)]
        for bettor in starts:
            if n >= bettor["end"]:
                continue
            if bettor["depth"] == 0:  # bets on rare rows
                part = int(each >= 1 / TAIL) + int(each >= 1 - 1 / TAIL)
                length, met = (1 / TAIL, 1 - 2 / TAIL, 1 / TAIL)[part], bettor["met"]
                bettor["has"] *= (met.get(part, 0) + 32 * length) / (sum(met.values()) + 32) / length
                met[part] = met.get(part, 0) + 1
                continue
            low, width = 0.0, 1.0
            for _ in range(bettor["depth"]):
                halves = [(low, width / 2), (low + width / 2, width / 2)]
                counts = [bettor["met"].get(half, 0) for half in halves]
                upper = int(each >= halves[1][0])
                bettor["has"] *= 2 * (counts[upper] + 0.5) / (sum(counts) + 1)
                bettor["met"][halves[upper]] = counts[upper] + 1
                low, width = halves[upper]
        found.append(1 / math.sqrt(n // EACH + 2) + sum(bettor["has"] for bettor in starts))
    return np.array(found)


def test_ranks_by_counting_ties_included():
    scores, calibration = RNG.integers(0, 4, size=(60, 2)), RNG.integers(0, 4, size=(10, 2))
    random = RNG.random((60, 2))
    ranks = Ranks(calibration)
    found = np.concatenate([ranks.pvalues(scores[:25], random[:25]), ranks.pvalues(scores[25:], random[25:])])
    for k in range(2):
        np.testing.assert_allclose(found[:, k], literal_pvalues(scores[:, k], calibration[:, k], random[:, k]))


def test_bets_by_their_definition():
    """Long enough for bettors to stop: the second start lives for 128 rows."""
    p = RNG.random((500, 3)) ** 1.3
    bets = Bets(3)
    found = np.concatenate([bets.take(part) for part in np.split(p, [1, 7, 100, 101, 333])])
    for k in range(3):
        np.testing.assert_allclose(np.exp(found[:, k]), literal_wealth(p[:, k]), rtol=1e-10)


@pytest.mark.parametrize("past", [0, 1, 31, 32, 160, 200])
def test_whatever_came_before_the_wealth_stays_the_same_on_average(past):
    """The mean over the next uniform p is the wealth before it (one p in each 64th suffices): a martingale."""
    before = np.random.default_rng(1).random((past, 1)) ** 2
    after = []
    for middle in (np.arange(TAIL) + 0.5) / TAIL:
        bets = Bets(1)
        wealth = float(np.exp(bets.take(before)[-1, 0])) if past else 1.0
        after.append(float(np.exp(bets.take(np.array([[middle]]))[0, 0])))
    assert np.mean(after) == pytest.approx(wealth, rel=1e-12)


def test_scores_are_the_kernel_mean_and_the_principal_components():
    kernel, Z = Gaussian(1.5), REFERENCE
    scores = Scores(kernel, Z)
    found = scores(STREAM) * scores.sizes
    np.testing.assert_allclose(found[:, 0], KME(kernel).embed(Z)(STREAM), atol=1e-8)
    components = KernelPCA(kernel, n_components=scores.count - 1).fit(Z).transform(STREAM)
    for ours, theirs in zip(found[:, 1:].T, components.T, strict=True):
        assert abs(np.corrcoef(ours, theirs)[0, 1]) > 1 - 1e-9


CATALOGUE = [
    Gaussian(), ARDGaussian(), Laplacian(), Matern(), RationalQuadratic(), InverseMultiquadric(), Energy(), Linear(),
    Polynomial(2), Exponential(), Delta(), Gaussian(1.0) + Linear(), Gaussian(1.0) * Energy(),
]  # fmt: skip
each_kernel = pytest.mark.parametrize("kernel", CATALOGUE, ids=repr)


@each_kernel
def test_the_first_score_is_the_distance_from_the_kernel_mean(kernel):
    """Scores agree with the kernel's own values for rows that mostly coincide, where `contrast` takes increments."""
    Z = np.array([0.0] * 7 + [1.0, 2.0, 0.5])[:, None]
    X = np.array([0.0, 0.5, 1.0, 1.5, 3.0])[:, None]
    kernel = kernel.select(Z)
    distance = kernel.diagonal(X) - 2 * kernel(X, Z).mean(axis=1)
    ours = -2 * Scores(kernel, Z)(X)[:, 0] * Scores(kernel, Z).sizes[0]
    np.testing.assert_allclose(ours - ours[0], distance - distance[0], rtol=1e-6, atol=1e-8)


@each_kernel
@pytest.mark.parametrize(("before", "after"), [(1.0, 0.0), (0.0, 1.0), (3.0, 3.00001)])
def test_a_constant_that_changes_raises_an_alarm_and_one_that_stays_does_not(kernel, before, after):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the bandwidth, which is 1 as all rows coincide
        monitor = Monitor(np.full((100, 1), before), kernel, rng=0).update(np.full((200, 1), before))
        assert not monitor.alarm
        assert Monitor(np.full((100, 1), before), kernel, rng=0).update(np.full((200, 1), after)).alarm


def test_the_row_that_is_most_frequent_scores_highest():
    rows = np.where(np.random.default_rng(0).random(400) < 0.7, 0.0, 1.0)[:, None]
    scores = Scores(Gaussian(1.0), rows)(np.array([[0.0], [1.0]]))
    assert scores[0, 0] > scores[1, 0]


def test_a_quarter_that_sees_only_the_frequent_value_still_ranks_the_others():
    rows = np.zeros((400, 1))
    rows[:2] = 1
    stream = (np.random.default_rng(0).random((300, 1)) < 0.2).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert all(Monitor(rows, rng=seed).update(stream).alarm for seed in range(5))


def autoregression(rho, n, seed):
    return lfilter([1], [1, -rho], np.random.default_rng(seed).normal(size=n + 200))[200:, None]


def test_a_reference_with_a_memory_is_ranked_far_apart():
    rows = autoregression(0.5, 700, 0)
    monitor = Monitor(rows[:200], rng=0).update(rows[200:203])
    assert monitor.memory.found
    assert monitor.step == math.ceil(2 * monitor.memory.length) > 3
    assert monitor.path.tolist() == [1.0] * 4  # no row was ranked yet
    assert str(monitor).startswith(monitor.memory.clause())
    for part in np.split(rows[203:], [1, 100, 101]):
        monitor.update(part)
    whole = Monitor(rows[:200], rng=0).update(rows[200:])
    assert len(whole.path) == 501
    np.testing.assert_allclose(monitor.path, whole.path, rtol=1e-12)
    moves = np.flatnonzero(np.diff(whole.path)) % whole.step
    assert set(moves) == {whole.step - 1}


def test_a_reference_too_short_for_its_memory_raises_no_alarm():
    rows = autoregression(0.97, 100, 1)
    monitor = Monitor(rows, rng=0).update(rows + 100)
    assert monitor.abstains
    assert not monitor.alarm
    assert monitor.wealth == 1.0


def test_independent_rows_are_ranked_one_by_one():
    monitor = Monitor(REFERENCE, rng=0)
    assert (monitor.step, monitor.abstains, monitor.memory.found) == (1, False, False)


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.5, 0.8, 0.9])
def test_the_level_beside_a_reference_with_a_memory(rho):
    alarms = 0
    for seed in range(200):
        rows = autoregression(rho, 700, [5, seed])
        alarms += Monitor(rows[:200], rng=seed).update(rows[200:]).alarm
    assert alarms <= 20  # binomial(200, 0.05) exceeds it once in 1000


def test_the_wealth_is_the_mean_of_the_functions_and_the_alarm_any_one_s():
    stream = STREAM + np.array([1.5, 0.0])
    monitor = Monitor(REFERENCE, Gaussian(1.0), rng=3)
    scores, calibration = monitor._stream.scores(stream), np.array(monitor._stream.ranks.sorted).T
    random = Monitor(REFERENCE, Gaussian(1.0), rng=3)._stream.random.random(scores.shape)
    each = [
        literal_wealth(literal_pvalues(scores[:, k], calibration[:, k], random[:, k])) for k in range(scores.shape[1])
    ]
    monitor.update(stream)
    np.testing.assert_allclose(monitor.path[1:], np.mean(each, axis=0), rtol=1e-9)
    reached = np.flatnonzero(np.max(each, axis=0) >= len(each) / 0.05)
    assert monitor.alarm_at == reached[0]
    assert monitor.path[monitor.alarm_at + 1] >= 20


@pytest.mark.parametrize("sizes", [[1] * 150, [149, 1], [33, 64, 53], [150]], ids=["one by one", "two", "three", "all"])
def test_batches_of_any_sizes_come_to_one_wealth(sizes):
    tied = np.round(STREAM * 2)
    whole, parts = Monitor(np.round(REFERENCE * 2), rng=1).update(tied), Monitor(np.round(REFERENCE * 2), rng=1)
    for part in np.split(tied, np.cumsum(sizes)[:-1]):
        parts.update(part)
        parts.update(part[:0])
    # the same bets; their logarithms are added in another order
    np.testing.assert_allclose(parts.path, whole.path, rtol=1e-12)
    assert parts.alarm_at == whole.alarm_at


def test_an_alarm_stays():
    monitor = Monitor(REFERENCE, rng=0).update(STREAM + 5)
    assert monitor.alarm
    at = monitor.alarm_at
    monitor.update(np.random.default_rng(3).normal(size=(3000, 2)))
    assert monitor.alarm
    assert monitor.alarm_at == at
    assert re.search(naming(f"row {at}", "level 0.05", "3150 rows"), str(monitor))


def ranks_of_streams(count, rows):
    """Yield the p-values of short streams of rows with ties, with references of four rows."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        scores = Scores(Delta(), rng.integers(0, 3, size=(4, 1)).astype(float))
        ranks = Ranks(scores(rng.integers(0, 3, size=(4, 1)).astype(float)))
        s = scores(rng.integers(0, 3, size=(rows, 1)).astype(float))
        yield ranks.pvalues(s, rng.random(s.shape))[:, 0]


def test_p_values_are_uniform_and_independent_for_streams_longer_than_the_reference():
    p = np.array(list(ranks_of_streams(1000, 20)))
    assert kstest(p.ravel(), "uniform").pvalue > 1e-3
    assert min(kstest(column, "uniform").pvalue for column in p.T) > 1e-4
    correlations = np.corrcoef(p.T)[np.triu_indices(20, 1)]
    assert np.abs(correlations).max() < 5 / math.sqrt(1000)  # 190 of them, each normal of deviation 1 / sqrt(1000)
    steps = ((p[:, 1:] > 0.5) == (p[:, :-1] > 0.5)).mean()
    assert steps == pytest.approx(0.5, abs=5 * 0.5 / math.sqrt(p[:, 1:].size))


def normal(rng, n):
    return rng.normal(size=(n, 1))


def going_together(correlation):
    factor = np.linalg.cholesky([[1, correlation], [correlation, 1]]).T
    return lambda rng, n: rng.normal(size=(n, 2)) @ factor


def far_off(rng, n):
    rows = normal(rng, n)
    rows[rng.random(n) < 0.05] += 6
    return rows


CHANGES = {  # before, after, within how many rows most are found
    "half a standard deviation": (normal, lambda rng, n: normal(rng, n) + 0.5, 600),
    "doubled spread": (normal, lambda rng, n: 2 * normal(rng, n), 150),
    "swapped dependence": (going_together(0.8), going_together(-0.8), 50),
}


@pytest.mark.parametrize("before", [0, 1000])
@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_found_soon_from_the_start_and_after_a_long_rest(name, before):
    first, then, within = CHANGES[name]
    found = []
    for seed in range(7):
        rng = np.random.default_rng(seed)
        monitor = Monitor(first(rng, 500), rng=seed).update(first(rng, before))
        found.append(not monitor.alarm and monitor.update(then(rng, within)).alarm)
    assert sum(found) >= 5


def test_one_row_in_twenty_that_lies_far_off_is_found_after_a_rest():
    found = 0
    for seed in range(7):
        rng = np.random.default_rng(seed)
        monitor = Monitor(normal(rng, 500), rng=seed).update(normal(rng, 1000))
        found += not monitor.alarm and monitor.update(far_off(rng, 600)).alarm
    assert found >= 4


def test_few_streams_without_a_change_raise_an_alarm():
    """60 streams of 400 rows with references of 40 and 100 rows: binomial(60, 0.05) exceeds 9 once in 1000."""
    alarms = 0
    for seed in range(60):
        rows = np.random.default_rng(seed).standard_t(3, size=(500, 1))
        size = 40 if seed % 2 else 100
        alarms += Monitor(rows[:size], rng=seed).update(rows[size : size + 400]).alarm
    assert alarms <= 9


@pytest.mark.slow
@pytest.mark.parametrize("size", [40, 100])
@pytest.mark.parametrize("kind", ["normal", "ties", "heavy"])
def test_the_level_over_streams_of_2000_rows(kind, size):
    draw = {
        "normal": lambda rng, n: rng.normal(size=(n, 1)),
        "ties": lambda rng, n: rng.integers(0, 3, size=(n, 2)).astype(float),
        "heavy": lambda rng, n: rng.standard_t(2, size=(n, 3)),
    }[kind]
    alarms = 0
    for seed in range(1000):
        rows = draw(np.random.default_rng([7, seed]), size + 2000)
        alarms += Monitor(rows[:size], rng=seed).update(rows[size:]).alarm
    assert alarms <= 71  # binomial(1000, 0.05) exceeds it once in 1000


def test_tables_meet_by_name():
    table = pd.DataFrame(REFERENCE, columns=["b", "a"])
    swapped = pd.DataFrame(STREAM, columns=["b", "a"])[["a", "b"]]
    assert Monitor(table, rng=0).update(swapped).wealth == Monitor(REFERENCE, rng=0).update(STREAM).wealth
    with pytest.raises(Refusal, match=naming("batch", "'a'")):
        Monitor(table, rng=0).update(swapped[["b"]])


def test_words_under_a_kernel_of_words():
    rng = np.random.default_rng(0)
    monitor = Monitor(rng.choice(["a", "b"], size=100), Delta(), rng=0)
    assert not monitor.update(rng.choice(["a", "b"], size=100)).alarm
    assert monitor.update(rng.choice(["b", "c"], size=200)).alarm


def test_nothing_is_kept_of_a_batch_that_is_refused():
    monitor = Monitor(REFERENCE, rng=0).update(STREAM[:50])
    wealth = monitor.wealth
    for bad in (STREAM[:5, :1], STREAM[:5] * np.nan, "abc", None):
        with pytest.raises(Refusal):
            monitor.update(bad)
    assert (monitor.n, monitor.wealth) == (50, wealth)
    assert monitor.update([]).n == 50
    whole = Monitor(REFERENCE, rng=0).update(STREAM[:100])
    assert monitor.update(STREAM[50:100]).wealth == pytest.approx(whole.wealth, rel=1e-12)


REFUSED = {
    "few rows": (lambda: Monitor(REFERENCE[:3]), Refusal, ("reference", "3", "4")),
    "level": (lambda: Monitor(REFERENCE, level=0), Refusal, ("level", "0", "1")),
    "kernel": (lambda: Monitor(REFERENCE, "rbf"), WrongType, ("kernel",)),
    "nan": (lambda: Monitor(REFERENCE * np.nan), Refusal, ("reference", "80", "NaN")),
    "sketched batch": (
        lambda: Monitor(REFERENCE).update(Sketch(Gaussian(1.0)).update(REFERENCE)),
        Refusal,
        ("batch", "Sketch"),
    ),
    "one row": (lambda: Monitor(REFERENCE).update([1.0, 2.0]), Refusal, ("batch", "1", "reference", "2")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    call, kind, parts = REFUSED[name]
    with pytest.raises(kind, match=naming(*parts)):
        call()


def test_rows_that_are_all_alike_say_nothing():
    monitor = Monitor(np.ones((20, 1)), Gaussian(1.0), rng=0).update(np.ones((200, 1)))
    assert not monitor.alarm


def test_its_words():
    monitor = Monitor(REFERENCE, Gaussian(1.0), rng=0).update(STREAM[:1])
    assert re.search(naming("1 row", "level 0.05", "wealth"), str(monitor))
    assert repr(monitor).startswith("Monitor(reference='40 rows', kernel=Gaussian(bandwidth=1.0), level=0.05, n=1")
    assert "<svg" in monitor._repr_html_()
