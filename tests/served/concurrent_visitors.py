"""A plain visitor who moves a slider while other things happen: the waiting times of answers and of opening a page."""

from __future__ import annotations

import asyncio
import random
import time
from typing import NamedTuple

import numpy as np
from helpers.protocol import visit

PERIOD = 0.2  # seconds from one move to the next
OPENINGS = 4.0  # seconds from one opening of a plain page to the next
STOPS = 20  # of the slider n


class Waits(NamedTuple):
    """Seconds that a plain visitor waited: for each answer, and for each plain page that was opened at the same time.

    texts: all that the plain visitor received
    """

    answers: list
    openings: list
    texts: list

    @property
    def p95(self):
        """The time that one answer in twenty exceeded."""
        return float(np.quantile(self.answers, 0.95))

    @property
    def p50(self):
        """The time that half the answers exceeded."""
        return float(np.median(self.answers))

    @property
    def opening(self):
        """The median time to open a page."""
        return float(np.median(self.openings))

    def within(self, times, usual):
        """Return whether answers and openings took at most `times` times the usual."""
        return self.p95 <= times * usual.p95 and self.opening <= times * usual.opening


async def with_plain_visitor(url, act, seconds, seed=1):
    """Return (the result of `act()`, a plain visitor's Waits while it runs), for some seconds or until it is done."""
    answers, openings, chance = [], [], random.Random(5)

    async def move(plain):
        while True:
            start = time.perf_counter()
            answers.append(await plain.ask(n=chance.randrange(STOPS)))
            await asyncio.sleep(max(0.0, PERIOD - (time.perf_counter() - start)))

    async def open_others():
        while True:
            start = time.perf_counter()
            async with visit(f"{url}/shrinkage?seed={chance.randrange(10**6)}") as other:
                openings.append(other.whole)
            await asyncio.sleep(max(0.0, OPENINGS - (time.perf_counter() - start)))

    async with visit(f"{url}/shrinkage?seed={seed}", keeps=True) as plain:
        await plain.ask(n=3)
        hands = [asyncio.create_task(hand) for hand in (move(plain), open_others())]
        try:
            done, _ = await asyncio.gather(act(), asyncio.sleep(seconds))
        finally:
            for hand in hands:
                hand.cancel()
            ended = await asyncio.gather(*hands, return_exceptions=True)
    for error in ended:
        if not isinstance(error, asyncio.CancelledError):
            raise error
    return done, Waits(answers, openings, plain.texts)
