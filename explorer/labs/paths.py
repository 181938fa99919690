"""An estimator over λ: its losses and leave-one-out scores relative to the empirical mean's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.embeddings.risk import best_share


@dataclass(frozen=True)
class Path:
    """One estimator over λ; all losses and scores relative to the empirical mean's.

    lams (m + 1,) are the slider's λ and, last, the leave-one-out choice; loss and best are None where no truth is
    known, best also where every λ is as good.
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
    """What the losses of a sample need of the law.

    z_i = μ(x_i) (n,), |μ|^2, and Δ, the expected loss of the empirical mean.
    """

    z: np.ndarray
    square: float
    variance: float

    @classmethod
    def of(cls, law, kernel, X):
        """From the law's exact embedding."""
        mu = law.embed(kernel)
        square = mu.norm() ** 2
        return cls(mu(X), square, (law.expected_diagonal(kernel) - square) / len(X))

    @property
    def share(self):
        """α*, the best share of S-KMSE."""
        return best_share(self.variance, self.square)

    def empirical_loss(self, spectrum):
        """|μ̂ - μ|^2 of the sample that a spectrum is of."""
        return spectrum.total / spectrum.n**2 - 2 * self.z.mean() + self.square

    def seen_from(self, target):
        """The same for points and law seen from a target f*: of k(x_i, .) - f* and μ - f*."""
        square = max(self.square - 2 * target.inner + target.square, 0.0)
        return Truth(self.z - target.z - target.inner + target.square, square, self.variance)


class Seen(NamedTuple):
    """What an estimate needs of its target f*: z_i = f*(x_i) (n,), |f*|^2, and <f*, μ>, 0 where no μ is known."""

    z: np.ndarray
    square: float
    inner: float


def simple_path(lams, summary, truth):
    """S-KMSE: every number in O(1) for each λ. With a target, summary and truth are those seen from it."""
    lams = np.append(lams, summary.best_lam())
    score = relative(summary.loocv(lams), summary)
    if truth is None:
        return Path(lams, None, score, None, None)
    n, diagonal, off_diagonal, _ = summary
    rho, cross = (diagonal + (n - 1) * off_diagonal) / n, truth.z.mean()

    def loss(keep):
        return (keep**2 * rho - 2 * keep * cross + truth.square) / (rho - 2 * cross + truth.square)

    keep = float(np.clip(cross / rho, 0.0, 1.0))
    return Path(lams, loss(1 / (1 + lams)), score, 1 / keep - 1 if keep > 0 else np.inf, float(loss(keep)))


def level_path(lams, chosen, truth):
    """An estimate that is the empirical mean at every λ."""
    ones = np.ones(len(lams) + 1)
    return Path(np.append(lams, chosen), None if truth is None else ones, ones, None, None)


def weights_path(lams, score, weights, spectrum, truth):
    """An estimate by its weights (m + 1, n) at each λ of lams (m + 1,), the last the choice."""
    b = spectrum.c / spectrum.n
    moved = spectrum.U.T @ weights.T - b[:, None]
    # |μ_β - μ|^2 from the empirical mean's on: nothing large cancels
    more = spectrum.gamma @ moved**2 + 2 * (spectrum.gamma * b - truth.z @ spectrum.U) @ moved
    return Path(lams, 1 + more / truth.empirical_loss(spectrum), score, None, None)


def relative(scores, summary):
    """Scores in units of the estimated loss of KME on n - 1 points, (ϱ - u) / (n - 1), counted from KME's: KME is 1."""
    unit = summary.gap / (summary.n - 1)
    return 1 + (scores - summary.loocv(0.0)) / unit if unit > 0 else np.ones(len(scores))
