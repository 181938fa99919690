"""Outcomes of a treated and an untreated group, reweighted to estimate everybody's outcome in each arm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.adaptation import counterfactual_mean, treatment_test
from explorer.adaptation.covariate import effective_sample_size
from explorer.checks import Refusal
from explorer.conditional import ConditionalEmbedding
from explorer.datasets import outcome_laws, outcome_means, treated_groups
from explorer.datasets.columns.quantity import Quantity, quantities_named
from explorer.estimators import KME
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.labs.adaptation.lab import AdaptationLab
from explorer.types import Matrix, Vector
from explorer.workbench import Result, deferred, effect, for_picture, measure
from explorer.workbench.cost import costs
from explorer.workbench.stages import Steps, Value, one_by_one

if TYPE_CHECKING:
    from explorer.labs.adaptation.remedies import Pair


DRAWS = 999  # number of draws of the treatment indicator in the test
ACROSS, ALONG = 121, 61  # number of y positions of the densities, and of x positions of the mean of y
ROOM = 0.06  # margin of the frame, as a share of the points' range
ARMS = ("treated", "controls")


class Groups(NamedTuple):
    """Covariates and outcomes of a treated and an untreated group.

    Attributes
    ----------
    X : ndarray of shape (N, d)
        Covariates.
    y : ndarray of shape (N,)
        Outcomes.
    treated : ndarray of bool of shape (N,)
        Which rows are treated.
    quantities : tuple of Quantity
        Quantities of the columns of x and of y.
    arm_names : tuple of str
        Names of the treated and of the controls.
    """

    X: np.ndarray
    y: np.ndarray
    treated: np.ndarray
    quantities: tuple[Quantity, ...]
    arm_names: tuple[str, str]


class Outcomes(NamedTuple):
    """Estimates and truth for both arms, the treated first.

    Attributes
    ----------
    groups : Groups
        The data.
    naive : ndarray of shape (2,)
        Mean of y in each group, unweighted.
    means : ndarray of shape (2,)
        Means reweighted to everybody, nan without overlap.
    true : ndarray of shape (2,) or None
        True means of everybody, or None for a table.
    weights : ndarray of shape (N,)
        Weight of each row in its arm, scaled by the arm's number of rows; 0 without overlap.
    sizes : ndarray of shape (2,)
        Effective sample sizes, nan without overlap.
    apart : float
        RKHS distance between both arms, nan without overlap.
    true_apart : float or None
        RKHS distance between everybody's outcome distributions, or None for a table.
    densities : tuple of ndarray of shape (2, ACROSS)
        Densities of y: unweighted, reweighted and true. Unknown ones are nan.
    lines : ndarray of shape (2, ALONG)
        Regression of y on x in each arm.
    true_lines : ndarray of shape (2, ALONG) or None
        True regression for people who are alike in all that matters, or None for a table.
    refused : str
        Reason why there is no estimate for everybody, or "".
    """

    groups: Groups
    naive: np.ndarray
    means: np.ndarray
    true: np.ndarray | None
    weights: np.ndarray
    sizes: np.ndarray
    apart: float
    true_apart: float | None
    densities: tuple[np.ndarray, np.ndarray, np.ndarray]
    lines: np.ndarray
    true_lines: Any
    refused: str

    @property
    def gap(self) -> float:
        """Unweighted difference in means, treated minus controls."""
        return float(self.naive[0] - self.naive[1])

    @property
    def effect(self) -> float:
        """Reweighted difference in means."""
        return float(self.means[0] - self.means[1])

    @property
    def true_effect(self) -> float | None:
        """True difference in means, or None for a table."""
        return None if self.true is None else float(self.true[0] - self.true[1])

    @property
    def overlap(self) -> float:
        """Effective share of the arm where it is smaller; 0 if the groups do not overlap."""
        if self.refused:
            return 0.0
        treated = self.groups.treated
        return float(min(self.sizes / [treated.sum(), (~treated).sum()]))


# Seconds on the core on which the labs were timed.


def _arms(lab):
    return 0.01 + 3e-7 * (lab.n**2 + lab.m**2) + 3e-9 * (lab.n**3 + lab.m**3)


def _test(lab):
    rows = lab.n + lab.m
    return 0.01 + 2e-6 * rows**2 + 1e-9 * rows**3


def _test_held(lab):
    return 5 * (lab.n + lab.m) ** 2


class TreatmentStages(Result[AdaptationLab]):
    """Stages of the treatment picture."""

    pair: Any  # the Pair of a table's groups

    @for_picture("treatment")
    def groups(self) -> Groups:
        """Return the Groups: the toy's, or both groups of a table. The target is the treated group."""
        lab = self.lab
        if lab.change:
            trial = treated_groups(lab.effect, lab.shift, lab.n, lab.m, lab.hidden, lab.seed)
            return Groups(*trial, quantities_named("xy"), ARMS)
        pair: Pair = self.pair
        treated = np.repeat([False, True], [len(pair.X), len(pair.Z)])
        X, y = np.concatenate([pair.X, pair.Z]), np.concatenate([pair.y, pair.hidden])
        return Groups(X, y, treated, pair.quantities, (pair.sample_names[1], pair.sample_names[0]))

    @for_picture("treatment")
    def box(self) -> tuple[tuple[float, float], ...]:
        """Return the ranges of x and y in the pictures; a toy's ranges fit the points at all stops of the slider."""
        lab = self.lab
        parts: list[Any] = [self.groups]
        if lab.change:
            ends = lab.stops[0], lab.stops[-1]
            parts = [treated_groups(lab.effect, end, lab.n, lab.m, lab.hidden, lab.seed) for end in ends]
        sides = (np.concatenate([part.X[:, 0] for part in parts]), np.concatenate([part.y for part in parts]))
        return tuple(_ends(side) for side in sides)

    @for_picture("treatment")
    @costs("both arms", _arms, lambda lab: 4 * (lab.n + lab.m) ** 2, "n", "m")
    def outcomes(self) -> Outcomes:
        """Return the estimates and the truth for both arms at the lab's shift."""
        lab, groups = self.lab, self.groups
        X, y, treated = groups[:3]
        kernel_x, kernel_y = (Gaussian(lab.bandwidth * median_and_remark(side)[0]) for side in (X, y[:, None]))
        rows = (treated, ~treated)
        (low, high), (bottom, top) = self.box
        places = np.tile(np.median(X, axis=0), (ALONG, 1))
        places[:, 0] = np.linspace(low, high, ALONG)
        at = np.linspace(bottom, top, ACROSS)[:, None]
        centre, refused = float(y.mean()), ""
        as_they_are = np.array([KME(kernel_y).embed(y[each]).density(at) for each in rows])
        lines = [centre + ConditionalEmbedding(kernel_x, kernel_y).fit(X[each], y[each] - centre).predict(places)
                 for each in rows]  # fmt: skip
        means, sizes, apart = np.full(2, np.nan), np.full(2, np.nan), np.nan
        weights, densities = np.zeros(len(y)), np.full((2, ACROSS), np.nan)
        try:
            arms = counterfactual_mean(X, y, treated, kernel_x, kernel_y)
        except Refusal as sentence:
            refused = str(sentence)
        else:
            # The weights need not sum to 1, so the means depend on the origin of y.
            means = np.array([centre + arm.weights @ (arm.points[:, 0] - centre) for arm in arms])
            sizes = np.array([effective_sample_size(arm.weights) for arm in arms])
            apart = arms[0].distance(arms[1])
            densities = np.array([arm.density(at) for arm in arms])
            for each, arm in zip(rows, arms, strict=True):
                weights[each] = each.sum() * arm.weights
        true, true_apart, true_lines, exact = None, None, None, np.full((2, ACROSS), np.nan)
        if lab.change:
            laws = outcome_laws(lab.effect, lab.shift, float(treated.mean()), lab.hidden)
            embedded = [law.embed(kernel_y) for law in laws]
            true, true_apart = np.array([law.mean[0] for law in laws]), embedded[0].distance(embedded[1])
            exact = np.array([each.density(at) for each in embedded])
            true_lines = outcome_means(lab.effect, places[:, 0])
        naive = np.array([y[each].mean() for each in rows])
        return Outcomes(
            groups, naive, means, true, weights, sizes, apart, true_apart, (as_they_are, densities, exact),
            np.array(lines), true_lines, refused,
        )  # fmt: skip

    @deferred(lambda result: result.lab.picture == "treatment" and result.lab.change is not None)
    @costs(
        "both arms at every shift",
        lambda lab: len(lab.stops) * _arms(lab),
        lambda lab: len(lab.stops) * (2 * (lab.n + lab.m) + 1000),
        "n",
        "m",
    )
    def treatments(self) -> Steps[tuple[Outcomes, ...]]:
        """Compute the estimates and the truth for both arms at every default stop of the slider."""
        return one_by_one(lambda shift: self.elsewhere(shift=shift).outcomes, self.lab.default_stops)

    @deferred(lambda result: result.lab.picture == "treatment" and result.lab.change is not None)
    @costs("the test of no effect", lambda lab: len(lab.stops) * _test(lab), _test_held, "n", "m")
    def pvalues(self) -> Steps[tuple[float | str, ...]]:
        """Compute the result of `tested` at every default stop of the slider."""
        return one_by_one(lambda shift: self.elsewhere(shift=shift).tested(), self.lab.default_stops)

    @deferred(lambda result: result.lab.picture == "treatment" and result.lab.shift not in result.known_shifts)
    @costs("the test of no effect", lambda lab: 0.0 if lab.change else _test(lab), _test_held, "n", "m")
    def own_pvalue(self) -> tuple[float | str]:
        """Compute the result of `tested` at the lab's shift if it is not a default stop, or for a table."""
        return (self.tested(),)

    def tested(self) -> float | str:
        """Return the p-value of the test of no effect, or the message of its Refusal."""
        X, y, treated = self.groups[:3]
        kernels = (Gaussian(self.lab.bandwidth * median_and_remark(side)[0]) for side in (X, y[:, None]))
        try:
            return treatment_test(X, y, treated, *kernels, n_resamples=DRAWS, rng=self.lab.seed).pvalue
        except Refusal as refusal:
            return str(refusal)

    @property
    def known_shifts(self) -> tuple[float, ...]:
        """Shifts for which `pvalues` has a p-value; empty for a table."""
        return tuple(self.lab.default_stops) if self.lab.change else ()

    @property
    def pvalue(self) -> float | None:
        """P-value at the lab's shift, or None while it is computed or if there is none."""
        return None if isinstance(self._tested_here, str) else self._tested_here

    @property
    def untested(self) -> str:
        """Reason why there is no p-value at the lab's shift; empty while it is computed or if there is one."""
        return self._tested_here if isinstance(self._tested_here, str) else ""

    @property
    def _tested_here(self):
        if self.lab.shift in self.known_shifts:
            return None if self.pvalues is None else self.pvalues[self.known_shifts.index(self.lab.shift)]
        return None if self.own_pvalue is None else self.own_pvalue[0]

    @property
    def treatment_rows(self) -> tuple[Outcomes, ...]:
        """The estimates and the truth for both arms, for each row of the slider's tables."""
        return self.in_rows(self.treatments, self.outcomes)

    def in_rows(self, every: tuple[Value, ...] | None, now: Value) -> tuple[Value, ...]:
        """Return a value for each row of the slider's tables: `every` has the default stops', `now` is the lab's."""
        if every is None or not self.answers:
            return (now,)
        known = dict(zip(self.lab.default_stops, every, strict=True))
        return tuple(known.get(stop, now) for stop in self.stops)

    treated_gap: measure[float | None] = measure(
        "difference of treated and controls, as they are",
        "difference of treated and controls, unweighted",
        compute=lambda r: r.outcomes and r.outcomes.gap,
    )
    reweighted_gap: measure[float | None] = measure(
        "effect of the treatment, reweighted", compute=lambda r: _known(r.outcomes, "effect")
    )
    true_gap: measure[float | None] = measure(
        "effect of the treatment", compute=lambda r: r.outcomes and r.outcomes.true_effect
    )

    @effect("the bias left of the groups' difference")
    def effect_bias(self) -> float | None:
        """Return the relative bias of the difference in means, |reweighted - true| / |unweighted - true|."""
        found = self.outcomes
        if found is None or found.refused or (true := found.true_effect) is None:
            return None
        return abs(found.effect - true) / max(abs(found.gap - true), 1e-300)

    effect_overlap: effect[float | None] = effect(
        "the effective share of the smaller arm", compute=lambda r: r.outcomes and r.outcomes.overlap
    )


def _known(outcomes, name):
    return None if outcomes is None or outcomes.refused else getattr(outcomes, name)


def _ends(values: Vector | Matrix) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = ROOM * (high - low) + 1e-9
    return low - room, high + room
