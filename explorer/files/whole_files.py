"""Atomic writing of files: a file is written whole or not at all. Every other module writes through this one.

A file is first written next to its final path, under a name that begins with a dot and ends in .part, and then replaces
it in one step. So a full disk, an interruption or an error leaves the old file unchanged. Parts left by a killed
process are removed by the next write of the same file. Each part is locked while its process runs, so that no part of a
running process is removed.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, NamedTuple

from explorer.checks import Refusal, WrongType
from explorer.printing import echo

try:
    import fcntl
except ImportError:  # Windows has no fcntl
    fcntl = None

DESCRIPTOR = re.compile(r"/(?:dev|proc/(?P<process>\d+))/fd/(?P<number>\d+)", re.ASCII)
HOPS = 40  # most symbolic links in a row, as in Linux
STEM = 60  # most bytes of a file's name in the name of its part; a name may have 255 bytes
BUFFER = 2**24  # Most bytes in memory on their way into a device; more go through a temporary file.
# errors if the folder takes no new file, or the file cannot be replaced
BESIDE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV}
LOCK = ".lock"  # file in a temporary folder, locked while its process runs
# errors of file systems that cannot reserve space
NO_RESERVE = {errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS, errno.ENODEV}
WHY = {
    errno.ENOENT: "its folder does not exist; make it first",
    errno.EACCES: "you lack the permission; give a path that you may write to",
    errno.EPERM: "you lack the permission; give a path that you may write to",
    errno.EROFS: "its disk can only be read; give a path on another one",
    errno.ENOSPC: "the disk is full; make room, or give a path on another one",
    errno.EDQUOT: "your quota on the disk is used up; make room, or give a path on another one",
    errno.EFBIG: "no file may be so large here; give a path on another disk",
    errno.ENAMETOOLONG: "its name is too long; give a shorter one",
    errno.ELOOP: "its symbolic links lead back to themselves; give another path",
    errno.EBADF: "it is not open for writing; give the name of a file",
}


class _Place(NamedTuple):
    """Destination of a path: the file behind its symbolic links, its status, or a descriptor of this process."""

    name: str
    target: str
    found: os.stat_result | None
    descriptor: int | None

    @property
    def is_stream(self) -> bool:
        """True if bytes are passed on, as by a pipe, a terminal or /dev/null; a stream is never replaced."""
        return self.descriptor is not None or (self.found is not None and not stat.S_ISREG(self.found.st_mode))


def writable(path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]] = ()) -> Path:
    """Return a path that a file can be written to; nothing is written yet.

    Parameters
    ----------
    path : str or path
        The path of the file. Special files, such as /dev/null or a named pipe, are allowed.
    inputs : iterable of path
        The files that are read. None of them may be overwritten, also not under another name.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    Refusal
        If the folder does not exist, the path is that of a folder or of an input, or the permission is missing.

    Examples
    --------
    >>> from explorer.files.whole_files import writable
    >>> writable("no/such/folder/report.html")
    Traceback (most recent call last):
      ...
    explorer.checks.Refusal: the folder no/such/folder does not exist; make it first.
    """
    place = _place_of(path)
    if place.is_stream:
        return Path(path)
    folder = os.path.dirname(place.target)
    allowed = os.access(folder, os.W_OK | os.X_OK) if place.found is None else os.access(place.target, os.W_OK)
    if not allowed:
        raise Refusal(f"{place.name} cannot be written: {WHY[errno.EACCES]}.")
    if place.found is not None:
        for each in inputs:
            if is_same_file(place.target, each):
                other = _quoted(os.fspath(each))
                same = "" if other == place.name else f", as {other}"
                raise Refusal(f"{place.name} is one of the files that are read{same}; give the output another name.")
    _remove_left(place.target)
    return Path(path)


def is_same_file(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> bool:
    """Return whether two paths lead to the same existing file, also through symbolic or hard links.

    Parameters
    ----------
    first, second : str or path
        The paths.

    Returns
    -------
    bool
        Whether they lead to the same file.
    """
    try:
        return os.path.samefile(first, second)
    except (OSError, ValueError):  # a path does not exist or is not valid
        return False


def is_standard_output(path: str | os.PathLike[str]) -> bool:
    """Return whether a path, such as /dev/stdout, is the standard output of this process.

    Parameters
    ----------
    path : str or path
        The path.

    Returns
    -------
    bool
        Whether it is standard output.
    """
    return _descriptor_of(os.fspath(path)) == 1


def write(path: str | os.PathLike[str], contents: str | bytes) -> Path:
    """Write a file whole or not at all, and return its path.

    Symbolic links stay, and the file that they lead to is replaced. It keeps its mode, and its owner if the user may
    change owners; a new file has the mode that the umask leaves. Bytes are passed to devices and pipes unchanged.

    Parameters
    ----------
    path : str or path
        The path of the file.
    contents : str or bytes
        The contents; a text is written in UTF-8.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    Refusal
        If it cannot be written, with the name of the file, the reason and what to do.

    Examples
    --------
    >>> import tempfile
    >>> from explorer.files.whole_files import write
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(f"{folder}/notes.txt", "all of it").read_text()
    'all of it'
    """
    with written(path) as file:
        file.write(contents.encode() if isinstance(contents, str) else contents)
    return Path(path)


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield an open file that takes its place at the path when the block ends, and disappears if the block raises.

    See `write`. The block should do nothing else, because system errors in it are reported as errors of this file.

    Parameters
    ----------
    path : str or path
        The path of the file.

    Yields
    ------
    file object
        A binary file, open for writing.

    Raises
    ------
    Refusal
        If it cannot be written.
    """
    place = _place_of(path)
    try:
        with _signals_raise():
            if place.is_stream:
                with tempfile.SpooledTemporaryFile(BUFFER) as file:
                    yield file
                    _pass_on(file, place)
            else:
                yield from _beside(place)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _refusal(place.name, error) from error


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder and its parent folders unless they exist, and return its path.

    Parameters
    ----------
    path : str or path
        The path of the folder.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    Refusal
        If it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        raise Refusal(f"{_quoted(os.fspath(path))} is a file; give the name of a folder.") from None
    except (OSError, ValueError) as error:
        raise _refusal(_quoted(os.fspath(path)), error) from error
    return Path(path)


@contextmanager
def replaced_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder whose contents replace those of `folder` when the block ends.

    The new folder lies in `folder`, which is made if necessary and stays the same folder, so that it may be a mount
    point or the current folder of a shell. If the block raises, the contents of `folder` are unchanged.

    Parameters
    ----------
    folder : Path
        The folder.

    Yields
    ------
    Path
        The empty folder.

    Raises
    ------
    Refusal
        If the folder cannot be written.
    """
    new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        remove_parts_of_folder(folder)
        with tempfile.TemporaryDirectory(prefix=".", suffix=".part", dir=folder) as place:
            lock = _locked_folder(place)
            try:
                inside, old = Path(place, "new"), Path(place, "old")
                inside.mkdir()
                old.mkdir()
                yield inside
                _exchange(folder, inside, old, Path(place).name)
            finally:
                if lock is not None:
                    os.close(lock)
    except BaseException as error:
        if new:
            with suppress(OSError):  # another program has put files into it
                folder.rmdir()
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise _refusal(_quoted(str(folder)), error) from error
        raise


def remove_parts_of_folder(folder: Path) -> None:
    """Remove what killed processes have left in a folder that `replaced_folder` writes.

    Parameters
    ----------
    folder : Path
        The folder.
    """
    for place in folder.glob(".*.part"):
        if place.is_dir() and not place.is_symlink():
            remove_left_folder(place)


def temporary_folder(prefix: str) -> tuple[Path, int | None]:
    """Make a temporary folder with a lock, and remove the folders of killed processes.

    The lock is held as long as this process, or one that was forked from it, runs; the folders of killed processes are
    not locked.

    Parameters
    ----------
    prefix : str
        The beginning of the folders' names.

    Returns
    -------
    (Path, int or None)
        The folder, and the descriptor of its lock or None if the system has no locks.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        if (left / LOCK).is_file() and left.is_dir() and not left.is_symlink():
            remove_left_folder(left)
    place = tempfile.mkdtemp(prefix=prefix)
    return Path(place), _locked_folder(place)


def _locked_folder(place):
    """Return the descriptor that holds the lock of a new folder, or None if the system has no such locks."""
    file = os.open(os.path.join(place, LOCK), os.O_CREAT | os.O_RDWR, 0o600)
    if _lock(file):
        return file
    os.close(file)
    return None


def remove_left_folder(place: Path) -> None:
    """Remove a temporary folder of this user that no process has locked."""
    if _remove_unlocked(os.path.join(place, LOCK)):
        shutil.rmtree(place, ignore_errors=True)


def _exchange(folder, inside, old, but):
    """Move the contents of a folder into `old`, and those of `inside` into the folder; undo all moves if one fails."""
    moved: list[tuple[Path, Path]] = []
    try:
        for source, goal in ((folder, old), (inside, folder)):
            for each in [each for each in source.iterdir() if each.name != but]:
                each.rename(goal / each.name)
                moved.append((goal / each.name, each))
    except BaseException:
        for now, before in reversed(moved):
            now.rename(before)
        raise


def _place_of(path) -> _Place:
    """Return the destination of a path; refuse paths at which no file can be."""
    if not isinstance(path, (str, os.PathLike)):
        raise WrongType(f"path must be the name of a file, such as 'report.html', not {echo(path)}.")
    word = os.fsdecode(os.fspath(path))
    name = _quoted(word)
    if not word:
        raise Refusal("the name of the file is empty; give one, such as report.html.")
    if word.endswith(tuple(filter(None, (os.sep, os.altsep)))):
        raise Refusal(f"{name} is the name of a folder; give the name of a file.")
    if "\0" in word:
        raise Refusal(f"{echo(word)} has a zero byte, which no name of a file may have; leave it out.")
    try:
        descriptor = _descriptor_of(word)
        if descriptor is not None:
            return _Place(name, word, os.fstat(descriptor), descriptor)
        target = os.path.realpath(word)
        try:
            found = os.stat(target)
        except (FileNotFoundError, NotADirectoryError):
            found = None
    except (OSError, UnicodeError) as error:
        raise _refusal(name, error) from error
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise Refusal(f"{name} is a folder; give the name of a file.")
    if found is None:
        _refuse_missing_folder(word, target)
    elif stat.S_ISBLK(found.st_mode) or stat.S_ISSOCK(found.st_mode):
        what = "a disk" if stat.S_ISBLK(found.st_mode) else "a socket"
        raise Refusal(f"{name} is {what}, and no file; give the name of a file.")
    return _Place(name, target, found, None)


def _refuse_missing_folder(word, target):
    """Refuse a new file whose folder does not exist."""
    folder = os.path.dirname(word) or "."
    if os.path.isdir(os.path.dirname(target)):
        return
    if word.startswith("~") and not os.path.lexists(folder):
        raise Refusal(
            f"the folder {_quoted(folder)} does not exist, as ~ is not read as your home folder here; give"
            f" {_quoted(os.path.expanduser(word))}, in a folder that exists."
        )
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise Refusal(f"{_quoted(folder)} is a file and no folder; give a path in a folder.")
    if os.path.islink(word):
        folder = os.path.dirname(target)
    raise Refusal(f"the folder {_quoted(folder)} does not exist; make it first.")


def _descriptor_of(word):
    """Return the number of this process's descriptor that a path such as /dev/stdout or /dev/fd/3 names, or None."""
    if os.name != "posix":
        return None
    for _ in range(HOPS):
        folder, name = os.path.split(os.path.abspath(word))
        place = os.path.join(os.path.realpath(folder), name)
        if (found := DESCRIPTOR.fullmatch(place)) and found["process"] in (None, str(os.getpid())):
            return int(found["number"])
        if not os.path.islink(place):
            return None
        word = os.path.join(os.path.dirname(place), os.readlink(place))
    return None


def _pass_on(file, place):
    """Copy all bytes of a file to a device, a pipe or a descriptor."""
    file.seek(0)
    if place.descriptor is None:
        number = os.open(place.target, os.O_WRONLY)
    else:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # earlier output is written first
        number = os.dup(place.descriptor)
    with os.fdopen(number, "wb") as goal:
        shutil.copyfileobj(file, goal)


def _beside(place):
    """Yield a part of the file, which replaces the file at the end."""
    _remove_left(place.target)
    try:
        part, file = _part_of(place)
    except OSError as error:
        if error.errno not in BESIDE or place.found is None:
            raise
        with tempfile.TemporaryFile() as file:  # the folder accepts no new file
            yield file
            _overwrite(place.target, file)
        return
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if place.found is not None:
                _keep_mode(file.fileno(), place.found)
            if os.name == "nt":
                file.close()  # Windows cannot move an open file
            try:
                os.replace(part, place.target)
            except OSError as error:
                if error.errno not in BESIDE or place.found is None or file.closed:
                    raise
                _overwrite(place.target, file)
                os.unlink(part)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
    with suppress(OSError):  # some systems cannot sync folders
        folder = os.open(os.path.dirname(place.target), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _part_of(place) -> tuple[str, IO[bytes]]:
    """Return (path, file) of a new part, which is open and locked."""
    while True:
        part = os.path.join(os.path.dirname(place.target), f"{_beginning(place.target)}{token_hex(8)}.part")
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        number = os.open(part, flags, 0o666 if place.found is None else 0o600)
        _lock(number)
        if os.name == "nt" or os.fstat(number).st_nlink:  # otherwise it was removed before it was locked
            return part, os.fdopen(number, "w+b")
        os.close(number)


def _beginning(target):
    """Return the beginning of the names of a file's parts."""
    name = os.fsencode(os.path.basename(target))
    stem = name[:STEM].decode("utf-8", "ignore")
    return f".{stem}.{sha256(name).hexdigest()[:12]}."


def _remove_left(target):
    """Remove the parts of a file that killed processes of this user have left."""
    beginning = _beginning(target)
    own = re.compile(re.escape(beginning) + r"[0-9a-f]{16}\.part", re.ASCII)
    with suppress(OSError), os.scandir(os.path.dirname(target)) as entries:
        for entry in entries:
            if own.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                _remove_unlocked(entry.path)


def _remove_unlocked(path) -> bool:
    """Remove a file of this user that no process has locked, and return whether it was removed."""
    with suppress(OSError):  # the file is gone, belongs to another user, or is in use
        if hasattr(os, "getuid") and os.lstat(path).st_uid != os.getuid():
            return False
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            if os.name != "nt" and _lock(file):
                os.unlink(path)
                return True
        finally:
            os.close(file)
        if os.name == "nt":
            os.unlink(path)
            return True
    return False


def _lock(file) -> bool:
    """Lock an open file until it is closed; False if another process has locked it, or the file system has no locks.

    Windows needs no lock, because an open file cannot be removed there.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _keep_mode(file, found):
    """Give a new file the mode of the file that it replaces and, as far as the user may, its owner."""
    if hasattr(os, "fchown"):
        own = os.fstat(file)
        if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
            try:
                os.fchown(file, found.st_uid, found.st_gid)
            except OSError:
                with suppress(OSError):
                    os.fchown(file, -1, found.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(file, stat.S_IMODE(found.st_mode))


def _overwrite(target, file):
    """Overwrite a file that cannot be replaced, after reserving space for all of the contents."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    number = os.open(target, os.O_WRONLY | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "wb") as goal:
        before = os.fstat(number).st_size
        if size > before and hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(number, 0, size)
            except OSError as error:
                os.ftruncate(number, before)
                if error.errno not in NO_RESERVE:
                    raise
        shutil.copyfileobj(file, goal)
        goal.flush()
        os.ftruncate(number, size)
        os.fsync(number)


@contextmanager
def _signals_raise():
    """Turn signals that would end the process at once into an exception, so that the part is removed first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def end(number: int, frame: Any) -> None:
        came.append(number)
        raise SystemExit(128 + number)

    names = ("SIGTERM", "SIGHUP")
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
    usual = [each for each in signals if signal.getsignal(each) is signal.SIG_DFL]
    try:
        for each in usual:
            signal.signal(each, end)
        yield
    finally:
        for each in usual:
            signal.signal(each, signal.SIG_DFL)
        if came:
            os.kill(os.getpid(), came[0])  # end as the signal would have without this handler


def _refusal(name, error):
    """Return the Refusal of a system error."""
    reason = (
        WHY.get(getattr(error, "errno", None) or 0) or f"{getattr(error, 'strerror', None) or error}; give another path"
    )
    return Refusal(f"{name} cannot be written: {reason}.")


def _quoted(word):
    """Return a path for a sentence: unchanged, or quoted and cut if it is long or has unprintable characters."""
    return word if word.isprintable() and len(word) <= 300 else echo(word)
