"""Copy Python of the Kernel PCA lab, a few lines that reproduce its numbers, and the tables of its numbers."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import cloud
from explorer.datasets.columns.quantity import in_file_units
from explorer.kernels import Gaussian
from explorer.learning import CLUHSIC
from explorer.marks.mark import Numbers
from explorer.operators import CovarianceOperator, KernelFDA, KernelPCA
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.kernels import has_bandwidth
from explorer.workbench.script import by_hand, kernel_steps, opening
from explorer.workbench.user_rows import drawn_lines

from .groups import STARTS

if TYPE_CHECKING:
    from .result import KernelPCAResult


def python(result: KernelPCAResult) -> Script:
    """Return a script that prints the eigenvalues, the component's share and the pre-image.

    It stores them in `shown`.
    """
    lab, toy, table = result.lab, result.lab.toy or "", opening(result.lab)
    kernel_of = kernel_steps(lab, result.kernel, has_bandwidth(result))
    moved = by_hand(lab.moved, {i: i for i in range(lab.n)}, result.d)
    shrunk = _shrinkage(result)
    how: Any = {} if isinstance(result.kernel, Gaussian) else {"method": "regression"}
    point, rank = [float(v) for v in result.probe[0]], result.look.rank
    third = result.third is not None and lab.picture == "scores"

    @recipe
    def steps():
        if lab.toy:
            X = cloud(toy, lab.n, noise=lab.noise, rng=lab.seed).X
        else:
            data = table()
            X = data.sample(lab.n, rng=lab.seed)
        X = moved(X)
        kernel = kernel_of()
        model = KernelPCA(kernel, n_components=rank, **shrunk).fit(X)
        variance = model.weights_ @ (model.reconstruction_error(X) + (model.transform(X) ** 2).sum(axis=1))
        scores = model.transform([point])
        scores[:, lab.kept :] = 0  # the point's projection on the first {lab.kept} components
        shown = {
            "eigenvalues": model.eigenvalues_,
            "shares": model.eigenvalues_ / variance,
            "pre-image": model.pre_image(scores=scores, **how)[0],
        }
        if result.cleaned is not None:
            clean = cloud(toy, lab.n, noise=0, rng=lab.seed).X
            scores = model.transform(X)
            scores[:, lab.kept :] = 0
            before, after = X - clean, model.pre_image(scores=scores, **how) - clean
            shown["after / before"] = np.sum(after**2) / np.sum(before**2)
        if result.discriminant is not None:
            groups = cloud(toy, lab.n, noise=lab.noise, rng=lab.seed).groups
            shown["separations"] = KernelFDA(kernel).fit(X, groups).separations_
        elif result.clusters is not None:
            between = lab.kernel_of_labels.tolist()
            clusters = CLUHSIC(lab.clusters, kernel, between, rng=lab.seed, starts=STARTS).fit(X)
            shown["n² HSIC"] = len(X) ** 2 * clusters.objective_
        elif third:
            shown["third moments"] = CovarianceOperator(kernel, order=3).fit(X).norm() ** 2
        print(shown)

    return steps.script()


def _shrinkage(result):
    """Return the argument that shrinks centre or operator; nothing without shrinkage."""
    lab, role = result.lab, "centering" if result.lab.variant.endswith("centred") else "covariance"
    if lab.own_centre is not None:
        return {"centering": lab.own_centre.of(lab)}
    if not lab.shrinks:
        return {}
    chosen = getattr(result.look.model, role)
    return {role: type(chosen)() if lab.lam is None else type(chosen)(lam=chosen.lam)}


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
