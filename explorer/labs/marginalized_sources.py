"""Where the Marginalized lab's sample comes from: a law that is known, or a table."""

from __future__ import annotations

import math

import numpy as np

from explorer.embeddings import GaussianMixture
from explorer.workbench.fields import BUNDLED

from .table import the_table

LAWS = ("mixture", "axis", "normal")
SOURCES = (*LAWS, *BUNDLED, "file")
LAW_FIELDS = ("source", "d", "law_seed")
DATA_FIELDS = (*LAW_FIELDS, "seed", "n", "hash", "columns", "missing", "standardise")  # which points there are
WIDE, NARROW = 100.0, 0.25  # variances of the hills along the useless axis, and along all others


def the_law(lab):
    """The law of a lab, or None for a table: the papers' mixture, hills with one useless axis, or one normal law."""
    if lab.source == "normal":
        return GaussianMixture([1.0], np.zeros((1, lab.d)), np.eye(lab.d))
    if lab.source == "mixture":
        return GaussianMixture.random(lab.d, lab.law_seed)
    return useless_axis(lab.d, lab.law_seed) if lab.source == "axis" else None


def useless_axis(d, seed):
    """The mixture's four hills, narrow in all coordinates but the first, where all lie at 0 and are wide.

    Noise alone.
    """
    hills = GaussianMixture.random(d, seed)
    means = hills.means.copy()
    means[:, 0] = 0.0
    return GaussianMixture(hills.weights, means, [WIDE, *[NARROW] * (d - 1)])


def the_sample(lab, table):
    """The sample (n, d) of a lab's law or table, and its coordinates' names.

    a larger n keeps the rows that were there.
    """
    source = the_law(lab) or the_table(lab, table)
    X = source.sample(lab.n, lab.seed)
    return X, getattr(source, "names", None) or tuple(f"coordinate {j + 1}" for j in range(X.shape[1]))


def unit_of(law, X):
    """The standard deviation that σ counts in.

    The root of the mean variance of the law's coordinates, else of the sample's.
    """
    variances = X.var(axis=0) if law is None else law.variances
    return math.sqrt(variances.mean()) or 1.0
