"""Comparison with a pinned result, A: its curves stay in the pictures, and a table lists the differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import panel as pn

from explorer.languages import translate
from explorer.markup import joined, markup
from explorer.pages.layout.markup_pane import html
from explorer.pages.widgets.menus import DropdownMenu
from explorer.parameters import Choice, explicit_label
from explorer.printing import minus, short_name
from explorer.workbench.numbers import format_number, word

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text
    from explorer.pages.page_protocol import Page
    from explorer.views.view import View
    from explorer.workbench.result import Result


PIN, UNPIN, RESET = "Pin this as A", "Unpin A", "Reset"
SAME = "Nothing differs from A yet. Move a slider to compare."


class PinnedComparison(pn.viewable.Viewer):
    """Menu that pins a result and resets the page, and the table of differences. `owner` is the page."""

    def __init__(self, owner: Page, **params: Any) -> None:
        super().__init__(**params)
        self.owner = owner
        self.view: View = owner.view
        navigation = owner.navigation
        self.pinned: Any = None  # the pinned result, or None
        self.menu: DropdownMenu = DropdownMenu(
            lambda place: (self.toggle, navigation.reset)[place](),
            label=translate("Compare"),
            words=[translate(PIN), translate(RESET)],
            remarks=[
                translate("keeps this state in the pictures while you move on"),
                translate("goes back to the preset"),
            ],
            classes="right",
            margin=0,
        )
        self.table: Text = html("", visible=False)

    def __panel__(self) -> Text:
        return self.table

    def toggle(self, event: Any = None) -> None:
        """Pin the visible result, or unpin the pinned one."""
        self.pinned = None if self.pinned is not None else self.owner.result
        with self.owner.hold():  # a press shortly after a move arrives without the document's lock
            self.menu.words = [translate(UNPIN if self.pinned else PIN), translate(RESET)]
            self.view.pin(self.pinned)
            self.catch_up(self.owner.result)

    def unpin(self) -> None:
        """Unpin the pinned result, if there is one."""
        if self.pinned is not None:
            self.toggle()

    def catch_up(self, result: Result[Any]) -> None:
        """Update the table of differences between A and a result."""
        self.table.param.update(object=self._html(result) if self.pinned else "", visible=self.pinned is not None)

    def _html(self, result):
        fields = type(self.owner.lab).fields
        then, now = self.pinned.lab.values(), result.lab.values()
        rows = [
            (translate(explicit_label(field) or field.doc), _said(field, then[name]), _said(field, now[name]))
            for name, field in fields.items()
            if then[name] != now[name]
        ]
        a, b = self.owner.measures(self.pinned), self.owner.measures(result)
        rows += [
            (translate(name), format_number(a[name]), format_number(b[name]))
            for name in a
            if name in b and a[name] != b[name]
        ]
        if not rows:
            return markup("<div class='trust'>{}</div>", translate(SAME))
        body = joined(markup("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", what, a, b) for what, a, b in rows)
        head = markup("<tr><td></td><th>A, pinned</th><th>now</th></tr>")
        return markup("<div class='preview' tabindex='0'><table aria-label='A and now'>{}{}</table></div>", head, body)


def _said(field, value):
    """Return a field's value as text, as its control shows it."""
    if value is None:
        return "auto"
    if isinstance(field, Choice):
        return next(translate(word) for word, each in field.words.items() if each == value)
    return (
        minus(word(value))
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else short_name(str(value))
    )
