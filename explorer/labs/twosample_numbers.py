"""The Two-sample lab's pictures once more, as tables, and what two states are compared by."""

from __future__ import annotations

import numpy as np


def numbers(result):
    """Table -> column -> (rows,): the null distribution, the samples with the witness, and what has followed at
    rest.
    """
    samples, n, row = result.samples, len(result.samples.X), result.place
    tables = {
        "null": {"shuffle": np.arange(1, result.trials.null.shape[1] + 1), "mmd2": result.trials.null[row]},
        "sample": {
            "of_q": (np.arange(len(samples.rows)) >= n).astype(int),
            **dict(zip(samples.names, samples.pooled.T, strict=True)),
            "witness": result.trials.heights[row],
            "stray_or_moved": samples.touched.astype(int),
        },
    }
    if result.every is not None:
        trials = result.every.trials
        tables["bandwidths"] = {
            "bandwidth": trials.bandwidths * result.median,
            "mmd2": trials.observed,
            "p": trials.pvalues,
        }
        if found := result.every.difference:
            tables["frequencies"] = dict(found._asdict())
    if result.here is not None and result.here.power is not None:
        tables["power"] = {"n": result.sizes, "power": result.here.power}
    return tables


def measures(result):
    """What two states are compared by."""
    test = result.test()
    said = {"p": test.pvalue, "MMD²": test.statistic, "standard deviations above the shuffles": result.standardised()}
    if result.every is not None:
        said |= {"p of MMDAgg": result.every.aggregated, "p of MMD-FUSE": result.every.fused}
    if result.laws:
        said["MMD² of the laws"] = result.truth
    return said
