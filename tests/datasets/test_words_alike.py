"""Names and words that look alike, or differ in case alone, are one; what is taken as the same is listed."""

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all, naming

from explorer import compare, read_table, read_tables
from explorer.checks import Refusal
from explorer.datasets.columns.spellings import (
    closest_name,
    common_words,
    fold_name,
    match_name,
    normalise_word,
    quote_visible,
)
from explorer.sketches.large_tables import read_large_tables

FEW = {"n_resamples": 19, "rng": 0}
LIKE = {
    "two blanks": "Bad  Ems",
    "blanks at the ends": "  Bad Ems ",
    "a hard blank": "Bad\u00a0Ems",
    "a narrow blank": "Bad\u202fEms",
    "a blank without width": "Bad\u200b Ems",
    "a byte order mark": "\ufeffBad Ems",
    "a soft hyphen": "Bad Em\u00ads",
    "a word joiner": "Bad\u2060 Ems",
    "full width": "\uff22\uff41\uff44\u3000\uff25\uff4d\uff53",
    "other case": "BAD ems",
}
OTHERS = {
    "normal form": ("Ko\u0308ln", "K\u00f6ln"),
    "quotes": ("l\u2019eau", "l'eau"),
    "double quotes": ("\u201cno\u201d", '"no"'),
    "dashes": ("10\u201320 m", "10-20 m"),
    "minus": ("type \u2212", "type -"),
}
PAIRS = [(each, "Bad Ems") for each in LIKE.values()] + list(OTHERS.values())
IDS = [*LIKE, *OTHERS]


def frame(word, name="city", count=60):
    return pd.DataFrame({name: [word if i % 2 else "Bonn" for i in range(count)], "x": [i % 7 for i in range(count)]})


@pytest.mark.parametrize(("word", "common"), PAIRS, ids=IDS)
def test_words_in_frames_meet(word, common):
    tables = read_tables([frame(common), frame(word)], ["city", "x"], lenient=True)
    assert set(tables.levels["city"]) == {"Bonn", normalise_word(common)}
    assert np.array_equal(tables[0].X, tables[1].X)


@pytest.mark.parametrize(("word", "common"), PAIRS, ids=IDS)
def test_words_in_files_meet(word, common):
    files = [frame(each).to_csv(index=False).encode() for each in (common, word)]
    tables = read_tables(files, ["city", "x"], lenient=True)
    assert np.array_equal(tables[0].X, tables[1].X)


@pytest.mark.thorough
@pytest.mark.parametrize(("word", "common"), PAIRS, ids=IDS)
def test_words_in_pieces_meet(word, common, tmp_path):
    for k, each in enumerate((common, word)):
        frame(each).to_csv(tmp_path / f"{k}.csv", index=False)
        frame(each).to_parquet(tmp_path / f"{k}.parquet")
    csv = read_large_tables([tmp_path / "0.csv", tmp_path / "1.csv"], ["city", "x"], "drop")
    both = read_large_tables([tmp_path / "0.parquet", tmp_path / "1.csv"], ["city", "x"], "drop")
    for tables in (csv, both):
        assert set(tables.levels["city"]) == {"Bonn", normalise_word(common)}
        assert np.array_equal(tables[0].X, tables[1].X)


@pytest.mark.parametrize(("name", "common"), PAIRS, ids=IDS)
def test_names_of_columns_meet(name, common):
    assert fold_name(name) == fold_name(common)
    tables = read_tables([frame("Ulm", common), frame("Ulm", name)], lenient=True)
    assert [column.name for column in tables.columns] == [tables.columns[0].name, "x"]


@pytest.mark.thorough
def test_what_is_taken_as_the_same_is_said():
    found = compare(frame("Bad Ems"), frame("Bad\u200b Ems"), **FEW)
    assert not found.differ
    assert names_all(str(found), r"'Bad\u200b Ems' in b", "'Bad Ems'")
    assert r"Bad\u200b Ems" in found.to_html()
    named = compare(frame("Ulm", "Height "), frame("Ulm", "height"), **FEW)
    assert "called 'height' in b" in named.noted
    assert compare(frame("Ulm"), frame("Ulm"), **FEW).noted == ""


def test_case_that_tells_levels_apart_in_one_table_tells_them_apart_in_all():
    first = pd.DataFrame({"size": ["M", "m", "L"] * 20, "x": range(60)})
    second = pd.DataFrame({"size": ["M", "M", "l"] * 20, "x": range(60)})
    tables = read_tables([first, second], ["size"], lenient=True)
    assert tables.levels["size"] == ("L", "M", "m")  # l is joined with L, and m is separate from M
    assert common_words([["yes", "Yes"], ["YES"]]) == [{}, {}]


def test_words_that_look_alike_are_one_in_one_table_too():
    table = pd.DataFrame({"x": range(60), "arm": ["a  1", "a 1", "b"] * 20})
    found = compare(table, by="arm", **FEW)
    assert (found.names, found.n, found.m) == (("a 1", "b"), 40, 20)
    assert "taken as 'a 1'" in str(found)
    assert set(read_table(table, ["x"], target="arm").target) == {"a 1", "b"}


def test_superscripts_and_letters_are_not_the_same():
    assert common_words([["x\u00b2", "\u2460"], ["x2", "1"]]) == [{}, {}]
    assert normalise_word("m\u00b2") == "m\u00b2"


def test_subjects_meet_by_their_look():
    a = pd.DataFrame({"who": [f"P {i}" for i in range(30)], "x": np.arange(30.0)})
    b = a.assign(who=[f"p\u00a0 {i}" for i in range(30)])
    found = compare(a, b, within="who", **FEW)
    assert (found.subjects.both, found.unmatched) == (30, (0, 0))


@pytest.mark.parametrize("name", ["Who", " who", "who\u200b", "WHO "])
def test_columns_are_found_by_names_that_are_alike(name):
    table = pd.DataFrame({"who": ["a", "b"] * 20, "x": np.arange(40.0), "z": np.arange(40.0) % 3})
    assert compare(table, by=name, **FEW).names == ("a", "b")
    assert compare(table, table, within=name, **FEW).subjects.both == 2
    assert read_table(table, [" X"], target=name).names == ("x",)
    assert [each.name for each in read_tables([table, table], ["X "], target=name)[0].quantities] == ["x"]
    assert compare(table, table, columns=["X", name], **FEW).columns[0].name == "x"
    assert compare(table, table.assign(x=table.x + 1), given="Z ", columns=["x"], n_resamples=19, rng=0).given == ("z",)
    assert compare(table, table, columns=["who"], order={name: ["b", "a"]}, **FEW).columns[0].ordered


def test_groups_are_found_by_words_that_are_alike():
    table = pd.DataFrame({"who": ["Arm A", "arm b"] * 20, "x": np.arange(40.0)})
    assert compare(table, by="who", reference="ARM B", **FEW).names == ("arm b", "Arm A")
    assert compare(table, by="who", groups=["arm b", "arm a"], **FEW).names == ("arm b", "Arm A")


@pytest.mark.thorough
def test_a_name_that_is_nearly_one_is_named():
    with pytest.raises(Refusal, match=naming("'cost €'")):
        read_table(pd.DataFrame({"cost €": [1.0, 2.0]}), ["Cost€"])
    with pytest.raises(Refusal, match=naming("'cost €'", "'Cost€'")):
        read_tables([frame("Ulm", "cost €"), frame("Ulm", "Cost€")])
    with pytest.raises(Refusal, match=naming("'height'")):
        compare(frame("a", "height"), by="heigth", **FEW)
    found = compare(frame("Ulm", "cost €"), frame("Ulm", "Cost€"), **FEW)
    assert names_all(found.left_out["cost €"], "same", "'Cost€' of b")
    assert names_all(found.left_out["Cost€"], "same", "'cost €' of a")


@pytest.mark.parametrize(("name", "other"), [("x1", "x2"), ("a", "b"), ("t1", "t 2"), ("temp 1", "temp 2")])
def test_names_that_differ_in_digits_are_not_probably_one(name, other):
    assert closest_name(name, [other]) == ""


def test_one_of_two_names_that_are_alike_is_not_chosen():
    assert match_name("Height", ["height", "HEIGHT "]) is None
    assert match_name("height", ["height", "HEIGHT "]) == "height"


def test_what_is_not_seen_is_written_out():
    assert quote_visible("a\u200bb") == r"'a\u200bb'"
    assert quote_visible(" a  b") == r"'\x20a \x20b'"
    assert quote_visible("Köln") == "'Köln'"
