"""What each smaller picture of the Independence lab shows, for readers who do not see it."""

from __future__ import annotations

import numpy as np

from explorer.printing import short
from explorer.workbench.numbers import number, percent

from .lab import PICTURES
from .result import CELLS


def whole(result):
    """What a pair of functions has a share of."""
    return "HSIC" if result.lab.centred else "the uncentred operator's squared norm"


def _pair(result):
    shape, (x, y) = result.trial.shape, map(short, (result.pairs.names[0], result.pairs.on_axes[1].name))
    (a, b, c), (d, e, h) = ([number(float(v[i])) for i in (0, len(v) // 2, -1)] for v in (shape.f, shape.g))
    yield (
        f"The leading pair: from left to right f({x}) goes from {a} over {b} to {c}, and from bottom to top g({y}) from"
        f" {d} over {e} to {h}. They correlate by {number(shape.together)} and have {percent(shape.share)} of"
        f" {whole(result)}."
    )


def _gram(result):
    M, below = result.trial.cells.reshape(CELLS, CELLS), np.tri(CELLS, k=-1, dtype=bool)
    same = percent((np.sign(M[below]) == np.sign(M.T[below])).mean())
    yield f"Of the mirrored cells of both centred Gram matrices {same} have the same sign."


def _measures(result):
    r, d, trial, alpha = result.pearson, result.distance, result.trial, result.lab.alpha
    for name, value, limit, p in (
        ("Pearson's |r|", abs(r.value), r.limit(alpha), r.pvalue),
        ("The distance correlation", d.value, d.limit(alpha), d.pvalue),
        ("The correlation of HSIC", trial.correlation, trial.limit(alpha), trial.test.pvalue),
    ):
        yield f"{name} is {number(value)}; at the level chance reaches {number(limit)}; p = {number(p)}."


def _ranks(result):
    r, value, bound, gap = result.at_rank
    least = f"With kernels of rank {r} HSIC is {number(value)}; the kernels' own is at most {number(bound)} above it"
    yield f"{least}, for certain, and in fact {number(max(gap, 0.0))}."


def _power(result):
    if result.power is None:
        yield "Parts of the pairs are being tested."
        return
    alpha, (k, r) = result.lab.alpha, result.power
    rows = zip(k.sizes, k.power(alpha), r.power(alpha), strict=True)
    shares = "; ".join(f"{size} pairs: HSIC {percent(a)}, Pearson {percent(b)}" for size, a, b in rows)
    yield f"How often random parts of these pairs show a dependence. {shares}."


def _columns(result):
    c = result.columns
    if c is None:
        yield f"{'A Gram matrix has no' if result.lab.by_gram[0] else 'Only a table has'} columns to rank."
        return
    yield str(c)
    for name, *row in zip(c.names, c.correlation, c.pvalue, c.alone, strict=True):
        value, p, alone = (number(float(each)) for each in row)
        yield f"{short(name)}: correlation of HSIC {value}, p among all columns {p}, alone {alone}."


SMALL = dict(zip(PICTURES, (_pair, _gram, _measures, _ranks, _power, _columns), strict=True))
