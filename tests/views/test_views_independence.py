"""The Independence lab's pictures.

Columns that follow a result, tables that a browser may draw from, and ranges that stay.
"""

import numpy as np
import pytest
from bokeh.models.glyphs import Image
from helpers.lab_pictures import columns, view_of, with_deferred
from helpers.lab_pictures import tables as sigma_tables

from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.figures import NULL, null_of_pairs
from explorer.labs.independence.result import CELLS, Fresh
from explorer.workbench.numbers import format_number
from explorer.workbench.pairs import ACROSS, ALONG, WIDE

SMALL = {"n": 20, "permutations": "199"}


@pytest.fixture(scope="module")
def ring():
    lab = IndependenceLab(shuffle=5, placed="[[0.25, 0.5], [9, -9]]", selected=2, moved='{"3": [1, 1]}', **SMALL)
    return lab.result(wait=True)


@pytest.fixture(scope="module")
def blank():
    return IndependenceLab(source="drawn", placed="[[0, 1]]").result()


def test_tables_hold_the_columns_of_every_sigma(ring):
    tables = sigma_tables(ring)
    for row in (0, 7, 21):
        there = columns(ring.at(ring.stops[row]))
        for (source, column), table in tables.items():
            assert len(table) == len(ring.stops)
            if column not in ("top", "tail", "gamma"):  # their height depends on the picture's height
                assert np.array_equal(there[source][column], table[row], equal_nan=True), (source, column)


def test_bars_are_the_shuffles_and_their_tail_is_p(ring):
    null = columns(ring)["null"]
    assert null["top"].sum() == pytest.approx(1)
    assert null["tail"].sum() * 199 == pytest.approx(ring.trial.reached)
    assert (null["left"][0], null["right"][-1]) == (NULL.low, NULL.high)
    # the bars of the gamma law sum to its mass inside the picture
    assert 0.98 < null["gamma"].sum() <= 1 + 1e-12
    assert len({len(column) for column in null.values()}) == 1
    mean, spread = ring.test.scale
    assert null["x"][0] == pytest.approx((ring.test.statistic - mean) / spread)
    assert null["one"][0] == pytest.approx((ring.test.null_distribution[4] - mean) / spread)
    assert np.isnan(null["x"][1:]).all()


def test_what_lies_beyond_the_axis_has_a_triangle():
    far = IndependenceLab(source="line", n=60, permutations="199").result()
    assert far.standardised > NULL.high
    null = columns(far)["null"]
    assert null["beyond"][0] > 0
    assert null["x"][0] < NULL.high
    none = columns(IndependenceLab(source="none", **SMALL).result())["null"]
    assert none["beyond"][0] == 0


def test_pairs_lie_in_the_picture_and_each_where_it_belongs(ring):
    drawn, pairs = columns(ring), ring.pairs
    assert len(drawn["sample"]["x"]) == 20
    assert np.array_equal(drawn["placed"]["x"], [0.25, WIDE * pairs.frame[2]])
    assert np.array_equal(drawn["placed"]["y"], [0.5, -WIDE * pairs.frame[3]])
    assert (drawn["chosen"]["x"], drawn["chosen"]["y"]) == (drawn["placed"]["x"][1:], drawn["placed"]["y"][1:])
    assert (drawn["moved"]["x"].tolist(), drawn["moved"]["y"].tolist()) == ([1], [1])
    # the shuffle re-pairs the same values
    assert np.sort(pairs.Y[ring.order, 0]) == pytest.approx(np.sort(pairs.Y[:, 0]))
    assert np.array_equal(drawn["shuffled"]["x"], np.concatenate([drawn["sample"]["x"], drawn["placed"]["x"]]))


def test_the_ground_lies_under_the_picture_and_its_rows_run_from_below(ring):
    field, ground = columns(ring)["field"]["w"], columns(ring)["ground"]
    x, y = ring.pairs.axes
    assert np.abs(field).max() == 1
    assert field.reshape(ACROSS, ALONG)[3, 5] == pytest.approx(
        ring.trial.shape.field[3 * ALONG + 5] / np.abs(ring.trial.shape.field).max()
    )
    assert ground["x"][0] + ground["dw"][0] / ALONG / 2 == pytest.approx(x[0])
    assert ground["y"][0] + ground["dh"][0] * (1 - 0.5 / ACROSS) == pytest.approx(y[-1])
    cells = columns(ring)["cells"]["w"].reshape(CELLS, CELLS)
    assert np.array_equal(cells[::-1], ring.trial.cells.reshape(CELLS, CELLS))


def test_the_leading_pair_is_drawn_by_its_largest_value(ring):
    pair = columns(ring)["pair"]
    assert np.abs(pair["f"]).max() == np.nanmax(np.abs(pair["g"])) == 1
    assert np.isfinite(pair["across"]).sum() == np.isfinite(pair["g"]).sum() == ACROSS


def test_measures_are_dots_with_what_chance_reaches(ring):
    drawn, trial = columns(ring)["measures"], ring.trial
    assert drawn["value"][:3].tolist() == [abs(ring.pearson.value), ring.distance.value, trial.correlation]
    assert drawn["limit"][:3].tolist() == [each.limit(0.05) for each in (ring.pearson, ring.distance, trial)]
    assert np.isnan(drawn["value"][3])  # mutual information has a picture of its own
    assert np.isnan(columns(IndependenceLab(**SMALL).result())["measures"]["value"][1])
    known = IndependenceLab(picture="measures", **SMALL).result(wait=True)
    drawn, told = columns(known)["measures"], known.information
    assert (drawn["value"][3], drawn["limit"][3]) == (told.correlation, told.limit(0.05))


def test_ranks_have_a_bound_above_the_gap():
    drawn = columns(IndependenceLab(picture="ranks", rank=3, **SMALL).result())
    assert (drawn["ranks"]["bound"] >= drawn["ranks"]["gap"]).all()
    assert drawn["rank"]["x"] == [3]
    assert drawn["rank"]["bound"] == drawn["ranks"]["bound"][3]


def test_power_has_intervals_and_squares(ring):
    lab = IndependenceLab(picture="power", n=12, samples=50, permutations="199")
    power = lab.work().finish("power")
    drawn = columns(with_deferred(lab, power=power, fresh=Fresh(50, 40, 5, 3)))
    assert (drawn["power"]["low"] <= drawn["power"]["hsic"]).all()
    assert (drawn["power"]["hsic"] <= drawn["power"]["high"]).all()
    squares = drawn["squares"]
    assert squares["y"].tolist() == [3 / 50, 40 / 50]
    assert squares["fill"].tolist() == [0, 1]
    assert (squares["low"] < squares["y"]).all()
    assert len(columns(with_deferred(lab.replace(), fresh=Fresh(50, None, None, 3)))["squares"]["x"]) == 1


def test_columns_have_names_beside_their_dots():
    lab = IndependenceLab(source="wine", picture="columns", **SMALL)
    lab.work().finish("columns")
    result = lab.result()
    drawn = columns(result)
    assert np.array_equal(drawn["columns"]["x"], result.columns.correlation[:8])
    assert (
        drawn["named"]["words"][0] == f"{result.columns.names[0]}, p = {format_number(float(result.columns.pvalue[0]))}"
    )
    left = drawn["named"]["x"] > 0.5
    assert set(drawn["named"]["align"][left]) <= {"right"}
    assert (drawn["named"]["offset"][left] < 0).all()
    assert (drawn["columns"]["fill"] == (result.columns.pvalue[:8] <= 0.05)).all()


def test_a_canvas_without_pairs_enough_is_blank(blank):
    drawn = columns(blank)
    assert drawn["placed"]["x"].tolist() == [0]
    assert np.isnan(drawn["null"]["top"]).all()
    assert not drawn["field"]["w"].any()
    assert len(drawn["null"]["top"]) == NULL.bins
    assert {k: t.shape[1] for k, t in sigma_tables(blank).items()} == {
        k: t.shape[1] for k, t in sigma_tables(IndependenceLab(**SMALL).result()).items()
    }
    assert len(null_of_pairs.pinned_data(blank)["observed"]["x"]) == 0


def test_an_image_that_was_hidden_is_the_present_one_when_it_is_first_seen():
    view = view_of(IndependenceLab(**SMALL).result())
    later = IndependenceLab(noise=0.5, picture="gram", **SMALL).result()
    view.show(later)
    (image,) = (each.glyph for each in view.figures["gram"].renderers if isinstance(each.glyph, Image))
    drawn_from = image.image.transform.args["source"]
    assert drawn_from is view.sources["gram.cells"]
    assert np.array_equal(drawn_from.data["w"], columns(later)["cells"]["w"])


def test_ranges_stay_while_sigma_moves_and_with_little_noise(ring):
    view, ends = view_of(ring), []
    for sigma in (0.0, 0.2, 0.4):
        view.show(ring.at(sigma))
        ends.append((view.hero.x_range.end, view.hero.y_range.end, view.figures["null"].x_range.end))
    assert len(set(ends)) == 1
    assert NULL.top(ring.test) in NULL.tops
    frames = [IndependenceLab(noise=noise, **SMALL).result().pairs.frame for noise in (0.02, 0.1, 0.2)]
    assert len(set(frames)) == 1
    assert IndependenceLab(noise=1.0, **SMALL).result().pairs.frame > frames[0]


def test_the_words_of_a_picture_are_the_columns_of_the_table():
    wine = IndependenceLab(source="wine", picture="columns", **SMALL).result(wait=True)
    view = view_of(wine)
    assert view.hero.xaxis.axis_label == "flavanoids"
    assert view.figures["columns"].title.text.endswith("on color_intensity")
