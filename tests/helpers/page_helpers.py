"""Helpers for lab pages without a browser: open a page, use its controls, load files, and read what it shows."""

import asyncio
import inspect
import json
from html import unescape
from unittest.mock import Mock
from urllib.parse import parse_qsl

import numpy as np
from bokeh.server.callbacks import NextTickCallback, TimeoutCallback
from panel.models import HTML

from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.views.bokeh_picture import same as alike

SLIDERS = ("lam", "bandwidth", "n", "d", "outliers", "distance")


def open_page(page=ShrinkagePage, **words):
    return page(words)


def unfold(page):
    """Open every section below the pictures, and the section for the user's data."""
    page.chrome.open_data(bool(page.data))
    page.chrome.accordion.active = list(range(len(page.chrome.sections)))
    return page


def run_callbacks(doc, within=0):
    """Run a document's callbacks for the next tick, and those due `within` milliseconds, and all that these add."""
    while (callback := _next_of(doc, within)) is not None:
        if isinstance(callback, NextTickCallback):
            doc.remove_next_tick_callback(callback)
        else:
            doc.remove_timeout_callback(callback)
        if inspect.iscoroutinefunction(inspect.unwrap(callback.callback)):
            asyncio.run(callback.callback())
        else:
            callback.callback()


def _next_of(doc, within):
    """Return the callback that is due first, the oldest if several are; timers precede ticks."""
    timers = [c for c in doc.session_callbacks if isinstance(c, TimeoutCallback) and c.timeout <= within]
    ticks = [c for c in doc.session_callbacks if isinstance(c, NextTickCallback)]
    return next(iter([*sorted(timers, key=lambda c: c.timeout), *ticks]), None)


def type_in(page, name, text):
    page.controls[name].box.value = text


def error_at(page, name):
    """Return the error message at a control, or an empty text."""
    pane = page.controls[name].trouble
    assert pane.visible == bool(pane.object)
    return pane.object


def notice(page):
    pane = page.chrome.notice
    assert pane.visible == bool(pane.object)
    return pane.object


def live_columns(page):
    """Return the columns in the page's live sources."""
    return {s: {c: np.array(v) for c, v in source.data.items()} for s, source in page.view.sources.items()}


def same_columns(a, b):
    return all(alike(a[s][c], b[s][c]) for s in a for c in a[s])


def shows_state(page, **fields):
    """Return whether lab, picture, headline, link and code all show these fields."""
    lab = page.lab_class(**fields)
    if hasattr(page.lab, "table"):
        lab.table = page.lab.table
    result = lab.result()
    link = {k: v for k, v in parse_qsl(page.link(), keep_blank_values=True) if k != "v"}
    return (
        page.lab == lab
        and same_columns(page.view.columns(result), live_columns(page))
        and page.chrome.headline.object == page.headline(result, result.row)
        and page.lab_class.from_flat(link) == (lab, [])
        and page.chrome.bar.share.code == page.python(result)
    )


def headline_in(page, doc):
    """Return the model that shows the headline in a document."""
    (model,) = [m for m in doc.select({"type": HTML}) if unescape(m.text) == page.chrome.headline.object]
    return model


def ask(page, serial, **values):
    """Send a request as a browser does; return how often the page has answered."""
    page.pacer.request.asked = json.dumps([serial, values])
    return page.pacer.request.answered


def press_key(page, key):
    """Send the message of a key press; each press has a new serial number."""
    last = page.shortcuts.keys.pressed
    page.shortcuts.keys.pressed = json.dumps([json.loads(last)[0] + 1 if last else 1, key])


def link_words(page):
    """Return the parameters of a page's link."""
    return dict(parse_qsl(page.link(), keep_blank_values=True))


def page_at_link(page):
    """Return a new page opened by the link of a page."""
    return type(page)(link_words(page))


def page_using(page, raw, name):
    """Load a file of the user's data into a page, check that there is no message, and return the page."""
    page.user_data.choose(raw, name)
    page.user_data.use(page.user_data.read())
    assert notice(page) == ""
    return page


def choose(page, raw, name="mine.csv"):
    """Set the file widget as a browser does once a file is chosen."""
    page.user_data.file.param.update(value=raw, filename=name)


def use(page):
    """Press the button that uses the table."""
    page.user_data.button.clicks += 1


def paste(page, text):
    """Send a text from the paste box."""
    asyncio.run(page.user_data.intake.paste._pressed(Mock(data=text)))


def about(page):
    """Return what the page says of the user's table."""
    return unescape(page.user_data.about.object)


def run_copied_python(page, folder, monkeypatch, **files):
    """Run a page's copied Python in a folder with these files, and return its namespace."""
    monkeypatch.chdir(folder)
    for name, raw in files.items():
        (folder / f"{name}.csv").write_bytes(raw)
    exec(page.chrome.bar.share.code, space := {})
    return space


def page_with_file(page, raw, name, press=True, **menus):
    """Load a user's file into a page, set some of its menus, and perhaps press its button; return the page."""
    own = page.user_data
    own.file.param.update(value=raw, filename=name)
    for menu, value in menus.items():
        if hasattr(own, menu):
            getattr(own, menu).value = value
    if press:
        own.button.clicks += 1
    return page
