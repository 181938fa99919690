"""Prose of the site in Markdown files, which an author edits without Python.

    {name}     the value of that name, which Python computes; it is text, never Markdown
    $TeX$      a formula

Formulas and code keep their braces. An error in a file names the file and the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from explorer.markup import Markup, from_library
from explorer.pages.index.notebook_reader import markdown
from explorer.printing import UNBROKEN, echo, format_number, join_list

PLACE = re.compile(r"\{([^{}]*)\}")


class ProseHtml(RendererHTML):
    """Renderer of prose: `env["values"]` has the values by name."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return text with the values in the places of their names."""
        return escapeHtml(PLACE.sub(lambda place: _as_text(env["values"][place[1]]), tokens[idx].content))

    def text_special(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the character of an entity such as &nbsp;, which markdown-it leaves apart in captions."""
        return escapeHtml(tokens[idx].content)


def _as_text(value):
    return format_number(float(value)).replace(" ", UNBROKEN) if isinstance(value, Real) else str(value)


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
    """

    markdown: ClassVar[MarkdownIt] = markdown(ProseHtml)

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text(encoding="utf-8")
        self.lines = text.split("\n")
        self.blocks = list(_blocks(self.markdown.parse(text)))

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise a ValueError if the file names a value that is missing, or does not name one of the values."""
        used = set()
        for block in self.blocks:
            for name in names(block):
                if name not in values:
                    message = f"no value is called {echo(name)}; the names are {join_list(values)}"
                    raise self.error(block, f"{{{name}}}", message)
                used.add(name)
        if unused := [name for name in values if name not in used]:
            raise ValueError(f"{self.path}: the prose does not name {join_list(unused)}; name or drop these values.")

    def html(self, tokens: Sequence[Token], values: Mapping[str, Any], **env: Any) -> Markup:
        """Return blocks, or tokens inside a line, as HTML.

        Parameters
        ----------
        tokens : sequence of Token
            The tokens.
        values : mapping of str to object
            The value of each name: text, or a number, which is written with three significant digits.
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
