"""Shared by the tests of pages."""

import pytest
from bokeh.document import Document
from panel.links import Callback

from explorer.pages import page as chassis
from explorer.pages import template


@pytest.fixture(scope="module", autouse=True)
def first_results_are_the_module_s():
    """Keep labs' first results for a module, not for the process: some modules let labs take other stops."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template, "_beginnings", {})
        patch.setattr(template, "_whole_beginnings", {})
        yield


@pytest.fixture(autouse=True)
def no_pages_are_kept():
    """Panel keeps the scripts of every page ever made; a test's pages go with the test."""
    yield
    Callback.registry.clear()


@pytest.fixture
def as_if_served(monkeypatch):
    """A document without a session, whose callbacks the test runs by itself."""
    doc = Document()
    monkeypatch.setattr(chassis, "served_document", lambda: doc)
    monkeypatch.setattr(chassis, "come_back", lambda doc, request: None)
    return doc
