"""Generated Python code of the adaptation lab, which reproduces the page's numbers, and its downloadable tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.adaptation import (
    DICA,
    CovariateShift,
    LocationScaleShift,
    TargetShift,
    counterfactual_mean,
    distributional_variance,
    transfer_ratios,
    treatment_test,
)
from explorer.datasets import domain_cloud, domain_pair, load, standardise, treated_groups
from explorer.datasets.columns.quantity import in_file_units
from explorer.kernels import Gaussian
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.fields import BUNDLED
from explorer.workbench.script import columns_of
from explorer.workbench.seeds import distant_seed
from explorer.workbench.user_samples import reading

from .lab import BOUNDS, TESTED
from .remedies import own_line
from .result import MU
from .treatment.outcomes import ACROSS, ARMS

if TYPE_CHECKING:
    from .result import AdaptationResult


def python(result: AdaptationResult) -> Script:
    """Return a script that stores errors, effective sample size and distance in `shown` and prints them."""
    lab, chosen = result.lab, result.kernel
    if lab.picture == "treatment":
        return _treatment(result)
    more_of, again = _domains(result), distant_seed(lab.seed)
    draw: Any = None if lab.change else _drawn(result)
    reweight: Any = {"reweight": True} if lab.remedy.endswith("weights") else {}

    @recipe
    def fit(learner) -> Any:
        return learner.learn if result.fit.remark else learner.fit

    @recipe
    def steps():
        def line_of(X, y, weights):
            A = np.column_stack([np.ones(len(X)), X])
            return np.linalg.lstsq(np.sqrt(weights)[:, None] * A, np.sqrt(weights) * y, rcond=None)[0]

        def error_of(line):
            return np.mean((line[0] + test_Z @ line[1:] - test_y) ** 2)

        if lab.change:
            X, y, Z, hidden = domain_pair(lab.change, lab.shift, lab.n, lab.m, rng=lab.seed)
            _, _, test_Z, test_y = domain_pair(
                lab.change, lab.shift, 1, TESTED, rng=again
            )  # further points of the target
        else:
            X, y, Z, hidden = draw()
            test_Z, test_y = Z, hidden
        kernel = chosen  # {lab.bandwidth:g} x the median heuristic
        if lab.remedy == "weights of x":
            shift: Any = fit(CovariateShift(kernel, bound=lab.bound, tolerance=0.0))(X, Z)
            weights = shift.weights_
        elif lab.remedy == "weights of y":
            shift = fit(TargetShift(kernel, bound=lab.bound))(X, y, Z)
            weights = np.maximum(shift.identified_weights_, 0)
        else:
            shift = fit(LocationScaleShift(kernel, **reweight))(X, y, Z)
            weights, moved = shift.weights_, shift.transform(X, y)
        shown = {
            "before": error_of(line_of(X, y, np.ones(len(X)))),
            "after": error_of(line_of(X if lab.bounded else moved, y, weights)),
            "effective sample size": weights.sum() ** 2 / (weights**2).sum(),
            "distance": shift.distance_,
        }
        if lab.picture == "domains":
            more_of(X, y, Z, hidden, shown)
        print(shown)

    return steps.script()


def _treatment(result):
    """Return a script for both arms: raw difference, reweighted difference, distance, and the test of no effect."""
    lab, width = result.lab, result.lab.bandwidth
    draw: Any = None if lab.change else _drawn(result)

    @recipe
    def steps():
        if lab.change:
            X, y, treated = treated_groups(lab.effect, lab.shift, lab.n, lab.m, lab.hidden, rng=lab.seed)
        else:
            X, y, Z, hidden = draw()
            treated = np.repeat([False, True], [lab.n, lab.m])
            X, y = np.concatenate([X, Z]), np.concatenate([y, hidden])
        shown: Any = {"naive": y[treated].mean() - y[~treated].mean()}
        if result.outcomes.refused:
            # counterfactual_mean(X, y, treated) is refused: the groups do not overlap
            print(shown)
        else:
            kernels = [Gaussian(width * Gaussian().select(side).bandwidth) for side in (X, y[:, None])]
            arms = counterfactual_mean(X, y, treated, *kernels)
            centre = y.mean()  # weights need not sum to one
            means = [centre + arm.weights @ (arm.points[:, 0] - centre) for arm in arms]
            shown["effect"] = means[0] - means[1]
            shown["distance"] = arms[0].distance(arms[1])
            if result.untested:
                # treatment_test(X, y, treated) is refused
                print(shown)
            else:
                shown["p"] = treatment_test(X, y, treated, *kernels, rng=lab.seed).pvalue
                print(shown)

    return steps.script()


def _drawn(result):
    """Return the steps that create X, y and Z from a table, and the hidden values of y at Z."""
    lab, (first, second), (*others, last), labels = result.lab, result.lab.seeds, result.pair.names, result.labels
    bundled, tables = lab.source in BUNDLED, lab.the_tables()
    read: Any = None if bundled else reading(lab.replace(standardise=False), labels)
    names = (tables[0] if bundled else tables.indicators()[0]).names
    x, target = columns_of(names, others), columns_of(names, [last])

    @recipe
    def steps():
        if bundled:
            data = load(lab.source)
            P, Q = data.where(labels[0]), data.where(labels[1])
        else:
            P, Q = read()
        P, Q = P.sample(lab.n, rng=first), Q.sample(lab.m, rng=second)
        columns, of_y = x.places, target.places[0]  # {x.names}; {target.names}
        X, y, Z, hidden = P[:, columns], P[:, of_y], Q[:, columns], Q[:, of_y]
        if lab.standardise:
            scaled = standardise(np.concatenate([X, Z]))
            X, Z = scaled[: lab.n], scaled[lab.n :]
        return X, y, Z, hidden

    return steps


def _domains(result):
    """Return the steps of DICA's picture, which add to `shown`."""
    lab, width, transfer = result.lab, result.lab.bandwidth, result.lab.picture == "domains" and result.clouds.transfer

    @recipe
    def steps(X, y, Z, hidden, shown):
        if lab.change:
            X, of = domain_cloud(lab.domains, lab.n, rng=lab.seed)
        else:
            X = np.concatenate([np.column_stack([X, y]), np.column_stack([Z, hidden])])
            X, of = standardise(X), np.repeat([0, 1], [lab.n, lab.m])
        kernel = Gaussian(width * Gaussian().select(X).bandwidth)
        scores = DICA(lab.size * kernel, n_components=2).fit(X, of).transform(X)
        within = sum((of == j).mean() * scores[of == j].var(axis=0) for j in np.unique(of))
        shown["between domains"] = 1 - np.mean(within / scores.var(axis=0))
        shown["variance"] = distributional_variance([X[of == j] for j in np.unique(of)], kernel)
        if transfer is not None:
            regularised = DICA(lab.size * kernel, n_components=1, lam=lab.size**2 * MU / 4).fit(X, of)
            shown["DICA"] = len(X) / 4 * regularised.ratios_[0]
            shown["TCA"] = transfer_ratios(X, of, kernel, MU, 1)[0]

    return steps


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
