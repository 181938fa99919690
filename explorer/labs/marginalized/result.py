"""Result of the Marginalized lab: both estimators over σ, and the effect of the noise on kernel and weights."""

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
from explorer.kernels.noisy.gaussian import CACHED
from explorer.types import Vector
from explorer.workbench import deferred, effect, for_picture, measure, stage, stage_when
from explorer.workbench.cost import coordinates, costs
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


AT = np.linspace(-4.0, 4.0, 81)  # the distances at which the kernels are drawn, in units of θ
AT.flags.writeable = False
COPIES = 50  # the number of noisy copies of the sample


class Slices(NamedTuple):
    """Kernels of two points that are `at` times θ apart along one coordinate, for every row of σ.

    Attributes
    ----------
    at : ndarray of shape (p,)
        The distances, in units of θ.
    plain : ndarray of shape (p,)
        The kernel k.
    one, both : ndarray of shape (m + 1, p)
        Its expectation with MKME's noise on one point, and on both.
    first, second : ndarray of shape (m + 1, p)
        Its expectation with MMKME's noise on one point, along the first and along the second coordinate. `second` is
        None for points of a single coordinate.
    """

    at: np.ndarray
    plain: np.ndarray
    one: np.ndarray
    both: np.ndarray
    first: np.ndarray
    second: np.ndarray | None


class Third(NamedTuple):
    """A third estimate, with noise of another shape or distribution.

    Attributes
    ----------
    path : Along
        The estimate over σ. If the noise is known, nothing is fitted, and the last row has the known amount.
    shapes : ndarray of shape (d, d) or (n, d, d), or None
        The covariance at σ = 1, of all points or of each point; None if the noise is not Gaussian.
    axes : tuple of float or None
        (long, across, tilt) of the single ellipse of all points, in the first two coordinates; None otherwise.
    """

    path: Along
    shapes: np.ndarray | None
    axes: tuple[float, float, float] | None


# Seconds on the core on which the labs were timed, and numbers held.

FAR, LOOKS = 0.1, 150  # below the bandwidth FAR pairs are checked one by one, about LOOKS times


def _along(lab):
    n, d = lab.n, coordinates(lab)
    seconds = 5.5e-3 + 6e-5 * d + 2.2e-7 * n**2 + 8.5e-9 * n**2 * d + 1e-8 * n * d**2
    if n**2 / 2 * d > CACHED and lab.bandwidth is not None and lab.bandwidth < FAR:
        seconds += LOOKS * 2.9e-9 * n**2 / 2 * d
    return seconds + (3e-3 + 2.5e-6 * d**2 if lab.source == "student" else 0.0)


def _repeated(lab):
    """Return the seconds of more samples, or 0 for a table, which has none."""
    return lab.samples * _along(lab) if lab.toy else 0.0


def _mixed(lab):
    """Return the seconds to decompose the mixture of many Gaussians, which happens once."""
    return 2.6e-5 * coordinates(lab) ** 2 if lab.source == "student" else 0.0


def _third(lab):
    size = 1 + coordinates(lab) / 4
    if lab.third == "local":
        return 5e-3 + 3e-6 * lab.n**3 * size
    return 5e-3 + (6e-5 if lab.third in NOISES else 5e-6) * lab.n**2 * size


def _copies(lab):
    return COPIES**2 / 2 * lab.n**2 * (4e-9 + 1e-10 * coordinates(lab))


def _copies_held(lab):
    return 4.2 * COPIES * lab.n**2 + 2 * COPIES * lab.n * coordinates(lab)


def _held(lab):
    return 2.2 * lab.n**2 + lab.n * coordinates(lab) ** 2


class MarginalizedResult(GaussianInMedians[MarginalizedLab], LossResult[MarginalizedLab]):
    """The numbers of a state. The rows of tables over σ are the slider's σ, then the leave-one-out choice.

    Losses and scores of `mkme` and `mmkme` are relative to the empirical mean's. σ is in units of `unit`, a standard
    deviation of the data.
    """

    @stage
    def unit(self) -> float:
        """The unit of σ: the root mean variance of the distribution's coordinates, or of the sample's without one."""
        return (math.sqrt(self.X.var(axis=0).mean()) if self.law is None else width_of(self.law)) or 1.0

    @stage
    def noisy(self) -> NoisySample:
        """The sample whose points may carry noise, with the numbers that every σ needs."""
        noisy = NoisySample(self.kernel, self.X, self.law)
        # Compute both now: the cache measures the size of an entry when it is stored.
        _ = noisy.variances, noisy.empirical
        return noisy

    @stage
    @costs("the noise along σ", lambda lab: 2e-3 + _along(lab) + _mixed(lab), _held, "n", "d")
    def mkme(self) -> Along:
        """MKME over σ."""
        return self.noisy.mkme(self.lab.stops, self.unit)

    @stage
    def mmkme(self) -> Along:
        """MMKME over σ."""
        return self.noisy.mmkme(self.lab.stops, self.unit, self.lab.shape_of(self.X.shape[1]))

    @stage_when(lambda result: result.lab.third != "none")
    @costs("the third estimate", _third, lambda lab: _held(lab) + 2 * lab.n**2 * coordinates(lab) ** 2, "n", "d")
    def third(self) -> Third:
        """The third estimate, or None if none is chosen."""
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
        """MKME's exact risk at each row, relative to KME's, under this kernel; None if the truth is unknown."""
        return self.noisy.risk(self.mkme.sigmas * self.unit)

    @deferred(lambda result: result.lab.samples > 0 and result.law is not None)
    @costs("the repetitions", _repeated, _held, "samples", "n", "d")
    def replicates(self) -> Steps[Replicates]:
        """The results of more samples, drawn with the seeds that follow."""
        lab = self.lab
        seed, extra_stop = lab.seed, lab.extra_stop

        def one(i):
            return self.elsewhere(sigma=extra_stop, seed=further_seed(seed, i))

        return repeat(one, lab.samples, names=("mkme", "mmkme"))

    # Numbers of the secondary pictures, each computed only if its picture is visible.

    @for_picture("kernel")
    def slices(self) -> Slices:
        """The kernels of the kernel picture; None if it is hidden."""
        theta, d = self.lab.bandwidth * self.median[0], self.X.shape[1]
        mkme, first = (kernel_slices(theta, path.deviations, AT) for path in (self.mkme, self.mmkme))
        second = kernel_slices(theta, self.mmkme.deviations, AT, 1).one if d > 1 else None
        return Slices(AT, mkme.plain, mkme.one, mkme.both, first.one, second)

    @stage_when(lambda result: result.lab.projects)
    @costs(
        "the weights on the points",
        lambda lab: 2e-7 * lab.n**2 + 1.5e-10 * lab.n**3,
        lambda lab: _held(lab) + 5.5 * lab.n**2,
        "n",
    )
    def projection(self) -> Projection:
        """The projection on the span of the k(x_i, .); None if no picture needs it."""
        return Projection(self.kernel, self.X)

    @for_picture("filter")
    def projected(self) -> ProjectedWeights:
        """MKME's projected weights. They differ from MKME itself. None if they are not shown."""
        return projected_weights(self.projection, self.mkme.deviations[:, 0])

    @for_picture("approximation")
    def missed(self) -> Misses:
        """Distances of several kinds of weights to MKME's estimate; None if they are not shown."""
        return misses(self.projection, self.noisy.pairs, self.mkme.deviations[:, 0])

    @for_picture("dice")
    @costs("the noisy copies", _copies, lambda lab: _held(lab) + _copies_held(lab), "n", "d")
    def thrown(self) -> CopiesPath:
        """COPIES noisy copies at MKME's σ, in units of KME's loss; None if they are not shown."""
        unit = (self.noisy.estimated_loss if self.law is None else self.empirical_loss) or 1.0
        return copies_path(self.kernel, self.X, self.mkme.deviations[self.row], COPIES, self.lab.dice, unit)

    @property
    def empirical_loss(self) -> float | None:
        """The loss |μ̂ - μ|², or None if the true distribution is unknown."""
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
        "the best expected gain", of="risk", compute=lambda risk: float(1 - risk.min())
    )

    @effect("what printed weights miss beside the plain average")
    def printed_miss(self) -> float | None:
        """The printed weights' distance to MKME over that of KME; None if KME equals MKME."""
        if self.missed is None or self.missed.kme[self.row] == 0:
            return None
        return float(self.missed.printed[self.row] / self.missed.kme[self.row])

    copies_add: effect[float | None] = effect(
        "what fifty copies add", of="thrown", compute=lambda thrown: float(thrown.expected[-1])
    )

    # Numbers that the stories let the user guess.

    mkme_gain = property(lambda self: self.gain(self.mkme), doc="The share of the loss that MKME saves.")
    mkme_harm = property(lambda self: -self.gain(self.mkme), doc="The share of the loss that MKME adds.")
    mmkme_gain = property(lambda self: self.gain(self.mmkme), doc="The share of the loss that MMKME saves.")
    third_gain = property(
        lambda self: self.gain(self.third.path), doc="The share of the loss that the third estimate saves."
    )
    noisiest = property(
        lambda self: int(self.mmkme.deviations[self.row].argmax()), doc="The coordinate with MMKME's largest noise."
    )
    copies_left = property(
        lambda self: self.thrown.path[-1],
        doc="The squared distance from the average of all noisy copies to MKME, over the loss of KME.",
    )
    kernel_peak = property(lambda self: self.slices.one[self.row].max(), doc="The peak of MKME's kernel.")
    projected_sum = property(lambda self: self.projected.sums[self.row], doc="The sum of the weights nearest to MKME.")
    corrected_miss = property(
        lambda self: self.missed.corrected[self.row] / self.missed.projection[self.row],
        doc="The corrected weights' distance to MKME over that of the nearest weights.",
    )


def _axes(C, asked):
    """Return the ellipse's axes: the fields that are set, and those of the covariance C for the others."""
    long, across, tilt = (own if each is None else each for each, own in zip(asked, axes_of(C[:2, :2]), strict=True))
    return long, across, tilt
