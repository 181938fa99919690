"""What each smaller picture of the Independence lab says to readers who do not see it, besides what its marks say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.printing import short
from explorer.workbench.numbers import number, percent

from .result import CELLS

if TYPE_CHECKING:
    from .result import IndependenceResult


def whole(result: IndependenceResult) -> str:
    """What a pair of functions accounts for a share of."""
    return "HSIC" if result.lab.centred else "the uncentred operator's squared norm"


def pair(result: IndependenceResult) -> str:
    """The functions that covary most, and how much of the dependence they have."""
    if not result.enough:
        return ""
    shape, (x, y) = result.trial.shape, map(short, (result.pairs.names[0], result.pairs.on_axes[1].name))
    (a, b, c), (d, e, h) = ([number(float(v[i])) for i in (0, len(v) // 2, -1)] for v in (shape.f, shape.g))
    return (
        f"From left to right f({x}) goes from {a} over {b} to {c}, and from bottom to top g({y}) from"
        f" {d} over {e} to {h}. Their correlation is {number(shape.together)}, and they account for"
        f" {percent(shape.share)} of {whole(result)}."
    )


def gram(result: IndependenceResult) -> str:
    """How alike both Gram matrices are."""
    if not result.enough:
        return ""
    M, below = result.trial.cells.reshape(CELLS, CELLS), np.tri(CELLS, k=-1, dtype=bool)
    same = percent((np.sign(M[below]) == np.sign(M.T[below])).mean())
    return f"{same} of the mirrored cells of the two centred Gram matrices have the same sign."


def measures(result: IndependenceResult) -> str:
    """The p of each coefficient."""
    if not result.enough or result.distance is None:
        return ""
    pvalues = (result.pearson.pvalue, result.distance.pvalue, result.trial.test.pvalue)
    r, d, hsic = (number(p) for p in pvalues)
    return f"p = {r} by Pearson's |r|, {d} by the distance correlation, {hsic} by HSIC."


def columns(result: IndependenceResult) -> str:
    """The columns by their dependence on y."""
    c = result.columns
    if c is None:
        return f"{'A Gram matrix has no' if result.lab.by_gram[0] else 'Only a table has'} columns to rank."
    told = [str(c)]
    for name, *row in zip(c.names, c.correlation, c.pvalue, c.alone, strict=True):
        value, p, alone = (number(float(each)) for each in row)
        told.append(f"{short(name)}: correlation of HSIC {value}, p among all columns {p}, alone {alone}.")
    return " ".join(told)
