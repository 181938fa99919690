"""Files are written whole or not at all, whatever happens during the writing."""

import errno
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from helpers.naming import naming

from explorer.checks import Refusal, WrongType
from explorer.files import whole_files
from explorer.files.whole_files import (
    LOCK,
    is_standard_output,
    make_folder,
    replaced_folder,
    temporary_folder,
    writable,
    write,
    written,
)

ROOT = Path(__file__).parents[1]
IS_ROOT = os.geteuid() == 0
OLD, NEW = b"what was there", b"what is new\r\n\x00"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(OLD)
    return path


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def in_python(code, *arguments, **more):
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT, stderr=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True, **more)  # fmt: skip


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path, mask):
    before = os.umask(mask)
    try:
        write(tmp_path / "new", NEW)
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == 0o666 & ~mask
    assert (tmp_path / "new").read_bytes() == NEW
    assert os.listdir(tmp_path) == ["new"]


@pytest.mark.parametrize("bits", [0o600, 0o644, 0o755, 0o604])
def test_a_file_keeps_its_mode(file, bits):
    file.chmod(bits)
    write(file, NEW)
    assert (mode(file), file.read_bytes(), os.listdir(file.parent)) == (bits, NEW, [file.name])


@pytest.mark.skipif(not IS_ROOT, reason="only root gives files away")
def test_a_file_keeps_its_owner(file):
    os.chown(file, 1234, 2345)
    file.chmod(0o640)
    write(file, NEW)
    assert (file.stat().st_uid, file.stat().st_gid, mode(file)) == (1234, 2345, 0o640)


def test_a_text_is_utf_8_with_its_own_line_ends(tmp_path):
    write(tmp_path / "a", "λ\n\r\n")
    assert (tmp_path / "a").read_bytes() == "λ\n\r\n".encode()


@pytest.mark.parametrize("relative", [True, False])
def test_links_stay_and_the_file_they_lead_to_is_replaced(file, tmp_path, relative):
    link, further, folder = tmp_path / "link", tmp_path / "further", tmp_path / "folder"
    folder.symlink_to(".")
    link.symlink_to("folder/table.csv" if relative else file)
    further.symlink_to("link")
    write(further, NEW)
    assert link.is_symlink()
    assert further.is_symlink()
    assert file.read_bytes() == NEW


def test_a_link_to_a_file_that_is_not_there_yet_stays(tmp_path):
    (tmp_path / "link").symlink_to("goal")
    write(tmp_path / "link", NEW)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "goal").read_bytes() == NEW


def test_a_device_stays_a_device():
    before = os.stat(os.devnull)
    write(os.devnull, NEW)
    assert os.stat(os.devnull).st_rdev == before.st_rdev
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_pipe_is_written_into(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    writable(pipe)
    write(pipe, NEW)
    reader.join(10)
    assert got == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}"])
def test_a_descriptor_is_written_to_where_it_stands(tmp_path, name):
    with (tmp_path / "log").open("wb") as log:
        log.write(b"before ")
        log.flush()
        write(name.format(log.fileno()), "between ")
        log.write(b"after")
    assert (tmp_path / "log").read_bytes() == b"before between after"
    assert os.listdir(tmp_path) == ["log"]


def test_standard_output_has_many_names(tmp_path):
    (tmp_path / "out").symlink_to("/dev/stdout")
    assert all(map(is_standard_output, ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", str(tmp_path / "out"))))
    assert not any(map(is_standard_output, ("/dev/stderr", "stdout", "-", "", "/dev/null")))


class Full(Exception):
    pass


@pytest.mark.parametrize("raised", [Full, KeyboardInterrupt, SystemExit, MemoryError])
@pytest.mark.parametrize("name", ["table.csv", "new"])
def test_what_is_interrupted_leaves_nothing(file, name, raised):
    def interrupted():
        with written(file.parent / name) as part:
            part.write(NEW)
            raise raised

    with pytest.raises(raised):
        interrupted()
    assert os.listdir(file.parent) == ["table.csv"]
    assert file.read_bytes() == OLD


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_what_fails_at_the_end_leaves_nothing(file, monkeypatch, call, code):
    def fails(*given):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fails)
    with pytest.raises(Refusal) as caught:
        write(file, NEW)
    assert file.name in str(caught.value)
    monkeypatch.undo()
    assert os.listdir(file.parent) == ["table.csv"]
    assert file.read_bytes() == OLD


def test_a_limit_of_the_size_of_files_leaves_what_was_there(file):
    code = """if True:
        import resource, sys
        from explorer.files.whole_files import write
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # once all is loaded: compiled modules are files too
        sys.dont_write_bytecode = True
        write(sys.argv[1], bytes(10**6))
    """
    done = in_python(code, file)
    _, err = done.communicate()
    assert done.returncode == 1
    assert "Refusal" in err
    assert file.name in err
    assert (file.read_bytes(), os.listdir(file.parent)) == (OLD, [file.name])


@pytest.mark.thorough
@pytest.mark.skipif(not IS_ROOT, reason="only root mounts a disk")
def test_a_full_disk_leaves_what_was_there(tmp_path):
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(tmp_path)], capture_output=True
    ).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        path = tmp_path / "table.csv"
        path.write_bytes(OLD)
        with pytest.raises(Refusal, match="full"):
            write(path, bytes(10**6))
        assert (path.read_bytes(), os.listdir(tmp_path)) == (OLD, ["table.csv"])
        write(path, NEW)
        assert path.read_bytes() == NEW
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


WAITS = """
import sys, time
from explorer.files.whole_files import written
with written(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("begun", flush=True)
    time.sleep(60)
"""


def parts(folder):
    return [name for name in os.listdir(folder) if name.endswith(".part")]


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_process_and_its_part(file, number):
    done = in_python(WAITS, file)
    assert done.stdout.readline() == "begun\n"
    assert len(parts(file.parent)) == 1
    done.send_signal(number)
    done.communicate(timeout=20)
    assert done.returncode in (-number, 1 if number == signal.SIGINT else -number)
    assert (file.read_bytes(), os.listdir(file.parent)) == (OLD, [file.name])


@pytest.mark.thorough
def test_the_part_of_a_killed_process_is_removed_by_the_next_and_that_of_a_running_one_stays(file):
    killed, running = in_python(WAITS, file), in_python(WAITS, file)
    for each in (killed, running):
        assert each.stdout.readline() == "begun\n"
    left = set(parts(file.parent))
    killed.kill()
    killed.communicate()
    assert set(parts(file.parent)) == left
    writable(file)
    assert len(parts(file.parent)) == 1
    write(file, NEW)
    assert len(parts(file.parent)) == 1
    running.kill()
    running.communicate()
    write(file, NEW)
    assert os.listdir(file.parent) == [file.name]


def test_parts_of_other_files_and_of_other_programs_stay(file):
    others = [".table.csv.part", "table.csv.part", ".table.csv.0123456789ab.0123456789abcdef.part", ".other.part"]
    for name in others:
        (file.parent / name).write_bytes(b"")
    write(file, NEW)
    assert sorted(os.listdir(file.parent)) == sorted([*others, file.name])


def test_the_name_of_a_part_is_never_too_long(tmp_path):
    for name in ("x" * 255, "λ" * 127, "."):
        if name != ".":
            assert write(tmp_path / name, NEW).read_bytes() == NEW
    with pytest.raises(Refusal, match="too long"):
        writable(tmp_path / ("x" * 256))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("no/such/report.html", Refusal),
        ("~/no/such/report.html", Refusal),
        ("", Refusal),
        ("a\0b", Refusal),
        (".", Refusal),
        ("new/", Refusal),
        ("table.csv/report.html", Refusal),
        ("table.csv/", Refusal),
        ("x" * 5000, Refusal),
        ("loop", Refusal),
        ("socket", Refusal),
        ("nowhere", Refusal),
        (3, WrongType),
        (None, WrongType),
    ],
)
@pytest.mark.parametrize("call", [writable, lambda path: write(path, NEW)], ids=["writable", "write"])
def test_what_cannot_be_a_file_is_refused(file, monkeypatch, path, kind, call):
    monkeypatch.chdir(file.parent)
    os.symlink("loop", "loop")
    os.symlink("no/where", "nowhere")
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("socket")
        before = sorted(os.listdir())
        with pytest.raises(kind):
            call(path)
    assert sorted(os.listdir()) == before
    assert file.read_bytes() == OLD


def test_no_input_is_written_over(file, tmp_path):
    spelled = file.parent / ".." / file.parent.name / file.name
    (tmp_path / "soft").symlink_to(file)
    os.link(file, tmp_path / "hard")
    for path in (file, spelled, tmp_path / "soft", tmp_path / "hard"):
        with pytest.raises(Refusal, match=naming("read")):
            writable(path, ["no such file", file])
    assert writable(tmp_path / "other", [file]) == tmp_path / "other"


AS_SOMEBODY = """
import os, sys, tempfile
from explorer.files.whole_files import writable, write
tempfile.gettempdir()
os.setgid(4321)
os.setuid(4321)
writable(sys.argv[1])
write(sys.argv[1], b"new")
"""


@pytest.mark.thorough
@pytest.mark.skipif(not IS_ROOT, reason="root alone becomes somebody else")
def test_a_file_in_a_folder_that_takes_no_other_is_written_over(tmp_path):
    for above in [tmp_path, *tmp_path.parents][:-1]:
        if above.stat().st_uid == 0 and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o055)
    file = tmp_path / "table.csv"
    file.write_bytes(OLD * 100)
    os.chown(file, 4321, 4321)
    before = file.stat().st_ino
    done = in_python(AS_SOMEBODY, file)
    _, err = done.communicate()
    assert done.returncode == 0, err
    assert (file.read_bytes(), file.stat().st_ino) == (b"new", before)
    os.chown(file, 0, 0)
    done = in_python(AS_SOMEBODY, file)
    _, err = done.communicate()
    assert "permission" in err
    assert file.read_bytes() == b"new"


def test_a_file_that_nothing_can_replace_is_written_over_once_there_is_room(file, monkeypatch):
    def busy(*given):
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(os, "replace", busy)
    before = file.stat().st_ino
    write(file, NEW * 1000)
    assert (file.read_bytes(), file.stat().st_ino, os.listdir(file.parent)) == (NEW * 1000, before, [file.name])

    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(Refusal, match="full"):
        write(file, NEW * 2000)
    assert (file.read_bytes(), os.listdir(file.parent)) == (NEW * 1000, [file.name])


def test_a_folder_is_replaced_whole(tmp_path):
    folder = tmp_path / "site"
    with replaced_folder(folder) as inside:
        (inside / "index.html").write_text("one")
        (inside / "more").mkdir()
    assert sorted(os.listdir(folder)) == ["index.html", "more"]
    before = folder.stat().st_ino

    def interrupted():
        with replaced_folder(folder) as inside:
            (inside / "index.html").write_text("two")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert sorted(os.listdir(folder)) == ["index.html", "more"]
    assert (folder / "index.html").read_text() == "one"
    with replaced_folder(folder) as inside:
        (inside / "index.html").write_text("three")
    assert (os.listdir(folder), folder.stat().st_ino) == (["index.html"], before)
    assert (folder / "index.html").read_text() == "three"


def test_a_folder_that_cannot_be_exchanged_is_as_it_was(tmp_path, monkeypatch):
    folder = tmp_path / "site"
    with replaced_folder(folder) as inside:
        for name in "abc":
            (inside / name).write_text("old")
    rename, calls = Path.rename, []

    def fails(self, goal):
        calls.append(goal)
        if len(calls) == 5:
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, goal)

    monkeypatch.setattr(Path, "rename", fails)

    def exchanged():
        with replaced_folder(folder) as inside:
            for name in "abc":
                (inside / name).write_text("new")

    with pytest.raises(Refusal):
        exchanged()
    assert sorted(os.listdir(folder)) == ["a", "b", "c"]
    assert {(folder / name).read_text() for name in "abc"} == {"old"}
    assert len(calls) > 5


def test_a_new_folder_that_fails_is_not_left(tmp_path):
    with pytest.raises(Full), replaced_folder(tmp_path / "site"):
        raise Full
    assert os.listdir(tmp_path) == []
    with pytest.raises(Refusal, match=naming("folder", "no")), replaced_folder(tmp_path / "no" / "site"):
        pass


def test_temporary_folders_of_killed_processes_are_removed_and_those_of_running_ones_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(whole_files.tempfile, "tempdir", str(tmp_path))
    killed, lock = temporary_folder("explorer-")
    running, held = temporary_folder("explorer-")
    (tmp_path / "explorer-other").mkdir()
    (killed / "upload").write_bytes(OLD)
    os.close(lock)
    third, another = temporary_folder("explorer-")
    assert set(os.listdir(tmp_path)) == {"explorer-other", running.name, third.name}
    assert os.listdir(running) == [LOCK]
    assert mode(third) == 0o700
    for each in (held, another):
        os.close(each)


def test_folders_are_made_or_refused(file):
    assert make_folder(file.parent / "a" / "b").is_dir()
    for path in (file, file / "below", "a\0b"):
        with pytest.raises(Refusal):
            make_folder(path)
