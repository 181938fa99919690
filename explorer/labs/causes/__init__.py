"""Causes lab: dependence between three variables, alone and given a third, and the direction of causes."""

from explorer.workbench.registry import Entry

from .lab import CausesLab as CausesLab
from .result import CausesResult as CausesResult

ENTRY = Entry(
    title="Causes",
    question="Which variable acts on which?",
    order=6.5,
    axes=("bandwidth", "n"),
    lab=CausesLab,
    family="same",
)
