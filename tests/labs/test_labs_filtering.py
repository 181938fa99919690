"""Every filter over one λ: the numbers of the lab are those of the library's estimators, also in their λ."""

import itertools
import re

import numpy as np
import pytest

from explorer import SpectralKMSE
from explorer.estimators.filtering import NAMES
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS, LARGEST_REFITS, LARGEST_REPEATED
from explorer.labs.shrinkage.words import caption, headline

FILTERS = [name for name in NAMES if name != "tikhonov"]
STATES = list(
    itertools.product(FILTERS, ({}, {"kernel": "LIN", "d": 3}, {"source": "wine"}, {"outliers": 2, "kernel": "POLY2"}))
)


def estimator(result, row):
    """Return the library's estimator at a row of the λ-tables."""
    value = result.filtering.values(result.flexible.lams[row : row + 1] * result.scale)[0]
    if result.lab.filter in ("landweber", "nu"):
        return SpectralKMSE(result.kernel, result.lab.filter, steps=int(value))
    steps = 2 if result.lab.filter == "iterated-tikhonov" else None
    return SpectralKMSE(result.kernel, result.lab.filter, lam=float(value), steps=steps)


@pytest.mark.thorough(
    default=[
        "iterated-tikhonov-{}",
        "iterated-tikhonov-{'outliers': 2, 'kernel': 'POLY2'}",
        "landweber-{'kernel': 'LIN', 'd': 3}",
        "landweber-{'source': 'wine'}",
        "nu-{'outliers': 2, 'kernel': 'POLY2'}",
        "tsvd-{'kernel': 'LIN', 'd': 3}",
    ]
)
@pytest.mark.parametrize(("name", "fields"), STATES, ids=str)
def test_the_curves_are_the_estimators(name, fields):
    result = ShrinkageLab(filter=name, n=25, **fields).result()
    kme = result.empirical_loss
    for row in (0, 20, 40, 60, -1):
        shrunk = estimator(result, row if row >= 0 else len(LAMS))
        estimate = shrunk.embed(result.X)
        # weights of 25 points through one more eigendecomposition
        np.testing.assert_allclose(result.flexible_curve.weights[row], estimate.weights, rtol=0, atol=1e-12)
        parameter = shrunk.steps if name in ("landweber", "nu") else shrunk.lam
        plain = SpectralKMSE(result.kernel, lam=0.0).loocv(result.X, [0.0])[0]
        score = shrunk.loocv(result.X, [parameter])[0]
        # scores are counted from KME's in units of its estimated loss, 25 times smaller
        unit = plain / len(result.X)
        assert result.flexible.score[row] == pytest.approx(1 + (score - plain) / unit, rel=1e-9, abs=1e-9)
        if result.law is not None:
            loss = estimate.distance(result.law.embed(result.kernel)) ** 2
            assert result.flexible.loss[row] == pytest.approx(loss / kme, rel=1e-9)


@pytest.mark.thorough(default=["0-landweber", "1-tsvd", "2-iterated-tikhonov", "2-nu", "2-tsvd", "3-nu"])
@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("seed", range(4))
def test_the_choice_is_the_library_s(name, seed):
    result = ShrinkageLab(filter=name, seed=seed).result()
    chosen = SpectralKMSE(result.kernel, name).select(result.X)
    value = result.filtering.values(result.flexible.lams[-1:] * result.scale)[0]
    own = chosen.lam if name in ("iterated-tikhonov", "tsvd") else chosen.steps
    assert value == pytest.approx(own, rel=1e-6)  # Brent stops within 1e-7 of log λ


@pytest.mark.parametrize("name", NAMES)
def test_no_lam_is_better_than_the_best(name):
    for fields in ({}, {"seed": 5}, {"kernel": "LIN", "source": "gaussian", "d": 3}, {"bandwidth": 0.05}):
        path = ShrinkageLab(filter=name, **fields).result().flexible
        assert (
            path.best_loss <= path.loss[np.isfinite(path.loss)].min() + 1e-9
        )  # Brent stops within 1e-7 of the best log λ


@pytest.mark.parametrize("name", FILTERS)
def test_what_refits_cost_bounds_n(name):
    lab = ShrinkageLab(filter=name, n=LARGEST_REFITS)
    assert not lab.quick
    assert ShrinkageLab(filter=name, n=LARGEST_REPEATED).quick
    with pytest.raises(ValueError, match="refits"):
        lab.move(n=LARGEST_REFITS + 1)
    with pytest.raises(ValueError, match="more samples"):
        lab.move(samples=100)
    assert (lab.n, lab.samples) == (LARGEST_REFITS, 0)
    lab.move(filter="tikhonov", n=1000, samples=100)
    assert not lab.quick


@pytest.mark.parametrize("name", ["landweber", "nu"])
def test_an_endless_iteration_is_a_sentence(name):
    for lam, said in ((0.0, "endless"), (1e-30, "more than")):
        with pytest.raises(ValueError, match=said):
            ShrinkageLab(filter=name, lam=lam).result()


def test_the_headline_speaks_of_steps():
    result = ShrinkageLab(filter="landweber", lam=0.01).result()
    steps = result.filtering.values([0.01 * result.scale])[0]
    said = headline(result, result.row)
    assert f"{steps} steps" in said
    assert "Landweber" in said
    assert "F-KMSE" not in said
    assert re.search(r"\d steps? for <span class='name fkmse'>Landweber", caption(result))
