"""Variation with the sample: errors of held-out points by five variants, and components of bootstrap resamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.rng import stream
from explorer.types import Matrix, Points, Vector
from explorer.workbench.stages import Steps

from .components import fitted, padded, turns, variance_of
from .lab import BARS, HELD_OUT, VARIANTS

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.operators.kernel_pca import KernelPCA

    from .lab import KernelPCALab


REPETITIONS = 20  # samples in the study of held-out points
TESTED, LONGEST = 200, 20  # the largest numbers of held-out points per sample, and of components
LOOKED = 5  # the number of components that are compared with those of a resample


class Study(NamedTuple):
    """Mean reconstruction errors of held-out points, with λ chosen anew in every repetition.

    Attributes
    ----------
    errors : dict of ndarray of shape (repetitions, components)
        The errors by variant.
    train, tested : int
        The numbers of training and held-out points of each repetition.
    """

    errors: dict[str, np.ndarray]
    train: int
    tested: int

    @property
    def components(self) -> Vector:
        """The numbers of components, from 1 on, shape (R,)."""
        return np.arange(1.0, self.errors["KPCA"].shape[1] + 1)

    def mean(self, variant: str) -> Vector:
        """Return the mean error over the repetitions, shape (R,)."""
        return self.errors[variant].mean(axis=0)

    def differences(self, variant: str) -> Matrix:
        """Return each repetition's error minus KPCA's, as a share of KPCA's, shape (repetitions, R)."""
        plain = self.errors["KPCA"]
        return (self.errors[variant] - plain) / np.where(plain > 0, plain, 1.0)

    def gain(self, variant: str, kept: int) -> float:
        """Return the mean of 1 - error / KPCA's error with `kept` components."""
        return -float(self.differences(variant)[:, self._at(kept)].mean())

    def wins(self, variant: str, kept: int) -> int:
        """Return the number of repetitions whose error is below KPCA's by more than rounding."""
        return int((self.differences(variant)[:, self._at(kept)] < -1e-9).sum())

    def certain(self, variant: str, kept: int) -> bool:
        """Return whether the mean gain, or loss, of a variant exceeds two standard errors."""
        differences = self.differences(variant)[:, self._at(kept)]
        return bool(abs(differences.mean()) > 2 * differences.std(ddof=1) / len(differences) ** 0.5)

    def _at(self, kept):
        return min(kept, self.errors["KPCA"].shape[1]) - 1


@dataclass(frozen=True)
class Boot:
    """Components of bootstrap resamples, compared with the sample's.

    Attributes
    ----------
    shares : ndarray of shape (B, BARS)
        Shares of the variance.
    overlap : ndarray of shape (B, LOOKED, LOOKED)
        |<v*_j, v_k>|: 1 if a resample's component j is the sample's component k.
    sign : ndarray of shape (g,)
        The mean sign, over the plane, of the resamples' component that is most similar to the chosen one.
    """

    shares: np.ndarray
    overlap: np.ndarray
    sign: np.ndarray

    @property
    def count(self) -> int:
        """The number of resamples."""
        return len(self.shares)

    @property
    def swaps(self) -> int:
        """The number of resamples in which components 2 and 3 swap: each is most similar to the other's."""
        second, third = self.overlap[:, 1].argmax(axis=1), self.overlap[:, 2].argmax(axis=1)
        return int(((second == 2) & (third == 1)).sum())

    def steady(self, component: int) -> int | None:
        """Return the number of resamples in which a component is most similar to the sample's.

        It is None for components beyond LOOKED, which are not compared.
        """
        if component > LOOKED:
            return None
        return int((self.overlap[:, component - 1].argmax(axis=1) == component - 1).sum())


def held_out(draw: Callable[[int], tuple[Points, Points]], kernel: Kernel, lab: KernelPCALab) -> Steps[Study]:
    """Compute the Study of samples draw(i) = (X, Z), where the points Z are held out."""
    errors, sizes = {variant: [] for variant in VARIANTS}, (0, 0)
    for i in range(REPETITIONS):
        yield
        X, Z = draw(i)
        sizes = len(X), len(Z)
        most = min(LONGEST, len(X) - 1)
        for variant, rows in errors.items():
            model, _ = fitted(kernel, X, lab, most, variant)
            squares = padded((model.transform(Z) ** 2).T, most).T
            # the last error, plus the part that the later components explain
            rest = squares[:, ::-1].cumsum(axis=1)[:, ::-1]
            after = np.column_stack([rest[:, 1:], np.zeros(len(Z))])
            rows.append((model.reconstruction_error(Z)[:, None] + after).mean(axis=0))
    return Study({variant: np.array(rows) for variant, rows in errors.items()}, *sizes)


def split_rows(rows: Points, n: int) -> tuple[Points, Points]:
    """Split a table's rows, in random order, into at most 70 % training points and the held-out rest."""
    train = min(n, max(2, int((1 - HELD_OUT) * len(rows))))
    return rows[:train], rows[train : train + TESTED]


def bootstrap(model: KernelPCA, kernel: Kernel, X: Points, places: Matrix, lab: KernelPCALab) -> Steps[Boot]:
    """Refit on rows of X (n, d) drawn with replacement, by the same variant and its fixed λ."""
    rng, at = stream(lab.seed, "bootstrap"), lab.component - 1
    looked = min(LOOKED, len(model.eigenvalues_))
    middles = [model.component(k) for k in range(looked)]
    of_centre = np.array([each.inner(model.centre_) for each in middles])
    S = model.transform(X)[:, : max(looked, at + 1)]
    turn, shares, overlaps, sign = turns(S, X), [], [], np.zeros(len(places))
    for _ in range(lab.samples):
        yield
        rows = rng.integers(0, len(X), len(X))
        if (X[rows] == X[rows[0]]).all():  # a resample of a single point has no variance
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
