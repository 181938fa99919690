"""Effect sizes of columns."""

import numpy as np
import pytest
from scipy.stats import binom, mannwhitneyu, norm, rankdata

from explorer.comparison.effect_sizes import (
    counts_below,
    moved_share,
    probability_of_superiority,
    shares,
    shift_interval,
)
from explorer.discrepancy.columns.scores import level_scores, number_scores
from explorer.discrepancy.columns.ties import Ties


@pytest.mark.parametrize("ties", [False, True])
def test_superiority_by_all_pairs(ties):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 4, k).astype(float) if ties else rng.normal(size=k) for k in (17, 23))
    pairs = np.sign(b[None] - a[:, None])
    assert probability_of_superiority(a, b) == pytest.approx((pairs > 0).mean() + (pairs == 0).mean() / 2)
    assert probability_of_superiority(a, b) == pytest.approx(mannwhitneyu(b, a).statistic / (len(a) * len(b)))
    assert probability_of_superiority(b, a) == pytest.approx(1 - probability_of_superiority(a, b))


def test_midranks_are_scipy_s():
    x = np.random.default_rng(1).integers(0, 7, 100).astype(float)
    assert (Ties.of(x).midranks() == rankdata(x)).all()


SIZES = [(7, 7), (6, 9), (12, 40), (41, 20)]


def allowed_counts(n, m, level=0.05):
    """Return whether i of n and j of m rows below their medians are allowed for the upper end, shape (n + 1, m + 1)."""
    i, j = counts_below(n, m, level)
    most = np.full(n + 1, -1)
    most[i] = j
    most[i[-1] :] = j[-1]  # shares beyond one half change nothing
    return np.arange(m + 1) <= most[:, None]


def probabilities(n, m, p=0.5, q=0.5):
    return np.outer(binom.pmf(np.arange(n + 1), n, p), binom.pmf(np.arange(m + 1), m, q))


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_what_an_end_leaves_out_has_half_the_level_and_no_more_could_be_left_out(n, m, level):
    allowed, p = allowed_counts(n, m, level), probabilities(n, m)
    assert p[~allowed].sum() <= level / 2
    i, j = np.indices(allowed.shape)
    apart = np.maximum((n - 2 * i) / np.sqrt(n), 0) ** 1.5 + np.maximum((2 * j - m) / np.sqrt(m), 0) ** 1.5
    edge = apart[allowed].max()
    assert (apart[~allowed] > edge - 1e-9).all()
    assert p[apart > edge - 1e-9].sum() > level / 2


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_the_ends_are_the_extreme_differences_of_all_counts_that_are_allowed(n, m):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=n), rng.normal(size=m)
    x, y = (np.concatenate([[-np.inf], np.sort(z), [np.inf]]) for z in (a, b))
    i, j = np.nonzero(allowed_counts(n, m))
    assert shift_interval(a, b) == ((y[m - j] - x[n + 1 - i]).min(), (y[j + 1] - x[i]).max())


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("share", [0.5, 0.45])
def test_of_two_values_the_interval_holds_exactly_by_all_counts(n, m, share):
    """The interval contains every median of zeros and ones, where a and b may have opposite shares."""
    missed, p = 0.0, probabilities(n, m, share, 1 - share)
    least, most = (-1, 1) if share == 0.5 else (-1, -1)
    for i, j in np.ndindex(p.shape):
        low, high = shift_interval(np.arange(n) >= i, np.arange(m) >= j)
        missed += 0 if low <= most and high >= least and low <= least and high >= most else p[i, j]
    assert missed <= 0.05


def test_few_rows_give_no_limits():
    assert shift_interval(np.arange(5.0), np.arange(50.0)) == (-np.inf, np.inf)
    assert shift_interval(np.arange(6.0), np.arange(6.0)) == (-np.inf, np.inf)
    assert np.isfinite(shift_interval(np.arange(7.0), np.arange(7.0))).all()


def humps(rng, n, low):
    return np.where(rng.random(n) < low, 0.0, 5.0) + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize(
    ("first", "second", "shift"),
    [
        (lambda rng, n: rng.normal(size=n), lambda rng, n: 2 + rng.normal(size=n), 2),
        (lambda rng, n: rng.standard_cauchy(n), lambda rng, n: 2 + rng.standard_cauchy(n), 2),
        (lambda rng, n: humps(rng, n, 0.52), lambda rng, n: humps(rng, n, 0.48), 5 - 2 * 0.1 * norm.ppf(0.5 / 0.52)),
        (lambda rng, n: humps(rng, n, 0.48), lambda rng, n: humps(rng, n, 0.52), 2 * 0.1 * norm.ppf(0.5 / 0.52) - 5),
        (lambda rng, n: rng.integers(1, 6, n) * 1.0, lambda rng, n: rng.integers(1, 6, n) * 1.0, 0),
    ],
    ids=["normal", "heavy", "humps", "humps the other way", "five values"],
)
@pytest.mark.parametrize(("n", "m"), [(40, 40), (8, 60)])
def test_the_interval_of_the_shift_holds_it(first, second, shift, n, m):
    """The number of misses in 600 draws is one that .1 % of studies would exceed if 5 % were missed."""
    rng, missed = np.random.default_rng(3), 0
    for _ in range(600):
        low, high = shift_interval(first(rng, n), second(rng, m))
        missed += not low <= shift <= high
    assert missed <= binom.ppf(0.999, 600, 0.05)


def test_the_interval_moves_with_the_units():
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=50), rng.normal(1, 2, 60)
    low, high = shift_interval(a, b)
    assert shift_interval(10 * a, 10 * b + 3) == pytest.approx((10 * low + 3, 10 * high + 3))
    assert shift_interval(b, a) == pytest.approx((-high, -low))


def test_shares_are_counts_over_rows():
    a, b = np.array([0.0, 0, 1, 2]), np.array([1.0, 1])
    assert shares(a, b, ("x", "y", "z")) == {"x": (0.5, 0), "y": (0.25, 1), "z": (0.25, 0)}


def test_scores_of_numbers_are_the_heat_kernel():
    """The kernel is the sum over images of a Gaussian of width .2 on [0, 1], minus its mean 1: five terms miss .001."""
    u = Ties.of(np.random.default_rng(5).normal(size=60)).ranks()
    F = number_scores(u)
    images = np.concatenate([u + 2 * k for k in range(-4, 5)] + [-u + 2 * k for k in range(-4, 5)])
    apart = (u[:, None] - images) / 0.2
    heat = (np.exp(-0.5 * apart**2) / (0.2 * np.sqrt(2 * np.pi))).reshape(60, 18, 60).sum(axis=1) - 1
    assert F @ F.T == pytest.approx(heat, abs=2e-3)  # the sixth term: 2 exp(-(6π/5)²/2) = .0016


def test_scores_of_levels_are_pearson_s_chi_squared():
    from scipy.stats import chi2_contingency

    codes = np.random.default_rng(6).integers(0, 4, 90).astype(float)
    a, b = codes[:40], codes[40:]
    F = level_scores(codes, 5)  # the last level does not occur
    apart = F[:40].mean(axis=0) - F[40:].mean(axis=0)
    table = [np.bincount(x.astype(int), minlength=4) for x in (a, b)]
    assert 40 * 50 / 90 * apart @ apart == pytest.approx(chi2_contingency(table, correction=False).statistic)


def test_the_share_that_moved():
    a, b = np.repeat([0.0, 5.0, 10.0], [85, 10, 5]), np.repeat([0.0, 5.0, 10.0], [140, 30, 30])
    assert moved_share(a, b) == (0.0, 0.85, 0.7)
    assert moved_share(b, a) == (0.0, 0.7, 0.85)
    assert moved_share(np.arange(50.0), np.arange(60.0)) is None
