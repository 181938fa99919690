"""Hostile request bodies: large, slow, in chunks, unfinished; and unknown paths."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import pytest
from helpers.server_process import until_async
from tornado.web import Application, RequestHandler

from explorer.pages.serving import body_limits
from explorer.pages.serving.body_limits import LimitedServer

LARGEST, TOTAL = 1000, 2500  # bytes, the limits of one body and of all


class Echo(RequestHandler):
    """Handler that answers with the number of bytes it was sent."""

    def post(self):
        self.write(f"{len(self.request.body)} bytes")

    get = put = post


@pytest.fixture
def ask(monkeypatch):
    """Return a function that sends the parts of a request to a server and returns the whole answer."""
    for name, value in {"LARGEST": LARGEST, "TOTAL": TOTAL, "SECONDS": 30, "LINGER": 0.1}.items():
        monkeypatch.setattr(body_limits, name, value)

    def asked(*requests):
        return asyncio.run(_asked(requests))

    return asked


async def _asked(requests):
    """Return the answers to simultaneous requests, and the bytes of bodies that the server still holds."""
    server = LimitedServer(Application([(".*", Echo)]))
    with socket.create_server(("localhost", 0)) as listening:
        listening.setblocking(False)
        server.add_socket(listening)
        port = listening.getsockname()[1]
        answers = await asyncio.gather(*(_answer(server, port, parts) for parts in requests))
        server.stop()
    return [*answers, server.arriving]


async def _answer(server, port, parts):
    reader, writer = await asyncio.open_connection("localhost", port)
    said = asyncio.ensure_future(_read(reader))
    with suppress(ConnectionError):  # the server may close before everything is sent
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.01)
    answer = await asyncio.wait_for(said, 20)
    writer.close()
    return answer


async def _read(reader):
    said = b""
    with suppress(ConnectionError):
        while part := await reader.read(65536):
            said += part
    return said.decode()


def request(head, method="POST", path="/"):
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{head}\r\n".encode()


def sized(size):
    return request(f"Content-Length: {size}\r\n")


def chunks(*sizes):
    return [request("Transfer-Encoding: chunked\r\n"), *(f"{n:x}\r\n".encode() + b"x" * n + b"\r\n" for n in sizes)]


def status(answer):
    """Return the status code, after checking that there is only one answer."""
    assert answer.count("HTTP/1.1 ") == 1
    return int(answer.split()[1])


@pytest.mark.parametrize(
    "parts",
    [
        [request("")],
        [sized(0)],
        [sized(LARGEST), b"x" * LARGEST],
        [sized(4), b"ab", b"cd"],
        [*chunks(1, 2, 500, 400), b"0\r\n\r\n"],
        [request("Content-Length: 3, 3\r\n"), b"abc"],
    ],
)
def test_a_small_body_arrives(ask, parts):
    answer, held = ask(parts)
    assert status(answer) == 200
    size = sum(len(part) for part in parts[1:]) if b"chunked" not in parts[0] else 903
    assert answer.endswith(f"{size} bytes")
    assert held == 0


@pytest.mark.parametrize("method", ["POST", "PUT", "GET", "PATCH", "NOBODYS"])
@pytest.mark.parametrize(
    "parts",
    [
        [b"Content-Length: 60000001\r\n"],
        [b"Content-Length: 1001\r\n", b"x" * 1001],
        [b"Content-Length: 1001\r\nExpect: 100-continue\r\n"],
        [b"Content-Length: " + b"9" * 30 + b"\r\n"],
        [b"Content-Length: " + b"9" * 5000 + b"\r\n", b"x" * 500],
        [b"Transfer-Encoding: chunked\r\n", b"fffffffffffff\r\n", *[b"x" * 400] * 4],
        [b"Transfer-Encoding: chunked\r\n", *[b"1\r\nx\r\n" * 300] * 4],
    ],
    ids=lambda parts: ascii(parts[0][:40]),
)
def test_a_large_body_is_refused_and_not_held(ask, method, parts):
    head, *rest = parts
    answer, held = ask([request(head.decode(), method), *rest])
    assert status(answer) == 413
    assert "choose" not in answer.split("\r\n\r\n")[0]
    assert held == 0


@pytest.mark.parametrize(
    "parts", [[sized(100)], [sized(100), b"x" * 99], [sized(100), *[b"x"] * 30], chunks(*[1] * 30), chunks()]
)
def test_a_slow_body_is_refused_and_not_held(ask, parts, monkeypatch):
    monkeypatch.setattr(body_limits, "SECONDS", 0.1)
    answer, held = ask(parts)
    assert status(answer) == 408
    assert held == 0


@pytest.mark.parametrize(
    "head",
    ["Content-Length: -1\r\n", "Content-Length: x\r\n", "Content-Length: 5, 6\r\n", "Content-Length: 1_0\r\n",
     "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
)  # fmt: skip
def test_a_length_that_is_none_is_refused(ask, head):
    answer, held = ask([request(head), b"xxxxx"])
    assert status(answer) == 400
    assert held == 0


def test_bodies_that_come_together_have_a_total(ask, monkeypatch):
    monkeypatch.setattr(body_limits, "SECONDS", 0.3)
    *answers, held = ask(*([sized(LARGEST), b"x" * 900] for _ in range(4)))
    assert sorted(map(status, answers)) == [408, 408, 413, 413] or sorted(map(status, answers)) == [408, 408, 408, 413]
    assert held == 0


def test_a_visitor_who_leaves_is_held_no_more(ask, monkeypatch):
    monkeypatch.setattr(body_limits, "SECONDS", 60)

    async def leave(server, port, parts):
        _, writer = await asyncio.open_connection("localhost", port)
        writer.write(b"".join(parts))
        await until_async(lambda: server.arriving, "bytes that are held")
        writer.close()
        await until_async(lambda: not server.arriving, "their end")

    monkeypatch.setitem(globals(), "_answer", leave)
    assert ask([sized(LARGEST), b"x" * 900])[-1] == 0


@pytest.mark.parametrize("path", ["/static/..%00/", "/%00", "/a%00b.js", "/static/js/%2e%2e/%00"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_path_with_a_null_leads_nowhere(ask, method, path):
    answer, _ = ask([request("", method, path)])
    assert status(answer) == 404


def test_a_null_in_the_words_of_a_link_is_the_page_s_own_matter(ask):
    assert status(ask([request("", "GET", "/?file=%00")])[0]) == 200
