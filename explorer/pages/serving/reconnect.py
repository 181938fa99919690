"""A lost connection: the page says so, takes no hand, and comes back by itself.

Where the session still lives on the server, the browser takes its document anew. Where it is gone, as after a restart,
the page loads its own address again, which has its whole state.
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
FIRST, LONGEST = 0.5, 8  # s from one attempt to the next, doubled from the first to the longest
SILENCE = 10  # s without an answer after which an attempt has failed
REFUSALS = 2  # by a server that answers, after which the page asks it for a new session
DAYS = 30  # that a page may lie open and still come back to its session

SIGNING: dict[str, Any] = {}  # of this process: how `explorer serve` signs tokens

# what the words of a token say: the address that it was given for, and that it only comes back to its session
PLACE, AGAIN = "explorer_place", "explorer_again"


def come_back(doc: Document, request: Request) -> None:
    """Let a served page's browser say that the connection is lost, and mend it.

    `request` is a model of the page whose `page` no other page has.
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
    """Let the tokens of this process be signed so; without it Bokeh's settings say how."""
    SIGNING.update(secret_key=secret, signed=True)


def lasting_token(session: Any) -> str:
    """A token that opens a session again; the one that came with the page does so for its first minutes alone."""
    payload = {name: value for name, value in session.token_payload.items() if name != "session_expiry"}
    signing = SIGNING or {"secret_key": settings.secret_key_bytes(), "signed": settings.sign_sessions()}
    return generate_jwt_token(session.id, **signing, extra_payload={**payload, AGAIN: True}, expiration=DAYS * 86400)
