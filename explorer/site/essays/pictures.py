"""Pictures that are drawn for an essay because no lab draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.marks import Axis, ReferenceLine, curve, dots, nice_ticks, vertical_lines, words
from explorer.marks.mark import Numbers
from explorer.marks.picture import ContentPicture, Picture

from .essay import draw

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.types import Vector

LEVEL = 0.05  # of the tests whose rates are drawn
LINES = (("truth", "solid"), ("kme", "dashed"), ("skmse", "dotted"))  # role and dash of the first, second, ... curve
SHARE = Axis("share of the samples", (0.0, 1.06))


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


def text_at(text: str, x: float, y: float) -> dict[str, Any]:
    """Return the columns of a text at a place."""
    return {"x": [x], "y": [y], "words": [text]}


class Rates(EssayPlot):
    """Shares of repeated samples over a setting, one curve for each label, with the level of the tests."""

    @classmethod
    def of(cls, *labels: str) -> Rates:
        """Return the plot of curves with these labels."""
        curves = [
            mark
            for k, (label, (role, dash)) in enumerate(zip(labels, LINES, strict=False))
            for mark in (
                curve("rates", role, y=f"y{k}", width=2.5, dash=dash, label=label),
                dots("rates", role, y=f"y{k}", size=6),
                dots("here", role, y=f"y{k}", size=11),
            )
        ]
        level = ReferenceLine("harm", y=LEVEL, style={"width": 1.5, "dash": "dotted"}, label=f"level {LEVEL:g}")
        return cls(
            height=280,
            background=(level,),
            marks=(*curves, vertical_lines("here"), words("said", "truth", px=13, halo=True)),
        )

    def film(self, title: str, x: Axis, at: Vector, rates: Sequence[Vector], top: float = 1.0) -> list[Markup]:
        """Return the drawings that highlight one setting after the other, in the order of `at`."""
        y = SHARE._replace(range=(0.0, 1.06 * top), ticks=nice_ticks(0.0, top, 3))
        columns: Mapping[str, Vector] = {f"y{k}": np.asarray(each) for k, each in enumerate(rates)}
        over = {"x": np.asarray(at, dtype=float), **columns}
        shown = [
            {"rates": over, "here": {name: each[place : place + 1] for name, each in over.items()}}
            for place in range(len(at))
        ]
        return film(self, [EssayPicture(title, each, x, y) for each in shown])
