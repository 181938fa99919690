"""Labs whose menus of kernels offer all that there are, with the parameters of each, alone or two of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.kernels import ARDGaussian
from explorer.kernels.bandwidth_selection import rows_of
from explorer.kernels.named import NAMED
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


AXES = 3  # coordinates that have a length of their own: a slider each
TOGETHER = ("combined", "second", "share", "second_bandwidth")


def _length(j: int) -> Any:
    return LogNumber(
        default=1.0,
        bounds=(1e-6, 1e6),
        softbounds=(0.1, 100),
        symbol=f"length {j}",
        unit="× bandwidth",
        label=f"length of axis {j}",
        doc=f"length scale along coordinate {j}, in bandwidths, of the Gaussian kernel that has one for each",
    )


def fields_of_kernel(name: str) -> tuple[str, ...]:
    """The fields of a lab that are parameters of the kernel of that name."""
    if name == EACH_AXIS:
        return tuple(f"length_{j + 1}" for j in range(AXES))
    return tuple(menu_models.kernels()[name].fields) if name in menu_models.kernels() else ()


class KernelChoice(UserTableReading):
    """A lab whose `kernel` may be any that menus offer.

    Its bandwidth counts in medians, also in each of the `lengths` of the kernel that has one for each coordinate:
    coordinates beyond the third have the bandwidth itself.
    """

    length_1: float = _length(1)
    length_2: float = _length(2)
    length_3: float = _length(3)

    def kernel_on(self, bandwidth: float, median: float, d: int, second: float = 1.0) -> Kernel:
        """The kernel at a bandwidth that counts in a median distance, on points of d coordinates.

        `second` is the median distance of the second kernel's, where there is one.
        """
        return self.one_kernel(self.kernel, bandwidth * median, d)

    def one_kernel(self, name: str, bandwidth: float, d: int) -> Kernel:
        """The kernel of that name, at a bandwidth in units of points of d coordinates."""
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
        """Whether the kernel has a bandwidth to move, and values that are numbers at all of them."""
        moving = [name for name in names_of(self) if moves_with_bandwidth(name)]
        return bool(moving) and all(kernel_called(name).bounded for name in moving)

    def refuse_kernels(self) -> None:
        """A Refusal where the kernel does not take its parameters."""
        for name in names_of(self):
            self.one_kernel(name, 1.0, 2)

    def moves(self, field: str, d: int) -> bool:
        """Whether a field is a parameter of the kernel as it is, on points of d coordinates."""
        if field.startswith("length_"):
            return EACH_AXIS in names_of(self) and int(field.removeprefix("length_")) <= d
        return any(field in fields_of_kernel(name) for name in names_of(self))


class KernelPairs(KernelChoice):
    """A lab whose kernel may be the sum or the product of two: (1 - w) k + w l, or k l."""

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
        """The kernel, or what two of them give together."""
        first = KernelChoice.kernel_on(self, bandwidth, median, d)  # a stage reads through another self
        if self.combined == ALONE:
            return first
        other = self.one_kernel(self.second, self.second_bandwidth * bandwidth * second, d)
        return first * other if self.combined == "product" else (1 - self.share) * first + self.share * other

    def second_median(self, points: Points) -> float:
        """The median distance that the second kernel's bandwidth counts in; 1 where there is no second one."""
        return 1.0 if self.combined == ALONE else middle_of(points, self.second)[0]

    def refuse_second_beside_gram(self) -> None:
        """A Refusal where the points are known by a Gram matrix, and a second kernel is asked for."""
        if self.known_by_gram and self.combined != ALONE:
            raise Refusal("The points are known by their Gram matrix alone; no second kernel goes with it.")


def kernel_of_all(lab: KernelPairs, points: Points) -> Kernel:
    """A lab's kernel at the median distances of points (N, d): where they are many, of some, as the library's."""
    some, d = points[rows_of(len(points))], points.shape[1]
    median, second = (middle_of(some, lab.kernel)[0], lab.second_median(some)) if d else (1.0, 1.0)
    return lab.kernel_on(1.0, median, d, second)
