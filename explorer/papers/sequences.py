"""Rules in a row, filtering and belief propagation, from the article (paper 003), as studies.

filtered(n, seed=int) is a sequence of n + 1 frames of a video of one line: a spot that wanders, recorded by 12 pixels
with noise. Filters learn from it where the spot is, and follow the spot through further frames. propagated(n, seed=int)
is a tree of five variables of three values each, with random tables, and n joint draws. It returns how far the beliefs
given two of them are from the exact ones, which enumeration gives.

Fixed here: kernels are Gaussian at half the median distance, λ = 1 and λ̃ = 0.001 for the filter; Delta and λ = 1e-6
for the tree.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer import checks
from explorer.conditional import BeliefPropagation, ConditionalEmbedding, HMMFilter
from explorer.conditional.gaussian_filter import KalmanFilter
from explorer.kernels import Delta, Gaussian, median_bandwidth
from explorer.rng import stream

from .shrinkage import Grid

# positions of the pixels, width of the spot, sd of the noise
PIXELS, SPOT, NOISE = np.linspace(-1.5, 1.5, 12), 0.3, 0.5
DECAY, STEP = 0.95, 0.25  # the spot's next place is 0.95 times the last one, plus N(0, 0.25²)
FRAMES, BURN, PARTICLES = 80, 10, 1000  # test frames, those left out, number of particles
CARRIED, SUMMED, FRAME = "kernel filter", "kernel filter, sum rule", "one frame alone"
KALMAN, KNOWING = "Kalman, fitted", "particles, true model"
FILTER = {
    "fast": (Grid({"n": (50, 100, 200)}, 20),),
    "full": (Grid({"n": (50, 100, 200, 400, 800)}, 100),),
}
EDGES = (("a", "b"), ("a", "c"), ("c", "d"), ("c", "e"))
EVIDENCE, VALUES = ("b", "d"), 3
TREE, COUNTED = "belief propagation", "rows that agree"
PROPAGATION = {
    "fast": (Grid({"n": (50, 100, 200, 400)}, 40),),
    "full": (Grid({"n": (50, 100, 200, 400, 800, 1600)}, 400),),
}


def filtered(n: int, seed: int = 0) -> dict[str, float]:
    """Return the root mean square error of the place of the spot in further frames, for each filter.

    Parameters
    ----------
    n : int
        Number of transitions that are learnt from, at least 5.
    seed : int, default 0
        Seed of the videos.

    Returns
    -------
    dict of {str: float}
        - ``"kernel filter"``: HMMFilter, weights carried from a state to the next one.
        - ``"kernel filter, sum rule"``: with the sum rule's prediction.
        - ``"one frame alone"``: ConditionalEmbedding of the place, given the frame, without a past.
        - ``"Kalman, fitted"``: the Kalman filter of the straight line that fits the frames best.
        - ``"particles, true model"``: 1000 particles that know how the spot moves and how frames show it.

    Raises
    ------
    ValueError
        If `n` is below 5.
    TypeError
        If an argument is not a whole number.
    """
    n, seed = checks.whole(n, "n", 5), checks.whole(seed, "seed")
    states, frames = _video(n + 1, stream(seed, "seen"))
    truth, shown = _video(FRAMES, stream(seed, "followed"))
    kernels = [Gaussian(median_bandwidth(Z) / 2) for Z in (states, frames)]
    found = {}
    for name, two_step in ((CARRIED, False), (SUMMED, True)):
        model = HMMFilter(kernels[0], kernels[1], 1.0, 1e-3, two_step).fit(states, frames)
        found[name] = model.filter(shown) @ model.states_[:, 0]
    found[FRAME] = ConditionalEmbedding().fit(frames, states).predict(shown)[:, 0]
    found[KALMAN] = KalmanFilter.fit(states[:, 0], frames).filter(shown)[0]
    found[KNOWING] = _particles(shown, stream(seed, "particles"))
    return {name: math.sqrt(np.mean((places - truth[:, 0])[BURN:] ** 2)) for name, places in found.items()}


def _video(count, rng):
    """Return the places of the spot, shape (count, 1), and the frames, shape (count, 12)."""
    states = np.zeros((count, 1))
    for t in range(1, count):
        states[t] = DECAY * states[t - 1] + STEP * rng.normal()
    return states, _seen(states) + NOISE * rng.normal(size=(count, len(PIXELS)))


def _seen(states):
    return np.exp(-((states - PIXELS) ** 2) / (2 * SPOT**2))


def _particles(shown, rng):
    """Return the means (t,) of particles that move like the spot, resampled by how well they explain each frame."""
    places, means = np.zeros(PARTICLES), []
    for t, frame in enumerate(shown):
        if t:
            places = DECAY * places + STEP * rng.normal(size=PARTICLES)
        fit = -((frame - _seen(places[:, None])) ** 2).sum(axis=1) / (2 * NOISE**2)
        weights = np.exp(fit - fit.max())
        weights /= weights.sum()
        means.append(weights @ places)
        at = (rng.random() + np.arange(PARTICLES)) / PARTICLES
        places = places[np.minimum(np.searchsorted(np.cumsum(weights), at), PARTICLES - 1)]
    return np.array(means)


def propagated(n: int, seed: int = 0) -> dict[str, float]:
    """Return the mean distance of beliefs to the exact ones, half the sum of absolute differences over values.

    Parameters
    ----------
    n : int
        Number of joint draws, at least 1.
    seed : int, default 0
        Seed of the tables and draws.

    Returns
    -------
    dict of {str: float}
        - ``"belief propagation"``: the tree, learnt from n draws; without evidence if the draws make it impossible.
        - ``"rows that agree"``: the draws that show the evidence, counted; all draws if none does.

    Raises
    ------
    ValueError
        If `n` is below 1.
    TypeError
        If an argument is not a whole number.

    Notes
    -----
    The evidence is that of one further draw, so that it is possible.
    """
    n, seed = checks.whole(n, "n", 1), checks.whole(seed, "seed")
    names = ["a", *(child for _, child in EDGES)]
    joint = _tree(stream(seed, "tables"))
    rows = stream(seed, "draws").choice(joint.size, size=n + 1, p=joint.ravel())
    draws = dict(zip(names, np.array(np.unravel_index(rows, joint.shape)), strict=True))
    evidence: dict[Any, Any] = {node: draws[node][-1] for node in EVIDENCE}
    sample: dict[Any, Any] = {node: draws[node][:-1] for node in names}
    tree = BeliefPropagation(EDGES, dict.fromkeys(names, Delta()), 1e-6)
    agree = np.logical_and.reduce([sample[node] == value for node, value in evidence.items()])
    chosen = joint[tuple(evidence.get(node, slice(None)) for node in names)]
    hidden, distances, fitted = [node for node in names if node not in evidence], [], tree.fit(sample)
    known = evidence if fitted.evidence(evidence) > 0 else {}  # evidence without draws cannot be conditioned on
    for k, node in enumerate(hidden):
        exact = chosen.sum(axis=tuple(j for j in range(len(hidden)) if j != k)) / chosen.sum()
        belief = fitted.marginal(node, known)(np.arange(VALUES))
        counted = np.bincount(sample[node][agree if agree.any() else slice(None)], minlength=VALUES)
        distances.append([np.abs(each - exact).sum() / 2 for each in (belief, counted / counted.sum())])
    return dict(zip((TREE, COUNTED), np.mean(distances, axis=0).tolist(), strict=True))


def _tree(rng):
    """Return the joint probabilities of a, b, c, d, e, shape (3, 3, 3, 3, 3), from random tables."""
    start, (b, c, d, e) = rng.dirichlet(np.ones(VALUES)), rng.dirichlet(np.ones(VALUES), size=(len(EDGES), VALUES))
    return np.einsum("a,ab,ac,cd,ce->abcde", start, b, c, d, e)
