"""Sentences of docstrings as HTML: formulas set, and names, papers and errata as links. Every word stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from explorer.citations import ARTICLE, NUMBERED, cited, references
from explorer.markup import Markup, joined, markup
from explorer.papers.errata import ERRATA
from explorer.workbench.formulas import equation, formula

from . import outside
from .equations import Formula, parted, tex
from .names import Thing, by_name

CODE = r"`(?P<code>[^`]+)`"
ERRATUM = r"\b(?:erratum|errata|Erratum|Errata) (?:(?:E-)?\d+(?:, (?=E-|\d)| and (?=E-|\d)| to (?=E-|\d))?)+"
PLACE = r"(?:, (?:in )?(?:eqs?\. ?\(?[\d.]+\)?|(?:section|theorem|proposition|algorithm|table) [\d.]*\d))?"
LETTER = re.compile(r"(?<![\w'’.\"-])[B-HJ-Zb-z](?![\w.\"-])")
LONG_FIRST, LONG = 20, 44  # characters of an equation that stands on a line of its own: one that begins a text, another
LENGTH = r"(?:[A-Za-z]'?|\d)(?:_\w)?(?: [+-] \d)?"  # n, n_i, T', n - 1
SHAPE = re.compile(rf"(?<![\w)])\({LENGTH}(?:, {LENGTH})*,?\)(?![\^_²]| [=<>+*/(^-])")
IDENTIFIER = re.compile(r"\b[A-Za-z]\w*_\w*\b|\b[A-Z]\w*[a-z]\w*[A-Z]\w*\b|\b[A-Z]{2,}\w*[a-z]\w*\b|\b[a-z]+\d\b")


class Scope(NamedTuple):
    """What a docstring may name without saying whose it is.

    names    arguments and fields, which stand for values
    letters  those of its formulas, which are letters of a formula elsewhere too
    members  methods and properties of the class that is spoken of -> where they are on the page
    apart    whether long equations stand on lines of their own
    """

    names: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    members: dict[str, str] = {}
    apart: bool = True


NOTHING = Scope()
IN_A_LINE = Scope(apart=False)


def told(text: str, scope: Scope = NOTHING) -> Markup:
    """Sentences as HTML."""
    return joined(_marked(text, scope))


def _marked(text, scope) -> Iterator[str | Markup]:
    """The parts of a text: what is marked, or plainly a name, and between them formulas and words."""
    at = 0
    for match in _marks().finditer(text):
        made = _mark(match, scope)
        if made is not None:
            yield from _set(text[at : match.start()], scope, at == 0)
            yield made
            at = match.end()
    yield from _set(text[at:], scope, at == 0)


@cache
def _marks():
    """What ends a formula whatever it is: code, errata, papers, and names of others."""
    papers = "|".join(f"(?:{reference.cited.pattern})" for reference in references().values())
    paper = f"(?:{NUMBERED.pattern}|{ARTICLE.pattern}|{papers})"
    paper = re.sub(r"\((?!\?)", "(?:", paper)  # whose groups are not ours
    return re.compile(
        rf"{CODE}|(?P<erratum>{ERRATUM})|(?P<paper>{paper}){PLACE}"
        rf"|(?P<raised>{outside.RAISED.pattern})|(?P<sklearn>{outside.SKLEARN.pattern.replace('(', '(?:')})"
        rf"|(?P<dotted>{outside.DOTTED.pattern})"
        r"|(?P<call>(?<![\w.`])[A-Z]\w*[a-z]\w*\((?:[^()]*|[^()]*\([^()]*\)[^()]*)\))"
        r"|(?P<keyword>\b[a-z]\w*=(?:\"[^\"]*\"|\w+|\([^()]*\)))(?!\w)"
    )


def _mark(match, scope):
    """A marked part as HTML; None where it only looks like one."""
    kind = match.lastgroup
    if kind == "code":
        return code(match["code"], scope)
    if kind == "erratum":
        return _errata(match[0])
    if kind == "paper":
        found = cited(match[0])
        return link(f"bibliography.html#{found[0].key}", match[0]) if found else None
    if kind == "call":
        name = match[0].partition("(")[0]
        return code(match[0], scope) if name in by_name() else None
    if kind == "keyword":
        return code(match[0], scope)
    where = outside.address(match[0].removeprefix("scikit-learn's ").strip("`"))
    if kind == "sklearn":
        name = match[0].rpartition(" ")[2].strip("`")
        return markup("scikit-learn's <a href='{}'><code>{}</code></a>", where, name) if where else None
    return markup("<a href='{}'><code>{}</code></a>", where, match[0]) if where else markup("<code>{}</code>", match[0])


def link(address: str, text: str) -> Markup:
    """A link to a page of the site."""
    return markup("<a href='{}'>{}</a>", address, text)


def code(text: str, scope: Scope = NOTHING) -> Markup:
    """Code in a sentence, a link where it names something that has a page."""
    where = address(re.split(r"[(=]", text)[0].strip(" ."), scope)
    made = markup("<code>{}</code>", text)
    return markup("<a href='{}'>{}</a>", where, made) if where else made


def address(name: str, scope: Scope = NOTHING) -> str | None:
    """Where a name is documented, from a page of the reference; None where nowhere."""
    if name in scope.members:
        return f"#{scope.members[name]}"
    if name in scope.names:
        return None
    thing = by_name().get(name.removeprefix("explorer."))
    if thing is not None:
        return f"{thing.page}.html"
    owner, dot, member = name.rpartition(".")
    thing = by_name().get(owner) if dot else None
    if thing is not None and hasattr(thing.value, member):
        return f"{thing.page}.html#{anchor(thing, member)}"
    return outside.address(name)


def anchor(thing: Thing, member: str = "") -> str:
    """What Sphinx calls a thing, or a member of a class, on its page."""
    return ".".join(filter(None, (thing.home, thing.name, member)))


def _errata(text):
    """Errata by their numbers, each a link to its entry."""
    parts = re.split(r"((?:E-)?\d+)", text)
    return joined(
        link(f"../guide/errata.html#erratum-{part.lower()}", part) if part in ERRATA else part for part in parts
    )


def _set(text, scope, begins) -> Iterator[str | Markup]:
    """Formulas, long ones on a line of their own, and shapes and names between them."""
    before, taken = begins, ""  # whether nothing stands before; the sign that an equation has taken to its line
    parts = [*parted(text, scope.names), ""]
    for part, after in pairwise(parts):
        if not isinstance(part, Formula):
            yield from _named(part[len(taken) :], scope)
            before, taken = before and not part, ""
        elif scope.apart and "=" in part.text and len(part.text) >= (LONG_FIRST if before else LONG):
            taken = after[0] if isinstance(after, str) and after[:1] in (".", ",", ";", ":") else ""
            yield alone(f"{tex(part.text, scope.names, display=True)}{taken}")
            before = False
        else:
            yield formula(part.tex)
            before = False


def _named(text, scope) -> Iterator[str | Markup]:
    """Shapes of arrays, and names that nobody has marked."""
    for piece, shape in _split(SHAPE, text):
        if shape:
            yield markup("<span class='shape'>{}</span>", piece)
            continue
        for word, name in _split(IDENTIFIER, piece):
            if name and (word in scope.names or word in scope.members or word in by_name() or word.endswith("_")):
                yield code(word, scope)
            else:
                yield from (formula(w) if one and w in scope.letters else w for w, one in _split(LETTER, word))


def alone(*parts: str) -> Markup:
    """An equation on a line of its own; a long one scrolls, also by the keyboard."""
    return markup("<span class='across' tabindex='0'>{}</span>", equation(*parts))


def letters(text: str) -> frozenset[str]:
    """The letters of the formulas of a text."""
    formulas = (part.text for part in parted(text) if isinstance(part, Formula))
    return frozenset(letter for each in formulas for letter in LETTER.findall(each.replace("_", " ")))


def _split(pattern, text):
    """(part, whether it is like the pattern) of a text."""
    at = 0
    for match in pattern.finditer(text):
        yield text[at : match.start()], False
        yield match[0], True
        at = match.end()
    yield text[at:], False
