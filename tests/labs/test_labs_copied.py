"""Copy Python in states drawn at random: wherever a page shows numbers, the script that it offers gives them again."""

from __future__ import annotations

import math
import warnings

import pytest
from every_lab import ROWS, lab_of
from helpers.random_states import FILES, states, tolerance

from explorer.checks import Refusal
from explorer.labs.independence import IndependenceLab
from explorer.labs.shrinkage import ShrinkageLab
from explorer.recipe import Recipe, Script
from explorer.workbench import registry

SOME = 5  # states that are drawn of a lab by default; all labs come with the thorough tests
# other labs have 20; three times as many for all labs together
THOROUGH = {"dna": 8, "sweep": 3, "distributions": 10, "density": 10}


@pytest.fixture(autouse=True)
def folder_with_files(tmp_path, monkeypatch):
    """Provide a folder with the user's files that a script reads."""
    for name, raw in FILES.items():
        (tmp_path / name).write_bytes(raw)
    monkeypatch.chdir(tmp_path)


def result_or_none(lab):
    """Return the result that a page shows at a state, or None if it raises a Refusal. Other exceptions are raised."""
    # 0 / 0 for equal samples is tested with the result; here the script's warnings count
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            return lab.result()
        except Refusal:
            return None


def assert_script_agrees(name, result):
    """Run the script of a result alone, with warnings as errors, and compare its numbers with the page's."""
    code, space = registry.role(name, "script").python(result), {}
    exec(compile(code, "<copied>", "exec"), space)
    if name == "independence" and not result.enough:
        assert len(space["X"]) == len(space["Y"]) == result.pairs.n
        return
    within = tolerance(name, space, result)
    for copied, here in ROWS[name].copied(space, result) if within < 1 else ():
        assert copied == pytest.approx(here, rel=within, abs=within, nan_ok=True), (result.lab, copied, here)


def all_agree(name, count, seed):
    results = [result for lab in states(name, count, seed) if (result := result_or_none(lab)) is not None]
    for result in results:
        assert_script_agrees(name, result)
    assert len(results) >= 0.6 * count  # a harness whose states are all refused would pass


@pytest.mark.parametrize("name", ["shrinkage", "marginalized", "twosample", "conditional"])
def test_the_script_runs_and_gives_the_numbers_of_any_state(name):
    all_agree(name, SOME, 11)


@pytest.mark.few(4)
@pytest.mark.thorough
@pytest.mark.parametrize(("seed", "times"), [(0, 1), pytest.param(1, 3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ROWS)
def test_the_script_runs_in_many_more_states(name, seed, times):
    all_agree(name, times * THOROUGH.get(name, 20), 100 + seed)


NO_MULTIPLE = {"source": "gaussian", "n": 6, "kernel": "LIN", "weights": "sum-to-one"}


@pytest.mark.parametrize(
    "fields",
    [
        {**NO_MULTIPLE, "seed": 23},
        {**NO_MULTIPLE, "seed": 23, "lam": math.inf},
        {**NO_MULTIPLE, "seed": 23, "target": "blob"},
        {"weights": "sum-to-one", "lam": math.inf},
        {"weights": "sum-to-one", "lam": math.inf, "source": "wine"},
        {"weights": "sum-to-one", "lam": 1.7e308},
    ],
    ids=str,
)
def test_weights_of_which_no_multiple_sums_to_one_can_be_copied(fields):
    assert_script_agrees("shrinkage", result_or_none(ShrinkageLab(**fields)))


@pytest.mark.parametrize("placed", ["", "[]", "{}", "[[1,2]]", "[[0,0],[1,1],[2,1]]"])
@pytest.mark.parametrize("source", ["drawn", "ring"])
def test_few_pairs_or_none_can_be_copied(placed, source):
    lab = IndependenceLab(source=source, placed=placed, n=5, permutations="199")
    assert_script_agrees("independence", result_or_none(lab))


def test_the_comparison_can_fail():
    """Another λ's script does not give this λ's numbers: the tolerance leaves digits to compare."""
    space = {}
    exec(registry.role("shrinkage", "script").python(lab_of("shrinkage", lam=0.1).result()), space)
    result = lab_of("shrinkage", lam=0.11).result()
    within = tolerance("shrinkage", space, result)
    assert within < 1e-10
    assert any(abs(copied - here) > 1e3 * within for copied, here in ROWS["shrinkage"].copied(space, result))


@pytest.mark.few(6)
@pytest.mark.parametrize("name", [name for name in ROWS if name != "sweep"])
def test_a_recipe_that_is_called_prints_what_its_script_prints(name, monkeypatch, capsys):
    """The steps are those that run here, and those that are copied."""
    recipes = []
    monkeypatch.setattr(Recipe, "script", lambda steps: recipes.append(steps) or Script())
    registry.role(name, "script").python(lab_of(name).result())
    monkeypatch.undo()
    recipes[-1]()
    here = capsys.readouterr().out
    exec(compile(recipes[-1].script(), "<copied>", "exec"), {})
    assert capsys.readouterr().out == here != ""
