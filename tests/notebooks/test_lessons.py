"""Content of a lesson: goals, a guess before each run, working links, the user's data, solutions, pictures."""

import ast
import base64
import re
from io import BytesIO
from urllib.parse import parse_qsl, urlsplit

import nbformat
import pytest
from helpers.lessons import LIGHT, NOTEBOOKS, code_of, every_lesson, is_solution, prose_of, read
from PIL import Image

from explorer.workbench import registry

EXERCISE = re.compile(r"\*\*Exercise (\d+)\.\*\*")
LINK = re.compile(r"\]\s?\((http://localhost:5006[^)\s]*)\)")


def test_there_are_lessons_in_order():
    assert [int(path.stem[:2]) for path in NOTEBOOKS] == list(range(1, len(NOTEBOOKS) + 1))
    assert len(NOTEBOOKS) >= 14


@every_lesson
def test_a_lesson_begins_with_its_goals_and_its_time(path):
    first = read(path).cells[0].source
    assert first.startswith(f"# {int(path.stem[:2])}. ")
    goals = first.partition("**After this lesson you can**")[2].partition("*About")[0]
    assert 3 <= len(re.findall(r"^- ", goals, re.MULTILINE)) <= 5
    assert 45 <= int(re.search(r"\*About (\d+) minutes\.", first)[1]) <= 60


@every_lesson
def test_a_guess_comes_before_every_explanation(path):
    said = re.findall(r"\*\*(Predict|Explain)\.\*\*", prose_of(read(path)))
    assert said.count("Predict") >= 5
    for before, word in zip([None, *said], said, strict=False):
        assert word == "Predict" or before == "Predict"
    assert sum(isinstance(node, ast.Assert) for tree in trees(path) for node in ast.walk(tree)) >= 5


@every_lesson
def test_its_links_open_labs_at_the_state_that_is_spoken_of(path):
    links = LINK.findall(prose_of(read(path)))
    assert len(links) >= 2
    for link in links:
        parts = urlsplit(link)
        words = dict(parse_qsl(parts.query, keep_blank_values=True))
        words.pop("story", None), words.pop("step", None)
        lab, refused = registry.entry(parts.path.strip("/")).lab.from_flat(words)
        assert refused == [], link
        found = lab.flat()
        assert all(as_number(found[field]) == as_number(word) for field, word in words.items()), link


@every_lesson
def test_it_shows_a_lab_and_goes_on_to_own_data(path):
    notebook = read(path)
    code = "\n".join(cell.source for cell in code_of(notebook))
    assert re.search(r"^page = \w+Page\(", code, re.MULTILINE)
    titles = re.findall(r"^## (.+)$", prose_of(notebook), re.MULTILINE)
    assert titles.index("Your own data") < titles.index("Exercises")
    own = next(i for i, cell in enumerate(notebook.cells) if "## Your own data" in cell.source)
    assert any("path = None" in cell.source for cell in notebook.cells[own:])


@every_lesson
def test_its_exercises_have_folded_solutions_of_which_one_sweeps_and_plots(path):
    cells = read(path).cells
    asked = [i for i, cell in enumerate(cells) if re.search(r"\*\*Exercise \d+\.\*\*", cell.source)]
    assert [int(re.search(r"\*\*Exercise (\d+)\.", cells[i].source)[1]) for i in asked] == list(
        range(1, len(asked) + 1)
    )
    solutions = [cell for cell in cells if is_solution(cell)]
    assert len(asked) >= 2
    assert all(cells[i].cell_type == "markdown" and is_solution(cells[i + 1]) for i in asked)
    for cell in solutions:
        assert cell.metadata.jupyter == {"outputs_hidden": True, "source_hidden": True}
    assert any("sweep(" in cell.source and "plot(" in cell.source for cell in solutions)
    assert "BEGIN SOLUTION" not in "".join(cell.source for cell in cells)


@every_lesson
def test_it_is_stored_with_small_static_pictures(path):
    assert path.stat().st_size <= LIGHT
    notebook = read(path)
    nbformat.validate(notebook)
    pictures = 0
    for cell in code_of(notebook):
        assert cell.execution_count is None
        assert set(cell.metadata) <= {"tags", "jupyter"}
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name", "stdout") == "stdout"
            data = output.get("data", {"text/plain": ""})
            assert set(data) <= {"text/plain", "image/png"}
            if "image/png" in data:
                pictures += 1
                assert min(Image.open(BytesIO(base64.b64decode(data["image/png"]))).size) >= 60
    assert pictures >= 3


def as_number(word):
    """Return a value of a link as a number if it is one, because links may write it differently."""
    try:
        return float(word)
    except ValueError:
        return word


def trees(path):
    return [ast.parse(cell.source) for cell in code_of(read(path))]


@pytest.mark.parametrize("name", registry.names())
def test_every_lab_is_in_some_lesson(name):
    assert any(f"localhost:5006/{name}" in prose_of(read(path)) for path in NOTEBOOKS)
