"""Fixtures of the site, built once: the folder EXPLORER_SITE, as on CI, or a fast build; served below a prefix."""

from __future__ import annotations

import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from helpers.browsing import axe_script, launched

from explorer.site import guide
from explorer.site.build import build

PREFIX = "some/where"  # a path below which a static host may have the site


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of the site."""
    if given := os.environ.get("EXPLORER_SITE"):
        return Path(given)
    folder = tmp_path_factory.mktemp("host") / PREFIX
    folder.parent.mkdir(parents=True)
    return build(folder, fast=True, say=lambda line: None).folder


@pytest.fixture(scope="session")
def guided(tmp_path_factory):
    """Return the folder of the guide's documents, with two pages of the reference and a lab's files."""
    source = tmp_path_factory.mktemp("source")
    for room in ("reference", "labs"):
        (source / room).mkdir()
    for name in ("mmd_test", "KME"):
        (source / "reference" / f"{name}.md").touch()
    (source / "labs" / "index.md").write_text("# Labs\n\n## Two samples\n", encoding="utf-8")
    guide.write(source, fast=True)
    return source / "guide"


@pytest.fixture(scope="session")
def address(site, tmp_path_factory):
    """Serve the site below a prefix, and return its address."""
    root = tmp_path_factory.mktemp("root")
    at = root / PREFIX
    at.parent.mkdir(parents=True, exist_ok=True)
    at.symlink_to(site, target_is_directory=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{PREFIX}/"
    server.shutdown()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """Request handler that writes no log."""

    def log_message(self, format, *args):
        """Ignore a log message."""


@pytest.fixture(scope="package")
def chromium():
    """Start a browser."""
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def axe():
    """Return the path of axe-core's script."""
    return axe_script()
