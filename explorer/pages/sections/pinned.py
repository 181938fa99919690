"""Pin what is on the screen as A, move on, and see both: A's curves stay, and a table says what differs."""

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
    from explorer.pages.protocol import Page
    from explorer.workbench.result import Result


PIN, UNPIN, RESET = "Pin this as A", "Unpin A", "Reset"
SAME = "Nothing differs from A yet. Move a slider to compare."


class PinnedComparison(pn.viewable.Viewer):
    """A menu that pins and goes back, and the table of differences. `owner` is the page."""

    def __init__(self, owner: Page, **params: Any) -> None:
        super().__init__(**params)
        self.owner = owner
        self.pinned: Any = None  # the result that is A
        self.menu: DropdownMenu = DropdownMenu(
            lambda place: (self.toggle, owner.navigation.reset)[place](),
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
        """Pin the result that is shown, or unpin the one that is."""
        self.pinned = None if self.pinned is not None else self.owner.result
        with self.owner.hold():  # a press that follows close on a move comes without the document's lock
            self.menu.words = [translate(UNPIN if self.pinned else PIN), translate(RESET)]
            self.owner.view.pin(self.pinned)
            self.catch_up(self.owner.result)

    def catch_up(self, result: Result[Any]) -> None:
        """Say what differs between A and what is shown now."""
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
    """A field's value as its control says it."""
    if value is None:
        return "auto"
    if isinstance(field, Choice):
        return next(translate(word) for word, each in field.words.items() if each == value)
    return (
        minus(word(value))
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else short_name(str(value))
    )
