"""The guide's recipes for a kernel and an estimator, copied unchanged into a copy of the package.

They are public there, and pass the tests of every kernel and estimator.
"""

import os
import re
import shutil
import subprocess
import sys

import pytest
from helpers.guide_texts import GUIDE, ROOT, python_of, under

RECIPES = {  # the class -> its heading, its file
    "Cauchy": ("## Add a kernel", "explorer/kernels/cauchy.py"),
    "TrimmedKME": ("## Add an estimator", "explorer/estimators/trimmed.py"),
}
CATALOGUES = ("tests/kernels/test_kernels_all.py", "tests/estimators/test_estimators.py")
ROW = re.compile(r"^\| `([\w/.]+)`(?:, in `(\w+)`)? \| `(.+)` \|$", re.MULTILINE)


def add_import(source, line):
    """Add the line at its alphabetical place among the imports from parts of the same package."""
    lines = source.splitlines(keepends=True)
    others = [i for i, each in enumerate(lines) if each.startswith("from .")]
    place = next((i for i in others if lines[i] > line), others[-1] + 1)
    return "".join([*lines[:place], f"{line}\n", *lines[place:]])


def add_after(source, opening, text):
    """Add the text after an opening that the file has once."""
    assert source.count(opening) == 1, f"{opening!r} does not say one place"
    return source.replace(opening, opening + text)


def add_row(source, name, where, line):
    """Add the line first in the table or function that the recipe names, and the class to the imports."""
    if f"\n{where} = {{\n" in source:
        source = add_after(source, f"\n{where} = {{\n", f"    {line}\n")
    else:
        [opening] = re.findall(rf'\ndef {where}\(.*\n    """.*"""\n', source)
        source = add_after(source, opening, f"    {line}\n")
    if f"\n    {name},\n" in source:
        return source
    return add_after(source, "\nfrom explorer import (\n", f"    {name},\n")


def apply(name, root):
    """Follow the recipe of a class."""
    heading, file = RECIPES[name]
    section = under(GUIDE["recipes"], heading)
    assert f"In `{file}`:" in section
    made, *definitions = python_of(section)
    (root / file).write_text(made, encoding="utf-8")
    rows = ROW.findall(section)
    assert len(rows) == section.count("\n| `"), "a row of the table is in another form"
    for changed, where, line in rows:
        path = root / changed
        source = path.read_text(encoding="utf-8")
        source = add_row(source, name, where, line) if where else add_import(source, line)
        path.write_text(source, encoding="utf-8")
    for definition in definitions:
        path = root / "tests/kernels_and_estimators.py"
        source = path.read_text(encoding="utf-8")
        path.write_text(add_after(source, "\n    draws: int = 30_000\n", f"\n\n{definition}"), encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Create a copy of the repository in which both recipes have been followed."""
    root = tmp_path_factory.mktemp("recipes")
    for folder in ("explorer", "tests"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for file in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / file, root)
    for name in RECIPES:
        apply(name, root)
    return root


def run_in(root, *arguments):
    """Return what Python prints there: `-c` and `-m` look first into the folder that they are run in."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "PYTHONPATH"))}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=root, env=ours)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


def passed_tests(root, names, *paths):
    """Return how many tests of these names pass there; fail if one does."""
    said = run_in(root, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", names, *paths)
    counts = re.findall(r"(\d+) (\w+)", said.splitlines()[-1])
    assert {kind for _, kind in counts} <= {"passed", "deselected"}, said[-5000:]
    return int(dict((kind, n) for n, kind in counts)["passed"])


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_s_class_is_at_the_front_door(copy, name):
    said = run_in(
        copy, "-c", f"import explorer; print(explorer.__file__, {name!r} in dir(explorer), explorer.{name}())"
    )
    assert said.split() == [str(copy / "explorer" / "__init__.py"), "True", f"{name}()"]


@pytest.mark.thorough
def test_the_recipes_have_all_that_public_names_need(copy):
    """Examples that are true, types, flags and rows in the catalogue; and no import goes in a circle."""
    files = (f"tests/conformance/test_{file}.py" for file in ("flags", "examples", "typing", "front_door"))
    names = "cauchy or trimmed or front_door or what_is_checked or circle or rooms_above"
    assert passed_tests(copy, names, "tests/test_imports.py", *files, *CATALOGUES) > 60


@pytest.mark.thorough
def test_the_recipes_keep_what_the_catalogue_asks(copy):
    """Every case of the two new rows, those of the thorough run included."""
    files = (f"tests/conformance/test_{file}.py" for file in ("edges", "flags", "values"))
    methods = ("tests/discrepancy/test_discrepancy_estimators.py", "tests/conditional/test_conditional_catalogue.py")
    paths = (*files, *methods, "tests/kernels", "tests/estimators")
    assert passed_tests(copy, "cauchy or trimmed", "-m", "not slow and not benchmark", *paths) > 200
