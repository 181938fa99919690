"""The marks of a plot are drawn alike by HoloViews in Bokeh and in matplotlib, by Bokeh alone, and as SVG."""

import holoviews as hv
import numpy as np
import pytest
from bokeh.core.validation import check_integrity

from explorer import (
    KME,
    SKMSE,
    Delta,
    Gaussian,
    Monitor,
    bandwidth_curve,
    lepski,
    mmd_test,
    monk_mmd,
    plot,
    scan,
    sweep,
    witness,
)
from explorer.labs.twosample import TwoSampleLab
from explorer.marks.roles import LESS, MORE, colour
from explorer.plotting.plot import drawing_of
from explorer.svg import draw_standalone
from explorer.sweeps import InProcess
from explorer.views.bokeh_picture import BokehPicture
from explorer.views.style import Painter

matplotlib = pytest.importorskip("matplotlib", reason="pip install 'kernel-mean-explorer[pictures]'")
from matplotlib.colors import to_hex  # noqa: E402

RNG = np.random.default_rng(0)
X, Y, Z = RNG.normal(size=(20, 1)), RNG.normal(1.0, 1.0, (20, 1)), RNG.normal(size=(20, 2))
K = Gaussian(1.0)


def swept(study, axes):
    return sweep(study, axes, 4, executor=InProcess(), progress=False)


def loss(n, lam, seed):
    return {"KME": np.random.default_rng(seed).gamma(5.0) / n * (1 + lam)}


NS, LAMS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000], np.geomspace(0.01, 10.0, 10).tolist()
THINGS = {
    "test": (lambda: mmd_test(X, Y, K, n_resamples=99, rng=0), {}),
    "scan": (lambda: scan(np.vstack([X, Y]), K, rng=0), {}),
    "wealth": (lambda: Monitor(X, K, rng=0).update(Y), {}),
    "witness": (lambda: witness(X, Y, K), {}),
    "plane": (lambda: witness(Z, Z + 1, K), {}),
    "symbols": (lambda: KME(Delta()).embed(list("abracadabra")), {}),
    "gram": (lambda: K(X), {}),
    "losses": (lambda: {"KME": RNG.gamma(2.0, size=(5, 9)), "S-KMSE": RNG.gamma(1.0, size=(5, 9))}, {"x": LAMS[:5]}),
    "estimator": (lambda: SKMSE(K), {"X": X}),
    "bandwidths": (lambda: bandwidth_curve(X, Y, [0.5, 1.0], n_resamples=99, rng=0), {}),
    "blocks": (lambda: monk_mmd(X, Y, K, 3, rng=0), {"quantity": "blocks"}),
    "lepski": (lambda: lepski(X, Y, K, rng=0), {}),
    "sweep": (lambda: swept(loss, {"n": NS[:3], "lam": LAMS}), {}),
    "table": (lambda: swept(loss, {"n": NS, "lam": LAMS}), {}),
    "words": (lambda: swept(lambda how, seed: {"loss": float(seed % 7)}, {"how": ["a", "b"]}), {}),
    "lab": (lambda: TwoSampleLab(n=10, m=10, permutations="199").result(), {}),
}
every_thing = pytest.mark.parametrize("name", THINGS)


def of(name, **more):
    make, options = THINGS[name]
    return plot(make(), **options, **more)


def on_paper(name):
    """Return the axes of a plot in matplotlib, without those of its colour bars."""
    figure = hv.render(of(name, backend="matplotlib"), backend="matplotlib")
    return [axes for axes in figure.axes if axes.get_title()]


@pytest.mark.few(4)
@every_thing
def test_pages_and_files_draw_the_same_marks(name):
    make, options = THINGS[name]
    for each in drawing_of(make(), **options).panels:
        assert "<svg" in draw_standalone(each.picture, each.result)
        figure = BokehPicture(each.picture, each.result, Painter()).plot
        issues = check_integrity(figure.references())
        assert (issues.error, issues.warning) == ([], [])


@pytest.mark.few(4)
@pytest.mark.thorough(default=["test", "plane", "words"])
@every_thing
def test_matplotlib_has_the_titles_and_the_axes_of_bokeh(name):
    drawing = drawing_of(THINGS[name][0](), **THINGS[name][1])
    every = on_paper(name)
    assert len(every) == len(drawing.panels)
    for axes, each in zip(every, drawing.panels, strict=True):
        title, x, y = each.picture.axes(each.result)
        assert axes.get_title() == title
        assert (axes.get_xscale() == "log", axes.get_yscale() == "log") == (x.log, y.log)
        assert (axes.get_xlabel(), axes.get_ylabel()) == (x.title, y.title)


def test_bands_let_their_curves_through():
    (axes,) = on_paper("losses")
    bands = [each for each in axes.collections if to_hex(each.get_facecolor()[0]).upper() == colour("kme")]
    assert [each.get_facecolor()[0][3] for each in bands] == [0.18]


def test_a_witness_has_the_colours_of_its_signs():
    (axes,) = on_paper("witness")
    found = {to_hex(each.get_facecolor()[0]).upper() for each in axes.collections if len(each.get_facecolor())}
    assert {MORE, LESS} <= found


def test_no_line_is_there_that_is_no_mark():
    (axes,) = on_paper("scan")
    seen = [line for line in axes.lines if line.get_alpha() != 0 and len(np.unique(line.get_ydata())) > 1]
    assert {line.get_label() for line in seen} >= {"standardised MMD²"}
    assert not any(len(line.get_xdata()) == 2 and np.ptp(line.get_xdata()) > 0 for line in seen)


def test_the_legend_tells_lines_and_boxes():
    (axes,) = on_paper("test")
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words[0] == "99 permutations"
    assert any(each.startswith("observed") for each in words)


def test_another_backend_is_a_sentence():
    with pytest.raises(ValueError, match="backend must be one of bokeh"):
        plot(X[:, 0], x=X[:, 0], backend="plotly")
