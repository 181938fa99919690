"""What changes with the sample: errors of held-out points by five variants, and components of bootstrap resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.rng import stream
from explorer.types import Points
from explorer.workbench.stages import Steps

from .components import fitted, padded, turns, variance_of
from .lab import BARS, HELD_OUT, VARIANTS

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .lab import KernelPCALab


REPETITIONS = 20  # samples of the study of held-out points
TESTED, LONGEST = 200, 20  # held-out points of each at most, and components
LOOKED = 5  # components that are compared with those of a resample


class Study(NamedTuple):
    """errors: variant -> (repetitions, components), the mean reconstruction error of held-out points, λ chosen anew.

    train, tested: points of each repetition.
    """

    errors: dict[str, np.ndarray]
    train: int
    tested: int

    @property
    def components(self):
        """1 up to as many components as are drawn, (R,)."""
        return np.arange(1.0, self.errors["KPCA"].shape[1] + 1)

    def mean(self, variant):
        """The mean error over the repetitions, (R,)."""
        return self.errors[variant].mean(axis=0)

    def differences(self, variant):
        """Each repetition's error less KPCA's, as a share of KPCA's, (repetitions, R)."""
        plain = self.errors["KPCA"]
        return (self.errors[variant] - plain) / np.where(plain > 0, plain, 1.0)

    def gain(self, variant, kept):
        """The mean of 1 - error / KPCA's error, of so many components."""
        return -float(self.differences(variant)[:, self._at(kept)].mean())

    def wins(self, variant, kept):
        """In how many repetitions its error is below KPCA's by more than rounding."""
        return int((self.differences(variant)[:, self._at(kept)] < -1e-9).sum())

    def certain(self, variant, kept):
        """Whether that gain, of either sign, is more than two of its standard errors."""
        differences = self.differences(variant)[:, self._at(kept)]
        return abs(differences.mean()) > 2 * differences.std(ddof=1) / len(differences) ** 0.5

    def _at(self, kept):
        return min(kept, self.errors["KPCA"].shape[1]) - 1


class Boot(NamedTuple):
    """Components of bootstrap resamples beside the sample's.

    shares   (B, BARS) of the variance
    overlap  (B, LOOKED, LOOKED) |<v*_j, v_k>|: 1 where a resample's component j is the sample's component k
    sign     (g,) over the plane: the mean sign of the resamples' component that is most like the chosen one
    """

    shares: np.ndarray
    overlap: np.ndarray
    sign: np.ndarray

    @property
    def count(self):
        """How many resamples there are."""
        return len(self.shares)

    @property
    def swaps(self):
        """In how many resamples components 2 and 3 have changed places: each is most like the other's."""
        second, third = self.overlap[:, 1].argmax(axis=1), self.overlap[:, 2].argmax(axis=1)
        return int(((second == 2) & (third == 1)).sum())

    def steady(self, component):
        """In how many the component is still most like the sample's; None beyond those that are compared."""
        if component > LOOKED:
            return None
        return int((self.overlap[:, component - 1].argmax(axis=1) == component - 1).sum())


def held_out(draw, kernel: Kernel, lab: KernelPCALab) -> Steps[Study]:
    """The Study of samples draw(i) = (X, Z), of which the points Z are held out."""
    errors = {variant: [] for variant in VARIANTS}
    for i in range(REPETITIONS):
        yield
        X, Z = draw(i)
        most = min(LONGEST, len(X) - 1)
        for variant, rows in errors.items():
            model, _ = fitted(kernel, X, lab, most, variant)
            squares = padded((model.transform(Z) ** 2).T, most).T
            # the last error, and what the components up to there have explained of it
            rest = squares[:, ::-1].cumsum(axis=1)[:, ::-1]
            after = np.column_stack([rest[:, 1:], np.zeros(len(Z))])
            rows.append((model.reconstruction_error(Z)[:, None] + after).mean(axis=0))
    return Study({variant: np.array(rows) for variant, rows in errors.items()}, len(X), len(Z))


def split_rows(rows, n: int):
    """(points to learn from, held-out ones) of a table's rows in random order: at most 70 % of them, and the rest."""
    train = min(n, max(2, int((1 - HELD_OUT) * len(rows))))
    return rows[:train], rows[train : train + TESTED]


def bootstrap(model, kernel: Kernel, X: Points, places, lab: KernelPCALab) -> Steps[Boot]:
    """The Boot of a fit on X (n, d): refits on rows drawn with replacement, by the same variant and its fixed λ."""
    rng, at = stream(lab.seed, "bootstrap"), lab.component - 1
    looked = min(LOOKED, len(model.eigenvalues_))
    middles = [model.component(k) for k in range(looked)]
    of_centre = np.array([each.inner(model.centre_) for each in middles])
    S = model.transform(X)[:, : max(looked, at + 1)]
    turn, shares, overlaps, sign = turns(S, X), [], [], np.zeros(len(places))
    for _ in range(lab.samples):
        yield
        rows = rng.integers(0, len(X), len(X))
        if (X[rows] == X[rows[0]]).all():  # a resample of one point does not vary
            rows = np.arange(len(X))
        other, _ = fitted(kernel, X[rows], lab, max(BARS, LOOKED))
        shares.append(padded(other.eigenvalues_ / variance_of(other, X[rows]), BARS))
        of_other = np.array([each.inner(other.centre_) for each in middles])
        # <v*_j, v_k> = Σ_i a*_ij <φ(x*_i) - m*, v_k>, and <φ(x) - m, v_k> are scores
        inner = other.components_.T @ (S[rows][:, :looked] + of_centre - of_other)
        overlaps.append(padded(padded(np.abs(inner), LOOKED).T, LOOKED).T)
        if at < looked:
            like = int(np.abs(inner[:, at]).argmax())
            sign += np.sign(turn[at] * inner[like, at] * other.transform(places)[:, like])
    return Boot(np.array(shares), np.array(overlaps), sign / lab.samples)
