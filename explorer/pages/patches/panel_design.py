"""Panel's design in a notebook once a page is loaded: the widget set's, without a wrapper about what is not of it."""

from __future__ import annotations

import panel as pn
from panel.theme import Native
from panel_material_ui.theme import MaterialDesign

from explorer.pages import HAD_WIDGETS
from explorer.sweeps.progress import in_notebook


class Design(MaterialDesign):
    """The widget set's design, which a notebook's other cells do not notice.

    To import the widget set makes its design that of all that Panel shows, HoloViews' plots too, and in a notebook it
    then wraps each in a component whose module is fetched from another host: without a network a plot stays blank.
    """

    def _wrapper(self, viewable):
        return viewable


def settle() -> None:
    """Make it a notebook's design, and leave HoloViews' plots the look that they had before a page was loaded.

    A server wraps nothing, and whoever had loaded the widget set before has its design for a reason.
    """
    if in_notebook() and not HAD_WIDGETS:
        pn.config.design = Design
        pn.pane.HoloViews.param.design.default = Native
