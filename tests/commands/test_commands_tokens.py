"""Which tokens open a session: ours, of this page, and those that come back only where the session is."""

from __future__ import annotations

import asyncio

import pytest
from bokeh.application import Application
from bokeh.application.handlers.function import FunctionHandler
from bokeh.server.contexts import ApplicationContext
from bokeh.server.tornado import BokehTornado
from bokeh.util.token import generate_jwt_token, generate_session_id, get_session_id

from explorer.commands.tokens import new_session, opens
from explorer.pages.connection import AGAIN

SECRET = b"a secret of a test"
SIGNING = {"secret_key": SECRET, "signed": True}


@pytest.fixture
def server():
    return BokehTornado({}, sign_sessions=True, secret_key=SECRET)


@pytest.fixture
def context():
    return ApplicationContext(Application(FunctionHandler(lambda doc: None)), url="/dna")


def made(secret=SECRET, expiration=300, **payload):
    """A token that somebody made, by default as the server would."""
    session = generate_session_id(secret_key=secret, signed=True)
    payload = {"page": "/dna", **payload}
    return generate_jwt_token(session, secret, True, extra_payload=payload, expiration=expiration)


def test_a_token_of_this_server_opens_its_page(server, context):
    session, token = new_session(server, context, {"arguments": {}})
    assert opens(server, context, token)
    assert get_session_id(token) == session


@pytest.mark.parametrize(
    "token",
    [
        None, "", ".", "x", "x.y", "e30.e30", "ä.ö", "_" * 99 + "." + "_" * 43,
        made(b"another secret"),
        made(expiration=-1),
        made(page="/shrinkage"),
        made(**{AGAIN: True}),  # its session is not here
        made().partition(".")[0],
        made()[:-1],
        generate_jwt_token("mine", signed=False, extra_payload={"page": "/dna"}),
        generate_jwt_token("mine", **SIGNING, extra_payload={"page": "/dna"}),  # an id that is not signed
        generate_jwt_token(generate_session_id(**SIGNING), **SIGNING),  # of no page
    ],
)  # fmt: skip
def test_no_other_token_opens_one(server, context, token):
    assert not opens(server, context, token)


def test_a_token_that_comes_back_opens_a_session_that_is_there(server, context):
    token = made(**{AGAIN: True})
    asyncio.run(context.create_session_if_needed(get_session_id(token), token=token))
    assert opens(server, context, token)
