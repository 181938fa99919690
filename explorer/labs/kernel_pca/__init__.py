"""The Kernel PCA lab: the directions along which a sample varies, and whether shrinkage helps to find them."""

from explorer.workbench.registry import Entry

from .lab import KernelPCALab as KernelPCALab
from .result import KernelPCAResult as KernelPCAResult

ENTRY = Entry(
    title="Kernel PCA",
    question="Along which directions do the data vary?",
    order=6.8,
    axes=("bandwidth", "n"),
    lab=KernelPCALab,
    family="mean",
)
