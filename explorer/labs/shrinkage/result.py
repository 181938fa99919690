"""What a state of the Shrinkage lab shows: both estimators over λ, and what becomes of each eigendirection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from explorer.embeddings import GaussianMixture, contaminate
from explorer.estimators import FKMSE
from explorer.estimators.filtering import NAMES, REACH, Filtering, filter_estimates
from explorer.estimators.objective import Objective, Pace
from explorer.estimators.paths import (
    Target,
    Truth,
    constant_estimates,
    simple_estimates,
    simplex_estimates,
    simplex_weights,
)
from explorer.estimators.refits import Refits
from explorer.estimators.simple import Summary
from explorer.estimators.spectrum import Spectrum
from explorer.kernels import Linear
from explorer.languages import translate
from explorer.linalg import smallest_eigenvalue
from explorer.types import Gram, Mask, Matrix, Vector
from explorer.workbench import deferred, effect, for_picture, measure, stage, stage_when
from explorer.workbench.kernels import has_bandwidth, kernel_called, middle_of
from explorer.workbench.numbers import format_number
from explorer.workbench.replicates import repeat
from explorer.workbench.samples import LossResult, Sample
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps
from explorer.workbench.user_points import apply, places

from .beside import Beside, beside_of
from .bound import bound_of
from .kernel import gain_under_rbf, kernel_of
from .lab import Blob, ShrinkageLab
from .stein import Stein, SteinRisk
from .values import Bayes, Fits, Values, risks_at

if TYPE_CHECKING:
    from explorer.estimators.filtering import FilterEstimates
    from explorer.estimators.paths import RegularisationPath, SimpleEstimates
    from explorer.kernels.base import Kernel
    from explorer.workbench.replicates import Replicates

    from .bound import Bound


RATIO, FLEXIBLE = "loss relative to loss of KME", "{result.flexible_name}"  # in the names of measures
FILTER_AT = np.geomspace(1e-4, 1e3, 81)  # where the filter's curve is drawn, in units of scale


class ShrinkageResult(LossResult[ShrinkageLab]):
    """The numbers of a state. Rows of λ-tables: the slider's λ, then the leave-one-out choice.

    `simple` is S-KMSE, `flexible` F-KMSE or another filter; their losses and scores are relative to the empirical
    mean's. Eigenvalues and the filter's λ count in `scale`, the mean of k(x, x).
    """

    @stage
    def with_outliers(self) -> Sample:
        """The Sample, with outliers and moved points."""
        lab, (X, quantities) = self.lab, self.drawn
        return Sample(apply(contaminate(X, lab.outliers, lab.kind, lab.distance, lab.seed), lab.moved), quantities)

    @property
    def sample(self) -> Sample:
        """The Sample that is looked at: the one with outliers and moved points."""
        return self.with_outliers

    @stage
    def pairs(self) -> Matrix:
        """What the kernel needs of all pairs of points, at whatever bandwidth."""
        return kernel_called(self.lab.kernel).pairs(self.X)

    @stage
    def median(self) -> tuple[float, str]:
        """The median distance, and a remark where it is not plainly that; (1, "") for a kernel without a bandwidth."""
        return middle_of(self.X, self.lab.kernel) if has_bandwidth(self) else (1.0, "")

    @stage
    def kernel(self) -> Kernel:
        """The kernel, its bandwidth counted in medians."""
        return kernel_of(self.lab, self.law, self.median[0], self.coordinates)

    @property
    def coordinates(self) -> int:
        """How many coordinates the kernel has."""
        return self.X.shape[1]

    def gram(self) -> Gram:
        """The Gram matrix (n, n), made anew: its spectrum is what is kept."""
        return self.kernel.of_pairs(self.pairs)

    @stage
    def spectrum(self) -> Spectrum:
        """The eigendecomposition of the Gram matrix, which serves every λ."""
        return Spectrum(self.gram())

    @stage
    def summary(self) -> Summary:
        """What S-KMSE needs of the sample."""
        return Summary.of_spectrum(self.spectrum)

    @stage
    def truth(self) -> Truth | None:
        """What the losses need of the true distribution, or None."""
        return None if self.law is None else Truth.of(self.law, self.kernel, self.X)

    @stage
    def blob(self) -> Blob | None:
        """The blob that S-KMSE is shrunk towards, or None."""
        return Blob.of(self.lab.target_at, self.source) if self.lab.target == "blob" else None

    @stage
    def target(self) -> Target | None:
        """What S-KMSE needs of the blob's kernel mean, or None."""
        if self.blob is None:
            return None
        mean = None if self.law is None else self.law.embed(self.kernel)
        return Target.of(self.blob.law.embed(self.kernel), self.X, mean)

    @stage
    def simple_curve(self) -> SimpleEstimates:
        """S-KMSE over λ, as SimpleEstimates."""
        lab, spectrum, truth = self.lab, self.spectrum, self.truth
        if lab.weights == "simplex":
            lams = np.append(lab.stops, self.summary.best_lam())
            return simplex_estimates(spectrum, self.summary, lams, simplex_weights(self.gram(), lams), truth)
        if lab.weights == "free" or self.target is not None:  # with a blob all weights sum to one by themselves
            return simple_estimates(spectrum, lab.stops, truth, self.target)
        return constant_estimates(spectrum, np.array(lab.stops), self.summary.best_lam(), truth)

    @stage
    def refits(self) -> Refits | None:
        """The sample's leave-one-out refits, which score every filter but F-KMSE; None for F-KMSE."""
        return None if self.lab.filter == "tikhonov" else Refits(self.gram())

    @stage
    def filtering(self) -> Filtering:
        """The filter, of this Gram matrix."""
        return Filtering(self.lab.filter, float(self.spectrum.gamma[-1]))

    @stage
    def chosen(self) -> float:
        """The filter's λ of least leave-one-out score, in units of k."""
        if self.refits is not None:
            return self.filtering.best(self.refits)
        return FKMSE(selection=self.lab.selection, weights=self.lab.weights).best_lam(self.spectrum)

    @stage
    def flexible_curve(self) -> FilterEstimates:
        """F-KMSE or another filter over λ, as FilterEstimates."""
        lab, scale = self.lab, self.scale
        lams, scores = np.append(lab.stops, self.chosen / scale), None
        if self.refits is not None:
            scores = self.filtering.score(self.refits, lams * scale)
        elif lab.weights != "simplex":
            scores = FKMSE(selection=lab.selection, weights=lab.weights).score(self.spectrum)(lams * scale)
        return filter_estimates(
            self.filtering, self.spectrum, lams, scores, FILTER_AT, scale, self.summary, self.truth, lab.weights
        )

    @stage
    def bound(self) -> Bound | None:
        """The Bound on the plain average's error, or None."""
        return bound_of(self)

    @stage
    def objective(self) -> Objective:
        """The Objective: what leave-one-out estimates, and the loss."""
        return Objective.of(self.summary, self.truth, self.empirical_loss)

    @deferred(lambda result: result.lab.picture == "objective")
    def pace(self, stopped: Callable[[], bool]) -> Pace | None:
        """The Pace of leave-one-out, in closed form and by refits."""
        return Pace.of(self.gram(), self.flexible.lams[:-1] * self.scale, stopped)

    @stage
    def beside(self) -> Beside | None:
        """The Beside: what a further estimator loses; None where none is compared."""
        return beside_of(self)

    @stage
    def rbf_gain(self) -> float | None:
        """α* under RBF at as many medians, to compare the Laplacian kernel's with; None for other kernels."""
        return gain_under_rbf(self.lab, self.law, self.X)

    @stage
    def stein(self) -> Stein | None:
        """The Stein of one Gaussian, whose variance is 1, under the linear kernel; else None."""
        law = self.law if self.lab.source == "gaussian" else None
        if not isinstance(law, GaussianMixture) or not isinstance(self.kernel, Linear):
            return None
        return Stein.of(self.X, law.mean, not (self.lab.outliers or self.lab.moved))

    @stage_when(lambda result: result.lab.only_stein)
    def stein_risk(self) -> SteinRisk:
        """The SteinRisk of the distribution; None where James and Stein's estimate is not shown alone."""
        return SteinRisk.of(self.lab.d, self.lab.n, self.lab.mean)

    @stage_when(lambda result: result.lab.bayesian)
    def bayes(self) -> Bayes:
        """The Bayes, BayesianKME of the sample; None where it is not shown."""
        return Bayes.of(self, FILTER_AT * self.scale)

    @for_picture("values")
    def values(self) -> Values:
        """The Values of kernel means along the first coordinate; None where they are not shown."""
        return Values.of(self)

    @for_picture("fits")
    def fits(self) -> Fits:
        """The Fits, regressions that F-KMSE averages; None where they are not shown."""
        return Fits.of(self)

    @deferred(lambda result: result.lab.samples > 0 and result.law is not None)
    def replicates(self) -> Steps[Replicates]:
        """The Replicates of more samples, of the seeds that follow."""
        lab = self.lab
        seed, extra_stop = lab.seed, lab.extra_stop

        def one(i):
            return self.elsewhere(lam=extra_stop, moved="", seed=further_seed(seed, i))

        return repeat(one, lab.samples)

    @property
    def simple(self) -> RegularisationPath:
        """The losses and scores of S-KMSE over λ."""
        return self.simple_curve.path

    @property
    def flexible(self) -> RegularisationPath:
        """The losses and scores of the filter over λ."""
        return self.flexible_curve.path

    @property
    def scale(self) -> float:
        """The mean of k(x, x); 1 where it is 0."""
        return self.summary.diagonal if self.summary.diagonal > 0 else 1.0

    @property
    def empirical_loss(self) -> float | None:
        """|μ̂ - μ|^2, or None where no true distribution is known."""
        return None if self.truth is None else self.truth.empirical_loss(self.spectrum)

    @property
    def expected_gain(self) -> float | None:
        """α*, which the best λ gains on average; None where outliers or a moved point make the sample another one."""
        return None if self.lab.outliers or self.lab.moved else self.simple_curve.share

    @property
    def eigenvalues(self) -> Vector:
        """The eigenvalues of the Gram matrix, in units of scale, (n,)."""
        return self.spectrum.gamma / self.scale

    @property
    def flexible_name(self) -> str:
        """The filter's name, in the language that is spoken."""
        return translate(NAMES[self.lab.filter])

    def flexible_words(self, row: int | None = None) -> str:
        """The filter's parameter at a row: a λ, or the steps of an iteration."""
        lam = self.flexible.lams[self.row if row is None else row]
        if self.lab.filter not in REACH:
            return f"λ = {format_number(lam)}"
        steps = int(self.filtering.values(np.array([lam * self.scale]))[0])
        return translate("1 step") if steps == 1 else translate("{} steps", f"{steps:,}".replace(",", "\u202f"))

    def risk_parts(self) -> tuple[Vector, Vector] | None:
        """S-KMSE's expected loss at each row relative to the empirical mean's, (1 - α)^2 and α^2 (1 - α*) / α*, or
        None.

        Variance and squared bias, exactly: R(α) = (1 - α)^2 Δ + α^2 |μ|^2, and α* = Δ / (Δ + |μ|^2).
        """
        best = self.expected_gain
        if best is None or best == 0:
            return None
        keep = 1 / (1 + self.simple.lams)
        return keep**2, (1 - keep) ** 2 * (1 - best) / best

    @property
    def gamma0(self) -> float:
        """The smallest eigenvalue that is not 0, in units of scale; infinite where all are."""
        return smallest_eigenvalue(self.eigenvalues)

    @property
    def touched(self) -> Mask:
        """Which rows are outliers or were moved by hand, (n,)."""
        rows = np.arange(len(self.X))
        return (rows >= self.clean) | np.isin(rows, list(places(self.lab.moved)))

    @property
    def clean(self) -> int:
        """How many rows are no outliers."""
        return len(self.X) - self.lab.outliers

    simple_loss: measure[float | None] = measure(
        f"{RATIO}, S-KMSE", "loss / loss of KME, S-KMSE", lambda r: r.known(r.simple)
    )
    flexible_loss: measure[float | None] = measure(
        f"{RATIO}, F-KMSE", f"loss / loss of KME, {FLEXIBLE}", lambda r: r.known(r.flexible)
    )
    simple_estimate: measure[float | None] = measure(
        f"estimated {RATIO}, S-KMSE", "estimated loss / loss of KME, S-KMSE", lambda r: r.estimated(r.simple)
    )
    flexible_estimate: measure[float | None] = measure(
        f"estimated {RATIO}, F-KMSE", f"estimated loss / loss of KME, {FLEXIBLE}", lambda r: r.estimated(r.flexible)
    )
    simple_chosen: measure[float] = measure(
        "lambda by leave-one-out, S-KMSE", "λ by leave-one-out, S-KMSE", lambda r: r.simple.chosen
    )
    flexible_chosen: measure[float] = measure(
        "lambda by leave-one-out, F-KMSE", f"λ by leave-one-out, {FLEXIBLE}", lambda r: r.flexible.chosen
    )
    simple_best: measure[float | None] = measure("best lambda, S-KMSE", "best λ, S-KMSE", lambda r: r.simple.best)
    flexible_best: measure[float | None] = measure(
        "best lambda, F-KMSE", f"best λ, {FLEXIBLE}", lambda r: r.flexible.best
    )
    beside_loss: measure[float | None] = measure(
        f"{RATIO}, compared", "loss / loss of KME, {result.lab.beside}", lambda r: r.beside and r.beside.loss
    )
    error: measure[float | None] = measure(
        "error of KME beside its bound",
        "error of KME / its bound",
        lambda r: r.bound and r.bound.error / r.bound.proved,
    )
    simple_gain: effect[float] = effect("S-KMSE's gain", compute=lambda r: r.gain(r.simple))
    flexible_gain: effect[float] = effect("F-KMSE's gain", compute=lambda r: r.gain(r.flexible))
    lesser_gain: effect[float] = effect("the lesser gain", compute=lambda r: min(r.simple_gain, r.flexible_gain))
    greater_gain: effect[float] = effect("the greater gain", compute=lambda r: max(r.simple_gain, r.flexible_gain))
    beside_rbf: effect[float | None] = effect(
        "the best expected gain beside that under RBF", compute=lambda r: r.rbf_gain and r.expected_gain / r.rbf_gain
    )

    @effect("S-KMSE's gain beside that of the best λ")
    def share_of_the_best(self) -> float:
        """How much of what the best λ would gain leave-one-out or the slider has."""
        path = self.simple
        if not path.best or path.best_loss is None:
            return 1.0
        return self.simple_gain / (1 - path.best_loss)

    @property
    def remoteness(self) -> float | None:
        """ρ, the distance of the true kernel mean from the target in errors of the plain average; None if unknown."""
        best = self.expected_gain
        return np.sqrt((1 - best) / best) if best else None

    @effect("S-KMSE's expected loss at twice the distance, λ fixed")
    def loss_if_farther(self) -> float | None:
        """What this λ would lose on average, over the plain average, if the kernel mean were twice as far away."""
        if self.remoteness is None:
            return None
        return float(risks_at(self.simple.lams[[self.row]], np.array([2 * self.remoteness]))[0, 0])

    @effect("the share of the curve that the band has")
    def covered(self) -> float | None:
        """How much of the drawn part of the true kernel mean lies in the posterior's band."""
        return None if self.values is None else self.values.covered

    @effect("the average of f beside its expectation")
    def average_of_f(self) -> float | None:
        """The sample's average of f = k(., t) over E f(X)."""
        if self.values is None or self.values.exact is None or self.values.exact[-1] == 0:
            return None
        return float(self.values.average[-1] / self.values.exact[-1])

    @effect("an outlier's weight beside a clean point's")
    def outlier_weight(self) -> float:
        """The mean weight of outliers, in units of that of clean points."""
        if not self.lab.outliers:
            return 1.0
        share = self.flexible_curve.weights[self.row]
        return float(share[self.clean :].mean() / share[: self.clean].mean())
