"""Plots of losses, Gram matrices, estimators along their parameter, and densities have the given numbers."""

import holoviews as hv
import numpy as np
import pytest
from helpers.naming import names_all, naming
from kernels_and_estimators import KERNELS, drawn
from scipy import stats

from explorer import (
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    Embedding,
    Gaussian,
    GaussianMixture,
    Laplacian,
    MaximumEntropy,
    MixtureDensity,
    Pareto,
    SpectralKMSE,
    StudentT,
    plot,
)
from explorer.marks.roles import colour

RNG = np.random.default_rng(0)
AT = np.geomspace(0.01, 10, 6)
K = Gaussian(1.0)
LAW = GaussianMixture([0.5, 0.5], [[-1.0], [2.0]], [[[1.0]], [[0.3]]])
X = LAW.sample(20, rng=0)
every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)


def labels(picture):
    figure = hv.render(picture, backend="bokeh")
    return figure.xaxis[0].axis_label, figure.yaxis[0].axis_label, figure.title.text


def style(element, name):
    return hv.Store.lookup_options("bokeh", element, "style").kwargs[name]


def elements(picture):
    return list(picture) if isinstance(picture, hv.Overlay) else [picture]


# losses -----------------------------------------------------------------------------------------------------------


def test_bands_are_the_interval_of_the_mean_by_student_s_t():
    losses = {"KME": RNG.gamma(2.0, size=(6, 8)), "S-KMSE": RNG.gamma(1.0, size=(6, 8))}
    *bands, kme, skmse = plot(losses, x=AT, x_label=SKMSE.fields["lam"], y_label="squared error")
    for band, curve, name in zip(bands, (kme, skmse), losses, strict=True):
        low, high = stats.t.interval(0.95, 7, losses[name].mean(axis=1), stats.sem(losses[name], axis=1))
        np.testing.assert_allclose(band["loss"] - band["half"], low)
        np.testing.assert_allclose(band["loss"] + band["half"], high)
        np.testing.assert_allclose(curve["loss"], losses[name].mean(axis=1))
        np.testing.assert_array_equal(curve["parameter"], AT)
        assert curve.label == name
    assert style(kme, "color") == colour("kme")
    assert style(skmse, "color") == colour("skmse")
    x, y, title = labels(plot(losses, x=AT, x_label=SKMSE.fields["lam"], y_label="squared error"))
    assert (x, y) == ("λ", "squared error")
    assert names_all(title, "8", "95 %")


def test_one_array_without_replicates_is_one_curve():
    curve = plot(AT[::-1], x=AT[::-1])
    assert isinstance(curve, hv.Curve)
    np.testing.assert_array_equal(curve["loss"], AT)
    np.testing.assert_array_equal(plot(AT)["parameter"], np.arange(1, 7))
    square = plot(np.eye(6), x=AT)  # with x a square array holds losses of six replicates
    assert [type(each) for each in square] == [hv.Spread, hv.Curve]


def test_axes_are_logarithmic_where_values_span_decades_or_one_says_so():
    def scales(**options):
        figure = hv.render(plot({"KME": 10 * AT}, x=AT, **options), backend="bokeh")
        return tuple(type(scale).__name__.removesuffix("Scale") for scale in (figure.x_scale, figure.y_scale))

    assert scales() == ("Log", "Log")
    assert scales(log_x=False, log_y=False) == ("Linear", "Linear")
    assert hv.render(plot({"KME": np.ones(60)}), backend="bokeh").x_scale.__class__.__name__ == "LinearScale"  # a count


@pytest.mark.parametrize(("name", "role"), [("MONK", "monk"), ("F-KMSE", "fkmse")])
def test_names_of_one_estimator_differ_by_their_dash(name, role):
    picture = plot({f"{name}, {blocks} blocks": AT for blocks in (5, 11, 21)}, x=AT)
    assert len({style(curve, "line_dash") for curve in picture}) == 3
    assert {style(curve, "color") for curve in picture} == {colour(role)}


def test_a_logarithmic_axis_of_two_decades_has_ticks_by_ratios():
    figure = hv.render(plot({"KME": np.ones(7)}, x=[5, 10, 20, 40, 80, 160, 320]), backend="bokeh")
    low, high = figure.x_range.start, figure.x_range.end
    assert [tick for tick in figure.xaxis[0].ticker.ticks if low <= tick <= high] == [5, 10, 20, 50, 100, 200]


def test_curves_of_one_picture_have_colours_of_their_own():
    picture = plot({name: AT for name in ("exact", "first", "S-KMSE", "second", "KME", "third")}, x=AT)
    tones = [style(curve, "color") for curve in picture]
    assert len(set(tones)) == len(tones)
    assert [tones[i] for i in (0, 2, 4)] == [colour(role) for role in ("truth", "skmse", "kme")]


@pytest.mark.parametrize(
    ("losses", "options", "sentence"),
    [
        ({}, {}, "losses is empty"),
        ({"KME": AT}, {"x": AT[:4]}, naming("6", "x")),
        ({1: AT}, {}, "named by texts"),
        ({"KME": [[[1.0]]]}, {}, naming("(1, 1, 1)", "(m,)")),
        ({"KME": [1.0, np.nan]}, {}, "NaN or infinite"),
        ({"KME": AT}, {"x": AT - 1, "log_x": True}, naming("log_x", "0")),
        ({"KME": AT - 1}, {"log_y": True}, naming("log_y", "0")),
        ({"KME": AT}, {"x_label": 3}, "the label of an axis must be"),
    ],
)
def test_wrong_losses_are_a_sentence(losses, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        plot(losses, **options)


# Gram matrices ----------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["gaussian", "product, mixed", "subsequence"])
@every_kernel
def test_every_kernel_s_gram_matrix_is_an_image_of_it(row):
    kernel, points = drawn(row)
    gram = kernel(points)
    for image in (plot(gram), plot(row.kernel, X=points)):
        i, j, k = (image.dimension_values(name) for name in ("i", "j", "k"))
        np.testing.assert_array_equal(k, gram[i.round().astype(int), j.round().astype(int)])
        assert len(k) == gram.size
    figure = hv.render(image, backend="bokeh")
    assert figure.y_range.start > figure.y_range.end  # the first row is on top
    assert (figure.xaxis[0].axis_label, figure.yaxis[0].axis_label) == ("column j", "row i")


def test_a_kernel_at_a_point_is_a_function():
    curve = next(each for each in plot(Laplacian(2.0), at=1.0) if isinstance(each, hv.Curve))
    np.testing.assert_allclose(curve["f"], np.exp(-np.abs(curve["x"] - 1) / 2))
    chosen = plot(Gaussian(), X=X, at=[0.0])
    assert any("Gaussian" in each.label for each in chosen)


@pytest.mark.parametrize(
    ("thing", "options", "sentence"),
    [
        (np.arange(9.0).reshape(3, 3), {}, "square and not symmetric"),
        (np.zeros((0, 0)), {}, "square array"),
        (np.full((2, 2), np.nan), {}, "NaN or infinite"),
        (np.array([["a"]]), {}, "the Gram matrix holds"),
        (np.eye(2001), {}, naming("2,000", "2,001")),
        (K, {}, "plot needs points"),
    ],
)
def test_what_is_no_gram_matrix_is_a_sentence(thing, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        plot(thing, **options)


def test_one_point_has_a_gram_matrix():
    assert plot(np.array([[2.0]])).dimension_values("k").tolist() == [2.0]


# estimators -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator", [SKMSE(K), FKMSE(), SpectralKMSE(K), SpectralKMSE(K, "landweber"), MKME(K)], ids=repr
)
def test_an_estimator_along_its_parameter_is_its_leave_one_out_score(estimator):
    curve, *line = elements(plot(estimator, X=X))
    free = estimator.free
    at = estimator.select(X)
    np.testing.assert_allclose(curve["score"], estimator.replace(kernel=at.kernel).loocv(X, curve[free]))
    assert all(each[free] == [getattr(at, free)] for each in line)


def test_with_the_true_distribution_it_is_the_exact_loss():
    values = [0.1, 1.0, 10.0]
    curve = elements(plot(SKMSE(K), X=X, law=LAW, values=values))[0]
    losses = [SKMSE(K, lam).embed(X).distance(LAW.embed(K)) ** 2 for lam in values]
    np.testing.assert_allclose(curve["loss"], losses)
    assert labels(plot(SKMSE(K), X=X, law=LAW, values=values))[:2] == ("λ", "squared error")


@pytest.mark.parametrize(
    ("estimator", "options", "sentence"),
    [
        (SKMSE(), {}, "needs a sample"),
        (KME(), {"X": X}, "no parameter to choose"),
        (MMKME(), {"X": np.column_stack([X, X[::-1]])}, naming("sigma")),
        (SKMSE(), {"X": X, "law": K}, naming("law")),
    ],
)
def test_an_estimator_without_a_curve_is_a_sentence(estimator, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        plot(estimator, **options)


# densities --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", [LAW, StudentT(2.5, [0.5], [[2.0]]), Pareto(3.0)], ids=["mixture", "t", "pareto"])
def test_a_density_on_a_line(law):
    curve = plot(law)
    np.testing.assert_allclose(curve["density"], np.exp(law.logpdf(curve["x"][:, None])))
    assert np.trapezoid(curve["density"], curve["x"]) == pytest.approx(1, abs=0.03)


def test_a_density_over_the_plane_has_mass_one():
    law = GaussianMixture.random(2, rng=1)
    image = plot(law)
    x, y, density = (image.dimension_values(name) for name in ("x1", "x2", "density"))
    np.testing.assert_allclose(density, np.exp(law.logpdf(np.column_stack([x, y]))), rtol=1e-6)
    cell = np.diff(np.unique(x.round(9)))[0] * np.diff(np.unique(y.round(9)))[0]
    assert density.sum() * cell == pytest.approx(1, abs=0.03)


def test_fitted_densities():
    fitted = MixtureDensity(K, n_components=2, rng=0, iterations=20).fit(X)
    curve = plot(fitted, role="skmse")
    np.testing.assert_allclose(curve["density"], np.exp(fitted.logpdf(curve["x"][:, None])))
    np.testing.assert_array_equal(plot(fitted, history=True)["objective"], fitted.history_)
    even = MaximumEntropy(K, 0.2).fit(X)
    np.testing.assert_array_equal(plot(even)["density"], even.density_)
    flat = MaximumEntropy(K, 0.3).fit(RNG.normal(size=(8, 2)))
    at = plot(flat)
    order = np.lexsort([flat.grid_[:, 0], flat.grid_[:, 1]])
    drawn_at = np.lexsort([at.dimension_values("x1"), at.dimension_values("x2")])
    np.testing.assert_array_equal(at.dimension_values("density")[drawn_at], flat.density_[order])


def test_densities_that_cannot_be_drawn_are_a_sentence():
    with pytest.raises(ValueError, match=naming("3")):
        plot(GaussianMixture.random(3, rng=0))
    with pytest.raises(ValueError, match=naming("fit(X)")):
        plot(MixtureDensity())
    with pytest.raises(ValueError, match=naming("fit(X)")):
        plot(MaximumEntropy(K, 0.1))


def test_a_density_and_an_embedding_are_on_one_axis():
    both = plot(LAW) * plot(Embedding(K, X, np.full(20, 0.05)))
    assert len({str(each.kdims[0]) for each in both}) == 1
