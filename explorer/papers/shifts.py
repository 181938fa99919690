"""Learning across domains, from the article (paper 003), as studies of a source and a target that differ.

shifts(change, n, seed=int) is one source and one target of n points each. They differ in one of the article's three
ways, in another way, or in y given x. The study returns the squared error of a line on 2000 further
points of the target. The line is learnt from the unweighted source, after the remedy of that change, and, if there is
one, with the true ratio of densities. domains(domains, seed=int) is 160 points of `domains` domains, each at another
place along one axis. It returns the squared error, on a domain that was not seen, of a line in two components.

The article has no experiment; the distributions, kernels and sizes are ours. Kernels are Gaussian, at a fixed share of
the median distance: half of it, and a quarter for the maps of classes, because a wider kernel cannot see their scales.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.adaptation import DICA, CovariateShift, LocationScaleShift, TargetShift
from explorer.checks import Refusal
from explorer.datasets import density_ratio, domain_pair
from explorer.kernels import Gaussian, median_bandwidth
from explorer.operators import KernelPCA
from explorer.rng import stream

from .entry import relative
from .shrinkage import Grid

if TYPE_CHECKING:
    from explorer.types import Vector

    from .entry import Point


PLAIN, REMEDY, RATIO = "as it is", "remedy", "true ratio"
PCA, INVARIANT, GUIDED = "kernel PCA", "DICA", "DICA with y"
CHANGES = ("covariate", "target", "location-scale", "skewed", "concept")
SHIFT, TESTED = 1.0, 2000
POINTS, APART, WITHIN, NOISE, SIZE = 160, 2.0, 0.5, 0.3, 1000.0
SHIFTS = {
    "fast": (Grid({"change": CHANGES, "n": (50, 100)}, 20),),
    "full": (Grid({"change": CHANGES, "n": (50, 100, 200, 400)}, 100),),
}
DOMAINS = {
    "fast": (Grid({"domains": (2, 4, 8)}, 30),),
    "full": (Grid({"domains": (2, 4, 8, 16, 32)}, 200),),
}


def shifts(change: str, n: int, seed: int = 0) -> dict[str, float]:
    """Return squared errors of a line on the target, for each way to learn it.

    Parameters
    ----------
    change : {"covariate", "target", "location-scale", "skewed", "concept"}
        A change of `domain_pair`, of shift 1. The remedy is weights of x for "covariate" and "concept", weights of y
        for "target", and maps of classes with weights for "location-scale" and "skewed". "skewed" bends the target of
        "location-scale".
    n : int
        Points in the source and in the target, at least 5.
    seed : int, default 0
        Seed of the samples.

    Returns
    -------
    dict of {str: float}
        The errors as ``"as it is"``, ``"remedy"`` and ``"true ratio"``; the last is nan if x given y changes.

    Raises
    ------
    ValueError
        If `change` is unknown or `n` is below 5.
    TypeError
        If `n` or `seed` is not a whole number.
    """
    if change not in CHANGES:
        raise Refusal(f"There is no change {checks.echo(change)}; the changes are {', '.join(CHANGES)}.")
    n, seed = checks.whole(n, "n", 5), checks.whole(seed, "seed")
    kind = "location-scale" if change == "skewed" else change
    pair = domain_pair(kind, SHIFT, n, n, stream(seed, "pair"))
    test = domain_pair(kind, SHIFT, 1, TESTED, stream(seed, "test"))
    if change == "skewed":
        pair, test = pair._replace(Z=_bent(pair.Z)), test._replace(Z=_bent(test.Z))
    median = median_bandwidth(np.concatenate([pair.X, pair.Z]))
    X, weights = pair.X, np.ones(n)
    found = {PLAIN: _error(X, pair.y, weights, test)}
    if change in ("covariate", "concept"):
        weights = CovariateShift(Gaussian(0.5 * median), tolerance=0.0).learn(X, pair.Z).weights_
    elif change == "target":
        learnt = TargetShift(Gaussian(0.5 * median)).learn(X, pair.y, pair.Z)
        weights = np.maximum(learnt.identified_weights_, 0.0)
    else:
        learnt = LocationScaleShift(Gaussian(0.25 * median), reweight=True).learn(X, pair.y, pair.Z)
        X, weights = learnt.transform(X, pair.y), learnt.weights_
    found[REMEDY] = _error(X, pair.y, weights, test)
    ratio = density_ratio(kind, SHIFT, pair.X[:, 0], pair.y)
    return found | {RATIO: math.nan if ratio is None else _error(pair.X, pair.y, ratio, test)}


def _bent(Z):
    """Change x given y by more than a scale and a shift: bend each side of 0, and stretch one direction."""
    return np.sinh(0.6 * Z) + 0.1 * Z**2


def _error(X, y, weights, test):
    """Return the squared error of a weighted line on further points of the target."""
    root = np.sqrt(weights)
    line = np.linalg.lstsq(root[:, None] * np.column_stack([np.ones(len(X)), X]), root * y, rcond=None)[0]
    return float(np.mean((line[0] + test.Z @ line[1:] - test.hidden) ** 2))


def domains(domains: int, seed: int = 0) -> dict[str, float]:
    """Return squared errors, on a domain that was not seen, of a line in two components.

    Parameters
    ----------
    domains : int
        Number of domains, from 1 to 160.
    seed : int, default 0
        Seed of the samples.

    Returns
    -------
    dict of {str: float}
        Errors by the components ``"kernel PCA"``, ``"DICA"`` and ``"DICA with y"``, under a Gaussian kernel at the
        median distance, which is a thousand times larger for DICA.

    Raises
    ------
    ValueError
        If `domains` is out of its range.
    TypeError
        If an argument is not a whole number.

    Notes
    -----
    In domain j, x is (a_j + N(0, 0.5²), s) with a_j ~ N(0, 2²) and s ~ N(0, 1), and y = s + N(0, 0.3²). So y given x is
    the same in all domains.
    """
    count, seed = checks.whole(domains, "domains", 1), checks.whole(seed, "seed")
    if count > POINTS:
        raise Refusal(f"domains={count} is more than the {POINTS} points; take fewer domains.")
    of = np.arange(POINTS) % count
    X, y = _of_domains(stream(seed, "places").normal(size=count)[of], stream(seed, "points"))
    Z, hidden = _of_domains(np.repeat(stream(seed, "unseen").normal(size=20), 50), stream(seed, "test"))
    kernel = Gaussian(median_bandwidth(X))
    found = {}
    for name, model in (
        (PCA, KernelPCA(kernel, 2).fit(X)),
        (INVARIANT, DICA(SIZE * kernel, 2).learn(X, of)),
        (GUIDED, DICA(SIZE * kernel, 2).learn(X, of, y)),
    ):
        line, *_ = np.linalg.lstsq(_with_one(model.transform(X)), y, rcond=None)
        found[name] = float(np.mean((_with_one(model.transform(Z)) @ line - hidden) ** 2))
    return found


def _of_domains(place, rng):
    """Return points (n, 2) of domains at these places, in units of their spread, and y (n,)."""
    n = len(place)
    signal = rng.normal(size=n)
    X = np.column_stack([APART * place + WITHIN * rng.normal(size=n), signal])
    return X, signal + NOISE * rng.normal(size=n)


def _with_one(scores):
    return np.column_stack([np.ones(len(scores)), scores])


def relative_to_plain(table: Mapping[str, Vector]) -> dict[str, Point]:
    """Return the ratio of each mean error to that of the unweighted source."""
    return relative(table, PLAIN)
