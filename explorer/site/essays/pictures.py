"""Pictures that are drawn for an essay because no lab draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.marks import Axis
from explorer.marks.mark import Numbers
from explorer.marks.old_form import Picture

from .essay import draw

if TYPE_CHECKING:
    from explorer.markup import Markup


class EssayPicture(NamedTuple):
    """Content of an EssayPlot: its title, source -> column -> array, and its axes; sources may be left out."""

    title: str
    numbers: Numbers
    x: Axis
    y: Axis


class EssayPlot(Picture):
    """Base class of an essay's pictures: a subclass has the marks, and its result is an EssayPicture."""

    name = "own"
    height = 290

    @classmethod
    def numbers(cls, result: Any, *value: Any, **named: Any) -> Numbers:
        return result.numbers

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        return result.title, result.x, result.y


def film(picture: Picture, results: Sequence[Any]) -> list[Markup]:
    """Return the drawings of a scene that moves: one picture of each result."""
    return [draw(picture, each) for each in results]
