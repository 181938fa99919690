"""Samples that do not go together: one sentence each, from every door of the room."""

import inspect

import numpy as np
import pytest
from helpers.naming import naming

import explorer
from explorer import Delta, Gaussian, bandwidth_curve, linear_time, mmd2, mmd_test, mmdagg_test, mmdfuse_test, witness
from explorer.discrepancy import power, variance

DOORS = [mmd2, mmd_test, mmdagg_test, mmdfuse_test, bandwidth_curve, linear_time, witness, variance, power]
every_door = pytest.mark.parametrize("door", DOORS, ids=lambda f: f.__name__)
X, Y = np.random.default_rng(0).normal(size=(2, 6, 2))

SIGNATURES = {
    "mmd2": (
        "(X, Y, kernel=None, statistic='unbiased', estimator=None, approximation=None, rank=None, rng=0,"
        " weights_x=None, weights_y=None)"
    ),
    "mmd_test": (
        "(X, Y, kernel=None, statistic='unbiased', estimator=None, n_resamples=999, rng=None, approximation=None,"
        " rank=None, groups=None, weights_x=None, weights_y=None)"
    ),
    "mmdagg_test": (
        "(X, Y, kernels=None, weights=None, statistic='unbiased', n_resamples=999, rng=None, approximation=None)"
    ),
    "mmdfuse_test": "(X, Y, kernels=None, weights=None, temperature=None, n_resamples=999, rng=None)",
    "bandwidth_curve": "(X, Y, bandwidths=None, statistic='unbiased', n_resamples=999, rng=None, bins=4096)",
    "bandwidth_collection": "(X, Y, count=10)",
    "linear_time": "(X, Y, kernel=None)",
    "witness": "(X, Y, kernel=None, approximation=None, rank=None, rng=0)",
    "mmd2_of_laws": "(P, Q, kernel)",
}


@pytest.mark.parametrize(("name", "signature"), SIGNATURES.items())
def test_the_front_door(name, signature):
    """Names and defaults of the public functions, without their annotations."""
    typed = inspect.signature(getattr(explorer, name))
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in typed.parameters.values()]
    assert str(inspect.Signature(bare)) == signature
    assert inspect.getdoc(getattr(explorer, name))


@every_door
def test_samples_of_different_width(door):
    with pytest.raises(ValueError, match=naming("X", "2", "Y", "1")):
        door(X, Y[:, :1])


@every_door
def test_no_points(door):
    with pytest.raises(ValueError, match=naming("Y", "no rows")):
        door(X, Y[:0])


@pytest.mark.parametrize("door", [d for d in DOORS if d is not witness], ids=lambda f: f.__name__)
def test_one_point(door):
    with pytest.raises(ValueError, match=naming("Y", "1")):
        door(X, Y[:1])


@every_door
def test_strings_in_a_number_column(door):
    with pytest.raises(TypeError, match=naming("Y", "numbers")):
        door(X, [[1.0, "a"]] * 6)


@every_door
def test_a_hole_in_the_data(door):
    with pytest.raises(ValueError, match=naming("X", "1", "NaN", "0")):
        door(np.where(X == X[0, 0], np.nan, X), Y)


@pytest.mark.parametrize("door", [mmd2, mmd_test, witness, variance], ids=lambda f: f.__name__)
def test_text_beside_numbers(door):
    with pytest.raises(TypeError, match=naming("X", "Y", "text", "numbers")):
        door(["a", "b", "a"], [1.0, 2.0], Delta())
    with pytest.raises(TypeError, match=naming("Y", "X", "text", "numbers")):
        door([1.0, 2.0], ["a", "b", "a"], Delta())


@pytest.mark.parametrize("door", [mmd2, mmd_test, linear_time, witness, variance, power], ids=lambda f: f.__name__)
@pytest.mark.parametrize("kernel", ["gaussian", 1.0, Gaussian])
def test_a_kernel_is_a_kernel(door, kernel):
    with pytest.raises(TypeError, match=naming("kernel", "Gaussian(1.0)")):
        door(X, Y, kernel)


@pytest.mark.parametrize("door", [mmd_test, mmdagg_test, mmdfuse_test, bandwidth_curve], ids=lambda f: f.__name__)
def test_resamples_and_seeds(door):
    with pytest.raises(ValueError, match=naming("n_resamples", "1", "0")):
        door(X, Y, n_resamples=0)
    with pytest.raises(TypeError, match=naming("n_resamples", "99.0")):
        door(X, Y, n_resamples=99.0)
    with pytest.raises(TypeError, match=naming("rng", "'seed'")):
        door(X, Y, rng="seed")


@pytest.mark.parametrize("door", [mmd2, mmd_test], ids=lambda f: f.__name__)
def test_a_statistic_has_two_names(door):
    with pytest.raises(ValueError, match=naming("statistic", "'unbiased'", "'biased'", "'V'")):
        door(X, Y, Gaussian(1.0), "V")
