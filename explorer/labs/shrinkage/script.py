"""Copied Python of the Shrinkage lab, a few lines that reproduce the page's numbers, and the lab's tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.estimators.filtering import REACH
from explorer.estimators.spectral import ITERATIONS
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, comment, identifier, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.kernels import has_bandwidth
from explorer.workbench.replicates import loss_columns
from explorer.workbench.script import ESTIMATED_LOSSES, LOSSES, models_called, script, table_lines
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import drawn_lines

from .extra_estimator import estimator_of

if TYPE_CHECKING:
    from .result import ShrinkageResult


# The filters' names in a file.
FILES = {"tikhonov": "fkmse", "iterated-tikhonov": "iterated", "landweber": "landweber", "nu": "nu", "tsvd": "tsvd"}


def python(result: ShrinkageResult) -> Snippet:
    """Return a script that prints, and leaves in `losses`, the losses that the page shows at its λ.

    They are losses relative to the loss of KME, equal to the page's to 1e-12.
    """
    lab, row = result.lab, result.row
    names = ["contaminate"] if lab.outliers else []
    known = result.law is not None
    if known:
        names += ["StudentT" if lab.source == "student" else "GaussianMixture"]
        lines = [snippet("law = {}", _law(lab)), snippet("X = law.sample({}, rng={})", lab.n, lab.seed)]
    else:
        lines, more = table_lines(lab)
        names += more
    if lab.outliers:
        lines.append(
            snippet("X = contaminate(X, {}, {}, {}, rng={})", lab.outliers, lab.kind, lab.distance, lab.seed)
            + (snippet("  # the loss is still to the distribution without outliers") if known else NOTHING)
        )
    if lab.moved:
        lines.append(snippet("X = X.copy()"))
        for i, place in moved_points(lab.moved).items():
            if i < lab.n:
                lines.append(snippet("X[{}, :2] = {}  # moved by hand", i, list(place[: result.X.shape[1]])))
    beside = None if result.beside is None or result.beside.loss is None else estimator_of(lab)
    own, classes = models_called(*filter(None, (result.kernel, beside)))
    flexible, free = _flexible(result)
    vanishes = known and bool(np.isnan(result.flexible_curve.weights[row]).any())
    names += ["KME", "SKMSE", *classes]
    if not vanishes:
        names.append(flexible.split("(")[0])
    times = snippet("  # {:g} x the median heuristic", lab.bandwidth) if has_bandwidth(result) else NOTHING
    lines += [snippet("kernel = {}{}", result.kernel, times)]
    if result.blob is not None:
        names += ["GaussianMixture"]
        lines += [
            snippet(
                "target = GaussianMixture([1.0], [{}], [{}**2] * {}).embed(kernel)",
                result.blob.mean,
                result.blob.spread,
                result.blob.d,
            )
        ]
    how = "the leave-one-out choice" if lab.lam is None else "the slider's"
    simple, note = result.simple.lams[row], how
    if lab.weights == "sum-to-one" and result.blob is None and math.isinf(simple):
        # Weights that are all 0 cannot be scaled to sum to one. The page then shows the same weights at every λ.
        simple, note = 0.0, f"{how} is infinite; weights that sum to one are the plain average at every λ"
    scaled = comment(f"{how}, times mean k(x, x)")
    held = snippet(", weights={}", lab.weights) if lab.weights != "free" else NOTHING
    with_bayes = known and lab.bayesian
    names += ["BayesianKME"] if with_bayes else []
    towards = snippet(", target=target") if result.blob is not None else NOTHING
    lines += [
        snippet("estimators = {{"),
        snippet('    "KME": KME(kernel),'),
        snippet('    "S-KMSE": SKMSE(kernel, lam={}{}{}),  {}', float(simple), towards, held, comment(note)),
        *([] if vanishes else [snippet("    {}: {}{}),  {}", result.flexible_name, flexible, held, scaled)]),
        *(
            [snippet('    "Bayesian KME": BayesianKME(kernel),  # with the noise that it estimates')]
            if with_bayes
            else []
        ),
        *([snippet("    {}: {}.replace(kernel=kernel),", lab.beside, beside)] if known and beside else []),
        snippet("}}"),
    ]
    if known:
        lines += LOSSES[:-1]
        if vanishes:
            lines.append(
                snippet('losses[{}] = float("nan")  # no multiple of its weights sums to one', result.flexible_name)
            )
        lines.append(LOSSES[-1])
        if result.stein is not None:
            names += ["james_stein", "james_stein_risk"] if result.stein.risk is not None else ["james_stein"]
            lines += _stein(result)
    else:
        lines += [
            snippet('scores = {{"KME": KME(kernel).loocv(X)}}'),
            snippet("for name, parameter in (('S-KMSE', 'lam'), ({}, {})):", result.flexible_name, free),
            snippet("    scores[name] = float(estimators[name].loocv(X, [getattr(estimators[name], parameter)])[0])"),
            *(_score(lab.beside, beside) if beside is not None else ()),
            *ESTIMATED_LOSSES,
        ]
    if lab.picture in ("values", "fits"):
        lines += _averages(result)
        names += ["Embedding"]
    return script(names, lines, before=own)


def _score(called, estimator):
    """Return the lines that score the extra estimator. Its open parameters are chosen on X."""
    lines = [snippet("further = {}.replace(kernel=kernel).select(X)", estimator)]
    if estimator.free is None:
        return [*lines, snippet("scores[{}] = further.loocv(X)", called)]
    return [
        *lines,
        snippet("scores[{}] = float(further.loocv(X, [further.{}])[0])", called, identifier(estimator.free)),
    ]


def _averages(result):
    """Return Python for the average of f = k(., t) and the estimators' values of it."""
    centre = (result.values or result.fits).centre
    lines = [
        snippet("t = {}", [centre.tolist()]),
        snippet("f = Embedding(kernel, t, [1.0])  # the function k(., t)"),
        snippet("averages = {{'average of f': f(X).mean()}}"),
        snippet("averages |= {{name: f.inner(each.embed(X)) for name, each in estimators.items()}}"),
    ]
    if result.law is not None:
        lines.append(snippet("averages['E f(X)'] = f.inner(law.embed(kernel))"))
    return [*lines, snippet("print(averages)")]


def _flexible(result):
    """Return the call of the filter's estimator without its last bracket, and the parameter that the slider moves."""
    lab, lam = result.lab, result.flexible.lams[result.row] * result.scale
    if lab.filter == "tikhonov":
        selection = snippet(", selection='theorem-4'") if lab.selection != "leave-one-out" else NOTHING
        return snippet("FKMSE(kernel, lam={}{}", float(lam), selection), "lam"
    if lab.filter in REACH:
        return snippet("SpectralKMSE(kernel, {}, steps={}", lab.filter, int(result.filtering.values([lam])[0])), "steps"
    steps = snippet(", steps={}", ITERATIONS) if lab.filter == "iterated-tikhonov" else NOTHING
    return snippet("SpectralKMSE(kernel, {}, lam={}{}", lab.filter, float(lam), steps), "lam"


def _stein(result):
    """Return Python for James and Stein's loss on this sample and, if it is known, their expected loss."""
    n, d = result.X.shape
    lines = [
        snippet("mean = X.mean(axis=0)  # James-Stein uses the known variance, 1"),
        snippet("shrunk = james_stein(mean, variance=1 / {}, positive=True)", n),
        snippet("stein = [((shrunk - law.mean) ** 2).sum() / ((mean - law.mean) ** 2).sum()]"),
    ]
    if result.stein.risk is not None:
        square = snippet("float(law.mean @ law.mean)")
        lines.append(
            snippet(
                "stein.append(james_stein_risk({}, {}, variance=1 / {}, positive=True) * {} / {})  # on average",
                square,
                d,
                n,
                n,
                d,
            )
        )
    return [*lines, snippet("print('James-Stein', stein)")]


def _law(lab):
    if lab.source == "gaussian":
        return snippet("GaussianMixture([1.0], [[{}] * {}], [1.0] * {})", lab.mean, lab.d, lab.d)
    if lab.source == "student":
        return snippet("StudentT({}, [{}] * {}, 1.0)", lab.df, lab.mean, lab.d)
    return snippet("GaussianMixture.random({}, rng={})", lab.d, lab.law_seed)


def numbers(result: ShrinkageResult) -> Numbers:
    """Return the tables: the curves over the slider's λ, the sample with its weights, the spectrum with its filters.

    The form is table -> column -> values, shape (rows,).
    """
    paths = {"skmse": result.simple, FILES[result.lab.filter]: result.flexible}
    curves = {"lam": result.simple.lams[:-1]}
    for name, path in paths.items():
        curves |= loss_columns(path, name, result.replicates, "simple" if name == "skmse" else "flexible")
    gamma, row = result.eigenvalues, result.row
    bounds = {"bound": {k: np.array([v]) for k, v in result.bound._asdict().items()}} if result.bound else {}
    return bounds | {
        "curves": curves,
        "sample": with_own(
            result.sample.own,
            {
                "outlier": (np.arange(len(result.X)) >= result.clean).astype(int),
                "kme_weight": np.full(len(result.X), 1 / len(result.X)),
                "skmse_weight": result.simple_curve.weights[row],
                f"{FILES[result.lab.filter]}_weight": result.flexible_curve.weights[row],
            },
            drawn_lines(result.lab, result.clean),
        ),
        "spectrum": {
            "eigenvalue": gamma[::-1] * result.scale,
            "skmse_keeps": np.full(len(gamma), result.simple_curve.keeps[row]),
            f"{FILES[result.lab.filter]}_keeps": result.flexible_curve.filter_values[row][::-1],
            **({} if result.bayes is None else {"bayesian_keeps": result.bayes.keeps[::-1]}),
        },
        **_of_functions(result),
    }


def _of_functions(result):
    """Return the table of the picture of functions, or nothing if none is shown."""
    values, fits, row = result.values, result.fits, result.row
    if values is not None:
        columns = {"first_coordinate": values.at, "kme": values.average[:-1], "skmse": values.simple[row, :-1]}
        columns[FILES[result.lab.filter]] = values.flexible[row, :-1]
        more = {"exact": values.exact, "bayesian": values.mean, "bayesian_deviation": values.deviation}
        return {"values": columns | {name: each[:-1] for name, each in more.items() if each is not None}}
    return {} if fits is None else {"fits": {"f": fits.values, "predicted": fits.predicted[row]}}
