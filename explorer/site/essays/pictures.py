"""Pictures that are drawn for an essay because no lab draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.marks import Axis
from explorer.marks.mark import Numbers
from explorer.marks.picture import ContentPicture, Picture

from .essay import draw

if TYPE_CHECKING:
    from explorer.markup import Markup


class EssayPicture(NamedTuple):
    """Content of an EssayPlot: its title, source -> column -> array, and its axes; sources may be left out."""

    title: str
    numbers: Numbers
    x: Axis
    y: Axis


@dataclass(frozen=True, eq=False)
class EssayPlot(ContentPicture):
    """A picture of an essay, whose result is an EssayPicture."""

    name: str = "own"
    height: int = 290


def film(picture: Picture, results: Sequence[Any]) -> list[Markup]:
    """Return the drawings of a scene that moves: one picture of each result."""
    return [draw(picture, each) for each in results]
