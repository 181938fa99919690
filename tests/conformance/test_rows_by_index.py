"""Arguments that have rows in common are paired by the index of pandas: one rule for every public function."""

import inspect
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer import KME, ConditionalEmbedding, Embedding, KernelFDA, LocationScaleShift, hsic
from explorer.checks import Refusal
from explorer.kernels import Delta, Gaussian
from explorer.learner import ROWS, Learner
from explorer.tables.alignment import in_one_order, pooled

PARTS = (
    "",
    ".adaptation",
    ".changes",
    ".comparison",
    ".conditional",
    ".discrepancy",
    ".embeddings",
    ".estimators",
    ".learning",
    ".operators",
    ".sketches",
)
N = 24
RNG = np.random.default_rng(0)
INDEX = pd.Index([f"row {i}" for i in range(N)])
X = pd.DataFrame(RNG.normal(size=(N, 2)), INDEX, ["x1", "x2"])
Y = pd.Series(X["x1"] ** 2 + 0.1 * RNG.normal(size=N), INDEX, name="y")
Z = pd.Series(X["x2"] + RNG.normal(size=N), INDEX, name="z")
CLASSES = pd.Series(np.where(X["x1"] + 0.3 * RNG.normal(size=N) > 0, "up", "down"), INDEX, name="class")
TREATED = pd.Series(RNG.integers(2, size=N), INDEX)
PAIRS = pd.Series(np.arange(N) // 2, INDEX)
WEIGHTS = pd.Series(RNG.integers(1, 4, size=N).astype(float), INDEX)
CHANCE = pd.Series(RNG.uniform(0.3, 0.7, size=N), INDEX)
TIMES = pd.Series(np.arange(N)[::-1], INDEX)
X2 = pd.DataFrame(RNG.normal(size=(N, 2)), [f"other {i}" for i in range(N)], X.columns)
Y2 = pd.Series(RNG.normal(size=N), X2.index, name="y")
W2 = pd.Series(RNG.integers(1, 4, size=N).astype(float), X2.index)
FEW = {"n_resamples": 19, "rng": 0}
BAGS = [X.iloc[2 * i : 2 * i + 2].to_numpy() for i in range(N // 2)]
OF_BAGS = pd.Index(range(100, 100 + N // 2))
LABELS_OF_BAGS = pd.Series(np.tile(["a", "b"], N // 4), OF_BAGS)
WEIGHTS_OF_BAGS = pd.Series(RNG.integers(1, 4, size=N // 2).astype(float), OF_BAGS)


def function_of(name):
    part, _, function = name.rpartition(".")
    return getattr(import_module(f"explorer.{part}" if part else "explorer"), function)


# each function, a call of it, and which of the arguments are brought into another order of rows
CALLS = {
    "hsic": ({"X": X, "Y": Y, "weights": WEIGHTS}, ("Y", "weights")),
    "hsic_test": ({"X": X, "Y": Y, "weights": WEIGHTS, "groups": PAIRS, **FEW}, ("Y", "weights", "groups")),
    "hsicagg_test": ({"X": X, "Y": Y, **FEW}, ("Y",)),
    "dhsic": ({"samples": [X, Y, Z]}, ()),
    "dhsic_test": ({"samples": [X, Y, Z], **FEW}, ()),
    "discrepancy.hsic_gamma": ({"X": X, "Y": Y}, ("Y",)),
    "discrepancy.hsic_level": ({"X": X, "Y": Y, "repetitions": 5, **FEW}, ("Y",)),
    "discrepancy.hsic_ranks": ({"X": X, "Y": Y}, ("Y",)),
    "discrepancy.power_by_fraction": ({"X": X, "Y": Y, "fractions": [0.8], "repetitions": 3, **FEW}, ("Y",)),
    "discrepancy.mutual_information": ({"x": X["x1"], "y": Y}, ("y",)),
    "discrepancy.information_test": ({"x": X["x1"], "y": Y, **FEW}, ("y",)),
    "discrepancy.rank_columns": ({"X": X, "y": Y, **FEW}, ("y",)),
    "discrepancy.bahsic": ({"X": X, "y": Y}, ("y",)),
    "discrepancy.distance_covariance": ({"X": X, "Y": Y}, ("Y",)),
    "discrepancy.distance_correlation": ({"X": X, "Y": Y}, ("Y",)),
    "discrepancy.distance_test": ({"X": X, "Y": Y, **FEW}, ("Y",)),
    "discrepancy.pearson_test": ({"X": X["x1"], "Y": Y, **FEW}, ("Y",)),
    "discrepancy.dependence_test": ({"X": X, "Y": Y, **FEW}, ("Y",)),
    "discrepancy.several_test": (
        {"samples": [X, X2], "groups": pd.concat([PAIRS, PAIRS.set_axis(X2.index)]), **FEW},
        ("groups",),
    ),
    "additive_noise": ({"X": X["x1"], "Y": Y, **FEW}, ("Y",)),
    "kci_test": ({"X": X["x1"], "Y": Y, "Z": Z, **FEW}, ("Y", "Z")),
    "gcm_test": ({"X": X["x1"], "Y": Y, "Z": Z, **FEW}, ("Y", "Z")),
    "conditional_test": (
        {"X": X, "Y": Y, "X2": X2, "Y2": Y2, "odds": pd.concat([CHANCE, CHANCE.set_axis(X2.index)]), **FEW},
        ("Y", "Y2", "odds"),
    ),
    "bayes_rule": ({"X": X, "Y": Y, "x": [0.0, 0.0]}, ("Y",)),
    "sum_rule": ({"X": X, "Y": Y}, ("Y",)),
    "chain_rule": ({"X": X, "Y": Y}, ("Y",)),
    "counterfactual_mean": ({"X": X, "y": Y, "treated": TREATED}, ("y", "treated")),
    "treatment_test": (
        {"X": X, "y": Y, "treated": TREATED, "propensity": CHANCE, **FEW},
        ("y", "treated", "propensity"),
    ),
    "adaptation.transfer_ratios": ({"X": X, "domains": CLASSES, "kernel": Gaussian(1.0), "mu": 1.0}, ("domains",)),
    "mmd2": ({"X": X, "Y": X2, "weights_x": WEIGHTS, "weights_y": W2}, ("weights_x", "weights_y")),
    "mmd_test": (
        {"X": X, "Y": X2, "weights_x": WEIGHTS, "weights_y": W2, **FEW}
        | {"groups": pd.concat([PAIRS, PAIRS.set_axis(X2.index)])},
        ("weights_x", "weights_y", "groups"),
    ),
    "bags_of": ({"X": X, "labels": CLASSES}, ("labels",)),
    "criticisms": ({"X": X2, "prototypes": X, "weights": WEIGHTS}, ("weights",)),
    "scan": ({"X": X, "time": TIMES, **FEW}, ("time",)),
    "row_dependence": ({"X": X, "time": TIMES, **FEW}, ("time",)),
    "Embedding": ({"kernel": Gaussian(1.0), "points": X, "weights": WEIGHTS}, ("weights",)),
}
LEARNERS = {
    "BeliefPropagation.fit": ({"samples": {"x": X, "y": Y}, "weights": WEIGHTS}, ("weights",)),
    "CLUHSIC.fit": ({"X": X, "weights": WEIGHTS}, ("weights",)),
    "ConditionalEmbedding.fit": ({"X": X, "Y": Y, "weights": WEIGHTS}, ("Y", "weights")),
    "CovarianceOperator.fit": ({"X": X, "weights": WEIGHTS}, ("weights",)),
    "CovariateShift.fit": ({"X_source": X, "X_target": X2, "weights": WEIGHTS}, ("weights",)),
    "CrossCovariance.fit": ({"X": X, "Y": Y, "weights": WEIGHTS}, ("Y", "weights")),
    "DICA.fit": ({"X": X, "domains": PAIRS % 3, "y": Y, "weights": WEIGHTS}, ("domains", "y", "weights")),
    "DistributionRegression.fit": (
        {"bags": BAGS, "y": WEIGHTS_OF_BAGS + 0.1, "weights": WEIGHTS_OF_BAGS},
        ("weights",),
    ),
    "HMMFilter.fit": ({"states": Y, "observations": Z}, ("observations",)),
    "KernelBayesRule.fit": ({"X": X, "Y": Y, "weights": WEIGHTS}, ("Y", "weights")),
    "KernelCCA.fit": ({"X": X, "Y": Y, "weights": WEIGHTS}, ("Y", "weights")),
    "KernelFDA.fit": ({"X": X, "y": CLASSES, "weights": WEIGHTS}, ("y", "weights")),
    "KernelKMeans.fit": ({"X": X, "labels": PAIRS % 2, "weights": WEIGHTS}, ("labels", "weights")),
    "KernelPCA.fit": ({"X": X, "weights": WEIGHTS}, ("weights",)),
    "LocationScaleShift.fit": ({"X": X, "y": CLASSES, "X_target": X2, "weights": WEIGHTS}, ("y", "weights")),
    "MaximumEntropy.fit": ({"X": X, "weights": WEIGHTS}, ("weights",)),
    "MixtureDensity.fit": ({"X": X, "weights": WEIGHTS}, ("weights",)),
    "SupportMeasureMachine.fit": ({"bags": BAGS, "y": LABELS_OF_BAGS, "weights": WEIGHTS_OF_BAGS}, ("weights",)),
    "OneClassSMM.fit": ({"bags": BAGS, "y": LABELS_OF_BAGS, "weights": WEIGHTS_OF_BAGS}, ("weights",)),
    "TargetShift.fit": ({"X": X, "y": CLASSES, "X_target": X2, "weights": WEIGHTS}, ("y", "weights")),
}
# public functions with several such arguments whose rows are not paired, and why
APART = {
    "block_test": "two samples",
    "bandwidth_collection": "two samples",
    "bandwidth_curve": "two samples",
    "compress_test": "two samples",
    "lepski": "two samples",
    "linear_time": "two samples",
    "mmdagg_test": "two samples, and weights of kernels",
    "mmdfuse_test": "two samples, and weights of kernels",
    "ksdagg_test": "weights of kernels",
    "monk_mmd": "two samples, in blocks",
    "monk_steps": "two samples, in blocks",
    "monk_test": "two samples, in blocks",
    "witness": "two samples",
    "discrepancy.bandwidth_sweep": "two samples",
    "discrepancy.energy_distance": "two samples",
    "discrepancy.moment_differences": "two samples",
    "discrepancy.most_influential": "two samples",
    "discrepancy.pair_differences": "two samples, paired by position for a test of blocks",
    "discrepancy.power": "two samples",
    "discrepancy.power_curve": "two samples",
    "discrepancy.spectral_difference": "two samples",
    "discrepancy.variance": "two samples",
    "discrepancy.without_each": "two samples",
}
NAMES = {*ROWS, "x", "Z", "X2", "Y2", "weights_x", "weights_y", "treated", "propensity", "groups", "time", "odds"}
NAMES |= {"samples", "points", "prototypes"}


def public_functions():
    seen = set()
    for part in PARTS:
        module = import_module(f"explorer{part}")
        for name in dir(module):
            thing = getattr(module, name)
            if name.startswith("_") or id(thing) in seen or not (inspect.isfunction(thing)):
                continue
            seen.add(id(thing))
            yield f"{part[1:]}.{name}".removeprefix("."), thing


def test_every_public_function_that_takes_rows_twice_is_in_a_table():
    several = {
        name for name, function in public_functions() if len(NAMES & set(inspect.signature(function).parameters)) > 1
    }
    assert several - set(CALLS) == set(APART)


def test_every_learner_that_takes_rows_twice_is_in_the_table():
    kinds = {
        each for part in PARTS for each in vars(import_module(f"explorer{part}")).values() if inspect.isclass(each)
    }
    learners = {each.__name__ for each in kinds if issubclass(each, Learner) and not inspect.isabstract(each)}
    public = {name for name in learners if hasattr(import_module("explorer"), name)}
    assert {f"{name}.fit" for name in public} == set(LEARNERS)


def shuffled(value, rng):
    return value.iloc[rng.permutation(len(value))]


def in_another_order(arguments, which):
    rng = np.random.default_rng(1)
    moved = {name: shuffled(value, rng) if name in which else value for name, value in arguments.items()}
    if isinstance(moved.get("samples"), list) and not which:
        moved["samples"] = [moved["samples"][0], *(shuffled(each, rng) for each in moved["samples"][1:])]
    if isinstance(moved.get("samples"), dict):
        moved["samples"] = moved["samples"] | {"y": shuffled(moved["samples"]["y"], rng)}
    return moved


def contents_of(answer):
    """Return everything that an answer holds, as text."""
    if isinstance(answer, tuple) and all(isinstance(each, Embedding) for each in answer):
        return [contents_of(each) for each in answer]
    if isinstance(answer, Embedding):
        return [(block.points.tolist(), block.weights.tolist()) for block in answer.blocks]
    with np.printoptions(threshold=10**6, precision=12):
        inside = vars(answer) if hasattr(answer, "__dict__") and not isinstance(answer, pd.DataFrame) else {}
        parts = {name: str(value) for name, value in inside.items() if isinstance(value, (np.ndarray, float, tuple))}
        return str(answer), parts


@pytest.mark.thorough
@pytest.mark.parametrize("name", CALLS)
def test_a_function_pairs_rows_by_their_index(name):
    arguments, which = CALLS[name]
    arguments = prior_of(name, arguments)
    function = function_of(name)
    expected = contents_of(function(**arguments))
    assert contents_of(function(**in_another_order(arguments, which))) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("name", CALLS)
def test_a_function_refuses_other_labels(name):
    arguments, which = CALLS[name]
    arguments = prior_of(name, arguments)
    for each in which:
        value = arguments[each]
        other = value.set_axis([f"no row {i}" for i in range(len(value))])
        with pytest.raises(Refusal):
            function_of(name)(**arguments | {each: other})


RULE = {"kernel_x": Gaussian(1.0), "kernel_y": Gaussian(1.0), "lam": 1e-3}


def prior_of(name, arguments):
    """Return the arguments with the prior of a rule, its kernels and its regularisation."""
    prior = {"prior": KME(Gaussian(1.0)).embed(Y.to_numpy()[:, None])}
    if name in ("sum_rule", "chain_rule", "bayes_rule"):
        return arguments | prior | RULE | ({"lam_posterior": 1e-3} if name == "bayes_rule" else {})
    return arguments | prior if name == "KernelBayesRule.fit" else arguments


SEEDED = ("CLUHSIC", "MixtureDensity", "KernelKMeans")


def learner(name):
    kind = function_of(name.partition(".")[0])
    if kind.__name__ == "BeliefPropagation":
        return kind([("x", "y")], {"x": None, "y": None}, 1e-3)
    fixed = {
        "kernel_x": Gaussian(1.0),
        "kernel_y": Gaussian(1.0),
        "kernel_state": None,
        "kernel_obs": None,
        "lam": 1e-3,
    }
    fixed |= {"lam_posterior": 1e-3, "n_clusters": 3, "kernel": Gaussian(1.0), "eps": 0.1, "rng": 0}
    signature = inspect.signature(kind)
    needed = {key for key, each in signature.parameters.items() if each.default is each.empty}
    seeded = {"rng"} if kind.__name__ in SEEDED else set()
    return kind(**{key: fixed[key] for key in needed | seeded})


@pytest.mark.thorough
@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_pairs_rows_by_their_index(name):
    arguments, which = LEARNERS[name]
    arguments = prior_of(name, arguments)
    once, again = learner(name).fit(**arguments), learner(name).fit(**in_another_order(arguments, which))
    assert contents_of(once) == contents_of(again)


def test_the_other_methods_of_learners_pair_rows_too():
    moved = np.random.default_rng(2).permutation(N)
    model = ConditionalEmbedding(Gaussian(1.0), Gaussian(1.0), 0.1).fit(X, Y)
    assert model.score(X, Y, WEIGHTS) == model.score(X, Y.iloc[moved], WEIGHTS.iloc[moved[::-1]])
    assert np.array_equal(model.loocv(X, Y, [0.1, 1.0]), model.loocv(X, Y.iloc[moved], [0.1, 1.0]))
    found = KernelFDA().fit_transform(X, CLASSES.iloc[moved])
    assert np.array_equal(found, KernelFDA().fit_transform(X, CLASSES))
    shift = LocationScaleShift().fit(X, CLASSES, X2)
    assert np.array_equal(shift.transform(X, CLASSES.iloc[moved]), shift.transform(X, CLASSES))


def test_a_learner_that_names_rows_names_each_samples_own():
    model = LEARNERS["KernelCCA.fit"][0]
    learnt = learner("KernelCCA.fit").set_output(transform="pandas").fit(**model)
    moved = Y[::-1]
    _, right = learnt.transform(X, moved)
    assert right.index.equals(moved.index)


def test_the_first_index_sets_the_order():
    found = in_one_order({"X": X, "y": Y[::-1], "weights": WEIGHTS.to_numpy()})
    assert found["X"] is X
    assert found["y"].equals(Y)


def test_one_index_is_left_as_it_is_even_if_labels_occur_twice():
    twice = INDEX[[0, 0, *range(2, N)]]
    y = Y.set_axis(twice)
    assert in_one_order({"X": X.set_axis(twice), "y": y})["y"] is y


def test_labels_that_occur_twice_in_two_orders_are_refused():
    twice = INDEX[[0, 0, *range(2, N)]]
    with pytest.raises(Refusal, match=naming("X", "y", "index", "more than once")):
        in_one_order({"X": X.set_axis(twice), "y": Y.set_axis(twice)[::-1]})


def test_positions_of_pooled_rows_are_no_labels():
    labels = pd.Series(np.arange(2 * N))
    assert pooled(labels, [X, X2], "groups", ["X", "Y"]) is labels
    by_label = labels.set_axis(X.index.append(X2.index))
    assert pooled(by_label[::-1], [X, X2], "groups", ["X", "Y"]).equals(by_label)


def test_polars_and_arrays_have_no_index():
    polars = pytest.importorskip("polars")
    y = polars.Series(Y.to_numpy())
    assert in_one_order({"X": X, "y": y})["y"] is y
    assert in_one_order({"X": X, "y": [1.0, 2.0]})["y"] == [1.0, 2.0]


def test_categories_are_paired_too():
    assert hsic(CLASSES, X, Delta()) == hsic(CLASSES[::-1], X[::-1], Delta()) == hsic(CLASSES, X[::-1], Delta())
