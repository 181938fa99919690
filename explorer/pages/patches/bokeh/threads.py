"""Patch of Bokeh that calls the callbacks of a page on the thread of the event loop.

Pages start timers and tasks there, and Panel joins the changes of one callback in one message only there. Bokeh calls
callbacks in worker threads since 3.10, so that a slow one delays no other session. A page computes in its own threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from explorer.library_patch import patch

if TYPE_CHECKING:
    from bokeh.document import Document

_documents: WeakSet[Document] = WeakSet()  # the documents of this project's pages


@patch(
    "Bokeh",
    "Since 3.10 callbacks run in worker threads, and a move of a slider is sent in twenty messages instead of one.",
    "https://github.com/bokeh/bokeh/issues/15294",
)
def stay_on_the_event_loop(doc: Document | None, contexts: Iterable[Any] = ()) -> None:
    """Call the callbacks of a document, and build those of applications, on the thread of the event loop.

    Documents and applications of others are called where Bokeh calls them.

    Parameters
    ----------
    doc : Document or None
        The document of a page.
    contexts : iterable of ApplicationContext
        The contexts of applications whose documents are all pages.
    """
    session: Any = import_module("bokeh.server.session")
    if not hasattr(session, "_run_in_executor"):
        return  # before 3.10
    for context in contexts:
        context._can_initialize_document_in_worker = lambda: False
    if doc is not None:
        _documents.add(doc)
    if session._run_in_executor.__module__ != __name__:
        session._run_in_executor = _here_or(session._run_in_executor)


def _here_or(in_worker):
    """Return a replacement of Bokeh's function that calls another one in a worker thread."""

    async def run(function, *arguments, **options):
        first = arguments[0] if arguments else None  # the session, or its document
        if getattr(first, "document", first) in _documents:
            return function(*arguments, **options)
        return await in_worker(function, *arguments, **options)

    return run
