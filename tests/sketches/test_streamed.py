"""The test of files that are read in chunks, against that of the same rows in memory."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all, naming

from explorer import Gaussian, mmd2
from explorer.datasets.files import text_chunks
from explorer.sketches import first_pass, streaming_test
from explorer.sketches.files import table_of
from explorer.sketches.streaming_test import streamed_test

K = Gaussian(1.5)


def table(n, seed, shift=0.0):
    rng = np.random.default_rng(seed)
    # numbers with two decimals, which a file keeps to the last bit
    return pd.DataFrame(
        {
            "a": rng.normal(shift, 1, n).round(2),
            "b": rng.normal(size=n).round(2),
            "who": [f"row {i}" for i in range(n)],
        }
    )


@pytest.fixture
def files(tmp_path):
    """Write two CSV files of 900 and 700 rows; the second differs."""
    for name, frame in (("a", table(900, 0)), ("b", table(700, 1, 0.5))):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    return [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]


def test_it_is_the_test_of_all_rows(files):
    result, tables, samples = streamed_test(files, K, n_resamples=99, rng=0)
    X, Y = (pd.read_csv(path)[["a", "b"]].to_numpy() for path in files)
    assert (result.n, result.m, result.pvalue) == (900, 700, 0.01)
    assert abs(result.statistic - mmd2(X, Y, K)) == pytest.approx(result.error, rel=1e-3)  # exact up to 1500 points
    assert result.error < 0.01 * result.statistic
    assert [rows.tolist() for rows in samples] == [X.tolist(), Y.tolist()]
    units, left_out = str(tables).split(";")
    assert names_all(units, "a, b", "own units")
    assert names_all(left_out, "who", "left out", "identifiers", "'row 0'")


@pytest.mark.thorough(default=["50"])
@pytest.mark.parametrize("kept", [50, 400])
def test_pieces_change_nothing(files, monkeypatch, kept):
    """A bandwidth and landmarks are chosen on random rows, which do not depend on the chunks that contain them."""
    monkeypatch.setattr(first_pass, "KEPT", kept)
    monkeypatch.setattr(streaming_test, "KEPT", kept)
    results = []
    for size in (100_000, 700, 90):
        monkeypatch.setattr(text_chunks, "BLOCK", size)
        results.append(streamed_test(files, Gaussian(), n_resamples=49, rng=3).result)
    for each in results[1:]:
        assert (each.kernel, each.approximation, each.error) == (
            results[0].kernel,
            results[0].approximation,
            results[0].error,
        )
        np.testing.assert_allclose(each.null_distribution, results[0].null_distribution, rtol=0, atol=1e-12)
        assert each.statistic == pytest.approx(results[0].statistic, abs=1e-12)


def test_folders_and_parquet_files_are_the_same_rows(files, tmp_path):
    pytest.importorskip("pyarrow")
    first = pd.read_csv(files[0])
    (tmp_path / "days").mkdir()
    first[:300].to_parquet(tmp_path / "days" / "1.parquet", row_group_size=70)
    first[300:].to_csv(tmp_path / "days" / "2.csv", index=False)
    one, many = (
        streamed_test([str(source), files[1]], K, n_resamples=19, rng=0).result
        for source in (files[0], tmp_path / "days")
    )
    assert one.statistic == pytest.approx(many.statistic, abs=1e-12)
    np.testing.assert_allclose(one.null_distribution, many.null_distribution, rtol=0, atol=1e-12)


@pytest.mark.thorough
def test_each_row_is_as_likely_to_be_kept(tmp_path, monkeypatch):
    """Ten of 40 rows are kept, 400 times: each some 100 times, with a standard deviation of 8.7."""
    monkeypatch.setattr(first_pass, "KEPT", 10)
    monkeypatch.setattr(text_chunks, "BLOCK", 30)
    (tmp_path / "a.csv").write_text("x\n" + "\n".join(map(str, range(40))))
    generator = np.random.default_rng(0)
    file, counts = table_of(tmp_path / "a.csv"), np.zeros(40)
    for _ in range(400):
        found = first_pass.SourceSummary([file], "a.csv", ["x"], generator, lambda pieces, about: pieces)
        assert (found.n, len(np.unique(found.X))) == (40, 10)
        counts[found.X[:, 0].astype(int)] += 1
    assert np.abs(counts - 100).max() < 4 * 8.7


def test_scales_two_values_and_gaps(tmp_path, monkeypatch):
    """Columns of very different size get common scales; a column of three values never counts as one of two."""
    monkeypatch.setattr(first_pass, "KEPT", 60)
    monkeypatch.setattr(streaming_test, "KEPT", 60)
    for name, seed in (("a", 0), ("b", 1)):
        frame = table(500, seed).assign(
            c=lambda each: 1000 * each.b**2, flag=np.arange(500) % 2, two=np.arange(500) % 2
        )[["a", "c", "flag", "two"]]
        frame.loc[499, "flag"] = 7
        frame.loc[3, "a"] = np.nan
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    sources = [str(tmp_path / f"{name}.csv") for name in "ab"]
    with pytest.raises(ValueError, match=naming("1", "500", "line 5", "'a'")):
        streamed_test(sources, Gaussian(), n_resamples=19, rng=0)
    result, tables, _ = streamed_test(sources, Gaussian(), missing="drop", n_resamples=19, rng=0)
    assert (result.n, result.m, [each.dropped for each in tables]) == (499, 499, [1, 1])
    assert tables.scale == "common"
    assert tables.levels == {"two": ("0", "1")}
    assert "flag" in tables.scales
    assert 0 < result.pvalue <= 1


def test_identifiers_are_left_out_unless_they_are_named(tmp_path):
    for name, seed in (("a", 0), ("b", 1)):
        table(400, seed).assign(id=np.random.default_rng(seed).permutation(400)).to_csv(tmp_path / f"{name}.csv")
    sources = [str(tmp_path / f"{name}.csv") for name in "ab"]
    _, tables, _ = streamed_test(sources, K, n_resamples=9, rng=0)
    assert tables[0].names == ("a", "b")
    assert re.search(naming("id"), str(tables))
    assert streamed_test(sources, K, ["b", "id"], n_resamples=9, rng=0).tables[0].names == ("b", "id")


def test_of_too_many_words_the_number_is_not_known(files, monkeypatch):
    monkeypatch.setattr(first_pass, "MOST_WORDS", 60)
    monkeypatch.setattr(text_chunks, "BLOCK", 2000)
    _, tables, _ = streamed_test(files, K, n_resamples=9, rng=0)
    assert names_all(str(tables), "who", "left out")
    with pytest.raises(ValueError, match=naming("'who'", "60")):
        streamed_test(files, K, ["a", "who"], n_resamples=9, rng=0)


def test_a_place_names_its_file_if_there_are_several(files, tmp_path):
    (tmp_path / "days").mkdir()
    for name in ("1.csv", "days/1.csv", "days/2.csv"):
        table(30, 2).assign(b=np.inf).to_csv(tmp_path / name, index=False)
    for source, place in (("1.csv", "line 2, column 'b'"), ("days", "line 2 of 1.csv, column 'b'")):
        with pytest.raises(ValueError, match=place):
            streamed_test([str(tmp_path / source), files[0]], K, n_resamples=1, rng=0)


def test_what_is_refused(files, tmp_path):
    Path(tmp_path / "other.csv").write_text("z\n1\n2\n")
    Path(tmp_path / "one.csv").write_text("a,b,who\n1,2,me\n")
    table(900, 2).assign(b=np.inf).to_csv(tmp_path / "far.csv", index=False)
    for sources, columns, facts in (
        (
            [files[0], str(tmp_path / "far.csv")],
            None,
            ("far.csv", "900", "line 2", "'b'"),
        ),
        (
            [files[0], str(tmp_path / "other.csv")],
            None,
            ("a, b, who", "other.csv", "z"),
        ),
        (files, ["a", "q"], ("'q'",)),
        ([files[0], str(tmp_path / "one.csv")], None, ("one.csv", "1", "two")),
        ([files[0], str(tmp_path / "nowhere.csv")], None, ("nowhere.csv",)),
    ):
        with pytest.raises((ValueError, FileNotFoundError), match=naming(*facts)):
            streamed_test(sources, K, columns, n_resamples=19, rng=0)
