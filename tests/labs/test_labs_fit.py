"""The Fit lab: each number on the page computed in a second way, dragged points, the user's tables, and its texts."""

import json
import re

import numpy as np
import pytest
from every_lab import lab_of
from helpers.lab_pictures import visible_text
from helpers.naming import naming, one_sentence_names

from explorer import (
    Gaussian,
    GaussianMixture,
    InverseMultiquadric,
    MixtureDensity,
    StudentT,
    fssd_test,
    ksd,
    ksd_test,
    ksdagg_test,
    median_bandwidth,
)
from explorer.checks import Refusal
from explorer.datasets import load, read_table
from explorer.labs.fit import FitLab, figures
from explorer.labs.fit.lab import BANDWIDTHS, components
from explorer.labs.fit.page import FitPage
from explorer.labs.fit.result import DRAWN, FLIPS
from explorer.labs.fit.script import numbers, python
from explorer.labs.fit.words import caption, headline
from explorer.workbench.slider_stops import steps_of

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'

STATES = {
    "as it opens": {"n": 60, "picture": "tests"},
    "a line": {"n": 40, "d": 1, "family": "two", "source": "two", "share": 0.2, "kernel": "IMQ", "picture": "tests"},
    "t": {"n": 50, "family": "student", "source": "student", "df": 2.5, "width": 1.7, "moved": '{"0":[1,-0.5]}'},
    "wine": {"n": 70, "source": "wine", "family": "fitted", "bandwidth": 0.4, "standardise": False},
    "others": {"n": 60, "source": "mixture", "family": "fitted", "fitted_on": "other", "blobs": 2, "bandwidth": 0.33},
}
STEP = 1e-5  # central differences have an error of the order of its square


@pytest.fixture(scope="module")
def results():
    return {name: lab_of("fit", **fields).result(wait=True) for name, fields in STATES.items()}


@pytest.fixture(params=STATES)
def result(request, results):
    return results[request.param]


def kernel_of(result, bandwidth):
    wide = bandwidth * median_bandwidth(result.X)
    return Gaussian(wide) if result.lab.kernel == "RBF" else InverseMultiquadric(wide)


def test_the_slider_stops_where_the_field_says():
    assert steps_of(FitLab.fields["bandwidth"]) == BANDWIDTHS


def test_the_page_s_numbers_are_those_of_the_front_door(result):
    lab, model = result.lab, result.model
    for bandwidth, look in zip(lab.stops, result.rows, strict=True):
        assert look.test.statistic == pytest.approx(ksd(result.X, model, kernel_of(result, bandwidth)), rel=1e-12)
    kernel = kernel_of(result, lab.bandwidth)
    assert result.pvalue == ksd_test(result.X, model, kernel, n_resamples=FLIPS, rng=lab.seed).pvalue
    assert result.p_aggregated == ksdagg_test(result.X, model, n_resamples=FLIPS, rng=lab.seed).pvalue
    if lab.picture == "tests":
        exact = ksd_test(result.X, model, kernel, null="parametric", n_resamples=DRAWN, rng=lab.seed)
        assert result.p_exact == exact.pvalue
        assert result.p_finite == fssd_test(result.X, model, kernel, n_resamples=FLIPS, rng=lab.seed).pvalue


def test_the_witness_is_its_definition_with_numerical_derivatives(result):
    X, model, kernel, places = (
        result.X,
        result.model,
        kernel_of(result, result.lab.bandwidth),
        result.places[::41],
    )
    unit = np.abs(X).max()  # wine has its own units
    terms = np.zeros((X.shape[1], len(X), len(places)))
    for j, step in enumerate(unit * STEP * np.eye(X.shape[1])):
        score = (model.logpdf(X + step) - model.logpdf(X - step)) / (2 * unit * STEP)
        slope = (kernel(X + step, places) - kernel(X - step, places)) / (2 * unit * STEP)
        terms[j] = score[:, None] * kernel(X, places) + slope
    field = result.at_row().field
    scale = np.abs(terms).max()
    np.testing.assert_allclose(field.values[::41], terms.mean(axis=1).T, atol=1e-6 * scale)
    np.testing.assert_allclose(field.errors[::41], np.sqrt(terms.var(axis=1).sum(axis=0) / len(X)), atol=1e-6 * scale)


def test_the_models_are_what_they_are_called(results):
    home = results["as it opens"].model
    assert home == GaussianMixture([1.0], [[0.8, 0.4]], np.eye(2))
    assert results["a line"].model == GaussianMixture([0.5, 0.5], [[-2.0], [2.0]], np.eye(1))
    assert results["t"].model == StudentT(2.5, [1.0, -0.5], 1.7**2 * np.eye(2))
    wine = results["wine"]
    data = load("wine")
    rows = data.sample(data.n, 2)[:70, [data.names.index(name) for name in ("flavanoids", "color_intensity")]]
    np.testing.assert_array_equal(wine.X, rows)
    np.testing.assert_allclose(wine.model.means[0], rows.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(wine.model.covariances[0], np.cov(rows.T), rtol=1e-12)
    others = results["others"]
    both = GaussianMixture.random(2, rng=51).sample(120, rng=2)
    np.testing.assert_array_equal(others.X, both[:60])
    kernel = Gaussian(0.5 * median_bandwidth(both[60:]))
    assert others.model == MixtureDensity(kernel, n_components=2, rng=2, starts=10).fit(both[60:]).mixture_


def test_the_divergence_is_the_closed_form_of_gaussians():
    """KL(N(0, I) | N(m, s² I)) = d log s + (d + |m|²) / (2 s²) - d / 2, within four standard errors."""
    for fields in ({}, {"width": 1.6, "moved": '{"0":[0.3,0]}'}, {"d": 1, "width": 0.7}):
        result = lab_of("fit", n=20, **fields).result()
        d, s, m = result.lab.d, result.lab.width, result.model.means[0]
        exact = d * np.log(s) + (d + m @ m) / (2 * s**2) - d / 2
        value, error = result.divergence
        assert abs(value - exact) < 4 * error
    same = lab_of("fit", n=20, moved='{"0":[0,0]}').result()
    assert same.divergence == (0.0, 0.0)
    assert one_sentence_names(visible_text(headline(same)), "model", "true distribution")


def test_a_mode_without_data_costs_log_2_and_is_missed():
    result = lab_of("fit", source="two", family="two", apart=10.0, share=1.0).result(wait=True)
    assert result.far_off == pytest.approx(np.log(2), abs=1e-3)
    assert result.misses
    assert all(look.test.pvalue > 0.05 for look in result.rows)  # whatever the bandwidth
    assert "misses a wrong model" in visible_text(headline(result))


def test_a_model_fitted_to_the_points_that_test_it_is_hardly_ever_rejected():
    """A test at level 5 % would reject about 3 of the 60 Gaussian samples, and this one rejects none."""
    p = [lab_of("fit", family="fitted", n=30, seed=seed).result().pvalue for seed in range(60)]
    assert min(p) > 0.05
    assert np.median(p) > 0.8  # that of an exact test is 0.5


def test_rows_over_the_slider_are_the_states_at_its_stops(results):
    whole = results["as it opens"]
    for place in (0, 10, 20):
        one = lab_of("fit", **{**STATES["as it opens"], "bandwidth": BANDWIDTHS[place]}).result()
        assert whole.rows[place].test.pvalue == one.test.pvalue
        np.testing.assert_array_equal(whole.rows[place].field.values, one.look.field.values)


def test_pictures_draw_these_numbers(result):
    row, look = result.row, result.at_row()
    null = figures.null.data(result)
    zero, one = look.test.scale
    assert null["observed"]["x"] == pytest.approx(min((look.test.statistic - zero) / one, 8.9))
    assert null["null"]["top"].sum() == pytest.approx(1)
    over = figures.bandwidths.data(result)
    np.testing.assert_allclose(over["p"]["y"], [each.test.pvalue for each in result.rows])
    assert over["here"]["y"] == result.rows[row].test.pvalue
    np.testing.assert_array_equal(over["many"]["y"], result.p_aggregated)
    if result.others:
        found = (result.pvalue, result.p_exact, result.p_finite, result.p_aggregated)
        np.testing.assert_array_equal(figures.tests.data(result)["tests"]["x"], found)


def test_arrows_point_along_the_witness_and_the_edge_is_one_deviation_away(results):
    result = results["as it opens"]
    data, arrows = figures.plane.data(result), result.at_row().arrows
    drawn = np.column_stack([data["arrows"][f"to_{each}"] - data["arrows"][each] for each in "xy"])
    long = arrows.lengths > 1
    assert long.any()
    np.testing.assert_array_equal(drawn[~long], 0)
    ways = [each[long] / np.linalg.norm(each[long], axis=1)[:, None] for each in (drawn, arrows.values)]
    np.testing.assert_allclose(*ways, atol=1e-9)
    wine = results["wine"]
    at = {name: [figures.plane.data(wine)[name][each][0] for each in "xy"] for name in ("centres", "rims")}
    away = np.subtract(at["rims"], at["centres"])
    assert away @ np.linalg.inv(wine.model.covariances[0]) @ away == pytest.approx(1)
    line = results["a line"]
    edge = figures.line.data(line)["rims"]["x"] - figures.line.data(line)["centres"]["x"]
    np.testing.assert_allclose(edge, 1)


# dragged points and placed blobs


def test_a_hand_drags_a_centre_and_an_edge():
    page = FitPage({"n": "20"})
    page.on_drag("centres", [0, 0.25, -0.5])
    assert page.lab.moved == '{"0":[0.25,-0.5]}'
    page.on_drag("rims", [0, 0.25, 1.0])
    assert page.lab.width == 1.5
    page.on_drag("rims", [0, 0.25, -0.5])  # onto the centre: as narrow as a model may be
    assert page.lab.width == 1e-3
    page.bindings.press("back")
    assert (page.lab.moved, page.lab.width) == ("", 1.0)
    for wrong in ([1, 0.0, 0.0], "x", [0, float("nan"), 0]):
        page.on_drag("centres", wrong)
        assert page.lab.moved == ""
    page.on_drag("elsewhere", [0, 0.0, 0.0])


def test_another_family_has_its_components_where_they_belong():
    page = FitPage({"n": "20", "moved": '{"0":[0,0]}', "width": "2"})
    page.choose("family", "two")
    assert (page.lab.moved, page.lab.width) == ("", 1.0)


def test_a_table_is_shown_with_a_model_that_is_fitted_to_it():
    page = FitPage({"n": "20"})
    page.choose("source", "wine")
    assert page.lab.family == "fitted"


# mixtures of links


def test_the_mixture_of_a_link_is_the_model():
    rows = [[0.25, 0.5, -1.0, 2.0], [0.75, 2.0, 0.0, 1.0]]
    lab = lab_of("fit", family="given", given=json.dumps(rows), n=20)
    expected = GaussianMixture([0.25, 0.75], [[-1.0, 2.0], [0.0, 1.0]], [0.25 * np.eye(2), 4 * np.eye(2)])
    assert lab.result().model == expected


@pytest.mark.parametrize(
    "given",
    ["[[1]]", "x", "[[0.5,1,0]]", "[[1,0,0]]", "[[1,1,0],[0,1,0,0]]", "[[1,-1,0]]", "[[NaN,1,0]]", "[[1,1e20,0]]",
     json.dumps([[0.05, 1, 0]] * 20), '{"a":1}', "[[true,1,0]]", "[1]"],
)  # fmt: skip
def test_a_link_s_mixture_that_is_none_is_refused(given):
    with pytest.raises(Refusal, match=naming("given")):
        components(given)


def test_a_mixture_of_another_dimension_and_none_at_all():
    with pytest.raises(Refusal, match=naming(1, "d", 2)):
        lab_of("fit", family="given", given="[[1,1,0]]")
    with pytest.raises(Refusal, match=naming("components")):
        lab_of("fit", family="given")


# the user's tables

TABLE = "height,weight\n" + "".join(f"{170 + 8 * np.sin(3 * i):.3f},{70 + 9 * np.cos(7 * i):.3f}\n" for i in range(40))


def lab_of_file(table=TABLE, columns='["height", "weight"]', **fields):
    read = read_table(table.encode(), columns=json.loads(columns), name="t.csv", standardise=True)
    lab = FitLab(
        source="file", file="t.csv", rows=read.n, hash=read.hash,
        **{"n": read.n, "columns": columns, "family": "fitted", **fields},
    )  # fmt: skip
    lab.own = read
    return lab


def test_a_table_of_ones_own_in_its_units(tmp_path, monkeypatch):
    result = lab_of_file().result(wait=True)
    assert "too large" in visible_text(headline(result))
    assert "weak evidence" in visible_text(caption(result))
    assert re.search(naming("40 points", "height, weight"), visible_text(caption(result)))
    shown = numbers(result)
    heights = np.array([float(line.split(",")[0]) for line in TABLE.split()[1:]])
    np.testing.assert_allclose(np.sort(shown["sample"]["height"]), np.sort(heights), rtol=1e-12)
    assert shown["model"]["centre_1"] == pytest.approx(heights.mean())
    assert shown["model"]["sd_1"] == pytest.approx(heights.std(ddof=1))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    for each in (result, lab_of_file(n=20, fitted_on="other", seed=5, width=1.3).result(wait=True)):
        space = {}
        exec(python(each), space)
        assert space["shown"]["p"] == each.pvalue
        assert space["shown"]["ksd"] == pytest.approx(each.statistic, rel=1e-12)


def test_what_a_table_cannot_be():
    with pytest.raises(Refusal, match=naming(40, "n", 20)):
        lab_of_file(fitted_on="other").result()
    with pytest.raises(Refusal, match=naming("one")):
        lab_of_file("a\n" + "\n".join("1234567890"), '["a"]').result()
    with pytest.raises(Refusal, match="singular"):
        lab_of_file("a,b\n" + "\n".join(f"{i},{2 * i}" for i in range(9)), '["a", "b"]').result()
    assert lab_of_file(n=30, d=1, family="two").fitting() == {"n": 30, "d": 1, "family": "fitted"}
    assert lab_of_file(n=30, fitted_on="other").fitting()["n"] == 20


def test_the_remark_on_a_fitted_model_is_made_where_it_belongs(results):
    assert "too large" in visible_text(headline(results["wine"]))
    assert "too large" not in visible_text(headline(results["others"]))
    assert re.search(naming("60 other points"), visible_text(caption(results["others"])))


def test_what_is_not_wanted_any_more_is_given_up():
    work = lab_of("fit", n=30, picture="tests").work()
    assert all(work.finish(stage, lambda: True) is None for stage in ("rows", "aggregated", "others"))


def test_words_while_ksdagg_is_still_to_come():
    late = lab_of("fit", n=20).result()
    assert one_sentence_names(visible_text(headline(late)), "p", "still", "computed")
