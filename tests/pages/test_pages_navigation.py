"""Moves to presets and back: fields that belong to no preset keep what the user chose."""

import pytest

from explorer.labs.shrinkage import ShrinkageLab
from explorer.pages.navigation import Navigation
from explorer.workbench.stories import Preset


class Page:
    """A page without pictures: its lab moves at once."""

    def __init__(self, **fields):
        self.lab_class, self.naming = ShrinkageLab, {}
        self.lab = ShrinkageLab(**fields)
        self.presets = [
            Preset("Few", "Few points.", {"n": 20}, "gain"),
            Preset("Many", "Many points.", {"n": 50, "samples": 60}, "gain"),
        ]
        self.navigation = Navigation(self)

    def move(self, name, **fields):
        self.lab = self.lab.replace(**fields)


@pytest.fixture
def page():
    return Page(lam=0.3, samples=40, seed=5)


def test_a_preset_sets_every_field_but_those_that_belong_to_none(page):
    page.navigation.go_to(page.presets[0])
    assert page.lab == ShrinkageLab(n=20, samples=40)
    assert page.navigation.preset() is page.presets[0]
    page.move(None, samples=0)
    assert page.navigation.preset() is page.presets[0]
    page.move(None, seed=2)
    assert page.navigation.preset() is None


def test_a_preset_that_names_such_a_field_sets_it_and_reset_leaves_it(page):
    page.navigation.go_to(page.presets[1])
    assert page.lab == ShrinkageLab(n=50, samples=60)
    page.move(None, samples=0, lam=2.0)
    page.navigation.reset()
    assert page.lab == ShrinkageLab(n=50, samples=0)
