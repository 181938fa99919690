"""Table of labs: the facts that tests of every lab need about each lab."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

import pytest

from explorer.parameters import Real
from explorer.sweeps import InProcess
from explorer.workbench import registry
from explorer.workbench.cache import Cache
from explorer.workbench.content import content_of


class Row(NamedTuple):
    """Facts about a lab that tests need; a new lab needs the first three, and what differs from the defaults.

    states      {test id: fields} of states that show different parts of the lab, without the opening state
    moves       a move that changes much, another one, and a move that changes the slider's field alone
    copied      (namespace of the copied Python, result) -> pairs of numbers that must be equal
    scripts     fields of further states whose copied Python is run
    make        (fields) -> the lab, if its class alone does not suffice
    few         {constant of its modules: value} with which its studies take few samples
    stories     names of the deferred stages that its stories need, or ALL
    studies     fields of states whose measures have other names than those of the first state, or fewer
    affordable  fields of states that are quick to compute, in addition to the opening state
    slow        fields of states that are not
    refused     (fields, field to lower) of states that would take too much
    drawn       {field: values} of random states whose estimated cost is compared to the measured one
    heavy       link to about the most expensive state that a page may show
    quick       words of a link with which its page opens quickly: without a browser it computes everything at once
    handles     {handle: a good value of it or None}; the first has one
    dragged     further words of the link, with which the page has all handles
    asked       labels of marks that show the answer to its first story's first step
    sliders     the first two fields that a browser moves: the slider of the lab, and one that the server answers
    tables      its tables of numbers that have one row per row of the user's table
    axes        least number of axes along columns of the user's table
    """

    states: dict
    moves: tuple
    copied: object
    scripts: tuple = ()
    make: object = None
    few: dict = {}
    stories: object = ()
    studies: tuple = ()
    affordable: tuple = ()
    slow: tuple = ()
    refused: tuple = ()
    drawn: dict = {}
    heavy: str = ""
    quick: dict = {}
    handles: dict = {}
    dragged: dict = {}
    asked: frozenset = frozenset()
    sliders: tuple = ()
    tables: tuple = ("sample",)
    axes: int = 2


ALL = "all"
SMALL_SWEEP = {"x_from": 0.1, "x_to": 1.0, "x_count": 3, "y_from": 5, "y_to": 10, "y_count": 2, "replicates": 3}
SWEPT = {}  # sweep_key -> numbers of a sweep that has run


def finished_sweep(fields):
    """Return a Sweep lab that has run, with all automatic choices made; it is small unless the fields say otherwise."""
    lab = registry.entry("sweep").lab(**({} if "lab" in fields else SMALL_SWEEP) | fields).settled()
    if lab.sweep_key not in SWEPT:
        lab.result(wait=True, executor=InProcess())
        SWEPT[lab.sweep_key] = lab.cells
    lab.keep(lab.sweep_key, SWEPT[lab.sweep_key])
    return lab


def _shrinkage(space, result):
    """Return pairs of numbers that copied Python of the Shrinkage lab and its screen have in common."""
    losses = [1.0, 1 - result.gain(result.simple), 1 - result.gain(result.flexible)]
    if result.bayes is not None and result.bayes.loss is not None:
        losses.append(result.bayes.loss)
    if result.beside is not None and result.beside.loss is not None:
        losses.append(result.beside.loss)
    yield from zip(space["losses"].values(), losses, strict=True)
    said, row, v = space.get("averages", {}), result.row, result.values
    if v is not None:
        shown = {"average of f": v.average, "S-KMSE": v.simple[row], result.flexible_name: v.flexible[row]}
        shown |= {"Bayesian KME": v.mean, "E f(X)": v.exact}
        yield from ((value, shown[name][-1]) for name, value in said.items() if name in shown)
    if result.fits is not None and result.flexible_name in said:
        yield said[result.flexible_name], result.fits.predicted[result.row].mean()


def _conditional(shown, result):
    """Return pairs of numbers that copied Python of the Conditional lab and its screen have in common."""
    if result.rules:
        return zip(shown["posterior"], result.rules[1].posterior, strict=True)
    if result.believed:
        return zip(shown["means"], result.believed.means, strict=True)
    if result.tracks:
        return [(shown["error"], result.kernel_error)]
    pairs = [(shown["mean"], result.mean)]
    if result.distance is not None:
        pairs.append((shown["distance"], result.distance))
    if result.printed and result.exact_posterior:
        pairs.append((shown["printed"], result.printed.distance(result.exact_posterior)))
    return pairs


def _adaptation(shown, result):
    """Return pairs of numbers that copied Python of the Adaptation lab and its screen have in common."""
    if result.outcomes:
        yield shown["naive"], result.outcomes.gap
        if not result.outcomes.refused:
            yield shown["effect"], result.outcomes.effect
            yield shown["distance"], result.outcomes.apart
        return
    yield shown["before"], result.before[1]
    yield shown["after"], result.fit.error
    yield shown["effective sample size"], result.fit.size
    yield shown["distance"], result.fit.distance
    if result.clouds:
        yield shown["between domains"], result.clouds.apart
        if result.clouds.transfer is not None:
            yield shown["TCA"], result.clouds.transfer
            yield shown["DICA"], result.clouds.ratio


def _kernel_pca(shown, result):
    """Return pairs of numbers that copied Python of the Kernel PCA lab and its screen have in common."""
    pairs = list(zip(shown["shares"], result.look.shares, strict=False))
    pairs += list(zip(shown["eigenvalues"], result.look.model.eigenvalues_, strict=True))
    pairs += list(zip(shown["pre-image"], result.back, strict=True))
    if result.cleaned is not None:
        pairs.append((shown["after / before"], result.cleaned))
    if "separations" in shown:
        pairs += zip(shown["separations"], result.discriminant.fit.separations_, strict=True)
    if "n² HSIC" in shown:
        pairs.append((shown["n² HSIC"], result.clusters.hsic))
    if "third moments" in shown:
        pairs.append((shown["third moments"], result.third[1]))
    return pairs


def _independence(space, result):
    """Return pairs of numbers that copied Python of the Independence lab and its screen have in common."""
    pairs = [(space["result"].pvalue, result.pvalue), (space["result"].statistic, result.statistic)]
    if not result.lab.centred:
        pairs.append((space["operator"].share(), result.leading))
    if result.agreed is not None:
        pairs.append((space["every"].pvalue, result.agreed.pvalue))
    if result.information is not None:
        pairs.append((space["known"].statistic, result.information.statistic))
    if result.held_out is not None:
        pairs += [(space["cca"].correlation(), result.canonical.together), (space["left_out"], result.held_out)]
    if result.elimination is not None:
        pairs += zip(space["order"].correlation, result.elimination.correlation, strict=True)
    return pairs


def _drift(space, result):
    """Return pairs of numbers that copied Python of the Drift lab and its screen have in common."""
    shown, own = space["shown"], result.watch
    yield from ((shown["split"], own.split), (space["result"].statistic, own.peak))
    yield from zip(shown["looks"], own.pvalues, strict=True)
    yield from zip(shown["wealth"], own.path, strict=True)
    if result.own_test is not None:
        yield shown["p"], result.own_test.pvalue
    if result.breaks is not None:
        yield from zip(shown["breaks"], result.breaks, strict=True)


def _fit(space, result):
    """Return pairs of numbers that copied Python of the Fit lab and its screen have in common."""
    shown = space["shown"]
    yield from ((shown["ksd"], result.statistic), (shown["p"], result.pvalue))
    if result.aggregated is not None:
        yield shown["many"], result.p_aggregated
    if result.others is not None:
        yield from ((shown["exact"], result.p_exact), (shown["finite"], result.p_finite))


def _few(space, result):
    """Return pairs of numbers that copied Python of the Few lab and its screen have in common."""
    shown, lab = space["shown"], result.lab
    if lab.picture == "flow":
        return [] if result.flow is None else [(shown["now"], result.left), (shown["start"], result.flow.errors[0])]
    if lab.picture == "test":
        tested = result.tested
        return zip(shown.values(), [result.pvalue, tested.pvalues[-1]], strict=True) if tested else []
    look = result.look
    return [
        (shown["mmd"] ** 2, look.error**2),  # near 0 the root is one of rounding
        *zip(shown["criticisms"], look.rows, strict=True),
        *zip(shown["witness"], look.witness[look.rows], strict=True),
    ]


def _causes(space, result):
    """Return pairs of numbers that copied Python of the Causes lab and its screen have in common."""
    yield from zip(space["shown"].values(), result.look_in().pvalues, strict=True)


def _monk(shown, result):
    """Return pairs of numbers that copied Python of the MONK lab and its screen have in common."""
    u = result.U if result.U < 0 else result.u_mmd
    truth = [] if result.truth is None else [result.truth]
    # the tests, a deferred stage, are compared if the page shows them
    copied = [value for name, value in shown.items() if not name.startswith("p of ")]
    return zip(copied, [u, result.estimate.value, *truth, *(result.rivals or {}).values()], strict=True)


ROWS = {
    "shrinkage": Row(
        states={
            "chosen λ": {"lam": 0.1},
            "typed λ": {"lam": 0.0123},
            "no shrinking": {"lam": 0.0},
            "linear, one Gaussian": {"kernel": "LIN", "source": "gaussian", "mean": 0.3},
            "James-Stein": {"estimators": "james-stein", "kernel": "LIN", "source": "gaussian", "d": 10, "mean": 0.3},
            "multiples of the smallest eigenvalue": {"multiples": True},
            "one coordinate": {"d": 1, "n": 6},
            "outliers": {"n": 40, "outliers": 5, "kind": "heavy tail", "distance": 500.0},
            "wine": {"source": "wine", "n": 60},
            "truncated SVD": {"filter": "tsvd", "picture": "coefficients"},
            "sum to one": {"weights": "sum-to-one", "kernel": "POLY2"},
            "blob": {"target": "blob", "target_at": "[2.5, -1.0]", "picture": "risk"},
            "moved": {"moved": '{"3":[1,1]}'},
            "Laplacian": {"kernel": "LAP", "d": 3, "target": "blob"},
            "error bound": {"picture": "errors", "delta": 0.01, "samples": 5},
            "objective": {"picture": "objective"},
            "scores alone": {"picture": "objective", "source": "wine", "n": 60, "lam": 0.0},
            "no bound": {"picture": "errors", "source": "wine", "n": 60},
            "energy": {"kernel": "distance", "d": 5, "outliers": 2},
            "exponential": {"kernel": "EXP", "bandwidth": 2.0, "lam": 0.1},
            "Student's t": {"source": "student", "df": 1.5, "d": 3, "target": "blob", "target_at": "[1.0, 0.5]"},
            "Student's t, linear": {"source": "student", "df": 5.0, "mean": 0.5, "kernel": "LIN", "picture": "risk"},
            "exponential, wine": {"kernel": "EXP", "source": "wine", "n": 60, "bandwidth": 1.0},
            "Matérn, MKME compared": {"kernel": "Matern", "Matern_nu": 2.5, "beside": "MKME"},
            "band": {"picture": "values", "bayesian": True, "probe": 0.5},
            "moments": {
                "picture": "values",
                "kernel": "EXP",
                "source": "gaussian",
                "d": 1,
                "bandwidth": 1.6,
                "lam": 0.3,
            },
            "conditional embeddings": {"picture": "fits", "probe": -1.0, "lam": 0.1},
            "functions of wine": {"picture": "values", "source": "wine", "n": 60, "bayesian": True},
            "oracle": {"picture": "oracle", "lam": 1.0},
        },
        moves=({"bandwidth": 0.5}, {"n": 30}, {"lam": 0.2}),
        copied=_shrinkage,
        handles={"point": [0, 0.5, -0.25], "blob": None},
        asked={"James-Stein", "this distribution"},
        studies=({"source": "wine"}, {"filter": "landweber"}, {"weights": "simplex"}),
        affordable=({"n": 400}, {"n": 30, "filter": "nu"}, {"n": 30, "weights": "simplex"}),
        slow=({"n": 1000}, {"n": 100, "filter": "nu"}, {"n": 200, "weights": "simplex"}),
        refused=(({"n": 2000, "d": 100, "samples": 1000}, "samples"),),
        drawn={
            "source": ("mixture", "gaussian"),
            "n": (100, 2000),
            "d": (1, 100),
            "kernel": ("RBF", "LIN", "POLY3", "LAP", "distance"),
            "filter": ("tikhonov", "tikhonov", "nu", "tsvd", "landweber", "iterated-tikhonov"),
            "target": ("zero", "blob"),
            "picture": ("filter", "coefficients", "risk"),
            "samples": (0, 0, 3),
        },
        heavy="n=1900&samples=30&picture=objective",
    ),
    "marginalized": Row(
        states={
            "chosen σ": {"sigma": 0.5},
            "typed σ": {"sigma": 0.123, "picture": "filter"},
            "no noise": {"sigma": 0.0, "picture": "approximation"},
            "useless axis": {"source": "axis", "d": 5, "n": 30, "ground": "MMKME"},
            "normal, shares given": {"source": "normal", "d": 4, "first": 0.3, "others": 2.0, "sigma": 0.25},
            "one coordinate": {"d": 1, "n": 6, "ground": "MKME"},
            "Student's t": {"source": "student", "df": 1.5, "d": 3, "ground": "MMKME"},
            "dice": {"picture": "dice", "n": 30},
            "wine": {"source": "wine", "n": 60, "bandwidth": 1.0},
            "wdbc as it is": {"source": "wdbc", "n": 40, "standardise": False, "picture": "dice"},
            "full covariance": {"source": "measured", "third": "full", "tilt": 20.0, "sigma": 0.3},
            "known noise": {"source": "measured", "third": "known", "d": 3},
            "local covariances": {"third": "local", "n": 12},
            "Laplace noise": {"third": "laplace", "d": 3, "n": 12},
            "t noise of wine": {"source": "wine", "n": 30, "third": "t"},
            "uniform noise": {"third": "uniform", "n": 12},
        },
        moves=({"bandwidth": 0.5}, {"n": 30}, {"sigma": 0.2}),
        copied=lambda space, r: zip(
            space["losses"].values(),
            (1 - gain for gain in (0.0, *map(r.gain, (r.mkme, r.mmkme, *([r.third.path] if r.third else []))))),
            strict=True,
        ),
        scripts=(
            {"sigma": 1.5, "bandwidth": 1.0},
            {"source": "axis", "d": 3, "first": 0.3},
            {"source": "normal", "d": 4, "others": 2.0, "sigma": 0.123},
            {"source": "wdbc", "n": 60, "standardise": False},
            {"n": 2},
            {"source": "student", "d": 4, "sigma": 0.7},
            {"d": 30, "seed": 4294967295, "law_seed": 9},
            {"bandwidth": 1.0, "n": 150},
        ),
        handles={"axis": [0, 0.5, 0.25]},
        dragged={"n": "20", "third": "full", "sigma": "0.5"},
        asked={"MKME", "MMKME", "best", "chosen by leave-one-out"},
        studies=({"source": "wine"},),
        affordable=({"n": 120},),
        slow=({"n": 600}, {"n": 120, "picture": "dice"}),
        refused=(({"n": 1000, "d": 100, "samples": 1000}, "samples"),),
        drawn={
            "source": ("mixture", "axis", "normal"),
            "n": (100, 1000),
            "d": (2, 100),
            "picture": ("kernel", "filter", "approximation", "dice"),
            "samples": (0, 0, 3),
        },
        heavy="n=1000&d=50&samples=20",
    ),
    "monk": Row(
        states={
            "no outliers": {"outliers": 0},
            "linear, in P": {"kernel": "LIN", "planted": "P", "distance": 33.25},
            "Gaussian": {"kernel": "RBF", "bandwidth": 0.6, "d": 4},
            "Laplacian": {"kernel": "LAP", "bandwidth": 2.0, "d": 3, "n": 60},
            "energy": {"kernel": "distance", "laws": "paper", "n": 60, "picture": "estimates"},
            "the paper's": {"laws": "paper", "blocks": 21},
            "Pareto": {"laws": "pareto", "outliers": 3},
            "by hand": {"placed": "[[12.25,1.5],[-4,0.2]]", "seed": 77},
            "BCD": {"method": "bcd", "blocks": 5},
            "steps": {"method": "bcd-fast", "picture": "steps", "iteration": 12},
            "steps beside the direction": {"picture": "steps", "n": 60, "iteration": 3},
            "embedding": {"picture": "embedding", "n": 60},
            "estimates": {"picture": "estimates", "n": 60, "outliers": 1},
            "one block": {"blocks": 1},
            "two pairs": {"n": 2, "blocks": 1, "outliers": 1, "shift": 0.0},
        },
        moves=({"distance": 20.0}, {"n": 120}, {"blocks": 5}),
        copied=lambda space, r: _monk(space["shown"], r),
        scripts=(
            {"kernel": "POLY3", "planted": "Q", "distance": 2000.0, "blocks": 21},
            {"method": "bcd-fast", "partition": 6},
            {"blocks": 43, "n": 300},
        ),
        quick={"picture": "steps"},
        handles={"added": [[12.0, 0.5]], "placed": None, "chosen": None, "planted": None},
        dragged={"n": "30"},
        asked={"block with an outlier"},
        tables=(),
        axes=1,
        few={"result.SAMPLES": {"cliff": 2, "quantiles": 2}, "result.FEWEST": 2},
        studies=({"method": "bcd-fast"}, {"laws": "pareto"}),
        affordable=({"n": 300},),
        slow=({"n": 2000}, {"picture": "embedding", "d": 5, "kernel": "RBF", "blocks": 41}),
        refused=(
            ({"n": 2000, "picture": "embedding", "blocks": 801}, "blocks"),
            ({"n": 2000, "picture": "embedding", "blocks": 1999}, "blocks"),
            ({"n": 2000, "d": 20, "picture": "quantiles", "blocks": 1999}, "blocks"),
            ({"n": 300, "d": 10, "kernel": "RBF", "picture": "embedding", "blocks": 101}, "blocks"),
            ({"n": 1000, "d": 20, "kernel": "RBF", "picture": "embedding", "blocks": 999}, "blocks"),
            ({"n": 2000, "d": 20, "kernel": "POLY3"}, "n"),
        ),
        drawn={
            "n": (50, 2000),
            "d": (1, 20),
            "kernel": ("LIN", "POLY2", "POLY3", "RBF"),
            "blocks": (1, 801),
            "method": ("direction", "bcd"),
            "picture": ("cliff", "quantiles", "steps", "embedding"),
        },
        heavy="n=1500&kernel=RBF&d=5&picture=embedding&blocks=41",
    ),
    "dna": Row(
        states={
            "contaminated": {"contaminated": 3, "normalized": False, "pair": "X1 Y50"},
            "all contaminated": {"n": 12, "contaminated": 12, "blocks": 5},
            "halves of one class": {"n": 12, "blocks": 5, "compare": "first with itself"},
            "one letter": {"length": 1, "picture": "plain"},
            "70 reads": {"n": 70, "contaminated": 61, "kind": "repeated read", "longer": 2},
            "two reads": {"n": 2, "blocks": 1},
            "long subsequences": {"n": 12, "blocks": 5, "length": 6, "decay": 1.0},
            "BCD": {"n": 12, "blocks": 5, "method": "bcd", "classes": "EI/N"},
        },
        moves=({"decay": 0.7}, {"seed": 2}, {"pair": "X2 Y2"}),
        copied=lambda space, r: [
            (copied, shown)
            for name, test in (("plain", r.plain), ("monk", r.monk))
            for copied, shown in ((space[name].statistic, test.statistic), (space[name].pvalue, test.pvalue))
        ],
        scripts=(
            {"n": 12, "blocks": 5, "contaminated": 2, "kind": "random letters", "longer": 3},
            {"length": 5, "decay": 0.35},
            {"n": 12, "blocks": 5, "compare": "second with itself", "classes": "IE/N", "method": "bcd"},
            {"seed": 4294967295, "kind": "repeated read", "contaminated": 1},
            {"n": 12, "blocks": 1, "method": "bcd-fast", "length": 5, "decay": 0.9, "normalized": False, "seed": 8},
        ),
        quick={"n": "12", "blocks": "5", "shuffles": "19", "flips": "19"},
        sliders=("decay", "length"),
        handles={"cell": [1, 2]},
        studies=({"compare": "first with itself", "n": 30},),
        slow=({"n": 300, "length": 6},),
        refused=(
            ({"source": "splice", "n": 700, "blocks": 349, "flips": 1000}, "flips"),
            ({"source": "splice", "n": 400, "length": 6, "flips": 600, "samples": 200}, "samples"),
        ),
        drawn={
            "n": (50, 200),
            "length": (1, 6),
            "contaminated": (0, 0, 20),
            "method": ("direction", "bcd", "bcd-fast"),
            "shuffles": (19, 2000),
            "flips": (19, 1000),
            "blocks": (1, 49),
            "samples": (0, 0, 2),
        },
        heavy="n=200&length=6&flips=1000&method=bcd",
    ),
    "twosample": Row(
        states={
            "linear": {"kernel": "LIN", "source": "spread", "n": 25, "m": 20},
            "an outlier": {"kernel": "POLY2", "outliers": 1, "picture": "influence", "n": 25, "m": 20},
            "moments": {"kernel": "POLY3", "source": "moments", "picture": "x-ray", "n": 25, "m": 20},
            "one coordinate": {"source": "equal", "d": 1, "bandwidth": 0.0123, "permutations": "199", "n": 25},
            "S-KMSE": {"statistic": "biased", "estimator": "S-KMSE", "n": 25, "m": 20},
            "F-KMSE": {"statistic": "biased", "estimator": "F-KMSE", "n": 8, "m": 9, "permutations": "199"},
            "moved": {"moved_p": '{"3": [0.5, -1.0]}', "moved_q": '{"0": [9.0, 9.0], "99": [0.0, 0.0]}'},
            "dropped": {"dropped": '["P3", "Q10", "Q12"]', "outliers": 1, "n": 25, "m": 20, "picture": "power"},
            "typed bandwidth": {
                "source": "spread",
                "n": 33,
                "dropped": '["P3"]',
                "moved_q": '{"3":[0.5,-1.0]}',
                "level": "0.01",
                "bandwidth": 0.123,
            },
            "wine": {"source": "wine", "n": 20, "m": 20, "groups": '["3", "2"]'},
            "linear time": {"statistic": "linear time", "n": 25, "m": 25, "picture": "bandwidths"},
            "blocks": {"statistic": "blocks", "block": 8, "n": 25, "m": 25, "kernel": "POLY2", "outliers": 1},
            "Laplacian": {"kernel": "LAP", "n": 25, "m": 20, "picture": "x-ray", "moved_p": '{"3": [0.5, -1.0]}'},
            "energy": {"kernel": "distance", "n": 25, "m": 20, "outliers": 1, "picture": "x-ray"},
            "exponential": {"kernel": "EXP", "n": 25, "m": 20, "picture": "influence"},
            "narrow exponential": {"kernel": "EXP", "bandwidth": 0.4, "source": "spread", "n": 25, "m": 20},
            "draft": {"n": 70, "m": 80, "permutations": "9999"},
            "checked": {"n": 8, "m": 8, "permutations": "199", "samples": 20, "picture": "power"},
            "rate": {"n": 30, "m": 10, "permutations": "199", "picture": "rate"},
            "low rank": {"n": 30, "m": 10, "permutations": "199", "picture": "rank", "approximation": "features"},
            "sum of kernels": {"n": 15, "m": 10, "kernel": "Matern", "combined": "sum", "share": 0.3},
        },
        moves=({"kernel": "POLY2"}, {"size": 2.0}, {"bandwidth": 0.5}),
        copied=lambda space, r: [
            (space["result"].statistic, r.test().statistic),
            (space["result"].pvalue, r.pvalue),
        ],
        scripts=(
            {"n": 25, "m": 20, "kernel": "POLY2", "outliers": 2},
            {"n": 25, "m": 20, "source": "wine", "standardise": False},
            {"n": 25, "m": 20, "source": "wine", "groups": '["3", "2"]', "dropped": '["P1"]'},
            {"n": 25, "m": 20, "source": "wdbc", "kernel": "LIN", "outliers": 1},
            {"n": 25, "m": 20, "source": "wine", "kernel": "EXP", "bandwidth": 2.0},
            {"n": 25, "m": 26, "statistic": "blocks", "block": 5, "dropped": '["Q3"]', "bandwidth": 0.3},
            {"n": 25, "m": 20, "statistic": "biased", "estimator": "MMKME", "kernel": "LAP"},
            {"n": 150, "m": 200, "permutations": "9999"},
        ),
        quick={"n": "12", "m": "15", "permutations": "199"},
        handles={"Q": [3, 0.5, -0.25], "P": None},
        asked={"at least as large (p)", "observed"},
        stories=ALL,
        studies=({"source": "wine", "n": 20, "m": 20}, {"source": "equal"}),
        affordable=({"n": 200, "m": 200},),
        slow=({"n": 2000, "m": 2000}, {"n": 100, "m": 100, "estimator": "F-KMSE", "statistic": "biased"}),
        refused=(({"n": 500, "m": 500, "d": 100, "kernel": "POLY3", "samples": 1000}, "samples"),),
        drawn={
            "source": ("shift", "moments", "equal"),
            "n": (50, 2000),
            "m": (50, 2000),
            "d": (1, 100),
            "kernel": ("RBF", "POLY2", "POLY3", "LAP", "distance"),
            "permutations": ("199", "999", "9999"),
            "samples": (0, 0, 3),
        },
        heavy="n=500&m=500&permutations=9999&samples=200&picture=x-ray",
    ),
    "independence": Row(
        states={
            "wide σ": {"sigma": 5.0},
            "typed σ": {"sigma": 0.123, "n": 30},
            "σ by leave-one-out": {"sigma": None, "n": 30},
            "linear, a sine": {"source": "sine", "waves": 3, "kernel": "LIN", "n": 40},
            "distance, a fan": {"source": "fan", "kernel": "distance", "n": 40, "picture": "measures"},
            "Laplacian, two columns": {
                "kernel": "LAP",
                "source": "wine",
                "n": 40,
                "x": '["hue","ash"]',
                "y": "alcohol",
            },
            "exponential": {"kernel": "EXP", "n": 40, "bandwidth": 2.0, "picture": "gram"},
            "by hand": {"n": 12, "moved": '{"3":[1,1]}', "placed": "[[1.5,2],[0,0.25]]", "selected": 1, "shuffle": 3},
            "drawn": {"source": "drawn", "placed": "[[0,0],[1,2],[2,1],[3,3.5],[4,1]]"},
            "columns of wine": {"source": "wine", "n": 40, "x": '["hue","ash"]', "y": "alcohol"},
            "Gram": {"picture": "gram", "n": 5},
            "uncentred": {"operator": "uncentred", "n": 40},
            "uncentred, noisy": {"operator": "uncentred", "n": 40, "sigma": 1.0, "source": "wine"},
            "ranks": {"picture": "ranks", "n": 30, "rank": 3},
            "draft": {"n": 120, "permutations": "9999", "level": "0.01"},
            "all bandwidths": {"picture": "bandwidths", "n": 12},
            "canonical": {"picture": "canonical", "n": 20},
            "canonical, robust": {"picture": "canonical", "n": 20, "eps": None, "robust": True, "kernel": "LIN"},
            "one by one": {"picture": "elimination", "source": "wine", "n": 15},
            "strings": {"source": "strings", "n": 15, "picture": "bandwidths"},
            "strings, canonical": {"source": "strings", "n": 15, "picture": "canonical"},
        },
        moves=({"bandwidth": 1.0}, {"noise": 0.4}, {"sigma": 1.0}),
        copied=_independence,
        scripts=(
            {"permutations": "199", "kernel": "POLY2", "n": 9},
            {"permutations": "199", "kernel": "LAP", "n": 9},
            {"permutations": "199", "sigma": 0.7, "n": 20},
            {"permutations": "199", "moved": '{"3": [0.5, -1.0], "99": [0, 0]}', "placed": "[[1.5, 2], [0, 0.25]]"},
            {"permutations": "199", "source": "eckerle4", "n": 35},
            {"permutations": "199", "source": "eckerle4", "standardise": False, "n": 20},
            {"permutations": "199", "source": "wdbc", "standardise": False, "sigma": 1.0, "n": 20},
            {"permutations": "199", "picture": "canonical", "sigma": 0.5, "eps": 0.1, "robust": True, "n": 15},
            {"permutations": "199", "picture": "elimination", "source": "wine", "kernel": "LAP", "n": 15},
            {"permutations": "199", "source": "strings", "n": 15, "picture": "measures"},
            {"permutations": "199", "picture": "elimination", "source": "wine", "kernel": "EXP", "n": 15},
        ),
        quick={"n": "20", "permutations": "199"},
        sliders=("noise", "n"),
        handles={"sample": [2, 0.5, -0.25], "added": None, "placed": None, "chosen": None},
        dragged={"sigma": "0", "kernel": "LIN"},
        tables=("pairs",),
        few={"result.REPETITIONS": 6},
        stories=("fresh", "columns", "chosen", "held_out"),
        studies=({"kernel": "distance"}, {"source": "eckerle4", "n": 30}, {"n": 4}),
        affordable=({"n": 150},),
        slow=({"n": 1000},),
        refused=(
            ({"n": 2000, "permutations": "9999"}, "permutations"),
            ({"n": 1800, "kernel": "distance", "permutations": "9999"}, "permutations"),
            ({"n": 2000, "samples": 1000}, "samples"),
        ),
        drawn={
            "source": ("ring", "fan", "none"),
            "n": (50, 2000),
            "kernel": ("RBF", "LIN", "distance", "LAP"),
            "permutations": ("199", "999", "9999"),
            "picture": ("pair", "gram", "measures", "ranks"),
            "bandwidth": (0.05, 0.5, 2.0),
        },
        heavy="n=1400&kernel=distance&permutations=9999",
    ),
    "conditional": Row(
        states={
            "Bayes": {"picture": "bayes", "source": "gaussian", "prior_gap": 0.8},
            "as printed": {"picture": "bayes", "source": "fan", "printed": True, "lam": 0.5, "n": 60},
            "filter": {"picture": "filter", "n": 80, "time": 20},
            "two wells": {"picture": "filter", "path": "wells", "prediction": "sum rule", "n": 60, "lam": 0.1},
            "table": {"picture": "table", "counts": "[[1,2],[3,4],[0,5]]", "chances": "[1,3]", "seen": 3},
            "tree": {"picture": "tree", "n": 40, "others": '{"c":-1}', "value": 0.75},
            "tree, no link": {"picture": "tree", "n": 30, "node": "a", "link": 0.0, "lam": 0.1},
            "typed λ": {"lam": 0.0123, "n": 50},
            "a fork": {"source": "fork", "at": -0.7, "bandwidth": 1.0, "n": 30},
            "groups of columns": {
                "source": "wine",
                "n": 60,
                "x": '["hue","ash"]',
                "y": '["alcohol","magnesium"]',
                "picture": "bayes",
            },
            "a column of wine": {"source": "wine", "n": 40, "standardise": False},
            "rows in order": {"picture": "filter", "path": "rows", "source": "wdbc", "n": 60},
        },
        moves=({"bandwidth": 1.0}, {"at": 0.5}, {"lam": 1.0}),
        copied=lambda space, r: _conditional(space["shown"], r),
        scripts=(
            {"picture": "bayes", "source": "wdbc", "n": 50, "printed": True},
            {"picture": "bayes", "lam": 2.0, "lam_posterior": 1e-4, "n": 50},
            {"picture": "filter", "path": "rows", "source": "wine", "n": 100, "y": '["alcohol","hue"]'},
            {"source": "wine", "n": 60, "x": '["hue","ash"]', "y": '["alcohol","magnesium"]', "lam": 0.3},
        ),
        sliders=("at", "bandwidth"),
        handles={"known": [0, 0.5, 0.25], "prior": None},
        dragged={"picture": "bayes", "n": "30"},
        asked={"estimate", "exact"},
        tables=("pairs",),
        studies=({"picture": "bayes", "n": 30}, {"picture": "filter", "n": 30}, {"picture": "table"}),
        affordable=({"picture": "table"},),
        slow=({"n": 1000},),
        refused=(({"n": 2000, "bandwidth": 0.01}, "n"), ({"n": 2000, "bandwidth": 0.01, "picture": "bayes"}, "n")),
        drawn={
            "source": ("banana", "gaussian", "fan"),
            "n": (50, 2000),
            "picture": ("cut", "bayes", "filter"),
            "bandwidth": (0.05, 0.5, 1.0),
            "printed": (False, True),
            "lam": (None, 0.1),
        },
        heavy="n=1500&picture=bayes&bandwidth=0.05",
    ),
    "kernel_pca": Row(
        states={
            "denoised": {"source": "curve", "picture": "denoised", "kept": 6, "n": 40},
            "typed bandwidth": {"bandwidth": 0.123, "component": 4, "kept": 12},
            "linear": {"kernel": "LIN", "component": 3},
            "errors": {"picture": "errors", "n": 12, "variant": "S-COSE"},
            "resamples": {"picture": "ghosts", "n": 20, "samples": 10, "component": 2},
            "S-centred": {"variant": "S-centred", "source": "moons", "lam": 0.2},
            "F-centred": {"variant": "F-centred", "source": "blobs", "kernel": "LAP", "lam": 0.5, "n": 20},
            "F-COSE": {"variant": "F-COSE", "n": 30, "picture": "denoised"},
            "F-COSE, λ given": {"variant": "F-COSE", "lam": 0.1, "n": 30, "bandwidth": 1.0},
            "moved": {"moved": '{"3":[1,1]}', "at": "[-0.5,0.25]", "picture": "denoised", "n": 30},
            "three points": {"n": 3, "kernel": "POLY2", "component": 2},
            "wine": {"source": "wine", "n": 40, "bandwidth": 1.0},
            "errors of wine": {"source": "wine", "n": 30, "picture": "errors", "kernel": "POLY2"},
            "wdbc as it is": {"source": "wdbc", "n": 30, "standardise": False, "picture": "denoised"},
            "told the groups": {"source": "blobs", "n": 20, "picture": "discriminant"},
            "told none": {"source": "wine", "n": 20, "picture": "discriminant"},
            "clusters": {"source": "moons", "n": 20, "picture": "clusters"},
            "clusters in a ring": {"source": "curve", "n": 20, "picture": "clusters", "clusters": 4, "between": "ring"},
        },
        moves=({"n": 40}, {"noise": 0.3}, {"bandwidth": 1.0}),
        copied=lambda space, r: _kernel_pca(space["shown"], r),
        scripts=(
            {"kernel": "POLY3", "variant": "S-COSE", "n": 30, "lam": 1.0},
            {"variant": "S-centred", "n": 20, "picture": "denoised", "kept": 2},
            {"source": "wine", "n": 50, "variant": "F-centred", "standardise": False},
        ),
        quick={"n": "20"},
        handles={"probe": [0, 0.5, 0.25], "point": None},
        few={"resampled.REPETITIONS": 4},
        stories=ALL,
        studies=({"kernel": "LIN"}, {"source": "wine", "n": 30, "variant": "F-COSE"}, {"picture": "denoised", "n": 30}),
        affordable=({"n": 100},),
        slow=({"n": 1000},),
        drawn={
            "source": ("rings", "curve"),
            "n": (50, 2000),
            "variant": ("KPCA", "S-centred", "F-centred", "S-COSE", "F-COSE"),
            "picture": ("scores", "denoised", "errors", "ghosts"),
            "kernel": ("RBF", "LIN"),
        },
        heavy="n=1500&variant=F-COSE&picture=denoised",
    ),
    "density": Row(
        states={
            "a line, S-KMSE": {"d": 1, "estimator": "S-KMSE", "n": 30, "iteration": 10},
            "k-means": {"iteration": 0},
            "typed step": {"iteration": 333, "blobs": 2, "n": 30},
            "moved": {"moved": '{"0":[1,1],"3":[-2,0.5],"9":[0,0]}', "estimator": "F-KMSE"},
            "from the hand": {"moved": '{"0":[1,1],"9":[0,0]}', "begin": "by hand", "n": 30},
            "blobs": {"picture": "blobs", "estimator": "S-KMSE", "bandwidth": 0.1},
            "more samples": {"picture": "samples", "n": 10, "blobs": 2},
            "most even": {"picture": "entropy", "bandwidth": 1.0, "n": 30},
            "most even on a line": {"picture": "entropy", "d": 1, "n": 20, "eps": 0.5, "moved": '{"1":[2,0]}'},
            "heavy tails": {"source": "student", "df": 1.5, "d": 1, "estimator": "MMKME", "picture": "entropy"},
            "wine": {"source": "wine", "n": 100, "blobs": 10},
            "wdbc as it is": {"source": "wdbc", "n": 40, "standardise": False, "d": 1, "picture": "blobs"},
        },
        moves=({"bandwidth": 1.0}, {"n": 30}, {"iteration": 20}),
        copied=lambda space, r: [
            (space["shown"]["start"], r.start_nll),
            (space["shown"]["nll"], r.held_nll),
            (space["shown"]["distance"], r.away),
            *([] if r.rival is None else [(space["shown"]["from k-means"], r.rival_course.distance[r.row])]),
            *([] if r.even is None else [(space["shown"]["entropy"], r.entropy), (space["shown"]["even"], r.even_nll)]),
        ],
        scripts=(
            {"estimator": "MKME", "n": 15},
            {"source": "wine", "n": 50, "picture": "entropy", "estimator": "S-KMSE", "bandwidth": 1.0},
            {"source": "student", "d": 2, "seed": 4294967295, "blobs": 1},
            {"moved": '{"0":[1,1],"2":[-2.5,0]}', "begin": "by hand", "d": 1, "iteration": 7, "estimator": "MKME"},
        ),
        quick={"n": "20"},
        handles={"blob": [1, 0.5, 0.25]},
        few={"result.SAMPLES": 4},
        studies=({"source": "wine", "n": 40}, {"picture": "entropy", "d": 1, "n": 20}, {"estimator": "MKME", "n": 20}),
        slow=({"n": 1000}, {"iteration": 2000, "blobs": 10}, {"picture": "entropy"}),
        drawn={
            "source": ("mixture", "student"),
            "n": (20, 1000),
            "d": (1, 1, 2),
            "blobs": (1, 4, 10),
            "bandwidth": (0.25, 0.5, 2.0),
            "estimator": ("KME", "S-KMSE", "F-KMSE", "MKME", "MMKME"),
            "iteration": (100, 100, 2000),
            "picture": ("progress", "blobs", "samples", "entropy"),
        },
        heavy="n=800&estimator=F-KMSE&blobs=10&iteration=2000&picture=samples",
    ),
    "adaptation": Row(
        states={
            "target shift": {"source": "target", "remedy": "weights of y", "shift": 2.0, "n": 60},
            "maps": {"source": "location-scale", "remedy": "maps", "n": 40, "m": 40},
            "maps and weights": {"source": "location-scale", "remedy": "maps and weights", "n": 40, "m": 30},
            "no overlap": {"shift": 6.0, "n": 30},
            "the concept": {"source": "concept", "bound": 2.0, "n": 30},
            "typed bound": {"bound": 3.7, "n": 40, "picture": "bound"},
            "typed shift": {"shift": 1.234, "n": 30, "m": 30},
            "samples": {"picture": "samples", "n": 30, "m": 30},
            "maps in more samples": {
                "picture": "samples",
                "n": 20,
                "m": 20,
                "source": "location-scale",
                "remedy": "maps",
            },
            "domains": {"picture": "domains", "n": 40},
            "one domain": {"picture": "domains", "n": 20, "domains": 1, "size": 1.0},
            "two domains": {"picture": "domains", "n": 20, "domains": 2, "size": 10.0},
            "wine": {"source": "wine", "n": 40, "m": 50, "groups": '["3", "2"]'},
            "a treatment": {"picture": "treatment", "n": 30, "m": 40, "shift": 1.5, "hidden": 0.5},
            "treated wine": {"picture": "treatment", "source": "wine", "n": 40, "m": 30},
            "nobody alike": {"picture": "treatment", "n": 20, "m": 20, "shift": 7.0, "effect": "spread"},
            "wdbc as it is": {"source": "wdbc", "n": 30, "m": 30, "standardise": False, "picture": "domains"},
            "labels that are numbers": {"source": "wine", "n": 30, "m": 30, "remedy": "weights of y"},
        },
        moves=({"bandwidth": 2.0}, {"n": 40}, {"shift": 2.0}),
        copied=lambda space, r: _adaptation(space["shown"], r),
        scripts=(
            {"source": "wdbc", "n": 50, "m": 40, "bandwidth": 1.0},
            {"seed": 4294967295, "shift": -1.3, "bound": 5.0, "n": 50},
            {"source": "location-scale", "remedy": "weights of y", "n": 50},
        ),
        handles={"target": [0, 0.5, 0.25]},
        dragged={"n": "20"},
        asked={"weighted line"},
        tables=("source", "target"),
        few={"result.SAMPLES": 4},
        stories=ALL,
        studies=(
            {"source": "target", "remedy": "weights of y"},
            {"source": "location-scale", "remedy": "maps", "n": 20, "m": 20},
            {"picture": "domains", "n": 30},
        ),
        affordable=({"n": 150},),
        slow=({"n": 500}, {"source": "location-scale", "remedy": "maps"}),
        drawn={
            "source": ("covariate", "target", "location-scale", "concept"),
            "n": (20, 500),
            "m": (20, 500),
            "remedy": ("weights of x", "weights of y", "maps", "maps and weights"),
            "picture": ("weights", "samples", "domains"),
            "bound": (1000.0, 3.0, 10.0),
        },
        heavy="n=500&m=500&remedy=maps&source=target&picture=samples",
    ),
    "distributions": Row(
        states={
            "entropies": {"source": "entropy", "n": 10, "spread": 2.0},
            "typed spread": {"spread": 1.234, "picture": "distances", "bag": 3},
            "rings": {"source": "ring", "difference": 4.0, "n": 30, "bandwidth": 0.5, "label": "blob"},
            "sizes": {"picture": "size", "n": 5, "bags": 4, "estimator": "S-KMSE", "bandwidth": 0.4},
            "F-KMSE, linear": {"estimator": "F-KMSE", "level_two": "linear", "bags": 8, "C": 1.0},
            "MKME, turned": {"source": "turn", "estimator": "MKME", "bags": 6, "n": 8, "level_two": "cauchy"},
            "λ given": {"source": "entropy", "lam": 0.01, "level_two": "generalized-t", "n": 5, "picture": "distances"},
            "odd bags": {"source": "odd", "learner": "detector", "level_two": "linear", "nu": 0.2, "n": 8},
            "odd wine": {"source": "wine", "n": 6, "learner": "detector", "nu": 0.3},
            "one point": {"source": "one", "n": 8, "bags": 12, "C": 100.0},
            "two outputs": {"source": "entropy", "n": 8, "picture": "outputs"},
            "two outputs, S-KMSE": {"source": "wine", "n": 6, "picture": "outputs", "estimator": "S-KMSE"},
            "wine": {"source": "wine", "n": 6, "label": "2"},
            "wdbc as it is": {"source": "wdbc", "n": 20, "bags": 10, "standardise": False, "level_two": "exponential"},
        },
        moves=({"bandwidth": 0.5}, {"n": 30}, {"spread": 2.0}),
        copied=lambda space, r: [
            (space["shown"]["value"], r.value),
            (space["shown"]["score"], r.score_of(r.held_out)),
            *(zip(space["shown"]["outputs"], r.outputs.r2, strict=True) if r.outputs else []),
        ],
        scripts=(
            {"n": 5, "estimator": "MKME", "bags": 6},
            {"source": "wine", "n": 3, "standardise": False},
            {"source": "entropy", "estimator": "S-KMSE", "level_two": "inverse-multiquadric", "spread": 0.25},
            {"seed": 4294967295, "bag": 24, "difference": 2.0},
        ),
        asked={"on the wrong side", "where the decision changes"},
        tables=(),
        axes=0,
        few={"sizes.SIZES": (5, 20, 200), "sizes.REPEATED": 1},
        stories=ALL,
        studies=({"source": "wine", "n": 6}, {"source": "entropy", "n": 10}),
        slow=({"n": 500},),
        refused=(({"n": 500, "bags": 100, "bandwidth": 0.05}, "n"),),
        drawn={
            "source": ("spread", "ring", "entropy"),
            "n": (10, 500),
            "bags": (6, 60),
            "estimator": ("KME", "S-KMSE", "F-KMSE", "MKME"),
            "level_two": ("linear", "gaussian", "cauchy"),
            "picture": ("map", "distances", "size"),
        },
        heavy="n=300&bags=60&estimator=MKME&picture=size",
    ),
    "drift": Row(
        states={
            "nothing changes": {"kind": "none", "picture": "wealth"},
            "typed break": {"at": 0.333, "n": 60, "kind": "spread", "picture": "plane"},
            "dependence, linear": {"kind": "dependence", "kernel": "LIN", "n": 80, "every": 3},
            "slow, heavy tails": {"kind": "slow", "source": "heavy", "kernel": "LAP", "n": 80, "size": 3.0, "at": 0.7},
            "memory": {"source": "memory", "null": "shift", "kernel": "distance", "n": 90, "level": "0.1"},
            "no look": {"every": 400, "n": 40, "kernel": "POLY2"},
            "quiet series": {"n": 40, "samples": 3, "kind": "none", "at": 0.1},
            "not tabled": {"n": 420, "bandwidth": 0.5, "picture": "wealth"},
            "wine": {"source": "wine", "n": 60, "kind": "none"},
            "several breaks": {"source": "wine", "n": 90, "kind": "none", "several": True},
            "wdbc as it is": {"source": "wdbc", "n": 50, "standardise": False, "kind": "none", "picture": "plane"},
        },
        moves=({"kind": "spread"}, {"n": 80}, {"at": 0.25}),
        copied=_drift,
        scripts=(
            {"n": 20, "kernel": "LIN"},
            {"n": 60, "source": "heavy", "kernel": "LAP", "kind": "slow", "at": 0.123},
            {"n": 60, "source": "memory", "null": "shift", "kernel": "POLY2", "kind": "dependence"},
            {"n": 60, "source": "wine", "kind": "shift", "size": 2.0, "kernel": "distance"},
            {"n": 90, "source": "wine", "kind": "none", "several": True},
            {"n": 60, "source": "wdbc", "standardise": False, "kind": "none", "level": "0.01", "every": 7},
            {"n": 40, "seed": 4294967295, "at": 0.95},
        ),
        asked={"alarm of the betting test", "best split"},
        tables=(),
        axes=1,
        few={"result.ORDERS": 19},
        stories=("test", "quiet"),
        studies=({"source": "wine", "n": 40, "kind": "none"}, {"kind": "dependence", "kernel": "LIN", "n": 40}),
        slow=({"n": 2000},),
        refused=(({"n": 2000, "samples": 1000}, "samples"),),
        drawn={
            "source": ("normal", "heavy", "memory"),
            "n": (30, 2000),
            "kind": ("none", "shift", "dependence"),
            "kernel": ("RBF", "LAP", "LIN", "distance"),
            "null": ("permutation", "shift", "permutation"),
            "samples": (0, 0, 20),
            "several": (False, True),
        },
        heavy="n=2000&samples=100",
    ),
    "few": Row(
        states={
            "thinning": {"method": "thinning", "n": 60, "m": 20, "source": "rings"},
            "k-means": {"method": "k-means", "n": 40, "m": 5, "kernel": "LAP", "source": "blobs"},
            "random rows, moved": {"method": "random", "n": 30, "m": 7, "moved": '{"2":[0.5,-1]}', "source": "curve"},
            "typed m": {"m": 23, "n": 40, "kernel": "distance"},
            "more than there are": {"m": 64, "n": 12, "kernel": "LIN"},
            "two points": {"n": 2, "m": 1},
            "compressed test": {"picture": "test", "n": 20, "source": "rings"},
            "test, again": {"picture": "test", "n": 20, "samples": 2, "shift": 0.0, "kernel": "POLY2"},
            "halves of wine": {"picture": "test", "n": 50, "source": "wine"},
            "flow": {"picture": "flow", "n": 40, "steps": 30, "source": "blobs"},
            "flow with noise": {"picture": "flow", "n": 30, "steps": 7, "spread": 2.0, "bandwidth": 0.5},
            "flow into wine": {"picture": "flow", "n": 40, "source": "wine", "steps": 0},
            "wine": {"source": "wine", "n": 60, "bandwidth": 1.0, "method": "thinning"},
            "wdbc as it is": {"source": "wdbc", "n": 50, "standardise": False},
        },
        moves=({"method": "random"}, {"n": 80}, {"m": 8}),
        copied=_few,
        scripts=(
            {"n": 30, "source": "wine", "standardise": False, "picture": "test"},
            {"n": 30, "moved": '{"0":[0.5,-1],"9":[0,0]}', "m": 4},
            {"n": 30, "seed": 4294967295, "picture": "flow", "steps": 12},
        ),
        handles={"point": [0, 0.5, 0.25]},
        dragged={"n": "20"},
        tables=("sample", "chosen"),
        few={"comparing.RESAMPLES": 19},
        stories=ALL,
        studies=({"source": "wine", "n": 40, "method": "thinning"}, {"picture": "flow", "n": 20, "steps": 10}),
        slow=({"n": 2000},),
        drawn={
            "source": ("moons", "blobs"),
            "n": (50, 1000),
            "m": (1, 64),
            "method": ("herding", "thinning", "k-means", "random"),
            "kernel": ("RBF", "LAP", "LIN", "distance"),
            "picture": ("criticisms", "test", "flow"),
        },
        heavy="n=1500&method=k-means&picture=test&samples=100",
    ),
    "causes": Row(
        states={
            "too wide": {"n": 40, "frequency": 8.0, "bandwidth": 1.6, "picture": "level", "samples": 3},
            "typed bandwidth": {"n": 40, "bandwidth": 0.3, "source": "collider", "effect": "square"},
            "jointly": {"asks": "joint", "source": "xor", "n": 40, "bandwidth": 1.0, "level": "0.1"},
            "jointly, many samples": {
                "asks": "joint",
                "source": "none",
                "n": 20,
                "samples": 3,
                "picture": "level",
                "law": "uniform",
            },
            "direction": {"asks": "direction", "source": "arrow", "effect": "bend", "n": 60, "bandwidth": 1.0},
            "both directions": {"asks": "direction", "source": "arrow", "effect": "line", "n": 40, "noise": 1.0},
            "chain and arrow": {"source": "chain", "direct": 0.5, "n": 40},
            "not tabled": {"n": 210},
            "wine": {"source": "wine", "n": 60, "bandwidth": 1.0},
            "wdbc as it is": {
                "source": "wdbc",
                "n": 50,
                "asks": "direction",
                "standardise": False,
                "column_x": "mean_area",
            },
        },
        moves=({"source": "collider"}, {"n": 60}, {"bandwidth": 0.2}),
        copied=_causes,
        scripts=(
            {"n": 20, "source": "chain", "direct": 0.25, "law": "uniform"},
            {"n": 30, "asks": "joint", "source": "xor", "bandwidth": 0.123},
            {"n": 30, "asks": "direction", "source": "arrow", "effect": "line"},
            {"n": 40, "source": "wine", "column_y": "hue", "seed": 4294967295},
            {"n": 40, "source": "wdbc", "asks": "direction", "standardise": False},
        ),
        tables=("rows",),
        axes=0,
        few={"result.RESAMPLES": 19},
        stories=("alone", "others", "study"),
        studies=(
            {"source": "wine", "n": 40},
            {"asks": "joint", "source": "xor", "n": 20},
            {"asks": "direction", "n": 20},
        ),
        slow=({"n": 400},),
        refused=(({"n": 1000, "samples": 100}, "samples"), ({"n": 200, "samples": 1000, "asks": "joint"}, "samples")),
        drawn={
            "asks": ("given", "joint", "direction"),
            "source": ("fork", "arrow", "xor"),
            "effect": ("line", "bend", "sine"),
            "n": (20, 400),
            "bandwidth": (0.1, 0.4, 2.0),
            "samples": (0, 0, 10),
        },
    ),
    "sweep": Row(
        states={
            "one axis": {"y": "none", "y_from": None, "y_to": None},
            "a menu": {"x": "weights", "x_from": None, "x_to": None, "replicates": 1},
            "outliers": {"x": "outliers", "x_from": 0, "x_to": 6, "measure": "best lambda, S-KMSE"},
            "a preset, unpaired": {"at": "Ten coordinates", "paired": False, "picked": 3},
        },
        moves=({"replicates": 2}, {"x_count": 2}, {"picked": 2}),
        copied=lambda space, r: zip(space["shown"].values.ravel(), r.middle.ravel(), strict=True),
        make=finished_sweep,
        quick={key: str(value) for key, value in SMALL_SWEEP.items()},
        refused=(({"lab": "monk", "x": "blocks", "x_to": 1999.0, "y": "n", "y_to": 2000.0}, "x_to"),),
    ),
    "fit": Row(
        states={
            "on a line": {"d": 1, "n": 40, "picture": "tests"},
            "two Gaussians, moved": {"family": "two", "source": "two", "moved": '{"1":[1,0.5],"7":[0,0]}', "n": 40},
            "typed bandwidth": {"bandwidth": 0.123, "n": 30, "kernel": "IMQ", "level": "0.1"},
            "Student's t": {"family": "student", "source": "student", "df": 1.5, "n": 40, "width": 2.0, "d": 1},
            "fitted, a line": {"family": "fitted", "source": "two", "d": 1, "n": 40},
            "fitted to others": {"family": "fitted", "source": "mixture", "fitted_on": "other", "blobs": 3, "n": 60},
            "from a link": {"family": "given", "given": "[[0.25,1,-2,0],[0.75,0.5,2,0.5]]", "source": "two", "n": 40},
            "five points": {"n": 5},
            "wine": {"source": "wine", "family": "fitted", "n": 60, "picture": "tests"},
            "wdbc as it is": {"source": "wdbc", "standardise": False, "family": "fitted", "n": 50, "blobs": 2},
        },
        moves=({"width": 1.4}, {"n": 60}, {"bandwidth": 0.5}),
        copied=_fit,
        scripts=(
            {"picture": "tests", "n": 40, "kernel": "IMQ"},
            {"source": "wine", "family": "fitted", "fitted_on": "other", "n": 60, "width": 1.3},
            {"source": "mixture", "family": "fitted", "blobs": 2, "moved": '{"1":[1,2]}', "n": 60, "seed": 4294967295},
            {"source": "wdbc", "standardise": False, "family": "fitted", "n": 50, "d": 1},
        ),
        quick={"n": "20"},
        handles={"centres": [0, 0.5, 0.25], "rims": None},
        asked={"at least as large (p)", "observed"},
        stories=("rows", "aggregated"),
        studies=({"source": "wine", "n": 40, "family": "fitted"}, {"picture": "tests", "n": 20, "d": 1}),
        slow=({"n": 1000}, {"family": "fitted", "blobs": 6}),
        drawn={
            "source": ("gaussian", "two", "student", "mixture"),
            "n": (20, 1000),
            "d": (1, 2, 2),
            "family": ("gaussian", "two", "student", "fitted", "fitted"),
            "blobs": (1, 1, 2, 6),
            "fitted_on": ("same", "other"),
            "kernel": ("RBF", "IMQ"),
            "picture": ("bandwidths", "tests"),
        },
        heavy="n=1000&family=fitted&blobs=6&picture=tests",
    ),
}


TAKING_TABLES = tuple(name for name in ROWS if "columns" in registry.entry(name).lab.fields)  # the user's


def states(labs=tuple(ROWS)):
    """Return (lab, fields) of every state as test parameters; by default only a row's first runs."""
    every = [(name, {**ROWS[name].states, "as it opens": {}}) for name in labs]
    return [
        pytest.param(name, fields, id=f"{name}: {word}", marks=[pytest.mark.thorough] if place else [])
        for name, named in every
        for place, (word, fields) in enumerate(named.items())
    ]


def with_fact(fact):
    """Return {lab: fact} of the labs that have a fact of this name."""
    return {name: found for name, row in ROWS.items() if (found := getattr(row, fact))}


def sliders_of(name):
    """Return two fields: a slider that a lab opens with, and another one, which the server answers."""
    if given := ROWS[name].sliders:
        return given
    cls, (first, second, _) = registry.entry(name).lab, ROWS[name].moves
    return cls.slider, next(field for field in (*first, *second) if isinstance(cls.fields[field], Real))


def lab_of(name, **fields):
    """Return a lab of the table."""
    make = ROWS[name].make
    return make(fields) if make else registry.entry(name).lab(**fields)


def result_of(name, fields, late=False):
    """Return the result of a state for tests that only read it, with all deferred stages if `late`.

    The tests of one lab's states run in one process, which computes each result once for all of them.
    """
    return _result(name, json.dumps(dict(fields)), "late" if late else "at once")


def complete_result(name, fields=MappingProxyType({})):
    """Return a state's result with all deferred stages, and with studies of few samples because they take most time."""
    return _result(name, json.dumps(dict(fields)), "few" if ROWS[name].few else "late")


@lru_cache(100)  # a lab's states, presets and steps
def _result(name, fields, kind):
    with pytest.MonkeyPatch.context() as patch:
        if kind == "few":
            few_samples(patch)
        return with_shared_cache(lab_of(name, **json.loads(fields)), kind).result(wait=kind != "at once")


def with_shared_cache(lab, kind="at once"):
    """Return a lab that shares computed stages with others of this kind: most stages read few of the fields.

    Kinds differ in deferred stages, which a result would find in its cache.
    """
    lab._cache = _cache(type(lab), kind)
    return lab


@lru_cache(4)
def _cache(cls, kind):
    return Cache()


def few_samples(patch):
    """Limit studies to few samples each, because the number of samples does not change how results are shown."""
    for name, row in ROWS.items():
        for constant, value in row.few.items():
            patch.setattr(f"explorer.labs.{name}.{constant}", value)


@cache
def at_step(name, key, i):
    """Return the result at a step of a story, counted from 0, with all stages that its answer needs."""
    (story,) = (story for story in content_of(name).stories if story.key == key)
    needed = ROWS[name].stories
    lab = with_shared_cache(lab_of(name, **story.steps[i].fields), "late" if needed == ALL else "step")
    for stage in () if needed == ALL else needed:  # all stages take long because of the sliders' tables
        lab.work().finish(stage)
    return lab.result(wait=needed == ALL)
