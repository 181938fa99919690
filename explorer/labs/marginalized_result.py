"""What a state of the Marginalized lab shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.embeddings import GaussianMixture
from explorer.estimators.marginalized.along import Along
from explorer.kernels import Gaussian
from explorer.printing import printed
from explorer.workbench.replicates import Replicates

if TYPE_CHECKING:
    from .marginalized import MarginalizedLab


@printed
@dataclass(frozen=True, eq=False)
class MarginalizedResult:
    """The numbers of a state. Rows of σ-tables: the slider's σ, then the leave-one-out choice.

    X (n, d) with its coordinates' names; σ counts in `unit`, a standard deviation of the data; a remark where the
    bandwidth is not the plain median's; where the law is known |μ̂ - μ|², and MKME's exact risk (m + 1,) relative to
    KME's, at this kernel; `small` is what the small picture shows; replicates where the lab already has those of this
    state.
    """

    lab: MarginalizedLab
    law: GaussianMixture | None
    X: np.ndarray
    names: tuple[str, ...]
    unit: float
    kernel: Gaussian
    remark: str
    empirical_loss: float | None
    mkme: Along
    mmkme: Along
    risk: np.ndarray | None
    small: object
    replicates: Replicates | None

    def __post_init__(self):
        for name in ("X", "risk"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else checks.read_only(value))

    @property
    def row(self):
        """The row of the σ-tables that the lab is at."""
        return len(self.mkme.sigmas) - 1 if self.lab.sigma is None else self.mkme.sigmas.tolist().index(self.lab.sigma)

    def at(self, sigma):
        """The same numbers at another σ of the rows."""
        return replace(self, lab=self.lab.replace(sigma=sigma))

    @property
    def clean(self):
        """How many rows are no outliers: all."""
        return len(self.X)

    @property
    def effects(self):
        """The numbers that presets promise something about.

        Those of a small picture where it is the one that is shown.
        """
        mkme, mmkme = self.gain(self.mkme), self.gain(self.mmkme)
        found = {"the lesser gain": min(mkme, mmkme), "MMKME's gain beyond MKME's": mmkme - mkme}
        if self.risk is not None:
            found["MKME's expected gain"] = float(1 - self.risk[self.row])
            found["the best expected gain"] = float(1 - self.risk.min())
        if self.lab.picture == "approximation":
            share = float(self.small.printed[self.row] / self.small.kme[self.row])
            found["what printed weights miss beside the plain average"] = share
        if self.lab.picture == "dice":
            found["what fifty copies add"] = float(self.small.expected[-1])
        return found

    def gain(self, path, row=None):
        """1 - loss / loss of KME at a row; from the leave-one-out score where there is no truth."""
        return float(1 - path.height[self.row if row is None else row])
