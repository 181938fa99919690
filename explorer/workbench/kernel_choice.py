"""Labs whose menu offers every kernel with its parameters, alone or two kernels combined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.kernels import ARDGaussian
from explorer.kernels.bandwidth_selection import rows_of
from explorer.kernels.named import NAMED
from explorer.languages import message
from explorer.parameters import Choice, LogNumber, Real
from explorer.types import Points

from . import menu_models
from .fields import UserTableReading
from .kernels import (
    ALONE,
    EACH_AXIS,
    kernel_at,
    kernel_called,
    kernel_field,
    middle_of,
    moves_with_bandwidth,
    names_of,
)
from .stages import derived

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


AXES = 3  # number of coordinates with a length scale of their own and a slider each
TOGETHER = ("combined", "second", "share", "second_bandwidth")


LENGTHS = message({1: "length of axis 1", 2: "length of axis 2", 3: "length of axis 3"})


def _length(j: int) -> Any:
    """Return the field of the length scale along one coordinate."""
    return LogNumber(
        default=1.0,
        bounds=(1e-6, 1e6),
        softbounds=(0.1, 100),
        symbol=f"length {j}",
        unit="× bandwidth",
        label=LENGTHS[j],
        doc=f"length scale along coordinate {j}, in bandwidths, of the Gaussian kernel that has one for each",
    )


def fields_of_kernel(name: str) -> tuple[str, ...]:
    """Return the fields of a lab that are parameters of a kernel.

    Parameters
    ----------
    name : str
        The kernel's name.

    Returns
    -------
    tuple of str
        The fields.
    """
    if name == EACH_AXIS:
        return tuple(f"length_{j + 1}" for j in range(AXES))
    return tuple(menu_models.kernels()[name].fields) if name in menu_models.kernels() else ()


class KernelChoice(UserTableReading):
    """A lab whose `kernel` may be any kernel of the menus.

    The unit of its bandwidth is the median distance. The lengths multiply the bandwidth of the kernel that has one
    length for each coordinate; coordinates beyond the third have length 1.

    Parameters
    ----------
    lenient, gram : bool, default False
        See `UserTableReading`.
    length_1, length_2, length_3 : float, default 1
        Length scales along the first coordinates, in bandwidths.
    """

    length_1: float = _length(1)
    length_2: float = _length(2)
    length_3: float = _length(3)

    def kernel_on(self, bandwidth: float, median: float, d: int, second: float = 1.0) -> Kernel:
        """Return the kernel at a bandwidth in units of a median distance.

        Parameters
        ----------
        bandwidth : float
            The bandwidth in medians.
        median : float
            The median distance.
        d : int
            Number of coordinates of the points.
        second : float, default 1
            Median distance of the second kernel, if there is one.

        Returns
        -------
        Kernel
            The kernel.
        """
        return self.one_kernel(self.kernel, bandwidth * median, d)

    def one_kernel(self, name: str, bandwidth: float, d: int) -> Kernel:
        """Return the kernel of a name at a bandwidth in units of the points.

        Parameters
        ----------
        name : str
            The kernel's name.
        bandwidth : float
            The bandwidth.
        d : int
            Number of coordinates of the points.

        Returns
        -------
        Kernel
            The kernel.
        """
        if name in NAMED:
            return kernel_at(name, bandwidth, 1.0)
        if name == EACH_AXIS:
            lengths = np.ones(max(d, 1))
            own = [self.length_1, self.length_2, self.length_3][:d]
            lengths[: len(own)] = own
            return ARDGaussian(bandwidth * lengths)
        made: Kernel = menu_models.kernels()[name].of(self)
        return made.with_bandwidth(bandwidth)

    @derived
    def at_every_bandwidth(self) -> bool:
        """True if the kernel has a bandwidth, and finite values at every bandwidth."""
        moving = [name for name in names_of(self) if moves_with_bandwidth(name)]
        return bool(moving) and all(kernel_called(name).bounded for name in moving)

    def refuse_kernels(self) -> None:
        """Raise a Refusal if the kernel does not accept its parameters."""
        for name in names_of(self):
            self.one_kernel(name, 1.0, 2)

    def moves(self, field: str, d: int) -> bool:
        """Return whether a field is a parameter of the current kernel, on points of d coordinates.

        Parameters
        ----------
        field : str
            Name of the field.
        d : int
            Number of coordinates of the points.

        Returns
        -------
        bool
            True if the field changes the kernel.
        """
        if field.startswith("length_"):
            return EACH_AXIS in names_of(self) and int(field.removeprefix("length_")) <= d
        return any(field in fields_of_kernel(name) for name in names_of(self))


class KernelPairs(KernelChoice):
    """A lab whose kernel may be the sum or the product of two: (1 - w) k + w l, or k l.

    Parameters
    ----------
    lenient, gram : bool, default False
        See `UserTableReading`.
    length_1, length_2, length_3 : float, default 1
        Length scales along the first coordinates, in bandwidths.
    combined : {"alone", "sum", "product"}, default "alone"
        Whether there is one kernel, or two combined.
    second : str, default "LIN"
        Name of the second kernel l.
    share : float, default 0.5
        Weight w of the second kernel in the sum.
    second_bandwidth : float, default 1
        Bandwidth of the second kernel, in units of the first one's.
    """

    combined: str = Choice(
        default=ALONE,
        objects={"one kernel": ALONE, "sum of two": "sum", "product of two": "product"},
        label="combine",
        doc="whether the kernel is one, or the sum or product of two",
    )
    second: str = kernel_field("the kernel that is added, or multiplied by", default="LIN", label="second kernel")
    share: float = Real(
        0.5,
        bounds=(0, 1),
        inclusive_bounds=(False, False),
        symbol="w",
        label="w weight of the second",
        doc="weight of the second kernel in the sum; that of the first is 1 - w",
    )
    second_bandwidth: float = LogNumber(
        1.0,
        bounds=(1e-6, 1e6),
        softbounds=(0.01, 100),
        symbol="second_bandwidth",
        unit="× bandwidth",
        label="second, × bandwidth",
        doc="bandwidth of the second kernel, in units of the first one's",
    )

    def kernel_on(self, bandwidth: float, median: float, d: int, second: float = 1.0) -> Kernel:
        """Return the kernel, or the combination of two, at a bandwidth in units of a median distance.

        Parameters
        ----------
        bandwidth : float
            The bandwidth in medians.
        median : float
            The median distance.
        d : int
            Number of coordinates of the points.
        second : float, default 1
            Median distance of the second kernel.

        Returns
        -------
        Kernel
            The kernel.
        """
        # called by its class: a stage reads through another self
        first = KernelChoice.kernel_on(self, bandwidth, median, d)
        if self.combined == ALONE:
            return first
        other = self.one_kernel(self.second, self.second_bandwidth * bandwidth * second, d)
        return first * other if self.combined == "product" else (1 - self.share) * first + self.share * other

    def second_median(self, points: Points) -> float:
        """Return the median distance that is the unit of the second kernel's bandwidth.

        Parameters
        ----------
        points : ndarray of shape (n, d)
            The points.

        Returns
        -------
        float
            The median; 1 if there is no second kernel.
        """
        return 1.0 if self.combined == ALONE else middle_of(points, self.second)[0]

    def refuse_second_beside_gram(self) -> None:
        """Raise a Refusal if a second kernel is set and the points are known only by a Gram matrix."""
        if self.known_by_gram and self.combined != ALONE:
            raise Refusal("The points are known by their Gram matrix alone; no second kernel goes with it.")


def kernel_of_all(lab: KernelPairs, points: Points) -> Kernel:
    """Return a lab's kernel at the median distances of points, estimated from a subset if there are many.

    The subset is the one that the library uses.
    """
    some, d = points[rows_of(len(points))], points.shape[1]
    median, second = (middle_of(some, lab.kernel)[0], lab.second_median(some)) if d else (1.0, 1.0)
    return lab.kernel_on(1.0, median, d, second)
