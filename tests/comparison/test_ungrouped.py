"""Rows that name no group are counted, reported, and never a group."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from explorer import compare
from explorer.__main__ import main
from explorer.comparison import compare_groups

FEW = {"n_resamples": 19, "rng": 0}


def table(gap, count=12):
    """Return 24 rows of groups a and b, with some rows in between whose group is missing."""
    rng = np.random.default_rng(0)
    arms = np.array(["a", "b"] * 12 + [gap] * count, dtype=object)[rng.permutation(24 + count)]
    return pd.DataFrame({"x": rng.normal(size=len(arms)), "arm": arms})


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT, "", "  ", "nan", "n/a", "<NA>", "?"], ids=repr)
def test_gaps_of_a_column_of_groups_are_counted(gap):
    found = compare(table(gap), by="arm", **FEW)
    assert (found.ungrouped, found.names, found.n + found.m) == (12, ("a", "b"), 24)
    assert found.to_dict()["ungrouped"] == 12
    assert "12 rows without a group" in found.headline
    assert "12 rows without a group" in found.to_html()


@pytest.mark.parametrize("kind", ["Int64", "string", "category", "float"])
def test_gaps_of_every_kind_of_column_are_counted(kind):
    frame = table(None).assign(arm=lambda each: each["arm"].map({"a": 1, "b": 2}))
    whole = frame["arm"].astype("float" if kind == "float" else "Int64")
    frame["arm"] = whole if kind in ("float", "Int64") else whole.astype("string").astype(kind)
    found = compare(frame, by="arm", **FEW)
    assert (found.ungrouped, found.n, found.m) == (12, 12, 12)


def test_no_gaps_are_no_words():
    found = compare(table("a", 0), by="arm", **FEW)
    assert found.ungrouped == 0
    assert "without a group" not in str(found)


def test_several_groups_say_it_too():
    found = compare(table("c", 12).pipe(lambda each: pd.concat([each, table(None)])), by="arm", **FEW)
    assert len(found.batches) == 2
    assert found.ungrouped == 12
    assert "12 rows without a group" in found.headline


def test_given_columns_say_it_too():
    frame = table(None, 12).assign(z=np.arange(36.0) % 7)
    found = compare(frame, by="arm", given="z", n_resamples=19, rng=0)
    assert found.ungrouped == 12
    assert "12 rows without a group" in found.headline


def test_chosen_groups_leave_out_other_groups_without_calling_them_missing():
    frame = pd.concat([table(None), table("c")])
    assert compare(frame, by="arm", groups=["a", "b"], **FEW).ungrouped == 12


def test_each_two_groups_say_it():
    found = compare_groups(table(None), by="arm", **FEW)
    assert (found.ungrouped, found.groups) == (12, ("a", "b"))
    assert found.to_dict()["ungrouped"] == 12
    assert "12 rows without a group" in found.verdict
    assert "12 rows without a group" in found.to_html()


def test_rows_without_a_date_are_of_no_period():
    days = pd.Series(pd.date_range("2026-01-01", periods=60, freq="D")).where(np.arange(60) % 10 != 0)
    found = compare(pd.DataFrame({"day": days, "x": np.random.default_rng(0).normal(size=60)}), by="month", **FEW)
    assert found.ungrouped == 6


def test_the_command_says_it(tmp_path, capsys):
    path = tmp_path / "arms.csv"
    table(None).to_csv(path, index=False)
    main(["test", str(path), "--by", "arm", "--permutations", "19", "--json"])
    assert json.loads(capsys.readouterr().out)["ungrouped"] == 12
    main(["report", str(path), "--by", "arm", "--permutations", "19", "-o", str(tmp_path / "r.html")])
    assert "12 rows without a group" in capsys.readouterr().out


def test_a_pipe_of_bytes_says_it():
    raw = io.BytesIO(table(None).to_csv(index=False).encode())
    assert compare(raw, by="arm", **FEW).ungrouped == 12
