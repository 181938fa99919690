"""The Sweep lab: another lab over a whole range of one or two of its fields."""

from explorer.workbench.registry import Entry

from .lab import SweepLab as SweepLab
from .result import SweepResult as SweepResult

ENTRY = Entry(
    title="Sweep",
    question="How does a result depend on two settings?",
    order=100,
    axes=(),
    lab=SweepLab,
    family="research",
)
