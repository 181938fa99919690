"""What the Marginalized lab's small pictures show, each computed for the one that is seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.checks import read_only_fields
from explorer.estimators.marginalized.noise import copies_path, kernel_slices
from explorer.estimators.marginalized.weights import misses, projected_weights

AT = np.linspace(-4.0, 4.0, 81)  # where the kernels are drawn, in units of θ
AT.flags.writeable = False
COPIES = 50  # noisy copies of the sample


@dataclass(frozen=True, eq=False)
class Slices:
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

    __post_init__ = read_only_fields


def slices(noisy, mkme, mmkme, row, lab):
    """The kernels of MKME, and of MMKME along its first two coordinates."""
    theta = noisy.kernel.bandwidth
    same, first = (kernel_slices(theta, each.deviations, AT) for each in (mkme, mmkme))
    second = kernel_slices(theta, mmkme.deviations, AT, 1).one if mmkme.deviations.shape[1] > 1 else None
    return Slices(AT, same.plain, same.one, same.both, first.one, second)


def projected(noisy, mkme, mmkme, row, lab):
    """MKME's weights, to which MKME itself does not reduce."""
    return projected_weights(noisy.sample.projection, mkme.deviations[:, 0])


def missed(noisy, mkme, mmkme, row, lab):
    """How far weights lie from MKME's estimate."""
    return misses(noisy.sample.projection, noisy.sample.pairs, mkme.deviations[:, 0])


def thrown(noisy, mkme, mmkme, row, lab):
    """COPIES noisy copies at MKME's σ, in units of the empirical mean's loss."""
    unit = (noisy.sample.estimated if noisy.empirical is None else noisy.empirical) or 1.0
    return copies_path(noisy.kernel, noisy.X, mkme.deviations[row], COPIES, lab.dice, unit)


SMALL = {"kernel": slices, "filter": projected, "approximation": missed, "dice": thrown}
