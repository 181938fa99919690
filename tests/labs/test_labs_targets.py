"""S-KMSE towards a blob: every number by the library's own estimator and exact distances."""

import itertools

import numpy as np
import pytest

from explorer import SKMSE, GaussianMixture, load, oracle_alpha, risk
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS, Blob, centre, centre_at

STATES = list(itertools.product(("LIN", "POLY2", "POLY3", "RBF"), ("mixture", "gaussian", "wine"), ("", "[2.5, -1.0]")))


def shown(kernel, source, at, **more):
    """A result, and the blob's kernel mean drawn up by hand."""
    result = ShrinkageLab(kernel=kernel, source=source, target="blob", target_at=at, n=30, d=4, **more).result()
    centre = [*([2.5, -1.0] if at else [0.0, 0.0]), *[0.0] * (result.X.shape[1] - 2)]
    return result, GaussianMixture([1.0], [centre], result.blob.spread**2 * np.eye(len(centre))).embed(result.kernel)


@pytest.mark.thorough(
    default=[
        "POLY2-mixture-",
        "POLY2-gaussian-",
        "POLY2-gaussian-[2.5, -1.0]",
        "POLY2-wine-",
        "RBF-mixture-[2.5, -1.0]",
        "RBF-gaussian-",
        "RBF-gaussian-[2.5, -1.0]",
        "RBF-wine-[2.5, -1.0]",
    ]
)
@pytest.mark.parametrize(("kernel", "source", "at"), STATES)
def test_losses_and_scores_are_those_of_the_estimator(kernel, source, at):
    result, target = shown(kernel, source, at)
    plain = SKMSE(result.kernel, 0.0).loocv(result.X, [0.0])[0]
    for row in (0, 25, 35, 45, -1):
        shrunk = SKMSE(result.kernel, result.simple.lams[row], target)
        score = 1 + len(result.X) * (shrunk.loocv(result.X, [shrunk.lam])[0] / plain - 1)
        # both roads subtract numbers some 30 times as large as their difference, and the target's may be larger still
        assert result.simple.score[row] == pytest.approx(score, rel=1e-9, abs=1e-9)
        if result.law is not None:
            loss = shrunk.embed(result.X).distance(result.law.embed(result.kernel)) ** 2
            assert result.simple.loss[row] == pytest.approx(loss / result.empirical_loss, rel=1e-9, abs=1e-9)
    assert result.simple.chosen == pytest.approx(SKMSE(result.kernel, target=target).select(result.X).lam, rel=1e-9)


@pytest.mark.parametrize(
    ("kernel", "source"), list(itertools.product(("LIN", "POLY3", "RBF"), ("mixture", "gaussian")))
)
def test_the_best_share_and_the_risk_are_exact(kernel, source):
    result, target = shown(kernel, source, "[2.5, -1.0]")
    assert result.expected_gain == pytest.approx(oracle_alpha(result.law, result.kernel, 30, target), rel=1e-9)
    noise, bias = result.risk_parts()
    for row in (10, 30, 50):
        shrunk = risk(SKMSE(result.kernel, LAMS[row], target), result.law, 30)
        plain = risk(SKMSE(result.kernel, 0.0), result.law, 30)
        assert noise[row] + bias[row] == pytest.approx(shrunk / plain, rel=1e-9)


def test_coefficients_are_inner_products_with_the_eigenfunctions():
    result, target = shown("RBF", "mixture", "[2.5, -1.0]")
    gamma, U = np.linalg.eigh(result.kernel(result.X))
    for row in (30, -1):
        estimate = SKMSE(result.kernel, result.simple.lams[row], target).embed(result.X)
        inner = np.abs(estimate(result.X) @ U) / np.sqrt(gamma)
        length = SKMSE(result.kernel, 0.0).embed(result.X).norm()
        seen = gamma > 1e-6  # below, a division by sqrt(γ) leaves few digits to either road
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


def test_simplex_and_target_exclude_each_other():
    lab = ShrinkageLab(target="blob")
    with pytest.raises(ValueError, match="target 'zero'"):
        lab.move(weights="simplex")
    assert lab == ShrinkageLab(target="blob")
