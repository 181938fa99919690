"""Which cases of a thorough test run by default is named in its mark, and a wrong name is an error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import thorough
from thorough import named_cases

CASES = ["KME-gaussian", "KME-linear", "MKME-gaussian", "MKME-gaussian, automatic"]
MODULE = """
import pytest

@pytest.mark.thorough(default={names})
@pytest.mark.parametrize("size", [1, 20], ids=["one", "twenty"])
def test_size(size):
    pass
"""


@pytest.fixture
def collected(tmp_path):
    """What pytest collects by default of a module whose test is marked with names."""
    settings = '[tool.pytest.ini_options]\naddopts = "-m \'not thorough\'"\nmarkers = ["thorough: all cases"]\n'
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    (tmp_path / "conftest.py").write_text("from thorough import *\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(thorough.__file__).parent)}
    environment.pop("PYTEST_ADDOPTS", None)  # it may choose the other cases

    def run(names, *arguments):
        (tmp_path / "test_it.py").write_text(MODULE.format(names=names), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *arguments]
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
    with pytest.raises(ValueError, match="'KME-gausian', which is none of its cases, such as 'KME-gaussian'"):
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
