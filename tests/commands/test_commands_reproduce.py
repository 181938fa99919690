"""`explorer reproduce`: its list, its report, what it refuses, and that the guide's verdicts are what it finds."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from helpers.guide_texts import GUIDE
from helpers.naming import names_all, naming, one_sentence_names

from explorer import load
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.commands.reproduce import _with_missing_data
from explorer.papers.catalogue import ENTRIES
from explorer.papers.claim import Finding
from explorer.papers.entry import Cell
from explorer.papers.report import Reproduced, report

VOID = {"meta", "br", "link", "input", "img", "col", "wbr"}


class Tags(HTMLParser):
    """Opens and closes every tag once, and asks nothing of another host."""

    def __init__(self, text):
        super().__init__()
        self.open, self.asked = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.asked += [value for name, value in attributes if name in ("src", "href") and value and "//" in value]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def reproduced(name, **tables):
    entry = ENTRIES[name]
    found = [
        Cell({axis: values[i % len(values)] for axis, values in entry.grids("fast")[0].axes.items()}, tables)
        for i in (0, 1)
    ]
    return Reproduced(
        entry,
        [found],
        [
            Finding("it < that", "fails", "by much & surely", ("31",), "it is < all the time", "below 0"),
            Finding("this is so", "holds in part (1 of 2)", "here", (), "", "above 0"),
        ],
        1.25,
    )


def test_a_report_needs_nothing_and_says_all():
    rng = np.random.default_rng(0)
    done = reproduced("shrinkage-figure-1", **{name: rng.random(4) for name in ("KME", "S-KMSE", "F-KMSE")})
    absent = ENTRIES["article-regression"]._replace(lacks="its data are not there")
    text = report([done], [absent], "fast", "9.9")
    page = Tags(text)
    assert (page.open, page.asked) == ([], [])
    for said in (
        "9.9",
        "fast",
        "it &lt; that",
        "by much &amp; surely",
        "Computed in 1.2 s",
        "its data are not there",
        "“it is &lt; all the time”",
        "Read as: below 0.",
        "<a href='#erratum-31'>31</a>",
        "<tr id='erratum-31'>",
        "<tr id='erratum-E-25'>",
    ):
        assert said in text
    assert len(text) < 2e6  # Bokeh's own script, and little more


def test_a_report_tells_the_papers_claims_from_ours():
    rng = np.random.default_rng(0)
    done = reproduced("shrinkage-figure-1", **{name: rng.random(4) for name in ("KME", "S-KMSE", "F-KMSE")})
    text = report([done], [], "fast", "1")
    overview, section = text[text.index("<h1>") :].split("<h2 id='shrinkage-figure-1'>")
    above, below = ("Claims of the papers", "Our own claims"), ("What the paper claims", "What we add")
    for part, titles in ((overview, above), (section, below)):
        first, second = (part.index(title) for title in titles)
        assert first < part.index("it &lt; that") < second < part.index("this is so")
    assert "<td class='word part'>holds in part (1 of 2)</td>" in text
    assert "<td class='word fails'>fails</td>" in text


def test_a_table_that_was_printed_stands_beside_ours():
    names = ("KME", "S-KMSE", "MKME", "MMKME", "KME, wide")
    text = report([reproduced("marginalized-table-4", **{name: np.full(5, 0.01) for name in names})], [], "fast", "1")
    for eta_and_level in ("α = 0.05, η = 0.1", "α = 0.15, η = 0.3"):
        assert f"<td>{eta_and_level}</td>" in text
    assert "<td>.880</td>" in text
    assert "MMKME is MKME, whose test is KME&#39;s" in text
    assert "Left out" not in text


def test_a_report_of_a_table_that_has_no_picture():
    done = reproduced("shrinkage-table-1", KPCA=np.full(4, 0.5))
    text = report([done._replace(entry=done.entry._replace(lines=()))], [], "full", "1")
    assert "<canvas" not in text
    assert "<script" not in text
    assert "by much &amp; surely" in text


def test_the_list_has_a_line_for_each(capsys):
    assert main(["reproduce", "--list"]) is None
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(ENTRIES)
    assert [("missing: " in line) for line in lines] == [bool(entry.lacks) for entry in ENTRIES.values()]
    assert re.search(naming(3, 1), lines[0].rpartition("; ")[2])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["figure-9"], "'figure-9' --list"),
        (["atlas", "--out", "nowhere/report.html"], "nowhere make"),
        (["atlas", "--scheduler", "tcp://127.0.0.1:1"], "--scheduler --executor dask"),
    ],
)
def test_what_cannot_be_done_is_said(words, said, capsys):
    with pytest.raises(SystemExit) as end:
        main(["reproduce", *words])
    assert end.value.code == 2
    assert re.search(naming(*said.split()), capsys.readouterr().err)


def test_what_is_not_there_yet_says_why(monkeypatch, capsys):
    monkeypatch.setitem(ENTRIES, "atlas", ENTRIES["atlas"]._replace(lacks="nobody has written it"))
    with pytest.raises(SystemExit):
        main(["reproduce", "atlas"])
    assert re.search(naming("atlas", "nobody has written it"), capsys.readouterr().err)
    main(["reproduce", "--list"])
    assert names_all(capsys.readouterr().out, "missing", "nobody has written it")


def test_one_figure_is_computed_kept_and_read_again(tmp_path, capsys):
    words = ["reproduce", "marginalized-figure-1", "--smoke", "--executor", "serial", "--store", str(tmp_path / "kept")]
    main([*words, "--out", str(tmp_path / "a.html")])
    first = capsys.readouterr().out
    kept = tmp_path / "kept" / "marginalized-figure-1-smoke-0.nc"
    written = kept.stat().st_mtime_ns
    main([*words, "-o", str(tmp_path / "b.html")])
    assert capsys.readouterr().out.replace("b.html", "a.html") == first
    assert kept.stat().st_mtime_ns == written
    assert "marginalized-figure-1, ours: A little noise (σ² up to 1) gains: " in first
    assert "A little noise (σ² up to 1) gains" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_data_set_that_is_not_there_stops_only_its_own(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("EXPLORER_DATA", raising=False)
    monkeypatch.setattr("explorer.papers.catalogue.ENTRIES", {n: ENTRIES[n] for n in ("monk-figure-2", "article-rate")})
    main(["reproduce", "--smoke", "--executor", "serial", "--out", str(tmp_path / "a.html")])
    said = capsys.readouterr().out
    assert "article-rate, paper: " in said
    assert [line.split(":")[1].strip() for line in said.splitlines() if line.startswith("Left out")] == [
        "monk-figure-2"
    ]
    assert one_sentence_names((tmp_path / "a.html").read_text(encoding="utf-8"), "data", "splice", "folder")


@pytest.mark.thorough
@pytest.mark.parametrize("error", [ConnectionError("no network"), FileNotFoundError("no file"), Refusal("altered")])
def test_figures_that_are_named_go_on_without_data_too(error, tmp_path, monkeypatch, capsys):
    """Whatever keeps the data away; with nothing left to compute it is refused."""

    def load(name, missing):
        raise error

    monkeypatch.setattr("explorer.datasets.load", load)
    out = tmp_path / "a.html"
    words = ["--smoke", "--executor", "serial", "--out", str(out)]
    main(["reproduce", "monk-figure-2", "marginalized-figure-1", *words])
    said = capsys.readouterr().out
    assert "marginalized-figure-1, paper: " in said
    assert one_sentence_names(said, "Left out", "monk-figure-2", "data", str(error))
    assert str(error) in out.read_text(encoding="utf-8")
    out.unlink()
    with pytest.raises(SystemExit) as end:
        main(["reproduce", "monk-figure-2", *words])
    assert (end.value.code, out.exists()) == (2, False)
    assert str(error) in capsys.readouterr().err


@pytest.mark.skipif(not os.environ.get("EXPLORER_DATA"), reason="EXPLORER_DATA names no folder of data sets")
def test_a_data_set_with_empty_cells_is_there():
    """The study omits those rows, while a user who asks for all rows is refused."""
    entry = ENTRIES["marginalized-table-3"]
    with pytest.raises(ValueError, match="missing"):
        load("primary")
    assert "primary" in entry.needs("fast")
    assert _with_missing_data(entry, "fast") is entry


@pytest.mark.thorough
def test_the_guide_s_verdicts_are_those_of_the_fast_size(tmp_path, capsys):
    """And the whole report of that size stays small."""
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| (holds|holds in part [^|]+|fails|undecided) \| [^|]+ \|$",
        GUIDE["papers"],
        re.M,
    )
    assert len(rows) == 3
    names = ["shrinkage-figure-2", "marginalized-figure-2", "article-rate"]
    main(["reproduce", *names, "--fast", "--out", str(tmp_path / "a.html")])
    said = capsys.readouterr().out
    for (_, claim, word), name in zip(rows, names, strict=True):
        assert f"{name}, paper: {claim}: {word}. " in said
    assert (tmp_path / "a.html").stat().st_size < 2.5e6
