"""The DNA lab's pictures, read from their columns."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from helpers.lab_pictures import columns, view_of

from explorer.labs.dna import DnaLab
from explorer.labs.dna.figures import EDGES, REACH_RANGE, place
from explorer.views.bokeh_picture import same
from explorer.views.style import words_of
from explorer.workbench.numbers import format_number

SMALL = {"n": 12, "blocks": 5, "shuffles": 19, "flips": 19}
STATES = [
    {},
    {"contaminated": 3},
    {"contaminated": 3, "normalized": False},
    {"contaminated": 12},
    {"compare": "first with itself"},
    {"length": 1},
    {"decay": 1.0, "picture": "plain"},
    {"n": 70, "contaminated": 61},
    {"n": 2, "blocks": 1},
]


@cache
def _of(fields):
    return DnaLab(**dict(fields)).result()


def of(**fields):
    """Return the result of a small state, which many tests share."""
    return _of(tuple({**SMALL, **fields}.items()))


@pytest.mark.thorough(
    default=["{'compare': 'first with itself'}", "{'decay': 1.0, 'picture': 'plain'}", "{'n': 70, 'contaminated': 61}"]
)
@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_columns_of_a_source_have_one_length_and_are_finite(fields):
    for source, data in columns(of(**fields)).items():
        assert len({len(column) for column in data.values()}) == 1, source
        for column in data.values():
            if source != "profile" and np.asarray(column).dtype.kind == "f":
                assert np.isfinite(column).all(), source


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_shades_are_those_of_the_gram_matrix_upside_down(fields):
    result = of(**fields)
    (shades,) = columns(result)["gram"]["image"]
    K, low, high = result.square
    expected = 255 * np.clip((K[::-1] - low) / ((high - low) or abs(low)), 0, 1)
    assert shades.dtype == np.uint8
    assert np.abs(shades - expected).max() <= 0.5 + 1e-9


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_null_values_are_counted_in_units_of_the_threshold(fields):
    result = of(**fields)
    for name in ("plain", "monk"):
        test, drawn = getattr(result, name), columns(result)[name]
        values = np.clip(test.null_distribution / result.unit(test), *REACH_RANGE)
        inside = [((a <= values) & ((values < b) | (b == EDGES[-1]))).sum() for a, b in pairwise(EDGES)]
        np.testing.assert_allclose(drawn["top"], np.array(inside) / max(inside))
        mark = columns(result)[f"{name}_mark"]
        assert mark["x"][0] == np.clip(result.reach(test), *REACH_RANGE)
        assert mark["words"][0] == format_number(result.reach(test))


def test_beyond_one_is_where_a_test_rejects():
    """The dotted line: to its right a test detects the difference, in every state whose threshold is a number above
    0.
    """
    for fields in STATES:
        result = of(**{**fields, "shuffles": 99, "flips": 99})
        for test in (result.plain, result.monk):
            if 0 < test.threshold(0.05) < np.inf:
                assert result.rejects(test) == (result.reach(test) > 1)


def test_contaminated_reads_and_the_pair_are_marked_where_they_are_drawn():
    result = of(contaminated=2, pair="X3 Y12")
    drawn = columns(result)
    count = 24
    assert np.allclose(drawn["contaminated"]["x"][2:], place([22, 23], count))
    assert np.allclose(drawn["contaminated"]["y"][:2], -place([22, 23], count))
    assert np.allclose(drawn["cell"]["x"], place([23, 2], count))
    assert np.allclose(drawn["cell"]["y"], -place([2, 23], count))
    assert len(columns(of(n=70, pair="X1 Y1"))["cell"]["x"]) == 0  # the last 60 are drawn


def test_the_bar_of_colours_has_the_values_at_which_they_end():
    for picture, unit in (("centred", "similarity k, centred"), ("plain", "similarity k")):
        result = of(picture=picture)
        drawn = columns(result)
        assert drawn["bar"]["image"][0][:, 0].tolist() == list(range(256))
        ends = [f"≤ {format_number(result.square.low)}", f"≥ {format_number(result.square.high)}"]
        assert drawn["values"]["words"].tolist() == ends
        assert drawn["titles"]["words"][-1] == unit


def test_the_profile_has_both_samples():
    result = of()
    (image,) = columns(result)["profile"]["image"]
    assert image.shape == (9, 60)
    assert np.isnan(image[4]).all()
    assert np.array_equal(image[8], result.profile.first[0].astype(np.float32))
    assert np.array_equal(image[0], result.profile.second[3].astype(np.float32))


def test_titles_letters_and_ranges_follow():
    view = view_of(of())
    ranges = [(f.x_range.start, f.x_range.end, f.y_range.start, f.y_range.end) for f in view.figures.values()]
    for fields in ({"decay": 0.9}, {"contaminated": 3, "normalized": False}, {"n": 50}):
        view.show(of(**fields))
    assert ranges == [(f.x_range.start, f.x_range.end, f.y_range.start, f.y_range.end) for f in view.figures.values()]
    view.show(of(compare="first with itself"))
    assert view.figures["profile"].title.text == "Letter frequencies: EI, half 1 above, EI, half 2 below"
    rows = {8.5: "A", 7.5: "C", 6.5: "G", 5.5: "T", 3.5: "A", 2.5: "C", 1.5: "G", 0.5: "T"}
    assert words_of(view.figures["profile"].yaxis[0]) == rows


def test_columns_of_words_and_of_nan_are_compared():
    assert same(np.array(["a"]), np.array(["a"]))
    assert not same(np.array(["a"]), np.array(["b"]))
    assert same([np.array([np.nan])], [np.array([np.nan])])
    assert not same([np.zeros((2, 2))], [np.zeros((3, 3))])
