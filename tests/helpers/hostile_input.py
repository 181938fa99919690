"""Random links and messages that no page sends, drawn with a seed from good, extreme and hostile values."""

from __future__ import annotations

import json
import math

import param

from explorer.model import link_text
from explorer.parameters import Real
from explorer.workbench import registry
from helpers import random_states

WORDS = (
    "", " ", "auto", "nan", "inf", "-inf", "-1", "0", "1", "1e308", "-1e308", "1e999", "1e-320", "9" * 400, "0x10",
    "1_0",
    "٣", "²", "\0", "\ud800", "\u202e", "<script>alert(1)</script>", "'; DROP TABLE", "../../etc/passwd", "%s%n", "{}",
    "[]", "null", "true", "[" * 1000, "[" * 1000 + "]" * 1000, '{"1":' * 500 + "1" + "}" * 500, "[[1e308,1e308]]",
    "[[NaN,1]]", '{"0":[1e308,-1e308]}', '{"-1":[0,0]}', '{"99999":[0,0]}', '{"0":null}', '["P0"]', '["P1","P1"]',
    json.dumps([[i % 10, i % 7] for i in range(5000)]), json.dumps({str(i): [1, 1] for i in range(5000)}), "x" * 20_000,
)  # fmt: skip
UNKNOWN = ("bogus", "__class__", "lab", "v", "theme", "story", "step", "name", "seed ", "N", "🙂")


def link(name, rng):
    """Draw the parameters of a link to a lab."""
    words = _good(name, rng) if rng.random() < 0.6 else {}
    fields = registry.entry(name).lab.fields
    for field in rng.permutation(list(fields))[: rng.integers(0, 5)]:
        words[str(field)] = _extreme(fields[field], rng) if rng.random() < 0.6 else str(rng.choice(WORDS))
    if rng.random() < 0.2:
        words[str(rng.choice(UNKNOWN))] = str(rng.choice(WORDS))
    return words


def _good(name, rng):
    state = random_states.state(name, rng)
    return {field: word for field, word in state.flat().items() if field not in random_states.FIXED}


def _extreme(declared, rng):
    """Return an end of a field's bounds or of its slider, or a little beyond."""
    if isinstance(declared, param.Selector):
        return link_text(list(declared.objects)[rng.integers(len(declared.objects))])
    if not isinstance(declared, Real):
        return str(rng.choice(WORDS))
    ends = [end for end in (*(declared.bounds or ()), *(declared.softbounds or ())) if end is not None] or [1000]
    end = ends[rng.integers(len(ends))]
    beyond = [end, end + 1, end - 1, end * 1.0001, math.nextafter(end, math.inf)][rng.integers(5)]
    return link_text(declared.python_type(beyond)) if rng.random() < 0.8 else repr(beyond)


VALUES = (
    None, True, -1, 0, 3, 10**6, -(10**18), 1e308, -0.5, "", "3", "auto", "x" * 5000, [], [1, 2], [[1, 2]], {},
    {"x": 1},
    {"type": "number", "value": "nan"}, {"type": "number", "value": "+inf"}, {"type": "ref", "id": "p1"},
    {"id": "nobody"},
    {"type": "ndarray", "array": {"type": "bytes", "data": "AAAA"}, "shape": [9], "dtype": "float64",
    "order": "little"},
    {"type": "map", "entries": [["x", 1]]}, {"type": "nobody's"}, json.loads("[" * 100 + "]" * 100),
)  # fmt: skip
EVENTS = (
    "pan",
    "tap",
    "button_click",
    "document_ready",
    "connection_lost",
    "client_reconnected",
    "nobody's",
    "__init__",
)
KINDS = (
    "RootAdded",
    "RootRemoved",
    "TitleChanged",
    "ColumnsStreamed",
    "ColumnsPatched",
    "MessageSent",
    "Nobody's",
    7,
    None,
)
TYPES = ("PATCH-DOC", "PULL-DOC-REQ", "PUSH-DOC", "SERVER-INFO-REQ", "ACK", "OK", "ERROR", "NOBODY", "", 5, None)


def message(models, request, controls, rng):
    """Draw the frames of a message to a page, with the ids of its models and the names of its controls."""

    def any_of(words):
        return words[rng.integers(len(words))]

    def change(**event):
        return _frames({"msgid": "h", "msgtype": "PATCH-DOC"}, {}, {"events": [event]})

    kind = any_of(("question", "answerable", "answerable", "attribute", "event", "change", "frames", "bytes", "header"))
    if kind == "question":
        words = any_of((any_of(WORDS), json.dumps(any_of(VALUES)), json.dumps([any_of(VALUES), any_of(VALUES)])))
        return change(kind="ModelChanged", model={"id": request}, attr="asked", new=words)
    if kind == "answerable":
        values = {str(any_of((*controls, "nobody"))): [any_of(VALUES), any_of((True, False))] for _ in range(3)}
        words = json.dumps([int(rng.integers(1, 10**6)), values])
        return change(kind="ModelChanged", model={"id": request}, attr="asked", new=words)
    if kind == "attribute":
        model, attr = (
            any_of((*models, "nobody")),
            any_of(("value", "data", "active", "visible", "tags", "id", "nobody")),
        )
        return change(kind="ModelChanged", model={"id": model}, attr=attr, new=any_of(VALUES))
    if kind == "event":
        values = {"type": "map", "entries": [["model", {"id": any_of(models)}], ["x", any_of(VALUES)]]}
        data = {"type": "event", "name": any_of(EVENTS), "values": any_of((values, any_of(VALUES)))}
        return change(kind="MessageSent", msg_type="bokeh_event", msg_data=data)
    if kind == "change":
        return change(kind=any_of(KINDS), model={"id": any_of(models)}, new=any_of(VALUES), msg_data=any_of(VALUES))
    if kind == "frames":
        return [any_of(("{", "", "[]", "null", "{}", json.dumps(any_of(VALUES)))) for _ in range(rng.integers(1, 5))]
    if kind == "bytes":
        return [rng.bytes(int(rng.integers(0, 2000)))]
    header = {"msgid": any_of(VALUES), "msgtype": any_of(TYPES), "num_buffers": any_of((0, -1, 10**9, "2", None))}
    return _frames(header, any_of(VALUES), any_of(VALUES))


def _frames(*parts):
    return [json.dumps(part) for part in parts]
