"""The picture of an embedding has its numbers: the function's values, the points and the weights."""

import holoviews as hv
import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn, vectors

from explorer import KME, SKMSE, Delta, Embedding, Gaussian, Precomputed, Subsequence, plot, witness
from explorer.marks.roles import colour

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 1)), RNG.normal(1.0, 1.0, size=(15, 1))
K = Gaussian(1.0)
every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
VECTORS = {name: row for name, row in KERNELS.items() if row.data is vectors and row.kernel.space == "numbers"}
every_vector_kernel = pytest.mark.parametrize("row", VECTORS.values(), ids=VECTORS)


def parts(picture):
    """Return the elements of a picture by their kind."""
    found = {}
    for element in picture if isinstance(picture, hv.Overlay) else [picture]:
        found.setdefault(type(element).__name__, []).append(element)
    return found


def style(element, name):
    return hv.Store.lookup_options("bokeh", element, "style").kwargs[name]


@pytest.mark.thorough(default=["gaussian", "delta", "product, mixed", "subsequence"])
@every_kernel
def test_every_kernel_s_embedding_is_drawn_with_its_numbers(row):
    """Points of more than two coordinates show their weights; symbols and rows show the value at each."""
    kernel, points = drawn(row)
    e = Embedding(kernel, points, RNG.normal(size=len(points)))
    picture = plot(e)
    assert hv.render(picture, backend="bokeh").title.text
    found = parts(picture)
    if kernel.space in ("categories", "strings", "row numbers"):
        [element] = found["Spikes" if kernel.space == "row numbers" else "Bars"]
        assert element.dimension_values("w").sum() == pytest.approx(e.weights.sum())
        distinct = sorted(set(map(tuple, e.points.tolist())))
        np.testing.assert_array_equal(element.dimension_values("f"), e(np.array(distinct)))
    elif e.points.shape[1] > 2:
        np.testing.assert_array_equal(found["Spikes"][0].dimension_values("w"), e.weights)
    elif e.points.shape[1] == 1:
        [curve] = found["Curve"]
        np.testing.assert_array_equal(curve["f"], e(curve["x"][:, None]))


@pytest.mark.thorough(default=["gaussian, automatic", "energy"])
@every_vector_kernel
def test_every_kernel_of_vectors_is_drawn_on_a_line_and_over_the_plane(row):
    if getattr(row.kernel, "bandwidths", None) is not None:
        pytest.skip("it has as many bandwidths as its points have coordinates")
    for d in (1, 2):
        points = vectors(6)[:, :d]
        e = Embedding(row.kernel.select(points), points, [0.3, 0.3, 0.2, 0.2, 0.1, -0.1])
        found = parts(plot(e, grid=11))
        if d == 1:
            [curve] = found["Curve"]
            np.testing.assert_array_equal(curve["f"], e(curve["x"][:, None]))
        else:
            [image] = found["Image"]
            x, y, f = (image.dimension_values(name) for name in ("x1", "x2", "f"))
            np.testing.assert_allclose(f, e(np.column_stack([x, y])), rtol=1e-9, atol=1e-12 * np.abs(f).max())
            at = np.vstack([np.column_stack([p["x1"], p["x2"], p["w"]]) for p in found["Points"]])
            np.testing.assert_array_equal(at, np.column_stack([points, e.weights]))


def test_a_function_on_a_line_goes_through_its_points_and_has_their_weights_as_stems():
    e = SKMSE(K).embed(X)
    found = parts(plot(e, role="skmse", label="S-KMSE"))
    [curve], [stems] = found["Curve"], found["Segments"]
    assert "Area" not in found
    assert set(X[:, 0]) <= set(curve["x"])
    assert curve["x"][0] < X.min() - 1
    assert curve["x"][-1] > X.max() + 1
    np.testing.assert_array_equal(stems.dimension_values("w"), e.weights)
    np.testing.assert_array_equal(stems.dimension_values("x"), X[:, 0])
    np.testing.assert_allclose(stems.dimension_values("stem"), 0.25 * curve["f"].max())  # equal weights
    assert style(curve, "color") == colour("skmse")
    assert curve.label == "S-KMSE"


def test_stems_are_as_long_as_their_weights():
    found = parts(plot(Embedding(K, [[0.0], [1.0]], [0.5, -0.25])))
    top = np.abs(found["Curve"][0]["f"]).max()
    np.testing.assert_allclose(found["Segments"][0].dimension_values("stem"), 0.25 * top * np.array([1.0, -0.5]))


def test_a_witness_is_filled_by_its_sign():
    e = witness(X, Y, K)
    found = parts(plot(e))
    above, below = found["Area"]
    [curve] = found["Curve"]
    f = e(curve["x"][:, None])
    np.testing.assert_array_equal(above["f"], np.maximum(f, 0))
    np.testing.assert_array_equal(below["f"], np.minimum(f, 0))
    assert found["Segments"][0].dimension_values("stem").min() < 0


def test_a_difference_of_embeddings_is_drawn_alike():
    apart = KME(K).embed(X) - KME(K).embed(Y)
    assert apart == witness(X, Y, K)
    found, expected = (parts(plot(each))["Curve"][0].dframe() for each in (apart, witness(X, Y, K)))
    np.testing.assert_array_equal(found, expected)


def test_in_the_plane_negative_weights_are_hollow_and_areas_are_weights():
    points = vectors(5)[:, :2]
    e = Embedding(K, points, [0.4, -0.1, 0.2, -0.2, 0.1])
    image, filled, hollow = plot(e)
    assert type(image).__name__ == "Image"
    np.testing.assert_array_equal(filled["w"], [0.4, 0.2, 0.1])
    np.testing.assert_array_equal(hollow["w"], [-0.1, -0.2])
    assert style(filled, "fill_alpha") > 0 == style(hollow, "fill_alpha")
    for discs in (filled, hollow):
        areas = style(discs, "size").apply(discs) ** 2
        np.testing.assert_allclose(areas / areas[0], np.abs(discs["w"] / discs["w"][0]))
    low, high = hv.Store.lookup_options("bokeh", image, "plot").kwargs["clim"]
    assert -low == high == np.abs(image.dimension_values("f")).max()  # the palette changes its colour at 0


def test_noise_widens_the_line():
    sharp, blurred = (Embedding(K, [[0.0], [1.0]], [0.5, 0.5], noise) for noise in (None, 4.0))
    reach = [np.ptp(parts(plot(e))["Curve"][0]["x"]) for e in (sharp, blurred)]
    assert reach[1] > reach[0] + 6


def test_words_are_symbols_with_their_values():
    e = KME(Delta()).embed(list("abracadabra"))
    bars = plot(e)
    assert list(bars.dimension_values("symbol")) == list("abcdr")
    np.testing.assert_allclose(bars["f"], np.array([5, 2, 1, 1, 2]) / 11)
    np.testing.assert_allclose(bars.dimension_values("w"), bars["f"])


def test_of_many_symbols_the_largest_are_drawn_and_the_title_tells_so():
    words = ["".join(w) for w in RNG.choice(list("abcd"), (60, 5))]
    bars = plot(KME(Subsequence()).embed(words))
    assert len(bars) == 40
    assert "40 of" in hv.render(bars, backend="bokeh").title.text


def test_categories_that_look_alike_in_short_are_written_in_full():
    bars = plot(Embedding(Delta(), [[1.0], [1.0 + 1e-12]], [0.5, 0.5]))
    assert list(bars.dimension_values("symbol")) == ["1.0", "1.000000000001"]


def test_rows_of_a_gram_matrix_are_numbers():
    e = Embedding(Precomputed(np.eye(9)), [3, 1, 3], [0.5, 0.25, 0.25])
    spikes = plot(e)
    np.testing.assert_array_equal(spikes["row"], [1, 3])
    np.testing.assert_allclose(spikes.dimension_values("w"), [0.25, 0.75])


def test_names_and_units_label_the_axes():
    height = hv.Dimension("height", unit="cm")
    figure = hv.render(plot(KME(K).embed(X), names=[height]), backend="bokeh")
    assert figure.xaxis[0].axis_label == "height (cm)"
    assert figure.yaxis[0].axis_label == "f(x)"
    flat = hv.render(plot(KME(K).embed(vectors(6)[:, :2]), names=["alcohol", "hue"]), backend="bokeh")
    assert [axis[0].axis_label for axis in (flat.xaxis, flat.yaxis)] == ["alcohol", "hue"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"role": "red"}, naming("role")),
        ({"names": ["a", "b"]}, naming("names", "1")),
        ({"names": "ab"}, naming("names", "1")),
        ({"names": [3]}, "the label of an axis must be"),
        ({"grid": 1}, naming("grid", "2")),
    ],
)
def test_what_is_wrong_is_a_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        plot(KME(K).embed(X), **options)


@pytest.mark.parametrize("points", [[[0.0]], [[2.0], [2.0]], [[1e9], [1e9 + 1]], [[-1e-9], [1e-9]]])
def test_single_far_and_small_points_are_drawn(points):
    [curve] = parts(plot(Embedding(Gaussian(1.0), points, np.full(len(points), 0.5))))["Curve"]
    assert np.isfinite(curve["f"]).all()
    assert curve["x"][0] < min(points)[0] <= max(points)[0] < curve["x"][-1]


def test_points_too_far_apart_are_a_sentence():
    with pytest.raises(ValueError, match=naming("points", "too far apart")):
        plot(Embedding(Gaussian(1.0), [[-1.7e308], [1.7e308]], [0.5, 0.5]))


def test_a_table_s_embedding_is_drawn_over_its_columns():
    e = KME(K).embed(pd.DataFrame({"height": X[:, 0], "weight": Y[:, 0].mean() + X[:, 0] ** 2}))
    assert [plot(e).get_dimension(j).label for j in (0, 1)] == ["height", "weight"]
    assert plot(e, names=["h", "w"]).get_dimension(0).label == "h"
