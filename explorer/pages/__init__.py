"""The dashboard: the page that every lab stands on, and its parts. Loads Panel; `import explorer` does not."""

from __future__ import annotations

import sys
from urllib.parse import parse_qsl

import panel as pn
from threadpoolctl import threadpool_limits

from explorer.workbench import registry

from .wire import calm, in_one_frame


def page_class(name):
    """The class of a lab's page, loaded when it is first asked for: a session does not wait for the other labs."""
    return getattr(registry.role(name, "page"), _called(registry.entry(name)))


def _called(entry):
    """The name of a lab's page, after its model: ShrinkagePage of ShrinkageLab."""
    return f"{entry.lab.__name__.removesuffix('Lab')}Page"


def __getattr__(name):
    """ShrinkagePage and its like, for notebooks."""
    if name.endswith("Page"):
        for lab, entry in registry.entries().items():
            if name == _called(entry):
                return page_class(lab)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def open_page(name):
    """The page of a served session, opened from the words of its address."""
    pn.extension()
    # many sessions share the cores, and BLAS threads that wait for one another made a 10 ms result take 280
    threadpool_limits(1, user_api="blas")
    sys.setswitchinterval(5e-4)  # s: a thread that computes gives way to the hand within a tenth of the usual time
    in_one_frame()
    calm(pn.state.curdoc)
    location = pn.state.location
    query = (location.search if location else "") or ""
    return page_class(name)(dict(parse_qsl(query.lstrip("?"), keep_blank_values=True)))
