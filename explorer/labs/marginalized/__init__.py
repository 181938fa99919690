"""The Marginalized lab: what noise that is put on the data on purpose does to a kernel mean."""

from explorer.workbench.registry import Entry

from .lab import MarginalizedLab as MarginalizedLab
from .result import MarginalizedResult as MarginalizedResult

ENTRY = Entry(
    title="Marginalized",
    question="Does adding noise on purpose help?",
    order=2,
    axes=("bandwidth", "n"),
    lab=MarginalizedLab,
    family="better",
)
