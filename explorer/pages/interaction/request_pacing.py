"""The browser sets the pace: it asks while fewer than two answers are awaited, one to be drawn, one to be computed
meanwhile.

A 60 Hz mouse sends more values than a page can draw, and a queue of them starves the browser. So a moved control leaves
its newest value in the browser until it may be asked for; what the hand skipped is never computed. One question at a
time would leave the server idle while the browser draws: a busy browser hears of the next move only after it has drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from bokeh.core.properties import Int, String
from bokeh.model import DataModel

from explorer.browser import call, on_change

LARGEST = 2**53  # below it every whole number is one in a browser too


class Request(DataModel):
    """What browser and server say to each other.

    asked     the browser's question, JSON [serial number, {control: value}]
    answered  the last serial number that the server has answered
    placed    where the server last put a control itself, JSON {control: [serial number, value]}
    page      a word that no other page has: by it a browser knows its own session after a lost connection
    ended     a sentence, once the server has let the page go
    """

    asked: String = String(default="")
    answered: Int = Int(default=0)
    placed: String = String(default="{}")
    page: String = String(default="")
    ended: String = String(default="")


def question_of(text: Any) -> tuple[int, dict[str, Any]] | None:
    """(serial number, {control: [value, whether the browser drew it]}) of a question; None of what no page asks."""
    try:
        serial, values = json.loads(text)
        well = isinstance(serial, int) and 0 < serial < LARGEST and all(_is_answerable(v) for v in values.values())
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return (serial, values) if well else None


def _is_answerable(said):
    return isinstance(said, list) and len(said) == 2 and isinstance(said[1], bool)


class Pacer:
    """Owns a page's Request.

    answer  a function of {control: (value, whether the browser drew it)}, which must, in the end, call `done`
    """

    def __init__(self, answer: Callable[[dict[str, Any]], object]) -> None:
        self.request: Request = Request(page=uuid4().hex)
        self.live: bool = False  # a browser has asked: from then on widget events are only echoes of what it asked
        self.asked: int = 0  # the serial number of the newest question
        self._answer, self._placed = answer, {}
        self.request.on_change("asked", self._on_request)
        self.request.js_on_change("answered", call("pacing.answered", request=self.request))

    def _on_request(self, attr, old, new):
        self.live = True
        if (question := question_of(new)) is not None:
            self.asked, values = question
            self._answer(values)

    def done(self, asked: int | None = None) -> None:
        """Let the browser ask again: all that it has asked is answered, or all up to the question `asked`."""
        self.request.update(answered=self.asked if asked is None else asked)

    def place(self, name: str, value: int) -> None:
        """Say that the server is about to put a control at a value, as the browser names it."""
        self._placed[name] = (self._placed.get(name, (0,))[0] + 1, value)
        self.request.update(placed=json.dumps(self._placed))

    def follow(self, widget: Any, name: str, by: str = "pacing.follow", **models: Any) -> None:
        """Ask with every move of a widget; `by` is the function that does so, which may draw first."""
        on_change(widget, "value", by, request=self.request, name=name, **models)
