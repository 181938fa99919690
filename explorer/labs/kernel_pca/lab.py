"""State of the Kernel PCA lab: a sample, a kernel, a component, and the estimators of the operator and its centre."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import cloud
from explorer.estimators import FKMSE, SKMSE
from explorer.parameters import Choice, Text, Whole
from explorer.types import Matrix, Points
from explorer.workbench import copied, derived, menu_models
from explorer.workbench.clouds import cloud_field, noise_field
from explorer.workbench.conditions import having
from explorer.workbench.fields import UserTable, picture_field, seed_field, size_field
from explorer.workbench.kernel_choice import KernelPairs
from explorer.workbench.kernels import bandwidth_field, has_bandwidth, kernel_field, kernel_is_free, refuse_beside_gram
from explorer.workbench.slider_stops import log_steps
from explorer.workbench.user_points import moved_points, number_pair, read

if TYPE_CHECKING:
    from explorer.datasets.toys.clouds import Cloud


KERNELS = ("RBF", "LAP", "LIN", "POLY2", "POLY3")
PICTURES = ("scores", "denoised", "errors", "ghosts", "discriminant", "clusters")
VARIANTS = ("KPCA", "S-centred", "F-centred", "S-COSE", "F-COSE")
BANDWIDTHS = log_steps(0.05, 5)
MOST_CLUSTERS = 4
TABLED = 200  # up to this many points, every bandwidth has a row in the tables
BARS = 9  # the largest number of components that are drawn
HELD_OUT = 0.3  # the share of a table's rows that are held out of every fit
PROBE = (0.45, 0.45)  # initial position of the test point, in half sides of the drawn square


def probe_of(text: str) -> tuple[float, float] | None:
    """Parse the first two coordinates of the test point in a link, or return None if the text is empty.

    Raises
    ------
    Refusal
        If the text is not a pair of numbers.
    """
    try:
        return number_pair(read(text, None)) if text else None
    except (OverflowError, TypeError, ValueError):
        raise Refusal("at must be like [0.5, -1], the first two coordinates of a point, not {!r}.", text[:60]) from None


def as_centre(each: menu_models.MenuModel) -> tuple[str, str]:
    """Return the label and the value of a user's estimator in the menu "shrink": it estimates the centre."""
    return f"the centre, {each.called}", f"{each.kind.__name__}-centred"


@menu_models.takes_models(kernels=("kernel", "second"), estimators={"variant": as_centre})
class KernelPCALab(KernelPairs, UserTable):
    """Kernel PCA of a toy sample or a table, plain or with a shrunk centre or a shrunk covariance operator.

    The bandwidth is in units of the sample's median distance. λ has one scale for all kernels: S-KMSE takes λ, F-KMSE
    takes
    λ times the mean squared norm of what it averages. None chooses it by leave-one-out.
    """

    slider = "bandwidth"
    default_stops: ClassVar[Sequence[float]] = BANDWIDTHS
    aside: ClassVar[tuple[str, ...]] = ("samples",)
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "moved": ("source", "noise", "seed", "hash", "columns", "missing", "standardise"),
        "at": ("source", "hash", "columns", "standardise"),
    }
    picture: str = picture_field(*PICTURES, errors="shrinkage", ghosts="bootstrap", discriminant="Fisher discriminant")
    source: str = cloud_field("rings")
    n: int = size_field(60, 2000, "points in the sample", least=3)
    noise: float = noise_field("noise of the toy sample, a standard deviation", when=having(toy=True))
    kernel: str = kernel_field(names=KERNELS, when=kernel_is_free)
    bandwidth: float = bandwidth_field(0.4, softbounds=(0.05, 5), when=has_bandwidth)
    component: int = Whole(
        1,
        bounds=(1, BARS),
        softbounds=(1, BARS),
        step=1,
        symbol="component",
        doc="the component that is drawn",
        label="component",
    )
    kept: int = Whole(
        4,
        bounds=(1, 50),
        softbounds=(1, 30),
        symbol="r",
        doc="how many components are kept",
        label="r components kept",
    )
    variant: str = Choice(
        default="KPCA",
        objects={
            "nothing (KPCA)": "KPCA",
            "the centre, S-KMSE": "S-centred",
            "the centre, F-KMSE": "F-centred",
            "the operator, S-COSE": "S-COSE",
            "the operator, F-COSE": "F-COSE",
        },
        doc="what is shrunk: nothing, centre or operator",
        label="shrink",
    )
    lam: float | None = copied(SKMSE, "lam", label="λ", when=having(shrinks=True))
    at: str = Text(default="", doc="the test point, a JSON list of its first two coordinates")
    moved: str = Text(default="", doc="points moved by hand, a JSON map from a row to its first two coordinates")
    samples: int = Whole(
        100, bounds=(10, 1000), softbounds=(10, 500), symbol="resamples", doc="bootstrap resamples", label="resamples"
    )
    seed: int = seed_field()
    clusters: int = Whole(
        3,
        bounds=(2, MOST_CLUSTERS),
        softbounds=(2, MOST_CLUSTERS),
        symbol="c",
        doc="how many clusters there are",
        label="c clusters",
    )
    between: str = Choice(
        default="apart",
        objects={"apart": "apart", "in a row": "row", "in a ring": "ring"},
        doc="arrangement of the clusters: the kernel of their labels",
        label="clusters lie",
    )

    def _check(self):
        moved_points(self.moved)
        probe_of(self.at)
        refuse_beside_gram(self)
        self.refuse_second_beside_gram()
        self.refuse_kernels()
        centre = self.own_centre
        if centre is not None and centre.of(self).noisy:
            raise Refusal("{} adds noise to its points, and a centre has none; take another one.", centre.called)
        if self.picture == "clusters" and self.n < self.clusters:
            raise Refusal("{} clusters need n of at least {}, not {}.", self.clusters, self.clusters, self.n)

    @derived
    def tabled(self) -> bool:
        """Return whether every bandwidth gets a row, once the page is idle."""
        return self.at_every_bandwidth and self.n <= TABLED

    @derived
    def kernel_of_labels(self) -> Matrix:
        """Return the similarity of clusters (c, c): the identity, or 2 and 1 for neighbours in a row or a ring."""
        c = self.clusters
        A = np.eye(c)
        if self.between == "apart":
            return A
        near = np.eye(c, k=1) + np.eye(c, k=-1)
        if self.between == "ring" and c > 2:
            near[0, -1] = near[-1, 0] = 1.0
        return 2 * A + near

    @property
    def shrinks(self) -> bool:
        """True if anything is shrunk, so that there is a λ."""
        return self.variant in VARIANTS[1:]

    @property
    def own_centre(self) -> menu_models.MenuModel | None:
        """The menu model of the user's estimator that estimates the centre, or None if there is none."""
        own = {as_centre(each)[1]: each for each in menu_models.estimators().values()}
        return own.get(self.variant)

    def the_cloud(self, n: int | None = None, seed: int | None = None) -> Cloud:
        """Return the Cloud of a toy sample. A larger n keeps the points of a smaller one."""
        return cloud(self.source, n or self.n, self.noise, self.seed if seed is None else seed)

    def estimators(self, scale: Callable[..., Any], variant: str | None = None) -> tuple[Any, Any]:
        """Return (centering, covariance), None for the plain average; the unit of F-KMSE's λ is `scale()`.

        For another variant than the lab's, λ is chosen by leave-one-out.
        """
        if variant is None and self.own_centre is not None:
            return self.own_centre.of(self), None
        lam = self.lam if variant is None else None
        variant = variant or self.variant
        if variant == "KPCA":
            return None, None
        if variant.startswith("F") and lam is not None:
            lam = lam * (scale() if math.isfinite(lam) else 1.0)
        estimator = (SKMSE if variant.startswith("S") else FKMSE)(lam=lam)
        return (estimator, None) if variant.endswith("centred") else (None, estimator)

    def probe(self, X: Points, centre: tuple[float, float], half: float) -> Matrix:
        """Return the test point (1, d) among points X (n, d). Coordinates from the third on are medians."""
        x, y = probe_of(self.at) or (centre[0] + PROBE[0] * half, centre[1] + PROBE[1] * half)
        return np.concatenate([[x, y][: X.shape[1]], np.median(X[:, 2:], axis=0)])[None]
