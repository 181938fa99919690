"""Toy samples of a source and a target with a known difference, of several domains, and of a treatment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.rng import stream
from explorer.types import Matrix, Rng, Rows, Values, Vector

CHANGES = ("covariate", "target", "location-scale", "concept")
NOISE = 0.2  # standard deviation of y given x
NARROW = 0.5  # standard deviation of the target's x
APART, WITHIN = 1.5, 0.7  # the two classes of "location-scale" have the means ±APART and the deviation WITHIN
STEP = 1.5  # distance between the means of neighbouring domains
EFFECTS = ("mean", "spread", "none")
RAISES, SPREADS = 1.0, 3.0  # the amount that a treatment adds to y, and the factor by which it multiplies y's noise
REST = 0.5  # standard deviation of that noise


class DomainPair(NamedTuple):
    """A sample of a source with outcomes, and of a target whose outcomes a method must not see.

    Attributes
    ----------
    X : ndarray of shape (n, 1)
        Covariates of the source.
    y : ndarray of shape (n,)
        Outcomes of the source.
    Z : ndarray of shape (m, 1)
        Covariates of the target.
    hidden : ndarray of shape (m,)
        Outcomes of the target.

    Examples
    --------
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
    r"""Draw a source and a target that differ by a known change.

    With an int seed a larger n, or m, only appends points.

    Parameters
    ----------
    change : {"covariate", "target", "location-scale", "concept"}
        How the target differs from the source, see Notes.
    shift : float
        Size of the change.
    n : int
        Number of source points, at least 1.
    m : int
        Number of target points, at least 1.
    rng : int, Generator or None, default None
        Seed of the draws.

    Returns
    -------
    DomainPair
        The points and outcomes of both domains.

    Raises
    ------
    ValueError
        If `change` is another name, or n or m is below 1.

    Notes
    -----
    Let δ be the shift.

    - "covariate": :math:`y = \sin 2x` plus noise in both domains; :math:`x \sim N(0, 1)` in the source and
      :math:`N(\delta, 0.5^2)` in the target.
    - "concept": the same x, but :math:`y = -\sin 2x` plus noise in the target.
    - "target": :math:`x \sim N(y, 1)` in both; :math:`y = \pm 1` with equal chances in the source, and in the target
      the odds of y = 1 are :math:`e^\delta` to one.
    - "location-scale": :math:`y = \pm 1` with equal chances in both. In the source :math:`x \sim N(1.5\, y, 0.7^2)`. In
      the target x is transformed to :math:`x W + B`, with :math:`(W, B) = (1.5, -\delta)` for y = -1 and
      :math:`(0.6, \delta)` for y = 1.

    The noise of y has the standard deviation 0.2.

    Examples
    --------
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
    """Draw two normal numbers and a uniform one for each point, of shape (3, size)."""
    return (
        stream(rng, f"{name} x").normal(size=size),
        stream(rng, f"{name} noise").normal(size=size),
        stream(rng, f"{name} class").random(size),
    )


def class_maps(y: float | Vector, shift: float) -> tuple[Values, Values]:
    """Return the factor W and the offset B of the change "location-scale" for each class.

    Parameters
    ----------
    y : float or ndarray of shape (n,)
        Classes, 1 or -1.
    shift : float
        Size of the change.

    Returns
    -------
    W : ndarray, of the shape of y
        Factor of x in the target.
    B : ndarray, of the shape of y
        Offset that is added to the scaled x.
    """
    up = np.asarray(y) > 0
    return np.where(up, 0.6, 1.5), np.where(up, shift, -shift)


def target_chance(change: str, shift: float) -> float:
    """Return the probability of y = 1 in the target."""
    return float(1 / (1 + np.exp(-shift))) if change == "target" else 0.5


def target_mean(change: str, shift: float, x: Vector) -> Vector:
    """Compute E[y | x] in the target of `domain_pair`.

    Parameters
    ----------
    change : {"covariate", "target", "location-scale", "concept"}
        The change between source and target.
    shift : float
        Size of the change.
    x : array_like of shape (g,)
        Points.

    Returns
    -------
    ndarray of shape (g,)
        The conditional means.

    Raises
    ------
    ValueError
        If `change` is another name.

    Examples
    --------
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
    """Compute the density of (x, y) in the target of `domain_pair` over that in the source.

    Parameters
    ----------
    change : {"covariate", "target", "location-scale", "concept"}
        The change between source and target.
    shift : float
        Size of the change.
    x : array_like of shape (n,)
        Covariates.
    y : array_like of shape (n,)
        Outcomes.

    Returns
    -------
    ndarray of shape (n,) or None
        The ratios. For "concept", where y given x differs, the ratio of the densities of x alone; for
        "location-scale" None.

    Raises
    ------
    ValueError
        If `change` is another name.

    Examples
    --------
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
    """Draw n points in the plane from several domains that share their second column.

    The first column is a nuisance: :math:`N(1.5 j, 0.5^2)` in domain j, minus the mean of these means. The second
    column is the signal, standard normal in all domains. Row i belongs to domain i modulo the number of domains. With
    an int seed a larger n only appends points.

    Parameters
    ----------
    domains : int
        Number of domains, at least 1.
    n : int
        Number of points, at least 1.
    rng : int or None, default None
        Seed of the draws.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points.
    domain : ndarray of int of shape (n,)
        The domain of each point, from 0.

    Examples
    --------
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
    """Covariates, outcomes and treatments of an observational study.

    Attributes
    ----------
    X : ndarray of shape (n, 1)
        Covariates.
    y : ndarray of shape (n,)
        The outcome that each row had.
    treated : ndarray of bool of shape (n,)
        Which rows were treated.

    Examples
    --------
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
    r"""Draw n controls and then m treated rows whose covariate tends to be larger.

    The larger x, the likelier is the treatment and the smaller is y. With an int seed a larger n, or m, only appends to
    its group.

    Parameters
    ----------
    effect : {"mean", "spread", "none"}
        What the treatment does: it adds 1 to y; it makes the deviation of u three times as large; or nothing.
    shift : float
        Difference of the mean covariates of treated and controls.
    n : int
        Number of controls, at least 1.
    m : int
        Number of treated rows, at least 1.
    hidden : float, default 0.0
        Difference of the means of the unmeasured u of treated and controls.
    rng : int, Generator or None, default None
        Seed of the draws.

    Returns
    -------
    Trial
        The covariates, the outcomes and who was treated.

    Raises
    ------
    ValueError
        If `effect` is another name, or n or m is below 1.

    Notes
    -----
    :math:`x \sim N(\pm \delta / 2, 1)` in treated and controls, δ the shift, so the odds of treatment are
    :math:`e^{\delta x} m / n`. The outcome is :math:`y = -x - u`, where :math:`u \sim N(\pm h / 2, 0.5^2)` with the
    hidden difference h is not measured.

    Examples
    --------
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
    """Return the distributions of y if everybody were treated, and if no one were.

    Parameters
    ----------
    effect : {"mean", "spread", "none"}
        What the treatment does, see `treated_groups`.
    shift : float
        Difference of the mean covariates of treated and controls.
    share : float
        Share of the population that is treated, from 0 to 1.
    hidden : float, default 0.0
        Difference of the means of the unmeasured u.

    Returns
    -------
    tuple of two GaussianMixture
        The distributions on R with and without treatment.

    Raises
    ------
    ValueError
        If `effect` is another name.

    Examples
    --------
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
    """Compute E[y | x] of the treated and of the controls.

    If nothing is `hidden`, these are E[y | x] with and without treatment.

    Parameters
    ----------
    effect : {"mean", "spread", "none"}
        What the treatment does, see `treated_groups`.
    x : array_like of shape (g,)
        Covariates.
    hidden : float, default 0.0
        Difference of the means of the unmeasured u of treated and controls.

    Returns
    -------
    ndarray of shape (2, g)
        The means of the treated in the first row, of the controls in the second.

    Raises
    ------
    ValueError
        If `effect` is another name.

    Examples
    --------
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
