"""The dashboard: a chassis, its parts, and one file a lab. Loads Panel; `import explorer` does not."""

from __future__ import annotations

import sys
from urllib.parse import parse_qsl

import panel as pn
from threadpoolctl import threadpool_limits

from .addresses import LABS, page_class
from .wire import calm, in_one_frame

PAGES = {address.page: name for name, address in LABS.items()}


def __getattr__(name):
    """ShrinkagePage and its like, for notebooks."""
    if name in PAGES:
        return page_class(PAGES[name])
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
