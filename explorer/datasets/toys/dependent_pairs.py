"""Toy samples: pairs of numbers whose distribution is known, most of them dependent without any correlation."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.rng import stream
from explorer.types import Labels, Matrix

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

    >>> import numpy as np
    >>> from explorer.datasets import shape
    >>> X, Y = shape("ring", 400, noise=0.0, rng=0)
    >>> float(np.hypot(X, Y).min().round(6)), abs(float(np.corrcoef(X[:, 0], Y[:, 0])[0, 1])) < 0.1
    (1.0, True)
    """
    if kind not in SHAPES:
        raise Refusal(f"There is no shape {checks.echo(kind)}; the shapes are {', '.join(SHAPES)}.")
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


def strings_and_numbers(n: int, noise: float = 0.2, rng: int | None = None) -> tuple[Labels, Matrix]:
    """n pairs of a string of ten letters of ACGT, X (n,), and a number, Y (n, 1); with an int seed a larger n appends.

    The letters are independent and equally likely, and y = #CG + ν v: how often C stands right before G, with v
    standard normal and the noise ν, a standard deviation. Two kinds of data, each with a kernel of its own, as
    Subsequence(2) and Gaussian().

    >>> from explorer.datasets import strings_and_numbers
    >>> words, numbers = strings_and_numbers(3, noise=0.0, rng=0)
    >>> [(str(word), number) for word, number in zip(words, numbers[:, 0].tolist())]
    [('TTATTAACAT', 0.0), ('GGGAGACCGT', 1.0), ('ACATAAAGCA', 0.0)]
    """
    n = checks.whole(n, "n", 1)
    letters = np.array(list("ACGT"))[stream(rng, "place").integers(0, 4, size=(n, 10))]
    pairs = np.count_nonzero((letters[:, :-1] == "C") & (letters[:, 1:] == "G"), axis=1)
    words = np.array(["".join(row) for row in letters], dtype=str)
    return words, (pairs + noise * stream(rng, "noise").normal(size=n))[:, None]
