"""A density with an edge and a long tail as a mixture of Gaussians, octave by octave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.special import ndtr

from explorer.types import Vector

RATIO = 4.0  # ratio of an octave's end to its start
WIDTH = 0.14  # width of a step, in units of its position: at the edge, 1/0.14 deviations away, the step is 5e-13
STEP, COUNT = 0.0625, 135  # the comb of an octave, in units of its start: it reaches 8.4, the upper step's end
SIGMA = 1.3 * STEP  # width of the comb's Gaussians: wider ones ripple less and are sharpened more, here by at most 4200


def octaves(density: Callable[..., Any], start: float, count: int) -> Iterator[tuple[Vector, Vector, float]]:
    """Yield (points, weights, variance) of mixtures of Gaussians that add up to a density on t >= 0.

    `density` is a function of t that is smooth on the scale of max(t, start). Smooth steps H_j at start 4^j split the
    density p into p (1 - H_0), p (H_0 - H_1), ... An octave p (H_j - H_(j+1)) is an evenly spaced comb of Gaussians a
    little wider than their spacing. Their weights are the octave, sharpened by the inverse of the Gaussian's blur:
    times e^(σ^2 ω^2 / 2) in frequency. The part below the first step is made of point masses by Gauss and Legendre. The
    part above the last step is left out: about the mass beyond start 4^count. From t = 2 start on the mixture is the
    density, to 1e-10 of its largest value; so it serves any kernel, even one with a kink.
    """
    x, w = _first_rule()
    t = start * (x + 1)
    yield t, start * w * density(t) * (1 - _step(t, start)), 0.0
    frequency = 2 * np.pi * np.fft.rfftfreq(COUNT, STEP)
    sharpen = np.exp((SIGMA * frequency) ** 2 / 2)
    for begin in start * RATIO ** np.arange(count):
        t = begin * STEP * np.arange(COUNT)
        octave = density(t) * (_step(t, begin) - _step(t, RATIO * begin))
        yield t, begin * STEP * np.fft.irfft(sharpen * np.fft.rfft(octave), COUNT), (SIGMA * begin) ** 2


def mass_beyond(survival: Callable[..., Any], end: float) -> float:
    """Compute the mass that `octaves` leaves out above its last step, at `end`; `survival` maps t to the mass above t.

    It is the mean of the mass over the step.
    """
    return mean_over(lambda z: survival(end * (1 + WIDTH * z)))


def mean_over(function: Callable[..., Any]) -> float:
    """Compute E function(z), z ~ N(0, 1), by ten nodes within five deviations."""
    z, w = np.polynomial.hermite_e.hermegauss(10)  # seven deviations of a step reach down to t = 0
    return float(function(z) @ w / w.sum())


@cache
def _first_rule():
    """Return Gauss and Legendre's nodes and weights below the first step."""
    return np.polynomial.legendre.leggauss(40)


def _step(t, place):
    return ndtr((t / place - 1) / WIDTH)
