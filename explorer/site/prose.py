"""Prose of the site in Markdown files, which an author edits without Python.

    {name}     the value of that name, which Python computes: a number, text, or HTML, but never Markdown; a line does
               not end before %
    $TeX$      a formula

Formulas and code keep their braces. An error in a file names the file and the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from explorer.markup import Markup, from_library
from explorer.printing import UNBROKEN, echo, format_number, join_list, minus
from explorer.workbench.markdown import markdown
from explorer.workbench.tex_to_mathml import formula

PLACE = re.compile(r"\{([^{}]*)\}")


class ProseHtml(RendererHTML):
    """Renderer of prose: `env["values"]` has the values by name."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return text with the values in the places of their names."""
        parts = PLACE.split(tokens[idx].content)
        return "".join(_as_html(env["values"][part]) if i % 2 else escapeHtml(part) for i, part in enumerate(parts))

    def text_special(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the character of an entity such as &nbsp;, which markdown-it leaves apart in captions."""
        return escapeHtml(tokens[idx].content)


def _as_html(value):
    if isinstance(value, Markup):
        return str(value)
    if isinstance(value, Real):
        value = minus(str(value)) if isinstance(value, Integral) else format_number(float(value))
        return value.replace(" ", UNBROKEN)
    return escapeHtml(str(value).replace(" %", f"{UNBROKEN}%"))


class Prose:
    """A file of Markdown.

    Parameters
    ----------
    path : Path
        The file.

    Attributes
    ----------
    path : Path
        The file.
    blocks : list of list of Token
        Its headings, paragraphs, formulas, lists and tables, each as tokens of markdown-it.

    Raises
    ------
    ValueError
        If a formula cannot be read.
    """

    markdown: ClassVar[MarkdownIt] = markdown(ProseHtml)

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text(encoding="utf-8")
        self.lines = text.split("\n")
        self.blocks = list(_blocks(self.markdown.parse(text)))
        for block in self.blocks:
            for token in inside(block):
                if token.type.startswith("math_"):
                    self._check_formula(block, token.content.strip())

    def _check_formula(self, block, tex):
        try:
            formula(tex)
        except ValueError as error:
            raise self.error(block, tex.partition("\n")[0], str(error)) from None

    def check(self, values: Mapping[str, Any], blocks: Sequence[Sequence[Token]] = ()) -> None:
        """Raise a ValueError if blocks, or all, name a value that is missing, or do not name one of the values."""
        used, blocks = set(), blocks or self.blocks
        for block in blocks:
            for name in names(block):
                if name not in values:
                    message = f"no value is called {echo(name)}; the names are {join_list(values)}"
                    raise self.error(block, f"{{{name}}}", message)
                used.add(name)
        if unused := [name for name in values if name not in used]:
            message = f"the text does not name {join_list(unused)}; name or drop these values"
            raise self.error(blocks[0], "", message)

    def html(self, tokens: Sequence[Token], values: Mapping[str, Any], **env: Any) -> Markup:
        """Return blocks, or tokens inside a line, as HTML.

        Parameters
        ----------
        tokens : sequence of Token
            The tokens.
        values : mapping of str to object
            The value of each name: text, markup, or a number. An integer is written in full, another number with three
            significant digits.
        **env : object
            What else the renderer needs.

        Returns
        -------
        Markup
            HTML.
        """
        return from_library(self.markdown.renderer.render(tokens, self.markdown.options, {"values": values, **env}))

    def error(self, block: Sequence[Token], sign: str, message: str) -> ValueError:
        """Return the error of a block, with the file and the line of the first `sign` in the block."""
        first, end = block[0].map or (0, len(self.lines))
        line = next((i for i in range(first, end) if sign in self.lines[i]), first)
        return ValueError(f"{self.path}:{line + 1}: {message}.")


def _blocks(tokens):
    """Yield the tokens of each block."""
    block = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield block
            block = []


def inside(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens, each followed by the tokens inside it."""
    for token in tokens:
        yield token
        yield from inside(token.children or ())


def names(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the names of values in tokens."""
    for token in inside(tokens):
        if token.type == "text":
            yield from PLACE.findall(token.content)
