"""Any link opens a page at once, with a picture or a sentence, and without an exception."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from pathlib import Path
from typing import Any

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from bokeh.server.callbacks import NextTickCallback
from hostile_input import link
from page_helpers import notice
from panel.links import Callback

from explorer.pages import page as chassis
from explorer.pages import page_class
from explorer.pages.page import COMPUTING
from explorer.pages.serving import process_settings
from explorer.workbench import registry
from explorer.workbench.cost import FRAMES, seconds

LINKS = 375  # of each of eight labs: 3,000
FEW = 3  # of each that the default tests open
LONG = 0.5  # s from which only one link in ten is followed to its end: all of them would take an hour
MEMORY = 1e9  # bytes that the process may hold at any time
# a result of so many seconds by its cost may be computed by the event loop itself, and a cost is within three times
ITSELF = 3 * FRAMES


class Opening:
    """A page that a link opens as a served one does: `taken` is the processor time that the event loop spent on it."""

    def __init__(self, name, words):
        self.doc = Document()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(chassis, "served_document", lambda: self.doc)
            patch.setattr(chassis, "come_back", lambda *args: None)  # there is no connection that could be lost
            # no session ends here: Panel would keep what waits for the end, and with it all pages
            patch.setattr(pn.state, "on_session_destroyed", lambda leave: None)
            start = time.thread_time()  # other processes do not count
            self.page = page_class(name)(words)
            self.taken = time.thread_time() - start

    @property
    def computes(self):
        """Whether the page says that it computes."""
        return COMPUTING in self.page.chrome.headline.object

    def follow(self):
        """Let it compute to the end, and the hand rest."""
        for callback in [c for c in self.doc.session_callbacks if isinstance(c, NextTickCallback)]:
            self.doc.remove_next_tick_callback(callback)
            work: Any = callback.callback
            asyncio.run(work())
        self.page.rest()

    def close(self):
        """The visitor leaves."""
        self.page.release()
        Callback.registry.clear()


def opening(name, words, patient=True):
    """(seconds that a link took to open, whether it has or will have a picture or a sentence)."""
    opened = Opening(name, words)
    waits = opened.computes and not patient and seconds(opened.page.lab.cost) > LONG
    if opened.computes and not waits:
        opened.follow()
    ended = waits or (not opened.computes and not (opened.page.blank and not notice(opened.page)))
    opened.close()
    gc.collect()  # the suite collects seldom, and what a page leaves would count as memory and time of the next one
    return opened.taken, ended


def peak():
    """The most bytes that this process has held since `forget_peak`."""
    (line,) = (each for each in Path("/proc/self/status").read_text().splitlines() if each.startswith("VmHWM"))
    return 1024 * int(line.split()[1])


def forget_peak():
    """Begin to look for the most memory anew; what the process holds now, of tests before this one too."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak()


@pytest.fixture
def settled(monkeypatch, caplog):
    """The settings of a process that serves, and a log of what goes wrong."""
    process_settings.settle()
    caplog.set_level(logging.WARNING, "explorer")
    return caplog


@pytest.mark.few(7)
@pytest.mark.thorough(default=["few-shrinkage"])
@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("count", [pytest.param(FEW, id="few"), pytest.param(LINKS, id="all", marks=pytest.mark.slow)])
def test_any_link_opens_soon_with_a_picture_or_a_sentence(settled, name, count):
    rng = np.random.default_rng(17)
    before = forget_peak()
    took = []
    for i in range(count):
        words = link(name, rng)
        taken, ended = opening(name, words, patient=i % 10 == 0)
        assert ended, words
        assert not settled.records, words
        took.append((taken, i, words))
    usual, _ = opening(name, {"seed": "2"})  # last, when all is there that a process makes once
    for taken, _, words in took:
        if taken > 2 * usual + ITSELF:  # once more, or a collection of garbage may have come between
            gc.collect()
            again, _ = opening(name, words, patient=False)
            assert again <= 2 * usual + ITSELF, (again, usual, words)
    slowest = [round(taken, 3) for taken, *_ in sorted(took, key=lambda each: -each[0])[:5]]
    more = (peak() - before) / 1e6
    print(f"{name}: {count} links, usually {usual:.3f} s, slowest {slowest}, {more:.0f} MB more")  # noqa: T201, figures
    assert peak() - before < MEMORY
