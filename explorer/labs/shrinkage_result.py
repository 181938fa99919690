"""What a state of the Shrinkage lab shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.embeddings import GaussianMixture
from explorer.estimators import smallest_eigenvalue
from explorer.estimators.filtering import NAMES, REACH, Filtering
from explorer.estimators.paths import Path
from explorer.kernels import Kernel
from explorer.printing import printed

from .moved import places
from .numbers import number
from .replicates import Replicates
from .targets import Blob

if TYPE_CHECKING:
    from .shrinkage import ShrinkageLab


@printed
@dataclass(frozen=True)
class ShrinkageResult:
    """The numbers of a state. Rows of λ-tables: the slider's λ, then the leave-one-out choice.

    `simple` is S-KMSE, `flexible` F-KMSE or another filter.

    X (n, d) with its coordinates' names; a remark where the bandwidth is not the plain median's; scale = mean k(x, x);
    empirical_loss = |μ̂ - μ|^2 and expected_gain = α* where they are known; the share of μ̂ that S-KMSE keeps (m + 1,),
    nan where its weights lie on the simplex, and its weights (m + 1, n), the blob's aside; weights (m + 1, n) of the
    filter; eigenvalues (n,) of the Gram matrix, what was kept (m + 1, n) of them, and the same filter (m + 1, p) at
    filter_at (p,), all in units of scale; the coefficients |<μ̂, v_i>| / |μ̂| (n,) of the empirical mean, and those of
    S-KMSE (m + 1, n); replicates where the lab already has those of this state.
    """

    lab: ShrinkageLab
    law: GaussianMixture | None
    X: np.ndarray
    names: tuple[str, ...]
    kernel: Kernel
    remark: str
    scale: float
    empirical_loss: float | None
    expected_gain: float | None
    simple: Path
    flexible: Path
    blob: Blob | None
    simple_keeps: np.ndarray
    simple_weights: np.ndarray
    weights: np.ndarray
    eigenvalues: np.ndarray
    kept: np.ndarray
    coefficients: np.ndarray
    simple_coefficients: np.ndarray
    filter_at: np.ndarray
    filter: np.ndarray
    filtering: Filtering
    replicates: Replicates | None

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, checks.read_only(value))

    @property
    def row(self):
        """The row of the λ-tables that the lab is at."""
        return len(self.simple.lams) - 1 if self.lab.lam is None else self.simple.lams.tolist().index(self.lab.lam)

    def at(self, lam):
        """The same numbers at another λ of the rows."""
        return replace(self, lab=self.lab.replace(lam=lam))

    @property
    def flexible_name(self):
        """The filter's name."""
        return NAMES[self.lab.filter]

    def flexible_words(self, row=None):
        """The filter's name and its λ at a row, in the terms of that filter: a λ, or the steps of an iteration."""
        lam = self.flexible.lams[self.row if row is None else row]
        if self.lab.filter not in REACH:
            return f"λ = {number(lam)}"
        steps = int(self.filtering.values([lam * self.scale])[0])
        return f"{steps:,} step{'' if steps == 1 else 's'}".replace(",", "\u202f")

    def risk_parts(self):
        """S-KMSE's expected loss at each row relative to the empirical mean's, (1 - α)^2 and α^2 (1 - α*) / α*, or
        None.

        Variance and squared bias, exactly: R(α) = (1 - α)^2 Δ + α^2 |μ|^2, and α* = Δ / (Δ + |μ|^2).
        """
        best = self.expected_gain
        if best is None or best == 0:
            return None
        keep = 1 / (1 + self.simple.lams)
        return keep**2, (1 - keep) ** 2 * (1 - best) / best

    @property
    def gamma0(self):
        """The smallest eigenvalue that is not 0, in units of scale; infinite where all are."""
        return smallest_eigenvalue(self.eigenvalues)

    @property
    def touched(self):
        """Which rows are outliers or were moved by hand, (n,)."""
        rows = np.arange(len(self.X))
        return (rows >= self.clean) | np.isin(rows, list(places(self.lab.moved)))

    @property
    def clean(self):
        """How many rows are no outliers."""
        return len(self.X) - self.lab.outliers

    @property
    def effects(self):
        """The numbers that presets promise something about."""
        share = self.weights[self.row]
        return {
            "S-KMSE's gain": self.gain(self.simple),
            "F-KMSE's gain": self.gain(self.flexible),
            "the lesser gain": min(self.gain(self.simple), self.gain(self.flexible)),
            "the greater gain": max(self.gain(self.simple), self.gain(self.flexible)),
            "S-KMSE's gain beside that of the best λ": self.gain(self.simple) / (1 - self.simple.best_loss)
            if self.simple.best
            else 1.0,
            "an outlier's weight beside a clean point's": float(share[self.clean :].mean() / share[: self.clean].mean())
            if self.lab.outliers
            else 1.0,
        }

    def gain(self, path, row=None):
        """1 - loss / loss of KME at a row; from the leave-one-out score where there is no truth."""
        return float(1 - path.height[self.row if row is None else row])
