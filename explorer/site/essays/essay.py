"""What an essay is: prose in parts, the pictures that each part speaks of, and the lab that it ends in.

    [words](#key)    in the prose: here the scene of that key begins; these words show it, and show it no more
    {name}           in the prose, a heading or what a scene says: what `told()` gives under that name
    $TeX$            a formula

No number of an essay is typed in: `told()` computes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.svg import drawn_alone
from explorer.workbench.registry import entry, role

if TYPE_CHECKING:
    from explorer.marks import Picture
    from explorer.markup import Markup
    from explorer.workbench import Preset

WIDTH = 420  # px of a drawing: its letters are read on a telephone, and larger beside the text


class Scene(NamedTuple):
    """A picture that an essay shows: one drawing or, where it moves, those that scrolling runs through.

    key    its name in the prose, and in addresses; each of an essay has another one
    says   one sentence below it, which also tells those who do not see it what it shows
    draws  () -> its drawings, all of one size; the last one is the picture on paper
    """

    key: str
    says: str
    draws: Callable[[], Sequence[Markup]]


class Part(NamedTuple):
    """A heading, its prose in Markdown, and its scenes.

    The first scene begins with the part, and each other one where the prose first links to it.
    """

    heading: str
    prose: str
    scenes: Sequence[Scene]


class Essay(NamedTuple):
    """An essay of five minutes.

    key       its name in addresses
    question  what it answers, in a sentence
    cover     () -> a small picture of it, without words, by `explorer.svg.thumbnail`
    told      () -> name -> a number or a phrase, of all that the prose names
    lab       the lab in which it ends, and the name of the preset that it speaks of
    lesson    the number of the lesson that goes on from it
    names     the public names that it speaks of, which the reference explains
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
        return next(each for each in role(self.lab, "stories").PRESETS if each.name == self.preset)


def result_of(lab: str, **fields: Any) -> Any:
    """The whole result of a lab's state, all that takes longer computed too."""
    return entry(lab).lab(**fields).result(wait=True)


def draw(picture: type[Picture], result: Any) -> Markup:
    """A picture of a result, such as a lab's, in the size of an essay."""
    return drawn_alone(picture, result, WIDTH)
