"""MKME and MMKME over σ: exact losses and leave-one-out scores, with what they take computed for all σ at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer import checks


@dataclass(frozen=True, eq=False)
class Along:
    """One estimator over σ; losses and scores relative to the empirical mean's.

    sigmas (m + 1,) are the slider's σ and, last, the leave-one-out choice, in data sd; deviations (m + 1, d) what
    becomes of them in each coordinate, in units of x; loss is None where no truth is known.
    """

    sigmas: np.ndarray
    deviations: np.ndarray
    loss: np.ndarray | None
    score: np.ndarray

    def __post_init__(self):
        for name in ("sigmas", "deviations", "loss", "score"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else checks.read_only(value))

    @property
    def height(self):
        """What is drawn: the loss, or the leave-one-out score where no truth is known."""
        return self.score if self.loss is None else self.loss

    @property
    def chosen(self):
        """The σ of least leave-one-out score."""
        return float(self.sigmas[-1])

    @property
    def best(self):
        """The row of least loss, or None where no truth is known."""
        return None if self.loss is None else int(np.argmin(self.loss))


class Seen:
    """A law seen through a Gaussian kernel by points that carry noise N(0, s² T²), T = diag(t) of a shape t (d,), for
    many s.

    A component N(m, S) gives |I + (S + s²T²)/θ²|^(-1/2) exp(-δ'(S + s²T² + θ²I)^(-1) δ / 2). With S + θ²I = LL' and
    L^(-1) T² L^(-T) = U diag(ω) U' the matrix is L U (I + s² diag(ω)) U' L', so one decomposition serves every s.
    """

    def __init__(self, mean, shape):
        d, theta2, self._parts = mean.points.shape[1], mean.kernel.bandwidth**2, []
        covariances = np.zeros((len(mean.points), d, d)) if mean.covariance is None else mean.covariance
        for weight, point, S in zip(mean.weights, mean.points, covariances, strict=True):
            L = np.linalg.cholesky(S + theta2 * np.eye(d))
            B = np.linalg.solve(L, np.diag(shape))
            omega, U = np.linalg.eigh(B @ B.T)
            scale = 0.5 * d * np.log(theta2) - np.log(L.diagonal()).sum()
            self._parts.append((weight, point, np.linalg.solve(L.T, U), np.maximum(omega, 0.0), scale))

    def means(self, X, s):
        """(1/n) sum_i E k(x_i + u, x), u ~ N(0, s² T²), over x of the law, for s (m,), (m,)."""
        found, square = 0.0, np.square(s)
        for weight, point, whiten, omega, scale in self._parts:
            wide = 1 + np.outer(omega, square)
            apart = ((X - point) @ whiten) ** 2 @ (1 / wide)
            found = found + weight * np.exp(scale - 0.5 * (np.log(wide).sum(axis=0) + apart)).mean(axis=0)
        return found
