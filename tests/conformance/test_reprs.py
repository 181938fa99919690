"""The repr of a public model shows in two lines each value that is not the default."""

import contextlib

import numpy as np
import pytest
from test_other_libraries import MODELS, REQUIRED

from explorer import KME, Delta, Gaussian, LevelTwo
from explorer.parameters import Array
from explorer.printing import REPR

OTHERS = (1, 2, 3, 5, -0.7, 0.3, 0.5, 1.5, 2.5, 7.0, True, False, "simplex", "sum-to-one", "nystrom",
          Gaussian(1.7), Delta(), KME(Gaussian(1.7)),
          LevelTwo("gaussian", 1.5), KME(Gaussian(1.7)).embed([[0.0], [1.0]]), [[0.0]], [1.5, 2.5],
          [[2.0, 1.0], [1.0, 2.0]])  # fmt: skip
FIELDS = [
    (name, field)
    for name, cls in MODELS.items()
    if name not in ("Kernel", "Estimator")
    for field in cls.fields
    if field not in REQUIRED.get(name, {})
]


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_a_value_that_is_not_the_usual_one_is_shown(name, field):
    cls, usual = MODELS[name], MODELS[name].fields[field].default
    given = {"approximation": "nystrom"} if field in ("rank", "rng") and "approximation" in cls.fields else {}
    given |= {"filter": "landweber"} if field == "steps" else {}
    given |= {"kind": "gaussian"} if field == "scale" and name == "LevelTwo" else {}
    models = []
    for value in (*OTHERS, *getattr(cls.fields[field], "objects", ())):
        with contextlib.suppress(ValueError, TypeError):
            model = cls(**{**REQUIRED.get(name, {}), **given, field: value})
            if np.any(getattr(model, field) != usual) or isinstance(cls.fields[field], Array):
                models.append(model)
    assert models, "no other value is accepted"
    for model in models:
        assert f"{field}=" in repr(model)
        assert len(repr(model)) <= REPR
        assert "\n" not in repr(model)


@pytest.mark.parametrize("name", REQUIRED)
def test_what_has_no_default_is_always_shown(name):
    text = repr(MODELS[name](**REQUIRED[name]))
    assert all(f"{field}=" in text for field in REQUIRED[name])
    assert len(text) <= REPR


def test_long_arrays_are_cut_to_their_shape():
    model = Gaussian(1.0)
    mean = KME(model).embed(np.zeros((500, 3)))
    assert repr(mean) == "Embedding(kernel=Gaussian(bandwidth=1.0), points=<500 x 3 numbers>, weights=<500 numbers>)"
