"""Every kernel, estimator and law of the catalogue is an immutable value with code that rebuilds it."""

import pickle

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import ESTIMATORS, KERNELS, PUBLIC, drawn, law, target, vectors

from explorer import Gaussian, GaussianMixture, Pareto, StudentT
from explorer.model import code

ESTIMATES = {name: make(Gaussian(1.3), target(Gaussian(1.3), vectors(4))) for name, make in ESTIMATORS.items()}
KERNEL_VALUES = {name: row.kernel for name, row in KERNELS.items()}
LAWS = {
    "law": law(),
    "random law": GaussianMixture.random(3, rng=0),
    "t law": StudentT(2.5, [0.5, -1.0], [[1.0, 0.3], [0.3, 2.0]]),
    "pareto": Pareto(3.0),
    "pareto, wide": Pareto(3.0, 2.0),
}
VALUES = KERNEL_VALUES | ESTIMATES | LAWS
every_value = pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)


def plain(value):
    if isinstance(value, tuple):
        return all(map(plain, value))
    return isinstance(value, (str, int, float, bytes, type(None)))


@every_value
def test_it_survives_pickle_and_its_own_code(value):
    for again in (pickle.loads(pickle.dumps(value)), eval(code(value), dict(PUBLIC)), value.replace()):
        assert again == value
        assert hash(again) == hash(value)
        assert again.key == value.key


@every_value
def test_its_key_holds_no_live_object(value):
    assert plain(value.key)


@every_value
def test_it_does_not_change(value):
    for field, now in value.values().items():
        with pytest.raises(TypeError, match=naming(type(value).__name__, field)):
            setattr(value, field, now)
        if isinstance(now, np.ndarray):
            assert not now.flags.writeable


@every_value
def test_its_parameters_are_documented_and_labelled(value):
    for name, field in type(value).fields.items():
        assert field.doc, f"{type(value).__name__}.{name} says nothing of itself"


def test_values_that_differ_are_unequal():
    values = list(VALUES.values())
    assert len({v.key for v in values}) == len(values) == len(set(values))


@pytest.mark.thorough(default=["*-gaussian", "KME-*", "*-gaussian, automatic", "*-linear"])
@pytest.mark.covered(times=3)  # an estimate holds its kernel and points unchanged, whichever estimator made it
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("make", ESTIMATORS.values(), ids=ESTIMATORS)
def test_an_estimate_survives_pickle_and_its_own_code(row, make):
    k, X = drawn(row, 6)
    e = make(k, target(k, X)).embed(X)
    again = pickle.loads(pickle.dumps(e))
    assert again == e
    np.testing.assert_array_equal(again(X), e(X))
    np.testing.assert_array_equal(eval(code(e), dict(PUBLIC))(X), e(X))


@pytest.mark.thorough(default=["*-gaussian", "KME-*", "*-gaussian, automatic", "*-linear"])
@pytest.mark.covered(times=3)  # an estimator leaves the sample alone, whatever the kernel
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("make", ESTIMATORS.values(), ids=ESTIMATORS)
def test_estimating_does_not_touch_the_sample(row, make):
    k, X = drawn(row, 6)
    before, estimator = X.copy(), make(k, target(k, X))
    e = estimator.embed(X)
    at = e.key
    estimator.select(X)
    np.testing.assert_array_equal(X, before)
    X[:] = X[::-1].copy()
    assert e.key == at
