"""Results of the density lab: a fit from its start to its end, the true density, and scores on held-out points."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy import ksdagg_test
from explorer.embeddings import GaussianMixture
from explorer.kernels import Gaussian
from explorer.learning import MixtureDensity
from explorer.types import Matrix, Rows, Vector
from explorer.workbench import deferred, effect, measure, stage
from explorer.workbench.cost import costs
from explorer.workbench.numbers import ratio
from explorer.workbench.plane_lab import PlaneResult
from explorer.workbench.samples import ROOM, frame_of, most_of
from explorer.workbench.seeds import further_seed
from explorer.workbench.user_points import apply

from .course import Course, Endings, course, densities, held_seed, log_densities, moved_path, steps_at
from .entropy import EntropyStages
from .grids import ACROSS, UP
from .lab import FROM_K_MEANS, K_MEANS, OWN, OWN_ROLE, ROLES, STARTS, DensityLab

if TYPE_CHECKING:
    from explorer.discrepancy.resampling.aggregation import AggregatedResult
    from explorer.learning.fit_path import FitPath


SAMPLES = 20  # number of additional samples for the paired differences
JUDGED, FLIPS = 200, 499  # held-out points on which KSDAgg tests the mixture, and its sign flips
HELD = 1000  # number of points of the true distribution that score a density


# Seconds on the core on which the labs were timed.

CHOSEN = {  # seconds per n² and per n³ for an estimator to choose its parameter on the sample
    "KME": (0.0, 0.0),
    "S-KMSE": (3e-9, 0.0),
    "F-KMSE": (2e-8, 2e-10),
    "MKME": (6e-9, 0.0),
    "MMKME": (1e-7, 0.0),
}
MOST_CHOSEN = (1e-6, 1e-9)  # the same for a user's estimator: at most this
# MMKME avoids matrix products below the bandwidth FAR; it then takes FAR_PAIRS seconds per n²
FAR, FAR_PAIRS = 1e-3, 1.6e-6
CONVERGED = {1: 15, 2: 45, 3: 150, 4: 400}  # by number of components: the steps after which most fits have converged
# above WIDE medians components are indistinguishable, and a fit converges within WIDE_STEPS
WIDE, WIDE_STEPS = 2.0, 120


def _start(lab):
    return 0.005 + 1.2e-5 * lab.n + 1.4e-8 * lab.n**2 + 1e-3 * lab.blobs


def _fit(lab, name):
    n, (squared, cubed) = lab.n, CHOSEN.get(name, MOST_CHOSEN)
    if name == "MMKME" and lab.bandwidth < FAR:
        squared = FAR_PAIRS
    ends = CONVERGED[lab.blobs] if lab.blobs in CONVERGED else lab.reach
    steps = min(lab.reach, ends, WIDE_STEPS if lab.bandwidth > WIDE else lab.reach)
    return 0.005 + steps * (1.5e-4 + 1.2e-7 * n) + (1.2e-8 + squared) * n**2 + cubed * n**3


def _fits(lab):
    """Return the seconds of the fit and its pictures, of the plain average's fit, and of the fit from k-means."""
    drawn = 0.004 + 4e-4 * lab.blobs + (len(lab.stops) * 2e-8 * lab.n**2 if lab.shown_moved else 0.0)
    plain = _fit(lab, "KME") if lab.estimator != "KME" else 0.0
    return (2 if lab.start_moved else 1) * _fit(lab, lab.estimator) + plain + drawn


def _every_fit(lab):
    return sum(_fit(lab, name) + 1.5e-3 for name in lab.compared)


class DensityResult(EntropyStages, PlaneResult[DensityLab]):
    """Numbers of a state. Rows of its tables are the slider's stops; a fit that has converged stays at its end."""

    cells = (ACROSS, UP)

    @stage
    def held_out(self) -> Matrix:
        """Return the held-out points (N, d): new points of the distribution, or the table's other rows."""
        if self.all_rows is not None:
            return self.all_rows[self.lab.n :]
        return self.source.sample(HELD, held_seed(self.lab.seed))

    @stage
    @costs("the clusters that the fit starts from", _start, lambda lab: 4 * lab.n**2, "n", "blobs")
    def k_means(self) -> GaussianMixture:
        """Return the k-means mixture, which depends neither on the kernel nor on the estimator."""
        m, seed = self.lab.blobs, self.lab.seed
        return MixtureDensity(Gaussian(1.0), None, m, seed, STARTS, iterations=0).fit(self.X).start_

    @stage
    def start(self) -> GaussianMixture:
        """Return the mixture at which every fit starts: k-means, with the user's centres if `begin` says so."""
        if not self.lab.start_moved:
            return self.k_means
        means = apply(self.k_means.means, self.lab.start_moved)
        return GaussianMixture(self.k_means.weights, means, self.k_means.covariances)

    @stage
    @costs(
        "the fit of the mixture",
        _fits,
        lambda lab: 4 * lab.n**2 + len(lab.stops) * 4000 * (lab.blobs + 1),
        "n",
        "blobs",
        "iteration",
    )
    def fit(self) -> MixtureDensity:
        """Return the MixtureDensity fitted to the chosen estimate."""
        return self.fitted(self.lab.estimator)

    @stage
    def rival(self) -> MixtureDensity | None:
        """Return the fit from k-means if the displayed fit starts at the user's centres, else None."""
        return self.fitted(self.lab.estimator, start=self.k_means) if self.lab.start_moved else None

    def fitted(
        self, name: str, stopped: Callable[[], bool] | None = None, start: GaussianMixture | None = None
    ) -> MixtureDensity:
        """Return the fit to a named estimate, from `start` if given. The fit ends early if `stopped()` is true."""
        learner = MixtureDensity(self.kernel, self.lab.the_estimator(name), self.lab.blobs, iterations=self.lab.reach)
        progress = None if stopped is None else lambda step: stopped()
        return learner.fit(self.X, start=self.start if start is None else start, progress=progress)

    @stage
    def steps(self) -> Rows:
        """Return the step of the fit at each stop of the slider, shape (r,)."""
        return steps_at(self.fit, self.stops)

    @stage
    def path(self) -> FitPath:
        """Return the components at each stop as a FitPath, with those that the user moved where the user put them."""
        return moved_path(self.fit.path_, self.steps, self.lab.shown_moved)

    @stage
    def distance(self) -> Vector:
        """Return the RKHS distance between the mixture's kernel mean and the estimate at each stop, shape (r,)."""
        if not self.lab.shown_moved:
            return np.sqrt(np.maximum(self.fit.history_[self.steps], 0.0))
        e, kernel = self.fit.embedding_, self.kernel
        return np.array([e.distance(self.path.mixture(i).embed(kernel)) for i in range(len(self.steps))])

    @stage
    def logs(self) -> Matrix:
        """Return the log densities of the held-out points at each stop, shape (r, N)."""
        return log_densities(self.path, self.held_out)

    @stage
    def nll(self) -> Vector:
        """Return the held-out NLL at each stop, shape (r,): the mean of -log density, in nats per point."""
        return -self.logs.mean(axis=1)

    @stage
    def start_logs(self) -> Vector:
        """Return the log densities of the held-out points under the start, shape (N,)."""
        return self.start.logpdf(self.held_out)

    @stage
    def rival_course(self) -> Course | None:
        """Return the fit from k-means at the slider's stops, or None if that is the displayed fit."""
        return None if self.rival is None else course(self.rival, self.stops, self.held_out)

    @stage
    def doubt(self) -> Vector:
        """Return the standard error of the gain, shape (r,), as the held-out points are a sample, too.

        The gain is over the start. If the fit starts at the user's centres, it is over the fit from k-means after
        equally many steps.
        """
        other, rival, beside = self.start_logs, self.rival, self.rival_course
        if rival is not None and beside is not None:
            other = log_densities(moved_path(rival.path_, beside.steps, ""), self.held_out)
        return (self.logs - other).std(axis=1) / math.sqrt(len(self.held_out))

    @stage
    def plain_nll(self) -> float | None:
        """Return the held-out NLL at the end of the plain average's fit, or None if the displayed fit is that one."""
        return None if self.lab.estimator == "KME" else -self.fitted("KME").score(self.held_out)

    # Stages that pictures draw.

    @stage
    def density(self) -> Matrix:
        """Return the density of the mixture at `places` at each stop, shape (r, g)."""
        return densities(self.path, [self.places[:, 0]] if self.lab.d == 1 else self.axes)

    # Deferred stages.

    @deferred(lambda result: result.lab.picture == "progress")
    @costs("the other estimators' fits", _every_fit, lambda lab: 4 * lab.n**2, "n", "blobs", "iteration")
    def courses(self, stopped: Callable[[], bool]) -> dict[str, Course] | None:
        """Compute the fit to every compared estimator at the slider's stops, by name; None if cancelled."""
        found = {}
        for name in self.lab.compared:
            if stopped():
                return None
            found[name] = course(self.fitted(name, stopped), self.stops, self.held_out)
        return found

    @deferred(lambda result: result.lab.judges)
    @costs("KSDAgg of the mixture", lambda lab: 0.04 + 1e-3 * lab.blobs, 2 * JUDGED**2, "blobs")
    def judged(self) -> AggregatedResult:
        """Test the mixture at this stop by KSDAgg on held-out points that no fit has used."""
        return ksdagg_test(self.held_out[:JUDGED], self.mixture, n_resamples=FLIPS, rng=held_seed(self.lab.seed))

    @deferred(lambda result: result.lab.picture == "samples")
    @costs(
        "the additional samples",
        lambda lab: 1.3 * SAMPLES * (_start(lab) + _every_fit(lab)),
        lambda lab: 4 * lab.n**2,
        "n",
        "blobs",
        "iteration",
    )
    def endings(self, stopped: Callable[[], bool]) -> Endings | None:
        """Compute held-out likelihoods of fits to samples of the seeds that follow; None if cancelled.

        With a table other rows are held out.
        """
        start, ends = [], {name: [] for name in self.lab.compared}
        seed = self.lab.seed
        for i in range(SAMPLES):
            other = self.elsewhere(seed=further_seed(seed, i), moved="", begin=K_MEANS, picture="blobs")
            for name, values in ends.items():
                if stopped():
                    return None
                values.append(-other.fitted(name, stopped).score(other.held_out))
            start.append(-float(other.start_logs.mean()))
        return Endings(np.array(start), {name: np.array(values) for name, values in ends.items()})

    # Numbers for pages and tables.

    @property
    def mixture(self) -> GaussianMixture:
        """The mixture at this stop."""
        return self.path.mixture(self.row)

    @property
    def frame(self) -> tuple[float, float, float]:
        """Centre (x, y) and half side of the square in view. It fits the sample, without the ends of heavy tails."""
        if self.lab.d == 1 or (self.law is not None and np.isfinite(self.law.tail)):
            return super().frame
        return frame_of(*most_of(self.X, ROOM))

    @property
    def known_courses(self) -> dict[str, Course]:
        """Every fit computed so far at the slider's stops, by label, including the fit from k-means."""
        own = {} if self.lab.shown_moved else {self.lab.estimator: Course(self.steps, self.distance, self.nll)}
        beside = {} if self.rival_course is None else {FROM_K_MEANS: self.rival_course}
        return {name if name in ROLES else OWN: each for name, each in (self.courses or own).items()} | beside

    @property
    def role(self) -> str:
        """Colour role of the estimate."""
        return ROLES.get(self.lab.estimator, OWN_ROLE)

    @property
    def ended(self) -> int | None:
        """Step at which the fit has converged, or None if it would continue."""
        last = len(self.fit.path_) - 1
        return last if last < self.lab.reach else None

    @property
    def start_nll(self) -> float:
        """Held-out NLL of the start."""
        return -float(self.start_logs.mean())

    def gain(self, row: int | None = None) -> float:
        """Return the gain of the mixture over the start at a row, in nats per point."""
        return self.start_nll - float(self.nll[self.row if row is None else row])

    @property
    def left(self) -> float:
        """RKHS distance at the end of the fit, as a share of the distance at its start."""
        return math.sqrt(float(self.fit.history_[-1]) / max(float(self.fit.history_[0]), 1e-300))

    @property
    def at_bound(self) -> float:
        """Final weight of the components whose variance is at the upper bound."""
        return float(self.fit.mixture_.weights[self.fit.at_ceiling_].sum())

    # Measures and effects, for comparisons, sweeps and presets.

    held_nll: measure[float] = measure(
        "negative log-likelihood of new points, nats", compute=lambda r: float(r.nll[r.row])
    )
    held_start: measure[float] = measure("negative log-likelihood of the start, nats", of="start_nll")
    away: measure[float] = measure("RKHS distance to the estimate", compute=lambda r: float(r.distance[r.row]))

    @measure("RKHS distance to the true kernel mean")
    def true_distance(self) -> float | None:
        """Return the RKHS distance between the mixture's kernel mean and the true one, or None for a table."""
        if self.law is None:
            return None
        return self.law.embed(self.kernel).distance(self.mixture.embed(self.kernel))

    share: measure[float] = measure("weight of components at the bound", of="at_bound")
    entropy: measure[float | None] = measure("entropy of the maximum-entropy density", of="even.entropy_")

    effect_gain: effect[float] = effect("the gain over the start", compute=lambda r: r.gain())
    effect_share: effect[float] = effect("the weight at the bound", of="at_bound")
    effect_even: effect[float | None] = effect(
        "the gain of the maximum-entropy density", compute=lambda r: r.even and float(r.nll[-1]) - r.even_nll
    )
    effect_start: effect[float] = effect(
        "the start's distance to the estimate", compute=lambda r: float(r.fit.history_[0]) ** 0.5
    )

    @effect("the distance over that from k-means")
    def effect_begun(self) -> float | None:
        """Return the RKHS distance relative to the fit from k-means at the same stop; None if the fit starts there."""
        beside = self.rival_course
        return None if beside is None else ratio(self.away, float(beside.distance[self.row]))

    @effect("the gain over the plain average's fit")
    def effect_plain(self) -> float | None:
        """Return the gain over the fit to the plain average, in nats per point."""
        return None if self.plain_nll is None else self.plain_nll - self.held_nll

    @effect("the widest component over the narrowest")
    def effect_alike(self) -> float | None:
        """Return the ratio of the largest standard deviation to the smallest."""
        variances = self.path.variances[self.row]
        return ratio(math.sqrt(variances.max()), math.sqrt(variances.min()))
