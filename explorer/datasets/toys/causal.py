"""Three variables, some of which act on others."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.rng import stream
from explorer.types import Matrix, Rng, Vector

CAUSES = ("fork", "chain", "collider", "arrow", "xor", "none")
EFFECTS = ("line", "bend", "square", "sine")
LAWS = ("normal", "uniform")
ARROWS = {  # which variable acts on which
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
    """n rows of x, y and z, (n, 3); with an int seed a larger n only appends rows.

    A variable on which none acts, and each e, is standard normal or, with law "uniform", uniform with variance 1; all
    are independent. f is "line", u; "bend", tanh(2u); "square", u²; or "sine", sin(`frequency` u). s is `noise`.

    "fork"      z -> x, z -> y: x = f(z) + s e, y = f(z) + s e'
    "chain"     x -> z -> y: z = f(x) + s e, y = f(z) + s e'
    "collider"  x -> z <- y: z = f(x) + f(y) + s e
    "arrow"     x -> y, and z by itself: y = f(x) + s e
    "xor"       z = sign(xy) |e| + s e': every two of them are independent, and all three are not
    "none"      none acts on another

    `direct` x is added to y last, or before z where y acts on z: an arrow from x to y.

    ValueError for others.

    >>> import numpy as np
    >>> from explorer.datasets import causal
    >>> x, y, z = causal("chain", 500, "line", noise=0.5, rng=0).T
    >>> np.corrcoef([x, y, z]).round(1).tolist()
    [[1.0, 0.8, 0.9], [0.8, 1.0, 0.9], [0.9, 0.9, 1.0]]
    """
    for given, known, what in ((kind, CAUSES, "kind"), (effect, EFFECTS, "effect"), (law, LAWS, "law")):
        if given not in known:
            raise Refusal(f"{what} must be one of {', '.join(known)}, not {checks.echo(given)}.")
    n = checks.whole(n, "n", 1)

    def f(u: Vector) -> Vector:
        return {"line": u, "bend": np.tanh(2 * u), "square": u**2, "sine": np.sin(frequency * u)}[effect]

    def draw(name: str) -> Vector:
        generator = stream(rng, name)
        return generator.normal(size=n) if law == "normal" else generator.uniform(-math.sqrt(3), math.sqrt(3), size=n)

    x, y, z = (draw(name) for name in "xyz")  # what is not overwritten below has no cause
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
