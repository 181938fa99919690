"""Patches of Panel that remove a page from registries of the process, which would keep it alive after its session.

Panel's registry of scripts has weak keys, but a script refers to its own key by its arguments. A page of the widget set
watches whether the process is busy, and Panel never ends that.
"""

from __future__ import annotations

from typing import Any

import panel as pn
from panel.links import Callback

from explorer.library_patch import patch


@patch("Panel", "The arguments of a part's scripts keep the part, and so its page, in memory forever.")
def forget_scripts(*parts: Any) -> None:
    """Drop the scripts of parts whose session is closed.

    Parameters
    ----------
    *parts : Viewable or Model
        The parts.
    """
    for part in parts:
        Callback.registry.pop(part, None)


@patch("Panel's widget set", "The process's state refers to every page that was ever built, to tell it of being busy.")
def stop_watching_busy(page: Any) -> None:
    """Remove a page from the watchers of the process's state."""
    for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", ())):
        if getattr(getattr(watcher.fn, "__self__", None), "self", None) is page:
            pn.state.param.unwatch(watcher)
