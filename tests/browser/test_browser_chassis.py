"""Features of the page framework in every lab, by real input: keys, stories, a pinned state, and files to download."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from PIL import Image
from server_process import until

from explorer.exports.paper import foot
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.stories import PRESETS, STORIES

pytestmark = pytest.mark.browser


def test_keys_work_where_one_does_not_type(room):
    room.page.keyboard.press("n")
    room.follows(seed="2")
    room.page.keyboard.press("z")
    room.follows(seed="1")
    room.type("seed", "3")
    room.follows(seed="3")
    room.box("n").fill("")
    room.box("n").press("r")  # a letter in a box is a letter
    assert room.box("n").input_value() == "r"
    room.box("n").fill("20")
    room.box("n").press("Enter")
    room.page.mouse.click(5, 300)
    room.page.keyboard.press("r")
    room.follows(seed="1")


@pytest.mark.thorough
def test_an_undone_drag_is_undone_whole(room):
    with room.hand("bandwidth") as move:
        for i in range(6):
            move(0.3 + i / 20)
    until(lambda: room.fields["bandwidth"] != "0.32", "another bandwidth in the link")
    room.button("^Undo$").click()
    room.follows(bandwidth="0.32")
    until(lambda: room.headline == room.first, "the first headline")


FOCUSED = """() => {
  let focused = document.activeElement
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused.textContent
}"""


@pytest.mark.thorough
def test_a_story_is_walked_through(room):
    story = STORIES[1]
    room.begin(story)
    room.follows(**ShrinkageLab(**story.steps[0].fields).flat(), story=story.key, step="1")
    until(lambda: "after your guess" in room.headline, "a veil over the headline")
    card = room.page.locator(".story")
    slider = card.get_by_role("slider")
    slider.focus()
    slider.press("Home")
    assert slider.get_attribute("aria-valuetext") == "0 %"
    veiled, pictures = room.headline, room.pictures()
    room.press("λ")
    until(lambda: room.pictures() != pictures, "a new picture")
    assert room.headline == veiled  # also where the browser writes it by itself
    card.get_by_role("button", name="Return").click()
    card.get_by_role("button", name="Guess").wait_for()
    slider.press("End")
    card.get_by_role("button", name="Guess").focus()
    room.page.keyboard.press("Enter")
    until(lambda: "percentage points too high" in card.inner_text(), "by how much it is off")
    assert card.locator("svg").get_attribute("aria-label").startswith("less squared error")
    assert card.locator("[aria-live=polite]", has_text="too high").count() == 1
    until(lambda: "after your guess" not in room.headline, "the headline")
    until(lambda: room.page.evaluate(FOCUSED) == "Next", "the focus on Next")
    for i in range(1, len(story.steps)):
        room.button("^Next$").click()
        room.follows(**ShrinkageLab(**story.steps[i].fields).flat(), story=story.key, step=str(i + 1))
        assert story.steps[i].asks in room.page.locator(".story").inner_text()
    assert room.nameless() == []
    room.button("^Leave the story$").click()
    until(lambda: "story" not in room.fields, "a link without a story")


LETTERS = """() => Bokeh.documents.flatMap((doc) => [...doc._all_models.values()])
  .filter(({type}) => type.endsWith('Axis')).map((axis) => parseFloat(axis.major_label_text_font_size))"""


@pytest.mark.thorough
def test_a_lecture_has_large_letters_and_a_code_and_escape_leaves_it(room):
    before = room.page.evaluate(LETTERS)
    room.button("^Lecture$").click()
    room.follows(ui="lecture")
    until(lambda: min(room.page.evaluate(LETTERS)) >= 1.5 * max(before), "larger letters")
    assert room.page.get_by_role("button", name=PRESETS[1].name).is_visible()
    room.page.get_by_role("button", name="Share").click()
    room.page.get_by_text("QR code", exact=True).click()
    room.page.get_by_role("img", name="QR code of its link").wait_for()
    room.page.keyboard.press("Escape")
    room.page.get_by_role("img", name="QR code of its link").wait_for(state="hidden")
    assert room.fields["ui"] == "lecture"  # this one closed the code
    room.page.keyboard.press("Escape")
    until(lambda: "ui" not in room.fields, "all of the page")
    until(lambda: room.page.evaluate(LETTERS) == before, "letters as they were")


def test_the_help_has_keys_then_a_plan_of_the_screen_then_folds(room):
    room.page.keyboard.press("?")
    room.page.get_by_role("heading", name="Help").wait_for()
    lines = room.page.locator(".plan li")
    until(lambda: lines.count() >= 6, "a line for each part")
    pictures = [line for line in lines.all_inner_texts() if line.startswith("Picture: ")]
    assert len(pictures) == room.page.locator(".bk-Figure:visible").count()
    assert lines.first.inner_text().startswith("Headline")
    assert room.page.locator(".screen b").all_inner_texts() == [str(i + 1) for i in range(lines.count())]
    fold = room.page.locator("details", has_text="Sample").first
    fold.locator("summary").focus()
    room.page.keyboard.press("Enter")
    until(lambda: fold.locator("p").is_visible(), "what is in the fold")
    room.page.keyboard.press("Escape")
    room.page.get_by_role("heading", name="Help").wait_for(state="hidden")


@pytest.mark.thorough
def test_a_pinned_state_shows_in_picture_and_table(room):
    before = room.pictures()
    room.compare("^Pin this as A")
    until(lambda: room.pictures() != before, "a fainter curve")
    with room.answers("a step of n"):
        room.press("n points")
    table = room.page.get_by_role("table", name="A and now")
    until(lambda: "n points" in table.inner_text(), "a row for what differs")
    room.compare("^Unpin A")
    until(lambda: table.count() == 0, "no table")


@pytest.mark.thorough
def test_pictures_are_files(room, tmp_path):
    room.unfold("All downloads")
    for name, key in (("loss", "leave-one-out score"), ("sample", "weight 1/n (plain average)"), ("small", "F-KMSE")):
        for kind in ("png", "svg"):
            with room.page.expect_download() as download:
                room.button(f"^{name} {kind.upper()}$").click()
            assert download.value.suggested_filename == f"shrinkage-{name}.{kind}"
            download.value.save_as(tmp_path / f"{name}.{kind}")
        image = Image.open(tmp_path / f"{name}.png")
        assert len(image.convert("RGB").getcolors(2**24)) > 20
        written = (tmp_path / f"{name}.svg").read_text()
        assert written.startswith("<svg")
        assert "λ" in written or name != "loss"
        texts = ElementTree.fromstring(written).itertext()
        assert {key, foot(ShrinkageLab())} <= set(texts)


@pytest.mark.thorough
def test_one_file_is_a_file(room, tmp_path):
    room.unfold("All downloads")
    with room.page.expect_download() as download:
        room.button("^One file").click()
    assert download.value.suggested_filename == "shrinkage.html"
    download.value.save_as(tmp_path / "lab.html")
    assert "<h1>Shrinkage" in (tmp_path / "lab.html").read_text()


@pytest.mark.thorough
def test_a_film_is_one_click_in_the_menu(room, tmp_path):
    room.page.get_by_role("button", name="Share").click()
    with room.page.expect_download() as download:
        room.page.get_by_role("button", name="Film (GIF)").first.click()
    assert download.value.suggested_filename == "shrinkage.gif"
    download.value.save_as(tmp_path / "lab.gif")
    with Image.open(tmp_path / "lab.gif") as image:
        assert image.is_animated
        assert image.n_frames > 20


@pytest.mark.thorough
def test_numbers_and_state_are_files(room, tmp_path):
    room.unfold("All downloads")
    room.press("n points")
    room.follows(n=room.says("n points"))
    for name in ("curves CSV", "state JSON"):
        with room.page.expect_download() as download:
            room.page.locator("a, button").filter(has_text=name).first.click()
        download.value.save_as(tmp_path / name)
    assert json.loads((tmp_path / "state JSON").read_text()).items() >= room.words.items()
    first, header, *rows = (tmp_path / "curves CSV").read_text().splitlines()
    assert f"n={room.says('n points')}" in first
    assert header.startswith("lam,skmse_loss")
    assert len(rows) >= 61


def test_the_headline_is_announced_once_the_hand_rests(room):
    status = room.page.get_by_role("status")
    room.press("n points")
    until(lambda: status.inner_text().startswith(" ".join(room.headline.split())[:-1]), "the announcement")


@pytest.mark.thorough
def test_long_work_is_given_up_by_its_cancel_right_above_the_pictures(new_room):
    room = new_room()
    room.open(n=1000)  # a hundred samples of this size take several seconds
    room.button("100 samples").click()
    cancel = room.button("^Cancel$")
    cancel.wait_for()
    box, hero = cancel.bounding_box(), room.page.locator(".bk-Figure:visible").first.bounding_box()
    assert hero["y"] - 60 < box["y"] < hero["y"]  # it covers none
    cancel.click()
    until(lambda: any("Cancelled" in alert for alert in room.alerts), "a word on it")
    cancel.wait_for(state="hidden")
    room.follows(samples="0", n="1000")
