"""What S-KMSE is shrunk towards: nothing, or the kernel mean of a blob that a hand may put anywhere."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

import numpy as np

from explorer.embeddings import GaussianMixture


def centre(text):
    """The first two coordinates of the blob's centre from the words of a link; the origin from none.

    ValueError else.
    """
    try:
        x, y = map(float, json.loads(text)) if text else (0.0, 0.0)
    except (TypeError, ValueError):
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"target_at must be like [0.5, -1], the first two coordinates of a centre, not {text[:60]!r}.")
    return x, y


def centre_at(x, y):
    """The words of a centre, to six digits: a hand has no more."""
    return json.dumps([float(f"{x:.6g}"), float(f"{y:.6g}")])


class Blob(NamedTuple):
    """N(c, s^2 I), whose kernel mean is the target f*: c has the first two coordinates `at`, and 0 in the others."""

    at: tuple[float, float]
    spread: float
    d: int

    @classmethod
    def of(cls, text, source):
        """As wide as a source, a law or a table: s is its mean standard deviation, to three digits."""
        variances = source.variances if hasattr(source, "variances") else source.X.var(axis=0)
        return cls(centre(text), float(f"{math.sqrt(variances.mean()):.3g}") or 1.0, len(variances))

    @property
    def mean(self):
        """c, (d,)."""
        return [*self.at[: self.d], *[0.0] * (self.d - 2)]

    @property
    def law(self):
        """The blob as a law."""
        return GaussianMixture([1.0], [self.mean], self.spread**2 * np.eye(self.d))
