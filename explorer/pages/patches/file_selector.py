"""Patch of Panel's widget set that keeps its file selector out of documents.

A document defines all known models that Panel's components have, with their defaults. One default of the file selector
is the folder in which the server runs. No page has a file selector.
"""

from __future__ import annotations

from typing import Any

from bokeh.core.has_props import _default_resolver

from explorer.library_patch import patch


@patch(
    "Panel's widget set",
    "The definition of its file selector has the name of the server's folder, and every visitor gets it.",
)
def leave_out_the_file_selector() -> None:
    """Remove the file selector from the models that documents define."""
    import panel_material_ui as pmui  # a notebook that only plots must not load the widgets

    selector = pmui.FileSelector._data_model
    known: Any = _default_resolver  # Bokeh's resolver of model names
    if selector in known.known_models.values():
        known.remove(selector)
