"""Several drawings of one picture as the first SVG, and the differences of the others.

    frames = frame_diffs([draw_standalone(picture, result.at(stop)) for stop in result.stops])
    frames.first     the SVG of drawing 0
    frames.packed    for <script type="application/json">; the script in `browser/standing` draws stop k from it

A picture of sixty stops takes about as many bytes as two drawings of it, because most of it does not change.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2s
from itertools import takewhile
from typing import TYPE_CHECKING, Any
from xml.dom import minidom

from explorer.checks import Refusal
from explorer.markup import as_data, meant, rewritten

if TYPE_CHECKING:
    from xml.dom.minidom import Element

    from explorer.markup import Markup

SMALL = 400  # number of bytes that are not compressed, as that would hardly save any
TEXT, CHILDREN = "", "<"  # names of an element's text and of its children
NAMED = re.compile(r'(?<=\sid=")[^"]+(?=")')
NAMING = r'(\sid="|\bhref="#|url\(#)({})(?=["\)])'


@dataclass(frozen=True)
class FrameDiffs:
    """Drawings of one picture: the first, the packed differences of the others, and their number.

    Attributes
    ----------
    first : Markup
        The first drawing.
    packed : Markup
        The differences, as JSON or as JSON's text of it in gzip and base 64.
    count : int
        Number of drawings.

    Notes
    -----
    The JSON is

        {"count": k, "slots": [[element, name, values, which], ...]}

    `element` is the number of an element of the first drawing in the document's order, 0 being the <svg>. `name` is
    that of an attribute, "" for the text of an element, "<" for its children. Drawing k has values[which[k]] there:
    text, null for a missing attribute, or a list of children, each the number of an element of the first drawing, or
    markup.
    """

    first: Markup
    packed: Markup
    count: int

    def __len__(self) -> int:
        return self.count


def frame_diffs(drawings: Sequence[Markup]) -> FrameDiffs:
    """Return drawings of one picture as FrameDiffs.

    Parameters
    ----------
    drawings : sequence of Markup
        The drawings, each an SVG.

    Returns
    -------
    FrameDiffs
        The drawings.

    Raises
    ------
    Refusal
        If the sequence is empty.
    """
    if not drawings:
        raise Refusal("drawings is empty; pass at least one drawing.")
    digest = blake2s("".join(map(meant, drawings)).encode(), digest_size=4).hexdigest()
    named = [_renamed(each, f"reel-{digest}") for each in drawings]
    first, *others = map(_elements, named)
    numbers = {id(each): number for number, each in enumerate(first)}
    slots: dict[tuple[int, str], dict[int, Any]] = {}
    for k, other in enumerate(others, 1):
        for element, name, value in _differing(first[0], other[0], numbers):
            slots.setdefault((numbers[id(element)], name), {})[k] = value
    packed = [
        [number, name, *_column(_value(first[number], name, numbers), changes, len(named))]
        for (number, name), changes in sorted(slots.items(), key=lambda item: item[0])
    ]
    return FrameDiffs(named[0], _packed({"count": len(named), "slots": packed}), len(named))


def _renamed(drawing, before):
    """Return a drawing with ids made of their elements' content, so that equal elements have one id in all drawings."""
    for name in NAMED.findall(drawing):
        (whole,) = (each for each in _elements(drawing) if each.getAttribute("id") == name)
        whole.removeAttribute("id")
        better = f"{before}-{blake2s(whole.toxml().encode(), digest_size=4).hexdigest()}"
        drawing = rewritten(NAMING.format(re.escape(name)), rf"\g<1>{better}", drawing)
    return drawing


def _elements(drawing) -> list[Element]:
    """Return the <svg> and all elements in it, in the document's order."""
    return minidom.parseString(drawing).getElementsByTagName("*")


def _differing(base, other, numbers):
    """Yield (element, name, the other's value) for all differences of an element and that of another drawing."""
    for name in sorted({*base.attributes.keys(), *other.attributes.keys()}):
        if (value := _attribute(other, name)) != _attribute(base, name):
            yield base, name, value
    if not (_children(base) or _children(other)):
        if (text := _text(other)) != _text(base):
            yield base, TEXT, text
        return
    pairs = [(None if _is_mixed(mine, one) else mine, one) for mine, one in _paired(_children(base), _children(other))]
    if [each for each, _ in pairs] != _children(base):
        yield base, CHILDREN, [one.toxml() if mine is None else numbers[id(mine)] for mine, one in pairs]
    for mine, one in pairs:
        if mine is not None:
            yield from _differing(mine, one, numbers)


def _paired(mine, others):
    """Return (its counterpart, or None; element) for all elements in `others`.

    If both have the same tags, elements are paired in order. Otherwise those that look alike at the beginning and the
    end are.
    """
    if [each.tagName for each in mine] == [each.tagName for each in others]:
        return list(zip(mine, others, strict=True))
    begin = _alike(mine, others)
    end = _alike(mine[begin:][::-1], others[begin:][::-1])
    within = [None] * (len(others) - begin - end)
    return list(zip([*mine[:begin], *within, *mine[len(mine) - end :]], others, strict=True))


def _is_mixed(mine, other):
    """Return whether two elements differ and one has text between its children, which slots cannot express."""
    mixed = any(_children(each) and _text(each).strip() for each in (mine, other) if each is not None)
    return mixed and mine is not None and mine.toxml() != other.toxml()


def _alike(mine, others):
    """Return the number of elements at the beginning that look alike."""
    pairs = zip(mine, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _look(pair[0]) == _look(pair[1]), pairs))


def _look(element):
    """Return what elements that look alike share."""
    return element.tagName, *(_attribute(element, name) for name in ("class", "stroke-dasharray", "stroke-width"))


def _value(element, name, numbers):
    """Return the value of a name in an element of the first drawing."""
    if name == TEXT:
        return _text(element)
    if name == CHILDREN:
        return [numbers[id(each)] for each in _children(element)]
    return _attribute(element, name)


def _attribute(element, name):
    """Return an attribute, or None if the element does not have it."""
    return element.getAttribute(name) if element.hasAttribute(name) else None


def _text(element):
    """Return an element's text."""
    return "".join(each.data for each in element.childNodes if each.nodeType == each.TEXT_NODE)


def _children(element):
    """Return an element's children."""
    return [each for each in element.childNodes if each.nodeType == each.ELEMENT_NODE]


def _column(value, changes, count):
    """Return (different values, index of each drawing's value) of a slot; unchanged drawings have the first's value."""
    column = [json.dumps(changes.get(k, value)) for k in range(count)]
    values = list(dict.fromkeys(column))
    return [json.loads(each) for each in values], [values.index(each) for each in column]


def _packed(reel):
    """Return the JSON, compressed if it is large."""
    plain = as_data(reel)
    if len(plain) <= SMALL:
        return plain
    letters = json.dumps(reel, ensure_ascii=False, separators=(",", ":")).encode()
    return as_data(base64.b64encode(gzip.compress(letters, 9, mtime=0)).decode())
