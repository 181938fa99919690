"""Copy Python of the Two-sample lab, a few lines that reproduce its test, and the tables of its numbers."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.comparison import compare
from explorer.datasets import load, standardise
from explorer.discrepancy import block_test, mmd2, mmd_test
from explorer.embeddings import GaussianMixture, contaminate
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.fields import BUNDLED
from explorer.workbench.script import by_hand, kernel_steps
from explorer.workbench.two_samples import dropped_rows, sizes
from explorer.workbench.user_rows import numbered
from explorer.workbench.user_samples import reading
from explorer.workbench.verdicts import arguments_of

from .result import OUTLIERS, SIZES

if TYPE_CHECKING:
    from .result import TwoSampleResult


def python(result: TwoSampleResult) -> Script:
    """Return a script that prints the page's test and stores it in `result`: statistic and p are equal to 1e-12."""
    lab, size, drawn = result.lab, result.lab.block_size or 0, _drawn(result.lab, result)
    kernel_of = kernel_steps(lab, result.kernel, result.has_bandwidth)
    (x, y), d, gone = result.drawn.turns, len(result.samples.names), dropped_rows(lab.dropped)
    in_x, in_y = (_by_hand(*side, d) for side in ((x, lab.moved_p, gone["P"]), (y, lab.moved_q, gone["Q"])))
    how: Any = {"n_resamples": result.trials.null.shape[1], "rng": lab.seed}
    statistic: Any = {"statistic": lab.statistic}
    if lab.estimator != "KME":
        statistic["estimator"] = lab.the_estimator()
    low_rank = result.at_rank
    files, options = ((), {}) if result.verdict is None else arguments_of(lab, result.labels)

    @recipe
    def steps():
        if files:
            verdict = compare(*files, **options)
            print(verdict.verdict)  # on all rows

        X, Y = drawn()
        if lab.outliers:
            Y = contaminate(Y, lab.outliers, OUTLIERS, lab.distance, rng=lab.seed)
        X = in_x(X)
        Y = in_y(Y)
        kernel = kernel_of()
        if lab.all_pairs:
            result = mmd_test(X, Y, kernel, **statistic, **how)
        else:
            result = block_test(X, Y, kernel, size=size, **how)
        print(result)
        if low_rank:
            low: Any = mmd2(X, Y, kernel, lab.of_pairs, approximation=lab.approximation, rank=lab.rank, rng=lab.seed)
            print(low, low.error)  # MMD² by the low-rank kernel, and a bound on its error

    return steps.script()


def _by_hand(turns, moved, dropped, d):
    """Return the steps of the rows that the user moved or left out, given one side's points."""
    rows = dict(zip(turns.tolist(), range(len(turns)), strict=True))
    moving = by_hand(moved, rows, d)
    gone = sorted({rows[turn] for turn in dropped if turn in rows})

    @recipe
    def steps(points):
        points = moving(points)
        if gone:
            points = np.delete(points, gone, axis=0)  # left out by hand
        return points

    return steps


def _drawn(lab, result):
    """Return the steps that draw X and Y."""
    (first, second), laws, labels = lab.seeds, lab.law_arguments(), result.labels
    table = laws is None and lab.source not in BUNDLED
    read: Any = reading(lab, labels) if table else None
    rows = sizes(lab.tables, lab.groups) if table else (0, 0)
    ordered = table and result.order != sorted(result.order)

    @recipe
    def steps():
        if laws:
            P: Any = GaussianMixture(*laws[0])
            Q: Any = GaussianMixture(*laws[1])
        elif table:
            P, Q = read()
        else:
            data = load(lab.source)
            P, Q = data.where(labels[0]), data.where(labels[1])
        X, Y = (
            P.X if lab.n == rows[0] else P.sample(lab.n, rng=first),
            Q.X if lab.m == rows[1] else Q.sample(lab.m, rng=second),
        )
        if ordered:
            X, Y = (Z.take(result.order, axis=1) for Z in (X, Y))  # those columns first that differ most
        if lab.source in BUNDLED and lab.standardise:
            Z = standardise(np.concatenate([X, Y]))  # both samples on a common scale
            X, Y = Z[: lab.n], Z[lab.n :]
        return X, Y

    return steps


def numbers(result: TwoSampleResult) -> Numbers:
    """Return table -> column -> (rows,): the null distribution, the samples and the deferred stages."""
    samples, null = result.samples, result.test().null_distribution
    tables = {
        "null": {"shuffle": np.arange(1, len(null) + 1), "mmd2": null},
        "sample": with_own(
            samples.own,
            {"witness": result.heights[result.of()], "stray_or_moved": samples.touched.astype(int)},
            {
                **numbered(result.lab, samples.rows),
                "of_q": (np.arange(len(samples.rows)) >= len(samples.X)).astype(int),
            },
        ),
    }
    if result.strip is not None:
        bandwidths = np.array(result.stops) * result.median
        tables["bandwidths"] = {"bandwidth": bandwidths, "mmd2": result.strip.observed, "p": result.strip.pvalues}
    if result.difference is not None:
        tables["frequencies"] = dict(result.difference._asdict())
    if result.over_ranks:
        ranked = result.over_ranks
        tables["ranks"] = {"rank": ranked.ranks, "mmd2": ranked.values, "error": ranked.errors}
    if result.plan is not None and result.plan.power is not None:
        tables["power"] = {"n": SIZES, "power": result.plan.power}
    return tables
