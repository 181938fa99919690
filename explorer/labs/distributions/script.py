"""Copy Python of the Distributions lab, a few lines that give the screen's numbers again, and its tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.quantity import in_own_units
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.tables import with_own
from explorer.workbench.fields import BUNDLED
from explorer.workbench.script import checked_lines, script
from explorer.workbench.seeds import distant_seed

from .lab import AWAY, ESTIMATORS
from .result import FLAT

if TYPE_CHECKING:
    from .result import DistributionsResult


def python(result: DistributionsResult) -> str:
    """A script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, machine, level_two = result.lab, result.machine, result.level_two[0]
    lines, names, helpers = _drawn(lab)
    kind, estimator = type(machine).__name__, ESTIMATORS[lab.estimator].__name__
    mean = "" if lab.estimator == "KME" else f", estimator={estimator}()"
    lam = "" if lab.lam is None else f", lam={code(lab.lam)}"
    own = lam if result.number else f", nu={code(lab.nu)}" if result.detects else f", C={code(lab.C)}"
    names += ["Gaussian", "LevelTwo", kind, *([estimator] if mean else [])]
    new = (
        f"toy_bags({lab.source!r}, {lab.new_bags}, {lab.n}, {code(lab.difference)}, rng={distant_seed(lab.seed, AWAY)})"
    )
    if result.number:
        taught = "", ".targets - mean"  # what stands around the name of a set of bags
        lines.append("mean = train.targets.mean()  # the regression has no intercept")
        value, after = "predict", " + mean"
    else:
        label = result.drawn.targets[result.y > 0][0].item()
        taught = "np.where(", f".targets == {label!r}, 1.0, -1.0)"
        value, after = "decision_function", ""
    lines += [
        f"y = {'train'.join(taught)}",
        f"kernel = {code(result.kernel)}  # {lab.bandwidth:g} x the median heuristic",
        f"machine = {kind}(kernel, {code(level_two)}{own}{mean}).fit(train.bags, y)",
        f"bag = train.bags[{result.chosen}]",
        "spreads = np.array([np.sqrt(each.var(axis=0).mean()) for each in train.bags])",
        "spreads /= np.median(spreads) or 1.0",
        f"factor = {code(lab.spread)} / spreads[{result.chosen}] if spreads[{result.chosen}] > {FLAT} else 1.0",
        "stretched = bag.mean(axis=0) + factor * (bag - bag.mean(axis=0))",
        f'shown = {{"value": machine.{value}([stretched])[0]{after}}}',
    ]
    if lab.toy:
        lines += [f"new = {new}", f'shown["score"] = machine.score(new.bags, {"new".join(taught)})']
    elif result.number:
        lines.append('shown["score"] = 1 - np.mean((machine.left_out(train.bags, y) - y) ** 2) / y.var()')
    elif result.detects:
        lines.append('shown["score"] = np.mean((machine.decision_function(train.bags) >= 0) == (y > 0))')
    else:
        lines.append('shown["score"] = np.mean((machine.left_out(train.bags, y) >= 0) == (y > 0))')
    if result.outputs is not None:
        names.append("DistributionRegression")
        lines += _outputs(result, lam + mean, new)
    top, *rest = script(names, [*lines, "print(shown)"]).split("\n")
    return "\n".join(["import numpy as np", top, f"from explorer.datasets import {', '.join(helpers)}", *rest])


def _outputs(result, options, new):
    """Lines of the regression of two numbers of each bag."""
    j, mean, variances = result.coordinates[0], "law.mean(axis=0)", "law.var(axis=0)"
    if result.lab.toy:
        mean, variances = "law.mean", "law.variances"
    both = f"np.array([[{mean}[{j}], np.log({variances}.mean()) / 2] for law in {{}}.laws])"
    lines = [
        f"targets = {both.format('train')}",
        "middle = targets.mean(axis=0)",
        f"regression = DistributionRegression(kernel, {code(result.level_two[0])}{options})",
    ]
    if result.lab.toy:
        lines += [
            f"new = {new}",
            f"true = {both.format('new')}",
            "predicted = regression.fit(train.bags, targets - middle).predict(new.bags) + middle",
        ]
    else:
        lines += ["true, predicted = targets, regression.left_out(train.bags, targets - middle) + middle"]
    return [*lines, 'shown["outputs"] = 1 - ((predicted - true) ** 2).mean(axis=0) / true.var(axis=0)']


def _drawn(lab):
    """Lines that make the bags `train`, and what they import of explorer and of explorer.datasets."""
    if lab.toy:
        made = f"toy_bags({lab.source!r}, {lab.bags}, {lab.n}, {code(lab.difference)}, rng={lab.seed})"
        return [f"train = {made}"], [], ["toy_bags"]
    ends = f"{lab.bags}, {lab.n}, rng={lab.seed}"
    if lab.source in BUNDLED:
        data = f"load({lab.source!r}){'.standardised()' if lab.standardise else ''}"
        return [f"train = cut_bags({data}, {ends})"], ["load"], ["cut_bags"]
    options = f", columns={json.loads(lab.columns)!r}" if lab.columns else ""
    options += "" if lab.missing == "refuse" else f", missing={lab.missing!r}"
    options += (", standardise=True" if lab.standardise else "") + (", lenient=True" if lab.lenient else "")
    if lab.cuts:
        read = f"data = read_table({lab.file!r}{options}, target={lab.label_column!r})"
        checked = checked_lines("data", lab.file, lab.hash)
        return [read, *checked, f"train = cut_bags(data, {ends})"], ["read_table"], ["cut_bags"]
    read = f"data = read_bags({lab.file!r}, {lab.bag_column!r}, {lab.label_column!r}{options})"
    return (
        [read, *checked_lines("data", lab.file, lab.hash), f"train = table_bags(data, {ends})"],
        [],
        ["read_bags", "table_bags"],
    )


def numbers(result: DistributionsResult) -> Numbers:
    """Table -> column -> (rows,): the stretched bag over its spread, the bags, their distances, and bag sizes."""
    space, stops = result.space, np.array(result.stops)
    truth = {} if result.true_curve is None else {"truth": result.true_curve}
    bags = {
        "bag": np.array(result.drawn.names),
        "target": result.drawn.targets,
        "value": result.values,
        "spread": result.spreads,
        "component_1": space.places[:, 0],
        "component_2": space.places[:, 1],
    }
    tables = {
        "stretched": {"spread": stops, "value": result.curve, **truth},
        "bags": bags,
        "distances": {name: column for name, column in zip(result.drawn.names, space.distances.T, strict=True)},
        "held_out": {"value": result.held.values, "target": result.held.targets},
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
    """name -> the bag of each row of a table, what is to be learnt of it, and its columns in their own units."""
    drawn, sizes = result.drawn, [len(bag) for bag in result.drawn.bags]
    of_bag = {"bag": np.repeat(np.array(drawn.names), sizes), "target": np.repeat(drawn.targets, sizes)}
    return with_own(in_own_units(result.quantities, np.concatenate(drawn.bags)), of_bag)
