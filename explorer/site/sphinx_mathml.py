"""Formulas of the site's documents as MathML, which browsers render without a script, and screen readers can read.

docutils reads the LaTeX: it comes with Sphinx, knows the commands of amsmath, and refuses those that it does not know.
The package latex2mathml shows unknown commands as text, and has no aligned equations. MathJax would need a script of
some megabytes on every host. The labs' pages, which have no docutils, use `workbench.formulas` instead: it colours
parts of a formula like their curves.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml, unichar2tex
from sphinx.util import logging

from explorer.markup import from_library, markup

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from explorer.markup import Markup

XMLNS = ' xmlns="http://www.w3.org/1998/Math/MathML"'  # HTML does not need it
# docutils reads letters such as "λ", but of other signs, such as "≤", only the commands
SIGNS = {sign: f"{tex} " for sign, tex in unichar2tex.uni2tex_table.items() if sign > 127 and not chr(sign).isalpha()}
ACCENTS = "ˆ^~ˉ_˙¨→ˇ˘´`"  # the signs of `\hat`, `\widehat`, `\tilde`, `\bar`, `\overline`, `\dot`, `\vec` and others


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
    tex = tex.translate(SIGNS).replace(r"\operatorname*", r"\operatorname")
    text = re.sub(r">\n\s*<", "><", latex2mathml.tex2mathml(tex, as_block=display)).replace(XMLNS, "")
    math = ElementTree.fromstring(re.sub(r"&(?!lt|gt|amp)\w+;", lambda entity: html.unescape(entity[0]), text))
    _subscript_accents(math)
    return from_library(ElementTree.tostring(math, encoding="unicode"))


def _subscript_accents(math):
    r"""Set the subscripts of letters with accents at their side, in place.

    docutils sets the λ of \hat\mu_\lambda below the μ, because it takes the accent for a limit.
    """
    for node in list(math.iter("munderover")):
        letter, below, above = node
        if above.tag == "mo" and above.text and above.text in ACCENTS:
            accented = ElementTree.Element("mover", accent="true")
            accented.extend([letter, above])
            node.tag, node[:] = "msub", [accented, below]


def _visit_inline(writer, node):
    _write(writer, _read(node))


def _visit_display(writer, node):
    # a keyboard can scroll a formula that is wider than a phone
    _write(writer, markup("<div class='equation' tabindex='0'>{}</div>", _read(node, display=True)))


def _read(node, display=False):
    """Return a formula as MathML. One that cannot be read is shown as it is written, and Sphinx warns of it."""
    try:
        return mathml(node.astext(), display)
    except MathError as error:
        logging.getLogger(__name__).warning("the formula %r: %s", node.astext(), error, location=node)
        return markup("<code>{}</code>", node.astext())


def _write(writer, html):
    writer.body.append(str(html))
    raise nodes.SkipNode
