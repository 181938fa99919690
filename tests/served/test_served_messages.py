"""Messages that no page sends: they harm no visitor, and reveal nothing of another visitor's page."""

from __future__ import annotations

import asyncio
import re
from functools import partial

import numpy as np
import pytest
from concurrent_visitors import with_plain_visitor
from helpers.hostile_input import message
from helpers.protocol import HungUp, fetch, token_of, visit
from tornado.websocket import WebSocketClosedError

MESSAGES = 1000
PAUSE = 0.04  # seconds between messages, as often as five dragging browsers; a flood is a matter for proxies
TWICE = 2.0  # times the usual, with a visitor who moves a slider as often
CONTROLS = ("n", "d", "bandwidth", "lam", "outliers", "distance", "target", "point")
OURS, THEIRS = 31337001, 31337002  # seeds that no page has by chance


class Attacker:
    """A visitor with random messages; a connection that the server closes is opened again."""

    def __init__(self, url, seed):
        self.url, self.rng, self.left, self.closed = f"{url}/shrinkage?seed={THEIRS}", np.random.default_rng(seed), 0, 0

    async def send(self, count):
        """Send `count` messages."""
        self.left = count
        token = token_of(await fetch(self.url))
        while self.left:
            try:
                async with visit(self.url, token=token) as visitor:
                    await self._send_to(visitor)
            except (HungUp, WebSocketClosedError):
                self.closed += 1

    async def _send_to(self, visitor):
        models = re.findall(r'"id":"(p\d+)"', visitor.document)
        while self.left and not visitor.is_gone:
            self.left -= 1
            await visitor.send(*message(models, visitor.request, CONTROLS, self.rng))
            await asyncio.sleep(PAUSE)


async def plain_moves(url, count):
    """Ask as often as an attacker sends messages, and open a connection as often."""
    address = f"{url}/shrinkage?seed={THEIRS}"
    token, chance = token_of(await fetch(address)), np.random.default_rng(3)
    for _ in range(count // 4):
        async with visit(address, token=token) as visitor:
            for _ in range(4):
                await visitor.ask(n=int(chance.integers(20)))
                await asyncio.sleep(PAUSE)


@pytest.mark.slow
@pytest.mark.thorough
def test_a_thousand_messages_harm_nobody(server):
    waited = []
    for attempt in range(2):  # once more where the machine itself was busy
        _, usual = asyncio.run(with_plain_visitor(server.url, lambda: plain_moves(server.url, 200), 8, OURS))
        attacker = Attacker(server.url, 17 + attempt)
        _, waits = asyncio.run(with_plain_visitor(server.url, partial(attacker.send, MESSAGES), 8, OURS))
        heard = " ".join(waits.texts)
        assert str(THEIRS) not in heard
        print(  # noqa: T201, the figures
            f"usual p50 {usual.p50:.3f} p95 {usual.p95:.3f} opening {usual.opening:.2f} | p50 {waits.p50:.3f} p95 "
            f"{waits.p95:.3f} opening {waits.opening:.2f} | closed {attacker.closed} times, "
            f"{server.memory() / 1e6:.0f} MB"
        )
        if waits.within(TWICE, usual):
            break
        waited.append((waits.p95, usual.p95, waits.opening, usual.opening))
    else:
        pytest.fail(f"answers, usually, openings, usually: {waited} s")
    log = server.log.read_text()  # Bokeh writes a traceback of each message that it cannot read
    assert re.findall(r"(?:ERROR|CRITICAL): ?explorer.*", log) == []
    assert re.findall(r'File ".*/explorer/\w+/.*', log) == []


FLOOD = 12_000  # messages without a pause


async def flood(url):
    """Send messages without a pause for some seconds, and return how many were sent."""
    async with visit(f"{url}/shrinkage?seed={THEIRS}") as visitor:
        try:
            async with asyncio.timeout(10):
                for i in range(FLOOD):
                    await visitor.question(f'[{i + 1}, {{"n": [{i % 20}, false]}}]')
        except TimeoutError:
            return i
    return FLOOD


@pytest.mark.slow
@pytest.mark.thorough
def test_who_floods_the_server_slows_himself_alone(server):
    waited = []
    for _ in range(2):  # once more where the machine itself was busy
        _, usual = asyncio.run(with_plain_visitor(server.url, partial(asyncio.sleep, 0), 8, OURS))
        sent, waits = asyncio.run(with_plain_visitor(server.url, partial(flood, server.url), 8, OURS))
        print(  # noqa: T201, the figures
            f"{sent} messages of a flood | usual p50 {usual.p50:.3f} p95 {usual.p95:.3f} | beside it p50 "
            f"{waits.p50:.3f} p95 {waits.p95:.3f} max {max(waits.answers):.2f}"
        )
        if waits.p95 <= 2 * TWICE * usual.p95:
            return
        waited.append((waits.p95, usual.p95))
    pytest.fail(f"answers, usually: {waited} s")
