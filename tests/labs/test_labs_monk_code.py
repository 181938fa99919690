"""The MONK lab's Copy Python: run alone, in a fresh namespace, it gives the screen's numbers again."""

import pytest

from explorer.labs.monk import MonkLab
from explorer.labs.monk.script import python

STATES = [
    {},
    {"outliers": 0},
    {"kernel": "RBF", "bandwidth": 0.6, "d": 4},
    {"kernel": "LIN", "planted": "P", "distance": 33.25},
    {"kernel": "POLY3", "planted": "Q", "distance": 2000.0, "blocks": 21},
    {"laws": "paper"},
    {"laws": "pareto", "outliers": 3},
    {"placed": "[[12.25,1.5],[-4,0.2]]", "seed": 77},
    {"method": "bcd", "blocks": 5},
    {"method": "bcd-fast", "partition": 6},
    {"blocks": 1},
    {"blocks": 43, "n": 300},
    {"n": 2, "blocks": 1, "outliers": 1, "shift": 0.0},
]


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_copied_lines_give_the_numbers_on_screen(fields, capsys):
    result, space = MonkLab(**fields).result(), {}
    exec(compile(python(result), "<copied>", "exec"), space)
    shown = {"U": result.U, "MONK": result.estimate.value, "truth": result.truth}
    assert space["shown"] == pytest.approx(shown, rel=1e-12, abs=1e-12)
    assert "MONK" in capsys.readouterr().out  # it prints them too


def test_it_is_plain_python_from_the_front_door():
    import explorer

    for fields in STATES:
        first = python(MonkLab(**fields).result()).splitlines()[0]
        assert set(first.removeprefix("from explorer import ").split(", ")) <= set(dir(explorer))
