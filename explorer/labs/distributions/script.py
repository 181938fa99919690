"""Generated Python code of the distributions lab, which reproduces the page's numbers, and its downloadable tables."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, identifier, imports, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.fields import BUNDLED
from explorer.workbench.script import checked_lines, script
from explorer.workbench.seeds import distant_seed

from .lab import AWAY, ESTIMATORS
from .result import FLAT

if TYPE_CHECKING:
    from .result import DistributionsResult


def python(result: DistributionsResult) -> Snippet:
    """Return a script that computes the headline's numbers, stores them in `shown` and prints them."""
    lab, machine, level_two = result.lab, result.machine, result.level_two[0]
    lines, names, helpers = _drawn(lab)
    kind, estimator = identifier(type(machine).__name__), identifier(ESTIMATORS[lab.estimator].__name__)
    mean = NOTHING if lab.estimator == "KME" else snippet(", estimator={}()", estimator)
    lam = NOTHING if lab.lam is None else snippet(", lam={}", lab.lam)
    own = lam if result.number else snippet(", nu={}", lab.nu) if result.detects else snippet(", C={}", lab.C)
    names += ["Gaussian", "LevelTwo", kind, *([estimator] if mean else [])]
    new = snippet(
        "toy_bags({}, {}, {}, {}, rng={})",
        lab.source,
        lab.new_bags,
        lab.n,
        lab.difference,
        distant_seed(lab.seed, AWAY),
    )
    if result.number:

        def taught(bags):
            return snippet("{}.targets - mean", bags)

        lines.append(snippet("mean = train.targets.mean()  # the regression has no intercept"))
        value, after = snippet("predict"), snippet(" + mean")
    else:
        label = result.drawn.targets[result.y > 0][0].item()

        def taught(bags):
            return snippet("np.where({}.targets == {}, 1.0, -1.0)", bags, label)

        value, after = snippet("decision_function"), NOTHING
    lines += [
        snippet("y = {}", taught(snippet("train"))),
        snippet("kernel = {}  # {:g} x the median heuristic", result.kernel, lab.bandwidth),
        snippet("machine = {}(kernel, {}{}{}).fit(train.bags, y)", kind, level_two, own, mean),
        snippet("bag = train.bags[{}]", result.chosen),
        snippet("spreads = np.array([np.sqrt(each.var(axis=0).mean()) for each in train.bags])"),
        snippet("spreads /= np.median(spreads) or 1.0"),
        snippet(
            "factor = {} / spreads[{}] if spreads[{}] > {} else 1.0", lab.spread, result.chosen, result.chosen, FLAT
        ),
        snippet("stretched = bag.mean(axis=0) + factor * (bag - bag.mean(axis=0))"),
        snippet('shown = {{"value": machine.{}([stretched])[0]{}}}', value, after),
    ]
    if lab.toy:
        lines += [
            snippet("new = {}", new),
            snippet('shown["score"] = machine.score(new.bags, {})', taught(snippet("new"))),
        ]
    elif result.number:
        lines.append(snippet('shown["score"] = 1 - np.mean((machine.left_out(train.bags, y) - y) ** 2) / y.var()'))
    elif result.detects:
        lines.append(snippet('shown["score"] = np.mean((machine.decision_function(train.bags) >= 0) == (y > 0))'))
    else:
        lines.append(snippet('shown["score"] = np.mean((machine.left_out(train.bags, y) >= 0) == (y > 0))'))
    if result.outputs is not None:
        names.append("DistributionRegression")
        lines += _outputs(result, lam + mean, new)
    before, after = [snippet("import numpy as np")], [imports("explorer.datasets", helpers)]
    return script(names, [*lines, snippet("print(shown)")], before, after)


def _outputs(result, options, new):
    """Return lines that compute the regression of two numbers of each bag."""
    j, mean, variances = result.coordinates[0], snippet("law.mean(axis=0)"), snippet("law.var(axis=0)")
    if result.lab.toy:
        mean, variances = snippet("law.mean"), snippet("law.variances")
    both = partial(snippet, "np.array([[{}[{}], np.log({}.mean()) / 2] for law in {}.laws])", mean, j, variances)
    lines = [
        snippet("targets = {}", both(snippet("train"))),
        snippet("middle = targets.mean(axis=0)"),
        snippet("regression = DistributionRegression(kernel, {}{})", result.level_two[0], options),
    ]
    if result.lab.toy:
        lines += [
            snippet("new = {}", new),
            snippet("true = {}", both(snippet("new"))),
            snippet("predicted = regression.fit(train.bags, targets - middle).predict(new.bags) + middle"),
        ]
    else:
        lines += [snippet("true, predicted = targets, regression.left_out(train.bags, targets - middle) + middle")]
    return [*lines, snippet('shown["outputs"] = 1 - ((predicted - true) ** 2).mean(axis=0) / true.var(axis=0)')]


def _drawn(lab):
    """Return the lines that create the bags `train`, and their names from explorer and explorer.datasets."""
    if lab.toy:
        made = snippet("toy_bags({}, {}, {}, {}, rng={})", lab.source, lab.bags, lab.n, lab.difference, lab.seed)
        return [snippet("train = {}", made)], [], ["toy_bags"]
    ends = snippet("{}, {}, rng={}", lab.bags, lab.n, lab.seed)
    if lab.source in BUNDLED:
        data = snippet("load({}){}", lab.source, snippet(".standardised()") if lab.standardise else NOTHING)
        return [snippet("train = cut_bags({}, {})", data, ends)], ["load"], ["cut_bags"]
    options = snippet(", columns={}", json.loads(lab.columns)) if lab.columns else NOTHING
    options += NOTHING if lab.missing == "refuse" else snippet(", missing={}", lab.missing)
    options += snippet(", standardise=True") if lab.standardise else NOTHING
    options += snippet(", lenient=True") if lab.lenient else NOTHING
    if lab.cuts:
        read = snippet("data = read_table({}{}, target={})", lab.file, options, lab.label_column)
        checked = checked_lines(snippet("data"), lab.file, lab.hash)
        return [read, *checked, snippet("train = cut_bags(data, {})", ends)], ["read_table"], ["cut_bags"]
    read = snippet("data = read_bags({}, {}, {}{})", lab.file, lab.bag_column, lab.label_column, options)
    return (
        [read, *checked_lines(snippet("data"), lab.file, lab.hash), snippet("train = table_bags(data, {})", ends)],
        [],
        ["read_bags", "table_bags"],
    )


def numbers(result: DistributionsResult) -> Numbers:
    """Return the tables, as table -> column -> (rows,): stretched bag, bags, distances, held-out values, sizes."""
    space, stops = result.space, np.array(result.stops)
    truth = {} if result.true_curve is None else {"truth": result.true_curve}
    bags = {
        "bag": np.array(result.drawn.names),
        "target": result.drawn.targets,
        "value": result.values,
        "spread": result.spreads,
        "component_1": space.positions[:, 0],
        "component_2": space.positions[:, 1],
    }
    tables = {
        "stretched": {"spread": stops, "value": result.curve, **truth},
        "bags": bags,
        "distances": {name: column for name, column in zip(result.drawn.names, space.distances.T, strict=True)},
        "held_out": {"value": result.held_out.values, "target": result.held_out.targets},
    }
    if not result.lab.toy:
        tables["points"] = _points(result)
    if (outputs := result.outputs) is not None:
        tables["outputs"] = {
            f"{name}_{kind}": values[:, j]
            for kind, values in (("true", outputs.true), ("predicted", outputs.predicted))
            for j, name in enumerate(("mean", "log_spread"))
        }
    if result.sizes is not None:
        tables["sizes"] = {"n": result.sizes.counts, **result.sizes.ratios}
    return tables


def _points(result):
    """Return a table of all points: the bag of each row, its target, and its columns in the file's units."""
    drawn, sizes = result.drawn, [len(bag) for bag in result.drawn.bags]
    of_bag = {"bag": np.repeat(np.array(drawn.names), sizes), "target": np.repeat(drawn.targets, sizes)}
    return with_own(in_file_units(result.quantities, np.concatenate(drawn.bags)), of_bag)
