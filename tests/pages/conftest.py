"""Shared by the tests of pages."""

import pytest
from panel.links import Callback


@pytest.fixture(autouse=True)
def no_pages_are_kept():
    """Panel keeps the scripts of every page ever made; a test's pages go with the test."""
    yield
    Callback.registry.clear()
