"""Results of the adaptation lab: a line before and after a remedy, and several domains in common components."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from explorer.adaptation import DICA, transfer_ratios
from explorer.datasets import density_ratio, domain_cloud, standardise, target_mean
from explorer.datasets.columns.quantity import Quantity, quantities_named
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.operators import KernelPCA
from explorer.types import Matrix, Rows, Vector
from explorer.workbench import Result, deferred, effect, for_picture, measure, stage
from explorer.workbench.cost import costs
from explorer.workbench.fields import BUNDLED
from explorer.workbench.seeds import distant_seed, further_seed
from explorer.workbench.stages import Steps, one_by_one
from explorer.workbench.two_samples import Draw, labels_of, most_different, scaled_together, sides_of
from explorer.workbench.user_rows import numbered

from .lab import BOUNDS, FARTHEST, TESTED, AdaptationLab
from .remedies import Fit, Pair, error_of, fitted, line_of
from .treatment.outcomes import TreatmentStages

SAMPLES = 20  # number of additional samples, for the spread of the gain
ALONG = 121  # number of x positions where lines are drawn
TALL = {"covariate": 1.6, "concept": 1.6}  # half height of a toy's frame; the other toys have y = -1 or 1
ROOM = 1.3  # half height of the frame for toys whose y is a class
MU = 0.1  # regulariser of transfer component analysis
BELOW = 0.5  # space below the points of a toy, for the target's drag handle


class Shifted(NamedTuple):
    """Quantities that depend on the shift.

    Attributes
    ----------
    pair : Pair
        Both samples.
    before : tuple
        (line, error) of the unweighted source.
    fit : Fit
        The remedy at the lab's bound.
    unbounded : Fit
        The remedy without a bound.
    ratio : ndarray of shape (n,) or None
        True density ratio at the source's points, or None if it is unknown.
    best_error : float or None
        Error of the line with that ratio as weights, or None if it is unknown.
    """

    pair: Pair
    before: tuple[np.ndarray, float]
    fit: Fit
    unbounded: Fit
    ratio: np.ndarray | None
    best_error: float | None

    @property
    def gain(self) -> float:
        """1 - error after / error before: positive if the remedy helps."""
        return gained(self.fit.error, self.before[1])


class More(NamedTuple):
    """Errors of the line in additional samples.

    Attributes
    ----------
    before : ndarray of shape (samples,)
        Errors of the unweighted line.
    after : ndarray of shape (samples,)
        Errors after the remedy.
    best : ndarray of shape (samples,) or None
        Errors with the true weights, or None if they are unknown.
    """

    before: np.ndarray
    after: np.ndarray
    best: np.ndarray | None

    @property
    def gains(self) -> Matrix:
        """1 - error / error of the unweighted line, shape (1 or 2, samples)."""
        rows = [self.after] if self.best is None else [self.after, self.best]
        return np.vectorize(gained, otypes=[float])(np.array(rows), self.before)


class Domains(NamedTuple):
    """Points of several domains, and their components.

    Attributes
    ----------
    of : ndarray of shape (n,)
        Domain of each point.
    scores, plain_scores : ndarray of shape (n, 2)
        Scores by DICA and by kernel PCA.
    variance : float
        Distributional variance.
    apart, plain : float
        Share of the scores' variance between domains, by DICA and by kernel PCA.
    ratio : float or None
        n/4 times DICA's leading ratio, with the regulariser of transfer component analysis; None unless there are two
        domains.
    transfer : float or None
        Leading ratio of transfer component analysis. None unless there are two domains.
    """

    of: np.ndarray
    scores: np.ndarray
    plain_scores: np.ndarray
    variance: float
    apart: float
    plain: float
    ratio: float | None
    transfer: float | None


# Seconds on the core on which the labs were timed.

CHANGING = 7  # number of bounds in a typical state that change the weights


def _held(lab):
    return 6 * lab.n**2 + 2 * lab.n * lab.m


def _remedy(lab):
    n, m = lab.n, lab.m
    if lab.remedy.startswith("maps"):
        return 0.035 + 2e-6 * n * (n + m)
    return 1.5e-3 + 8e-6 * m + 1e-7 * n**2 + 4e-10 * n**3


def _two_domains(lab):
    """Return whether there are two domains, so that transfer component analysis runs as well."""
    return not lab.change or lab.domains == 2


def _points(lab):
    """Return the number of points of all domains."""
    return lab.n if lab.change else lab.n + lab.m


class AdaptationResult(TreatmentStages, Result[AdaptationLab]):
    """Numbers of a state. Rows of its tables are the slider's shifts, or one row until all shifts are computed."""

    @stage
    def pair(self) -> Pair:
        """Return the source sample and the target sample."""
        lab = self.lab
        if lab.change:
            pair = lab.the_pair()
            return Pair(pair.X, pair.y, pair.Z, pair.hidden, quantities_named("xy"), ("the source", "the target"))
        return self._of_tables()

    @stage
    def labels(self) -> tuple[Any, ...]:
        """Return the labels of a table that name source and target; empty if they are not groups of one table."""
        lab = self.lab
        two_files = lab.source == "file" and lab.hash2
        return () if lab.change or two_files else labels_of(lab.the_tables()[0], lab.groups, lab.group)

    def _of_tables(self):
        lab, tables = self.lab, self.lab.the_tables()
        treated = tables if lab.source in BUNDLED else tables.indicators()
        draw = Draw.of_tables(treated, self.labels, (lab.n, lab.m), lab.seeds)
        names, (x, y) = treated[0].names, self._roles(tables, treated)
        at = [names.index(name) for name in x], names.index(y)
        (X, Z), (own, hidden) = ([part[:, columns] for part in draw.points] for columns in at)
        *quantities, of_y = treated[0].quantities_of([*x, y])
        if lab.standardise:  # only x is scaled, because the values of y may be classes
            X, Z, quantities = scaled_together(X, Z, quantities)
        found, n = numbered(lab, (*draw.rows[0], *draw.rows[1])), len(X)
        lines = ({name: each[:n] for name, each in found.items()}, {name: each[n:] for name, each in found.items()})
        return Pair(X, own, Z, hidden, (*quantities, of_y), draw.called, lines)

    def _roles(self, tables, treated):
        """Return the names of the x columns and of y.

        In a user's table the x columns are sorted by how much they differ, because the picture shows the first.
        """
        names = list(treated[0].names)
        if self.lab.source in BUNDLED:
            return self.lab.the_columns(names)
        if numbers := list(tables.scales):
            # y is the last numeric column, not the indicator of a category
            names.append(names.pop(names.index(numbers[-1])))
        x, y = self.lab.the_columns(names)
        columns = [treated[0].names.index(name) for name in x]
        sides = (side.X[:, columns] for side in sides_of(treated, self.labels))
        return [x[j] for j in most_different(*sides)], y

    @property
    def of_y(self) -> Quantity:
        """Quantity of y."""
        return self.pair.quantities[-1]

    @stage
    def test(self) -> tuple[Matrix, Vector]:
        """Return the target points that score a line: new points of a toy, or the target of a table."""
        lab = self.lab
        if lab.change is None:
            return self.pair.Z, self.pair.hidden
        more = lab.the_pair(1, TESTED, distant_seed(lab.seed))
        return more.Z, more.hidden

    @stage
    def median(self) -> tuple[float, str]:
        """Return the median distance of all x, and a remark if a substitute had to be used."""
        return median_and_remark(np.concatenate([self.pair.X, self.pair.Z]))

    @stage
    def kernel(self) -> Gaussian:
        """Return the kernel of x. The lab's bandwidth is in medians."""
        return Gaussian(self.lab.bandwidth * self.median[0])

    @stage
    def before(self) -> tuple[Vector, float]:
        """Return (line, error) of the unweighted source."""
        line = line_of(self.pair.X, self.pair.y, np.ones(len(self.pair.X)))
        return line, error_of(line, *self.test)

    @stage
    def ratio(self) -> Vector | None:
        """Return the true density ratio at the source's points, shape (n,), or None if it is unknown."""
        if self.lab.change is None:
            return None
        return density_ratio(self.lab.change, self.lab.shift, self.pair.X[:, 0], self.pair.y)

    @stage
    def best_error(self) -> float | None:
        """Return the error of the line under the true weights, or None if they are unknown."""
        return None if self.ratio is None else error_of(line_of(self.pair.X, self.pair.y, self.ratio), *self.test)

    @stage
    @costs("the remedy", lambda lab: _remedy(lab) + 2e-3, _held, "n", "m")
    def unbounded(self) -> Fit:
        """Return the source after the remedy, with its line, without a bound on the weights.

        At every bound that exceeds the largest of these weights the result is the same.
        """
        return self._fit(1e6)

    @stage
    def fit(self) -> Fit:
        """Return the source after the remedy, with its line, at the lab's bound on the weights."""
        return self.fit_at(self.lab.bound)

    def fit_at(self, bound: float) -> Fit:
        """Return the source after the remedy, with its line, at a bound on the weights."""
        free = self.unbounded
        # The minimum over all weights is also the minimum over the bounded ones if it satisfies the bound.
        return free if not self.lab.bounded or free.weights.max() <= bound else self._fit(bound)

    def _fit(self, bound) -> Fit:
        return fitted(self.lab.remedy, bound, self.pair, self.kernel, self.test)

    @stage
    def shifted(self) -> Shifted:
        """Return the quantities that depend on the shift, at the lab's shift."""
        return Shifted(self.pair, self.before, self.fit, self.unbounded, self.ratio, self.best_error)

    @deferred(lambda result: result.lab.tabled and result.lab.picture != "treatment")
    @costs(
        "the remedy at every shift",
        lambda lab: len(lab.stops) * (_remedy(lab) + 3e-3),
        lambda lab: _held(lab) + len(lab.stops) * (2 * lab.n + 3 * lab.m),
        "n",
        "m",
    )
    def shifts(self) -> Steps[tuple[Shifted, ...]]:
        """Compute the quantities that depend on the shift at every default stop of the slider."""
        return one_by_one(lambda shift: self.elsewhere(shift=shift, picture="weights").shifted, self.lab.default_stops)

    @deferred(lambda result: result.lab.bounded and result.lab.picture == "bound")
    @costs("the remedy at every bound", lambda lab: 0.01 + CHANGING * _remedy(lab), _held, "n", "m")
    def bounds(self) -> Steps[tuple[Fit, ...]]:
        """Compute the source after the remedy, with its line, at every bound of a grid."""
        return one_by_one(self.fit_at, BOUNDS)

    @deferred(lambda result: result.lab.picture == "samples")
    @costs("the remedy in more samples", lambda lab: SAMPLES * (_remedy(lab) + 2e-3), _held, "n", "m")
    def more(self) -> Steps[More]:
        """Compute the errors in samples with other seeds."""
        before, after, best = [], [], []
        for i in range(SAMPLES):
            yield
            other = self.elsewhere(seed=further_seed(self.lab.seed, i), picture="weights")
            before.append(other.before[1])
            after.append(other.fit.error)
            best.append(other.best_error)
        return More(np.array(before), np.array(after), None if None in best else np.array(best))

    @for_picture("domains")
    @costs(
        "the components of the domains",
        lambda lab: (2 if _two_domains(lab) else 1) * (4e-3 + 8e-10 * _points(lab) ** 3),
        lambda lab: 8 * _points(lab) ** 2,
        "n",
        "m",
    )
    def clouds(self) -> Domains:
        """Return the points of several domains, and their components."""
        lab, pair = self.lab, self.pair
        if lab.change:
            X, of = domain_cloud(lab.domains, lab.n, lab.seed)
        else:
            X = np.concatenate([np.column_stack([pair.X, pair.y]), np.column_stack([pair.Z, pair.hidden])])
            X, of = standardise(X), np.repeat([0, 1], [lab.n, lab.m])
        kernel = Gaussian(lab.bandwidth * median_and_remark(X)[0])
        found, pca = DICA(lab.size * kernel, 2).learn(X, of), KernelPCA(kernel, 2).fit(X)
        scores, plain_scores = (_two(model.transform(X)) for model in (found, pca))
        variance = found.variance_ / lab.size
        ratio = transfer = None
        if len(np.unique(of)) == 2:
            regularised = DICA(lab.size * kernel, 1, lam=lab.size**2 * MU / 4).learn(X, of)
            ratio = len(X) / 4 * float(regularised.ratios_[0])
            transfer = float(transfer_ratios(X, of, kernel, MU, 1)[0])
        return Domains(of, scores, plain_scores, variance, apart(scores, of), apart(plain_scores, of), ratio, transfer)

    # Positions in pictures.

    @stage
    def frame(self) -> tuple[float, float, float, float]:
        """Return the frame's centre (x, y) and half sides (x, y). A toy's frame fits the points at all stops."""
        lab = self.lab
        if lab.change:
            # x increases or decreases monotonically with the shift
            ends = [lab.pair_at(shift) for shift in (lab.stops[0], lab.stops[-1])]
            x = np.concatenate([ends[0].X[:, 0], *(pair.Z[:, 0] for pair in ends)])
            tall = TALL.get(lab.source, ROOM)
            low, high = float(x.min()), float(x.max())
            return (low + high) / 2, -BELOW / 2, 0.53 * (high - low) + 1e-9, tall + BELOW / 2
        both = np.column_stack([np.concatenate(part) for part in zip(*self._points, strict=True)])
        low, high = both.min(axis=0), both.max(axis=0)
        (x, y), (half, tall) = ((low + high) / 2).tolist(), (0.56 * (high - low) + 1e-9).tolist()
        return x, y, half, tall

    @property
    def _points(self):
        """(x, y) of the source and of the target; x is its first column."""
        pair = self.pair
        return (pair.X[:, 0], pair.y), (pair.Z[:, 0], pair.hidden)

    @stage
    def line_points(self) -> Matrix:
        """Return the points (ALONG, d) of lines: along the first column, with the others at the target's medians."""
        cx, _, half, _ = self.frame
        places = np.tile(np.median(self.pair.Z, axis=0), (ALONG, 1))
        places[:, 0] = np.linspace(cx - half, cx + half, ALONG)
        return places

    @property
    def shown_shifts(self) -> Sequence[float]:
        """Shift at each row of the slider's tables."""
        return self.stops if self.answers else (self.lab.shift,)

    @property
    def truth(self) -> Matrix | None:
        """Mean of the target's y at `line_points`, shape (rows, ALONG); None for tables."""
        if not self.lab.change:
            return None
        return np.array([target_mean(self.lab.change, shift, self.line_points[:, 0]) for shift in self.shown_shifts])

    # Numbers for pages and tables.

    @property
    def answers(self) -> bool:
        """True if the slider has a row for every shift. Outside its range the frame differs, so nothing moves."""
        every = self.treatments if self.lab.picture == "treatment" else self.shifts
        return every is not None and 0 <= self.lab.shift <= FARTHEST

    @property
    def rows(self) -> tuple[Shifted, ...]:
        """The quantities that depend on the shift, for each row of the slider's tables."""
        return self.in_rows(self.shifts, self.shifted)

    def at_row(self, row: int | None = None) -> Shifted:
        """Return the quantities that depend on the shift, at a row of the slider's tables or at the lab's shift."""
        return self.rows[row] if self.answers and row is not None else self.shifted

    def gain(self, row: int | None = None) -> float:
        """Return 1 - error after / error before: positive if the remedy helps."""
        return self.at_row(row).gain

    def relative(self, fits: Sequence[Fit]) -> Vector:
        """Return the errors of fits relative to the error before."""
        return np.array([1 - gained(fit.error, self.before[1]) for fit in fits])

    # Measures and effects, for comparisons, sweeps and presets.

    plain_error: measure[float] = measure("squared error on the target, unweighted", compute=lambda r: r.before[1])
    error: measure[float] = measure("squared error on the target, after the remedy", of="fit.error")
    best: measure[float | None] = measure("squared error on the target, true weights", of="best_error")
    count: measure[float] = measure("effective sample size", of="fit.size")
    left: measure[float] = measure("RKHS distance to the target", of="fit.distance")
    share_between: measure[float | None] = measure("variance between domains, DICA", of="clouds.apart")

    effect_gain: effect[float] = effect("the gain of the remedy", compute=lambda r: r.gain())
    effect_far: effect[float] = effect("the unmatched share of the target's mean", of="fit.far")
    effect_apart: effect[float | None] = effect(
        "DICA's variance between domains over kernel PCA's",
        compute=lambda r: r.clouds and r.clouds.apart / max(r.clouds.plain, 1e-300),
    )
    effect_transfer: effect[float | None] = effect(
        "DICA's ratio over that of transfer component analysis",
        compute=lambda r: r.clouds and r.clouds.transfer and r.clouds.ratio / r.clouds.transfer,
    )

    # Numbers that the stories let the user guess.

    unmatched = property(
        lambda self: min(self.fit.far, 1.0), doc="The unmatched share of the target's kernel mean, at most 1."
    )
    between_by_pca = property(
        lambda self: self.clouds and self.clouds.plain,
        doc="The share of kernel PCA's variance between domains, or None.",
    )


def gained(after: float, before: float) -> float:
    """Return 1 - error after / error before. If the error before is 0: 0 if it stays 0, otherwise -inf."""
    if before == 0:
        return 0.0 if after == 0 else -math.inf
    return float(1 - after / before)


def apart(scores: Matrix, of: Rows) -> float:
    """Return the share of the variance of scores (n, r) that lies between domains, averaged over the columns."""
    middle = scores.mean(axis=0)
    between = sum((of == j).mean() * (scores[of == j].mean(axis=0) - middle) ** 2 for j in np.unique(of))
    total = scores.var(axis=0)
    return float(np.mean(np.divide(between, total, out=np.zeros(len(total)), where=total > 0)))


def _two(scores):
    """Return the first two columns of scores; the second is zero if there is only one."""
    return scores if scores.shape[1] == 2 else np.column_stack([scores[:, 0], np.zeros(len(scores))])
