"""An estimator over λ: its losses and leave-one-out scores relative to the empirical mean's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.embeddings.risk import best_share
from explorer.estimators.selection import least


@dataclass(frozen=True)
class Path:
    """One estimator over λ; all losses and scores relative to the empirical mean's.

    lams (m + 1,) are the slider's λ and, last, the leave-one-out choice; loss and best are None where no truth is known.
    """

    lams: np.ndarray
    loss: np.ndarray | None
    score: np.ndarray
    best: float | None
    best_loss: float | None

    def __post_init__(self):
        for name in ("lams", "loss", "score"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else checks.read_only(value))

    @property
    def height(self):
        """What is drawn: the loss, or the leave-one-out score where no truth is known."""
        return self.score if self.loss is None else self.loss

    @property
    def chosen(self):
        """The λ of least leave-one-out score."""
        return float(self.lams[-1])


class Truth(NamedTuple):
    """What the losses of a sample need of the law: μ(x_i) (n,), |μ|^2, and the best share α* of S-KMSE."""

    z: np.ndarray
    square: float
    share: float

    @classmethod
    def of(cls, law, kernel, X):
        """From the law's exact embedding."""
        mu = law.embed(kernel)
        square = mu.norm() ** 2
        return cls(mu(X), square, best_share((law.expected_diagonal(kernel) - square) / len(X), square))


def simple_path(lams, summary, spectrum, truth):
    """S-KMSE: every number in O(1) for each λ."""
    lams = np.append(lams, summary.best_lam())
    score = _relative(summary.loocv(lams), summary.loocv(0.0), summary)
    if truth is None:
        return Path(lams, None, score, None, None)
    rho, cross = spectrum.total / spectrum.n**2, truth.z.mean()

    def loss(keep):
        return (keep**2 * rho - 2 * keep * cross + truth.square) / (rho - 2 * cross + truth.square)

    keep = float(np.clip(cross / rho, 0.0, 1.0))
    return Path(lams, loss(1 / (1 + lams)), score, 1 / keep - 1 if keep > 0 else np.inf, float(loss(keep)))


def flexible_path(lams, chosen, scale, summary, spectrum, score, truth):
    """F-KMSE: λ on its path counts in units of `scale`, the mean of k(x, x); `score` maps absolute λ to scores."""
    lams = np.append(lams, chosen / scale)
    score = _relative(score(lams * scale), score(np.zeros(1))[0], summary)
    if truth is None:
        return Path(lams, None, score, None, None)

    def loss(lam):
        return spectrum.loss(lam, truth.z, truth.square)

    kme = loss(np.zeros(1))[0]
    top = spectrum.gamma[-1]
    best = least(loss, 1e-6 * top, 1e4 * top, ends=(0.0, np.inf))
    return Path(lams, loss(lams * scale) / kme, score, best / scale, float(loss(np.array([best]))[0] / kme))


def _relative(scores, at_zero, summary):
    """Scores in units of the estimated loss of KME on n - 1 points, (ϱ - u) / (n - 1); KME is 1."""
    unit = (summary.diagonal - summary.off_diagonal) / (summary.n - 1)
    return 1 + (scores - at_zero) / unit if unit > 0 else np.ones(len(scores))
