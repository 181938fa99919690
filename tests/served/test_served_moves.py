"""Answer of a server to a moved slider: one message with the new picture and the leave to ask again."""

from __future__ import annotations

import asyncio

from helpers.protocol import visit


async def answers(url, moves):
    """Move the bandwidth of a page several times, and return the messages that the server sent with each answer."""
    found = []
    async with visit(f"{url}/shrinkage", keeps=True) as visitor:
        await visitor.ask(bandwidth=7)
        for stop in range(1, moves + 1):
            await visitor.until(lambda: any('"attr":"search"' in text for text in visitor.texts))  # idle update
            visitor.texts.clear()
            await visitor.ask(bandwidth=stop)
            found.append([text for text in visitor.texts if '"kind"' in text])
    return found


def test_an_answer_is_one_message(server):
    found = asyncio.run(answers(server.url, 4))
    assert all('"answered"' in texts[-1] and "ColumnDataChanged" in texts[-1] for texts in found)
    assert [len(texts) for texts in found] == [1] * 4
