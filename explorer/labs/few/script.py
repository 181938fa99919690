"""Copied Python of the Few lab, a few lines that reproduce the page's numbers, and the lab's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, imports, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.script import opening_lines, script
from explorer.workbench.seeds import distant_seed
from explorer.workbench.user_points import moved_points

from .choices import CRITICISMS, ROUNDS, STARTS
from .comparing import RESAMPLES
from .flow import AWAY, PARTICLES, WIDTH
from .lab import STEPS
from .result import TESTED

if TYPE_CHECKING:
    from .result import FewResult


def python(result: FewResult) -> Snippet:
    """Return a script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, kernel = result.lab, result.kernel
    if lab.toy:
        lines, names = [snippet("X = cloud({}, {}, noise={}, rng={}).X", lab.toy, lab.n, lab.noise, lab.seed)], []
    else:
        lines, names = opening_lines(lab)
        lines.append(snippet("X = data.X[data.in_order({}, rng={})]", lab.n, lab.seed))
    wide = snippet("  # {:g} x the median heuristic", lab.bandwidth) if kernel.has_bandwidth else NOTHING
    lines.append(snippet("kernel = {}{}", snippet("Polynomial(2)") if lab.kernel == "POLY2" else kernel, wide))
    names.append(type(kernel).__name__)
    more, others = {"flow": _flow, "test": _test}.get(lab.picture, _few)(result)
    after = [imports("explorer.datasets", ["cloud"])] if lab.toy else []
    if any("stream(" in line for line in more):
        after.append(imports("explorer.rng", ["stream"]))
    lines += [*more, snippet("print(shown)")]
    return script([*names, *others], lines, [snippet("import numpy as np")], after)


def _few(result):
    """Return Python for the choice of points, their MMD and the criticisms."""
    lab, count = result.lab, len(result.look.points)
    names = ["KME", "Embedding", "criticisms"]
    lines = {
        "herding": [snippet("rows = thin(X, {}, kernel).rows", count)],
        "thinning": [snippet('rows = thin(X, {}, kernel, method="kernel-thinning", rng={}).rows', count, lab.seed)],
        "random": [snippet('rows = stream({}, "random rows").permutation({})[:{}]', lab.seed, lab.n, count)],
        "k-means": [
            snippet(
                "fit = KernelKMeans({}, kernel, rng={}, starts={}, iterations={}).fit(X)",
                count,
                lab.seed,
                STARTS,
                ROUNDS,
            ),
            snippet("gap = kernel.diagonal(X)[:, None] - 2 * np.stack([mean(X) for mean in fit.means_], axis=1)"),
            snippet("gap[fit.labels_[:, None] != np.arange({})] = np.inf", count),
            snippet("rows = gap.argmin(axis=0)  # the row of each cluster that is next to its mean"),
        ],
    }[lab.method]
    names += {"herding": ["thin"], "thinning": ["thin"], "k-means": ["KernelKMeans"]}.get(lab.method, [])
    weighed = snippet("np.full({}, {})", count, 1 / count)
    if lab.method == "k-means":
        weighed = snippet("np.bincount(fit.labels_, minlength={}) / len(X)", count)
    lines += [snippet("weights = {}", weighed), snippet("Z = X[rows]")]
    for i, place in moved_points(lab.moved).items():
        if i < count:
            lines.append(snippet("Z[{}, :2] = {}  # moved by hand", i, list(place[: result.X.shape[1]])))
    lines += [
        snippet("mean = KME(kernel).embed(X)"),
        snippet("found = criticisms(X, Z, kernel, {}, weights=weights)", CRITICISMS),
        snippet('shown = {{"mmd": mean.distance(Embedding(kernel, Z, weights))}}'),
        snippet('shown |= {{"criticisms": found.rows, "witness": found.values}}'),
    ]
    return lines, names


def _test(result):
    """Return Python for the compressed test of the two samples, and for the test of all rows."""
    lab, tested = result.lab, result.tested
    both, count = snippet("data.X"), snippet("data.n")
    lines = []
    if lab.toy:
        both, count = snippet("both"), snippet("len(both)")
        lines = [
            snippet("both = cloud({}, {}, noise={}, rng={}).X", lab.toy, 2 * TESTED, lab.noise, distant_seed(lab.seed))
        ]
    lines += [
        snippet('order = stream({}, "halves").permutation({})[:{}]', lab.seed, count, 2 * TESTED),
        snippet("P, Q = {}[order[: len(order) // 2]], {}[order[len(order) // 2 :]]", both, both),
    ]
    size = int(tested.sizes[tested.default_index]) if tested else None
    how = snippet("n_resamples={}, rng={}", RESAMPLES, lab.seed)
    lines += [
        snippet("Q[:, 0] += {} * X[:, 0].std()", lab.shift),
        snippet("few = compress_test(P, Q, kernel, size={}, {})", size, how),
        snippet('every = mmd_test(P, Q, kernel, "biased", {})', how),
        snippet('shown = {{"p": few.pvalue, "p of all rows": every.pvalue}}'),
    ]
    return lines, ["compress_test", "mmd_test"]


def _flow(result):
    """Return Python for the flow of the particles, and for their MMD at the start and now."""
    lab = result.lab
    noise = (
        snippet(", noise={} * kernel.bandwidth * (1 - np.arange({}) / {})", lab.spread, STEPS, STEPS)
        if lab.spread
        else NOTHING
    )
    lines = [
        snippet("wide = np.sqrt(X.var(axis=0).mean())"),
        snippet('drawn = stream({}, "particles").standard_normal(({}, X.shape[1]))', lab.seed, PARTICLES),
        snippet("start = X.mean(axis=0) + {} * wide * drawn", WIDTH),
        snippet("start[:, 0] -= {} * wide", AWAY),
        snippet("step = 2 / 3 * kernel.bandwidth**2"),
        snippet("flow = mmd_flow(start, X, kernel, steps={}, step=step{}, rng={})", STEPS, noise, lab.seed),
        snippet("mean = KME(kernel).embed(X)"),
        snippet("first, now = (mean.distance(KME(kernel).embed(flow[t])) for t in (0, {}))", lab.steps),
        snippet('shown = {{"start": first, "now": now}}'),
    ]
    return lines, ["KME", "mmd_flow"]


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
