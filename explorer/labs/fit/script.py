"""Copied Python of the Fit lab, a few lines that reproduce the page's numbers, and the lab's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.embeddings import StudentT
from explorer.marks.mark import Numbers
from explorer.printing import join_list, short_name
from explorer.snippets import NOTHING, Snippet, comment, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.script import opening_lines, script
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import drawn_lines

from .result import DRAWN, FITTED_AT, FLIPS, STARTS

if TYPE_CHECKING:
    from explorer.workbench.samples import Gaussians

    from .result import FitResult


def python(result: FitResult) -> Snippet:
    """Return a script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, kernel = result.lab, result.kernel
    lines, names = _points(result)
    more, used = _model(result)
    lines += [*more, snippet("kernel = {}  # {:g} x the median heuristic", kernel, lab.bandwidth)]
    names += [*used, type(kernel).__name__, "ksd_test", "ksdagg_test"]
    how = snippet("n_resamples={}, rng={}", FLIPS, lab.seed)
    lines += [
        snippet("result = ksd_test(X, model, kernel, {})", how),
        snippet("many = ksdagg_test(X, model, {})", how),
        snippet("print(result)"),
        snippet("print(many)"),
        snippet('shown = {{"ksd": result.statistic, "p": result.pvalue, "many": many.pvalue}}'),
    ]
    if lab.picture == "tests":
        names.append("fssd_test")
        lines += [
            snippet('exact = ksd_test(X, model, kernel, null="parametric", n_resamples={}, rng={})', DRAWN, lab.seed),
            snippet('shown |= {{"exact": exact.pvalue, "finite": fssd_test(X, model, kernel, {}).pvalue}}', how),
            snippet("print(shown)"),
        ]
    return script(names, lines, before=[snippet("import numpy as np")])


def _points(result):
    """Return the lines that create X, and Z if a model is fitted to other points, with their imports."""
    lab, count = result.lab, result.lab.n + result.lab.beside
    split = (
        [snippet("X, Z = rows[:{}], rows[{}:]  # the model is fitted to Z", lab.n, lab.n)]
        if lab.beside
        else [snippet("X = rows")]
    )
    if lab.toy:
        text, name = _law(result.law)
        return [snippet("law = {}", text), snippet("rows = law.sample({}, rng={})", count, lab.seed), *split], [name]
    lines, names = opening_lines(lab)
    columns = [result.source.names.index(name) for name in result.names]
    said = comment(join_list(map(short_name, result.names)))
    rows = snippet("rows = data.sample(data.n, rng={})[:{}, {}]  {}", lab.seed, count, columns, said)
    return [*lines, rows, *split], names


def _law(law: Gaussians) -> tuple[Snippet, str]:
    """Return a distribution as code, and its class's name."""
    if isinstance(law, StudentT):
        return snippet("StudentT({}, {}, {})", law.df, law.mean.tolist(), law.covariance.tolist()), "StudentT"
    lists = (each.tolist() for each in (law.weights, law.means, law.covariances))
    return snippet("GaussianMixture({}, {}, {})", *lists), "GaussianMixture"


def _model(result):
    """Return the lines that create the model, and their imports."""
    lab = result.lab
    if lab.family != "fitted":
        text, name = _law(result.model)
        return [snippet("model = {}", text)], [name]
    points = snippet("Z") if lab.beside else snippet("X")
    if lab.blobs == 1:
        names, lines = (
            [],
            [
                snippet("weights, means = [1.0], {}.mean(axis=0)[None]", points),
                snippet("covariances = np.cov({}.T).reshape(1, {}, {})", points, lab.d, lab.d),
            ],
        )
    else:
        names = ["Gaussian", "MixtureDensity", "median_bandwidth"]
        lines = [
            snippet("wide = Gaussian({} * median_bandwidth({}))", FITTED_AT, points),
            snippet(
                "fit = MixtureDensity(wide, n_components={}, rng={}, starts={}).fit({})",
                lab.blobs,
                lab.seed,
                STARTS,
                points,
            ),
            snippet("weights, means, covariances = fit.mixture_.weights, fit.mixture_.means, fit.mixture_.covariances"),
        ]
    there = {
        row: list(place[: lab.d]) for row, place in moved_points(lab.moved).items() if row < len(result.home.means)
    }
    if there:
        lines.append(snippet("means = means.copy()"))
        lines += [snippet("means[{}] = {}  # moved by hand", row, place) for row, place in there.items()]
    wide = NOTHING if lab.width == 1 else snippet(" * {} ** 2", lab.width)
    return [*lines, snippet("model = GaussianMixture(weights, means, covariances{})", wide)], [
        *names,
        "GaussianMixture",
    ]


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
            in_file_units(result.quantities, result.witness_points),
            {**witness, "standard_error": field.errors, "length_in_standard_errors": field.lengths},
        ),
        "sign_flips": {"ksd2": test.null_distribution},
    }
    if result.answers:
        tests = [look.test for look in result.shown_looks]
        tables["bandwidths"] = {
            "bandwidth_in_medians": np.array(result.stops, float),
            "ksd2": np.array([each.statistic for each in tests]),
            "p": np.array([each.pvalue for each in tests]),
        }
    return tables
