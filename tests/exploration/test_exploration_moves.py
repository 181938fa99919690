"""`explore`: moved by code or by the user, drawn once per move, with the library's numbers in its picture."""

import numpy as np
import panel as pn
import pytest
from bokeh.models import ColumnDataSource
from helpers.naming import names_all, naming
from kernels_and_estimators import ESTIMATORS, target, vectors

import explorer
from explorer import FKMSE, KME, SKMSE, Gaussian, MedianOfMeans, Subsequence, explore
from explorer.checks import Refusal, WrongType
from explorer.exploration import model_exploration
from explorer.exploration.model_exploration import LAW, POINTS, SEED
from explorer.marks.roles import ROLES

X = LAW.sample(POINTS, rng=SEED)


def curves(e):
    return {each.label: each for each in e.picture[()].traverse(lambda each: each, ["Curve"])}


def title(e):
    return e.picture[()].opts.get("plot").kwargs["title"]


def test_the_picture_has_the_estimate_the_average_and_the_truth():
    e = explore(SKMSE(Gaussian(1.0), lam=0.3))
    drawn = curves(e)
    estimate, plain = SKMSE(Gaussian(1.0), lam=0.3).embed(X), KME(Gaussian(1.0)).embed(X)
    truth = LAW.embed(Gaussian(1.0))
    assert list(drawn) == ["true distribution", "plain average", "S-KMSE"]
    for embedding, curve in zip((truth, plain, estimate), drawn.values(), strict=True):
        np.testing.assert_array_equal(curve.dimension_values(1), embedding(curve.dimension_values(0)))
    assert drawn["S-KMSE"].opts.get("style").kwargs["color"] == ROLES["skmse"][0]
    error, usual = (each.distance(truth) ** 2 for each in (estimate, plain))
    assert f"squared error {error:.4g}" in title(e)
    assert names_all(title(e), "that of the plain average")  # to half a percent
    assert error == pytest.approx(usual, rel=0.005)
    e.move(lam=1.0)
    error = e.value.embed(X).distance(truth) ** 2
    assert names_all(title(e), f"{error / usual:.3g} times", "plain average")
    e.move(lam=0.1)
    error = e.value.embed(X).distance(truth) ** 2
    assert names_all(title(e), f"{1 - error / usual:.0%} less".replace("%", " %"), "plain average")


def test_it_moves_by_code_and_draws_once_a_move(monkeypatch):
    drawn = []
    draw = model_exploration.picture
    monkeypatch.setattr(model_exploration, "picture", lambda *given: drawn.append(given) or draw(*given))
    e = explore(SKMSE(lam=0.1))
    root = e.__panel__().get_root()
    drawn.clear()
    e.move(lam=0.5, bandwidth=2.0)
    assert e.value == SKMSE(Gaussian(2.0), lam=0.5)
    assert len(drawn) == 1
    e.value = SKMSE(Gaussian(1.0), lam=0.2)
    assert len(drawn) == 2
    expected = SKMSE(Gaussian(1.0), lam=0.2).embed(X)
    columns = [each.data for each in root.select({"type": ColumnDataSource}) if "value" in each.data]
    assert any(np.array_equal(data["value"], expected(np.asarray(data["x"], dtype=float))) for data in columns)


def test_it_moves_by_hand(monkeypatch):
    drawn = []
    draw = model_exploration.picture
    monkeypatch.setattr(model_exploration, "picture", lambda *given: drawn.append(given) or draw(*given))
    e = explore(SKMSE(lam=0.1))
    e.__panel__().get_root()
    drawn.clear()
    e.controls["lam"].slider.value = 0.0
    assert e.value == SKMSE(Gaussian(), lam=1.0).replace(kernel=None)
    assert len(drawn) == 1
    e.controls["bandwidth"].slider.value = np.log10(2.0)
    assert e.value.kernel.bandwidth == pytest.approx(2.0, rel=1e-14)
    e.controls["weights"].widget.value = "sum-to-one"
    assert e.value.weights == "sum-to-one"


def test_an_automatic_choice_shows_what_it_comes_to():
    e = explore(SKMSE())
    number = e.controls["lam"]
    chosen = SKMSE().select(X).lam
    assert number.box.value
    assert 10**number.slider.value == pytest.approx(chosen, rel=1e-12)
    number.box.value = False
    assert e.value.lam == chosen
    number.slider.value = -2.0
    assert e.value.lam == 0.01
    number.box.value = True
    assert e.value == SKMSE()


def test_what_a_hand_cannot_have_is_a_sentence_and_the_last_picture_stays():
    e = explore(MedianOfMeans(blocks=3))
    before = e.picture[()]
    e.controls["blocks"].slider.value = 40
    assert "40 blocks" in e._trouble.value
    assert e.value == MedianOfMeans(blocks=3)
    assert e.controls["blocks"].slider.value == 3
    after = e.picture[()]
    assert all(
        (one.dimension_values(1) == other.dimension_values(1)).all() for one, other in zip(before, after, strict=True)
    )
    e.controls["blocks"].slider.value = 5
    assert e._trouble.value == ""


def test_code_is_told_by_an_exception():
    e = explore(SKMSE(lam=0.1))
    with pytest.raises(Refusal, match=naming("SKMSE", "'q'", "kernel", "lam", "target", "weights", "bandwidth")):
        e.move(q=3)
    with pytest.raises(Refusal, match=naming("SKMSE.lam", "0")):
        e.move(lam=-1.0)
    with pytest.raises(WrongType, match=naming("value", "3")):
        e.value = 3
    assert e.value == SKMSE(lam=0.1)
    with pytest.raises(WrongType, match=naming("explore", "SKMSE")):
        explore(3)


def test_another_class_has_other_controls():
    e = explore(SKMSE(lam=0.1))
    e.value = FKMSE(lam=0.2)
    assert "selection" in e.controls
    assert list(curves(e)) == ["true distribution", "plain average", "F-KMSE"]
    e.value = Gaussian(0.5)
    assert list(e.controls) == ["bandwidth"]
    e.move(bandwidth=0.7)
    assert e.value == Gaussian(0.7)


@pytest.mark.parametrize(
    "data", [np.eye(4, 2), np.arange(6.0), ["ACGT", "ACCA", "GGTA"]], ids=["plane", "line", "words"]
)
def test_data_of_ones_own(data):
    words = isinstance(data, list)
    estimator = SKMSE(Subsequence(2) if words else Gaussian(1.0), lam=0.5)
    e = explore(estimator, data=data)
    assert "unknown" in title(e)
    if np.ndim(data) == 1 and not words:
        assert "true distribution" not in curves(e)
        return
    dots = {each.label: each.dimension_values(1) for each in e.picture[()]}
    np.testing.assert_array_equal(dots["S-KMSE"], estimator.embed(data).weights)
    np.testing.assert_allclose(dots["plain average"], 1 / len(data), rtol=1e-14)


@pytest.mark.parametrize("make", ESTIMATORS.values(), ids=ESTIMATORS)
def test_every_estimator_has_a_picture_and_controls_that_show_it(make):
    points = vectors(9)
    estimator = make(Gaussian(1.5), target(Gaussian(1.5), points))
    e = explore(estimator, data=points)
    drawn = e.picture[()]
    np.testing.assert_array_equal(list(drawn)[-1].dimension_values(1), estimator.embed(points).weights)
    assert e.value == estimator
    assert 10 ** e.controls["bandwidth"].slider.value == pytest.approx(1.5, rel=1e-14)


def test_fields_of_a_model_that_does_not_change_are_constant():
    """Panel shows them as sliders, and moving one raises no TypeError."""
    widgets = pn.Param(SKMSE(lam=0.1))._widgets
    assert all(widgets[name].disabled for name in SKMSE.fields)


def test_a_lab_is_its_page():
    from explorer.labs.shrinkage import ShrinkageLab

    e = explore(ShrinkageLab(n=12, lam=0.2))
    assert e.value == ShrinkageLab(n=12, lam=0.2).replace()
    e.move(lam=0.7)
    assert (e.value.n, e.value.lam) == (12, 0.7)
    assert e.page.lab.lam == 0.7
    e.value = ShrinkageLab(n=15)
    assert e.value.n == 15
    with pytest.raises(WrongType, match=naming("value", "ShrinkageLab", "3")):
        e.value = 3
    assert explorer.explore is explore
