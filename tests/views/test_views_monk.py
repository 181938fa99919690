"""The MONK lab's pictures, read from their columns."""

import numpy as np
import pytest
from helpers.lab_pictures import columns, view_of

from explorer.estimators.medianofmeans.bound import deviation_bound
from explorer.labs.monk import MonkLab
from explorer.labs.monk import result as shown
from explorer.labs.monk.figures import LIMITS, cliff, limit_of, quantiles, top_error
from explorer.labs.monk.means import LEVELS
from explorer.labs.monk.result import CANVAS
from explorer.marks.axes import signed_log, signed_log_ticks
from explorer.marks.blocks import BlockMeans, strip_of_blocks
from explorer.marks.curves_over_counts import HIGHEST, apart
from explorer.marks.errors import LEAST
from explorer.views.bokeh_picture import CLEAR, FAINT

STATES = [
    {},
    {"outliers": 0},
    {"n": 20, "blocks": 3},
    {"blocks": 43},
    {"kernel": "RBF", "d": 3},
    {"kernel": "POLY3", "distance": 2000.0},
    {"laws": "pareto", "n": 300},
    {"placed": "[[12,1.5],[-40,0.2],[60,0.9]]", "selected": 2},
    {"method": "bcd"},
    {"method": "bcd-fast", "picture": "steps", "iteration": 12},
    {"picture": "quantiles"},
    {"picture": "embedding", "n": 60},
    {"picture": "estimates", "n": 60, "outliers": 1, "distance": 2000.0},
    {"planted": "P"},
    {"planted": "Q", "outliers": 1},
    {"blocks": 1, "n": 2, "outliers": 1},
]


def of(**fields):
    return MonkLab(**fields).result()


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(shown, "SAMPLES", {"cliff": 3, "quantiles": 3})


def studied(**fields):
    return MonkLab(n=60, **fields).result(wait=True)


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_columns_have_one_length_and_lie_within_their_axes(fields):
    result = of(**fields)
    end = signed_log(limit_of(result))
    for source, data in columns(result).items():
        assert len({np.shape(column) for column in data.values()}) == 1, source
        assert all(np.ndim(column) == 1 for column in data.values()), source
    drawn = columns(result)
    for source in ("P", "Q", "placed", "planted", "selected", "off", "far"):
        column = drawn[source]["x"]
        assert ((CANVAS[0] <= column) & (column <= CANVAS[1]) | np.isnan(column)).all()
    for name in ("clean", "bad", "right"):
        column = drawn["cells"][name]
        assert ((0 <= column) & (column <= 1) | np.isnan(column)).all()
    for source in ("values", "bad_values", "median", "U", "monk", "fast", "truth"):
        column = drawn[source]["x"]
        assert ((np.abs(column) <= end) | np.isnan(column)).all()
    own = [v for v in drawn["step"]["y"]] if fields.get("picture") == "steps" else []
    assert all(np.isfinite(own))


def test_every_pair_is_drawn_once():
    result = of(placed="[[12,1.5],[-4,0.2]]")
    drawn = columns(result)
    for name, points in (("P", result.pairs.X), ("Q", result.pairs.Y)):
        assert np.array_equal(
            drawn[name]["x"], np.where(result.pairs.contaminated, np.nan, points[:, 0]), equal_nan=True
        )
    assert drawn["planted"]["x"].tolist() == [10.0] * 5 + [20.0] * 5
    assert drawn["placed"]["x"].tolist() == [12, -4]
    assert (drawn["P"]["y"] > 1).all()
    assert (drawn["Q"]["y"] < 1).all()


def test_what_lies_beyond_the_canvas_is_an_arrow_to_that_side():
    drawn = columns(of(placed="[[60,1.5],[-40,0.2],[3,0.3]]", selected=1, outliers=2, distance=2000.0))
    low, high = CANVAS
    assert drawn["off"]["x"].tolist() == [high, low, high, high, high, high]
    assert np.sign(drawn["off"]["angle"]).tolist() == [-1, 1, -1, -1, -1, -1]
    assert drawn["placed"]["size"].tolist() == [0, 0, 14]
    assert drawn["selected"]["x"].tolist() == [high]


@pytest.mark.parametrize("fields", [{}, {"blocks": 43}, {"n": 50, "blocks": 7}, {"method": "bcd"}], ids=str)
def test_a_cell_holds_the_rows_of_its_block_at_every_stop(fields):
    """The pointer highlights the rows whose position in the order of blocks lies within a cell."""
    result = of(**fields)
    place = columns(result)["rows"]["place"]
    for row in range(len(result.stops)) if result.answers else [result.row]:
        cells, estimate = strip_of_blocks.at(result, row), result.estimate_at(row)
        by_mean = np.argsort(estimate.block_values, kind="stable")
        for k, block in enumerate(by_mean):
            first, end = cells["cells", "first"][k], cells["cells", "end"][k]
            lit = np.flatnonzero((first <= place) & (place < end))
            assert lit.tolist() == sorted(estimate.blocks[block].tolist())


def test_cells_are_the_blocks_in_the_order_of_their_means():
    result = of()
    drawn, bad = columns(result), result.contaminated_blocks()
    order = np.argsort(result.estimate.block_values, kind="stable")
    assert np.isfinite(drawn["cells"]["bad"][:11]).tolist() == bad[order].tolist()
    assert np.isfinite(drawn["cells"]["clean"][:11]).tolist() == (~bad[order]).tolist()
    assert np.isnan(drawn["cells"]["right"][11:]).all()
    assert drawn["middle"]["left"] < 0.5 < drawn["middle"]["right"]
    values = np.sort(np.append(drawn["values"]["x"], drawn["bad_values"]["x"]))
    assert values[:11] == pytest.approx(np.sort(signed_log(result.estimate.block_values)))
    assert drawn["median"]["x"] == pytest.approx(signed_log(np.sort(result.estimate.block_values)[[5]]))
    assert drawn["median"]["y"] == [0.5]


def test_the_u_statistic_is_drawn_with_its_sign_and_a_negative_one_says_so():
    negative, positive = columns(of(outliers=1, distance=2000.0))["U"], columns(of())["U"]
    assert negative["x"][0] == signed_log(of(outliers=1, distance=2000.0).u_mmd) < -4
    assert negative["words"][0] == "MMD² = −3.2 × 10⁹ < 0: no root"
    assert positive["x"][0] == signed_log(of().u_mmd) > 0
    assert positive["words"][0] == "U-statistic"


def test_every_estimate_has_a_row_from_the_truth_to_where_it_lies():
    result = of(picture="estimates")
    drawn, names = columns(result), ("U-statistic", "plain average", "MONK", "geometric", "Huber", "Hampel")
    values = {"U-statistic": result.u_mmd, "MONK": result.estimate.value, **result.rivals}
    for name in names:
        assert drawn[name]["x"] == pytest.approx(signed_log([values[name]]))
        assert drawn[name]["from"] == signed_log([result.truth])
        assert f"{values[name]:.3g}" in drawn[name]["words"][0]
    assert len({float(drawn[name]["y"][0]) for name in names}) == len(names)
    negative = columns(of(picture="estimates", outliers=1, distance=2000.0))
    assert "no root" in negative["U-statistic"]["words"][0]
    assert negative["U-statistic"]["x"][0] < 0
    assert len(columns(of())["Huber"]["x"]) == 0


def test_words_at_curves_are_pushed_apart_in_their_order():
    assert apart([0.2, 0.21, 0.9], 0.1) == pytest.approx([0.2, 0.3, 0.9])
    assert apart([0.99, 0.98, 0.1], 0.05) == pytest.approx([HIGHEST, HIGHEST - 0.05, 0.1])
    assert len(apart([], 0.1)) == 0
    rng = np.random.default_rng(0)
    for _ in range(20):
        places = rng.random(8)
        moved = apart(places, 0.1)
        assert (np.argsort(moved) == np.argsort(places)).all()
        assert (np.diff(np.sort(moved)) >= 0.1 - 1e-12).all()
        assert moved.max() <= HIGHEST


def test_a_late_picture_keeps_its_last_curves_and_steps_back_until_the_next_are_there(few):
    lab = MonkLab(n=60)
    view = view_of(lab.result())
    cliff = view.pictures["cliff"]
    assert cliff.plot.styles == FAINT
    assert "being drawn" in cliff.plot.title.text
    view.show(lab.result(wait=True))
    assert cliff.plot.styles == CLEAR
    old = np.array(cliff.sources["line_U"].data["middle"])
    lab.distance = 20.0
    view.show(lab.result())
    assert cliff.plot.styles == FAINT
    assert np.array_equal(cliff.sources["line_U"].data["middle"], old)
    view.show(lab.result(wait=True))
    assert cliff.plot.styles == CLEAR
    assert not np.array_equal(cliff.sources["line_U"].data["middle"], old)


def test_the_signed_log_axis():
    at = np.array([-1e6, -1.0, 0.0, 1.0, 1e6])
    assert signed_log(at) == pytest.approx(-signed_log(at)[::-1])
    assert (np.diff(signed_log(at)) > 0).all()
    for top in LIMITS:
        words = signed_log_ticks(top)
        assert words[0] == "0"
        assert max(words) <= signed_log(top) + 1e-12
        assert len(words) <= 7
        assert all(words[-place] == f"−{word}" for place, word in words.items() if place > 0)
    assert limit_of(of(kernel="RBF")) == 1
    assert limit_of(of()) == limit_of(of(seed=5)) == 100


def test_the_cliff_and_the_quantiles(few):
    for kernel in ("POLY2", "RBF"):
        result = studied(kernel=kernel)
        for name in ("U", 5, 11, 21):
            line = cliff.data(result)[f"line_{name}"]
            assert line["x"].tolist() == list(shown.COUNTS)
            assert (line["low"] <= line["middle"]).all()
            middle = np.clip(np.median(result.study.errors[name], axis=0), LEAST, top_error(result))
            assert line["middle"] == pytest.approx(middle)
            assert len(cliff.data(result)[f"name_{name}"]["words"]) == 1
    result = studied(picture="quantiles", outliers=0)
    drawn = quantiles.data(result)
    for name in ("KME", 11, 21, "geometric", "Huber", "Hampel"):
        errors = drawn[f"line_{name}"]["middle"]
        assert errors.tolist() == sorted(np.clip(result.study.errors[name], LEAST, None).tolist())[: len(errors)]
    assert (np.diff(drawn["line_11"]["x"]) > 0).all()  # rarer errors are larger
    bound = deviation_bound(result.P, result.pairs.kernel, 60, np.exp(-LEVELS))
    assert drawn["bound"]["y"] == pytest.approx(bound[np.isfinite(bound)])
    assert drawn["vacuous"]["left"][0] < 0.2
    assert "863" in drawn["vacuous"]["words"][0]


def test_a_move_makes_one_row_and_only_a_table_for_the_browser_all(monkeypatch):
    rows, at = [], BlockMeans.at
    monkeypatch.setattr(BlockMeans, "at", lambda self, result, row: rows.append(row) or at(self, result, row))
    result = of()
    view = view_of(result)
    view.show(of(distance=20.0))
    assert set(rows) == {result.row}
    view.tables(result)
    assert set(rows) == set(range(len(result.stops)))


def test_ranges_stay_while_q_and_outliers_move_and_follow_how_far_they_reach():
    view = view_of(of())
    axis = view.figures["values"].x_range
    before = (axis.start, axis.end)
    for fields in ({"blocks": 41}, {"outliers": 12}, {"seed": 4}, {"partition": 9}):
        view.show(of(**fields))
        assert (axis.start, axis.end) == before
    view.show(of(distance=2000.0))
    assert axis.end > before[1]
