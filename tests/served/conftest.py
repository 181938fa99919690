"""Fixtures of the tests of a served process."""

import pytest
from helpers.explorer_server import ExplorerServer


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Start `python -m explorer serve`, as users do."""
    started = ExplorerServer(tmp_path_factory.mktemp("served") / "log")
    yield started
    started.stop()
