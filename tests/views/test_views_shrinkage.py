"""The Shrinkage lab's pictures, read from their columns."""

import math

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.document.events import ColumnDataChangedEvent
from helpers.lab_pictures import columns
from helpers.lab_pictures import tables as lam_tables
from helpers.lab_pictures import view_of as ShrinkageView

from explorer import FKMSE, KME, SKMSE, Embedding, risk
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.marks.roles import ROLES, colour
from explorer.views.style import Painter

STATES = [
    {}, {"lam": 0.1}, {"lam": 0.0}, {"lam": math.inf}, {"lam": 0.0123}, {"n": 2, "d": 1}, {"n": 300, "d": 50},
    {"d": 1, "source": "gaussian"},
    {"kernel": "LIN", "source": "gaussian"}, {"kernel": "POLY3", "outliers": 5},
    {"outliers": 10, "kind": "heavy tail", "distance": 2000.0},
    {"source": "wine"}, {"source": "wdbc", "n": 200, "outliers": 3}, {"source": "wine", "standardise": False},
    {"bandwidth": 1e-3}, {"bandwidth": 1e3, "n": 100}, {"selection": "theorem-4"},
]  # fmt: skip
LAW_STATES = [f for f in STATES if f.get("source") not in ("wine", "wdbc")]


def of(**fields):
    return ShrinkageLab(**fields).result()


def in_document(view):
    """Return a document with a view's figures, and the list of its events."""
    doc, events = Document(), []
    for figure in (view.hero, view.figures["sample"], view.figures["filter"]):
        doc.add_root(figure)
    doc.on_change(events.append)
    return doc, events


def sent(view, events):
    """Return the (source, column) pairs in events."""
    names = {source.id: name for name, source in view.sources.items()}
    return {
        (names[e.model.id], c) for e in events if isinstance(e, ColumnDataChangedEvent) for c in e.cols or e.model.data
    }


# columns


@pytest.mark.parametrize("fields", LAW_STATES, ids=str)
def test_everything_drawn_is_finite(fields):
    for source, data in columns(of(**fields)).items():
        finite = (np.isfinite(column).all() for name, column in data.items() if name != "words")
        # some curves end with their panel, the others are separated by gaps
        assert source in ("objective", "law") or all(finite), source


def test_james_and_stein_s_loss_is_a_level_across_the_picture():
    result = of(source="gaussian", kernel="LIN", d=10)
    drawn = columns(result)["stein"]
    assert drawn["y"].tolist() == [result.stein.loss, result.stein.risk]
    assert list(drawn["words"]) == ["James-Stein", "James-Stein on average"]
    assert (
        columns(of(source="gaussian", kernel="LIN", d=3, mean=0.1))["stein"]["at"].max() < 1.6
    )  # James-Stein's is larger
    far = columns(of(source="gaussian", kernel="LIN", d=3, moved='{"0": [99, 99]}'))["stein"]
    assert list(far["words"]) == ["James-Stein"]  # there is no average for a sample that is not from the distribution
    assert len(columns(of())["stein"]["y"]) == 0


@pytest.mark.parametrize("fields", [f for f in STATES if f not in LAW_STATES], ids=str)
def test_a_table_draws_no_loss_no_best_and_no_law(fields):
    drawn = columns(of(**fields))
    for name in ("simple", "flexible"):
        assert np.isnan(drawn["curves"][f"{name}_loss"]).all()
        assert np.isfinite(drawn["curves"][f"{name}_score"]).all()
        for axis in "xy":
            assert np.isnan(drawn[name][axis]).tolist() == [True, False, False]  # best, chosen, current
    assert all(len(column) == 0 for column in drawn["law"].values())
    assert all(
        np.isfinite(column).all()
        for s in ("sample", "touched", "filter", "rug", "line")
        for column in drawn[s].values()
    )


@pytest.fixture(scope="module")
def shown():
    """Return a view that shows one result after the other, as a page's view does."""
    return ShrinkageView(of())


@pytest.mark.thorough(
    default=[
        "{'lam': inf}",
        "{'n': 2, 'd': 1}",
        "{'n': 300, 'd': 50}",
        "{'d': 1, 'source': 'gaussian'}",
        "{'kernel': 'LIN', 'source': 'gaussian'}",
        "{'source': 'wine'}",
    ]
)
@pytest.mark.parametrize("fields", STATES, ids=str)
def test_what_is_drawn_lies_in_its_frame(fields, shown):
    result, view = of(**fields), shown
    view.show(result)
    drawn = columns(result)
    for source, figure in (("simple", view.hero), ("flexible", view.hero), ("rug", view.figures["filter"])):
        x = drawn[source].get("x", drawn[source].get("gamma"))
        assert np.nanmin(x) >= figure.x_range.start > 0  # both axes are logarithmic
        assert np.nanmax(x) <= figure.x_range.end
        assert np.nanmin(drawn[source]["y"]) >= figure.y_range.start
        assert np.nanmax(drawn[source]["y"]) <= figure.y_range.end
    sample = view.figures["sample"]
    for axis, ends in (("x", sample.x_range), ("y", sample.y_range)):
        assert ends.start <= drawn["sample"][axis].min() <= drawn["sample"][axis].max() <= ends.end


def test_a_point_beyond_the_frame_stays_at_its_edge():
    result = of(n=40, outliers=6, distance=500.0)
    points, touched = (columns(result)[name] for name in ("sample", "touched"))
    near, far = result.X[:34], result.X[34:]
    low, high = result.box
    drawn = np.column_stack([points["x"], points["y"]])
    assert np.array_equal(drawn[34:], np.clip(far[:, :2], low, high))
    assert drawn[34:].tolist() == np.column_stack([touched["x"], touched["y"]]).tolist()
    assert ((drawn[34:] == low) | (drawn[34:] == high)).any(axis=1).all()
    assert np.array_equal(drawn[:34], near[:, :2])


@pytest.mark.thorough
def test_outliers_do_not_move_the_frame():
    for source in ("mixture", "gaussian"):
        boxes = [of(source=source, n=40, outliers=k, distance=500.0).box for k in (0, 6)]
        assert np.array_equal(*boxes)


def test_the_sample_fills_its_frame_which_stays_while_lam_moves():
    view = ShrinkageView(of())
    sample = view.figures["sample"]
    ends = [(each.start, each.end) for each in (sample.x_range, sample.y_range)]
    for axis, (low, high) in zip("xy", ends, strict=True):
        drawn = [columns(of())[source][axis] for source in ("sample", "law")]
        assert np.nanmax(np.concatenate(drawn)) - np.nanmin(np.concatenate(drawn)) > 0.85 * (high - low)
    view.show(of(lam=10.0))
    assert [(each.start, each.end) for each in (sample.x_range, sample.y_range)] == ends


def test_outlines_are_one_standard_deviation_of_each_component():
    result = of()
    at = np.column_stack(list(columns(result)["law"].values())).reshape(len(result.law.weights), -1, 2)
    for points, mean, covariance in zip(at, result.law.means, result.law.covariances, strict=True):
        assert np.isnan(points[-1]).all()  # a gap before the next curve
        off = points[:-1] - mean
        assert (off @ np.linalg.inv(covariance) * off).sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize(
    "fields",
    [{}, {"lam": 0.1}, {"kernel": "LIN", "lam": 0.05, "seed": 2}, {"kernel": "POLY2"}, {"source": "wine", "n": 60}],
    ids=str,
)
def test_areas_are_weights(fields):
    result = of(**fields)
    drawn, n = columns(result), len(result.X)
    size, unit = drawn["weights"]["size"], drawn["sample"]["unit"]
    absolute = result.flexible.lams[result.row] * result.kernel.diagonal(result.X).mean()
    share = n * FKMSE(result.kernel, absolute).embed(result.X).weights
    # two Gram matrices that differ by rounding give weights that agree to 1e-10 of the largest
    assert (size / unit) ** 2 == pytest.approx(np.abs(share), abs=1e-9 * np.abs(share).max())
    assert np.ptp(unit) == 0


def test_negative_weights_are_hollow():
    result = of(kernel="LIN", lam=0.05, n=60, seed=2)
    negative = result.flexible_curve.weights[result.row] < 0
    alpha = columns(result)["weights"]["alpha"]
    assert 0 < negative.sum() < len(negative)
    assert (alpha[negative] == 0).all()
    assert (alpha[~negative] > 0.5).all()


def test_the_curves_are_the_results_curves():
    result = of(lam=0.0123)
    curves = columns(result)["curves"]
    for name, path in (("simple", result.simple), ("flexible", result.flexible)):
        assert curves[f"{name}_loss"].tolist() == path.loss[:-1].tolist()
        assert curves[f"{name}_score"].tolist() == path.score[:-1].tolist()
    assert len(curves["lam"]) == len(LAMS) + 1
    assert (np.diff(curves["lam"]) > 0).all()


def test_the_dots_are_the_best_the_choice_and_here():
    result = of(lam=0.1)
    for name, path in (("simple", result.simple), ("flexible", result.flexible)):
        dots = columns(result)[name]
        assert dots["x"].tolist() == [path.best, path.chosen, 0.1]
        assert dots["y"].tolist() == [path.best_loss, path.loss[-1], path.loss[result.row]]
        assert dots["fill"][0] == 0 < dots["fill"][1]  # hollow, because users cannot know it


def test_the_filter_is_what_both_estimators_keep():
    result = of(lam=0.1)
    drawn = columns(result)
    gamma = drawn["filter"]["gamma"]
    assert drawn["filter"]["h"] == pytest.approx(gamma / (gamma + 0.1), rel=1e-12)
    assert drawn["level"]["y"] == pytest.approx([1 / 1.1], rel=1e-12)


def test_every_eigenvalue_has_its_tick():
    result = of(n=40)
    gamma = np.linalg.eigvalsh(result.kernel(result.X))
    drawn = columns(result)["rug"]["gamma"]
    # on an axis of seven decades: rounding of the small eigenvalues lies beyond its end
    assert np.sort(drawn) == pytest.approx(np.clip(np.sort(gamma), 1e-4, 1e3), rel=1e-9)


# the slider's table


def test_a_lam_of_ones_own_has_a_row_of_its_own():
    own, grid = of(lam=0.0123), of(lam=0.0125)
    a, b = lam_tables(own), lam_tables(grid)
    for key in (key for key in b if b[key].size):  # a hidden picture has no rows
        assert len(a[key]) == len(b[key]) + 1 == len(LAMS) + 2
        # a batch of one more λ may round its products differently
        assert np.delete(a[key], own.row, axis=0) == pytest.approx(b[key], rel=1e-9, abs=1e-12, nan_ok=True)


# results shown one after the other


def seen():
    """Only visible columns that depend on λ are sent."""
    return {key for key, table in ShrinkageView(of()).tables(of()).items() if table.shape[1]}


def shows(view, doc, result, overdrawn=False):
    """After `show`, the sources equal those of a new view."""
    view.show(result, overdrawn)
    for name, data in view.columns(result).items():
        assert set(view.sources[name].data) == set(data)
        assert all(np.array_equal(view.sources[name].data[c], v, equal_nan=True) for c, v in data.items()), name


def test_a_bandwidth_move_is_few_messages_of_changed_columns():
    lab = ShrinkageLab(n=200)
    view = ShrinkageView(lab.result())
    doc, events = in_document(view)
    for bandwidth in (0.4, 0.5, 1.0):
        before = view.columns(lab.result())
        lab.bandwidth = bandwidth
        events.clear()
        shows(view, doc, lab.result())
        after = view.columns(lab.result())
        changed = {
            (s, c) for s in after for c in after[s] if not np.array_equal(after[s][c], before[s][c], equal_nan=True)
        }
        assert sent(view, events) == changed
        assert ("sample.sample", "x") not in changed
        assert len(events) <= 16


def test_after_the_browser_drew_by_itself_all_it_may_have_drawn_over_is_sent():
    view = ShrinkageView(of())
    doc, events = in_document(view)
    shows(view, doc, of(), overdrawn=True)
    assert sent(view, events) == seen()
    events.clear()
    shows(view, doc, of())
    assert events == []
    shows(view, doc, of(bandwidth=0.5), overdrawn=True)
    assert seen() <= sent(view, events)


# colours


def luminance(hex_colour):
    """Return the relative luminance as WCAG 2.2 defines it."""
    parts = [int(hex_colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return np.dot(
        [0.2126, 0.7152, 0.0722], [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    )


@pytest.mark.parametrize("dark", [False, True])
def test_strokes_stand_out_from_their_ground(dark):
    ground = luminance(colour("ground", dark))
    for role in set(ROLES) - {"ground"}:
        low, high = sorted([luminance(colour(role, dark)), ground])
        assert (high + 0.05) / (low + 0.05) >= 3, role  # WCAG 2.2, 1.4.11: graphics need 3:1


def test_a_painter_remembers_what_it_painted():
    paint, span = Painter(), ShrinkageView(of()).hero.renderers[-4].glyph  # a reference line
    assert paint(span, "truth", "line_color") is span
    assert paint.painted == [(span, "line_color", "truth")]
    assert span.line_color == colour("truth")


# the secondary pictures


def test_the_risk_is_the_exact_risk_in_two_parts():
    result = of(n=30, bandwidth=0.5)
    drawn, plain = columns(result)["risk"], risk(KME(result.kernel), result.law, 30)
    alpha = 1 - 1 / (1 + np.array(LAMS))
    assert drawn["variance"] == pytest.approx((1 - alpha) ** 2)
    bias = alpha**2 * result.law.embed(result.kernel).norm() ** 2 / plain
    low = drawn["total"] < 14  # larger values are outside the picture
    # the difference of |μ|^2 in two roundings, relative to a small Δ
    assert (drawn["total"] - drawn["variance"])[low] == pytest.approx(bias[low], rel=1e-9)
    whole = [risk(SKMSE(result.kernel, lam), result.law, 30) / plain for lam in LAMS[:40:8]]
    assert drawn["total"][:40:8] == pytest.approx(np.array(whole), rel=1e-9)


@pytest.mark.parametrize(
    "fields", [{"source": "wine", "n": 40}, {"outliers": 3, "n": 40}, {"moved": '{"1":[0,0]}'}], ids=str
)
def test_where_no_risk_is_known_none_is_drawn(fields):
    assert all(len(column) == 0 for column in columns(of(**fields))["risk"].values())


def test_coefficients_are_lengths_along_the_eigenfunctions():
    result = of(n=12, d=2, lam=0.5)
    drawn, K = columns(result)["coefficients"], result.kernel(result.X)
    gamma, U = np.linalg.eigh(K)
    mean = Embedding(result.kernel, result.X, np.full(12, 1 / 12))
    shown = 0
    for i in range(12):
        v = Embedding(result.kernel, result.X, U[:, i] / np.sqrt(gamma[i]))
        for name, estimate in (
            ("before", mean),
            ("simple", SKMSE(result.kernel, 0.5).embed(result.X)),
            ("flexible", FKMSE(result.kernel, 0.5).embed(result.X)),
        ):
            share = abs(estimate.inner(v)) / mean.norm()
            if share > 2e-3:  # smaller values are outside the picture
                assert drawn[name][i] == pytest.approx(share, rel=1e-6)  # v is divided by a small sqrt(γ)
                shown += 1
    assert shown > 12


def test_the_papers_lams_are_multiples_of_the_smallest_eigenvalue():
    result = of(n=10, bandwidth=0.5)
    drawn = columns(result.lab.replace(multiples=True).result())["gamma0"]
    assert len(columns(result)["gamma0"]["c"]) == 0  # only on request
    smallest = np.linalg.eigvalsh(result.kernel(result.X))[0] / result.scale
    assert len(drawn["c"]) > 1
    assert drawn["x"] == pytest.approx(drawn["c"] * smallest, rel=1e-9)
    singular = of(kernel="LIN", n=30, d=2)
    assert singular.gamma0 == pytest.approx(np.linalg.svd(singular.X)[1].min() ** 2 / singular.scale, rel=1e-9)
