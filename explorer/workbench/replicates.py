"""More samples of one state: how much of what one sample shows is luck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.markup import joined, markup
from explorer.types import Matrix, Vector

from .numbers import compared
from .prose import beside_average
from .stages import Steps

if TYPE_CHECKING:
    from explorer.estimators.marginalized.along import Along
    from explorer.estimators.paths import RegularisationPath
    from explorer.markup import Markup


NOISE = 0.6  # of the samples: an estimator that wins in fewer is not distinguished from luck
BANDS = (0.05, 0.25, 0.75, 0.95)  # the ends of the bands that hold 90 % and 50 % of the samples


@dataclass(frozen=True)
class Replicates:
    """Losses of other samples of one distribution.

    empirical (samples,), |μ̂ - μ|^2; losses: estimator -> (samples, λ rows), relative to it, the last row each sample's
    own leave-one-out choice.
    """

    empirical: np.ndarray
    losses: dict[str, np.ndarray]

    def __post_init__(self) -> None:
        object.__setattr__(self, "empirical", checks.read_only(self.empirical))
        object.__setattr__(self, "losses", {name: checks.read_only(values) for name, values in self.losses.items()})

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self.empirical)

    def band(self, name: str) -> Matrix:
        """The quantiles BANDS of an estimator's losses, (4, λ rows)."""
        return np.quantile(self.losses[name], BANDS, axis=0)

    def wins(self, name: str, row: int) -> int:
        """In how many samples an estimator loses less than the empirical mean."""
        return int((self.losses[name][:, row] < 1).sum())

    def gain(self, name: str, row: int) -> float:
        """1 - mean loss / mean loss of the empirical mean.

        What an estimator gains on average, each sample at full weight.
        """
        return float(1 - self.empirical @ self.losses[name][:, row] / self.empirical.sum())


def repeat(
    compute: Callable[[int], Any], count: int, names: tuple[str, str] = ("simple", "flexible")
) -> Steps[Replicates]:
    """Replicates of the results compute(i), i < count, whose estimators have these names."""
    empirical, losses = [], {name: [] for name in names}
    for i in range(count):
        yield
        result = compute(i)
        empirical.append(result.empirical_loss)
        for name, values in losses.items():
            values.append(getattr(result, name).loss)
    return Replicates(np.array(empirical), {name: np.array(values) for name, values in losses.items()})


def beaten(others: Replicates, row: int, names: Mapping[str, Markup], more: str | Markup = "") -> Markup:
    """In how many more samples each estimator of `names`, path -> its name in HTML, loses less than the plain average.

    With a badge where that may be luck. `more` ends the sentence.
    """
    wins = {path: others.wins(path, row) for path in names}
    first, *rest = ((name, wins[path]) for path, name in names.items())
    parts = [markup("{} beats the plain average {} times", *first), *(markup("{} {} times", *each) for each in rest)]
    badge = markup(" <span class='badge'>inside the noise</span>") if max(wins.values()) < NOISE * others.count else ""
    return markup("In {} more samples {}{}.{}", others.count, joined(parts, ", "), more, badge)


def averaged(others: Replicates | None, row: int, names: Mapping[str, Markup]) -> str | Markup:
    """What each estimator of `names` gains on average over more samples; empty where there are none."""
    if others is None:
        return ""
    first, second = ((name, compared(others.gain(path, row))) for path, name in names.items())
    return markup(" Averaged over {} more samples, {}", others.count, beside_average(first, second))


def loss_columns(
    path: RegularisationPath | Along, name: str, others: Replicates | None, other: str
) -> dict[str, Vector]:
    """Columns of a table, over the slider's values: a path's losses and scores, and the bands of the Replicates'
    `other`.
    """
    parts = {"loss": path.loss, "loocv": path.score}
    columns = {f"{name}_{what}": values[:-1] for what, values in parts.items() if values is not None}
    if others is not None:
        quantiles = zip(BANDS, others.band(other)[:, :-1], strict=True)
        columns |= {f"{name}_loss_q{round(100 * q):02d}": values for q, values in quantiles}
    return columns
