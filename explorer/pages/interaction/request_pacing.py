"""Pacing of requests: the browser sends the next one while fewer than two answers are pending.

A 60 Hz mouse sends more values than a page can draw, and a queue of them overloads the browser. So a moved control
keeps its newest value in the browser until the next request is allowed; values that the user skipped are never
computed. Two pending answers are one to be drawn and one that is computed in the meantime. With only one, the server
would be idle while the browser draws, because a busy browser handles the next move only after it has drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from bokeh.core.properties import Int, String
from bokeh.model import DataModel

from explorer.browser import call, on_change
from explorer.languages import bind_language

LARGEST = 2**53  # limit below which a browser represents every integer exactly


class Request(DataModel):
    """Model by which a page's browser and server exchange requests and answers.

    Parameters
    ----------
    *args, **kwargs
        Properties of the model.

    Attributes
    ----------
    asked : str
        The browser's request, JSON [serial number, {control: value}].
    answered : int
        The last serial number that the server has answered.
    placed : str
        The positions to which the server itself last moved controls, JSON {control: [serial number, value]}.
    page : str
        A random text that identifies the page: a browser recognises its own session by it after a lost connection.
    ended : str
        A sentence, once the server has closed the page.
    """

    asked: String = String(default="")
    answered: Int = Int(default=0)
    placed: String = String(default="{}")
    page: String = String(default="")
    ended: String = String(default="")


def question_of(text: Any) -> tuple[int, dict[str, Any]] | None:
    """Parse a request: return (serial number, {control: [value, drawn by the browser]}), or None if it is invalid."""
    try:
        serial, values = json.loads(text)
        well = isinstance(serial, int) and 0 < serial < LARGEST and all(_is_answerable(v) for v in values.values())
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return (serial, values) if well else None


def _is_answerable(said):
    return isinstance(said, list) and len(said) == 2 and isinstance(said[1], bool)


class Pacer:
    """Owner of a page's Request.

    Parameters
    ----------
    answer : callable
        Called with {control: (value, whether the browser drew it)}; it must call `done` in the end.
    """

    def __init__(self, answer: Callable[[dict[str, Any]], object]) -> None:
        self.request: Request = Request(page=uuid4().hex)
        self.live: bool = False  # a browser has sent a request; from then on widget events only repeat its requests
        self.asked: int = 0  # serial number of the newest request
        self._answer, self._placed = answer, {}
        self.request.on_change("asked", bind_language(self._on_request))
        self.request.js_on_change("answered", call("pacing.answered", request=self.request))

    def _on_request(self, attr, old, new):
        self.live = True
        if (question := question_of(new)) is not None:
            self.asked, values = question
            self._answer(values)

    def done(self, asked: int | None = None) -> None:
        """Acknowledge all requests so far, or those up to the serial number `asked`, so that the browser sends more."""
        self.request.update(answered=self.asked if asked is None else asked)

    def place(self, name: str, value: int) -> None:
        """Announce that the server is about to move a control to a value, as the browser names it."""
        self._placed[name] = (self._placed.get(name, (0,))[0] + 1, value)
        self.request.update(placed=json.dumps(self._placed))

    def follow(self, widget: Any, name: str, by: str = "pacing.follow", **models: Any) -> None:
        """Send a request for every move of a widget; `by` is the browser's function for this, which may draw first."""
        on_change(widget, "value", by, request=self.request, name=name, **models)
