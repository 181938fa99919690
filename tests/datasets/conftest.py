"""Shared by the tests of data sets."""

import threading

import pytest
from openml_stand_in import StandIn

from explorer.datasets.named_sets import openml


@pytest.fixture(name="server")
def _server(monkeypatch, tmp_path):
    server = StandIn()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setattr(openml, "SITE", server.site)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("EXPLORER_DATA", raising=False)
    yield server
    server.done.set()
    server.shutdown()
    thread.join()
    server.server_close()
