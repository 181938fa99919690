"""The picture of a sweep: elements with the data set's numbers, axes with symbols and units, self-contained files."""

import re

import numpy as np
import pytest
from helpers.figures import squeezed, words
from helpers.naming import naming
from scipy import stats

from explorer import Gaussian, plot, sweep
from explorer.checks import Refusal, WrongType
from explorer.marks.roles import ROLES
from explorer.plotting import files
from explorer.plotting.intervals import about, interval
from explorer.sweeps import InProcess

LAMS = np.geomspace(1e-3, 10.0, 12).tolist()


def losses(n, lam, seed):
    e = np.random.default_rng(seed).gamma(5.0, 0.2) / n
    return {"KME": e, "S-KMSE": e / (1 + lam) ** 2 + 0.05 * (lam / (1 + lam)) ** 2}


def swept(study, axes, replicates=5):
    return sweep(study, axes, replicates, executor=InProcess(), progress=False)


@pytest.fixture(scope="module")
def data():
    return swept(losses, {"n": [100, 10, 30], "lam": LAMS})


@pytest.fixture(scope="module")
def wide():
    return swept(losses, {"n": np.geomspace(10, 1000, 10).astype(int).tolist(), "lam": LAMS}, 2)


def of_dataset(data, value=None, **options):
    return plot(data, value=value, **options)


def elements(picture, kind):
    return picture.traverse(lambda each: each, [kind])


def test_lines_and_bands_are_means_and_students_intervals(data):
    part = data.isel(n=0)
    picture = of_dataset(part)
    curves, bands = elements(picture, "Curve"), elements(picture, "Area")
    assert [each.label for each in curves] == ["KME", "S-KMSE"]
    for curve, band in zip(curves, bands, strict=True):
        values = part[curve.label].values
        np.testing.assert_array_equal(curve.dimension_values(0), LAMS)
        np.testing.assert_allclose(curve.dimension_values(1), values.mean(-1), rtol=1e-13)
        ends = stats.t.interval(0.95, 4, values.mean(-1), stats.sem(values, axis=-1))
        for column, end in enumerate(ends, 1):
            np.testing.assert_allclose(band.dimension_values(column), end, rtol=1e-9)
    (said,) = {each.opts.get("plot").kwargs["title"] for each in elements(picture, "Overlay")}
    assert said == "mean and 95 % interval of 5 replicates"


def test_lines_of_a_number_that_is_no_estimator_s_differ_in_hue():
    data = swept(lambda n, theta, seed: {"squared error": theta / n}, {"n": [1, 10, 100], "theta": [0.5, 2.5, 10.0]}, 1)
    tones = [each.opts.get("style").kwargs["color"] for each in elements(of_dataset(data, x="n", by="theta"), "Curve")]
    assert len({max(range(3), key=lambda i: int(tone[1 + 2 * i : 3 + 2 * i], 16)) for tone in tones}) > 1


def test_names_have_their_estimators_colours_and_axes_their_symbols_and_units(data):
    picture = of_dataset(data.isel(n=0))
    colours = [each.opts.get("style").kwargs["color"] for each in elements(picture, "Curve")]
    assert colours == [ROLES["kme"][0], ROLES["skmse"][0]]
    along = picture.get(0).kdims[0]
    assert (along.name, along.label, along.unit) == ("lam", "λ", data["lam"].attrs["units"])
    assert picture.opts.get("plot").kwargs["logx"]
    assert not of_dataset(data.isel(n=0, lam=slice(3))).opts.get("plot").kwargs["logx"]


def test_a_second_axis_has_lines_of_its_own_in_its_order(data):
    curves = elements(of_dataset(data, "S-KMSE"), "Curve")
    assert [each.label for each in curves] == ["n = 10", "n = 30", "n = 100"]
    for curve, n in zip(curves, (10, 30, 100), strict=True):
        np.testing.assert_allclose(curve.dimension_values(1), data["S-KMSE"].sel(n=n).mean("replicate"), rtol=1e-13)
    dashes = [each.opts.get("style").kwargs["line_dash"] for each in curves]
    assert len(set(dashes)) == 3


def test_an_axis_of_many_values_goes_up_a_heat_map(wide):
    (mesh,) = elements(of_dataset(wide, "S-KMSE"), "QuadMesh")
    assert [each.label for each in mesh.kdims] == ["λ", "n"]
    expected = wide["S-KMSE"].mean("replicate").transpose("n", "lam").values
    np.testing.assert_allclose(mesh.dimension_values(2, flat=False), expected, rtol=1e-13)
    borders = mesh.interface.coords(mesh, "n", edges=True)
    assert (borders[:-1] < wide["n"].values).all()
    assert (wide["n"].values < borders[1:]).all()
    np.testing.assert_allclose(borders[1:-1] ** 2, wide["n"].values[1:] * wide["n"].values[:-1])
    options = mesh.opts.get("plot").kwargs
    assert options["logx"]
    assert options["logy"]
    np.testing.assert_allclose(options["clim"], (expected.min(), expected.max()), rtol=1e-13)
    assert len(elements(of_dataset(wide, "S-KMSE", by="n"), "Curve")) == 10
    assert [each.vdims[0].name for each in elements(of_dataset(wide), "QuadMesh")] == ["KME", "S-KMSE"]


def test_further_axes_have_panels_on_shared_axes():
    def study(n, d, lam, seed):
        return {"loss": n + 100.0 * d + lam}

    data = swept(study, {"n": [1, 2], "d": [3, 4], "lam": [0.1, 0.2, 0.3]}, 1)
    grid = of_dataset(data, row="d", col="n")
    panels = elements(grid, "Overlay")
    assert [each.opts.get("plot").kwargs["title"] for each in panels] == [
        f"d = {d}, n = {n}" for d in (3, 4) for n in (1, 2)
    ]
    for panel, (d, n) in zip(panels, [(3, 1), (3, 2), (4, 1), (4, 2)], strict=True):
        (curve,) = elements(panel, "Curve")
        np.testing.assert_array_equal(curve.dimension_values(1), data["loss"].sel(d=d, n=n)[:, 0])
        assert not elements(panel, "Area")  # one replicate has no interval
    assert grid.shape == (2, 2)
    assert {each.kdims[0].name for each in elements(grid, "Curve")} == {"lam"}
    alone = of_dataset(data)
    assert [each.label for each in elements(alone, "Curve")] == ["n = 1", "n = 2"] * 2


def test_words_have_dots_with_whiskers():
    def study(kernel, seed):
        return {"loss": np.random.default_rng(seed).gamma(2.0)}

    data = swept(study, {"kernel": ["LIN", "RBF"]}, 6)
    picture = of_dataset(data)
    (dots,), (bars,) = elements(picture, "Scatter"), elements(picture, "ErrorBars")
    assert list(dots.dimension_values(0)) == ["LIN", "RBF"]
    np.testing.assert_allclose(dots.dimension_values(1), data["loss"].mean("replicate"), rtol=1e-13)
    half = stats.t.ppf(0.975, 5) * stats.sem(data["loss"].values, axis=-1)
    np.testing.assert_allclose(bars.dimension_values(2), half, rtol=1e-9)


def test_estimators_on_an_axis_have_their_colours_and_models_their_code():
    def study(kernel, estimator, n, seed):
        return {"loss": float(n)}

    axes = {"kernel": [Gaussian(1.0)], "estimator": ["KME", "S-KMSE"], "n": [1, 2]}
    picture = of_dataset(swept(study, axes, 1))
    curves = elements(picture, "Curve")
    assert [each.opts.get("style").kwargs["color"] for each in curves] == [ROLES["kme"][0], ROLES["skmse"][0]]
    assert picture.opts.get("plot").kwargs["title"] == "kernel = Gaussian(bandwidth=1.0)"


def test_a_cell_without_a_number_is_a_gap_and_the_others_stay():
    values = np.array([[1.0, 3.0, np.nan], [np.nan, np.nan, np.nan], [2.0, np.inf, np.nan]])
    found = interval(values)
    np.testing.assert_array_equal(found.mean, [2.0, np.nan, 2.0])
    np.testing.assert_array_equal(found.times, [2, 0, 1])
    np.testing.assert_allclose(found.high[0], 2.0 + stats.t.ppf(0.975, 1))
    assert np.isnan(found.low[1:]).all()
    assert about(found.times) == "mean and 95 % interval of 1 to 2 replicates"


REFUSED = [
    ({"value": "loss"}, Refusal, naming("value", "KME", "S-KMSE", "'loss'")),
    ({"value": 3}, WrongType, naming("value", "3")),
    ({"x": "m"}, Refusal, naming("x", "n", "lam", "'m'")),
    ({"by": "replicate"}, Refusal, naming("by", "n", "lam", "'replicate'")),
    ({"x": "n", "by": "n"}, Refusal, naming("'n'")),
    ({"row": "n", "col": "lam"}, Refusal, naming("n", "lam")),
]


@pytest.mark.parametrize(("options", "kind", "sentence"), REFUSED)
def test_what_cannot_be_drawn_is_a_sentence(data, options, kind, sentence):
    with pytest.raises(kind, match=sentence):
        of_dataset(data, **options)


def test_more_axes_than_places_is_a_sentence():
    def study(a, b, c, d, e, seed):
        return {"one": 1.0}

    data = swept(study, {name: [1, 2] for name in "abcde"}, 1)
    with pytest.raises(Refusal, match=naming("e", "data.isel(e=0)")):
        of_dataset(data)
    assert elements(of_dataset(data.isel(e=0)), "Curve")


def test_an_html_file_holds_the_numbers_and_asks_no_host(data, tmp_path):
    path = tmp_path / "out.html"
    files.write(of_dataset(data, "S-KMSE"), path, "a study")
    text = path.read_text()
    assert "<title>a study</title>" in text
    assert "mean and 95 % interval of 5 replicates" in text
    assert not re.findall(r"""(?:src|href)=["']""", re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL))
    assert not re.findall(r"<script[^>]+src", text)


@pytest.mark.thorough
def test_svg_and_png_need_no_browser(data, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install kernel-mean-explorer[pictures]")
    for suffix, start in ((".svg", b"<?xml"), (".png", b"\x89PNG")):
        path = tmp_path / f"out{suffix}"
        picture = of_dataset(data, backend=files.backend_of(path))
        files.write(picture, path, "a study")
        assert path.read_bytes().startswith(start)
    assert squeezed("mean and 95 % interval of 5 replicates") in words(of_dataset(data, backend="matplotlib"))


def test_options_of_holoviews_work(data):
    import holoviews as hv

    picture = of_dataset(data.isel(n=0), "KME") * of_dataset(data.isel(n=0), "S-KMSE")
    assert len(elements(picture.opts(title="both"), "Curve")) == 2
    assert hv.render(picture, backend="bokeh").title.text == "both"
