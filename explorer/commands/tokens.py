"""Which sessions a websocket opens: those of this server's own tokens, each at the page that it was made for.

A token is whoever's holds it, so it lives shortly: five minutes to open a new session, and for as long as the session
lives to come back to it. Ids and tokens that a request brings in its address, headers or cookies are not looked at.
"""

from __future__ import annotations

import time
import zlib

from bokeh.protocol.exceptions import ProtocolError
from bokeh.server.views import session_handler
from bokeh.util.token import check_token_signature, generate_jwt_token, get_session_id, get_token_payload
from panel.io.server import WSHandler

from explorer.pages.connection import AGAIN, GONE

PAGE = "page"  # the word of a token that names the address of its page
WHY = "this server has no such session; open the page again"


def new_session(server, context, payload):
    """(the id of a session of a page that is yet to be made, the token that opens it)."""
    signing = {"secret_key": server.secret_key, "signed": server.sign_sessions}
    session = session_handler.generate_session_id(**signing)
    payload = {**payload, PAGE: context.url}
    expiration = server.session_token_expiration
    return session, generate_jwt_token(session, **signing, expiration=expiration, extra_payload=payload)


def opens(server, context, token):
    """Whether a token opens a session of this page: it is signed here, for this page, and no session is made again."""
    try:
        if not check_token_signature(token, secret_key=server.secret_key, signed=server.sign_sessions):
            return False
        payload = get_token_payload(token)
        if payload.get(PAGE) != context.url or payload["session_expiry"] <= time.time():
            return False
        if AGAIN in payload:
            context.get_session(get_session_id(token))
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError, zlib.error):
        return False  # Bokeh decodes a token before it compares signatures, and these are what odd words end in
    except ProtocolError:
        return False
    return True


class Socket(WSHandler):
    """The websocket of a page. What its token does not open, it closes by GONE, and the page opens its link again."""

    def open(self, *args, **kwargs):
        """Open a session, or say that there is none."""
        token = self._token
        if self.selected_subprotocol != "bokeh" or not opens(self.application, self.application_context, token):
            self.close(GONE, WHY)
            return None
        return super().open(*args, **kwargs)
