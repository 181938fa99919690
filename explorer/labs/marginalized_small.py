"""What the Marginalized lab's small pictures show, each computed for the one that is seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer import checks
from explorer.estimators.marginalized.noise import corrupted
from explorer.estimators.marginalized.weights import as_printed, corrected, values_at_points

AT = np.linspace(-4.0, 4.0, 81)  # where the kernels are drawn, in units of θ
AT.flags.writeable = False
COPIES = 50  # noisy copies of the sample


class Arrays:
    """A frozen dataclass of arrays, which become read-only."""

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, checks.read_only(value))


@dataclass(frozen=True, eq=False)
class Slices(Arrays):
    """Kernels of two points that are `at` (p,) times θ apart along one coordinate, for every row of σ.

    plain (p,) is k; one and both (m + 1, p) its expectation with MKME's noise on one point, and on both; first and
    second (m + 1, p) with MMKME's noise on one point, along its first and its second coordinate, None where there is no
    second.
    """

    at: np.ndarray
    plain: np.ndarray
    one: np.ndarray
    both: np.ndarray
    first: np.ndarray
    second: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Projected(Arrays):
    """The weights β of the nearest sum_i β_i k(x_i, .) to MKME's estimate, for every row of σ.

    Eigenvalues (n,) of the Gram matrix, how long KME is along each (n,) as a share of its norm, what is kept (m + 1, n)
    of that, nan where there is nothing,
    and the sums (m + 1,) of β."""

    eigenvalues: np.ndarray
    coefficients: np.ndarray
    kept: np.ndarray
    sums: np.ndarray


@dataclass(frozen=True, eq=False)
class Missed(Arrays):
    """How far weights lie from MKME's estimate at every row of σ, (m + 1,), as a share of its norm.

    KME's, the projection's, those of the second-order expansion, and of the same as printed."""

    kme: np.ndarray
    projection: np.ndarray
    corrected: np.ndarray
    printed: np.ndarray


@dataclass(frozen=True, eq=False)
class Thrown(Arrays):
    """Noisy copies of the sample, (copies, n, d), and how far the average over the first m of them is from MKME's
    estimate: squared distances (copies,), and what they are on average, both relative to the empirical mean's loss."""

    points: np.ndarray
    path: np.ndarray
    expected: np.ndarray


def slices(noisy, mkme, mmkme, row, lab):
    """k_e(r) = prod_l (θ² / (θ² + e_l))^(1/2) exp(-r² / (2 (θ² + e_j))) for r along coordinate j.

    e doubles for two points.
    """

    def along(e, j):
        ratio = e / noisy.kernel.bandwidth**2
        height = -0.5 * np.log1p(ratio).sum(axis=1)  # in logs: the product alone underflows in high dimension
        return np.exp(height[:, None] - 0.5 * AT**2 / (1 + ratio[:, j, None]))

    e, f = mkme.deviations**2, mmkme.deviations**2
    return Slices(
        AT, np.exp(-0.5 * AT**2), along(e, 0), along(2 * e, 0), along(f, 0), along(f, 1) if e.shape[1] > 1 else None
    )


def projected(noisy, mkme, mmkme, row, lab):
    """MKME's weights, to which MKME itself does not reduce."""
    projection = noisy.projection
    weights = projection.weights(mkme.deviations[:, 0])
    along = np.sqrt(projection.gamma) * np.abs(projection.c)
    return Projected(projection.gamma, along / np.linalg.norm(along), projection.filter(weights).T, weights.sum(axis=0))


def missed(noisy, mkme, mmkme, row, lab):
    """|β - μ̃|² = β'Kβ - 2 β'L 1/n + |μ̃|², where L 1/n are the values of the estimate at the points."""
    projection, s = noisy.projection, mkme.deviations[:, 0]
    n, d = noisy.X.shape
    values = values_at_points(noisy.kernel, noisy.X, s)
    length = noisy.pairs.square(noisy.pairs.isotropic(s**2))

    def straight(weights):
        """Weights that are linear in σ²: from those at 0 and at θ."""
        zero, one = weights(0.0), weights(noisy.kernel.bandwidth)
        return zero[:, None] + np.outer(one - zero, (s / noisy.kernel.bandwidth) ** 2)

    made = {
        "kme": np.full((n, len(s)), 1 / n),
        "projection": projection.of(values),
        "corrected": straight(lambda sigma: corrected(projection, np.full(d, sigma**2))),
        "printed": straight(lambda sigma: as_printed(projection, sigma)),
    }
    K = noisy.kernel(noisy.X)

    def share(weights):
        square = (weights * (K @ weights - 2 * values)).sum(axis=0) + length
        return np.sqrt(np.maximum(square, 0.0) / length)

    return Missed(**{name: share(weights) for name, weights in made.items()})


def thrown(noisy, mkme, mmkme, row, lab):
    """COPIES noisy copies at MKME's σ.

    Their average is |average - μ̃|² = (1 - E k(x + u, x + v)) / (n m) away on average.
    """
    n, d = noisy.X.shape
    sigma = float(mkme.deviations[row, 0])
    copies = corrupted(noisy.X, sigma, COPIES, rng=lab.dice).reshape(n, COPIES, d).swapaxes(0, 1)
    within = np.empty((COPIES, COPIES))
    for c in range(COPIES):
        rows = noisy.kernel(copies[c], copies[: c + 1].reshape(-1, d))
        within[c, : c + 1] = within[: c + 1, c] = rows.reshape(n, c + 1, n).mean(axis=(0, 2))
    across = noisy.embed(mkme.deviations[row])(copies.reshape(-1, d)).reshape(COPIES, n).mean(axis=1)
    m, drops = np.arange(1, COPIES + 1), noisy.pairs.isotropic(np.array([sigma**2]))
    square = (
        within.cumsum(axis=0).cumsum(axis=1).diagonal() / m**2 - 2 * across.cumsum() / m + noisy.pairs.square(drops)
    )
    unit = (noisy.estimated if noisy.empirical is None else noisy.empirical) or 1.0
    return Thrown(copies, np.maximum(square, 0.0) / unit, drops.own[0] / (n * m) / unit)


SMALL = {"kernel": slices, "filter": projected, "approximation": missed, "dice": thrown}
