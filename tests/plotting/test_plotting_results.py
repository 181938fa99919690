"""Plots of tests, bandwidths and blocks have the results' numbers, on axes with symbols and units."""

import holoviews as hv
import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import (
    KME,
    Gaussian,
    TestResult,
    bandwidth_curve,
    block_test,
    compress_test,
    herd,
    hsic_test,
    ksd_test,
    lepski,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    monk_mmd,
    monk_steps,
    monk_test,
    plot,
)
from explorer.labs.twosample.figures import null
from explorer.marks.nulls import NullAxis, OneTest, null_of_test
from explorer.svg import draw_standalone

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(24, 1)), RNG.normal(0.7, 1.0, size=(24, 1))
K = Gaussian(1.0)
MMD = mmd_test(X, Y, K, n_resamples=199, rng=0)
TESTS = {
    "mmd": lambda: MMD,
    "mmdagg": lambda: mmdagg_test(X, Y, n_resamples=99, rng=0),
    "mmdfuse": lambda: mmdfuse_test(X, Y, n_resamples=99, rng=0),
    "blocks": lambda: block_test(X, Y, K, 4, n_resamples=99, rng=0),
    "ksd": lambda: ksd_test(X, lambda X: -X, K, n_resamples=99, rng=0),
    "compressed": lambda: compress_test(np.tile(X, (2, 1)), np.tile(Y, (2, 1)), K, size=24, n_resamples=99, rng=0),
    "hsic": lambda: hsic_test(X, Y, K, K, n_resamples=99, rng=0),
    "monk": lambda: monk_test(X, Y, K, 3, n_resamples=19, iterations=20, rng=0),
}


def labels(picture):
    figure = hv.render(picture, backend="bokeh")
    return figure.xaxis[0].axis_label, figure.yaxis[0].axis_label, figure.title.text


def bars(element):
    """Return (left, right, share) of the bars that have a height."""
    left, bottom, right, top = (element.dimension_values(i) for i in range(4))
    assert (bottom == 0).all()
    seen = np.isfinite(top)
    return left[seen], right[seen], top[seen]


def shares(result, bins=None):
    """Return (bars of all resamples, bars of those that reach the statistic) of a plotted test."""
    null, reaching = (each for each in plot(result, bins=bins) if isinstance(each, hv.Rectangles))
    return bars(null), bars(reaching)


def lines(picture):
    """Return {label: positions} of a picture's vertical lines."""
    return {each.label: each["x"].tolist() for each in picture if isinstance(each, hv.VLines)}


@pytest.mark.thorough(default=["mmd", "monk"])
@pytest.mark.parametrize("name", TESTS)
def test_a_test_s_null_statistic_and_threshold(name):
    result = TESTS[name]()
    null = result.null_distribution
    for (left, right, top), values in zip(shares(result), (null, null[result.reaching]), strict=True):
        inside = np.array([np.sum((values >= a) & (values < b)) for a, b in zip(left, right, strict=True)])
        inside += [np.sum((values == b) & (b == null.max())) for b in right]
        np.testing.assert_allclose(top, inside / len(null), atol=1.001 / len(null))  # one may cross an edge by rounding
        assert top.sum() == pytest.approx(len(values) / len(null))
    expected = {f"observed {result.statistic:.4g}".replace("-", "−"): [result.statistic]}
    if np.isfinite(result.threshold(0.05)):
        expected = {"threshold at level 0.05": [result.threshold(0.05)], **expected}
    assert lines(plot(result)) == expected
    x, y, title = labels(plot(result))
    assert x == result.name.removeprefix("the ")
    assert y == f"share of the {result.resamples}"
    assert title.startswith(f"p = {result.pvalue:.3g}")


def keys(picture):
    """Return the texts of a picture's legend."""
    return [item.label.value for item in hv.render(picture, backend="bokeh").legend[0].items]


def test_a_test_s_legend_tells_its_parts_apart():
    result = TestResult(2.0, [0.0, 1.0, 2.0, 3.0] * 10, "a statistic", K, n=9)
    facts = ("40", "20", "0.05", "2")
    assert [names_all(key, fact) for key, fact in zip(keys(plot(result)), facts, strict=True)] == [True] * 4


def test_a_test_s_picture_is_the_lab_s_own():
    """Marks, colours and dashes are those of the two-sample page, except for marks of a pinned result."""
    said = [(mark.kind, mark.source, mark.role, mark.inks, mark.style) for mark in null_of_test.data_marks()]
    assert said == [(m.kind, m.source, m.role, m.inks, m.style) for m in null.data_marks() if not m.pinned]
    shown = OneTest.of(MMD)
    in_deviations = NullAxis(-3.5, 9.0, 50, (1.0,)).table([MMD], 0.05)
    mean, spread = MMD.scale
    numbers = null_of_test.sources(shown)
    assert (numbers["observed"]["x"] - mean) / spread == pytest.approx(in_deviations["x"][0])
    assert (numbers["threshold"]["x"] - mean) / spread == pytest.approx(in_deviations["limit"][0])
    for name in ("top", "tail"):
        assert np.nansum(numbers["null"][name]) == pytest.approx(in_deviations[name].sum())


def test_the_level_moves_the_threshold_and_too_few_resamples_are_told():
    assert lines(plot(MMD, level=0.2))["threshold at level 0.2"] == [MMD.threshold(0.2)]
    assert len(lines(plot(MMD, level=0.001))) == 1
    assert names_all(labels(plot(MMD, level=0.001))[2], "0.001")
    with pytest.raises(ValueError, match=naming("level", "0", "1")):
        plot(MMD, level=2.0)


NULLS = ([1.0], [0.0] * 9, [1.0, 1.0 + 2e-16], [1e-300, 2e-300], [-1e200, 1e200], [np.inf, 1.0], [np.inf])
NULLS += ([-1.7e308, 1.7e308], [5e-324, 0.0])


@pytest.mark.parametrize("null", NULLS, ids=str)
def test_a_null_of_equal_or_extreme_values_is_drawn(null):
    result = TestResult(null[0], null, "a statistic", K, n=9)
    (_, _, top), _ = shares(result)
    assert top.sum() == pytest.approx(1)
    hv.render(plot(result), backend="bokeh")
    assert "p = " in str(draw_standalone(null_of_test, OneTest.of(result)))


def test_the_statistic_lies_within_the_axis():
    far = TestResult(50.0, np.arange(99.0) / 99, "a statistic", K, n=9)
    figure = hv.render(plot(far), backend="bokeh")
    assert figure.x_range.start < -0.5 < 50.5 < figure.x_range.end  # the margin keeps the points away from the edge


def test_a_number_of_bars():
    (left, right, _), _ = shares(MMD, bins=7)
    span = np.ptp(MMD.null_distribution)
    np.testing.assert_allclose(right - left, span / 7)
    with pytest.raises(ValueError, match=naming("bins", "1")):
        plot(MMD, bins=0)


def test_two_tests_in_one_picture():
    """Neither picture is cut off by the other one's axes."""
    coarse = mmd_test(X, Y, K, n_resamples=19, rng=1)
    both = plot(MMD, bins=40) * plot(coarse, bins=2)
    figure = hv.render(both, backend="bokeh")
    (_, _, low), _ = shares(MMD, bins=40)
    (_, _, high), _ = shares(coarse, bins=2)
    assert low.max() < high.max() < figure.y_range.end
    assert {"199 permutations", "19 permutations"} <= set(keys(both))


@pytest.fixture(scope="module")
def curve():
    return bandwidth_curve(X, Y, [2.0, 0.1, 1.0, 10.0], n_resamples=99, rng=0)


def test_a_bandwidth_curve_with_each_threshold(curve):
    observed, threshold = plot(curve, level=0.1)
    np.testing.assert_array_equal(observed["bandwidth"], [0.1, 1.0, 2.0, 10.0])
    np.testing.assert_array_equal(observed["statistic"], curve.statistic[[1, 2, 0, 3]])
    # at most 10 of the 99 values and the observed one may be as large: the tenth largest
    np.testing.assert_allclose(threshold["statistic"], np.sort(curve.null, axis=0)[-10][[1, 2, 0, 3]])
    assert labels(plot(curve))[:2] == ("θ (units of x)", "MMD²")
    assert isinstance(plot(curve, level=0.005), hv.Curve)
    assert names_all(labels(plot(curve, level=0.005))[2], "0.005")
    assert hv.render(plot(curve), backend="bokeh").x_scale.__class__.__name__ == "LogScale"


def test_a_bandwidth_curve_s_p_values(curve):
    p, level = plot(curve, quantity="p")
    np.testing.assert_array_equal(p["p"], curve.pvalue[[1, 2, 0, 3]])
    assert level["p"] == [0.05]
    with pytest.raises(ValueError, match=naming("quantity", "'statistic'", "'p'")):
        plot(curve, quantity="power")


def test_monk_s_iterations_and_blocks():
    result = monk_mmd(X, Y, K, 5, rng=0)
    steps, value = plot(result)
    np.testing.assert_array_equal(steps["median"], result.history)
    assert value["median"] == [result.value]
    means, median = plot(result, quantity="blocks")
    np.testing.assert_array_equal(means["mean"], result.block_values)
    assert median["mean"] == [result.block_values[result.median_block]]
    assert median["block"] == [result.median_block + 1]
    with pytest.raises(ValueError, match=naming("quantity", "'history'", "'blocks'")):
        plot(result, quantity="steps")


def test_lepski_s_intervals_and_choice():
    result = lepski(X, Y, K, rng=0)
    bars, dots, chosen = plot(result)
    np.testing.assert_array_equal(bars["half"], result.halfwidths)
    np.testing.assert_array_equal(dots["estimate"], result.estimates)
    np.testing.assert_array_equal(dots["blocks"], result.candidates)
    assert chosen["blocks"] == [result.blocks]


def test_a_step_of_monk_and_its_median_block():
    *_, step = monk_steps(X, Y, K, 5, iterations=4, rng=0)
    means, median = plot(step)
    np.testing.assert_array_equal(means["mean"], step.after)
    assert median["block"] == [step.median_block + 1]


def test_herding_s_distance_by_the_number_of_points():
    chosen = herd(KME(K).embed(X), 8)
    curve = plot(chosen)
    np.testing.assert_array_equal(curve["count"], np.arange(1, 9))
    assert curve["error"][-1] == pytest.approx(chosen.embedding.distance(chosen.target))
    assert labels(curve)[:2] == ("points chosen", "distance to the target")
