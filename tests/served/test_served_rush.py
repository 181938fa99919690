"""Many pages at once: workers share them, and a server that is full says so."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

import pytest
from bokeh.util.token import get_session_id
from helpers.explorer_server import ExplorerServer
from helpers.protocol import fetch, token_of, visit
from tornado.httpclient import AsyncHTTPClient, HTTPRequest

from explorer.commands.websockets import FULL
from explorer.commands.worker_routing import worker_of
from explorer.pages.user_data.inputs.upload import Upload
from explorer.workbench import registry

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

RUSH, WORKERS = 16, 2
IDLE, MORE = 500, 40
RESTING, LATEST = 0.5, 300  # most share of a core for idle tabs, and seconds until their deferred stages are done
LONGEST = 20  # most seconds to open one of 40 more tabs, eight at a time


@pytest.fixture
def workers(tmp_path_factory):
    """Start `explorer serve` with two workers."""
    started = ExplorerServer(tmp_path_factory.mktemp("rush") / "log", "--workers", str(WORKERS))
    yield started
    started.stop()


async def owners(url, pause):
    """Return the workers of a rush of pages, some seconds apart."""

    async def one(i):
        await asyncio.sleep(pause * i)
        return worker_of(get_session_id(token_of(await fetch(f"{url}/dna?n={5 + i % 5}"))), WORKERS)

    return await asyncio.gather(*(one(i) for i in range(RUSH)))


@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_a_rush_is_shared_out(workers, pause):
    found = asyncio.run(owners(workers.url, pause))
    counts = [found.count(number) for number in range(WORKERS)]
    print(f"{RUSH} pages, {1000 * pause:.0f} ms apart: {counts}")  # noqa: T201, the figures
    assert max(counts) <= -(-RUSH // WORKERS) + 1


def head_in_parts(url, *parts, pause=0.1):
    """Return a server's answer to a request that is sent in parts, as far as it comes within a second."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        connection.settimeout(20)
        try:
            return connection.recv(200)
        except ConnectionResetError:  # closed with unread data
            return b""


def test_a_websocket_whose_head_comes_in_two_packets_reaches_its_session(workers):
    token = token_of(asyncio.run(fetch(f"{workers.url}/dna?n=7")))
    lines = (
        "GET /dna/ws HTTP/1.1", f"Host: {urlsplit(workers.url).netloc}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Sec-WebSocket-Protocol: bokeh, {token}", "", "",
    )  # fmt: skip
    raw = "\r\n".join(lines).encode()
    answers = [head_in_parts(workers.url, raw[:cut], raw[cut:]) for cut in (20, len(raw) - 60, len(raw) - 2)]
    assert all(answer.startswith(b"HTTP/1.1 101") for answer in answers)
    assert workers.troubles() == []


def test_half_a_head_is_closed_after_a_while(server):
    start = time.monotonic()
    assert head_in_parts(server.url, b"GET /shrink") == b""
    took = time.monotonic() - start
    print(f"half a head: closed after {took:.1f} s")  # noqa: T201, the figure
    assert 5 < took < 15


def test_a_full_server_says_so_and_has_room_again(tmp_path):
    full = ExplorerServer(tmp_path / "log", "--sessions", "4")  # the start has asked for a page already
    try:

        async def status():
            answer = await AsyncHTTPClient().fetch(HTTPRequest(f"{full.url}/dna?n=5"), raise_error=False)
            return answer.code, answer.headers.get("Retry-After"), answer.body.decode()

        async def crowd():
            async with AsyncExitStack() as stack:
                for i in range(3):
                    await stack.enter_async_context(visit(f"{full.url}/dna?n={5 + i}"))
                code, after, body = await status()
                assert (code, after) == (503, "5")
                assert FULL.split(";")[0] in body
                assert "http-equiv='refresh'" in body

        asyncio.run(crowd())
        assert full.troubles() == []
    finally:
        full.stop()


def test_an_upload_of_20000_parts_costs_as_much_a_part_as_one_of_2000():
    def seconds(count):
        upload = Upload(lambda sentence: None)
        upload._send_msg = lambda message: None
        start = time.process_time()
        upload._handle_msg({"status": "initializing"})
        for place in range(1, count + 1):
            part = {"status": "upload_event", "name": "a.csv", "data": b"1", "chunk": place, "total_chunks": count}
            upload._handle_msg(part)
        upload._handle_msg({"status": "finished"})
        return (time.process_time() - start) / count

    seconds(100)
    few, many = seconds(2000), seconds(20_000)
    print(f"a part: {1e6 * few:.1f} us of 2,000, {1e6 * many:.1f} us of 20,000")  # noqa: T201, the figures
    assert many < 3 * few


async def hold(stack, url, count, labs, together=8):
    """Open `count` tabs and keep them; return the seconds that each took."""
    took, gate = [], asyncio.Semaphore(together)

    async def one(i):
        async with gate:
            start = time.perf_counter()
            await stack.enter_async_context(visit(f"{url}/{labs[i % len(labs)]}?seed={i}"))
            took.append(time.perf_counter() - start)

    await asyncio.gather(*(one(i) for i in range(count)))
    return took


async def share_of_a_core(server, seconds=5):
    """Return the share of a core that a server uses for a while."""
    before = server.seconds()
    await asyncio.sleep(seconds)
    return (server.seconds() - before) / seconds


def test_many_idle_tabs_leave_room_and_time_for_more(tmp_path):
    crowded = ExplorerServer(tmp_path / "log", "--sessions", str(IDLE + MORE + 1))
    labs = registry.names()
    try:

        async def tabs():
            before = crowded.memory()
            async with AsyncExitStack() as stack:
                idle = await hold(stack, crowded.url, IDLE, labs)
                start = time.monotonic()
                while (taken := await share_of_a_core(crowded)) > RESTING and time.monotonic() - start < LATEST:
                    pass  # the deferred stages of each page are being computed
                late, held = time.monotonic() - start, crowded.memory()
                more = await hold(stack, crowded.url, MORE, labs)
                return idle, late, held - before, taken, more, crowded.memory() - before

        idle, late, held, taken, more, all_held = asyncio.run(tabs())
        print(  # noqa: T201, the figures
            f"{IDLE} idle tabs: {held / 1e6 / IDLE:.1f} MB each, {sorted(idle)[IDLE // 2]:.1f} s to open, at rest "
            f"after {late:.0f} s, {taken:.3f} of a core then; {MORE} more: {sorted(more)[MORE // 2]:.1f} s, "
            f"{max(more):.1f} at most, {all_held / 1e6:.0f} MB in all"
        )
        assert taken <= RESTING
        assert max(more) < LONGEST
        assert crowded.troubles() == []
    finally:
        crowded.stop()
