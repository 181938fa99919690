"""From a state of the Shrinkage lab to its result."""

from __future__ import annotations

from explorer.model import frozen

from .scene import Scene
from .shrinkage_result import ShrinkageResult
from .shrunk import FILTER_AT, Filtered, Simple
from .sources import DATA_FIELDS
from .steps import log_steps, with_value

LAMS = log_steps(1e-4, 1e2)
ESTIMATE_FIELDS = (
    "kernel",
    "bandwidth",
    "selection",
    "filter",
    "weights",
    "target",
    "target_at",
)  # what is made of a sample


def own_lam(lab):
    """A λ off the slider's grid, which has a row of its own in every λ-table; else None."""
    return None if lab.lam in LAMS else lab.lam


def slider_lams(lab):
    """The λ that the slider stops at: the grid and, where it is off the grid, the lab's own."""
    return LAMS if lab.lam is None else with_value(LAMS, lab.lam)


def replicates_key(lab):
    """Under which key a lab's cache has its further samples, in which no point was moved by hand."""
    fields = (*DATA_FIELDS, *ESTIMATE_FIELDS, "samples")
    return "replicates", own_lam(lab), tuple(frozen(getattr(lab, field)) for field in fields if field != "moved")


def compute(lab, table, cache):
    """A ShrinkageResult from a snapshot of the lab; what has not changed since the last one comes from the cache."""
    scene, lams = Scene.of(lab, table, cache), slider_lams(lab)
    simple, filtered = Simple.of(lab, scene, lams), Filtered.of(lab, scene, lams)
    return ShrinkageResult(
        lab=lab,
        law=scene.law,
        X=scene.X,
        names=scene.names,
        kernel=scene.kernel,
        remark=scene.remark,
        scale=scene.scale,
        empirical_loss=None if scene.truth is None else scene.truth.empirical_loss(scene.spectrum),
        expected_gain=None if lab.outliers or lab.moved else simple.share,
        simple=simple.path,
        flexible=filtered.path,
        blob=simple.blob,
        simple_keeps=simple.keeps,
        simple_weights=simple.weights,
        weights=filtered.weights,
        eigenvalues=scene.spectrum.gamma / scene.scale,
        kept=filtered.kept,
        coefficients=scene.spectrum.coefficients(),
        simple_coefficients=simple.coefficients,
        filter_at=FILTER_AT,
        filter=filtered.filter,
        filtering=filtered.filtering,
        replicates=cache.peek(replicates_key(lab)),
    )
