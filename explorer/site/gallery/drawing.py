"""Pictures of cards as SVG: the lines of a card are run, and the value of the last one is drawn."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from explorer.checks import Refusal
from explorer.marks.roles import FONT, INK
from explorer.markup import Markup, from_library, joined, markup
from explorer.plotting.plot import drawing_of
from explorer.site.documents import write_file
from explorer.svg import draw_standalone
from explorer.svg.colours import ALONE

WIDTH = 420  # width of a picture in px, so that its text is as large as that of the page's remarks in a card
PICTURES = "pictures"  # folder of the drawings, below the gallery's
SVG = re.compile(r"<svg\b|</svg>")
LEAST = 100  # width in px of the narrowest drawing that becomes a file
LARGER = 12 / 11  # the size of letters in plots, relative to that in a notebook's pictures
# a notebook's pictures have the colour and the letters of the text around them, which an image cannot see
NOTEBOOK = (
    f"<style>svg{{color:{INK[0]};font-family:{FONT}}}"
    f"@media screen and (prefers-color-scheme:dark){{svg{{color:{INK[1]}}}}}</style>"
)
NAMESPACE = "{http://www.w3.org/2000/svg}"


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


def in_files(picture: Markup, folder: Path, name: str) -> Markup:
    """Write the drawings of a picture as files, and return the picture with images in their places.

    A browser loads an image when it comes near the window, and then shows it in the theme of the page: the files
    prefer the colour scheme of the page that embeds them.

    Parameters
    ----------
    picture : Markup
        HTML with any number of drawings.
    folder : Path
        The folder of the page's finished files; the drawings are in its folder "pictures".
    name : str
        The first part of the names of the files.

    Returns
    -------
    Markup
        The HTML.
    """
    parts, end, count = [], 0, 0
    for first, last in _drawings(picture):
        svg = str(picture)[first:last]
        root = ElementTree.fromstring(svg)
        if float(root.attrib["width"]) < LEAST:
            continue  # a sign in a text
        count += 1
        file = f"{name}-{count}.svg" if count > 1 else f"{name}.svg"
        is_plot = root.get("class") == ALONE
        write_file(folder / PICTURES, file, svg if is_plot else svg.replace(">", f">{NOTEBOOK}", 1))
        parts += [picture[end:first], _image(f"{PICTURES}/{file}", root, 1 if is_plot else LARGER)]
        end = last
    return from_library("".join([*map(str, parts), picture[end:]]))


def _drawings(html):
    """Yield the places of the outermost <svg> elements of HTML, as (first, last)."""
    depth = first = 0
    for tag in SVG.finditer(html):
        is_end = tag[0].startswith("</")
        depth += -1 if is_end else 1
        if is_end and depth == 0:
            yield first, tag.end()
        elif not is_end and depth == 1:
            first = tag.start()


def _image(file, root, larger):
    """Return the image of a drawing, with its size and its description."""
    told = root.findtext(f"{NAMESPACE}desc") or root.get("aria-label") or root.findtext(f"{NAMESPACE}title") or ""
    width, height = root.attrib["width"], root.attrib["height"]
    return markup(
        "<img src='{}' alt='{}' width='{}' height='{}' loading='lazy' style='--share: {:.4g}'>",
        file, told, width, height, larger * float(width) / WIDTH,
    )  # fmt: skip


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
