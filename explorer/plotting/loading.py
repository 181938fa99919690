"""HoloViews' scripts in a notebook: one packed copy, where HoloViews itself stores them twice in full."""

from __future__ import annotations

import json
from importlib import import_module
from types import ModuleType
from typing import Any

from explorer.checks import Refusal, echo, join_list
from explorer.sweeps.progress import in_notebook

TAG = "explorer"  # of a figure that `plot` made
BACKENDS = ("bokeh", "matplotlib")
SCRIPT = "application/javascript"

_whole = False  # whether all plots of HoloViews are to be whole without a network, or ours alone


def extension(backend: str = "bokeh") -> None:
    """Load HoloViews for a notebook that is to show plots without a network.

    As `hv.extension(backend, inline=True, logo=False)`, in a sixth of the bytes: 1 MB of the saved notebook instead of
    6. `plot` does so at its first call where no backend is loaded; call it where a plot of your own comes first.

    Parameters
    ----------
    backend : "bokeh" or "matplotlib"

    Raises
    ------
    ValueError
        If the backend is another one.

    >>> import holoviews
    >>> from explorer.plotting import extension
    >>> extension("bokeh")
    >>> holoviews.Store.current_backend
    'bokeh'
    """
    if backend not in BACKENDS:
        raise Refusal(f"backend must be one of {join_list(BACKENDS)}, not {echo(backend)}.")
    import holoviews as hv

    load(hv, backend)


def load(hv: ModuleType, backend: str) -> None:
    """Load a backend, and show what a notebook's cell needs of it."""
    global _whole
    _whole = True
    hold_sheets()
    if not in_notebook():
        hv.extension(backend, inline=True, logo=False)
        return
    from IPython.display import publish_display_data
    from IPython.utils.capture import capture_output

    with capture_output(stdout=False, stderr=False) as published:
        hv.extension(backend, inline=True, logo=False)
    hv.opts.defaults(hv.opts.Overlay(legend_position="right", backend=backend))  # inside, it lies on what it explains
    for data in _light([(output.data, output.metadata) for output in published.outputs]):
        publish_display_data(*data)


def _light(published: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """What was published, its scripts packed into the first of it that is one."""
    scripts = [data[SCRIPT] for data, _ in published if SCRIPT in data]
    others = [(data, metadata) for data, metadata in published if SCRIPT not in data]
    if not scripts:
        return others
    from explorer.browser import run
    from explorer.markup import script
    from explorer.pages.notebook.compression import compress_text  # loads Panel, as HoloViews has

    html = script(run("unpacking.load", compress_text(json.dumps(scripts))))
    return [({"text/html": html, "text/plain": "HoloViews' scripts"}, {}), *others]


def hold_sheets() -> None:
    """Let what Panel shows have its style sheets in it, where it is a plot that needs no network."""
    hooks = import_module("panel.viewable").Viewable._preprocessing_hooks
    if _self_contained not in hooks:
        hooks.append(_self_contained)


def _self_contained(viewable: Any, root: Any) -> None:
    """HoloViews shows a plot in a pane of Panel, whose four style sheets would be fetched from Panel's own host, in a
    notebook and in a saved file, although all scripts are inline.
    """
    from bokeh.models import Plot, UIElement

    theirs = _whole and viewable.select(import_module("panel.pane").HoloViews)
    if theirs or any(TAG in figure.tags for figure in root.select({"type": Plot})):
        inline = import_module("panel.io.notebook").patch_inline_stylesheets
        for model in root.select({"type": UIElement}):
            inline(model)
