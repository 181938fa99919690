"""A session belongs to its visitor alone: its id cannot be chosen, and only this server's tokens open one."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id, get_session_id, get_token_payload
from helpers.protocol import fetch, token_of, visit
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

pytestmark = pytest.mark.thorough

CHOSEN = "WORD" * 11


async def told(url, **options):
    """Return (status, headers, body) of a request; no redirect is followed."""
    request = HTTPRequest(url, follow_redirects=False, **options)
    answer = await AsyncHTTPClient().fetch(request, raise_error=False)
    return answer.code, answer.headers, answer.body.decode(errors="replace")


async def refusal(url, token):
    """Return the status that a websocket with a token ends with, 101 if it is opened."""
    return await opened_by(url, ["bokeh", token])


async def opened_by(url, protocols):
    """Return the status that a websocket with these subprotocols ends with, 101 if it is opened."""
    try:
        socket = await websocket_connect(f"{url.replace('http', 'ws', 1)}/ws", subprotocols=protocols)
    except HTTPClientError as error:
        return error.code
    socket.close()
    return 101


def lasting(document):
    """Return the token by which a page comes back, as its document has it."""
    return re.search(r'\["token","([\w.-]+)"\]', document)[1]


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        (f"?data=1&bokeh-session-id={CHOSEN}", {}),
        (f"?bokeh-token={generate_jwt_token(generate_session_id(), signed=False)}", {}),
        ("", {"Bokeh-Session-Id": CHOSEN}),
        ("", {"Cookie": f"bokeh-session-id={CHOSEN}; bokeh-token={CHOSEN}"}),
    ],
)
def test_a_session_is_never_chosen_by_who_writes_its_address(server, query, headers):
    async def ids():
        answers = [await told(f"{server.url}/shrinkage{query}", headers=headers) for _ in range(2)]
        return [get_session_id(token_of(body)) for _, _, body in answers]

    first, second = asyncio.run(ids())
    assert first != second
    assert CHOSEN not in (first, second)
    assert "." in first


def test_a_visitor_s_own_id_in_an_address_leads_to_another_session(server):
    async def ids():
        async with visit(f"{server.url}/shrinkage?seed=7"):
            own = get_session_id(token_of(await fetch(f"{server.url}/shrinkage")))
            found = [get_session_id(token_of(await fetch(f"{server.url}/shrinkage?bokeh-session-id={own}")))]
            _, _, body = await told(f"{server.url}/shrinkage", headers={"Bokeh-Session-Id": own})
            return own, [*found, get_session_id(token_of(body))]

    own, found = asyncio.run(ids())
    assert own not in found


def test_tokens_that_are_made_or_changed_or_of_another_page_are_refused(server):
    async def statuses():
        good = token_of(await fetch(f"{server.url}/shrinkage"))
        session, (body, _, signature) = get_session_id(good), good.partition(".")
        payload = get_token_payload(good)
        payload.pop("session_expiry")
        other = {"secret_key": b"guessed", "signed": True}
        made = {
            "none": "",
            "a word": "x",
            "brackets": "W10.W10",
            "deep brackets": f"{'W1tb' * 2000}.x",
            "no signature": generate_jwt_token(session, signed=False, extra_payload=payload),
            "another key": generate_jwt_token(session, **other, extra_payload=payload),
            "another signature": f"{body}.{'A' * len(signature)}",
            "another session": f"{generate_jwt_token(generate_session_id(), signed=False)}.{signature}",
        }
        refused = {name: await refusal(f"{server.url}/shrinkage", token) for name, token in made.items()}
        refused["another page"] = await refusal(f"{server.url}/dna", good)
        return refused, await refusal(f"{server.url}/shrinkage", good)

    refused, good = asyncio.run(statuses())
    assert set(refused.values()) == {403}, refused
    assert good == 101


def test_a_token_comes_back_to_its_session_alone_and_at_its_own_address(server):
    async def statuses():
        async with visit(f"{server.url}/shrinkage?seed=3") as visitor:
            token, session = lasting(visitor.document), visitor.request
            async with visit(f"{server.url}/shrinkage?seed=9", token=token) as again:
                assert again.request == session
            elsewhere = await refusal(f"{server.url}/dna", token)
        payload = get_token_payload(token)
        return elsewhere, payload

    elsewhere, payload = asyncio.run(statuses())
    assert elsewhere == 403
    assert payload["explorer_again"]


@pytest.mark.parametrize(
    ("path", "status", "leads"),
    [
        ("/shrinkage/?n=5&lam=.1", 308, "../shrinkage?n=5&lam=.1"),
        ("/home/", 308, "../home"),
        ("/", 200, None),
        ("/nowhere", 404, None),
        ("//evil.example/", 404, None),
        ("//evil.example/shrinkage/", 404, None),
        ("/shrinkage//", 404, None),
        ("/shrinkage/autoload.js?bokeh-autoload-element=x", 404, None),
        ("/static/nothing.js", 404, None),
    ],
)
def test_an_address_with_a_slash_too_many_leads_to_the_page_and_a_strange_one_home(server, path, status, leads):
    code, headers, _ = asyncio.run(told(f"{server.url}{path}"))
    assert (code, headers.get("Location")) == (status, leads)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_a_page_lets_only_scripts_of_ours_run_and_no_other_site_frame_it(server):
    async def answers():
        return [await told(f"{server.url}/{name}") for name in ("shrinkage", "shrinkage", "dna", "")]

    nonces = set()
    for _, headers, body in asyncio.run(answers()):
        policy = dict(each.strip().split(" ", 1) for each in headers["Content-Security-Policy"].split(";"))
        assert "'unsafe-inline'" not in policy["script-src"]
        assert policy["frame-ancestors"] == "'self'"
        assert "Access-Control-Allow-Origin" not in headers
        nonces |= {re.search(r"'nonce-([\w-]+)'", policy["script-src"])[1]}
        inline = re.findall(r"<script(?![^>]* src=)([^>]*)>", body)
        assert len(inline) > 3
        assert [each for each in inline if not re.search(r'nonce="[\w-]{20,}"', each)] == []
    assert len(nonces) == 4


def test_head_makes_no_session_and_metadata_names_none(server):
    code, headers, body = asyncio.run(told(f"{server.url}/shrinkage", method="HEAD"))
    assert (code, body) == (200, "")
    assert headers["Cache-Control"] == "no-store"
    code, _, body = asyncio.run(told(f"{server.url}/shrinkage/metadata?bokeh-session-id={CHOSEN}"))
    assert (code, json.loads(body)) == (200, {"url": "/shrinkage", "data": {}})


ODD = (
    "/static/..%00/", "/static/%00", "/static/js/a%00.js", "/static/extensions/panel/..%00/x", "/static/%2e%2e/..",
    "/static/..%2f..%2fetc%2fpasswd", "/static/%ff%fe", "/static/%c0%ae%c0%ae/", f"/static/{'a' * 5000}", "/%00",
    "/static/%",
)  # fmt: skip


def test_odd_paths_lead_nowhere_and_leave_no_traceback(server):
    before = server.log.read_text().count("Traceback")
    codes = [asyncio.run(told(server.url.removesuffix("/") + path))[0] for path in ODD]
    assert set(codes) <= {400, 403, 404}
    assert server.log.read_text().count("Traceback") == before


def test_a_websocket_asks_for_our_protocol_and_one_token(server):
    async def statuses():
        token = token_of(await fetch(f"{server.url}/shrinkage"))
        lists = (
            ["x", token],
            [token],
            ["bokeh"],
            ["x", "bokeh", token],
            ["bokeh", token, token],
            ["BOKEH", token],
            ["x"],
        )
        return [await opened_by(f"{server.url}/shrinkage", each) for each in lists], await opened_by(
            f"{server.url}/shrinkage", ["bokeh", token]
        )

    before = server.log.read_text().count("Traceback")
    refused, taken = asyncio.run(statuses())
    assert (set(refused), taken) == ({403}, 101)
    assert server.log.read_text().count("Traceback") == before


def test_an_unfinished_body_is_refused(server):
    code, _, body = asyncio.run(told(f"{server.url}/healthz", method="POST", body=b"x" * 100_000))
    assert code == 413
    assert "64,000 bytes" in body
