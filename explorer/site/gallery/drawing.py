"""Pictures of cards as SVG: the lines of a card are run, and the value of the last one is drawn."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from explorer.changes import Monitor, ScanResult
from explorer.checks import Refusal
from explorer.comparison import Comparison
from explorer.comparison.pictures import plot_data
from explorer.discrepancy import TestResult
from explorer.marks.changes import OneScan, scan_profile, wealth_path
from explorer.marks.nulls import OneTest, null_of_test
from explorer.markup import Markup, from_library, joined, markup
from explorer.plotting import plot
from explorer.plotting.comparison import KINDS
from explorer.svg import draw_standalone

from .overlaid import picture_of

LEVEL = 0.05


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
    """Return the plot of `plot(thing, **options)` as SVG, from the marks of the picture if it is made of marks."""
    if isinstance(thing, ScanResult):  # it is the result of a test too, so it is looked at first
        return draw_standalone(scan_profile, OneScan(thing, options.get("level", LEVEL)))
    if isinstance(thing, TestResult):
        return draw_standalone(null_of_test, OneTest.of(thing, **options))
    if isinstance(thing, Monitor):
        return draw_standalone(wealth_path, thing)
    if isinstance(thing, Comparison):
        columns = {each.name: each for each in thing.columns}
        pictures = (columns[name] for name in options.get("columns", list(columns)[:1]))
        return joined(draw_standalone(KINDS[each.kind], plot_data(thing, each)) for each in pictures)
    return draw_standalone(picture_of(plot(thing, **options)), None)


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
