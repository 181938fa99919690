"""Adaptation lab: learning from a source sample whose distribution differs from the target's."""

from explorer.workbench.registry import Entry

from .lab import AdaptationLab as AdaptationLab
from .result import AdaptationResult as AdaptationResult

ENTRY = Entry(
    title="Adaptation",
    question="What if training and test data differ?",
    order=6.9,
    axes=("shift", "n"),
    lab=AdaptationLab,
    family="wrong",
)
