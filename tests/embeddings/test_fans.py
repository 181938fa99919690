"""Mixtures of many scales of one covariance.

The bilinear form takes them at once and gives what block by block gives.
"""

import numpy as np
import pytest

from explorer import KME, MKME, Embedding, Gaussian, GaussianMixture, Laplacian, StudentT
from explorer.embeddings.scaled_gaussians import join_scales

S = np.array([[1.0, 0.4, -0.3], [0.4, 0.8, 0.2], [-0.3, 0.2, 0.6]])
X = np.random.default_rng(0).normal(size=(12, 3))
T_LAW = StudentT(50, [0.5, -1.0, 0.2], S)


def block_by_block(e, f):
    """<e, f>, one pair of blocks after the other."""
    return sum(
        a.weights @ e.kernel.expected(a.points, a.covariance, b.points, b.covariance) @ b.weights
        for a in e.blocks
        for b in f.blocks
    )


def embeddings(kernel):
    singular = np.outer([1.0, -2.0, 1.0], [1.0, -2.0, 1.0])
    alternating = [s * C for s in (1.0, 3.0, 0.2) for C in (S, singular, np.eye(3))]
    return {
        "a sample": KME(kernel).embed(X),
        "a noisy sample": MKME(kernel, 0.4).embed(X),
        "a t distribution": T_LAW.embed(kernel),
        "a singular one": StudentT(60, [0.0, 0.0, 1.0], singular).embed(kernel),
        "a mixture": GaussianMixture([0.4, 0.6], [[0, 0, 0], [1, 1, 1]], [S, 2 * S]).embed(kernel),
        "one place, three covariances": Embedding(
            kernel, np.zeros((9, 3)), np.linspace(-1, 1, 9), np.array(alternating)
        ),
        "many points at two scales": MKME(kernel, 0.4).embed(X) - 0.5 * MKME(kernel, 1.1).embed(X),
        "a difference": KME(kernel).embed(X) - T_LAW.embed(kernel),
    }


KERNELS = {"gaussian": Gaussian(1.3), "narrow gaussian": Gaussian(1e-3), "laplacian": Laplacian(1.3)}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_the_form_is_that_of_the_blocks(kernel):
    every = embeddings(kernel)
    names = list(every)
    if isinstance(kernel, Laplacian):  # a coupled covariance takes numerical integrals: some pairs say enough
        names = ["a noisy sample", "many points at two scales"]
    elif kernel.bandwidth < 1:  # a singular one takes a decomposition a pair
        names = ["a noisy sample", "a t distribution"]
    for name, after in zip(names, names[1:] + names[:1], strict=True):
        e = every[name]
        for f in (e, every[after]):
            size = e._form(f)[1]
            assert e.inner(f) == pytest.approx(block_by_block(e, f), abs=1e-12 * size)
        np.testing.assert_allclose(
            e(X),
            sum(b.weights @ kernel.expected(b.points, b.covariance, X, None) for b in e.blocks),
            rtol=1e-11,
            atol=1e-13,
        )


def test_a_t_distribution_is_one_fan():
    blocks = T_LAW.embed(Gaussian(1.3)).blocks
    assert len(blocks) > 5
    (fan,) = join_scales(blocks)
    for block, s in zip(blocks, fan.scales, strict=True):
        np.testing.assert_allclose(s * fan.covariance, block.covariance, rtol=1e-15)


def test_covariances_out_of_proportion_stay_apart():
    nearly = 2 * S
    nearly[0, 0] *= 1 + 1e-13
    e = Embedding(Gaussian(1.0), np.zeros((3, 3)), [1.0, 2.0, 3.0], np.array([S, nearly, 4 * S]))
    assert sorted(len(fan.scales) for fan in join_scales(e.blocks)) == [1, 2]


def test_the_distance_to_a_t_distribution_takes_few_calls(monkeypatch):
    """The only calls are those of the sample with itself.

    A call for each pair of the t distribution's components took 97 % of the time.
    """
    kernel = Gaussian(1.3)
    calls, expected = [], Gaussian.expected
    monkeypatch.setattr(Gaussian, "expected", lambda self, *points: calls.append(points) or expected(self, *points))
    e, f = KME(kernel).embed(X), T_LAW.embed(kernel)
    calls.clear()
    e.distance(f)
    assert len(calls) == 1
