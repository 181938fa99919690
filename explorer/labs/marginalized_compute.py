"""From a state of the Marginalized lab to its result."""

from __future__ import annotations

from explorer.workbench.steps import with_value

from .marginalized_noisy import Noisy, key_of
from .marginalized_result import MarginalizedResult
from .marginalized_small import SMALL
from .marginalized_sources import DATA_FIELDS

# 24 factors of 1.07 to 1.15 in decimals that a hand would type: 61 stops, and 0
DECADE = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.2, 3.6, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9)
SIGMAS = [0.0, *(v for e in (-2, -1, 0) for m in DECADE if (v := float(f"{m}e{e}")) <= 3)]
SHAPE_FIELDS = ("first", "second", "others")
ESTIMATE_FIELDS = ("bandwidth", *SHAPE_FIELDS)  # what is made of a sample


def own_sigma(lab):
    """A σ off the slider's grid, which has a row of its own in every σ-table; else None."""
    return None if lab.sigma in SIGMAS else lab.sigma


def slider_sigmas(lab):
    """The σ that the slider stops at: the grid and, where it is off the grid, the lab's own."""
    return SIGMAS if lab.sigma is None else with_value(SIGMAS, lab.sigma)


def replicates_key(lab):
    """Under which key a lab's cache has its further samples."""
    return "replicates", own_sigma(lab), key_of(lab, (*DATA_FIELDS, *ESTIMATE_FIELDS, "samples"))


def compute(lab, table, cache):
    """A MarginalizedResult from a snapshot of the lab; what has not changed since the last one comes from the cache."""
    noisy, sigmas, given = Noisy.of(lab, table, cache), slider_sigmas(lab), key_of(lab, SHAPE_FIELDS)
    stops = own_sigma(lab)
    mkme = noisy.cached(("mkme", stops), lambda: noisy.mkme(sigmas))
    mmkme = noisy.cached(("mmkme", stops, given), lambda: noisy.mmkme(sigmas, given))
    row = len(sigmas) if lab.sigma is None else sigmas.index(lab.sigma)
    return MarginalizedResult(
        lab=lab,
        law=noisy.law,
        X=noisy.X,
        names=noisy.names,
        unit=noisy.unit,
        kernel=noisy.kernel,
        remark=noisy.remark,
        empirical_loss=noisy.empirical,
        mkme=mkme,
        mmkme=mmkme,
        risk=noisy.cached(("risk", stops), lambda: noisy.risk(mkme.sigmas)),
        small=SMALL[lab.picture](noisy, mkme, mmkme, row, lab),
        replicates=cache.peek(replicates_key(lab)),
    )
