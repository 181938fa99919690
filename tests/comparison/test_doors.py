"""One question has one answer: `compare`, both commands, the report's page and the two-sample lab give the same."""

import json
import re
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

from explorer import compare
from explorer.__main__ import main
from explorer.datasets import read_tables
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample import words as of_lab
from explorer.markup import text_of
from explorer.pages.report.comparison_request import ReportInput
from explorer.pages.report.lab_links import LabLinks
from explorer.pages.report.sections import VERDICT, parts

NAMES = ("before.csv", "after.csv")


def numbers(rng, n, moved):
    return {"z": rng.normal(0.4 * moved, 1, n).round(3), "y": rng.normal(size=n).round(3) * 1000}


def words(rng, n, moved):
    shares = (0.3, 0.3, 0.4) if moved else (0.5, 0.3, 0.2)
    return {"x": rng.normal(size=n).round(3), "w": rng.choice(["u", "v", "w"], n, p=shares)}


def gaps(rng, n, moved):
    x = rng.normal(size=n).round(3).astype(object)
    x[rng.random(n) < (0.4 if moved else 0.1)] = ""
    return {"x": x, "y": rng.normal(size=n).round(3), "only after" if moved else "only before": np.arange(n) / 7}


def ties(rng, n, moved):
    return {"x": rng.poisson(2 + moved, n), "y": rng.integers(0, 2, n)}


def copies(rng, n, moved):
    columns = {"x": rng.normal(0.5 * moved, 1, n).round(4), "y": rng.normal(size=n).round(4)}
    return {name: np.concatenate([values, values[: n // 4]]) for name, values in columns.items()}


def codes(rng, n, moved):
    shares = (0.7, 0.1, 0.1, 0.1) if moved else (0.4, 0.3, 0.2, 0.1)
    return {"status": rng.choice([200, 301, 404, 500], n, p=shares), "y": rng.normal(size=n).round(3)}


KINDS = (numbers, words, gaps, ties, copies, codes)


@pytest.fixture(params=KINDS, ids=lambda make: make.__name__)
def files(request, tmp_path, monkeypatch):
    """Write two files of this kind into a temporary folder, which becomes the current one."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    for moved, (name, n) in enumerate(zip(NAMES, (32, 28), strict=True)):
        pd.DataFrame(request.param(rng, n, moved)).to_csv(name, index=False)
    return tmp_path


def printed(capsys, command, *options):
    main([command, *NAMES, *options])
    return capsys.readouterr().out


def lab_of(**fields):
    """Return the two-sample lab as its page has it for these files."""
    columns = json.loads(fields["columns"]) if "columns" in fields else None
    tables = read_tables(list(NAMES), columns, "drop", "none", lenient=True)
    n, m = (min(table.n, 20) for table in tables)
    hashes = {"hash": tables[0].hash, "hash2": tables[1].hash, "file": NAMES[0], "file2": NAMES[1]}
    lab = TwoSampleLab(source="file", missing="drop", lenient=True, n=n, m=m, **hashes, **fields)
    lab.tables = tables
    return lab


def result_with_stages(lab, *stages):
    """Return a result of a lab with only these deferred stages."""
    work = lab.work()
    for stage in stages:
        work.finish(stage)
    return lab.result()


def test_every_door_gives_the_same_p_and_the_same_first_sentence(files, capsys):
    found = compare(*NAMES, rng=0)
    told = [json.loads(printed(capsys, command, "--json")) for command in ("test", "report")]
    assert [(each["pvalue"], each["headline"]) for each in told] == [(found.pvalue, found.headline)] * 2
    page = found.headline
    given = ReportInput(*(ParsedFile(name, (files / name).read_bytes()) for name in NAMES))
    verdict = next(parts(given))
    assert verdict.title == VERDICT
    assert page in text_of(verdict.shown)
    common = [column.name for column in found.columns]
    lab = lab_of(columns=json.dumps(common)) if found.left_out else lab_of()
    result = result_with_stages(lab, "compared")
    assert result.compared.pvalue == found.pvalue
    assert text_of(of_lab.headline(result, result.row)).startswith(f"{page} Under this ")


@pytest.mark.slow
def test_what_both_commands_print_for_people_begins_with_it(files, capsys):
    found = compare(*NAMES, rng=0)
    test, report = (printed(capsys, command) for command in ("test", "report"))
    assert test.startswith(found.verdict)
    assert report.partition("\n\nThe report is")[0] == test.rstrip()


def lab_of_report_link(given, link):
    """Return the two-sample lab that a link of a report leads to, with the report's files."""
    name, _, query = unescape(link).partition("?")
    assert name == "twosample"
    fields = dict(parse_qsl(query))
    fields.pop("v")
    lab, refused = TwoSampleLab.from_flat(fields)
    assert refused == []
    files = [given[lab.hash], given[lab.hash2]]
    names = [file.name for file in files]
    raws = [file.raw for file in files]
    lab.tables = read_tables(raws, json.loads(lab.columns), "drop", "none", names=names, lenient=True)
    return lab


def lines_with_links(comparison, leads):
    """Return (line, link to its two samples) for each column and pair of a report."""
    each = [(line, leads.column(line)) for line in comparison.columns]
    each += [(line, leads.pair(line)) for line in comparison.pairs]
    return [(line, re.search("href='([^']*)'", str(link))[1]) for line, link in each if link]


@pytest.mark.parametrize("by", ["", "ward"], ids=["two files", "three groups"])
def test_a_line_of_the_report_opens_on_its_own_p(tmp_path, by):
    """A link contains only names: the lab computes the p of the line again, from the report's files."""
    rng = np.random.default_rng(3)
    tables = [pd.DataFrame(words(rng, n, moved) | numbers(rng, n, moved)) for n, moved in ((32, 0), (28, 1), (24, 0))]
    if by:
        raw = pd.concat(table.assign(ward=ward) for table, ward in zip(tables, "ABC", strict=True)).to_csv(index=False)
        given = ReportInput(ParsedFile("wards.csv", raw.encode()), None, by)
    else:
        given = ReportInput(
            *(ParsedFile(n, t.to_csv(index=False).encode()) for n, t in zip(NAMES, tables[:2], strict=True))
        )
    comparison = given.compared()
    leads = LabLinks(given, comparison)
    lines = lines_with_links(comparison, leads)
    assert len(lines) == len(comparison.columns) + len(comparison.pairs) == 10
    for line, link in lines[::5]:
        lab = lab_of_report_link(leads.files, link)
        result = result_with_stages(lab, "compared", "among")
        assert type(result.line) is type(line)
        assert (result.line.pvalue, result.line.adjusted) == (line.pvalue, line.adjusted)
        assert f"adjusted p = {line.adjusted:.3g} for all" in text_of(of_lab.headline(result, result.row))
