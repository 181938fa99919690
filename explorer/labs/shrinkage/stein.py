"""James and Stein's estimate of the mean of one Gaussian, beside the ordinary mean: where shrinking began."""

from __future__ import annotations

from typing import NamedTuple, Self

from explorer.estimators import james_stein, james_stein_risk
from explorer.types import Points, Vector


class Stein(NamedTuple):
    """The positive part's loss on this sample and its expected loss, each relative to the ordinary mean's own.

    The expected one is None where the sample is no sample of the distribution.
    """

    loss: float
    risk: float | None

    @classmethod
    def of(cls, X: Points, truth: Vector, clean: bool) -> Self | None:
        """Of points X (n, d) of variance 1 around the truth (d,), `clean` where none was replaced or moved.

        None where the ordinary mean is the truth itself.
        """
        mean, (n, d) = X.mean(axis=0), X.shape
        loss, plain = (((x - truth) ** 2).sum() for x in (james_stein(mean, 1 / n, positive=True), mean))
        if plain == 0:
            return None
        risk = james_stein_risk(float(truth @ truth), d, 1 / n, positive=True) * n / d if clean else None
        return cls(float(loss / plain), risk)

    @property
    def gain(self) -> float | None:
        """What it gains on average, where that is known."""
        return None if self.risk is None else 1 - self.risk
