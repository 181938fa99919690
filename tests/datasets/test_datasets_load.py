"""The papers' data sets: shapes, hashes, and values computed in a second way."""

import csv
import os
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from helpers.naming import naming

from explorer.datasets import REGISTRY, DataSet, load
from explorer.datasets.named_sets import openml
from explorer.datasets.named_sets.bundled import BUNDLED

FOLDER = os.environ.get("EXPLORER_DATA")
needs_folder = pytest.mark.skipif(not FOLDER, reason="EXPLORER_DATA names no folder of data sets")
FROM_FILES = sorted(entry.name for entry in REGISTRY.values() if entry.vectors and entry.name not in BUNDLED)


@pytest.fixture(autouse=True)
def no_network(monkeypatch, tmp_path):
    """Use an empty cache and no OpenML server: these sets come from the folder or not at all."""
    monkeypatch.setenv("EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(openml, "SITE", "http://127.0.0.1:1")


def rows_of(name):
    """Return the file's header and cells, read by the csv module alone."""
    with open(Path(FOLDER) / f"{name}.csv", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, rows


@pytest.mark.thorough(
    default=["abalone", "flag", "glass", "housing", "lymphography", "primary", "satimage", "svmguide2", "vehicle"]
)
@needs_folder
@pytest.mark.parametrize("name", FROM_FILES)
def test_each_file_loads_with_its_known_shape_and_cells(name):
    data, entry = load(name, missing="drop"), REGISTRY[name]
    header, rows = rows_of(name)
    assert (data.n + data.dropped, data.d) == (entry.n, entry.d)
    assert data.names == tuple(title for title in header[:-1] if title not in entry.words)
    kept = [row for row in rows if "" not in row]
    expected = [[float(c) for c, t in zip(row, header, strict=True) if t in data.names] for row in kept]
    assert np.array_equal(data.X, np.array(expected))
    assert [str(value) for value in data.target] == [
        str(float(row[-1])) if data.target.dtype.kind == "f" else row[-1] for row in kept
    ]
    assert (data.left_out, data.hash) == (entry.words, entry.sha256)
    assert data.licence
    assert data.source


@needs_folder
@pytest.mark.parametrize("name", sorted(BUNDLED))
def test_bundled_sets_equal_the_files(name):
    data = load(name)
    header, rows = rows_of(name)
    assert data.names == tuple(header[:-1])
    assert np.array_equal(data.X, np.array([row[:-1] for row in rows], dtype=float))
    target = np.array([row[-1] for row in rows])
    assert np.array_equal(data.target, target if name == "wdbc" else target.astype(float))


@pytest.mark.parametrize("name", sorted(BUNDLED))
def test_bundled_sets_need_no_folder(name, monkeypatch):
    monkeypatch.delenv("EXPLORER_DATA", raising=False)
    data = load(name)
    assert data.X.shape == (REGISTRY[name].n, REGISTRY[name].d)
    assert data.X.dtype == np.float64
    assert data.target.shape == (data.n,)
    assert len(data.names) == data.d


def test_eckerle4_has_the_certified_residuals():
    data = load("eckerle4")
    b1, b2, b3 = 1.5543827178, 4.0888321754, 451.54121844  # NIST StRD, certified
    residuals = data.target - b1 / b2 * np.exp(-0.5 * ((data.X[:, 0] - b3) / b2) ** 2)
    assert np.sum(residuals**2) == pytest.approx(1.4635887487e-3, rel=1e-9)


def test_classes_have_their_known_sizes():
    assert np.unique(load("wine").target, return_counts=True)[1].tolist() == [59, 71, 48]
    labels, sizes = np.unique(load("wdbc").target, return_counts=True)
    assert (labels.tolist(), sizes.tolist()) == (["B", "M"], [357, 212])


def test_a_data_set_is_read_only_and_says_what_it_is():
    data = load("wine")
    assert isinstance(data, DataSet)
    assert repr(data) == "<DataSet wine: 178 rows, 13 columns>"
    for array in (data.X, data.target):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert np.array_equal(pickle.loads(pickle.dumps(data)).X, data.X)


@needs_folder
def test_missing_cells_are_refused_or_dropped_when_asked():
    with pytest.raises(ValueError, match=naming("225 cells", "207", "339 rows", "line 2", 'missing="drop"')):
        load("primary")
    data = load("primary", missing="drop")
    assert (data.n, data.dropped, len(data.target)) == (132, 207, 132)


@needs_folder
def test_an_altered_file_is_refused_with_both_hashes(tmp_path, monkeypatch):
    raw = (Path(FOLDER) / "hayes.csv").read_bytes()
    (tmp_path / "hayes.csv").write_bytes(raw.replace(b"1", b"2", 1))
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    with pytest.raises(ValueError, match=naming("SHA-256", f"{REGISTRY['hayes'].sha256[:12]}…")):
        load("hayes")
    shutil.copy(Path(FOLDER) / "hayes.csv", tmp_path)
    assert load("hayes").n == 160


def test_a_missing_folder_or_file_says_what_to_set(tmp_path, monkeypatch):
    monkeypatch.delenv("EXPLORER_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=naming("EXPLORER_DATA", "sonar.csv", "eckerle4, wdbc, wine")):
        load("sonar", download=False)
    with pytest.raises(FileNotFoundError, match=naming("EXPLORER_DATA", "flag.csv")):
        load("flag")  # OpenML has no set that is known to be the same, so the network is not asked
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=naming("sonar.csv", "SHA-256 4f0f1d59c737…")):
        load("sonar", download=False)


def test_a_package_that_brings_other_rows_is_refused(monkeypatch):
    monkeypatch.setitem(BUNDLED, "wine", lambda: (np.ones((3, 13)), np.ones(3), ("a",) * 13))
    with pytest.raises(ValueError, match=naming("wine", "3 rows", "13 columns", "178 and 13")):
        load("wine")


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("Wine", ValueError, ("'Wine'", "Did you mean 'wine'?", "abalone")),
        ("boston", ValueError, ("'boston'", *REGISTRY)),
        (3, TypeError, ("load", "3")),
    ],
    ids=["case", "unknown", "number"],
)
def test_names_that_cannot_be_loaded(name, error, said):
    with pytest.raises(error, match=naming(*said)):
        load(name)


def test_an_unknown_policy_for_missing_cells_is_refused():
    with pytest.raises(ValueError, match=naming("missing", '"refuse"', '"drop"', "'fill'")):
        load("wine", missing="fill")
