"""Buttons as the labs have them."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui


def button(label, act, **options):
    """A small button that does `act`."""
    return pmui.Button(
        label=label, on_click=act, **{"variant": "outlined", "size": "small", "margin": (8, 6, 0, 6), **options}
    )


def named(word, widget):
    """Buttons with the word for what they choose."""
    return pn.Row(pn.pane.HTML(word, margin=(10, 0, 0, 10)), widget, margin=0)
