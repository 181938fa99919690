"""A lesson's lab works without a network: the notebook contains all that its page needs."""

import ast
from pathlib import Path

import nbformat
import pytest
from helpers.browsing import launched
from helpers.offline_pages import COLOURS, block_network, outputs_as_html
from helpers.server_process import until
from nbclient import NotebookClient

# the lessons that show a lab; test_notebooks.py checks which lessons must show one
NOTEBOOKS = [
    path
    for path in sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
    if "from explorer.pages import" in path.read_text(encoding="utf-8")
]
every_lesson = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
CI = ("13",)  # one lesson is enough: each takes 15 seconds, and all pages need the same files
drawn_lessons = pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.stem, marks=() if p.stem[:2] in CI else pytest.mark.slow) for p in NOTEBOOKS],
)
LIGHT = 3_000_000  # bytes of a lab's cell: a notebook with two labs has at most 6 MB


def lab_cell(notebook):
    """Return the cell that shows a page of a lab."""
    return next(
        cell for cell in notebook.cells if cell.cell_type == "code" and "from explorer.pages import" in cell.source
    )


@every_lesson
def test_a_lesson_s_lab_cell_needs_no_line_of_set_up(path):
    tree = ast.parse(lab_cell(nbformat.read(path, as_version=4)).source)
    pages = [node.value for node in tree.body if ast.unparse(node).startswith("page = ")]
    assert ast.unparse(pages[0] if pages else tree.body[-1]).split("(")[0].endswith("Page")
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "extension"]


# the kernel's process warns about its own sockets
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.thorough
@drawn_lessons
def test_a_lesson_s_lab_is_drawn_without_a_network(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    opening = next(cell for cell in notebook.cells if cell.cell_type == "code")
    notebook.cells = [opening, lab_cell(notebook)]
    NotebookClient(notebook, timeout=300, kernel_name="python3", shutdown_kernel="immediate").execute()
    shown = next(output.data["text/html"] for output in notebook.cells[-1].outputs if "data" in output)
    assert len(shown) <= LIGHT
    file = tmp_path / "lesson.html"
    file.write_text(outputs_as_html(notebook.cells), encoding="utf-8")
    with launched() as browser:
        page = browser.new_page()
        asked, errors = block_network(page)
        page.goto(file.as_uri())
        canvas = page.locator(".explorer-cell canvas:visible")
        until(lambda: max(canvas.evaluate_all(f"all => all.map({COLOURS})"), default=0) > 3, "a picture", 60)
        until(page.locator(".explorer-cell input[type=range]").count, "a slider", 60)
    assert asked == []
    assert errors == []
