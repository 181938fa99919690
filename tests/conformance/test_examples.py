"""Every function and class that the library's rooms export has an example in its docstring, and each is true."""

import ast
import doctest
import inspect
import io
import os
import re
from importlib import import_module

import pytest
from catalogue import PUBLIC

import explorer
from explorer import models
from explorer.workbench import offers

ROOMS = (
    *("discrepancy", "discrepancy.dependence", "discrepancy.monk", "discrepancy.fit", "datasets"),
    *("kernels", "kernels.algebra", "kernels.low_rank", "kernels.subsequence"),
    *("estimators", "estimators.marginalized", "estimators.medianofmeans", "embeddings", "conditional", "changes"),
    *("learning", "learning.bags", "operators", "adaptation", "sketches", "sweeps", "models", "plotting"),
    *("workbench", "marks", "papers.bags", "papers.density", "papers.monk"),
)
# studies that take a quarter of a minute at least, or strings that do not come with the package
LONG_STUDIES = ("papers.bags.table_2", "papers.monk.figure_2", "papers.monk.dna_seconds")


def exported(room):
    """{name: thing} of the functions and classes that a room exports, by `from .file import name as name` or `def`."""
    names = []
    for node in ast.parse(inspect.getsource(room)).body:
        if isinstance(node, ast.ImportFrom):
            names += [each.asname for each in node.names if each.asname == each.name]
        elif isinstance(node, ast.FunctionDef):
            names.append(node.name)
    things = {name: getattr(room, name) for name in names if not name.startswith("_")}
    return {name: thing for name, thing in things.items() if inspect.isclass(thing) or inspect.isroutine(thing)}


def library():
    """{address: thing}, each once: those of the front door by their names, others by that of the outermost room."""
    addresses = {name: thing for name, thing in PUBLIC.items() if inspect.isclass(thing) or inspect.isroutine(thing)}
    known = {id(thing) for thing in addresses.values()}
    for room in ROOMS:
        for name, thing in exported(import_module(f"explorer.{room}")).items():
            if id(thing) not in known:
                addresses[f"{room}.{name}"] = thing
                known.add(id(thing))
    return {address: thing for address, thing in addresses.items() if address not in LONG_STUDIES}


LIBRARY = library()


def example_of(address):
    """The example in the docstring of a name, perhaps without lines."""
    thing = LIBRARY[address]
    docstring = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__
    return doctest.DocTestParser().get_doctest(inspect.cleandoc(docstring or ""), {}, address, None, None)


@pytest.fixture
def same_models(monkeypatch):
    """What an example adds to the models of one's own is taken off again."""
    monkeypatch.setenv(offers.VARIABLE, os.environ.get(offers.VARIABLE, ""))
    path = list(models.__path__)
    yield
    models.__path__[:] = path
    offers.renew()


@pytest.mark.parametrize("address", LIBRARY)
def test_an_example_is_there_and_true(address, same_models):
    example = example_of(address)
    assert example.examples
    report = io.StringIO()
    failed, _ = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example, out=report.write)
    assert not failed, report.getvalue()


@pytest.mark.parametrize("address", LIBRARY)
def test_an_example_imports_what_it_shows(address):
    """What a reader copies runs as it stands, and is about the name that it stands under."""
    source = "".join(example.source for example in example_of(address).examples)
    imports = "explorer" if address in PUBLIC else r"explorer\.[\w.]+"
    name = address.rpartition(".")[2]
    assert re.search(rf"^from {imports} import .*\b{name}\b", source, re.MULTILINE)
    assert len(re.findall(rf"\b{name}\b", source)) > 1


def test_a_room_that_exports_names_is_looked_at_or_has_pages():
    """A new room of the library is entered in ROOMS."""
    others = {"browser", "commands", "exports", "labs", "languages", "pages", "site", "svg", "views"}
    root = os.path.dirname(explorer.__file__)
    rooms = {each.name for each in os.scandir(root) if os.path.isfile(os.path.join(each.path, "__init__.py"))}
    exporting = {room for room in rooms - others if exported(import_module(f"explorer.{room}"))}
    assert exporting == {room.partition(".")[0] for room in ROOMS} - {"papers"}  # whose own rooms export
