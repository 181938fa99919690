"""Conditional lab: the distribution of y given x, by conditioning, Bayes' rule, filtering, a table and a tree."""

from explorer.workbench.registry import Entry

from .lab import ConditionalLab as ConditionalLab
from .result import ConditionalResult as ConditionalResult

ENTRY = Entry(
    title="Conditional",
    question="If I know x, what is y?",
    order=6.5,
    axes=("lam", "n"),
    lab=ConditionalLab,
    family="mean",
)
