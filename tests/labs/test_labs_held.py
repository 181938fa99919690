"""Weights that are held to sum to one, or to the simplex: what the lab shows is what the library's estimators give."""

import itertools
import math

import numpy as np
import pytest
from helpers.naming import one_sentence_names

from explorer import FKMSE, KME, SKMSE
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.words import caption, headline

STATES = list(itertools.product(("LIN", "POLY2", "RBF"), ("mixture", "gaussian", "wine"), ("sum-to-one", "simplex")))


@pytest.mark.thorough(
    default=[
        "LIN-gaussian-simplex",
        "POLY2-gaussian-sum-to-one",
        "POLY2-gaussian-simplex",
        "POLY2-wine-sum-to-one",
        "RBF-mixture-simplex",
    ]
)
@pytest.mark.parametrize(("kernel", "source", "weights"), [s for s in STATES if s[1:] != ("wine", "simplex")])
def test_losses_and_weights_are_those_of_the_estimators(kernel, source, weights):
    result = ShrinkageLab(kernel=kernel, source=source, weights=weights, n=25, d=3, mean=0.5).result()
    for row in (0, 25, 35, 60, -1):
        lams = result.simple.lams[row], result.flexible.lams[row] * result.scale
        if not all(map(math.isfinite, lams)):
            continue
        pair = SKMSE(result.kernel, lams[0], weights=weights), FKMSE(result.kernel, lams[1], weights=weights)
        drawn = (result.simple, result.simple_curve.weights), (result.flexible, result.flexible_curve.weights)
        for estimator, (path, rows) in zip(pair, drawn, strict=True):
            estimate = estimator.embed(result.X)
            # the simplex's solver is exact to 1e-9 of its features; divided weights to rounding
            np.testing.assert_allclose(rows[row], estimate.weights, rtol=0, atol=1e-8)
            assert rows[row].sum() == pytest.approx(1.0)
            if result.law is not None:
                loss = estimate.distance(result.law.embed(result.kernel)) ** 2
                assert path.loss[row] == pytest.approx(loss / result.empirical_loss, rel=1e-7)


@pytest.mark.parametrize("fields", [{}, {"kernel": "LIN"}, {"source": "wine"}, {"outliers": 3}], ids=str)
def test_divided_weights_make_s_kmse_the_plain_average(fields):
    result = ShrinkageLab(weights="sum-to-one", **fields).result()
    assert set(result.simple.height) == {1.0}
    np.testing.assert_allclose(result.simple_curve.weights, KME(result.kernel).embed(result.X).weights[0])
    assert "plain average again" in caption(result)
    assert ("plain average again" in headline(result, result.row)) == (result.law is not None)


def test_on_the_simplex_f_kmse_is_the_plain_average():
    result = ShrinkageLab(weights="simplex").result()
    assert set(result.flexible.loss) == {1.0}
    assert np.ptp(result.flexible_curve.weights) == 0
    assert np.isnan(result.simple_curve.keeps).all()


def test_no_lam_is_better_than_the_best_of_divided_weights():
    path = ShrinkageLab(weights="sum-to-one", kernel="POLY2").result().flexible
    assert path.best_loss <= np.nanmin(path.loss) + 1e-9


def test_what_has_no_sum_is_said():
    """λ = ∞ leaves no weights to divide."""
    result = ShrinkageLab(weights="sum-to-one", lam=math.inf).result()
    assert math.isnan(result.gain(result.flexible))
    assert one_sentence_names(headline(result, result.row), "no weights", "sum to one")
