"""Film export: a thread makes a film of what Play shows at the page's state, and the user can cancel it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import panel as pn

from explorer.execution.cancellation import Cancelled, cancelled_by
from explorer.exports.film import WIDTH, Film, film_seconds
from explorer.exports.footage import KINDS, has_encoder
from explorer.languages import message
from explorer.pages.widgets.progress import ProgressOverlay
from explorer.workbench.safe_call import run_safely

if TYPE_CHECKING:
    from explorer.pages.page_protocol import Page
    from explorer.workbench.lab import Lab
    from explorer.workbench.lab_session import LabSession

FILMS = {message("Film (GIF)"): "gif", message("Film (MP4)"): "mp4"}  # label of the button -> kind of file


class FilmExport:
    """Films of a page, `owner`, one at a time. `give(ending, text)` receives a finished film in base64."""

    def __init__(self, owner: Page, give: Callable[[str, str], object]) -> None:
        self.owner = owner
        self.session: LabSession = owner.lab_session
        self.give = give
        self.waiting: ProgressOverlay = ProgressOverlay(self.cancel)
        # filled with the first film, because the page opens faster without it
        self.place: pn.Column = pn.Column(margin=0, sizing_mode="stretch_width")
        self.wanted: object = None  # identifies the film that is being made; None if there is none

    @property
    def offered(self) -> dict[str, str]:
        """The films that can be made: label -> kind of file. Empty if the lab does not play."""
        if not (self.owner.plays and self.owner.main_field):
            return {}
        return {words: kind for words, kind in FILMS.items() if kind != "mp4" or has_encoder()}

    def begin(self, kind: str) -> None:
        """Start a thread that makes a film of the current state, in the page's light or dark theme."""
        owner, token, lab, chrome = self.owner, object(), self.owner.lab, self.owner.chrome
        lab = lab.copy_with(owner.result)
        self.wanted, seconds = token, film_seconds(lab)
        make = partial(_made, lab, kind, chrome.is_dark, lambda: self._is_unwanted(token))
        if not self.place.objects:
            self.place.append(self.waiting)
        self.waiting.say(seconds=seconds)
        owner.in_thread(make, partial(self._take, token, f".{kind}"), seconds)

    def cancel(self) -> None:
        """Cancel the film that is being made."""
        self.wanted = None
        self.waiting.hide()

    def _is_unwanted(self, token):
        return self.wanted is not token or self.session.is_closed

    def _take(self, token, ending, made):
        if self._is_unwanted(token):
            return
        self.cancel()
        film, refused = made
        if refused:
            self.owner.say([refused])
        else:
            self.give(ending, base64.b64encode(film).decode())


def _made(lab: Lab, kind: str, dark: bool, stopped: Callable[[], bool]) -> tuple[bytes | None, str]:
    """Return (film, "") on success, (None, message) on failure, or (None, "") if it was cancelled."""
    try:
        with cancelled_by(stopped):
            return run_safely(lambda: KINDS[kind](Film.of(lab, WIDTH, dark), None), f"a film of {lab}")
    except Cancelled:
        return None, ""
