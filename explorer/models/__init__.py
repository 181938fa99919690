"""Kernels and estimators of one's own: modules of the folders that the variable EXPLORER_MODELS names, as PATH does.

A class with a `label` in one of them stands in the menus of the labs, and copied Python imports it from here, as
`from explorer.models.trimmed import TrimmedKME`. Whoever starts the server names the folders; no link does.
"""

import os

from explorer.checks import Refusal
from explorer.printing import echo
from explorer.workbench import menu_models

__path__ += [folder for folder in os.environ.get(menu_models.VARIABLE, "").split(os.pathsep) if folder]


def add_folder(folder: str | os.PathLike[str]) -> None:
    """Put the models of a folder into the menus of this process too, as of one that starts with EXPLORER_MODELS.

    For notebooks, which run before their model is written, and for the processes that they start. Pages that are open
    keep their menus, and a module that has been imported already stays as it was.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from explorer.models import add_folder
    >>> folder = Path(tempfile.mkdtemp())
    >>> size = Path(folder, "halves.py").write_text("half = 0.5\\n")
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
