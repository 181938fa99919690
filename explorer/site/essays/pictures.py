"""Pictures that an essay draws itself, where no lab draws what it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.marks import Axis, Picture
from explorer.marks.mark import Numbers

from .essay import draw

if TYPE_CHECKING:
    from explorer.markup import Markup


class EssayPicture(NamedTuple):
    """What an Own picture draws: its title, source -> column -> array, and its axes; a source may be left out."""

    title: str
    numbers: Numbers
    x: Axis
    y: Axis


class EssayPlot(Picture):
    """A picture of an essay's own: a subclass has the marks, and a result of it is a Shown."""

    name = "own"
    height = 290

    @classmethod
    def numbers(cls, result: Any, *value: Any, **named: Any) -> Numbers:
        return result.numbers

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        return result.title, result.x, result.y


def film(picture: type[Picture], results: Sequence[Any]) -> list[Markup]:
    """The drawings of a scene that moves: one picture of each result."""
    return [draw(picture, each) for each in results]
