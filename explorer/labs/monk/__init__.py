"""The MONK lab: what a few outliers do to an average, and how a vote of blocks resists them."""

from explorer.workbench.registry import Entry

from .lab import MonkLab as MonkLab
from .result import MonkLabResult as MonkLabResult

ENTRY = Entry(
    title="MONK",
    question="How many outliers can a test take?",
    order=3,
    axes=("outliers", "blocks"),
    lab=MonkLab,
    family="wrong",
)
