"""Density lab: fits a mixture whose kernel mean is close to an estimate, and checks it as a density."""

from explorer.workbench.registry import Entry

from .lab import DensityLab as DensityLab
from .result import DensityResult as DensityResult

ENTRY = Entry(
    title="Density",
    question="Can a kernel mean give back the density?",
    order=6.7,
    axes=("bandwidth", "n"),
    lab=DensityLab,
    family="mean",
)
