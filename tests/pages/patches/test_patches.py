"""Patches of other libraries: each is still needed, repairs its fault, is in the guide, and can be turned off."""

from __future__ import annotations

import asyncio
import json
import os
import pkgutil
import re
import subprocess
import sys
import threading
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from bokeh.document import Document
from bokeh.server.session import ServerSession
from helpers.guide_texts import GUIDE, under
from tornado.ioloop import IOLoop

from explorer import library_patch
from explorer.library_patch import Patch
from explorer.pages import patches
from explorer.pages.patches.bokeh.threads import stay_on_the_event_loop
from explorer.pages.serving import process_settings

HERE = Path(__file__).parent
MODULES = [import_module(each.name) for each in pkgutil.walk_packages(patches.__path__, f"{patches.__name__}.")]
PATCHES = {name: each for module in MODULES for name, each in vars(module).items() if isinstance(each, Patch)}
OF_THE_PROCESS = [each.__name__ for each in process_settings.PATCHES]


@cache
def faults(*words, switch="1"):
    """Return what the functions of faults.py raise in a new process: the name of a patch -> text, "" if nothing."""
    environment = {**os.environ, library_patch.VARIABLE: switch, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, HERE / "faults.py", *words], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PATCHES)
def test_the_library_still_has_the_fault(name):
    """If this fails, a release no longer needs the patch: delete the patch once no supported release needs it."""
    if name not in faults():
        pytest.skip("Bokeh 3.9 calls callbacks on the event loop")
    assert faults()[name] == ""


@pytest.mark.parametrize("name", OF_THE_PROCESS)
def test_the_patch_repairs_the_fault(name):
    assert faults("patched")[name] == "AssertionError()"


def test_one_variable_turns_all_off():
    assert faults("patched", switch="0") == dict.fromkeys(OF_THE_PROCESS, "")


def test_a_patch_that_is_off_does_nothing(monkeypatch):
    applied = []
    patch = library_patch.patch("Bokeh", "none")(applied.append)
    patch(1)
    monkeypatch.setenv(library_patch.VARIABLE, "0")
    patch(2)
    assert applied == [1]


def test_the_callbacks_of_a_page_run_on_the_event_loop_and_others_where_bokeh_runs_them():
    async def threads(patched):
        doc, found = Document(), []
        if patched:
            stay_on_the_event_loop(doc)
        session = ServerSession("an id", doc, io_loop=IOLoop.current())
        await session.with_document_locked(lambda: found.append(threading.get_ident()))
        return found

    own, other = asyncio.run(threads(True)), asyncio.run(threads(False))
    assert own == [threading.get_ident()]
    assert (other == own) is ("stay_on_the_event_loop" not in faults())


def upstream(patch):
    """Return a link to the library's issue in Markdown."""
    return f"[{patch.upstream.rpartition('/')[2]}]({patch.upstream})" if patch.upstream else "none"


def test_the_guide_has_every_patch():
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$", under(GUIDE["versions"], "## Patches"), re.M)
    expected = [(name, each.library, each.fault, upstream(each)) for name, each in PATCHES.items()]
    assert sorted(rows) == sorted(expected)
    assert f"`{library_patch.VARIABLE}=0`" in under(GUIDE["versions"], "## Patches")
