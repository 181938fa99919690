"""Formulas of the site's documents as MathML, which browsers render without a script, and screen readers can read.

docutils reads the LaTeX: it comes with Sphinx, knows the commands of amsmath, and refuses those that it does not know.
MathJax would need a script of some megabytes on every host. The labs' pages, which have no docutils, use
`workbench.formulas` instead: it colours parts of a formula like their curves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml, unichar2tex
from sphinx.util import logging

from explorer.markup import from_library, markup

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from explorer.markup import Markup

# signs such as "≤", for which docutils' reader takes the command alone; letters such as "λ" it takes
SIGNS = {sign: f"{tex} " for sign, tex in unichar2tex.uni2tex_table.items() if sign > 127 and not chr(sign).isalpha()}


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer of formulas with Sphinx."""
    app.add_html_math_renderer("mathml", (_visit_inline, None), (_visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mathml(tex: str, display: bool = False) -> Markup:
    """Convert LaTeX to a <math> element.

    Parameters
    ----------
    tex : str
        The formula. Signs of Unicode stand for their commands.
    display : bool, default False
        Whether the formula is on a line of its own.

    Returns
    -------
    Markup
        The element.

    Raises
    ------
    docutils.utils.math.MathError
        If the formula has an unknown command, or is not complete.
    """
    return from_library(latex2mathml.tex2mathml(tex.translate(SIGNS), as_block=display))


def _visit_inline(writer, node):
    _write(writer, node, markup("{}"), False)


def _visit_display(writer, node):
    # a keyboard can scroll a formula that is wider than a phone
    _write(writer, node, markup("<div class='equation' tabindex='0'>{}</div>"), True)


def _write(writer, node, template, display):
    """Write a formula; one that cannot be read is shown as it is written, with a warning that names its place."""
    try:
        math = mathml(node.astext(), display)
    except MathError as error:
        logging.getLogger(__name__).warning("the formula %r: %s", node.astext(), error, location=node)
        math = markup("<code>{}</code>", node.astext())
    writer.body.append(str(template.format(math)))
    raise nodes.SkipNode
