"""S-KMSE towards a blob: its risk, its lengths, and where and how wide the blob is."""

import numpy as np
import pytest

from explorer import SKMSE, GaussianMixture, load, risk
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS, Blob, centre, centre_at


def result_and_blob_mean(kernel, source):
    """Return a result, and the blob's kernel mean made with public functions."""
    result = ShrinkageLab(kernel=kernel, source=source, target="blob", target_at="[2.5, -1.0]", n=30, d=4).result()
    blob = GaussianMixture([1.0], [[2.5, -1.0, 0.0, 0.0]], result.blob.spread**2 * np.eye(4))
    return result, blob.embed(result.kernel)


@pytest.mark.parametrize("source", ["mixture", "gaussian"])
@pytest.mark.parametrize("kernel", ["LIN", "POLY3", "RBF"])
def test_the_risk_is_exact(kernel, source):
    result, target = result_and_blob_mean(kernel, source)
    noise, bias = result.risk_parts()
    for row in (10, 30, 50):
        shrunk = risk(SKMSE(result.kernel, LAMS[row], target), result.law, 30)
        plain = risk(SKMSE(result.kernel, 0.0), result.law, 30)
        assert noise[row] + bias[row] == pytest.approx(shrunk / plain, rel=1e-9)


def test_coefficients_are_inner_products_with_the_eigenfunctions():
    result, target = result_and_blob_mean("RBF", "mixture")
    gamma, U = np.linalg.eigh(result.kernel(result.X))
    for row in (30, -1):
        estimate = SKMSE(result.kernel, result.simple.lams[row], target).embed(result.X)
        inner = np.abs(estimate(result.X) @ U) / np.sqrt(gamma)
        length = SKMSE(result.kernel, 0.0).embed(result.X).norm()
        seen = gamma > 1e-6  # below, a division by sqrt(γ) leaves few digits to either method
        np.testing.assert_allclose(
            result.simple_curve.coefficients[row][seen], inner[seen] / length, rtol=1e-6, atol=1e-8
        )


def test_shrinking_towards_the_truth_gains_everything():
    """A blob that is the law itself: nothing is lost by going there."""
    result = ShrinkageLab(source="gaussian", target="blob", d=3).result()
    assert result.blob == Blob((0.0, 0.0), 1.0, 3)
    assert result.expected_gain == pytest.approx(1.0)
    assert result.simple.loss[LAMS.index(100.0)] < 1e-3


def test_a_blob_is_as_wide_as_its_source():
    law = GaussianMixture.random(5, rng=1)
    sds = law.sample(100_000, rng=0).std(axis=0)
    assert Blob.of("", law).spread == pytest.approx(np.sqrt((sds**2).mean()), rel=0.02)  # a standard error of 0.3 %
    assert Blob.of("[1, 2]", load("wine").standardised()) == Blob((1.0, 2.0), 1.0, 13)
    assert Blob.of("[1, 2]", GaussianMixture([1.0], [[5.0]], [[4.0]])).mean == [1.0]


def test_a_place_is_words_and_back():
    assert centre(centre_at(1.23456789, -2)) == (1.23457, -2.0)
    assert centre("") == (0.0, 0.0)
    for words in ("3", "[1]", "[1, 2, 3]", "[1, NaN]", "x", '{"a": 1}', '["a", 1]'):
        with pytest.raises(ValueError, match="target_at"):
            centre(words)
