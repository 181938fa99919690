"""Modes of a page: all of it, the minimum for an embedded page, or large pictures for a lecture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from explorer.printing import echo, join_list

ALL, EMBEDDED, LECTURE = "", "min", "lecture"
MODES = (EMBEDDED, LECTURE)


@dataclass(frozen=True)
class Mode:
    """The parts of a page that are visible.

    Attributes
    ----------
    ui : {"", "min", "lecture"}
        The mode: the whole page, an embedded page or a lecture.
    hide : tuple of str
        The names of the controls that are hidden.
    """

    ui: str = ALL
    hide: tuple[str, ...] = ()

    @classmethod
    def of(cls, ui: str, hide: str, controls: Sequence[str]) -> tuple[Self, list[str]]:
        """Read a mode from the query parameters of a link.

        Parameters
        ----------
        ui, hide : str
            The values of the parameters with these names.
        controls : sequence of str
            The names of the controls that can be hidden.

        Returns
        -------
        mode : Mode
            The mode; values that name nothing are left out of it.
        troubles : list of str
            A sentence for each value that names nothing.
        """
        names = [name for name in hide.split(",") if name]
        troubles = []
        if ui not in (ALL, *MODES):
            troubles.append(f"ui may be {join_list(MODES)}, not {echo(ui)}; the whole page is shown.")
            ui = ALL
        if unknown := [name for name in names if name not in controls]:
            troubles.append(f"hide names {join_list(unknown)}, and this page has only {join_list(controls)} to hide.")
        return cls(ui, tuple(name for name in names if name in controls)), troubles

    def words(self) -> dict[str, str]:
        """Return the mode as query parameters of a link."""
        return {**({"ui": self.ui} if self.ui else {}), **({"hide": ",".join(self.hide)} if self.hide else {})}

    @property
    def has_tools(self) -> bool:
        """True if the page has more than its pictures, their controls and their caption."""
        return self.ui == ALL

    @property
    def has_controls(self) -> bool:
        """True if the controls below the pictures and the caption are visible."""
        return self.ui != LECTURE
