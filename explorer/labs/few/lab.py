"""State of the Few lab: a sample, a kernel, the choice of a few points and their number, and a cloud that flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from explorer.checks import Refusal
from explorer.datasets import cloud
from explorer.parameters import Choice, Real, Text, Whole
from explorer.types import Points
from explorer.workbench import derived
from explorer.workbench.clouds import cloud_field, noise_field
from explorer.workbench.conditions import having
from explorer.workbench.fields import UserTable, picture_field, samples_field, seed_field, size_field
from explorer.workbench.kernels import bandwidth_field, has_bandwidth, kernel_field
from explorer.workbench.user_points import moved_points

KERNELS = ("RBF", "LAP", "LIN", "POLY2", "distance")
METHODS = ("herding", "thinning", "k-means", "random")
COUNTS = [*range(1, 17), 18, 20, 22, 25, 28, 32, 36, 40, 45, 50, 57, 64]
STEPS = 300  # the number of steps of the flow


class FewLab(UserTable):
    """Some points of a sample whose kernel mean is close to that of all points, chosen in one of four ways.

    Thinning halves the sample, so that it can keep n, n/2, n/4 ... points. It keeps the largest of these numbers that
    is at most m. The bandwidth is in medians of the sample's distances, the noise of the flow in bandwidths.
    """

    slider = "m"
    default_stops: ClassVar[Sequence[int]] = COUNTS
    aside: ClassVar[tuple[str, ...]] = ("samples",)
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "moved": (
            "source", "n", "noise", "method", "kernel", "bandwidth", "seed", "hash", "columns", "missing",
            "standardise",
        ),
    }  # fmt: skip
    picture: str = picture_field("criticisms", "test", "flow", test="compressed test")
    source: str = cloud_field("moons")
    n: int = size_field(256, 2000, "points in the sample")
    noise: float = noise_field("standard deviation of the noise of the toy sample", when=having(toy=True))
    method: str = Choice(
        default="herding",
        objects={
            "herding": "herding",
            "kernel thinning": "thinning",
            "kernel k-means": "k-means",
            "random rows": "random",
        },
        doc="how the points are chosen",
        label="chosen by",
    )
    m: int = Whole(
        16, bounds=(1, 200), softbounds=(1, 64), symbol="m", doc="number of points chosen", label="m points chosen"
    )
    kernel: str = kernel_field(names=KERNELS)
    bandwidth: float = bandwidth_field(0.3, softbounds=(0.02, 5), when=has_bandwidth)
    moved: str = Text(
        default="", doc="chosen points moved by hand, a JSON map from a point's place in their order to its coordinates"
    )
    shift: float = Real(
        0.2,
        bounds=(0, 10),
        softbounds=(0, 1),
        step=0.05,
        symbol="shift",
        doc="how far the second sample of the test is shifted, in standard deviations of the first column",
        label="shift of the second sample",
    )
    samples: int = samples_field("number of more pairs of samples that are tested")
    steps: int = Whole(
        STEPS,
        bounds=(0, STEPS),
        softbounds=(0, STEPS),
        symbol="steps",
        doc="steps of the flow",
        label="steps of the flow",
    )
    spread: float = Real(
        0.0,
        bounds=(0, 20),
        softbounds=(0, 5),
        step=0.25,
        symbol="flow noise",
        unit="× θ",
        doc="noise of the flow at its start, in bandwidths; it falls to 0 with the steps",
        label="noise of the flow",
    )
    seed: int = seed_field(1, "seed of the sample, the random rows and the particles")

    def _check(self):
        moved_points(self.moved)
        if self.picture == "flow" and self.kernel != "RBF":
            raise Refusal("The flow follows the gradient of an RBF kernel; choose the RBF kernel or another picture.")

    @property
    def played(self) -> str:
        """The field that the play button moves. Each picture has its slider."""
        return {"test": "shift", "flow": "steps"}.get(self.picture, self.slider)

    @derived
    def most(self) -> int:
        """The largest number of points that has a row."""
        return max(self.stops)

    def count_at(self, m: int) -> int:
        """Return the number of points chosen for the setting m: at most n, and for thinning one that halving leaves."""
        count = min(m, self.n)
        return max(kept for kept in halves(self.n) if kept <= count) if self.method == "thinning" else count

    def cloud_of(self, n: int, seed: int) -> Points:
        """Draw points of the toy sample, shape (n, 2). A larger n keeps the points of a smaller one."""
        return cloud(self.source, n, self.noise, seed).X

    def fitting(self) -> dict[str, Any]:
        """Return the fields that fit the user's table: at most as many points as its rows, and at least two."""
        return {"n": max(2, super().fitting()["n"])}


def halves(n: int) -> list[int]:
    """Return the numbers of rows left after halving n rows 0, 1, 2, ... times. An odd number loses its last row."""
    return [n >> k for k in range(n.bit_length())]
