"""Markup in which text and tags are different types, for pages, notebook cells, exports, reports and SVGs.

    markup("Given {}, y is <b>{}</b>.", name, number)

A template is a literal of this project and holds the tags; it is also the key of its translations. Parts are text and
are escaped, whatever their source, unless they are `Markup` themselves. So names in a table never become tags, and this
does not depend on care: functions that show HTML accept only `Markup`, and an f-string refuses it, because its result
would be plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from numbers import Number
from typing import Any, Self

import markupsafe

from explorer.languages import template_of

# XML cannot represent the control characters and surrogates; the last two ranges change the direction of the text after
# them.
UNSEEMLY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
ENDS = re.compile("</(script|style)", re.IGNORECASE)


class Markup(markupsafe.Markup):
    """HTML, MathML or SVG: a string whose tags are intended; whatever is added to it or put into it is escaped.

    Examples
    --------
    >>> markup("<b>{}</b>", "<i>") + " & more"
    Markup('<b>&lt;i&gt;</b> &amp; more')
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        raise TypeError("markup in an f-string would become plain text; put both into markup('... {} ...', ...).")

    @classmethod
    def escape(cls, s: str | Markup) -> Self:
        """Return text as markup, and markup unchanged. Characters that a page cannot show become U+FFFD.

        Parameters
        ----------
        s : str or Markup
            The text.

        Returns
        -------
        Markup
            The escaped text.
        """
        if not hasattr(s, "__html__"):
            s = UNSEEMLY.sub("\N{REPLACEMENT CHARACTER}", str(s))
        return cls(markupsafe.escape(s))


def markup(template: str, *parts: object, **named: Any) -> Markup:
    """Return Markup from a literal template whose {} or {name} are filled with parts; text among them is escaped.

    Parameters
    ----------
    template : str
        A literal with tags, also the key of its translations.
    *parts : object
        Text, numbers or markup for the placeholders {}.
    **named : object
        Text, numbers or markup for the placeholders {name}.

    Returns
    -------
    Markup
        The filled template in the current language.

    Examples
    --------
    >>> markup("Of {} in {table}", 3, table="<wine>")
    Markup('Of 3 in &lt;wine&gt;')
    """
    return Markup(_filled(template, parts, named))


def _filled(template, parts, named):
    """Return a template in the current language, filled with its parts."""
    named = {name: _ready(part) for name, part in named.items()}
    return template_of(template).format(*map(_ready, parts), **named)


class Later:
    """Markup that is made when it is shown, in the language of that moment; used for constants of modules.

    Parameters
    ----------
    template : str
        A literal with tags.
    *parts : object
        Text, numbers or markup for its placeholders.

    Examples
    --------
    >>> markup("<p>{}</p>", Later("<b>{}</b> points", 3))
    Markup('<p><b>3</b> points</p>')
    """

    def __init__(self, template: str, *parts: object) -> None:
        self.template = template
        self.parts = parts

    def __html__(self) -> str:
        return _filled(self.template, self.parts, {})


def _ready(part):
    """Return a part for a template: a number, which the template may format, or escaped text."""
    return part if isinstance(part, Number) else _escaped(part)


def _escaped(part):
    """Return the escaped text of a part as a plain string."""
    return str(part if isinstance(part, Markup) else Markup.escape(part))


def joined(parts: Iterable[Any], between: str = "") -> Markup:
    """Join parts to markup; text among them, and between them, is escaped.

    Parameters
    ----------
    parts : iterable
        Text or markup.
    between : str, default ""
        Text or markup between two parts.

    Returns
    -------
    Markup
        The joined parts.

    Examples
    --------
    >>> joined(["a < b", markup("<b>c</b>")], ", ")
    Markup('a &lt; b, <b>c</b>')
    """
    return Markup(_escaped(between).join(map(_escaped, parts)))


def embedded(source: str) -> Markup:
    """Return a style sheet or script of this project for the inside of <style> or <script>, where nothing is escaped.

    Parameters
    ----------
    source : str
        The style sheet or script.

    Returns
    -------
    Markup
        The same text as markup.

    Raises
    ------
    ValueError
        If the text contains the end of its element.

    Examples
    --------
    >>> embedded("a > b { color: red }")
    Markup('a > b { color: red }')
    """
    if ENDS.search(source):
        raise ValueError("what stands inside <style> or <script> may not hold the end of it.")
    return Markup(source)


def from_library(html: str) -> Markup:
    """Return HTML as markup that a library has made and escaped, such as Bokeh's `components`.

    Parameters
    ----------
    html : str
        The HTML.

    Returns
    -------
    Markup
        The same text as markup.
    """
    return Markup(html)


def as_data(value: Any) -> Markup:
    r"""Return a value as JSON that may be put inside <script>, whatever its texts contain.

    Parameters
    ----------
    value : object
        Anything that JSON can represent, without infinities and NaN.

    Returns
    -------
    Markup
        The JSON.

    Examples
    --------
    >>> as_data(["</script>", "a & b"])
    Markup('["\\u003c/script\\u003e", "a \\u0026 b"]')
    """
    escapes = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}
    return Markup(json.dumps(value, ensure_ascii=False, allow_nan=False).translate(escapes))


def text_of(words: str | Markup) -> str:
    """Return the visible text of markup on one line, without tags; plain text is returned unchanged.

    Parameters
    ----------
    words : str or Markup
        The markup.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> text_of(markup("<b>{}</b> points", "a & b"))
    'a & b points'
    """
    return Markup.escape(words).striptags()


def taken_out(pattern: str, whole: Markup) -> tuple[Markup, Markup]:
    """Return (rest, part): markup without the first match of a pattern, and the match, empty if there is none.

    Parameters
    ----------
    pattern : str
        A regular expression.
    whole : Markup
        The markup.

    Returns
    -------
    (Markup, Markup)
        The rest and the match.

    Examples
    --------
    >>> taken_out("<i>.*?</i>", markup("a <i>b</i> c"))
    (Markup('a  c'), Markup('<i>b</i>'))
    """
    found = re.search(pattern, whole, re.DOTALL)
    if found is None:
        return whole, Markup("")
    return Markup(whole[: found.start()] + whole[found.end() :]), Markup(found[0])


def rewritten(pattern: Any, replacement: Any, text: str) -> Markup:
    r"""Replace tags in markup: `re.sub` with a replacement that is a literal of this project.

    Parameters
    ----------
    pattern : str or re.Pattern
        A regular expression.
    replacement : str or callable
        The replacement, as for `re.sub`.
    text : Markup
        The markup.

    Returns
    -------
    Markup
        The rewritten markup.

    Raises
    ------
    TypeError
        If `text` is plain text, whose "tags" are not intended.

    Examples
    --------
    >>> rewritten("<b>(.*?)</b>", r"<i>\1</i>", markup("<b>{}</b>", "&"))
    Markup('<i>&amp;</i>')
    """
    if not isinstance(text, Markup):
        raise TypeError(f"only what markup(...) gives has tags to be replaced, and this is {type(text).__name__}.")
    return Markup(re.sub(pattern, replacement, str(text)))  # `re.sub` would use the join method of Markup


def meant(html: str) -> Markup:
    """Return the HTML for a function that shows it, and refuse plain text: a table's names in it could be tags.

    Parameters
    ----------
    html : Markup
        The markup.

    Returns
    -------
    Markup
        The same markup.

    Raises
    ------
    TypeError
        If `html` is plain text.
    """
    if not isinstance(html, Markup):
        raise TypeError(
            "a place for HTML takes Markup, built by markup('... {} ...', ...), which escapes what is text, and not a"
            f" {type(html).__name__}: {str(html)[:120]!r}"
        )
    return html


def script(code: str) -> Markup:
    """Return a script element with code of this project or of a library; values reach it only through `json_element`.

    Parameters
    ----------
    code : str
        The JavaScript.

    Returns
    -------
    Markup
        The element.
    """
    return markup("<script>{}</script>", embedded(code))


def json_element(name: str, value: Any) -> Markup:
    """Return an element that holds a value as JSON for a script to read.

    Parameters
    ----------
    name : str
        The element's id.
    value : object
        Anything that JSON can represent.

    Returns
    -------
    Markup
        The element.
    """
    return markup('<script id="{}" type="application/json">{}</script>', name, as_data(value))
