"""The apps as served: a session opens with a page, answers requests through the socket, and ends."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.pages import NO_LABS
from explorer.workbench import registry

pytestmark = pytest.mark.thorough
ROOT = Path(__file__).parents[2]

# run in a new process, because a server and its clients leave loops, threads and settings behind
VISIT = """
import gc, json, os, socket, sys, time
import panel as pn
from bokeh.client import pull_session
from bokeh.models import ColumnDataSource
from explorer.pages.page import LabPage

with socket.socket() as free:
    free.bind(("localhost", 0))
    port = free.getsockname()[1]
pn.serve({"app": sys.argv[1]}, port=port, threaded=True, show=False, verbose=False,
         unused_session_lifetime_milliseconds=100, check_unused_sessions_milliseconds=50)
until = time.monotonic() + 20

def visit():
    while True:
        try:
            return pull_session(url=f"http://localhost:{port}/app")
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)

def request():
    (model,) = [m for m in session.document.models if type(m).__name__ == "Request"]
    return model

def lengths():
    sources = session.document.select({"type": ColumnDataSource})
    return sorted(len(column) for source in sources for column in source.data.values())

session = visit()
said = {"roots": len(session.document.roots), "title": session.document.title, "before": lengths()}
request().asked = json.dumps([1, {"n": [7, False]}])
session.pull()  # this client ignores messages that it did not request
said |= {"answered": request().answered, "after": lengths()}

def pages():
    gc.collect()
    return sum(isinstance(o, LabPage) for o in gc.get_objects())

said["open"] = pages()
session.close()
visit().close()
end = time.monotonic() + 8
while (left := pages()) and time.monotonic() < end:
    time.sleep(0.2)
print(json.dumps({**said, "left": left}), flush=True)
os._exit(0)
"""


@pytest.fixture(scope="module")
def said():
    """Return what a visitor sees of an app."""
    done = subprocess.run(
        [sys.executable, "-c", VISIT, str(ROOT / "apps" / "shrinkage.py")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Error" not in done.stderr, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_every_page_has_an_app_at_its_address():
    assert {app.stem for app in (ROOT / "apps").glob("*.py")} == {*registry.names(), *NO_LABS}


def test_an_app_opens_with_a_page(said):
    assert said["roots"] > 0
    assert said["title"].startswith("Shrinkage: ")
    assert said["open"] == 1


def test_a_question_through_the_socket_is_answered(said):
    assert said["answered"] == 1
    assert said["before"] != said["after"]


def test_a_page_ends_with_its_session(said):
    """The session holds the lab's cache, of up to 64 MB, and the user's table."""
    assert said["left"] == 0
