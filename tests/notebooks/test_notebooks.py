"""Every notebook runs from top to bottom, shows its lab, and prints its stored output."""

import json
import re
import subprocess
import sys
from copy import deepcopy

import pytest
from helpers.lessons import NOTEBOOKS, code_of, read
from nbclient import NotebookClient

# the kernel's process warns about its own sockets and loop on some platforms
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
ROUNDING = 1e-9  # smaller numbers are rounding errors, which differ between machines


# all lessons run in one process, because kernels start slowly; it returns for each lesson what each cell prints,
# and how many labs its last expressions show
RUN = """
import ast, contextlib, io, json, sys, warnings
from pathlib import Path
from explorer.pages.page import LabPage
warnings.simplefilter("error")  # no warning disturbs the reader

def lesson(path):
    space, labs, printed = {"__name__": "__main__"}, 0, []
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            *body, last = ast.parse("".join(cell["source"])).body
            shown = None
            with contextlib.redirect_stdout(io.StringIO()) as said:
                if isinstance(last, ast.Expr):
                    exec(compile(ast.Module(body, []), path.name, "exec"), space)
                    shown = eval(compile(ast.Expression(last.value), path.name, "eval"), space)
                else:
                    exec(compile(ast.Module([*body, last], []), path.name, "exec"), space)
            labs += isinstance(shown, LabPage)
            printed.append(said.getvalue())
    return labs, printed

sys.stderr.write(json.dumps({path.stem: lesson(path) for path in map(Path, sys.argv[1:])}))
"""


def alike(stored, printed):
    """Return whether two texts are equal up to the last digit of their numbers."""
    if NUMBER.sub("#", stored) != NUMBER.sub("#", printed):
        return False
    for a, b in zip(NUMBER.findall(stored), NUMBER.findall(printed), strict=True):
        mantissa, _, power = a.partition("e")
        digit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
        x, y = (float(each.replace("−", "-")) for each in (a, b))
        if abs(x - y) > max(1.01 * digit * (digit < 1 or "." in a), ROUNDING):
            return False
    return True


@pytest.mark.thorough
def test_every_notebook_runs_shows_its_lab_and_prints_what_is_stored():
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, NOTEBOOKS)], capture_output=True, text=True, timeout=1500
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stderr)
    assert set(found) == {path.stem for path in NOTEBOOKS}
    differ = []
    for path in NOTEBOOKS:
        labs, printed = found[path.stem]
        assert labs >= 1
        for cell, text in zip(code_of(read(path)), printed, strict=True):
            stored = "".join(output.text for output in cell.outputs if output.output_type == "stream")
            if not alike(stored, text):
                differ.append(f"{path.name} has stored {stored!r} and prints {text!r}")
    assert differ == []


def test_alike_is_the_same_but_for_a_last_digit():
    assert alike("n = 5: 0.1234, 3e-16", "n = 5: 0.1235, 8e-17")
    for stored, printed in (
        ("0.1234", "0.1237"),
        ("n = 5", "n = 6"),
        ("a 1", "b 1"),
        ("0.12", "0.123 0"),
        ("1.5e3", "2.5e3"),
    ):
        assert not alike(stored, printed)


@pytest.mark.thorough
def test_the_first_notebook_runs_in_jupyter():
    """The parts that need Jupyter: its kernel, its display, and pages without a server."""
    path = NOTEBOOKS[0]
    executed = deepcopy(read(path))
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
