"""Pin what is on the screen as A, move on, and see both: A's curves stay, and a table says what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.markup import joined, markup
from explorer.printing import minus, short
from explorer.workbench.numbers import number, word

from .text import html
from .theme import TOOL

if TYPE_CHECKING:
    from explorer.workbench.result import Result

    from .owner import Page
    from .text import Text


class Comparison(pn.viewable.Viewer):
    """The button that pins, and the table of differences. `owner` is the page."""

    def __init__(self, owner: Page, **params: Any) -> None:
        super().__init__(**params)
        self.owner = owner
        self.pinned: Any = None  # the result that is A
        self.button: pmui.Button = pmui.Button(label="Pin A", icon="push_pin", on_click=self.toggle, **TOOL)
        self.table: Text = html("", visible=False)

    def __panel__(self) -> Text:
        return self.table

    def toggle(self, event: Any = None) -> None:
        """Pin the result that is shown, or unpin the one that is."""
        self.pinned = None if self.pinned is not None else self.owner.result
        with self.owner.hold():  # a press that follows close on a move comes without the document's lock
            self.button.label = "Unpin A" if self.pinned else "Pin A"
            self.owner.view.pin(self.pinned)
            self.catch_up(self.owner.result)

    def catch_up(self, result: Result[Any]) -> None:
        """Say what differs between A and what is shown now."""
        self.table.param.update(object=self._html(result) if self.pinned else "", visible=self.pinned is not None)

    def _html(self, result):
        fields = type(self.owner.lab).fields
        then, now = self.pinned.lab.values(), result.lab.values()
        rows = [
            (field.doc, _said(then[name]), _said(now[name]))
            for name, field in fields.items()
            if then[name] != now[name]
        ]
        a, b = self.owner.measures(self.pinned), self.owner.measures(result)
        rows += [(name, number(a[name]), number(b[name])) for name in a if name in b]
        body = joined(markup("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", what, a, b) for what, a, b in rows)
        head = markup("<tr><td></td><th>A, pinned</th><th>now</th></tr>")
        return markup("<div class='preview' tabindex='0'><table aria-label='A and now'>{}{}</table></div>", head, body)


def _said(value):
    if value is None:
        return "auto"
    return minus(word(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else short(str(value))
