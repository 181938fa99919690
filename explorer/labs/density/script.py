"""Generated Python code of the density lab, which reproduces the page's numbers, and its downloadable tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.embeddings import GaussianMixture, StudentT
from explorer.estimators import KME
from explorer.learning import MaximumEntropy, MixtureDensity
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.script import columns_of, opening
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import drawn_lines

from .course import held_seed
from .grids import CELLS, MARGIN
from .lab import STARTS
from .result import HELD

if TYPE_CHECKING:
    from .result import DensityResult


def python(result: DensityResult) -> Script:
    """Return a script that computes the headline's numbers, stores them in `shown` and prints them."""
    lab, chosen, estimator, table = result.lab, result.kernel, result.lab.the_estimator(), opening(result.lab)
    known, zeros, held = result.law is not None, [0.0] * lab.d, held_seed(lab.seed)
    others = lab.n - 1
    columns: Any = None if known else columns_of(result.source.names, result.names)
    moved = moved_points(lab.placed)
    places = [(blob, list(place[: lab.d])) for blob, place in moved.items() if blob < lab.blobs]
    how: Any = {"n_components": lab.blobs, "iterations": lab.reach}

    @recipe
    def moved_by_hand(mixture):
        means = mixture.means.copy()
        for blob, place in places:
            means[blob] = place  # moved by hand
        return GaussianMixture(mixture.weights, means, mixture.covariances)

    @recipe
    def steps():
        if known:
            if lab.source == "student":
                law = StudentT(lab.df, zeros, 1.0)
            else:
                law = GaussianMixture.random(lab.d, rng=lab.law_seed)
            X, Z = law.sample(lab.n, rng=lab.seed), law.sample(HELD, rng=held)  # Z is held out
        else:
            data = table()
            rows = data.sample(data.n, rng=lab.seed)[:, columns.places]  # {columns.names}
            X, Z = rows[: lab.n], rows[lab.n :]  # Z is held out
        kernel = chosen  # {lab.bandwidth:g} x the median heuristic
        k_means = MixtureDensity(kernel, n_components=lab.blobs, rng=lab.seed, starts=STARTS, iterations=0)
        start = k_means.fit(X).start_
        if lab.start_moved:
            rival = MixtureDensity(kernel, estimator, **how).fit(X, start)  # from k-means
            start = moved_by_hand(start)
        fit = MixtureDensity(kernel, estimator, **how).fit(X, start)
        step = min(lab.iteration, len(fit.path_) - 1)
        mixture, distance = fit.path_.mixture(step), fit.history_[step] ** 0.5
        if lab.shown_moved:
            mixture = moved_by_hand(mixture)
            distance = fit.embedding_.distance(mixture.embed(kernel))
        shown = {"start": -start.logpdf(Z).mean(), "nll": -mixture.logpdf(Z).mean(), "distance": distance}
        if lab.start_moved:
            shown["from k-means"] = rival.history_[min(lab.iteration, len(rival.path_) - 1)] ** 0.5
        if lab.picture == "entropy":
            error = np.sqrt(max(1 - KME(kernel).embed(X).norm() ** 2, 0.0) / others) or 1.0  # the plain average's
            low, high = X.min(axis=0), X.max(axis=0)
            room = MARGIN[lab.d] * np.where(high > low, high - low, (high - low).max() or 1.0)
            axes = [np.linspace(a, b, CELLS[lab.d]) for a, b in zip(low - room, high + room)]
            grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, lab.d)
            even = MaximumEntropy(kernel, lab.eps * error, estimator).fit(X, grid)
            shown |= {"entropy": even.entropy_, "even": -even.logpdf(Z).mean()}
        print(shown)

    return steps.script()


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
