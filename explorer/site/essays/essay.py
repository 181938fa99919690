"""An essay: its text in a Markdown file, and what Python draws and computes for it.

No number of an essay is typed in: `prose_values()` computes them. `reading` has the form of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.svg import draw_standalone
from explorer.workbench.content import content_of
from explorer.workbench.registry import entry

from .reading import Text

if TYPE_CHECKING:
    from explorer.marks import Picture
    from explorer.markup import Markup
    from explorer.workbench import Preset

WIDTH = 420  # width of a drawing in px, so that its text is readable on a phone; next to the text it is larger


@dataclass(frozen=True, eq=False)
class Essay:
    """An essay of five minutes.

    Attributes
    ----------
    path : Path
        Its Markdown file. The name of the file is that of the essay in addresses.
    scenes : mapping of str to callable
        Draws each picture by name: one drawing, or several of one size that scrolling runs through. The last one is
        the picture on paper.
    cover : callable
        Returns a thumbnail of it, drawn by `explorer.svg.thumbnail`.
    prose_values : callable
        Returns the numbers and phrases that the text names, by name.
    lab, preset : str
        The lab in which it ends, and the name of the preset that it refers to.
    lesson : int
        The number of the lesson that continues it.
    names : sequence of str
        The public names that it mentions, which the reference explains.
    """

    path: Path
    scenes: Mapping[str, Callable[[], Sequence[Markup]]]
    cover: Callable[[], Markup]
    prose_values: Callable[[], Mapping[str, Any]]
    lab: str
    preset: str
    lesson: int
    names: Sequence[str]

    @property
    def key(self) -> str:
        """The essay's name in addresses."""
        return self.path.stem

    @cached_property
    def text(self) -> Text:
        """The essay's text, which is checked when it is first read."""
        return Text(self.path, self.scenes)

    @property
    def state(self) -> Preset:
        """The preset of the lab in which it ends."""
        return next(each for each in content_of(self.lab).presets if each.name == self.preset)


def result_of(lab: str, **fields: Any) -> Any:
    """Return the complete result of a lab's state, including the deferred stages."""
    return entry(lab).lab(**fields).result(wait=True)


def draw(picture: Picture, result: Any) -> Markup:
    """Draw a picture of a result, such as a lab's, in the size of an essay."""
    return draw_standalone(picture, result, WIDTH)
