"""The DNA lab: whether shared subsequences distinguish two samples of strings."""

from explorer.workbench.registry import Entry

from .lab import DnaLab as DnaLab
from .result import DnaResult as DnaResult

ENTRY = Entry(
    title="DNA",
    question="Can a few bad reads hide a difference?",
    order=6,
    axes=("contaminated", "n"),
    lab=DnaLab,
    family="wrong",
)
