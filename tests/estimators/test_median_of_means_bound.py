"""The bound of Theorem 1 of paper 004, and the cases without a bound."""

import math

import numpy as np
import pytest

from explorer import GaussianMixture, Linear
from explorer.estimators.medianofmeans.bound import blocks_needed, deviation_bound, largest_delta, level_of


def test_the_figures_of_erratum_24():
    assert round(float(blocks_needed(0.05))) == 863
    assert float(level_of(11)) == pytest.approx(0.9625, abs=5e-5)
    assert float(level_of(blocks_needed(0.2, 0.3), 0.3)) == pytest.approx(0.2)


@pytest.mark.parametrize(("n", "outliers"), [(200, 0), (200, 5), (2000, 20), (5000, 100), (50, 0)])
def test_delta_is_the_largest_that_the_theorem_takes(n, outliers):
    etas = np.exp(-np.linspace(0.001, 3, 40))
    fine = np.linspace(1e-4, 0.5, 20_000)
    for eta, delta in zip(etas, largest_delta(etas, n, outliers), strict=True):
        Q = blocks_needed(eta, fine)
        with np.errstate(divide="ignore"):
            good = (Q < n / 2) & (Q > outliers / (0.5 - fine) if outliers else True)
        if np.isnan(delta):
            assert good.sum() <= 40  # a range of δ narrower than the grid of 500 may be missed: 20,000 / 500
        else:
            assert delta == pytest.approx(fine[good].max(), abs=1 / 500)


def test_it_needs_more_blocks_than_there_are_points_for():
    assert np.isnan(largest_delta(0.05, 1700)).all()
    assert largest_delta(0.05, 1728)[0] == 0.5


def test_the_bound_in_a_case_done_by_hand():
    law = GaussianMixture([1.0], [[3.0]], [4.0])  # under the linear kernel Tr Σ is the variance, 4
    n, eta = 10_000, 0.05
    radius = max(math.sqrt(6 * 4 * math.log(20) / (0.5 * n)), 2 * math.sqrt(4 / n))
    assert deviation_bound(law, Linear(), n, eta)[0] == pytest.approx(24 * (1 + math.sqrt(2)) * radius)
    assert np.isnan(deviation_bound(law, Linear(), 100, eta)[0])
