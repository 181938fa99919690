"""The Adaptation lab's page: the user's data in groups or in two files, and the remedy for each kind of change."""

import pytest
from helpers.page_helpers import open_page

from explorer.pages import AdaptationPage

pytestmark = [
    pytest.mark.usefixtures("at_once"),
    pytest.mark.thorough,
]  # the default run tests the parts shared by all pages on the first lab

TRIAL = b"site;age;dose;score\n" + b"".join(
    b"%s;%d,5;%d;%d\n" % ([b"north", b"south"][i % 2], 20 + i * 7 % 40, i % 9, i * i % 11) for i in range(1, 61)
)
FIRST = b"age,score\n" + b"".join(b"%d,%d\n" % (20 + i * 7 % 40, i * i % 11) for i in range(30))
SECOND = b"age,score\n" + b"".join(b"%d,%d\n" % (25 + i * 5 % 40, i * i % 7) for i in range(25))


@pytest.fixture
def page():
    return open_page(AdaptationPage, n="20", m="20")


def copied(page, folder, monkeypatch, **files):
    """Run the page's Python next to the files, and check that it gives the page's numbers."""
    monkeypatch.chdir(folder)
    for name, raw in files.items():
        (folder / f"{name}.csv").write_bytes(raw)
    space = {}
    exec(page.chrome.bar.share.code, space)
    result = page.result
    assert space["shown"]["after"] == pytest.approx(result.fit.error, rel=1e-12)
    assert space["shown"]["before"] == pytest.approx(result.before[1], rel=1e-12)
    assert space["shown"]["distance"] == pytest.approx(result.fit.distance, rel=1e-12)


def test_a_column_of_groups_makes_source_and_target(page, tmp_path, monkeypatch):
    page.user_data.file.param.update(value=TRIAL, filename="trial.csv")
    assert page.user_data.group.value == "site"
    page.user_data.button.clicks += 1
    assert page.lab.source == "file"
    assert page.result.pair.names == ("age", "dose", "score")
    assert len(page.result.pair.X) == 30
    assert page.pairs.value == '["north", "south"]'
    copied(page, tmp_path, monkeypatch, trial=TRIAL)


def test_two_files_are_source_and_target(page, tmp_path, monkeypatch):
    page.user_data.file.param.update(value=FIRST, filename="first.csv")
    page.user_data.group.value = "two files"
    page.user_data.second.param.update(value=SECOND, filename="second.csv")
    page.user_data.button.clicks += 1
    assert (page.lab.n, page.lab.m) == (30, 25)
    assert page.result.pair.names == ("age", "score")
    assert page.result.pair.sample_names == ("first.csv", "second.csv")
    copied(page, tmp_path, monkeypatch, first=FIRST, second=SECOND)


def test_a_change_brings_its_remedy(page):
    for source, remedy in (("target", "weights of y"), ("location-scale", "maps"), ("concept", "weights of x")):
        page.choose("source", source)
        assert page.lab.remedy == remedy
    page.choose("source", "location-scale")
    assert page.lab.bandwidth == 0.25
    assert page.controls["bound"].slider.disabled


def test_the_target_is_put_elsewhere(page):
    page.on_drag("target", [0, -1.23456, 0.5])
    assert page.lab.shift == -1.235
    page.on_drag("target", [0, 1e9, 0.5])
    assert page.lab.shift == 20.0
    page.on_drag("target", [3, 0.0, 0.0])
    assert page.lab.shift == 20.0
