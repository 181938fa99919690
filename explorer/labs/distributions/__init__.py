"""Distributions lab: bags of points as examples, a classifier of bags, and one bag that can be stretched."""

from explorer.workbench.registry import Entry

from .lab import DistributionsLab as DistributionsLab
from .result import DistributionsResult as DistributionsResult

ENTRY = Entry(
    title="Distributions",
    question="Can a classifier learn from whole samples?",
    order=6.8,
    axes=("n", "bandwidth"),
    lab=DistributionsLab,
    family="mean",
)
