"""The parts of a docstring as HTML: lists, lines that are set apart, and what is raised."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from explorer.markup import Markup, joined, markup

from .docstring import Apart, Block, Definitions, Paragraph, Points
from .equations import Unread, tex
from .prose import NOTHING, Scope, alone, told

RAISES = re.compile(r"(?:^|(?<=\. ))(?=(?:Raises |[A-Z]\w+Error\b|Our warning ))")
STOP = re.compile(r"(?<=\w\.) (?=[A-Z`])(?!Raises |[A-Z]\w+Error\b|Our warning )")
SIGNS = re.compile(r",?\s{2,}")  # between formulas on one line


def html(blocks: Iterable[Block], scope: Scope = NOTHING) -> Iterator[Markup]:
    """The blocks of a docstring but its examples, in their order."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield from _sentences(block.text, scope)
        elif isinstance(block, Apart):
            yield apart(block, scope)
        elif isinstance(block, Points):
            yield markup("<ul>{}</ul>", joined(markup("<li>{}</li>", told(each, scope)) for each in block.points))
        elif isinstance(block, Definitions):
            yield _list(block, scope)


def _sentences(text, scope):
    """A paragraph; sentences that say what is raised, or warned of, stand out."""
    at = 0
    for start in [match.start() for match in RAISES.finditer(text)]:
        if start < at:
            continue
        stop = STOP.search(text, start)
        end = stop.start() if stop else len(text)
        if before := text[at:start].strip():
            yield markup("<p>{}</p>", told(before, scope))
        yield _raised(text[start:end].strip(), scope)
        at = end
    if rest := text[at:].strip():
        yield markup("<p>{}</p>", told(rest, scope))


def _raised(text, scope):
    begins = re.match(r"Raises |Our warning ", text)
    first, rest = (begins[0].strip(), text[begins.end() :]) if begins else ("Raises", text)
    return markup("<p class='raised'><b>{}</b> {}</p>", first, told(rest, scope))


def apart(block: Apart, scope: Scope = NOTHING) -> Markup:
    """Lines that are set apart: formulas where all are understood, else as they are written."""
    try:
        return joined(alone(*_formulas(line, scope)) for line in block.lines)
    except Unread:
        return markup("<pre class='apart' tabindex='0'>{}</pre>", "\n".join(block.lines))


def _formulas(line, scope):
    """A line as TeX, in parts where blanks part it, each with the sign after it."""
    line = line.strip()
    end = "." if line.endswith(".") else ""
    names = {*scope.names, *scope.members}
    made = [tex(part, names, display=True) for part in SIGNS.split(line.removesuffix("."))]
    return [*(f"{part},\\quad" for part in made[:-1]), made[-1] + end]


def _list(block, scope):
    lead = markup("<p class='lead-in'>{}</p>", told(block.lead, scope)) if block.lead else ""
    items = joined(
        markup("<dt>{}</dt><dd>{}</dd>", term(item.term, scope), joined(html(item.blocks, scope)))
        for item in block.items
    )
    return markup("{}<dl class='meanings'>{}</dl>", lead, items)


def term(text: str, scope: Scope = NOTHING) -> Markup:
    """The word of a list: names as code, shapes beside them."""
    text = text.removesuffix(":")
    parts = re.split(r"( \([^()]*\)|, )", text)
    if all(re.fullmatch(r"[A-Za-z_]\w*|\"[^\"]*\"| \([^()]*\)|, |", part) for part in parts):
        return joined(_part(part) for part in parts if part)
    return told(text, scope)


def _part(part):
    if part == ", ":
        return part
    if part.startswith(" ("):
        return markup(" <span class='shape'>{}</span>", part.strip())
    return markup("<code>{}</code>", part)
