"""`explorer report`: its page, what it prints, its JSON, and with which exit code it ends."""

from __future__ import annotations

import io
import json
import re
import time
from functools import partial

import numpy as np
import pandas
import pytest
from helpers.naming import naming
from helpers.server_process import until

from explorer import compare
from explorer.__main__ import main
from explorer.commands import progress
from explorer.commands.report import SCHEMA
from explorer.comparison import compare_groups

FEW = ("--permutations", "99")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of tables: `same` is of the distribution of `a`, `b` is not."""
    rng = np.random.default_rng(0)
    for name, shift in (("a", 0.0), ("same", 0.0), ("b", 3.0)):
        table = pandas.DataFrame({"u": rng.normal(shift, 1, 60), "v": rng.normal(0, 1, 60)})
        day = pandas.Timestamp("2026-01-01") + pandas.to_timedelta(np.arange(60) % 59, unit="D")
        table.assign(day=day.strftime("%Y-%m-%d")).to_csv(tmp_path / f"{name}.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_report(capsys, *arguments):
    """Run `explorer report` and return (exit code, stdout, stderr)."""
    try:
        main(["report", *arguments])
        code = 0
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr()
    return code, said.out, said.err


def test_it_prints_the_verdict_and_writes_the_page(folder, capsys):
    code, out, err = run_report(capsys, "a.csv", "b.csv", *FEW)
    comparison = compare("a.csv", "b.csv", n_resamples=99, rng=0)
    assert (code, err) == (0, "")
    assert out.startswith(f"{comparison.verdict}\n\ncolumn ")
    first = out.splitlines()[-1]
    assert re.search(naming("report.html"), first)
    assert (folder / "report.html").read_text(encoding="utf-8") == comparison.to_html()
    _, out, _ = run_report(capsys, "a.csv", "b.csv", *FEW)
    again = out.splitlines()[-1]
    assert re.search(naming("report.html"), again)
    assert again != first


def test_its_json_is_the_comparison_s(folder, capsys):
    code, out, _ = run_report(
        capsys, "a.csv", "b.csv", "--json", "--seed", "3", "--level", "0.1", "--columns", "v", *FEW
    )
    said = json.loads(out)
    how = {"columns": ["v"], "level": 0.1, "n_resamples": 99, "rng": 3}
    assert said.pop("schema") == SCHEMA
    assert said == compare("a.csv", "b.csv", **how).to_dict()
    assert code == 0
    assert not (folder / "report.html").exists()
    run_report(capsys, "a.csv", "b.csv", "--json", "-o", "page.html", *FEW)
    assert (folder / "page.html").exists()


def test_its_json_has_what_the_readme_names(folder, capsys):
    said = json.loads(run_report(capsys, "a.csv", "b.csv", "same.csv", "--json", *FEW)[1])
    assert {"schema", "differ", "pvalue", "level", "n", "m", "columns", "left_out", "batches", "python"} <= set(said)
    assert [batch["differ"] for batch in said["batches"]] == [True, False]
    for column in said["columns"]:
        assert {"name", "kind", "pvalue", "adjusted", "before", "after", "change", "shift", "interval"} <= set(column)


@pytest.mark.parametrize(("other", "code"), [("b.csv", 1), ("same.csv", 0)])
@pytest.mark.parametrize("how", [(), ("--json",)])
def test_fail_is_for_programs(folder, capsys, other, code, how):
    found = run_report(capsys, "a.csv", other, "--fail", *how, *FEW)
    assert found[0] == code
    assert found[1]
    assert (folder / "report.html").exists() == (not how)


def test_groups_and_months(folder, capsys):
    _, out, _ = run_report(capsys, "a.csv", "--by", "month", *FEW)
    assert "2026-01" in out
    assert "Groups: month of 'day'." in out
    assert "by=&#39;month&#39;" in (folder / "report.html").read_text(encoding="utf-8")


def test_subjects_a_reference_and_pairs_of_groups(folder, capsys):
    rng = np.random.default_rng(1)
    who, level = np.tile(np.arange(30), 3), np.tile(rng.normal(0, 20, 30), 3)
    visit = np.repeat(["1st", "2nd", "3rd"], 30)
    pulse = level + np.repeat([0.0, 0.0, -3.0], 30) + rng.normal(size=90)
    table = pandas.DataFrame({"patient": who, "visit": visit, "pulse": pulse}).iloc[2:]
    table.to_csv("visits.csv", index=False)
    how = {"by": "visit", "within": "patient", "n_resamples": 99, "rng": 0}
    options = ("visits.csv", "--by", "visit", "--within", "patient", *FEW)
    _, out, _ = run_report(capsys, *options, "--reference", "2nd", "--json")
    assert json.loads(out)["python"] == compare("visits.csv", reference="2nd", **how).python
    assert json.loads(out)["names"][0] == "2nd"
    assert json.loads(out)["subjects"]["both"] == 30
    code, out, _ = run_report(capsys, *options, "--pairs", "--fail")
    found = compare_groups("visits.csv", **how)
    assert (code, [pair.differ for pair in found.pairs]) == (1, [False, True, True])
    assert out.startswith(f"{found.verdict}\n\ngroups ")
    assert (folder / "report.html").read_text(encoding="utf-8") == found.to_html()
    _, out, _ = run_report(capsys, *options, "--pairs", "--json")
    assert json.loads(out) == {"schema": SCHEMA} | found.to_dict()


def test_bad_input_is_a_sentence(folder, capsys):
    (folder / "gap.csv").write_text("u,v\n1,\n2,3\n4,5\n")
    (folder / "none").mkdir()
    before = {path: path.read_bytes() for path in folder.glob("?.csv")}
    for words, sentence in (
        (("a.csv",), "give a second file, or --by COLUMN"),
        (("a.csv", "b.csv", "--by", "u"), "leave --by out"),
        (("a.csv", "b.csv", "--reference", "u"), "put it first"),
        (("a.csv", "b.csv", "--pairs"), "give --by COLUMN"),
        (("a.csv", "--by", "month", "--pairs", "--reference", "2026-01"), "leave one of them out"),
        (("a.csv", "b.csv", "--within", "who"), "no column 'who'"),
        (("a.csv", "nobody.csv"), "no file 'nobody.csv'"),
        (("a.csv", "none"), "the folder none has no CSV, TSV, Parquet, Arrow or JSON-lines file"),
        (("gap.csv", "gap.csv", "--missing", "refuse"), "give --missing drop"),
        (("a.csv", "b.csv", "--columns", "w"), "no column 'w'"),
        (("a.csv", "b.csv", "--level", "2"), "between 0 and 1"),
        (("a.csv", "b.csv", "--permutations", "0"), "--n-resamples must be"),
        (("a.csv", "b.csv", "-o", "nowhere/page.html"), "the folder nowhere does not exist"),
        (("a.csv", "b.csv", "-o", "."), "is a folder; give the name of a file"),
        (("a.csv", "b.csv", "-o", "b.csv"), "is one of the files that are read"),
    ):
        code, out, err = run_report(capsys, *words)
        assert (code, out) == (2, "")
        assert err.startswith("explorer report: ")
        assert sentence in err
        assert "Traceback" not in err
    assert {path: path.read_bytes() for path in folder.glob("?.csv")} == before


class Terminal(io.StringIO):
    """A stderr that is connected to a terminal."""

    def isatty(self):
        return True


def test_who_waits_is_told(monkeypatch):
    def said(stream):
        return "Comparing" in stream.getvalue()

    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setattr(progress, "STEP", 0.05)
    for stream, told in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with progress.waiting("Comparing"):
            until(partial(said, stream)) if told else time.sleep(0.5)
        assert said(stream) == told


def test_who_does_not_wait_is_told_nothing(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with pytest.raises(ValueError, match="at once"), progress.waiting("Comparing"):
        raise ValueError("at once")
    assert stream.getvalue() == ""
