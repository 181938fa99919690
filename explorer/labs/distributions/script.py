"""Generated Python code of the distributions lab, which reproduces the page's numbers, and its downloadable tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import cut_bags, load, read_bags, read_table, table_bags, toy_bags
from explorer.datasets.columns.quantity import in_file_units
from explorer.learning import DistributionRegression
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.fields import BUNDLED
from explorer.workbench.script import read_options
from explorer.workbench.seeds import distant_seed

from .lab import AWAY, ESTIMATORS, FLAT

if TYPE_CHECKING:
    from .result import DistributionsResult


def python(result: DistributionsResult) -> Script:
    """Return a script that computes the headline's numbers, stores them in `shown` and prints them."""
    lab, number, chosen, level_two = result.lab, result.number, result.kernel, result.level_two[0]
    kind, draw, j, spot = type(result.machine), _drawn(lab), result.coordinates[0], result.chosen
    label = None if number else result.drawn.targets[result.y > 0][0].item()
    lam: Any = {} if lab.lam is None else {"lam": lab.lam}
    mean_of: Any = {} if lab.estimator == "KME" else {"estimator": ESTIMATORS[lab.estimator]()}
    own: Any = lam if number else {"nu": lab.nu} if result.detects else {"C": lab.C}
    again, two = distant_seed(lab.seed, AWAY), result.outputs is not None

    @recipe
    def moments(bags):
        if lab.toy:
            return np.array([[law.mean[j], np.log(law.variances.mean()) / 2] for law in bags.laws])
        return np.array([[law.mean(axis=0)[j], np.log(law.var(axis=0).mean()) / 2] for law in bags.laws])

    @recipe
    def steps():
        train = draw()
        if number:
            mean = train.targets.mean()  # the regression has no intercept
        y = train.targets - mean if number else np.where(train.targets == label, 1.0, -1.0)
        kernel = chosen  # {lab.bandwidth:g} x the median heuristic
        machine: Any = kind(kernel, level_two, **own, **mean_of).fit(train.bags, y)
        bag = train.bags[spot]
        spreads = np.array([np.sqrt(each.var(axis=0).mean()) for each in train.bags])
        spreads /= np.median(spreads) or 1.0
        factor = lab.spread / spreads[spot] if spreads[spot] > FLAT else 1.0
        stretched = bag.mean(axis=0) + factor * (bag - bag.mean(axis=0))
        if number:
            shown = {"value": machine.predict([stretched])[0] + mean}
        else:
            shown = {"value": machine.decision_function([stretched])[0]}
        if lab.toy:
            new = toy_bags(lab.source, lab.new_bags, lab.n, lab.difference, rng=again)
            shown["score"] = machine.score(
                new.bags, new.targets - mean if number else np.where(new.targets == label, 1.0, -1.0)
            )
        elif number:
            shown["score"] = 1 - np.mean((machine.left_out(train.bags, y) - y) ** 2) / y.var()
        elif result.detects:
            shown["score"] = np.mean((machine.decision_function(train.bags) >= 0) == (y > 0))
        else:
            shown["score"] = np.mean((machine.left_out(train.bags, y) >= 0) == (y > 0))
        if two:
            targets = moments(train)
            middle = targets.mean(axis=0)
            regression = DistributionRegression(kernel, level_two, **lam, **mean_of)
            if lab.toy:
                true = moments(new)
                predicted = regression.fit(train.bags, targets - middle).predict(new.bags) + middle
            else:
                true, predicted = targets, regression.left_out(train.bags, targets - middle) + middle
            shown["outputs"] = 1 - ((predicted - true) ** 2).mean(axis=0) / true.var(axis=0)
        print(shown)

    return steps.script()


def _drawn(lab):
    """Return the steps that create the bags."""
    options: Any = {} if lab.toy else read_options(lab)

    @recipe
    def steps():
        if lab.toy:
            return toy_bags(lab.source, lab.bags, lab.n, lab.difference, rng=lab.seed)
        if lab.source in BUNDLED and lab.standardise:
            return cut_bags(load(lab.source).standardised(), lab.bags, lab.n, rng=lab.seed)
        if lab.source in BUNDLED:
            return cut_bags(load(lab.source), lab.bags, lab.n, rng=lab.seed)
        if lab.cuts:
            data: Any = read_table(lab.file, **options, target=lab.label_column)
        else:
            data = read_bags(lab.file, lab.bag_column, lab.label_column, **options)
        if data.hash != lab.hash:
            raise ValueError(f"this is another {lab.file} than the one on the page")
        return (cut_bags if lab.cuts else table_bags)(data, lab.bags, lab.n, rng=lab.seed)

    return steps


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
