"""A distribution by its density, on a line or over the plane: a mixture, a fitted mixture, a density on a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal, echo
from explorer.embeddings import GaussianMixture
from explorer.marks import Axis, Columns, chart, curve

from . import places
from .axes import coordinates
from .drawings import Drawing
from .images import image
from .roles import checked_role

if TYPE_CHECKING:
    from explorer.embeddings.law import Law
    from explorer.learning import MixtureDensity
    from explorer.learning.maximum_entropy import MaximumEntropy


# if a distribution has no covariances, the range is that of the middle 99 % of DRAWS points with seed 0
DRAWS, TAIL = 4000, 0.005
DENSITY = Axis("density", name="density")


def of_distribution(
    law: Law, role: str = "truth", label: str = "", names: Sequence[str] | None = None, grid: int | None = None
) -> Drawing:
    """Draw the density of a distribution: a curve in one dimension, an image in two.

    Parameters
    ----------
    law : Law
        A distribution in one or two dimensions.
    role : str, default "truth"
        The role whose colour the curve has.
    label : str, default ""
        The label in the legend.
    names : sequence of str or None, default None
        Names of the coordinates.
    grid : int or None, default None
        The number of places along each coordinate.

    Returns
    -------
    drawing : Drawing
        The curve or the image.

    Raises
    ------
    Refusal
        If the distribution has more than two dimensions.
    """
    if law.d > 2:
        raise Refusal(f"plot draws densities in one or two dimensions, not in {law.d}; take a coordinate or two.")
    reaches = [_reach(law, j) for j in range(law.d)]
    if law.d == 1:
        low, high = reaches[0]
        x = places.along(low, high, law.means[:, 0] if isinstance(law, GaussianMixture) else np.zeros(0), grid)
        return _line(x, np.exp(law.logpdf(x[:, None])), role, label, names, "Density")
    reaches, frame = places.frame(reaches)
    x, y, pairs = places.plane(reaches, grid)
    return _plane(x, y, np.exp(law.logpdf(pairs)).reshape(len(y), len(x)), label, names, "Density", frame)


def of_mixture_density(
    fitted: MixtureDensity,
    history: bool = False,
    role: str = "truth",
    label: str = "",
    names: Sequence[str] | None = None,
    grid: int | None = None,
) -> Drawing:
    """Draw the density of a fitted MixtureDensity, or its objective |μ̂ - μ_Q|² at every step of the fit.

    `history` draws the objective. The other parameters are those of `of_distribution`.
    """
    _refuse_unfitted(fitted, "mixture_")
    if not history:
        return of_distribution(fitted.mixture_, role, label, names, grid)
    values = fitted.history_
    y = Axis("|μ̂ − μ_Q|²", name="objective", log=bool(values.min() > 0))
    path = curve(Columns(x=np.arange(len(values)), y=values), checked_role(role), label=label, hover={})
    title = f"|μ̂ − μ_Q|² = {fitted.objective_:.3g} after {len(values) - 1} steps"
    return Drawing(chart(title, Axis("step of the fit", name="step"), y, [path]))


def of_maximum_entropy(
    fitted: MaximumEntropy, role: str = "truth", label: str = "", names: Sequence[str] | None = None
) -> Drawing:
    """Draw the density of a fitted MaximumEntropy at the centres of its grid's cells."""
    _refuse_unfitted(fitted, "density_")
    grid, density = fitted.grid_, fitted.density_
    title = f"Density of entropy {fitted.entropy_:.3g} within ε = {fitted.eps:.3g}"
    if grid.shape[1] == 1:
        order = np.argsort(grid[:, 0])
        return _line(grid[order, 0], density[order], role, label, names, title)
    x, y = np.unique(grid[:, 0]), np.unique(grid[:, 1])
    table = np.empty((len(y), len(x)))
    table[np.searchsorted(y, grid[:, 1]), np.searchsorted(x, grid[:, 0])] = density
    return _plane(x, y, table, label, names, title, places.frame([(x[0], x[-1]), (y[0], y[-1])])[1])


def _reach(law, j):
    """Return the range of one coordinate in the picture of a distribution."""
    if isinstance(law, GaussianMixture):
        return places.reach(law.means[:, j], np.sqrt(law.covariances[:, j, j]))
    return tuple(np.quantile(law.sample(DRAWS, rng=0)[:, j], [TAIL, 1 - TAIL]).tolist())


def _refuse_unfitted(fitted, name):
    if not hasattr(fitted, name):
        raise Refusal(f"{echo(fitted)} has seen no data yet; take fit(X) first.")


def _line(x, heights, role, label, names, title):
    (across,) = coordinates(names, 1)
    path = curve(Columns(x=x, y=heights), checked_role(role), label=label, hover={})
    return Drawing(chart(title, across, DENSITY, [path]))


def _plane(x, y, table, label, names, title, frame):
    across, up = coordinates(names, 2)
    return Drawing(chart(title, across, up, [image(x, y, table, DENSITY, label)], **frame))
