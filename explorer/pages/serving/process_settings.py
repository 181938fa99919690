"""Settings and patches that the pages make in the whole process that serves them.

The processes of `explorer serve` serve nothing else. A server with other apps keeps its settings with the environment
variable EXPLORER_SHARED_PROCESS=1 or by `open_page(name, shared=True)`; the pages then work, somewhat slower.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Callable
from typing import NamedTuple

import scipy.linalg  # noqa: F401, its BLAS is a second library, and only one that is loaded can be limited
import tornado.process
from bokeh.settings import settings
from threadpoolctl import threadpool_limits

from explorer.pages.patches.bokeh.default_cache import cache_bokeh_defaults
from explorer.pages.patches.bokeh.messages import send_in_one_frame
from explorer.pages.patches.bokeh.references import speed_up_reference_walks
from explorer.pages.patches.file_selector import leave_out_the_file_selector
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


def check_seldom() -> None:
    """Make Bokeh skip its checks of callbacks and documents."""
    settings.perform_error_diagnostics = settings.perform_document_validation = False


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
        "Bokeh checks neither callbacks nor documents",
        "the checks go through all models of a page, and the pages' models are tested",
        check_seldom,
    ),
    Setting(
        "garbage is collected less often",
        "every page has 100,000 lasting objects, and checking those of forty pages takes a second",
        collect_seldom,
    ),
)
PATCHES = (
    send_in_one_frame,
    cache_bokeh_defaults,
    speed_up_reference_walks,
    speed_up_param_copies,
    leave_out_the_file_selector,
)
_settled = False  # whether the settings were made


def shared() -> bool:
    """Return whether the environment declares that this process serves other apps too."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def settle() -> None:
    """Make every setting and patch, once per process."""
    global _settled
    if not _settled:
        _settled = True
        _warn_of_a_late_load()
        for setting in SETTINGS:
            setting.make()
        for patch in PATCHES:
            patch()


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
