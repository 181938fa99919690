"""Null kinds: named generators of tables, each `draw(rng, n)` a DataFrame of n independent rows of one distribution.

Two draws of a kind are two samples of one distribution, so whatever compares them has to keep its level. The kinds are
those on which tests have lost it before, or nearly. Rows of `DEPENDENT` kinds remember the rows before them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.signal import lfilter

Draw = Callable[[np.random.Generator, int], pd.DataFrame]


class Size(NamedTuple):
    """The rows of the first and of the second sample; tests of one sample, or of pairs, take the second number."""

    n: int
    m: int

    def __str__(self) -> str:
        return f"{self.n}+{self.m}"


USUAL = Size(40, 60)
SIZES = (Size(8, 8), Size(20, 300), Size(300, 20), Size(200, 200))
EXAMPLES = ("5 values", "mixed")  # kinds of the other sizes
DANGEROUS = ("5 values", "rare", "3 words", "20 columns", "heavy", "zero-inflated", "mixed", "continuous")


def column(values: Callable[[np.random.Generator, int], np.ndarray]) -> Draw:
    """Return a kind of one column, x."""
    return lambda rng, n: pd.DataFrame({"x": values(rng, n)})


def integers(count: int) -> Draw:
    """Return uniform whole numbers from 1 to `count`, with ties."""
    return column(lambda rng, n: rng.integers(1, count + 1, n) * 1.0)


def heaped(rng, n):
    """Return ages from 18 to 79. Half of them are rounded to a multiple of 5, a quarter to one of 10."""
    ages, how = rng.integers(18, 80, n), rng.random(n)
    return np.where(how < 0.5, 5 * np.round(ages / 5), np.where(how < 0.75, 10 * np.round(ages / 10), ages)) * 1.0


def words(rng, n, shares):
    """Return words whose levels have these shares."""
    levels = np.array([f"level {j}" for j in range(len(shares))], dtype=object)
    return rng.choice(levels, n, p=np.array(shares) / np.sum(shares))


def correlated(rng, n):
    """Return two normal columns of correlation .95."""
    x, noise = rng.normal(size=(2, n))
    return pd.DataFrame({"x": x, "y": 0.95 * x + np.sqrt(1 - 0.95**2) * noise})


def normals(columns: int) -> Draw:
    """Return independent normal columns."""
    return lambda rng, n: pd.DataFrame(rng.normal(size=(n, columns))).add_prefix("x")


NUMBERS: dict[str, Draw] = {
    "continuous": column(lambda rng, n: rng.normal(size=n)),
    "heavy": column(lambda rng, n: rng.standard_cauchy(n)),
    "two humps": column(lambda rng, n: rng.choice([0.0, 5.0], n) + 0.1 * rng.normal(size=n)),
    **{f"{count} values": integers(count) for count in (2, 3, 5, 7, 10, 60)},
    "rare": column(lambda rng, n: (rng.random(n) < 0.05) * 1.0),
    "zero-inflated": column(lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.exponential(size=n))),
    "capped": column(lambda rng, n: np.minimum(rng.exponential(size=n), 1.0)),
    "rounded": column(lambda rng, n: rng.normal(size=n).round(1)),
    "heaped": column(heaped),
    "counts": column(lambda rng, n: rng.poisson(1.0, n) * 1.0),
    "ages and sex": lambda rng, n: pd.DataFrame({"age": heaped(rng, n), "sex": rng.integers(0, 2, n) * 1.0}),
    "five ratings": lambda rng, n: pd.DataFrame(rng.integers(1, 6, (n, 5)) * 1.0, columns=list("vwxyz")),
    "correlated": correlated,
    "constant beside": lambda rng, n: pd.DataFrame({"x": rng.normal(size=n), "c": 1.0}),
    "20 columns": normals(20),
    "100 columns": normals(100),
}
WORDS: dict[str, Draw] = {
    "2 words": column(lambda rng, n: words(rng, n, [0.9, 0.1])),
    "3 words": column(lambda rng, n: words(rng, n, [0.7, 0.28, 0.02])),
    "60 words": column(lambda rng, n: words(rng, n, 1 / np.arange(1, 61))),
    "booleans": column(lambda rng, n: rng.random(n) < 0.5),
    "mixed": lambda rng, n: pd.DataFrame(
        {"ward": words(rng, n, [4, 3, 2, 1]), "rating": rng.integers(1, 6, n), "x": rng.normal(size=n)}
    ),
}
MISSING: dict[str, Draw] = {
    "missing": lambda rng, n: pd.DataFrame(
        {"x": rng.normal(size=n), "y": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n))}
    ),
}


def autoregression(memory: float) -> Draw:
    """Return a stationary normal series x_t = memory x_(t-1) + noise."""

    def values(rng, n):
        noise = rng.normal(size=n)
        noise[0] /= np.sqrt(1 - memory**2)
        return lfilter([1.0], [1.0, -memory], noise)

    return column(values)


DEPENDENT: dict[str, Draw] = {
    "AR .5": autoregression(0.5),
    "AR .8": autoregression(0.8),
    "daily cycle": column(
        lambda rng, n: np.sin(2 * np.pi * (np.arange(n) / 24 + rng.random())) + 0.5 * rng.normal(size=n)
    ),
}
KINDS: dict[str, Draw] = {**NUMBERS, **WORDS, **MISSING}
EVERY: dict[str, Draw] = {**KINDS, **DEPENDENT}


def generator(kind: str, size: Size, seed: int) -> np.random.Generator:
    """Return the generator of one repetition: the same data for every function, others for every kind and size."""
    return np.random.default_rng([seed, zlib.crc32(kind.encode()), *size])
