"""Results of the causes lab: tests at a bandwidth, the regressions behind them, and many samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from explorer.conditional import ConditionalEmbedding, additive_noise, gcm_test, kci_test
from explorer.conditional.additive_noise import residuals
from explorer.conditional.conditioning import standardise
from explorer.datasets.columns.quantity import Quantity, quantities_named
from explorer.datasets.toys.causal import causal
from explorer.discrepancy import TestResult, dhsic_test, hsic_test, rate_interval
from explorer.kernels import Gaussian, Linear, median_and_remark
from explorer.types import Matrix, Points, Vector
from explorer.workbench import Result, deferred, effect, measure, stage, stage_when
from explorer.workbench.cost import costs
from explorer.workbench.samples import Sample, refuse_constant
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps, one_by_one

from .arrows import PAIRS, Allowed, allowed_by, related, third
from .lab import SYMMETRIC, CausesLab

RESAMPLES = 499  # number of resamples of every test
GRID = 60  # number of points along a regression's curve
TESTS = {  # question -> names of its tests; the first one decides
    "given": ("KCI", "GCM", "HSIC without z"),
    "joint": ("dHSIC", "x and y", "x and z", "y and z"),
    "direction": ("x → y", "y → x"),
}
# reason for the refusal if the conditioning variable is constant
GIVEN_NOTHING = "there is nothing that one can be given"


class Look(NamedTuple):
    """Tests and regressions at one bandwidth.

    Attributes
    ----------
    tests : tuple of TestResult
        Tests of the question, in the order of TESTS.
    curves : ndarray of shape (2, GRID)
        Standardised effect along its cause: x and y over z, or y over x and x over y. Empty for the joint test.
    left : ndarray of shape (2, n)
        Residuals of these regressions. Empty for the joint test.
    others : dict of str to float, or None
        For the question about x and y given z: p of the other pairs given the third variable; None until they are
        computed.
    """

    tests: tuple[TestResult, ...]
    curves: np.ndarray
    left: np.ndarray
    others: dict[str, float] | None = None

    @property
    def pvalues(self) -> Vector:
        """P-value of each test."""
        return np.array([test.pvalue for test in self.tests])


@dataclass(frozen=True)
class Study:
    """Number of rejections of each test in `count` more samples of the same kind."""

    count: int
    rejected: tuple[int, ...]

    @property
    def intervals(self) -> Matrix:
        """Clopper-Pearson 95 % interval of each test's rejection probability, shape (t, 2)."""
        return np.array([rate_interval(times, self.count) for times in self.rejected])

    @property
    def shares(self) -> Vector:
        """Rejection rate of each test."""
        return np.array(self.rejected) / self.count


# Seconds on the core on which the labs were timed, and numbers held.


def _look(lab):
    """Return the seconds of the question's tests at one bandwidth, including the displayed regressions."""
    return _tests(lab) + (0.0 if lab.asks == "joint" else _gcm(lab))


def _tests(lab):
    if lab.asks == "given":
        return _kci(lab) + _gcm(lab) + _hsic(lab)
    return 3 * _hsic(lab) + (7e-3 + 2.3e-6 * lab.n**2 if lab.asks == "joint" else _gcm(lab))


def _kci(lab):
    return 3e-3 + 7e-7 * lab.n**2 + 2.6e-9 * lab.n**3


def _gcm(lab):
    """Return the seconds of a gcm_test, or of two regressions."""
    return 3e-3 + 1e-7 * lab.n**2 + 2.5e-10 * lab.n**3


def _hsic(lab):
    return 3e-3 + 7e-8 * lab.n**2


def _held(lab):
    return 12 * lab.n**2


class CausesResult(Result[CausesLab]):
    """Numbers of a state. Rows of its tables are the bandwidths, or one row until all bandwidths are computed."""

    slider_stages = ("look", "rows")
    look_in = Result.at_row

    @stage
    def drawn(self) -> Sample:
        """Return the rows of x, y and z, shape (n, 3), or (n, 2) for a table with two columns."""
        if self.lab.toy:
            return Sample(causal(**self.lab.drawn_as, rng=self.lab.seed), quantities_named("xyz"))
        table = self.lab.the_table()
        names = self.lab.roles(table)
        X = table.sample(self.lab.n, self.lab.seed)[:, [table.names.index(name) for name in names]]
        return Sample(X, table.quantities_of(names))

    @stage
    def medians(self) -> tuple[float, ...]:
        """Return the median distance of each variable."""
        return tuple(median_and_remark(self.drawn.X[:, [j]])[0] for j in range(self.drawn.X.shape[1]))

    @stage
    def remark(self) -> str:
        """Return a remark on the first variable whose median distance had to be replaced, or ""."""
        found = [median_and_remark(self.drawn.X[:, [j]])[1] for j in range(self.drawn.X.shape[1])]
        return next((f"{name}: {each}" for name, each in zip(self.drawn.names, found, strict=True) if each), "")

    @stage_when(lambda result: result.lab.asks == "given")
    def without(self) -> TestResult:
        """Return the test of x and y without z, at median bandwidths."""
        return self.pair_test("xy")

    @deferred(lambda result: result.lab.asks == "given")
    def alone(self) -> dict[str, float]:
        """Compute p of each pair of variables without the third."""
        return {"xy": self.without.pvalue, **{pair: self.pair_test(pair).pvalue for pair in PAIRS[1:]}}

    @stage
    @costs("the tests", _look, _held, "n")
    def look(self) -> Look:
        """Return the tests and regressions at the lab's bandwidth."""
        return self.at_slider(self.look_at)

    @deferred(lambda result: result.lab.tabled)
    @costs("every bandwidth", lambda lab: len(lab.stops) * _look(lab), _held, "n")
    def rows(self) -> Steps[tuple[Look, ...]]:
        """Compute the tests and regressions at every bandwidth of the slider."""
        return one_by_one(self.look_at, self.lab.stops)

    @deferred(lambda result: result.lab.asks == "given" and result.other_rows is None)
    @costs("the tests of the other pairs", lambda lab: 2 * (_kci(lab) + _hsic(lab)), _held, "n")
    def others(self) -> dict[str, float]:
        """Compute p of the other pairs at the lab's bandwidth. It is needed until every bandwidth has its own."""
        return self.others_at(self.lab.bandwidth)

    @deferred(lambda result: result.lab.asks == "given" and result.lab.tabled)
    @costs("the other pairs at every bandwidth", lambda lab: len(lab.stops) * 2 * _kci(lab), _held, "n")
    def other_rows(self) -> Steps[tuple[dict[str, float], ...]]:
        """Compute p of the other pairs at every stop. It is a separate stage, as the slider needs only `rows`."""
        return one_by_one(self.others_at, self.lab.stops)

    @deferred(lambda result: result.lab.samples > 0 and result.lab.toy)
    @costs("the further samples", lambda lab: lab.samples * _tests(lab), _held, "samples", "n")
    def study(self, stopped: Callable[[], bool]) -> Study | None:
        """Count the rejections of each test in samples of the seeds that follow; None if cancelled."""
        lab, rejected = self.lab, []
        for i in range(lab.samples):
            if stopped():
                return None
            seed = further_seed(lab.seed, i)
            X = causal(**lab.drawn_as, rng=seed)
            medians = [median_and_remark(X[:, [j]])[0] for j in range(3)]
            pvalues = [test.pvalue for test in tests_of(lab.asks, X, medians, lab.bandwidth, seed)]
            if lab.asks == "given":
                pvalues.append(hsic_test(X[:, 0], X[:, 1], n_resamples=RESAMPLES, rng=seed).pvalue)
            rejected.append(np.array(pvalues) <= lab.alpha)
        return Study(lab.samples, tuple(np.sum(rejected, axis=0).tolist()))

    def look_at(self, bandwidth: float) -> Look:
        """Return the tests and regressions at another bandwidth, without the other pairs."""
        asks, X, medians = self.lab.asks, self.drawn.X, self.medians
        if asks == "given":
            refuse_constant(self.drawn, GIVEN_NOTHING, [2])
        tests = tests_of(asks, X, medians, bandwidth, self.lab.seed)
        if asks == "joint":
            return Look(tests, np.zeros((2, 0)), np.zeros((2, 0)))
        causes = ((2, 0), (2, 1)) if asks == "given" else ((0, 1), (1, 0))
        seen = [regressed(X[:, a], X[:, b], Gaussian(bandwidth * medians[a]), asks) for a, b in causes]
        curves, left = (np.array(parts) for parts in zip(*seen, strict=True))
        return Look((*tests, self.without) if asks == "given" else tests, curves, left)

    def others_at(self, bandwidth: float) -> dict[str, float]:
        """Return p of x and z given y, and of y and z given x."""
        refuse_constant(self.drawn, GIVEN_NOTHING, [0, 1])
        x, wide = (dict(zip("xyz", each, strict=True)) for each in (self.drawn.X.T, self.medians))
        found = {}
        for a, b in PAIRS[1:]:
            c = third(a + b)
            how: dict[str, Any] = {
                "kernel_z": Gaussian(bandwidth * wide[c]),
                "n_resamples": RESAMPLES,
                "rng": self.lab.seed,
            }
            found[a + b] = kci_test(x[a], x[b], x[c], **how).pvalue
        return found

    def pair_test(self, pair: str) -> TestResult:
        """Return the test of two variables alone, at median bandwidths."""
        a, b = (self.drawn.X[:, "xyz".index(name)] for name in pair)
        return hsic_test(a, b, n_resamples=RESAMPLES, rng=self.lab.seed)

    # Numbers for pages and tables.

    @property
    def total(self) -> int:
        """Number of rows of the table."""
        return self.lab.the_table().n

    @property
    def shown_rows(self) -> tuple[Look, ...]:
        """The tests and regressions at each bandwidth of the slider, or at the lab's alone until these are computed."""
        if not (self.answers and self.rows):
            return (self.look._replace(others=self.others),)
        others = self.other_rows or [self.others if k == self.row else None for k in range(len(self.rows))]
        return tuple(look._replace(others=each) for look, each in zip(self.rows, others, strict=True))

    table_rows = shown_rows

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tests."""
        return TESTS[self.lab.asks]

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Quantities of x, y and z."""
        return self.drawn.quantities

    def allowed(self, look: Look) -> Allowed | None:
        """Return the arrows that the tests of a Look allow at the level; None until all of these tests are done."""
        alpha, asks = self.lab.alpha, self.lab.asks
        if asks == "joint":
            return Allowed(lines=tuple(pair for pair, p in zip(PAIRS, look.pvalues[1:], strict=True) if p <= alpha))
        if asks == "direction":
            forward, backward = look.pvalues > alpha
            if forward and backward:
                return Allowed(lines=("xy",))
            return Allowed(arrows=("xy",) * bool(forward) + ("yx",) * bool(backward))
        if self.alone is None or look.others is None:
            return None
        return allowed_by(self.alone, {"xy": look.tests[0].pvalue, **look.others}, alpha)

    def holds(self, name: str) -> bool | None:
        """Return whether a test's null hypothesis is true for the rows, or None if it is unknown.

        For a direction the hypothesis is that the effect is a function of the cause plus independent noise.
        """
        lab, arrows = self.lab, self.lab.arrows
        if arrows is None:
            return None
        if name in ("KCI", "GCM"):
            return "xy" not in arrows and not ("xz" in arrows and "yz" in arrows)
        if name in ("HSIC without z", "x and y", "x and z", "y and z"):
            a, b = "xy" if "without" in name else (name[0], name[-1])
            return (lab.source == "xor" and not lab.direct) or not related(arrows, a, b)
        if name == "dHSIC":
            return not arrows
        if lab.source not in ("arrow", "none"):
            return None
        straight = lab.effect if lab.source == "arrow" else "line"
        return name == "x → y" or not arrows or (straight, lab.law) in SYMMETRIC

    # Measures and effects, for comparisons, sweeps and presets.

    def p_of(self, name: str) -> float | None:
        """Return p of a test, or None if it does not belong to the question."""
        return float(self.look_in().pvalues[self.names.index(name)]) if name in self.names else None

    def share_of(self, name: str) -> float | None:
        """Return a test's rejection rate in more samples, or None if there are none or it is not in the question."""
        if self.study is None or name not in self.names:
            return None
        return float(self.study.shares[self.names.index(name)])

    kci: measure[float | None] = measure("p of KCI", compute=lambda r: r.p_of("KCI"))
    gcm: measure[float | None] = measure("p of GCM", compute=lambda r: r.p_of("GCM"))
    plain: measure[float | None] = measure("p of HSIC without z", compute=lambda r: r.p_of("HSIC without z"))
    dhsic: measure[float | None] = measure("p of dHSIC", compute=lambda r: r.p_of("dHSIC"))
    forward: measure[float | None] = measure("p of x to y", compute=lambda r: r.p_of("x → y"))
    backward: measure[float | None] = measure("p of y to x", compute=lambda r: r.p_of("y → x"))
    least_pair: measure[float | None] = measure(
        "smallest p of two variables",
        compute=lambda r: float(r.look_in().pvalues[1:].min()) if r.lab.asks == "joint" else None,
    )

    effect_kci: effect[float | None] = effect("p of KCI", of="kci")
    effect_gcm: effect[float | None] = effect("p of GCM", of="gcm")
    effect_pair: effect[float | None] = effect("the smallest p of two variables", of="least_pair")
    effect_forward: effect[float | None] = effect("p of x → y", of="forward")
    effect_backward: effect[float | None] = effect("p of y → x", of="backward")
    effect_level: effect[float | None] = effect(
        "the share of samples in which KCI rejects", compute=lambda r: r.share_of("KCI")
    )
    effect_covariance: effect[float | None] = effect(
        "the share of samples in which GCM rejects", compute=lambda r: r.share_of("GCM")
    )

    # Numbers that the stories let the user guess.

    @property
    def shape(self) -> float | None:
        """0 if the tests allow arrows into z alone, 1 if they join both ends with z, else 2; None if unknown."""
        found = self.allowed(self.look_in())
        if found is None:
            return None
        return 0.0 if set(found.arrows) == {"xz", "yz"} else 1.0 if set(found.lines) == {"xz", "yz"} else 2.0

    @property
    def direction(self) -> float:
        """0 if the residuals allow only x → y, 1 for only y → x, 2 for both, 3 for neither."""
        forward, backward = (p > self.lab.alpha for p in self.look_in().pvalues)
        return (2.0 if backward else 0.0) if forward else (1.0 if backward else 3.0)


def tests_of(
    asks: str, X: Points, medians: list[float] | tuple[float, ...], bandwidth: float, seed: int
) -> tuple[TestResult, ...]:
    """Run the tests of a question at a bandwidth, on rows (n, 3) with these median distances."""
    x, y = X[:, 0], X[:, 1]
    how: dict[str, Any] = {"n_resamples": RESAMPLES, "rng": seed}
    kernels = [Gaussian(bandwidth * median) for median in medians]
    if asks == "direction":
        both = additive_noise(x, y, kernels[0], kernels[1], **how)
        return both.forward, both.backward
    z = X[:, 2]
    if asks == "given":
        return kci_test(x, y, z, kernel_z=kernels[2], **how), gcm_test(x, y, z, kernels[2], **how)
    pairs = (hsic_test(X[:, i], X[:, j], kernels[i], kernels[j], **how) for i, j in ((0, 1), (0, 2), (1, 2)))
    return dhsic_test([x, y, z], kernels, **how), *pairs


def regressed(cause: Vector, effect: Vector, kernel: Gaussian, asks: str) -> tuple[Vector, Vector]:
    """Regress a standardised effect on its cause: return the curve (GRID,) from end to end, and the residuals (n,).

    The residuals are those that the question's tests use. For a direction each row is predicted from the other rows.
    """
    scaled = standardise(effect[:, None])
    fit = ConditionalEmbedding(kernel, Linear()).fit(cause, scaled)
    curve = fit.predict(np.linspace(cause.min(), cause.max(), GRID))[:, 0]
    if asks == "given":
        return curve, (scaled - fit.predict(cause))[:, 0]
    return curve, residuals(cause[:, None], effect[:, None], kernel, fit.lam_)[0][:, 0]
