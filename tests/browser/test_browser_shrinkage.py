"""The Shrinkage lab in use: keys, mouse, typed text and presets."""

from __future__ import annotations

import pytest
from server_process import until

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.stories import PRESETS as SHRINKAGE
from explorer.labs.shrinkage.words import headline
from explorer.markup import text_of

pytestmark = pytest.mark.browser


def test_a_key_moves_a_slider(room):
    fields = {"λ": "lam", "bandwidth": "bandwidth", "n points": "n", "d coord": "d", "outliers": "outliers"}
    for name, field in fields.items():
        with room.answers(f"a step of {name}"):
            room.press(name)
        room.follows(**{field: room.says(name)})
        assert room.box(name.split()[0]).input_value() == room.says(name)


@pytest.mark.thorough
def test_what_the_browser_drew_gives_way_to_what_the_server_draws(room):
    with room.answers("a step of λ"):
        room.press("λ")
    room.follows(lam=room.says("λ"))
    room.button("^auto λ$").click()
    until(lambda: room.headline == room.first, "the automatic λ's headline")


def test_lam_says_its_number_at_once_even_before_its_table_has_come(room, server):
    room.press("bandwidth")
    until(lambda: room.headline != room.first, "the server's answer")
    with (
        server.asleep()
    ):  # most often before it has sent the table; the browser must not need it for the slider's own words
        room.press("λ")
        assert room.says("λ").replace(".", "").isdigit()


def test_the_browser_answers_lam_while_the_server_sleeps(room, server):
    for other in (None, "bandwidth"):  # from the table that the room opened with, and from one that was sent later
        if other:
            room.press(other)
            room.follows(**{other: room.says(other)})
            until(room.rested, "the new table")
        with server.asleep(), room.answers("a step of λ"):
            room.press("λ")
        room.follows(lam=room.says("λ"))
        assert room.says("λ") in room.headline


@pytest.mark.thorough
def test_a_sleeping_server_answers_no_other_slider(room, server):
    """The test before this one depends on this."""
    with server.asleep():
        room.press("bandwidth")
        room.page.wait_for_timeout(300)
        assert room.headline == room.first
    room.follows(bandwidth=room.says("bandwidth"))
    assert room.headline != room.first


@pytest.mark.thorough(default=["*-lam"])
@pytest.mark.parametrize(("name", "field"), [("bandwidth", "bandwidth"), ("λ", "lam")])
def test_a_drag_paints_on_the_way_and_ends_where_the_hand_does(room, name, field):
    pictures = room.pictures()
    with room.hand(name) as go:
        for step in range(40):
            go(0.2 + 0.6 * step / 39)
        until(lambda: room.pictures() != pictures, "a picture under the pointer")
        go(0.3)
    room.follows(**{field: room.says(name)})
    until(lambda: room.headline in meant(room.fields), "the headline of the link")


def meant(fields):
    """Return what a page should show at the parameters of the link, by the library alone."""
    lab, refused = ShrinkageLab.from_flat({name: word for name, word in fields.items() if name != "v"})
    assert refused == []
    result = lab.result()
    return text_of(headline(result, result.row))


def test_a_typed_number_moves_the_slider(room):
    with room.answers("a typed λ"):
        room.type("λ", "0.123")
    room.follows(lam="0.123")
    assert room.says("λ") == "0.123"


@pytest.mark.thorough
def test_a_word_that_is_no_value_is_refused_beside_its_box(room):
    for i, word in enumerate(["abc", "1e9", "<b>7</b>"]):
        headline, pictures = room.headline, room.pictures()
        room.type("n", word)
        (alert,) = until(lambda: room.alerts, f"a refusal of {word}")
        assert "n must be" in alert
        below = room.page.get_by_role("alert").bounding_box()["y"] - room.box("n").bounding_box()["y"]
        assert 0 < below < 100
        assert (room.headline, room.pictures()) == (headline, pictures)
        with room.answers(f"a right value after {word}"):
            room.type("n", str(30 + i))
        until(lambda: not room.alerts, f"the end of the refusal of {word}")
    room.follows(n="32")


@pytest.mark.thorough
def test_a_preset_opens_its_state_and_looks_chosen(room):
    for preset in (SHRINKAGE[3], SHRINKAGE[1], SHRINKAGE[0]):  # none of them turns to a picture, which would stay
        with room.answers(preset.name):
            room.preset(preset.name)
        room.follows(**ShrinkageLab(**preset.fields).flat())
        until(
            lambda preset=preset: room.chosen([p.name for p in SHRINKAGE]) == [preset.name],
            f"{preset.name} to look chosen",
        )
    room.page.mouse.move(0, 0)  # a button under the pointer looks different too
    room.press("bandwidth")
    until(lambda: room.chosen([p.name for p in SHRINKAGE]) == [], "no preset to look chosen")


@pytest.mark.thorough
def test_a_kernel_is_a_menu_away_and_says_whether_it_has_a_bandwidth(room):
    with room.answers("another kernel"):
        room.pick("kernel", "Laplacian")
    room.follows(kernel="LAP")
    assert room.slider("bandwidth").is_enabled()
    with room.answers("a kernel without a bandwidth"):
        room.pick("kernel", "linear")
    room.follows(kernel="LIN")
    until(room.slider("bandwidth").is_disabled, "no bandwidth to move")


@pytest.mark.thorough
def test_the_true_mean_is_dragged_along_james_and_stein_s_risk(room):
    with room.answers("James-Stein alone"):
        room.pick("show", "James-Stein")
    room.follows(estimators="james-stein", source="gaussian", kernel="LIN")
    until(room.rested, "the page at rest")
    room.scroll_up()
    places = [room.spot("Expected", *place) for place in ((0, 1), (2, 0.8), (4, 0.5))]
    room.drag(*places)
    right = 4 / 40**0.5  # standard errors of 20 points with two coordinates
    until(lambda: abs(float(room.fields["mean"]) - right) < 0.1 * right, "the end of the drag in the link")
    room.agrees()
    assert "James-Stein has on average the same squared error" in room.headline


@pytest.mark.thorough
def test_the_centre_of_a_function_is_dragged(room):
    room.picture("^Averages.of.functions$")
    room.follows(picture="values")
    room.scroll_up()
    result = ShrinkageLab(picture="values").result()
    t, height, spread = result.values.centre[0], float(result.values.exact[-1]), result.X[:, 0].std()
    room.drag(*(room.spot("Average of f", t + each * spread, height) for each in (0, 0.4, 0.8)))
    until(lambda: abs(float(room.fields["probe"]) - 0.8) < 0.1, "the end of the drag in the link")
    room.agrees()


@pytest.mark.thorough
def test_many_points_step_back_while_they_are_computed(room):
    room.watch_waits()  # by the browser: a quick machine may be done before we can look
    room.type("n", "1500")
    room.follows(n="1500")
    assert room.waited()
    until(lambda: not room.waits(), "the picture to come forward")
    assert room.headline != room.first
    with room.answers("a step of λ, of many points"):
        room.press("λ")
    room.follows(lam=room.says("λ"))
