"""Copy Python of the Few lab, a few lines that give the screen's numbers again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.quantity import in_own_units
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.tables import with_own
from explorer.workbench.by_hand import places
from explorer.workbench.script import opening_lines, script
from explorer.workbench.seeds import distant_seed

from .choices import CRITICISMS, ROUNDS, STARTS
from .comparing import RESAMPLES
from .cost import TESTED
from .flow import AWAY, PARTICLES, WIDTH
from .lab import STEPS

if TYPE_CHECKING:
    from .result import FewResult


def python(result: FewResult) -> str:
    """A script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, kernel = result.lab, result.kernel
    if lab.toy:
        lines, names = [f"X = cloud({lab.toy!r}, {lab.n}, noise={lab.noise!r}, rng={lab.seed}).X"], []
    else:
        lines, names = opening_lines(lab)
        lines.append(f"X = data.X[data.in_order({lab.n}, rng={lab.seed})]")
    wide = f"  # {lab.bandwidth:g} x the median heuristic" if kernel.has_bandwidth else ""
    lines.append(f"kernel = {'Polynomial(2)' if lab.kernel == 'POLY2' else code(kernel)}{wide}")
    names.append(type(kernel).__name__)
    more, others = {"flow": _flow, "test": _test}.get(lab.picture, _few)(result)
    top, *rest = script([*names, *others], [*lines, *more, "print(shown)"]).split("\n")
    imports = ["from explorer.datasets import cloud"] if lab.toy else []
    if any("stream(" in line for line in more):
        imports.append("from explorer.rng import stream")
    return "\n".join(["import numpy as np", top, *imports, *rest])


def _few(result):
    """The choice of points, their MMD and the criticisms."""
    lab, count = result.lab, len(result.look.points)
    names = ["KME", "Embedding", "criticisms"]
    lines = {
        "herding": [f"rows = thin(X, {count}, kernel).rows"],
        "thinning": [f'rows = thin(X, {count}, kernel, method="kernel-thinning", rng={lab.seed}).rows'],
        "random": [f'rows = stream({lab.seed}, "random rows").permutation({lab.n})[:{count}]'],
        "k-means": [
            f"fit = KernelKMeans({count}, kernel, rng={lab.seed}, starts={STARTS}, iterations={ROUNDS}).fit(X)",
            "gap = kernel.diagonal(X)[:, None] - 2 * np.stack([mean(X) for mean in fit.means_], axis=1)",
            f"gap[fit.labels_[:, None] != np.arange({count})] = np.inf",
            "rows = gap.argmin(axis=0)  # the row of each cluster that is next to its mean",
        ],
    }[lab.method]
    names += {"herding": ["thin"], "thinning": ["thin"], "k-means": ["KernelKMeans"]}.get(lab.method, [])
    weighed = f"np.full({count}, {1 / count!r})"
    if lab.method == "k-means":
        weighed = f"np.bincount(fit.labels_, minlength={count}) / len(X)"
    lines += [f"weights = {weighed}", "Z = X[rows]"]
    for i, place in places(lab.moved).items():
        if i < count:
            lines.append(f"Z[{i}, :2] = {list(place[: result.X.shape[1]])}  # moved by hand")
    lines += [
        "mean = KME(kernel).embed(X)",
        f"found = criticisms(X, Z, kernel, {CRITICISMS}, weights=weights)",
        'shown = {"mmd": mean.distance(Embedding(kernel, Z, weights))}',
        'shown |= {"criticisms": found.rows, "witness": found.values}',
    ]
    return lines, names


def _test(result):
    """The compressed test of the two samples, and that of all rows."""
    lab, tested = result.lab, result.tested
    both, count = "data.X", "data.n"
    lines = []
    if lab.toy:
        both, count = "both", "len(both)"
        lines = [f"both = cloud({lab.toy!r}, {2 * TESTED}, noise={lab.noise!r}, rng={distant_seed(lab.seed)}).X"]
    lines += [
        f'order = stream({lab.seed}, "halves").permutation({count})[:{2 * TESTED}]',
        f"P, Q = {both}[order[: len(order) // 2]], {both}[order[len(order) // 2 :]]",
    ]
    size = int(tested.sizes[tested.usual]) if tested else "None"
    how = f"n_resamples={RESAMPLES}, rng={lab.seed}"
    lines += [
        f"Q[:, 0] += {code(lab.shift)} * X[:, 0].std()",
        f"few = compress_test(P, Q, kernel, size={size}, {how})",
        f'every = mmd_test(P, Q, kernel, "biased", {how})',
        'shown = {"p": few.pvalue, "p of all rows": every.pvalue}',
    ]
    return lines, ["compress_test", "mmd_test"]


def _flow(result):
    """The flow of the particles, and their MMD at the start and now."""
    lab = result.lab
    noise = f", noise={code(lab.spread)} * kernel.bandwidth * (1 - np.arange({STEPS}) / {STEPS})" if lab.spread else ""
    lines = [
        "wide = np.sqrt(X.var(axis=0).mean())",
        f'drawn = stream({lab.seed}, "particles").standard_normal(({PARTICLES}, X.shape[1]))',
        f"start = X.mean(axis=0) + {WIDTH} * wide * drawn",
        f"start[:, 0] -= {AWAY} * wide",
        "step = 2 / 3 * kernel.bandwidth**2",
        f"flow = mmd_flow(start, X, kernel, steps={STEPS}, step=step{noise}, rng={lab.seed})",
        "mean = KME(kernel).embed(X)",
        f"first, now = (mean.distance(KME(kernel).embed(flow[t])) for t in (0, {lab.steps}))",
        'shown = {"start": first, "now": now}',
    ]
    return lines, ["KME", "mmd_flow"]


def numbers(result: FewResult) -> Numbers:
    """Table -> column -> (rows,): the sample with the witness, the chosen points, and what the pictures show."""
    look, own = result.look, result.quantities
    row, name = result.numbers, result.row_word
    rank = np.zeros(len(row))
    rank[look.rows] = np.arange(1, len(look.rows) + 1)
    tables: Numbers = {
        "sample": with_own(in_own_units(own, result.X), {"witness": look.witness, "criticism": rank}, {name: row}),
        "chosen": with_own(
            in_own_units(own, look.points), {"weight": look.chosen.weights}, {name: row[look.chosen.rows]}
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
        tables["particles"] = in_own_units(own, result.particles)
    return tables
