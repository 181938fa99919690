"""The Two-sample lab: whether two samples differ by more than chance."""

from explorer.workbench.registry import Entry

from .lab import TwoSampleLab as TwoSampleLab
from .result import TwoSampleResult as TwoSampleResult

ENTRY = Entry(
    title="Two samples",
    question="Do two samples differ?",
    order=4,
    axes=("size", "n"),
    lab=TwoSampleLab,
    family="same",
)
