"""Sets from OpenML: fetched once, checked before they are kept, the same as those of the folder."""

import hashlib
import os
import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from helpers.naming import naming
from openml_stand_in import arff, cached, made_up

from explorer.datasets import REGISTRY, load
from explorer.datasets.named_sets import cache
from explorer.datasets.named_sets.bundled import BUNDLED

FOLDER = os.environ.get("EXPLORER_DATA")
FETCHED = sorted(entry.name for entry in REGISTRY.values() if entry.openml)


@pytest.mark.thorough(default=["ionosphere", "lymphography", "primary", "sonar"])
@pytest.mark.parametrize("name", FETCHED)
def test_each_set_that_openml_has_is_fetched_once(server, name):
    raw, X = made_up(name)
    path = server.publish(name, raw)
    entry, data = REGISTRY[name], load(name)
    assert np.array_equal(data.X, X)
    assert data.names == tuple(f"column_{j}" for j in range(entry.d))
    assert data.target.tolist()[:4] == ["first word", "second", ">=3", "first word"]
    assert (data.left_out, data.dropped, data.hash) == (entry.words, 0, hashlib.sha256(raw).hexdigest())
    assert data.note.startswith(entry.note)
    assert re.search(naming("columns", "classes", "rows"), data.note.removeprefix(entry.note))
    assert data.source == f"{entry.source}; OpenML data set {entry.openml}"
    assert server.asked == [f"/api/v1/json/data/{entry.openml}", path]
    assert cached() == [f"{name}-{entry.openml}-{hashlib.md5(raw).hexdigest()}.arff"]
    server.asked.clear()
    for again in (load(name), load(name, download=False)):
        assert np.array_equal(again.X, X)
    assert server.asked == []


def as_openml(name, folder):
    """Return a set's file in the folder as the ARFF file that OpenML has of it.

    Names are in capitals, and codes are words.
    """
    entry = REGISTRY[name]
    header, *rows = (line.split(",") for line in (folder / entry.file).read_text().splitlines())
    columns = list(zip(*rows, strict=True))
    kinds = []
    for j, column in enumerate(columns):
        last = j == len(columns) - 1
        if entry.codes and not last:
            top = max(int(cell) for cell in column if cell)
            kinds.append("{" + ",".join(f"w{k}" for k in range(1, top + 1)) + "}")
            columns[j] = [f"w{cell}" if cell else "?" for cell in column]
        elif last or header[j] in entry.words:
            kinds.append("{" + ",".join(sorted(set(column))) + "}")
        else:
            kinds.append("numeric")
    loud = [title.upper().replace("_", "-") for title in header]
    return arff(zip(loud, kinds, strict=True), zip(*columns, strict=True))


@pytest.mark.thorough(default=["abalone", "bodyfat", "segment", "vehicle"])
@pytest.mark.skipif(not FOLDER, reason="EXPLORER_DATA names no folder of data sets")
@pytest.mark.parametrize("name", FETCHED)
def test_both_roads_give_the_same_set(server, monkeypatch, name):
    server.publish(name, as_openml(name, Path(FOLDER)))
    fetched = load(name, missing="drop")
    monkeypatch.setenv("EXPLORER_DATA", FOLDER)
    server.asked.clear()
    kept = load(name, missing="drop")
    assert server.asked == []
    assert fetched.X.tobytes() == kept.X.tobytes()
    assert (fetched.names, fetched.left_out, fetched.dropped) == (kept.names, kept.left_out, kept.dropped)
    assert np.array_equal(fetched.target, kept.target)
    if name == "primary":
        monkeypatch.delenv("EXPLORER_DATA")
        with pytest.raises(ValueError, match=naming("225 cells", "207", "339 rows", "row 0")):
            load(name)


def test_only_sets_without_a_file_of_their_own_are_fetched():
    assert not {entry.name for entry in REGISTRY.values() if entry.openml} & set(BUNDLED)
    assert all(entry.vectors for entry in REGISTRY.values() if entry.openml)


def test_a_folder_that_lacks_the_file_leads_to_the_cache(server, monkeypatch, tmp_path):
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    raw, X = made_up("glass")
    server.publish("glass", raw)
    with pytest.raises(FileNotFoundError, match=naming("glass.csv")):
        load("glass", download=False)
    assert server.asked == []
    assert np.array_equal(load("glass").X, X)
    (tmp_path / "glass.csv").write_bytes(
        b"a,target\n1,2\n"
    )  # a file that is there is read, or refused, and nothing else is
    with pytest.raises(ValueError, match=naming("glass.csv", "SHA-256")):
        load("glass")


@pytest.mark.parametrize(("n", "d", "has"), [(213, 9, ("213 rows", "9 columns")), (214, 8, ("214 rows", "8 columns"))])
def test_another_shape_is_refused_and_not_kept(server, n, d, has):
    server.publish("glass", made_up("glass", n, d)[0])
    with pytest.raises(ValueError, match=naming("OpenML's data set 41", *has, "0 of words", "214, 9 and 0")):
        load("glass")
    assert cached() == []


def test_words_where_numbers_are_known_are_refused(server):
    head, body = made_up("glass")[0].replace(b"{1, 2, 3}", b"{1, 2, 3, none}").split(b"@DATA\n")
    first, _, rest = body.split(b",", 2)
    server.publish("glass", head + b"@DATA\n" + b",".join([first, b"none", rest]))
    with pytest.raises(ValueError, match=naming("214 rows", "8 columns", "1 of words", "214, 9 and 0")):
        load("glass")
    assert cached() == []


def test_another_md5_is_refused_and_not_kept(server):
    raw, _ = made_up("glass")
    server.publish("glass", raw, md5_checksum="0" * 32)
    with pytest.raises(ValueError, match=naming("glass", "MD5", "000000000000…")):
        load("glass")
    assert cached() == []


def test_a_cached_file_that_was_altered_is_refused(server):
    raw, _ = made_up("glass")
    server.publish("glass", raw)
    load("glass")
    (path,) = cache.folder().glob("*.arff")
    path.write_bytes(raw[:-9])
    server.asked.clear()
    with pytest.raises(ValueError, match=r"glass-41-[0-9a-f]{32}\.arff.* delete"):
        load("glass")
    assert server.asked == []
    path.unlink()
    assert load("glass").n == 214


def test_a_cache_that_cannot_be_written_says_so_and_leaves_nothing(server, monkeypatch, tmp_path):
    server.publish("glass", made_up("glass")[0])

    def full(*paths):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match=naming("No space left on device", "EXPLORER_CACHE")):
            load("glass")
    assert cached() == []
    (tmp_path / "taken").write_bytes(b"")
    monkeypatch.setenv("EXPLORER_CACHE", str(tmp_path / "taken" / "cache"))
    with pytest.raises(OSError, match=naming("EXPLORER_CACHE")):
        load("glass")


def test_what_a_killed_download_left_is_removed_and_that_of_a_running_one_stays(server):
    server.publish("glass", made_up("glass")[0])
    folder = cache.folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name, age in (("glass-41abcd.part", 2 * cache.LEFT_SECONDS), ("wine-1.part", 0)):
        (folder / name).write_bytes(b"half")
        os.utime(folder / name, (time.time() - age,) * 2)
    load("glass")
    assert [path.name for path in folder.glob("*.part")] == ["wine-1.part"]


def test_where_the_cache_is(monkeypatch, tmp_path):
    for name in ("EXPLORER_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for system, inside in (("linux", ".cache"), ("darwin", "Library/Caches"), ("win32", "AppData/Local")):
        monkeypatch.setattr(sys, "platform", system)
        assert cache.folder() == tmp_path / inside / "kernel-mean-explorer"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    assert cache.folder() == Path("/var/caches/kernel-mean-explorer")
    monkeypatch.setenv("EXPLORER_CACHE", "~/mine")
    assert cache.folder() == Path("~/mine").expanduser()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "no sound ARFF file"),
        (b"@relation r\n@attribute a string\n@data\nu\n", "no sound ARFF file"),
        (b"@relation r\n@attribute a {u}\n@data\nv\n", "no sound ARFF file"),
        (b"@relation r\n@attribute a real\n@data\n", "1 column and 0 rows"),
        (b"@relation r\n@attribute a-b real\n@attribute 'A b' real\n@data\n1,2\n", "2 columns named 'a_b'"),
    ],
)
def test_files_that_are_no_table_in_arff(server, raw, said):
    server.publish("glass", raw)
    with pytest.raises(ValueError, match=f"OpenML's data set 41 .*{said}"):
        load("glass")
    assert cached() == []
