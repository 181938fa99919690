"""Toy samples of pairs with a known joint distribution, most of them dependent but uncorrelated."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.rng import stream
from explorer.types import Labels, Matrix

SHAPES = ("ring", "cross", "sine", "fan", "line", "none")


def shape(kind: str, n: int, noise: float = 0.2, waves: int = 2, rng: int | None = None) -> tuple[Matrix, Matrix]:
    r"""Draw n pairs of numbers from a dependence of a given shape.

    With an int seed a larger n only appends pairs.

    Parameters
    ----------
    kind : {"ring", "cross", "sine", "fan", "line", "none"}
        The shape, see Notes.
    n : int
        Number of pairs, at least 1.
    noise : float, default 0.2
        The standard deviation ν of the noise.
    waves : int, default 2
        Number of periods of the sine on [-1, 1].
    rng : int or None, default None
        Seed of the draws.

    Returns
    -------
    X : ndarray of shape (n, 1)
        First members of the pairs.
    Y : ndarray of shape (n, 1)
        Second members of the pairs.

    Raises
    ------
    ValueError
        If `kind` is another name, or n is below 1.

    Notes
    -----
    Let t be uniform on [-1, 1], s = 1 or -1 by a fair coin, and u and v standard normal:

    - "ring": :math:`(\cos \pi t + \nu u,\; \sin \pi t + \nu v)`.
    - "cross": :math:`(t,\; st + \nu v)`.
    - "sine": :math:`(t,\; \sin w \pi t + \nu v)`, w the number of waves.
    - "fan": :math:`(t,\; 0.4\, (1 + t)\, u + \nu v)`.
    - "line": :math:`(t,\; t + \nu v)`.
    - "none": :math:`(t,\; t' + \nu v)`, with t' distributed as t and independent of it.

    "ring", "cross" and "fan" have no correlation; in a fan only the spread of y depends on x.

    Examples
    --------
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
    """Draw n pairs of a DNA string and a number that depends on it.

    The ten letters of a string are independent and equally likely among A, C, G and T. The number is
    y = #CG + ν v: how often C stands right before G, plus noise, with v standard normal. The two kinds of data need
    a kernel each, such as Subsequence(2) and Gaussian(). With an int seed a larger n only appends pairs.

    Parameters
    ----------
    n : int
        Number of pairs, at least 1.
    noise : float, default 0.2
        The standard deviation ν of the noise.
    rng : int or None, default None
        Seed of the draws.

    Returns
    -------
    X : ndarray of str of shape (n,)
        The strings.
    Y : ndarray of shape (n, 1)
        The numbers.

    Examples
    --------
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
