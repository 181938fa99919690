"""The user's kernels and estimators: modules in the folders that the variable EXPLORER_MODELS names, as PATH does.

A class with a `label` in one of them is listed in the menus of the labs, and copied Python imports it from this
package, as `from explorer.models.trimmed import TrimmedKME`. The folders are named when the server starts; no link can
name them.
"""

import os

from explorer.checks import Refusal
from explorer.printing import echo
from explorer.workbench import menu_models

__path__ += [folder for folder in os.environ.get(menu_models.VARIABLE, "").split(os.pathsep) if folder]


def add_folder(folder: str | os.PathLike[str]) -> None:
    r"""Add the models of a folder to the menus of this process too, as if it had started with EXPLORER_MODELS.

    This is for notebooks, which run before their model is written, and for the processes that they start. Pages that
    are open keep their menus, and a module that has been imported already stays unchanged.

    Parameters
    ----------
    folder : path-like
        The folder.

    Raises
    ------
    Refusal
        If it is not a folder.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from explorer.models import add_folder
    >>> folder = Path(tempfile.mkdtemp())
    >>> size = Path(folder, "halves.py").write_text("half = 0.5\n")
    >>> add_folder(folder)
    >>> from explorer.models.halves import half
    >>> half
    0.5
    """
    folder = os.fspath(folder)
    if not os.path.isdir(folder):
        raise Refusal(f"{echo(folder)} is no folder; give the one that holds the modules of your models.")
    if folder not in __path__:
        __path__.append(folder)
        os.environ[menu_models.VARIABLE] = os.pathsep.join(
            filter(None, (os.environ.get(menu_models.VARIABLE, ""), folder))
        )
    menu_models.renew()
