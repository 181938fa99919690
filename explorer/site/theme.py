"""Theme of the site and settings of Sphinx, which builds it.

The pages have light and dark colours, fit narrow screens, and can be searched without a server.
"""

from __future__ import annotations

import io
import re
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT
from explorer.public_names.help_text import VERSION
from explorer.svg.colours import ALONE

from .documents import FINISHED, write_file
from .frame import TITLE, bar_script

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
PAINTS = {**ROLES, "ink": INK, "soft": SOFT, "line": LINE, "surface": ("#F1F1EC", "#1F2428")}
LETTERS = {"letters": FONT, "mono": "ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace"}
BARE = "html:not([data-theme])"  # the reader has chosen no theme, so the page has the screen's
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path { stroke: %s }
@media (prefers-color-scheme: dark) { path { stroke: %s } }</style>
<path d="M2 27C9 27 10 7 16 7S23 27 30 27" fill="none" stroke-width="4" stroke-linecap="round"/></svg>
"""
DOCSTRING = re.compile(r":docstring of [\w.]+:|:<autosummary>:")  # how a warning names a docstring
SETTINGS = {
    "project": TITLE,
    "copyright": "the authors, BSD-3-Clause",
    "extensions": ["myst_parser", "explorer.site.sphinx_mathml", "explorer.site.frame"],
    "html_theme": "templates",
    "html_theme_path": [str(HERE)],
    "html_title": TITLE,
    "html_static_path": [str(HERE / "static")],
    "html_additional_pages": {"search": "search.html"},
    "html_copy_source": False,
    "html_domain_indices": False,  # the packages are on the reference's first page
    "html_extra_path": [FINISHED],
    "html_math_renderer": "mathml",
    "html_permalinks_icon": "#",
    "exclude_patterns": [FINISHED],
    "myst_enable_extensions": ["dollarmath", "deflist", "attrs_inline", "fieldlist"],
    "myst_heading_anchors": 3,
    "suppress_warnings": ["myst.header", "app"],  # "app": a second build in a process registers the same nodes again
    "nitpicky": False,
}


def application() -> type[Sphinx]:
    """Return Sphinx's application class.

    Raises
    ------
    Refusal
        If Sphinx or a package that the site needs is not installed.
    """
    try:
        import myst_parser  # noqa: F401
        import numpydoc  # noqa: F401
        from sphinx.application import Sphinx
    except ImportError as error:
        raise Refusal(
            'the site is made by Sphinx, which is not installed; run: python -m pip install ".[site]"'
        ) from error
    return Sphinx


def pages_of(source: Path, out: Path) -> list[str]:
    """Make pages of a folder's documents.

    Parameters
    ----------
    source : Path
        The folder of the documents.
    out : Path
        The folder of the pages.

    Returns
    -------
    list of str
        Warnings about the docstrings that the reference shows; `tests/reference_docstrings.py` lists them by package.

    Raises
    ------
    Refusal
        If Sphinx or an extension is not installed.
    RuntimeError
        If Sphinx warns of a document.
    """
    sphinx = application()
    from sphinx.builders.html import StandaloneHTMLBuilder

    from .reference import sphinx_hooks  # imports docutils, so it is not imported before Sphinx is known to be there

    warnings = io.StringIO()
    static = source / "_colours"
    write_file(static, "colours.css", colours())
    write_file(static, "icon.svg", ICON % ROLES["first"])
    write_file(static, "bar.js", bar_script())
    settings = SETTINGS | deepcopy(sphinx_hooks.SETTINGS)  # Sphinx changes its settings in place
    settings |= {
        "version": VERSION,
        "extensions": [*SETTINGS["extensions"], *sphinx_hooks.SETTINGS["extensions"]],
        "html_static_path": [*SETTINGS["html_static_path"], str(static)],
        "exclude_patterns": [*SETTINGS["exclude_patterns"], static.name],
    }
    (source / FINISHED).mkdir(exist_ok=True)
    doctrees = str(out.parent / "doctrees")
    app = sphinx(str(source), None, str(out), doctrees, "html", settings, status=None, warning=warnings, parallel=2)
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.search = False  # `search.py` writes a smaller index
    app.build(force_all=True)
    lines = re.sub(r"\x1b\[[\d;]*m", "", warnings.getvalue()).splitlines()  # a terminal's colours
    of_docstrings = [line for line in lines if DOCSTRING.search(line)]
    if others := [line for line in lines if line.strip() and line not in of_docstrings]:
        raise RuntimeError("Sphinx warns of the site's documents:\n" + "\n".join(others))
    return of_docstrings


def colours() -> str:
    """Return the style sheet that gives a page the colours and fonts of the labs.

    The colours are light or dark as the reader or the screen has chosen; printed pages are light.
    """
    chosen = _sheet("html[data-theme]", False), f"@media screen {{ {_sheet('html[data-theme=dark]', True)} }}"
    unasked = _sheet(BARE, False), f"@media screen and (prefers-color-scheme: dark) {{ {_sheet(BARE, True)} }}"
    letters = " ".join(f"--{name}: {font};" for name, font in LETTERS.items())
    return "\n".join([*unasked, *chosen, f":root {{ {letters} }}"]) + "\n"


def _sheet(html, dark):
    """Return the colours of a page, and of the pictures on it, which would follow the screen alone."""
    roles = " ".join(f"--{name}: {pair[dark]};" for name, pair in PAINTS.items())
    scheme = "dark" if dark else "light"
    return f"{html} {{ color-scheme: {scheme}; }} {html}, {html} .{ALONE} {{ {roles} }}"
