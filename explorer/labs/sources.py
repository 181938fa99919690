"""Where a lab's sample comes from: a law that is known, or a table."""

from __future__ import annotations

import numpy as np

from explorer.datasets import load
from explorer.embeddings import GaussianMixture, contaminate

from .moved import apply

LAWS, BUNDLED = ("mixture", "gaussian"), ("wine", "wdbc")
SOURCES = (*LAWS, *BUNDLED, "file")
LAW_FIELDS = ("source", "d", "mean", "law_seed")
# of a lab: which points there are, and with what has become of them
SAMPLE_FIELDS = (*LAW_FIELDS, "seed", "hash", "columns", "missing", "standardise")
DATA_FIELDS = (*SAMPLE_FIELDS, "n", "outliers", "distance", "kind", "moved")


def the_law(lab):
    """The clean law of a lab, or None for a table."""
    if lab.source == "gaussian":
        return GaussianMixture([1.0], np.full((1, lab.d), lab.mean), np.eye(lab.d))
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


def the_sample(lab, source):
    """The sample of a lab, outliers included, and its coordinates' names; a larger n keeps the rows that were there."""
    X = source.sample(lab.n, lab.seed)
    names = getattr(source, "names", None) or tuple(f"coordinate {j + 1}" for j in range(X.shape[1]))
    return apply(contaminate(X, lab.outliers, lab.kind, lab.distance, lab.seed), lab.moved), names
