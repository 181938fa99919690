"""Copy Python of the Independence lab, a few lines that reproduce its test, and the tables of its numbers."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import DataSet, load, shape, strings_and_numbers
from explorer.discrepancy import bahsic, hsic_test, hsicagg_test, information_test
from explorer.estimators import MKME, RobustKME
from explorer.kernels import Polynomial, median_bandwidth
from explorer.marks.mark import Numbers
from explorer.operators import CrossCovariance, KernelCCA
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.pairs import LEAST
from explorer.workbench.script import Noted, opening, roles
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import numbered

from .canonical import EPS
from .lab import LETTERS, SHAPES, STRINGS

if TYPE_CHECKING:
    from .result import IndependenceResult


def python(result: IndependenceResult) -> Script:
    """Return a script that prints the page's test and stores it in `result`: statistic and p are equal to 1e-12."""
    lab = result.lab
    draw, table, pairs = _drawn(lab), *_tabled(lab)
    if not result.enough:
        return _too_few(lab, draw)
    moved = [(row, *place) for row, place in moved_points(lab.moved).items() if row < result.pairs.drawn]
    placed = list(map(list, lab.points)) if lab.source != "drawn" else []
    first, second = lab.kernels(result.medians)
    kernels, shrunk = _kernels(lab, LETTERS if lab.source == STRINGS else first, second), _estimator(result)
    both = () if lab.centred else result.kernels
    of_picture, whole = _of_picture(result), None if result.tested_of_all is None else _whole(result)
    how: Any = {"n_resamples": len(result.test.null_distribution), "rng": lab.seed}

    @recipe
    def steps():
        if pairs is None:
            X, Y = draw()
        else:
            data = table()
            X, Y = pairs(data)
        if moved:
            X, Y = X.copy(), Y.copy()
        for row, x, y in moved:
            X[row, 0], Y[row, 0] = x, y  # moved by hand
        if placed:
            more = np.array(placed)  # added by hand
            X, Y = np.concatenate([X, more[:, :1]]), np.concatenate([Y, more[:, 1:]])
        k, l = kernels()
        result = hsic_test(X, Y, k, l, **shrunk, **how)
        print(result)
        if whole is not None:
            whole(data)
        of_picture(X, Y, k, l, data if pairs is not None else None)
        if not lab.centred:
            # drawn; the test uses the centred one
            operator = CrossCovariance(*(both if lab.sigma != 0 else [k, l]), centered=False).fit(X, Y)
            print(operator.share())

    return steps.script()


def _kernels(lab, first, second):
    """Return the steps that create the kernels of both sides."""
    note = f"{lab.bandwidth:g} x the median heuristic"
    k_of = Noted(first, f"{note} of each side" if first.has_bandwidth else "")
    l_of = Noted(second, note if second.has_bandwidth and not first.has_bandwidth else "")

    @recipe
    def steps():
        if first == second and not first.has_bandwidth:
            k = l = Polynomial(2) if first == Polynomial(2) else first
        else:
            k = k_of.value  # {k_of.note}
            l = l_of.value  # {l_of.note}
        return k, l

    return steps


def _whole(result):
    """Return the steps of the test of all rows."""
    lab, test = result.lab, result.tested_of_all
    x, y = map(list, lab.roles(lab.the_table()))
    how: Any = {"n_resamples": lab.resamples, "rng": lab.seed, "approximation": "auto"}

    @recipe
    def steps(data):
        X = data.X[:, [data.names.index(name) for name in x]]
        Y = data.X[:, [data.names.index(name) for name in y]]
        of_all = hsic_test(X, Y, *test.kernel, **how)  # all rows
        print(of_all)

    return steps


def _of_picture(result):
    """Return the steps of the small picture in addition to the test, if its numbers are computed."""
    lab, fit = result.lab, result.canonical
    lam = Noted(None, "λ by leave-one-out")
    if fit is not None and not fit.refused and lab.eps is not None:
        lam = Noted(fit.lam, f"ε = {fit.lam / result.unit:.3g}")
    how: Any = {"lam": lam.value, **({"estimator": RobustKME()} if lab.robust else {})}
    shrunk, both = lab.sigma != 0, () if fit is None else result.kernels
    eliminates = _elimination(lab) if result.elimination is not None else None
    count = 0 if result.information is None else len(result.information.null_distribution)

    @recipe
    def steps(X, Y, k, l, data):
        if result.agreed is not None:
            every = hsicagg_test(X, Y, n_resamples=result.aggregating, rng=lab.seed)
            print(every)
        elif result.information is not None:
            known = information_test(X, Y, n_resamples=count, rng=lab.seed)
            print(known)
        elif fit is not None and not fit.refused:
            cca = KernelCCA(*(both if shrunk else [k, l]), n_components=1, **how).fit(X, Y)  # {lam.note}
            left_out = 1 - cca.loocv(X, Y, [cca.lam_])[0]  # the rank correlation at pairs left out
            print(cca.correlation(), left_out)
        elif eliminates is not None:
            eliminates(data, k, l)

    return steps


def _elimination(lab):
    """Return the steps of the order in which columns are removed."""
    (y,), kernel_of = lab.roles(lab.the_table())[1], type(lab.kernels((1.0, 1.0))[0])
    wide = lab.kernels((1.0, 1.0))[0].has_bandwidth

    @recipe
    def steps(data, k, l):
        table = dict(zip(data.names, data.sample(lab.n, rng=lab.seed).T, strict=True))
        target = table.pop(y)
        if wide:

            def kernel(Z):
                if lab.kernel == "EXP":
                    return kernel_of((lab.bandwidth * median_bandwidth(Z)) ** 2)
                elif lab.kernel == "LAP":
                    return kernel_of(lab.bandwidth * median_bandwidth(Z, "cityblock"))
                else:
                    return kernel_of(lab.bandwidth * median_bandwidth(Z))

            order = bahsic(table, target, kernel, kernel(target))
        else:
            order = bahsic(table, target, k, l)
        print(order)

    return steps


def _too_few(lab, draw):
    """Return a script that makes the pairs drawn by hand, which are too few for a test."""

    @recipe
    def steps():
        X, Y = draw()  # noqa: RUF059
        print(len(X), f"pairs were drawn by hand; a test of independence needs at least {LEAST}")

    return steps.script()


def _estimator(result):
    """Return the argument that passes σ."""
    if result.lab.sigma == 0:
        return {}
    if result.lab.sigma is None:
        return {"estimator": MKME()}
    return {"estimator": tuple(MKME(sigma=each) for each in result.trial.dependence.sigmas)}


def _tabled(lab) -> Any:
    """Return the steps that load the lab's table, and those that create X and Y from it; None without a table."""
    if lab.source in (*SHAPES, STRINGS, "drawn"):
        return None, None
    load_table = opening(lab)

    @recipe
    def rows(table):
        return table.sample(lab.n, rng=lab.seed)

    @recipe
    def table():
        if lab.source != "eckerle4":
            return load_table()
        data = load("eckerle4")
        pairs = np.column_stack([data.X, data.target])
        data = DataSet(data.name, pairs, (*data.names, "transmittance"))
        return data.standardised() if lab.standardise else data

    return table, roles(lab, rows)


def _drawn(lab):
    """Return the steps that draw X and Y from a distribution, or take the pairs drawn by hand."""
    placed, waves = list(map(list, lab.points)), {"waves": lab.waves} if lab.source == "sine" else {}

    @recipe
    def steps():
        if lab.source == STRINGS:
            return strings_and_numbers(lab.n, noise=lab.noise, rng=lab.seed)
        if lab.source in SHAPES:
            return shape(lab.source, lab.n, noise=lab.noise, **waves, rng=lab.seed)
        points = np.array(placed) if placed else np.empty((0, 2))
        return points[:, :1], points[:, 1:]

    return steps


def numbers(result: IndependenceResult) -> Numbers:
    """Return table -> column -> (rows,): the pairs, the null distribution, f and g, and the small picture."""
    pairs = result.pairs
    tables = {
        "pairs": with_own(
            pairs.own,
            {"by_hand": (np.arange(pairs.n) >= pairs.drawn).astype(int)},
            numbered(result.lab, pairs.rows),
        )
    }
    if not result.enough:
        return tables
    shape, null, (of_x, of_y) = result.trial.shape, result.test.null_distribution, pairs.on_axes
    x, y = (each.to_file_units(places) for each, places in zip((of_x, of_y), pairs.axes, strict=True))
    tables |= {
        "null": {"shuffle": np.arange(1, len(null) + 1), "hsic": null},
        "f": with_own({of_x.name: x}, {"f": shape.f}),
        "g": with_own({of_y.name: y}, {"g": shape.g}),
    }
    return tables | _small(result)


def _small(result):
    path, c = result.path, result.columns
    if path is not None:
        ranks = np.arange(len(path.values))
        return {"ranks": {"rank": ranks, "hsic": path.values, "gap": result.gaps, "bound": path.bound}}
    if result.power is not None:
        (k, r), alpha = result.power, result.lab.alpha
        return {"power": {"fraction": k.fractions, "n": k.sizes, "hsic": k.power(alpha), "pearson": r.power(alpha)}}
    if c is not None:
        measures = {"rank": np.arange(1, len(c.names) + 1), "hsic": c.statistic, "correlation": c.correlation}
        return {"columns": {**measures, "z": c.z, "p": c.pvalue, "p_alone": c.alone}}
    return _later(result)


def _later(result):
    """Return the tables of the pictures of bandwidths, canonical functions, and removed columns."""
    if result.agreed is not None:
        x, y = np.array([[kernel.bandwidth for kernel in both] for both in result.agreed.kernel]).T
        return {"bandwidths": {"x": x, "y": y, "hsic": result.agreed.values, "p": result.agreed.pvalues}}
    if result.elimination is not None:
        e = result.elimination
        return {"columns": {"left": np.arange(1, len(e.names) + 1), "hsic": e.statistic, "correlation": e.correlation}}
    if result.course is not None:
        return {"canonical": {"eps": EPS, "these_pairs": result.course[0], "left_out": result.course[1]}}
    return {}
