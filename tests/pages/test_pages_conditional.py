"""The Conditional lab's page without a browser: its places, handles, its table of boxes, and the path that plays."""

import json

import numpy as np
import pytest
from every_lab import ROWS
from paging import ask, drawn, faithful, notice, opened, same, trouble, type_in

from explorer.pages import ConditionalPage

pytestmark = pytest.mark.thorough  # what the first lab's page shows of the chassis runs by default

SMALL = {"n": "20"}
TABLE = b"a,b,c,d\n" + b"".join(b"%d,%d,%d,%d\n" % (i, i * i % 7, -i, i * 3 % 5) for i in range(40))


def small(**words):
    return opened(ConditionalPage, **{**SMALL, **words})


@pytest.fixture(scope="module")
def kept():
    """A page that tests may move: `at` puts it back."""
    return small()


@pytest.fixture
def at(kept):
    """The page as it opens, but for some fields."""

    def at(**fields):
        kept.play.playing = False
        kept.move(None, **ConditionalPage.lab_class(n=20).replace(**fields).values())
        kept.frame.say([])
        kept.rest()
        return kept

    yield at
    kept.carrier.no_rest()


def standing(page, names):
    """Which of some parts stand on the page as it is."""
    unseen = [parent for parent in page.frame.page.select() if not parent.visible]
    hidden = {id(part) for parent in unseen for part in [parent, *inside(parent)]}
    return {name for name in names if id(part_of(page, name)) not in hidden}


def part_of(page, name):
    """A part by the name of its slider, its button or the page's attribute."""
    named = {"player": page.play, **page.pressed}
    part = getattr(page.sliders.get(name), "slider", None) or named.get(name) or getattr(page, name)
    return getattr(part, "parts", part)


def inside(parent):
    return parent.select() if hasattr(parent, "objects") else []


def pictures(page):
    return [name for name, place in page.arranged.pictures.items() if place.visible and place.objects]


# what stands there


PLACES = {
    "cut": ("cut density score", "at lam"),
    "bayes": ("bayes posterior", "at lam prior_gap lam_posterior"),
    "filter": ("filter belief", "time lam sensor lam_posterior player next"),
    "table": ("table", "seen editor operators"),
}


def test_a_picture_has_its_own_places_and_controls(at):
    page = at()
    every = set(" ".join(controls for _, controls in PLACES.values()).split())
    for picture, (seen, controls) in PLACES.items():
        page.choose("picture", picture)
        assert set(pictures(page)) == set(seen.split())
        assert standing(page, every) == set(controls.split())
        assert (faithful(page, n=20, picture=picture), notice(page)) == (True, "")


def test_a_path_that_is_a_table_has_no_sensor(at):
    page = at(picture="filter")
    assert not page.sliders["sensor"].slider.disabled
    page.choose("source", "wine")
    page.choose("path", "rows")
    assert page.sliders["sensor"].slider.disabled


# handles


def test_handles_move_the_prior_and_x(at):
    page = at(picture="bayes")
    ask(page, 1, prior=[[0, -3.0, 1.2345], False])
    assert (page.lab.prior_mean, page.lab.prior_sd) == (1.234, 0.5)
    ask(page, 2, prior=[[1, -3.0, 2.0], False])
    assert page.lab.prior_sd == 0.766
    ask(page, 3, prior=[[1, -3.0, 0.234], False])  # below the mean it is as far
    assert page.lab.prior_sd == 1.0
    ask(page, 4, prior=[[1, -3.0, 1.24], False])
    assert page.lab.prior_sd == 0.05
    ask(page, 5, known=[[0, -0.7777, -2.0], False])
    page.rest()
    assert faithful(page, n=20, picture="bayes", prior_mean=1.234, prior_sd=0.05, at=-0.778)
    assert page.controls["prior_mean"].box.value == "1.234"
    assert page.sliders["at"].slider.value == -0.778


def test_a_handle_at_a_stop_of_the_slider_moves_the_slider(at):
    page = at(picture="bayes")
    ask(page, 1, known=[[0, -0.75, -2.0], False])
    page.rest()
    assert page.sliders["at"].slider.value == page.lab.at == -0.75


def test_handles_count_in_a_tables_own_units(at):
    page = at(picture="bayes", source="wine", standardise=False)
    y, x = page.result.pairs.Y[:, 0], page.result.pairs.X[:, 0]
    page.put("prior", [0, 0.0, y.mean() - y.std()])
    page.put("prior", [1, 0.0, y.mean() + y.std()])
    page.put("known", [0, x.mean() + 2 * x.std(), 0.0])
    assert (page.lab.prior_mean, page.lab.prior_sd, page.lab.at) == (-1.0, 2.0, 2.0)
    assert drawn(page)["bayes.prior"]["y"] == pytest.approx([y.mean() - y.std(), y.mean() + y.std()])


@pytest.mark.parametrize("picture", ["filter", "table"])
def test_a_handle_that_is_heard_late_is_left_alone(at, picture):
    page = at(picture=picture)
    page.put("known", [0, 1.0, 0.0])
    assert page.lab.picture == picture


# the table of boxes


def test_numbers_are_typed_into_the_table(at):
    page = at(picture="table")
    labels = [box.label for box in page.editor.boxes.values()]
    assert labels == ["x1 y1", "x1 y2", "x1 y3", "x2 y1", "x2 y2", "x2 y3", "prior y1", "prior y2", "prior y3"]
    before = drawn(page)["table.bars"], page.frame.headline.object, page.operators.object
    page.editor.boxes[0, 2].value = "4"
    page.editor.boxes[2, 1].value = "0.5"
    assert page.lab.table_counts.tolist() == [[3, 1, 4], [1, 3, 2]]
    assert page.lab.table_prior == pytest.approx(np.array([2, 0.5, 1]) / 3.5)
    assert faithful(page, n=20, picture="table", counts=page.lab.counts, chances=page.lab.chances)
    assert not same({"": before[0]}, {"": drawn(page)["table.bars"]})
    assert before[1] != page.frame.headline.object
    assert before[2] != page.operators.object


def test_rows_and_columns_come_and_go(at):
    page = at(picture="table", seen=2)
    edit, buttons = page.editor, page.editor.buttons
    for _ in range(3):
        buttons[0, True].clicks += 1
    assert page.lab.table_counts.tolist() == [[3, 1, 0], [1, 3, 2], [1, 1, 1], [1, 1, 1], [1, 1, 1]]
    assert buttons[0, True].disabled
    assert [edit.boxes[5, j].value for j in range(3)] == ["2", "1", "1"]  # the prior stays the last row
    page.move("seen", seen=5)
    buttons[0, False].clicks += 1
    assert (len(page.lab.table_counts), page.lab.seen, notice(page)) == (4, 4, "")
    buttons[1, True].clicks += 1
    assert (page.lab.table_counts[:, 3].tolist(), json.loads(page.lab.chances)) == ([1] * 4, [2, 1, 1, 1])
    for _ in range(2):
        buttons[1, False].clicks += 1
        buttons[0, False].clicks += 1
    assert page.lab.table_counts.tolist() == [[3, 1], [1, 3]]
    assert (buttons[0, False].disabled, buttons[1, False].disabled, page.lab.seen) == (True, True, 2)


@pytest.mark.parametrize("word", ["abc", "", "-1", "0.5", "100", "nan", "1e400"])
def test_a_word_that_is_no_count_is_a_sentence_and_the_picture_stays(at, word):
    page = at(picture="table")
    before, fields = drawn(page), page.lab.values()
    page.editor.boxes[0, 0].value = word
    assert "counts must be like" in notice(page)
    assert page.lab.values() == fields
    assert same(before, drawn(page))
    page.editor.boxes[0, 0].value = "5"
    assert (page.lab.table_counts[0, 0], notice(page)) == (5, "")


def test_the_number_that_was_there_takes_the_sentence_back(at):
    page = at(picture="table", counts="[[4, 1, 0], [1, 3, 2]]", chances="[2, 1, 1]")
    page.editor.boxes[0, 0].value = "abc"
    page.editor.boxes[0, 0].value = "4"
    assert notice(page) == ""


def test_a_table_typed_back_is_the_first_one(at):
    page = at(picture="table")
    page.editor.boxes[0, 0].value = "4"
    page.editor.boxes[0, 0].value = "3"
    assert page.lab == type(page.lab)(n=20, picture="table")


def test_an_impossible_x_keeps_the_last_picture(at):
    page = at(picture="table")
    before = drawn(page)
    page.move(None, counts="[[0, 0, 0], [1, 3, 2]]")
    assert "the x that is seen has no chance" in notice(page)
    assert same(before, drawn(page))
    type_in(page, "seen", "3")
    assert "not in the table, which has 2 rows" in trouble(page, "seen")
    page.move("seen", seen=2)
    assert notice(page) == ""


# a path that plays


def test_a_step_goes_one_time_on_and_no_further_than_the_end(at):
    page = at(picture="filter", time=58)
    for expected in (59, 60, 60):
        page.step_on()
        assert (page.lab.time, page.sliders["time"].slider.value) == (expected, expected)
    track = drawn(page)["filter.tracks"]["kernel"]
    assert np.isfinite(track).all()
    page.move("time", time=9)
    assert np.isfinite(drawn(page)["filter.tracks"]["kernel"]).sum() == 9


def test_a_path_is_played_by_its_key_and_no_longer_where_another_picture_is_chosen(at):
    page = at(picture="filter", time=57)
    _, play_or_pause = page.actions()[" "]
    for on in (True, False, True):
        play_or_pause()
        assert page.play.playing == on
    page.choose("picture", "cut")
    assert not page.play.playing
    play_or_pause()
    assert not page.play.playing


# tables and λ


def test_the_menus_of_a_table_take_groups_of_columns(at):
    page = at()
    assert not page.roles.x.visible
    page.choose("source", "wine")
    assert (page.roles.x.value, page.roles.y.value) == (["flavanoids"], ["color_intensity"])
    page.roles.x.value = ["hue", "ash"]
    page.roles.y.value = ["alcohol", "ash"]
    assert (page.lab.x, page.lab.y) == ('["hue"]', '["alcohol", "ash"]')  # what y is x is not
    assert page.roles.x.value == ["hue"]
    assert page.result.pairs.Y.shape[1] == 2
    page.choose("picture", "filter")
    page.choose("path", "rows")
    assert (page.result.course.states.shape[1], notice(page)) == (2, "")


def test_a_path_without_a_table_keeps_the_last_picture(at):
    page = at(picture="filter")
    before = drawn(page)
    page.choose("path", "rows")
    assert "The path takes rows of a table, and the pairs come from none" in notice(page)
    assert same(before, drawn(page))
    page.choose("source", "wdbc")
    assert (notice(page), page.result.course.called) == (
        "",
        "mean_compactness of wdbc, seen through mean_radius",
    )


def own(page):
    page.own.choose(TABLE, "t.csv")
    page.own.use(page.own.read())
    return page


def test_a_table_of_ones_own_becomes_the_path():
    page = own(small(picture="filter"))
    assert (page.lab.source, page.lab.path, page.lab.n, notice(page)) == ("file", "rows", 28, "")
    assert (len(page.result.course.hidden), page.result.course.called) == (11, "d of t.csv, seen through a")
    page = own(small())
    assert (page.lab.path, page.lab.n, page.result.pairs.names) == ("line", 40, ("a", "d"))


def test_a_link_to_a_path_of_ones_own_holds_once_the_file_is_there():
    page = own(small(picture="filter"))
    page.move("n", n=20)
    again = own(opened(ConditionalPage, **page.lab.flat()))
    assert again.lab == page.lab


@pytest.mark.thorough
def test_a_short_table_of_ones_own_becomes_the_path_too():
    page = small(picture="filter")
    page.own.choose(b"\n".join(TABLE.split(b"\n")[:18]), "t.csv")
    page.own.use(page.own.read())
    assert notice(page) == ""


def test_auto_lam_leaves_it_to_leave_one_out(at):
    page = at(lam=0.1)
    for picture in ("cut", "bayes", "filter"):
        page.choose("picture", picture)
        page.move("lam", lam=0.1)
        page.hand.press("auto")
        page.rest()
        assert page.lab.lam is None
        assert page.near("lam") == page.result.lam
        assert page.sliders["lam"].slider.value_label == "by leave-one-out"
        assert "by leave-one-out" in page.frame.headline.object
    page.choose("picture", "table")
    assert page.near("lam") is None


def test_the_browser_has_a_row_for_every_lam_of_the_cut_alone(at):
    page = at()
    stamp = page.screen.lookup.stamp
    assert stamp.table == stamp.shown
    assert len(stamp.sentences) == len(page.result.stops) + 1
    page.choose("picture", "bayes")
    assert stamp.table < stamp.shown
    page.choose("picture", "cut")
    page.move(None, **ROWS["conditional"].moves[0])
    assert stamp.table == stamp.shown
