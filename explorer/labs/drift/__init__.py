"""The Drift lab: a series in which something changes, where it changes, and which tests raise an alarm."""

from explorer.workbench.registry import Entry

from .lab import DriftLab as DriftLab
from .result import DriftResult as DriftResult

ENTRY = Entry(
    title="Drift",
    question="Has my data changed, and when?",
    order=5.5,
    axes=("size", "n"),
    lab=DriftLab,
    family="same",
)
