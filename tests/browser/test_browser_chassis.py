"""Features of the page framework in every lab, by real input: keys, stories, a pinned state, and files to download."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from helpers.server_process import until
from PIL import Image

from explorer.exports.paper import foot
from explorer.labs.shrinkage import ShrinkageLab
from explorer.workbench.content import content_of

PRESETS = content_of("shrinkage").presets
STORIES = content_of("shrinkage").stories

pytestmark = pytest.mark.browser


def test_keys_work_where_one_does_not_type(lab_page):
    lab_page.page.keyboard.press("n")
    lab_page.follows(seed="2")
    lab_page.page.keyboard.press("z")
    lab_page.follows(seed="1")
    lab_page.type("seed", "3")
    lab_page.follows(seed="3")
    lab_page.box("n").fill("")
    lab_page.box("n").press("r")  # a letter in a box is a letter
    assert lab_page.box("n").input_value() == "r"
    lab_page.box("n").fill("20")
    lab_page.box("n").press("Enter")
    lab_page.page.mouse.click(5, 300)
    lab_page.page.keyboard.press("r")
    lab_page.follows(seed="1")


@pytest.mark.thorough
def test_an_undone_drag_is_undone_whole(lab_page):
    with lab_page.hold_slider("bandwidth") as move:
        for i in range(6):
            move(0.3 + i / 20)
    until(lambda: lab_page.fields["bandwidth"] != "0.32", "another bandwidth in the link")
    lab_page.button("^Undo$").click()
    lab_page.follows(bandwidth="0.32")
    until(lambda: lab_page.headline == lab_page.first, "the first headline")


FOCUSED = """() => {
  let focused = document.activeElement
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused.textContent
}"""


@pytest.mark.thorough
def test_a_story_is_walked_through(lab_page):
    story = STORIES[1]
    lab_page.begin(story)
    lab_page.follows(**ShrinkageLab(**story.steps[0].fields).flat(), story=story.key, step="1")
    until(lambda: "after your guess" in lab_page.headline, "a veil over the headline")
    card = lab_page.page.locator(".story")
    slider = card.get_by_role("slider")
    slider.focus()
    slider.press("Home")
    assert slider.get_attribute("aria-valuetext") == "0 %"
    veiled, pictures = lab_page.headline, lab_page.pictures()
    lab_page.press("λ")
    until(lambda: lab_page.pictures() != pictures, "a new picture")
    assert lab_page.headline == veiled  # also where the browser writes it by itself
    card.get_by_role("button", name="Return").click()
    card.get_by_role("button", name="Guess").wait_for()
    slider.press("End")
    card.get_by_role("button", name="Guess").focus()
    lab_page.page.keyboard.press("Enter")
    until(lambda: "percentage points too high" in card.inner_text(), "by how much it is off")
    assert card.locator("svg").get_attribute("aria-label").startswith("less squared error")
    assert card.locator("[aria-live=polite]", has_text="too high").count() == 1
    until(lambda: "after your guess" not in lab_page.headline, "the headline")
    until(lambda: lab_page.page.evaluate(FOCUSED) == "Next", "the focus on Next")
    for i in range(1, len(story.steps)):
        lab_page.button("^Next$").click()
        lab_page.follows(**ShrinkageLab(**story.steps[i].fields).flat(), story=story.key, step=str(i + 1))
        assert story.steps[i].asks in lab_page.page.locator(".story").inner_text()
    assert lab_page.nameless() == []
    lab_page.button("^Leave the story$").click()
    until(lambda: "story" not in lab_page.fields, "a link without a story")


LETTERS = """() => Bokeh.documents.flatMap((doc) => [...doc._all_models.values()])
  .filter(({type}) => type.endsWith('Axis')).map((axis) => parseFloat(axis.major_label_text_font_size))"""


@pytest.mark.thorough
def test_a_lecture_has_large_letters_and_a_code_and_escape_leaves_it(lab_page):
    before = lab_page.page.evaluate(LETTERS)
    lab_page.button("^Lecture$").click()
    lab_page.follows(ui="lecture")
    until(lambda: min(lab_page.page.evaluate(LETTERS)) >= 1.5 * max(before), "larger letters")
    assert lab_page.page.get_by_role("button", name=PRESETS[1].name).is_visible()
    lab_page.page.get_by_role("button", name="Share").click()
    lab_page.page.get_by_text("QR code", exact=True).click()
    lab_page.page.get_by_role("img", name="QR code of its link").wait_for()
    lab_page.page.keyboard.press("Escape")
    lab_page.page.get_by_role("img", name="QR code of its link").wait_for(state="hidden")
    assert lab_page.fields["ui"] == "lecture"  # this one closed the code
    lab_page.page.keyboard.press("Escape")
    until(lambda: "ui" not in lab_page.fields, "all of the page")
    until(lambda: lab_page.page.evaluate(LETTERS) == before, "letters as they were")


def test_the_help_has_keys_then_a_plan_of_the_screen_then_folds(lab_page):
    lab_page.page.keyboard.press("?")
    lab_page.page.get_by_role("heading", name="Help", exact=True).wait_for()
    lines = lab_page.page.locator(".plan li")
    until(lambda: lines.count() >= 6, "a line for each part")
    pictures = [line for line in lines.all_inner_texts() if line.startswith("Picture: ")]
    assert len(pictures) == lab_page.page.locator(".bk-Figure:visible").count()
    assert lines.first.inner_text().startswith("Headline")
    assert lab_page.page.locator(".screen b").all_inner_texts() == [str(i + 1) for i in range(lines.count())]
    fold = lab_page.page.locator("details", has_text="Sample").first
    fold.locator("summary").focus()
    lab_page.page.keyboard.press("Enter")
    until(lambda: fold.locator("p").is_visible(), "what is in the fold")
    lab_page.page.keyboard.press("Escape")
    lab_page.page.get_by_role("heading", name="Help", exact=True).wait_for(state="hidden")


@pytest.mark.thorough
def test_a_pinned_state_shows_in_picture_and_table(lab_page):
    before = lab_page.pictures()
    lab_page.compare("^Pin this as A")
    until(lambda: lab_page.pictures() != before, "a fainter curve")
    with lab_page.answers("a step of n"):
        lab_page.press("n points")
    table = lab_page.page.get_by_role("table", name="A and now")
    until(lambda: "n points" in table.inner_text(), "a row for what differs")
    lab_page.compare("^Unpin A")
    until(lambda: table.count() == 0, "no table")


@pytest.mark.thorough
def test_pictures_are_files(lab_page, tmp_path):
    lab_page.unfold("All downloads")
    for name, key in (("loss", "leave-one-out score"), ("sample", "weight 1/n (plain average)"), ("small", "F-KMSE")):
        for kind in ("png", "svg"):
            with lab_page.page.expect_download() as download:
                lab_page.button(f"^{name} {kind.upper()}$").click()
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
def test_one_file_is_a_file(lab_page, tmp_path):
    lab_page.unfold("All downloads")
    with lab_page.page.expect_download() as download:
        lab_page.button("^One file").click()
    assert download.value.suggested_filename == "shrinkage.html"
    download.value.save_as(tmp_path / "lab.html")
    assert "<h1>Shrinkage" in (tmp_path / "lab.html").read_text()


@pytest.mark.thorough
def test_a_film_is_one_click_in_the_menu(lab_page, tmp_path):
    lab_page.page.get_by_role("button", name="Share").click()
    with lab_page.page.expect_download() as download:
        lab_page.page.get_by_role("button", name="Film (GIF)").first.click()
    assert download.value.suggested_filename == "shrinkage.gif"
    download.value.save_as(tmp_path / "lab.gif")
    with Image.open(tmp_path / "lab.gif") as image:
        assert image.is_animated
        assert image.n_frames > 20


@pytest.mark.thorough
def test_numbers_and_state_are_files(lab_page, tmp_path):
    lab_page.unfold("All downloads")
    lab_page.press("n points")
    lab_page.follows(n=lab_page.says("n points"))
    for name in ("curves CSV", "state JSON"):
        with lab_page.page.expect_download() as download:
            lab_page.page.locator("a, button").filter(has_text=name).first.click()
        download.value.save_as(tmp_path / name)
    assert json.loads((tmp_path / "state JSON").read_text()).items() >= lab_page.params.items()
    first, header, *rows = (tmp_path / "curves CSV").read_text().splitlines()
    assert f"n={lab_page.says('n points')}" in first
    assert header.startswith("lam,skmse_loss")
    assert len(rows) >= 61


def test_the_headline_is_announced_once_the_hand_rests(lab_page):
    status = lab_page.page.get_by_role("status")
    lab_page.press("n points")
    until(lambda: status.inner_text().startswith(" ".join(lab_page.headline.split())[:-1]), "the announcement")


@pytest.mark.thorough
def test_long_work_is_given_up_by_its_cancel_right_above_the_pictures(new_lab_page):
    lab_page = new_lab_page()
    lab_page.open(n=1000)  # a hundred samples of this size take several seconds
    lab_page.button("100 samples").click()
    cancel = lab_page.button("^Cancel$")
    cancel.wait_for()
    box, hero = cancel.bounding_box(), lab_page.page.locator(".bk-Figure:visible").first.bounding_box()
    assert hero["y"] - 60 < box["y"] < hero["y"]  # it covers none
    cancel.click()
    until(lambda: any("Cancelled" in alert for alert in lab_page.alerts), "a word on it")
    cancel.wait_for(state="hidden")
    lab_page.follows(samples="0", n="1000")
