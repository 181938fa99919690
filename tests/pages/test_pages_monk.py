"""The MONK page without a browser: outliers placed by the user, blocks and steps by buttons, and the user's pairs."""

import re
from html import unescape

import numpy as np
import pytest
from helpers.lab_pictures import descriptions, legends_on
from helpers.naming import names_all, naming
from helpers.page_helpers import error_at, notice, page_at_link, page_using, press_key, run_copied_python, shows_state

from explorer import Laplacian, Precomputed, lepski, mmd2, monk_mmd
from explorer.checks import Refusal
from explorer.labs.monk import MonkLab
from explorer.labs.monk import result as shown
from explorer.labs.monk.page import MonkPage
from explorer.labs.monk.script import numbers
from explorer.labs.monk.words import headline
from explorer.pages.user_data.group_column import SECOND
from explorer.pages.user_data.paired_rows import COLUMNS
from explorer.rng import stream
from explorer.views.style import words_of
from explorer.workbench.content import content_of
from explorer.workbench.numbers import WAITING

PRESETS = content_of("monk").presets

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Limit studies to one sample, because a page without a browser computes them at once."""
    monkeypatch.setattr(shown, "SAMPLES", {"cliff": 1, "quantiles": 1})
    monkeypatch.setattr(shown, "FEWEST", 1)
    monkeypatch.setattr(shown, "COUNTS", (0, 5))


@pytest.fixture
def page():
    """Return a page in its opening state, except for a secondary picture that needs no study."""
    return MonkPage({"picture": "steps"})


def at(page, **fields):
    """Return whether the page shows these fields, apart from the selected picture."""
    return shows_state(page, picture=page.lab.picture, **fields)


# the canvas


def test_outliers_are_added_dragged_chosen_and_removed(page):
    page.on_drag("added", [[12.3456789, 1.5]])
    assert at(page, placed="[[12.3457,1.5]]", selected=1)
    page.on_drag("added", [[-3.0, 0.5], [5.0, 0.2]])
    assert at(page, placed="[[12.3457,1.5],[-3.0,0.5],[5.0,0.2]]", selected=3)
    assert page.result.outliers == 8
    page.on_drag("placed", [0, 20.0, 0.4])  # to the other strip
    assert (page.lab.selected, page.result.pairs.Y[0, 0]) == (1, 20)
    page.on_drag("chosen", ["placed", 1])
    page.on_drag("chosen", ["planted", 0])
    assert page.lab.selected == 2
    press_key(page, "Delete")  # deletes the selected point, or the last one
    assert ([x for x, _ in page.lab.points], page.lab.selected) == ([20, 5], 2)
    for left in ([20], [], []):  # no point is left in the end
        page.pressed["take"].clicks += 1
        assert [x for x, _ in page.lab.points] == left
    assert at(page)
    assert page.pressed["take"].disabled
    press_key(page, "z")
    assert [x for x, _ in page.lab.points] == [20]
    assert not page.pressed["take"].disabled


@pytest.mark.parametrize(
    ("planted", "place", "distance"),
    [
        ("both", [2, 16.0, 1.6], 16.0),  # in P
        ("both", [7, 16.0, 0.5], 8.0),  # in Q, at twice the distance
        ("Q", [1, 16.0, 0.5], 16.0),
        ("Q", [1, -4.0, 0.5], 0.5),  # the smallest distance that a drag reaches
    ],
)
def test_a_drag_of_planted_outliers_takes_all_along(page, planted, place, distance):
    page.move(None, planted=planted)
    page.on_drag("planted", place)
    assert at(page, planted=planted, distance=distance)


def test_more_outliers_than_pairs_are_refused_beside_their_slider(page):
    page.move(None, n=20, blocks=3, outliers=20)
    before = page.lab.key
    page.on_drag("added", [[1.0, 1.5]])
    assert "21 outliers need" in error_at(page, "outliers")
    assert page.lab.key == before
    page.move("outliers", outliers=5)
    assert error_at(page, "outliers") == ""


# buttons and keys


def test_blocks_are_drawn_anew_and_steps_begin_again_after_the_last(page):
    press_key(page, "b")
    assert at(page, partition=2)
    page.move(None, picture="cliff")
    stepping = page.arranged.conditions[0][0]
    assert not stepping.visible
    press_key(page, "s")
    assert at(page, partition=2, iteration=2)
    assert (page.lab.picture, stepping.visible) == ("steps", True)
    page.move(None, iteration=100)
    press_key(page, "s")
    assert at(page, partition=2)


def test_lepskis_q_is_the_library_s(page):
    page.choose_blocks()
    pairs = page.result.pairs
    assert at(page, blocks=lepski(pairs.X, pairs.Y, pairs.kernel, method="direction", rng=1).advised)


# the user's pairs


def table(rows=30, names=("before", "after", "who"), seed=3, shift=1.0):
    """Return a table of pairs as a CSV file's bytes."""
    x = np.random.default_rng(seed).normal(50, 8, rows)
    y = x + np.random.default_rng(seed + 1).normal(8 * shift, 4, rows)
    lines = [f"{a:.4f},{b:.4f},{'ab'[i % 3 == 0]}" for i, (a, b) in enumerate(zip(x, y, strict=True))]
    return "\n".join([",".join(names), *lines, ""]).encode()


def copied(page, folder, monkeypatch, **files):
    """Run the page's Python next to the files, and check that it gives the page's numbers."""
    space, result = run_copied_python(page, folder, monkeypatch, **files), page.result
    tests = [test.pvalue for test in (result.plain_test, result.test)]
    shown = [result.U if result.U < 0 else result.u_mmd, result.estimate.value, *tests, *(result.rivals or {}).values()]
    assert list(space["shown"].values()) == pytest.approx(shown, rel=1e-12)


def opened_on(raw, name="trial.csv", **fields):
    return page_using(MonkPage({"picture": "steps", **fields}), raw, name)


def test_two_columns_of_a_table_are_pairs(tmp_path, monkeypatch):
    raw = table().replace(b",", b";").replace(b".", b",")
    page = opened_on(raw, picture="cliff")
    assert (page.lab.laws, page.lab.n, page.lab.blocks, page.lab.outliers) == ("file", 30, 11, 0)
    assert page.lab.lenient  # the lenient reader, which accepts decimal commas
    assert page.lab.picture == "estimates"  # the other pictures show errors, which are unknown for the user's data
    assert page.result.truth is None
    assert (page.roles.x.visible, page.roles.x.value, page.roles.y.value) == (True, ["before"], ["after"])
    said = page.chrome.headline.object
    assert names_all(said, "before", "after", "<b>differ</b>", "<b>0.005</b>")
    assert names_all(said, "30", "trial.csv")
    assert "truth" not in said + legends_on(page)
    assert "trial.csv" in page.chrome.caption.object
    copied(page, tmp_path, monkeypatch, trial=raw)
    page.recast('["after"]', '["before"]')
    assert page.result.names == ("after", "before")
    page.move(None, placed="[[9.0,1.5]]", selected=1, picture="cliff", n=25)
    again = page_at_link(page)
    assert re.search(naming("trial.csv", "30"), notice(again))
    page_using(again, raw, "trial.csv")
    assert (again.lab, again.lab.placed) == (page.lab, "[[9.0,1.5]]")
    assert again.result.estimate.value == page.result.estimate.value
    # chosen from the menu, the user's pairs return without a preset's outliers
    again.navigation.go_to(PRESETS[0])
    assert again.lab.outliers == 5
    again.move(None, picture="quantiles")
    again.choose("laws", "file")
    assert (again.lab.laws, again.lab.outliers, again.lab.n, again.lab.picture) == ("file", 0, 30, "estimates")
    assert notice(again) == ""


def test_groups_of_one_file_are_two_samples():
    page = MonkPage({"picture": "steps"})
    page.user_data.choose(table(), "t.csv")
    assert page.user_data.group.value == COLUMNS  # by default two columns of numbers are x and y
    page.user_data.group.value = "who"
    page.user_data.use(page.user_data.read())
    assert (page.lab.group, page.lab.n, page.lab.blocks, notice(page)) == ("who", 10, 9, "")
    assert re.search(naming("a", "20", "b", "10"), page.chrome.caption.object)


def test_x_and_y_are_scaled_together_so_a_shift_stays(tmp_path, monkeypatch):
    page = opened_on(table(shift=3.0), "far.csv")
    X, Y = page.result.clean
    assert (Y.mean() - X.mean()) > 0.5  # both are scaled by the same number
    page.user_data.standardise.value = False
    page.user_data.use(page.user_data.read())
    assert page.result.clean[0].mean() == pytest.approx(50, abs=8)
    copied(page, tmp_path, monkeypatch, far=table(shift=3.0))


def two_files(p, q):
    """Return a page that uses two files for P and Q."""
    page = MonkPage({"picture": "steps"})
    page.user_data.choose(p, "p.csv")
    page.user_data.group.value = SECOND
    page.user_data.choose(q, "q.csv", 1)
    page.user_data.columns.value = ["before", "after"]
    page.user_data.use(page.user_data.read())
    assert notice(page) == ""
    return page


@pytest.mark.thorough(default=["30"])
@pytest.mark.parametrize("other", [30, 24])
def test_two_files_are_paired_row_by_row_or_by_chance_and_it_is_said(other, tmp_path, monkeypatch):
    p, q = table(), table(other, seed=9)
    page = two_files(p, q)
    assert (page.lab.n, page.lab.rows, page.lab.rows2) == (other, 30, other)
    assert page.result.pairs.X.shape == page.result.pairs.Y.shape == (other, 2)
    said = {
        30: "Row i of p is paired with row i of q.",
        24: "p has 30 rows and q has 24, so no row belongs to another: 24 of each are paired by chance, and 6 rows",
    }
    assert said[other] in unescape(page.chrome.caption.object)
    copied(page, tmp_path, monkeypatch, p=p, q=q)
    assert re.search(naming("p.csv", "30", "q.csv"), notice(page_at_link(page)))


def test_equally_long_files_keep_their_rows_together():
    page = two_files(table(), table())
    for n in (30, 12):
        page.move("n", n=n)
        assert np.array_equal(page.result.pairs.X, page.result.pairs.Y)
    assert re.search(naming("12", "30", "pairs"), page.chrome.caption.object)


def test_of_one_s_own_pairs_the_cliff_is_how_far_the_estimates_move():
    page = opened_on(table())
    page.move(None, picture="cliff", distance=100.0)
    study = page.result.cliff
    assert study.counts == (0, 5)  # the fixture's number of samples
    for name, values in study.errors.items():
        assert values[:, 0] == 0
        lab = page.lab.replace(outliers=5, blocks=11 if name == "U" else name)
        there, here = lab.result(), lab.replace(outliers=0).result()
        moved = there.u_mmd - here.u_mmd if name == "U" else there.estimate.value - here.estimate.value
        assert values[0, 1] == pytest.approx(abs(moved), rel=1e-9)
    cliff, quantiles = page.view.figures["cliff"], page.view.figures["quantiles"]
    assert "outliers" in cliff.title.text
    assert cliff.yaxis[0].axis_label == "moved by (log scale)"
    assert "U-statistic: from" in descriptions(page.result)[-1]
    page.move(None, picture="quantiles")
    assert "is unknown" in quantiles.title.text
    page.navigation.go_to(PRESETS[0])
    page.move(None, picture="cliff", seed=2)
    assert cliff.title.text.endswith("1 new samples")
    assert cliff.yaxis[0].axis_label == "error (log scale)"


def test_what_makes_no_pairs_is_a_sentence():
    page = MonkPage({"picture": "steps"})
    page.user_data.choose(b"a,who\n1,x\n2,y\n3,x\n4,x\n", "t.csv")
    with pytest.raises(Refusal, match=naming("1", "3")):  # the group y has one row
        page.user_data.read()
    page.user_data.group.value = COLUMNS
    with pytest.raises(Refusal, match=naming("pair", "two")):
        page.user_data.read()
    page.user_data.choose(table(names=("a", "b", "c")).replace(b",a\n", b",1\n").replace(b",b\n", b",2\n"), "u.csv")
    page.user_data.group.value = COLUMNS
    page.user_data.use(page.user_data.read())
    page.recast('["a","b"]', '["c"]')
    assert re.search(naming("x", "2", "y", "1"), notice(page))


def test_a_gram_matrix_with_groups_is_pairs_of_its_rows(tmp_path, monkeypatch):
    K = Laplacian(1.0)(np.random.default_rng(6).normal(size=(24, 2)))
    rows = [",".join([*map(repr, row), "ab"[i % 2]]) for i, row in enumerate(K.tolist())]
    raw = "\n".join([",".join([*(f"k{j}" for j in range(24)), "arm"]), *rows]).encode()
    page = opened_on(raw, "kin.csv", picture="estimates", blocks="3")
    lab = page.lab
    assert (lab.group, lab.gram, lab.kernel, lab.standardise, lab.n) == ("arm", True, "LIN", False, 12)
    order = stream(lab.seed, "rows").permutation(12)
    P, Q = np.arange(24)[::2][order], np.arange(24)[1::2][order]
    expected = monk_mmd(P, Q, Precomputed(K), lab.blocks, lab.method, rng=lab.partition)
    # the search for the direction ends at its own tolerance
    assert page.result.estimate.value == pytest.approx(expected.value, rel=1e-6)
    assert page.result.U == pytest.approx(mmd2(P, Q, Precomputed(K)), abs=1e-12)
    assert "Gram matrix" in page.chrome.caption.object
    assert (page.choice["kernel"].disabled, page.controls["bandwidth"].slider.disabled) == (True, True)
    page.choose("kernel", "RBF")
    assert re.search(naming("kernel"), notice(page))
    page.chrome.say([])
    copied(page, tmp_path, monkeypatch, kin=raw)
    assert page_using(page_at_link(page), raw, "kin.csv").lab == page.lab


# whether the sides of the user's pairs differ


def columns(rows=40, seed=2, shift=3.0):
    """Return a table of two groups that differ in the third column, with decimal commas and units."""
    rng, lines = np.random.default_rng(seed), ["who;a;b;mass (g)"]
    for i in range(2 * rows):
        far = 100 * shift * (i % 2)
        numbers = [rng.normal(5, 1), rng.normal(50, 20), 4000 + far + 100 * rng.normal()]
        lines.append(f"{('ill', 'well')[i % 2]};" + ";".join(f"{value:.3f}".replace(".", ",") for value in numbers))
    return "\n".join([*lines, ""]).encode()


def test_the_headline_says_whether_the_groups_differ_in_their_own_words(tmp_path, monkeypatch):
    page = opened_on(columns())
    said = page.chrome.headline.object
    assert names_all(said, "ill", "well", "<b>differ</b>", "<b>0.005</b>", "<span class='name monk'>MONK</span>", "11")
    assert names_all(said, "40", "trial.csv", "3 columns (mass (g) differs most).")
    assert "in scaled columns" in said
    copied(page, tmp_path, monkeypatch, trial=columns())
    moved = headline(page.result, page.result.row + 1)  # the U-statistic's verdict does not depend on Q
    assert names_all(moved, "ill", "well", "<b>differ</b>")
    assert WAITING in moved
    page.move("kernel", kernel="RBF")
    assert "scaled" not in page.chrome.headline.object  # the MMD of a bounded kernel has no unit
    assert "truth" not in legends_on(page)
    assert "well" in legends_on(page)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"shift": 0.0}, "<b>No difference shown</b> between ill and well"),
        ({"rows": 4}, "<div class='says'>Only <b>4 pairs</b> of ill and well: too few"),
    ],
)
def test_what_cannot_be_found_is_said_first(data, said):
    assert said in opened_on(columns(**data), blocks="3").chrome.headline.object


def test_what_outliers_put_there_do_to_both_tests():
    page = opened_on(columns(rows=60, shift=1.0))
    assert max(page.result.test.pvalue, page.result.plain_test.pvalue) == 0.005
    page.move("outliers", outliers=2, planted="P", distance=1000.0)
    said = page.chrome.headline.object
    assert names_all(said, "ill", "well", "<b>differ</b>")
    assert "<span class='name kme'>U-statistic</span> does not" in said
    assert names_all(said, "2", "60")


def test_the_column_that_differs_most_is_drawn_and_downloaded_in_its_own_units():
    page = opened_on(columns())
    result, plot, embedding = page.result, page.view.figures["pairs"], page.view.figures["embedding"]
    assert result.axis.label == plot.xaxis[0].axis_label == "mass (g)"
    assert "4000" in words_of(plot.xaxis[0]).values()
    assert list(words_of(plot.yaxis[0]).values()) == ["ill", "well"]
    own = numbers(result)["pairs"]
    named = [f"{name}, {side}" for side in ("ill", "well") for name in ("mass (g)", "a", "b")]
    own = {name: own[name] for name in own if not name.startswith("line")}
    assert next(iter(own)) == "mass (g), ill"
    assert {*own} == {*named, "contaminated", "block"}
    lines = columns().decode().split()[2:]
    assert sorted(own["mass (g), ill"]) == sorted(float(x.split(";")[3].replace(",", ".")) for x in lines if "ill" in x)
    page.move(None, n=20, seed=7, picture="embedding")
    assert page.result.axis == result.axis  # the axis of the whole table, whichever rows are drawn
    assert embedding.xaxis[0].axis_label == "mass (g)"
    assert names_all(embedding.title.text, "ill")
    assert 3500 < numbers(page.result)["embeddings"]["mass (g)"].min() < 4500
    page.navigation.go_to(PRESETS[0])
    assert plot.xaxis[0].axis_label == "x (first coordinate)"
    assert list(words_of(plot.yaxis[0]).values()) == ["P", "Q"]


def test_controls_that_mean_nothing_for_one_s_own_pairs_are_off():
    page = opened_on(columns())
    assert page.sliders["shift"].slider.disabled
    assert page.sliders["d"].slider.disabled
    assert page.pressed["fresh"].disabled  # all rows are drawn already
    assert "Quantiles" not in page.choice["picture"].options
    assert page.controls["distance"].quantity.name == "mass (g)"
    page.move("n", n=30)
    assert not page.pressed["fresh"].disabled
    page.navigation.go_to(PRESETS[0])
    page.rest()
    assert "Quantiles" in page.choice["picture"].options
    assert page.controls["distance"].quantity is None


def test_pairs_that_take_too_long_to_test_are_estimated_alone():
    lab = MonkLab(laws="file", n=2000, blocks=999)
    assert not shown.is_tested(lab)
    assert not shown.is_tested(MonkLab())
    assert shown.is_tested(lab.replace(n=500, blocks=41))
