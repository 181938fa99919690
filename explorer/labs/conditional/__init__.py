"""The Conditional lab: given x, how is y distributed? Conditioning, Bayes' rule, filtering, and a table."""

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
