"""Result of the Shrinkage lab: both estimators over λ, and what they keep of each eigendirection."""

from __future__ import annotations

import math
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
from explorer.workbench.cost import coordinates, costs
from explorer.workbench.kernels import has_bandwidth, kernel_called, middle_of
from explorer.workbench.numbers import format_number
from explorer.workbench.replicates import repeat
from explorer.workbench.samples import LossResult, Sample
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps
from explorer.workbench.user_points import apply, moved_points

from .bound import bound_of
from .extra_estimator import ExtraLoss, extra_loss
from .functions.values import ALONG, LARGEST, Bayes, Fits, Values, risks_at
from .kernel import gain_under_rbf, kernel_of
from .lab import Blob, ShrinkageLab
from .stein import Stein, SteinRisk

if TYPE_CHECKING:
    from explorer.estimators.filtering import FilterEstimates
    from explorer.estimators.paths import RegularisationPath, SimpleEstimates
    from explorer.kernels.base import Kernel
    from explorer.workbench.replicates import Replicates

    from .bound import Bound


RATIO, FLEXIBLE = "loss relative to loss of KME", "{result.flexible_name}"  # parts of the measures' names
FILTER_AT = np.geomspace(1e-4, 1e3, 81)  # the eigenvalues at which the filter's curve is drawn, in units of `scale`


# Seconds on the core on which the labs were timed, and numbers held.

BATCH = 2**20  # the largest number of floats that the filters of the refits hold at a time
FILTERS = {  # time that a filter's scores take in addition to its refits: seconds, and seconds times n²
    "tsvd": (0.0, 0.0),
    "landweber": (1.5e-3, 1.2e-6),
    "iterated-tikhonov": (1.5e-3, 1.2e-6),
    "nu": (0.015, 2.5e-6),
}
# By dimension: seconds that a mixture's kernel mean under the Laplacian kernel takes, and seconds per point.
MEANS = {2: (6e-3, 4e-5), 3: (6e-3, 4e-4)}


def _spectrum(lab):
    n, d = lab.n, coordinates(lab)
    return 4e-3 + 8e-7 * d**2 + 4e-8 * n**2 + 1.4e-9 * n**2 * d + 1.7e-10 * n**3


def _mean(lab):
    """Return the seconds of a mixture's kernel mean under the Laplacian kernel, or 0 for other states."""
    fixed, growing = MEANS.get(coordinates(lab), (0.0, 0.0))
    return fixed + growing * lab.n if lab.kernel == "LAP" and lab.source == "mixture" else 0.0


def _filter(lab):
    """Return the seconds of a filter's n refits, or 0 for F-KMSE, which needs none."""
    if lab.filter not in FILTERS:
        return 0.0
    fixed, growing = FILTERS[lab.filter]
    return fixed + growing * lab.n**2 + 5e-8 * lab.n**3


def _extra(lab):
    """Return the seconds of the extra estimator, or 0 for none. On a table it is scored, which may take n refits."""
    refits = 3e-4 * min(lab.n, 200) * (1 + 1e-4 * lab.n**2) if not lab.toy else 0.0
    return 0.0 if lab.beside == "none" else 6e-3 + 3e-7 * lab.n**2 + refits


def _simplex(lab):
    """Return the seconds of the weights on the simplex, or 0 for other weights."""
    return 0.01 + 2e-4 * lab.n + 4e-8 * lab.n**3 if lab.weights == "simplex" else 0.0


def _values(lab):
    growing = MEANS.get(coordinates(lab), (0.0, 0.0))[1] if lab.kernel == "LAP" else 0.0
    return 2e-3 + 2e-5 * lab.n + 2e-8 * lab.n**2 + ALONG * growing


def _posterior(lab):
    """Return the seconds of the posterior, which also needs the evidence at another bandwidth."""
    return 2e-3 + 4e-8 * lab.n**2 + (_spectrum(lab) if lab.n <= LARGEST else 0.0)


def _repeated(lab):
    """Return the seconds of all that is computed at once for as many more samples, or 0 for a table."""
    if not lab.toy:
        return 0.0
    shown = (_values(lab) if lab.picture == "values" else 0.0) + (_posterior(lab) if lab.bayesian else 0.0)
    once = _spectrum(lab) + _mean(lab) + _filter(lab) + _extra(lab) + _simplex(lab) + shown
    return 1.2 * lab.samples * once


def _held(lab):
    return 5.2 * lab.n**2 + lab.n * coordinates(lab) ** 2 + 4 * (len(lab.stops) + 1) * lab.n


def _filter_held(lab):
    batch = min((len(lab.stops) + 1) * lab.n**2, BATCH) if lab.filter in FILTERS else 0
    return _held(lab) + 4.5 * batch


def _held_again(lab):
    """Return the numbers that a repetition holds: those of its last part, and its own spectrum."""
    if lab.bayesian:
        last = _held(lab) + lab.n**2
    elif lab.picture == "values":
        last = _held(lab) + 4 * ALONG * lab.n
    elif lab.weights == "simplex":
        last = _held(lab)
    else:
        last = _filter_held(lab) if lab.beside == "none" else 3 * _held(lab)
    return last + 3 * lab.n**2


class ShrinkageResult(LossResult[ShrinkageLab]):
    """The numbers of a state. The rows of tables over λ are the slider's λ, then the leave-one-out choice.

    `simple` is S-KMSE, and `flexible` is F-KMSE or another filter. Their losses and scores are relative to the
    empirical mean's. Eigenvalues and the filter's λ are in units of `scale`, the mean of k(x, x).
    """

    @stage
    def with_outliers(self) -> Sample:
        """The sample with its outliers and moved points."""
        lab, (X, quantities) = self.lab, self.drawn
        return Sample(apply(contaminate(X, lab.outliers, lab.kind, lab.distance, lab.seed), lab.moved), quantities)

    @property
    def sample(self) -> Sample:
        """The sample that the pictures show: the one with outliers and moved points."""
        return self.with_outliers

    @stage
    def pairs(self) -> Matrix:
        """The numbers that the kernel needs of all pairs of points, for every bandwidth."""
        return kernel_called(self.lab.kernel).pairs(self.X)

    @stage
    def median(self) -> tuple[float, str]:
        """The median distance, and a remark if another number replaces it; (1, "") for a kernel without a bandwidth."""
        return middle_of(self.X, self.lab.kernel) if has_bandwidth(self) else (1.0, "")

    @stage
    def kernel(self) -> Kernel:
        """The kernel, its bandwidth counted in medians."""
        return kernel_of(self.lab, self.law, self.median[0], self.coordinates)

    @property
    def coordinates(self) -> int:
        """The number of coordinates of the kernel."""
        return self.X.shape[1]

    def gram(self) -> Gram:
        """Compute the Gram matrix, shape (n, n). It is not stored; its spectrum is."""
        return self.kernel.of_pairs(self.pairs)

    @stage
    @costs("the decomposition of the Gram matrix", _spectrum, _held, "n", "d")
    def spectrum(self) -> Spectrum:
        """The eigendecomposition of the Gram matrix, which serves every λ."""
        return Spectrum(self.gram())

    @stage
    def summary(self) -> Summary:
        """The numbers of the sample that S-KMSE needs."""
        return Summary.of_spectrum(self.spectrum)

    @stage
    @costs("the kernel mean under the Laplacian kernel", _mean, _held, "n", "d")
    def truth(self) -> Truth | None:
        """The numbers of the true distribution that the losses need, or None."""
        return None if self.law is None else Truth.of(self.law, self.kernel, self.X)

    @stage
    def blob(self) -> Blob | None:
        """The blob that S-KMSE is shrunk towards, or None."""
        return Blob.of(self.lab.target_at, self.source) if self.lab.target == "blob" else None

    @stage
    def target(self) -> Target | None:
        """The numbers of the blob's kernel mean that S-KMSE needs, or None."""
        if self.blob is None:
            return None
        mean = None if self.law is None else self.law.embed(self.kernel)
        return Target.of(self.blob.law.embed(self.kernel), self.X, mean)

    @stage
    @costs("the weights on the simplex", _simplex, _held, "n")
    def simple_curve(self) -> SimpleEstimates:
        """S-KMSE over λ."""
        lab, spectrum, truth = self.lab, self.spectrum, self.truth
        if lab.weights == "simplex":
            lams = np.append(lab.stops, self.summary.best_lam())
            return simplex_estimates(spectrum, self.summary, lams, simplex_weights(self.gram(), lams), truth)
        if lab.weights == "free" or self.target is not None:  # with a blob as target the weights sum to one anyway
            return simple_estimates(spectrum, lab.stops, truth, self.target)
        return constant_estimates(spectrum, np.array(lab.stops), self.summary.best_lam(), truth)

    @stage
    def refits(self) -> Refits | None:
        """The sample's leave-one-out refits, which score every filter except F-KMSE; None for F-KMSE."""
        return None if self.lab.filter == "tikhonov" else Refits(self.gram())

    @stage
    def filtering(self) -> Filtering:
        """The filter of this Gram matrix."""
        return Filtering(self.lab.filter, float(self.spectrum.gamma[-1]))

    @stage
    def chosen(self) -> float:
        """The filter's λ with the least leave-one-out score, in units of k."""
        if self.refits is not None:
            return self.filtering.best(self.refits)
        return FKMSE(selection=self.lab.selection, weights=self.lab.weights).best_lam(self.spectrum)

    @stage
    @costs("the filter's n refits", _filter, _filter_held, "n")
    def flexible_curve(self) -> FilterEstimates:
        """F-KMSE or another filter over λ."""
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
        """The bound on the plain average's error, or None."""
        return bound_of(self)

    @stage
    def objective(self) -> Objective:
        """The loss, and what leave-one-out estimates."""
        return Objective.of(self.summary, self.truth, self.empirical_loss)

    @deferred(lambda result: result.lab.picture == "objective")
    @costs(
        "the measured refits",
        lambda lab: 5e-3 + min(0.25, 4e-5 * lab.n**2) + 1.2e-10 * lab.n**3,
        lambda lab: 4 * lab.n**2,
        "n",
    )
    def pace(self, stopped: Callable[[], bool]) -> Pace | None:
        """The times of leave-one-out in closed form and by refits."""
        return Pace.of(self.gram(), self.flexible.lams[:-1] * self.scale, stopped)

    @stage
    @costs("the estimator that is compared", _extra, lambda lab: 3 * _held(lab), "n")
    def beside(self) -> ExtraLoss | None:
        """The relative loss of the extra estimator, or None if none is compared."""
        return extra_loss(self)

    @stage
    def rbf_gain(self) -> float | None:
        """α* under RBF at the same multiple of the median, for comparison with the Laplacian kernel's, or None."""
        return gain_under_rbf(self.lab, self.law, self.X)

    @stage
    def stein(self) -> Stein | None:
        """James and Stein's losses for one Gaussian with variance 1 under the linear kernel; None otherwise."""
        law = self.law if self.lab.source == "gaussian" else None
        if not isinstance(law, GaussianMixture) or not isinstance(self.kernel, Linear):
            return None
        return Stein.of(self.X, law.mean, not (self.lab.outliers or self.lab.moved))

    @stage_when(lambda result: result.lab.only_stein)
    def stein_risk(self) -> SteinRisk:
        """The distribution's place among James and Stein's expected losses; None unless only they are shown."""
        return SteinRisk.of(self.lab.d, self.lab.n, self.lab.mean)

    @stage_when(lambda result: result.lab.bayesian)
    @costs("the posterior", _posterior, lambda lab: _held(lab) + lab.n**2, "n")
    def bayes(self) -> Bayes:
        """BayesianKME of the sample; None if it is not shown."""
        return Bayes.of(self, FILTER_AT * self.scale)

    @for_picture("values")
    @costs("the averages of functions", _values, lambda lab: _held(lab) + 4 * ALONG * lab.n, "n")
    def values(self) -> Values:
        """Values of kernel means along the first coordinate; None if they are not shown."""
        return Values.of(self)

    @for_picture("fits")
    def fits(self) -> Fits:
        """The regressions that F-KMSE averages; None if they are not shown."""
        return Fits.of(self)

    @deferred(lambda result: result.lab.samples > 0 and result.law is not None)
    @costs("the repetitions", _repeated, _held_again, "samples", "n")
    def replicates(self) -> Steps[Replicates]:
        """The results of more samples, drawn with the seeds that follow."""
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
        """The mean of k(x, x), or 1 if that is 0."""
        return self.summary.diagonal if self.summary.diagonal > 0 else 1.0

    @property
    def empirical_loss(self) -> float | None:
        """The loss |μ̂ - μ|^2, or None if the true distribution is unknown."""
        return None if self.truth is None else self.truth.empirical_loss(self.spectrum)

    @property
    def expected_gain(self) -> float | None:
        """α*, the average gain of the best λ; None if outliers or moved points change the sample."""
        return None if self.lab.outliers or self.lab.moved else self.simple_curve.share

    @property
    def eigenvalues(self) -> Vector:
        """The eigenvalues of the Gram matrix, in units of `scale`, shape (n,)."""
        return self.spectrum.gamma / self.scale

    @property
    def flexible_name(self) -> str:
        """The filter's name, in the current language."""
        return translate(NAMES[self.lab.filter])

    def flexible_words(self, row: int | None = None) -> str:
        """Return the filter's parameter at a row as text: a λ, or the number of steps of an iteration."""
        lam = self.flexible.lams[self.row if row is None else row]
        if self.lab.filter not in REACH:
            return f"λ = {format_number(lam)}"
        steps = int(self.filtering.values(np.array([lam * self.scale]))[0])
        return translate("1 step") if steps == 1 else translate("{} steps", f"{steps:,}".replace(",", "\u202f"))

    def risk_parts(self) -> tuple[Vector, Vector] | None:
        """Return S-KMSE's relative expected loss at each row as (variance, squared bias), or None if it is unknown.

        These are (1 - α)^2 and α^2 (1 - α*) / α*, relative to the empirical mean's expected loss, and exact:
        R(α) = (1 - α)^2 Δ + α^2 |μ|^2, and α* = Δ / (Δ + |μ|^2).
        """
        best = self.expected_gain
        if best is None or best == 0:
            return None
        keep = 1 / (1 + self.simple.lams)
        return keep**2, (1 - keep) ** 2 * (1 - best) / best

    @property
    def gamma0(self) -> float:
        """The smallest eigenvalue other than 0, in units of `scale`; infinite if all are 0."""
        return smallest_eigenvalue(self.eigenvalues)

    @property
    def touched(self) -> Mask:
        """The mask of the rows that are outliers or were moved by the user, shape (n,)."""
        rows = np.arange(len(self.X))
        return (rows >= self.clean) | np.isin(rows, list(moved_points(self.lab.moved)))

    @property
    def clean(self) -> int:
        """The number of rows that are not outliers."""
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
    simple_best: measure[float | None] = measure("best lambda, S-KMSE", "best λ, S-KMSE", of="simple.best")
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
        """S-KMSE's gain at the chosen λ as a share of the gain of the best λ."""
        path = self.simple
        if not path.best or path.best_loss is None:
            return 1.0
        return self.simple_gain / (1 - path.best_loss)

    @property
    def remoteness(self) -> float | None:
        """ρ, the distance of the true kernel mean from the target, in errors of the plain average; None if unknown."""
        best = self.expected_gain
        return np.sqrt((1 - best) / best) if best else None

    @effect("S-KMSE's expected loss at twice the distance, λ fixed")
    def loss_if_farther(self) -> float | None:
        """The relative expected loss of this λ if the kernel mean were twice as far from the target."""
        if self.remoteness is None:
            return None
        return float(risks_at(self.simple.lams[[self.row]], np.array([2 * self.remoteness]))[0, 0])

    @effect("the share of the curve that the band has")
    def covered(self) -> float | None:
        """The share of the drawn part of the true kernel mean that lies in the posterior's band."""
        return None if self.values is None else self.values.covered

    @effect("the average of f beside its expectation")
    def average_of_f(self) -> float | None:
        """The sample's average of f = k(., t) over E f(X)."""
        if self.values is None or self.values.exact is None or self.values.exact[-1] == 0:
            return None
        return float(self.values.average[-1] / self.values.exact[-1])

    @effect("an outlier's weight beside a clean point's")
    def outlier_weight(self) -> float:
        """The mean weight of outliers, in units of the mean weight of clean points."""
        if not self.lab.outliers:
            return 1.0
        share = self.flexible_curve.weights[self.row]
        return float(share[self.clean :].mean() / share[: self.clean].mean())

    # Numbers that the stories let the user guess.

    stein_gain = property(lambda self: self.stein.gain, doc="The share of the expected loss that James-Stein saves.")
    james_stein_risk = property(
        lambda self: self.stein.risk, doc="James-Stein's expected loss relative to the average's."
    )
    error_left = property(lambda self: 1 - self.simple_gain, doc="S-KMSE's loss relative to the average's.")
    simple_lead = property(lambda self: self.simple_gain - self.flexible_gain, doc="S-KMSE's gain minus F-KMSE's.")
    simple_change = property(
        lambda self: abs(self.simple_gain) - abs(self.flexible_gain),
        doc="How much farther S-KMSE's loss is from the average's than F-KMSE's.",
    )
    simple_ratio = property(
        lambda self: self.simple.chosen / self.simple.best, doc="S-KMSE's λ by leave-one-out over its best λ."
    )
    octaves_missed = property(
        lambda self: abs(math.log2(self.simple_ratio)),
        doc="The number of doublings between the chosen and the best λ of S-KMSE.",
    )
    flexible_ratio = property(
        lambda self: self.flexible.chosen / self.flexible.best, doc="F-KMSE's λ by leave-one-out over its best λ."
    )
    inner_miss = property(
        lambda self: abs(self.values.average[-1] - self.values.inner),
        doc="The difference of the average of f and its inner product.",
    )
    exact_of_f = property(lambda self: self.values.exact[-1], doc="The expectation of f.")
    predicted_ratio = property(
        lambda self: self.fits.predicted[self.row].mean() / self.fits.values.mean(),
        doc="The mean of the predictions of f over the average of f.",
    )
    bayes_gain = property(lambda self: 1 - self.bayes.loss, doc="The share of the loss that the posterior mean saves.")
