"""Generated Python code of the conditional lab, which reproduces the page's numbers, and its downloadable tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import NODES
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.script import pair_lines, script
from explorer.workbench.user_rows import numbered

from .lab import FOLLOWED
from .path import BURN
from .result import TABLE_LAM

if TYPE_CHECKING:
    from .result import ConditionalResult


def python(result: ConditionalResult) -> Snippet:
    """Return a script that computes the headline's numbers, stores them in `shown` and prints them."""
    return {"cut": _cut, "bayes": _bayes, "filter": _filter, "table": _table, "tree": _tree}[result.lab.picture](result)


def _joined(names, lines, *others):
    """Return the lines below their imports; `others` are further import lines."""
    return script(names, lines, before=sorted(set(others), key=lambda line: line.startswith("from")))


def _pairs(result):
    """Return the lines that create X and Y, their names from explorer, and other imports."""
    lab = result.lab
    if lab.joint:
        line = snippet("X, Y = joint({}).sample({}, rng={})", lab.joint, lab.n, lab.seed)
        return [line], [], [snippet("from explorer.datasets import joint")]
    return (*pair_lines(lab, lambda table: snippet("{}.sample({}, rng={})", table, lab.n, lab.seed)), [])


def _kernels(result):
    """Return a line that creates the kernels, and the names of their classes."""
    kernels = result.kernels
    wide = [kernel.has_bandwidth for kernel in kernels]
    side = snippet(" of each side") if all(wide) else NOTHING
    told = snippet("  # {:g} x the median heuristic{}", result.lab.bandwidth, side) if any(wide) else NOTHING
    return [snippet("kx, ky = {}, {}{}", *kernels, told)], [type(kernel).__name__ for kernel in kernels]


def _cut(result):
    lines, names, others = _pairs(result)
    x = [float(v) for v in result.x[0]]
    made, kinds = _kernels(result)
    lines += [
        *made,
        snippet("model = ConditionalEmbedding(kx, ky, lam={}).fit(X, Y)", result.lab.lam),
        snippet("belief = model.embed([{}])", x),
        snippet('shown = {{"lam": model.lam_, "mean": {}}}', _in_file_units(result.of_y, snippet("belief.mean()[0]"))),
    ]
    if result.lab.joint:
        lines.append(
            snippet('shown["distance"] = belief.distance(joint({}).given({}).embed(ky))', result.lab.joint, x[0])
        )
    return _joined([*names, *kinds, "ConditionalEmbedding"], [*lines, snippet("print(shown)")], *others)


def _in_file_units(quantity, number):
    """Return the code of a number, converted to the column's units if the column was scaled."""
    return snippet("{}.to_file_units({})", _quantity(quantity), number) if quantity.is_scaled else number


def _quantity(quantity):
    return snippet("data.quantities_of([{}])[0]", quantity.name)


def _bayes(result):
    lab = result.lab
    lines, names, others = _pairs(result)
    made, kinds = _kernels(result)
    names = [*names, *kinds, "GaussianMixture", "KME", "KernelBayesRule"]
    lam, x = lab.lam, [float(v) for v in result.x[0]]
    lines += made
    if lab.lam is None:
        names.append("ConditionalEmbedding")
        lines.append(snippet("lam = ConditionalEmbedding(ky, kx).fit(Y, X).lam_  # by leave-one-out"))
        lam = snippet("lam")
    lines.append(snippet("law = {}", result.prior_law))
    if result.pairs.Y.shape[1] == 1:
        lines.append(snippet("points = law.sample({}, rng={})", lab.n, lab.seed))
    else:
        others = [*others, snippet("import numpy as np")]
        lines += [
            snippet("points = np.tile(np.median(Y, axis=0), ({}, 1))", lab.n),
            snippet("points[:, 0] = law.sample({}, rng={})[:, 0]", lab.n, lab.seed),
        ]
    given = snippet("kx, ky, lam={}, lam_posterior={}", lam, lab.lam_posterior)
    lines += [
        snippet("prior = KME(ky).embed(points)"),
        snippet("posterior = KernelBayesRule({}).fit(X, Y, prior).embed([{}])", given, x),
        snippet('shown = {{"mean": {}}}', _in_file_units(result.of_y, snippet("posterior.mean()[0]"))),
    ]
    if lab.joint:
        lines += [
            snippet("exact = joint({}).posterior({}, law, ky)", lab.joint, x[0]),
            snippet('shown["distance"] = posterior.distance(exact)'),
        ]
    if lab.printed:
        names.append("bayes_rule")
        lines.append(snippet("printed = bayes_rule(X, Y, prior, [{}], {}, printed=True)", x, given))
        measured = snippet("printed.distance(exact)") if lab.joint else snippet("printed.weights.sum()")
        lines.append(snippet('shown["printed"] = {}', measured))
    lines.append(snippet("print(shown)"))
    return _joined(names, lines, *others)


def _filter(result):
    lab, n = result.lab, result.lab.n + 1
    made, kinds = _kernels(result)
    names, others = [*kinds, "HMMFilter"], [snippet("import numpy as np")]
    if lab.path == "rows":
        lines, opened = pair_lines(lab, lambda table: snippet("{}.X[:{}]", table, n + FOLLOWED))
        names += opened
        lines.append(snippet("states, seen = Y, X"))
    else:
        others.append(snippet("from explorer.datasets import motion"))
        lines = [
            snippet(
                "states, seen = motion({}).sequence({}, sensor={}, rng={})",
                lab.path,
                n + FOLLOWED,
                lab.sensor,
                lab.seed,
            )
        ]
    lam = lab.lam
    lines += made
    if lab.lam is None:
        names.append("ConditionalEmbedding")
        pairs = snippet("states[:{}], states[1:{}]", n - 1, n)
        lines.append(snippet("lam = ConditionalEmbedding(ky, ky).fit({}).lam_  # by leave-one-out", pairs))
        lam = snippet("lam")
    of, size = result.course.quantity, NOTHING
    if of.is_scaled:
        size = snippet("{}.size * ", _quantity(of))
    two = snippet(", two_step=True") if lab.prediction == "sum rule" else NOTHING
    lines += [
        snippet("model = HMMFilter(ky, kx, {}, {}{}).fit(states[:{}], seen[:{}])", lam, lab.lam_posterior, two, n, n),
        snippet("beliefs = model.filter(seen[{}:])", n),
        snippet("missed = beliefs @ model.states_[:, 0] - states[{}:, 0]", n),
        snippet('shown = {{"error": {}np.sqrt(np.mean(missed[{}:] ** 2))}}', size, BURN),
        snippet("print(shown)"),
    ]
    return _joined(names, lines, *others)


def _table(result):
    lab = result.lab
    lines = [
        snippet("counts, prior = np.array({}), np.array({})", lab.table_counts.tolist(), json.loads(lab.chances)),
        snippet("x, y = (np.repeat(each.ravel(), counts.ravel()) for each in np.indices(counts.shape))"),
        snippet("belief = Embedding(Delta(), np.arange(len(prior)), prior / prior.sum())"),
        snippet("k, lam = Delta(), {}", TABLE_LAM),
        snippet("posterior = bayes_rule(x, y, belief, {}, k, k, lam, lam, normalize=True)", lab.seen - 1),
        snippet('shown = {{"posterior": posterior(np.arange(len(prior)))}}'),
        snippet("print(shown)"),
    ]
    return _joined(["Delta", "Embedding", "bayes_rule"], lines, snippet("import numpy as np"))


def _tree(result):
    lab = result.lab
    names = ["BeliefPropagation", "Gaussian"]
    lines = [
        snippet("drawn = gaussian_tree({}, {}, rng={})", lab.link, lab.n, lab.seed),
        snippet("kernel = {}  # {:g} x the median heuristic", result.of_nodes, lab.bandwidth),
    ]
    lam = lab.lam
    if lab.lam is None:
        names.append("ConditionalEmbedding")
        lines.append(
            snippet('lam = ConditionalEmbedding(kernel, kernel).fit(drawn["a"], drawn["b"]).lam_  # by leave-one-out')
        )
        lam = snippet("lam")
    lines += [
        snippet("tree = BeliefPropagation(TREE, dict.fromkeys(drawn, kernel), {}).fit(drawn)", lam),
        snippet("beliefs = {{node: tree.marginal(node, {}) for node in drawn}}", lab.evidence),
        snippet('shown = {{"means": [belief.mean()[0] for belief in beliefs.values()]}}'),
        snippet("print(shown)"),
    ]
    return _joined(names, lines, snippet("from explorer.datasets import TREE, gaussian_tree"))


def numbers(result: ConditionalResult) -> Numbers:
    """Return the tables, as table -> column -> (rows,), of the current picture."""
    picture = result.lab.picture
    if picture == "table":
        exact, ours = result.rules
        columns = {"prior": result.lab.table_prior, "rule": ours.posterior, "fractions": exact.posterior}
        return {"posterior": {"y": np.arange(1, len(exact.posterior) + 1), **columns}}
    if picture == "tree":
        believed, exact = result.believed, result.exact_tree
        columns = {"mean": believed.means, "sd": believed.deviations, "exact_mean": exact.means}
        return {"beliefs": {"node": np.array(NODES), **columns, "exact_sd": np.sqrt(exact.variances)}}
    if picture == "filter":
        tracks = result.tracks
        of = result.course.quantity
        columns = {"kernel": of.to_file_units(tracks.kernel), "kalman": of.to_file_units(tracks.kalman)}
        columns["kalman_sd"] = of.size * tracks.deviation
        if tracks.exact is not None:
            columns["exact"] = tracks.exact
        states = of.to_file_units(result.course.hidden[:, 0])
        return {"path": {"time": np.arange(1, len(states) + 1), "state": states, **columns}}
    pairs, (_, of_y) = result.pairs, result.pairs.on_axes
    both, y = pairs.own, of_y.to_file_units(result.grids[1][:, 0])
    if picture == "bayes":
        prior, after = result.prior, result.posterior
        weights = {"point": of_y.to_file_units(prior.points[:, 0]), "prior": prior.weights, "posterior": after.weights}
        densities = {name: density / of_y.size for name, density in result.densities.items()}
        return {"pairs": both, "weights": weights, "densities": {"y": y, **densities}}
    density: dict[str, Any] = {"y": y, "density": result.density[result.row] / of_y.size}
    if result.lab.by_gram[1]:
        density = {"y": [], "density": []}
    if result.exact_density is not None:
        density["exact"] = result.exact_density / of_y.size
    lams = {"lam": np.array(result.stops), "score": result.scores[0]}
    return {
        "pairs": with_own(both, {"weight": result.fan.weights[result.row]}, numbered(result.lab, pairs.rows)),
        "density": density,
        "scores": lams,
    }
