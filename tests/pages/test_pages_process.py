"""Settings that a page changes for its process: each once, and none in a shared process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import panel as pn
import pytest
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from panel.io.state import set_curdoc
from threadpoolctl import threadpool_info, threadpool_limits

from explorer.pages import open_page
from explorer.pages.patches.bokeh.messages import Inline
from explorer.pages.serving import process_settings
from explorer.workbench import registry


@pytest.fixture
def as_found(monkeypatch):
    """Give the process the settings of Python and Bokeh during the test, and restore them after it."""
    message = import_module("bokeh.protocol.messages.patch_doc")
    monkeypatch.setattr(process_settings, "_settled", False)
    monkeypatch.setattr(message, "Serializer", Serializer)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    with threadpool_limits(2, user_api="blas"):
        yield state
    sys.setswitchinterval(interval)


def state():
    """Return the settings that a page changes: the serializer, the switch interval, and the threads of BLAS."""
    message = import_module("bokeh.protocol.messages.patch_doc")
    return message.Serializer, round(sys.getswitchinterval(), 6), blas_threads()


def blas_threads():
    """Return the largest number of threads that a BLAS library of this process may use."""
    return max(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")


def opened(**options):
    """Return whether a page in a new document changes its browser's prototypes."""
    with set_curdoc(Document()):
        page = open_page("dna", **options)
        scripts = list(pn.config.js_files)
    assert page.lab is not None
    assert scripts in ([], ["explorer", "style_cache"])
    return bool(scripts)


def test_a_page_makes_every_setting_once(as_found, monkeypatch):
    monkeypatch.delenv(process_settings.VARIABLE, raising=False)
    assert opened()
    assert as_found() == (Inline, 5e-4, 1)
    sys.setswitchinterval(0.003)  # not changed again by a second page
    process_settings.settle()
    assert as_found()[1] == 0.003
    assert os.getcwd() not in json.dumps(Document().to_json(deferred=False))


ALONE = """
import os, sys
sys.path.insert(0, sys.argv[1])
from test_pages_process import state, opened
from explorer.pages.serving import process_settings
before = state()
assert not opened(shared=True)
os.environ[process_settings.VARIABLE] = "1"
assert not opened()
process_settings.settle_thread()
assert state() == before, (before, state())
assert process_settings.settle() is None and state() != before  # so the check above can fail
"""


@pytest.mark.thorough
def test_a_shared_process_stays_as_it_is():
    """Run in a new process, because other tests may have limited BLAS in this one."""
    here = Path(__file__).parent
    threads = {"OPENBLAS_NUM_THREADS": "2", "MKL_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", ALONE, here], env={**os.environ, **threads}, check=True, cwd=here.parents[1])


def test_every_setting_has_its_reason():
    assert all(len(setting.reason) > 20 for setting in process_settings.SETTINGS)


AS_BOKEH_HAS_IT = """
import re, sys
from bokeh.core.json_encoder import serialize_json
import panel as pn
from bokeh.document import Document
from explorer.pages import open_page
from explorer.pages.serving import process_settings
from panel.io.state import set_curdoc

def said(name, **words):
    doc = Document()
    with set_curdoc(doc):
        page = open_page(name, shared=True)
    page.__panel__().server_doc(doc)
    page.move(None, **words)
    found = sorted(type(each).__name__ for each in doc.roots[0].references())
    text, numbers = serialize_json(doc.to_json()), {}
    anew = re.sub(r"\\bp[0-9]{4,}\\b", lambda match: numbers.setdefault(match[0], f"P{len(numbers)}"), text)
    measured = "about [0-9.]+ s|less than a second"  # the run time of a study
    return re.sub(rf"[0-9a-f]{{32}}|(?<=[a-z_])[0-9]{{5,}}|[0-9]{{12,}}|{measured}", "", anew), found

process_settings.leave_out_the_file_selector()  # a setting that is intended
names = sys.argv[1:]
for name in names:
    said(name, seed=2)  # fill the caches of the process
first = {name: said(name, seed=2) for name in names}
process_settings.settle()
for _ in range(2):  # the second round uses the classes and caches of the first
    for name in names:
        assert said(name, seed=2) == first[name], name
"""


SOME = ["conditional", "sweep"]
OTHERS = [name for name in registry.names() if name not in SOME]


@pytest.mark.thorough
@pytest.mark.parametrize("names", [SOME, pytest.param(OTHERS, marks=pytest.mark.slow)], ids=["some", "others"])
def test_what_is_remembered_changes_nothing_of_a_page(names):
    environment = {**os.environ, "PYTHONHASHSEED": "0"}  # Bokeh serializes sets in their order
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", AS_BOKEH_HAS_IT, *names], env=environment, check=True, cwd=root)
