"""The Few lab: a few points that represent many, the errors they make, a test of a few rows, and points that flow."""

from explorer.workbench.registry import Entry

from .lab import FewLab as FewLab
from .result import FewResult as FewResult

ENTRY = Entry(
    title="Few",
    question="Which few points stand for many?",
    order=8.5,
    axes=("m", "bandwidth"),
    lab=FewLab,
    family="mean",
)
