"""The Independence lab's pictures once more, as tables, and what two states are compared by."""

from __future__ import annotations

import numpy as np

from .independence_trials import grid


def numbers(result):
    """Table -> column -> (rows,): the pairs, the null distribution, f and g, and what the small picture shows."""
    pairs = result.pairs
    columns = dict(zip(pairs.names, np.column_stack([pairs.X, pairs.Y]).T, strict=True))
    found = {"pairs": {**columns, "by_hand": (np.arange(pairs.n) >= pairs.drawn).astype(int)}}
    if not result.enough:
        return found
    own, (x, y) = result.own, grid(pairs)
    null = own.test.null_distribution
    found |= {
        "null": {"shuffle": np.arange(1, len(null) + 1), "hsic": null},
        "f": {pairs.names[0]: x, "f": own.f},
        "g": {pairs.names[-1]: y, "g": own.g},
    }
    return found | _small(result)


def _small(result):
    if result.path is not None:
        path = result.path
        return {
            "ranks": {"rank": np.arange(len(path.values)), "hsic": path.values, "gap": result.gaps, "bound": path.bound}
        }
    if result.power is not None:
        (k, r), alpha = result.power, result.lab.alpha
        return {"power": {"fraction": k.fractions, "n": k.sizes, "hsic": k.power(alpha), "pearson": r.power(alpha)}}
    if result.columns is not None:
        c = result.columns
        return {
            "columns": {
                "rank": np.arange(1, len(c.names) + 1),
                "hsic": c.statistic,
                "correlation": c.correlation,
                "z": c.z,
                "p": c.pvalue,
                "p_alone": c.alone,
            }
        }
    return {}


def measures(result):
    """What two states are compared by."""
    if not result.enough:
        return {}
    said = {
        "p of HSIC": result.pvalue,
        "HSIC": result.test.statistic,
        "standard deviations above the shuffles": result.standardised(),
        "the correlation of HSIC": result.own.correlation,
        "Pearson's r": result.found.pearson.value,
        "p of Pearson's r": result.found.pearson.p,
        "p by the gamma law": result.own.gamma.pvalue,
    }
    if result.found.distance:
        said |= {"the distance correlation": result.found.distance.value, "its p": result.found.distance.p}
    return said
