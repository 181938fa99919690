"""Columns of numbers with attached text are read in chunks with the same result, wherever the text first occurs."""

import numpy as np
import pytest

from explorer import Gaussian, compare
from explorer.datasets.files import text_chunks
from explorer.sketches import files as large
from explorer.sketches.streaming_test import streamed_test

N = 120


def values(seed, odd, plain, at):
    """Return plain cells, and other cells from a row on."""
    cells = [plain(k) for k in range(N)]
    for k in np.random.default_rng(seed).choice(np.arange(at, N), len(odd) * 3, replace=False):
        cells[k] = odd[k % len(odd)]
    return cells


def number(k):
    return f"{(37 * k) % 101}.25"


def clock(k):
    return f"{(7 * k) % 11}:{(13 * k) % 60:02d}"


KINDS = {  # the odd cells of a and of b, what the others are, the name of the column in b
    "not detected": (["ND"], ["ND", "n.d."], number, "x"),
    "a flag, first at every value": (["0.05 J"], ["0.05 J", "0.5 U"], number, "x"),
    "limits": (["<1.5"], ["<6"], number, "x"),
    "upper limits": ([">80"], ["> 60"], number, "x"),
    "stray words": (["unknown"], ["see note", "unknown"], number, "x"),
    "too many words": (["a", "b"], ["c", "d"], number, "x"),
    "clocks": (["12:05"], ["9:30"], clock, "x"),
    "clocks beside longer ones": (["12:05"], ["1:00:00"], clock, "x"),
    "clocks and words": (["unknown"], ["9:30"], clock, "x"),
    "two currencies": (["0.5"], ["$5.25", "\u20ac6.25"], number, "x"),
    "percent": (["0.25 %"], ["5.25"], lambda k: f"{number(k)} %", "x"),
    "signs": (["-999", "999"], ["-9999"], number, "x"),
    "other names": (["0.5"], ["ND"], number, " X ray"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_large_files_are_read_as_small_ones(tmp_path, monkeypatch, kind):
    odd, other, plain, name = KINDS[kind]
    tables = ("x ray" if name != "x" else "x", odd, 0), (name, other, 70)
    files = []
    for k, (title, cells, at) in enumerate(tables):
        rows = values(k, cells, plain, at)
        files.append(tmp_path / f"{'ab'[k]}.csv")
        files[-1].write_text("\n".join([f"{title},zn", *(f"{row},{i % 9}.5" for i, row in enumerate(rows))]), "utf-8")
    whole = compare(*files, n_resamples=9, rng=0)
    monkeypatch.setattr(large, "MEGABYTES", 0)
    monkeypatch.setattr(text_chunks, "BLOCK", 300)
    monkeypatch.setattr(text_chunks, "HEAD", 200)
    pieces = compare(*files, n_resamples=9, rng=0)
    assert pieces.left_out == whole.left_out
    assert pieces.noted == whole.noted
    assert pieces.dropped == whole.dropped
    assert [(each.name, each.unit, each.medians) for each in pieces.columns] == [
        (each.name, each.unit, each.medians and pytest.approx(each.medians)) for each in whole.columns
    ]
    for one, other in zip(pieces.samples.tables.columns, whole.samples.tables.columns, strict=True):
        assert (one.lowest, one.highest, one.factors, one.odd) == (
            other.lowest,
            other.highest,
            other.factors,
            other.odd,
        )


def test_a_streamed_test_is_of_the_same_numbers(tmp_path):
    """Shares of 1 and percent are the same rows, whose unbiased MMD² is not above 0."""
    shares = np.random.default_rng(0).beta(4, 6, 300).round(3)
    for name, cells in (("a", [f"{100 * x:.1f}%" for x in shares]), ("b", shares.tolist())):
        (tmp_path / f"{name}.csv").write_text("\n".join(["share,k", *(f"{c},{i % 7}.5" for i, c in enumerate(cells))]))
    found = streamed_test([str(tmp_path / f"{name}.csv") for name in "ab"], Gaussian(), n_resamples=19, rng=0)
    np.testing.assert_allclose(found.samples[0], found.samples[1], rtol=1e-12)
    assert found.result.statistic <= found.result.tolerance + found.result.error


@pytest.mark.parametrize("shift", [["08:00", "16:00", "23:30"], ["1", "2", "3", "4", "5", "unknown"]])
def test_groups_are_named_as_they_are_written(tmp_path, monkeypatch, shift):
    rng = np.random.default_rng(0)
    rows = [f"{shift[k % len(shift)]},{rng.normal():.3f}" for k in range(N)]
    (tmp_path / "a.csv").write_text("\n".join(["shift,x", *rows]))
    whole = compare(tmp_path / "a.csv", by="shift", n_resamples=9, rng=0)
    assert [whole.names[0], *(batch.names[1] for batch in whole.batches)] == shift
    monkeypatch.setattr(large, "MEGABYTES", 0)
    monkeypatch.setattr(text_chunks, "BLOCK", 300)
    pieces = compare(tmp_path / "a.csv", by="shift", n_resamples=9, rng=0)
    assert [(batch.names, batch.n, batch.m) for batch in pieces.batches] == [
        (batch.names, batch.n, batch.m) for batch in whole.batches
    ]
