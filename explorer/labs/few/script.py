"""Copied Python of the Few lab, a few lines that reproduce the page's numbers, and the lab's tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import cloud
from explorer.datasets.columns.quantity import in_file_units
from explorer.discrepancy import compress_test, mmd_test
from explorer.embeddings import Embedding
from explorer.estimators import KME
from explorer.learning import KernelKMeans, criticisms, mmd_flow, thin
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.rng import stream
from explorer.tables.html_tables import with_own
from explorer.workbench.script import kernel_steps, opening
from explorer.workbench.seeds import distant_seed
from explorer.workbench.user_points import moved_points

from .choices import CRITICISMS, ROUNDS, STARTS
from .comparing import RESAMPLES
from .flow import AWAY, PARTICLES, WIDTH
from .lab import STEPS
from .result import TESTED

if TYPE_CHECKING:
    from .result import FewResult


def python(result: FewResult) -> Script:
    """Return a script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, table = result.lab, opening(result.lab)
    kernel_of = kernel_steps(lab, result.kernel, result.kernel.has_bandwidth)
    numbers_of = {"flow": _flow, "test": _test}.get(lab.picture, _few)(result)

    @recipe
    def steps():
        if lab.toy:
            X = cloud(lab.toy, lab.n, noise=lab.noise, rng=lab.seed).X
        else:
            data = table()
            X = data.X[data.in_order(lab.n, rng=lab.seed)]
        kernel = kernel_of()
        shown = numbers_of(X, kernel, X if lab.toy else data)
        print(shown)

    return steps.script()


def _few(result):
    """Return the steps of the choice of points, their MMD and the criticisms."""
    lab, count = result.lab, len(result.look.points)
    places = [(i, list(place[: result.X.shape[1]])) for i, place in moved_points(lab.moved).items() if i < count]
    share, equal = 1 / count, lab.method != "k-means"

    @recipe
    def steps(X, kernel, data):
        if lab.method == "herding":
            rows = thin(X, count, kernel).rows
        elif lab.method == "thinning":
            rows = thin(X, count, kernel, method="kernel-thinning", rng=lab.seed).rows
        elif lab.method == "random":
            rows = stream(lab.seed, "random rows").permutation(lab.n)[:count]
        else:
            fit = KernelKMeans(count, kernel, rng=lab.seed, starts=STARTS, iterations=ROUNDS).fit(X)
            gap = kernel.diagonal(X)[:, None] - 2 * np.stack([mean(X) for mean in fit.means_], axis=1)
            gap[fit.labels_[:, None] != np.arange(count)] = np.inf
            rows = gap.argmin(axis=0)  # the row of each cluster that is next to its mean
        weights = np.full(count, share) if equal else np.bincount(fit.labels_, minlength=count) / len(X)
        Z = X[rows]
        for i, place in places:
            Z[i, :2] = place  # moved by hand
        mean = KME(kernel).embed(X)
        found = criticisms(X, Z, kernel, CRITICISMS, weights=weights)
        shown = {"mmd": mean.distance(Embedding(kernel, Z, weights))}
        shown |= {"criticisms": found.rows, "witness": found.values}
        return shown

    return steps


def _test(result):
    """Return the steps of the compressed test of the two samples, and of the test of all rows."""
    lab, tested, count = result.lab, result.tested, 2 * TESTED
    again = distant_seed(lab.seed)
    size = int(tested.sizes[tested.default_index]) if tested else None
    how: dict[str, Any] = {"n_resamples": RESAMPLES, "rng": lab.seed}

    @recipe
    def steps(X, kernel, data):
        if lab.toy:
            both = cloud(lab.toy, count, noise=lab.noise, rng=again).X
            order = stream(lab.seed, "halves").permutation(len(both))[:count]
            P, Q = both[order[: len(order) // 2]], both[order[len(order) // 2 :]]
        else:
            order = stream(lab.seed, "halves").permutation(data.n)[:count]
            P, Q = data.X[order[: len(order) // 2]], data.X[order[len(order) // 2 :]]
        Q[:, 0] += lab.shift * X[:, 0].std()
        few = compress_test(P, Q, kernel, size=size, **how)
        every = mmd_test(P, Q, kernel, "biased", **how)
        return {"p": few.pvalue, "p of all rows": every.pvalue}

    return steps


def _flow(result):
    """Return the steps of the flow of the particles, and of their MMD at the start and now."""
    lab, noisy = result.lab, bool(result.lab.spread)

    @recipe
    def steps(X, kernel, data):
        wide = np.sqrt(X.var(axis=0).mean())
        drawn = stream(lab.seed, "particles").standard_normal((PARTICLES, X.shape[1]))
        start = X.mean(axis=0) + WIDTH * wide * drawn
        start[:, 0] -= AWAY * wide
        step = 2 / 3 * kernel.bandwidth**2
        if noisy:
            noise = lab.spread * kernel.bandwidth * (1 - np.arange(STEPS) / STEPS)
        flow = mmd_flow(start, X, kernel, steps=STEPS, step=step, **({"noise": noise} if noisy else {}), rng=lab.seed)
        mean = KME(kernel).embed(X)
        first, now = (mean.distance(KME(kernel).embed(flow[t])) for t in (0, lab.steps))
        return {"start": first, "now": now}

    return steps


def numbers(result: FewResult) -> Numbers:
    """Return the tables: the sample with the witness, the chosen points, and the numbers of the pictures.

    The form is table -> column -> values, shape (rows,).
    """
    look, own = result.look, result.quantities
    row, name = result.numbers, result.row_word
    rank = np.zeros(len(row))
    rank[look.rows] = np.arange(1, len(look.rows) + 1)
    tables: Numbers = {
        "sample": with_own(in_file_units(own, result.X), {"witness": look.witness, "criticism": rank}, {name: row}),
        "chosen": with_own(
            in_file_units(own, look.points), {"weight": look.chosen.weights}, {name: row[look.chosen.rows]}
        ),
    }
    for name, rival in (result.rivals or {}).items():
        tables[f"MMD, {name}"] = {"m": rival.counts, "mmd": rival.errors}
    if result.tested:
        tested = result.tested
        tables["test"] = {"rows kept": tested.sizes, "p": tested.pvalues, "share of kernel values": tested.costs}
    if result.flow:
        steps = np.arange(STEPS + 1)
        tables["flow"] = {"step": steps, "mmd": result.flow.errors, "mmd without noise": result.flow.plain}
        tables["particles"] = in_file_units(own, result.particles)
    return tables
