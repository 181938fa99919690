"""Cost of a regulariser: the leave-one-out score, and the distance to the truth if it is known."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .axes import Axis, decades
from .mark import Marks, Numbers, SliderColumn, curve, dots, vertical_lines
from .old_form import SecondaryPicture


class ScoreOverLam(SecondaryPicture):
    """The leave-one-out score minus its least value, and the squared distance to the exact embedding, over λ.

    The stage is a Fan. `result.scores` ends with the λ that leave-one-out chooses.
    """

    upright = "line"
    moving = "line x"
    height = 190
    y: ClassVar[Axis] = Axis("squared error", (-0.03, 0.6), {0: "0", 0.2: "0.2", 0.4: "0.4"})
    marks: ClassVar[Marks] = (
        curve("score", "skmse", width=2.5, label="leave-one-out score above its least"),
        curve("score", "truth", y="distance", width=2, dash="dotted", label="squared distance to the truth"),
        dots("best", "skmse", size=10, marker="inverted_triangle", label="least score", height_is_decorative=True),
        vertical_lines("line"),
    )

    @classmethod
    def numbers(cls, result: Any, fan: Any) -> Numbers:
        rise, square = fan.score[:-1] - float(fan.score.min()), fan.distance[:-1] ** 2
        best = result.scores[1]
        return {
            "score": {"x": np.array(result.stops), "y": np.clip(rise, 0, 1), "distance": np.clip(square, 0, 1)},
            "best": {"x": np.array([best]), "y": np.zeros(1)},
            "line": {"x": SliderColumn.of([*result.stops, best])},
        }

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        """Return (title, x, y); the title mentions the truth if it is known.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple
            The title and both axes.
        """
        truth = " (dotted: truth)" if result.exact is not None else ""
        lams = type(result.lab).fields[result.lab.slider].softbounds
        x = Axis("λ (log scale)", lams, decades(-6, 2), log=True)
        return f"Leave-one-out error by λ{truth}", x, cls.y
