"""Distance covariance is HSIC under the energy kernel: against its own definition, and against the package dcor."""

import sys

import numpy as np
import pytest
from paired_samples import dependent, independent
from scipy.spatial.distance import cdist

from explorer import Energy, hsic, hsic_test, mmd2, mmd_test
from explorer.discrepancy import distance_correlation, distance_covariance


def by_definition(X, Y):
    """The mean of the products of double-centred distances: dCov^2."""
    centred = []
    for Z in (X, Y):
        D = cdist(Z, Z)
        centred.append(D - D.mean(0) - D.mean(1)[:, None] + D.mean())
    return float(np.mean(centred[0] * centred[1]))


@pytest.mark.parametrize("shift", [0.0, 1e5])
def test_the_square_is_four_times_hsic(shift):
    X, Y = dependent(25)
    # 1e5 away the kernel's values are as large, which leaves 10 digits
    assert 4 * hsic(X + shift, Y - shift, Energy(), Energy()) == pytest.approx(by_definition(X, Y), rel=1e-9)
    assert distance_covariance(X + shift, Y) == pytest.approx(np.sqrt(by_definition(X, Y)), rel=1e-9)


def test_the_correlation_is_1_for_similar_figures_and_0_for_a_constant():
    X, Y = dependent(25)
    expected = np.sqrt(by_definition(X, Y) / np.sqrt(by_definition(X, X) * by_definition(Y, Y)))
    assert distance_correlation(X, Y) == pytest.approx(expected, rel=1e-10)
    assert distance_correlation(X, 3 - 2 * X[:, ::-1]) == pytest.approx(1, rel=1e-12)
    assert distance_correlation(X, np.ones(25)) == 0
    assert distance_covariance(X, np.full(25, 0.1)) == pytest.approx(0, abs=1e-8)


@pytest.fixture(scope="module")
def dcor():
    """The package, its loops left to Python.

    To compile them at its import takes eight seconds, and 30 points do not need it.
    """
    numba = pytest.importorskip("numba", reason="dcor needs numba")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "DISABLE_JIT", True)
        patch.setattr(numba, "guvectorize", lambda *signature, **options: lambda function: function)
        package = pytest.importorskip("dcor", reason="dcor is not installed")
    yield package
    for name in [name for name in sys.modules if name.split(".")[0] == "dcor"]:
        del sys.modules[name]


def test_dcor_agrees(dcor):
    """dcor's V- and U-statistics of distance covariance are 4 times HSIC's, its energy distance twice MMD^2."""
    for draw in (dependent, independent):
        X, Y = draw(30)
        assert 4 * hsic(X, Y, Energy(), Energy()) == pytest.approx(dcor.distance_covariance_sqr(X, Y), rel=1e-10)
        unbiased = hsic(X, Y, Energy(), Energy(), "unbiased")
        assert 4 * unbiased == pytest.approx(dcor.u_distance_covariance_sqr(X, Y), rel=1e-9)
        assert distance_covariance(X, Y) == pytest.approx(dcor.distance_covariance(X, Y), rel=1e-10)
        assert distance_correlation(X, Y) == pytest.approx(dcor.distance_correlation(X, Y), rel=1e-10)
        P, Q = X[:12], X[12:] + 0.3
        assert 2 * mmd2(P, Q, Energy(), "biased") == pytest.approx(dcor.energy_distance(P, Q), rel=1e-10)
        u_energy = dcor.energy_distance(P, Q, estimation_stat="U_STATISTIC")
        assert 2 * mmd2(P, Q, Energy()) == pytest.approx(u_energy, rel=1e-9)


def test_dcors_permutation_tests_agree_but_for_their_own_permutations(dcor):
    """Two independent draws of 999 orders; dcor's statistic is n times the V-statistic."""
    X, Y = dependent(20, 2, noise=2.0)
    theirs = dcor.independence.distance_covariance_test(X, Y, num_resamples=999, random_state=0)
    ours = hsic_test(X, Y, Energy(), Energy(), n_resamples=999, rng=0)
    assert theirs.statistic == pytest.approx(20 * 4 * ours.statistic, rel=1e-10)
    assert abs(theirs.pvalue - ours.pvalue) < 4.5 * np.sqrt(2 * 0.25 / 999)
    P, Q = X[:8], X[8:]
    theirs = dcor.homogeneity.energy_test(P, Q, num_resamples=999, random_state=0)
    ours = mmd_test(P, Q, Energy(), "biased", n_resamples=999, rng=0)
    assert theirs.statistic == pytest.approx(8 * 12 / 20 * 2 * ours.statistic, rel=1e-10)
    assert abs(theirs.pvalue - ours.pvalue) < 4.5 * np.sqrt(2 * 0.25 / 999)
