"""Names of earlier versions work, and warn by their new names."""

import importlib
from types import ModuleType

import pytest

import explorer
from explorer.checks import ExplorerWarning
from explorer.marks import Picture, dots
from explorer.pages.layout.declarations import MainPicture
from explorer.pages.page import RETIRED_HOOKS, LabPage
from explorer.public_names.retired_names import adopt, forward
from explorer.workbench import Lab

MODULES = (
    "explorer.marks",
    "explorer.pages.declare",
    "explorer.parameters",
    "explorer.plotting",
    "explorer.workbench",
    "explorer.workbench.numbers",
    "explorer.workbench.steps",
)


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("explorer.marks", "Told", "HoverText"),
        ("explorer.marks", "strokes", "segments"),
        ("explorer.parameters", "Given", "RequiredReal"),
        ("explorer.workbench", "late", "deferred"),
        ("explorer.workbench", "shown", "for_picture"),
    ],
)
def test_a_module_answers_to_its_retired_names(module, old, new):
    loaded = importlib.import_module(module)
    with pytest.warns(ExplorerWarning, match=new):
        assert getattr(loaded, old) is getattr(loaded, new)


@pytest.mark.parametrize("module", MODULES)
def test_a_name_that_never_was_is_an_attribute_error(module):
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(importlib.import_module(module), "no_such_name")  # noqa: B009


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.filterwarnings("ignore::explorer.checks.ExplorerWarning")
def test_every_retired_name_leads_to_one_that_exists(module):
    loaded = importlib.import_module(module)
    assert loaded._RETIRED
    for old, new in loaded._RETIRED.items():
        assert getattr(loaded, old).__name__ == new.rpartition(":")[2]
    assert [old for old in loaded._RETIRED if old in vars(loaded)] == []


def test_the_parts_of_a_page_are_those_of_their_new_place():
    with pytest.warns(ExplorerWarning, match="MainPicture"):
        from explorer.pages.declare import Hero
    assert Hero is MainPicture


def test_a_name_of_another_package_is_imported_when_it_is_used():
    with pytest.warns(ExplorerWarning, match=r"is now called explorer\.explore"):
        from explorer.plotting import explore
    assert explore is explorer.explore


def test_a_keyword_of_a_mark_is_passed_on():
    with pytest.warns(ExplorerWarning, match="label"):
        mark = dots("points", "kme", **{"called": "sample"})
    assert mark == dots("points", "kme", label="sample")


def test_a_picture_of_an_earlier_version_is_refused_with_a_sentence_on_how_to_write_it():
    with pytest.raises(TypeError, match=r"Means is a subclass of Picture, .* Write @Picture"):

        class Means(Picture):
            numbers = classmethod(lambda cls, result: {})


def test_a_page_may_override_hooks_by_their_retired_names():
    with pytest.warns(ExplorerWarning, match="on_choice"):

        class Page(LabPage):
            def chosen(self, name, value):
                return {"n": value}

    assert Page.on_choice(None, "source", 3) == {"n": 3}
    assert all(hasattr(LabPage, new) for new in RETIRED_HOOKS.values())


def test_a_lab_may_declare_its_stops_by_the_retired_name():
    with pytest.warns(ExplorerWarning, match="default_stops"):

        class Stopped(Lab):
            usual_stops = (1, 2, 3)

    assert Stopped.default_stops == (1, 2, 3)


def test_a_module_of_sentences_may_define_told():
    words = ModuleType("words")
    words.told = lambda result: {"n": result}
    with pytest.warns(ExplorerWarning, match="story_values"):
        adopt(words, {"told": "story_values"})
    assert words.story_values(3) == {"n": 3}


def test_a_forwarding_function_knows_only_its_names():
    attribute = forward("m", {"old": "new"}, {"__name__": "m", "new": 1})
    with pytest.warns(ExplorerWarning, match="new"):
        assert attribute("old") == 1
    with pytest.raises(AttributeError):
        attribute("new")
