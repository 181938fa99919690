"""A film of what Play shows at the page's state: a thread makes it, the page says so, and a hand may cancel it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import panel as pn

from explorer.cancellation import Cancelled, cancelled_by
from explorer.exports.film import WIDTH, Film, film_seconds
from explorer.exports.footage import KINDS, has_encoder
from explorer.pages.widgets.progress import ProgressOverlay
from explorer.workbench.safe_call import run_safely

if TYPE_CHECKING:
    from explorer.pages.protocol import Page
    from explorer.workbench.lab import Lab

FILMS = {"Film (GIF)": "gif", "Film (MP4)": "mp4"}  # what its button says -> the kind of file


class FilmExport:
    """Films of a page, `owner`: `give(ending, text)` takes one, in base64. One is under way at a time."""

    def __init__(self, owner: Page, give: Callable[[str, str], object]) -> None:
        self.owner = owner
        self.give = give
        self.waiting: ProgressOverlay = ProgressOverlay(self.cancel)
        # a page opens sooner without what a film alone needs
        self.place: pn.Column = pn.Column(margin=0, sizing_mode="stretch_width")
        self.wanted: object = None  # what stands for the film that is under way

    @property
    def offered(self) -> dict[str, str]:
        """In words -> the kind of each film that can be made here; none where nothing plays."""
        if not (self.owner.plays and self.owner.lab.played):
            return {}
        return {words: kind for words, kind in FILMS.items() if kind != "mp4" or has_encoder()}

    def begin(self, kind: str) -> None:
        """Let a thread make a film of the state on the screen, on the ground that it has there."""
        owner, token, lab = self.owner, object(), self.owner.lab.replace()
        lab.begin_with(owner.result)  # what is shown is not computed again
        self.wanted, seconds = token, film_seconds(lab)
        make = partial(_made, lab, kind, owner.chrome.page.dark_theme, lambda: self._is_unwanted(token))
        if not self.place.objects:
            self.place.append(self.waiting)
        self.waiting.say(seconds=seconds)
        owner.in_thread(make, partial(self._take, token, f".{kind}"), seconds)

    def cancel(self) -> None:
        """Give up the film that is under way."""
        self.wanted = None
        self.waiting.hide()

    def _is_unwanted(self, token):
        return self.wanted is not token or self.owner.lab_session.is_closed

    def _take(self, token, ending, made):
        if self._is_unwanted(token):
            return
        self.cancel()
        film, refused = made
        if refused:
            self.owner.chrome.say([refused])
        else:
            self.give(ending, base64.b64encode(film).decode())


def _made(lab: Lab, kind: str, dark: bool, stopped: Callable[[], bool]) -> tuple[bytes | None, str]:
    """(the film, no sentence), or (None, why there is none)."""
    try:
        with cancelled_by(stopped):
            return run_safely(lambda: KINDS[kind](Film.of(lab, WIDTH, dark), None), f"a film of {lab}")
    except Cancelled:
        return None, ""
