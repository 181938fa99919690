"""How fast the MMD of samples comes near that of their distributions."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Gaussian, GaussianMixture, Laplacian, Linear, Polynomial, mmd2
from explorer.discrepancy import Convergence, mmd_convergence, mmd_of_laws
from explorer.rng import stream


def gaussian(mean, d=1):
    return GaussianMixture([1.0], [[mean, *[0.0] * (d - 1)]], [1.0] * d)


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Laplacian(1.0), Linear(), Polynomial(2)])
def test_errors_are_those_of_the_first_rows_of_each_draw(kernel):
    """Compared with a whole MMD for each size, of samples that are drawn in the same order."""
    P, Q, sizes = gaussian(0.0, 2), gaussian(0.8, 2), [(3, 2), (4, 7), (11, 9)]
    found = mmd_convergence(P, Q, kernel, sizes, replicates=3, rng=5)
    draws, truth = stream(5, "convergence of the MMD"), mmd_of_laws(P, Q, kernel)
    for errors in found.errors:
        X, Y = P.sample(11, rng=draws), Q.sample(9, rng=draws)
        each = [np.sqrt(mmd2(X[:n], Y[:m], kernel, "biased")) for n, m in sizes]
        # the root of a difference of sums: near 0 half of the digits are rounding's
        assert errors == pytest.approx(np.abs(np.array(each) - truth), abs=1e-7)


@pytest.mark.parametrize("mean", [0.0, 0.5])
def test_no_mean_error_exceeds_the_bound_and_equal_distributions_go_with_the_rate(mean):
    found = mmd_convergence(gaussian(0.0), gaussian(mean), Gaussian(1.0), replicates=60, rng=1)
    spread = found.errors.std(axis=0) / np.sqrt(len(found.errors))
    assert (found.mean <= found.bound + 3 * spread).all()
    low, high = found.interval(0.99)
    assert low < found.power < high
    if mean == 0.0:
        assert low < 1.0 < high
        # for P = Q the mean square is the sum of both risks, half of the bound's square if sizes are equal. With 60
        # replicates the mean of a square of about one degree of freedom or more has an error of at most 18 %
        assert (found.errors**2).mean(axis=0) == pytest.approx(found.bound**2 / 2, rel=0.4)


def test_the_bound_is_the_sum_of_the_risks_roots():
    """Under the Gaussian kernel of width 1, |μ|² of a standard normal distribution is 1/√3."""
    found = mmd_convergence(gaussian(0.0), gaussian(2.0), Gaussian(1.0), [(5, 4), (20, 50)], replicates=2, rng=0)
    risk = 1 - 1 / np.sqrt(3)
    expected = [np.sqrt(risk / n) + np.sqrt(risk / m) for n, m in ((5, 4), (20, 50))]
    np.testing.assert_allclose(found.bound, expected, rtol=1e-12)


def test_the_power_is_that_of_made_errors():
    sizes = np.array([[10, 20], [40, 80], [160, 320]])
    rate = (sizes**-0.5).sum(axis=1)
    made = Convergence(sizes, np.outer([1.0, 3.0], rate**1.3), 0.0, rate)
    assert made.power == pytest.approx(1.3)
    assert made.interval() == pytest.approx((1.3, 1.3))
    assert "the power 1.30 of N1^(-1/2) + N2^(-1/2)" in made._sentence()


def test_sizes_of_one_number_are_those_of_both():
    one, two = (
        mmd_convergence(gaussian(0.0), gaussian(1.0), Gaussian(1.0), sizes, replicates=2, rng=0)
        for sizes in ([5, 9], [(5, 5), (9, 9)])
    )
    assert np.array_equal(one.errors, two.errors)


def test_it_is_given_up_and_refuses_what_it_cannot_have():
    P, asked = gaussian(0.0), iter([False, True])
    assert mmd_convergence(P, P, Gaussian(1.0), stopped=lambda: next(asked)) is None
    for sizes in ([5], [5, 5], [5, 3], [1.5, 2.5], [(1, 2, 3), (4, 5, 6)], [0, 4]):
        with pytest.raises(ValueError, match=naming("sizes", "(10, 20, 40)")):
            mmd_convergence(P, P, Gaussian(1.0), sizes)
    with pytest.raises(ValueError, match="replicates"):
        mmd_convergence(P, P, Gaussian(1.0), replicates=1)
