"""Pictures of cards as SVG: the lines of a card are run, and the value of the last one is drawn."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from explorer.checks import Refusal
from explorer.markup import Markup, from_library, joined, markup
from explorer.plotting.plot import drawing_of
from explorer.svg import draw_standalone

WIDTH = 420  # width of a picture in px, so that its text is as large as that of the page's remarks in a card


def draw_code(code: str) -> Markup:
    """Run some Python and return the picture of its last line, as `plot` draws it or a notebook shows it."""
    *lines, last = ast.parse(code).body
    if not isinstance(last, ast.Expr):
        raise Refusal("the last line of a card is to be what is drawn, such as plot(result).")
    names: dict[str, Any] = {}
    exec(compile(ast.Module(lines, []), "<card>", "exec"), names)

    def value(expression):
        return eval(compile(ast.Expression(expression), "<card>", "eval"), names)

    call = last.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "plot":
        thing = value(call.args[0])
        options = {each.arg: value(each.value) for each in call.keywords if each.arg}
        return plot_svg(thing, **options)
    return value(call)._repr_html_()


def plot_svg(thing: Any, **options: Any) -> Markup:
    """Return the pictures of `plot(thing, **options)` as SVG."""
    panels = drawing_of(thing, **options).panels
    return joined(draw_standalone(each.picture, each.result, WIDTH) for each in panels)


def highlight(code: str) -> Markup:
    """Return Python in the colours of the site's other code."""
    from pygments import highlight

    inside = from_library(highlight(code, *_highlighting()))
    return markup("<div class='highlight'><pre tabindex='0'>{}</pre></div>", inside)


@cache
def _highlighting():
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return PythonLexer(), HtmlFormatter(nowrap=True)
