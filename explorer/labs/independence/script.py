"""Copy Python of the Independence lab, a few lines that give its test again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels import Polynomial
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.tables import with_own
from explorer.workbench.by_hand import places
from explorer.workbench.own_rows import numbered
from explorer.workbench.pairs import LEAST
from explorer.workbench.script import pair_lines, role_lines

from .canonical import EPS
from .lab import LETTERS, SHAPES, STRINGS

if TYPE_CHECKING:
    from .result import IndependenceResult


def python(result: IndependenceResult) -> str:
    """A script that prints, and leaves in `result`, the test on the page: statistic and p equal to 1e-12."""
    lab = result.lab
    if not result.enough:
        return _too_few(lab)
    names, others, lines = _drawn(lab)
    moved = {row: place for row, place in places(lab.moved).items() if row < result.pairs.drawn}
    if moved:
        lines.append("X, Y = X.copy(), Y.copy()")
        lines += [f"X[{row}, 0], Y[{row}, 0] = {x!r}, {y!r}  # moved by hand" for row, (x, y) in moved.items()]
    if lab.points and lab.source != "drawn":
        others.add("import numpy as np")
        lines += [
            f"more = np.array({_points(lab)})  # added by hand",
            "X, Y = np.concatenate([X, more[:, :1]]), np.concatenate([Y, more[:, 1:]])",
        ]
    k, l = lab.kernels(result.medians)
    if lab.source == STRINGS:
        k = LETTERS
    names |= {type(kernel).__name__ for kernel in (k, l)}
    if k == l and not k.has_bandwidth:
        lines.append(f"k = l = {_code(k)}")
    else:
        told = f"  # {lab.bandwidth:g} x the median heuristic"
        of_k, of_l = (f"{told} of each side", "") if k.has_bandwidth else ("", told * l.has_bandwidth)
        lines += [f"k = {_code(k)}{of_k}", f"l = {_code(l)}{of_l}"]
    estimator, count = _estimator(result, names), len(result.test.null_distribution)
    lines += [f"result = hsic_test(X, Y, k, l{estimator}, n_resamples={count}, rng={lab.seed})", "print(result)"]
    if result.tested_of_all is not None:
        kernels: Any = result.tested_of_all.kernel  # of both sides
        both = ", ".join(map(_code, kernels))
        how = f"n_resamples={lab.resamples}, rng={lab.seed}, approximation='auto'"
        x, y = lab.roles(lab.the_table())
        test = f"hsic_test(X, Y, {both}, {how})"
        lines += ["", *role_lines(x, y), f"of_all = {test}  # all rows", "print(of_all)"]
    lines += _of_picture(result, names, others)
    if not lab.centred:
        names.add("CrossCovariance")
        both = ", ".join(map(code, result.kernels)) if lab.sigma != 0 else "k, l"
        lines += [
            f"operator = CrossCovariance({both}, centered=False).fit(X, Y)  # the one that is drawn, not tested",
            "print(operator.share())",
        ]
    imports = f"from explorer import {', '.join(sorted({*names, 'hsic_test'}, key=lambda n: (n.lower(), n)))}"
    numpy = [line for line in others if line.startswith("import")]
    return "\n".join([*numpy, *[""] * bool(numpy), imports, *sorted(others.difference(numpy)), "", *lines, ""])


def _of_picture(result, names, others):
    """The lines of what the small picture shows beside the test, as far as it is there."""
    lab = result.lab
    if result.agreed is not None:
        names.add("hsicagg_test")
        return [f"every = hsicagg_test(X, Y, n_resamples={result.aggregating}, rng={lab.seed})", "print(every)"]
    if result.information is not None:
        others.add("from explorer.discrepancy import information_test")
        count = len(result.information.null_distribution)
        return [f"known = information_test(X, Y, n_resamples={count}, rng={lab.seed})", "print(known)"]
    if result.canonical is not None and not result.canonical.refused:
        return _canonical(result, names)
    if result.elimination is not None:
        return _elimination(lab, names, others)
    return []


def _canonical(result, names):
    """The lines of the canonical functions, and of their correlation on pairs left out."""
    lab, fit = result.lab, result.canonical
    names |= {"KernelCCA", *(type(kernel).__name__ for kernel in result.kernels)}
    both = ", ".join(map(code, result.kernels)) if lab.sigma != 0 else "k, l"
    lam, said = f"lam={fit.lam!r}", f"  # ε = {fit.lam / result.unit:.3g}"
    if lab.eps is None:
        lam, said = "lam=None", "  # λ by leave-one-out"
    if lab.robust:
        names.add("RobustKME")
        lam += ", estimator=RobustKME()"
    return [
        f"cca = KernelCCA({both}, n_components=1, {lam}).fit(X, Y){said}",
        "left_out = 1 - cca.loocv(X, Y, [cca.lam_])[0]  # the rank correlation at pairs left out",
        "print(cca.correlation(), left_out)",
    ]


def _elimination(lab, names, others):
    """The lines of the order in which columns leave."""
    others.add("from explorer.discrepancy import bahsic")
    (y,) = lab.roles(lab.the_table())[1]
    lines = [
        f"table = dict(zip(data.names, data.sample({lab.n}, rng={lab.seed}).T, strict=True))",
        f"target = table.pop({y!r})",
    ]
    kernel = lab.kernels((1.0, 1.0))[0]
    if not kernel.has_bandwidth:
        return [*lines, "order = bahsic(table, target, k, l)", "print(order)"]
    names |= {"median_bandwidth", type(kernel).__name__}
    width = f"{lab.bandwidth!r} * median_bandwidth(Z" + (', "cityblock")' if lab.kernel == "LAP" else ")")
    if lab.kernel == "EXP":
        width = f"({width}) ** 2"
    return [
        *lines,
        "",
        "",
        "def kernel(Z):",
        f"    return {type(kernel).__name__}({width})",
        "",
        "",
        "order = bahsic(table, target, kernel, kernel(target))",
        "print(order)",
    ]


def _too_few(lab):
    """A script that makes the pairs drawn by hand, too few for a test."""
    _, others, lines = _drawn(lab)
    lines.append(f'print(len(X), "pairs were drawn by hand; a test of independence needs at least {LEAST}")')
    return "\n".join([*sorted(others), "", *lines, ""])


def _code(kernel):
    return "Polynomial(2)" if kernel == Polynomial(2) else code(kernel)


def _points(lab):
    return [list(point) for point in lab.points]


def _estimator(result, names):
    """The argument that gives σ its place."""
    if result.lab.sigma == 0:
        return ""
    names.add("MKME")
    if result.lab.sigma is None:
        return ", estimator=MKME()"
    a, b = result.trial.dependence.sigmas
    return f", estimator=(MKME(sigma={a!r}), MKME(sigma={b!r}))"


def _drawn(lab):
    """Names from the front door, other imports, and the lines that draw X and Y, those by hand left out."""
    if lab.source == STRINGS:
        line = f"X, Y = strings_and_numbers({lab.n}, noise={code(lab.noise)}, rng={lab.seed})"
        return set(), {"from explorer.datasets import strings_and_numbers"}, [line]
    if lab.source in SHAPES:
        waves = f", waves={lab.waves}" if lab.source == "sine" else ""
        line = f"X, Y = shape({lab.source!r}, {lab.n}, noise={code(lab.noise)}{waves}, rng={lab.seed})"
        return set(), {"from explorer.datasets import shape"}, [line]
    if lab.source == "drawn":
        points = f"np.array({_points(lab)})" if lab.points else "np.empty((0, 2))"
        lines = [f"points = {points}", "X, Y = points[:, :1], points[:, 1:]"]
        return set(), {"import numpy as np"}, lines
    scaled = ".standardised()" if lab.standardise else ""
    others, opening = set(), None
    if lab.source == "eckerle4":
        others |= {"import numpy as np", "from explorer.datasets import DataSet"}
        lines = [
            'data = load("eckerle4")',
            "pairs = np.column_stack([data.X, data.target])",
            f'data = DataSet(data.name, pairs, (*data.names, "transmittance")){scaled}',
        ]
        opening = lines, ["load"]
    lines, names = pair_lines(lab, f"{{}}.sample({lab.n}, rng={lab.seed})", opening)
    return set(names), others, lines


def numbers(result: IndependenceResult) -> Numbers:
    """Table -> column -> (rows,): the pairs, the null distribution, f and g, and what the small picture shows."""
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
    x, y = (each.own(places) for each, places in zip((of_x, of_y), pairs.axes, strict=True))
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
    """The tables of the pictures of many bandwidths, of canonical functions, and of columns that leave."""
    if result.agreed is not None:
        x, y = np.array([[kernel.bandwidth for kernel in both] for both in result.agreed.kernel]).T
        return {"bandwidths": {"x": x, "y": y, "hsic": result.agreed.values, "p": result.agreed.pvalues}}
    if result.elimination is not None:
        e = result.elimination
        return {"columns": {"left": np.arange(1, len(e.names) + 1), "hsic": e.statistic, "correlation": e.correlation}}
    if result.course is not None:
        return {"canonical": {"eps": EPS, "these_pairs": result.course[0], "left_out": result.course[1]}}
    return {}
