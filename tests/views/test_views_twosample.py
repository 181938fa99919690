"""The Two-sample lab's pictures.

Columns that follow a result, tables that a browser may draw from, and ranges that stay.
"""

import numpy as np
import pytest
from helpers.lab_pictures import columns, view_of

from explorer.datasets import read_tables
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.figures import PICTURES
from explorer.labs.twosample.verdict import reached
from explorer.marks.nulls import DEVIATIONS
from explorer.views.shading import GROUNDS

SMALL = {"n": 15, "m": 20, "permutations": "199"}


@pytest.fixture(scope="module")
def plane():
    return TwoSampleLab(**SMALL).result(wait=True)


@pytest.fixture(scope="module")
def line():
    return TwoSampleLab(**SMALL, d=1, source="moments", size=3.0).result(wait=True)


@pytest.fixture(scope="module")
def polynomial():
    return TwoSampleLab(**SMALL, kernel="POLY2", picture="x-ray").result(wait=True)


def test_under_a_polynomial_kernel_all_rows_are_the_same_but_for_the_line(polynomial):
    for result in (polynomial, polynomial.lab.replace(picture="bandwidths").result(wait=True)):
        for name, table in view_of(result).tables(result).items():
            assert len(table) == len(polynomial.stops)
            assert name == ("bandwidths.here", "x") or np.array_equal(table[0], table[-1], equal_nan=True)


def test_bars_are_the_shuffles_and_their_tail_is_p(plane):
    drawn = columns(plane)
    assert drawn["null"]["top"].sum() == pytest.approx(1)
    assert drawn["null"]["tail"].sum() * 199 == pytest.approx(reached(plane))
    assert (drawn["null"]["tail"] <= drawn["null"]["top"]).all()
    assert drawn["null"]["left"][0] == DEVIATIONS.low
    assert drawn["null"]["right"][-1] == DEVIATIONS.high


def test_what_lies_beyond_the_axis_has_a_triangle():
    far = TwoSampleLab(**SMALL, size=9.0).result()
    assert far.standardised > DEVIATIONS.high
    assert columns(far)["observed"]["beyond"][0] > 0
    assert columns(far)["observed"]["x"][0] < DEVIATIONS.high
    assert columns(TwoSampleLab(**SMALL).result())["observed"]["beyond"][0] == 0


def test_a_line_has_a_curve_and_a_plane_has_a_field(plane, line):
    flat, curved = columns(plane), columns(line)
    assert len(flat["field"]["w"]) == len(plane.places)
    assert len(flat["ground"]["x"]) == 1
    assert len(flat["curve"]["w"]) == len(curved["field"]["w"]) == len(curved["ground"]["x"]) == 0
    assert len(curved["curve"]["w"]) == len(curved["curve"]["x"]) == len(line.places)
    assert abs(curved["curve"]["w"]).max() == abs(flat["field"]["w"]).max() == 1
    assert np.array_equal(curved["curve"]["up"] + curved["curve"]["down"], curved["curve"]["w"])
    n = SMALL["n"]
    assert curved["P"]["y"].min() > 1.1 > -1.1 > curved["Q"]["y"].max()
    assert len(flat["P"]["x"]) == n


def test_the_x_rays_area_is_the_part_that_the_kernel_hears(plane):
    x = columns(plane)["xray"]
    assert (x["product"] <= x["difference"] * (1 + 1e-12)).all()
    # on a logarithmic axis all bandwidths give the same area, so that the picture compares them
    wide, narrow = (columns(plane.at(b))["xray"]["window"] for b in (2.0, 0.5))
    assert wide.sum() == pytest.approx(narrow.sum(), rel=0.02)  # the axis leaves out one or two percent of the window


def test_moments_that_are_not_compared_have_no_bar(polynomial):
    y = columns(polynomial)["moments"]["y"]
    assert y[:2].sum() == pytest.approx(1)
    assert y[2:].tolist() == [0, 0]


def test_outliers_are_crossed_and_stay_at_the_edge():
    drawn = columns(TwoSampleLab(**SMALL, outliers=2, moved_p='{"3": [0.5, -1.0]}').result())
    assert len(drawn["touched"]["x"]) == 3
    assert [0.5, -1.0] in np.column_stack([drawn["P"]["x"], drawn["P"]["y"]]).tolist()
    assert abs(drawn["Q"]["x"]).max() < 6


def test_ranges_stay_while_the_bandwidth_moves(plane):
    view = view_of(plane)
    ends = []
    for bandwidth in (0.5, 1.0, 2.0):
        view.show(plane.at(bandwidth))
        ends.append(
            (
                view.figures["null"].y_range.end,
                view.figures["null"].x_range.start,
                view.figures["x-ray"].y_range.end,
                *(end for each in (view.hero.x_range, view.hero.y_range) for end in (each.start, each.end)),
            )
        )
    assert len(set(ends)) == 1
    assert ends[0][0] in DEVIATIONS.tops


def test_the_samples_are_the_hero_and_fill_their_frame(plane, line):
    """Each axis ends just beyond the points, whatever its unit; outliers and moved points do not stretch it."""
    view = view_of(plane)
    assert view.hero is view.figures["plane"]
    for result in (plane, line):
        drawn = columns(result)
        _, *axes = next(each for each in PICTURES if each.slot == "sample" and each.is_visible(result)).axes(result)
        for name, axis in list(zip("xy", axes, strict=True))[: len(result.frame[0])]:
            points = np.concatenate([drawn[side][name] for side in "PQ"])
            low, high = axis.range
            assert low < points.min() < points.max() < high
            assert points.max() - points.min() > 0.9 * (high - low)
    far = plane.lab.replace(outliers=2, moved_p='{"3": [50, -1.0]}').result()
    assert np.array_equal(far.frame, plane.frame)


def test_a_table_in_units_of_its_own_fills_both_axes():
    result = TwoSampleLab(source="wine", n=40, m=40, standardise=False).result()
    low, high = result.frame
    assert (np.ptp(result.samples.pooled[:, :2], axis=0) > 0.6 * (high - low)).all()


def test_a_constant_column_is_drawn_in_the_middle_of_its_axis():
    raw = b"a,b,who\n" + b"".join(b"%d,1000000000,%s\n" % (i, b"xy"[i % 2 : i % 2 + 1]) for i in range(20))
    tables = read_tables([raw], target="who", names=["t.csv"], scale="none")
    lab = TwoSampleLab(source="file", hash=tables[0].hash, group="who", n=10, m=10, standardise=False)
    lab.tables = tables
    (_, bottom), (_, top) = lab.result().frame
    assert bottom < 1e9 < top
    assert (bottom + top) / 2 == pytest.approx(1e9)


def test_p_and_q_have_colours_of_their_own():
    for picture in (each for each in PICTURES if each.slot == "sample"):
        roles = {mark.source: mark.role for mark in picture.data_marks() if mark.source in ("P", "Q")}
        assert roles == {"P": "first", "Q": "second"}


def test_the_ground_of_each_theme_is_opaque_but_for_its_middle():
    for ground in GROUNDS:
        assert len(ground) == 11
        assert [len(colour) for colour in ground] == [7] * 5 + [9] + [7] * 5


def test_bars_may_end_with_the_picture(plane):
    whole = DEVIATIONS.table(plane.tests, 0.05)
    cut = DEVIATIONS.table(plane.tests, 0.05, top=0.2)
    assert whole["top"].max() > 0.2
    for name in ("top", "tail"):
        assert np.array_equal(cut[name], np.minimum(whole[name], 0.2))
    assert np.array_equal(cut["x"], whole["x"])
