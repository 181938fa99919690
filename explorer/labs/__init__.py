"""The labs, one folder each; folders that the variable EXPLORER_LABS names, as PATH does, hold further ones."""

import os

from explorer.checks import Refusal
from explorer.printing import echo
from explorer.workbench import registry
from explorer.workbench.study import LabStudy as LabStudy

__path__ += [folder for folder in os.environ.get("EXPLORER_LABS", "").split(os.pathsep) if folder]


def add_folder(folder: str | os.PathLike[str]) -> None:
    """Find the labs of a folder in this process too, as a process does that starts with EXPLORER_LABS.

    For notebooks, which run before their lab is written. A lab that has been imported already stays as it was.
    """
    folder = os.fspath(folder)
    if not os.path.isdir(folder):
        raise Refusal(f"{echo(folder)} is no folder; give the one that holds the folders of your labs.")
    if folder not in __path__:
        __path__.append(folder)
    registry.entries.cache_clear()
