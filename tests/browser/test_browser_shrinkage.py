"""The Shrinkage lab in use: keys, mouse, typed text and presets."""

from __future__ import annotations

import pytest
from helpers.server_process import until

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.words import headline
from explorer.markup import text_of
from explorer.workbench.content import content_of

SHRINKAGE = content_of("shrinkage").presets

pytestmark = pytest.mark.browser


def test_a_key_moves_a_slider(lab_page):
    fields = {"λ": "lam", "bandwidth": "bandwidth", "n points": "n", "d coord": "d", "outliers": "outliers"}
    for name, field in fields.items():
        with lab_page.answers(f"a step of {name}"):
            lab_page.press(name)
        lab_page.follows(**{field: lab_page.says(name)})
        assert lab_page.box(name.split()[0]).input_value() == lab_page.says(name)


@pytest.mark.thorough
def test_what_the_browser_drew_gives_way_to_what_the_server_draws(lab_page):
    with lab_page.answers("a step of λ"):
        lab_page.press("λ")
    lab_page.follows(lam=lab_page.says("λ"))
    lab_page.button("^auto λ$").click()
    until(lambda: lab_page.headline == lab_page.first, "the automatic λ's headline")


def test_lam_says_its_number_at_once_even_before_its_table_has_come(lab_page, server):
    lab_page.press("bandwidth")
    until(lambda: lab_page.headline != lab_page.first, "the server's answer")
    with (
        server.asleep()
    ):  # most often before it has sent the table; the browser must not need it for the slider's own words
        lab_page.press("λ")
        assert lab_page.says("λ").replace(".", "").isdigit()


def test_the_browser_answers_lam_while_the_server_sleeps(lab_page, server):
    for other in (None, "bandwidth"):  # from the table that the page opened with, and from one that was sent later
        if other:
            lab_page.press(other)
            lab_page.follows(**{other: lab_page.says(other)})
            until(lab_page.is_idle, "the new table")
        with server.asleep(), lab_page.answers("a step of λ"):
            lab_page.press("λ")
        lab_page.follows(lam=lab_page.says("λ"))
        assert lab_page.says("λ") in lab_page.headline


@pytest.mark.thorough
def test_a_sleeping_server_answers_no_other_slider(lab_page, server):
    """The test before this one depends on this."""
    with server.asleep():
        lab_page.press("bandwidth")
        lab_page.page.wait_for_timeout(300)
        assert lab_page.headline == lab_page.first
    lab_page.follows(bandwidth=lab_page.says("bandwidth"))
    assert lab_page.headline != lab_page.first


@pytest.mark.thorough(default=["*-lam"])
@pytest.mark.parametrize(("name", "field"), [("bandwidth", "bandwidth"), ("λ", "lam")])
def test_a_drag_paints_on_the_way_and_ends_where_the_hand_does(lab_page, name, field):
    pictures = lab_page.pictures()
    with lab_page.hold_slider(name) as go:
        for step in range(40):
            go(0.2 + 0.6 * step / 39)
        until(lambda: lab_page.pictures() != pictures, "a picture under the pointer")
        go(0.3)
    lab_page.follows(**{field: lab_page.says(name)})
    until(lambda: lab_page.headline in meant(lab_page.fields), "the headline of the link")


def meant(fields):
    """Return what a page should show at the parameters of the link, by the library alone."""
    lab, refused = ShrinkageLab.from_flat({name: word for name, word in fields.items() if name != "v"})
    assert refused == []
    result = lab.result()
    return text_of(headline(result, result.row))


def test_a_typed_number_moves_the_slider(lab_page):
    with lab_page.answers("a typed λ"):
        lab_page.type("λ", "0.123")
    lab_page.follows(lam="0.123")
    assert lab_page.says("λ") == "0.123"


@pytest.mark.thorough
def test_a_word_that_is_no_value_is_refused_beside_its_box(lab_page):
    for i, word in enumerate(["abc", "1e9", "<b>7</b>"]):
        headline, pictures = lab_page.headline, lab_page.pictures()
        lab_page.type("n", word)
        (alert,) = until(lambda: lab_page.alerts, f"a refusal of {word}")
        assert "n must be" in alert
        below = lab_page.page.get_by_role("alert").bounding_box()["y"] - lab_page.box("n").bounding_box()["y"]
        assert 0 < below < 100
        assert (lab_page.headline, lab_page.pictures()) == (headline, pictures)
        with lab_page.answers(f"a right value after {word}"):
            lab_page.type("n", str(30 + i))
        until(lambda: not lab_page.alerts, f"the end of the refusal of {word}")
    lab_page.follows(n="32")


@pytest.mark.thorough
def test_a_preset_opens_its_state_and_looks_chosen(lab_page):
    for preset in (SHRINKAGE[3], SHRINKAGE[1], SHRINKAGE[0]):
        with lab_page.answers(preset.name):
            lab_page.preset(preset.name)
        fields = ShrinkageLab(**preset.fields).flat()
        lab_page.follows(**{name: word for name, word in fields.items() if name not in ShrinkageLab.aside})
        until(
            lambda preset=preset: lab_page.chosen([p.name for p in SHRINKAGE]) == [preset.name],
            f"{preset.name} to look chosen",
        )
    lab_page.page.mouse.move(0, 0)  # a button under the pointer looks different too
    lab_page.press("bandwidth")
    until(lambda: lab_page.chosen([p.name for p in SHRINKAGE]) == [], "no preset to look chosen")


@pytest.mark.thorough
def test_a_kernel_is_a_menu_away_and_says_whether_it_has_a_bandwidth(lab_page):
    with lab_page.answers("another kernel"):
        lab_page.pick("kernel", "Laplacian")
    lab_page.follows(kernel="LAP")
    assert lab_page.slider("bandwidth").is_enabled()
    with lab_page.answers("a kernel without a bandwidth"):
        lab_page.pick("kernel", "linear")
    lab_page.follows(kernel="LIN")
    until(lab_page.slider("bandwidth").is_disabled, "no bandwidth to move")


@pytest.mark.thorough
def test_the_true_mean_is_dragged_along_james_and_stein_s_risk(lab_page):
    with lab_page.answers("James-Stein alone"):
        lab_page.pick("show", "James-Stein")
    lab_page.follows(estimators="james-stein", source="gaussian", kernel="LIN")
    until(lab_page.is_idle, "the page at rest")
    lab_page.scroll_up()
    places = [lab_page.at("Expected", *place) for place in ((0, 1), (2, 0.8), (4, 0.5))]
    lab_page.drag(*places)
    right = 4 / 40**0.5  # standard errors of 20 points with two coordinates
    until(lambda: abs(float(lab_page.fields["mean"]) - right) < 0.1 * right, "the end of the drag in the link")
    lab_page.agrees()
    assert "the same squared error" in lab_page.headline


@pytest.mark.thorough
def test_the_centre_of_a_function_is_dragged(lab_page):
    lab_page.picture("^Averages.of.functions$")
    lab_page.follows(picture="values")
    lab_page.scroll_up()
    result = ShrinkageLab(picture="values").result()
    t, height, spread = result.values.centre[0], float(result.values.exact[-1]), result.X[:, 0].std()
    lab_page.drag_point("Averages of functions", *((t + each * spread, height) for each in (0, 0.4, 0.8)))
    until(lambda: abs(float(lab_page.fields["probe"]) - 0.8) < 0.1, "the end of the drag in the link")
    lab_page.agrees()


@pytest.mark.thorough
def test_many_points_step_back_while_they_are_computed(lab_page):
    lab_page.watch_dimming()  # by the browser: a quick machine may be done before we can look
    lab_page.type("n", "1500")
    lab_page.follows(n="1500")
    assert lab_page.was_dimmed()
    until(lambda: not lab_page.is_dimmed(), "the picture to come forward")
    assert lab_page.headline != lab_page.first
    with lab_page.answers("a step of λ, of many points"):
        lab_page.press("λ")
    lab_page.follows(lam=lab_page.says("λ"))
