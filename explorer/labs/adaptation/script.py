"""Generated Python code of the adaptation lab, which reproduces the page's numbers, and its downloadable tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, comment, imports, snippet, stacked
from explorer.tables.html_tables import with_own
from explorer.workbench.fields import BUNDLED
from explorer.workbench.seeds import distant_seed
from explorer.workbench.user_samples import groups_line, read_lines

from .lab import BOUNDS, TESTED
from .remedies import own_line
from .result import MU
from .treatment.outcomes import ACROSS, ARMS

if TYPE_CHECKING:
    from .result import AdaptationResult


LINE = snippet("""def line_of(X, y, weights):
    A = np.column_stack([np.ones(len(X)), X])
    return np.linalg.lstsq(np.sqrt(weights)[:, None] * A, np.sqrt(weights) * y, rcond=None)[0]


def error_of(line):
    return np.mean((line[0] + test_Z @ line[1:] - test_y) ** 2)

""")


def python(result: AdaptationResult) -> Snippet:
    """Return a script that stores errors, effective sample size and distance in `shown` and prints them."""
    lab = result.lab
    if lab.picture == "treatment":
        return _treatment(result)
    names, others, lines = _drawn(result)
    names += ["Gaussian", *_NAMES[lab.remedy]]
    lines += [
        snippet("kernel = {}  # {:g} x the median heuristic", result.kernel, lab.bandwidth),
        *_remedy(lab, snippet("learn") if result.fit.remark else snippet("fit")),
        snippet("shown = {{"),
        snippet('    "before": error_of(line_of(X, y, np.ones(len(X)))),'),
        snippet('    "after": error_of(line_of({}, y, weights)),', snippet("X") if lab.bounded else snippet("moved")),
        snippet('    "effective sample size": weights.sum() ** 2 / (weights**2).sum(),'),
        snippet('    "distance": shift.distance_,'),
        snippet("}}"),
    ]
    if lab.picture == "domains":
        names += ["DICA", "distributional_variance"]
        lines += _domains(result, others)
    return stacked([*_head(names, others), NOTHING, NOTHING, LINE, *lines, snippet("print(shown)"), NOTHING])


def _head(names, others):
    """Return the import lines for names of `explorer` and names of `explorer.datasets`."""
    head = [snippet("import numpy as np"), NOTHING, imports("explorer", names)]
    return [*head, *([imports("explorer.datasets", others)] if others else [])]


def _treatment(result):
    """Return a script for both arms: raw difference, reweighted difference, distance, and the test of no effect."""
    lab, refused = result.lab, result.outcomes.refused
    names, others = ["Gaussian"], []
    if lab.change:
        others = ["treated_groups"]
        given = snippet("{}, {}, {}, {}, {}, rng={}", lab.effect, lab.shift, lab.n, lab.m, lab.hidden, lab.seed)
        lines = [snippet("X, y, treated = treated_groups({})", given)]
    else:
        more, others, lines = _drawn(result)
        names += more
        lines = lines[:-1]  # drop the line with test points: the treatment predicts none
        lines += [
            snippet("treated = np.repeat([False, True], [{}, {}])", lab.n, lab.m),
            snippet("X, y = np.concatenate([X, Z]), np.concatenate([y, hidden])"),
        ]
    lines.append(snippet('shown = {{"naive": y[treated].mean() - y[~treated].mean()}}'))
    if refused:
        lines.append(snippet("# counterfactual_mean(X, y, treated) is refused: the groups do not overlap"))
    else:
        names += ["counterfactual_mean", *([] if result.untested else ["treatment_test"])]
        lines += [
            snippet(
                "kernels = [Gaussian({} * Gaussian().select(side).bandwidth) for side in (X, y[:, None])]",
                lab.bandwidth,
            ),
            snippet("arms = counterfactual_mean(X, y, treated, *kernels)"),
            snippet("centre = y.mean()  # weights need not sum to one"),
            snippet("means = [centre + arm.weights @ (arm.points[:, 0] - centre) for arm in arms]"),
            snippet('shown["effect"] = means[0] - means[1]'),
            snippet('shown["distance"] = arms[0].distance(arms[1])'),
        ]
        test = snippet('shown["p"] = treatment_test(X, y, treated, *kernels, rng={}).pvalue', lab.seed)
        lines.append(snippet("# treatment_test(X, y, treated) is refused") if result.untested else test)
    return stacked([*_head(names, others), NOTHING, *lines, snippet("print(shown)"), NOTHING])


_NAMES = {
    "weights of x": ["CovariateShift"],
    "weights of y": ["TargetShift"],
    "maps": ["LocationScaleShift"],
    "maps and weights": ["LocationScaleShift"],
}


def _remedy(lab, fit):
    """Return lines that create `shift`, `weights` and, for maps, `moved`. They call `learn` if `fit` would warn."""
    if lab.remedy == "weights of x":
        return [
            snippet("shift = CovariateShift(kernel, bound={}, tolerance=0.0).{}(X, Z)", lab.bound, fit),
            snippet("weights = shift.weights_"),
        ]
    if lab.remedy == "weights of y":
        return [
            snippet("shift = TargetShift(kernel, bound={}).{}(X, y, Z)", lab.bound, fit),
            snippet("weights = np.maximum(shift.identified_weights_, 0)"),
        ]
    reweight = snippet(", reweight=True") if lab.remedy.endswith("weights") else NOTHING
    return [
        snippet("shift = LocationScaleShift(kernel{}).{}(X, y, Z)", reweight, fit),
        snippet("weights, moved = shift.weights_, shift.transform(X, y)"),
    ]


def _drawn(result):
    """Return names from explorer, names from explorer.datasets, and lines that create X, y, Z, test_Z and test_y."""
    lab = result.lab
    if lab.change:
        call = snippet("domain_pair({}, {}", lab.change, lab.shift)
        more = distant_seed(lab.seed)
        return [], ["domain_pair"], [
            snippet('X, y, Z, hidden = {}, {}, {}, rng={})', call, lab.n, lab.m, lab.seed),
            snippet('_, _, test_Z, test_y = {}, 1, {}, rng={})  # further points of the target', call, TESTED, more),
        ]  # fmt: skip
    first, second = lab.seeds
    if lab.source in BUNDLED:
        names, lines = ["load"], [snippet("data = load({})", lab.source), groups_line(result.labels)]
    else:
        names, lines = ["read_tables"], read_lines(lab.replace(standardise=False), result.labels)
    x, y = result.pair.names[:-1], result.pair.names[-1]
    lines += [
        snippet("P, Q = P.sample({}, rng={}), Q.sample({}, rng={})", lab.n, first, lab.m, second),
        snippet("columns, of_y = {}, {}  {}", _at(result, x), _at(result, [y])[0], comment(f"{', '.join(x)}; {y}")),
        snippet("X, y, Z, hidden = P[:, columns], P[:, of_y], Q[:, columns], Q[:, of_y]"),
    ]
    others = []
    if lab.standardise:
        others = ["standardise"]
        lines += [
            snippet("scaled = standardise(np.concatenate([X, Z]))"),
            snippet("X, Z = scaled[:{}], scaled[{}:]", lab.n, lab.n),
        ]
    return names, others, [*lines, snippet("test_Z, test_y = Z, hidden")]


def _at(result, names):
    """Return the positions of columns in the tables."""
    tables = result.lab.the_tables()
    there = list(tables[0].names if result.lab.source in BUNDLED else tables.indicators()[0].names)
    return [there.index(name) for name in names]


def _domains(result, others):
    """Return the lines of DICA's picture."""
    lab = result.lab
    if lab.change:
        others.append("domain_cloud")
        lines = [snippet("X, of = domain_cloud({}, {}, rng={})", lab.domains, lab.n, lab.seed)]
    else:
        others.append("standardise")
        lines = [
            snippet("X = np.concatenate([np.column_stack([X, y]), np.column_stack([Z, hidden])])"),
            snippet("X, of = standardise(X), np.repeat([0, 1], [{}, {}])", lab.n, lab.m),
        ]
    return [
        *lines,
        snippet("kernel = Gaussian({} * Gaussian().select(X).bandwidth)", lab.bandwidth),
        snippet("scores = DICA({} * kernel, n_components=2).fit(X, of).transform(X)", lab.size),
        snippet("within = sum((of == j).mean() * scores[of == j].var(axis=0) for j in np.unique(of))"),
        snippet('shown["between domains"] = 1 - np.mean(within / scores.var(axis=0))'),
        snippet('shown["variance"] = distributional_variance([X[of == j] for j in np.unique(of)], kernel)'),
        *(_transfer(lab) if result.clouds.transfer is not None else []),
    ]


def _transfer(lab):
    """Return lines that compute the leading ratio of transfer component analysis and the corresponding one of DICA."""
    return [
        snippet("from explorer.adaptation import transfer_ratios"),
        snippet(
            "regularised = DICA({} * kernel, n_components=1, lam={}**2 * {} / 4).fit(X, of)", lab.size, lab.size, MU
        ),
        snippet('shown["DICA"] = len(X) / 4 * regularised.ratios_[0]'),
        snippet('shown["TCA"] = transfer_ratios(X, of, kernel, {}, 1)[0]', MU),
    ]


def numbers(result: AdaptationResult) -> Numbers:
    """Return the tables, as table -> column -> (rows,): weighted source, target, lines, and curves over shift and B."""
    if result.outcomes is not None:
        return _arms(result)
    pair, fit = result.pair, result.fit
    *of_x, y = pair.quantities
    moved = {} if result.lab.bounded else in_file_units(of_x, fit.X)
    beside = {"weight": fit.weights, **{f"{name}_moved": column for name, column in moved.items()}}
    tables = {
        "source": with_own({**in_file_units(of_x, pair.X), y.name: y.to_file_units(pair.y)}, beside, pair.lines[0]),
        "target": with_own({**in_file_units(of_x, pair.Z), y.name: y.to_file_units(pair.hidden)}, {}, pair.lines[1]),
        "line": {"before": own_line(pair, result.before[0]), "after": own_line(pair, fit.line)},
    }
    if result.bounds is not None:
        tables["bound"] = {
            "bound": np.array(BOUNDS),
            "error": np.array([each.error for each in result.bounds]),
            "effective_sample_size": np.array([each.size for each in result.bounds]),
            "distance": np.array([each.distance for each in result.bounds]),
        }
    if result.shifts is not None:
        tables["shift"] = {
            "shift": np.array(result.lab.default_stops),
            "unweighted_error": np.array([each.before[1] for each in result.shifts]),
            "error": np.array([each.fit.error for each in result.shifts]),
            "effective_sample_size": np.array([each.fit.size for each in result.shifts]),
            "distance": np.array([each.fit.distance for each in result.shifts]),
        }
    if result.more is not None:
        more = result.more
        best = {} if more.best is None else {"true_weights": more.best}
        tables["samples"] = {"before": more.before, "after": more.after, **best}
    if result.clouds is not None:
        clouds = result.clouds
        tables["domains"] = {"domain": clouds.of, "dica_1": clouds.scores[:, 0], "dica_2": clouds.scores[:, 1],
                             "pca_1": clouds.plain_scores[:, 0], "pca_2": clouds.plain_scores[:, 1]}  # fmt: skip
    return tables


def _arms(result):
    """Return the treatment's tables, as table -> column -> (rows,): weighted rows, outcomes, effect over the shift."""
    outcomes = result.outcomes
    X, y, treated, (*of_x, of_y), _ = outcomes.groups
    low, high = result.box[1]
    at = of_y.to_file_units(np.linspace(low, high, ACROSS))
    both = ({}, {}) if result.lab.change else result.pair.lines
    lines = {name: np.concatenate([side[name] for side in both]) for name in both[0]}
    densities = {
        f"{name}_{arm}": each[k] / of_y.size
        for name, each in zip(("as_they_are", "everybody", "exact"), outcomes.densities, strict=True)
        for k, arm in enumerate(ARMS)
        if np.isfinite(each).all()
    }
    tables: Numbers = {
        "rows": with_own(
            {**in_file_units(of_x, X), of_y.name: of_y.to_file_units(y)},
            {"treated": treated, "weight": outcomes.weights},
            lines,
        ),
        "outcomes": with_own({of_y.name: at}, densities),
    }
    if result.treatments is not None:
        tables["shift"] = {
            "shift": np.array(result.lab.default_stops),
            "as_they_are": np.array([each.gap for each in result.treatments]),
            "everybody": np.array([each.effect for each in result.treatments]),
            "exact": np.array([each.true_effect for each in result.treatments]),
        }
    return tables
