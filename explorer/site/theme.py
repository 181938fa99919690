"""The look of the site, and Sphinx, which makes its pages: light, dark, narrow, and searched without a server."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.help_text import VERSION
from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT
from explorer.svg.colours import ALONE
from explorer.workbench.formulas import equation, formula

from .documents import FINISHED, written

if TYPE_CHECKING:
    from sphinx.application import Sphinx

TITLE = "Kernel Mean Explorer"
HERE = Path(__file__).parent
GROUND = ROLES["ground"]
# the theme's colours, on light and on dark ground
COLOURS = {
    "background": GROUND, "on-background": GROUND, "surface": ("#F1F1EC", "#1F2428"), "on-surface": INK,
    "text-base": INK, "text-muted": SOFT, "border": LINE, "primary": ROLES["first"], "link": ROLES["first"],
    "heading": INK, "link-hover": INK, "inline-code": INK, "inline-code-links": ROLES["first"],
}  # fmt: skip
PAINTS = {**ROLES, "ink": INK, "soft": SOFT, "line": LINE}
BARE = "html:not([data-theme])"  # where no script has said which theme it is
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path { stroke: %s }
@media (prefers-color-scheme: dark) { path { stroke: %s } }</style>
<path d="M2 27C9 27 10 7 16 7S23 27 30 27" fill="none" stroke-width="4" stroke-linecap="round"/></svg>
"""
SETTINGS = {
    "project": TITLE,
    "copyright": "the authors, BSD-3-Clause",
    "extensions": ["myst_parser", __name__],
    "html_theme": "pydata_sphinx_theme",
    "html_title": TITLE,
    "html_favicon": "_colours/icon.svg",
    "templates_path": [str(HERE / "templates")],
    "html_static_path": [str(HERE / "static")],
    "html_css_files": ["colours.css", "site.css"],
    "html_show_sourcelink": False,
    "html_show_sphinx": False,
    "html_extra_path": [FINISHED],
    "html_math_renderer": "mathml",
    "exclude_patterns": [FINISHED],
    "myst_enable_extensions": ["dollarmath", "deflist", "attrs_inline", "fieldlist"],
    "myst_heading_anchors": 3,
    "suppress_warnings": ["myst.header"],
    "nitpicky": False,
    "html_theme_options": {
        "navbar_align": "left",
        "header_links_before_dropdown": 8,
        "navbar_end": ["theme-switcher"],
        "footer_start": ["copyright"],
        "footer_end": [],
        "show_prev_next": False,
        "collapse_navigation": True,  # of the reference's hundreds of pages each would list all
        "search_bar_text": "Search the site",
        "secondary_sidebar_items": ["page-toc"],
        "surface_warnings": False,
        "back_to_top_button": False,
    },
}


def application() -> type[Sphinx]:
    """What makes the pages. Refusal where Sphinx, or what it needs here, is missing."""
    try:
        import myst_parser  # noqa: F401
        import pydata_sphinx_theme  # noqa: F401
        from sphinx.application import Sphinx
    except ImportError as error:
        raise Refusal(
            'the site is made by Sphinx, which is not installed; run: python -m pip install ".[site]"'
        ) from error
    return Sphinx


def pages_of(source: Path, out: Path) -> None:
    """Make pages of a folder's documents. Refusal where Sphinx is missing; Sphinx's warnings are errors."""
    said = io.StringIO()
    static = source / "_colours"
    written(static, "colours.css", colours())
    written(static, "icon.svg", ICON % ROLES["first"])
    settings = SETTINGS | {
        "version": VERSION,
        "html_static_path": [*SETTINGS["html_static_path"], str(static)],
        "exclude_patterns": [*SETTINGS["exclude_patterns"], static.name],
    }
    (source / FINISHED).mkdir(exist_ok=True)
    app = application()(
        str(source),
        None,
        str(out),
        str(out.parent / "doctrees"),
        "html",
        settings,
        status=None,
        warning=said,
        parallel=2,
    )
    app.build(force_all=True)
    if said.getvalue().strip():
        raise RuntimeError(f"Sphinx warns of the site's documents:\n{said.getvalue()}")


def colours() -> str:
    """The sheet that gives the theme the colours and letters of the labs, as the reader or the screen has chosen.

    Paper is light, whatever they have chosen.
    """
    chosen = _sheet("html[data-theme]", False), f"@media screen {{ {_sheet('html[data-theme=dark]', True)} }}"
    unasked = _sheet(BARE, False), f"@media screen and (prefers-color-scheme: dark) {{ {_sheet(BARE, True)} }}"
    letters = f":root {{ --pst-font-family-base: {FONT}; --pst-font-family-heading: {FONT}; }}"
    return "\n".join([*unasked, *chosen, letters]) + "\n"


def _sheet(html, dark):
    """The colours of a page, and of the pictures on it, which by themselves know only what the screen asks for."""
    theme = " ".join(f"--pst-color-{name}: {pair[dark]};" for name, pair in COLOURS.items())
    roles = " ".join(f"--{name}: {pair[dark]};" for name, pair in PAINTS.items())
    return f"{html} {{ {theme} }} {html}, {html} .{ALONE} {{ {roles} }}"


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx asks of an extension: formulas are MathML, which browsers set without a script."""
    app.add_html_math_renderer("mathml", (_within, None), (_alone, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _within(writer, node):
    _set(writer, formula(node.astext()))


def _alone(writer, node):
    _set(writer, equation(node.astext()))


def _set(writer, math):
    from docutils.nodes import SkipNode

    writer.body.append(str(math))
    raise SkipNode
