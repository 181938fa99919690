"""What a marginalized estimate stands for.

The average over noisy copies of the sample, and a kernel density estimate.
"""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.embeddings import GaussianMixture
from explorer.rng import stream

DF = 5  # of Student's noise: its fourth moment is finite
# of standard deviation 1
NOISES = {
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
    "laplace": lambda rng, shape: rng.laplace(0.0, np.sqrt(0.5), shape),
    "student": lambda rng, shape: rng.standard_t(DF, shape) * np.sqrt((DF - 2) / DF),
    "uniform": lambda rng, shape: rng.uniform(-np.sqrt(3), np.sqrt(3), shape),
}


def corrupted(X, sigma, copies=100, rng=None, noise="gaussian"):
    """`copies` noisy copies of every point of X (n, d), (n copies, d), all copies of a point next to each other.

    sigma  standard deviation of the noise, a number or one for each coordinate (d,)
    noise  "gaussian", "laplace", "student" with 5 degrees of freedom, or "uniform": independent in every coordinate

    Their plain average KME(kernel).embed(...) tends to the marginalized estimate for any kernel and noise, at a squared
    RKHS distance of mean(E k(x + u, x + u) - E k(x + u, x + v)) / (n copies) on average, u and v independent noise.
    With Gaussian noise the limit is what MKME and MMKME know in closed form.
    """
    X, copies = checks.sample(X), checks.whole(copies, "copies", 1)
    sigma = _per_coordinate(sigma, X.shape[1])
    if not isinstance(noise, str) or noise not in NOISES:
        raise ValueError(f"noise must be one of {', '.join(NOISES)}, not {checks.shown(noise)}.")
    many = np.repeat(X, copies, axis=0)
    return many + sigma * NOISES[noise](stream(rng, "noise"), many.shape)


def density(X, sigma):
    """The kernel density estimate (1/n) sum_i N(x_i, diag(σ^2)) of X (n, d), a law.

    Its embedding is the marginalized estimate.

    sigma  a number, as MKME's, or (d,), as MMKME's
    """
    X = checks.sample(X)
    return GaussianMixture(np.full(len(X), 1 / len(X)), X, _per_coordinate(sigma, X.shape[1]) ** 2)


def _per_coordinate(sigma, d):
    sigma = checks.numbers(sigma, "sigma")
    if sigma.ndim and sigma.shape != (d,):
        raise ValueError(
            f"sigma has shape {sigma.shape}; give one standard deviation, or one for each of the {d} coordinates."
        )
    if (sigma < 0).any():
        raise ValueError(f"sigma holds {sigma.min():g}; a standard deviation is never below 0.")
    return np.broadcast_to(sigma, (d,))
