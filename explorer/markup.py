"""Markup that knows text from tags: what a page, a notebook cell, an export, a report or an SVG is built from.

    markup("Given {}, y is <b>{}</b>.", name, number)

A template is a literal of ours and holds the tags, and it is the key under which another language has its own. What is
put into it is text and is escaped, whoever brought it, unless it is `Markup` itself. So a table's names are never tags,
and nobody has to remember it: a place that shows HTML takes `Markup` alone, and an f-string refuses it, since plain
text is all that an f-string gives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from numbers import Number
from typing import Any, Self

import markupsafe

from explorer.languages import template_of

# XML has no way to write the first; the last turn the direction of what stands after them
UNSEEMLY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
ENDS = re.compile("</(script|style)", re.IGNORECASE)


class Markup(markupsafe.Markup):
    """HTML, MathML or SVG: a string whose tags are meant; what is added to it or put into it is escaped.

    >>> markup("<b>{}</b>", "<i>") + " & more"
    Markup('<b>&lt;i&gt;</b> &amp; more')
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        raise TypeError("markup in an f-string would become plain text; put both into markup('... {} ...', ...).")

    @classmethod
    def escape(cls, s: str | Markup) -> Self:
        """Text as markup; markup as it is. Characters that a page cannot show become U+FFFD."""
        if not hasattr(s, "__html__"):
            s = UNSEEMLY.sub("\N{REPLACEMENT CHARACTER}", str(s))
        return cls(markupsafe.escape(s))


def markup(template: str, *parts: object, **named: Any) -> Markup:
    """Markup from a literal template with {} or {name} where parts go; text among them is escaped.

    >>> markup("Of {} in {table}", 3, table="<wine>")
    Markup('Of 3 in &lt;wine&gt;')
    """
    return Markup(_filled(template, parts, named))


def _filled(template, parts, named):
    """A template in the language that is spoken, with its parts."""
    named = {name: _ready(part) for name, part in named.items()}
    return template_of(template).format(*map(_ready, parts), **named)


class Later:
    """Markup that is made where it is shown, in the language spoken there: what a constant of a module holds.

    >>> markup("<p>{}</p>", Later("<b>{}</b> points", 3))
    Markup('<p><b>3</b> points</p>')
    """

    def __init__(self, template: str, *parts: object) -> None:
        self.template = template
        self.parts = parts

    def __html__(self) -> str:
        return _filled(self.template, self.parts, {})


def _ready(part):
    """A part as a template takes it: a number, which may have a format there, or text that is escaped."""
    return part if isinstance(part, Number) else _escaped(part)


def _escaped(part):
    return str(part if isinstance(part, Markup) else Markup.escape(part))


def joined(parts: Iterable[Any], between: str = "") -> Markup:
    """Parts one after the other, text among them escaped, with markup or text between them.

    >>> joined(["a < b", markup("<b>c</b>")], ", ")
    Markup('a &lt; b, <b>c</b>')
    """
    return Markup(_escaped(between).join(map(_escaped, parts)))


def embedded(source: str) -> Markup:
    """A style sheet or a script of ours for the inside of <style> or <script>, where nothing is escaped.

    >>> embedded("a > b { color: red }")
    Markup('a > b { color: red }')
    """
    if ENDS.search(source):
        raise ValueError("what stands inside <style> or <script> may not hold the end of it.")
    return Markup(source)


def from_library(html: str) -> Markup:
    """Markup that a library has made which escapes what is put into it, such as Bokeh's `components`."""
    return Markup(html)


def as_data(value: Any) -> Markup:
    r"""A value as JSON that may stand inside <script>, whatever its texts hold; not for infinities and NaN.

    >>> as_data(["</script>", "a & b"])
    Markup('["\\u003c/script\\u003e", "a \\u0026 b"]')
    """
    escapes = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}
    return Markup(json.dumps(value, ensure_ascii=False, allow_nan=False).translate(escapes))


def text_of(words: str | Markup) -> str:
    """What a reader reads of markup: plain text without tags, on one line; text as it is.

    >>> text_of(markup("<b>{}</b> points", "a & b"))
    'a & b points'
    """
    return Markup.escape(words).striptags()


def taken_out(pattern: str, whole: Markup) -> tuple[Markup, Markup]:
    """(markup without the first part that is like the pattern, that part, empty where there is none).

    >>> taken_out("<i>.*?</i>", markup("a <i>b</i> c"))
    (Markup('a  c'), Markup('<i>b</i>'))
    """
    found = re.search(pattern, whole, re.DOTALL)
    if found is None:
        return whole, Markup("")
    return Markup(whole[: found.start()] + whole[found.end() :]), Markup(found[0])


def rewritten(pattern: Any, replacement: Any, text: str) -> Markup:
    r"""Markup in which tags of ours are replaced: `re.sub` with a replacement that is a literal of ours.

    >>> rewritten("<b>(.*?)</b>", r"<i>\1</i>", markup("<b>{}</b>", "&"))
    Markup('<i>&amp;</i>')
    """
    if not isinstance(text, Markup):
        raise TypeError(f"only what markup(...) gives has tags to be replaced, and this is {type(text).__name__}.")
    return Markup(re.sub(pattern, replacement, str(text)))  # `re` joins what it leaves with the text's own `join`


def meant(html: str) -> Markup:
    """What a place shows as HTML: markup as it is, and no plain text, since a table's names may stand in that."""
    if not isinstance(html, Markup):
        raise TypeError(
            "a place for HTML takes Markup, built by markup('... {} ...', ...), which escapes what is text, and not a"
            f" {type(html).__name__}: {str(html)[:120]!r}"
        )
    return html


def script(code: str) -> Markup:
    """A script of ours or of a library as an element; numbers and names reach it through `held` alone."""
    return markup("<script>{}</script>", embedded(code))


def json_element(name: str, value: Any) -> Markup:
    """A value as an element that does nothing but hold it, for a script to read as JSON."""
    return markup('<script id="{}" type="application/json">{}</script>', name, as_data(value))
