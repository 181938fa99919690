"""The Shrinkage lab: what a little shrinking does to a kernel mean."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import param

from explorer import checks
from explorer.datasets import load
from explorer.embeddings import GaussianMixture, contaminate
from explorer.embeddings.contamination import KINDS
from explorer.estimators import FKMSE, SKMSE
from explorer.estimators.filters import tikhonov
from explorer.estimators.simple import Summary
from explorer.estimators.spectrum import Spectrum
from explorer.kernels import Gaussian, Kernel, Linear, Polynomial
from explorer.kernels.bandwidth import median_and_remark
from explorer.linalg import smallest_eigenvalue
from explorer.model import LogNumber, Whole, frozen

from .base import Cache, Lab
from .moved import apply, places
from .paths import Path, Truth, flexible_path, simple_path
from .replicates import Replicates, repeat
from .steps import log_steps, with_value

KERNELS = {"LIN": Linear(), "POLY2": Polynomial(2), "POLY3": Polynomial(3), "RBF": Gaussian()}
BUNDLED = ("wine", "wdbc")
SOURCES = ("mixture", "gaussian", *BUNDLED, "file")
LAMS = log_steps(1e-4, 1e2)
SAMPLE_FIELDS = ("source", "d", "law_seed", "seed", "hash", "columns", "missing", "standardise")  # which points there are
DATA_FIELDS = (*SAMPLE_FIELDS, "n", "outliers", "distance", "kind", "moved")
FILTER_POINTS = 81  # of the filter's curve over seven decades of eigenvalues


def _copied(model, name, **changes):
    """A parameter of a model, copied, so that its bounds and its words are declared once."""
    field = copy.copy(model.param[name])
    for slot, value in changes.items():
        setattr(field, slot, value)
    return field


class ShrinkageLab(Lab):
    """Samples of a law or a table, and S-KMSE and F-KMSE of them over a range of λ.

    λ has one scale for all kernels: S-KMSE takes λ, F-KMSE λ times the mean of k(x, x). lam=None leaves each estimator at
    its own leave-one-out choice. Outliers replace the last rows of a sample; the loss is always to the clean law.
    """

    aside = ("samples", "picture")
    source = param.Selector(default="mixture", objects=list(SOURCES), doc="where the sample comes from")
    n = Whole(20, bounds=(2, 2000), softbounds=(5, 400), symbol="n", doc="points in the sample")
    d = Whole(2, bounds=(1, 100), softbounds=(1, 100), symbol="d", doc="coordinates of a point")
    kernel = param.Selector(default="RBF", objects=list(KERNELS), doc="what makes two points alike")
    bandwidth = _copied(Gaussian, "bandwidth", default=0.32, allow_None=False, unit="× median θ", symbol="bandwidth")
    lam = _copied(SKMSE, "lam")
    selection = _copied(FKMSE, "selection")
    outliers = Whole(0, bounds=(0, 1000), softbounds=(0, 30), symbol="outliers", doc="rows that were replaced")
    distance = LogNumber(10.0, bounds=(0, None), inclusive_bounds=(False, True), softbounds=(2, 2000), unit="sd",
                         symbol="distance", doc="of the outliers from the mean")  # fmt: skip
    kind = param.Selector(default=KINDS[0], objects=list(KINDS), doc="what the outliers look like")
    moved = param.String(default="", doc="points that were moved by hand, a JSON map from a row to its first two coordinates")
    seed = Whole(1, bounds=(0, 2**32 - 1), symbol="seed", doc="of the sample; one seed is one sample")
    samples = Whole(0, bounds=(0, 1000), doc="further samples of the law, for the bands and the win rate")
    picture = param.Selector(
        default="filter", objects=["filter", "coefficients", "risk"], doc="which of the small pictures is shown"
    )
    law_seed = Whole(1, bounds=(0, 2**32 - 1), symbol="law", doc="of the mixture's means and covariances")
    file = param.String(default="", doc="the name of your own table; the data stay in the session")
    rows = Whole(0, bounds=(0, None), doc="rows of your own table")
    hash = param.String(default="", doc="SHA-256 of your own table")
    columns = param.String(default="", doc="the columns taken of your own table, a JSON list; empty is all numeric ones")
    missing = param.Selector(default="refuse", objects=["refuse", "drop"], doc="rows with missing values")
    standardise = param.Boolean(default=True, doc="whether a table's columns are scaled to mean 0 and variance 1")

    def __init__(self, *args, **kwargs):
        self.table = None
        super().__init__(*args, **kwargs)

    def move(self, **changes):
        """The same; moved points go back to their places with another sample, whose points they would not be."""
        anew = any(name in SAMPLE_FIELDS and value != getattr(self, name) for name, value in changes.items())
        super().move(**({"moved": ""} if anew and self.moved else {}), **changes)

    def _check(self):
        places(self.moved)
        if self.outliers >= self.n:
            raise ValueError(f"{self.outliers} outliers need n of at least {self.outliers + 1}, and n is {self.n}.")

    def task(self):
        """A function that computes this state's ShrinkageResult."""
        return partial(compute, self.replace(), self.table, self._cache)

    def more(self):
        """The Replicates of further samples, of the seeds that follow; None where no law is known or none are asked for."""
        if self.samples == 0 or the_law(self) is None:
            return None
        others = [self.replace(seed=(self.seed + 1 + i) % 2**32, lam=_own_lam(self), moved="") for i in range(self.samples)]
        return _replicates_key(self), lambda stopped: repeat(lambda i: compute(others[i], None, Cache()), len(others), stopped)


@dataclass(frozen=True)
class ShrinkageResult:
    """What a state of the lab shows. Rows of λ-tables: the slider's λ, then the leave-one-out choice.

    X (n, d) with its coordinates' names; a remark where the bandwidth is not the plain median's; scale = mean k(x, x);
    expected_gain = α* where it is known; weights (m + 1, n) of F-KMSE; eigenvalues (n,) of the Gram matrix, what F-KMSE
    kept (m + 1, n) of them, and the same filter (m + 1, p) at filter_at (p,), all in units of scale; the coefficients
    |<μ̂, v_i>| / |μ̂| (n,) of the empirical mean; replicates where the lab already has those of this state.
    """

    lab: ShrinkageLab
    law: GaussianMixture | None
    X: np.ndarray
    names: tuple[str, ...]
    kernel: Kernel
    remark: str
    scale: float
    expected_gain: float | None
    simple: Path
    flexible: Path
    weights: np.ndarray
    eigenvalues: np.ndarray
    kept: np.ndarray
    coefficients: np.ndarray
    filter_at: np.ndarray
    filter: np.ndarray
    replicates: Replicates | None

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, checks.read_only(value))

    @property
    def row(self):
        """The row of the λ-tables that the lab is at."""
        return len(self.simple.lams) - 1 if self.lab.lam is None else self.simple.lams.tolist().index(self.lab.lam)

    def at(self, lam):
        """The same numbers at another λ of the rows."""
        return replace(self, lab=self.lab.replace(lam=lam))

    def risk_parts(self):
        """S-KMSE's expected loss at each row relative to the empirical mean's, (1 - α)^2 and α^2 (1 - α*) / α*, or None.

        Variance and squared bias, exactly: R(α) = (1 - α)^2 Δ + α^2 |μ|^2, and α* = Δ / (Δ + |μ|^2).
        """
        best = self.expected_gain
        if best is None or best == 0:
            return None
        keep = 1 / (1 + self.simple.lams)
        return keep**2, (1 - keep) ** 2 * (1 - best) / best

    @property
    def gamma0(self):
        """The smallest eigenvalue that is not 0, in units of scale; infinite where all are."""
        return smallest_eigenvalue(self.eigenvalues)

    @property
    def touched(self):
        """Which rows are outliers or were moved by hand, (n,)."""
        rows = np.arange(len(self.X))
        return (rows >= self.clean) | np.isin(rows, list(places(self.lab.moved)))

    @property
    def clean(self):
        """How many rows are no outliers."""
        return len(self.X) - self.lab.outliers

    @property
    def effects(self):
        """The numbers that presets promise something about."""
        share = self.weights[self.row]
        return {
            "S-KMSE's gain": self.gain(self.simple),
            "F-KMSE's gain": self.gain(self.flexible),
            "the lesser gain": min(self.gain(self.simple), self.gain(self.flexible)),
            "an outlier's weight beside a clean point's": float(share[self.clean :].mean() / share[: self.clean].mean())
            if self.lab.outliers else 1.0,
        }  # fmt: skip

    def gain(self, path, row=None):
        """1 - loss / loss of KME at a row; from the leave-one-out score where there is no truth."""
        return float(1 - path.height[self.row if row is None else row])


def _replicates_key(lab):
    fields = (*DATA_FIELDS, "samples", "kernel", "bandwidth", "selection")
    return "replicates", _own_lam(lab), tuple(frozen(getattr(lab, field)) for field in fields if field != "moved")


def _own_lam(lab):
    """A λ off the slider's grid, which has a row of its own in every λ-table; else None."""
    return None if lab.lam in LAMS else lab.lam


def slider_lams(lab):
    """The λ that the slider stops at: the grid and, where it is off the grid, the lab's own."""
    return LAMS if lab.lam is None else with_value(LAMS, lab.lam)


def the_law(lab):
    """The clean law of a lab, or None for a table."""
    if lab.source == "gaussian":
        return GaussianMixture([1.0], np.zeros((1, lab.d)), np.eye(lab.d))
    return GaussianMixture.random(lab.d, lab.law_seed) if lab.source == "mixture" else None


def the_table(lab, table):
    """The table of a lab: a bundled one, or the session's own."""
    if lab.source in BUNDLED:
        data = load(lab.source)
        return data.standardised() if lab.standardise else data
    if table is None or table.hash != lab.hash:
        asked = f"the table {lab.file} ({lab.rows} rows)" if lab.file else "a table of your own"
        raise ValueError(f"This page shows {asked}, which stays with its owner: choose the file under Your data.")
    return table


def the_sample(lab, table):
    """The sample of a lab, outliers included, and its coordinates' names; a larger n keeps the rows that were there."""
    source = the_law(lab) or the_table(lab, table)
    X = source.sample(lab.n, lab.seed)
    names = getattr(source, "names", None) or tuple(f"coordinate {j + 1}" for j in range(X.shape[1]))
    return apply(contaminate(X, lab.outliers, lab.kind, lab.distance, lab.seed), lab.moved), names


def compute(lab, table, cache):
    """A ShrinkageResult from a snapshot of the lab; each step is cached under the fields it depends on."""
    data = tuple(frozen(getattr(lab, field)) for field in DATA_FIELDS)
    X, names = cache.get(("sample", data), lambda: the_sample(lab, table))
    kernel, remark = KERNELS[lab.kernel], ""
    pairs = cache.get(("pairs", type(kernel).pairs, data), lambda: kernel.pairs(X))
    if lab.kernel == "RBF":
        median, remark = cache.get(("median", data), lambda: median_and_remark(X))
        kernel = Gaussian(lab.bandwidth * median)
    given = (kernel.key, data)
    spectrum = cache.get(("spectrum", given), lambda: Spectrum(kernel.of_pairs(pairs)))
    law = the_law(lab)
    truth = None if law is None else cache.get(("truth", given), lambda: Truth.of(law, kernel, X))
    flexible = FKMSE(selection=lab.selection)
    chosen = cache.get(("chosen", lab.selection, given), lambda: flexible.best_lam(spectrum))

    summary = Summary.of_spectrum(spectrum)
    scale = summary.diagonal if summary.diagonal > 0 else 1.0
    lams = slider_lams(lab)
    path = flexible_path(lams, chosen, scale, summary, spectrum, flexible.score(spectrum), truth)
    filter_at = np.geomspace(1e-4, 1e3, FILTER_POINTS)
    return ShrinkageResult(
        lab=lab, law=law, X=X, names=names, kernel=kernel, remark=remark, scale=scale,
        expected_gain=None if truth is None or lab.outliers or lab.moved else truth.share,
        simple=simple_path(lams, summary, spectrum, truth), flexible=path, weights=spectrum.weights(path.lams * scale).T,
        eigenvalues=spectrum.gamma / scale, kept=spectrum.filter(path.lams * scale).T,
        coefficients=spectrum.coefficients(),
        filter_at=filter_at, filter=tikhonov(filter_at[:, None], path.lams).T,
        replicates=cache.peek(_replicates_key(lab)),
    )  # fmt: skip
