"""The Shrinkage lab: what a little shrinking does to a kernel mean."""

from explorer.workbench.registry import Entry

from .lab import ShrinkageLab as ShrinkageLab
from .result import ShrinkageResult as ShrinkageResult

ENTRY = Entry(
    title="Shrinkage",
    question="Does shrinking the average towards 0 help?",
    order=1,
    axes=("bandwidth", "n"),
    lab=ShrinkageLab,
    family="better",
)
