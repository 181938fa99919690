"""Which cases of a test run when: by default those that its mark names, and of a product those that cover it."""

import os
import subprocess
import sys
from itertools import combinations, product
from pathlib import Path

import case_selection
import pytest
from case_selection import named_cases
from helpers import pairwise
from helpers.naming import naming

SECONDS = {"test_it.py::test_allowed": 0.4 * case_selection.ALLOWED, "test_it.py::test_long": 30.0}
# two tests have a turn, and the endless one has none
SLOW_SECONDS = {f"test_it.py::test_{name}": 30 for name in ("three", "two", "one", "other")}
SLOW_SECONDS["test_it.py::test_endless"] = 31
CASES = ["KME-gaussian", "KME-linear", "MKME-gaussian", "MKME-gaussian, automatic"]
CONFTEST = """
import case_selection
from case_selection import *

case_selection.SECONDS = {seconds}
case_selection.SLOW_SECONDS = {slow_seconds}
case_selection.TURN, case_selection.LIMIT = 60, 0.1

def pytest_collection_modifyitems(config, items):
    leave_other_shares(config, items)
    leave_other_turns(config, items)
"""
MODULE = """
import pytest

@pytest.mark.thorough(default={names})
@pytest.mark.parametrize("size", [1, 20], ids=["one", "twenty"])
def test_size(size):
    pass
"""


@pytest.fixture
def collected(tmp_path):
    """Return what pytest collects by default of a module whose test is marked with names."""
    settings = (
        '[tool.pytest.ini_options]\naddopts = "-m \'not thorough\'"\nmarkers = ["thorough", "covered", "few", "slow"]\n'
    )
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST.format(seconds=SECONDS, slow_seconds=SLOW_SECONDS), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(case_selection.__file__).parent)}
    environment.pop("PYTEST_ADDOPTS", None)  # it may choose the other cases

    def run(names, *arguments, module=MODULE, only=("--collect-only",)):
        (tmp_path / "test_it.py").write_text(module.format(names=names), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", *only, "-p", "no:cacheprovider"]
        command += ["-p", "no:randomly", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
        return done.returncode, done.stdout

    return run


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["KME-gaussian"], {0}),
        (["KME-*"], {0, 1}),
        (["*-gaussian"], {0, 2}),
        (["*-linear", "MKME-*"], {1, 2, 3}),
        ([], set()),
    ],
)
def test_a_name_stands_for_whole_cases(names, chosen):
    assert named_cases(CASES, names) == {CASES[i] for i in chosen}


def test_a_name_that_is_no_case_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match=naming("'KME-gausian'", "'KME-gaussian'")):
        named_cases(CASES, ["KME-linear", "KME-gausian"])


@pytest.mark.thorough
def test_named_cases_run_by_default(collected):
    code, out = collected(["twenty"])
    assert code == 0
    assert "test_it.py::test_size[twenty]" in out
    assert "test_size[one]" not in out


@pytest.mark.thorough
def test_one_case_alone_can_be_asked_for(collected):
    code, out = collected(["one"], "test_it.py::test_size[twenty]", "-m", "thorough")
    assert code == 0
    assert "test_it.py::test_size[twenty]" in out


def test_a_wrong_name_is_an_error_at_collection(collected):
    code, out = collected(["fifty"])
    assert code == 2
    assert "test_size: thorough names 'fifty'" in out


# coverings

PRODUCTS = [tuple(product(*map(range, sizes))) for sizes in ((4, 3), (3, 5, 2), (2, 2, 2, 2))]


def levels(cases, places):
    """Return the levels that the parameters at these positions have together in any case."""
    return {tuple(case[i] for i in places) for case in cases}


@pytest.mark.parametrize("cases", PRODUCTS, ids=len)
def test_a_covering_has_all_pairs_of_levels_and_few_cases(cases):
    chosen = pairwise.pairs(cases)
    for places in combinations(range(len(cases[0])), 2):
        assert levels(chosen, places) == levels(cases, places)
    assert len(chosen) < len(cases) or len(cases[0]) == 2


@pytest.mark.parametrize("cases", PRODUCTS, ids=len)
@pytest.mark.parametrize("times", [1, 2])
def test_each_level_is_met_as_often_as_asked(cases, times):
    chosen = pairwise.each(cases, times)
    for i in range(len(cases[0])):
        met = [case[i] for case in chosen]
        assert min(map(met.count, range(1 + max(met)))) >= times
        assert levels(chosen, [i]) == levels(cases, [i])
    assert len(chosen) == times * max(1 + max(case) for case in cases)


COVERED = """
import pytest

@pytest.mark.thorough(default=["a-2"])
@pytest.mark.covered(times=1)
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("letter", ["a", "b", "c"])
def test_product(letter, n):
    pass
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("expression", "cases"),
    [
        ("not thorough and not slow", ["a-2"]),
        ("thorough and not slow", ["a-1", "b-2", "c-3"]),
    ],
)
def test_what_a_covering_leaves_out_is_slow_but_for_what_runs_by_default(collected, expression, cases):
    code, out = collected([], "-m", expression, module=COVERED)
    assert code == 0
    assert names_in(out) == cases


def names_in(out):
    """Return the names of the cases that were collected."""
    return [line.partition("[")[2].rstrip("]") for line in out.splitlines() if "::" in line]


@pytest.mark.parametrize("total", [1, 5, 12])
@pytest.mark.parametrize("count", [1, 3, 12])
def test_some_cases_are_as_many_as_asked_and_another_test_s_are_others(total, count):
    chosen = {frozenset(case_selection.some(total, f"test_{letter}", count)) for letter in "abcdefgh"}
    assert {len(each) for each in chosen} == {min(count, total)}
    assert set().union(*chosen) <= set(range(total))
    assert len(chosen) > 1 or count >= total


FEW = """
import pytest

@pytest.mark.few(2)
@pytest.mark.parametrize("n", [0, 1, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(2, 9))])
def test_rooms(n):
    pass
"""


@pytest.mark.thorough
def test_few_leaves_what_runs_by_default_as_it_is(collected):
    _, out = collected([], module=FEW)
    assert names_in(out) == ["0", "1"]
    once_more = [len(names_in(collected([], "-m", which, module=FEW)[1])) for which in ("not slow", "slow")]
    assert once_more == [4, 5]


TIMED = """
import pytest

@pytest.mark.parametrize("n", range(12))
def test_allowed(n):
    pass

@pytest.mark.parametrize("n", range(3))
def test_long(n):
    pass

def test_new():
    pass
"""


def functions_in(out):
    """Return the test functions of the cases that were collected."""
    return [line.partition("[")[0].partition("::")[2] for line in out.splitlines() if "::" in line]


@pytest.mark.thorough
def test_by_default_each_test_has_the_cases_that_its_allowance_has_time_for(collected):
    _, out = collected([], module=TIMED)
    assert functions_in(out) == ["test_allowed"] * 2 + ["test_new"]
    _, out = collected([], "-m", "thorough", module=TIMED)
    assert functions_in(out) == ["test_allowed"] * 10 + ["test_long"] * 3


@pytest.mark.thorough
def test_shares_go_once_through_what_is_thorough(collected):
    shares = [collected([], "-m", "thorough", "--share", f"{k}/3", module=TIMED)[1] for k in (1, 2, 3)]
    cases = [line for out in shares for line in out.splitlines() if "::" in line]
    assert len(cases) == len(set(cases)) == 13
    assert min(map(len, map(functions_in, shares))) > 0


@pytest.mark.thorough
@pytest.mark.parametrize("share", ["0/3", "4/3", "third"])
def test_a_share_that_is_none_is_refused(collected, share):
    assert collected([], "--share", share, module=TIMED)[0] == 4


SLOW = """
import pytest

pytestmark = pytest.mark.slow

@pytest.mark.parametrize("n", range(3))
def test_three(n):
    pass

@pytest.mark.parametrize("n", range(2))
def test_two(n):
    pass

def test_one():
    pass

def test_other():
    pass

def test_endless():
    pass
"""


@pytest.mark.thorough
def test_each_round_of_turns_has_another_case_of_every_slow_test(collected):
    turns = [collected([], "-m", "slow", "--turn", str(turn), module=SLOW)[1] for turn in range(6)]
    assert [len(functions_in(out)) for out in turns] == [2] * 6
    rounds = [functions_in("\n".join(turns[i : i + 2])) for i in (0, 2, 4)]
    assert [sorted(each) for each in rounds] == [["test_one", "test_other", "test_three", "test_two"]] * 3
    assert len({case for out in turns for case in out.splitlines() if "::test_three" in case}) == 3


ENDLESS = """
import time
import pytest

@pytest.mark.slow
def test_new():
    time.sleep(9)

@pytest.mark.slow
def test_wrong():
    assert False
"""


@pytest.mark.thorough
def test_a_turn_skips_what_takes_too_long_and_nothing_else(collected):
    _, out = collected([], "-m", "slow", "--turn", "1", module=ENDLESS, only=())
    assert "1 failed, 1 skipped" in out


def test_times_are_averages_over_cases(tmp_path):
    cases = [(f"[{n}]", 0.1 * n) for n in range(1, 5)] + [("", 0.01)]
    lines = [
        f'<testcase classname="tests.room.test_it" name="test_{"long" if case else "short"}{case}" time="{seconds}"/>'
        for case, seconds in cases
    ]
    (tmp_path / "run.xml").write_text(f"<testsuite>{''.join(lines)}</testsuite>", encoding="utf-8")
    assert case_selection.seconds_of([tmp_path / "run.xml"]) == {"tests/room/test_it.py::test_long": 0.25}
