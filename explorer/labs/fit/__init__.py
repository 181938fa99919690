"""The Fit lab: a model over a sample, the Stein witness of their difference, and tests of the fit."""

from explorer.workbench.registry import Entry

from .lab import FitLab as FitLab
from .result import FitResult as FitResult

ENTRY = Entry(
    title="Fit",
    question="Does the model fit the data?",
    order=4.5,
    axes=("bandwidth", "n"),
    lab=FitLab,
    family="same",
)
