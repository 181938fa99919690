"""Packages that the distribution `kernel-mean-explorer-core` leaves out: an error that names what to install.

That distribution has what the mathematics, tables and their commands need, but not what pages, plots and sweeps need.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.checks import Refusal

ALL = "'kernel-mean-explorer-core[all]'"
PARTS = {  # what needs the packages -> their modules, and what installs them
    "pages, plots and labs": (
        "panel panel_material_ui pyviz_comms holoviews bokeh PIL contourpy markdown_it mdit_py_plugins segno babel",
        ALL,
    ),
    "sweeps": ("xarray loky", ALL),
    "completions in a shell": ("argcomplete", "argcomplete"),
    "learners and data sets of scikit-learn": ("sklearn", "scikit-learn"),
    "tables in other encodings": ("chardet", "chardet"),
}
NEEDED = {module: (part, source) for part, (modules, source) in PARTS.items() for module in modules.split()}


class MissingPackage(Refusal, ModuleNotFoundError):
    """Refusal of what needs a package that is not installed; also a ModuleNotFoundError.

    Parameters
    ----------
    sentence : str, default ""
        The message, in English.
    *values : object
        The values of its placeholders.
    """


@contextmanager
def naming_what_to_install() -> Iterator[None]:
    """Say what needs a missing package and what installs it, if the block cannot import one of those left out.

    Yields
    ------
    None
        Nothing.

    Raises
    ------
    MissingPackage
        If the block needs such a package.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if isinstance(error, MissingPackage) or module not in NEEDED:
            raise
        part, source = NEEDED[module]
        raise MissingPackage(
            f"{module} is not installed, and {part} need it; type python -m pip install {source}."
        ) from error
