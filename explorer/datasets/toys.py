"""Toy samples: pairs of numbers whose distribution is known, most of them dependent without any correlation."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.rng import stream
from explorer.types import Matrix

SHAPES = ("ring", "cross", "sine", "fan", "line", "none")


def shape(kind: str, n: int, noise: float = 0.2, waves: int = 2, rng: int | None = None) -> tuple[Matrix, Matrix]:
    """n pairs of a shape, X (n, 1) and Y (n, 1); with an int seed a larger n only appends pairs.

    With t uniform on [-1, 1], s = 1 or -1 by a fair coin, u and v standard normal and ν the noise, a standard
    deviation:

    "ring"   (cos πt + νu, sin πt + νv)     "cross"  (t, st + νv)             "sine"  (t, sin(waves πt) + νv)
    "line"   (t, t + νv)                    "fan"    (t, 0.4 (1 + t) u + νv)  "none"  (t, t' + νv), t' as t and by
             itself

    "ring", "cross" and "fan" have no correlation; in a fan only the spread of y depends on x. Raises ValueError for
    others.
    """
    if kind not in SHAPES:
        raise Refusal(f"There is no shape {checks.shown(kind)}; the shapes are {', '.join(SHAPES)}.")
    n = checks.whole(n, "n", 1)
    t, other = stream(rng, "place").uniform(-1, 1, n), stream(rng, "other").uniform(-1, 1, n)
    u, v = stream(rng, "noise").normal(size=(n, 2)).T
    x, y = {
        "ring": lambda: (np.cos(np.pi * t) + noise * u, np.sin(np.pi * t)),
        "cross": lambda: (t, np.where(other < 0, -t, t)),
        "sine": lambda: (t, np.sin(waves * np.pi * t)),
        "fan": lambda: (t, 0.4 * (1 + t) * u),
        "line": lambda: (t, t),
        "none": lambda: (t, other),
    }[kind]()
    return x[:, None], (y + noise * v)[:, None]
