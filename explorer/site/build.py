"""Build of the site: each section writes its documents, and Sphinx makes pages of them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import as_completed
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.files.whole_files import remove_parts_of_folder, replaced_folder
from explorer.sweeps.executors import local_processes

# sections that are written in one process each, the slowest first; then the labs, which distribute their files over
# processes, and the sections that link to others
APART = ("essays", "widgets", "gallery", "reference", "lessons", "verdicts", "errata")
LAST = ("labs", "guide", "home")
PROCESSES = 2
LEFT_OVER = (".buildinfo", "_static/pygments.css")  # files of Sphinx that no page needs
MARK = ".kernel-mean-explorer-site"  # a file in every folder that this command has written and may replace


class Site(NamedTuple):
    """A site that was built.

    Attributes
    ----------
    folder : Path
        The folder of the site.
    pages : int
        The number of its pages.
    size : int
        The size of its files in bytes.
    seconds : dict of str to float
        The time that each section took.
    """

    folder: Path
    pages: int
    size: int
    seconds: dict[str, float]


def build(folder: Path, fast: bool = False, say: Callable[[str], None] = print) -> Site:
    """Write the site into a folder.

    Parameters
    ----------
    folder : Path
        A folder that does not exist, is empty, or holds a site that this function has written.
    fast : bool, default False
        Leave out the parts that take long.
    say : callable, default print
        Called with a line of text when a section is written.

    Returns
    -------
    Site
        The folder with its number of pages, size and times.

    Raises
    ------
    Refusal
        If Sphinx is not installed, or the folder has files that are not a site's.
    """
    _refuse_others(folder)
    from .theme import application

    application()  # if it is missing, the refusal comes before minutes of work

    seconds = {}
    with tempfile.TemporaryDirectory() as source, replaced_folder(folder) as out:
        for name, taken in _steps(Path(source), out, fast):
            seconds[name] = taken
            say(f"{name:10} {taken:6.1f} s")
        for name in LEFT_OVER:
            out.joinpath(name).unlink(missing_ok=True)
        for name in (MARK, ".nojekyll"):  # a host that knows Jekyll would leave out `_static`
            out.joinpath(name).touch()
    files = [path for path in folder.rglob("*") if path.is_file()]
    pages = sum(path.suffix == ".html" for path in files)
    return Site(folder, pages, sum(path.stat().st_size for path in files), seconds)


def _steps(source, out, fast):
    """Yield (name, seconds) for each section when it is written, and for its pages."""
    from . import search
    from .theme import pages_of

    pool = local_processes(PROCESSES)
    for done in as_completed([pool.submit(_write, name, source, fast) for name in APART]):
        yield done.result()
    for name in LAST:
        yield _write(name, source, fast)
    yield _timed("pages", pages_of, source, out)
    yield _timed("search", search.write, out)


def _write(name, source, fast):
    """Write the documents of a section and return (its name, the seconds that it took)."""
    return _timed(name, import_module(f"explorer.site.{name}").write, source, fast)


def _timed(name, work, *given):
    """Return (name, the seconds that some work took)."""
    begun = time.monotonic()
    work(*given)
    return name, time.monotonic() - begun


def _refuse_others(folder):
    if folder.is_dir():
        remove_parts_of_folder(folder)
    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file; give the name of a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise Refusal(
            f"{folder} has files that are not a site of this command and would be replaced; name another folder."
        )
    if not folder.resolve().parent.is_dir():
        raise Refusal(f"there is no folder {folder.resolve().parent} to write {folder.name} into.")
