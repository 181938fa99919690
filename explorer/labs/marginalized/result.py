"""What a state of the Marginalized lab shows: both estimators over σ, and what the noise does to kernel and weights."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.estimators.marginalized.along import NoisySample
from explorer.estimators.marginalized.noise import copies_path, kernel_slices
from explorer.estimators.marginalized.noises import NOISES, other_noise
from explorer.estimators.marginalized.shapes import (
    axes_of,
    like_the_data,
    local_shapes,
    marginalized_along,
    marginalized_refits,
    shaped,
    with_axes,
)
from explorer.estimators.marginalized.weights import Projection, misses, projected_weights
from explorer.types import Vector
from explorer.workbench import deferred, effect, for_picture, measure, stage, stage_when
from explorer.workbench.replicates import repeat
from explorer.workbench.samples import GaussianInMedians, LossResult, width_of
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps

from .lab import MarginalizedLab

if TYPE_CHECKING:
    from explorer.estimators.marginalized.along import Along
    from explorer.estimators.marginalized.noise import CopiesPath
    from explorer.estimators.marginalized.weights import Misses, ProjectedWeights
    from explorer.workbench.replicates import Replicates


AT = np.linspace(-4.0, 4.0, 81)  # where the kernels are drawn, in units of θ
AT.flags.writeable = False
COPIES = 50  # noisy copies of the sample


class Slices(NamedTuple):
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


class Third(NamedTuple):
    """A third estimate, with noise of another shape or distribution.

    path    its Along; of noise that is known its last row has the given amount, and nothing is fitted
    shapes  the covariance at σ = 1: (d, d), or (n, d, d) with one for each point; None for noise that is no Gaussian's
    axes    (long, across, tilt) of the one ellipse of all points in the first two coordinates; None for others
    """

    path: Along
    shapes: np.ndarray | None
    axes: tuple[float, float, float] | None


class MarginalizedResult(GaussianInMedians[MarginalizedLab], LossResult[MarginalizedLab]):
    """The numbers of a state. Rows of σ-tables: the slider's σ, then the leave-one-out choice.

    Losses and scores of `mkme` and `mmkme` are relative to the empirical mean's; σ counts in `unit`, a standard
    deviation of the data.
    """

    @stage
    def unit(self) -> float:
        """What σ counts in: the root of the mean variance of the distribution's coordinates, else of the sample's."""
        return (math.sqrt(self.X.var(axis=0).mean()) if self.law is None else width_of(self.law)) or 1.0

    @stage
    def noisy(self) -> NoisySample:
        """The sample as one whose points may carry noise, with what every σ needs of it."""
        noisy = NoisySample(self.kernel, self.X, self.law)
        _ = noisy.variances, noisy.empirical  # made now: a cache counts what is there when it is kept
        return noisy

    @stage
    def mkme(self) -> Along:
        """MKME over σ, as an Along."""
        return self.noisy.mkme(self.lab.stops, self.unit)

    @stage
    def mmkme(self) -> Along:
        """MMKME over σ, as an Along."""
        return self.noisy.mmkme(self.lab.stops, self.unit, self.lab.shape_of(self.X.shape[1]))

    @stage_when(lambda result: result.lab.third != "none")
    def third(self) -> Third:
        """The Third estimate; None where there is none."""
        lab, noisy, X, chosen, score = self.lab, self.noisy, self.X, None, None
        d = X.shape[1]
        if lab.third in NOISES:
            path = marginalized_along(noisy, lab.stops, self.unit, other_noise(noisy, lab.third), np.ones(d))
            return Third(path, None, None)
        if lab.third == "local":
            shapes = local_shapes(X, lab.neighbours)
            score = marginalized_refits(noisy, partial(local_shapes, neighbours=lab.neighbours))
        elif lab.third == "known":
            variance = float(np.trace(lab.error)) / d
            shapes, chosen = lab.error / variance, math.sqrt(variance)
        else:
            shapes = with_axes(like_the_data(X), (lab.long, lab.across, lab.tilt))
        deviations = np.sqrt(np.diagonal(shapes, axis1=-2, axis2=-1).reshape(-1, d).mean(axis=0))
        path = marginalized_along(noisy, lab.stops, self.unit, shaped(noisy, shapes), deviations, chosen, score)
        axes = None
        if lab.third == "full" and d > 1:
            own = axes_of(shapes[:2, :2])
            asked = (lab.long, lab.across, lab.tilt)
            axes = own if asked == (None,) * 3 else _axes(like_the_data(X), asked)
        return Third(path, shapes, axes)

    @stage
    def risk(self) -> Vector | None:
        """MKME's exact risk at each row, relative to KME's, at this kernel; None where no truth is known."""
        return self.noisy.risk(self.mkme.sigmas * self.unit)

    @deferred(lambda result: result.lab.samples > 0 and result.law is not None)
    def replicates(self) -> Steps[Replicates]:
        """The Replicates of more samples, of the seeds that follow."""
        lab = self.lab
        seed, extra_stop = lab.seed, lab.extra_stop

        def one(i):
            return self.elsewhere(sigma=extra_stop, seed=further_seed(seed, i))

        return repeat(one, lab.samples, names=("mkme", "mmkme"))

    # what the small pictures show, each made where it is the one that is seen

    @for_picture("kernel")
    def slices(self) -> Slices:
        """The Slices; None where they are not shown."""
        theta, d = self.lab.bandwidth * self.median[0], self.X.shape[1]
        mkme, first = (kernel_slices(theta, path.deviations, AT) for path in (self.mkme, self.mmkme))
        second = kernel_slices(theta, self.mmkme.deviations, AT, 1).one if d > 1 else None
        return Slices(AT, mkme.plain, mkme.one, mkme.both, first.one, second)

    @stage_when(lambda result: result.lab.projects)
    def projection(self) -> Projection:
        """The Projection on the span of the k(x_i, .); None where no picture needs it."""
        return Projection(self.kernel, self.X)

    @for_picture("filter")
    def projected(self) -> ProjectedWeights:
        """MKME's ProjectedWeights, to which MKME itself does not reduce; None where they are not shown."""
        return projected_weights(self.projection, self.mkme.deviations[:, 0])

    @for_picture("approximation")
    def missed(self) -> Misses:
        """How far weights lie from MKME's estimate, as Misses; None where that is not shown."""
        return misses(self.projection, self.noisy.pairs, self.mkme.deviations[:, 0])

    @for_picture("dice")
    def thrown(self) -> CopiesPath:
        """COPIES noisy copies at MKME's σ, a CopiesPath in units of KME's loss; None where they are not shown."""
        unit = (self.noisy.estimated_loss if self.law is None else self.empirical_loss) or 1.0
        return copies_path(self.kernel, self.X, self.mkme.deviations[self.row], COPIES, self.lab.dice, unit)

    @property
    def empirical_loss(self) -> float | None:
        """|μ̂ - μ|², or None where no true distribution is known."""
        return self.noisy.empirical

    mkme_loss: measure[float | None] = measure(
        "loss relative to loss of KME, MKME", "loss / loss of KME, MKME", lambda r: r.known(r.mkme)
    )
    mmkme_loss: measure[float | None] = measure(
        "loss relative to loss of KME, MMKME", "loss / loss of KME, MMKME", lambda r: r.known(r.mmkme)
    )
    mkme_estimate: measure[float | None] = measure(
        "estimated loss relative to loss of KME, MKME",
        "estimated loss / loss of KME, MKME",
        lambda r: r.estimated(r.mkme),
    )
    mmkme_estimate: measure[float | None] = measure(
        "estimated loss relative to loss of KME, MMKME",
        "estimated loss / loss of KME, MMKME",
        lambda r: r.estimated(r.mmkme),
    )
    mkme_chosen: measure[float] = measure(
        "sigma by leave-one-out, MKME, data sd", "σ by leave-one-out, MKME, data sd", lambda r: r.mkme.chosen
    )
    mmkme_chosen: measure[float] = measure(
        "sigma by leave-one-out, MMKME, data sd", "σ by leave-one-out, MMKME, data sd", lambda r: r.mmkme.chosen
    )

    third_loss: measure[float | None] = measure(
        "loss relative to loss of KME, third estimate",
        "loss / loss of KME, third estimate",
        lambda r: r.third and r.known(r.third.path),
    )
    third_estimate: measure[float | None] = measure(
        "estimated loss relative to loss of KME, third estimate",
        "estimated loss / loss of KME, third estimate",
        lambda r: r.third and r.estimated(r.third.path),
    )
    expected: measure[float | None] = measure(
        "expected loss relative to that of KME, MKME",
        "expected loss / that of KME, MKME",
        lambda r: None if r.risk is None else float(r.risk[r.row]),
    )

    lesser_gain: effect[float] = effect("the lesser gain", compute=lambda r: min(r.gain(r.mkme), r.gain(r.mmkme)))
    beyond: effect[float] = effect("MMKME's gain beyond MKME's", compute=lambda r: r.gain(r.mmkme) - r.gain(r.mkme))

    third_beyond: effect[float | None] = effect(
        "the third estimate's gain beyond MMKME's",
        compute=lambda r: r.third and r.gain(r.third.path) - r.gain(r.mmkme),
    )
    third_apart: effect[float | None] = effect(
        "how far the third estimate's gain is from MKME's",
        compute=lambda r: r.third and abs(r.gain(r.third.path) - r.gain(r.mkme)),
    )

    expected_gain: effect[float | None] = effect(
        "MKME's expected gain", compute=lambda r: None if r.risk is None else 1 - r.expected
    )
    best_gain: effect[float | None] = effect(
        "the best expected gain", compute=lambda r: None if r.risk is None else float(1 - r.risk.min())
    )

    @effect("what printed weights miss beside the plain average")
    def printed_miss(self) -> float | None:
        """The printed weights' distance to MKME over that of KME; None where KME misses nothing."""
        if self.missed is None or self.missed.kme[self.row] == 0:
            return None
        return float(self.missed.printed[self.row] / self.missed.kme[self.row])

    copies_add: effect[float | None] = effect(
        "what fifty copies add", compute=lambda r: None if r.thrown is None else float(r.thrown.expected[-1])
    )


def _axes(C, asked):
    """The ellipse's axes: those that are asked for, and its own of a covariance C where None is."""
    long, across, tilt = (own if each is None else each for each, own in zip(asked, axes_of(C[:2, :2]), strict=True))
    return long, across, tilt
