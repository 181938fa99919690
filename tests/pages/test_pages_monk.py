"""The MONK page without a browser.

What a hand puts on the canvas, what the browser may answer by itself, and what is refused.
"""

import itertools
import json
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest
from paging import ask, faithful, notice, trouble, type_in
from picturing import in_words

from explorer import Laplacian, Precomputed, lepski, mmd2, monk_mmd
from explorer.checks import Refusal
from explorer.datasets import preview_table
from explorer.labs.monk import MonkLab, cost
from explorer.labs.monk import result as shown
from explorer.labs.monk.page import MonkPage
from explorer.labs.monk.script import numbers
from explorer.labs.monk.stories import PRESETS
from explorer.labs.monk.words import headline
from explorer.pages.own.groups import SECOND
from explorer.pages.own.sides import COLUMNS
from explorer.rng import stream
from explorer.views.style import words_of
from explorer.workbench.numbers import WAITING

pytestmark = pytest.mark.thorough  # what the first lab's page shows of the chassis runs by default


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Studies of one sample: a page that nobody watches draws them at once."""
    monkeypatch.setattr(cost, "SAMPLES", {"cliff": 1, "quantiles": 1})
    monkeypatch.setattr(cost, "FEWEST", 1)
    monkeypatch.setattr(shown, "COUNTS", (0, 5))


@pytest.fixture(scope="module")
def kept():
    return MonkPage({"picture": "steps"})


@pytest.fixture
def page(kept):
    """A page as it opens, but for its small picture, which needs no study."""
    kept.places.open(PRESETS[0])
    kept.move(None, picture="steps")
    return kept


def at(page, **fields):
    """Whether the page shows these fields, but for its picture."""
    return faithful(page, picture=page.lab.picture, **fields)


serial = itertools.count(1)


def hand(page, drawn=False, **values):
    """A hand moves something, as a browser says it."""
    ask(page, next(serial), **{name: [value, drawn] for name, value in values.items()})


def press(page, key):
    last = page.shortcuts.keys.pressed
    page.shortcuts.keys.pressed = json.dumps([json.loads(last)[0] + 1 if last else 1, key])


def click(button):
    button.clicks += 1


# the canvas


def test_clicks_add_outliers_and_the_last_is_chosen(page):
    hand(page, added=[[12.3456789, 1.5]])
    assert at(page, placed="[[12.3457,1.5]]", selected=1)
    hand(page, added=[[-3.0, 0.5], [5.0, 0.2]])
    assert at(page, placed="[[12.3457,1.5],[-3.0,0.5],[5.0,0.2]]", selected=3)
    assert page.result.outliers == 8


@pytest.mark.thorough
def test_a_drag_moves_one_also_to_the_other_strip_and_a_click_chooses(page):
    page.move(None, placed="[[12,1.5],[-3,0.5]]")
    hand(page, placed=[0, 20.0, 0.4])
    assert at(page, placed="[[20.0,0.4],[-3.0,0.5]]", selected=1)
    assert page.result.pairs.Y[0, 0] == 20
    hand(page, chosen=["placed", 1])
    assert page.lab.selected == 2
    hand(page, chosen=["planted", 1])
    assert page.lab.selected == 2


@pytest.mark.thorough
def test_delete_removes_the_chosen_one_and_then_the_last(page):
    page.move(None, placed="[[1,1.5],[2,1.5],[3,1.5]]", selected=2)
    press(page, "Delete")
    assert [x for x, _ in page.lab.points] == [1, 3]
    assert page.lab.selected == 2
    click(page.pressed["take"])
    assert [x for x, _ in page.lab.points] == [1]
    click(page.pressed["take"])
    press(page, "Delete")  # there is none left
    assert at(page)
    assert page.pressed["take"].disabled
    press(page, "z")
    assert [x for x, _ in page.lab.points] == [1]
    assert not page.pressed["take"].disabled


@pytest.mark.thorough
def test_a_drag_of_planted_outliers_takes_all_along(page):
    hand(page, planted=[2, 16.0, 1.6])  # in P
    assert at(page, distance=16.0)
    hand(page, planted=[7, 16.0, 0.5])  # in Q, which has twice the distance
    assert at(page, distance=8.0)
    page.move(None, planted="Q")
    hand(page, planted=[1, 16.0, 0.5])
    assert page.lab.distance == 16
    hand(page, planted=[1, -4.0, 0.5])
    assert page.lab.distance == 0.5  # as near to 0 as a hand takes them


def test_more_outliers_than_pairs_are_refused_beside_their_slider(page):
    page.move(None, n=20, blocks=3, outliers=20)
    before = page.lab.key
    hand(page, added=[[1.0, 1.5]])
    assert "21 outliers need" in trouble(page, "outliers")
    assert page.lab.key == before
    hand(page, outliers=5)
    assert trouble(page, "outliers") == ""


@pytest.mark.thorough
def test_words_that_are_refused(page):
    for name, word, said in (
        ("blocks", "4", "odd whole number"),
        ("blocks", "201", "leave some block empty"),
        ("n", "7", "blocks of 7 pairs"),
        ("distance", "x", "number"),
    ):
        type_in(page, name, word)
        assert said in trouble(page, name)
        assert at(page)


# what the browser answers


@pytest.mark.thorough
def test_q_is_answered_from_a_table_of_all_its_stops():
    page = MonkPage({})
    stamp = page.screen.lookup.stamp
    assert stamp.table == stamp.shown
    assert page.sliders["blocks"].slider.values == page.result.stops
    assert len(stamp.sentences) == len(page.result.stops)
    flat, names = page.screen.lookup.table.data["flat"], list(page.view.tables(page.result))
    for i, name in enumerate(names):
        rows = page.view.tables(page.result)[name].astype(np.float32)
        row, length = 7, stamp.lengths[i]
        if length:
            start = stamp.starts[i] + row * length
            assert np.array_equal(flat[start : start + length], rows[row], equal_nan=True)
    hand(page, drawn=True, blocks=7)
    assert page.lab.blocks == 15
    page.rest()
    assert page.result.estimate.value == MonkLab(blocks=15).result().estimate.value


@pytest.mark.thorough
@pytest.mark.parametrize(
    "fields", [{"method": "bcd"}, {"method": "bcd-fast", "picture": "cliff"}, {}, {"picture": "embedding"}], ids=str
)
def test_the_server_answers_q_where_no_table_knows_the_answer(page, fields):
    page.move(None, n=60, **fields)
    assert page.screen.lookup.stamp.table != page.screen.lookup.stamp.shown
    hand(page, blocks=2)
    page.rest()
    assert page.lab.blocks == 5
    assert page.result.estimate.value == MonkLab(n=60, blocks=5, **fields).result().estimate.value


def test_a_table_comes_back_with_its_picture(page):
    page.move(None, picture="cliff")
    assert page.screen.lookup.stamp.table == page.screen.lookup.stamp.shown


# buttons, keys and links


@pytest.mark.thorough
def test_dice_step_and_new_sample(page):
    press(page, "b")
    assert page.lab.partition == 2
    press(page, "n")
    assert page.lab.seed == 2
    press(page, "s")
    assert page.lab.iteration == 2
    page.move(None, iteration=100)
    press(page, "s")
    assert at(page, partition=2, seed=2, iteration=1)


def test_the_step_button_shows_its_picture(page):
    page.move(None, picture="cliff")
    stepping = page.arranged.conditions[0][0]
    assert not stepping.visible
    press(page, "s")
    assert at(page, iteration=2)
    assert page.lab.picture == "steps"
    assert stepping.visible
    seen = [name for name, place in page.arranged.pictures.items() if place.visible]
    assert seen == ["pairs", "strip", "values", "steps"]


@pytest.mark.thorough
def test_lepskis_q_is_the_library_s(page):
    page.choose_blocks()
    pairs = page.result.pairs
    found = lepski(pairs.X, pairs.Y, pairs.kernel, method="direction", rng=1)
    assert page.lab.blocks == found.advised
    assert at(page, blocks=found.advised)


@pytest.mark.thorough
def test_a_study_arrives_and_is_drawn(page):
    page.move(None, picture="cliff", n=40)
    assert page.result.study.count == 1
    assert page.view.figures["cliff"].title.text.endswith("1 new samples")
    page.move(None, picture="quantiles")
    assert page.result.study.count == len(page.view.sources["quantiles.line_KME"].data["x"]) == 1


@pytest.mark.thorough
def test_a_state_without_a_mean_embedding_opens_with_a_sentence():
    page = MonkPage({"laws": "pareto", "kernel": "POLY3", "picture": "steps"})
    assert "moment of order 3" in notice(page)
    page.choose("kernel", "RBF")
    assert at(page, laws="pareto", kernel="RBF")


# pairs of one's own


def table(rows=30, names=("before", "after", "who"), seed=3, shift=1.0):
    """A table of pairs, as bytes."""
    x = np.random.default_rng(seed).normal(50, 8, rows)
    y = x + np.random.default_rng(seed + 1).normal(8 * shift, 4, rows)
    lines = [f"{a:.4f},{b:.4f},{'ab'[i % 3 == 0]}" for i, (a, b) in enumerate(zip(x, y, strict=True))]
    return "\n".join([",".join(names), *lines, ""]).encode()


def copied(page, folder, monkeypatch, **files):
    """The page's Python, run beside the files, gives the page's numbers."""
    monkeypatch.chdir(folder)
    for name, raw in files.items():
        (folder / f"{name}.csv").write_bytes(raw)
    space = {}
    exec(page.frame.texts.code, space)
    result = page.result
    tests = [test.pvalue for test in (result.plain_test, result.test)]
    shown = [result.U if result.U < 0 else result.u_mmd, result.estimate.value, *tests, *(result.rivals or {}).values()]
    assert list(space["shown"].values()) == pytest.approx(shown, rel=1e-12)


def linked(page):
    """Another session at this page's link."""
    return MonkPage(dict(parse_qsl(page.link(), keep_blank_values=True)))


def test_two_columns_of_a_table_are_pairs(tmp_path, monkeypatch):
    page = MonkPage({"picture": "cliff"})
    page.own.choose(table(), "trial.csv")
    page.own.use(page.own.read())
    assert notice(page) == ""
    assert (page.lab.laws, page.lab.n, page.lab.blocks, page.lab.outliers) == ("file", 30, 11, 0)
    assert page.lab.picture == "estimates"  # nobody knows the errors that the others draw
    assert page.result.truth is None
    assert page.roles.x.visible
    assert (page.roles.x.value, page.roles.y.value) == (["before"], ["after"])
    said = page.frame.headline.object
    assert "before and after <b>differ</b>: p = <b>0.005</b> by" in said
    assert "30 pairs from trial.csv." in said
    assert "truth" not in said + page.frame.legend.object
    assert "Each row of trial.csv is a pair." in page.frame.caption.object
    copied(page, tmp_path, monkeypatch, trial=table())
    page.recast('["after"]', '["before"]')
    assert page.result.names == ("after", "before")
    page.move(None, placed="[[9.0,1.5]]", selected=1, picture="cliff", n=25)
    again = linked(page)
    assert "trial.csv (30 rows), which stays with its owner" in notice(again)
    again.own.choose(table(), "trial.csv")
    again.own.use(again.own.read())
    assert again.lab == page.lab
    assert again.result.estimate.value == page.result.estimate.value
    assert again.lab.placed == "[[9.0,1.5]]"


@pytest.mark.thorough
def test_pairs_with_decimal_commas_are_read_copied_and_linked(tmp_path, monkeypatch):
    raw = table().replace(b",", b";").replace(b".", b",")
    page = MonkPage({"picture": "steps"})
    page.own.choose(raw, "trial.csv")
    page.own.use(page.own.read())
    assert (page.lab.n, page.lab.lenient, notice(page)) == (30, True, "")
    copied(page, tmp_path, monkeypatch, trial=raw)
    again = linked(page)
    again.own.choose(raw, "trial.csv")
    again.own.use(again.own.read())
    assert again.lab == page.lab
    page.own.choose(raw, "trial.csv")
    page.own.group.value = "who"
    page.own.use(page.own.read())
    assert (page.lab.group, page.lab.lenient, notice(page)) == ("who", True, "")
    copied(page, tmp_path, monkeypatch, trial=raw)


def test_x_and_y_are_scaled_together_so_a_shift_stays(tmp_path, monkeypatch):
    page = MonkPage({"picture": "steps"})
    page.own.choose(table(shift=3.0), "far.csv")
    page.own.use(page.own.read())
    X, Y = page.result.clean
    assert (Y.mean() - X.mean()) > 0.5  # of a scale that both share
    page.own.standardise.value = False
    page.own.use(page.own.read())
    assert page.result.clean[0].mean() == pytest.approx(50, abs=8)
    copied(page, tmp_path, monkeypatch, far=table(shift=3.0))


def two_files(page, p, q):
    """Choose two files for P and Q, and use them."""
    page.own.choose(p, "p.csv")
    page.own.group.value = SECOND
    page.own.choose_second(q, preview_table(q, name="q.csv"))
    page.own.columns.value = ["before", "after"]
    page.own.use(page.own.read())


@pytest.mark.thorough(default=["30"])
@pytest.mark.parametrize("other", [30, 24])
def test_two_files_are_paired_row_by_row_or_by_chance_and_it_is_said(other, tmp_path, monkeypatch):
    page = MonkPage({"picture": "steps"})
    p, q = table(), table(other, seed=9)
    two_files(page, p, q)
    assert notice(page) == ""
    assert (page.lab.n, page.lab.rows, page.lab.rows2) == (other, 30, other)
    assert page.result.pairs.X.shape == page.result.pairs.Y.shape == (other, 2)
    if other == 30:
        assert "Row i of p is paired with row i of q." in page.frame.caption.object
    else:
        said = "p has 30 rows and q has 24, so no row belongs to another: 24 of each are paired by chance, and 6 rows"
        assert said in unescape(page.frame.caption.object)
    copied(page, tmp_path, monkeypatch, p=p, q=q)
    again = linked(page)
    assert "p.csv (30 rows) and q.csv" in notice(again)


def test_equally_long_files_keep_their_rows_together():
    page = MonkPage({"picture": "steps"})
    p = table()
    two_files(page, p, p)
    assert np.array_equal(page.result.pairs.X, page.result.pairs.Y)
    page.move("n", n=12)
    assert np.array_equal(page.result.pairs.X, page.result.pairs.Y)
    assert "12 of the 30 pairs were drawn by chance" in page.frame.caption.object


def test_groups_of_one_file_are_two_samples(tmp_path, monkeypatch):
    page = MonkPage({"picture": "steps"})
    page.own.choose(table(), "t.csv")
    assert page.own.group.value == COLUMNS  # two columns of numbers are x and y, unless one says otherwise
    page.own.group.value = "who"
    page.own.use(page.own.read())
    assert notice(page) == ""
    assert (page.lab.group, page.lab.n) == ("who", 10)
    assert page.lab.blocks == 9
    assert "a has 20 rows and b has 10" in page.frame.caption.object
    copied(page, tmp_path, monkeypatch, t=table())


def test_of_one_s_own_pairs_the_cliff_is_how_far_the_estimates_move():
    page = MonkPage({"picture": "steps"})
    page.own.choose(table(), "trial.csv")
    page.own.use(page.own.read())
    page.move(None, picture="cliff", distance=100.0)
    study, counts = page.result.cliff, (0, 5)  # of the fixture
    assert study.counts == counts
    for name, values in study.errors.items():
        assert values[:, 0] == 0
        lab = page.lab.replace(outliers=5, blocks=11 if name == "U" else name)
        there, here = lab.result(), lab.replace(outliers=0).result()
        moved = there.u_mmd - here.u_mmd if name == "U" else there.estimate.value - here.estimate.value
        assert values[0, 1] == pytest.approx(abs(moved), rel=1e-9)
    assert page.view.figures["cliff"].title.text == "How far each estimate moves, by planted outliers"
    assert page.view.figures["cliff"].yaxis[0].axis_label == "moved by (log scale)"
    assert "U-statistic: from" in in_words(page.result)[-1]
    page.move(None, picture="quantiles")
    assert "nobody knows" in page.view.figures["quantiles"].title.text
    page.places.open(PRESETS[0])
    page.move(None, picture="cliff")
    assert "new samples" in page.view.figures["cliff"].title.text
    assert page.view.figures["cliff"].yaxis[0].axis_label == "off by (log scale)"


def test_what_makes_no_pairs_is_a_sentence():
    page = MonkPage({"picture": "steps"})
    page.own.choose(b"a,who\n1,x\n2,y\n3,x\n4,x\n", "t.csv")
    with pytest.raises(Refusal, match="has 1 row"):  # of the group y
        page.own.read()
    page.own.group.value = COLUMNS
    with pytest.raises(Refusal, match="a pair needs two"):
        page.own.read()
    page.own.choose(table(names=("a", "b", "c")).replace(b",a\n", b",1\n").replace(b",b\n", b",2\n"), "u.csv")
    page.own.group.value = COLUMNS
    page.own.use(page.own.read())
    page.recast('["a","b"]', '["c"]')
    assert "x has 2 columns and y has 1" in notice(page)


@pytest.mark.thorough
def test_a_gram_matrix_with_groups_is_pairs_of_its_rows(tmp_path, monkeypatch):
    K = Laplacian(1.0)(np.random.default_rng(6).normal(size=(24, 2)))
    rows = [",".join([*map(repr, row), "ab"[i % 2]]) for i, row in enumerate(K.tolist())]
    raw = "\n".join([",".join([*(f"k{j}" for j in range(24)), "arm"]), *rows]).encode()
    page = MonkPage({"picture": "estimates", "blocks": "3"})
    page.own.choose(raw, "kin.csv")
    assert (page.own.group.value, page.own.gram.value) == ("arm", True)
    page.own.use(page.own.read())
    lab = page.lab
    assert (notice(page), lab.gram, lab.kernel, lab.standardise, lab.n) == ("", True, "LIN", False, 12)
    order = stream(lab.seed, "rows").permutation(12)
    P, Q = np.arange(24)[::2][order], np.arange(24)[1::2][order]
    expected = monk_mmd(P, Q, Precomputed(K), lab.blocks, lab.method, rng=lab.partition)
    # the direction's search ends at a tolerance of its own
    assert page.result.estimate.value == pytest.approx(expected.value, rel=1e-6)
    assert page.result.U == pytest.approx(mmd2(P, Q, Precomputed(K)), abs=1e-12)
    assert "Your Gram matrix is the kernel" in page.frame.caption.object
    assert (page.choice["kernel"].disabled, page.controls["bandwidth"].slider.disabled) == (True, True)
    page.choose("kernel", "RBF")
    assert "would be another one than yours" in notice(page)
    page.frame.say([])
    copied(page, tmp_path, monkeypatch, kin=raw)
    again = linked(page)
    again.own.choose(raw, "kin.csv")
    again.own.use(again.own.read())
    assert (again.lab, notice(again)) == (page.lab, "")
    page.own.group.value = COLUMNS
    assert (page.own.gram.visible, page.own.gram.value) == (False, False)


@pytest.mark.thorough
def test_one_s_own_pairs_come_back_from_the_menu_without_planted_outliers():
    page = MonkPage({"picture": "steps"})
    page.own.choose(table(), "trial.csv")
    page.own.use(page.own.read())
    page.places.open(PRESETS[0])
    assert page.lab.outliers == 5
    page.move(None, picture="quantiles")
    page.choose("laws", "file")
    assert (page.lab.laws, page.lab.outliers, page.lab.n, page.lab.picture) == ("file", 0, 30, "estimates")
    assert notice(page) == ""


# whether the sides of one's own pairs differ


def columns(rows=40, seed=2, shift=3.0):
    """A table of two groups that differ in the third of its columns, decimal commas and units included."""
    rng, lines = np.random.default_rng(seed), ["who;a;b;mass (g)"]
    for i in range(2 * rows):
        far = 100 * shift * (i % 2)
        numbers = [rng.normal(5, 1), rng.normal(50, 20), 4000 + far + 100 * rng.normal()]
        lines.append(f"{('ill', 'well')[i % 2]};" + ";".join(f"{value:.3f}".replace(".", ",") for value in numbers))
    return "\n".join([*lines, ""]).encode()


ALSO = ("contaminated", "block")  # columns of the pairs beside their coordinates


def opened_on(raw, name="trial.csv", **fields):
    page = MonkPage({"picture": "steps", **fields})
    page.own.choose(raw, name)
    page.own.use(page.own.read())
    assert notice(page) == ""
    return page


def test_the_headline_says_whether_the_groups_differ_in_their_own_words(tmp_path, monkeypatch):
    page = opened_on(columns())
    said = page.frame.headline.object
    assert "ill and well <b>differ</b>: p = <b>0.005</b> by <span class='name monk'>MONK</span> with 11 blocks" in said
    assert "40 pairs from trial.csv in 3 columns, of which mass (g) differs most." in said
    assert "of scaled columns" in said
    copied(page, tmp_path, monkeypatch, trial=columns())
    page.move("kernel", kernel="RBF")
    assert "scaled" not in page.frame.headline.object  # an MMD of a bounded kernel has no unit
    assert "truth" not in page.frame.legend.object
    assert "well" in page.frame.legend.object
    same = opened_on(columns(shift=0.0))
    assert "<b>No difference</b> shows between ill and well" in same.frame.headline.object


def test_what_outliers_put_there_do_to_both_tests():
    page = opened_on(columns(rows=60, shift=1.0))
    assert max(page.result.test.pvalue, page.result.plain_test.pvalue) == 0.005
    page.move("outliers", outliers=2, planted="P", distance=1000.0)
    said = page.frame.headline.object
    assert "finds that ill and well <b>differ</b>" in said
    assert "<span class='name kme'>U-statistic</span> does not" in said
    assert "2 contaminated pairs of 60." in said


def test_the_column_that_differs_most_is_drawn_in_its_own_units():
    page = opened_on(columns())
    result, plot = page.result, page.view.figures["pairs"]
    assert result.axis.called == "mass (g)"
    assert plot.xaxis[0].axis_label == "mass (g)"
    words = list(words_of(plot.xaxis[0]).values())
    assert "4000" in words
    assert list(words_of(plot.yaxis[0]).values()) == ["ill", "well"]
    page.move(None, n=20, seed=7, picture="embedding")
    assert page.result.axis == result.axis  # of the whole table, whichever rows are drawn
    assert page.view.figures["embedding"].xaxis[0].axis_label == "mass (g)"
    assert page.view.figures["embedding"].title.text == "The kernel mean of ill"
    page.places.open(PRESETS[0])
    assert plot.xaxis[0].axis_label == "x (first coordinate)"
    assert list(words_of(plot.yaxis[0]).values()) == ["P", "Q"]


def test_downloads_have_the_table_s_own_columns_and_numbers():
    page = opened_on(columns())
    own = numbers(page.result)["pairs"]
    assert next(iter(own)) == "mass (g), ill"
    assert set(own) == {*(f"{name}, {side}" for side in ("ill", "well") for name in ("a", "b", "mass (g)")), *ALSO}
    masses = sorted(
        float(line.split(";")[3].replace(",", ".")) for line in columns().decode().split()[2:] if "ill" in line
    )
    assert sorted(own["mass (g), ill"]) == masses
    page.move(None, picture="embedding")
    assert 3500 < numbers(page.result)["embeddings"]["mass (g)"].min() < 4500


def test_controls_that_mean_nothing_for_one_s_own_pairs_are_off():
    page = opened_on(columns())
    sliders = page.sliders
    assert sliders["shift"].slider.disabled
    assert sliders["d"].slider.disabled
    assert page.pressed["fresh"].disabled  # all rows are there
    assert "Quantiles" not in page.choice["picture"].options
    assert page.controls["distance"].quantity.name == "mass (g)"
    page.move("n", n=30)
    assert not page.pressed["fresh"].disabled
    page.places.open(PRESETS[0])
    page.rest()
    assert "Quantiles" in page.choice["picture"].options
    assert page.controls["distance"].quantity is None


def test_too_few_pairs_are_said_first():
    page = opened_on(columns(rows=4), blocks="3")
    assert page.frame.headline.object.startswith("<div class='says'>Only <b>4 pairs</b> of ill and well: too few")


def test_while_q_moves_the_u_statistic_s_verdict_stays():
    page = opened_on(columns())
    said = headline(page.result, page.result.row + 1)
    assert "ill and well <b>differ</b> by the" in said
    assert WAITING in said


def test_pairs_that_take_too_long_to_test_are_estimated_alone():
    lab = MonkLab(laws="file", n=2000, blocks=999)
    assert not cost.is_tested(lab)
    assert not cost.is_tested(MonkLab())
    assert cost.is_tested(lab.replace(n=500, blocks=41))
