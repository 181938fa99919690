"""Every public name of the library has a page and an example, and one that is added without is reported."""

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest
from helpers.naming import naming

import explorer
from explorer import sketches
from explorer.site.reference import examples
from explorer.site.reference.names import by_name, exported_names, packages, public_names
from explorer.site.reference.page import page

EVERY = public_names()


def test_every_name_that_explorer_exports_is_public():
    assert set(explorer.__all__) <= {each.name for each in EVERY}
    assert all(each.value is getattr(explorer, each.name) for each in EVERY if each.module == "explorer")


def test_every_package_and_what_its_functions_return_is_public():
    assert {"discrepancy", "kernels", "sketches", "models"} <= set(packages())
    assert {"TestResult", "Cloud", "sweep", "hsic_gamma", "Comparison"} <= {each.name for each in EVERY}


def test_no_two_pages_differ_by_capitals_alone():
    pages = [each.page.lower() for each in EVERY]
    assert len(set(pages)) == len(pages)


def test_of_two_names_that_are_equal_the_package_distinguishes_them():
    assert "variance" not in by_name()
    assert by_name()["discrepancy.variance"].page == "discrepancy.variance"


def test_every_name_has_an_example():
    assert examples.without_example(EVERY) == []


def test_every_name_of_the_front_door_says_what_it_is_for():
    """Except results: the function that returns them says it."""
    top = [each for each in EVERY if each.module == "explorer" and each.name not in ("TestResult", "ScanResult")]
    assert len(top) > 110
    assert [each.name for each in top if not each.summary or not each.use] == []


def test_what_a_use_names_exists():
    """What stands in backquotes in a use is a public name, or starts with a parameter or a call of one."""
    parameters = {word for each in EVERY if callable(each.value) for word in inspect.signature(each.value).parameters}
    attributes = {word for each in EVERY for word in each.members} | {"advised"}
    for each in EVERY:
        for code in re.findall(r"`([^`]+)`", each.use):
            word = re.match(r"[\w.]+", code)[0]
            assert code == "k * l" or word in by_name() or word in parameters | attributes, (each.name, code)


def with_a_name(tmp_path, docstring):
    """Return a copy of a package that has one function more."""
    package = ModuleType("explorer.sketches")
    package.__file__ = str(Path(tmp_path, "__init__.py"))
    source = Path(sketches.__file__).read_text(encoding="utf-8")
    Path(package.__file__).write_text(f"{source}\n\ndef added(x):\n    {docstring!r}\n", encoding="utf-8")
    vars(package).update({name: getattr(sketches, name) for name in exported_names(sketches)})

    def added(x):
        """"""

    added.__doc__ = docstring
    package.added = added
    return {"sketches": package}


def test_a_name_that_is_added_without_an_example_is_reported(tmp_path):
    names = public_names(with_a_name(tmp_path, "Add something."))
    assert examples.without_example(names) == ["added"]


def test_a_name_that_is_added_has_a_page(tmp_path):
    names = public_names(with_a_name(tmp_path, "Add something.\n\n    >>> 1 + 1\n    2\n"))
    assert examples.without_example(names) == []
    (added,) = [each for each in names if each.name == "added"]
    text = page(added)
    assert "# added" in text
    assert ".. autofunction:: explorer.sketches.added" in text


def test_an_example_has_the_picture_of_its_result():
    assert "<svg" in examples.picture_of_examples("mmd_test", explorer.mmd_test.__doc__)
    assert examples.picture_of_examples("added", "Add.\n\n>>> 1 + 1\n2\n") is None
    assert examples.picture_of_examples("added", "Add.") is None


def test_if_the_output_of_an_example_differs_from_its_docstring_the_site_is_not_written():
    with pytest.raises(examples.WrongExample, match=naming("added", "Expected:", "3", "Got:", "2")):
        examples.picture_of_examples("added", "Add.\n\n>>> 1 + 1\n3\n")
    with pytest.raises(examples.WrongExample, match=naming("added", "ZeroDivisionError")):
        examples.picture_of_examples("added", "Add.\n\n>>> 1 / 0\n")
