"""The Independence lab: whether y depends on x, in what way, and whether correlation shows it."""

from explorer.workbench.registry import Entry

from .lab import IndependenceLab as IndependenceLab
from .result import IndependenceResult as IndependenceResult

ENTRY = Entry(
    title="Independence",
    question="Does y depend on x?",
    order=5,
    axes=("noise", "n"),
    lab=IndependenceLab,
    family="same",
)
