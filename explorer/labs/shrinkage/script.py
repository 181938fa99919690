"""Copy Python of the Shrinkage lab, a few lines that give the screen's numbers again, and its tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.estimators.filtering import REACH
from explorer.estimators.spectral import ITERATIONS
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.tables import with_own
from explorer.workbench.by_hand import places
from explorer.workbench.kernels import has_bandwidth
from explorer.workbench.own_rows import drawn_lines
from explorer.workbench.replicates import loss_columns
from explorer.workbench.script import ESTIMATED_LOSSES, LOSSES, models_called, script, table_lines

from .beside import estimator_of

if TYPE_CHECKING:
    from .result import ShrinkageResult


# a filter's name in a file
FILES = {"tikhonov": "fkmse", "iterated-tikhonov": "iterated", "landweber": "landweber", "nu": "nu", "tsvd": "tsvd"}


def python(result: ShrinkageResult) -> str:
    """A script that prints, and leaves in `losses`, what the page shows at its λ.

    Loss / loss of KME, equal to 1e-12.
    """
    lab, row = result.lab, result.row
    names = ["contaminate"] if lab.outliers else []
    known = result.law is not None
    if known:
        names += ["StudentT" if lab.source == "student" else "GaussianMixture"]
        lines = [f"law = {_law(lab)}", f"X = law.sample({lab.n}, rng={lab.seed})"]
    else:
        lines, more = table_lines(lab)
        names += more
    if lab.outliers:
        lines.append(
            f"X = contaminate(X, {lab.outliers}, {lab.kind!r}, {code(lab.distance)}, rng={lab.seed})"
            + ("  # the loss is still to the distribution without outliers" if known else "")
        )
    if lab.moved:
        lines.append("X = X.copy()")
        for i, place in places(lab.moved).items():
            if i < lab.n:
                lines.append(f"X[{i}, :2] = {list(place[: result.X.shape[1]])}  # moved by hand")
    beside = None if result.beside is None or result.beside.loss is None else estimator_of(lab)
    own, classes = models_called(*filter(None, (result.kernel, beside)))
    flexible, free = _flexible(result)
    vanishes = known and bool(np.isnan(result.flexible_curve.weights[row]).any())
    names += ["KME", "SKMSE", *classes]
    if not vanishes:
        names.append(flexible.split("(")[0])
    times = f"  # {lab.bandwidth:g} x the median heuristic" if has_bandwidth(result) else ""
    lines += [f"kernel = {code(result.kernel)}{times}"]
    if result.blob is not None:
        names += ["GaussianMixture"]
        spread = code(result.blob.spread)
        lines += [
            f"target = GaussianMixture([1.0], [{result.blob.mean}], [{spread}**2] * {result.blob.d}).embed(kernel)"
        ]
    how = "the leave-one-out choice" if lab.lam is None else "the slider's"
    simple, note = result.simple.lams[row], how
    if lab.weights == "sum-to-one" and result.blob is None and math.isinf(simple):
        # weights that are all 0 have no multiple that sums to one, and the page shows what is the same at every λ
        simple, note = 0.0, f"{how} is infinite; weights that sum to one are the plain average at every λ"
    held = f", weights={lab.weights!r}" if lab.weights != "free" else ""
    with_bayes = known and lab.bayesian
    names += ["BayesianKME"] if with_bayes else []
    towards = ", target=target" if result.blob is not None else ""
    lines += [
        "estimators = {",
        '    "KME": KME(kernel),',
        f'    "S-KMSE": SKMSE(kernel, lam={_number(simple)}{towards}{held}),  # {note}',
        *([] if vanishes else [f'    "{result.flexible_name}": {flexible}{held}),  # {how}, times mean k(x, x)']),
        *(['    "Bayesian KME": BayesianKME(kernel),  # at the noise that it estimates'] if with_bayes else []),
        *([f"    {lab.beside!r}: {code(beside)}.replace(kernel=kernel),"] if known and beside else []),
        "}",
    ]
    if known:
        lines += LOSSES[:-1]
        if vanishes:
            lines.append(f'losses["{result.flexible_name}"] = float("nan")  # no multiple of its weights sums to one')
        lines.append(LOSSES[-1])
        if result.stein is not None:
            names += ["james_stein", "james_stein_risk"] if result.stein.risk is not None else ["james_stein"]
            lines += _stein(result)
    else:
        lines += [
            'scores = {"KME": KME(kernel).loocv(X)}',
            f"for name, parameter in (('S-KMSE', 'lam'), ({result.flexible_name!r}, {free!r})):",
            "    scores[name] = float(estimators[name].loocv(X, [getattr(estimators[name], parameter)])[0])",
            *(_score(lab.beside, beside) if beside is not None else ()),
            *ESTIMATED_LOSSES,
        ]
    if lab.picture in ("values", "fits"):
        lines += _averages(result)
        names += ["Embedding"]
    return "\n".join([*own, script(names, lines)])


def _score(name, estimator):
    """Lines that score the further estimator, what it leaves open chosen on X."""
    lines = [f"further = {code(estimator)}.replace(kernel=kernel).select(X)"]
    if estimator.free is None:
        return [*lines, f"scores[{name!r}] = further.loocv(X)"]
    return [*lines, f"scores[{name!r}] = float(further.loocv(X, [further.{estimator.free}])[0])"]


def _averages(result):
    """The average of f = k(., t), and what the estimators say of it, as Python."""
    centre = (result.values or result.fits).centre
    lines = [
        f"t = {[centre.tolist()]!r}",
        "f = Embedding(kernel, t, [1.0])  # the function k(., t)",
        "averages = {'average of f': f(X).mean()}",
        "averages |= {name: f.inner(each.embed(X)) for name, each in estimators.items()}",
    ]
    if result.law is not None:
        lines.append("averages['E f(X)'] = f.inner(law.embed(kernel))")
    return [*lines, "print(averages)"]


def _flexible(result):
    """The filter's estimator but for its last bracket, and which of its parameters the slider moves."""
    lab, lam = result.lab, result.flexible.lams[result.row] * result.scale
    if lab.filter == "tikhonov":
        selection = ", selection='theorem-4'" if lab.selection != "leave-one-out" else ""
        return f"FKMSE(kernel, lam={_number(lam)}{selection}", "lam"
    if lab.filter in REACH:
        return f"SpectralKMSE(kernel, {lab.filter!r}, steps={int(result.filtering.values([lam])[0])}", "steps"
    steps = f", steps={ITERATIONS}" if lab.filter == "iterated-tikhonov" else ""
    return f"SpectralKMSE(kernel, {lab.filter!r}, lam={_number(lam)}{steps}", "lam"


def _stein(result):
    """James and Stein's loss on this sample and, where it is known, their expected loss, as Python."""
    n, d = result.X.shape
    lines = [
        "mean = X.mean(axis=0)  # James-Stein knows the variance, 1",
        f"shrunk = james_stein(mean, variance=1 / {n}, positive=True)",
        "stein = [((shrunk - law.mean) ** 2).sum() / ((mean - law.mean) ** 2).sum()]",
    ]
    if result.stein.risk is not None:
        square = "float(law.mean @ law.mean)"
        lines.append(
            f"stein.append(james_stein_risk({square}, {d}, variance=1 / {n}, positive=True) * {n} / {d})  # on average"
        )
    return [*lines, "print('James-Stein', stein)"]


def _law(lab):
    if lab.source == "gaussian":
        return f"GaussianMixture([1.0], [[{code(lab.mean)}] * {lab.d}], [1.0] * {lab.d})"
    if lab.source == "student":
        return f"StudentT({code(lab.df)}, [{code(lab.mean)}] * {lab.d}, 1.0)"
    return f"GaussianMixture.random({lab.d}, rng={lab.law_seed})"


def _number(value):
    return "float('inf')" if math.isinf(value) else repr(float(value))


def numbers(result: ShrinkageResult) -> Numbers:
    """Table -> column -> (rows,): the curves over the slider's λ, the sample with its weights, the spectrum with its
    filters.
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
            f"{FILES[result.lab.filter]}_keeps": result.flexible_curve.kept[row][::-1],
            **({} if result.bayes is None else {"bayesian_keeps": result.bayes.keeps[::-1]}),
        },
        **_of_functions(result),
    }


def _of_functions(result):
    """The table of the picture of functions, where one is shown."""
    values, fits, row = result.values, result.fits, result.row
    if values is not None:
        columns = {"first_coordinate": values.at, "kme": values.average[:-1], "skmse": values.simple[row, :-1]}
        columns[FILES[result.lab.filter]] = values.flexible[row, :-1]
        more = {"exact": values.exact, "bayesian": values.mean, "bayesian_deviation": values.deviation}
        return {"values": columns | {name: each[:-1] for name, each in more.items() if each is not None}}
    return {} if fits is None else {"fits": {"f": fits.values, "predicted": fits.predicted[row]}}
