"""A lab in a notebook or a script: its page, and the current lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from panel.viewable import Viewer

from explorer.checks import Refusal, WrongType
from explorer.pages import page_class
from explorer.printing import echo
from explorer.sweeps.progress import in_notebook
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.workbench import Lab


class LabExploration(Viewer):
    """The page of a lab, opened at its fields; `page` is that page, `value` the lab that it shows."""

    def __init__(self, lab: Lab) -> None:
        if lab.own is not None:
            raise Refusal(
                "this lab has data of your own, which its page takes from a file; open the page and choose it."
            )
        super().__init__()
        self.page: Any = page_class(registry.name_of(type(lab)))(**lab.values())

    @property
    def value(self) -> Any:
        """The current lab, as a copy that later moves do not change."""
        lab = self.page.lab
        return lab.snapshot

    @value.setter
    def value(self, lab: Any) -> None:
        if type(lab) is not type(self.page.lab):
            raise WrongType(f"value must be a {type(self.page.lab).__name__}, not {echo(lab)}.")
        self.move(**lab.values())

    def move(self, **changes: Any) -> None:
        """Change some fields of the lab at once; the page follows."""
        lab = self.page.lab
        lab.move(**changes)

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return the content of a notebook cell: the page's, which needs no network."""
        if in_notebook():
            return self.page._repr_mimebundle_(include, exclude)
        return super()._repr_mimebundle_(include, exclude)

    def __panel__(self) -> Any:
        return self.page.__panel__()
