"""Text twins of the smaller pictures of the Independence lab, which add to the texts of their marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate
from explorer.printing import short_name
from explorer.workbench.numbers import format_number, percent

from .canonical import EPS
from .result import CELLS

if TYPE_CHECKING:
    from .result import IndependenceResult


def whole(result: IndependenceResult) -> str:
    """Return the name of the quantity of which a pair of functions accounts for a share."""
    return "HSIC" if result.lab.centred else translate("the uncentred operator's squared norm")


def pair(result: IndependenceResult) -> str:
    """Describe the functions that covary most, and their share of the dependence."""
    if not result.enough:
        return ""
    shape, (x, y) = result.trial.shape, map(short_name, (result.pairs.names[0], result.pairs.on_axes[1].name))
    (a, b, c), (d, e, h) = ([format_number(float(v[i])) for i in (0, len(v) // 2, -1)] for v in (shape.f, shape.g))
    return translate(
        "From left to right f({}) goes from {} through {} to {}, and from bottom to top g({}) from {} through {} to"
        " {}. Their correlation is {}, and they account for {} of {}.",
        x,
        a,
        b,
        c,
        y,
        d,
        e,
        h,
        format_number(shape.together),
        percent(shape.share),
        whole(result),
    )


def gram(result: IndependenceResult) -> str:
    """Describe how similar both Gram matrices are."""
    if not result.enough:
        return ""
    M, below = result.trial.cells.reshape(CELLS, CELLS), np.tri(CELLS, k=-1, dtype=bool)
    same = percent((np.sign(M[below]) == np.sign(M.T[below])).mean())
    return translate("{} of the mirrored cells of the two centred Gram matrices have the same sign.", same)


def measures(result: IndependenceResult) -> str:
    """Return the p of each coefficient."""
    if not result.enough or result.distance is None:
        return ""
    pvalues = (result.pearson.pvalue, result.distance.pvalue, result.trial.test.pvalue)
    r, d, hsic = (format_number(p) for p in pvalues)
    told = translate("p = {} by Pearson's |r|, {} by the distance correlation, {} by HSIC.", r, d, hsic)
    if result.information is None:
        return told
    nats, p = (format_number(each) for each in (result.information.statistic, result.information.pvalue))
    return translate("{} Mutual information is {} nats, p = {}.", told, nats, p)


def columns(result: IndependenceResult) -> str:
    """Describe the columns by their dependence on y."""
    c = result.columns
    if c is None:
        return translate(
            "{} columns to rank.",
            translate("A Gram matrix has no") if result.lab.gram else translate("Only a table has"),
        )
    told = [str(c)]
    for name, *row in zip(c.names, c.correlation, c.pvalue, c.alone, strict=True):
        value, p, alone = (format_number(float(each)) for each in row)
        told.append(
            translate("{}: normalised HSIC {}, p among all columns {}, alone {}.", short_name(name), value, p, alone)
        )
    return " ".join(told)


def elimination(result: IndependenceResult) -> str:
    """Describe the columns in the order in which they are removed."""
    e = result.elimination
    if e is None:
        return translate(
            "{} columns to leave out.",
            translate("A Gram matrix has no") if result.lab.gram else translate("Only a table has"),
        )
    told = [str(e), translate("The columns are removed in this order: {}.", ", ".join(map(short_name, e.names[::-1])))]
    return " ".join(told)


def bandwidths(result: IndependenceResult) -> str:
    """Describe the least p of all pairs of bandwidths, HSICAgg's p, and the number of pairs that reject."""
    test = result.agreed
    if test is None:
        if isinstance(result.aggregated, str):
            return result.aggregated
        return translate("x is compared by its Gram matrix, which has no bandwidth.") if result.lab.by_gram[0] else ""
    return translate(
        "The smallest of {} p-values is {}, and HSICAgg's p is {}. {} pairs of bandwidths reject at the common level.",
        len(test.pvalues),
        format_number(float(test.pvalues.min())),
        format_number(test.pvalue),
        int(result.reaching.sum()),
    )


def canonical(result: IndependenceResult) -> str:
    """Describe the course of the canonical functions, or say why there are none."""
    fit = result.canonical
    if fit is None or fit.refused:
        return "" if fit is None else fit.refused
    x, y = map(short_name, (result.pairs.names[0], result.pairs.on_axes[1].name))
    (a, b, c), (d, e, h) = ([format_number(float(v[i])) for i in (0, len(v) // 2, -1)] for v in (fit.f, fit.g))
    return translate(
        "From left to right f({}) goes from {} through {} to {}, and from bottom to top g({}) from {} through {} to"
        " {}. Their correlation on these pairs is {}.",
        x,
        a,
        b,
        c,
        y,
        d,
        e,
        h,
        format_number(fit.together),
    )


def correlations(result: IndependenceResult) -> str:
    """Describe where the correlation on pairs left out is largest, and the correlation on these pairs there."""
    if result.course is None:
        return ""
    seen, left_out = result.course
    best = int(left_out.argmax())
    return translate(
        "The rank correlation on pairs left out is largest, {}, at ε = {}. The correlation on these pairs is then"
        " {}. At ε = {} the correlation is {} on these pairs, and the rank correlation is {} on pairs left out.",
        format_number(float(left_out[best])),
        format_number(float(EPS[best])),
        format_number(float(seen[best])),
        format_number(float(EPS[0])),
        format_number(float(seen[0])),
        format_number(float(left_out[0])),
    )
