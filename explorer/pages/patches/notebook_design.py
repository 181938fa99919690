"""Patch of Panel's design in a notebook: the widget set's design, without a wrapper around other components."""

from __future__ import annotations

import panel as pn
from panel.theme import Native
from panel_material_ui.theme import MaterialDesign

from explorer.library_patch import patch
from explorer.pages import HAD_WIDGETS
from explorer.sweeps.progress import in_notebook


class Design(MaterialDesign):
    """The widget set's design without effect on a notebook's other cells.

    Importing panel-material-ui makes its design the default for everything Panel renders, including HoloViews plots. In
    a notebook it then wraps each in a component whose module is fetched from another host, so without a network a plot
    stays blank.
    """

    def _wrapper(self, viewable):
        return viewable


@patch(
    "Panel's widget set",
    "Importing it changes the design of other cells, and plots there fetch a module from another host.",
    "https://github.com/holoviz/panel/pull/8752",
)
def settle_notebook_design() -> None:
    """Set this design in a notebook, and give HoloViews plots the look that they had before a page was loaded.

    A server needs no wrapper, and a notebook that had loaded the widget set before keeps its design.
    """
    if in_notebook() and not HAD_WIDGETS:
        pn.config.design = Design
        pn.pane.HoloViews.param.design.default = Native
