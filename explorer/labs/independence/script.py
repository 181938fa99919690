"""Copy Python of the Independence lab, a few lines that reproduce its test, and the tables of its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels import Polynomial
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, identifier, snippet, stacked
from explorer.tables.html_tables import with_own
from explorer.workbench.pairs import LEAST
from explorer.workbench.script import pair_lines, role_lines, script
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import numbered

from .canonical import EPS
from .lab import LETTERS, SHAPES, STRINGS

if TYPE_CHECKING:
    from .result import IndependenceResult


def python(result: IndependenceResult) -> Snippet:
    """Return a script that prints the page's test and stores it in `result`: statistic and p are equal to 1e-12."""
    lab = result.lab
    if not result.enough:
        return _too_few(lab)
    names, others, lines = _drawn(lab)
    moved = {row: place for row, place in moved_points(lab.moved).items() if row < result.pairs.drawn}
    if moved:
        lines.append(snippet("X, Y = X.copy(), Y.copy()"))
        lines += [
            snippet("X[{}, 0], Y[{}, 0] = {}, {}  # moved by hand", row, row, x, y) for row, (x, y) in moved.items()
        ]
    if lab.points and lab.source != "drawn":
        others.add(snippet("import numpy as np"))
        lines += [
            snippet("more = np.array({})  # added by hand", _points(lab)),
            snippet("X, Y = np.concatenate([X, more[:, :1]]), np.concatenate([Y, more[:, 1:]])"),
        ]
    k, l = lab.kernels(result.medians)
    if lab.source == STRINGS:
        k = LETTERS
    names |= {type(kernel).__name__ for kernel in (k, l)}
    if k == l and not k.has_bandwidth:
        lines.append(snippet("k = l = {}", _code(k)))
    else:
        told = snippet("  # {:g} x the median heuristic", lab.bandwidth)
        of_k = snippet("{} of each side", told) if k.has_bandwidth else NOTHING
        of_l = told if l.has_bandwidth and not k.has_bandwidth else NOTHING
        lines += [snippet("k = {}{}", _code(k), of_k), snippet("l = {}{}", _code(l), of_l)]
    estimator, count = _estimator(result, names), len(result.test.null_distribution)
    lines += [
        snippet("result = hsic_test(X, Y, k, l{}, n_resamples={}, rng={})", estimator, count, lab.seed),
        snippet("print(result)"),
    ]
    if result.tested_of_all is not None:
        kernels: Any = result.tested_of_all.kernel  # the kernels of both sides
        both = snippet("{}, {}", *map(_code, kernels))
        how = snippet("n_resamples={}, rng={}, approximation='auto'", lab.resamples, lab.seed)
        x, y = lab.roles(lab.the_table())
        test = snippet("hsic_test(X, Y, {}, {})", both, how)
        lines += [NOTHING, *role_lines(x, y), snippet("of_all = {}  # all rows", test), snippet("print(of_all)")]
    lines += _of_picture(result, names, others)
    if not lab.centred:
        names.add("CrossCovariance")
        both = snippet("{}, {}", *result.kernels) if lab.sigma != 0 else snippet("k, l")
        lines += [
            snippet(
                "operator = CrossCovariance({}, centered=False).fit(X, Y)  # drawn; the test uses the centred one", both
            ),
            snippet("print(operator.share())"),
        ]
    numpy = [line for line in others if line.startswith("import")]
    before = [*numpy, NOTHING] if numpy else []
    return script([*names, "hsic_test"], lines, before, sorted(others.difference(numpy)))


def _of_picture(result, names, others):
    """Return the lines of the small picture in addition to the test, if its numbers are computed."""
    lab = result.lab
    if result.agreed is not None:
        names.add("hsicagg_test")
        return [
            snippet("every = hsicagg_test(X, Y, n_resamples={}, rng={})", result.aggregating, lab.seed),
            snippet("print(every)"),
        ]
    if result.information is not None:
        others.add(snippet("from explorer.discrepancy import information_test"))
        count = len(result.information.null_distribution)
        return [
            snippet("known = information_test(X, Y, n_resamples={}, rng={})", count, lab.seed),
            snippet("print(known)"),
        ]
    if result.canonical is not None and not result.canonical.refused:
        return _canonical(result, names)
    if result.elimination is not None:
        return _elimination(lab, names, others)
    return []


def _canonical(result, names):
    """Return the lines of the canonical functions, and of their correlation on pairs left out."""
    lab, fit = result.lab, result.canonical
    names |= {"KernelCCA", *(type(kernel).__name__ for kernel in result.kernels)}
    both = snippet("{}, {}", *result.kernels) if lab.sigma != 0 else snippet("k, l")
    lam, said = snippet("lam={}", fit.lam), snippet("  # ε = {:.3g}", fit.lam / result.unit)
    if lab.eps is None:
        lam, said = snippet("lam=None"), snippet("  # λ by leave-one-out")
    if lab.robust:
        names.add("RobustKME")
        lam += snippet(", estimator=RobustKME()")
    return [
        snippet("cca = KernelCCA({}, n_components=1, {}).fit(X, Y){}", both, lam, said),
        snippet("left_out = 1 - cca.loocv(X, Y, [cca.lam_])[0]  # the rank correlation at pairs left out"),
        snippet("print(cca.correlation(), left_out)"),
    ]


def _elimination(lab, names, others):
    """Return the lines of the order in which columns are removed."""
    others.add(snippet("from explorer.discrepancy import bahsic"))
    (y,) = lab.roles(lab.the_table())[1]
    lines = [
        snippet("table = dict(zip(data.names, data.sample({}, rng={}).T, strict=True))", lab.n, lab.seed),
        snippet("target = table.pop({})", y),
    ]
    kernel = lab.kernels((1.0, 1.0))[0]
    if not kernel.has_bandwidth:
        return [*lines, snippet("order = bahsic(table, target, k, l)"), snippet("print(order)")]
    names |= {"median_bandwidth", type(kernel).__name__}
    metric = snippet(', "cityblock"') if lab.kernel == "LAP" else NOTHING
    width = snippet("{} * median_bandwidth(Z{})", lab.bandwidth, metric)
    if lab.kernel == "EXP":
        width = snippet("({}) ** 2", width)
    return [
        *lines,
        NOTHING,
        NOTHING,
        snippet("def kernel(Z):"),
        snippet("    return {}({})", identifier(type(kernel).__name__), width),
        NOTHING,
        NOTHING,
        snippet("order = bahsic(table, target, kernel, kernel(target))"),
        snippet("print(order)"),
    ]


def _too_few(lab):
    """Return a script that makes the pairs drawn by hand, which are too few for a test."""
    _, others, lines = _drawn(lab)
    said = f"pairs were drawn by hand; a test of independence needs at least {LEAST}"
    lines.append(snippet("print(len(X), {})", said))
    return stacked([*sorted(others), NOTHING, *lines, NOTHING])


def _code(kernel):
    return snippet("Polynomial(2)") if kernel == Polynomial(2) else snippet("{}", kernel)


def _points(lab):
    return [list(point) for point in lab.points]


def _estimator(result, names):
    """Return the argument that passes σ."""
    if result.lab.sigma == 0:
        return NOTHING
    names.add("MKME")
    if result.lab.sigma is None:
        return snippet(", estimator=MKME()")
    a, b = result.trial.dependence.sigmas
    return snippet(", estimator=(MKME(sigma={}), MKME(sigma={}))", a, b)


def _drawn(lab):
    """Return names to import from explorer, other imports, and the lines that draw X and Y.

    Points added by hand are not among them.
    """
    if lab.source == STRINGS:
        line = snippet("X, Y = strings_and_numbers({}, noise={}, rng={})", lab.n, lab.noise, lab.seed)
        return set(), {snippet("from explorer.datasets import strings_and_numbers")}, [line]
    if lab.source in SHAPES:
        waves = snippet(", waves={}", lab.waves) if lab.source == "sine" else NOTHING
        line = snippet("X, Y = shape({}, {}, noise={}{}, rng={})", lab.source, lab.n, lab.noise, waves, lab.seed)
        return set(), {snippet("from explorer.datasets import shape")}, [line]
    if lab.source == "drawn":
        points = snippet("np.array({})", _points(lab)) if lab.points else snippet("np.empty((0, 2))")
        lines = [snippet("points = {}", points), snippet("X, Y = points[:, :1], points[:, 1:]")]
        return set(), {snippet("import numpy as np")}, lines
    scaled = snippet(".standardised()") if lab.standardise else NOTHING
    others, opening = set(), None
    if lab.source == "eckerle4":
        others |= {snippet("import numpy as np"), snippet("from explorer.datasets import DataSet")}
        lines = [
            snippet('data = load("eckerle4")'),
            snippet("pairs = np.column_stack([data.X, data.target])"),
            snippet('data = DataSet(data.name, pairs, (*data.names, "transmittance")){}', scaled),
        ]
        opening = lines, ["load"]
    lines, names = pair_lines(lab, lambda table: snippet("{}.sample({}, rng={})", table, lab.n, lab.seed), opening)
    return set(names), others, lines


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
