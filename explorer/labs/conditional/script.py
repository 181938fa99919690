"""Generated Python code of the conditional lab, which reproduces the page's numbers, and its downloadable tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.conditional import BeliefPropagation, ConditionalEmbedding, HMMFilter, KernelBayesRule, bayes_rule
from explorer.datasets import NODES, TREE, gaussian_tree, joint, motion
from explorer.embeddings import Embedding
from explorer.estimators import KME
from explorer.kernels import Delta
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.script import Noted, opening, roles
from explorer.workbench.user_rows import numbered

from .lab import FOLLOWED
from .path import BURN
from .result import TABLE_LAM

if TYPE_CHECKING:
    from .result import ConditionalResult


def python(result: ConditionalResult) -> Script:
    """Return a script that computes the headline's numbers, stores them in `shown` and prints them."""
    return {"cut": _cut, "bayes": _bayes, "filter": _filter, "table": _table, "tree": _tree}[result.lab.picture](result)


def _kernels(lab, k, l):
    """Return both kernels, with a comment on their bandwidths."""
    note = f"{lab.bandwidth:g} x the median heuristic" if k.has_bandwidth or l.has_bandwidth else ""
    return Noted((k, l), f"{note} of each side" if k.has_bandwidth and l.has_bandwidth else note)


def _sampled(lab):
    """Return the steps that create X and Y from the rows that are drawn of the user's table."""

    @recipe
    def rows(table):
        return table.sample(lab.n, rng=lab.seed)

    return roles(lab, rows) if not lab.joint else rows


def _mean(of_y):
    """Return the steps that compute a belief's mean, in the units of the file if the column was scaled."""

    @recipe
    def steps(belief, data):
        if of_y.is_scaled:
            return data.quantities_of([of_y.name])[0].to_file_units(belief.mean()[0])
        return belief.mean()[0]

    return steps


def _cut(result):
    lab, scaled, mean_of = result.lab, result.of_y.is_scaled, _mean(result.of_y)
    table, pairs, kernels, x = opening(lab), _sampled(lab), _kernels(lab, *result.kernels), result.x[0].tolist()

    @recipe
    def steps():
        if lab.joint:
            X, Y = joint(lab.joint).sample(lab.n, rng=lab.seed)
        else:
            data = table()
            X, Y = pairs(data)
        kx, ky = kernels.value[0], kernels.value[1]  # {kernels.note}
        model = ConditionalEmbedding(kx, ky, lam=lab.lam).fit(X, Y)
        belief = model.embed([x])
        shown = {"lam": model.lam_, "mean": mean_of(belief, data if scaled else None)}
        if lab.joint:
            shown["distance"] = belief.distance(joint(lab.joint).given(x[0]).embed(ky))
        print(shown)

    return steps.script()


def _bayes(result):
    lab, scaled, mean_of, prior_law = result.lab, result.of_y.is_scaled, _mean(result.of_y), result.prior_law
    table, pairs, kernels, x = opening(lab), _sampled(lab), _kernels(lab, *result.kernels), result.x[0].tolist()
    one = result.pairs.Y.shape[1] == 1

    @recipe
    def steps():
        if lab.joint:
            X, Y = joint(lab.joint).sample(lab.n, rng=lab.seed)
        else:
            data = table()
            X, Y = pairs(data)
        kx, ky = kernels.value[0], kernels.value[1]  # {kernels.note}
        if lab.lam is None:
            lam = ConditionalEmbedding(ky, kx).fit(Y, X).lam_  # by leave-one-out
        else:
            lam = lab.lam
        law = prior_law
        if one:
            points = law.sample(lab.n, rng=lab.seed)
        else:
            points = np.tile(np.median(Y, axis=0), (lab.n, 1))
            points[:, 0] = law.sample(lab.n, rng=lab.seed)[:, 0]
        prior = KME(ky).embed(points)
        posterior = KernelBayesRule(kx, ky, lam=lam, lam_posterior=lab.lam_posterior).fit(X, Y, prior).embed([x])
        shown = {"mean": mean_of(posterior, data if scaled else None)}
        if lab.joint:
            exact = joint(lab.joint).posterior(x[0], law, ky)
            shown["distance"] = posterior.distance(exact)
        if lab.printed:
            printed = bayes_rule(X, Y, prior, [x], kx, ky, lam=lam, lam_posterior=lab.lam_posterior, printed=True)
            shown["printed"] = printed.distance(exact) if lab.joint else printed.weights.sum()
        print(shown)

    return steps.script()


def _filter(result):
    lab, n, of, kernels = result.lab, result.lab.n + 1, result.course.quantity, _kernels(result.lab, *result.kernels)
    before, more, table = n - 1, n + FOLLOWED, opening(lab)
    two: Any = {"two_step": True} if lab.prediction == "sum rule" else {}

    @recipe
    def first_rows(table):
        return table.X[:more]

    pairs: Any = roles(lab, first_rows) if lab.path == "rows" else None

    @recipe
    def steps():
        if lab.path == "rows":
            data = table()
            X, Y = pairs(data)
            states, seen = Y, X
        else:
            states, seen = motion(lab.path).sequence(more, sensor=lab.sensor, rng=lab.seed)
        kx, ky = kernels.value[0], kernels.value[1]  # {kernels.note}
        if lab.lam is None:
            lam = ConditionalEmbedding(ky, ky).fit(states[:before], states[1:n]).lam_  # by leave-one-out
        else:
            lam = lab.lam
        model = HMMFilter(ky, kx, lam, lab.lam_posterior, **two).fit(states[:n], seen[:n])
        beliefs = model.filter(seen[n:])
        missed = beliefs @ model.states_[:, 0] - states[n:, 0]
        shown = {"error": np.sqrt(np.mean(missed[BURN:] ** 2))}
        if of.is_scaled:
            shown["error"] *= data.quantities_of([of.name])[0].size  # in the units of the file
        print(shown)

    return steps.script()


def _table(result):
    lab, chances, seen = result.lab, json.loads(result.lab.chances), result.lab.seen - 1

    @recipe
    def steps():
        counts, prior = np.array(lab.table_counts.tolist()), np.array(chances)
        x, y = (np.repeat(each.ravel(), counts.ravel()) for each in np.indices(counts.shape))
        belief = Embedding(Delta(), np.arange(len(prior)), prior / prior.sum())
        k, lam = Delta(), TABLE_LAM
        posterior = bayes_rule(x, y, belief, seen, k, k, lam, lam, normalize=True)
        shown = {"posterior": posterior(np.arange(len(prior)))}
        print(shown)

    return steps.script()


def _tree(result):
    lab, chosen = result.lab, result.of_nodes

    @recipe
    def steps():
        drawn: Any = gaussian_tree(lab.link, lab.n, rng=lab.seed)
        kernel = chosen  # {lab.bandwidth:g} x the median heuristic
        if lab.lam is None:
            lam = ConditionalEmbedding(kernel, kernel).fit(drawn["a"], drawn["b"]).lam_  # by leave-one-out
        else:
            lam = lab.lam
        edges = TREE  # (parent, child)
        tree = BeliefPropagation(edges, dict.fromkeys(drawn, kernel), lam).fit(drawn)
        beliefs = {node: tree.marginal(node, lab.evidence) for node in drawn}
        shown = {"means": [belief.mean()[0] for belief in beliefs.values()]}
        print(shown)

    return steps.script()


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
