"""No visitor waits for another's link: the most expensive links, while a plain visitor works."""

from __future__ import annotations

import asyncio
import json

import pytest
from concurrent_visitors import with_plain_visitor
from every_lab import with_fact
from helpers.protocol import visit

WINDOW = 8  # seconds: a plain visitor makes forty moves and opens two pages
LONGEST = 60  # seconds until a link must have a result or a sentence: 10 are allowed, more on a shared machine
TWICE = 2.0  # times the usual: the pool's one long job takes the interpreter lock every 0.5 ms
DEEP = "[" * 1000
POINTS = json.dumps([[i % 10, i // 10 % 10] for i in range(5000)], separators=(",", ":"))
LINKS = {
    "votes of 1999 blocks": "monk?n=2000&d=20&picture=quantiles&blocks=1999",
    "100 coordinates": "marginalized?n=1000&d=100",
    "9999 permutations": "independence?n=2000&permutations=9999",
    "801 embeddings": "monk?n=2000&picture=embedding&blocks=801",
    "1999 embeddings": "monk?n=2000&picture=embedding&blocks=1999",
    "5000 points": f"independence?source=drawn&placed={POINTS}",
    "a cut of 2000": "conditional?n=2000&picture=cut",
    "brackets in target_at": f"shrinkage?target=blob&target_at={DEEP}",
    "brackets in moved": f"shrinkage?moved={DEEP}",
    "brackets in placed": f"monk?placed={DEEP}",
}
COMPUTING, NOTHING = "Computing this state", "This state has no picture"


async def opened(url):
    """Return (seconds to the HTML, to the document, headline, sentence) of a link that has a picture or a sentence."""
    async with visit(url, keeps=True) as visitor:
        await visitor.until(lambda: COMPUTING not in visitor.said()[0], LONGEST)
        return visitor.page, visitor.whole, *visitor.said()


def compared(server, link):
    """Return (outcome of a link, Waits next to a plain page of its lab, Waits next to the link), in succession."""
    plain = f"{server.url}/{link.partition('?')[0]}?seed=2"
    _, usual = asyncio.run(with_plain_visitor(server.url, lambda: opened(plain), WINDOW))
    became, waits = asyncio.run(with_plain_visitor(server.url, lambda: opened(f"{server.url}/{link}"), WINDOW))
    return became, usual, waits


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("name", LINKS)
def test_nobody_waits_for_a_link_and_it_ends_with_a_picture_or_a_sentence(server, name):
    waited = []
    for _ in range(2):  # once more where the machine itself was busy
        (page, whole, headline, sentence), usual, waits = compared(server, LINKS[name])
        print(  # noqa: T201, the table
            f"{name:22s} usual p50 {usual.p50:.3f} p95 {usual.p95:.3f} opening {usual.opening:.2f} | beside p50 "
            f"{waits.p50:.3f} p95 {waits.p95:.3f} max {max(waits.answers):.2f} opening {waits.opening:.2f} | html "
            f"{page:.2f} document {whole:.2f} | {(sentence or headline)[:80]!r}"
        )
        if waits.within(TWICE, usual) and whole < TWICE * usual.opening:
            break
        waited.append((waits.p95, usual.p95, waits.opening, usual.opening, whole))
    else:
        pytest.fail(f"answers, usually, openings, usually, the link's own page: {waited} s")
    assert sentence or headline
    assert (NOTHING in headline) <= bool(sentence)
    assert server.troubles() == []


HEAVY = with_fact("heavy")  # eight at once
AT_ONCE = 8
ALL_SHOWN = 240  # seconds until all eight have a picture or a sentence
MEMORY = 4e9  # bytes of the server at most, with its eight results


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("lab", HEAVY)
def test_eight_heavy_links_at_once_leave_a_plain_visitor_answers(server, lab):
    ended = []

    async def one(number):
        async with visit(f"{server.url}/{lab}?{HEAVY[lab]}&seed={number}", keeps=True) as visitor:
            await visitor.until(lambda: COMPUTING not in visitor.said()[0], ALL_SHOWN)
            ended.append(visitor.said())

    async def all_at_once():
        await asyncio.gather(*(one(number) for number in range(AT_ONCE)))

    _, waits = asyncio.run(with_plain_visitor(server.url, all_at_once, WINDOW))
    memory = server.memory("VmHWM")
    print(  # noqa: T201, the table
        f"{lab:14s} answers {len(waits.answers):4d} p50 {waits.p50:.3f} p95 {waits.p95:.3f} max"
        f" {max(waits.answers):.2f} opening {waits.opening:.2f}"
        f" memory {memory / 1e6:.0f} MB | {(ended[0][1] or ended[0][0])[:80]!r}"
    )
    assert len(ended) == AT_ONCE
    assert all(headline or sentence for headline, sentence in ended)
    assert waits.p50 < 1.0, "answers wait for what others compute"
    assert memory < MEMORY
    assert server.troubles() == []
