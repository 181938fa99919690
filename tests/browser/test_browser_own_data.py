"""A user's table, from the file to the headline."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.browsing import BrowserPage, LabEntry
from helpers.server_process import until

pytestmark = pytest.mark.browser

GOOD = "height,weight,name\n" + "\n".join(f"{a},{b},somebody" for a, b in np.random.default_rng(3).normal(size=(60, 2)))


def test_own_data_in_three_clicks(lab_page, tmp_path):
    (tmp_path / "people.csv").write_text(GOOD)
    lab_page.unfold("Your data")
    lab_page.choose(tmp_path / "people.csv")
    with lab_page.answers("the user's table"):
        lab_page.button("^Use this table$").click()
    assert "estimate" in lab_page.headline
    assert "people.csv" in lab_page.trust
    lab_page.follows(source="file", file="people.csv", rows="60", n="60")
    assert lab_page.nameless() == []
    assert lab_page.alerts == []
    with lab_page.answers("a step of λ"):
        lab_page.press("λ")


DROP = """(zone, files) => {
    const carried = new DataTransfer()
    for (const [name, text] of files) carried.items.add(new File([text], name))
    for (const type of ['dragenter', 'dragover', 'drop'])
        zone.dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}))
}"""
FOCUS = """() => {
    let part = document.activeElement
    while (part?.shadowRoot?.activeElement) part = part.shadowRoot.activeElement
    return !!part?.shadowRoot?.querySelector('.says')
}"""


def arrives(lab_page):
    """Wait until headline and keys match the page, and the section is closed."""
    main = lab_page.page.locator(".main-content")
    until(lambda: main.evaluate("main => main.scrollTop") == 0, "the headline in view")
    until(lambda: lab_page.page.evaluate(FOCUS), "keys at the headline")
    until(lambda: lab_page.folds("Your data").count() == 1, "a closed fold")
    assert lab_page.page.locator(".says").bounding_box()["y"] > 0
    assert lab_page.alerts == []


@pytest.mark.thorough
def test_a_dropped_file_a_pasted_one_and_an_example_end_at_the_headline(new_lab_page):
    lab_page = new_lab_page().open()
    lab_page.unfold("Your data")
    zone = lab_page.page.locator("label:has(input[type=file])")
    people = "id;height;weight\n" + "".join(f"{i};1,{i};{i * i % 9},5\n" for i in range(40))
    zone.evaluate(DROP, [["people.csv", people]])
    until(lambda: lab_page.page.get_by_text("people.csv: 40 rows").is_visible(), "what was dropped")
    assert lab_page.page.get_by_text("Left out: id (an identifier).").is_visible()
    lab_page.button("^Use id$").click()
    until(lambda: not lab_page.page.get_by_text("Left out").is_visible(), "id among the columns")
    with lab_page.answers("a dropped table"):
        lab_page.button("^Use this table$").click()
    arrives(lab_page)
    lab_page.follows(file="people.csv", lenient="true")
    lab_page.unfold("Your data")
    lab_page.page.get_by_text("Or paste a table").click()
    box = lab_page.page.get_by_label("Or paste a table")
    box.fill("height weight\n" + "".join(f"{i} {i * i % 9}\n" for i in range(30)) + "7 NA\n")
    lab_page.button("^Read the pasted text$").click()
    lab_page.button("^Drop 1 row with missing values$").click()
    until(lambda: lab_page.page.get_by_text("1 row with missing values left out").is_visible(), "the row left out")
    with lab_page.answers("a pasted table"):
        lab_page.button("^Use this table$").click()
    arrives(lab_page)
    lab_page.follows(file="pasted.csv", rows="30", missing="drop")
    lab_page.unfold("Your data")
    with lab_page.answers("an example"):
        lab_page.button("^wdbc$").click()
    arrives(lab_page)
    lab_page.follows(source="wdbc")


BAD = {
    "gap": b"a,b\n1,2\nNaN,4\n5,6\n",
    "bytes": b"\xff\xfe\x00\x00\x80",
}


def a_good_file_follows(lab_page, folder):
    """Check that a good file removes the refusal."""
    (folder / "people.csv").write_text(GOOD)
    lab_page.choose(folder / "people.csv")
    until(lambda: not lab_page.alerts, "the end of the refusal")


SIZES = {"empty": (0, "is empty"), "large": (21_000_000, "20 MB")}  # bytes of "1\n", words of the refusal


@pytest.mark.thorough
def test_a_file_of_no_or_too_many_bytes_is_refused(lab_page, tmp_path):
    lab_page.unfold("Your data")
    for name, (size, said) in SIZES.items():
        file = tmp_path / f"{name}.csv"
        file.write_bytes(b"1\n" * (size // 2))
        lab_page.choose(file)
        until(lambda said=said: any(said in alert for alert in lab_page.alerts), f"a refusal of the {name} file")
        a_good_file_follows(lab_page, tmp_path)


@pytest.mark.thorough
def test_a_file_that_is_no_table_is_refused_and_the_room_lives_on(lab_page, tmp_path):
    lab_page.unfold("Your data")
    for name, content in BAD.items():
        shown, file = lab_page.headline, tmp_path / f"{name}.csv"
        file.write_bytes(content)
        is_refused(lab_page, file)
        assert lab_page.headline != shown  # the old headline is not an answer about this file
        with lab_page.answers(f"a step of λ after {file.name}"):
            lab_page.press("λ")
        a_good_file_follows(lab_page, tmp_path)


def is_refused(lab_page, file):
    """Check that the file is refused at once, or when the table is to be used."""

    def refused():
        return any(file.name in alert for alert in lab_page.alerts)

    preview = lab_page.page.get_by_text(re.compile(rf"{file.name}: \d+ rows"))
    lab_page.choose(file)
    until(lambda: refused() or preview.is_visible(), f"a refusal or a preview of {file.name}")
    if not refused():
        lab_page.button("^Use this table$").click()
    until(refused, f"a refusal of {file.name}")


@pytest.mark.thorough
def test_two_files_dropped_at_once_are_compared(profile, server):
    lab_page = BrowserPage(profile, server.url, LabEntry("twosample")).open()
    lab_page.unfold("Your data")
    rng = np.random.default_rng(4)
    files = [
        [f"{name}.csv", "weight,dose\n" + "".join(f"{a:.1f} kg,{b:.2f} mg\n" for a, b in rng.normal(at, 3, (40, 2)))]
        for name, at in (("before", 70), ("after", 76))
    ]
    lab_page.page.locator("label:has(input[type=file])").first.evaluate(DROP, files)
    until(lambda: lab_page.page.get_by_text("After (Q): after.csv, 40 rows.").is_visible(), "both files")
    with lab_page.answers("two files"):
        lab_page.button("^Use this table$").click()
    lab_page.follows(source="file", file="before.csv", file2="after.csv", n="40", m="40", lenient="true")
    until(lambda: "differ" in lab_page.headline, "the verdict")
    assert (lab_page.alerts, lab_page.complaints) == ([], [])
    lab_page.page.close()


@pytest.mark.thorough
def test_each_sample_has_a_box_and_the_second_makes_them_two_files(profile, server, tmp_path):
    lab_page = BrowserPage(profile, server.url, LabEntry("twosample")).open()
    lab_page.unfold("Your data")
    zones, inputs = lab_page.page.locator("label:has(input[type=file])"), lab_page.page.locator("input[type=file]")
    for width in (1300, 390):
        lab_page.page.set_viewport_size({"width": width, "height": 900})
        until(lab_page.is_still, "a page at rest")
        first, second = (zones.nth(k).bounding_box() for k in (0, 1))
        assert (first["y"] == second["y"]) == (width > 1000)
        assert (first["x"] == second["x"]) == (width < 1000)
        assert max(box["x"] + box["width"] for box in (first, second)) <= width
    rng = np.random.default_rng(4)
    for name, at in (("one", 0), ("two", 3)):
        rows = "".join(f"{a:.2f},{'xy'[i % 2]}\n" for i, a in enumerate(rng.normal(at, 1, 40)))
        (tmp_path / f"{name}.csv").write_text("size,arm\n" + rows)
    inputs.nth(0).set_input_files(tmp_path / "one.csv")
    until(lambda: zones.nth(0).inner_text() == "before (P): one.csv (drop or choose another)", "the first file's name")
    assert lab_page.page.get_by_label("groups are in").inner_text() == "arm"
    inputs.nth(1).set_input_files(tmp_path / "two.csv")
    until(lambda: lab_page.page.get_by_text("After (Q): two.csv, 40 rows.").is_visible(), "the second file")
    until(lambda: lab_page.page.get_by_label("groups are in").inner_text() == "two files", "the menu at two files")
    with lab_page.answers("two files"):
        lab_page.button("^Use this table$").click()
    lab_page.follows(source="file", file="one.csv", file2="two.csv", n="40", m="40", seed="0")
    until(lambda: "differ" in lab_page.headline, "the verdict")
    assert lab_page.button("^New samples$").is_disabled()
    assert (lab_page.alerts, lab_page.complaints, lab_page.nameless()) == ([], [], [])
    lab_page.page.close()
