"""A fitted learner keeps read-only copies: later changes of the caller's arrays have no effect."""

import dataclasses
import inspect

import numpy as np
import pytest
from kernels_and_estimators import PUBLIC

import explorer
from explorer import BeliefPropagation, Gaussian, HMMFilter, KernelBayesRule, MaximumEntropy
from explorer.learner import Learner

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(12, 2)), RNG.normal(size=(12, 1))
PRIOR = explorer.KME(Gaussian(1.0)).embed(Y)
POINTS = {"X": X, "Y": Y, "states": X, "observations": Y, "samples": {"a": X, "b": Y}, "prior": PRIOR}
MADE = {
    BeliefPropagation: lambda: BeliefPropagation([("a", "b")], {"a": Gaussian(1.0), "b": Gaussian(1.0)}, 0.1),
    HMMFilter: lambda: HMMFilter(Gaussian(1.0), Gaussian(1.0), 0.1, 0.1),
    KernelBayesRule: lambda: KernelBayesRule(Gaussian(1.0), Gaussian(1.0), 0.1, 0.1),
    MaximumEntropy: lambda: MaximumEntropy(Gaussian(1.0), 0.1),
}
SIZES = {"n_components": 2, "n_clusters": 2}


def required_arguments(learner):
    """Return the arguments that its `fit` requires."""
    needed = inspect.signature(learner.fit).parameters.values()
    return [each.name for each in needed if each.name != "self" and each.default is each.empty]


LEARNERS = [
    each
    for each in PUBLIC.values()
    if inspect.isclass(each) and issubclass(each, Learner) and each.__module__.startswith("explorer.")
]
KNOWN = [each for each in LEARNERS if POINTS.keys() >= set(required_arguments(each))]


def learner_of(learner):
    if learner in MADE:
        return MADE[learner]()
    return learner(**{name: value for name, value in SIZES.items() if name in learner.fields})


def arrays(thing, seen):
    """Return all arrays inside an object, whatever it is made of."""
    if id(thing) in seen:
        return
    seen[id(thing)] = thing
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, dict):
        yield from arrays(list(thing.values()), seen)
    elif isinstance(thing, (list, tuple)):
        for each in thing:
            yield from arrays(each, seen)
    elif type(thing).__module__.startswith("explorer.") or dataclasses.is_dataclass(thing):
        slots = (name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ()))
        yield from arrays([getattr(thing, name) for name in slots if hasattr(thing, name)], seen)
        yield from arrays(list(getattr(thing, "__dict__", {}).values()), seen)


def test_most_learners_are_asked():
    assert len(KNOWN) >= 8
    assert {BeliefPropagation, HMMFilter, KernelBayesRule, explorer.CrossCovariance} <= set(KNOWN)


@pytest.mark.parametrize("learner", KNOWN, ids=lambda each: each.__name__)
def test_a_fitted_learner_shares_no_memory_with_the_caller(learner):
    given = [POINTS[name] for name in required_arguments(learner)]
    fitted = learner_of(learner).fit(*given)
    held = list(arrays(fitted, {}))
    assert held
    for array in held:
        assert not np.shares_memory(array, X)
        assert not np.shares_memory(array, Y)
    for name in ("X_", "Y_", "states_"):
        if hasattr(fitted, name):
            assert not getattr(fitted, name).flags.writeable
