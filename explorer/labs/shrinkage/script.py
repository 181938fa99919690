"""Copied Python of the Shrinkage lab, a few lines that reproduce the page's numbers, and the lab's tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.embeddings import Embedding, GaussianMixture, StudentT, contaminate
from explorer.estimators import FKMSE, KME, SKMSE, BayesianKME, SpectralKMSE, james_stein, james_stein_risk
from explorer.estimators.filtering import REACH
from explorer.estimators.spectral import ITERATIONS
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.kernels import has_bandwidth
from explorer.workbench.replicates import loss_columns
from explorer.workbench.script import Noted, by_hand, estimated_losses, kernel_steps, opening, relative_losses
from explorer.workbench.user_rows import drawn_lines

from .extra_estimator import estimator_of

if TYPE_CHECKING:
    from .result import ShrinkageResult


# The filters' names in a file.
FILES = {"tikhonov": "fkmse", "iterated-tikhonov": "iterated", "landweber": "landweber", "nu": "nu", "tsvd": "tsvd"}


def python(result: ShrinkageResult) -> Script:
    """Return a script that prints, and leaves in `losses`, the losses that the page shows at its λ.

    They are losses relative to the loss of KME, equal to the page's to 1e-12.
    """
    lab, row, known, table, draw = result.lab, result.row, result.law is not None, opening(result.lab), _law(result.lab)
    kernel_of = kernel_steps(lab, result.kernel, has_bandwidth(result))
    moved = by_hand(lab.moved, {i: i for i in range(lab.n)}, result.X.shape[1])
    beside = None if result.beside is None or result.beside.loss is None else estimator_of(lab)
    blob, flexible_name, stein, averages = result.blob, result.flexible_name, _stein(result), _averages(result)
    vanishes = known and bool(np.isnan(result.flexible_curve.weights[row]).any())
    how = "the leave-one-out choice" if lab.lam is None else "the slider's"
    s = Noted(float(result.simple.lams[row]), how)
    if lab.weights == "sum-to-one" and blob is None and math.isinf(s.value):
        # Weights that are all 0 cannot be scaled to sum to one. The page then shows the same weights at every λ.
        s = Noted(0.0, f"{how} is infinite; weights that sum to one are the plain average at every λ")
    held: Any = {"weights": lab.weights} if lab.weights != "free" else {}
    f = Noted(_flexible(result), f"{how}, times mean k(x, x)")
    free = "steps" if lab.filter in REACH else "lam"
    outliers: Any = (lab.outliers, lab.kind, lab.distance)
    kind: Any = lab.filter

    @recipe
    def flexible(kernel):
        if lab.filter == "tikhonov":
            return FKMSE(kernel, **f.value, **held)
        return SpectralKMSE(kernel, kind, **f.value, **held)

    @recipe
    def steps():
        if known:
            law = draw()
            X = law.sample(lab.n, rng=lab.seed)
        else:
            data = table()
            X = data.sample(lab.n, rng=lab.seed)
        if lab.outliers and known:
            X = contaminate(X, *outliers, rng=lab.seed)  # the loss is still to the distribution without outliers
        elif lab.outliers:
            X = contaminate(X, *outliers, rng=lab.seed)
        X = moved(X)
        kernel = kernel_of()
        if blob is not None:
            target = GaussianMixture([1.0], [blob.mean], [blob.spread**2] * blob.d).embed(kernel)
        estimators: Any = {
            "KME": KME(kernel),
            "S-KMSE": SKMSE(kernel, lam=s.value, **({} if blob is None else {"target": target}), **held),  # {s.note}
            flexible_name: flexible(kernel),  # {f.note}
        }
        if known and lab.bayesian:
            estimators["Bayesian KME"] = BayesianKME(kernel)  # with the noise that it estimates
        if known and beside is not None:
            estimators[lab.beside] = beside.replace(kernel=kernel)
        if vanishes:
            del estimators[flexible_name]
        if known:
            losses: Any = relative_losses(law, kernel, X, estimators)
            if vanishes:
                losses[flexible_name] = float("nan")  # no multiple of its weights sums to one
            print(losses)
            stein(X, law)
        else:
            scores: Any = {"KME": KME(kernel).loocv(X)}
            for name, parameter in (("S-KMSE", "lam"), (flexible_name, free)):
                scores[name] = float(estimators[name].loocv(X, [getattr(estimators[name], parameter)])[0])
            if beside is not None:
                further = beside.replace(kernel=kernel).select(X)
                if beside.free is None:
                    scores[lab.beside] = further.loocv(X)
                else:
                    scores[lab.beside] = float(further.loocv(X, [getattr(further, beside.free)])[0])
            losses = estimated_losses(scores, X)
            print(losses)
        averages(kernel, X, estimators, law if known else None)

    return steps.script()


def _averages(result):
    """Return the steps of the average of f = k(., t) and the estimators' values of it, if they are shown."""
    shown, known = result.lab.picture in ("values", "fits"), result.law is not None
    centre = [(result.values or result.fits).centre.tolist()] if shown else []

    @recipe
    def steps(kernel, X, estimators, law):
        if shown:
            t = centre
            f = Embedding(kernel, t, [1.0])  # the function k(., t)
            averages: Any = {"average of f": f(X).mean()}
            averages |= {name: f.inner(each.embed(X)) for name, each in estimators.items()}
            if known:
                averages["E f(X)"] = f.inner(law.embed(kernel))
            print(averages)

    return steps


def _flexible(result):
    """Return the arguments of the filter's estimator."""
    lab, lam = result.lab, float(result.flexible.lams[result.row] * result.scale)
    if lab.filter in REACH:
        return {"steps": int(result.filtering.values([lam])[0])}
    if lab.filter == "iterated-tikhonov":
        return {"lam": lam, "steps": ITERATIONS}
    return (
        {"lam": lam, "selection": lab.selection}
        if lab.selection != "leave-one-out" and lab.filter == "tikhonov"
        else {"lam": lam}
    )


def _stein(result):
    """Return the steps of James and Stein's loss on this sample and, if it is known, of their expected loss."""
    (n, d), shown = result.X.shape, result.stein is not None
    expected = shown and result.stein.risk is not None

    @recipe
    def steps(X, law):
        if shown:
            mean = X.mean(axis=0)  # James-Stein uses the known variance, 1
            shrunk = james_stein(mean, variance=1 / n, positive=True)
            stein = [((shrunk - law.mean) ** 2).sum() / ((mean - law.mean) ** 2).sum()]
            if expected:
                risk = james_stein_risk(float(law.mean @ law.mean), d, variance=1 / n, positive=True)
                stein.append(risk * n / d)  # on average
            print("James-Stein", stein)

    return steps


def _law(lab):
    """Return the steps that create the true distribution."""

    @recipe
    def steps():
        if lab.source == "gaussian":
            return GaussianMixture([1.0], [[lab.mean] * lab.d], [1.0] * lab.d)
        if lab.source == "student":
            return StudentT(lab.df, [lab.mean] * lab.d, 1.0)
        return GaussianMixture.random(lab.d, rng=lab.law_seed)

    return steps


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
