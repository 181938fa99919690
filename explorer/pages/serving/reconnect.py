"""Reconnection of a page: it reports a lost connection, ignores input, and reconnects by itself.

If the session still exists on the server, the browser fetches its document again. If it does not, as after a restart,
the page reloads its own address, which contains its whole state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bokeh.settings import settings
from bokeh.util.token import generate_jwt_token

from explorer.browser import call
from explorer.languages import translate
from explorer.marks.roles import colour

if TYPE_CHECKING:
    from bokeh.document import Document

    from explorer.pages.interaction.request_pacing import Request

LOST = "Connection lost. You can go on as soon as the server answers again."
FIRST, LONGEST = 0.5, 8  # seconds between two attempts, doubled from the first to the longest
SILENCE = 10  # seconds without an answer after which an attempt has failed
REFUSALS = 2  # number of refusals by a server that answers; then the page asks it for a new session
DAYS = 30  # number of days for which an open page can return to its session

SIGNING: dict[str, Any] = {}  # how this process signs tokens under `explorer serve`; empty for Bokeh's settings

# Names in a token's payload: the address for which it was issued, and that it only reopens its session.
PLACE, AGAIN = "explorer_place", "explorer_again"


def come_back(doc: Document, request: Request) -> None:
    """Connect a served page's browser with the functions that report a lost connection and restore it.

    `request` is the page's Request, whose property `page` identifies the page.
    """
    ground = colour("harm")
    arguments = {
        "request": request,
        "token": lasting_token(doc.session_context),
        "words": translate(LOST),
        "ground": ground,
        "first": FIRST,
        "longest": LONGEST,
        "silence": SILENCE,
        "most": REFUSALS,
    }
    doc.js_on_event("connection_lost", call("connection.lost", **arguments))
    doc.js_on_event("document_ready", call("connection.returned"))
    request.js_on_change("ended", call("connection.ended", request=request, ground=ground))


def sign_with(secret: bytes | None) -> None:
    """Set the secret with which this process signs tokens. Without a call Bokeh's settings decide."""
    SIGNING.update(secret_key=secret, signed=True)


def lasting_token(session: Any) -> str:
    """Return a token that opens a session again for DAYS days; a page's first token is valid for minutes only."""
    payload = {name: value for name, value in session.token_payload.items() if name != "session_expiry"}
    signing = SIGNING or {"secret_key": settings.secret_key_bytes(), "signed": settings.sign_sessions()}
    return generate_jwt_token(session.id, **signing, extra_payload={**payload, AGAIN: True}, expiration=DAYS * 86400)
