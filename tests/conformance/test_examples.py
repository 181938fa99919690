"""Every function and class of the library's public packages has an example in its docstring, and each is true."""

import doctest
import inspect
import io
import os
import re
from importlib import import_module
from pathlib import Path

import pytest
from kernels_and_estimators import PUBLIC

import explorer
from explorer import models
from explorer.site.reference.names import docstring, exported_names, packages, public_names
from explorer.workbench import menu_models

ROOMS = (  # packages whose names are addresses, outer before inner; the reference has more
    *("discrepancy", "discrepancy.dependence", "discrepancy.monk", "discrepancy.fit", "datasets"),
    *("kernels", "kernels.algebra", "kernels.low_rank", "kernels.subsequence"),
    *("estimators", "estimators.marginalized", "estimators.medianofmeans"),
    *("workbench", "marks", "papers.bags", "papers.density", "papers.monk"),
)
# studies that take at least 15 seconds, or need strings that are not in the package
LONG_STUDIES = ("papers.bags.table_2", "papers.monk.figure_2", "papers.monk.dna_seconds")


def library():
    """Return {address: object}, each once: those of the public API by their names, others by their package.

    They are those of the reference, and those that the packages of marks, labs and studies export.
    """
    known = {}
    for room in ROOMS:
        module = import_module(f"explorer.{room}")
        for name in exported_names(module):
            known.setdefault(id(getattr(module, name)), (f"{room}.{name}", getattr(module, name)))
    for thing in public_names():
        known.setdefault(id(thing.value), (f"{thing.module.removeprefix('explorer.')}.{thing.name}", thing.value))
    known |= {id(thing): (name, thing) for name, thing in PUBLIC.items()}
    of_code = {address: each for address, each in known.values() if inspect.isclass(each) or inspect.isroutine(each)}
    return {address: thing for address, thing in of_code.items() if address not in LONG_STUDIES}


LIBRARY = library()


def example_of(address):
    """Return the example in the docstring of a name, perhaps without lines."""
    thing = LIBRARY[address]
    docstring = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__
    return doctest.DocTestParser().get_doctest(inspect.cleandoc(docstring or ""), {}, address, None, None)


@pytest.fixture
def same_models(monkeypatch):
    """Remove the user models that an example adds."""
    monkeypatch.setenv(menu_models.VARIABLE, os.environ.get(menu_models.VARIABLE, ""))
    path = list(models.__path__)
    yield
    models.__path__[:] = path
    menu_models.renew()


@pytest.mark.parametrize("address", LIBRARY)
def test_an_example_is_there_and_true(address, same_models):
    example = example_of(address)
    assert example.examples
    report = io.StringIO()
    failed, _ = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example, out=report.write)
    assert not failed, report.getvalue()


@pytest.mark.parametrize("thing", [each for each in public_names() if each.members], ids=lambda each: each.name)
def test_examples_of_methods_are_true(thing, same_models):
    """They use the names of the class's module, as the reference runs them."""
    for member, value in thing.members.items():
        names = dict(vars(inspect.getmodule(thing.value)))
        example = doctest.DocTestParser().get_doctest(docstring(value), names, member, None, None)
        report = io.StringIO()
        failed, _ = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example, out=report.write)
        assert not failed, report.getvalue()


@pytest.mark.parametrize("address", LIBRARY)
def test_an_example_imports_what_it_shows(address):
    """A copied example runs unchanged, and is about the name whose docstring it is in."""
    source = "".join(example.source for example in example_of(address).examples)
    imports = "explorer" if address in PUBLIC else r"explorer\.[\w.]+"
    name = address.rpartition(".")[2]
    assert re.search(rf"^from {imports} import .*\b{name}\b", source, re.MULTILINE)
    assert len(re.findall(rf"\b{name}\b", source)) > 1


def test_every_room_that_offers_names_is_looked_at():
    """A new package of the library is entered in ROOMS, unless the public API takes something from it."""
    others = {"browser", "citations", "commands", "exports", "labs", "languages", "pages", "site", "svg", "views"}
    found = {each.parent.name for each in Path(explorer.__file__).parent.glob("*/__init__.py")} - others
    offering = {room for room in found if exported_names(import_module(f"explorer.{room}"))}
    assert offering <= {room.partition(".")[0] for room in ROOMS} | set(packages())
