"""`explorer test` of many rows: what stands for the kernel, and files that are read in pieces."""

import gzip
import json
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming, one_sentence_names

from explorer import compare
from explorer.__main__ import main
from explorer.commands import test as command
from explorer.datasets.files import contents as limits
from explorer.datasets.files import text_chunks
from explorer.sketches import files as reading

automatic = import_module("explorer.kernels.low_rank.automatic")


@pytest.fixture
def files(tmp_path):
    for name, n, shift in (("a", 120, 0.0), ("b", 90, 1.0)):
        rng = np.random.default_rng(n)
        frame = pd.DataFrame(
            {"u": rng.normal(shift, 1, n).round(3), "v": rng.normal(size=n).round(3), "w": [f"p{i}" for i in range(n)]}
        )
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    return [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]


ALONE = ("--scale", "common")  # asks for one kernel alone, with columns of every kind


def output_of(capsys, *words):
    main(["test", *map(str, words), *ALONE, "--permutations", "99"])
    return capsys.readouterr().out


def error_of(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(["test", *map(str, words), *ALONE])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("large", [False, True])
def test_a_large_file_has_the_verdict_of_a_small_one(files, capsys, monkeypatch, large):
    if large:
        monkeypatch.setattr(reading, "MEGABYTES", 0)
    out = output_of(capsys, *files)
    assert re.search(naming("level 0.05", "u, v"), out.splitlines()[0])
    assert re.search(naming("n = 120", "m = 90", "99 permutations"), out)
    plain = json.loads(output_of(capsys, *files, "--json"))
    assert (plain["n"], plain["m"], plain["rejected"]) == (120, 90, True)
    assert plain["approximation"].startswith("nystrom of rank " if large else "exact")
    assert plain["error"] >= 0


def test_what_stands_for_the_kernel_is_chosen(files, capsys, monkeypatch):
    exact = json.loads(output_of(capsys, *files, "--json", "--approximation", "exact"))
    assert (exact["approximation"], exact["error"]) == (None, None)
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    for name in ("auto", "cholesky", "features"):
        left = json.loads(output_of(capsys, *files, "--json", "--approximation", name))
        assert left["approximation"].startswith("nystrom" if name == "auto" else name)
        assert abs(left["statistic"] - exact["statistic"]) <= left["error"] + 1e-15


def test_three_files_have_one_verdict_by_landmarks(files, capsys, monkeypatch):
    exact = json.loads(output_of(capsys, *files, files[0], "--json"))
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    left = json.loads(output_of(capsys, *files, files[0], "--json"))
    assert (exact["approximation"], left["approximation"][:7]) == ("exact", "nystrom")
    assert [pair["rejected"] for pair in left["pairs"]] == [pair["rejected"] for pair in exact["pairs"]]
    assert re.search(
        naming("--approximation", "auto", "exact", "features"),
        error_of(capsys, *files, files[0], "--approximation", "features"),
    )


def test_a_folder_is_one_sample(files, tmp_path, capsys):
    (tmp_path / "days").mkdir()
    frame = pd.read_csv(files[0])
    frame[:50].to_csv(tmp_path / "days" / "1.csv", index=False)
    frame[50:].to_csv(tmp_path / "days" / "2.csv", index=False)
    assert "for n = 120 and m = 90" in output_of(capsys, tmp_path / "days", files[1])


def test_what_large_files_cannot_have_is_said(files, capsys, monkeypatch):
    for module in (reading, command):  # the module that decides on a file's size, and the one that writes the message
        monkeypatch.setattr(module, "MEGABYTES", 0)
    assert re.search(naming("0 MB", "two"), error_of(capsys, *files, files[0]))
    with pytest.raises(SystemExit):
        main(["test", *files, "--strict"])
    assert re.search(naming("--strict", "0 MB"), capsys.readouterr().err)
    for more in (("--monk", "5"), ("--strict",), ("--within", "w")):
        assert re.search(naming(more[0], "0 MB"), error_of(capsys, *files, *more))
    assert re.search(naming("0 MB", "two"), error_of(capsys, files[0], "--by", "w"))
    assert re.search(naming("--approximation auto"), error_of(capsys, *files, "--approximation", "features"))


# a table is treated alike, whether it is read whole or in pieces

N = 120
ODD = {  # a file's header, and its line i with a weight, a pressure and a group; most are below the first block
    "words": ("weight,group", lambda i, a, b, g: f"{a},{g}"),
    "quotes": ('"weight","group"', lambda i, a, b, g: f'"{a}","{g}, ""so"""'),
    "lines in cells": ("weight,group", lambda i, a, b, g: f'{a},"{g}\n{g}"'),
    "a letter for inches": ("weight,group", lambda i, a, b, g: f'{a},5" {g}'),
    "decimal commas": ("weight;pressure;group", lambda i, a, b, g: f"{a};{b};{g}".replace(".", ",")),
    "one column": ("weight", lambda i, a, b, g: str(a).replace(".", ",")),
    "commas below": ("weight;pressure", lambda i, a, b, g: f"{str(a).replace('.', ',') if i > 80 else a};{b}"),
    "a separator's line": ("sep=;\nweight;group", lambda i, a, b, g: f"{a};{g}".replace(".", ",")),
    "lines above": ("Export of ward 3,,\n,,\nweight,pressure,group", lambda i, a, b, g: f"{a},{b},{g}"),
    "a row of units": ("weight,pressure,group\nkg,mmHg,-", lambda i, a, b, g: f"{a},{b},{g}"),
    "units": ("weight,group", lambda i, a, b, g: f"{a} kg,{g}"),
    "units below": ("weight,pressure", lambda i, a, b, g: f"{a}{' kg' if i > 90 else ''},{b}"),
    "two units": ("weight,pressure", lambda i, a, b, g: f"{a}{' kg' if i > 90 else ' lb'},{b}"),
    "limits": ("weight,pressure", lambda i, a, b, g: f"{'<60.5' if i % 31 == 7 else a},{b}"),
    "a word below": ("weight,pressure", lambda i, a, b, g: f"{'broken' if i == 100 else a},{b}"),
    "thousands": ("weight,income", lambda i, a, b, g: f'{a},"{i % 9 + 1},{i % 7}{i % 3}5"'),
    "gaps": ("weight,pressure,group", lambda i, a, b, g: f"{a if i % 50 else ''},{b if i % 70 != 3 else '#N/A'},{g}"),
    "gaps of words": ("weight,group", lambda i, a, b, g: f"{a},{g if i % 40 else ''}"),
    "few values": ("weight,pressure", lambda i, a, b, g: f"{a},{b if i > 100 else 'NA'}"),
    "NA as a level": ("weight,region", lambda i, a, b, g: f"{a},{'NA' if g == 'A' else g}"),
    "truth values": ("weight,flag", lambda i, a, b, g: f"{a},{'TRUE' if g == 'A' else 'FALSE' if i < 90 else 'false'}"),
    "two values": ("weight,flag", lambda i, a, b, g: f"{a},{int(g == 'A')}"),
    "codes": ("weight,zip", lambda i, a, b, g: f"{a},{i % 20:03d}"),
    "formulas": ("zip,weight", lambda i, a, b, g: f'="{i % 7:03d}",{a}'),
    "dates": ("weight,day", lambda i, a, b, g: f"{a},{i % 28 + 1:02d}/0{i % 9 + 1}/2026"),
    "names": ("name,weight", lambda i, a, b, g: f"name {i},{a}"),
    "many levels": ("weight,street", lambda i, a, b, g: f"{a},street {i % 56}"),
    "identifiers": ("id,weight", lambda i, a, b, g: f"{i + 1000},{a}"),
    "running numbers": ("weight,Vorgang", lambda i, a, b, g: f"{a},{5000 + i * 37 % N}"),
    "hashes": ("weight,key", lambda i, a, b, g: f"{a},{i * 7919 % 65536:04x}{i * 104729 % 65536:04x}ab12cd34"),
    "e-mail addresses": ("weight,who", lambda i, a, b, g: f"{a},u{i}@ex.org"),
    "an identifier that recurs": ("id,weight", lambda i, a, b, g: f"{min(i, 110)},{a}"),
    "an index": (",weight,pressure", lambda i, a, b, g: f"{i},{a},{b}"),
    "an index that starts again": (",weight,pressure", lambda i, a, b, g: f"{i % 80},{a},{b}"),
    "one name": ("weight,weight,group", lambda i, a, b, g: f"{a},{b},{g}"),
    "a mark at the end": ("weight,pressure,", lambda i, a, b, g: f"{a},{b},"),
    "a cell at the end": ("weight,pressure,", lambda i, a, b, g: f"{a},{b},{'x' if i > 90 else ''}"),
    "blanks": ("weight pressure group", lambda i, a, b, g: f"{a}  {b} {g}"),
    "rules": ("| weight | group |\n|---|---|", lambda i, a, b, g: f"| {a} | {g} |"),
    "a comment below": ("weight,group", lambda i, a, b, g: f"{a},{g}" + ("\n# a remark" if i == 100 else "")),
    "a blank line": ("weight,group", lambda i, a, b, g: f"{a},{g}" + ("\n" if i == 100 else "")),
    "a cell too many": ("weight,group", lambda i, a, b, g: f"{a},{g}" + (",1" if i == 100 else "")),
    "stand-ins": ("weight,pressure", lambda i, a, b, g: f"{a if i % 40 else -9999},{b}"),
    "infinite": ("weight,pressure", lambda i, a, b, g: f"{a if i != 100 else 'inf'},{b}"),
    "scales": ("weight,pressure", lambda i, a, b, g: f"{a},{b * 1000}"),
    "no header": ("1.5,2.5", lambda i, a, b, g: f"{a},{b}"),
}


def odd_table(header, line, seed, end=""):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(70 + 20 * seed, 10, N).round(1), rng.normal(120, 20, N).round(2)
    cells = zip(range(N), a.tolist(), b.tolist(), rng.choice(["A", "B", "C"], N).tolist(), strict=True)
    return "\n".join([header, *(line(*each) for each in cells)]) + f"\n{end}"


@pytest.fixture
def in_pieces(monkeypatch):
    """Return a function that switches to small pieces."""

    def switch():
        monkeypatch.setattr(reading, "MEGABYTES", 0)
        monkeypatch.setattr(text_chunks, "HEAD", 500)
        monkeypatch.setattr(text_chunks, "BLOCK", 400)
        monkeypatch.setattr(reading, "ROWS", 30)
        monkeypatch.setattr(reading, "FIRST", 10)

    return switch


def normalised_answers(capsys, *words):
    """Return the text for people and the JSON, without the statistic of an approximation and its permutations."""
    lines = []
    for form in ((), ("--json",)):
        try:
            main(["test", *map(str, words), *ALONE, "--permutations", "99", *form])
        except SystemExit:
            pass
        out, error = capsys.readouterr()
        lines.append((out, error))
    (out, error), (plain, _) = lines
    about = json.loads(plain) if plain else {}
    same = ("n", "m", "kernel", "columns", "scale", "treatment", "dropped", "gaps", "read", "rejected")
    amounts = [
        {
            key: value
            for key, value in column.items()
            if key not in ("pvalue", "adjusted", "aspect", "threshold", "sentence", "beyond")
        }
        for column in about.get("by_column", ())
    ]
    verdict = out.split("\nThe unbiased MMD²")[0].splitlines()
    return verdict, error, {key: about[key] for key in same if about}, amounts


def assert_equal_in_chunks(capsys, in_pieces, *words):
    whole = normalised_answers(capsys, *words)
    in_pieces()
    assert normalised_answers(capsys, *words) == whole
    return whole


@pytest.mark.thorough(default=["*-drop"])
@pytest.mark.parametrize("more", [(), ("--missing", "drop")], ids=["refuse", "drop"])
@pytest.mark.parametrize("name", ODD)
def test_a_table_in_pieces_is_treated_as_one_that_is_read_whole(tmp_path, capsys, in_pieces, name, more):
    for seed, file in enumerate(("a.csv", "b.csv")):
        (tmp_path / file).write_text(odd_table(*ODD[name], seed))
    assert_equal_in_chunks(capsys, in_pieces, tmp_path / "a.csv", tmp_path / "b.csv", *more)


@pytest.mark.parametrize("columns", [("weight", "group"), ("group",), ("pressure", "nowhere"), ("pressure",)])
def test_columns_are_named(tmp_path, capsys, in_pieces, columns):
    for seed, file in enumerate(("a.csv", "b.csv")):
        (tmp_path / file).write_text(odd_table(*ODD["gaps"], seed))
    assert_equal_in_chunks(capsys, in_pieces, tmp_path / "a.csv", tmp_path / "b.csv", "--columns", *columns)


@pytest.mark.parametrize(
    ("first", "second"), [("words", "names"), ("words", "quotes"), ("two values", "truth values"), ("words", "scales")]
)
def test_files_of_other_columns_and_kinds(tmp_path, capsys, in_pieces, first, second):
    for seed, (file, name) in enumerate((("a.csv", first), ("b.csv", second))):
        (tmp_path / file).write_text(odd_table(*ODD[name], seed))
    assert_equal_in_chunks(capsys, in_pieces, tmp_path / "a.csv", tmp_path / "b.csv")


@pytest.mark.parametrize("codec", ["utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_encodings(tmp_path, capsys, in_pieces, codec):
    """A letter of another encoding may stand far below."""
    for seed, file in enumerate(("a.csv", "b.csv")):
        text = odd_table("weight,group", lambda i, a, b, g: f"{a},{g if i < 100 else 'größer'}", seed)
        (tmp_path / file).write_bytes(text.encode(codec))
    assert_equal_in_chunks(capsys, in_pieces, tmp_path / "a.csv", tmp_path / "b.csv")


@pytest.mark.parametrize("word", ["Total", ""])
def test_a_line_of_totals_is_left_out(tmp_path, capsys, in_pieces, word):
    for seed, file in enumerate(("a.csv", "b.csv")):
        text = odd_table("weight,group", lambda i, a, b, g: f"{a},{g}", seed)
        total = sum(float(line.split(",")[0]) for line in text.split()[1:])
        (tmp_path / file).write_text(f"{text}{total:.1f},{word}\n")
    said = assert_equal_in_chunks(capsys, in_pieces, tmp_path / "a.csv", tmp_path / "b.csv")[0][1]
    assert one_sentence_names(said, "last line", "totals", "left out")


def test_parquet_files_have_words_truth_values_dates_and_gaps(tmp_path, capsys, in_pieces):
    pytest.importorskip("pyarrow")
    for seed, file in enumerate(("a.parquet", "b.parquet")):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame(
            {
                "x": rng.normal(size=N),
                "whole": pd.array([None, *rng.integers(0, 9, N - 1)], dtype="Int64"),
                "word": [None, None, *rng.choice(["u", "v"], N - 2)],
                "level": pd.Categorical(rng.choice(["1", "2", "3"], N)),
                "flag": pd.array([True, None, *(rng.random(N - 2) < 0.5)], dtype="boolean"),
                "when": pd.date_range("2026-01-01", periods=N),
                "name": [f"name {i}" for i in range(N)],
                "comma": [f"{x:.2f}".replace(".", ",") for x in rng.normal(size=N)],
                "list": [[1, 2]] * N,
            }
        )
        frame.to_parquet(tmp_path / file, row_group_size=50)
    assert_equal_in_chunks(capsys, in_pieces, tmp_path / "a.parquet", tmp_path / "b.parquet", "--missing", "drop")


def test_packed_files_and_those_that_are_large_when_unpacked(tmp_path, capsys, in_pieces, monkeypatch):
    for seed, file in enumerate(("a.csv.gz", "b.csv.gz")):
        (tmp_path / file).write_bytes(gzip.compress(odd_table(*ODD["decimal commas"], seed).encode()))
    whole = normalised_answers(capsys, tmp_path / "a.csv.gz", tmp_path / "b.csv.gz")
    monkeypatch.setattr(limits, "MEGABYTES", 0)
    assert normalised_answers(capsys, tmp_path / "a.csv.gz", tmp_path / "b.csv.gz") == whole
    assert json.loads(output_of(capsys, tmp_path / "a.csv.gz", tmp_path / "b.csv.gz", "--json"))["approximation"]


def test_a_city_is_compared_in_a_file_of_any_size(tmp_path, capsys, in_pieces):
    """Above 20 MB words were left out, and files that differ in nothing else were reported not to differ."""
    for file, shares in (("a.csv", (0.5, 0.3, 0.2)), ("b.csv", (0.2, 0.3, 0.5))):
        rng = np.random.default_rng(len(shares))
        rows = zip(rng.normal(size=500).round(3), rng.choice(["Bonn", "Kiel", "Ulm"], 500, p=shares), strict=True)
        (tmp_path / file).write_text("x,city\n" + "\n".join(f"{x},{city}" for x, city in rows))
    out, _, about, amounts = assert_equal_in_chunks(capsys, in_pieces, tmp_path / "a.csv", tmp_path / "b.csv")
    assert about["rejected"]
    assert re.search(naming("level 0.05", "x, city"), out[0])
    assert [column["kind"] for column in amounts] == ["number", "category"]


def test_files_of_a_folder_hold_alike_what_they_hold(tmp_path, capsys):
    for kind, second in (("numbers", "weight,g\n1 lb,a\n2 lb,b\n"), ("words", "weight,g\nheavy,a\nlight,b\n")):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "1.csv").write_text("weight,g\n1 kg,a\n2 kg,b\n")
        (tmp_path / kind / "2.csv").write_text(second)
    assert re.search(naming("kg", "1.csv", "lb", "2.csv"), error_of(capsys, *[tmp_path / "numbers"] * 2))
    assert re.search(naming("1.csv", "2.csv", "'heavy'"), error_of(capsys, *[tmp_path / "words"] * 2))


def test_the_verdict_on_a_large_file_is_that_of_compare(files, capsys, in_pieces):
    """A file that is read in pieces has the first sentence of one that is read whole, and all of `compare`."""
    whole, found = None, compare(*files, n_resamples=99, rng=0)
    for switch in (lambda: None, in_pieces):
        switch()
        main(["test", *files, "--permutations", "99"])
        out = capsys.readouterr().out.splitlines()
        whole = whole or out
        assert out[0] == whole[0] == found.headline


def test_a_packed_file_that_is_large_when_unpacked_has_it_too(tmp_path, capsys, monkeypatch):
    for seed, file in enumerate(("a.csv.gz", "b.csv.gz")):
        (tmp_path / file).write_bytes(gzip.compress(odd_table(*ODD["units"], seed).encode()))
    paths = [str(tmp_path / name) for name in ("a.csv.gz", "b.csv.gz")]
    before = compare(*paths, n_resamples=99, rng=0)
    monkeypatch.setattr(limits, "MEGABYTES", 0)
    after = compare(*paths, n_resamples=99, rng=0)
    assert (after.differ, [c.name for c in after.columns]) == (before.differ, [c.name for c in before.columns])
