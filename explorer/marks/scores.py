"""Cost of a regulariser: the leave-one-out score, and the distance to the truth if it is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from .axes import Axis, decades
from .mark import SliderColumn, curve, dots, vertical_lines
from .picture import SecondaryPicture, Sources


def score_sides(result: Any, fan: Any) -> tuple[Axis, Axis]:
    """Return both axes."""
    lams = type(result.lab).fields[result.lab.slider].softbounds
    return Axis("λ (log scale)", lams, decades(-6, 2), log=True), score.y


def score_title(result: Any) -> str:
    """Return the title, which mentions the truth if it is known."""
    return (
        "Leave-one-out error by λ, and distance to the truth"
        if result.exact is not None
        else "Leave-one-out error by λ"
    )


@SecondaryPicture(
    choice="cut",
    slot="below",
    stage="fan",
    title=score_title,
    slider_line="line",
    height=190,
    y=Axis("squared error", (-0.03, 0.6), {0: "0", 0.2: "0.2", 0.4: "0.4"}),
    marks=(
        curve("score", "skmse", width=2.5, label="leave-one-out score above its least"),
        curve("score", "truth", y="distance", width=2, dash="dotted", label="squared distance to the truth"),
        dots("best", "skmse", size=10, marker="inverted_triangle", label="least score", height_is_decorative=True),
        vertical_lines("line"),
    ),
    sides=score_sides,
)
def score(result: Any, fan: Any) -> Sources:
    """Draw the leave-one-out score minus its least value, and the squared distance to the exact embedding, over λ.

    The stage is a Fan. `result.scores` ends with the λ that leave-one-out chooses.
    """
    rise, square = fan.score[:-1] - float(fan.score.min()), fan.distance[:-1] ** 2
    best = result.scores[1]
    return {
        "score": {"x": np.array(result.stops), "y": np.clip(rise, 0, 1), "distance": np.clip(square, 0, 1)},
        "best": {"x": np.array([best]), "y": np.zeros(1)},
        "line": {"x": SliderColumn.of([*result.stops, best])},
    }
