"""The Independence lab's pictures in words, a paragraph each, for readers who do not see them."""

from __future__ import annotations

import math
import re

import numpy as np

from explorer.workbench.numbers import number, percent

from .independence_trials import CELLS
from .independence_words import described, fresh_said, r_said


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    pairs = result.pairs
    if not result.enough:
        return [f"{pairs.n} pairs."]
    X, Y, own = pairs.X[:, 0], pairs.Y[:, 0], result.own
    denser = percent((own.field > 0).mean())
    said = [
        (
            f"{pairs.n} pairs. {described(result)}. {pairs.names[0]} has mean {number(float(X.mean()))} and standard"
            f" deviation {number(float(X.std()))}, {pairs.names[-1]} {number(float(Y.mean()))} and"
            f" {number(float(Y.std()))}. {r_said(result)}, p = {number(result.found.pearson.p)}."
        ),
        _null(result),
        (
            f"The cross-covariance is above 0, pairs being denser than if x and y were independent, over {denser} of"
            " the picture."
        ),
        *SMALL[result.lab.picture](result),
    ]
    return [*said, re.sub("<.*?>", "", fresh_said(result)).strip()] if result.fresh else said


def _null(result):
    test, gamma = result.test, result.own.gamma
    null, limit = test.null_distribution, test.threshold(result.lab.alpha)
    edge = f"p is at most {number(result.lab.alpha)} from {number(limit)} on"
    if math.isinf(limit):
        edge = f"that is too few for p to be at most {number(result.lab.alpha)}"
    low, mean, high = (number(float(value)) for value in (null.min(), null.mean(), null.max()))
    return (
        f"{len(null)} shuffles of the pairing give HSIC between {low} and {high}, on average {mean}; {edge}. Observed:"
        f" {number(test.statistic)}, p = {number(test.pvalue)}. Over all orders the mean is exactly"
        f" {number(gamma.mean)} and the standard deviation {number(math.sqrt(gamma.variance))}; the gamma law with both"
        f" says p = {number(gamma.pvalue)}."
    )


def _pair_words(result):
    own, (x, y) = result.own, (result.pairs.names[0], result.pairs.names[-1])
    (a, b, c), (d, e, h) = ([number(float(v[i])) for i in (0, len(v) // 2, -1)] for v in (own.f, own.g))
    return [
        f"The leading pair: from left to right f({x}) goes from {a} over {b} to {c}, and from bottom to top g({y}) from"
        f" {d} over {e} to {h}. They correlate by {number(own.together)} and have {percent(own.share)} of HSIC."
    ]


def _gram_words(result):
    M = result.own.cells.reshape(CELLS, CELLS)
    below = np.tri(CELLS, k=-1, dtype=bool)
    same = float((np.sign(M[below]) == np.sign(M.T[below])).mean())
    return [f"Of the mirrored cells of both centred Gram matrices {percent(same)} have the same sign."]


def _measure_words(result):
    if result.found.distance is None:
        return []
    own, (r, d, _) = result.own, result.found
    rows = (
        ("Pearson's |r|", abs(r.value), r.limit, r.p),
        ("The distance correlation", *d),
        ("The correlation of HSIC", own.correlation, own.limit, own.test.pvalue),
    )
    return [
        f"{name} is {number(value)}; at the level chance reaches {number(limit)}; p = {number(p)}."
        for name, value, limit, p in rows
    ]


def _rank_words(result):
    if result.path is None:
        return []
    r, value, bound, gap = result.at_rank
    return [
        f"With kernels of rank {r} HSIC is {number(value)}; the kernels' own is at most {bound:.2g} above it, for"
        f" certain, and in fact {max(gap, 0.0):.2g}."
    ]


def _power_words(result):
    if result.power is None:
        return ["Parts of the pairs are being tested."]
    alpha, (k, r) = result.lab.alpha, result.power
    rows = zip(k.sizes, k.power(alpha), r.power(alpha), strict=True)
    said = [f"{size} pairs: HSIC {percent(a)}, Pearson {percent(b)}" for size, a, b in rows]
    return [f"How often random parts of these pairs show a dependence. {'; '.join(said)}."]


def _column_words(result):
    if result.columns is None:
        return ["Only a table has columns to rank."]
    c = result.columns
    rows = zip(c.names, c.correlation, c.pvalue, c.alone, strict=True)
    return [
        str(c),
        *(
            f"{name}: correlation of HSIC {number(float(v))}, p among all columns {number(float(p))}, alone "
            f"{number(float(a))}."
            for name, v, p, a in rows
        ),
    ]


SMALL = {
    "pair": _pair_words,
    "gram": _gram_words,
    "measures": _measure_words,
    "ranks": _rank_words,
    "power": _power_words,
    "columns": _column_words,
}
