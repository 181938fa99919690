"""More samples of one state: how much of what one sample shows is sampling noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.markup import joined, markup
from explorer.types import Matrix, Vector

from .numbers import compared
from .prose import versus_average
from .stages import Steps

if TYPE_CHECKING:
    from explorer.estimators.marginalized.along import Along
    from explorer.estimators.paths import RegularisationPath
    from explorer.markup import Markup


NOISE = 0.6  # share of the samples below which an estimator's wins are not distinguished from sampling noise
BANDS = (0.05, 0.25, 0.75, 0.95)  # ends of the bands that contain 90 % and 50 % of the samples


@dataclass(frozen=True)
class Replicates:
    """Losses of other samples of one distribution.

    Parameters
    ----------
    empirical : ndarray of shape (samples,)
        |μ̂ - μ|^2 of the plain average.
    losses : dict of str to ndarray of shape (samples, λ rows)
        Losses of each estimator relative to `empirical`. The last row is each sample's own leave-one-out choice.
    """

    empirical: np.ndarray
    losses: dict[str, np.ndarray]

    def __post_init__(self) -> None:
        object.__setattr__(self, "empirical", checks.read_only(self.empirical))
        object.__setattr__(self, "losses", {name: checks.read_only(values) for name, values in self.losses.items()})

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.empirical)

    def band(self, name: str) -> Matrix:
        """Return the quantiles BANDS of an estimator's losses.

        Parameters
        ----------
        name : str
            The estimator.

        Returns
        -------
        ndarray of shape (4, λ rows)
            The quantiles.
        """
        return np.quantile(self.losses[name], BANDS, axis=0)

    def wins(self, name: str, row: int) -> int:
        """Return in how many samples an estimator has a smaller loss than the empirical mean.

        Parameters
        ----------
        name : str
            The estimator.
        row : int
            Row of λ.

        Returns
        -------
        int
            The number of samples.
        """
        return int((self.losses[name][:, row] < 1).sum())

    def gain(self, name: str, row: int) -> float:
        """Return the average gain of an estimator, 1 - mean loss / mean loss of the empirical mean.

        Each sample counts with its full loss.

        Parameters
        ----------
        name : str
            The estimator.
        row : int
            Row of λ.

        Returns
        -------
        float
            The gain.
        """
        return float(1 - self.empirical @ self.losses[name][:, row] / self.empirical.sum())


def repeat(
    compute: Callable[[int], Any], count: int, names: tuple[str, str] = ("simple", "flexible")
) -> Steps[Replicates]:
    """Collect Replicates from results, one step for each.

    Parameters
    ----------
    compute : callable
        Takes i and returns the result of sample i.
    count : int
        Number of samples.
    names : tuple of str
        Names of the estimators in a result.

    Returns
    -------
    Replicates
        The losses, as the generator's return value.

    Yields
    ------
    None
        Before each sample.
    """
    empirical, losses = [], {name: [] for name in names}
    for i in range(count):
        yield
        result = compute(i)
        empirical.append(result.empirical_loss)
        for name, values in losses.items():
            values.append(getattr(result, name).loss)
    return Replicates(np.array(empirical), {name: np.array(values) for name, values in losses.items()})


def beaten(others: Replicates, row: int, names: Mapping[str, Markup], more: str | Markup = "") -> Markup:
    """Return the sentence on how often each estimator beats the plain average in other samples.

    A badge marks numbers that may be sampling noise.

    Parameters
    ----------
    others : Replicates
        The other samples.
    row : int
        Row of λ.
    names : mapping of str to Markup
        Estimator -> its name in HTML.
    more : str or Markup, default ""
        End of the sentence.

    Returns
    -------
    Markup
        The sentence.
    """
    wins = {path: others.wins(path, row) for path in names}
    first, *rest = ((name, wins[path]) for path, name in names.items())
    parts = [markup("{} beats the plain average in {}", *first), *(markup("{} in {}", *each) for each in rest)]
    badge = markup(" <span class='badge'>inside the noise</span>") if max(wins.values()) < NOISE * others.count else ""
    return markup("In {} more samples {}{}.{}", others.count, joined(parts, ", "), more, badge)


def averaged(others: Replicates | None, row: int, names: Mapping[str, Markup]) -> str | Markup:
    """Return the sentence on the average gain of each estimator over more samples.

    Parameters
    ----------
    others : Replicates or None
        The other samples.
    row : int
        Row of λ.
    names : mapping of str to Markup
        Estimator -> its name in HTML.

    Returns
    -------
    Markup
        Starts with a space; empty if there are no other samples.
    """
    if others is None:
        return ""
    first, second = ((name, compared(others.gain(path, row))) for path, name in names.items())
    return markup(" Averaged over {} more samples, {}", others.count, versus_average(first, second))


def loss_columns(
    path: RegularisationPath | Along, name: str, others: Replicates | None, other: str
) -> dict[str, Vector]:
    """Return columns of a table over the slider's values: a path's losses and scores, and bands of other samples.

    Parameters
    ----------
    path : Path or Along
        The estimator along the slider.
    name : str
        Prefix of the columns.
    others : Replicates or None
        The other samples.
    other : str
        The estimator's name in `others`.

    Returns
    -------
    dict of str to ndarray
        The columns.
    """
    parts = {"loss": path.loss, "loocv": path.score}
    columns = {f"{name}_{what}": values[:-1] for what, values in parts.items() if values is not None}
    if others is not None:
        quantiles = zip(BANDS, others.band(other)[:, :-1], strict=True)
        columns |= {f"{name}_loss_q{round(100 * q):02d}": values for q, values in quantiles}
    return columns
