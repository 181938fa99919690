"""One point at 1e300, all points at 1e-300: tests over many bandwidths, distances whose squares overflow or vanish."""

from fractions import Fraction

import numpy as np
import pytest
from helpers.naming import naming
from scipy.spatial.distance import pdist
from scipy.special import gamma, jv
from two_samples import binomial

from explorer import Gaussian, Polynomial, bandwidth_collection, bandwidth_curve, mmd_test, mmdagg_test, mmdfuse_test
from explorer.discrepancy import moment_differences, spectral_difference
from explorer.discrepancy.mmd import bandwidth_collection as collection
from explorer.discrepancy.mmd.bandwidth_collection import distances, not_above, quantile, smallest, sorted_distances

AGGREGATED = {"MMDAgg": mmdagg_test, "MMD-FUSE": mmdfuse_test}
every_test = pytest.mark.parametrize("test", AGGREGATED.values(), ids=AGGREGATED)


def two(shift=1.0, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(14, d)), rng.normal(size=(16, d)) + shift


# distances -----------------------------------------------------------------------------------------------------------


def squares(P):
    """Return the squared distances as fractions, which neither overflow nor round."""
    rows = [[Fraction(float(v)) for v in row] for row in P]
    return [sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for i, x in enumerate(rows) for y in rows[i + 1 :]]


@pytest.mark.parametrize("scale", [5e-324, 1e-308, 1e-300, 1e-160, 1e-141, 1.0, 1e139, 1e154, 1e200, 1e307])
def test_distances_are_right_at_every_scale(scale):
    """The error is at most 4 eps, or a few of the smallest float, also with a far pair and a pair of equal points."""
    P = np.random.default_rng(0).normal(size=(6, 3)) * scale
    P = np.vstack([P, P[:1], [[1e300, -1e307, 3.0]], [[1e300, -1e307, 3.0 + 1e-3]]])
    found = distances(P)
    for value, square in zip(map(Fraction, found), squares(P), strict=True):
        error = 4 * Fraction(2.0**-52) * value + 3 * Fraction(5e-324)
        assert max(value - error, 0) ** 2 <= square <= (value + error) ** 2
    assert found[5] == 0  # the first point and its copy


def test_distances_in_the_middle_are_pdists():
    P = np.random.default_rng(0).normal(size=(20, 3))
    np.testing.assert_array_equal(distances(P), pdist(P))
    assert distances(np.array([[1.7e308], [-1.7e308]])).tolist() == [np.inf]


def test_distances_to_other_points_are_those_of_all():
    P = np.random.default_rng(1).normal(size=(12, 3)) * np.geomspace(1e-200, 1e200, 12)[:, None]
    rows, columns = np.triu_indices(12, 1)
    across = (rows < 5) & (columns >= 5)
    np.testing.assert_array_equal(distances(P[:5], P[5:]).ravel(), distances(P)[across])


@pytest.mark.parametrize("rows", [3, 40, 50, 512])
@pytest.mark.parametrize("kind", ["normal", "ties", "far"])
def test_quantiles_of_pieces_are_those_of_all_distances(monkeypatch, rows, kind):
    monkeypatch.setattr(collection, "ROWS", rows)
    P = np.random.default_rng(2).normal(size=(50, 2))
    P = {"normal": P, "ties": P.round(), "far": P * np.geomspace(1, 1e300, 50)[:, None]}[kind]
    apart, pieces = np.sort(distances(P)), sorted_distances(P)
    apart = apart[apart > 0]
    assert [smallest(pieces, k) for k in range(0, len(apart), 7)] == apart[::7].tolist()
    assert not_above(pieces, float(apart[30])) == np.count_nonzero(apart <= apart[30])
    for share in (0.0, 0.05, 0.31, 0.95, 1.0):
        assert quantile(pieces, 90, share) == np.quantile(apart[:90], share)


# the collection ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("far", [1e8, 1e150, 1e154, 1e300, 1.7e308])
@pytest.mark.parametrize("coordinates", [1, 2])
def test_a_far_point_leaves_the_collection_that_the_others_have(far, coordinates):
    """In a sample of 30 it has 7 % of all distances."""
    X, Y = two()
    without = bandwidth_collection(X[1:], Y)
    X[0, :coordinates] = far
    assert bandwidth_collection(X, Y) == without
    Y[0, :coordinates] = -far
    assert bandwidth_collection(X, Y)[-1].bandwidth == pytest.approx(without[-1].bandwidth, rel=0.2)


@every_test
@pytest.mark.parametrize("far", [1e150, 1e300, 1.7e308])
def test_a_far_point_does_not_hide_a_difference(test, far):
    X, Y = two(shift=2.0)
    X[0], Y[0] = far, -far
    assert test(X, Y, n_resamples=99, rng=0).pvalue <= 0.05
    X[0] = [far, 0.0]
    assert test(X, Y, n_resamples=99, rng=0).pvalue <= 0.05


@pytest.mark.thorough(default=["MMDAgg"])
@every_test
def test_the_level_is_kept_beside_far_points(test):
    """Two points of eighteen lie at 1e300 in all coordinates, in either sample."""
    rng, p = np.random.default_rng(0), []
    for _ in range(60):
        pooled = rng.permutation(np.vstack([rng.normal(size=(16, 2)), 1e300 * rng.normal(size=(2, 2))]))
        p.append(test(pooled[:9], pooled[9:], n_resamples=39, rng=rng).pvalue)
    for level in (0.05, 0.2, 0.5):
        assert np.count_nonzero(np.array(p) <= level) <= binomial(60, level)[1]


@pytest.mark.parametrize("scale", [1e-300, 1e-308, 1e154, 1e300])
@pytest.mark.parametrize("call", [bandwidth_collection, *AGGREGATED.values()])
def test_scales_that_no_gaussian_bandwidth_has_are_a_sentence(call, scale):
    X, Y = two()
    with pytest.raises(ValueError, match=naming("X", "Y", "Gaussian", "bandwidths")):
        call(X * scale, Y * scale)


@every_test
@pytest.mark.parametrize("exponent", [-450, 450])
def test_other_scales_change_nothing(test, exponent):
    """Powers of two take no digit from the points; the bandwidths' ratios are rounded."""
    X, Y = two(shift=0.7)
    moved = test(np.ldexp(X, exponent), np.ldexp(Y, exponent), n_resamples=59, rng=0)
    assert moved.pvalue == test(X, Y, n_resamples=59, rng=0).pvalue


# curves and spectra --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("far", [1e5, 1e20, 1e150, 1e200, 1.7e308])
def test_a_far_point_takes_nothing_from_the_curve_over_bandwidths(far):
    X, Y = two()
    X[0], Y[0] = far, [-far, 0.0]
    curve = bandwidth_curve(X, Y, n_resamples=40, rng=0)
    for i in range(0, 60, 12):
        one = mmd_test(X, Y, Gaussian(curve.bandwidths[i]), n_resamples=40, rng=0)
        assert abs(curve.statistic[i] - one.statistic) <= curve.error[i] + 1e-14
        assert curve.error[i] < 1e-3
    with pytest.raises(ValueError, match=naming("Gaussian.bandwidth", "1e+150", "1e+200")):
        bandwidth_curve(X, Y, [1e200])


@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("far", [1e40, 1e200, 1.7e308])
def test_a_far_point_adds_its_own_mass_to_every_frequency(d, far):
    """Beyond 1e30 the mean over directions of cos(ω'(x - y)) is 0: what is left is 1/n^2 and what the others make."""
    X, Y = two(d=d)
    w = np.array([0.3, 0.9])
    X[0] = far
    difference = spectral_difference(X, Y, w).difference
    assert np.isfinite(difference).all()
    if d > 1:
        rest, a = np.vstack([X[1:], Y]), np.r_[np.full(13, 1 / 14), np.full(16, -1 / 16)]
        r = np.linalg.norm(rest[:, None] - rest, axis=2)
        # at t = 1e-6 the mean is 1 - t^2 / (2 d), which stands for t = 0; the spline of five dimensions is good to 1e-8
        t = np.maximum(w[:, None, None] * r, 1e-6)
        means = gamma(d / 2) * (2 / t) ** (d / 2 - 1) * jv(d / 2 - 1, t)
        np.testing.assert_allclose(difference, 1 / 14**2 + a @ means @ a, rtol=1e-7)


def test_what_overflows_is_a_sentence():
    X, Y = two()
    with pytest.raises(ValueError, match=naming("frequency", "X", "Y")):
        spectral_difference(X * 1e300, Y, [1e9])
    with pytest.raises(ValueError, match=naming("Polynomial")):
        moment_differences(X * 1e100, Y, Polynomial(2))
