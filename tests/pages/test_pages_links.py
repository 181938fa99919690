"""Links of pages: they hold few parameters, and older links with all parameters still open."""

from __future__ import annotations

import json
import re

import pytest
from helpers.naming import naming
from helpers.page_helpers import link_words, notice, page_at_link

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.labs.sweep.lab import SweepLab
from explorer.labs.sweep.page import SweepPage
from explorer.pages.sections.downloads import downloads
from explorer.workbench import links
from explorer.workbench.content import content_of

STORIES = content_of("shrinkage").stories


def test_a_page_as_it_opens_has_a_version_in_its_link_and_no_more():
    page = ShrinkagePage()
    assert page.link() == "v=2"
    page.move("n", n=50)
    assert page.link() == "v=2&n=50"
    page.navigation.undo()
    assert page.link() == "v=2"


def test_in_a_story_a_link_says_what_differs_from_the_step():
    story = STORIES[0]
    page = ShrinkagePage({"story": story.key, "step": "2"})
    assert link_words(page) == {"v": "2", "story": story.key, "step": "2"}
    usual = ShrinkageLab()
    *_, (field, value) = [each for each in story.steps[1].fields.items() if each[1] != getattr(usual, each[0])]
    assert getattr(page.lab, field) == value
    page.move(None, **{field: getattr(usual, field)})
    assert link_words(page)[field] == usual.flat()[field]  # the default, which differs from the step's value
    assert page_at_link(page).lab == page.lab
    assert page_at_link(page).chrome.story.story is story


def test_an_empty_link_of_the_sweep_opens_its_preset_and_a_link_of_its_defaults_opens_those():
    assert SweepPage({"v": "2"}).lab == SweepPage().lab != SweepLab()
    page = SweepPage()
    page.lab = SweepLab()
    assert page_at_link(page).lab == page.lab


def test_a_link_of_version_1_with_all_fields_opens_as_it_did():
    lab = ShrinkageLab(n=33, lam=0.2, seed=5)
    page = ShrinkagePage({"v": "1", **lab.flat()})
    assert (page.lab, notice(page)) == (lab, "")
    assert page.link() == "v=2&n=33&lam=0.2&seed=5"


@pytest.mark.parametrize("version", ["3", "", "x<b>", "1" * 500])
def test_a_link_of_an_unknown_version_opens_with_a_sentence(version):
    page = ShrinkagePage({"v": version, "n": "33"})
    assert page.lab == ShrinkageLab(n=33)
    assert re.search(naming("1", "2"), notice(page))
    assert "<b>" not in notice(page)
    assert len(notice(page)) < 400


def test_a_default_that_changed_is_the_old_one_in_an_older_link(monkeypatch):
    monkeypatch.setattr(links, "FORMER", {"1": {"shrinkage": {"n": "12"}}})
    assert ShrinkagePage({"v": "1", "seed": "3"}).lab == ShrinkageLab(n=12, seed=3)
    assert ShrinkagePage({"v": "1", "n": "13"}).lab == ShrinkageLab(n=13)
    assert ShrinkagePage({"v": "2", "seed": "3"}).lab == ShrinkageLab(seed=3)


def test_a_file_of_the_state_has_every_field():
    page = ShrinkagePage(n=50)
    (button,) = [each for each in downloads(page) if getattr(each, "label", "") == "state JSON"]
    state = json.load(button.callback())
    assert state == {"v": "2", **ShrinkageLab(n=50).flat()}
    assert ShrinkagePage(state).lab == page.lab
