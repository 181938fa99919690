"""What a page changes for its whole process: each setting once, and none in a process that is shared."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from panel.io.state import set_curdoc
from threadpoolctl import threadpool_info, threadpool_limits

from explorer.pages import open_page, process
from explorer.pages.wire import SAME_RULES, Inline


@pytest.fixture
def as_found(monkeypatch):
    """A process as Python and Bokeh leave it, and as it was found again after the test."""
    message = import_module("bokeh.protocol.messages.patch_doc")
    monkeypatch.setattr(process, "_settled", False)
    monkeypatch.setattr(message, "Serializer", Serializer)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    with threadpool_limits(2, user_api="blas"):
        yield lambda: (message.Serializer, round(sys.getswitchinterval(), 6), blas_threads())
    sys.setswitchinterval(interval)


def blas_threads():
    """The largest number of threads that a BLAS of this process may use."""
    return max(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")


def opened(**options):
    """Whether a page that opens in a document of its own changes its browser's prototype."""
    doc = Document()
    with set_curdoc(doc):
        page = open_page("dna", **options)
    assert page.lab is not None
    asked = doc.callbacks._js_event_callbacks.get("document_ready", [])
    return any(each.code == SAME_RULES for each in asked)


def test_a_page_makes_every_setting_once(as_found, monkeypatch):
    monkeypatch.delenv(process.VARIABLE, raising=False)
    assert opened()
    assert as_found() == (Inline, 5e-4, 1)
    sys.setswitchinterval(0.003)  # not changed again by a second page
    process.settle()
    assert as_found()[1] == 0.003


@pytest.mark.parametrize("by", ["argument", "variable"])
def test_a_shared_process_stays_as_it_is(as_found, monkeypatch, by):
    monkeypatch.setenv(process.VARIABLE, "1" if by == "variable" else "0")
    before = as_found()
    assert not opened(**{"shared": True} if by == "argument" else {})
    process.settle_thread()
    assert as_found() == before
    assert before == (Serializer, 0.005, 2)


def test_every_setting_has_its_reason():
    assert all(len(setting.reason) > 20 for setting in process.SETTINGS)
