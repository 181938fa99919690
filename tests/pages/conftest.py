"""Fixtures of the tests of pages."""

import asyncio

import param
import pytest
from bokeh.document import Document
from panel.links import Callback

from explorer.pages import page as chassis
from explorer.pages import template


@pytest.fixture(scope="module", autouse=True)
def first_results_are_the_module_s():
    """Cache labs' first results per module, not per process: some modules change the labs' stops."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template, "_beginnings", {})
        patch.setattr(template, "_whole_beginnings", {})
        yield


@pytest.fixture(autouse=True)
def no_pages_are_kept():
    """Remove the scripts of a test's pages after the test: Panel keeps those of every page."""
    yield
    Callback.registry.clear()


@pytest.fixture
def at_once(monkeypatch):
    """Run each coroutine to its end when it is scheduled, in an event loop of its own."""
    monkeypatch.setattr(param.parameterized, "async_executor", lambda coroutine: asyncio.run(coroutine()))


@pytest.fixture
def as_if_served(monkeypatch):
    """Return a document without a session, whose callbacks the test runs."""
    doc = Document()
    monkeypatch.setattr(chassis, "served_document", lambda: doc)
    monkeypatch.setattr(chassis, "come_back", lambda doc, request: None)
    return doc
