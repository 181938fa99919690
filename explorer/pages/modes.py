"""How much of a page is there: all of it, what an embedded page needs, or large pictures for a lecture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from explorer.printing import echo, join_list

ALL, EMBEDDED, LECTURE = "", "min", "lecture"
MODES = (EMBEDDED, LECTURE)


@dataclass(frozen=True)
class Mode:
    """What a link says of it: `ui` is one of MODES or none, `hide` names controls that are not to be seen."""

    ui: str = ALL
    hide: tuple[str, ...] = ()

    @classmethod
    def of(cls, ui: str, hide: str, controls: Sequence[str]) -> tuple[Self, list[str]]:
        """(the Mode that the words of a link name, a sentence for each word that names nothing)."""
        names = [name for name in hide.split(",") if name]
        troubles = []
        if ui not in (ALL, *MODES):
            troubles.append(f"ui may be {join_list(MODES)}, not {echo(ui)}; the whole page is shown.")
            ui = ALL
        if unknown := [name for name in names if name not in controls]:
            troubles.append(f"hide names {join_list(unknown)}, and this page has only {join_list(controls)} to hide.")
        return cls(ui, tuple(name for name in names if name in controls)), troubles

    def words(self) -> dict[str, str]:
        """What a link says of it."""
        return {**({"ui": self.ui} if self.ui else {}), **({"hide": ",".join(self.hide)} if self.hide else {})}

    @property
    def has_tools(self) -> bool:
        """Whether there is more than pictures, their controls and their caption."""
        return self.ui == ALL

    @property
    def has_controls(self) -> bool:
        """Whether the controls below the pictures are there, and the caption."""
        return self.ui != LECTURE
