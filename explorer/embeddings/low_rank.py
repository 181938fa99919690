"""Kernel means of many points by a kernel of finite rank: at most r weighted points, and their error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels.low_rank import Landmarks, low_rank, some_rows
from explorer.kernels.low_rank.fourier import error_limit
from explorer.kernels.low_rank.residual import Residual
from explorer.types import Points, Rng

from .embedding import Embedding

if TYPE_CHECKING:
    from explorer.kernels.low_rank.finite import FiniteRank


TRIED = 1000  # largest number of points that an error is measured on


def approximate_mean(low: FiniteRank, samples: Sequence[tuple[int, Points]], rng: Rng) -> Embedding:
    """Compute Σ_s sign_s (1/n_s) Σ_i k̂(x_i, .) as an Embedding with its `error`.

    Parameters
    ----------
    low : FiniteRank
        The kernel of finite rank.
    samples : sequence of tuple
        Pairs (sign, X) of the samples, X of shape (n_s, d).
    rng : int, Generator or None
        Seed of the random points.

    Returns
    -------
    Embedding
        The mean.

    Notes
    -----
    For Landmarks it is the projection of the exact mean, a combination of landmarks under the kernel k itself. Its
    error is the RKHS norm of the residual: exact for samples of up to 1500 points, and a 99 % limit for larger ones.

    For FourierFeatures it is an embedding under k̂, at no more than r of 20,000 of the points. Its error is a 99 %
    limit of the root mean square difference of its values and the exact ones at the sample, by 2000 other frequencies
    and on 1000 of the points, plus what r points miss of it.
    """
    c: Any = _sum(low, samples)
    if isinstance(low, Landmarks):
        missed = Residual(low, [X for _, X in samples], rng)
        e = _at_landmarks(low.kernel, low.independent, low.weights(c), samples)
        return e.approximating(lambda: math.sqrt(missed.limit("biased")))
    tried = np.concatenate([X[some_rows(len(X), TRIED // len(samples), rng)] for _, X in samples])
    return _at_few_points(low, c, samples, tried, rng)


def _at_landmarks(kernel, points, weights, samples):
    """Return an Embedding; if the kernel is 0 on the sample there is no landmark, and it is at the first point."""
    return Embedding(kernel, points, weights) if len(points) else Embedding(kernel, samples[0][1][:1], [0.0])


def _at_few_points(low, c, samples, tried, rng):
    """Return the embedding of features c (r,), combined from few of the samples' points."""
    points = np.concatenate([X[some_rows(len(X), 20_000 // len(samples), rng, "candidates")] for _, X in samples])
    few: Any = low_rank(low, points, "cholesky", low.rank, rng)
    of_points = low.features(few.independent)
    weights = few.weights(few.coordinates(of_points @ c))
    missed = float(np.linalg.norm(c - weights @ of_points))  # |k̂(x, .)| = 1, so no value is off by more
    return Embedding(low, few.independent, weights).approximating(lambda: _limit(low, c, samples, tried) + missed)


def _sum(low, samples):
    """Compute the features of the mean of the samples, each with its sign, (r,)."""
    return sum(sign / len(X) * low.sum_features(X, np.ones(len(X))) for sign, X in samples)


def _limit(low, c, samples, tried):
    """Compute the 99 % limit of the error at the points `tried`, for features c (r,) of random frequencies."""
    more = low.more_frequencies(sum(len(X) for _, X in samples))
    values = low.features(tried) * c, more.features(tried) * _sum(more, samples)
    return error_limit(low.by_frequency(values[0]), more.by_frequency(values[1]))
