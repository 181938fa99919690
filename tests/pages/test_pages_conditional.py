"""The Conditional lab's page without a browser: its pictures, handles, number grid, and animated path."""

import json

import numpy as np
import pytest
from helpers.page_helpers import live_columns, notice, open_page, same_columns, shows_state

from explorer.pages import ConditionalPage

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab

LINES = [b"a,b,c,d", *(b"%d,%d,%d,%d" % (i * 5 % 13, i * i % 7, -i, i * 3 % 5) for i in range(40))]


def small(**words):
    return open_page(ConditionalPage, n="20", **words)


@pytest.fixture
def at():
    """Return a function that moves a new page to its opening state, except for these fields."""
    page = small()

    def at(**fields):
        page.move(None, **ConditionalPage.lab_class(n=20).replace(**fields).values())
        page.rest()
        return page

    yield at
    page.runtime.cancel_idle_update()


PLACES = {
    "cut": ("cut density score", "at lam"),
    "bayes": ("bayes posterior predicted", "at lam prior_gap lam_posterior"),
    "filter": ("filter belief missed", "time lam sensor lam_posterior player next"),
    "table": ("table", "seen editor operators"),
}


def part_of(page, name):
    """Return the component with this name of a slider, a button or an attribute of the page."""
    named = {"player": page.players["time"], **page.pressed}
    part = getattr(page.sliders.get(name), "slider", None) or named.get(name) or getattr(page, name)
    return getattr(part, "parts", part)


def test_a_picture_has_its_own_place_and_controls_and_lam_waits_at_its_choice(at):
    page = at()
    parts = {name: part_of(page, name) for _, controls in PLACES.values() for name in controls.split()}
    for picture, (seen, controls) in PLACES.items():
        page.choose("picture", picture)
        hidden = {id(part) for each in page.chrome.page.select() if not each.visible for part in each.select()}
        assert {name for name, part in parts.items() if id(part) not in hidden} == set(controls.split())
        assert set(page.view.visible(page.result)) == set(seen.split())
        assert (shows_state(page, n=20, picture=picture), notice(page)) == (True, "")
        assert page.slider_start("lam") == page.result.lam
        assert (page.slider_start("lam") is None) == (picture == "table")


# handles


def test_handles_move_the_prior_and_x(at):
    page = at(picture="bayes")
    for handle, row, place, field, value in (
        ("prior", 0, 1.2345, "prior_mean", 1.234),
        ("prior", 1, 2.0, "prior_sd", 0.766),
        ("prior", 1, 0.234, "prior_sd", 1.0),  # the distance counts on both sides of the mean
        ("prior", 1, 1.24, "prior_sd", 0.05),  # the smallest allowed width
        ("known", 0, -0.75, "at", -0.75),
        ("known", 0, -0.7777, "at", -0.778),
    ):
        page.on_drag(handle, [row, place, -2.0] if handle == "known" else [row, -3.0, place])
        assert getattr(page.lab, field) == value
    page.rest()
    assert shows_state(page, n=20, picture="bayes", prior_mean=1.234, prior_sd=0.05, at=-0.778)
    assert page.controls["prior_mean"].box.value == "1.234"
    assert page.sliders["at"].slider.value == -0.778
    for picture in ("filter", "table"):  # pictures in which a delayed drag message may arrive
        page = at(picture=picture)
        page.on_drag("known", [0, 1.0, 0.0])
        assert shows_state(page, n=20, picture=picture)


def test_handles_count_in_a_tables_own_units(at):
    page = at(picture="bayes", source="wine", standardise=False)
    y, x = page.result.pairs.Y[:, 0], page.result.pairs.X[:, 0]
    page.on_drag("prior", [0, 0.0, y.mean() - y.std()])
    page.on_drag("prior", [1, 0.0, y.mean() + y.std()])
    page.on_drag("known", [0, x.mean() + 2 * x.std(), 0.0])
    assert (page.lab.prior_mean, page.lab.prior_sd, page.lab.at) == (-1.0, 2.0, 2.0)
    assert live_columns(page)["bayes.prior"]["y"] == pytest.approx([y.mean() - y.std(), y.mean() + y.std()])


# the number grid


def test_numbers_are_typed_into_the_table_and_back(at):
    page = at(picture="table")
    first, boxes = page.lab.replace(), page.editor.boxes
    labels = [box.label for box in boxes.values()]
    assert labels == ["x1 y1", "x1 y2", "x1 y3", "x2 y1", "x2 y2", "x2 y3", "prior y1", "prior y2", "prior y3"]
    before = live_columns(page)["table.bars"], page.chrome.headline.object, page.operators.object
    boxes[0, 2].value = "4"
    boxes[2, 1].value = "0.5"
    assert page.lab.table_counts.tolist() == [[3, 1, 4], [1, 3, 2]]
    assert page.lab.table_prior == pytest.approx(np.array([2, 0.5, 1]) / 3.5)
    assert shows_state(page, n=20, picture="table", counts=page.lab.counts, chances=page.lab.chances)
    assert not same_columns({"": before[0]}, {"": live_columns(page)["table.bars"]})
    assert before[1] != page.chrome.headline.object
    assert before[2] != page.operators.object
    boxes[0, 2].value = "0"
    boxes[2, 1].value = "1"
    assert page.lab == first


def test_rows_and_columns_come_and_go(at):
    page = at(picture="table", seen=2)
    edit, buttons = page.editor, page.editor.buttons
    for _ in range(3):
        buttons[0, True].clicks += 1
    assert page.lab.table_counts.tolist() == [[3, 1, 0], [1, 3, 2], [1, 1, 1], [1, 1, 1], [1, 1, 1]]
    assert buttons[0, True].disabled
    assert [edit.boxes[5, j].value for j in range(3)] == ["2", "1", "1"]  # the prior is still the last row
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


# the animated path


def test_a_path_is_played_and_stepped_through_and_no_longer_where_another_picture_is_chosen(at):
    page = at(picture="filter", time=58)
    for expected in (59, 60, 60):
        page.step_on()
        assert (page.lab.time, page.sliders["time"].slider.value) == (expected, expected)
    assert np.isfinite(live_columns(page)["filter.tracks"]["kernel"]).all()
    page.move("time", time=9)
    assert np.isfinite(live_columns(page)["filter.tracks"]["kernel"]).sum() == 9
    _, play_or_pause = page.actions()[" "]
    for on in (True, False, True):
        play_or_pause()
        assert page.play.playing == on
    page.choose("picture", "cut")
    assert not any(each.playing for each in page.players.values())
    play_or_pause()  # plays the observed x, which the picture shows
    page.step_on()
    assert (page.players["time"].playing, page.players["at"].playing, page.lab.time) == (False, True, 9)


# tables


def test_the_menus_of_a_table_take_groups_of_columns_and_its_rows_are_a_path_without_a_sensor(at):
    page = at()
    assert not page.roles.x.visible
    page.choose("source", "wine")
    assert (page.roles.x.value, page.roles.y.value) == (["flavanoids"], ["color_intensity"])
    page.roles.x.value = ["hue", "ash"]
    page.roles.y.value = ["alcohol", "ash"]
    assert (page.lab.x, page.lab.y) == ('["hue"]', '["alcohol", "ash"]')  # x does not keep the column that y takes
    assert page.roles.x.value == ["hue"]
    assert page.result.pairs.Y.shape[1] == 2
    page.choose("picture", "filter")
    assert not page.sliders["sensor"].slider.disabled
    page.choose("path", "rows")
    assert page.sliders["sensor"].slider.disabled
    assert (page.result.course.states.shape[1], notice(page)) == (2, "")


def own(page, lines=LINES):
    page.user_data.choose(b"\n".join(lines), "t.csv")
    page.user_data.use(page.user_data.read())
    return page


def test_a_table_of_ones_own_becomes_the_path_and_a_link_to_it_holds_once_the_file_is_there():
    page = own(small(picture="filter"))
    assert (page.lab.source, page.lab.path, page.lab.n, notice(page)) == ("file", "rows", 28, "")
    assert len(page.result.course.hidden) == 11
    page.move("n", n=20)
    assert own(open_page(ConditionalPage, **page.lab.flat())).lab == page.lab
    page = own(small(picture="filter"), LINES[:18])  # the fewest rows that leave ten to track
    assert (page.lab.n, notice(page)) == (6, "")
    page = own(small())
    assert (page.lab.path, page.lab.n, page.result.pairs.names) == ("line", 40, ("a", "d"))
