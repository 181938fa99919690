"""Display of a long computation over the pictures: its progress, and a button that cancels it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.browser import sheet
from explorer.languages import bind_language, translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import html
from explorer.pages.layout.theme import BUTTONS
from explorer.sweeps.progress import duration

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text

OVER = sheet("waiting")
LEAST = 1.0  # seconds; the duration of shorter work is not shown
LINE = markup("""<style>
.work {{ display: flex; align-items: center; gap: 10px; font-size: 13px; white-space: nowrap; }}
.work progress {{ width: 110px; height: 6px; accent-color: var(--ink); }}
</style>""")


class ProgressOverlay(pn.viewable.Viewer):
    """Text, a progress bar and a Cancel button, which calls `cancel()`. It is hidden while nothing takes long."""

    def __init__(self, cancel: Callable[[], object], **params: Any) -> None:
        super().__init__(**params)
        self.words: Text = html("", margin=0, sizing_mode=None)
        self.button: pmui.Button = pmui.Button(
            label=translate("Cancel"),
            variant="outlined",
            size="small",
            margin=0,
            stylesheets=[BUTTONS],
            on_click=bind_language(lambda event: cancel()),
        )
        self.row: pn.Row = pn.Row(self.words, self.button, visible=False, margin=0, stylesheets=[OVER])
        # the height is 0, so that nothing moves when the display appears or disappears
        self.place: pn.Column = pn.Column(
            self.row,
            height=0,
            margin=0,
            sizing_mode="stretch_width",
            styles={"position": "relative", "z-index": "6", "overflow": "visible"},
        )

    def __panel__(self) -> pn.Column:
        return self.place

    def say(self, done: int = 0, total: int = 1, seconds: float = 0.0) -> None:
        """Show that a computation is running, its expected duration in seconds, and the number of finished parts."""
        share = markup(" value='{}' max='{}'", done, total) if total > 1 else ""
        part = translate(", part {} of {}", done + 1, total) if total > 1 else ""
        if seconds >= LEAST:
            part += translate(", about {}", duration(seconds))
        self.words.object = markup(
            "{}<div class='work' role='status'>Computing{} <progress aria-label='progress of the"
            " computation'{}></progress></div>",
            LINE,
            part,
            share,
        )
        self.row.visible = True

    def hide(self) -> None:
        """Hide the display."""
        if self.row.visible:
            self.row.visible = False
