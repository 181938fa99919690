"""Result of the Fit lab: the model over the sample, the Stein witness, and the tests of the fit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.discrepancy import fssd_test, ksd_test, ksdagg_test
from explorer.discrepancy.fit import SteinWitness, stein_witness
from explorer.embeddings import GaussianMixture, StudentT
from explorer.kernels import Gaussian, median_and_remark
from explorer.learning import MixtureDensity
from explorer.types import Matrix, Points, Vector
from explorer.workbench import deferred, effect, measure, stage, stage_when
from explorer.workbench.cost import costs
from explorer.workbench.plane_lab import PlaneResult, axes_of, plane_of
from explorer.workbench.samples import Gaussians, Sample, frame_of, most_of, refuse_constant
from explorer.workbench.seeds import distant_seed
from explorer.workbench.stages import Steps, one_by_one
from explorer.workbench.user_points import apply

from .lab import KERNELS, FitLab

if TYPE_CHECKING:
    from explorer.discrepancy.resampling.aggregation import AggregatedResult
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.kernels.base import Kernel


FLIPS, DRAWN = 499, 199  # the resamples of the tests: sign flips, and samples of the model
ACROSS, UP = 56, 25  # the number of cells of the plane in which the Stein witness is drawn, along both axes
NEW = 2000  # the number of points of the true distribution that estimate the divergence of the model
ALONG, UPWARDS = 21, 10  # the number of arrows in the plane, along both axes
NEAR = 2.6  # the picture's margin around the centres of groups, in standard deviations
# The kernel's bandwidth, in medians, in a fit of several components, and the fit's number of starts.
FITTED_AT, STARTS = 0.5, 10
FAR_OFF, DOUBT = 0.05, 3.0  # a model counts as wrong if its divergence exceeds FAR_OFF nats and DOUBT standard errors


class Look(NamedTuple):
    """The numbers of one bandwidth: the test, and the Stein witness on the drawn points and at the arrows."""

    test: TestResult
    field: SteinWitness
    arrows: SteinWitness


class OtherTests(NamedTuple):
    """The test by samples of the model, and the test in linear time at a few locations."""

    exact: TestResult
    finite: TestResult


class Divergence(NamedTuple):
    """The Kullback-Leibler divergence of the points' distribution from the model in nats, and its standard error."""

    value: float
    error: float

    @property
    def large(self) -> bool:
        """True if the model clearly differs from the distribution."""
        return self.value > max(FAR_OFF, DOUBT * self.error)


# Seconds on the core on which the labs were timed.


def _look(lab):
    return _test(lab.n) + 1e-3 + 5e-8 * lab.n * ACROSS * UP


def _test(n):
    return 1e-3 + FLIPS * (2e-7 + 1.2e-10 * n**2) + 4e-8 * n**2


def _fit(lab):
    """Return the seconds of a fit of several components, or 0 for other models."""
    several = lab.family == "fitted" and lab.blobs > 1
    return 0.02 + 0.03 * lab.blobs + 1.5e-4 * lab.n + 3e-8 * lab.n**2 if several else 0.0


class FitResult(PlaneResult[FitLab]):
    """The numbers of a state. The rows of tables are the bandwidths, or a single row until all are computed."""

    cells = (ACROSS, UP)
    slider_stages = ("look", "rows")

    @stage
    def fitted_to(self) -> Points:
        """The points to which a model of the family "fitted" is fitted, shape (n, d): the tested ones, or others."""
        lab, every = self.lab, self.all_rows
        every = self.source.sample(lab.n + lab.beside, lab.seed) if every is None else every
        return every[lab.beside : lab.beside + lab.n]

    def kernel_at(self, bandwidth: float) -> Kernel:
        """Return the kernel at another bandwidth, in medians."""
        return KERNELS[self.lab.kernel].with_bandwidth(bandwidth * self.median[0])

    @stage
    @costs("the fit of the model", _fit, lambda lab: 4 * lab.n**2, "n", "blobs")
    def home(self) -> Gaussians:
        """The model before the user moves it."""
        return self.lab.the_model() or self.fitted(self.fitted_to)

    def fitted(self, Z: Points) -> GaussianMixture:
        """Fit a model to points, shape (n, d): one Gaussian by its moments, or several by their kernel mean."""
        m = self.lab.blobs
        if m == 1:
            refuse_constant(Sample(Z, self.quantities), "a normal distribution fitted to them has no density")
            return GaussianMixture([1.0], [Z.mean(axis=0)], np.cov(Z.T, ddof=1).reshape(1, *2 * (Z.shape[1],)))
        kernel = Gaussian(FITTED_AT * median_and_remark(Z)[0])
        return MixtureDensity(kernel, n_components=m, rng=self.lab.seed, starts=STARTS).fit(Z).mixture_

    @stage
    def model(self) -> Gaussians:
        """The tested model: its components at the positions to which the user moved them, scaled by `width`."""
        home, lab = self.home, self.lab
        means, covariances = apply(home.means, lab.moved), home.covariances * lab.width**2
        if isinstance(home, StudentT):
            return StudentT(home.df, means[0], covariances[0])
        return GaussianMixture(home.weights, means, covariances)

    @stage
    @costs(
        "the test and the Stein witness",
        lambda lab: 2e-3 + _look(lab),
        lambda lab: 2 * lab.n**2 + 8 * lab.n * ACROSS * UP,
        "n",
    )
    def look(self) -> Look:
        """The numbers at the lab's bandwidth."""
        return self.at_slider(self.look_at)

    @stage_when(lambda result: result.lab.toy)
    def divergence(self) -> Divergence:
        """The divergence of the true distribution from the model, by new points; 0 if they are equal."""
        law = self.source  # this is the distribution of the points
        Z = law.sample(NEW, distant_seed(self.lab.seed))
        logs = law.logpdf(Z) - self.model.logpdf(Z)
        return Divergence(float(logs.mean()), float(logs.std()) / math.sqrt(NEW))

    @property
    def is_true(self) -> bool:
        """True if the model is known to be the distribution of the points, so that a rejection is a false alarm."""
        return self.divergence == (0, 0)

    # Deferred stages.

    @deferred()
    @costs(
        "every bandwidth",
        lambda lab: len(lab.stops) * _look(lab),
        lambda lab: len(lab.stops) * (2 * ACROSS * UP + 6 * 150 + FLIPS),
        "n",
    )
    def rows(self) -> Steps[tuple[Look, ...]]:
        """The numbers at every bandwidth of the slider."""
        return one_by_one(self.look_at, self.lab.stops)

    @deferred()
    @costs("KSDAgg", lambda lab: 10 * _test(lab.n), lambda lab: 2 * lab.n**2, "n")
    def aggregated(self) -> AggregatedResult:
        """KSDAgg over its default Gaussian kernels."""
        return ksdagg_test(self.X, self.model, n_resamples=FLIPS, rng=self.lab.seed)

    @deferred(lambda result: result.lab.picture == "tests")
    @costs("samples of the model", lambda lab: DRAWN * (2e-4 + 3e-8 * lab.n**2), lambda lab: 2 * lab.n**2, "n")
    def others(self) -> OtherTests:
        """The other tests at the lab's bandwidth."""
        tested, seed = (self.X, self.model, self.kernel), self.lab.seed
        exact = ksd_test(*tested, null="parametric", n_resamples=DRAWN, rng=seed)
        return OtherTests(exact, fssd_test(*tested, n_resamples=FLIPS, rng=seed))

    def look_at(self, bandwidth: float) -> Look:
        """Return the numbers at another bandwidth."""
        kernel = self.kernel_at(bandwidth)
        field, arrows = (stein_witness(self.X, self.model, each, kernel) for each in (self.places, self.arrow_starts))
        return Look(ksd_test(self.X, self.model, kernel, n_resamples=FLIPS, rng=self.lab.seed), field, arrows)

    # Positions in the pictures.

    @property
    def frame(self) -> tuple[float, float, float]:
        """The centre and half side of the square that the picture shows. The user's moves do not change it."""
        lab = self.lab
        if lab.source not in ("gaussian", "two"):
            return frame_of(*most_of(np.column_stack([self.X, np.zeros(len(self.X))])[:, :2]))
        side = NEAR + (lab.apart / 2 if "two" in (lab.source, lab.family) else 0.0)
        low = np.array([-side, -NEAR])
        return frame_of(low, -low) if lab.d == 2 else (0.0, 0.0, side)

    @stage
    def arrow_starts(self) -> Matrix:
        """The starts of the witness's arrows, shape (a, d). A line has no arrows; a single point replaces them."""
        if self.lab.d == 1:
            return self.places[:1]
        return plane_of(axes_of(self.frame, ALONG, UPWARDS))

    @stage
    def density(self) -> Vector:
        """The model's density at `places`, shape (g,)."""
        return np.exp(self.model.logpdf(self.places))

    @stage
    def radii(self) -> Vector:
        """The extent of each component's ellipse to the right of its centre, shape (c,).

        The ellipse is that of one standard deviation, at width 1.
        """
        return 1 / np.sqrt(np.linalg.inv(self.home.covariances)[:, 0, 0])

    # Numbers that pages and tables read.

    @property
    def test(self) -> TestResult:
        """The test at the lab's bandwidth."""
        return self.at_row().test

    @property
    def tests(self) -> list[TestResult]:
        """The test at every bandwidth of the slider, or at the lab's alone until all are computed."""
        return [look.test for look in self.shown_rows]

    @property
    def rejecting(self) -> int:
        """The number of these tests that reject the model."""
        return sum(test.pvalue <= self.lab.alpha for test in self.tests)

    @property
    def misses(self) -> bool:
        """True if the test does not reject although the model clearly differs from the points' distribution."""
        return self.divergence is not None and self.divergence.large and self.test.pvalue > self.lab.alpha

    @property
    def worst(self) -> tuple[Vector, float]:
        """The drawn point at which the witness is longest, shape (d,), and its length there, in standard errors."""
        lengths = self.at_row().field.lengths
        place = int(np.argmax(lengths))
        return self.places[place], float(lengths[place])

    # The measures by which states are compared, and the effects that presets claim.

    statistic: measure[float] = measure("KSD squared", "KSD²", of="test.statistic")
    pvalue: measure[float] = measure("p of the KSD test", of="test.pvalue")
    p_aggregated: measure[float | None] = measure("p of KSDAgg", of="aggregated.pvalue")
    p_finite: measure[float | None] = measure("p of FSSD", of="others.finite.pvalue")
    p_exact: measure[float | None] = measure("p of the KSD test by samples of the model", of="others.exact.pvalue")
    longest: measure[float] = measure("longest Stein witness, standard errors", compute=lambda r: r.worst[1])
    far_off: measure[float | None] = measure("divergence of the model, nats", of="divergence.value")

    effect_p: effect[float] = effect("p of the KSD test", of="pvalue")
    effect_missed: effect[float | None] = effect(
        "the divergence that the test misses",
        compute=lambda r: None if r.divergence is None else r.divergence.value * r.misses,
    )
    effect_many: effect[float | None] = effect("p of KSDAgg", of="p_aggregated")
