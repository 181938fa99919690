"""The page of a public name: how it is called, what it is, its fields, methods and example, and its papers."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from explorer.citations import cited
from explorer.markup import Markup, joined, markup
from explorer.model import Model
from explorer.site.documents import document, plain
from explorer.site.documents import html as block

from .docstring import Example, read
from .examples import Ran, run
from .names import Thing, by_name
from .parts import html
from .prose import Scope, anchor, letters, told
from .shown import SHEET, examples_html
from .signature import fields, signature, typed

COMMON = ("Model", "Learner", "Transformer", "Written")  # what all models have, on a page of its own
KINDS = (classmethod, staticmethod)


class Member(NamedTuple):
    """A method or a property of a class: its name, what it is, and the class that writes it."""

    name: str
    value: Any
    kind: str


def page(thing: Thing, pictures: bool = True) -> str:
    """The document of a page."""
    docstring = read(thing.value.__doc__ or "")
    own = list(members(thing)) if thing.is_class else []
    scope = scope_of(thing, own)
    ran = run(thing.name, thing.value.__doc__ or "", inspect.getmodule(thing.value), pictures)
    return document(
        thing.name if thing.page in (thing.name, f"{thing.name}-class") else thing.page,
        SHEET,
        declared(thing),
        markup(
            "<p class='from'><code>from {} import {}</code> · <a href='room-{}.html'>{}</a></p>",
            thing.home,
            thing.name,
            thing.room,
            thing.room,
        ),
        signature(thing.value, thing.name),
        markup("<p class='summary'>{}</p>", told(docstring.summary, scope)),
        *html(docstring.blocks, scope),
        *_given(thing),
        *_examples(ran),
        *_fields(thing, scope),
        *(["## Methods and properties"] if own else []),
        *(part for member in own for part in _member(thing, member, scope, pictures)),
        *_inherited(thing),
        *_papers(documentation(thing, own)),
        about=" ".join(docstring.summary.split()),
    )


def scope_of(thing: Thing, own: list[Member]) -> Scope:
    """What the docstrings of a page may name without saying whose it is."""
    called = [thing.value, *(member.value for member in own)]
    names = {name for each in called for name in arguments(each)}
    if thing.is_class:
        names |= {name for name in getattr(thing.value, "__annotations__", {}) if not name.startswith("_")}
    places = {member.name: anchor(thing, member.name) for member in own}
    return Scope(frozenset(names), letters(documentation(thing, own)), places)


def arguments(value: Any) -> list[str]:
    """The names of the arguments of a call, none where it has no signature."""
    value = getattr(value, "__func__", value)
    if not callable(value):
        return []
    try:
        return [name for name in inspect.signature(value).parameters if name not in ("self", "cls")]
    except (TypeError, ValueError):
        return []


# members ----------------------------------------------------------------------------------------------------------


def members(thing: Thing) -> Iterator[Member]:
    """The public methods and properties of a class, with those of bases that have no page, in the order of source."""
    seen = set()
    for cls in _without_page(thing):
        for name, value in vars(cls).items():
            kind = _kind(value)
            told_of = name == "__call__" or not name.startswith("_")
            if kind and told_of and name not in seen and doc_of(value):
                seen.add(name)
                yield Member(name, value, kind)


def doc_of(value: Any) -> str:
    """The docstring of a method or a property, of a method that has none that of the class below it."""
    own = getattr(value, "__doc__", None)
    return inspect.getdoc(value) or "" if own or _kind(value) == "method" else ""


def _without_page(thing):
    """A class and those of its bases that are of ours and have no page of their own."""
    paged = {id(other.value) for other in by_name().values()}
    for cls in thing.value.__mro__:
        ours = cls.__module__.startswith("explorer.") and cls.__name__ not in COMMON
        if cls is thing.value or (ours and id(cls) not in paged):
            yield cls


def _kind(value):
    if isinstance(value, property | cached_property) or type(value).__name__ in ("stage", "cached_property"):
        return "property"
    if isinstance(value, KINDS) or inspect.isfunction(value):
        return "method"
    return ""


def _member(thing, member, scope, pictures):
    """The part of a page that tells of a member."""
    value = getattr(member.value, "__func__", member.value)
    docstring = read(doc_of(member.value))
    names = scope.names | set(arguments(value)) if member.kind == "method" else scope.names
    inner = scope._replace(names=frozenset(names))
    name = f"{thing.name}.{member.name}"
    called = thing.name.lower() if member.name == "__call__" else member.name
    call = signature(value, called) if member.kind == "method" else _property(member)
    yield "### Called as a function" if member.name == "__call__" else f"### {plain(member.name)}"
    yield declared(thing, member)
    yield call
    yield markup("<p>{}</p>", told(docstring.summary, inner))
    yield from html(docstring.blocks, inner)
    if any(isinstance(block, Example) for block in docstring.blocks):
        ran = run(name, doc_of(member.value), inspect.getmodule(thing.value), pictures)
        yield from examples_html(ran)


def _property(member):
    getter = getattr(member.value, "fget", None) or getattr(member.value, "func", None)
    gives = getattr(getter, "__annotations__", {}).get("return", "")
    after = markup(": {}", typed(gives)) if isinstance(gives, str) and gives else ""
    return markup("<pre class='signature' tabindex='0'><code><b>{}</b>{}</code></pre>", member.name, after)


def _inherited(thing) -> Iterator[Markup]:
    """What a class has from others that have pages."""
    if not thing.is_class:
        return
    paged = {id(other.value): other for other in by_name().values()}
    own = {member.name for member in members(thing)}
    for cls in thing.value.__mro__[1:]:
        other = paged.get(id(cls))
        names = [member.name for member in members(other) if member.name not in own] if other else []
        if other and names:
            own |= set(names)
            links = joined(
                (
                    markup("<a href='{}.html#{}'><code>{}</code></a>", other.page, anchor(other, name), name)
                    for name in names
                ),
                ", ",
            )
            yield markup("<p class='inherited'>From <a href='{}.html'>{}</a>: {}</p>", other.page, other.name, links)
    if issubclass(thing.value, Model):
        yield markup("<p class='inherited'>And <a href='models.html'>what all models have</a>.</p>")


# the other parts --------------------------------------------------------------------------------------------------


def declared(thing: Thing, member: Member | None = None) -> str:
    """What tells Sphinx of a name, so that a search finds it; it shows nothing."""
    kind = member.kind if member else "class" if thing.is_class else "function"
    name = f"{thing.name}.{member.name}" if member else thing.name
    directive = f"```{{py:{kind}}} {name}\n:module: {thing.home}\n:no-typesetting:\n```"
    # Sphinx gives the place of it to what follows, which is HTML of ours and takes none
    return f"{directive}\n\n" + block(markup("<span id='{}.{}'></span>", thing.home, name))


def _fields(thing, scope):
    table = fields(thing, scope)
    if table is not None:
        yield "## Parameters"
        yield table


def _given(thing: Thing) -> Iterator[Markup]:
    """The functions that give a result."""
    if givers := [by_name()[name] for name in thing.given if name in by_name()]:
        links = (markup("<a href='{}.html'><code>{}</code></a>", each.page, each.name) for each in givers)
        yield markup("<p class='given'>Given by {}</p>", joined(links, ", "))


def _examples(ran: list[Ran]) -> Iterator[str | Markup]:
    if ran:
        yield "## Example"
        yield from examples_html(ran)


def documentation(thing: Thing, own: list[Member]) -> str:
    """All docstrings of a page on one line."""
    texts = [thing.value.__doc__ or "", *(doc_of(member.value) for member in own)]
    return " ".join(" ".join(texts).split())


def _papers(text) -> Iterator[str | Markup]:
    """The papers that a page names."""
    from .bibliography import entry

    found = cited(text)
    if found:
        yield "## Sources"
        yield markup("<ul class='papers'>{}</ul>", joined(markup("<li>{}</li>", entry(each)) for each in found))
