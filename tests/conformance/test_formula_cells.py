"""A text of a table is never a formula in a file that a spreadsheet opens, in every file that this project writes."""

import ast
import csv
import io
from types import SimpleNamespace

import numpy as np
import pytest
from test_imports import PACKAGE

from explorer import sweep
from explorer.commands.sweep import write
from explorer.labs.sweep.script import tidy
from explorer.pages.sections.downloads import table_csv
from explorer.printing import cell
from explorer.sweeps import InProcess

FORMULAS = ["=1+cmd|' /C calc'!A0", "+cmd", "-cmd", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "+", "-", "＝1"]
HARMLESS = ["wine", "-1.5", "+2", "-1e-300", "-.5", "1=1", "a@b", "'=1", "", "−1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_written_as_text(text):
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [*HARMLESS, -1.5, 3, np.float64(-2.0), float("-inf"), None, True])
def test_what_is_no_formula_is_written_as_it_is(value):
    assert cell(value) is value


def read(text):
    """Return (head, rows) of a CSV file without its remark."""
    lines = [line for line in csv.reader(io.StringIO(text, newline="")) if not (line and line[0].startswith("# "))]
    return lines[0], lines[1:]


def unlike_formulas(text):
    head, rows = read(text)
    return all(not each.startswith(("=", "@", "+", "\t")) for each in [*head, *(each for row in rows for each in row)])


def study(how, seed):
    return {"=loss": -1.5}


@pytest.fixture(scope="module")
def data():
    return sweep(study, {"how": [FORMULAS[0], "plain"]}, replicates=2, executor=InProcess(), progress=False)


def test_a_page_writes_its_tables_so():
    columns = {"=name": np.array(FORMULAS[:2]), "value": np.array([-1.5, 2.0])}
    owner = SimpleNamespace(
        numbers=lambda result: {"t": columns}, result=None, title="Lab", link=lambda: "x", blank=False
    )
    head, rows = read(table_csv(owner, "t").getvalue())
    assert (head, rows) == (["'=name", "value"], [[f"'{FORMULAS[0]}", "-1.5"], ["'+cmd", "2.0"]])


def test_the_command_sweep_writes_its_cells_so(data, tmp_path):
    options = SimpleNamespace(csv=str(tmp_path / "a.csv"), store=None, plot=None)
    write(data, ["how"], options)
    text = (tmp_path / "a.csv").read_text()
    assert unlike_formulas(text)
    assert "'=loss" in read(text)[0]
    assert "-1.5" in read(text)[1][0]


def test_the_sweep_lab_writes_its_fits_so(data, monkeypatch):
    monkeypatch.setattr("explorer.labs.sweep.script.dataset", lambda result: data)
    result = SimpleNamespace(done=4, cells=SimpleNamespace(done=np.full((2, 2), True)))
    text = tidy(result, "the remark").getvalue()
    assert unlike_formulas(text)
    assert f"'{FORMULAS[0]}" in {row[0] for row in read(text)[1]}


def test_there_is_no_other_writer():
    """All writers of tables use `cell` or `cells`, except by the report, whose own pages read them again."""
    own = PACKAGE / "pages" / "report" / "comparison_request.py"
    sources = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path != own}
    writers = {path: text for path, text in sources.items() if "to_csv" in text or "writerow" in text}
    assert len(writers) == 3
    for path, text in writers.items():
        for node in ast.walk(ast.parse(text)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr == "to_csv":
                assert ast.unparse(node.func.value).startswith("cells("), path
            elif node.func.attr in ("writerow", "writerows"):
                assert "map(cell, " in ast.unparse(node.args[0]), path
