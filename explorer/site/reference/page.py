"""Page of a public name: a document that asks Sphinx's autodoc for it, its members and its sources."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from explorer.citations import cited
from explorer.markup import Markup, joined, markup
from explorer.model import Model
from explorer.site.documents import document, rst

from .bibliography import SHEET, entry
from .examples import picture_of_examples
from .names import PublicName, by_name, docstring


def page(name: PublicName, pictures: bool = True) -> str:
    """Return the document of a public name; `pictures` runs its examples and shows the picture of their result."""
    return document(
        name.name if name.page in (name.name, f"{name.name}-class") else name.page,
        SHEET,
        _import_line(name),
        rst(f".. {'autoclass' if name.is_class else 'autofunction'}:: {name.address}"),
        *_returned_by(name),
        *_picture(name.name, docstring(name.value), name.value, pictures),
        *(["## Methods and properties"] if name.members else []),
        *(part for member, value in name.members.items() for part in _member(name, member, value, pictures)),
        *_inherited(name),
        *_sources(name),
        about=name.summary,
    )


def _import_line(name):
    return markup(
        "<p class='from'><code>from {} import {}</code> · <a href='room-{}.html'>{}</a></p>",
        name.module, name.name, name.package, name.package,
    )  # fmt: skip


def _returned_by(name) -> Iterator[Markup]:
    """Link the functions that return a class: autodoc does not know them."""
    if functions := [by_name()[each] for each in name.returned_by if each in by_name()]:
        yield markup("<p class='inherited'>Returned by {}</p>", joined(map(_link, functions), ", "))


def _link(name, member=""):
    """Return a link to the page of a public name, or to a member of it."""
    place = f"#{name.address}.{member}" if member else ""
    return markup("<a href='{}.html{}'><code>{}</code></a>", name.page, place, member or name.name)


def _member(name, member, value, pictures):
    is_method = isinstance(value, classmethod | staticmethod) or inspect.isfunction(value)
    is_property = isinstance(value, property | cached_property)
    kind = "automethod" if is_method else "autoproperty" if is_property else "autoattribute"
    yield rst(f".. {kind}:: {name.address}.{member}")
    yield from _picture(f"{name.name}.{member}", docstring(value), name.value, pictures)


def _picture(label: str, text: str, value: Any, pictures: bool) -> Iterator[Markup]:
    picture = picture_of_examples(label, text, inspect.getmodule(value)) if pictures else None
    if picture is not None:
        yield markup("<div class='picture'>{}</div>", picture)


def _inherited(name) -> Iterator[Markup]:
    """Link inherited members to the pages of their classes: autodoc would repeat all of them on every page."""
    if not name.is_class:
        return
    with_page = {id(other.value): other for other in by_name().values()}
    listed = set(name.members)
    for cls in name.value.__mro__[1:]:
        other = with_page.get(id(cls))
        names = [member for member in other.members if member not in listed] if other else []
        if other and names:
            listed |= set(names)
            links = (_link(other, each) for each in names)
            yield markup("<p class='inherited'>From {}: {}</p>", _link(other), joined(links, ", "))
    if issubclass(name.value, Model):
        yield markup("<p class='inherited'>And <a href='models.html'>what all models have</a>.</p>")


def _sources(name) -> Iterator[str | Markup]:
    """List the papers that a page cites by their titles: the citations in the text have authors and year only."""
    if references := cited(name.documentation):
        yield "## Sources"
        yield markup("<ul class='papers'>{}</ul>", joined(markup("<li>{}</li>", entry(each)) for each in references))
