"""Sheets and tables in the terminal: addresses, --sheet and --table, and sentences in the command's own options."""

import json
import sqlite3

import numpy as np
import pandas as pd
import pytest

from explorer import compare
from explorer.__main__ import main


@pytest.fixture(scope="module")
def files_with_parts(tmp_path_factory):
    """A workbook, a database and CSV files of two months, the second of which has moved."""
    folder = tmp_path_factory.mktemp("parts")
    frames = {}
    for k, name in enumerate(("june", "july")):
        rng = np.random.default_rng(k)
        frames[name] = pd.DataFrame({"x": rng.normal(2 * k, 1, 40).round(2), "kind": rng.choice(["a", "b"], 40)})
        frames[name].to_csv(folder / f"{name}.csv", index=False)
    with pd.ExcelWriter(folder / "book.xlsx") as writer, sqlite3.connect(folder / "shop.sqlite") as connection:
        for name, frame in frames.items():
            frame.to_excel(writer, sheet_name=name, index=False)
            frame.to_sql(name, connection, index=False)
    connection.close()
    return folder


def output_of(arguments, capsys):
    main(list(map(str, arguments)))
    return capsys.readouterr().out


def error_of(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(list(map(str, arguments)))
    assert caught.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("file", ["book.xlsx", "shop.sqlite"])
def test_the_report_of_two_parts_of_a_file_is_that_of_two_files(file, files_with_parts, tmp_path, capsys):
    a, b = (f"{files_with_parts / file}#{name}" for name in ("june", "july"))
    out = tmp_path / "r.html"
    how = ["--json", "--permutations", 19]
    found = json.loads(output_of(["report", a, b, "-o", out, *how], capsys))
    expected = json.loads(
        output_of(["report", files_with_parts / "june.csv", files_with_parts / "july.csv", *how], capsys)
    )
    assert found["pvalue"] == expected["pvalue"]
    assert found["columns"] == expected["columns"]
    assert found["names"] == [f"{file}#june", f"{file}#july"]
    assert f"{a}" in found["python"]
    assert f"{file}#june" in out.read_text(encoding="utf-8")


def test_options_name_the_part_of_each_file(files_with_parts, capsys):
    table = files_with_parts / "shop.sqlite"
    found = json.loads(output_of(["test", table, files_with_parts / "book.xlsx", "--table", "june", "--json"], capsys))
    assert found["pvalue"] == 1
    alone = [
        "test",
        files_with_parts / "book.xlsx",
        files_with_parts / "book.xlsx",
        "--sheet",
        "july",
        "--kernel",
        "energy",
        "--json",
    ]
    assert json.loads(output_of(alone, capsys))["rejected"] is False
    assert json.loads(output_of(["scan", table, "--table", "june", "--permutations", 19, "--json"], capsys))["n"] == 40


def test_a_sketch_of_a_sheet_is_that_of_its_csv_file(files_with_parts, tmp_path, capsys):
    sketches = [tmp_path / "a.npz", tmp_path / "b.npz"]
    for sketch, source in zip(
        sketches, (f"{files_with_parts / 'book.xlsx'}#june", files_with_parts / "june.csv"), strict=True
    ):
        output_of(["sketch", source, "-o", sketch, "--bandwidth", 1], capsys)
    assert compare(*map(str, sketches), rng=0).pvalue == 1


def test_what_may_be_chosen_is_said_in_options(files_with_parts, tmp_path, capsys):
    said = error_of(
        ["report", files_with_parts / "book.xlsx", files_with_parts / "june.csv", "-o", tmp_path / "r.html"], capsys
    )
    assert "--sheet june" in said
    assert "july" in said
    assert "--table" in error_of(["scan", files_with_parts / "shop.sqlite"], capsys)
    assert "august" in error_of(["scan", files_with_parts / "shop.sqlite", "--table", "august"], capsys)
    assert "--sheet" not in error_of(
        ["test", f"{files_with_parts / 'book.xlsx'}#may", files_with_parts / "june.csv"], capsys
    )


def test_a_page_is_not_written_over_its_workbook(files_with_parts, capsys):
    book = files_with_parts / "book.xlsx"
    before = book.read_bytes()
    error_of(["report", f"{book}#june", f"{book}#july", "-o", book], capsys)
    assert book.read_bytes() == before
