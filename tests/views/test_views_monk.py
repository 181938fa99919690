"""The MONK lab's pictures, read from their columns."""

import numpy as np
import pytest
from picturing import columns, view_of

from explorer.estimators.medianofmeans.bound import deviation_bound
from explorer.labs.monk import MonkLab, cost
from explorer.labs.monk import result as shown
from explorer.labs.monk.figures import LEAST_ERROR, LIMITS, X_RANGE, Blocks, limit_of, top_error
from explorer.labs.monk.result import LEVELS
from explorer.views.style import signed_log, signed_log_ticks

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
    {"planted": "P"},
    {"planted": "Q", "outliers": 1},
    {"blocks": 1, "n": 2, "outliers": 1},
]


def of(**fields):
    return MonkLab(**fields).result()


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(cost, "SAMPLES", {"cliff": 3, "quantiles": 3})


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
    for source in ("P", "Q", "placed", "planted", "selected", "off", "far", "cells", "bad_cells"):
        for name in {"x", "left", "right"} & set(drawn[source]):
            column = drawn[source][name]
            assert ((X_RANGE[0] <= column) & (column <= X_RANGE[1]) | np.isnan(column)).all()
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
    assert drawn["off"]["x"].tolist() == [26, -10, 26, 26, 26, 26]
    assert np.sign(drawn["off"]["angle"]).tolist() == [-1, 1, -1, -1, -1, -1]
    assert drawn["placed"]["size"].tolist() == [0, 0, 14]
    assert drawn["selected"]["x"].tolist() == [26]


def test_cells_and_votes_are_the_blocks():
    result = of()
    drawn, bad = columns(result), result.contaminated_blocks()
    assert np.isfinite(drawn["bad_cells"]["left"]).sum() == bad.sum()
    assert np.isfinite(drawn["cells"]["left"]).sum() == (~bad).sum()
    width = X_RANGE[1] - X_RANGE[0]
    assert (drawn["votes"]["right"][0] - X_RANGE[0]) / width == pytest.approx((~bad).mean())
    assert np.isnan(columns(of(outliers=0))["bad_votes"]["left"]).all()
    values = np.sort(np.append(drawn["values"]["x"], drawn["bad_values"]["x"]))
    assert values[:11] == pytest.approx(np.sort(signed_log(result.estimate.block_values)))
    assert drawn["median"]["x"] == pytest.approx(signed_log(np.sort(result.estimate.block_values)[[5]]))
    assert drawn["median"]["y"] == [0.5]


def test_the_u_statistic_is_drawn_with_its_sign():
    negative = of(outliers=1, distance=2000.0)
    assert columns(negative)["U"]["x"][0] == signed_log(negative.u_mmd) < -4


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
            line = columns(result)[f"cliff_{name}"]
            assert line["x"].tolist() == list(shown.COUNTS)
            assert (line["low"] <= line["middle"]).all()
            assert line["middle"] == pytest.approx(
                np.clip(np.median(result.study.errors[name], axis=0), LEAST_ERROR, top_error(limit_of(result)))
            )
    result = studied(picture="quantiles", outliers=0)
    drawn = columns(result)
    assert drawn["rank_KME"]["y"].tolist() == sorted(result.study.errors["KME"].tolist())
    assert (np.diff(drawn["rank_11"]["x"]) > 0).all()  # rarer errors are larger
    bound = deviation_bound(result.P, result.pairs.kernel, 60, np.exp(-LEVELS))
    assert drawn["bound"]["y"] == pytest.approx(bound[np.isfinite(bound)])
    assert drawn["vacuous"]["left"][0] < 0.2
    assert "863" in drawn["vacuous"]["words"][0]


def test_a_move_makes_one_row_and_only_a_table_for_the_browser_all(monkeypatch):
    rows, at = [], Blocks.at
    monkeypatch.setattr(Blocks, "at", classmethod(lambda cls, result, row: rows.append(row) or at(result, row)))
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
