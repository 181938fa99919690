"""The table of labs: what tests that hold for every lab need to know of each."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from explorer.workbench import registry


class Row(NamedTuple):
    """What tests need to know of a lab.

    states   fields of states that differ in what they show, the first state aside; named, as test ids
    moves    a move that changes much, another one, and a move that changes the slider's field alone
    copied   (namespace of the copied Python, result) -> pairs of numbers that must be equal
    """

    states: dict
    moves: tuple
    copied: object


ROWS = {
    "shrinkage": Row(
        states={
            "chosen λ": {"lam": 0.1},
            "typed λ": {"lam": 0.0123},
            "no shrinking": {"lam": 0.0},
            "linear, one Gaussian": {"kernel": "LIN", "source": "gaussian", "mean": 0.3},
            "one coordinate": {"d": 1, "n": 6},
            "outliers": {"n": 40, "outliers": 5, "kind": "heavy tail", "distance": 500.0},
            "wine": {"source": "wine", "n": 60},
            "truncated SVD": {"filter": "tsvd", "picture": "coefficients"},
            "sum to one": {"weights": "sum-to-one", "kernel": "POLY2"},
            "blob": {"target": "blob", "target_at": "[2.5, -1.0]", "picture": "risk"},
            "moved": {"moved": '{"3":[1,1]}'},
        },
        moves=({"bandwidth": 0.5}, {"n": 30}, {"lam": 0.2}),
        copied=lambda space, r: zip(
            space["losses"].values(), (1.0, 1 - r.gain(r.simple), 1 - r.gain(r.flexible)), strict=True
        ),
    ),
}


def states():
    """(lab, fields) of every state of the table, the first states among them, as test parameters."""
    return [
        pytest.param(name, fields, id=f"{name}: {word}")
        for name, row in ROWS.items()
        for word, fields in {"first": {}, **row.states}.items()
    ]


def lab_of(name, **fields):
    """A lab of the table."""
    return registry.entry(name).lab(**fields)
