"""The kernels that a test over many kernels is given, or the Gaussian ones that it takes where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.elsewhere import explained
from explorer.kernels import Gaussian, Kernel
from explorer.stopping import go_on
from explorer.types import Points, PointsLike

from .mmd import two_samples
from .tiled import part_of

REACH = 1e6  # medians: the distances of far points, among which ten kernels would leave gaps of a factor 5 and more
SQUARED = 1e-140, 1e140  # distances between which squares keep their digits
POWER = 600  # of two: brings distances from 1e140 to the largest float, and from the smallest to 1e-140, between those


@explained
def bandwidth_collection(X: PointsLike, Y: PointsLike, count: int = 10) -> tuple[Gaussian, ...]:
    """Gaussian kernels with `count` bandwidths in equal ratios, from small to large distances of the pooled points.

    They lead from half the 5 % to twice the 95 % quantile of the pooled distances. Distances of equal points are left
    out, and those beyond 1e6 times the median of the others: of 40 points, one far point alone makes 5 % of all
    distances. Beyond 6000 points together the quantiles are those of 6000, with our warning. ValueError where all
    points are equal, or where a Gaussian takes no such bandwidths.

    >>> import numpy as np
    >>> from explorer import bandwidth_collection
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> [round(kernel.bandwidth, 2) for kernel in bandwidth_collection(X, Y, count=4)]
    [0.05, 0.24, 1.22, 6.17]
    """
    P = two_samples(X, Y, Gaussian(1.0), numbers_alone=True).P
    return gaussians(P, checks.whole(count, "count", 1))


def gaussians(P: Points, count: int = 10, name: str = "X and Y") -> tuple[Gaussian, ...]:
    """The collection for pooled points P (N, d), or for one side of pairs; `name` is what they are."""
    apart = distances(part_of(P, "the bandwidths were"))
    go_on()
    apart = apart[apart > 0]
    if not len(apart):
        raise Refusal(
            f"all points of {name} are equal, so there is no distance to take bandwidths from; no test sees a"
            " difference."
        )
    apart.sort()
    middle = apart[(len(apart) - 1) // 2]
    near = apart[: np.count_nonzero(apart / REACH <= middle)]
    low, high = np.quantile(near, [0.05, 0.95], overwrite_input=True)
    least, most = Gaussian.param.bandwidth.bounds
    if low / 2 < least or high > most / 2:
        raise Refusal(
            f"the distances of {name} lie about {middle:.3g}, and a Gaussian takes bandwidths from {least:g} to "
            f"{most:g}; rescale the points."
        )
    return tuple(Gaussian(float(theta)) for theta in np.geomspace(low / 2, 2 * high, count))


def distances(P: Points) -> Any:
    """|z_i - z_j| for i < j in the order of `pdist`, also where squares overflow or vanish; inf where it is no float.

    For those the points are multiplied by a power of two, which takes no digit.
    """
    apart = pdist(P)
    with np.errstate(over="ignore", under="ignore"):
        if (apart > SQUARED[1]).any():
            apart = np.where(apart > SQUARED[1], np.ldexp(pdist(np.ldexp(P, -POWER)), POWER), apart)
        if (apart < SQUARED[0]).any():
            # coordinates that are far away differ by more than that or not at all, wherever they are cut off
            larger = np.clip(np.ldexp(P, POWER), -SQUARED[1], SQUARED[1])
            apart = np.where(apart < SQUARED[0], np.ldexp(pdist(larger), -POWER), apart)
    return apart


def several(kernels: Kernel | Sequence[Kernel] | None) -> tuple[Kernel, ...] | None:
    """The kernels as a tuple, None as it is; a sentence where they are none."""
    if kernels is None:
        return None
    try:
        given = (kernels,) if isinstance(kernels, Kernel) else tuple(kernels)
    except TypeError:
        raise WrongType(
            f"kernels must be a list such as [Gaussian(1.0), Gaussian(2.0)], not {checks.shown(kernels)}."
        ) from None
    if not given:
        raise Refusal("kernels is empty; give at least one kernel, or None for ten Gaussian ones.")
    return given
