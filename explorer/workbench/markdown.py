"""Markdown as HTML, with formulas as MathML and with HTML escaped."""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from mdit_py_plugins.dollarmath import dollarmath_plugin

from explorer.markup import markup

from .tex_to_mathml import equation, formula


def markdown(renderer: type[RendererHTML] = RendererHTML) -> MarkdownIt:
    """Return a reader of Markdown that escapes HTML and writes formulas as MathML.

    Parameters
    ----------
    renderer : type, default RendererHTML
        The renderer, with a method for each kind of token.

    Returns
    -------
    MarkdownIt
        The reader.
    """
    made = MarkdownIt("commonmark", {"html": False}, renderer_cls=renderer).enable("table")
    made.use(dollarmath_plugin, renderer=_displayed)
    made.add_render_rule("math_inline", lambda _, tokens, i, *more: str(formula(tokens[i].content.strip())))
    return made


def _displayed(content: str, options: dict[str, Any]) -> str:
    """Return a displayed formula for the Markdown plugin. It scrolls, also by the keyboard."""
    return str(markup("<div class='wide' tabindex='0'>{}</div>", equation(content.strip())))
