"""Every notebook runs from top to bottom, asserts what it says, and is committed without outputs."""

import ast
import json
import subprocess
import sys
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


# in one process of its own, as kernels take longer to start than lessons to run: what each lesson's last expressions
# show
RUN = """
import ast, json, sys, warnings
from pathlib import Path
from explorer.pages.page import LabPage
warnings.simplefilter("error")  # no warning disturbs the reader

def lesson(path):
    space, shown = {"__name__": "__main__"}, []
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            *body, last = ast.parse("".join(cell["source"])).body
            if isinstance(last, ast.Expr):
                exec(compile(ast.Module(body, []), path.name, "exec"), space)
                shown.append(eval(compile(ast.Expression(last.value), path.name, "eval"), space))
            else:
                exec(compile(ast.Module([*body, last], []), path.name, "exec"), space)
    return shown

labs = {path.stem: sum(isinstance(value, LabPage) for value in lesson(path)) for path in map(Path, sys.argv[1:])}
sys.stderr.write(json.dumps(labs))
"""


@pytest.mark.thorough
def test_every_notebook_runs_and_shows_its_lab():
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, NOTEBOOKS)], capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr[-3000:]
    labs = json.loads(done.stderr)
    assert set(labs) == {path.stem for path in NOTEBOOKS}
    assert all(labs.values())


@pytest.mark.thorough
def test_the_first_notebook_runs_in_jupyter():
    """What Jupyter adds: its kernel, its display, and pages that are shown with no server behind them."""
    path = NOTEBOOKS[0]
    executed = nbformat.read(path, as_version=4)
    NotebookClient(
        executed,
        timeout=120,
        kernel_name="python3",
        shutdown_kernel="immediate",
        resources={"metadata": {"path": path.parent}},
    ).execute()
    said = [output for cell in code_of(executed) for output in cell.outputs if output.output_type == "stream"]
    assert not [output.text for output in said if output.name == "stderr"]
    labs = [cell for cell in code_of(executed) if "Page(" in cell.source]
    assert labs
    for cell in labs:
        shown = [output.data for output in cell.outputs if output.output_type in ("execute_result", "display_data")]
        assert any("explorer-cell" in data.get("text/html", "") for data in shown)
