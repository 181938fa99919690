"""`Monitor` with a Sketch as reference: its wealth from the rows, the bets by quadrature, alarms, and refusals."""

import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from scipy.integrate import quad
from scipy.stats import binom, norm

from explorer import Gaussian, Monitor, Sketch
from explorer.changes.betting import SHIFTS, Shifts
from explorer.changes.summed import LEAST, NORMAL, PooledSums
from explorer.checks import Refusal
from explorer.marks.changes import wealth_path

KERNEL, FEATURES = Gaussian(1.5), 100
RNG = np.random.default_rng(0)
REFERENCE = RNG.normal(size=(2000, 2))
MONITORED = Sketch(KERNEL, FEATURES).update(REFERENCE)
UNIT = PooledSums(MONITORED).unit


def sketch(rows):
    return Sketch(KERNEL, FEATURES).update(rows)


def mixture(z):
    """Return the wealth after rows z (t, K), by a quadrature over the shift for each bettor."""
    t, K = z.shape
    wealth = 1 / np.sqrt(t + 1)
    for s in range(1, t + 1):
        share = 1 / np.sqrt(s) - 1 / np.sqrt(s + 1)
        for k in range(K):
            for tau in SHIFTS:
                rows = z[s - 1 :, k]

                def density(mu, rows=rows, tau=tau):
                    return np.exp(norm.logpdf(rows, mu).sum() - norm.logpdf(rows).sum() + norm.logpdf(mu, 0, tau))

                wealth += share / (K * len(SHIFTS)) * quad(density, -12 * tau, 12 * tau, epsabs=1e-12)[0]
    return wealth


@pytest.mark.thorough
def test_bets_by_quadrature():
    z = RNG.normal(0.5, 1, (4, 2))
    bets = Shifts(2)
    found = [np.exp(bets.take(row)) for row in z]
    assert found == pytest.approx([mixture(z[: k + 1]) for k in range(4)], rel=1e-8)


@pytest.mark.parametrize("past", [0, 1, 5, 60])
def test_whatever_came_before_the_wealth_stays_the_same_on_average(past):
    """Over normal z: a quadrature of 200 nodes, exact to 1e-9 as the bets are Gaussian."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    before = np.random.default_rng(past).normal(size=(past, 1))

    def wealth_after(rows):
        bets, log = Shifts(1), 0.0
        for row in rows:
            log = bets.take(row)
        return np.exp(log)

    after = [wealth_after([*before, np.array([z])]) for z in nodes]
    assert weights @ after / weights.sum() == pytest.approx(wealth_after(before), rel=1e-9)


def test_the_wealth_from_the_rows_themselves():
    """z agrees with the rows' features, one direction after another; a sketch stores products to 2^-16."""
    stream = RNG.normal(0.1, 1, (5 * UNIT, 2))
    monitor = Monitor(MONITORED).update(stream[:UNIT]).update(stream[UNIT : 3 * UNIT]).update(stream[3 * UNIT :])
    features = MONITORED.finite_rank.features
    covariance = np.cov(features(REFERENCE).T, bias=True)
    values, vectors = np.linalg.eigh(covariance)
    mean = features(REFERENCE).mean(axis=0)
    directions = [mean / np.linalg.norm(mean), *vectors[:, -11:].T]
    least = max(LEAST * values.sum(), NORMAL / len(REFERENCE))
    kept = [w for w in directions if w @ covariance @ w >= least]
    seen, looks = features(REFERENCE), []
    for part in (stream[:UNIT], stream[UNIT : 3 * UNIT], stream[3 * UNIT :]):
        rows = features(part)
        error = [np.sqrt((seen @ w).var(ddof=1) * (1 / len(rows) + 1 / len(seen))) for w in kept]
        looks.append([((rows @ w).mean() - (seen @ w).mean()) / e for w, e in zip(kept, error, strict=True)])
        seen = np.concatenate([seen, rows])
    bets = Shifts(len(kept))
    assert monitor.path[1:] == pytest.approx([np.exp(bets.take(np.array(z))) for z in looks], rel=2e-2)
    assert NORMAL / min(w @ covariance @ w for w in kept) == pytest.approx(UNIT, abs=1.01)


def test_rows_and_their_sketches_come_to_one_wealth():
    stream = RNG.normal(size=(2 * UNIT, 2))
    rows, sums = Monitor(MONITORED), Monitor(MONITORED)
    for part in np.split(stream, 2):
        assert rows.update(part).wealth == sums.update(sketch(part)).wealth


@pytest.mark.parametrize("n", [60, 200, 500])
def test_a_short_reference_has_fewer_directions_and_needs_no_more_rows_at_a_look_than_it_has(n):
    sums = PooledSums(sketch(REFERENCE[:n]))
    assert sums.unit <= n
    assert 0 < sums.directions.shape[1] <= PooledSums(MONITORED).directions.shape[1]
    assert Monitor(sketch(REFERENCE[:n])).update(sketch(RNG.normal(2, 1, (4 * n, 2)))).alarm


def test_small_batches_are_put_together():
    stream = RNG.normal(size=(2 * UNIT + 10, 2))
    small, large = Monitor(MONITORED), Monitor(MONITORED)
    for start in range(0, len(stream), 50):
        small.update(stream[start : start + 50])
    ends = small.looks[1:]
    assert small.n == len(stream)
    assert all(UNIT <= size < UNIT + 50 for size in np.diff(small.looks))
    for part in np.split(stream[: ends[-1]], ends[:-1]):
        large.update(part)
    assert large.path.tolist() == small.path.tolist()
    assert Monitor(MONITORED).update(stream[: UNIT - 1]).path.tolist() == [1.0]


class Heard(Shifts):
    """Bets that keep what they bet on."""

    def take(self, z):
        self.heard = [*getattr(self, "heard", []), z]
        return super().take(z)


def test_a_look_at_few_rows_divides_by_their_sample_deviation():
    """Over 60 instead of 59, z would be 0.8 % larger; a sketch stores products to 2^-16, next to variances of 1/12."""
    reference, rows = REFERENCE[:60], RNG.normal(0.5, 1, (60, 2))
    sums = PooledSums(sketch(reference))
    sums._bets = Heard(sums.directions.shape[1])
    sums.take(sketch(rows), 0.05)
    features = MONITORED.finite_rank.features
    before, now = (features(part) @ sums.directions for part in (reference, rows))
    error = np.sqrt(before.var(axis=0, ddof=1) / 60 + before.var(axis=0, ddof=1) / len(rows))
    assert sums._bets.heard[0] == pytest.approx((now.mean(axis=0) - before.mean(axis=0)) / error, rel=1e-3)


@pytest.mark.thorough
def test_residuals_are_standard_normal_and_know_nothing_of_those_before():
    """For a stream longer than the reference: means, spreads and correlations of 400 streams' z.

    Directions are learnt on the reference's own rows, which moves the mean of z by an amount of the order 1/√10,000.
    """
    z = []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        sums = PooledSums(Sketch(Gaussian(1.0), 40).update(rng.normal(size=(10_000, 1))))
        sums._bets = Heard(sums.directions.shape[1])
        for _ in range(12):
            sums.take(rng.normal(size=(1000, 1)), 0.05)
        z.append([each[1] for each in sums._bets.heard])
    z = np.array(z)
    several = norm.ppf(1 - 0.005 / 12)  # 99 % over twelve looks
    assert np.abs(z.mean(axis=0)).max() < several / np.sqrt(400)
    assert np.abs(z.var(axis=0) - 1).max() < several * np.sqrt(2 / 400)
    correlations = np.corrcoef(z.T)[np.triu_indices(12, 1)]
    assert np.abs(correlations).max() < norm.ppf(1 - 0.005 / 66) / np.sqrt(400)


CHANGES = {
    "place": lambda rng, n: rng.normal([0.2, 0], 1, (n, 2)),
    "spread": lambda rng, n: rng.normal(0, 1.15, (n, 2)),
    "dependence": lambda rng, n: rng.multivariate_normal([0, 0], [[1, 0.3], [0.3, 1]], n),
    "one row in twenty far off": lambda rng, n: np.where(rng.random((n, 1)) < 0.05, 30.0, rng.normal(size=(n, 2))),
}


@pytest.mark.parametrize("before", [0, 20])
@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_found_soon_from_the_start_and_after_a_long_rest(name, before):
    rng, monitor = np.random.default_rng(1), Monitor(MONITORED)
    for _ in range(before):
        monitor.update(rng.normal(size=(UNIT, 2)))
    assert not monitor.alarm
    for _ in range(12):
        monitor.update(CHANGES[name](rng, UNIT))
    assert monitor.alarm_at is not None
    assert monitor.alarm_at % UNIT == UNIT - 1  # the last row of a look
    assert monitor.alarm_at >= before * UNIT


def test_a_large_batch_that_is_far_off_is_enough():
    assert Monitor(MONITORED).update(RNG.normal(1, 1, (5000, 2))).alarm


LAWS = {
    "normal": lambda rng, n: rng.normal(size=(n, 2)),
    "log-normal": lambda rng, n: rng.lognormal(0, 1, (n, 3)),
    "mostly zeros": lambda rng, n: np.where(rng.random((n, 4)) < 0.8, 0, rng.exponential(1, (n, 4))),
}


def alarms(law, runs, looks):
    found = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        reference = Sketch(KERNEL, 30).update(law(rng, 3000))
        monitor, size = Monitor(reference), PooledSums(reference).unit
        for _ in range(looks):
            monitor.update(law(rng, size))
        found += monitor.alarm
    return found


@pytest.mark.thorough
def test_few_streams_without_a_change_raise_an_alarm():
    assert alarms(LAWS["log-normal"], 30, 30) <= binom.ppf(0.995, 30, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_the_level_over_150_looks(name):
    assert alarms(LAWS[name], 60, 150) <= binom.ppf(0.995, 60, 0.05)


def frame(rows):
    return pd.DataFrame(rows, columns=["a", "b"])


def test_tables_meet_by_name():
    stream = RNG.normal(size=(UNIT, 2))
    named = Monitor(Sketch(KERNEL, FEATURES).update(frame(REFERENCE)))
    assert named.update(frame(stream)[["b", "a"]]).wealth == Monitor(MONITORED).update(stream).wealth
    with pytest.raises(Refusal, match=naming("'b'")):
        named.update(frame(stream)[["a"]])


REFUSED = {
    "few rows": (lambda: Monitor(sketch(REFERENCE[:10])), ("reference", "10")),
    "no rows": (lambda: Monitor(Sketch(KERNEL)), ("sketch", "rows")),
    "all alike": (lambda: Monitor(sketch(np.ones((3000, 2)))), ("reference", "features")),
    "kernel": (lambda: Monitor(MONITORED, Gaussian(1.0)), ("kernel", "sketch")),
    "features": (
        lambda: Monitor(MONITORED).update(Sketch(KERNEL, 50).update(REFERENCE)),
        ("features", "50", "100"),
    ),
    "coordinates": (lambda: Monitor(MONITORED).update(np.zeros((3, 1))), ("1 column", "2")),
    "nan": (lambda: Monitor(MONITORED).update(REFERENCE * np.nan), ("NaN",)),
    "a sketch beside rows": (lambda: Monitor(REFERENCE[:100]).update(MONITORED), ("batch", "Sketch")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    call, parts = REFUSED[name]
    with pytest.raises(Refusal, match=naming(*parts)):
        call()


def test_nothing_is_kept_of_a_batch_that_is_refused():
    monitor = Monitor(MONITORED).update(REFERENCE[:50])
    for bad in (REFERENCE[:5, :1], REFERENCE[:5] * np.nan):
        with pytest.raises(Refusal):
            monitor.update(bad)
    assert (monitor.n, monitor.update([]).n, monitor.update(Sketch(KERNEL, FEATURES)).n) == (50, 50, 50)
    whole = Monitor(MONITORED).update(REFERENCE[: 50 + UNIT])
    assert monitor.update(REFERENCE[50 : 50 + UNIT]).wealth == whole.wealth


def test_its_words_and_its_picture():
    monitor = Monitor(MONITORED).update(RNG.normal(1, 1, (1000, 2)))
    assert re.search(naming("row 999", "level 0.05", "1000 rows", "bandwidth 1.5", UNIT), str(monitor))
    assert "<svg" in monitor._repr_html_()
    assert wealth_path.sources(monitor)["wealth"]["x"].tolist() == [0, 1000]


def test_a_mean_that_is_noise_is_no_direction():
    """For 20 columns and a narrow kernel, the features' mean is pure noise: no later row lies in its direction.

    With this direction 22 of 60 streams raised a false alarm; 4 of 20 have a probability of .02 at the level.
    """
    alarms = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        reference = Sketch(Gaussian(1.0), 50, rng=0).update(rng.normal(size=(500, 20)))
        directions = PooledSums(reference).directions
        mean = reference.mean / np.linalg.norm(reference.mean)
        assert np.abs(mean @ directions).max() < 0.9
        monitor = Monitor(reference, rng=seed)
        for _ in range(5):
            monitor.update(Sketch(Gaussian(1.0), 50, rng=0).update(rng.normal(size=(100, 20))))
        alarms += monitor.alarm
    assert alarms <= 3
    clear = Sketch(Gaussian(1.0), 50, rng=0).update(np.random.default_rng(0).normal(size=(500, 1)))
    np.testing.assert_allclose(PooledSums(clear).directions[:, 0], clear.mean / np.linalg.norm(clear.mean))
