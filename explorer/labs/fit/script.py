"""Copy Python of the Fit lab, a few lines that give the screen's numbers again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.quantity import in_own_units
from explorer.embeddings import StudentT
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.printing import listed, short
from explorer.tables import with_own
from explorer.workbench.by_hand import places
from explorer.workbench.own_rows import drawn_lines
from explorer.workbench.script import opening_lines, script

from .cost import DRAWN, FLIPS
from .result import FITTED_AT, STARTS

if TYPE_CHECKING:
    from explorer.workbench.samples import Gaussians

    from .result import FitResult


def python(result: FitResult) -> str:
    """A script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, kernel = result.lab, result.kernel
    lines, names = _points(result)
    more, used = _model(result)
    lines += [*more, f"kernel = {code(kernel)}  # {lab.bandwidth:g} x the median heuristic"]
    names += [*used, type(kernel).__name__, "ksd_test", "ksdagg_test"]
    how = f"n_resamples={FLIPS}, rng={lab.seed}"
    lines += [
        f"result = ksd_test(X, model, kernel, {how})",
        f"many = ksdagg_test(X, model, {how})",
        "print(result)",
        "print(many)",
        'shown = {"ksd": result.statistic, "p": result.pvalue, "many": many.pvalue}',
    ]
    if lab.picture == "tests":
        names.append("fssd_test")
        lines += [
            f'exact = ksd_test(X, model, kernel, null="parametric", n_resamples={DRAWN}, rng={lab.seed})',
            f'shown |= {{"exact": exact.pvalue, "finite": fssd_test(X, model, kernel, {how}).pvalue}}',
            "print(shown)",
        ]
    return "\n".join(["import numpy as np", script(sorted(set(names)), lines)])


def _points(result):
    """Lines that make X, and Z of the points that a model is fitted to; and what they import."""
    lab, count = result.lab, result.lab.n + result.lab.beside
    split = [f"X, Z = rows[:{lab.n}], rows[{lab.n}:]  # the model is fitted to Z"] if lab.beside else ["X = rows"]
    if lab.toy:
        text, name = _law(result.law)
        return [f"law = {text}", f"rows = law.sample({count}, rng={lab.seed})", *split], [name]
    lines, names = opening_lines(lab)
    columns = [result.source.names.index(name) for name in result.names]
    rows = f"rows = data.sample(data.n, rng={lab.seed})[:{count}, {columns}]  # {listed(map(short, result.names))}"
    return [*lines, rows, *split], names


def _law(law: Gaussians) -> tuple[str, str]:
    """A distribution as code, and its class's name."""
    if isinstance(law, StudentT):
        return f"StudentT({code(law.df)}, {law.mean.tolist()}, {law.covariance.tolist()})", "StudentT"
    lists = (each.tolist() for each in (law.weights, law.means, law.covariances))
    return "GaussianMixture({}, {}, {})".format(*lists), "GaussianMixture"


def _model(result):
    """Lines that make the model, and what they import."""
    lab = result.lab
    if lab.family != "fitted":
        text, name = _law(result.model)
        return [f"model = {text}"], [name]
    points = "Z" if lab.beside else "X"
    if lab.blobs == 1:
        names, lines = (
            [],
            [
                f"weights, means = [1.0], {points}.mean(axis=0)[None]",
                f"covariances = np.cov({points}.T).reshape(1, {lab.d}, {lab.d})",
            ],
        )
    else:
        names = ["Gaussian", "MixtureDensity", "median_bandwidth"]
        lines = [
            f"wide = Gaussian({FITTED_AT} * median_bandwidth({points}))",
            f"fit = MixtureDensity(wide, n_components={lab.blobs}, rng={lab.seed}, starts={STARTS}).fit({points})",
            "weights, means, covariances = fit.mixture_.weights, fit.mixture_.means, fit.mixture_.covariances",
        ]
    there = {row: list(place[: lab.d]) for row, place in places(lab.moved).items() if row < len(result.home.means)}
    if there:
        lines.append("means = means.copy()")
        lines += [f"means[{row}] = {place}  # moved by hand" for row, place in there.items()]
    wide = "" if lab.width == 1 else f" * {code(lab.width)} ** 2"
    return [*lines, f"model = GaussianMixture(weights, means, covariances{wide})"], [*names, "GaussianMixture"]


def numbers(result: FitResult) -> Numbers:
    """Table -> column -> (rows,): the points, the model, the Stein witness, the null values, p by bandwidth."""
    model, test, field = result.model, result.test, result.at_row().field
    weights = getattr(model, "weights", np.ones(1))  # Student's t is one component
    centres = {f"centre_{j + 1}": each.own(model.means[:, j]) for j, each in enumerate(result.quantities)}
    deviations = np.sqrt(np.diagonal(model.covariances, axis1=1, axis2=2))
    centres |= {f"sd_{j + 1}": each.size * deviations[:, j] for j, each in enumerate(result.quantities)}
    witness = {f"g_{j + 1}": field.values[:, j] for j in range(result.lab.d)}
    tables = {
        "sample": with_own(result.sample.own, {}, drawn_lines(result.lab)),
        "model": {"weight": weights, **centres},
        "witness": with_own(
            in_own_units(result.quantities, result.places),
            {**witness, "standard_error": field.errors, "length_in_standard_errors": field.lengths},
        ),
        "sign_flips": {"ksd2": test.null_distribution},
    }
    if result.answers:
        tests = [look.test for look in result.shown]
        tables["bandwidths"] = {
            "bandwidth_in_medians": np.array(result.stops, float),
            "ksd2": np.array([each.statistic for each in tests]),
            "p": np.array([each.pvalue for each in tests]),
        }
    return tables
