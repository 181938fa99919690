"""Centred features: by explicit features and by Embeddings, at any offset, scale and bandwidth."""

import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import KME, MKME, SKMSE, Embedding, Energy, Gaussian, GaussianMixture, Laplacian, Linear, Polynomial
from explorer.operators import CentredKernel
from explorer.operators.centring import Centre

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(12, 3)), RNG.normal(size=(5, 3))
KERNELS = [Linear(), Linear(2.0), Polynomial(3), Gaussian(1.0), Gaussian(1e3), Laplacian(1.0), Energy()]


def centres(k, X):
    """One of each kind: a mean, shrunk, none at all, with Gaussian points, and towards a target."""
    return {
        "mean": KME(k).embed(X),
        "shrunk": SKMSE(k, 0.3).embed(X),
        "zero": SKMSE(k, math.inf).embed(X),
        "noisy": MKME(k, 0.4).embed(X),
        "target": SKMSE(k, 0.3, Embedding(k, X[:3] + 0.1, [0.4, 0.3, 0.3])).embed(X),
        "law": GaussianMixture([0.4, 0.6], X[:2], 0.7).embed(k),
    }


@pytest.mark.thorough(default=["Gaussian(bandwidth=1.0)-0.0", "Polynomial(degree=3)-10000.0"])
@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_entries_are_inner_products_of_embeddings(kernel, offset):
    """Each feature as an Embedding less the centre, pair by pair."""
    some, others = X[:4] + offset, Z[:3] + offset
    for name, m in centres(kernel, X + offset).items():
        k = CentredKernel(kernel, m)
        ours, theirs = ([Embedding(kernel, [x], [1.0]) - m for x in points] for points in (some, others))
        squares = np.array([f.inner(f) for f in theirs])
        # inner products of sums of some tens of terms, each rounded by eps of the size that the contrast leaves
        near = {"rtol": 0, "atol": 1e-11 * squares.max(), "err_msg": name}
        np.testing.assert_allclose(k(some), [[f.inner(g) for g in ours] for f in ours], **near)
        np.testing.assert_allclose(k(others, some), [[f.inner(g) for g in ours] for f in theirs], **near)
        np.testing.assert_allclose(k.diagonal(others), squares, **near)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_polynomials_are_centred_as_their_monomials(degree):
    """In d = 1 (xy + 1)^p = Σ_j C(p, j) x^j y^j, centred monomial by monomial."""
    kernel = Polynomial(degree)
    x, w = X[:, :1], np.array([0.3, -0.2, 0.5, 0.1])
    features = np.column_stack([math.sqrt(math.comb(degree, j)) * x[:, 0] ** j for j in range(degree + 1)])
    centred = features - w @ features[:4]
    for order in (1, 2, 3):
        K = CentredKernel(kernel, Embedding(kernel, x[:4], w), order)(x)
        expected = (centred @ centred.T) ** order
        np.testing.assert_allclose(K, expected, rtol=0, atol=1e-13 * np.abs(expected).max())


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
def test_an_offset_takes_no_digits(offset):
    """Multiples of 2^-20 at 2^27 and below keep all of theirs."""
    grid = np.round(np.ldexp(X, 20)) / 2**20
    for kernel in (Linear(), Gaussian(1.0)):
        near, far = (CentredKernel(kernel, KME(kernel).embed(P))(P) for P in (grid, grid + np.round(offset)))
        np.testing.assert_allclose(far, near, rtol=0, atol=1e-13 * np.abs(near).max())


def test_a_wide_bandwidth_leaves_the_linear_kernel():
    """θ² (k - its centre) tends to the centred inner products, with no digit lost on the way."""
    centred = X - X.mean(axis=0)
    k = Gaussian(1e8)
    np.testing.assert_allclose(1e16 * CentredKernel(k, KME(k).embed(X))(X), centred @ centred.T, rtol=0, atol=1e-12)


def test_a_gram_matrix_is_symmetric_and_squares_are_not_negative():
    for kernel in KERNELS:
        for m in centres(kernel, X).values():
            k = CentredKernel(kernel, m)
            np.testing.assert_allclose(k(X), k(X).T, rtol=0, atol=1e-14 * np.abs(k(X)).max())
            assert (k.diagonal(X) >= 0).all()
            np.testing.assert_allclose(k.diagonal(X), np.diag(k(X)), rtol=0, atol=1e-12 * np.abs(k(X)).max())


def test_two_centres_of_one_contrast():
    k = Linear()
    m, l = KME(k).embed(X), KME(k).embed(Z)
    contrast = k.contrast(X)
    np.testing.assert_allclose(
        Centre(m, contrast).between(X, Centre(l, contrast), Z), (X - X.mean(0)) @ (Z - Z.mean(0)).T, rtol=0, atol=1e-13
    )


def test_it_is_a_kernel():
    k = CentredKernel(Gaussian(1.0), KME(Gaussian(1.0)).embed(X), 2)
    assert (k.bounded, k.growth, k.text) == (True, 0, False)
    assert k.select(X) is k
    e = SKMSE(k, 0.5).embed(X)
    assert e.norm() ** 2 == pytest.approx(e.weights @ k(X) @ e.weights, rel=1e-12)
    with pytest.raises(ValueError, match=naming("CentredKernel", "closed form")):
        MKME(k, 0.5).embed(X)
    with pytest.raises(ValueError, match=naming("CentredKernel.order", "1")):
        k.replace(order=0)
