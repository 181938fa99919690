"""A page as a notebook has it: what its cell shows, and the lab, which code reads and moves."""

from __future__ import annotations

import panel as pn
from bokeh.settings import settings

from explorer.checks import WrongType
from explorer.printing import shown
from explorer.sweeps.progress import in_notebook

if in_notebook():
    # parts of a page find themselves in the browser by their names, and Bokeh counts from 1000 in every process: after
    # a restart of the kernel they would find those of the labs that are still shown
    settings.simple_ids.set_value(False)


class InCell:
    """What a page is in a notebook; a mixin before Panel's Viewer.

    `session` is where a cell shows the page, None before; its parts are of the material widget set.
    """

    _lab = None
    session, material = None, True

    def _repr_mimebundle_(self, include=None, exclude=None):
        """What a notebook's cell shows; the page lives in its browser from then on."""
        if not in_notebook():
            return super()._repr_mimebundle_(include, exclude)
        from .notebook import mimebundle  # only a notebook needs it

        return mimebundle(self)

    def live_in(self, doc):
        """Be the root of a document that a cell shows."""
        from .cell import cell

        doc.add_root(cell(self).get_root(doc))
        self.enter(doc)

    def enter(self, doc):
        """Live in a document that a browser shows: what takes long no longer holds up what the hand does."""
        self._doc = doc
        pn.state.onload(self._built.set)

    @property
    def lab(self):
        """The lab as it is now. To set another one, of the same class, moves the page there."""
        return self._lab

    @lab.setter
    def lab(self, lab):
        if not isinstance(lab, self.lab_class):
            raise WrongType(f"lab must be a {self.lab_class.__name__}, not {shown(lab)}.")
        if self._lab is None:
            self._lab = lab
        else:
            self._lab.own = lab.own
            self.move(None, **lab.values())
