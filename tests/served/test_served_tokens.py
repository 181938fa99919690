"""Session ids of a sender's choosing, and tokens that were made or taken elsewhere, open nothing."""

from __future__ import annotations

import asyncio
import re
import urllib.error
import urllib.request

import pytest
from bokeh.util.token import generate_jwt_token, get_session_id
from protocol import fetch, token_of, visit
from tornado.websocket import websocket_connect

from explorer.pages.connection import GONE

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


def session_of(url, **headers):
    """The id of the session that a page's HTML opens."""
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return get_session_id(token_of(answer.read().decode()))


async def closed_by(url, token):
    """The code by which the server closes a websocket."""
    socket = await websocket_connect(f"{url.replace('http', 'ws', 1)}/ws", subprotocols=["bokeh", token])
    assert await asyncio.wait_for(socket.read_message(), 60) is None
    socket.close()
    return socket.close_code


def test_a_page_takes_no_session_from_its_address_nor_from_a_header(server):
    url = f"{server.url}/shrinkage"
    theirs = token_of(asyncio.run(fetch(f"{url}?seed=5")))
    chosen = [
        session_of(f"{url}?bokeh-session-id=WORD"),
        session_of(f"{url}?bokeh-session-id={get_session_id(theirs)}"),
        session_of(f"{url}?bokeh-token={theirs}"),
        session_of(url, **{"Bokeh-Session-Id": get_session_id(theirs)}),
        session_of(url, Cookie=f"bokeh-session-id={get_session_id(theirs)}; bokeh-token={theirs}"),
    ]
    assert len({*chosen, get_session_id(theirs), "WORD"}) == 7


def test_made_tokens_and_those_of_another_page_are_refused(server):
    async def codes():
        url = f"{server.url}/shrinkage"
        token = token_of(await fetch(url))
        session = get_session_id(token)
        made = generate_jwt_token(session, signed=False, extra_payload={"page": "/shrinkage"})
        wrong = generate_jwt_token(session, b"guess", True, extra_payload={"page": "/shrinkage"})
        refused = [await closed_by(url, each) for each in (made, wrong, token[:-2], "x")]
        refused.append(await closed_by(f"{server.url}/dna", token))
        async with visit(url, token=token) as visitor:  # it does open its own page, and comes back to it
            (lasting,) = set(re.findall(r'"token","([^"]+)"', visitor.document))
            page = visitor.request
        assert await closed_by(f"{server.url}/dna", lasting) == GONE
        async with visit(url, token=lasting) as again:
            assert again.request == page
        return refused

    assert asyncio.run(codes()) == [GONE] * 5
    assert "Traceback" not in server.log.read_text()


def test_there_is_no_autoload_and_a_head_makes_no_session(server):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{server.url}/shrinkage/autoload.js?bokeh-autoload-element=x")
    head = urllib.request.Request(f"{server.url}/shrinkage", method="HEAD")
    with urllib.request.urlopen(head) as answer:
        assert (answer.status, answer.read()) == (200, b"")
