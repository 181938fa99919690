"""A lab as a study: its own numbers, the same names in every cell, in any process and in a file."""

import math
import pickle

import numpy as np
import pytest
from every_lab import ROWS
from helpers.naming import naming

from explorer.labs import LabStudy
from explorer.sweeps import InProcess, planned, sweep
from explorer.sweeps.study import identity
from explorer.workbench.axes import swept
from explorer.workbench.study import presets_of, subject, subjects

pytestmark = pytest.mark.thorough  # every lab as a study

LABS = [name for name in ROWS if name in subjects()]
SPELT = {" / its bound": " beside its bound", " / ": " relative to ", "λ": "lambda", "σ": "sigma", "²": " squared"}
# labels of pages whose names in sweeps are older, and stay
SPELT |= {
    "smallest p of the t tests": "smallest p of the looks",
    "first t test that rejects": "first look that rejects",
    "stretched bag to the original bag": "stretched bag to itself",
    "normalised HSIC": "the correlation of HSIC",
    "treated and controls, unweighted": "treated and controls, as they are",
}
STATES = [(lab, fields) for lab in LABS for fields in ({}, *ROWS[lab].studies)]
SIZES = {"n": [20, 30]}


def lab_measures(lab, **fields):
    """Return the lab's own measures, with names as a study spells them."""
    result = subject(lab).lab(**fields).result()
    found = result.measures
    for sign, word in SPELT.items():
        found = {name.replace(sign, word): value for name, value in found.items()}
    return found


def equal_measures(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name], equal_nan=True) for name in a)


@pytest.mark.parametrize("lab", LABS)
def test_a_study_says_what_the_lab_says(lab):
    study, state = LabStudy(lab)(seed=7), lab_measures(lab, seed=7)
    assert state
    assert {name: value for name, value in study.items() if not math.isnan(value)} == state
    assert all(type(value) is float for value in study.values())


@pytest.mark.thorough(
    default=[
        "shrinkage-{}",
        "shrinkage-{'source': 'wine'}",
        "marginalized-{}",
        "monk-{'laws': 'pareto'}",
        "independence-{'kernel': 'distance'}",
        "independence-{'n': 4}",
    ]
)
@pytest.mark.parametrize(("lab", "fields"), STATES, ids=str)
def test_every_state_has_the_same_names_and_no_number_is_lost(lab, fields):
    study, state = LabStudy(lab, **fields)(seed=3), lab_measures(lab, seed=3, **fields)
    assert tuple(study) == subject(lab).measures
    numbers = sorted(value for value in state.values() if value is not None and not math.isnan(value))
    assert sorted(value for value in study.values() if not math.isnan(value)) == numbers


def test_a_cell_and_a_field_are_one():
    assert equal_measures(LabStudy("shrinkage", n=30)(lam=0.1, seed=5), LabStudy("shrinkage", lam=0.1)(n=30, seed=5))


def test_a_cell_in_which_the_lab_cannot_be_has_no_number():
    study = LabStudy("shrinkage", outliers=10)
    assert all(math.isnan(value) for value in study(n=5, seed=1).values())
    assert all(math.isnan(value) for value in LabStudy("shrinkage", source="wine")(n=400, seed=1).values())
    with pytest.raises(ValueError, match=naming("outliers", "n")):
        study.state(n=5, seed=1)


@pytest.mark.parametrize("lab", LABS)
def test_a_sweep_s_seed_is_one_of_the_lab_s(lab):
    state = LabStudy(lab).state(seed=2**53 - 1)
    assert state.seed == (2**53 - 1) % (subject(lab).lab.fields["seed"].bounds[1] + 1)


def test_what_is_no_lab_or_no_field_is_refused():
    with pytest.raises(ValueError, match=naming("shrinkage", "marginalized")):
        LabStudy("bogus")
    with pytest.raises(TypeError, match=naming("monk", "bogus")):
        LabStudy("monk", bogus=1)


@pytest.mark.parametrize("lab", LABS)
def test_a_study_travels_and_says_what_it_is(lab):
    study = LabStudy(lab, seed=4)
    again = pickle.loads(pickle.dumps(study))
    assert repr(again) == repr(study) == repr(eval(repr(study))) == f"LabStudy({lab!r}, seed=4)"
    assert lab in identity(study)[0]
    assert identity(study)[0] != identity(LabStudy(lab))[0]


@pytest.mark.parametrize("lab", LABS)
def test_axes_have_unit_symbol_and_limits_of_the_lab(lab):
    field = subject(lab).lab.fields["n"]
    run = planned(LabStudy(lab), {"n": [20]}, executor=InProcess())
    about = run.grid.parameters["n"].attributes()
    assert about["symbol"] == field.symbol
    with pytest.raises(ValueError, match=naming("n")):
        planned(LabStudy(lab), {"n": [0]}, executor=InProcess())


@pytest.mark.parametrize("lab", LABS)
def test_a_store_takes_every_name_and_goes_on(lab, tmp_path):
    calls = {
        "study": LabStudy(lab),
        "axes": SIZES,
        "executor": InProcess(),
        "store": tmp_path / "s.nc",
        "progress": False,
    }
    data, again = sweep(**calls), sweep(**calls)
    assert set(data.data_vars) == set(subject(lab).measures)
    assert data.identical(again)


@pytest.mark.few(4)
@pytest.mark.thorough(default=["independence"])
@pytest.mark.parametrize("lab", LABS)
def test_processes_say_what_this_one_says(lab):
    calls = {"study": LabStudy(lab), "axes": SIZES, "replicates": 2, "seed": 3, "progress": False}
    assert sweep(**calls).identical(sweep(**calls, executor=InProcess()))


@pytest.mark.parametrize("lab", LABS)
def test_presets_and_first_axes_are_there(lab):
    assert set(subject(lab).axes) <= set(swept(lab))
    assert presets_of(lab)
    for name in swept(lab):
        assert name not in (*subject(lab).lab.aside, "seed", "file", "samples")
