"""What our pages change for the whole process that serves them: each setting with its reason, in this one place.

`explorer serve` has its processes to itself. Who serves our pages beside other apps leaves these processes as they are
by the variable EXPLORER_SHARED_PROCESS=1 or by `open_page(name, shared=True)`; the pages work, somewhat slower.
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

from explorer.pages.patches.bokeh_defaults import cache_bokeh_defaults
from explorer.pages.patches.bokeh_messages import send_in_one_frame
from explorer.pages.patches.bokeh_references import speed_up_reference_walks
from explorer.pages.patches.param_copy import speed_up_param_copies

VARIABLE = "EXPLORER_SHARED_PROCESS"
LOADED_BY = os.getpid()  # after a fork, this tells a process that loaded the pages itself from one that inherited them
log: logging.Logger = logging.getLogger(__name__)


class Setting(NamedTuple):
    """A change of the process: what it does, why, and the function that makes it."""

    what: str
    reason: str
    make: Callable[[], object]


def limit_blas() -> None:
    """Let BLAS compute in the thread that calls it, and in no other."""
    threadpool_limits(1, user_api="blas")


def switch_often() -> None:
    """Let a thread that computes give way after 0.5 ms instead of 5."""
    sys.setswitchinterval(5e-4)


def collect_seldom() -> None:
    """Let the collector look at what is new after 20,000 objects instead of 700, and at all of it ten times less."""
    gc.set_threshold(20_000, 10, 100)


def keep_the_folder_back() -> None:
    """Let documents define no file selector: all that is known is defined, and no page of ours has one."""
    import panel_material_ui as pmui  # a notebook that plots and shows no page is to load no widgets

    selector = pmui.FileSelector._data_model
    known: Any = _default_resolver  # of Bokeh's own
    if selector in known.known_models.values():
        known.remove(selector)


SETTINGS = (
    Setting(
        "one BLAS thread",
        "many sessions share the cores, and BLAS threads that wait for one another made a 10 ms result take 280",
        limit_blas,
    ),
    Setting(
        "a switch interval of 0.5 ms",
        "a thread that computes gives way to a control within a tenth of the usual time",
        switch_often,
    ),
    Setting(
        "small arrays inside the change that has them",
        "Bokeh sends each array in two frames of its own, and taking forty apart costs more than drawing them",
        send_in_one_frame,
    ),
    Setting(
        "defaults of Bokeh's models are remembered",
        "to work them out anew for each model of each page takes a third of the time that a page takes to open",
        cache_bokeh_defaults,
    ),
    Setting(
        "references between models are looked for in what is set",
        "to ask for every property of every model sixty times a page takes a tenth of the time that it takes to open",
        speed_up_reference_walks,
    ),
    Setting(
        "parameters are copied slot by slot",
        "each widget has a dozen of its own, and param's way to copy them takes a tenth of that time",
        speed_up_param_copies,
    ),
    Setting(
        "file selectors are not defined",
        "their definition names the folder that the server runs in, to every visitor",
        keep_the_folder_back,
    ),
    Setting(
        "garbage is looked for less often",
        "every page has a hundred thousand objects that stay, and to go through those of forty pages takes a second",
        collect_seldom,
    ),
)
_settled = False  # whether the settings were made


def shared() -> bool:
    """Whether this process is said to serve other apps too."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def settle() -> None:
    """Make every setting, once a process."""
    global _settled
    if not _settled:
        _settled = True
        _warn_of_a_late_load()
        for setting in SETTINGS:
            setting.make()


def settle_thread() -> None:
    """Limit BLAS in a new thread that computes: some builds, such as MKL, keep the limit for each thread.

    It does nothing before `settle`, and so nothing where the process is shared.
    """
    if _settled:
        limit_blas()


def _warn_of_a_late_load():
    """Say that the pages should have been loaded before `panel serve --num-procs` forked."""
    if tornado.process.task_id() is not None and os.getpid() == LOADED_BY:
        log.warning(
            "The processes of this server load the pages one by one, and one that has not done so answers 404 for the "
            "widgets: pages can stay empty. Add --plugins explorer.pages.serving.panel_plugin, or use explorer serve --workers."
        )
