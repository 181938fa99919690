"""The MONK lab's stored study of errors is the one that it would compute.

`PYTHONPATH=.:tests python tests/labs/test_labs_monk_opening.py` stores it anew.
"""

from pathlib import Path

import numpy as np
import pytest

import explorer
from explorer.labs.monk import MonkLab
from explorer.labs.monk.figures import cliff
from explorer.labs.monk.opening import DIGITS, FIELDS, FILE, study_at, text_of

PATH = Path(explorer.__file__).parent / "labs" / "monk" / FILE


def computed():
    """Return the study of the opening state, computed."""
    result = MonkLab().result()
    return type(result).computed_cliff.compute(result, lambda: False)


def test_the_stored_study_is_the_computed_one():
    stored, study = study_at(MonkLab()), computed()
    assert stored.counts == study.counts
    assert stored.errors.keys() == study.errors.keys()
    for name, errors in study.errors.items():
        # another processor may sum in another order
        assert np.allclose(stored.errors[name], errors, rtol=10.0 ** (1 - DIGITS), atol=1e-6)


def test_the_opening_picture_is_there_at_once():
    result = MonkLab().result()
    assert result.pending() == ()
    assert not cliff.waits(result)
    assert cliff.data(result)["line_U"]["x"].tolist() == list(result.cliff.counts)
    assert not any(work.late for work in MonkLab().cost)


@pytest.mark.parametrize("fields", [{"outliers": 2}, {"blocks": 21}, {"method": "bcd"}, {"bandwidth": 2.0}], ids=str)
def test_it_serves_all_states_that_its_numbers_do_not_depend_on(fields):
    lab = MonkLab(**fields)
    assert lab.result().cliff is study_at(MonkLab())
    assert not set(fields) & set(FIELDS)


@pytest.mark.parametrize(
    "fields",
    [{"n": 100}, {"seed": 2}, {"partition": 2}, {"distance": 20.0}, {"planted": "Q"}, {"kernel": "RBF"},
     {"shift": 0.0}, {"d": 2}, {"laws": "paper"}],
    ids=str,
)  # fmt: skip
def test_another_study_is_computed(fields):
    lab = MonkLab(**fields)
    assert set(fields) <= set(FIELDS)
    assert lab.result().pending() == ("computed_cliff",)
    assert any(work.late for work in lab.cost)


if __name__ == "__main__":
    PATH.write_text(text_of(MonkLab(), computed()), encoding="utf-8")
