"""The browser sets the pace: it asks for the next value only once it has the last answer, and draws that meanwhile.

A 60 Hz mouse sends more values than a page can draw, and a queue of them starves the browser. So a moved control leaves its
newest value in the browser, where one request at a time is under way; what the hand skipped is never computed.
"""

from __future__ import annotations

import json

from bokeh.core.properties import Int, String
from bokeh.model import DataModel
from bokeh.models import CustomJS


class Request(DataModel):
    """One question of the browser, as JSON [serial number, {control: value}], how many were answered, and, as JSON
    {control: [serial number, value]}, where the server last put a control itself."""

    asked = String(default="")
    answered = Int(default=0)
    placed = String(default="{}")


# a control that the server has moved asks nothing; any other move is the hand's
SETUP = "const s = (request._state ??= {busy: false, next: null, serial: 0, seen: {}})"
GUARD = """
const [serial, place] = JSON.parse(request.placed)[name] ?? [0, null]
const echo = s.seen[name] !== serial && place === cb_obj.value
s.seen[name] = serial
if (echo) return
"""

# leave the newest value of a control; ask now unless an answer is awaited (five seconds without one count as lost)
ASK = """
s.send ??= () => { const next = s.next; s.next = null; s.busy = true; s.since = performance.now()
                   request.asked = JSON.stringify([++s.serial, next]) }
s.next = {...(s.next ?? {}), [name]: [value, drawn]}
if (!s.busy || performance.now() - s.since > 5000) s.send()
"""

ANSWERED = """
const s = request._state
if (s) setTimeout(() => { if (s.next) s.send(); else s.busy = false }, 0)
"""


class Pacer:
    """Owns a page's Request; `answer` gets {control: (value, whether the browser drew it)} and must, in the end, call `done`."""

    def __init__(self, answer):
        self.request = Request()
        self.live = False  # a browser has asked: from then on widget events are only echoes of what it asked
        self._answer, self._placed = answer, {}
        self.request.on_change("asked", self._asked)
        self.request.js_on_change("answered", CustomJS(args={"request": self.request}, code=ANSWERED))

    def _asked(self, attr, old, new):
        self.live = True
        self._answer(json.loads(new)[1])

    def done(self):
        """Let the browser ask again."""
        self.request.answered += 1

    def place(self, name, value):
        """Say that the server is about to put a control at a value, as the browser names it."""
        self._placed[name] = (self._placed.get(name, (0,))[0] + 1, value)
        self.request.placed = json.dumps(self._placed)

    def follow(self, widget, name, draw="let drawn = false", **models):
        """Ask with every move of a widget; `draw` is what the browser does by itself first, and sets `drawn`."""
        widget.jscallback(args={"request": self.request, "name": name, **models},
                          value=f"{SETUP}{GUARD}{draw}\nconst value = cb_obj.value\n{ASK}")  # fmt: skip
