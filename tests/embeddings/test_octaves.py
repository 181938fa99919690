"""Octaves of Gaussians: they add up to the density, and to its mass."""

import numpy as np
import pytest

from explorer.embeddings.octaves import RATIO, octaves

DENSITIES = {
    "power 1.5": lambda t: 0.5 * (1 + t) ** -1.5,
    "power 4": lambda t: 3 * (1 + t) ** -4,
    "power 11": lambda t: 10 * (1 + t) ** -11,
    "exponential": lambda t: np.exp(-t),
}
every_density = pytest.mark.parametrize("density", DENSITIES.values(), ids=DENSITIES)


@pytest.mark.thorough(default=["0.0001-power 1.5", "0.05-power 4", "0.05-power 11"])
@every_density
@pytest.mark.parametrize("start", [1e-4, 0.05])
def test_they_add_up_to_the_density(density, start):
    parts = list(octaves(density, start, 12))
    t = np.geomspace(2.1 * start, 0.3 * start * RATIO**12, 3000)
    total = sum(np.exp(-((t[:, None] - x) ** 2) / (2 * v)) / np.sqrt(2 * np.pi * v) @ w for x, w, v in parts if v)
    assert np.abs(total - density(t)).max() < 1e-10 * density(0.0)  # what the docstring says


@every_density
def test_no_mass_is_lost_but_beyond_the_last_step(density):
    start, count = 0.02, 9
    x, w = np.polynomial.legendre.leggauss(40)
    cuts = np.concatenate([[0.0], np.geomspace(1e-3, start * RATIO**count, 60)])
    half = np.diff(cuts)[:, None] / 2
    t = cuts[:-1, None] + half * (x + 1)
    below = (half * w * density(t)).sum()
    last = (
        density(start * RATIO**count) * start * RATIO**count
    )  # the step itself is as wide as a few tenths of its place
    assert sum(part.sum() for _, part, _ in octaves(density, start, count)) == pytest.approx(
        below, abs=0.3 * last + 1e-9
    )


def test_the_edge_is_point_masses_and_the_rest_share_a_variance_each():
    parts = list(octaves(DENSITIES["power 4"], 0.02, 5))
    variances = [v for _, _, v in parts]
    assert variances[0] == 0.0
    np.testing.assert_allclose(np.diff(np.log(variances[1:])), 2 * np.log(RATIO), rtol=1e-12)
    assert all((t >= 0).all() for t, _, _ in parts)
