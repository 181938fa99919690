"""The types of the public API are right: a user's script is checked by pyright (`.ci/run`), and runs here."""

import inspect

import numpy as np
import pytest
import typing_use
from kernels_and_estimators import PUBLIC

import explorer
from explorer.model import Model

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(12, 2)), RNG.normal(size=(12, 2))
MODELS = {name: thing for name, thing in PUBLIC.items() if isinstance(thing, type) and issubclass(thing, Model)}


def study(n, seed):
    return {"value": float(n)}


@pytest.mark.parametrize("part", [typing_use.kernels, typing_use.embeddings, typing_use.estimators])
def test_what_is_checked_runs(part):
    part(X)


def test_the_comparisons_that_are_checked_run():
    typing_use.discrepancies(X, Y)


def test_the_rules_that_are_checked_run():
    typing_use.rules(X, Y)


def test_the_learners_that_are_checked_run():
    typing_use.learners(X)


def test_the_studies_that_are_checked_run():
    typing_use.data(study)


def test_the_files_that_are_checked_are_written(tmp_path):
    typing_use.files(explorer.plot(explorer.KME(explorer.Gaussian(1.0)).embed(X)), tmp_path)


def test_every_front_door_name_is_in_the_script():
    source = inspect.getsource(typing_use)
    files = {"read_strings", "read_tables"}
    assert {name for name in PUBLIC if name not in source} == files


@pytest.mark.parametrize("name", MODELS)
def test_a_model_s_fields_have_types(name):
    """A type checker builds the signature of a class from the annotations of its fields, in their order."""
    declared = {}
    for cls in reversed(MODELS[name].__mro__):
        declared.update(
            dict.fromkeys(key for key in vars(cls).get("__annotations__", {}) if key in MODELS[name].fields)
        )
    assert list(declared) == list(MODELS[name].fields)


@pytest.mark.parametrize("name", [name for name, thing in PUBLIC.items() if inspect.isfunction(thing)])
def test_a_function_s_parameters_and_answer_have_types(name):
    signature = inspect.signature(PUBLIC[name])
    bare = [key for key, parameter in signature.parameters.items() if parameter.annotation is parameter.empty]
    assert bare == []
    assert signature.return_annotation is not signature.empty
