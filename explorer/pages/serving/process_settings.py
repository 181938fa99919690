"""Settings that the pages change for the whole process that serves them, each with its reason.

The processes of `explorer serve` serve nothing else. A server with other apps keeps its settings with the environment
variable EXPLORER_SHARED_PROCESS=1 or by `open_page(name, shared=True)`; the pages then work, somewhat slower.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import scipy.linalg  # noqa: F401, its BLAS is a second library, and only one that is loaded can be limited
import tornado.process
from bokeh.core.has_props import _default_resolver
from threadpoolctl import threadpool_limits

from explorer.pages.patches.bokeh_default_cache import cache_bokeh_defaults
from explorer.pages.patches.bokeh_messages import send_in_one_frame
from explorer.pages.patches.bokeh_references import speed_up_reference_walks
from explorer.pages.patches.param_copy import speed_up_param_copies

VARIABLE = "EXPLORER_SHARED_PROCESS"
# after a fork, this distinguishes a process that loaded the pages itself from one that inherited them
LOADED_BY = os.getpid()
log: logging.Logger = logging.getLogger(__name__)


class Setting(NamedTuple):
    """A change of the process.

    Attributes
    ----------
    what : str
        The change.
    reason : str
        Its reason.
    make : callable
        The function that makes it.
    """

    what: str
    reason: str
    make: Callable[[], object]


def limit_blas() -> None:
    """Make BLAS compute in the calling thread only."""
    threadpool_limits(1, user_api="blas")


def switch_often() -> None:
    """Make a computing thread yield after 0.5 ms instead of 5."""
    sys.setswitchinterval(5e-4)


def collect_seldom() -> None:
    """Make the garbage collector run after 20,000 new objects instead of 700, and fully ten times less often."""
    gc.set_threshold(20_000, 10, 100)


def keep_the_folder_back() -> None:
    """Leave file selectors out of documents' definitions: these contain all known models, and no page uses one."""
    import panel_material_ui as pmui  # a notebook that only plots must not load the widgets

    selector = pmui.FileSelector._data_model
    known: Any = _default_resolver  # Bokeh's resolver of model names
    if selector in known.known_models.values():
        known.remove(selector)


SETTINGS = (
    Setting(
        "one BLAS thread",
        "many sessions share the cores, and BLAS threads that waited for one another made a 10 ms result take 280 ms",
        limit_blas,
    ),
    Setting(
        "a switch interval of 0.5 ms",
        "a computing thread yields to a control within a tenth of the default time",
        switch_often,
    ),
    Setting(
        "small arrays are sent inside their change",
        "Bokeh sends each array in two frames of its own, and decoding forty frames costs more than drawing the arrays",
        send_in_one_frame,
    ),
    Setting(
        "defaults of Bokeh's models are cached",
        "computing them for each model takes a third of the time in which a page opens",
        cache_bokeh_defaults,
    ),
    Setting(
        "references between models are searched only in values that are set",
        "reading every property of every model sixty times takes a tenth of the time in which a page opens",
        speed_up_reference_walks,
    ),
    Setting(
        "parameters are copied slot by slot",
        "each widget copies a dozen parameters, and param needs a tenth of a page's opening time for that",
        speed_up_param_copies,
    ),
    Setting(
        "file selectors are not defined",
        "their definition names the folder that the server runs in, to every visitor",
        keep_the_folder_back,
    ),
    Setting(
        "garbage is collected less often",
        "every page has 100,000 lasting objects, and checking those of forty pages takes a second",
        collect_seldom,
    ),
)
_settled = False  # whether the settings were made


def shared() -> bool:
    """Return whether the environment declares that this process serves other apps too."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def settle() -> None:
    """Make every setting, once per process."""
    global _settled
    if not _settled:
        _settled = True
        _warn_of_a_late_load()
        for setting in SETTINGS:
            setting.make()


def settle_thread() -> None:
    """Limit BLAS in a new worker thread: some builds, such as MKL, store the limit per thread.

    Before `settle` this does nothing, and so it does nothing in a shared process.
    """
    if _settled:
        limit_blas()


def _warn_of_a_late_load():
    """Log a warning if the pages were loaded after `panel serve --num-procs` had forked."""
    if tornado.process.task_id() is not None and os.getpid() == LOADED_BY:
        log.warning(
            "Each process of this server loads the pages by itself, and answers 404 for the widgets before that: "
            "pages can stay empty. Add --plugins explorer.pages.serving.panel_plugin, or "
            "use explorer serve --workers."
        )
