"""What a state of the Density lab shows: a fit from its start to its end, beside the truth and held-out points."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.columns.quantity import coordinates
from explorer.discrepancy import ksdagg_test
from explorer.embeddings import GaussianMixture
from explorer.kernels import Gaussian
from explorer.learning import MixtureDensity
from explorer.types import Matrix, Rows, Vector
from explorer.workbench import deferred, effect, measure, stage
from explorer.workbench.numbers import ratio
from explorer.workbench.plane_lab import axes_of, frame_of, line_of, plane_of
from explorer.workbench.samples import GaussianInMedians, Sample, most_of
from explorer.workbench.seeds import further_seed
from explorer.workbench.user_points import apply

from .cost import FLIPS, JUDGED, SAMPLES
from .course import Course, Endings, course, densities, held_seed, log_densities, moved_path, steps_at
from .entropy import EntropyStages
from .lab import FROM_K_MEANS, K_MEANS, OWN, OWN_ROLE, ROLES, STARTS, DensityLab
from .places import ACROSS, UP

if TYPE_CHECKING:
    from explorer.discrepancy.resampling.aggregation import AggregatedResult
    from explorer.learning.fit_path import FitPath


HELD = 1000  # points of the true distribution that score a density


class DensityResult(EntropyStages, GaussianInMedians[DensityLab]):
    """The numbers of a state. Rows of tables: the slider's stops; a fit that has ended stays where it is."""

    @stage
    def rows(self) -> Matrix | None:
        """All rows of a table in the seed's order, (rows, d); None of a distribution."""
        return None if self.law is not None else self.lab.the_rows(self.source)

    @stage
    def drawn(self) -> Sample:
        """The Sample."""
        if self.rows is not None:
            return Sample(self.rows[: self.lab.n], self.source.quantities_of(self.lab.the_columns(self.source)))
        X = self.source.sample(self.lab.n, self.lab.seed)
        return Sample(X, coordinates(X.shape[1]))

    @stage
    def held(self) -> Matrix:
        """The points held out, (N, d): further ones of the distribution, or the table's other rows."""
        if self.rows is not None:
            return self.rows[self.lab.n :]
        return self.source.sample(HELD, held_seed(self.lab.seed))

    @stage
    def k_means(self) -> GaussianMixture:
        """The k-means mixture, which neither kernel nor estimator changes."""
        m, seed = self.lab.blobs, self.lab.seed
        return MixtureDensity(Gaussian(1.0), None, m, seed, STARTS, iterations=0).fit(self.X).start_

    @stage
    def start(self) -> GaussianMixture:
        """The mixture that every fit begins at: k-means, its centres where the hand has put them if it begins there."""
        if not self.lab.start_moved:
            return self.k_means
        means = apply(self.k_means.means, self.lab.start_moved)
        return GaussianMixture(self.k_means.weights, means, self.k_means.covariances)

    @stage
    def fit(self) -> MixtureDensity:
        """The MixtureDensity."""
        return self.fitted(self.lab.estimator)

    @stage
    def rival(self) -> MixtureDensity | None:
        """The fit to the same estimate from k-means, where the one that is shown begins at the hand's blobs."""
        return self.fitted(self.lab.estimator, start=self.k_means) if self.lab.start_moved else None

    def fitted(
        self, name: str, stopped: Callable[[], bool] | None = None, start: GaussianMixture | None = None
    ) -> MixtureDensity:
        """The fit to another estimate, from another start where one is given; it ends where `stopped()`."""
        learner = MixtureDensity(self.kernel, self.lab.the_estimator(name), self.lab.blobs, iterations=self.lab.reach)
        progress = None if stopped is None else lambda step: stopped()
        return learner.fit(self.X, start=self.start if start is None else start, progress=progress)

    @stage
    def steps(self) -> Rows:
        """At which step the fit is, at each stop of the slider, (r,)."""
        return steps_at(self.fit, self.stops)

    @stage
    def path(self) -> FitPath:
        """The blobs at each stop, a FitPath, those moved by hand where they were put."""
        return moved_path(self.fit.path_, self.steps, self.lab.shown_moved)

    @stage
    def distance(self) -> Vector:
        """How far the kernel mean of the blobs is from the estimate at each stop, (r,)."""
        if not self.lab.shown_moved:
            return np.sqrt(np.maximum(self.fit.history_[self.steps], 0.0))
        e, kernel = self.fit.embedding_, self.kernel
        return np.array([e.distance(self.path.mixture(i).embed(kernel)) for i in range(len(self.steps))])

    @stage
    def logs(self) -> Matrix:
        """The log densities of the points held out, (r, N), at each stop."""
        return log_densities(self.path, self.held)

    @stage
    def nll(self) -> Vector:
        """The held-out NLL at each stop, (r,): the mean of -log density, in nats a point."""
        return -self.logs.mean(axis=1)

    @stage
    def start_logs(self) -> Vector:
        """The log densities of the points held out under the start, (N,)."""
        return self.start.logpdf(self.held)

    @stage
    def rival_course(self) -> Course | None:
        """The Course of the fit from k-means, None where that is the one that is shown."""
        return None if self.rival is None else course(self.rival, self.stops, self.held)

    @stage
    def doubt(self) -> Vector:
        """The standard error of the gain, (r,): the points held out are a sample, too.

        Of the gain over the start or, where the fit begins by hand, over as many steps from k-means.
        """
        other, rival, beside = self.start_logs, self.rival, self.rival_course
        if rival is not None and beside is not None:
            other = log_densities(moved_path(rival.path_, beside.steps, ""), self.held)
        return (self.logs - other).std(axis=1) / math.sqrt(len(self.held))

    @stage
    def plain_nll(self) -> float | None:
        """The held-out NLL of the plain average's fit at its end; None where the fit is that."""
        return None if self.lab.estimator == "KME" else -self.fitted("KME").score(self.held)

    # what is drawn of it

    @stage
    def axes(self) -> tuple[Vector, Vector]:
        """The centres of the plane's cells along both axes."""
        return axes_of(self.frame, ACROSS, UP)

    @stage
    def places(self) -> Matrix:
        """Where densities are drawn, (g, d): along the line, or cells of the plane row by row."""
        return line_of(self.frame) if self.lab.d == 1 else plane_of(self.axes)

    @stage
    def density(self) -> Matrix:
        """The density of the blobs at these places, (r, g)."""
        return densities(self.path, [self.places[:, 0]] if self.lab.d == 1 else self.axes)

    @stage
    def true_density(self) -> Any:
        """The true density there, (g,); None of a table."""
        return None if self.law is None else np.exp(self.law.logpdf(self.places))

    # what comes later

    @deferred(lambda result: result.lab.picture == "progress")
    def courses(self, stopped: Callable[[], bool]) -> dict[str, Course] | None:
        """name -> Course of the fit to every estimator."""
        found = {}
        for name in self.lab.compared:
            if stopped():
                return None
            found[name] = course(self.fitted(name, stopped), self.stops, self.held)
        return found

    @deferred(lambda result: result.lab.judges)
    def judged(self) -> AggregatedResult:
        """KSDAgg of the mixture at this stop by points held out, which no fit has seen."""
        return ksdagg_test(self.held[:JUDGED], self.mixture, n_resamples=FLIPS, rng=held_seed(self.lab.seed))

    @deferred(lambda result: result.lab.picture == "samples")
    def endings(self, stopped: Callable[[], bool]) -> Endings | None:
        """The Endings of more samples, of the seeds that follow; of a table other rows are held out."""
        start, ends = [], {name: [] for name in self.lab.compared}
        seed = self.lab.seed
        for i in range(SAMPLES):
            other = self.elsewhere(seed=further_seed(seed, i), moved="", begin=K_MEANS, picture="blobs")
            for name, values in ends.items():
                if stopped():
                    return None
                values.append(-other.fitted(name, stopped).score(other.held))
            start.append(-float(other.start_logs.mean()))
        return Endings(np.array(start), {name: np.array(values) for name, values in ends.items()})

    # what pages and tables read

    @property
    def mixture(self) -> GaussianMixture:
        """The mixture at this stop."""
        return self.path.mixture(self.row)

    @property
    def frame(self) -> tuple[float, float, float]:
        """Centre and half side of the square that the picture shows; the sample fills it, heavy tails aside."""
        if self.lab.d == 1 or (self.law is not None and np.isfinite(self.law.tail)):
            return super().frame
        return frame_of(*most_of(self.X))

    @property
    def known_courses(self) -> dict[str, Course]:
        """name -> Course of every estimator's fit, as far as they are there, and of the same from k-means."""
        own = {} if self.lab.shown_moved else {self.lab.estimator: Course(self.steps, self.distance, self.nll)}
        beside = {} if self.rival_course is None else {FROM_K_MEANS: self.rival_course}
        return {name if name in ROLES else OWN: each for name, each in (self.courses or own).items()} | beside

    @property
    def role(self) -> str:
        """The role whose colour the estimate has."""
        return ROLES.get(self.lab.estimator, OWN_ROLE)

    @property
    def ended(self) -> int | None:
        """At which step the fit has ended by itself; None where it would go on."""
        last = len(self.fit.path_) - 1
        return last if last < self.lab.reach else None

    @property
    def start_nll(self) -> float:
        """The held-out NLL of the start."""
        return -float(self.start_logs.mean())

    def gain(self, row: int | None = None) -> float:
        """By how many nats a point the blobs at a row score better than the start."""
        return self.start_nll - float(self.nll[self.row if row is None else row])

    @property
    def left(self) -> float:
        """The RKHS distance at the end of the fit, as a share of that at its start."""
        return math.sqrt(float(self.fit.history_[-1]) / max(float(self.fit.history_[0]), 1e-300))

    @property
    def at_bound(self) -> float:
        """The weight of the blobs at the end whose variance is as large as the bound allows."""
        return float(self.fit.mixture_.weights[self.fit.at_ceiling_].sum())

    # what states are compared by, and what presets promise

    held_nll: measure[float] = measure(
        "negative log-likelihood of new points, nats", compute=lambda r: float(r.nll[r.row])
    )
    held_start: measure[float] = measure("negative log-likelihood of the start, nats", compute=lambda r: r.start_nll)
    away: measure[float] = measure("RKHS distance to the estimate", compute=lambda r: float(r.distance[r.row]))

    @measure("RKHS distance to the true kernel mean")
    def true_distance(self) -> float | None:
        """How far the kernel mean of the blobs is from the true one."""
        if self.law is None:
            return None
        return self.law.embed(self.kernel).distance(self.mixture.embed(self.kernel))

    share: measure[float] = measure("weight of components at the bound", compute=lambda r: r.at_bound)
    entropy: measure[float | None] = measure(
        "entropy of the maximum-entropy density", compute=lambda r: r.even and r.even.entropy_
    )

    effect_gain: effect[float] = effect("the gain over the start", compute=lambda r: r.gain())
    effect_share: effect[float] = effect("the weight at the bound", compute=lambda r: r.at_bound)
    effect_even: effect[float | None] = effect(
        "the gain of the maximum-entropy density", compute=lambda r: r.even and float(r.nll[-1]) - r.even_nll
    )
    effect_start: effect[float] = effect(
        "the start's distance to the estimate", compute=lambda r: float(r.fit.history_[0]) ** 0.5
    )

    @effect("the distance over that from k-means")
    def effect_begun(self) -> float | None:
        """The RKHS distance over that after as many steps from k-means; None where the fit begins there."""
        beside = self.rival_course
        return None if beside is None else ratio(self.away, float(beside.distance[self.row]))

    @effect("the gain over the plain average's fit")
    def effect_plain(self) -> float | None:
        """By how many nats a point the fit scores better than that to the plain average."""
        return None if self.plain_nll is None else self.plain_nll - self.held_nll

    @effect("the widest component over the narrowest")
    def effect_alike(self) -> float | None:
        """The ratio of their standard deviations."""
        variances = self.path.variances[self.row]
        return ratio(math.sqrt(variances.max()), math.sqrt(variances.min()))
