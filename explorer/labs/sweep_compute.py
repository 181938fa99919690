"""From a state of the Sweep lab to its result: what there is of the sweep by now."""

from __future__ import annotations

from explorer.sweeps import Grid

from .study import model_of
from .sweep_result import SweepResult


def cells_key(lab):
    """Under which key a lab's cache has the numbers of its sweep: all that decides about them."""
    return "cells", repr(lab.study), grid_of(lab).key()


def cost_key(lab):
    """Under which key it has what a fit costs; replicates and seeds change nothing in that."""
    return "cost", repr(lab.study), tuple((each.name, each.values) for each in lab.axes)


def grid_of(lab):
    """The cells, with their seeds."""
    call = lab.call
    return Grid(call["axes"], call["replicates"], call["seed"], call["common"], model_of(lab.lab))


def compute(lab, cache):
    """A SweepResult from a snapshot of the lab and what its cache has."""
    return SweepResult(
        lab=lab,
        study=lab.study,
        axes=lab.axes,
        grid=grid_of(lab),
        cells=cache.peek(cells_key(lab)),
        replicates=cache.peek(cost_key(lab)),
    )
