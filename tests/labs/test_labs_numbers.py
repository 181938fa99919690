"""The pictures as tables and in words: each number is what the library's own functions give."""

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.naming import names_all, one_sentence_names

from explorer import FKMSE, KME, SKMSE
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.labs.shrinkage.script import numbers
from explorer.workbench.numbers import format_number

STATES = [{}, {"lam": 0.1, "n": 30}, {"kernel": "POLY2", "d": 4}, {"outliers": 4, "n": 40}, {"source": "wine", "n": 50}]


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_tables_hold_what_the_estimators_give(fields):
    result = ShrinkageLab(**fields).result()
    tables, n, kernel = numbers(result), len(result.X), result.kernel
    scale = kernel.diagonal(result.X).mean()
    simple, flexible = result.simple.lams[result.row], result.flexible.lams[result.row] * scale
    sample, spectrum = tables["sample"], tables["spectrum"]
    assert all(
        np.array_equal(sample[each.name], each.to_file_units(x))
        for each, x in zip(result.quantities, result.X.T, strict=True)
    )
    for name, estimator in (("kme", KME(kernel)), ("skmse", SKMSE(kernel, simple)), ("fkmse", FKMSE(kernel, flexible))):
        weights = estimator.embed(result.X).weights
        # two Gram matrices that differ by rounding give weights that agree to 1e-10 of the largest
        assert sample[f"{name}_weight"] == pytest.approx(weights, abs=1e-9 * np.abs(weights).max())
    assert sample["outlier"].sum() == result.lab.outliers
    gamma = np.linalg.eigvalsh(kernel(result.X))[::-1]
    assert spectrum["eigenvalue"] == pytest.approx(gamma, abs=1e-12 * n * gamma[0])
    # as a product, for λ = 0 keeps null directions too
    assert spectrum["fkmse_keeps"] * (spectrum["eigenvalue"] + flexible) == pytest.approx(
        spectrum["eigenvalue"], rel=1e-12
    )
    assert np.allclose(spectrum["skmse_keeps"], 1 / (1 + simple), rtol=1e-14)
    curves = tables["curves"]
    assert set(LAMS) <= set(curves["lam"])
    assert ("skmse_loss" in curves) == (result.law is not None)
    if result.law is not None:
        truth, row = result.law.embed(kernel), 20
        losses = [e.embed(result.X).distance(truth) ** 2 for e in (SKMSE(kernel, curves["lam"][row]), KME(kernel))]
        assert curves["skmse_loss"][row] == pytest.approx(
            losses[0] / losses[1], rel=1e-9
        )  # a difference of larger numbers


def test_the_words_say_the_pictures_numbers():
    result = ShrinkageLab(outliers=4, n=40, lam=0.5).result()
    curves, sample, spectrum = descriptions(result)
    for path in (result.simple, result.flexible):
        for value in (path.best, path.best_loss, path.chosen, path.height[-1]):
            assert format_number(float(value)) in curves
        harmless = np.flatnonzero(path.height[:-1] <= 1)
        beyond = f"from {format_number(path.lams[harmless[-1] + 1])} on" if len(harmless) else "all along"
        assert names_all(curves, "above plain average (KME", beyond)
    share = 40 * result.flexible_curve.weights[result.row]
    assert one_sentence_names(sample, format_number(share.min()), f"{format_number(share.max())} times 1/n")
    assert one_sentence_names(sample, "4 outliers", format_number(share[-4:].sum() / 40), "weight")
    kept = result.eigenvalues / (result.eigenvalues + 0.5)
    assert one_sentence_names(spectrum, f"{(kept > 0.5).sum()} of the 40 eigendirections")


def test_without_a_truth_the_words_call_the_loss_an_estimate():
    result = ShrinkageLab(source="wine", n=50).result()
    curves = descriptions(result)[0]
    assert "S-KMSE, leave-one-out score: from" in curves
    assert "best" not in curves
    assert all("estimated" in name or "leave-one-out" in name for name in result.measures)


def test_negative_weights_are_counted():
    result = ShrinkageLab(kernel="LIN", lam=0.05, n=60, seed=2).result()
    negative = int((result.flexible_curve.weights[result.row] < 0).sum())
    assert negative > 0
    assert one_sentence_names(descriptions(result)[1], negative, "negative")
