"""The labs, one folder each. The variable EXPLORER_LABS names more folders with labs, separated as in PATH."""

import os

from explorer.checks import Refusal
from explorer.printing import echo
from explorer.workbench import registry
from explorer.workbench.study import LabStudy as LabStudy

__path__ += [folder for folder in os.environ.get("EXPLORER_LABS", "").split(os.pathsep) if folder]


def add_folder(folder: str | os.PathLike[str]) -> None:
    """Make the labs in a folder available in this process, as EXPLORER_LABS does at its start.

    This is for notebooks, which run before their lab is written. A lab that has already been imported is not reloaded.

    Parameters
    ----------
    folder : path_like
        The folder that holds the labs' folders.

    Raises
    ------
    Refusal
        If `folder` is not a folder.
    """
    folder = os.fspath(folder)
    if not os.path.isdir(folder):
        raise Refusal("{} is no folder; give the one that holds the folders of your labs.", echo(folder))
    if folder not in __path__:
        __path__.append(folder)
    registry.entries.cache_clear()
