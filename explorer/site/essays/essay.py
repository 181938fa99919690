"""An essay: prose in parts, the pictures that each part refers to, and the lab that it ends in.

    [words](#key)    in the prose: the scene of that key begins here; these words show the scene
    {name}           in the prose, a heading or a caption: the value that `prose_values()` has under that name
    $TeX$            a formula

No number of an essay is typed in: `prose_values()` computes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.svg import draw_standalone
from explorer.workbench.content import content_of
from explorer.workbench.registry import entry

if TYPE_CHECKING:
    from explorer.marks import Picture
    from explorer.markup import Markup
    from explorer.workbench import Preset

WIDTH = 420  # width of a drawing in px, so that its text is readable on a phone; next to the text it is larger


class Scene(NamedTuple):
    """A picture of an essay: one drawing, or several that scrolling runs through.

    Attributes
    ----------
    key : str
        Its name in the prose and in addresses, unique within the essay.
    says : str
        The caption: a sentence that also describes it to readers who do not see it.
    draws : callable
        Returns its drawings, all of one size. The last one is the picture on paper.
    """

    key: str
    says: str
    draws: Callable[[], Sequence[Markup]]


class Part(NamedTuple):
    """A heading, its prose in Markdown, and its scenes.

    The first scene begins with the part. Each other scene begins where the prose first links to it.
    """

    heading: str
    prose: str
    scenes: Sequence[Scene]


class Essay(NamedTuple):
    """An essay of five minutes.

    Attributes
    ----------
    key, title : str
        Its name in addresses, and its title.
    question : str
        The question that it answers, as a sentence.
    parts : sequence of Part
        Its text and scenes.
    cover : callable
        Returns a thumbnail of it, drawn by `explorer.svg.thumbnail`.
    prose_values : callable
        Returns the numbers and phrases that the prose names, by name.
    lab, preset : str
        The lab in which it ends, and the name of the preset that it refers to.
    lesson : int
        The number of the lesson that continues it.
    names : tuple of str
        The public names that it mentions, which the reference explains.
    """

    key: str
    title: str
    question: str
    parts: Sequence[Part]
    cover: Callable[[], Markup]
    prose_values: Callable[[], Mapping[str, Any]]
    lab: str
    preset: str
    lesson: int
    names: Sequence[str]

    @property
    def scenes(self) -> list[Scene]:
        """The scenes of all parts, in order."""
        return [scene for part in self.parts for scene in part.scenes]

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
