"""Copied Python of the Fit lab, a few lines that reproduce the page's numbers, and the lab's tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.discrepancy import fssd_test, ksd_test, ksdagg_test
from explorer.embeddings import GaussianMixture
from explorer.kernels import Gaussian, median_bandwidth
from explorer.learning import MixtureDensity
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.script import columns_of, distribution, opening
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import drawn_lines

from .result import DRAWN, FITTED_AT, FLIPS, STARTS

if TYPE_CHECKING:
    from .result import FitResult


def python(result: FitResult) -> Script:
    """Return a script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, chosen, table, model_of = result.lab, result.kernel, opening(result.lab), _model(result)
    drawn_from: Any = None if result.law is None else distribution(result.law)
    columns: Any = None if lab.toy else columns_of(result.source.names, result.names)
    count: int = lab.n + lab.beside
    how: dict[str, Any] = {"n_resamples": FLIPS, "rng": lab.seed}

    @recipe
    def steps():
        if lab.toy:
            law = drawn_from()
            rows = law.sample(count, rng=lab.seed)
        else:
            data = table()
            rows = data.sample(data.n, rng=lab.seed)[:count, columns.places]  # {columns.names}
        if lab.beside:
            X, Z = rows[: lab.n], rows[lab.n :]  # the model is fitted to Z
            model = model_of(Z)
        else:
            X = rows
            model = model_of(X)
        kernel = chosen  # {lab.bandwidth:g} x the median heuristic
        result = ksd_test(X, model, kernel, **how)
        many = ksdagg_test(X, model, **how)
        print(result)
        print(many)
        shown = {"ksd": result.statistic, "p": result.pvalue, "many": many.pvalue}
        if lab.picture == "tests":
            exact = ksd_test(X, model, kernel, null="parametric", n_resamples=DRAWN, rng=lab.seed)
            shown |= {"exact": exact.pvalue, "finite": fssd_test(X, model, kernel, **how).pvalue}
            print(shown)

    return steps.script()


def _model(result):
    """Return the steps that create the model, given the points to which it is fitted."""
    lab, exact = result.lab, None if result.lab.family == "fitted" else distribution(result.model)
    moved = moved_points(lab.moved)
    places = {row: list(place[: lab.d]) for row, place in moved.items() if row < len(result.home.means)}

    @recipe
    def steps(points):
        if exact is not None:
            return exact()
        if lab.blobs == 1:
            weights, means = [1.0], points.mean(axis=0)[None]
            covariances = np.cov(points.T).reshape(1, lab.d, lab.d)
        else:
            wide = Gaussian(FITTED_AT * median_bandwidth(points))
            fit = MixtureDensity(wide, n_components=lab.blobs, rng=lab.seed, starts=STARTS).fit(points)
            weights, means, covariances = fit.mixture_.weights, fit.mixture_.means, fit.mixture_.covariances
        if places:
            means = means.copy()
        for row, place in places.items():
            means[row] = place  # moved by hand
        return GaussianMixture(weights, means, covariances if lab.width == 1 else covariances * lab.width**2)

    return steps


def numbers(result: FitResult) -> Numbers:
    """Return the tables: the points, the model, the Stein witness, the null values, p by bandwidth.

    The form is table -> column -> values, shape (rows,).
    """
    model, test, field = result.model, result.test, result.at_row().field
    weights = getattr(model, "weights", np.ones(1))  # Student's t has a single component
    centres = {f"centre_{j + 1}": each.to_file_units(model.means[:, j]) for j, each in enumerate(result.quantities)}
    deviations = np.sqrt(np.diagonal(model.covariances, axis1=1, axis2=2))
    centres |= {f"sd_{j + 1}": each.size * deviations[:, j] for j, each in enumerate(result.quantities)}
    witness = {f"g_{j + 1}": field.values[:, j] for j in range(result.lab.d)}
    tables = {
        "sample": with_own(result.sample.own, {}, drawn_lines(result.lab)),
        "model": {"weight": weights, **centres},
        "witness": with_own(
            in_file_units(result.quantities, result.places),
            {**witness, "standard_error": field.errors, "length_in_standard_errors": field.lengths},
        ),
        "sign_flips": {"ksd2": test.null_distribution},
    }
    if result.answers:
        ksd2, p = np.array([(each.statistic, each.pvalue) for each in result.tests]).T
        tables["bandwidths"] = {"bandwidth_in_medians": np.array(result.stops, float), "ksd2": ksd2, "p": p}
    return tables
