"""Toy samples of three variables, some of which cause others."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.rng import stream
from explorer.types import Matrix, Rng, Vector

CAUSES = ("fork", "chain", "collider", "arrow", "xor", "none")
EFFECTS = ("line", "bend", "square", "sine")
LAWS = ("normal", "uniform")
ARROWS = {  # cause and effect of each arrow, such as zx for z -> x
    "fork": ("zx", "zy"),
    "chain": ("xz", "zy"),
    "collider": ("xz", "yz"),
    "arrow": ("xy",),
    "xor": ("xz", "yz"),
    "none": (),
}


def causal(
    kind: str,
    n: int,
    effect: str = "bend",
    noise: float = 0.3,
    *,
    frequency: float = 2.0,
    direct: float = 0.0,
    law: str = "normal",
    rng: Rng = None,
) -> Matrix:
    r"""Draw n rows of three variables x, y and z with known causes.

    With an int seed a larger n only appends rows.

    Parameters
    ----------
    kind : {"fork", "chain", "collider", "arrow", "xor", "none"}
        Which variable causes which, see Notes.
    n : int
        Number of rows, at least 1.
    effect : {"line", "bend", "square", "sine"}, default "bend"
        The function f of a cause u: :math:`u`, :math:`\tanh 2u`, :math:`u^2`, or :math:`\sin(\omega u)` with the
        frequency :math:`\omega`.
    noise : float, default 0.3
        The factor s of the noise of an effect.
    frequency : float, default 2.0
        The frequency of the effect "sine".
    direct : float, default 0.0
        Strength of an arrow from x to y: `direct` x is added to y last, or before z is computed if y causes z.
    law : {"normal", "uniform"}, default "normal"
        Distribution of the noises and of the variables without a cause: standard normal, or uniform with variance 1.
    rng : int, Generator or None, default None
        Seed of the draws.

    Returns
    -------
    ndarray of shape (n, 3)
        The columns x, y and z.

    Raises
    ------
    ValueError
        If `kind`, `effect` or `law` is none of its values, or n is below 1.

    Notes
    -----
    All variables without a cause and all noises e, e' are independent.

    - "fork", z -> x and z -> y: :math:`x = f(z) + s e`, :math:`y = f(z) + s e'`.
    - "chain", x -> z -> y: :math:`z = f(x) + s e`, :math:`y = f(z) + s e'`.
    - "collider", x -> z <- y: :math:`z = f(x) + f(y) + s e`.
    - "arrow", x -> y, with z independent of both: :math:`y = f(x) + s e`.
    - "xor": :math:`z = \mathrm{sign}(xy)\, |e| + s e'`. Any two variables are independent, the three together are not.
    - "none": no variable causes another.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.datasets import causal
    >>> x, y, z = causal("chain", 500, "line", noise=0.5, rng=0).T
    >>> np.corrcoef([x, y, z]).round(1).tolist()
    [[1.0, 0.8, 0.9], [0.8, 1.0, 0.9], [0.9, 0.9, 1.0]]
    """
    for given, known, what in ((kind, CAUSES, "kind"), (effect, EFFECTS, "effect"), (law, LAWS, "law")):
        checks.one_of(given, what, known)
    n = checks.whole(n, "n", 1)

    def f(u: Vector) -> Vector:
        return {"line": u, "bend": np.tanh(2 * u), "square": u**2, "sine": np.sin(frequency * u)}[effect]

    def draw(name: str) -> Vector:
        generator = stream(rng, name)
        return generator.normal(size=n) if law == "normal" else generator.uniform(-math.sqrt(3), math.sqrt(3), size=n)

    x, y, z = (draw(name) for name in "xyz")  # a variable that is not overwritten below has no cause
    if kind == "fork":
        x = f(z) + noise * draw("noise of x")
    if kind == "chain":
        z = f(x) + noise * draw("noise of z")
    if kind in ("fork", "chain"):
        y = f(z) + noise * draw("noise of y")
    if kind == "arrow":
        y = f(x) + noise * draw("noise of y")
    y = y + direct * x
    if kind == "collider":
        z = f(x) + f(y) + noise * draw("noise of z")
    if kind == "xor":
        z = np.sign(x * y) * np.abs(z) + noise * draw("noise of z")
    return np.column_stack([x, y, z])
