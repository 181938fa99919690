"""Equation (5) of paper 004: the convex reduction, the search for its supremum, and its minimum."""

import itertools

import numpy as np
import pytest
from helpers.monk_literal import sup_median_2d
from scipy.optimize import minimize

from explorer import Linear, MedianOfMeans
from explorer.estimators.medianofmeans import majority
from explorer.estimators.medianofmeans.blocks import block_gram, lower_median, median_position, starts
from explorer.estimators.medianofmeans.majority import System, farthest_majority, nearest
from explorer.estimators.medianofmeans.median import geometric_median
from explorer.estimators.medianofmeans.minmax import _Level, mon_mean, mon_objective
from explorer.linalg import coordinates


def cloud(seed, count, dimension, outliers=0, far=20.0):
    Z = np.random.default_rng(seed).normal(size=(count, dimension))
    Z[:outliers] += far
    return Z


# the reduction
# -----------------------------------------------------------------------------------------------------------


def saddle(Z, f, g):
    """lower-med_q (|f - μ_q|^2 - |g - μ_q|^2) for many g (s, 2): what (5) takes the supremum of."""
    return lower_median(((f - Z) ** 2).sum(axis=1) - ((g[:, None] - Z) ** 2).sum(axis=2))


@pytest.mark.parametrize("count", [3, 4, 7, 11])
@pytest.mark.parametrize("seed", range(3))
def test_the_supremum_over_g_is_a_square(count, seed):
    """(sup over |u| <= 1 of lower-med <u, μ_q - f>)_+^2.

    No g of 10^4 does better, f plus the hull's nearest point does it.
    """
    Z = cloud(seed, count, 2)
    for f in (Z[0], Z.mean(axis=0), np.array([0.3, -0.5])):
        square = sup_median_2d(Z - f) ** 2
        g = f + np.random.default_rng(seed).normal(size=(10**4, 2))
        assert saddle(Z, f, g).max() <= square + 1e-12
        value, b = farthest_majority(Z - f)
        assert value**2 == pytest.approx(square, rel=1e-9)
        if value:
            assert saddle(Z, f, (b @ Z)[None])[0] == pytest.approx(square, rel=1e-9)


def enumerated(Z):
    """Return the farthest majority's distance from 0, trying all majorities."""
    m = len(Z) - (len(Z) - 1) // 2
    parts = (Z[list(S)] for S in itertools.combinations(range(len(Z)), m))
    return max(np.linalg.norm(nearest(part) @ part) for part in parts)


def test_the_supremum_is_the_distance_of_a_majoritys_hull():
    for seed, count in itertools.product(range(3), (3, 4, 7)):
        Z = cloud(seed, count, 2) + np.array([0.4, 0.0])
        assert enumerated(Z) == pytest.approx(sup_median_2d(Z), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("count", [3, 5, 8, 11, 16])
@pytest.mark.parametrize("dimension", [1, 2, 6])
def test_hulls_that_are_left_out_would_change_nothing(count, dimension, monkeypatch):
    """Results agree to the last digit: hulls that are known to come nearer are not computed, and none was better."""
    clouds = [cloud(seed, count, dimension, outliers=seed % 3) + 0.3 for seed in range(6)]
    looks = count_of_calls(monkeypatch, System, "nearest")
    found = [farthest_majority(Z) for Z in clouds]
    quick = looks()
    monkeypatch.setattr(majority, "SURE", -1.0)
    for Z, (value, b) in zip(clouds, found, strict=True):
        every, all_of_them = farthest_majority(Z)
        assert value == every
        assert (b == all_of_them).all()
    assert count < 8 or looks() - quick > quick


def count_of_calls(monkeypatch, owner, name):
    """Return a function that gives the number of calls of a method of this name."""
    calls, original = [], getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given: calls.append(1) or original(*given))
    return lambda: len(calls)


@pytest.mark.thorough
def test_the_search_finds_it():
    """60 clouds in 2, 5 and 10 dimensions: 95 % of the supremum at worst, all of it in nine of ten."""
    shares = []
    for seed, count, dimension in itertools.product(range(5), (4, 5, 9, 10), (2, 5, 10)):
        Z = cloud(seed, count, dimension, outliers=seed % 3)
        Z = Z - [Z.mean(axis=0), geometric_median(Z @ Z.T) @ Z, Z[-1]][seed % 3]
        value, b = farthest_majority(Z)
        assert np.linalg.norm(b @ Z) == pytest.approx(value, rel=1e-9)
        assert b.sum() == pytest.approx(1 if value else 0)
        assert (b >= 0).all()
        if (sup := enumerated(Z)) > 1e-9:
            shares.append(value / sup)
    assert min(shares) > 0.95
    assert max(shares) <= 1 + 1e-9
    assert np.mean(np.array(shares) > 1 - 1e-9) > 0.9


def test_the_nearest_point_of_a_hull():
    """Compared with the formula for a segment, and the optimality of a projection; one corner may be far away."""
    for seed in range(20):
        Z = cloud(seed, 2, 3) + 0.5
        d = Z[1] - Z[0]
        t = np.clip(-Z[0] @ d / (d @ d), 0, 1)
        np.testing.assert_allclose(nearest(Z), [1 - t, t], atol=1e-12)
        for far in (1.0, 1e4, 1e12):
            Z = cloud(seed, 6, 4) + 0.5
            Z[0] *= far
            p = nearest(Z) @ Z
            assert (Z @ p >= p @ p - 1e-9 * np.linalg.norm(Z, axis=1)).all()


# the minimum
# -------------------------------------------------------------------------------------------------------------


def least(Z, *candidates):
    """Return the least F in the plane that the simplex method of Nelder and Mead finds from some points."""
    runs = [
        minimize(lambda f: sup_median_2d(Z - f), f, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).fun
        for f in candidates
    ]
    return min(runs)


@pytest.mark.thorough(default=["0-4", "1-8"])
@pytest.mark.parametrize("count", [3, 4, 5, 8, 11])
@pytest.mark.parametrize("outliers", [0, 1])
def test_it_minimises_in_the_plane(count, outliers):
    """F is convex; within 3 % of its least value, where the search for the supremum ends at 1e-3."""
    for seed in range(3):
        Z = cloud(seed, count, 2, outliers)
        G = Z @ Z.T
        f = mon_mean(G) @ Z
        value = sup_median_2d(Z - f)
        medians = [geometric_median(G) @ Z, np.median(Z, axis=0)]
        assert value <= 1.03 * least(Z, f, *medians) + 1e-8
        assert value <= min(sup_median_2d(Z - g) for g in medians) * 1.001 + 1e-8
        assert mon_objective(G, mon_mean(G)) == pytest.approx(value, rel=0.01, abs=1e-8)


def test_of_three_points_it_is_the_centre_of_the_inscribed_circle():
    """Majorities are pairs, their hulls the sides: the least of the largest distance to a side is the inradius."""
    for seed in range(5):
        Z = cloud(seed, 3, 2)
        side = np.linalg.norm(Z[[1, 2, 0]] - Z[[2, 0, 1]], axis=1)
        centre = side @ Z / side.sum()
        (a, b), (c, d) = Z[1:] - Z[0]
        area = abs(a * d - b * c) / 2
        f = mon_mean(Z @ Z.T) @ Z
        radius = 2 * area / side.sum()
        assert sup_median_2d(Z - f) == pytest.approx(radius, rel=2e-3)  # the gap it stops at
        assert np.linalg.norm(f - centre) < 0.1 * side.min()


@pytest.mark.parametrize("dimension", [4, 9])
def test_in_more_dimensions_it_beats_the_other_centres(dimension):
    """Enumerated, with nine blocks, two of them outliers, F is at least 5 % below the geometric median's on average."""
    ratios = []
    for seed in range(4):
        Z = cloud(seed, 9, dimension, outliers=2, far=5.0)
        f, g = mon_mean(Z @ Z.T) @ Z, geometric_median(Z @ Z.T) @ Z
        ratios.append(enumerated(Z - f) / enumerated(Z - g))
        assert enumerated(Z - f) < enumerated(Z - Z.mean(axis=0))
    assert np.mean(ratios) < 0.95
    assert max(ratios) < 1.001


def test_a_move_to_a_level_is_the_shortest():
    """Sequential quadratic programming gives the same move to the points where every cut is at most `level`.

    It is None if no such point exists.
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        search = _Level(cloud(seed, 6, 3) @ cloud(seed, 6, 3).T)
        search.value, Z = 1.0, search.Z
        search.directions = [u - u.mean() for u in rng.normal(size=(3, 6))]
        U, at = np.array(search.directions) @ Z, search.best @ Z
        search.cuts = list(U @ at + rng.uniform(0.2, 1.0, 3))
        move = search._towards(0.1)
        assert move.sum() == pytest.approx(0, abs=1e-12)
        slack = 0.1 - (np.array(search.cuts) - U @ (at + move @ Z))
        assert slack.min() == pytest.approx(0, abs=1e-9)
        free = {"type": "ineq", "fun": lambda d, U=U, at=at, cuts=search.cuts: 0.1 - np.array(cuts) + U @ (at + d)}
        least = minimize(lambda d: d @ d, np.zeros(3), constraints=free, options={"ftol": 1e-14})
        np.testing.assert_allclose(move @ Z, least.x, atol=1e-5)
        search.directions += [-search.directions[0]]
        search.cuts += [1.0 - U[0] @ at]
        search.cuts[0] = 1.0 + U[0] @ at
        assert search._towards(0.1) is None


def test_it_turns_shifts_and_stretches_with_the_block_means():
    """The weights depend on G alone, so rotations change nothing; a shift changes G, and so the rounding."""
    Z = cloud(3, 7, 3, outliers=1)
    v = mon_mean(Z @ Z.T)
    assert v.sum() == pytest.approx(1, abs=1e-9)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    for moved, back in ((Z @ turn, lambda f: f @ turn.T), (Z + 3, lambda f: f - 3), (5 * Z, lambda f: f / 5)):
        np.testing.assert_allclose(back(mon_mean(moved @ moved.T) @ moved), v @ Z, rtol=0, atol=1e-6)


def test_the_estimator_is_the_mean_of_its_block_means():
    X = np.random.default_rng(1).normal(size=(23, 2))
    found = MedianOfMeans(Linear(), 5).embed(X)
    at = starts(23, 5)
    v = mon_mean(block_gram(X @ X.T, at))
    means = np.array([part.mean(axis=0) for part in np.array_split(X, 5)])
    np.testing.assert_allclose(found.weights @ X, v @ means, rtol=0, atol=1e-10)


# the pieces
# --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "blocks"), [(1, 1), (7, 1), (7, 3), (9, 9), (10, 4), (42, 11)])
def test_blocks_are_cut_as_array_split_cuts_them(n, blocks):
    parts = np.array_split(np.arange(n), blocks)
    np.testing.assert_array_equal(starts(n, blocks), [part[0] for part in parts])
    K = np.random.default_rng(0).normal(size=(n, n))
    np.testing.assert_allclose(
        block_gram(K, starts(n, blocks)),
        [[K[np.ix_(a, b)].mean() for b in parts] for a in parts],
        rtol=0,
        atol=1e-14 * n,
    )


def test_the_lower_median_is_of_rank_half_and_the_first_of_equals():
    for count in range(1, 9):
        values = np.random.default_rng(count).integers(0, 4, size=(50, count)).astype(float)
        rank = (count - 1) // 2
        np.testing.assert_array_equal(lower_median(values), np.sort(values, axis=1)[:, rank])
        position = median_position(values)
        np.testing.assert_array_equal(values[np.arange(50), position], lower_median(values))
    assert median_position(np.zeros(5)) == 2
    assert median_position(np.array([1.0, 0.0, 1.0, 1.0])) == 0


@pytest.mark.parametrize("far", [1.0, 1e3, 1e7, 1e14])
def test_coordinates_keep_the_digits_of_the_near_points(far):
    """A Gram matrix of rank 3 whose largest entry is far^2: that of the clean points comes back to 1e-12 of itself."""
    Z = cloud(0, 12, 3)
    Z[[2, 7]] *= far
    G = Z @ Z.T
    F = coordinates(G)
    size = np.linalg.norm(Z, axis=1)
    assert np.abs((F @ F.T - G) / np.outer(size, size)).max() < 1e-6  # of the outliers' own, 1e-13 squared away
    clean = np.delete(np.arange(12), [2, 7])
    clean = np.ix_(clean, clean)
    assert np.abs((F @ F.T - G)[clean]).max() < 1e-12
    assert coordinates(G, 2) is None
    assert coordinates(np.zeros((4, 4))).shape == (4, 0)
