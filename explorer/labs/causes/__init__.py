"""The Causes lab: three variables, which of them depend on which once a third is known, and which acts on which."""

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
