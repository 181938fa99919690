"""How a name is called: its arguments with their types and defaults, types as links; and the fields of a model."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

import explorer.types
from explorer.markup import Markup, joined, markup
from explorer.model import Model
from explorer.printing import code as written

from . import outside
from .names import Thing, by_name
from .prose import NOTHING, Scope, told

WIDTH = 76  # characters of a call on one line
WORD = re.compile(r"[A-Za-z_][\w.]*|'[^']*'|\"[^\"]*\"")
ALIAS = re.compile(r"^(\w+): TypeAlias = (.*?)(?:  # (.*))?$", re.MULTILINE)


@cache
def aliases() -> dict[str, tuple[str, str]]:
    """The types of the front door by their names: what each stands for, and what it means."""
    source = Path(explorer.types.__file__ or "").read_text(encoding="utf-8")
    return {name: (stands, means or "") for name, stands, means in ALIAS.findall(source)}


def signature(thing: Any, name: str) -> Markup:
    """A call of a function, a method or a class."""
    try:
        called = inspect.signature(thing)
    except (TypeError, ValueError):
        return markup("<pre class='signature'><code><b>{}</b></code></pre>", name)
    scope = getattr(inspect.unwrap(thing), "__globals__", {})
    parts = _arguments(called, scope)
    gives = called.return_annotation
    if gives in (inspect.Signature.empty, "None", None) or inspect.isclass(thing):
        after = markup("")
    else:
        after = markup(" -> {}", typed(_text(gives), scope))
    length = len(name) + sum(len(part.striptags()) + 2 for part in parts) + len(after.striptags())
    inner = joined(parts, ", ") if length <= WIDTH else markup("\n    {},\n", joined(parts, ",\n    "))
    return markup("<pre class='signature' tabindex='0'><code><b>{}</b>({}){}</code></pre>", name, inner, after)


def _arguments(called, scope):
    """The arguments of a call without `self`, and the signs that part them."""
    parts, named = [], False
    parameters = [each for name, each in called.parameters.items() if name not in ("self", "cls")]
    for i, each in enumerate(parameters):
        if each.kind is each.KEYWORD_ONLY and not named and not any(p.kind is p.VAR_POSITIONAL for p in parameters[:i]):
            parts.append(markup("*"))
        named = named or each.kind is each.KEYWORD_ONLY
        parts.append(_argument(each, scope))
        if each.kind is each.POSITIONAL_ONLY and (
            i + 1 == len(parameters) or parameters[i + 1].kind is not each.POSITIONAL_ONLY
        ):
            parts.append(markup("/"))
    return parts


def _argument(each, scope):
    stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
    has_type = each.annotation is not each.empty
    type_of = markup(": {}", typed(_text(each.annotation), scope)) if has_type else ""
    default = "" if each.default is each.empty else f"{' = ' if has_type else '='}{_default(each.default)}"
    return markup("{}<span class='argument'>{}</span>{}{}", stars, each.name, type_of, default)


def _default(value):
    """A default as Python, short where it is an object of no value."""
    text = written(value)
    return "..." if text.startswith("<") else text


def _text(annotation):
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def typed(text: str, scope: Mapping[str, Any] = MappingProxyType({})) -> Markup:
    """A type, its names as links; a name that stands for a few words is these, as the module of `scope` has it."""
    parts, at = [], 0
    for match in WORD.finditer(text):
        choice = scope.get(match[0])
        of_words = get_origin(choice) is Literal and match[0] not in aliases()
        parts += [text[at : match.start()], _words(choice) if of_words else _type(match[0])]
        at = match.end()
    return joined([*parts, text[at:]])


def _words(choice):
    return markup("{}[{}]", _type("Literal"), ", ".join(map(repr, get_args(choice))))


def _type(name):
    short = name.rpartition(".")[2]
    if name in aliases():
        return markup("<a href='types.html#{}'>{}</a>", name.lower(), name)
    if short in by_name() and (name == short or name.startswith("explorer.")):
        return markup("<a href='{}.html'>{}</a>", by_name()[short].page, short)
    where = outside.address(name)
    return markup("<a href='{}'>{}</a>", where, name) if where else name


# the fields of a model --------------------------------------------------------------------------------------------


def fields(thing: Thing, scope: Scope = NOTHING) -> Markup | None:
    """A table of the fields of a model: symbol, default, what each may be, its unit and what it means."""
    if not (thing.is_class and issubclass(thing.value, Model)) or not thing.value.fields:
        return None
    rows = [
        (
            markup("<code>{}</code>", name),
            getattr(field, "symbol", ""),
            "" if getattr(field, "required", False) else markup("<code>{}</code>", _default(field.default)),
            _range(field),
            getattr(field, "unit", ""),
            told(field.doc or "", scope),
        )
        for name, field in thing.value.fields.items()
    ]
    head = ("parameter", "symbol", "default", "values", "unit", "meaning")
    kept = [k for k in range(len(head)) if any(row[k] for row in rows)]
    cells = joined(markup("<tr>{}</tr>", joined(markup("<td>{}</td>", row[k]) for k in kept)) for row in rows)
    titles = joined(markup("<th scope='col'>{}</th>", head[k]) for k in kept)
    table = markup("<table class='table fields'><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", titles, cells)
    return markup("<div class='wide' tabindex='0' role='region' aria-label='Parameters'>{}</div>", table)


def _range(field):
    """What a field may be: an interval, a few words, or a class."""
    bounds = getattr(field, "bounds", None)
    if bounds and any(end is not None for end in bounds):
        low, high = bounds
        with_low, with_high = getattr(field, "inclusive_bounds", (True, True))
        left = f"{'[' if with_low else '('}{low:g}" if low is not None else "(−∞"
        right = "∞)" if high is None or high == math.inf else f"{high:g}{']' if with_high else ')'}"
        text = markup("<span class='shape'>{}, {}</span>", left, right)
    elif getattr(field, "objects", None):
        text = joined((markup("<code>{}</code>", written(each)) for each in field.objects), ", ")
    elif inspect.isclass(kind := getattr(field, "class_", None)) and kind is not tuple:
        text = _type(kind.__name__)
    else:
        text = ""
    return joined([text, " or None"]) if text and field.allow_None else text
