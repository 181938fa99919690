"""Uploads that several processes of a server share: they are complete, and all are removed."""

from hashlib import sha256

from explorer.files.whole_files import LOCK, temporary_folder
from explorer.pages.serving.uploads import UploadStore

RAW = b"u\n1\n2\n"
DIGEST = sha256(RAW).hexdigest()


def shared(folder, process):
    held = UploadStore()
    held.join_workers(folder, process)
    return held


def written(held):
    """Wait until a process has written its uploads."""
    held._writer.submit(int).result()


def test_another_process_finds_a_file_whole_and_the_last_one_removes_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder, _ = temporary_folder("explorer-")
    first, second = shared(folder, 0), shared(folder, 1)
    first.add("page", "key", {DIGEST: ("a.csv", RAW)})
    written(first)
    assert second.get("key", DIGEST) == ("a.csv", RAW)
    assert second.get("another", DIGEST) is None
    assert [path.name for path in folder.rglob("*") if path.is_file() and path.name != LOCK] == [DIGEST]
    second.close()
    assert folder.exists()
    first.close()
    assert not folder.exists()


def test_what_a_killed_process_left_is_removed_as_its_successor_starts(tmp_path):
    (tmp_path / "0-told-1").mkdir()
    (tmp_path / "0-told-1" / f".{DIGEST}.part").write_bytes(b"half")
    (tmp_path / "1-told-1").mkdir()
    shared(tmp_path, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["1-told-1"]


def test_a_disk_without_room_is_no_error(tmp_path, monkeypatch):
    def full(*given):
        raise OSError(28, "No space left on device")

    held = shared(tmp_path, 0)
    monkeypatch.setattr("os.fsync", full)
    held.add("page", "key", {DIGEST: ("a.csv", RAW)})
    written(held)
    assert held.get("key", DIGEST) == ("a.csv", RAW)
    assert shared(tmp_path, 1).get("key", DIGEST) is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
