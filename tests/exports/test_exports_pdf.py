"""A page as a PDF: the programs that print it, early refusals, and the suffixes of files."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer import compare
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.comparison import compare_groups
from explorer.exports import pdf
from explorer.files.file_endings import PAGES, kind_of

ROWS = np.random.default_rng(0).normal(size=(30, 2)).round(3)


@pytest.fixture
def tables(tmp_path):
    for name, shift in (("a", 0.0), ("b", 2.0)):
        np.savetxt(tmp_path / f"{name}.csv", ROWS + shift, delimiter=",", header="u,v", comments="")
    return [str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), "--resamples", "9"]


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(pdf, "_browsers", lambda: iter(()))
    monkeypatch.setattr(pdf, "find_spec", lambda name: None)


def browser(folder, does):
    """Create a fake printing program that runs some Python with the paths `out` and `page`."""
    program = folder / "browser"
    program.write_text(
        f"#!{sys.executable}\nimport pathlib, sys\n"
        "out = pathlib.Path(next(w for w in sys.argv if w.startswith('--print-to-pdf=')).split('=', 1)[1])\n"
        f"page = sys.argv[-1].removeprefix('file://')\n{does}\n"
    )
    program.chmod(0o755)
    return str(program)


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script of a POSIX system")
def test_a_browser_prints_the_page_that_it_is_given(tmp_path):
    program = browser(tmp_path, "out.write_bytes(b'%PDF-' + pathlib.Path(page).read_bytes())")
    assert pdf.by_browser("<p>λ</p>", program) == b"%PDF-" + "<p>λ</p>".encode()


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script of a POSIX system")
@pytest.mark.parametrize("does", ["sys.exit(1)", "out.write_bytes(b'no')", "out.write_bytes(b'')"])
def test_a_browser_that_prints_nothing_is_a_refusal(does, tmp_path):
    with pytest.raises(Refusal, match="PDF"):
        pdf.by_browser("<p></p>", browser(tmp_path, does))


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script of a POSIX system")
def test_a_browser_that_takes_too_long_is_a_refusal(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf, "PATIENCE", 0.2)
    with pytest.raises(Refusal, match=naming("0.2 seconds")):
        pdf.by_browser("<p></p>", browser(tmp_path, "import time; time.sleep(5)"))


def test_without_a_printer_it_is_refused_before_the_work(tables, nothing_installed, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("explorer.commands.comparing.compared", lambda options: pytest.fail("it was compared"))
    out = tmp_path / "r.pdf"
    with pytest.raises(SystemExit) as end:
        main(["report", *tables, "-o", str(out)])
    assert (end.value.code, out.exists()) == (2, False)
    said = capsys.readouterr().err
    assert "weasyprint" in said
    assert ".html" in said


@pytest.mark.parametrize("name", ["r.docx", "r.png", "r.pptx", "r.md", "r.csv", "r.PNG", "r.mp4"])
def test_another_ending_is_refused_before_the_work(name, tables, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("explorer.commands.comparing.compared", lambda options: pytest.fail("it was compared"))
    with pytest.raises(SystemExit) as end:
        main(["report", *tables, "-o", str(tmp_path / name)])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert all(word in said for word in (".html", ".pdf", name))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("r" + ending, ending) for ending in PAGES),
        ("R.HTML", ".html"),
        ("report", ""),
        ("report.2026", ""),
        ("v1.2", ""),
        ("/dev/stdout", ""),
        ("-", ""),
        ("r.html.tmp", ""),
        (Path("a.b") / "report", ""),
    ],
)
def test_the_kind_of_a_file(name, kind):
    assert kind_of(name, PAGES, "a page") == kind


@pytest.mark.thorough
def test_commands_write_what_the_name_says(tmp_path, capsys):
    lines = [
        ["export", "shrinkage", "-o", "lab.pdf"],
        ["reproduce", "atlas", "--out", "papers.pdf"],
        ["sketch", "a.csv", "-o", "a.csv.gz"],
        ["film", "shrinkage", "-o", "film.avi"],
        ["sweep", "study.toml", "--csv", "cells.xlsx"],
    ]
    (tmp_path / "study.toml").write_text("study = 'no:study'\n[axes]\nn = [1]\n")
    for words in lines:
        words = [str(tmp_path / word) if "." in word else word for word in words]
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 2
        assert f"{Path(words[-1]).name}'" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


@pytest.mark.thorough
def test_to_html_writes_pages_alone(tmp_path):
    groups = pd.DataFrame({"u": ROWS[:, 0], "arm": np.repeat(["x", "y"], 15)})
    pair = compare(ROWS, ROWS + 2, n_resamples=9, rng=0)
    for comparison in (pair, compare_groups(groups, by="arm", n_resamples=9, rng=0)):
        for name in ("r.pdf", "r.docx", "r.png"):
            with pytest.raises(Refusal, match=naming(".html")) as refusal:
                comparison.to_html(tmp_path / name)
            assert name in str(refusal.value)
            assert ("explorer report" in str(refusal.value)) == name.endswith(".pdf")
        page = comparison.to_html(tmp_path / "r.html")
        assert (tmp_path / "r.html").read_text(encoding="utf-8") == page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html"]


@pytest.mark.thorough
@pytest.mark.skipif(next(pdf._browsers(), None) is None, reason="there is no browser to print with")
def test_a_real_browser_prints_the_report(tables, tmp_path, capsys):
    """The PDF has one or two pages, and the same verdict as the page."""
    out = tmp_path / "r.pdf"
    main(["report", *tables, "--json", "-o", str(out)])
    printed = out.read_bytes()
    assert printed.startswith(b"%PDF-")
    assert b"%%EOF" in printed[-1024:]
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 3
    found = json.loads(capsys.readouterr().out)
    assert found["pvalue"] == compare(tables[0], tables[1], n_resamples=9, rng=0).pvalue
