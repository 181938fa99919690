"""The docstring of every function that returns a p states one of: exact, in the limit, or about right."""

import importlib
import inspect
import re

import pytest

ROOMS = (
    "explorer", "explorer.adaptation", "explorer.conditional", "explorer.discrepancy",
    "explorer.discrepancy.dependence", "explorer.discrepancy.monk",
)  # fmt: skip
BESIDE = {"linear_time", "hsic_gamma", "rank_columns", "additive_noise", "bandwidth_curve", "bandwidth_sweep"}
KINDS = re.compile(r"\bexact\b|\bin the limit\b|\babout right\b|\babout that\b")


def answering():
    """Return the functions of the packages that are tests by their names, and the others that return a p."""
    found = {}
    for room in map(importlib.import_module, ROOMS):
        for name in dir(room):
            if (name.endswith("_test") or name in BESIDE) and callable(getattr(room, name)):
                found[name] = getattr(room, name)
    return found


def test_those_beside_are_there():
    assert BESIDE < set(answering())
    assert len(answering()) > 20


@pytest.mark.parametrize("name", sorted(answering()))
def test_the_docstring_of_a_test_says_what_its_p_is_and_under_what(name):
    said = " ".join(inspect.getdoc(answering()[name]).split())
    kinds = [each.start() for each in KINDS.finditer(said)]
    assert kinds
    # a condition stands near one of them
    assert any(re.search(r"\bif\b|\bunder\b|\bfor\b|\bof\b|\bas that of\b", said[at : at + 200]) for at in kinds)
