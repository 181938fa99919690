"""Toy samples of a source and a target that differ in a way that is known, of several domains, and of two groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.rng import stream
from explorer.types import Matrix, Rng, Rows, Values, Vector

CHANGES = ("covariate", "target", "location-scale", "concept")
NOISE, NARROW = 0.2, 0.5  # standard deviations of y given x, and of the target's x
APART, WITHIN = 1.5, 0.7  # of two classes that are moved: their means, ± so much, and their standard deviation
STEP = 1.5  # from one domain's mean to the next
EFFECTS = ("mean", "spread", "none")
RAISES, SPREADS, REST = 1.0, 3.0, 0.5  # what a treatment adds to y, or multiplies its noise by; that noise's deviation


class DomainPair(NamedTuple):
    """X (n, 1) and y (n,) of the source, Z (m, 1) of the target, and hidden (m,), the target's y.

    >>> from explorer.datasets import domain_pair
    >>> from explorer.datasets.toys.domains import DomainPair
    >>> pair: DomainPair = domain_pair("covariate", 1.0, 500, 300, rng=0)
    >>> round(float(pair.X.std()), 1), round(float(pair.Z.mean()), 1), round(float(pair.Z.std()), 1)
    (1.0, 1.0, 0.5)
    """

    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    hidden: np.ndarray


def domain_pair(change: str, shift: float, n: int, m: int, rng: Rng = None) -> DomainPair:
    """The `DomainPair` of a change; with an int seed a larger n, or m, only appends points.

    "covariate"       y = sin 2x + noise in both; x ~ N(0, 1) in the source, N(shift, 0.5²) in the target
    "concept"         the same x, but y = -sin 2x + noise in the target
    "target"          x ~ N(y, 1) in both; y = ±1 with equal chances in the source, y = 1 with chances of exp(shift) to
                      one in the target
    "location-scale"  y = ±1 with equal chances; x ~ N(1.5 y, 0.7²) in the source, and in the target x W + B of that,
                      (W, B) = (1.5, -shift) for y = -1 and (0.6, shift) for y = 1

    ValueError for others.

    >>> from explorer.datasets import domain_pair
    >>> [part.shape for part in domain_pair("covariate", 1.0, 3, 2, rng=0)]
    [(3, 1), (3,), (2, 1), (2,)]
    """
    _check_change(change)
    n, m, shift = checks.whole(n, "n", 1), checks.whole(m, "m", 1), float(shift)
    source, target = (_draws(rng, name, size) for name, size in (("source", n), ("target", m)))
    if change in ("covariate", "concept"):
        x, z = source[0], shift + NARROW * target[0]
        sign = 1.0 if change == "covariate" else -1.0
        y, hidden = np.sin(2 * x) + NOISE * source[1], sign * np.sin(2 * z) + NOISE * target[1]
    else:
        y = np.where(source[2] < 0.5, 1.0, -1.0)
        hidden = np.where(target[2] < target_chance(change, shift), 1.0, -1.0)
        if change == "target":
            x, z = y + source[0], hidden + target[0]
        else:
            x, z = APART * y + WITHIN * source[0], APART * hidden + WITHIN * target[0]
            scale, move = class_maps(hidden, shift)
            z = z * scale + move
    return DomainPair(*(checks.read_only(part) for part in (x[:, None], y, z[:, None], hidden)))


def _draws(rng, name, size):
    """Two normal numbers and a uniform one of each point, (3, size)."""
    return (
        stream(rng, f"{name} x").normal(size=size),
        stream(rng, f"{name} noise").normal(size=size),
        stream(rng, f"{name} class").random(size),
    )


def class_maps(y: float | Vector, shift: float) -> tuple[Values, Values]:
    """(W, B) of points whose class is y (n,), as "location-scale" has them."""
    up = np.asarray(y) > 0
    return np.where(up, 0.6, 1.5), np.where(up, shift, -shift)


def target_chance(change: str, shift: float) -> float:
    """How likely y = 1 is in the target."""
    return float(1 / (1 + np.exp(-shift))) if change == "target" else 0.5


def target_mean(change: str, shift: float, x: Vector) -> Vector:
    """E[y | x] in the target of `domain_pair` at x (g,), (g,); ValueError for a change that is none of its four.

    >>> import numpy as np
    >>> from explorer.datasets import target_mean
    >>> x = np.array([0.5, 1.0, 1.5])
    >>> target_mean("covariate", 1.0, x).round(2).tolist(), target_mean("concept", 1.0, x).round(2).tolist()
    ([0.84, 0.91, 0.14], [-0.84, -0.91, -0.14])
    """
    _check_change(change)
    x = np.asarray(x, dtype=float)
    if change in ("covariate", "concept"):
        return np.sin(2 * x) * (1 if change == "covariate" else -1)
    if change == "target":
        return np.tanh(x + shift / 2)
    sides = []
    for y in (1.0, -1.0):
        scale, move = (float(part) for part in class_maps(y, shift))
        sides.append(-0.5 * ((x - APART * y * scale - move) / (WITHIN * scale)) ** 2 - np.log(scale))
    return np.tanh((sides[0] - sides[1]) / 2)


def density_ratio(change: str, shift: float, x: Vector, y: Vector) -> Vector | None:
    """The density of (x, y) in the target over that in the source, (n,), of the pairs of `domain_pair`.

    x, y    (n,)
    change  one of its four, at the same shift; ValueError for another

    None for "location-scale". For "concept", where y given x differs, it is the ratio of x alone.

    >>> import numpy as np
    >>> from explorer.datasets import density_ratio
    >>> density_ratio("covariate", 1.0, np.array([-1.0, 0.0, 1.0]), np.zeros(3)).round(3).tolist()
    [0.001, 0.271, 3.297]
    """
    _check_change(change)
    if change == "target":
        p = target_chance(change, shift)
        return np.where(np.asarray(y) > 0, 2 * p, 2 * (1 - p))
    if change == "location-scale":
        return None
    x = np.asarray(x, dtype=float)
    return np.exp(-0.5 * ((x - shift) / NARROW) ** 2 + 0.5 * x**2) / NARROW


def domain_cloud(domains: int, n: int, rng: int | None = None) -> tuple[Matrix, Rows]:
    """n points (n, 2) and the domain of each (n,), in turns; the second column is the signal, of all domains alike.

    The first is N(1.5 j, 0.5²) in domain j, less its mean over the domains. With an int seed a larger n only appends.

    >>> from explorer.datasets import domain_cloud
    >>> X, domain = domain_cloud(3, 5, rng=0)
    >>> X.shape, domain.tolist()
    ((5, 2), [0, 1, 2, 0, 1])
    """
    domains, n = checks.whole(domains, "domains", 1), checks.whole(n, "n", 1)
    of = np.arange(n) % domains
    nuisance = STEP * (of - (domains - 1) / 2) + 0.5 * stream(rng, "nuisance").normal(size=n)
    return checks.read_only(np.column_stack([nuisance, stream(rng, "signal").normal(size=n)])), of


class Trial(NamedTuple):
    """Covariates X (n, 1), the outcome y (n,) that each row had, and who was treated (n,).

    >>> from explorer.datasets import treated_groups
    >>> from explorer.datasets.toys.domains import Trial
    >>> trial: Trial = treated_groups("mean", 1.0, 300, 300, rng=0)
    >>> [round(float(trial.y[trial.treated == group].mean()), 1) for group in (False, True)]
    [0.6, 0.5]
    """

    X: np.ndarray
    y: np.ndarray
    treated: np.ndarray


def treated_groups(effect: str, shift: float, n: int, m: int, hidden: float = 0.0, rng: Rng = None) -> Trial:
    """n controls, then m treated whose covariate tends to be larger, as a `Trial`; an int seed only appends to a group.

    The larger x, the likelier the treatment and the smaller y: x ~ N(±shift/2, 1) of treated and controls, so that the
    odds of treatment are exp(shift x) m/n; y = -x - u, and u ~ N(±hidden/2, 0.5²) is what nobody measured.

    "mean"    the treatment adds 1 to y
    "spread"  it makes the deviation of u three times as large
    "none"    it does nothing

    ValueError for others.

    >>> from explorer.datasets import treated_groups
    >>> [part.shape for part in treated_groups("mean", 1.0, 3, 2, rng=0)]
    [(5, 1), (5,), (5,)]
    """
    _check_effect(effect)
    n, m, shift, hidden = checks.whole(n, "n", 1), checks.whole(m, "m", 1), float(shift), float(hidden)
    treated = np.repeat([False, True], [n, m])
    draws = np.concatenate([_draws(rng, name, size)[:2] for name, size in (("source", n), ("target", m))], axis=1)
    side = np.where(treated, 0.5, -0.5)
    x = shift * side + draws[0]
    scale = np.where(treated, SPREADS if effect == "spread" else 1.0, 1.0)
    y = np.where(treated & (effect == "mean"), RAISES, 0.0) - x - hidden * side - REST * scale * draws[1]
    return Trial(*(checks.read_only(part) for part in (x[:, None], y, treated)))


def outcome_laws(effect: str, shift: float, share: float, hidden: float = 0.0) -> tuple[GaussianMixture, ...]:
    """The distributions of y if everybody were treated, and if nobody were: two GaussianMixtures on R.

    effect, shift, hidden  as for `treated_groups`; ValueError for another effect
    share                  of the population that is treated, from 0 to 1

    >>> from explorer.datasets import outcome_laws
    >>> treated, controls = outcome_laws("mean", shift=1.0, share=0.5)
    >>> round(float(treated.mean[0] - controls.mean[0]), 2)
    1.0
    """
    _check_effect(effect)
    places = (shift + hidden) / 2 * np.array([[1.0], [-1.0]])
    return tuple(
        GaussianMixture([1 - share, share], places + adds, [[1 + (REST * scale) ** 2]])
        for adds, scale in (
            (RAISES if effect == "mean" else 0.0, SPREADS if effect == "spread" else 1.0),
            (0.0, 1.0),
        )
    )


def outcome_means(effect: str, x: Vector, hidden: float = 0.0) -> Matrix:
    """E[y | x] of the treated, and of the controls, (2, g), at x (g,).

    Where nothing is `hidden` these are E[y | x] with and without treatment. `effect` is one of `treated_groups`,
    ValueError for another.

    >>> import numpy as np
    >>> from explorer.datasets import outcome_means
    >>> outcome_means("mean", np.array([-1.0, 0.0, 1.0])).tolist()
    [[2.0, 1.0, 0.0], [1.0, 0.0, -1.0]]
    """
    _check_effect(effect)
    x = np.asarray(x, dtype=float)
    return np.array([(RAISES if effect == "mean" else 0.0) - x - hidden / 2, -x + hidden / 2])


def _check_effect(effect):
    if effect not in EFFECTS:
        raise Refusal(f"There is no effect {checks.echo(effect)}; the effects are {', '.join(EFFECTS)}.")


def _check_change(change):
    if change not in CHANGES:
        raise Refusal(f"There is no change {checks.echo(change)}; the changes are {', '.join(CHANGES)}.")
