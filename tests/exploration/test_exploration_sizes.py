"""`explore` of large samples: some of the points are drawn, and the picture states what is approximated."""

import re
import warnings

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import KME, SKMSE, Gaussian, explore
from explorer.checks import ExplorerWarning, Refusal
from explorer.exploration import estimate
from explorer.kernels import bandwidth_selection
from explorer.kernels.low_rank import automatic

X = np.random.default_rng(0).standard_normal((300, 2))
x = X[:, :1]


@pytest.fixture
def few(monkeypatch):
    """Limit pictures to 50 points."""
    monkeypatch.setattr(estimate, "DRAWN", 50)


def drawn(e):
    """Return {label in the legend: (points, values)} of a picture."""
    return {each.label: (each.dimension_values(0), each.dimension_values(1)) for each in e.picture[()]}


def axis(e):
    return next(iter(e.picture[()])).dimensions()[0].label


def words(e):
    return str(e._about.value)


def test_all_of_a_small_sample_is_drawn():
    e = explore(Gaussian(1.0), x)
    np.testing.assert_array_equal(drawn(e)["sample"][0], x.ravel())
    assert words(e) == "The sample: 300 points."
    e = explore(KME(Gaussian(1.0)), X)
    places, weights = drawn(e)["kernel mean, the plain average"]
    np.testing.assert_array_equal(places, np.arange(1, 301))
    np.testing.assert_array_equal(weights, 1 / 300)
    assert axis(e) == "point, in the sample's order"


@pytest.mark.usefixtures("few")
def test_some_points_of_a_line_are_drawn_and_the_function_is_of_all():
    e = explore(Gaussian(1.0), x)
    rug = drawn(e)["sample"][0]
    assert len(rug) == len(np.unique(rug)) == 50
    assert np.isin(rug, x).all()
    grid, values = drawn(e)["kernel mean, the plain average"]
    np.testing.assert_allclose(values, np.exp(-((grid - x) ** 2) / 2).mean(axis=0), rtol=1e-12)
    assert names_all(words(e), "300", "50")
    e.move(bandwidth=2.0)
    np.testing.assert_array_equal(drawn(e)["sample"][0], rug)


@pytest.mark.usefixtures("few")
def test_some_weights_are_drawn_at_the_places_of_their_points():
    estimator = SKMSE(Gaussian(1.0), lam=0.3)
    e = explore(estimator, X)
    places, weights = drawn(e)["S-KMSE"]
    assert len(places) == 50
    np.testing.assert_array_equal(weights, estimator.embed(X).weights[places - 1])
    np.testing.assert_array_equal(drawn(e)["plain average"][0], places)
    np.testing.assert_array_equal(drawn(e)["plain average"][1], 1 / 300)


def test_a_function_that_takes_long_is_approximated(monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    model = KME(Gaussian(1.0))
    e = explore(model, x)
    low, exact = model.replace(approximation="auto").embed(x), model.embed(x)
    grid, values = drawn(e)["kernel mean, the plain average"]
    np.testing.assert_array_equal(values, low(grid))
    assert e.value == model
    r, error, norm = re.fullmatch(
        r"The sample: 300 points\. The plain average is computed from (\d+) landmarks\."
        r" Its error is about (.*) or less, its norm (.*)\.",
        words(e),
    ).groups()
    assert int(r) == len(low.weights) < 100
    # two digits; 19 landmarks this near one another have weights of some 5,000, whose products leave 1e-9 of a square
    assert float(error) == pytest.approx(exact.distance(low), rel=0.05, abs=4e-5)
    assert float(norm) == pytest.approx(exact.norm(), rel=1e-2)
    e.value = SKMSE(Gaussian(1.0), lam=0.5)
    np.testing.assert_array_equal(drawn(e)["plain average"][1], low(grid))
    np.testing.assert_array_equal(drawn(e)["S-KMSE"][1], e.value.embed(x)(grid))


def test_an_approximation_of_ones_own_is_called_what_it_is():
    e = explore(KME(Gaussian(1.0)), X)
    e.move(approximation="nystrom", rank=5)
    assert e.value == KME(Gaussian(1.0), "nystrom", 5)
    places, weights = drawn(e)["KME"]
    np.testing.assert_array_equal(places, np.arange(1, 6))
    np.testing.assert_array_equal(weights, e.value.embed(X).weights)
    assert axis(e) == "point, in the sample's order or landmark"
    assert names_all(words(e), "KME", "5 landmarks")
    e.controls["rank"].slider.value = 1
    assert names_all(words(e), "KME", "1 landmark")
    e.move(approximation="auto", rank=None)  # few points need no approximation
    assert axis(e) == "point, in the sample's order"
    e.move(approximation=None)
    assert e.value == KME(Gaussian(1.0))
    assert words(e) == "The sample: 300 points."


@pytest.mark.parametrize("model", [KME(), Gaussian(), KME(approximation="nystrom", rank=5)], ids=str)
def test_a_bandwidth_of_some_points_warns_once(model, monkeypatch):
    monkeypatch.setattr(bandwidth_selection, "LARGE", 100)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        e = explore(model, X)
        chosen = 10 ** e.controls["bandwidth"].slider.value
        e.move(bandwidth=2.0)
        e.controls["bandwidth"].box.value = True
        e.move(bandwidth=None)
    assert [each.category for each in caught] == [ExplorerWarning]
    with pytest.warns(ExplorerWarning, match=naming("bandwidth", "100", "300")):
        assert chosen == pytest.approx(bandwidth_selection.select(Gaussian(), X, "points").bandwidth, rel=1e-12)


def test_what_needs_more_memory_than_there_is_is_a_sentence():
    many = np.linspace(0.0, 1.0, 2**20)
    with pytest.raises(Refusal, match=naming("1,048,576", "4,398 GB")):
        explore(SKMSE(), many)


@pytest.mark.thorough
def test_two_hundred_thousand_points_in_eight_dimensions():
    many = np.random.default_rng(0).standard_normal((200_000, 8))
    with pytest.warns(ExplorerWarning, match=naming("6000", "200000")):
        e = explore(KME(), many)
    e.__panel__().get_root()
    assert len(drawn(e)["kernel mean, the plain average"][0]) == 2000
    assert names_all(words(e), "200,000", "2,000")
    e.move(bandwidth=1.0)
    assert e.value == KME(Gaussian(1.0))
