"""Kernels' flags by a second method: Gram matrices on finitely many points, and distributions that embed alike.

On finitely many points a distribution is a table of probabilities and a continuous function a table of values. So a
kernel is characteristic there if its Gram matrix is positive on tables of sum 0, and universal if it is positive on
all.
"""

import numpy as np
import pytest
from kernels_and_estimators import CLOSED, KERNELS, PUBLIC, mixed, strings, vectors

import explorer
from explorer import (
    ARDGaussian,
    Delta,
    Embedding,
    Energy,
    Exponential,
    FourierFeatures,
    Gaussian,
    GaussianMixture,
    InverseMultiquadric,
    Landmarks,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    Precomputed,
    Product,
    RationalQuadratic,
    Subsequence,
)
from explorer.kernels import KernelProduct, KernelSum

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_closed_form = pytest.mark.parametrize("row", CLOSED.values(), ids=CLOSED)

# kernel -> bounded, characteristic, universal
FLAGS = {
    Linear(): (False, False, False),
    Polynomial(2): (False, False, False),
    Gaussian(1.0): (True, True, True),
    Laplacian(1.0): (True, True, True),
    Exponential(): (False, True, True),
    Energy(): (False, True, False),
    Delta(): (True, True, True),
    Subsequence(): (True, False, False),
    Subsequence(normalized=False): (False, False, False),
    Precomputed(np.eye(3)): (True, True, True),
    Precomputed(np.eye(3) - 1 / 3): (True, True, False),  # its null vector has sum 3: no difference of laws
    Precomputed(np.ones((3, 3))): (True, False, False),
    Precomputed(np.diag([1.0, 1.0, 0.0])): (True, True, False),
    Precomputed([[0.0]]): (True, True, False),  # one point, one law
    Product({0: Gaussian(1.0), 1: Delta()}): (True, True, True),
    Product({0: Gaussian(1.0), 1: Energy()}): (False, False, False),  # functions vanish where the second column is 0
    Product({0: Energy()}): (False, True, False),
    Matern(): (True, True, True),
    RationalQuadratic(): (True, True, True),
    InverseMultiquadric(): (True, True, True),
    ARDGaussian([1.0, 2.0]): (True, True, True),
    # a sum knows what its terms know
    2.0 * Linear(): (False, False, False),
    Gaussian(1.0) + Linear(): (False, True, True),
    Gaussian(1.0) + 0.5 * Matern(nu=2.5): (True, True, True),
    Energy() + Linear(): (False, True, False),
    Energy() + Linear(1.0): (False, True, True),  # the constants see the origin, where Energy is blind
    Linear() + Delta(): (False, False, False),  # on measurements Delta sees nothing
    Delta() + Delta(): (True, True, True),
    # a product is blind where a factor vanishes
    Gaussian(1.0) * Linear(): (False, True, False),
    Gaussian(1.0) * Linear(1.0): (False, True, True),
    Gaussian(1.0) * Laplacian(1.0): (True, True, True),
    Gaussian(1.0) * Energy() * Linear(): (False, True, False),
    Linear() * Linear(1.0): (False, False, False),
    Energy() * Energy(): (False, False, False),
    Precomputed(np.diag([1.0, 1.0, 0.0])) * Precomputed(np.eye(3)): (True, True, False),
    Precomputed(np.diag([1.0, 0.0, 0.0])) * Precomputed(np.eye(3)): (True, False, False),
    # finite rank: there are more distributions than r features can distinguish
    Landmarks(Gaussian(1.0), [[0.0], [1.0]]): (True, False, False),
    Landmarks(Linear(), [[1.0]]): (False, False, False),
    FourierFeatures(Gaussian(1.0), [[1.0], [2.0]]): (True, False, False),
}


@pytest.mark.parametrize(("kernel", "flags"), FLAGS.items(), ids=map(repr, FLAGS))
def test_the_flags_of_every_kernel(kernel, flags):
    assert (kernel.bounded, kernel.characteristic, kernel.universal) == flags


def test_no_kernel_of_the_front_door_is_left_out():
    kernels = {c for c in PUBLIC.values() if isinstance(c, type) and issubclass(c, explorer.Kernel)}
    assert kernels - {explorer.Kernel} == {type(k) for k in FLAGS} - {KernelSum, KernelProduct}


def distinct(row):
    """Return points, no two of them equal.

    Numbers of both signs with the origin, more than a polynomial of degree 4 has features.
    """
    if row.data is vectors:
        return np.array([-2.0, -1.3, -0.6, 0.0, 0.5, 1.2, 2.3])[:, None]
    if row.data is mixed:
        return np.array([[x, label] for x in (-1.3, 0.5, 1.2) for label in range(3)])
    return np.unique(row.data(40), axis=0)


def well_conditioned(row):
    k, X = row.kernel.select(distinct(row)), distinct(row)
    # seven points of an exponential kernel on a large scale look singular to floats
    return (k.replace(scale=1.0) if isinstance(k, Exponential) else k), X


def of_sum_zero(n):
    return np.linalg.qr(np.ones((n, 1)), mode="complete")[0][:, 1:]


# rounding leaves 1e-16 of the largest eigenvalue; the least of a regular matrix here is 1e-7 of it, Exponential's
ZERO = 1e-12


@every_kernel
def test_characteristic_kernels_are_positive_on_differences_of_laws(row):
    k, X = well_conditioned(row)
    basis = of_sum_zero(len(X))
    gamma = np.linalg.eigvalsh(basis.T @ k(X) @ basis)
    assert (gamma[0] > ZERO * gamma[-1]) == k.characteristic


@every_kernel
def test_universal_kernels_are_positive_on_all_tables(row):
    k, X = well_conditioned(row)
    gamma = np.linalg.eigvalsh(k(X))
    assert (gamma[0] > ZERO * gamma[-1]) == k.universal


@every_kernel
def test_bounded_kernels_stay_below_a_bound(row):
    k, X = well_conditioned(row)
    if row.data in (vectors, strings):
        further = 10 * X if row.data is vectors else np.char.multiply(X, 10)
        near, far = k.diagonal(X).max(), k.diagonal(further).max()
        assert (far == near) == k.bounded
        assert (far > 5 * near) != k.bounded
    else:
        assert k.bounded  # finitely many points


@every_kernel
def test_two_laws_embed_alike_where_the_kernel_is_not_characteristic(row):
    """The two distributions on the points that the kernel distinguishes least."""
    k, X = well_conditioned(row)
    basis = of_sum_zero(len(X))
    w = basis @ np.linalg.eigh(basis.T @ k(X) @ basis)[1][:, 0]
    P, Q = (np.maximum(s * w, 0) / np.maximum(s * w, 0).sum() for s in (1, -1))
    assert np.abs(P - Q).sum() > 0.5
    gap = Embedding(k, X, P).distance(Embedding(k, X, Q))
    size = np.sqrt(k.diagonal(X).max())
    assert (gap > 1e-6 * size) == k.characteristic  # a vanishing distance is sqrt(eps) of its terms


@every_closed_form
def test_a_coin_and_a_normal_law_share_three_moments(row):
    """-1 or 1 against N(0, 1): only a kernel that sees more than three moments distinguishes them."""
    k = row.kernel.select(distinct(row))
    coin = GaussianMixture([0.5, 0.5], [[-1.0], [1.0]], 0.0)
    gap = coin.embed(k).distance(GaussianMixture([1.0], [[0.0]], 1.0).embed(k))
    assert (gap > 1e-4) == k.characteristic


def test_every_function_of_the_energy_kernel_vanishes_at_the_origin():
    """So it is not universal; apart from that point it is."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    assert Embedding(Energy(), X, rng.normal(size=20))([[0.0, 0.0]])[0] == 0
    gamma = np.linalg.eigvalsh(Energy()(X))
    assert gamma[0] > ZERO * gamma[-1]


def test_a_kernel_on_labels_is_none_for_measurements():
    """A distribution with a density embeds as 0 under Delta: the norm of n draws is n^(-1/2)."""
    for n in (10, 1000):
        sample = np.random.default_rng(0).normal(size=n)
        assert Embedding(Delta(), sample, np.full(n, 1 / n)).norm() == pytest.approx(n**-0.5, rel=1e-12)
