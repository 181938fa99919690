"""Every public name of the library has a page and an example, and one that is added without is found."""

from pathlib import Path
from types import ModuleType

import pytest

import explorer
from explorer import sketches
from explorer.site.reference import examples
from explorer.site.reference.names import by_name, offered, rooms, things
from explorer.site.reference.page import page

EVERY = things()


def test_every_name_of_the_front_door_is_there():
    assert set(explorer.__all__) <= {thing.name for thing in EVERY}
    assert all(thing.value is getattr(explorer, thing.name) for thing in EVERY if thing.home == "explorer")


def test_every_room_of_the_front_door_is_there_and_what_its_functions_return():
    assert {"discrepancy", "kernels", "sketches", "models"} <= set(rooms())
    assert {"TestResult", "Cloud", "sweep", "hsic_gamma", "Comparison"} <= {thing.name for thing in EVERY}


def test_no_two_pages_differ_by_capitals_alone():
    pages = [thing.page.lower() for thing in EVERY]
    assert len(set(pages)) == len(pages)


def test_of_two_names_that_are_equal_the_room_tells_them_apart():
    assert "variance" not in by_name()
    assert by_name()["discrepancy.variance"].page == "discrepancy.variance"


def test_every_name_has_an_example():
    assert examples.lacking(EVERY) == []


def with_a_name(tmp_path, docstring):
    """A copy of a room with a function more."""
    room = ModuleType("explorer.sketches")
    room.__file__ = str(Path(tmp_path, "__init__.py"))
    source = Path(sketches.__file__).read_text(encoding="utf-8")
    Path(room.__file__).write_text(f"{source}\n\ndef added(x):\n    {docstring!r}\n", encoding="utf-8")
    vars(room).update({name: getattr(sketches, name) for name in offered(sketches)})

    def added(x):
        """"""

    added.__doc__ = docstring
    room.added = added
    return {"sketches": room}


def test_a_name_that_is_added_without_an_example_is_found(tmp_path):
    found = things(with_a_name(tmp_path, "What is added."))
    assert examples.lacking(found) == ["added"]


def test_a_name_that_is_added_has_a_page_with_its_example(tmp_path):
    found = things(with_a_name(tmp_path, "What is added.\n\n    >>> 1 + 1\n    2\n"))
    assert examples.lacking(found) == []
    (added,) = [thing for thing in found if thing.name == "added"]
    text = page(added)
    assert "# added" in text
    assert ">>> 1 + 1\n2" in text


def test_an_example_shows_what_it_gave_and_the_picture_of_its_result():
    (ran,) = examples.run("mmd_test", explorer.mmd_test.__doc__)
    assert ran.text.splitlines()[-1] == "(0.005, 0.363, np.float64(0.052))"
    assert "<svg" in ran.picture


def test_what_an_example_gives_is_what_its_docstring_says_or_the_site_is_not_written():
    with pytest.raises(examples.Differs, match="the example of added gives something else than its docstring says"):
        examples.run("added", "What.\n\n>>> 1 + 1\n3\n")
    with pytest.raises(examples.Differs, match="ZeroDivisionError"):
        examples.run("added", "What.\n\n>>> 1 / 0\n")


def test_examples_with_words_between_them_share_what_they_made():
    first, second = examples.run("added", "What.\n\n>>> x = 1\n>>> x\n1\n\nAnd then\n\n>>> x + 1\n2\n")
    assert (first.text, second.text) == (">>> x = 1\n>>> x\n1", ">>> x + 1\n2")


def test_what_is_shown_is_the_example_as_it_is_written():
    """A second road: the lines of a docstring, where the example is true."""
    for name in ("mmd_test", "Gaussian", "sweep"):
        text = getattr(explorer, name).__doc__
        written = [line.strip() for line in text[text.index(">>>") :].strip().splitlines()]
        shown = [line.strip() for ran in examples.run(name, text) for line in ran.text.splitlines()]
        assert shown == written
