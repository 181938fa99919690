"""Every notebook runs from top to bottom, asserts what it says, and is committed without outputs."""

import ast
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))

# the kernel's process warns about its own sockets and loop on some platforms; what a cell warns about is its own affair
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_committed_clean(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].source.startswith(f"# {int(path.stem[:2])}. ")
    assert all(not cell.outputs and cell.execution_count is None for cell in code_of(notebook))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_asserts_what_it_says(path):
    trees = [ast.parse(cell.source) for cell in code_of(nbformat.read(path, as_version=4))]
    assert sum(isinstance(node, ast.Assert) for tree in trees for node in ast.walk(tree)) >= 3
    text = "".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    assert all(word in text for word in ("**Predict.**", "**Explain.**"))
    assert text.count("### BEGIN SOLUTION") == text.count("### END SOLUTION") >= 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_and_shows_its_lab(path):
    executed = nbformat.read(path, as_version=4)
    NotebookClient(executed, timeout=120, kernel_name="python3", shutdown_kernel="immediate",
                   resources={"metadata": {"path": path.parent}}).execute()  # fmt: skip
    said = [output for cell in code_of(executed) for output in cell.outputs if output.output_type == "stream"]
    assert not [output.text for output in said if output.name == "stderr"]  # no warning disturbs the reader
    labs = [cell for cell in code_of(executed) if "Page(" in cell.source]
    assert labs
    for cell in labs:
        shown = [output.data for output in cell.outputs if output.output_type in ("execute_result", "display_data")]
        assert any("DiscreteSlider" in str(data.get("text/html", "")) + str(data) for data in shown)
