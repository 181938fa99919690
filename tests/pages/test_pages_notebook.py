"""A page in a notebook's kernel: the content of its cell, and the messages between browser and kernel."""

import asyncio
import base64
import gzip
import json
import re
from html import escape
from types import SimpleNamespace

import IPython
import pytest
from helpers.naming import naming
from helpers.server_process import until_async
from panel.models import HTML

from explorer.checks import WrongType
from explorer.labs.conditional.lab import ConditionalLab
from explorer.pages import ShrinkagePage, runtime
from explorer.pages.notebook.session import WIDGETS

MB = 1_000_000


class Comm:
    """A browser's connection to the kernel: records messages to the browser, and sends messages to the kernel."""

    def __init__(self):
        self.told = []

    def on_msg(self, hear):
        self._hear = hear

    def send(self, content, buffers=()):
        self.told.append(content)

    async def say(self, **said):
        self._hear({"content": {"data": said}})
        await asyncio.sleep(0)
        await asyncio.sleep(0)


@pytest.fixture
def targets(monkeypatch):
    """Pretend to be a kernel; return {name: target} of the pages that a browser can reach."""
    found = {}
    kernel = SimpleNamespace(comm_manager=SimpleNamespace(register_target=found.__setitem__))
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=kernel))
    return found


def unpacked(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))


def shown(page):
    """Return (the output of a cell that shows the page, the arguments of its script)."""
    data, _ = page._repr_mimebundle_()
    return data, json.loads(re.search(r"\.cell\.show\((\{.*\})\)</script>$", data["text/html"], re.DOTALL)[1])


def headline(page):
    """Return a page's headline as a model's text has it."""
    return escape(str(page.headline(page.result, page.result.row)))


def present(page):
    """Return the texts of a page's document."""
    return [model.text for model in page.view.hero.document.select({"type": HTML})]


def models(document):
    """Return all models of a document's JSON."""
    waiting, found = [document["roots"]], []
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found += [each] if "attributes" in each else []
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return found


@pytest.mark.thorough
def test_two_cells_hold_all_that_they_need_and_weigh_little(targets):
    async def show():
        return [shown(ShrinkagePage(n=n)) for n in (20, 50)]

    both = asyncio.run(show())
    assert sum(len(json.dumps(data)) for data, _ in both) <= 6 * MB
    for _, given in both:
        runtime, document = unpacked(given["runtime"]), models(unpacked(given["document"]))
        assert "data:font/woff2" in runtime["sheet"]
        assert len(runtime["module"]) > MB  # the widget set's, once
        widgets = [m["attributes"] for m in document if m["attributes"].get("bundle") == WIDGETS]
        assert len(widgets) > 20
        assert all(not attributes.get("esm") for attributes in widgets)
        assert not [m for m in document if m["name"] == "ImportedStyleSheet"]
        assert not [m for m in document if m["attributes"].get("bundle") == "url"]


def test_the_lab_follows_the_browser_and_the_browser_the_lab(targets, monkeypatch):
    monkeypatch.setattr(runtime, "REST", 0.01)

    async def use():
        page, comm = ShrinkagePage(n=50), Comm()
        _, given = shown(page)
        targets[given["target"]](comm, {})
        await comm.say(hello=given["number"])
        assert comm.told == [{"welcome": True}]  # it got the current document
        request = page.pacer.request
        stop = page.sliders["n"].steps.index(20)
        event = {"kind": "ModelChanged", "model": {"id": request.id}, "attr": "asked"}
        await comm.say(patch={"events": [{**event, "new": json.dumps([1, {"n": [stop, False]}])}]})
        assert page.lab.n == page.result.lab.n == 20
        patch = next(told["patch"] for told in comm.told[1:] if '"answered"' in told["patch"])
        assert request.id in patch
        assert "cdn." not in patch
        before = len(comm.told)
        page.lab = ShrinkagePage.lab_class(n=30, lam=0.5)
        await until_async(lambda: page.result.lab.lam == 0.5 and len(comm.told) > before)
        assert (page.lab.n, page.lab.lam, page.result.lab.lam) == (30, 0.5, 0.5)
        points = page.sliders["n"]
        await until_async(lambda: points.slider.value == 30, "the idle update, which moves the sliders")
        with pytest.raises(WrongType, match=naming("lab", "ShrinkageLab")):
            page.lab = ConditionalLab()

    asyncio.run(use())


@pytest.mark.thorough
def test_a_notebook_that_is_opened_anew_gets_the_present_page(targets):
    async def use():
        page, first, second = ShrinkagePage(n=50), Comm(), Comm()
        _, given = shown(page)
        for comm in (first, second):
            targets[given["target"]](comm, {})
        await first.say(hello=given["number"])
        page.lab.n = 20
        await until_async(lambda: page.result.lab.n == 20 and headline(page) in present(page))
        await second.say(hello=given["number"])
        assert first.told[-1] == {"elsewhere": True}
        texts = [m["attributes"].get("text", "") for m in models(json.loads(second.told[0]["document"]))]
        assert headline(page) in texts
        assert page.result.lab.n == 20
        heard = len(first.told)
        page.lab.n = 60
        await until_async(lambda: len(second.told) > 1)
        assert len(first.told) == heard
        _, again = shown(page)  # each cell of a notebook has a place of its own
        assert again["id"] != given["id"]
        assert again["target"] == given["target"]

    asyncio.run(use())


@pytest.mark.thorough
def test_outside_a_kernel_a_page_is_panel_s(monkeypatch):
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    page = ShrinkagePage(n=20)
    bundle = page._repr_mimebundle_()  # it holds the page if an earlier test has loaded Panel for notebooks
    data = bundle[0] if isinstance(bundle, tuple) else bundle or {}
    is_ours = "<div id='explorer-" in data.get("text/html", "")
    assert not is_ours
    assert page.session is None
