"""Distributions whose coordinates have unlike units: a change of unit changes nothing else."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import GaussianMixture, Laplacian, StudentT, contaminate, median_bandwidth
from explorer.checks import ExplorerWarning
from explorer.embeddings.law import root
from explorer.kernels.laplacian_noise import one_dimension

S = np.array([[1.0, 0.6, -0.3], [0.6, 0.8, 0.2], [-0.3, 0.2, 0.9]])
MEAN = np.array([0.5, -1.0, 0.2])
X = np.random.default_rng(0).normal(size=(9, 3))
UNITS = {"alike": [4.0, 0.5, 2.0], "unlike": [2.0**30, 1.0, 2.0**-30], "very unlike": [2.0**200, 2.0**-300, 1.0]}
LAWS = {
    "mixture": lambda t: GaussianMixture([0.3, 0.7], np.array([MEAN, -MEAN]) * t, [S * np.outer(t, t), np.diag(t * t)]),
    "t": lambda t: StudentT(5, MEAN * t, S * np.outer(t, t)),
}
every_unit = pytest.mark.parametrize("t", [np.array(t) for t in UNITS.values()], ids=UNITS)
every_law = pytest.mark.parametrize("make", LAWS.values(), ids=LAWS)


@every_unit
@every_law
def test_a_density_changes_by_the_units_alone(make, t):
    # eigenvalues of the same correlations, rounded alike: powers of two round nothing; logarithms of 200 to eps
    np.testing.assert_allclose(make(t).logpdf(X * t), make(np.ones(3)).logpdf(X) - np.log(t).sum(), rtol=0, atol=1e-11)


@every_unit
@every_law
def test_a_sample_has_the_variances_in_every_unit(make, t):
    """Twelve digits of each coordinate's variance and correlations: a narrow one is not lost next to a wide one."""
    C = S * np.outer(t, t)
    R = root(C)
    np.testing.assert_allclose((R @ R.T) / np.outer(t, t), S, rtol=0, atol=1e-8)
    sample = make(t).sample(4000, rng=0) / t
    # the standard error of a standard deviation is 1 / sqrt(2 n) of it, for a t of 5 degrees four times that at most
    reference = make(np.ones(3)).sample(4000, rng=0)
    np.testing.assert_allclose(sample.std(axis=0), reference.std(axis=0), rtol=0.1)
    np.testing.assert_allclose(np.corrcoef(sample.T), np.corrcoef(reference.T), rtol=0, atol=0.1)


def test_roots_of_several_covariances_at_once():
    t = np.array(UNITS["unlike"])
    both = np.array([S, S * np.outer(t, t)])
    for R, C in zip(root(both), both, strict=True):
        np.testing.assert_array_equal(R, root(C))


def test_a_covariance_that_is_singular_in_its_own_units_has_no_density():
    t = np.array(UNITS["unlike"])
    for C in (np.outer(t, t), np.diag([1.0, 0.0, 2.0])):
        with pytest.raises(ValueError, match=naming("singular")):
            StudentT(5, MEAN, C).logpdf(X)


def test_a_narrow_coordinate_keeps_its_variance_under_a_laplacian_kernel():
    """Next to z_1, 1e10 times as wide as θ, z_2 given z_1 = 0 is N(0, (1 - ρ^2) s^2).

    Its factor was 1 instead of 0.6.
    """
    s, theta, rho = np.array([1e5, 1e-5]), 1e-5, 0.5
    C = np.array([[1.0, rho], [rho, 1.0]]) * np.outer(s, s)
    zero = np.zeros((1, 2))
    exact = 2 * theta / (np.sqrt(2 * np.pi) * s[0]) * one_dimension(np.zeros(1), np.sqrt(1 - rho**2) * s[1] / theta)[0]
    # the rest of z_1's density is flat over θ up to (θ/s)^2; Gauss nodes give 1e-6 at this correlation
    assert Laplacian(theta).expected(zero, C, zero, None)[0, 0] == pytest.approx(exact, rel=1e-6)


# outliers and bandwidths of any scale -----------------------------------------------------------------------------


@pytest.mark.parametrize("exponent", [-900, -300, 300, 900])
@pytest.mark.parametrize("kind", ["far cluster", "point mass", "heavy tail"])
def test_outliers_are_those_of_any_other_unit(kind, exponent):
    a = 2.0**exponent
    np.testing.assert_array_equal(contaminate(a * X, 3, kind, rng=0), a * contaminate(X, 3, kind, rng=0))


@pytest.mark.parametrize("kind", ["far cluster", "point mass", "heavy tail"])
def test_outliers_that_fit_no_float_are_a_sentence(kind):
    assert np.isfinite(contaminate(X, 2, kind, 1e200, rng=0)).all()
    with pytest.raises(ValueError, match=naming("1e+200", "distance")):
        contaminate(1e200 * X, 2, kind, 1e200, rng=0)


@pytest.mark.parametrize("exponent", [-1000, -600, 600, 1000])
@pytest.mark.parametrize("metric", ["sqeuclidean", "cityblock"])
def test_a_bandwidth_is_in_the_unit_of_the_data_whatever_it_is(exponent, metric):
    a = 2.0**exponent
    assert median_bandwidth(a * X, metric) == pytest.approx(a * median_bandwidth(X, metric), rel=1e-15)


def test_ties_and_far_points_at_any_scale():
    a = 2.0**-600
    with pytest.warns(ExplorerWarning, match=naming("coincide", "median")):
        assert median_bandwidth(a * np.array([0.0] * 9 + [3.0, 7.0])) == 4.0 * a
    far = [[1e300, -1e300, 1e300], [-1e300, 1e300, 1e300]]
    # two far points are 19 of the pairs of 11, and say what two at 1e9 say
    assert median_bandwidth(np.vstack([X, far])) == median_bandwidth(np.vstack([X, 1e-291 * np.array(far)]))


def test_distances_that_are_no_floats_are_a_sentence():
    with pytest.raises(ValueError, match=naming("X", "1e300")):
        median_bandwidth([[1.7e308], [-1.7e308]])
