"""Copy Python of the Kernel PCA lab, a few lines that reproduce its numbers, and the tables of its numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.kernels import Gaussian
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, identifier, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.kernels import has_bandwidth
from explorer.workbench.script import models_called, script, table_lines
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import drawn_lines

from .groups import STARTS

if TYPE_CHECKING:
    from .result import KernelPCAResult


def python(result: KernelPCAResult) -> Snippet:
    """Return a script that prints the eigenvalues, the component's share and the pre-image.

    It stores them in `shown`.
    """
    lab = result.lab
    own, classes = models_called(*filter(None, (result.kernel, lab.own_centre and lab.own_centre.of(lab))))
    names, others = [*classes, "KernelPCA"], own
    if lab.toy:
        others.append(snippet("from explorer.datasets import cloud"))
        lines = [snippet("X = cloud({}, {}, noise={}, rng={}).X", lab.toy, lab.n, lab.noise, lab.seed)]
    else:
        lines, more = table_lines(lab)
        names += more
    if lab.moved:
        lines.append(snippet("X = X.copy()"))
        for i, place in moved_points(lab.moved).items():
            if i < lab.n:
                lines.append(snippet("X[{}, :2] = {}  # moved by hand", i, list(place[: result.d])))
    wide = snippet("  # {:g} x the median heuristic", lab.bandwidth) if has_bandwidth(result) else NOTHING
    estimator, kind = _estimator(result)
    names += [kind] if kind else []
    method = NOTHING if isinstance(result.kernel, Gaussian) else snippet(', method="regression"')
    point = [float(v) for v in result.probe[0]]
    lines += [
        snippet("kernel = {}{}", result.kernel, wide),
        snippet("model = KernelPCA(kernel, n_components={}{}).fit(X)", result.look.rank, estimator),
        snippet("variance = model.weights_ @ (model.reconstruction_error(X) + (model.transform(X) ** 2).sum(axis=1))"),
        snippet("scores = model.transform([{}])", point),
        snippet("scores[:, {}:] = 0  # the point's projection on the first {} components", lab.kept, lab.kept),
        snippet("shown = {{"),
        snippet('    "eigenvalues": model.eigenvalues_,'),
        snippet('    "shares": model.eigenvalues_ / variance,'),
        snippet('    "pre-image": model.pre_image(scores=scores{})[0],', method),
        snippet("}}"),
    ]
    if result.cleaned is not None:
        others.append(snippet("import numpy as np"))
        lines += [
            snippet("clean = cloud({}, {}, noise=0, rng={}).X", lab.toy, lab.n, lab.seed),
            snippet("scores = model.transform(X)"),
            snippet("scores[:, {}:] = 0", lab.kept),
            snippet("before, after = X - clean, model.pre_image(scores=scores{}) - clean", method),
            snippet('shown["after / before"] = np.sum(after**2) / np.sum(before**2)'),
        ]
    lines += _of_picture(result, names)
    before = [line for line in others if line.startswith("import")]
    after = [line for line in others if line.startswith("from")]
    return script(names, [*lines, snippet("print(shown)")], before, after)


def _of_picture(result, names):
    """Return the lines of the discriminant, the clusters, or the tensor of order 3, if the state shows them."""
    lab = result.lab
    if result.discriminant is not None:
        names.append("KernelFDA")
        return [
            snippet("groups = cloud({}, {}, noise={}, rng={}).groups", lab.toy, lab.n, lab.noise, lab.seed),
            snippet('shown["separations"] = KernelFDA(kernel).fit(X, groups).separations_'),
        ]
    if result.clusters is not None:
        names.append("CLUHSIC")
        return [
            snippet("between = {}", lab.kernel_of_labels.tolist()),
            snippet(
                "clusters = CLUHSIC({}, kernel, between, rng={}, starts={}).fit(X)", lab.clusters, lab.seed, STARTS
            ),
            snippet('shown["n² HSIC"] = len(X) ** 2 * clusters.objective_'),
        ]
    if result.third is not None and lab.picture == "scores":
        names.append("CovarianceOperator")
        return [snippet('shown["third moments"] = CovarianceOperator(kernel, order=3).fit(X).norm() ** 2')]
    return []


def _estimator(result):
    """Return the argument that shrinks centre or operator, and its class's name; both are empty without shrinkage."""
    lab, model = result.lab, result.look.model
    if lab.own_centre is not None:
        return snippet(", centering={}", lab.own_centre.of(lab)), ""
    if not lab.shrinks:
        return NOTHING, ""
    role = "centering" if lab.variant.endswith("centred") else "covariance"
    chosen = getattr(model, role)
    kind, lam = type(chosen).__name__, NOTHING if lab.lam is None else snippet("lam={}", chosen.lam)
    return snippet(", {}={}({})", identifier(role), identifier(kind), lam), kind


def numbers(result: KernelPCAResult) -> Numbers:
    """Return table -> column -> (rows,): the numbers in the pictures."""
    look, own = result.look, partial(in_file_units, result.quantities)

    def at(point):
        return np.concatenate(list(own(point[None]).values()))

    lines = drawn_lines(result.lab)
    scores = {f"component {k + 1}": look.scores[:, k] for k in range(2)}
    tables = {
        "sample": with_own(own(result.X), {**scores, "group": result.groups}, lines),
        "components": {
            "component": np.arange(1, len(look.shares) + 1),
            "share": look.shares,
        },
        "point": {"coordinate": np.array(result.names), "point": at(result.probe[0]), "pre-image": at(result.back)},
    }
    if result.denoised is not None:
        tables["denoised"] = with_own(own(result.denoised), {}, lines)
    if result.cleaning is not None:
        tables["components kept"] = {"kept": np.arange(1, len(result.cleaning) + 1), "distance": result.cleaning}
    if result.clusters is not None:
        tables["clusters"] = with_own(own(result.X), {"cluster": result.clusters.labels}, lines)
    if result.discriminant is not None:
        discriminants = enumerate(result.discriminant.fit.transform(result.X).T, 1)
        tables["discriminants"] = lines | {f"discriminant {k}": values for k, values in discriminants}
    if result.study is not None:
        errors = {name: result.study.mean(name) for name in result.study.errors}
        tables["errors"] = {"components kept": result.study.components, **errors}
    if result.boot is not None:
        tables["resamples"] = {f"share of component {k + 1}": each for k, each in enumerate(result.boot.shares.T)}
    return tables
