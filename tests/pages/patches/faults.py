"""Faults of the libraries without this project's patches: a function for each patch, which raises if there is none.

`python faults.py` prints, as JSON, what each function raised. It runs in a process of its own, because other tests
apply the patches. `python faults.py patched` applies those of the whole process first.
"""

import asyncio
import gc
import json
import os
import sys
import threading
import weakref
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import bokeh
import numpy as np
import panel as pn
import panel_material_ui as pmui
import param
from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.document import Document
from bokeh.embed import file_html
from bokeh.models import ColumnDataSource, Div
from bokeh.plotting import figure
from bokeh.protocol import Protocol
from bokeh.resources import INLINE
from bokeh.server.server import Server
from bokeh.server.session import ServerSession
from helpers.browsing import launched
from panel.links import Callback
from panel.theme import Native
from tornado.httpclient import AsyncHTTPClient
from tornado.ioloop import IOLoop

BEFORE_THREADS = tuple(map(int, bokeh.__version__.split(".")[:2])) < (3, 10)


@contextmanager
def counted(owner, name):
    """Count the calls of a method by the name of the property or slot that they concern."""
    calls, method = Counter(), getattr(owner, name)

    def count(self, *arguments, **options):
        calls[getattr(self, "name", None)] += 1
        return method(self, *arguments, **options)

    setattr(owner, name, count)
    try:
        yield calls
    finally:
        setattr(owner, name, method)


def cache_bokeh_defaults():
    """A second model of a class computes the defaults of all its properties again."""
    Div()
    with counted(PropertyDescriptor, "has_unstable_default") as calls:
        Div()
    assert len(calls) == len(Div.properties())


def send_in_one_frame():
    """Each array of a change is sent in a frame of its own."""
    source, doc, heard = ColumnDataSource({name: np.zeros(9) for name in "abc"}), Document(), []
    doc.add_root(source)
    doc.on_change(heard.append)
    source.data.update({name: np.ones(9) for name in "abc"})
    assert Protocol().create("PATCH-DOC", heard).header["num_buffers"] == 3


def speed_up_reference_walks():
    """A search for references reads properties that have no value, and so refer to nothing."""
    part = Div()
    empty = Div.properties_with_refs().keys() - part._property_values.keys() - part._unstable_default_values.keys()
    with counted(PropertyDescriptor, "__get__") as calls:
        part.references()
    assert empty & calls.keys()


def speed_up_param_copies():
    """A copy of a parameter reads slots through Python, and Panel asks for each one which ones it synchronises."""
    reads = Counter()

    class Number(param.Number):
        __slots__ = ()

        def __getattribute__(self, name):
            reads[name] += 1
            return super().__getattribute__(name)

    class Owner(param.Parameterized):
        x = Number(1.0)

    owner = Owner()
    reads.clear()
    assert owner.param.x is not Owner.param.x
    assert sum(reads[slot] for slot in Number._all_slots_) > len(Number._all_slots_)
    asked = []

    class Part(pn.widgets.IntSlider):
        @property
        def _synced_params(self):
            asked.append(1)
            return super()._synced_params

    part = Part()
    asked.clear()
    part._init_params()
    assert len(asked) > 10


def leave_out_the_file_selector():
    """A document without a widget names the folder in which the process runs."""
    assert pmui.FileSelector
    assert os.getcwd() in json.dumps(Document().to_json(deferred=False))


def settle_notebook_design():
    """Outside a served page the widget set wraps components of others in one of its own, which HoloViews' plots get."""
    assert issubclass(pn.config.design, pmui.theme.MaterialDesign)
    assert pn.pane.HoloViews.param.design.default is not Native
    text = pn.pane.HTML("")
    assert pmui.theme.MaterialDesign()._wrapper(text) is not text


def forget_scripts():
    """A part whose script has the part among its arguments is never released."""
    part = pn.widgets.IntSlider()
    part.jscallback(value="part", args={"part": part})
    alive = weakref.ref(part)
    del part
    gc.collect()
    assert alive() is not None
    Callback.registry.clear()
    gc.collect()
    assert alive() is None


def stop_watching_busy():
    """A page is never released, even if nobody refers to it."""
    page = pmui.Page()
    alive = weakref.ref(page)
    Callback.registry.clear()
    del page
    gc.collect()
    assert alive() is not None


def limit_bodies():
    """A server reads a body of many megabytes that is sent to an address that takes none."""

    async def post():
        server = Server({"/": lambda doc: None}, port=0, io_loop=IOLoop.current())
        server.start()
        request = AsyncHTTPClient().fetch(
            f"http://localhost:{server.port}/", method="POST", body=bytes(10_000_000), raise_error=False
        )
        answer = await request
        server.unlisten()
        return answer.code

    assert asyncio.run(post()) != 413


def stay_on_the_event_loop():
    """A session calls a callback in a worker thread."""

    async def called():
        threads = []
        session = ServerSession("an id", Document(), io_loop=IOLoop.current())
        await session.with_document_locked(lambda: threads.append(threading.get_ident()))
        return threads

    assert asyncio.run(called()) != [threading.get_ident()]


def load_style_cache():
    """A figure that is drawn looks for CSS rules of its colours; this script runs in a browser that counts them."""
    plot = figure(width=300, height=300)
    plot.line([1, 2], [3, 4])
    with launched() as browser, TemporaryDirectory() as folder:
        file = Path(folder, "plot.html")
        file.write_text(file_html(plot, INLINE), encoding="utf-8")
        page = browser.new_page()
        page.add_init_script("""
            window.asked = 0
            const style = getComputedStyle(document.createElement('i')).constructor.prototype
            const get = style.getPropertyValue
            style.getPropertyValue = function (name) {
                if (name.startsWith('--bk-')) window.asked += 1
                return get.call(this, name)
            }""")
        page.goto(file.as_uri())
        page.wait_for_function("Bokeh.documents.length && Bokeh.documents[0].is_idle")
        assert page.evaluate("window.asked") > 20


FAULTS = [
    cache_bokeh_defaults,
    send_in_one_frame,
    speed_up_reference_walks,
    speed_up_param_copies,
    leave_out_the_file_selector,
    settle_notebook_design,
    forget_scripts,
    stop_watching_busy,
    limit_bodies,
    load_style_cache,
    *([] if BEFORE_THREADS else [stay_on_the_event_loop]),
]


def raised(fault):
    """Return what a function raised, as text, or "" if it found its fault."""
    try:
        fault()
    except Exception as error:
        return repr(error)
    return ""


if __name__ == "__main__":
    if "patched" in sys.argv:
        from explorer.pages.serving import process_settings

        process_settings.settle()
        names = {each.__name__ for each in process_settings.PATCHES}
        FAULTS = [fault for fault in FAULTS if fault.__name__ in names]
    sys.stdout.write(json.dumps({fault.__name__: raised(fault) for fault in FAULTS}))
