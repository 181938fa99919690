"""Paste box: a text field whose text is sent when its button is pressed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from explorer.browser import component, sheet
from explorer.checks import Refusal
from explorer.datasets.files import contents

from .upload import Refuse

MOST = 5_000_000  # most characters that the browser sends; a longer message would end the connection


class PasteBox(JSComponent):
    """Paste box, folded at first. `take(raw)` receives the text as bytes, `refuse(sentence)` a refusal's reason."""

    label: param.String[str] = param.String("Or paste a table", doc="the label of the box")
    hint: param.String[str] = param.String(doc="an example of a pasted text")
    most: param.Integer[int] = param.Integer(MOST, doc="most characters that are sent")

    _esm = component("paste.paste")
    _stylesheets: ClassVar[list[str]] = [sheet("paste")]

    def __init__(self, take: Callable[[bytes], Awaitable[None]], refuse: Refuse, **params: Any) -> None:
        super().__init__(**params)
        self._take, self._refuse = take, refuse
        self.on_msg(self._pressed)

    async def _pressed(self, event):
        try:
            raw = _pasted(event.data)
        except Refusal as refusal:
            self._refuse(str(refusal))
        else:
            await self._take(raw)


def _pasted(text):
    """Return the bytes of a pasted text.

    Raises
    ------
    Refusal
        If the text is too long or empty.
    """
    if text is not None and not isinstance(text, str):
        raise Refusal("The pasted text arrived damaged; paste it again.")
    if text is None or len(text) > MOST:
        raise Refusal("The pasted text has more than {:,} letters; save it as a file and drop that instead.", MOST)
    if not text.strip():
        raise Refusal("The box is empty; paste a table into it first.")
    raw = text.encode("utf-8", "replace")
    if len(raw) > contents.MEGABYTES * 1_000_000:
        raise contents.too_large_error("The pasted text")
    return raw
