"""Copy Python of the Conditional lab, a few lines that give its numbers again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import NODES
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.tables import with_own
from explorer.workbench.own_rows import numbered
from explorer.workbench.script import pair_lines, script

from .lab import FOLLOWED
from .path import BURN
from .result import TABLE_LAM

if TYPE_CHECKING:
    from .result import ConditionalResult


def python(result: ConditionalResult) -> str:
    """A script that prints, and leaves in `shown`, the numbers of the headline."""
    return {"cut": _cut, "bayes": _bayes, "filter": _filter, "table": _table, "tree": _tree}[result.lab.picture](result)


def _joined(names, lines, *others):
    """The lines below their imports; `others` are further import lines."""
    top, *rest = script(names, lines).split("\n")
    return "\n".join([*sorted(set(others), key=lambda line: line.startswith("from")), top, *rest])


def _pairs(result):
    """Lines that make X and Y, names from the front door, and other imports."""
    lab = result.lab
    if lab.joint:
        line = f"X, Y = joint({lab.joint!r}).sample({lab.n}, rng={lab.seed})"
        return [line], [], ["from explorer.datasets import joint"]
    return (*pair_lines(lab, f"{{}}.sample({lab.n}, rng={lab.seed})"), [])


def _kernels(result):
    """A line that makes the kernels, and their names."""
    kernels = result.kernels
    wide = [kernel.has_bandwidth for kernel in kernels]
    told = f"  # {result.lab.bandwidth:g} x the median heuristic{' of each side' * all(wide)}" if any(wide) else ""
    return [f"kx, ky = {', '.join(map(code, kernels))}{told}"], [type(kernel).__name__ for kernel in kernels]


def _cut(result):
    lines, names, others = _pairs(result)
    x = [float(v) for v in result.x[0]]
    made, kinds = _kernels(result)
    lines += [
        *made,
        f"model = ConditionalEmbedding(kx, ky, lam={code(result.lab.lam)}).fit(X, Y)",
        f"belief = model.embed([{x!r}])",
        f'shown = {{"lam": model.lam_, "mean": {_own(result.of_y, "belief.mean()[0]")}}}',
    ]
    if result.lab.joint:
        lines.append(f'shown["distance"] = belief.distance(joint({result.lab.joint!r}).given({x[0]!r}).embed(ky))')
    return _joined([*names, *kinds, "ConditionalEmbedding"], [*lines, "print(shown)"], *others)


def _own(quantity, code):
    """The code of a number, in the column's own units where it was scaled."""
    return f"{_quantity(quantity)}.own({code})" if quantity.is_scaled else code


def _quantity(quantity):
    return f"data.quantities_of([{quantity.name!r}])[0]"


def _bayes(result):
    lab = result.lab
    lines, names, others = _pairs(result)
    made, kinds = _kernels(result)
    names = [*names, *kinds, "GaussianMixture", "KME", "KernelBayesRule"]
    lam, x = code(lab.lam), [float(v) for v in result.x[0]]
    lines += made
    if lab.lam is None:
        names.append("ConditionalEmbedding")
        lines.append("lam = ConditionalEmbedding(ky, kx).fit(Y, X).lam_  # by leave-one-out")
        lam = "lam"
    lines.append(f"law = {code(result.prior_law)}")
    if result.pairs.Y.shape[1] == 1:
        lines.append(f"points = law.sample({lab.n}, rng={lab.seed})")
    else:
        others = [*others, "import numpy as np"]
        lines += [
            f"points = np.tile(np.median(Y, axis=0), ({lab.n}, 1))",
            f"points[:, 0] = law.sample({lab.n}, rng={lab.seed})[:, 0]",
        ]
    given = f"kx, ky, lam={lam}, lam_posterior={lab.lam_posterior!r}"
    lines += [
        "prior = KME(ky).embed(points)",
        f"posterior = KernelBayesRule({given}).fit(X, Y, prior).embed([{x!r}])",
        f'shown = {{"mean": {_own(result.of_y, "posterior.mean()[0]")}}}',
    ]
    if lab.joint:
        lines += [
            f"exact = joint({lab.joint!r}).posterior({x[0]!r}, law, ky)",
            'shown["distance"] = posterior.distance(exact)',
        ]
    if lab.printed:
        names.append("bayes_rule")
        lines.append(f"printed = bayes_rule(X, Y, prior, [{x!r}], {given}, printed=True)")
        lines.append('shown["printed"] = ' + ("printed.distance(exact)" if lab.joint else "printed.weights.sum()"))
    lines.append("print(shown)")
    return _joined(names, lines, *others)


def _filter(result):
    lab, n = result.lab, result.lab.n + 1
    made, kinds = _kernels(result)
    names, others = [*kinds, "HMMFilter"], ["import numpy as np"]
    if lab.path == "rows":
        lines, opened = pair_lines(lab, f"{{}}.X[:{n + FOLLOWED}]")
        names += opened
        lines.append("states, seen = Y, X")
    else:
        others.append("from explorer.datasets import motion")
        lines = [f"states, seen = motion({lab.path!r}).sequence({n + FOLLOWED}, sensor={lab.sensor!r}, rng={lab.seed})"]
    lam = code(lab.lam)
    lines += made
    if lab.lam is None:
        names.append("ConditionalEmbedding")
        pairs = f"states[:{n - 1}], states[1:{n}]"
        lines.append(f"lam = ConditionalEmbedding(ky, ky).fit({pairs}).lam_  # by leave-one-out")
        lam = "lam"
    of, size = result.course.quantity, ""
    if of.is_scaled:
        size = f"{_quantity(of)}.size * "
    two = ", two_step=True" if lab.prediction == "sum rule" else ""
    lines += [
        f"model = HMMFilter(ky, kx, {lam}, {lab.lam_posterior!r}{two}).fit(states[:{n}], seen[:{n}])",
        f"beliefs = model.filter(seen[{n}:])",
        f"missed = beliefs @ model.states_[:, 0] - states[{n}:, 0]",
        f'shown = {{"error": {size}np.sqrt(np.mean(missed[{BURN}:] ** 2))}}',
        "print(shown)",
    ]
    return _joined(names, lines, *others)


def _table(result):
    lab = result.lab
    lines = [
        f"counts, prior = np.array({lab.table_counts.tolist()}), np.array({lab.chances})",
        "x, y = (np.repeat(each.ravel(), counts.ravel()) for each in np.indices(counts.shape))",
        "belief = Embedding(Delta(), np.arange(len(prior)), prior / prior.sum())",
        f"k, lam = Delta(), {TABLE_LAM}",
        f"posterior = bayes_rule(x, y, belief, {lab.seen - 1}, k, k, lam, lam, normalize=True)",
        'shown = {"posterior": posterior(np.arange(len(prior)))}',
        "print(shown)",
    ]
    return _joined(["Delta", "Embedding", "bayes_rule"], lines, "import numpy as np")


def _tree(result):
    lab = result.lab
    names = ["BeliefPropagation", "Gaussian"]
    lines = [
        f"drawn = gaussian_tree({lab.link!r}, {lab.n}, rng={lab.seed})",
        f"kernel = {code(result.of_nodes)}  # {lab.bandwidth:g} x the median heuristic",
    ]
    lam = code(lab.lam)
    if lab.lam is None:
        names.append("ConditionalEmbedding")
        lines.append('lam = ConditionalEmbedding(kernel, kernel).fit(drawn["a"], drawn["b"]).lam_  # by leave-one-out')
        lam = "lam"
    lines += [
        f"tree = BeliefPropagation(TREE, dict.fromkeys(drawn, kernel), {lam}).fit(drawn)",
        f"beliefs = {{node: tree.marginal(node, {lab.evidence!r}) for node in drawn}}",
        'shown = {"means": [belief.mean()[0] for belief in beliefs.values()]}',
        "print(shown)",
    ]
    return _joined(names, lines, "from explorer.datasets import TREE, gaussian_tree")


def numbers(result: ConditionalResult) -> Numbers:
    """Table -> column -> (rows,): what the pictures show."""
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
        columns = {"kernel": of.own(tracks.kernel), "kalman": of.own(tracks.kalman)}
        columns["kalman_sd"] = of.size * tracks.deviation
        if tracks.exact is not None:
            columns["exact"] = tracks.exact
        states = of.own(result.course.hidden[:, 0])
        return {"path": {"time": np.arange(1, len(states) + 1), "state": states, **columns}}
    pairs, (_, of_y) = result.pairs, result.pairs.on_axes
    both, y = pairs.own, of_y.own(result.places[1][:, 0])
    if picture == "bayes":
        prior, after = result.prior, result.posterior
        weights = {"point": of_y.own(prior.points[:, 0]), "prior": prior.weights, "posterior": after.weights}
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
