"""HoloViews' scripts in a notebook: one compressed copy, whereas HoloViews itself stores them twice in full."""

from __future__ import annotations

import json
from importlib import import_module
from types import ModuleType
from typing import Any

from explorer.checks import Refusal, echo, join_list
from explorer.sweeps.progress import in_notebook

TAG = "explorer"  # tag of the figures that `plot` makes
BACKENDS = ("bokeh", "matplotlib")
SCRIPT = "application/javascript"

_whole = False  # whether all HoloViews plots are made self-contained, or only those of `plot`


def extension(backend: str = "bokeh") -> None:
    """Load HoloViews for a notebook that shows plots without a network.

    It does what `hv.extension(backend, inline=True, logo=False)` does, in a sixth of the bytes: 1 MB of the saved
    notebook
    instead of 6. `plot` does it at its first call if no backend is loaded. Call it before a HoloViews plot of your own.

    Parameters
    ----------
    backend : {"bokeh", "matplotlib"}, default "bokeh"
        The backend to load.

    Raises
    ------
    ValueError
        If the backend is another one.

    Examples
    --------
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
    """Load a backend, and publish the scripts that a notebook's cells need."""
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
    # inside the plot, the legend would cover the marks
    hv.opts.defaults(hv.opts.Overlay(legend_position="right", backend=backend))
    for data in _light([(output.data, output.metadata) for output in published.outputs]):
        publish_display_data(*data)


def _light(published: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the published outputs, with all their scripts compressed into the first one."""
    scripts = [data[SCRIPT] for data, _ in published if SCRIPT in data]
    others = [(data, metadata) for data, metadata in published if SCRIPT not in data]
    if not scripts:
        return others
    from explorer.browser import run
    from explorer.browser.compression import compress_text
    from explorer.markup import script

    html = script(run("unpacking.load", compress_text(json.dumps(scripts))))
    return [({"text/html": html, "text/plain": "HoloViews' scripts"}, {}), *others]


def hold_sheets() -> None:
    """Embed the style sheets in the plots that Panel shows and that need no network."""
    hooks = import_module("panel.viewable").Viewable._preprocessing_hooks
    if _self_contained not in hooks:
        hooks.append(_self_contained)


def _self_contained(viewable: Any, root: Any) -> None:
    """Embed the style sheets of a plot.

    HoloViews shows a plot in a pane of Panel, whose four style sheets would be fetched from Panel's own host, in a
    notebook
    and in a saved file, although all scripts are inline.
    """
    from bokeh.models import Plot, UIElement

    theirs = _whole and viewable.select(import_module("panel.pane").HoloViews)
    if theirs or any(TAG in figure.tags for figure in root.select({"type": Plot})):
        inline = import_module("panel.io.notebook").patch_inline_stylesheets
        for model in root.select({"type": UIElement}):
            inline(model)
