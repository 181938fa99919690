"""Result of the Kernel PCA lab: the component, the pre-image of a point, and the variation with the sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import cloud
from explorer.datasets.columns.quantity import coordinates
from explorer.kernels import Linear
from explorer.operators import CovarianceOperator
from explorer.types import Matrix, Points, Rows, Vector
from explorer.workbench import Result, deferred, effect, for_picture, measure, stage, stage_when
from explorer.workbench.clouds import Ground, box_of_cloud, square_of_cloud
from explorer.workbench.cost import coordinates as columns_of
from explorer.workbench.cost import costs
from explorer.workbench.kernels import has_bandwidth, middle_of
from explorer.workbench.samples import Sample, frame_of
from explorer.workbench.seeds import distant_seed, further_seed
from explorer.workbench.stages import Steps, one_by_one
from explorer.workbench.user_points import apply

from .components import Look, chance_split, fitted, padded, pre_images
from .groups import Clusters, Discriminant
from .lab import BARS, KernelPCALab
from .resampled import LONGEST, TESTED, bootstrap, held_out, split_rows

if TYPE_CHECKING:
    from explorer.datasets.columns.quantity import Quantity
    from explorer.datasets.toys.clouds import Cloud
    from explorer.kernels.base import Kernel

    from .resampled import Boot, Study


ALONG, ACROSS = 128, 40  # numbers of points along x and y at which a component is drawn
POLYNOMIAL = ("LIN", "POLY2", "POLY3")
# times of the fits, relative to KPCA
FITS = {"KPCA": 1.0, "S-centred": 1.1, "F-centred": 3.5, "S-COSE": 1.5, "F-COSE": 5.0}
COORDINATES = 30  # up to this many coordinates, all products of three are averaged
OUTLINE = 300  # points of the toy sample without noise that are drawn


# Seconds on the core on which the labs were timed.


def _held(lab):
    return 6 * lab.n**2 + 4 * ALONG * ACROSS * lab.n


def _look(lab):
    return FITS.get(lab.variant, FITS["F-centred"]) * _fit(lab.n) + 2.5e-3 + 2e-8 * lab.n * ALONG * ACROSS


def _fit(n):
    return 1e-3 + 4e-8 * n**2 + 1e-10 * n**3


def _often(lab):
    """Return the fraction of its time that a fit takes if it is one of many."""
    return 0.5 if lab.kernel in POLYNOMIAL else 0.75


def _back(lab):
    return 1e-3 + 1e-5 * lab.n


def _denoise(lab):
    """Return the seconds for the pre-images of all points. Those of a polynomial kernel are solved for."""
    if lab.kernel in POLYNOMIAL:
        return 1e-3 + 4.5e-8 * lab.n**2
    return 3e-3 + 3e-7 * lab.n**2 + 1e-8 * lab.n**2 * (2 if lab.toy else columns_of(lab)) ** 2


class KernelPCAResult(Result[KernelPCALab]):
    """Numbers of a state.

    The rows of tables are the slider's bandwidths. Until all of them are computed there is one row, for the current
    one.

    Attributes
    ----------
    look : Look
        Kernel PCA at the current bandwidth.
    back : ndarray of shape (d,)
        The pre-image of the test point.
    """

    slider_stages = ("look", "looks")
    look_at = Result.at_row

    @stage
    def cloud(self) -> Cloud | None:
        """Return the Cloud of a toy sample, or None for a table."""
        return self.lab.the_cloud() if self.lab.toy else None

    @stage
    def drawn(self) -> Sample:
        """Draw the sample: its points, and the quantities of their coordinates."""
        if self.cloud is not None:
            return Sample(self.cloud.X, coordinates(2))
        table = self.lab.the_table()
        return Sample(table.sample(self.lab.n, self.lab.seed), table.quantities)

    @stage
    def X(self) -> Points:
        """Return the sample (n, d) with the points that the user has moved at their new positions."""
        return apply(self.drawn.X, self.lab.moved)

    @stage
    def frame(self) -> tuple[float, float, float]:
        """Return the centre and half side of the drawn square, which does not depend on moved points."""
        return frame_of(*box_of_cloud(self.lab, self.drawn.X))

    @stage
    def ground(self) -> Ground:
        """Return the grid in the plane at which components are drawn."""
        return Ground.of(self.frame, self.X, ALONG, ACROSS)

    @stage
    def median(self) -> tuple[float, str]:
        """Return the median distance and a remark on it; (1, "") for a kernel without a bandwidth."""
        return middle_of(self.X, self.lab.kernel) if has_bandwidth(self) else (1.0, "")

    @stage
    def second_median(self) -> float:
        """Return the median distance for the bandwidth of the second kernel, or 1 without one."""
        return self.lab.second_median(self.X)

    @stage
    def kernel(self) -> Kernel:
        """Return the kernel; the unit of its bandwidth is the median distance."""
        return self.kernel_at(self.lab.bandwidth)

    @stage
    def probe(self) -> Matrix:
        """Return the test point, shape (1, d)."""
        cx, cy, half = square_of_cloud(self.lab, self.drawn.X)
        return self.lab.probe(self.X, (cx, cy), half)

    @deferred(lambda result: result.lab.tabled)
    @costs("every bandwidth", lambda lab: _often(lab) * len(lab.stops) * (_look(lab) + _back(lab)), _held, "n")
    def looks(self) -> Steps[tuple[Look, ...]]:
        """Return kernel PCA of the sample at every bandwidth of the slider."""
        return one_by_one(self._look, self.lab.stops)

    @deferred(lambda result: result.looks is not None)
    def backs(self) -> Steps[Matrix]:
        """Return the pre-images of the test point, shape (stops, d)."""
        backs = yield from one_by_one(self._back, self.looks or ())
        return np.array(backs)

    @stage
    @costs("the decomposition of the Gram matrix", lambda lab: _look(lab) + _back(lab), _held, "n")
    def look(self) -> Look:
        """Return kernel PCA of the sample at the current bandwidth."""
        return self.at_slider(self._look)

    @stage
    def back(self) -> Vector:
        """Return the point (d,) whose feature is nearest to the projection of the test point's feature.

        The projection is on the components that are kept.
        """
        return self._back(self.look)

    def _back(self, look):
        return pre_images(look.model, self.probe, self.lab.kept)[0]

    @for_picture("denoised")
    @costs("the pre-images", _denoise, lambda lab: 20 * lab.n**2, "n")
    def denoised(self) -> Matrix:
        """Return the pre-image of every point of the sample, (n, d), from the components kept."""
        return pre_images(self.look.model, self.X, self.lab.kept)

    @for_picture("denoised")
    def outline(self) -> Any:
        """Return the toy sample without noise, shape (OUTLINE, 2), or None for a table."""
        return cloud(self.lab.toy, OUTLINE, 0.0, 0).X if self.lab.toy else None

    @deferred(lambda result: result.lab.picture == "denoised")
    @costs("the pre-images by more components", lambda lab: 12 * _denoise(lab), _held, "n")
    def cleaning(self) -> Steps[Vector]:
        """Return `cleaned` with 1, 2, ... components, shape (R,), or the distance to the points over their variance."""
        model, _ = fitted(self.kernel, self.X, self.lab, LONGEST)
        Z = self.X if self.clean is None else self.clean
        before = self.X - (self.X.mean(axis=0) if self.clean is None else Z)
        after = []
        for kept in range(1, len(model.eigenvalues_) + 1):
            yield
            after.append(((pre_images(model, self.X, kept) - Z) ** 2).sum())
        return np.array(after) / (before**2).sum()

    @deferred(lambda result: result.lab.picture == "errors")
    @costs("the errors of held-out points", lambda lab: _often(lab) * 40 * sum(FITS.values()) * _fit(lab.n), _held, "n")
    def study(self) -> Steps[Study]:
        """Return the mean reconstruction errors of held-out points, at the kernel of this sample."""
        lab = self.lab
        if lab.toy:

            def draw(i):
                # the held-out points have seeds that no sample of the page is likely to have
                seed = further_seed(lab.seed, i)
                return lab.the_cloud(seed=seed).X, lab.the_cloud(TESTED, distant_seed(seed)).X

        else:
            table = lab.the_table()

            def draw(i):
                return split_rows(table.sample(table.n, distant_seed(lab.seed, i)), lab.n)

        return held_out(draw, self.kernel, lab)

    @deferred(lambda result: result.lab.picture == "ghosts")
    @costs(
        "the bootstrap resamples", lambda lab: _often(lab) * lab.samples * (_look(lab) + 1e-3), _held, "samples", "n"
    )
    def boot(self) -> Steps[Boot]:
        """Return the components of bootstrap resamples compared with the sample's, at the kernel of this sample."""
        return bootstrap(self.look.model, self.kernel, self.X, self.ground.places, self.lab)

    @deferred(lambda result: result.lab.picture == "discriminant" and result.tells_groups)
    @costs("the discriminant", lambda lab: _look(lab) - 5e-4, _held, "n")
    def discriminant(self) -> Discriminant:
        """Fit the Fisher discriminants of a toy sample's groups and test them on new points."""
        new = self.lab.the_cloud(TESTED, distant_seed(self.lab.seed))
        sample, component = (self.X, self.groups), min(self.lab.component, self.look.rank)
        return Discriminant.of(self.kernel, sample, (new.X, new.groups), self.look, component, self.ground.places)

    @deferred(lambda result: result.lab.picture == "clusters")
    @costs("the clusters", lambda lab: 5 * (5e-3 + 1e-4 * lab.n * lab.clusters + 2e-8 * lab.n**2), _held, "n")
    def clusters(self) -> Clusters:
        """Return the clusters that maximise HSIC with their labels."""
        return Clusters.of(self.kernel, self.X, self.lab.kernel_of_labels, self.lab.seed)

    @stage_when(lambda result: isinstance(result.kernel, Linear) and result.d <= COORDINATES)
    def third(self) -> tuple[float, float]:
        """Return |C_3|² of the covariance tensor of order 3, and the sum of squared third moments.

        Both are under the linear kernel.
        """
        Z = self.X - self.X.mean(axis=0)
        moments = np.einsum("ia,ib,ic->abc", Z, Z, Z, optimize=True) / len(Z)
        return CovarianceOperator(self.kernel, order=3).fit(self.X).norm() ** 2, float((moments**2).sum())

    def kernel_at(self, bandwidth: float) -> Kernel:
        """Return the kernel at a bandwidth in units of the median distance."""
        return self.lab.kernel_on(bandwidth, self.median[0], self.d, self.second_median)

    def _look(self, bandwidth):
        lab, kernel = self.lab, self.kernel_at(bandwidth)
        fit = fitted(kernel, self.X, lab, max(BARS, lab.kept))
        groups = self.groups if self.has_groups else None
        return Look.of(fit, self.X, self.ground.places, groups, lab.component, lab.kept)

    @stage
    def chance(self) -> float | None:
        """Return the accuracy that one threshold reaches by chance, or None without groups."""
        return chance_split(self.groups) if self.has_groups else None

    # Attributes for pages and tables.

    @property
    def answers(self) -> bool:
        """True if every bandwidth of the slider is computed."""
        return self.backs is not None

    @property
    def rows(self) -> list[tuple[Look, Vector]]:
        """Kernel PCA of the sample, and the test point's pre-image, for each row of the slider's tables."""
        looks, backs = self.looks, self.backs
        if looks is None or backs is None:
            return [(self.look, self.back)]
        return list(zip(looks, backs, strict=True))

    @property
    def kept(self) -> int:
        """The number of components kept: r, or as many as exist."""
        return min(self.lab.kept, self.look.rank)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return self.drawn.names

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the coordinates."""
        return self.drawn.quantities

    @property
    def coordinates(self) -> int:
        """The number of coordinates that the kernel compares."""
        return self.d

    @property
    def d(self) -> int:
        """The number of coordinates of a point."""
        return self.X.shape[1]

    @property
    def has_groups(self) -> bool:
        """True if the points have groups that a threshold could separate."""
        return self.cloud is not None and self.lab.source != "curve"

    @property
    def tells_groups(self) -> bool:
        """True if a discriminant can separate groups: there are at least two, and points share them."""
        return self.has_groups and 2 <= len(np.unique(self.groups)) < len(self.X)

    @property
    def groups(self) -> Rows:
        """The group of each point, shape (n,), all 0 without groups."""
        return np.zeros(len(self.X), dtype=int) if self.cloud is None else self.cloud.groups

    # Numbers by which states are compared, and the effects that presets claim.

    share: measure[float] = measure(
        "share of the variance, this component", compute=lambda r: float(r.look.shares[r.lab.component - 1])
    )
    kept_share: measure[float] = measure("share of the variance, components kept", of="look.kept")
    first_share: measure[float] = measure(
        "share of the variance, component 1", compute=lambda r: float(r.look.shares[0])
    )
    split: measure[float | None] = measure(
        "accuracy of one threshold at telling the groups",
        compute=lambda r: None if np.isnan(r.look.split) else r.look.split,
    )
    lam: measure[float | None] = measure("lambda", "λ", lambda r: None if np.isnan(r.look.lam) else r.look.lam)
    still: measure[float | None] = measure(
        "squared distance to the curve, beside that before",
        "squared distance to the noise-free points, relative to before",
        lambda r: r.cleaned,
    )

    effect_split: effect[float | None] = effect("the accuracy of one threshold", of="split")
    effect_first: effect[float] = effect("the share of component 1", of="first_share")
    effect_cleaned: effect[float | None] = effect(
        "the squared distance to the noise-free points, relative to before", of="cleaned"
    )
    effect_pca: effect[float | None] = effect("the largest difference from ordinary PCA", of="beside_pca")
    effect_same: effect[float | None] = effect(
        "the largest difference of S-COSE's error from KPCA's",
        of="study",
        compute=lambda study: float(np.abs(study.differences("S-COSE")).max()),
    )
    effect_gain: effect[float | None] = effect(
        "the gain of shrunk centring", compute=lambda r: r.study and r.study.gain("S-centred", r.lab.kept)
    )
    effect_told: effect[float | None] = effect(
        "the accuracy of Fisher's discriminant on new points", of="discriminant.fresh"
    )
    effect_identity: effect[float | None] = effect(
        "the difference of n² HSIC from what k-means explains",
        of="clusters",
        compute=lambda found: abs(found.hsic + found.within - found.scatter),
    )
    effect_swaps: effect[float | None] = effect(
        "the share of resamples in which components 2 and 3 swap",
        of="boot",
        compute=lambda boot: boot.swaps / boot.count,
    )

    @property
    def cleaned(self) -> float | None:
        """Mean squared distance of the sample's pre-images to the points without noise, over that of the sample."""
        clean = self.clean
        if self.denoised is None or clean is None:
            return None
        before, after = (((Z - clean) ** 2).sum(axis=1).mean() for Z in (self.X, self.denoised))
        return float(after / before)

    @property
    def clean(self) -> Points | None:
        """The points without noise, shape (n, d), or None if they are unknown."""
        return None if self.cloud is None or self.lab.moved or self.lab.noise == 0 else self.cloud.clean

    @property
    def beside_pca(self) -> float | None:
        """The largest difference of a share from that of ordinary PCA, or None for other kernels.

        Ordinary PCA is computed by singular values.
        """
        if not isinstance(self.kernel, Linear) or self.lab.variant not in ("KPCA", "S-COSE"):
            return None
        values = np.linalg.svd(self.X - self.X.mean(axis=0), compute_uv=False) ** 2
        shares = padded(values / values.sum(), BARS)
        return float(np.abs(shares - self.look.shares).max())

    # Numbers that the stories let the user guess.

    removed = property(
        lambda self: 1 - self.cleaned,
        doc="The share of the squared distance to the noise-free points that denoising removes.",
    )
    gain_by_scose = property(
        lambda self: self.study and self.study.gain("S-COSE", self.lab.kept),
        doc="The share of the error that S-COSE saves, or None.",
    )
    percent_gained = property(
        lambda self: self.study and 100 * self.study.gain("S-centred", self.lab.kept),
        doc="The percentage of the error that S-centred saves, or None.",
    )
    loss_by_fcose = property(
        lambda self: self.study and -self.study.gain("F-COSE", self.lab.kept),
        doc="The share of the error that F-COSE adds, or None.",
    )
    steady = property(
        lambda self: self.boot and self.boot.steady(self.lab.component) / self.boot.count,
        doc="The share of resamples in which the component keeps its place, or None.",
    )
