"""Generated Python code of the density lab, which reproduces the page's numbers, and its downloadable tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.marks.mark import Numbers
from explorer.printing import join_list, short_name
from explorer.snippets import Snippet, comment, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.script import models_called, opening_lines, script
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import drawn_lines

from .course import held_seed
from .grids import CELLS, MARGIN
from .lab import STARTS
from .result import HELD

if TYPE_CHECKING:
    from .result import DensityResult


def python(result: DensityResult) -> Snippet:
    """Return a script that computes the headline's numbers, stores them in `shown` and prints them."""
    lab, estimator = result.lab, result.lab.the_estimator()
    own, classes = models_called(lab.the_estimator())
    lines, names = _sample(result)
    names += ["Gaussian", "MixtureDensity", *classes]
    fit = snippet("MixtureDensity(kernel, {}, n_components={}, iterations={})", estimator, lab.blobs, lab.reach)
    lines += [
        snippet("kernel = {}  # {:g} x the median heuristic", result.kernel, lab.bandwidth),
        snippet(
            "k_means = MixtureDensity(kernel, n_components={}, rng={}, starts={}, iterations=0)",
            lab.blobs,
            lab.seed,
            STARTS,
        ),
        snippet("start = k_means.fit(X).start_"),
    ]
    if lab.placed:
        names.append("GaussianMixture")
    if lab.start_moved:
        lines += [snippet("rival = {}.fit(X, start)  # from k-means", fit), *_moved(snippet("start"), lab)]
    lines += [
        snippet("fit = {}.fit(X, start)", fit),
        snippet("step = min({}, len(fit.path_) - 1)", lab.iteration),
        snippet("mixture, distance = fit.path_.mixture(step), fit.history_[step] ** 0.5"),
    ]
    if lab.shown_moved:
        lines += [
            *_moved(snippet("mixture"), lab),
            snippet("distance = fit.embedding_.distance(mixture.embed(kernel))"),
        ]
    lines.append(
        snippet('shown = {{"start": -start.logpdf(Z).mean(), "nll": -mixture.logpdf(Z).mean(), "distance": distance}}')
    )
    if lab.start_moved:
        lines.append(
            snippet('shown["from k-means"] = rival.history_[min({}, len(rival.path_) - 1)] ** 0.5', lab.iteration)
        )
    other = own
    if lab.picture == "entropy":
        names += ["KME", "MaximumEntropy"]
        other = [snippet("import numpy as np"), *own]
        lines += _entropy(lab, estimator)
    return script(names, [*lines, snippet("print(shown)")], before=other)


def _moved(name, lab):
    """Return lines that put the components of the mixture `name` where the user moved them."""
    there = {blob: list(place[: lab.d]) for blob, place in moved_points(lab.placed).items() if blob < lab.blobs}
    return [
        snippet("means = {}.means.copy()", name),
        *(snippet("means[{}] = {}  # moved by hand", blob, place) for blob, place in there.items()),
        snippet("{} = GaussianMixture({}.weights, means, {}.covariances)", name, name, name),
    ]


def _sample(result):
    """Return the lines that create X and the held-out points Z, and the names that they import."""
    lab = result.lab
    if result.law is not None:
        kind = "StudentT" if lab.source == "student" else "GaussianMixture"
        law = snippet("GaussianMixture.random({}, rng={})", lab.d, lab.law_seed)
        if lab.source == "student":
            law = snippet("StudentT({}, {}, 1.0)", lab.df, [0.0] * lab.d)
        held = held_seed(lab.seed)
        drawn = snippet(
            "X, Z = law.sample({}, rng={}), law.sample({}, rng={})  # Z is held out", lab.n, lab.seed, HELD, held
        )
        return [snippet("law = {}", law), drawn], [kind]
    lines, names = opening_lines(lab)
    columns, names_said = (
        [result.source.names.index(name) for name in result.names],
        join_list(map(short_name, result.names)),
    )
    return [
        *lines,
        snippet("rows = data.sample(data.n, rng={})[:, {}]  {}", lab.seed, columns, comment(names_said)),
        snippet("X, Z = rows[:{}], rows[{}:]  # Z is held out", lab.n, lab.n),
    ], names


def _entropy(lab, estimator):
    """Return lines that compute the maximum-entropy density."""
    return [
        snippet(
            "error = np.sqrt(max(1 - KME(kernel).embed(X).norm() ** 2, 0.0) / {}) or 1.0  # the plain average's",
            lab.n - 1,
        ),
        snippet("low, high = X.min(axis=0), X.max(axis=0)"),
        snippet("room = {} * np.where(high > low, high - low, (high - low).max() or 1.0)", MARGIN[lab.d]),
        snippet("axes = [np.linspace(a, b, {}) for a, b in zip(low - room, high + room)]", CELLS[lab.d]),
        snippet("grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, {})", lab.d),
        snippet("even = MaximumEntropy(kernel, {} * error, {}).fit(X, grid)", lab.eps, estimator),
        snippet('shown |= {{"entropy": even.entropy_, "even": -even.logpdf(Z).mean()}}'),
    ]


def numbers(result: DensityResult) -> Numbers:
    """Return the tables, as table -> column -> (rows,): the fit by step, the mixture, the sample, the other fits."""
    mixture = result.mixture
    stops = {"stop": np.array(result.stops), "step": result.steps}
    centres, deviation = {}, np.sqrt(mixture.covariances[:, 0, 0])
    for j, quantity in enumerate(result.quantities):
        centres |= {
            f"centre_{j + 1}": quantity.to_file_units(mixture.means[:, j]),
            f"sd_{j + 1}": quantity.size * deviation,
        }
    tables = {
        "fit": {**stops, "distance": result.distance, "held_out_nll": result.nll},
        "blobs": {"weight": mixture.weights, **centres},
        "sample": with_own(result.sample.own, {}, drawn_lines(result.lab)),
    }
    if result.rival_course:
        steps, distance, nll = result.rival_course
        tables["from_k_means"] = {
            "stop": np.array(result.stops),
            "step": steps,
            "distance": distance,
            "held_out_nll": nll,
        }
    if result.courses:
        columns = {}
        for name, course in result.courses.items():
            columns |= {f"{name}_step": course.steps, f"{name}_distance": course.distance, f"{name}_nll": course.nll}
        tables["estimators"] = {"stop": np.array(result.stops), **columns}
    if result.endings:
        tables["samples"] = {"start": result.endings.start, **result.endings.ends}
    if result.even is not None:
        even, scale = result.even, math.prod(each.size for each in result.quantities)
        tables["even"] = with_own(in_file_units(result.quantities, even.grid_), {"density": even.density_ / scale})
    return tables
